// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// page.mjs same PAGE...: describes each kernel of the pages by the WebAssembly inside, and compares
// that with what the command wrote: byte for byte. Prints how many agree.
// page.mjs ask PAGE KERNEL QUESTIONS: prints the description that answers them (page/model.js).
// page.mjs accesses PAGE: prints what is drawn of each access: {kernel, line, sums (of the line), words, request}.
// page.mjs call PAGE KERNEL CALL [NUMBER...]: prints what a call of wasm/model.h answers.
import {readFileSync} from "node:fs";
import {runInThisContext} from "node:vm";
import {inflateSync} from "node:zlib";

const [, , what, ...rest] = process.argv;
const modelScript = readFileSync(new URL("../../../cost-models/src/report/html/page/model.js", import.meta.url), "utf8");
const {surroundings, ask, askKernel} = runInThisContext(
  "(() => {" + modelScript + "\nreturn {surroundings, ask, askKernel}; })()");

function readPage(path) {
  const text = readFileSync(path, "utf8");
  const unpack = id => inflateSync(Buffer.from(
    text.match(new RegExp(`<script type="application/[a-z-]+" id="${id}">(.*)</script>`))[1], "base64"));
  const block = id => unpack(id).toString();
  return {unpack, block, kernels: JSON.parse(block("index")).kernels.length};
}

async function modelOf(page) {
  const {instance} = await WebAssembly.instantiate(page.unpack("model"), surroundings);
  instance.exports._initialize();
  return instance.exports;
}

// The text itself: JSON.parse would hide what differs in form.
function describedText(model, bytes) {
  const at = model.model_take(bytes.length);
  new Uint8Array(model.memory.buffer).set(bytes, at);
  const opened = model.model_open(at, bytes.length);
  model.model_release(at);
  const text = from => {
    const memory = new Uint8Array(model.memory.buffer);
    return new TextDecoder().decode(memory.subarray(from, memory.indexOf(0, from)));
  };
  return text(opened) === "{}" ? text(model.model_describe()) : text(opened);
}

if (what === "same") {
  let agree = 0, differ = 0;
  for (const path of rest) {
    const page = readPage(path), model = await modelOf(page);
    for (let k = 0; k < page.kernels; ++k) {
      const block = page.block("k" + k), text = describedText(model, page.unpack("f" + k));
      if (block.endsWith(`"view":${text}}`)) {
        ++agree;
      } else {
        ++differ;
        const mine = JSON.stringify(JSON.parse(text)), theirs = JSON.stringify(JSON.parse(block).view);
        let at = 0;
        while (mine[at] === theirs[at] && at < mine.length)
          ++at;
        console.error(`${path}: kernel ${k}: ${mine.slice(at - 60, at + 60)} | ${theirs.slice(at - 60, at + 60)}`);
      }
    }
  }
  console.log(`${agree} agree, ${differ} differ`);
  process.exit(differ ? 1 : 0);
}
if (what === "accesses") {
  const page = readPage(rest[0]), model = await modelOf(page), all = [];
  for (let k = 0; k < page.kernels; ++k) {
    const {view} = JSON.parse(page.block("k" + k));
    askKernel(model, page.unpack("f" + k), {});
    for (const line of view.lines)
      for (const [access, words] of line.accesses)
        all.push({kernel: view.name.split("(")[0], line: line.at[1], sums: line.sums, words, request: ask(model, "model_access", access)});
  }
  console.log(JSON.stringify(all));
} else {
  const [path, kernel, ...call] = rest, page = readPage(path), model = await modelOf(page);
  const flat = page.unpack("f" + kernel);
  if (what === "ask") {
    console.log(JSON.stringify(askKernel(model, flat, JSON.parse(call[0]))));
  } else {
    askKernel(model, flat, {});
    console.log(JSON.stringify(ask(model, call[0], ...call.slice(1).map(Number))));
  }
}
