// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starts `divcost lsp` for CUDA files, which shows all that is shown in them; and has the commands. Where
// there is no server to start, it says why, and what to do.
"use strict";

const path = require("path");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const chain = require("./chain");
const command = require("./command");
const report = require("./report");

const SETTLED = 1000; // milliseconds without a change, after which a path that is typed counts

let output, extension, client;
let turn = Promise.resolve(); // starts and stops, one after the other

// What the server wants to know of the settings; all but where the server is.
function settings() {
  const set = vscode.workspace.getConfiguration("divcost");
  const names = ["buildFolder", "flags", "clang", "plugin", "timeLimit", "uniformHints"];
  return Object.fromEntries(names.map((name) => [name, set.get(name)]));
}

function find() {
  const wanted = vscode.workspace.getConfiguration("divcost").get("path") || "divcost";
  const [folder] = vscode.workspace.workspaceFolders || [];
  return command.findServer(wanted, folder ? folder.uri.fsPath : process.cwd());
}

// Doesn't wait for an answer: nothing else has to.
async function sayWhy({ why, looked, said }) {
  output.appendLine(`divcost can't be started: ${why}. It was looked for at`);
  for (const one of looked) output.appendLine(`  ${one}`);
  if (said) output.append(`It answered\n${said}`);
  const answers = {
    "Open Settings": () => vscode.commands.executeCommand("workbench.action.openSettings", "divcost.path"),
    "How to Install": () =>
      vscode.commands.executeCommand("markdown.showPreview", vscode.Uri.joinPath(extension.extensionUri, "install.md")),
    "Show Output": () => output.show(),
  };
  const answer = await vscode.window.showWarningMessage(
    `CUDA files aren't analysed: ${why}. Install divcost, or set divcost.path to where it is.`,
    ...Object.keys(answers),
  );
  if (answer) await answers[answer]();
}

function makeClient(program) {
  return new LanguageClient(
    "divcost",
    "divcost",
    { command: program, args: ["lsp"] },
    {
      documentSelector: [
        { scheme: "file", language: "cuda-cpp" },
        { scheme: "file", language: "cuda" },
        { scheme: "file", pattern: "**/*.{cu,cuh}" },
      ],
      outputChannel: output,
      initializationOptions: () => ({ ...settings(), showsChain: true }),
      synchronize: { configurationSection: "divcost" },
      middleware: {
        executeCommand: async (name, given, next) => {
          const result = await next(name, given);
          if (name === "divcost.showChain")
            await chain.show((result || []).map(({ message, location }) =>
              ({ message, location: client.protocol2CodeConverter.asLocation(location) })));
          return result;
        },
      },
    },
  );
}

async function stop() {
  const old = client;
  client = undefined;
  await old?.dispose();
}

async function startAgain() {
  await stop();
  const found = await find();
  if (found.why) return void sayWhy(found);
  client = makeClient(found.path);
  await client.start();
}

function restart() {
  turn = turn.then(startAgain).catch((error) => output.appendLine(`divcost lsp didn't start: ${error.message}`));
  return turn;
}

async function showVersion() {
  const found = await find();
  if (found.why) return void sayWhy(found);
  const version = await command.version(found.path);
  await vscode.window.showInformationMessage(
    `${version} (${found.path}), extension ${extension.packageJSON.version}`);
}

async function openReport(pages) {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.uri.scheme !== "file") return void vscode.window.showWarningMessage("divcost: no CUDA file is open.");
  const found = await find();
  if (found.why) return void sayWhy(found);
  await document.save(); // the page is of the file on the disk
  const file = document.uri.fsPath, title = `divcost: analysing ${path.basename(file)}`;
  const { page, said } = await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title },
    () => report.make(found.path, file, settings()));
  if (!page) {
    output.append(said);
    output.show();
    return void vscode.window.showErrorMessage(`divcost: there is no report of ${path.basename(file)}; the output says why.`);
  }
  const address = vscode.Uri.parse(await pages.address(file, page));
  // The editor takes care that the browser's machine finds this one. Only code-server's proxy loses the path.
  const outside = await vscode.env.asExternalUri(address);
  await vscode.env.openExternal(outside.path.endsWith(address.path) ? address
    : outside.with({ path: outside.path.replace(/\/$/, "") + address.path }));
}

async function activate(context) {
  extension = context.extension;
  output = vscode.window.createOutputChannel("divcost");
  const pages = new report.Pages();
  let waiting;
  context.subscriptions.push(
    output,
    pages,
    vscode.commands.registerCommand("divcost.restart", restart),
    vscode.commands.registerCommand("divcost.showOutput", () => output.show()),
    vscode.commands.registerCommand("divcost.showVersion", showVersion),
    vscode.commands.registerCommand("divcost.openReport", () => openReport(pages)),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (!change.affectsConfiguration("divcost.path")) return;
      clearTimeout(waiting);
      waiting = setTimeout(restart, SETTLED);
    }),
  );
  await restart();
}

function deactivate() {
  return turn.then(stop);
}

module.exports = { activate, deactivate };
