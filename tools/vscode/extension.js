// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starts `divcost lsp` for CUDA files. All that is shown comes from the server; the chain of a loop
// is offered here as a list to walk through.
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

// What the server wants to know of the settings; all but where the server is.
function settings() {
  const set = vscode.workspace.getConfiguration("divcost");
  const names = ["buildFolder", "flags", "clang", "plugin", "timeLimit"];
  return Object.fromEntries(names.map((name) => [name, set.get(name)]));
}

// A list of the steps; the editor follows the one that is chosen, or looked at.
async function showChain(steps) {
  const items = (steps || []).map((step) => {
    const location = client.protocol2CodeConverter.asLocation(step.location);
    const line = location.range.start.line + 1;
    return { label: step.message, description: `${vscode.workspace.asRelativePath(location.uri)}:${line}`, location };
  });
  const reveal = (item, preserveFocus) =>
    vscode.window.showTextDocument(item.location.uri, { selection: item.location.range, preserveFocus });
  const chosen = await vscode.window.showQuickPick(items, {
    title: "divcost: why lanes diverge in this loop",
    placeHolder: items.length ? "" : "nothing is known of this loop any more",
    onDidSelectItem: (item) => reveal(item, true),
  });
  if (chosen) await reveal(chosen, false);
}

async function activate() {
  const command = vscode.workspace.getConfiguration("divcost").get("path") || "divcost";
  client = new LanguageClient(
    "divcost",
    "divcost",
    { command, args: ["lsp"] },
    {
      documentSelector: [
        { scheme: "file", language: "cuda-cpp" },
        { scheme: "file", language: "cuda" },
        { scheme: "file", pattern: "**/*.{cu,cuh}" },
      ],
      initializationOptions: () => ({ ...settings(), showsChain: true }),
      synchronize: { configurationSection: "divcost" },
      middleware: {
        executeCommand: async (name, given, next) => {
          const result = await next(name, given);
          if (name === "divcost.showChain") await showChain(result);
          return result;
        },
      },
    },
  );
  await client.start();
}

function deactivate() {
  return client ? client.stop() : undefined;
}

module.exports = { activate, deactivate };
