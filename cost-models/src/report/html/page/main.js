// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the address asks for: "" the kernels, "#loops", "#reading", "#k3" a kernel, "#k3.l2" its
// loop.

function readingPage() {
  return [element("h1", null, "How to read this"),
    facts([...index.legend, ["trips from", "how trip counts are known: derived from the code for this launch; annotated; " +
        "profile (measured); range (a bound is known, a distribution within it assumed); assumed"],
      ["what if", "the page computes with divcost's own library, compiled to WebAssembly: the figures are those of the command"],
      ["made by", "divcost " + index.version]])];
}

const main = document.getElementById("main");
let shown = null;

function showPage(name, title, make) {
  if (shown === name)
    return false;
  main.replaceChildren(...make().flat().filter(Boolean));
  shown = name;
  document.title = title + " - divcost report";
  for (const [id, list] of [["to-kernels", "kernels"], ["to-loops", "loops"], ["to-reading", "reading"]]) {
    const link = document.getElementById(id);
    if (list === name)
      link.setAttribute("aria-current", "page");
    else
      link.removeAttribute("aria-current");
  }
  return true;
}

function follow(first) {
  const wanted = /^#k(\d+)(?:\.l(\d+))?$/.exec(location.hash);
  if (location.hash === "#main")
    return;
  if (wanted && Number(wanted[1]) < index.kernels.length) {
    const number = Number(wanted[1]);
    const turned = showPage("k" + number, index.kernels[number][KERNEL.name] || "kernel", () => kernelPage(number));
    if (wanted[2] !== undefined)
      revealLoop(Number(wanted[2]));
    const target = document.getElementById(wanted[2] === undefined ? "kernel-head" : "k" + number + ".l" + wanted[2]);
    if (turned)
      scrollTo({top: 0, behavior: "instant"});
    if (target && (turned || wanted[2] !== undefined))
      target.focus({preventScroll: wanted[2] === undefined});
    return;
  }
  const name = location.hash === "#loops" || location.hash === "#reading" ? location.hash.slice(1) : "kernels";
  const titles = {kernels: "Kernels", loops: "Loops", reading: "How to read this"};
  if (showPage(name, titles[name], () => name === "reading" ? readingPage() : listPage(name)) && !first)
    main.focus();
}

document.getElementById("about").textContent = index.path.split(", ").length > 4 ?
  index.path.split(", ").length + " files, for " + index.archs.map(sm => "sm_" + sm).join(", ") :
  index.path + (index.archs.length ? ", for " : "") + index.archs.map(sm => "sm_" + sm).join(", ");
document.getElementById("skip").addEventListener("click", event => {
  event.preventDefault();
  main.focus();
});
addEventListener("hashchange", () => follow(false));
follow(true);
document.documentElement.dataset.ready = Math.round(performance.now()) + " ms";
