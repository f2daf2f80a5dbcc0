// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// look.mjs NODE_MODULES PAGE.html[#HASH] [WIDTHxHEIGHT light|dark OUT.png [LINE]]: how large the page
// is, how long it takes until what HASH names is there (the least of ten times that it is opened) and to
// filter its list, and a picture of it, with the first loop's drawings open where there is one; or with
// what is accessed at a LINE of the source, or as it is, if LINE is "plain". NODE_MODULES: those of the
// browser's test, in BUILD/tools/tests/html. Times are Chromium's performance.now().
import {statSync} from "node:fs";
import {createRequire} from "node:module";
import {resolve} from "node:path";

const [, , modules, address, size = "1280x800", colorScheme = "light", out, line] = process.argv;
const {chromium} = createRequire(resolve(modules) + "/")("playwright-core");
const [path, hash] = address.split("#"), [width, height] = size.split("x").map(Number);
const browser = await chromium.launch({executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox", "--disable-lcd-text"]});
let page = null;
const times = [];
for (let k = 0; k < 10; ++k) {
  await page?.close();
  page = await browser.newPage({viewport: {width, height}, colorScheme, reducedMotion: "reduce"});
  await page.goto("file://" + resolve(path) + (hash ? "#" + hash : ""));
  times.push(parseInt(await (await page.waitForSelector("html[data-ready]")).getAttribute("data-ready")));
}
const filtered = await page.evaluate(() => {
  const input = document.querySelector("input[type=search]");
  if (!input)
    return null;
  const times = [];
  for (const text of ["7", "ke", "spmv", ""]) {
    const from = performance.now();
    input.value = text;
    input.dispatchEvent(new Event("input"));
    document.body.getBoundingClientRect(); // laid out
    times.push(performance.now() - from);
  }
  return Math.max(...times).toFixed(0);
});
const opened = page.locator("article summary", {hasText: "Distribution"}).first();
let drawn = null;
if (line && line !== "plain") {
  await page.locator(`.memory button[aria-label^="Memory, line ${line}:"]`).first().click();
  await page.waitForSelector(".access[data-drawn]");
  await page.evaluate(() => document.activeElement.blur());
} else if (!line && await opened.count()) {
  drawn = await page.evaluate(() => new Promise(done => {
    const details = document.querySelector("article details"), from = performance.now();
    new MutationObserver(() => done((performance.now() - from).toFixed(0)))
      .observe(details, {attributes: true, attributeFilter: ["data-drawn"]});
    details.open = true;
  }));
}
console.log(`${statSync(path).size} bytes, ready after ${Math.min(...times)} ms` +
  (filtered ? `, filtered in ${filtered} ms` : "") + (drawn ? `, a loop drawn in ${drawn} ms` : ""));
if (drawn)
  await opened.evaluate(summary => summary.closest("article").scrollIntoView({behavior: "instant"}));
if (out)
  await page.screenshot({path: out});
await browser.close();
