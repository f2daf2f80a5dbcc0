// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libdivcost, compiled to WebAssembly (wasm/model.h has its calls). Made ready when first needed.

// The C library names three calls that would write to files; there are none.
const notThere = () => 52; // ENOSYS
const surroundings = {
  wasi_snapshot_preview1: {fd_close: notThere, fd_seek: notThere, fd_write: notThere},
};

let loading = null;
function loadModel() {
  loading = loading || unpack("model").then(bytes => WebAssembly.instantiate(bytes, surroundings)).then(({instance}) => {
    instance.exports._initialize();
    return instance.exports;
  });
  return loading;
}

// Calls a function of the model; texts are handed over as bytes with a zero behind.
function ask(model, name, ...values) {
  const taken = [];
  const given = values.map(value => {
    if (typeof value === "number")
      return value;
    const bytes = typeof value === "string" ? new TextEncoder().encode(value + "\0") : value;
    const at = model.model_take(bytes.length);
    new Uint8Array(model.memory.buffer).set(bytes, at);
    taken.push(at);
    return at;
  });
  const answer = model[name](...given);
  const memory = new Uint8Array(model.memory.buffer);
  const text = new TextDecoder().decode(memory.subarray(answer, memory.indexOf(0, answer)));
  taken.forEach(at => model.model_release(at));
  const result = JSON.parse(text);
  if (result.error)
    throw new Error(result.error);
  return result;
}

// The kernel that is open as it was reported, so that it needn't be opened again.
let opened = null;
function openPlain(model, flat) {
  if (opened !== flat)
    askKernel(model, flat, {});
  opened = flat;
}

// Opens a kernel, changes it as the questions say, and describes it:
// {block: [x, y, z], arch: name, lanes: of an item, params: [[number, text]], distributions: [[loop, text]]}, all optional. An
// error has `of`, the question that it is about.
function askKernel(model, flat, questions) {
  opened = null;
  const put = (of, ...call) => {
    try {
      ask(model, ...call);
    } catch (error) {
      error.of = of;
      throw error;
    }
  };
  ask(model, "model_open", flat, flat.length);
  if (questions.arch)
    put("arch", "model_set_arch", questions.arch);
  if (questions.block)
    put("block", "model_set_block", ...questions.block);
  if (questions.lanes)
    put("lanes", "model_set_lanes_per_item", questions.lanes);
  for (const [number, text] of questions.params || [])
    put("param" + number, "model_set_param", number, text);
  for (const [loop, text] of questions.distributions || [])
    put("distribution" + loop, "model_set_distribution", loop, text);
  return ask(model, "model_describe");
}
