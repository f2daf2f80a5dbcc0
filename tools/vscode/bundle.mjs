// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes dist/extension.js, one file of the extension and the packages it uses, and dist/NOTICES.txt, the
// licenses of these; copies what a package needs of the repository: the license, and a picture.
import {build} from "esbuild";
import {copyFileSync, readdirSync, readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";

const {metafile} = await build({
  entryPoints: ["src/extension.js"],
  outfile: "dist/extension.js",
  bundle: true,
  minify: true,
  platform: "node",
  target: "node18", // that of the oldest editor in package.json
  external: ["vscode"],
  metafile: true,
});

const packages = new Set(Object.keys(metafile.inputs).map(path => path.match(/^.*node_modules\/(@[^/]+\/)?[^/]+/)?.[0]));
packages.delete(undefined);
const notices = [...packages].sort().map(folder => {
  const {name, version} = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const license = readdirSync(folder).find(file => /^licen[cs]e/i.test(file));
  return `${name} ${version}\n\n${readFileSync(join(folder, license), "utf8").trim()}\n`;
});
writeFileSync("dist/NOTICES.txt", `dist/extension.js contains these packages.\n\n${notices.join("\n" + "-".repeat(80) + "\n\n")}`);
copyFileSync("../../LICENSE.txt", "LICENSE.txt");
copyFileSync("../../docs/figures/vscode.png", "dist/editor.png");
