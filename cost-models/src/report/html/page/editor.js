// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "Open in editor": an address that the reader's editor takes. Which one, and the folder that
// relative paths are in, the browser keeps.

const EDITORS = {
  "VS Code": "vscode://file/{path}:{line}", "VSCodium": "vscodium://file/{path}:{line}", "Cursor": "cursor://file/{path}:{line}",
  "Zed": "zed://file/{path}:{line}", "CLion": "clion://open?file=/{path}&line={line}", "Sublime Text": "subl://open?url=file:///{path}&line={line}",
  "TextMate": "txmt://open?url=file:///{path}&line={line}",
};

// Where a browser keeps nothing for pages from files, the choice lasts as long as the page.
const chosenEditor = {editor: "VS Code", folder: ""};
try {
  Object.assign(chosenEditor, JSON.parse(localStorage.getItem("divcost-editor") || "{}"));
} catch {
  // as it is
}

function keepEditor() {
  try {
    localStorage.setItem("divcost-editor", JSON.stringify(chosenEditor));
  } catch {
    // for this page alone
  }
}

const isAbsolute = path => /^(\/|[A-Za-z]:[\\/])/.test(path);

// Null: the folder that a relative path is in isn't known.
function editorAddress(path, line) {
  const folder = chosenEditor.folder.trim().replace(/[\\/]+$/, ""), full = isAbsolute(path) ? path : folder && folder + "/" + path;
  if (!full)
    return null;
  const parts = full.replace(/\\/g, "/").replace(/^\/+/, "").split("/").map(encodeURIComponent).join("/").replace(/^([A-Za-z])%3A/, "$1:");
  return (EDITORS[chosenEditor.editor] || EDITORS["VS Code"]).replace("{path}", () => parts).replace("{line}", line);
}

// What opens the place that `place()` tells when it is asked: [file, line].
function editorPanel(place) {
  const link = element("a", {href: "#", class: "button", onclick: event => {
    const address = editorAddress(...place());
    if (address) {
      link.href = address;
    } else {
      event.preventDefault();
      details.open = true;
      folder.focus();
    }
  }}, "Open in editor");
  const change = () => {
    Object.assign(chosenEditor, {editor: choice.value, folder: folder.value});
    keepEditor();
  };
  const choice = element("select", {onchange: change}, Object.keys(EDITORS).map(name => element("option", {selected: name === chosenEditor.editor}, name)));
  const folder = element("input", {type: "text", value: chosenEditor.folder, oninput: change, placeholder: "/home/me/project", autocomplete: "off", spellcheck: "false"});
  const details = element("details", {class: "editors"}, element("summary", null, "Editor"),
    element("div", {class: "questions"}, field("Editor", choice), field("Folder of relative paths", folder)));
  return element("div", {class: "editor"}, link, details);
}
