// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the extension does with Visual Studio Code, which is stood in for here (real.mjs uses a real one): it
// starts the server with the settings, shows a chain as a list, and says why there is no server.
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const Module = require("node:module");
const os = require("node:os");
const path = require("node:path");
const { after, test } = require("node:test");

const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "divcost-")));
after(() => fs.rmSync(folder, { recursive: true }));
const program = path.join(folder, "divcost");
fs.writeFileSync(program, '#!/bin/sh\n[ "$1" = lsp ] && echo "usage: divcost lsp" || echo "divcost 9.8.7"\n', { mode: 0o755 });

const set = { path: program, buildFolder: "out", flags: ["-DN=1"], clang: "", plugin: "", timeLimit: 9, uniformHints: true };
const commands = {}, clients = [], messages = [], shown = [], ran = [];
let output = "", picked, answer, configured;

const message = async (text, ...buttons) => {
  messages.push([text, buttons]);
  return answer;
};
const vscode = {
  Uri: { joinPath: (base, name) => `${base}/${name}` },
  commands: {
    registerCommand: (name, act) => void (commands[name] = act),
    executeCommand: async (...given) => void ran.push(given),
  },
  workspace: {
    getConfiguration: (section) => {
      assert.equal(section, "divcost");
      return { get: (name) => set[name] };
    },
    onDidChangeConfiguration: (act) => void (configured = act),
    asRelativePath: (uri) => uri,
  },
  window: {
    createOutputChannel: () => ({ append: (text) => void (output += text), appendLine: (text) => void (output += text + "\n") }),
    showQuickPick: async (items, options) => {
      picked = items;
      options.onDidSelectItem(items[0]);
      return items[1];
    },
    showTextDocument: async (uri, options) => void shown.push([uri, options.selection.start.line, options.preserveFocus]),
    showInformationMessage: message,
    showWarningMessage: message,
  },
};

class LanguageClient {
  constructor(id, name, server, options) {
    clients.push(this);
    Object.assign(this, { server, options, started: 0, disposed: 0 });
    this.protocol2CodeConverter = { asLocation: (location) => location };
  }
  async start() { ++this.started; }
  async dispose() { ++this.disposed; }
}

const load = Module._load;
Module._load = (name, ...rest) =>
  name === "vscode" ? vscode
    : name === "vscode-languageclient/node" ? { LanguageClient }
      : load(name, ...rest);
const extension = require("../src/extension");
const manifest = require("../package.json");

const context = { subscriptions: [], extension: { extensionUri: "ext", packageJSON: manifest } };

test("it starts the server with the settings", async () => {
  await extension.activate(context);
  const [client] = clients;
  assert.deepEqual([clients.length, client.started], [1, 1]);
  assert.deepEqual(client.server, { command: program, args: ["lsp"] });
  const { path: _, ...rest } = set;
  assert.deepEqual(client.options.initializationOptions(), { ...rest, showsChain: true });
  assert.deepEqual([messages, output], [[], ""]);
});

test("the manifest and the code name the same commands", () => {
  assert.deepEqual(Object.keys(commands).sort(), manifest.contributes.commands.map((one) => one.command).sort());
});

test("a chain is a list to walk through", async () => {
  const steps = [4, 2].map((line) => ({ message: `step ${line}`, location: { uri: "rows.cu", range: { start: { line } } } }));
  const run = clients[0].options.middleware.executeCommand;
  assert.equal(await run("divcost.showChain", [], async () => steps), steps);
  assert.deepEqual(picked.map((item) => [item.label, item.description]), [["step 4", "rows.cu:5"], ["step 2", "rows.cu:3"]]);
  assert.deepEqual(shown, [["rows.cu", 4, true], ["rows.cu", 2, false]]);
  picked = undefined;
  await run("another", [], async () => 7);
  assert.equal(picked, undefined);
});

test("it says its version", async () => {
  await commands["divcost.showVersion"]();
  assert.deepEqual(messages.splice(0), [[`divcost 9.8.7 (${program}), extension ${manifest.version}`, []]]);
});

test("a server that isn't there: one message, with what to do; the old one is gone", async () => {
  set.path = "./gone";
  answer = "How to Install";
  await commands["divcost.restart"]();
  const gone = path.resolve("gone");
  assert.deepEqual(messages.splice(0), [[
    `CUDA files aren't analysed: there is no file ${gone}. Install divcost, or set divcost.path to where it is.`,
    ["Open Settings", "How to Install", "Show Output"],
  ]]);
  assert.deepEqual(ran.splice(0), [["markdown.showPreview", "ext/install.md"]]);
  assert.equal(output, `divcost can't be started: there is no file ${gone}. It was looked for at\n  ${gone}\n`);
  assert.deepEqual([clients.length, clients[0].disposed], [1, 1]);
  answer = "Open Settings";
  await commands["divcost.showVersion"]();
  assert.deepEqual(ran, [["workbench.action.openSettings", "divcost.path"]]);
});

test("it starts when the path is set", async () => {
  set.path = program;
  configured({ affectsConfiguration: (name) => name === "divcost.flags" });
  configured({ affectsConfiguration: (name) => name === "divcost.path" });
  configured({ affectsConfiguration: (name) => name === "divcost.path" });
  await new Promise((resolve) => { setTimeout(resolve, 1500); });
  assert.deepEqual([clients.length, clients[1].started], [2, 1]);
});

test("it ends with the editor", async () => {
  await extension.deactivate();
  assert.equal(clients[1].disposed, 1);
});
