// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A session with `divcost lsp` through the protocol library of Visual Studio Code's language
// client, whose own checks tell whether what comes back is what the protocol says. Called by
// test_clients.py with what it needs in the environment; prints "ok" at its end.
"use strict";

const assert = require("assert");
const { spawn } = require("child_process");
const fs = require("fs");
const path = require("path");
const { pathToFileURL } = require("url");
const p = require("vscode-languageserver-protocol/node");

const file = path.join(process.env.SESSION, "rows.cu");
const uri = pathToFileURL(file).href;
const textDocument = { uri };
let text = fs.readFileSync(file, "utf8");
const loop = text.split("\n").findIndex((line) => line.includes("for (int j"));

const server = spawn(process.env.DIVCOST, ["lsp", "--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
const connection = p.createProtocolConnection(
  new p.StreamMessageReader(server.stdout),
  new p.StreamMessageWriter(server.stdin),
);

// The diagnostics that are published next.
const waiting = [];
const published = [];
function diagnostics(version) {
  return new Promise((resolve) => {
    waiting.push({ version, resolve });
    hand();
  });
}
function hand() {
  for (const one of published.splice(0)) {
    const k = waiting.findIndex((w) => w.version === one.version);
    if (k < 0) published.push(one);
    else waiting.splice(k, 1)[0].resolve(one.diagnostics);
  }
}
connection.onNotification(p.PublishDiagnosticsNotification.type, (parameters) => {
  assert.strictEqual(parameters.uri, uri);
  assert(parameters.diagnostics.every((d) => p.Diagnostic.is(d)));
  published.push(parameters);
  hand();
});
let refreshed = 0;
connection.onRequest(p.CodeLensRefreshRequest.type, () => void ++refreshed);
connection.onRequest(p.InlayHintRefreshRequest.type, () => void ++refreshed);
const shown = [];
connection.onRequest(p.ShowDocumentRequest.type, (parameters) => {
  shown.push(parameters);
  return { success: true };
});
const progress = []; // of all analyses, in the order in which they are told
connection.onRequest(p.WorkDoneProgressCreateRequest.type, ({ token }) => {
  connection.onProgress(p.WorkDoneProgress.type, token, (value) => void progress.push(value.kind));
});
connection.onError((error) => { throw error; });
connection.listen();

async function main() {
  const started = await connection.sendRequest(p.InitializeRequest.type, {
    processId: process.pid,
    rootUri: null,
    capabilities: {
      general: { positionEncodings: [p.PositionEncodingKind.UTF16] },
      textDocument: {
        hover: { contentFormat: [p.MarkupKind.Markdown] },
        publishDiagnostics: {
          relatedInformation: true, versionSupport: true, codeDescriptionSupport: true,
        },
      },
      window: { workDoneProgress: true, showDocument: { support: true } },
      workspace: { codeLens: { refreshSupport: true }, inlayHint: { refreshSupport: true } },
    },
    initializationOptions: { flags: process.env.FLAGS.split(" "), plugin: process.env.PLUGIN },
  });
  assert.strictEqual(started.serverInfo.name, "divcost");
  await connection.sendNotification(p.InitializedNotification.type, {});

  await connection.sendNotification(p.DidOpenTextDocumentNotification.type, {
    textDocument: p.TextDocumentItem.create(uri, "cuda-cpp", 1, text),
  });
  const [warning] = await diagnostics(1);
  assert.strictEqual(warning.severity, p.DiagnosticSeverity.Warning);
  assert.strictEqual(warning.range.start.line, loop);
  assert(warning.codeDescription.href.endsWith("/warnings.md#divcost-data-dependent"));
  assert(warning.relatedInformation.some((step) => step.message.includes("threadIdx.x")));

  const position = warning.range.start;
  const hover = await connection.sendRequest(p.HoverRequest.type, { textDocument, position });
  assert(p.Hover.is(hover) && hover.contents.value.includes("data-dependent"));
  const lenses = await connection.sendRequest(p.CodeLensRequest.type, { textDocument });
  assert(lenses.length === 2 && lenses.every((lens) => p.CodeLens.is(lens)));
  const hints = await connection.sendRequest(p.InlayHintRequest.type, {
    textDocument,
    range: p.Range.create(0, 0, 99, 0),
  });
  assert(hints.length === 1 && hints.every((hint) => p.InlayHint.is(hint)));
  assert(hints[0].label.startsWith("data-dependent"));

  const actions = await connection.sendRequest(p.CodeActionRequest.type, {
    textDocument,
    range: warning.range,
    context: { diagnostics: [warning] },
  });
  assert(actions.length === 4 && actions.every((action) => p.CodeAction.is(action)));
  assert.deepStrictEqual(actions[0].diagnostics, [warning]);
  const edits = actions.map((action) => action.edit && action.edit.changes[uri]);
  assert(edits.slice(0, 2).every((list) => list.every((edit) => p.TextEdit.is(edit))));

  // The edit, as the client applies it: what was assumed is now annotated.
  await connection.sendNotification(p.DidChangeTextDocumentNotification.type, {
    textDocument: p.VersionedTextDocumentIdentifier.create(uri, 2),
    contentChanges: edits[0].reverse().map((edit) => ({ range: edit.range, text: edit.newText })),
  });
  const [annotated] = await diagnostics(2);
  assert.strictEqual(annotated.range.start.line, loop + 2); // the header, the annotation
  assert(annotated.message.includes("(annotated: poisson(64))"));
  assert(refreshed >= 2); // after the first analysis

  const steps = await connection.sendRequest(p.ExecuteCommandRequest.type, {
    command: actions[2].command.command,
    arguments: [uri, loop + 2, 2],
  });
  assert(steps.length >= 2 && steps.every((step) => p.DiagnosticRelatedInformation.is(step)));

  assert.deepStrictEqual(progress, ["begin", "end", "begin", "end"]);

  const page = await connection.sendRequest(p.ExecuteCommandRequest.type, actions[3].command);
  assert.strictEqual(shown.length, page === null ? 0 : 1); // a build may have no page
  assert(page === null || (shown[0].uri === page && shown[0].external));

  await connection.sendNotification(p.DidCloseTextDocumentNotification.type, { textDocument });
  await connection.sendRequest(p.ShutdownRequest.type);
  const ended = new Promise((resolve) => server.on("exit", resolve));
  await connection.sendNotification(p.ExitNotification.type);
  assert.strictEqual(await ended, 0);
  console.log("ok");
  process.exit(0);
}

setTimeout(() => { throw new Error("the session takes too long"); }, 60000).unref();
main().catch((error) => {
  console.error(error);
  process.exit(1);
});
