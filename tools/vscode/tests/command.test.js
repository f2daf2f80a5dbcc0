// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the command is looked for, and what is said of one that can't be used.
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { after, test } = require("node:test");

const command = require("../src/command");

const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "divcost-")));
const at = (...names) => path.join(folder, ...names);
after(() => fs.rmSync(folder, { recursive: true }));

function program(name, script) {
  fs.mkdirSync(path.dirname(at(name)), { recursive: true });
  fs.writeFileSync(at(name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

program("bin/divcost", 'case "$1" in lsp) echo "usage: divcost lsp";; --version) echo "divcost 9.8.7";; esac');
program("old/divcost", 'echo "divcost: unknown command" >&2; exit 2');
program("other/divcost", 'echo "something else"');
fs.writeFileSync(at("text"), "no program", { mode: 0o644 });

test("a name is looked for in PATH, in its order", () => {
  assert.deepEqual(command.find("divcost", folder, [at("nowhere"), at("bin"), at("old")].join(":")), { path: at("bin/divcost") });
});

test("a name that PATH doesn't have: says so, and where it was looked for", () => {
  const { why, looked } = command.find("divcost", folder, [at("nowhere"), "", folder].join(":"));
  assert.equal(why, 'no folder of PATH has a program "divcost"');
  assert.deepEqual(looked, [at("nowhere/divcost"), at("divcost")]);
});

test("a path is absolute, from home, or from the folder that is open", (t) => {
  const home = process.env.HOME;
  t.after(() => { process.env.HOME = home; });
  process.env.HOME = folder;
  for (const wanted of [at("bin/divcost"), "~/bin/divcost", "bin/divcost", "./bin/divcost"])
    assert.deepEqual(command.find(wanted, folder, ""), { path: at("bin/divcost") }, wanted);
});

test("a path without a program", () => {
  assert.equal(command.find("bin/none", folder, "").why, `there is no file ${at("bin/none")}`);
  assert.equal(command.find("text", folder, folder).why, 'no folder of PATH has a program "text"');
  for (const wanted of ["./text", "./bin"]) assert.match(command.find(wanted, folder, "").why, /isn't a program$/);
});

test("a server is one that knows lsp", async () => {
  assert.deepEqual(await command.findServer("bin/divcost", folder), { path: at("bin/divcost") });
  for (const [wanted, said] of [["old/divcost", "divcost: unknown command\n"], ["other/divcost", "something else\n"]]) {
    const found = await command.findServer(wanted, folder);
    assert.equal(found.why, `${at(wanted)} has no language server: it is too old, or another program`);
    assert.deepEqual([found.looked, found.said], [[at(wanted)], said]);
  }
});

test("a program that can't be started, or takes too long", async () => {
  const none = await command.run(at("none"), []);
  assert.notEqual(none.status, 0);
  assert.match(none.out, /ENOENT/);
  program("slow", "echo begun; exec sleep 60");
  const slow = await command.run(at("slow"), [], { timeout: 200 });
  assert.deepEqual(slow, { status: -1, out: "begun\nIt took too long, and was stopped.\n" });
});

test("its version", async () => assert.equal(await command.version(at("bin/divcost")), "divcost 9.8.7"));
