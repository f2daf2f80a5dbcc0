// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command `divcost`: where it is, whether it has a language server, and what it says. Knows
// nothing of the editor.
"use strict";

const { execFile } = require("child_process");
const fs = require("fs");
const os = require("os");
const path = require("path");

const LIMIT = 10000; // milliseconds, for answers that take a few

function isProgram(file) {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

// Where a name, or a path, may stand for a program. A relative path is one from `folder`.
function candidates(wanted, folder, searched) {
  if (wanted.startsWith("~/")) return [path.join(os.homedir(), wanted.slice(2))];
  if (wanted.includes("/")) return [path.resolve(folder, wanted)];
  return searched.split(path.delimiter).filter(Boolean).map((one) => path.join(one, wanted));
}

// { path } of the program, or { why } there is none and where it was looked for. One that is wanted by
// name is `divcost` in PATH.
function find(wanted, folder, searched = process.env.PATH || "") {
  const looked = candidates(wanted, folder, searched);
  const found = looked.find(isProgram);
  if (found) return { path: found };
  if (!wanted.includes("/")) return { why: `no folder of PATH has a program "${wanted}"`, looked };
  const why = fs.existsSync(looked[0]) ? `${looked[0]} isn't a program` : `there is no file ${looked[0]}`;
  return { why, looked };
}

// What a program prints: { status, out }, its standard error included. Status 0 is success; one that
// can't be started, or is stopped, has another.
function run(program, words, options) {
  return new Promise((resolve) => {
    execFile(program, words, { timeout: LIMIT, maxBuffer: 1 << 26, ...options }, (error, stdout, stderr) => {
      const out = stdout + stderr;
      if (!error) resolve({ status: 0, out });
      else if (error.killed) resolve({ status: -1, out: `${out}It took too long, and was stopped.\n` });
      else resolve({ status: error.code, out: out || `${error.message}\n` });
    });
  });
}

// As find, of one that can be started as `divcost lsp`; `said` is what another one answered.
async function findServer(wanted, folder, searched) {
  const found = find(wanted, folder, searched);
  if (found.why) return found;
  const { status, out } = await run(found.path, ["lsp", "--help"]);
  if (status === 0 && out.startsWith("usage: divcost lsp")) return found;
  return { why: `${found.path} has no language server: it is too old, or another program`, looked: [found.path], said: out };
}

async function version(program) {
  return (await run(program, ["--version"])).out.trim();
}

module.exports = { find, findServer, run, version };
