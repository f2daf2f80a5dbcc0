// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sources of a kernel: the lines around its loops and reasons, loops marked with what they
// lose. Lines between are made when they are asked for.

const CONTEXT = 6;    // lines around one that something is said of
const ONE_GAP = 200;  // lines that a gap gives at once

// Makes the sources of a kernel: {node, show(place)}, where show moves to a line and says so.
function sourcesOf(view) {
  const listings = new Map();
  const node = element("section", {class: "sources", "aria-labelledby": "sources-head"},
    element("h2", {id: "sources-head"}, "Source"));
  for (const [name, wanted] of wantedLines(view)) {
    const listing = makeListing(name, wanted, view);
    listings.set(name, listing);
    node.append(listing.node);
  }
  const show = place => {
    const listing = listings.get(place[0]);
    if (listing)
      listing.show(place[1]);
  };
  return {node, show, has: place => Boolean(place && listings.has(place[0]) && place[1])};
}

// For each file, in the order in which they matter, the lines that something is said of.
function wantedLines(view) {
  const wanted = new Map();
  const add = place => {
    if (!place || !place[0] || !place[1])
      return;
    if (!wanted.has(place[0]))
      wanted.set(place[0], new Set());
    wanted.get(place[0]).add(place[1]);
  };
  add(view.at);
  for (const loop of view.loops) {
    add(loop.at);
    loop.reasons.forEach(reason => add(reason.at));
    loop.path.forEach(step => add(step.at));
  }
  view.forks.forEach(fork => add(fork.at));
  return wanted;
}

function marksOf(name, view) {
  const marks = new Map();
  view.loops.forEach((loop, number) => {
    if (!loop.at || loop.at[0] !== name)
      return;
    const worst = marks.get(loop.at[1]);
    if (!worst || (loop.spans && loop.spans.share[0] > view.loops[worst].spans.share[0]))
      marks.set(loop.at[1], number);
  });
  return marks;
}

function makeListing(name, wanted, view) {
  const source = readSource(name), heading = element("h3", null, shortFile(name));
  if (!source.lines)
    return {node: element("div", null, heading, element("p", {class: "quiet"},
              "Not shown: it could not be read when the report was made (" + source.missing + ").")),
            show: () => say("The source of " + shortFile(name) + " is not in the report")};
  const marks = marksOf(name, view), body = element("tbody");
  const rows = new Map();
  const makeRow = line => {
    const row = sourceRow(line, source.lines[line - 1], view, marks.get(line));
    rows.set(line, row);
    return row;
  };
  for (const range of rangesOf(wanted, source.lines.length)) {
    if (range.gap) {
      body.append(gapRow(range.from, range.to, makeRow));
      continue;
    }
    for (let line = range.from; line <= range.to; ++line)
      body.append(makeRow(line));
  }
  const box = element("div", {class: "listing", tabindex: "0", role: "region", "aria-label": "Lines of " + shortFile(name)},
    element("table", null, element("caption", {class: "unseen"}, "Lines of " + shortFile(name) + ", loops marked with what they lose"),
      element("thead", {class: "unseen"}, element("tr", null,
        ["Loss", "Line", "Text"].map(head => element("th", {scope: "col"}, head)))), body));
  const show = line => {
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

function sourceRow(line, text, view, number) {
  const loop = number === undefined ? null : view.loops[number];
  const severity = loop && loop.severity ? SEVERITIES[loop.severity] : "";
  return element("tr", {class: severity && "is-" + severity, tabindex: "-1"},
    element("td", {class: "mark"}, loop && element("a", {
      href: "#" + loopAddress(number), class: severity || null,
      "aria-label": "Loop: " + loop.words}, loop.lost && loop.full ? loop.lost : "loop")),
    element("th", {class: "row", scope: "row"}, String(line)),
    element("td", null, text));
}

function gapRow(from, to, makeRow) {
  const row = element("tr", {class: "gap"});
  const many = Math.min(ONE_GAP, to - from + 1);
  const open = () => {
    const lines = [];
    for (let line = from; line < from + many; ++line)
      lines.push(makeRow(line));
    row.replaceWith(...lines, ...(from + many <= to ? [gapRow(from + many, to, makeRow)] : []));
    lines[0].focus({preventScroll: true});
    say(many + " lines shown");
  };
  row.append(element("td", {colspan: "3"}, element("button", {type: "button", onclick: open},
    many === 1 ? `Show line ${from}` : `Show lines ${from} to ${from + many - 1}`)));
  return row;
}
