// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// real.mjs DIVCOST FOLDER: the packaged extension in a real Visual Studio Code, as somebody uses it who has
// installed the extension and not yet the command. The editor is that of code-server's npm package, in headless
// Chromium; npm's packages, the editor's data and pictures of each step go to FOLDER. `npm run package`
// comes first. Needs Node 20, npm and chromium; a minute, and 310 MB of FOLDER.
import assert from "node:assert/strict";
import {execFileSync, spawn} from "node:child_process";
import {existsSync, mkdirSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {createRequire} from "node:module";
import {dirname, join, resolve} from "node:path";
import {fileURLToPath} from "node:url";

const here = dirname(fileURLToPath(import.meta.url)), repository = resolve(here, "../../..");
const [divcost, folder] = process.argv.slice(2).map(path => resolve(path));
const packages = {"code-server": "4.100.3", "playwright-core": "1.65.1"};
// The editor itself; what code-server puts round it isn't needed. Nor is what would have to be compiled: without it
// there are no logs, outputs of extensions among them, and no terminals.
const editor = join(folder, "node_modules/code-server/lib/vscode");
const main = join(editor, "out/server-main.js");

function install() {
  const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-save", "--no-package-lock"];
  const wanted = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
  if (existsSync(join(editor, "node_modules/vscode-textmate")) && existsSync(join(folder, "node_modules/playwright-core"))) return;
  execFileSync("npm", ["install", "--prefix", folder, ...options, ...wanted], {stdio: "inherit"});
  execFileSync("npm", ["install", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"], {cwd: editor, stdio: "inherit"});
}

// ---- the editor ----------------------------------------------------------------------------------

const data = join(folder, "data"), project = join(folder, "project"), none = join(folder, "none");

function prepare() {
  for (const old of [data, project]) rmSync(old, {recursive: true, force: true});
  for (const one of [join(data, "data/User"), join(project, ".vscode"), none]) mkdirSync(one, {recursive: true});
  writeFileSync(join(data, "data/User/settings.json"), JSON.stringify({
    "security.workspace.trust.enabled": false,
    "workbench.startupEditor": "none",
    "workbench.colorTheme": "Default Light Modern",
    "editor.minimap.enabled": false,
    "telemetry.telemetryLevel": "off",
    "window.commandCenter": false,
  }));
  const text = readFileSync(join(repository, "tools/lsp/tests/rows.cu"), "utf8");
  writeFileSync(join(project, "rows.cu"), text.slice(text.indexOf("__global__")));
}

// As a user does who edits the settings of the folder.
function set(path) {
  writeFileSync(join(project, ".vscode/settings.json"), JSON.stringify({
    "divcost.path": path,
    "divcost.flags": ["-nocudainc", "-nocudalib", "--cuda-path=/nonexistent", "--cuda-feature=+ptx78",
      "-I" + join(repository, "bench/include"), "-include", "divcost_cuda.h"],
  }, null, 2));
}

function start() {
  const data_is = ["--server-data-dir", data];
  const {version} = JSON.parse(readFileSync(join(here, "../package.json"), "utf8"));
  const extension = join(here, `../divcost-${version}.vsix`);
  execFileSync(process.execPath, [main, ...data_is, "--install-extension", extension], {stdio: ["ignore", "pipe", "ignore"]});
  const server = spawn(process.execPath, [main, ...data_is, "--host", "127.0.0.1", "--port", "0", "--without-connection-token",
    "--accept-server-license-terms"], {stdio: ["ignore", "pipe", "ignore"], env: {...process.env, PATH: none}});
  const address = new Promise((found, failed) => {
    let said = "";
    server.stdout.on("data", chunk => {
      said += chunk;
      const [, port] = said.match(/Web UI available at \S+:(\d+)/) || [];
      if (port) found(`http://127.0.0.1:${port}/?folder=${project}`);
    });
    server.on("exit", () => failed(new Error("the editor ended:\n" + said)));
  });
  return {server, address};
}

// ---- what a user does and sees -------------------------------------------------------------------

let page, pictures = 0;

async function picture(name, part) {
  const clip = part && await page.locator(part).boundingBox();
  await page.screenshot({path: join(folder, `${++pictures}-${name}.png`), clip});
}

async function command(title) {
  await page.keyboard.press("F1");
  await page.locator(".quick-input-widget input").first().fill(">" + title);
  await page.locator(".quick-input-list .monaco-list-row", {hasText: title}).first().click();
}

const message = text => page.locator(".notification-list-item", {hasText: text});

async function open(name) {
  await page.locator(".explorer-folders-view .monaco-list-row", {hasText: name}).dblclick();
  await page.locator(".editor-instance .view-line", {hasText: "__global__"}).first().waitFor();
}

async function tells_what_is_missing() {
  await open("rows.cu");
  const missing = message("no folder of PATH has a program");
  await missing.waitFor();
  await picture("missing");
  await missing.getByRole("button", {name: "How to Install"}).click();
  await page.frameLocator("iframe.webview").frameLocator("iframe").getByText("How to install divcost").waitFor();
  await picture("how-to-install");
  await page.locator(".tab", {hasText: "Preview install.md"}).click({button: "middle"});
}

async function starts_once_its_path_is_set(path) {
  set(path);
  await page.locator(".squiggly-warning").first().waitFor();
  await page.locator(".codelens-decoration", {hasText: "of its issue cycles"}).waitFor();
}

async function shows_the_loop() {
  await page.keyboard.press("Control+b"); // more room, without the side bar
  await page.locator(".view-line", {hasText: "for (int j"}).locator("span", {hasText: "for"}).last().hover();
  await page.locator(".monaco-hover", {hasText: "data-dependent"}).first().waitFor();
  await picture("loop", ".part.editor"); // docs/figures/vscode.png
  await page.keyboard.press("Escape");
}

async function walks_through_the_chain() {
  await page.locator(".codelens-decoration a", {hasText: "of the kernel"}).click();
  await page.locator(".quick-input-list .monaco-list-row", {hasText: "threadIdx.x"}).waitFor();
  await picture("chain");
  await page.keyboard.press("Escape");
}

async function tells_its_version() {
  await command("divcost: Show the Version");
  await message(/divcost \d+\.\d+\.\d+ \(.*\), extension/).waitFor();
  await page.waitForTimeout(500); // it slides in
  await picture("version");
}

async function opens_the_report() {
  const popup = page.context().waitForEvent("page");
  await command("divcost: Open the Report of This File in a Browser");
  const report = await popup;
  // The editor gives it an address of code-server's proxy, for browsers on other machines; that isn't here.
  const [, port, place] = report.url().match(/\/proxy\/(\d+)(\/.*)/);
  await report.goto(`http://127.0.0.1:${port}${place}`);
  await report.waitForSelector("html[data-ready]");
  assert.match(await report.locator("body").innerText(), /sum_rows/);
  await report.screenshot({path: join(folder, `${++pictures}-report.png`)});
  await report.close();
}

async function starts_again() {
  await command("divcost: Restart the Server");
  await page.locator(".squiggly-warning").first().waitFor({state: "detached"});
  await page.locator(".squiggly-warning").first().waitFor();
}

async function takes_a_quick_fix() {
  await page.locator(".view-line", {hasText: "for (int j"}).locator("span", {hasText: "for"}).last().click();
  await page.keyboard.press("Control+.");
  await page.locator(".action-widget .monaco-list-row.focused", {hasText: "Say its trip counts"}).waitFor();
  await picture("quick-fixes");
  await page.keyboard.press("Enter");
  await page.locator(".view-line", {hasText: "#pragma divcost trips(poisson(64))"}).waitFor();
  await page.locator(".view-line", {hasText: "data-dependent, poisson(64)"}).waitFor();
  await picture("annotated");
}

async function run(address) {
  const {chromium} = createRequire(folder + "/")("playwright-core");
  const browser = await chromium.launch({executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"]});
  try {
    page = await browser.newPage({viewport: {width: 1060, height: 560}});
    page.setDefaultTimeout(30000);
    await page.goto(address);
    for (const step of [tells_what_is_missing, () => starts_once_its_path_is_set(divcost), shows_the_loop,
      walks_through_the_chain, tells_its_version, opens_the_report, starts_again, takes_a_quick_fix]) await step();
  } catch (error) {
    await picture("failed");
    throw error;
  } finally {
    await browser.close();
  }
}

mkdirSync(folder, {recursive: true});
install();
prepare();
const {server, address} = start();
try {
  await run(await address);
  console.log(`ok; ${folder} has ${pictures} pictures`);
} finally {
  server.kill();
}
