// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sources with what their lines cost: of a kernel, the lines around its loops, reasons and accesses; of
// a file, those of all kernels. Lines between are made when they are asked for.

const CONTEXT = 6;    // lines around one that something is said of
const ONE_GAP = 200;  // lines that a gap gives at once

// Makes the sources of a kernel: {node, show(place), opened(), has(place)}, where show moves to a line
// and says so, and opened to the hottest line, without the page. The lines of the loops named are
// there from the beginning. `read` has the sources by name; `panel` draws accesses.
function sourcesOf(view, loops, read, panel) {
  const listings = new Map();
  const wanted = wantedLines(view, loops, read), costs = new Map([...wanted.keys()].map(name => [name, kernelMarks(name, view)]));
  const hot = hottestPlace(costs, view);
  const names = [...wanted.keys()].sort((a, b) => (b === hot?.[0]) - (a === hot?.[0]));
  let last = hot || view.at;
  for (const name of names)
    listings.set(name, makeListing({name, source: read.get(name), wanted: wanted.get(name), marks: costs.get(name), panel,
      memory: new Map(view.lines.filter(line => line.at[0] === name).map(line => [line.at[1], line])),
      href: line => addressOf({kernel: openKernel, file: name, line})}));
  const node = sourcesSection([...listings.values()].map(listing => listing.node), () => last);
  node.append(panel.node);
  const show = place => {
    const listing = listings.get(place[0]);
    if (listing) {
      last = place;
      listing.show(place[1]);
    }
  };
  return {node, show, opened: () => hot && listings.get(hot[0]).scrollTo(hot[1]),
          has: place => Boolean(place && listings.has(place[0]) && place[1])};
}

const sourcesSection = (listings, place) => element("section", {class: "sources", "aria-labelledby": "sources-head"},
  element("div", {class: "sources-head"}, element("h2", {id: "sources-head"}, "Source"), editorPanel(place)), listings);

// Everything in a kernel that has a place.
function placesOf(view) {
  return [view.at, ...view.loops.flatMap(loop => [loop, ...loop.reasons, ...loop.path].map(part => part.at)),
    ...view.forks.map(fork => fork.at), ...view.lines.map(line => line.at)].filter(place => place && place[0]);
}

// For each file, in the order in which they matter, the lines that are shown first.
function wantedLines(view, loops, read) {
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
    (wanted.has(line.at[0]) || read.get(line.at[0]).lines) && add(line.at, number < LOOPS || line.severity > 0));
  return wanted;
}

// What the lines of a file cost the kernel: by line, the worst loop, then the branches. A mark is {text,
// severity, kind, words, href, low}.
function kernelMarks(name, view) {
  const marks = new Map(), worst = new Map();
  view.loops.forEach((loop, number) => {
    if (!loop.at || loop.at[0] !== name)
      return;
    const other = worst.get(loop.at[1]);
    if (other === undefined || (loop.intervals && loop.intervals.share[0] > view.loops[other].intervals.share[0]))
      worst.set(loop.at[1], number);
  });
  for (const [line, number] of worst) {
    const loop = view.loops[number];
    marks.set(line, [{text: loop.lost && loop.full ? loop.lost : "loop", severity: loop.severity || 0, kind: "Loop", words: loop.words,
      href: loopAddress(number), low: loop.intervals ? loop.intervals.share[0] : -1, high: loop.intervals ? loop.intervals.share[1] : -1}]);
  }
  view.forks.filter(fork => fork.at && fork.at[0] === name && fork.slots).forEach(fork => {
    const own = marks.get(fork.at[1]) || [];
    if (!own.some(mark => mark.kind === "Branch")) // the first is the first in the code
      marks.set(fork.at[1], [...own, {text: fork.slots + " idle", severity: fork.severity, kind: "Branch", words: fork.idle, low: -1, high: -1}]);
  });
  return marks;
}

// The line that loses most: of a loop, else of a branch or a finding.
function hottest(marks) {
  const key = ([, [mark]]) => [-mark.severity, -(mark.low ?? -1), -(mark.high ?? -1)];
  const [first] = [...marks].sort((a, b) => compareKeys(key(a), key(b)) || a[0] - b[0]);
  return first ? first[0] : 0;
}

// Of a kernel, in whatever file; where no loop or branch loses, where memory does.
function hottestPlace(costs, view) {
  const all = new Map([...costs].flatMap(([name, marks]) => [...marks].filter(([, [mark]]) => mark.high > 0 || mark.severity).map(
    ([line, own]) => [JSON.stringify([name, line]), own])));
  const found = hottest(all);
  return found ? JSON.parse(found) : [...view.lines].sort((a, b) => b.severity - a.severity).map(line => line.at)[0] || null;
}

// The lines of a file: {node, show(line), scrollTo(line), line()}; line() is the one that was shown last. Of
// {name, source, wanted, marks, href(line)}, and of a kernel also memory (what accesses take, by line) and
// panel.
function makeListing({name, source, wanted, marks, href, memory, panel}) {
  const heading = element("h3", null, shortFile(name));
  if (!source.lines)
    return {node: element("div", null, heading, element("p", {class: "quiet"},
              "Not shown: it could not be read when the report was made (" + source.missing + ").")),
            show: () => say("The source of " + shortFile(name) + " is not in the report"), scrollTo: () => {}, line: () => 0};
  const hasMemory = Boolean(memory && memory.size);
  const cells = hasMemory ? line => memoryCell(memory.get(line), panel) : () => null;
  const heads = ["Lost", ...(hasMemory ? ["Sectors / needed"] : []), "Line", "Text"];
  const body = element("tbody"), rows = new Map();
  let shown = 0;
  const makeRows = (from, to) => Array.from({length: to - from + 1}, (_, k) => {
    const row = sourceRow(from + k, source, marks.get(from + k), cells(from + k), href(from + k));
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
    element("table", null, element("caption", {class: "unseen"}, "Lines of " + shortFile(name) + ", with what loops and branches lose, and what accesses take"),
      element("thead", null, element("tr", null, heads.map(head => element("th", {scope: "col"}, head)))), body));
  const rowOf = line => {
    const hidden = [...gaps].find(gap => gap.from <= line && line <= gap.to);
    if (hidden)
      openGap(hidden, Math.max(hidden.from, line - CONTEXT), Math.min(hidden.to, line + CONTEXT));
    return rows.get(line);
  };
  const show = line => {
    const row = rowOf(line);
    if (!row)
      return;
    shown = line;
    row.scrollIntoView({block: "center"});
    row.focus({preventScroll: true});
    say("Line " + line + " of " + shortFile(name));
  };
  const scrollTo = line => {
    const row = rowOf(line);
    if (row)
      box.scrollTo({top: row.offsetTop - box.clientHeight / 3, behavior: "instant"});
  };
  // When the page is there: large sources take their time.
  setTimeout(() => {
    source.coloured = source.coloured || tokenLines(source);
    rows.forEach((row, line) => row.lastChild.replaceChildren(...colouredText(source.coloured[line - 1])));
    box.dataset.coloured = "";
  }, 0);
  return {node: element("div", null, heading, box), show, scrollTo, line: () => shown || hottest(marks)};
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

function sourceRow(line, source, marks, memory, href) {
  const severity = marks ? SEVERITIES[Math.max(...marks.map(mark => mark.severity))] : "";
  const mark = ({text, severity, kind, words, href}) => element(href ? "a" : "span",
    {href, class: SEVERITIES[severity] || null, title: words, "aria-label": href && `${kind}: ${words}`}, text);
  return element("tr", {class: severity && "is-" + severity, tabindex: "-1"},
    element("td", {class: "mark"}, marks && marks.map((one, k) => [k > 0 && ", ", mark(one)])),
    memory,
    element("th", {class: "row", scope: "row"}, element("a", {href, tabindex: "-1"}, String(line))),
    element("td", null, source.coloured ? colouredText(source.coloured[line - 1]) : source.lines[line - 1]));
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
