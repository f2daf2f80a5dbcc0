// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vscode_extension.js EXTENSION: what the extension does with Visual Studio Code, which is stood in
// for here: it starts the server with the settings, and shows a chain as a list. Prints "ok".
"use strict";

const assert = require("assert");
const Module = require("module");
const path = require("path");

const set = { path: "/opt/bin/divcost", buildFolder: "out", flags: ["-DN=1"], clang: "", plugin: "", timeLimit: 9 };
const shown = [];
let picked, made;

const vscode = {
  workspace: {
    getConfiguration: (section) => {
      assert.strictEqual(section, "divcost");
      return { get: (name) => set[name] };
    },
    asRelativePath: (uri) => uri,
  },
  window: {
    showQuickPick: async (items, options) => {
      picked = items;
      options.onDidSelectItem(items[0]);
      return items[1];
    },
    showTextDocument: async (uri, options) => void shown.push([uri, options.selection.start.line, options.preserveFocus]),
  },
};

class LanguageClient {
  constructor(id, name, server, options) {
    made = { id, name, server, options, started: 0, stopped: 0 };
    this.protocol2CodeConverter = { asLocation: (location) => location };
  }
  async start() { ++made.started; }
  async stop() { ++made.stopped; }
}

const load = Module._load;
Module._load = (name, ...rest) =>
  name === "vscode" ? vscode
    : name === "vscode-languageclient/node" ? { LanguageClient }
      : load(name, ...rest);
const extension = require(path.resolve(process.argv[2], "extension.js"));

async function main() {
  await extension.activate();
  assert.deepStrictEqual(made.server, { command: "/opt/bin/divcost", args: ["lsp"] });
  assert.strictEqual(made.started, 1);
  const { path: _, ...rest } = set;
  assert.deepStrictEqual(made.options.initializationOptions(), { ...rest, showsChain: true });
  const steps = [4, 2].map((line) => ({ message: `step ${line}`, location: { uri: "rows.cu", range: { start: { line } } } }));
  const run = made.options.middleware.executeCommand;
  assert.strictEqual(await run("divcost.showChain", [], async () => steps), steps);
  assert.deepStrictEqual(picked.map((item) => [item.label, item.description]), [["step 4", "rows.cu:5"], ["step 2", "rows.cu:3"]]);
  assert.deepStrictEqual(shown, [["rows.cu", 4, true], ["rows.cu", 2, false]]);
  picked = undefined;
  await run("another", [], async () => 7);
  assert.strictEqual(picked, undefined);
  await extension.deactivate();
  assert.strictEqual(made.stopped, 1);
  console.log("ok");
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
