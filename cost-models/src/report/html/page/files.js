// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Folders and files as a tree that folds: how many kernels and findings are in them, and what the
// worst kernel and the worst loop there lose. Shares of different kernels have no sum.

const MOST_OPEN = 60; // rows of a tree that is open from the beginning

function newBranch(name) {
  return {name, children: new Map(), file: -1, kernels: 0, findings: 0, worst: {kernel: null, loop: null}};
}

const isWorse = (a, b, columns) => !b || a[columns.low] > b[columns.low] || (a[columns.low] === b[columns.low] && a[columns.high] > b[columns.high]);

const readTree = kept(async () => {
  const loops = await readLoops();
  const top = newBranch("");
  const add = (row, columns, count) => {
    if (row[columns.file] < 0)
      return;
    let node = top;
    for (const part of shortFile(index.files[row[columns.file]]).split(/(?<=\/)/)) {
      if (!node.children.has(part))
        node.children.set(part, newBranch(part));
      node = node.children.get(part);
      count(node);
    }
    node.file = row[columns.file];
  };
  const worst = (row, columns, what) => node => {
    if (row[columns.low] >= 0 && isWorse(row, node.worst[what], columns))
      node.worst[what] = row;
  };
  index.kernels.forEach(row => add(row, KERNEL, node => { ++node.kernels; worst(row, KERNEL, "kernel")(node); }));
  loops.forEach(row => add(row, LOOP, worst(row, LOOP, "loop")));
  index.findings.forEach(row => add(row, FINDING, node => { node.findings += row[FINDING.suppressed] ? 0 : 1; }));
  return top;
});

// The children, the worst first; a folder that holds one folder alone stands with it in one row.
function branchesOf(node) {
  const joined = child => {
    const [only] = child.children.values();
    return child.file < 0 && child.children.size === 1 && only.file < 0 ? joined({...only, name: child.name + only.name}) : child;
  };
  const key = child => ["kernel", "loop"].flatMap(what => {
    const row = child.worst[what], columns = what === "kernel" ? KERNEL : LOOP;
    return row ? [-row[columns.low], -row[columns.high]] : [1, 1];
  });
  return [...node.children.values()].map(joined).sort((a, b) =>
    b.findings - a.findings || compareKeys(key(a), key(b)) || (a.name < b.name ? -1 : 1));
}

const countOf = node => 1 + [...node.children.values()].reduce((sum, child) => sum + countOf(child), 0);

const foldersOpen = new Map(); // by path, while the page is open

async function filesPage() {
  const fileTree = await readTree(), body = element("tbody"), few = countOf(fileTree) <= MOST_OPEN;
  // The rows of a node's children, which follow its own. Those of a folder are made when it is opened.
  const rowsOf = (node, path, depth) => branchesOf(node).flatMap(child => {
    const own = path + child.name, isFolder = child.children.size > 0;
    const open = isFolder && (foldersOpen.has(own) ? foldersOpen.get(own) : few);
    const row = treeRow(child, own, depth, isFolder ? open : null, wanted => fold(row, child, own, depth, wanted));
    return [row, ...(open ? rowsOf(child, own + "/", depth + 1) : [])];
  });
  const fold = (row, node, path, depth, open) => {
    foldersOpen.set(path, open);
    row.querySelector("button").setAttribute("aria-expanded", String(open));
    if (open) {
      row.after(...rowsOf(node, path + "/", depth + 1));
    } else {
      while (row.nextSibling && Number(row.nextSibling.dataset.depth) > depth)
        row.nextSibling.remove();
    }
  };
  body.append(...rowsOf(fileTree, "", 0));
  return [element("h1", null, "Files"),
    root && element("p", {class: "quiet"}, "Below ", element("span", {class: "code"}, root)),
    index.kernels.length === 0 && element("p", {class: "quiet"}, "The report has no kernels."),
    element("div", {class: "scroll"}, element("table", {id: "files"},
      element("caption", {class: "unseen"}, "Folders and files, with what is found in them"),
      element("thead", null, element("tr", null, [["Folder or file"], ["Findings", "number"], ["Kernels", "number"], ["Worst kernel loses"], ["Worst loop loses"]].map(
        ([text, name]) => element("th", {scope: "col", class: name}, text)))), body))];
}

function treeRow(node, path, depth, open, fold) {
  const lost = (row, columns) => row ? lostCell(row, columns) : element("td", {class: "lost"});
  const name = node.name.replace(/(.)\/$/, "$1");
  const button = open !== null && element("button", {type: "button", class: "fold", "aria-expanded": String(open),
    onclick: () => fold(button.getAttribute("aria-expanded") === "false"),
    onkeydown: event => {
      const isOpen = button.getAttribute("aria-expanded") === "true";
      if (event.key === (isOpen ? "ArrowLeft" : "ArrowRight"))
        fold(!isOpen);
    }}, name);
  return element("tr", {"data-depth": depth},
    element("th", {scope: "row", class: "name code deep" + Math.min(depth, 8)},
      button || element("a", {href: addressOf({file: index.files[node.file]})}, name)),
    numberCell(node.findings), numberCell(node.kernels), lost(node.worst.kernel, KERNEL), lost(node.worst.loop, LOOP));
}

// ---- a file ------------------------------------------------------------------------------------

// What stands on the lines of a file, of all kernels: the worst loop, and findings.
function fileMarks(number, loops) {
  const marks = new Map(), worst = new Map();
  loops.forEach(row => {
    if (row[LOOP.file] === number && row[LOOP.line] && isWorse(row, worst.get(row[LOOP.line]), LOOP))
      worst.set(row[LOOP.line], row);
  });
  for (const [line, row] of worst)
    marks.set(line, [{text: row[LOOP.lost] || "loop", severity: row[LOOP.severity], low: row[LOOP.low], high: row[LOOP.high], kind: "Loop",
      href: addressOf({kernel: row[LOOP.kernel], loop: row[LOOP.loop]}), words: `loses ${row[LOOP.lost] || "what isn't known"} of ${index.kernels[row[LOOP.kernel]][KERNEL.name]}`}]);
  findings.forEach(row => {
    if (row[FINDING.file] !== number || !row[FINDING.line] || row[FINDING.loop] >= 0 && row[FINDING.low] >= 0)
      return;
    const own = marks.get(row[FINDING.line]) || [], text = index.rules[row[FINDING.rule]].name;
    if (own.some(mark => mark.text === text)) // the worst of a rule comes first
      return;
    marks.set(row[FINDING.line], [...own, {text, kind: "Finding, " + text, severity: Math.max(1, row[FINDING.severity]), href: addressOf({kernel: row[FINDING.kernel], file: index.files[number], line: row[FINDING.line]}), words: row[FINDING.text]}]);
  });
  return marks;
}

async function filePage({place: [name]}) {
  const number = fileNumbers.get(name), source = await readSource(name), marks = fileMarks(number, await readLoops());
  const own = index.kernels.map((row, k) => [row, k]).filter(([row]) => row[KERNEL.file] === number);
  const listing = makeListing({name, source, marks, wanted: new Set([...marks.keys(), ...own.map(([row]) => row[KERNEL.line])]),
    href: line => addressOf({file: name, line})});
  const hot = hottest(marks);
  const nodes = [element("p", null, element("a", {href: "#files"}, "\u2190 All files")),
    element("h1", {id: "head", tabindex: "-1"}, shortFile(name)),
    element("div", {class: "sides of-file"},
      element("section", {class: "panel", "aria-labelledby": "own-head"}, element("h2", {id: "own-head"}, own.length ? "Its kernels, worst first" : "No kernel is declared here"),
        element("ul", {class: "because"}, own.slice(0, PAGE).map(([row, k]) => element("li", null,
          element("a", {href: addressOf({kernel: k})}, bareName(row[KERNEL.name])), " ",
          row[KERNEL.lost] ? ["loses ", element("span", {class: SEVERITIES[row[KERNEL.severity]]}, row[KERNEL.lost])] : "has no estimate",
          row[KERNEL.findings] > 0 && `, ${row[KERNEL.findings]} finding${row[KERNEL.findings] === 1 ? "" : "s"}`))),
        own.length > PAGE && element("p", null, `and ${own.length - PAGE} more: `, element("a", {href: "#kernels"}, "all kernels"))),
      sourcesSection(listing.node, () => [name, listing.line() || 1]))];
  return {nodes, opened: () => hot && listing.scrollTo(hot), reveal: ({place: [, line]}) => line && listing.show(line)};
}
