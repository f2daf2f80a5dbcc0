// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is shown: a page for each address (address.js).

function readingPage() {
  return [element("h1", null, "How to read this"),
    facts([...index.legend, ["trips from", "how trip counts are known: derived from the code for this launch; annotated; " +
        "profile (measured); range (a bound is known, a distribution within it assumed); assumed"],
      ["what if", "the page computes with divcost's own library, compiled to WebAssembly: the figures are those of the command"],
      ["made by", "divcost " + index.version]])];
}

const missingPage = () => [element("h1", null, "Not in this report"),
  element("p", null, "What the address names is no kernel or file of it. ", element("a", {href: "#"}, "What is in it, worst first"), ".")];

// Makers of pages: nodes, or {nodes, opened(), reveal(address)}, where opened is called once when they are
// in the document, and reveal goes to the loop or line of an address.
const PAGES = {
  findings: {title: () => "What to do first", make: findingsPage},
  files: {title: () => "Files", make: filesPage},
  kernels: {title: () => "Kernels", make: () => listPage("kernels")},
  loops: {title: () => "Loops", make: async () => {
    LISTS.loops.rows = await readLoops();
    return listPage("loops");
  }},
  reading: {title: () => "How to read this", make: readingPage},
  missing: {title: () => "Not in this report", make: missingPage},
  kernel: {title: to => index.kernels[to.kernel][KERNEL.name] || "kernel", make: kernelPage},
  file: {title: to => shortFile(to.place[0]), make: filePage},
};

const main = document.getElementById("main");
const scrolled = new Map(); // how far pages were read
let shown = null, current = null, turns = 0;

const nameOf = to => to.page === "kernel" ? "kernel " + to.kernel : to.page === "file" ? "file " + to.place[0] : to.page;

// False: the reader has turned to another page meanwhile.
async function showPage(to, turn) {
  const made = await PAGES[to.page].make(to);
  if (turn !== turns)
    return false;
  if (shown)
    scrolled.set(shown, scrollY);
  current = Array.isArray(made) ? {nodes: made} : made;
  shown = nameOf(to);
  main.replaceChildren(...current.nodes.flat().filter(Boolean));
  document.title = PAGES[to.page].title(to) + " - divcost report";
  for (const link of document.querySelectorAll("nav a"))
    if (link.id === "to-" + to.page)
      link.setAttribute("aria-current", "page");
    else
      link.removeAttribute("aria-current");
  if (scrolled.size)
    window.scrollTo({top: history.state && scrolled.get(shown) || 0, behavior: "instant"});
  history.replaceState("seen", ""); // who comes back finds the page where it was
  current.opened?.();
  return true;
}

async function follow(first) {
  const to = readAddress(location.hash), turn = ++turns, from = first ? 0 : performance.now();
  delete document.documentElement.dataset.ready;
  const turned = shown !== nameOf(to);
  if (turned && !await showPage(to, turn))
    return;
  const inside = current.reveal && (to.loop !== undefined || (to.place && to.place[1]));
  if (inside)
    current.reveal(to);
  else if (turned && current.reveal)
    document.getElementById("head").focus({preventScroll: true});
  else if (turned && !first)
    main.focus({preventScroll: true});
  document.documentElement.dataset.ready = Math.round(performance.now() - from) + " ms";
}

document.getElementById("about").textContent = index.path.split(", ").length > 4 ?
  index.path.split(", ").length + " files, for " + index.archs.map(sm => "sm_" + sm).join(", ") :
  index.path + (index.archs.length ? ", for " : "") + index.archs.map(sm => "sm_" + sm).join(", ");
document.getElementById("skip").addEventListener("click", event => {
  event.preventDefault();
  main.focus();
});
history.scrollRestoration = "manual"; // pages are there only later
addEventListener("hashchange", () => follow(false));
// A link to where the address is already goes there again.
document.addEventListener("click", event => {
  const link = event.target.closest("a[href^='#']");
  if (link && link.id !== "skip" && link.getAttribute("href") === location.hash)
    follow(false);
});
follow(true);
