// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// browser.mjs CHROMIUM NODE_MODULES SAMPLE HOSTILE MANY TAUGHT TIMED: the pages in headless Chromium. Each test
// opens its page from file:// in a context of its own; messages of the console, errors of scripts
// and requests for anything but the page fail it.
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import {createRequire} from "node:module";

const [, , executablePath, modules, sample, hostile, many, taught, timed] = process.argv;
const require = createRequire(modules + "/");
const {chromium} = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const browser = await chromium.launch({executablePath, args: ["--no-sandbox", "--disable-gpu"]});
let passed = 0, failed = 0;

async function test(name, path, run, options) {
  const {hash = "", ...context} = options || {};
  const opened = await browser.newContext({viewport: {width: 1280, height: 800}, ...context});
  const page = await opened.newPage(), wrong = [];
  page.setDefaultTimeout(30000);
  page.on("console", message => wrong.push("console: " + message.text()));
  page.on("pageerror", error => wrong.push("error: " + error.message));
  page.on("request", request => request.url().split("#")[0] === "file://" + path || wrong.push("request: " + request.url()));
  try {
    await page.goto("file://" + path + hash);
    await page.waitForSelector("html[data-ready]");
    await run(page);
    assert.deepEqual(wrong, []);
    ++passed;
  } catch (error) {
    ++failed;
    console.log("FAILED: " + name + "\n" + error.stack);
  }
  await opened.close();
}

const texts = (page, selector) => page.locator(selector).allInnerTexts();
const nodes = page => page.evaluate(() => document.querySelectorAll("*").length);

// Does what leads to another #place, and waits until the page, whose listener is older, is there.
async function turn(page, act) {
  await page.evaluate(() => {
    window.turned = false;
    addEventListener("hashchange", () => { window.turned = true; }, {once: true});
  });
  await act();
  await page.waitForFunction(() => window.turned);
}

const visit = (page, hash) => turn(page, () => page.evaluate(to => { location.hash = to; }, hash));

// What axe-core finds. Its own script comes in past the page's policy, as extensions do.
async function violations(page) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => axe.run(document, {resultTypes: ["violations"]}));
  return found.violations.map(v => v.id + ": " + v.nodes.map(n => n.target.join(" ") + " " + n.failureSummary).join("; "));
}

async function openAll(page) {
  await page.locator("article summary", {hasText: "Distribution"}).first().click();
  await page.waitForSelector("details[data-drawn]");
}

// ---- lists -------------------------------------------------------------------------------------

await test("kernels stand worst first, and sort by each column", sample, async page => {
  assert.equal((await texts(page, "h1"))[0], "Kernels, worst first");
  const first = await texts(page, "#kernels tbody th a");
  assert.equal(first[0], "spmv_csr");
  assert.equal(await page.locator("th[aria-sort=descending]").innerText(), "Lost");
  await page.getByRole("button", {name: "Kernel"}).click();
  assert.equal(await page.locator("th[aria-sort=ascending]").innerText(), "Kernel");
  assert.deepEqual(await texts(page, "#kernels tbody th a"), [...first].sort());
  await page.getByRole("button", {name: "Kernel"}).click();
  assert.deepEqual(await texts(page, "#kernels tbody th a"), [...first].sort().reverse());
});

await test("kernels that lose time stand first, whatever they lose of their issue cycles", timed, async page => {
  const names = await texts(page, "#kernels tbody th a");
  assert.deepEqual([names.length, names[0]], [3, "saxpy"]);
  assert.deepEqual((await texts(page, "#kernels thead th")).slice(0, 2), ["Time lost", "Lost"]);
  assert.deepEqual(await texts(page, "#kernels tbody td:first-child"), ["40 us", "-", "-"]);
  assert.equal(await page.locator("th[aria-sort]").count(), 0);
  await page.getByRole("button", {name: /^Lost/}).click();
  assert.equal(await page.locator("th[aria-sort=descending]").innerText(), "Lost");
  assert.equal((await texts(page, "#kernels tbody th a"))[2], "saxpy");
  assert.deepEqual(await violations(page), []);
});

await test("lists are filtered by text, loss and class, and say how much is left", sample, async page => {
  await page.getByLabel("Name or file contains").fill("BFS sparse");
  assert.deepEqual(await texts(page, "#kernels tbody th a"), ["bfs"]);
  assert.match(await page.locator("#said").textContent(), /^1 of 3 kernels$/);
  await visit(page, "#loops");
  const all = await page.locator("#loops tbody tr").count();
  await page.getByLabel("Class").selectOption("strided");
  const left = await page.locator("#loops tbody tr").count();
  assert.ok(left > 0 && left < all);
  await page.getByLabel("May lose").selectOption("10% or more");
  assert.ok(await page.locator("#loops tbody tr").count() <= left);
});

// ---- a kernel ----------------------------------------------------------------------------------

await test("a reason leads to its line of the source", sample, async page => {
  await turn(page, () => page.getByRole("link", {name: "spmv_csr"}).click());
  assert.match(await page.evaluate(() => document.activeElement.innerText), /^spmv_csr/);
  const link = page.locator(".because a").first(), line = (await link.innerText()).split(":")[1];
  await link.click();
  assert.equal(await page.evaluate(() => document.activeElement.querySelector(".row").innerText), line);
  assert.equal(await page.evaluate(() => document.activeElement.cells[2].innerText), `line ${line} of the sample`);
  const gap = page.locator(".listing .gap button").first(), from = (await gap.innerText()).match(/\d+/)[0];
  await gap.click();
  assert.equal(await page.evaluate(() => document.activeElement.querySelector(".row").innerText), from);
  const mark = page.locator(".listing .mark a").first();
  await turn(page, () => mark.click());
  assert.match(await page.evaluate(() => document.activeElement.tagName + document.activeElement.id), /^H3k\d+\.l\d+$/);
  await page.goBack();
});

await test("drawings have a title, a sentence and their numbers", sample, async page => {
  await openAll(page);
  const figures = page.locator("article").first().locator("figure");
  assert.equal(await figures.count(), 3);
  for (const figure of await figures.all()) {
    assert.ok((await figure.locator("svg > title").textContent()).length > 5);
    assert.ok((await figure.locator("svg > desc").textContent()).length > 20);
    assert.ok(await figure.locator("tbody tr").count() > 1);
  }
  assert.match(await figures.first().innerText(), /poisson\(30\), mean 30/);
}, {hash: "#k0"});

await test("what-if shows libdivcost's answer, and what is wrong where it is wrong", sample, async page => {
  const lost = () => page.locator(".compared tbody tr").first().locator("td").allInnerTexts();
  await page.locator("input.distribution").first().fill("const(30)");
  await page.getByRole("button", {name: "Compute"}).click();
  await page.waitForSelector(".compared");
  const [before, after] = await lost();
  assert.equal(before, await page.locator(".estimates tbody tr").first().locator("td").nth(2).innerText());
  assert.match(after, /^0%\s+better$/);
  await page.locator("input.distribution").first().fill("zipf(2,");
  await page.getByRole("button", {name: "Compute"}).click();
  await page.waitForSelector(".wrong");
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-invalid")), "true");
  await page.getByRole("button", {name: "As reported"}).click();
  assert.equal(await page.locator(".wrong, .compared, [aria-invalid]").count(), 0);
}, {hash: "#k0"});

await test("everything can be done with the keyboard alone", sample, async page => {
  const focused = () => page.evaluate(() => document.activeElement.innerText || document.activeElement.id);
  const until = async words => {
    for (let k = 0; k < 80; ++k) {
      await page.keyboard.press("Tab");
      if ((await focused()).startsWith(words))
        return;
    }
    assert.fail("the focus never comes to " + words);
  };
  await page.keyboard.press("Tab");
  assert.equal(await focused(), "Skip to the content");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.id), "main");
  await until("Efficiency");
  await page.keyboard.press("Enter");
  assert.equal(await page.locator("th[aria-sort=ascending]").innerText(), "Efficiency");
  await until("spmv_csr");
  await page.keyboard.press("Enter");
  await page.waitForSelector("article");
  await until("Distribution");
  await page.keyboard.press("Enter");
  await page.waitForSelector("details[data-drawn]");
  await until("Compute");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".compared");
});

// ---- accesses to memory --------------------------------------------------------------------------

const cellOf = (page, line) => page.getByRole("button", {name: `Memory, line ${line}:`});

async function drawAccess(page, line) {
  await page.evaluate(() => { delete document.querySelector(".access").dataset.drawn; });
  await cellOf(page, line).press("Enter");
  await page.waitForSelector(".access[data-drawn]");
}

await test("lines have a column of what their accesses take", taught, async page => {
  const cells = await page.locator(".listing tr:has(.memory button)").evaluateAll(
    rows => rows.map(row => [row.querySelector(".row").innerText, row.querySelector(".memory").innerText]));
  assert.deepEqual(cells, [["10", "4"], ["11", "1 shared"], ["13", "32 / 1 shared"], ["14", "1 shared"], ["15", "32 / 4"],
    ["16", "32 / 1 const"], ["17", "5..36 / 5..8"], ["18", "1..32 / 1..4"]]);
  assert.deepEqual(await texts(page, ".memory .bad"), ["32 / 1 shared", "32 / 4", "32 / 1 const"]);
  assert.equal(await cellOf(page, 15).getAttribute("aria-label"), "Memory, line 15: 32 / 4 (32 sectors, 4 needed)");
  assert.match(await cellOf(page, 15).getAttribute("title"), /store to 'out', strided by 4,096 bytes/);
}, {hash: "#k0"});

await test("an access is drawn lane by lane, with the keyboard alone", taught, async page => {
  await drawAccess(page, 15);
  assert.equal(await page.evaluate(() => document.activeElement.innerText), "Memory, line 15");
  assert.equal(await page.locator(".lanes svg > title").textContent(), "32 sectors, 4 needed");
  assert.equal(await page.locator(".lanes rect.taken").count(), 32);
  assert.equal(await page.locator(".lanes tbody tr").count(), 32);
  await page.keyboard.press("Escape");
  assert.ok(await page.locator(".access").isHidden());
  assert.match(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), /^Memory, line 15/);
  await drawAccess(page, 13); // a bank's words, one pass each
  const banks = await page.locator(".lanes g > title").allTextContents();
  assert.equal(banks.filter(text => /in bank 0, pass/.test(text)).length, 32);
  await drawAccess(page, 14);
  assert.equal(await page.locator(".lanes svg > title").textContent(), "1 pass, 1 needed");
  await drawAccess(page, 18);
  assert.match(await page.locator(".access").innerText(), /stride that only the launch knows \(n\)/);
}, {hash: "#k0"});

await test("of a line's accesses one is chosen, and others are previewed under the cursor", taught, async page => {
  const named = text => page.waitForFunction(wanted => document.querySelector(".access h3").innerText === wanted, text);
  await drawAccess(page, 17);
  assert.match(await page.locator(".access").innerText(), /read from memory/);
  await page.locator(".choice button").nth(1).click();
  await page.waitForSelector(".lanes");
  assert.deepEqual(await page.locator(".choice button").evaluateAll(all => all.map(button => button.ariaPressed)), ["false", "true"]);
  await cellOf(page, 16).hover();
  await named("Memory, line 16");
  await page.mouse.move(0, 0);
  await named("Memory, line 17");
  await page.getByRole("button", {name: /^Draw the lanes of store to 'out'/}).click();
  await named("Memory, line 15");
  assert.equal(await page.locator("tr.chosen .row").innerText(), "15");
}, {hash: "#k0"});

for (const colorScheme of ["light", "dark"])
  await test(`axe finds nothing where an access is drawn: ${colorScheme}`, taught, async page => {
    await drawAccess(page, 17);
    await page.locator(".choice button").nth(1).click();
    await page.waitForSelector(".lanes");
    assert.deepEqual(await violations(page), []);
  }, {hash: "#k0", colorScheme, reducedMotion: "reduce"});

await test("a drawing is no wider than a narrow screen", taught, async page => {
  await drawAccess(page, 15);
  await page.waitForSelector(".lanes");
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 400);
}, {hash: "#k0", viewport: {width: 400, height: 700}});

// ---- for everybody -----------------------------------------------------------------------------

for (const [colorScheme, ...hashes] of [["light", "", "#loops", "#reading", "#k0"], ["dark", "", "#k0"]])
  for (const hash of hashes)
    await test(`axe finds nothing: ${colorScheme}, '${hash}'`, sample, async page => {
      if (hash === "#k0") {
        await openAll(page);
        await page.getByRole("button", {name: "Compute"}).click();
        await page.waitForSelector(".compared");
      }
      assert.deepEqual(await violations(page), []);
    }, {hash, colorScheme, reducedMotion: "reduce"});

await test("nothing is wider than a narrow screen", sample, async page => {
  for (const hash of ["#k0", "#loops", ""]) {
    await visit(page, hash);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 400);
  }
}, {viewport: {width: 400, height: 700}});

await test("hostile text is shown, and nothing else happens", hostile, async page => {
  assert.match((await texts(page, "#kernels tbody th"))[0], /<\/script><img/);
  for (const hash of ["#k0", "#k1", "#k2", "#loops"]) {
    await visit(page, hash);
    assert.equal(await page.locator("img").count(), 0);
    assert.doesNotMatch(await page.title(), /^owned/);
  }
});

// ---- large reports -----------------------------------------------------------------------------

await test("of ten thousand loops as many are made as are read", many, async page => {
  assert.equal(await page.locator("#loops tbody tr").count(), 100);
  assert.match(await page.locator(".count").innerText(), /^10,000 of 10,000 loops$/);
  const few = await nodes(page);
  assert.ok(few < 2000, few);
  await page.getByLabel("Name or file contains").fill("kernel_7(");
  assert.match(await page.locator(".count").innerText(), /^1,000 of 10,000 loops$/);
  assert.ok(await nodes(page) < 2000);
  await page.getByLabel("Name or file contains").fill("");
  await page.getByRole("button", {name: /^Show 100 more of 9,900/}).click();
  assert.equal(await page.locator("#loops tbody tr").count(), 200);
}, {hash: "#loops"});

await test("of a kernel's many loops the worst are made, and the one that is asked for", many, async page => {
  assert.equal(await page.locator(".loop").count(), 50);
  assert.ok(await nodes(page) < 10000);
  await page.getByRole("button", {name: /^Show 50 more of 950 loops/}).click();
  assert.equal(await page.locator(".loop").count(), 100);
  await visit(page, "#loops");
  await page.getByLabel("Name or file contains").fill("kernel_5( many.cu:50888");
  await turn(page, () => page.locator("#loops tbody a").first().click());
  assert.match(await page.evaluate(() => document.activeElement.innerText), /^many.cu:50888/);
}, {hash: "#k5"});

await browser.close();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
