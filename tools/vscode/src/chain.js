// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The chain of reasons why lanes diverge, as a list to walk through.
"use strict";

const vscode = require("vscode");

// The editor follows the step that is chosen, or looked at. A step is { message, location }, with the
// editor's kind of location.
async function show(steps) {
  const items = steps.map(({ message, location }) => {
    const line = location.range.start.line + 1;
    return { label: message, description: `${vscode.workspace.asRelativePath(location.uri)}:${line}`, location };
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

module.exports = { show };
