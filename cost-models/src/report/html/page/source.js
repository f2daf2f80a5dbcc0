// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sources of a kernel: the lines around its loops, reasons and accesses, loops marked with what
// they lose, accesses with what they take. Lines between are made when they are asked for.

const CONTEXT = 6;    // lines around one that something is said of
const ONE_GAP = 200;  // lines that a gap gives at once

// Makes the sources of a kernel: {node, show(place)}, where show moves to a line and says so. The
// lines of the loops named are there from the beginning. `panel` draws accesses.
function sourcesOf(view, loops, panel) {
  const listings = new Map();
  const node = element("section", {class: "sources", "aria-labelledby": "sources-head"},
    element("h2", {id: "sources-head"}, "Source"));
  for (const [name, wanted] of wantedLines(view, loops)) {
    const listing = makeListing(name, wanted, view, panel);
    listings.set(name, listing);
    node.append(listing.node);
  }
  node.append(panel.node);
  const show = place => {
    const listing = place && listings.get(place[0]);
    if (listing)
      listing.show(place[1]);
  };
  return {node, show, has: place => Boolean(place && listings.has(place[0]) && place[1])};
}

// For each file, in the order in which they matter, the lines that are shown first.
function wantedLines(view, loops) {
  const wanted = new Map();
  const add = (place, shown) => {
    if (!place || !place[0] || !place[1])
      return;
    if (!wanted.has(place[0]))
      wanted.set(place[0], new Set());
    if (shown)
      wanted.get(place[0]).add(place[1]);
  };
  add(view.at, true);
  const first = new Set(loops);
  view.loops.forEach((loop, number) => [loop, ...loop.reasons, ...loop.path].forEach(
    part => add(part.at, first.has(number))));
  view.forks.slice(0, loops.length + 1).forEach(fork => add(fork.at, true));
  view.lines.forEach((line, number) =>
    (wanted.has(line.at[0]) || readSource(line.at[0]).lines) && add(line.at, number < LOOPS || line.severity > 0));
  return wanted;
}

function marksOf(name, view) {
  const marks = new Map();
  view.loops.forEach((loop, number) => {
    if (!loop.at || loop.at[0] !== name)
      return;
    const worst = marks.get(loop.at[1]);
    if (!worst || (loop.intervals && loop.intervals.share[0] > view.loops[worst].intervals.share[0]))
      marks.set(loop.at[1], number);
  });
  return marks;
}

function makeListing(name, wanted, view, panel) {
  const source = readSource(name), heading = element("h3", null, shortFile(name));
  if (!source.lines)
    return {node: element("div", null, heading, element("p", {class: "quiet"},
              "Not shown: it could not be read when the report was made (" + source.missing + ").")),
            show: () => say("The source of " + shortFile(name) + " is not in the report")};
  const memory = new Map(view.lines.filter(line => line.at[0] === name).map(line => [line.at[1], line]));
  const cells = memory.size ? line => memoryCell(memory.get(line), panel) : () => null;
  const heads = ["Loss", ...(memory.size ? ["Sectors / needed"] : []), "Line", "Text"];
  const marks = marksOf(name, view), body = element("tbody"), rows = new Map();
  const makeRows = (from, to) => Array.from({length: to - from + 1}, (_, k) => {
    const row = sourceRow(from + k, source.lines[from + k - 1], view, marks.get(from + k), cells(from + k));
    rows.set(from + k, row);
    return row;
  });
  const gaps = new Set();
  const makeGap = (from, to) => {
    const gap = {from, to, node: null};
    gap.node = gapRow(gap, heads.length, last => {
      openGap(gap, from, last);
      rows.get(from).focus({preventScroll: true});
    });
    gaps.add(gap);
    return gap.node;
  };
  const openGap = (gap, first, last) => {
    gaps.delete(gap);
    gap.node.replaceWith(...(first > gap.from ? [makeGap(gap.from, first - 1)] : []), ...makeRows(first, last),
      ...(last < gap.to ? [makeGap(last + 1, gap.to)] : []));
  };
  for (const range of rangesOf(wanted, source.lines.length))
    body.append(...(range.gap ? [makeGap(range.from, range.to)] : makeRows(range.from, range.to)));
  const box = element("div", {class: "listing", tabindex: "0", role: "region", "aria-label": "Lines of " + shortFile(name)},
    element("table", null, element("caption", {class: "unseen"}, "Lines of " + shortFile(name) + ", loops marked with what they lose, accesses with what they take"),
      element("thead", {class: memory.size ? null : "unseen"}, element("tr", null,
        heads.map(head => element("th", {scope: "col"}, head)))), body));
  const show = line => {
    const hidden = [...gaps].find(gap => gap.from <= line && line <= gap.to);
    if (hidden)
      openGap(hidden, Math.max(hidden.from, line - CONTEXT), Math.min(hidden.to, line + CONTEXT));
    const row = rows.get(line);
    if (!row)
      return;
    row.scrollIntoView({block: "center"});
    row.focus({preventScroll: true});
    say("Line " + line + " of " + shortFile(name));
  };
  return {node: element("div", null, heading, box), show};
}

// Runs of lines to be shown, and the gaps between; a gap of a few lines isn't one.
function rangesOf(wanted, count) {
  const shown = new Set();
  for (const line of wanted)
    for (let k = Math.max(1, line - CONTEXT); k <= Math.min(count, line + CONTEXT); ++k)
      shown.add(k);
  const ranges = [];
  let next = 1;
  for (const line of [...shown].sort((a, b) => a - b)) {
    const last = ranges[ranges.length - 1];
    if (last && line - last.to <= 4) {
      last.to = line;
    } else {
      if (line > next)
        ranges.push({gap: true, from: next, to: line - 1});
      ranges.push({from: line, to: line});
    }
    next = line + 1;
  }
  if (next <= count)
    ranges.push({gap: true, from: next, to: count});
  return ranges;
}

function sourceRow(line, text, view, number, memory) {
  const loop = number === undefined ? null : view.loops[number];
  const severity = loop && loop.severity ? SEVERITIES[loop.severity] : "";
  return element("tr", {class: severity && "is-" + severity, tabindex: "-1"},
    element("td", {class: "mark"}, loop && element("a", {
      href: "#" + loopAddress(number), class: severity || null,
      "aria-label": "Loop: " + loop.words}, loop.lost && loop.full ? loop.lost : "loop")),
    memory,
    element("th", {class: "row", scope: "row"}, String(line)),
    element("td", null, text));
}

function gapRow({from, to}, columns, open) {
  const last = Math.min(to, from + ONE_GAP - 1);
  const clicked = () => {
    open(last);
    say(`Lines ${from} to ${last} shown`);
  };
  return element("tr", {class: "gap"}, element("td", {colspan: String(columns)}, element("button", {type: "button", onclick: clicked},
    last === from ? `Show line ${from}` : `Show lines ${from} to ${last}`)));
}
