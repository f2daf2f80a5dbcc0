// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The report of a file as a page for browsers (docs/html.md): made by `divcost check`, and served to this
// machine's browser alone, as the editor's own may be on another. Knows nothing of the editor.
"use strict";

const { randomBytes } = require("crypto");
const fs = require("fs");
const http = require("http");
const os = require("os");
const path = require("path");

const { run } = require("./command");

// The compile_commands.json that `divcost lsp` takes: in a folder above the file, or in a folder build there.
function nearestDatabase(file) {
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    for (const place of [folder, path.join(folder, "build")]) {
      const database = path.join(place, "compile_commands.json");
      if (fs.existsSync(database)) return database;
    }
    if (folder === path.dirname(folder)) return "";
  }
}

// The words behind `divcost check`, so that the file is compiled as the language server does.
function words(file, output, settings) {
  const { buildFolder, flags, clang, plugin, timeLimit } = settings;
  const database = buildFolder || nearestDatabase(file);
  return ["-q", "--report", output, "--timeout", String(timeLimit)].concat(
    clang ? ["--clang", clang] : [],
    plugin ? ["--plugin", plugin] : [],
    database ? ["-p", database] : [],
    [file],
    flags.length ? ["--", ...flags] : [],
  );
}

// { page }, as text, or { said } by the command that made none.
async function make(program, file, settings) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "divcost-"));
  const output = path.join(folder, "report.html");
  try {
    const options = { cwd: path.dirname(file), timeout: 0 }; // the command has a limit of its own
    const { status, out } = await run(program, ["check", ...words(file, output, settings)], options);
    return status === 0 ? { page: fs.readFileSync(output) } : { said: out }; // of what doesn't compile there is an empty page
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

// Hands pages to browsers of this machine, at addresses that nobody can guess.
class Pages {
  #pages = new Map();
  #server;

  async address(name, page) {
    this.#server ??= await this.#listen();
    for (const [old, kept] of this.#pages) if (kept.name === name) this.#pages.delete(old);
    const place = `/${randomBytes(16).toString("hex")}/`;
    this.#pages.set(place, { name, page });
    return `http://127.0.0.1:${this.#server.address().port}${place}`;
  }

  #listen() {
    const server = http.createServer((request, response) => {
      const found = this.#pages.get(request.url);
      response.writeHead(found ? 200 : 404, { "Content-Type": "text/html; charset=utf-8" });
      response.end(found ? found.page : "");
    });
    return new Promise((resolve, reject) => {
      server.on("error", reject);
      server.listen(0, "127.0.0.1", () => resolve(server));
    });
  }

  dispose() {
    this.#server?.close();
    this.#server?.closeAllConnections();
  }
}

module.exports = { make, words, Pages };
