// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// browser.mjs CHROMIUM NODE_MODULES SAMPLE HOSTILE MANY TAUGHT TIMED DEEP: the pages in headless Chromium. Each test
// opens its page from file://, with nothing remembered; messages of the console, errors of scripts
// and requests for anything but the page fail it.
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import {createRequire} from "node:module";

const [, , executablePath, modules, sample, hostile, many, taught, timed, deep] = process.argv;
const require = createRequire(modules + "/");
const {chromium} = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const browser = await chromium.launch({executablePath, args: ["--no-sandbox", "--disable-gpu"]});
const SCREEN = {viewport: {width: 1280, height: 800}};
const usual = await browser.newContext(SCREEN); // opening one takes a fifth of a test
let passed = 0, failed = 0;

async function test(name, path, run, options) {
  const {hash = "", ...differs} = options || {};
  const context = Object.keys(differs).length ? await browser.newContext({...SCREEN, ...differs}) : usual;
  const page = await context.newPage(), wrong = [];
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
  await page.evaluate(() => localStorage.clear()).catch(() => {});
  await (context === usual ? page : context).close();
}

const texts = (page, selector) => page.locator(selector).allInnerTexts();
const nodes = page => page.evaluate(() => document.querySelectorAll("*").length);

// Does what leads to another #place, and waits until that is there: the page's listener is older.
async function turn(page, act) {
  await page.evaluate(() => {
    window.turned = false;
    addEventListener("hashchange", () => { window.turned = true; }, {once: true});
  });
  await act();
  await page.waitForFunction(() => window.turned && document.documentElement.dataset.ready);
}

const visit = (page, hash) => turn(page, () => page.evaluate(to => { location.hash = to; }, hash));

// What axe-core finds, in either scheme of colours. Its own script comes in past the page's policy,
// as extensions do.
async function violations(page) {
  const found = [];
  await page.evaluate(axe);
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({colorScheme, reducedMotion: "reduce"});
    const {violations} = await page.evaluate(() => axe.run(document, {resultTypes: ["violations"]}));
    for (const {id, nodes} of violations)
      found.push(`${colorScheme}: ${id}: ` + nodes.map(n => n.target.join(" ") + " " + n.failureSummary).join("; "));
  }
  return found;
}

async function openAll(page) {
  await page.locator("article summary", {hasText: "Distribution"}).first().click();
  await page.waitForSelector("details[data-drawn]");
}

const SPMV = "#kernel=_Z8spmv_csriPKiS0_PKfS2_Pf", TAUGHT = "#kernel=_Z6taughtPKfPfi";
const EVERY = ["", "#files", "#kernels", "#loops", "#reading", "#file=sparse.cu&line=8", "#kernel=gone", SPMV];

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
}, {hash: "#kernels"});

await test("kernels that lose time stand first, whatever they lose of their issue cycles", timed, async page => {
  const names = await texts(page, "#kernels tbody th a");
  assert.deepEqual([names.length, names[0]], [3, "saxpy"]);
  assert.deepEqual((await texts(page, "#kernels thead th")).slice(0, 2), ["Time lost", "Lost"]);
  assert.deepEqual(await texts(page, "#kernels tbody td:first-child"), ["40 us", "not known", "not known"]);
  assert.equal(await page.locator("th[aria-sort]").count(), 0);
  await page.getByRole("button", {name: /^Lost/}).click();
  assert.equal(await page.locator("th[aria-sort=descending]").innerText(), "Lost");
  assert.equal((await texts(page, "#kernels tbody th a"))[2], "saxpy");
  assert.deepEqual(await violations(page), []);
}, {hash: "#kernels"});

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
}, {hash: "#kernels"});

// ---- what to do first ----------------------------------------------------------------------------

await test("the first view is the findings, worst first, with what helps", sample, async page => {
  assert.equal(await page.locator("h1").innerText(), "What to do first");
  assert.equal(await page.locator("nav a[aria-current]").innerText(), "What to do first");
  assert.deepEqual(await texts(page, ".finding .rule"), ["imbalance", "barrier"]);
  const [cost, none] = await texts(page, "#findings td.lost");
  assert.match(cost, /^39%\s+of the issue cycles$/);
  assert.equal(none, "not of cost");
  assert.match(await page.locator(".finding").first().innerText(), /sparse\.cu:8 in spmv_csr.*loop.*What helps: The warp goes on until/s);
  await turn(page, () => page.locator(".finding a").first().click());
  assert.equal(await page.evaluate(() => document.activeElement.querySelector(".row").innerText), "8");
  assert.match(await page.locator("h1").innerText(), /^spmv_csr/);
  await turn(page, () => page.goBack());
  assert.equal(await page.locator("h1").innerText(), "What to do first");
  await page.getByLabel("Rule").selectOption("barrier");
  assert.deepEqual(await texts(page, ".finding .rule"), ["barrier"]);
});

await test("a finding says what divergence costs its kernel, where the time is known", timed, async page => {
  assert.match(await page.locator("#findings td.lost").first().innerText(), /of the issue cycles\s+divergence costs its kernel 40 us of a launch$/);
});

await test("a report without findings says so, and where to look", taught, async page => {
  assert.match(await page.locator("main").innerText(), /No rule found anything/);
  await turn(page, () => page.locator("main a").click());
  assert.equal(await page.locator("#kernels tbody tr").count(), 1);
});

// ---- files ---------------------------------------------------------------------------------------

await test("files are a tree that folds, with the keyboard too", deep, async page => {
  const rows = () => page.locator("#files tbody tr").evaluateAll(all => all.map(row => [...row.cells].map(cell => cell.innerText.trim()).join(" | ")));
  await visit(page, "#kernels"); // the figures are those of the lists
  const [spmv, bfs, saxpy] = await Promise.all(["spmv", "bfs", "saxpy"].map(
    name => page.locator("#kernels tr", {hasText: name}).locator("td.lost").innerText()));
  await visit(page, "#files");
  const open = await rows();
  assert.deepEqual(open.map(row => row.replace(/ \| [^|]*$/, "")), [`a | 2 | 2 | ${spmv}`, `deep/er | 1 | 1 | ${spmv}`, `spmv.cu | 1 | 1 | ${spmv}`,
    `bfs.cu | 1 | 1 | ${bfs}`, `saxpy.cu | 0 | 1 | ${saxpy}`]);
  assert.match(open[0], / 39%$/); // the worst loop, spmv's
  await page.getByRole("button", {name: "a", exact: true}).focus();
  await page.keyboard.press("ArrowLeft");
  assert.deepEqual(await rows(), [open[0], open[4]]);
  assert.equal(await page.evaluate(() => document.activeElement.ariaExpanded), "false");
  await turn(page, () => page.getByRole("link", {name: "saxpy.cu"}).press("Enter"));
  await turn(page, () => page.goBack());
  assert.deepEqual(await rows(), [open[0], open[4]]); // as it was left
  await page.getByRole("button", {name: "a", exact: true}).press("Enter");
  assert.deepEqual(await rows(), open);
}, {hash: "#files"});

await test("a file has its kernels, and on its lines what they lose", sample, async page => {
  assert.deepEqual(await texts(page, "#own-head ~ ul a"), ["spmv_csr", "bfs", "saxpy"]);
  const mark = page.locator("tr:has(.row a:text-is('8')) .mark a");
  assert.equal(await mark.innerText(), "39%");
  assert.match(await mark.getAttribute("aria-label"), /^Loop: loses 39% of spmv_csr/);
  assert.equal(await page.locator("tr:has(.row a:text-is('22')) .mark a").innerText(), "barrier");
  await turn(page, () => mark.click());
  assert.equal(await page.evaluate(() => document.activeElement.id), "loop-0");
}, {hash: "#file=sparse.cu"});

// ---- a kernel ----------------------------------------------------------------------------------

await test("a reason leads to its line of the source", sample, async page => {
  await turn(page, () => page.getByRole("link", {name: "spmv_csr"}).click());
  assert.match(await page.evaluate(() => document.activeElement.innerText), /^spmv_csr/);
  const link = page.locator(".because a").first(), line = (await link.innerText()).split(":")[1];
  await turn(page, () => link.click());
  assert.equal(await page.evaluate(() => document.activeElement.querySelector(".row").innerText), line);
  assert.equal(await page.evaluate(() => document.activeElement.cells[2].innerText), `__shared__ int line_${line}; // of the sample`);
  const gap = page.locator(".listing .gap button").first(), from = (await gap.innerText()).match(/\d+/)[0];
  await gap.click();
  assert.equal(await page.evaluate(() => document.activeElement.querySelector(".row").innerText), from);
  const mark = page.locator(".listing .mark a").first();
  await turn(page, () => mark.click());
  assert.match(await page.evaluate(() => document.activeElement.tagName + document.activeElement.id), /^H3loop-\d+$/);
}, {hash: "#kernels"});

await test("a kernel's source is opened at its hottest line, which the address can name", sample, async page => {
  const inView = line => page.evaluate(number => {
    const row = [...document.querySelectorAll(".listing tr")].find(one => one.querySelector(".row a")?.innerText === number);
    const box = row.closest(".listing").getBoundingClientRect(), own = row.getBoundingClientRect();
    return own.top >= box.top && own.bottom <= box.bottom;
  }, line);
  assert.ok(await inView("8"));
  await page.getByRole("link", {name: "11", exact: true}).click();
  await page.waitForFunction(() => document.activeElement.querySelector(".row")?.innerText === "11");
  assert.equal(new URL(page.url()).hash, SPMV + "&file=sparse.cu&line=11");
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  assert.equal(await page.evaluate(() => document.activeElement.querySelector(".row").innerText), "11");
  await visit(page, "#kernel=_Z4gonev");
  assert.match(await page.locator("main").innerText(), /^Not in this report/);
  await turn(page, () => page.goBack());
  assert.equal(await page.evaluate(() => document.activeElement.querySelector(".row").innerText), "11");
}, {hash: SPMV});

await test("sources are coloured, as text", sample, async page => {
  await page.waitForSelector(".listing[data-coloured]");
  const row = page.locator("tr:has(.row a:text-is('8')) td:last-child");
  assert.equal(await row.innerText(), "__shared__ int line_8; // of the sample");
  assert.deepEqual(await row.locator("span").evaluateAll(all => all.map(one => one.className + " " + one.innerText)),
    ["t-keyword __shared__", "t-keyword int", "t-comment // of the sample"]);
  await page.locator(".gap button").first().click(); // lines that are made later
  assert.ok(await page.locator("tbody tr:nth-child(2) .t-keyword").first().isVisible());
}, {hash: SPMV});

await test("lines open in an editor that is remembered, once the folder is known", sample, async page => {
  const link = page.getByRole("link", {name: "Open in editor"});
  const address = () => link.evaluate(one => {
    one.addEventListener("click", event => event.preventDefault(), {once: true});
    one.click();
    return one.getAttribute("href");
  });
  assert.equal(await address(), "#"); // it asks for the folder
  assert.match(await page.evaluate(() => document.activeElement.previousSibling.innerText), /^Folder/);
  await page.getByLabel("Folder of relative paths").fill("/home/me/a project/");
  assert.equal(await address(), "vscode://file/home/me/a%20project/src/sparse.cu:8");
  await page.locator("details.editors > summary").focus();
  await page.getByLabel("Editor", {exact: true}).selectOption("Zed");
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  assert.equal(await address(), "zed://file/home/me/a%20project/src/sparse.cu:8");
}, {hash: SPMV});

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
}, {hash: SPMV});

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
}, {hash: SPMV});

await test("what-if begins with what was given and assumed, and asks what is changed", sample, async page => {
  assert.deepEqual(await page.locator(".axes input").evaluateAll(all => all.map(input => input.value)), ["256", "1", "1"]);
  assert.equal(await page.locator("input.distribution").first().inputValue(), "poisson(30)");
  await page.getByRole("button", {name: "Compute"}).click();
  await page.waitForSelector(".compared");
  const [before, after] = await page.locator(".compared tbody tr").first().locator("td").allInnerTexts();
  assert.equal(before, after);
  await visit(page, "#kernel=_Z3bfs5graphPi");
  assert.equal(await page.locator("input.distribution").first().inputValue(), "poisson(64)");
  assert.match(await page.locator(".field:has(input.distribution) label").first().innerText(), /assumed, up to geometric/);
}, {hash: SPMV});

await test("no figure is a dash", sample, async page => {
  for (const hash of [...EVERY, "#kernel=_Z3bfs5graphPi", "#kernel=_Z5saxpyifPKfPf"]) {
    await visit(page, hash);
    assert.deepEqual((await texts(page, "td:not(:last-child), td.number, td.lost")).filter(text => /^[-\u2013]$/.test(text.trim())), []);
  }
}, {hash: "#reading"});

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
}, {hash: "#kernels"});

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
}, {hash: TAUGHT});

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
}, {hash: TAUGHT});

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
}, {hash: TAUGHT});

await test("axe finds nothing where an access is drawn", taught, async page => {
  await drawAccess(page, 17);
  await page.locator(".choice button").nth(1).click();
  await page.waitForSelector(".lanes");
  assert.deepEqual(await violations(page), []);
}, {hash: TAUGHT});

await test("a drawing is no wider than a narrow screen", taught, async page => {
  await drawAccess(page, 15);
  await page.waitForSelector(".lanes");
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 400);
}, {hash: TAUGHT, viewport: {width: 400, height: 700}});

// ---- for everybody -----------------------------------------------------------------------------

for (const hash of EVERY)
  await test(`axe finds nothing: '${hash}'`, sample, async page => {
    if (hash === SPMV) {
      await openAll(page);
      await page.getByRole("button", {name: "Compute"}).click();
      await page.waitForSelector(".compared");
    }
    assert.deepEqual(await violations(page), []);
  }, {hash});

await test("nothing is wider than a narrow screen", sample, async page => {
  for (const hash of [...EVERY.slice(1), ""]) {
    await visit(page, hash);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 400);
  }
}, {viewport: {width: 400, height: 700}});

await test("hostile text is shown, and nothing else happens", hostile, async page => {
  assert.match((await texts(page, "#kernels tbody th"))[0], /<\/script><img/);
  const kernels = await page.locator("#kernels tbody th a").evaluateAll(links => links.map(link => link.hash));
  assert.equal(kernels.length, 3);
  for (const hash of [...kernels, "#loops", "#files", "#reading"]) {
    await visit(page, hash);
    assert.doesNotMatch(await page.locator("h1").innerText(), /^Not in this report/);
    assert.equal(await page.locator("img").count(), 0);
    assert.doesNotMatch(await page.title(), /^owned/);
  }
}, {hash: "#kernels"});

// ---- large reports -----------------------------------------------------------------------------

await test("of a thousand findings the worst hundred are made", many, async page => {
  assert.equal(await page.locator("#findings tbody tr").count(), 100);
  assert.match(await page.locator(".count").innerText(), /^1,000 of 1,000 findings$/);
  const low = await page.locator("#findings td.lost > span").evaluateAll(all => all.map(one => parseFloat(one.innerText.replace("<", ""))));
  assert.deepEqual(low, [...low].sort((a, b) => b - a));
});

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
}, {hash: "#kernel=_Z6kernel5"});

await browser.close();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
