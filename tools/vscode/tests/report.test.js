// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With which words a report is asked for, and who can read its page.
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { after, test } = require("node:test");

const report = require("../src/report");

const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "divcost-")));
const file = path.join(folder, "src/deep/rows.cu"), database = path.join(folder, "build/compile_commands.json");
const plain = { buildFolder: "", flags: [], clang: "", plugin: "", timeLimit: 300 };
after(() => fs.rmSync(folder, { recursive: true }));
fs.mkdirSync(path.dirname(file), { recursive: true });
fs.writeFileSync(file, "");

test("without a build: the file, and the flags set", () => {
  const before = ["-q", "--report", "OUT", "--timeout", "300"];
  assert.deepEqual(report.words(file, "OUT", plain), [...before, file]);
  assert.deepEqual(report.words(file, "OUT", { ...plain, flags: ["-DN=1"] }), [...before, file, "--", "-DN=1"]);
});

test("with a build that is found above the file, or set", (t) => {
  fs.mkdirSync(path.dirname(database));
  fs.writeFileSync(database, "[]");
  t.after(() => fs.rmSync(path.dirname(database), { recursive: true }));
  assert.deepEqual(report.words(file, "OUT", plain).slice(5), ["-p", database, file]);
  const settings = { buildFolder: "/out", flags: ["-DN=1"], clang: "clang++-19", plugin: "/p.so", timeLimit: 9 };
  assert.deepEqual(report.words(file, "OUT", settings), ["-q", "--report", "OUT", "--timeout", "9", "--clang", "clang++-19",
    "--plugin", "/p.so", "-p", "/out", file, "--", "-DN=1"]);
});

// A command that says where it runs, and writes a report, an empty one if the file is empty.
const program = path.join(folder, "divcost");
fs.writeFileSync(program, '#!/bin/sh\necho "in $PWD"\n[ -s rows.cu ] && echo "<p>page" > "$4" || { : > "$4"; exit 1; }\n', { mode: 0o755 });

test("a page, or what the command said", async () => {
  assert.deepEqual(await report.make(program, file, plain), { said: `in ${path.dirname(file)}\n` });
  fs.writeFileSync(file, "text");
  const { page } = await report.make(program, file, plain);
  assert.equal(String(page), "<p>page\n");
});

test("pages are served at addresses of their own, the last one of each file", async (t) => {
  const pages = new report.Pages();
  t.after(() => pages.dispose());
  const read = async (address) => {
    const answer = await fetch(address);
    return [answer.status, await answer.text()];
  };
  const first = await pages.address("a.cu", "<p>a"), other = await pages.address("b.cu", "<p>b");
  assert.match(first, /^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\/$/);
  assert.deepEqual(await read(first), [200, "<p>a"]);
  const again = await pages.address("a.cu", "<p>a again");
  assert.deepEqual(await read(again), [200, "<p>a again"]);
  assert.deepEqual(await read(other), [200, "<p>b"]);
  for (const gone of [first, new URL("/", first).href]) assert.deepEqual(await read(gone), [404, ""]);
});
