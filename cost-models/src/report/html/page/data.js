// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The page's data, unpacked: the index at once, loops, kernels and sources when they are looked at.

function bytesOf(base64) {
  const text = atob(base64), bytes = new Uint8Array(text.length);
  for (let k = 0; k < text.length; ++k)
    bytes[k] = text.charCodeAt(k);
  return bytes;
}

async function unpack(id) {
  const packed = new Blob([bytesOf(document.getElementById(id).textContent)]);
  return new Uint8Array(await new Response(packed.stream().pipeThrough(new DecompressionStream("deflate"))).arrayBuffer());
}

const block = async id => JSON.parse(new TextDecoder().decode(await unpack(id)));
const index = await block("index");

// As blocks.c writes rows.
const KERNEL = {name: 0, file: 1, line: 2, column: 3, lost: 4, severity: 5, low: 6, high: 7, from: 8,
                efficiency: 9, efficient: 10, cycles: 11, slow: 12, loops: 13, findings: 14,
                leavesOut: 15, timeLost: 16, time: 17, instances: 18, symbol: 19};
const LOOP = {kernel: 0, loop: 1, file: 2, line: 3, column: 4, lost: 5, severity: 6, low: 7, high: 8,
              from: 9, class: 10, imbalance: 11, aggregate: 12};
const FINDING = {rule: 0, kernel: 1, file: 2, line: 3, column: 4, lost: 5, severity: 6, low: 7, high: 8,
                 of: 9, text: 10, suppressed: 11, instances: 12, loop: 13, weight: 14, timeShare: 15};

const fileNumbers = new Map(index.files.map((name, number) => [name, number]));

// Folders that all kernels' files have in common go without saying.
const root = (() => {
  const names = [...new Set(index.kernels.map(row => row[KERNEL.file]))].filter(file => file >= 0).map(file => index.files[file]);
  if (names.length === 0)
    return "";
  let size = names[0].lastIndexOf("/") + 1;
  for (const name of names)
    while (size && !name.startsWith(names[0].slice(0, size)))
      size = names[0].lastIndexOf("/", size - 2) + 1;
  return size > 1 ? names[0].slice(0, size) : "";
})();
const shortFile = name => (root && name.startsWith(root) ? name.slice(root.length) : name) || "(no file)";

// "src/a.cu:12:5", as far as it is known.
function placeText(name, line, column) {
  return name ? shortFile(name) + (line ? ":" + line + (column ? ":" + column : "") : "") : "";
}
const rowPlace = (row, columns) => row[columns.file] < 0 ? "" :
  placeText(index.files[row[columns.file]], row[columns.line], 0);

// What is unpacked once stays. A promise each.
function kept(make) {
  const known = new Map();
  return key => {
    if (!known.has(key))
      known.set(key, make(key));
    return known.get(key);
  };
}

const readLoops = kept(() => block("loops"));
const readKernel = kept(number => block("k" + number));
const readFlat = kept(number => unpack("f" + number)); // as libdivcost reads it
const readSource = kept(async name => {
  const number = fileNumbers.get(name);
  const read = number === undefined ? {missing: "it is in no report"} : await block("s" + number);
  if (read.text !== undefined)
    read.lines = read.text.split(/\r\n|\n|\r/);
  return read;
});

// Sources by name, for what shows them at once.
async function readSources(names) {
  const found = await Promise.all(names.map(readSource));
  return new Map(names.map((name, k) => [name, found[k]]));
}
