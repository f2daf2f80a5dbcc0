// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lists of findings, kernels and loops: sorted, filtered, and as many rows at a time as somebody
// reads, however many there are.

const PAGE = 100;

// Kernels come in the order that the column of times explains, and that no column has by itself: those
// whose time isn't known stand between those that lose time and those that lose none.
const timed = index.kernels.some(row => row[KERNEL.timeLost] >= 0);
const TIME_LOST = {name: "Time lost", key: row => [row[KERNEL.timeLost]], first: -1, number: true,
                   cell: row => numberCell(row[KERNEL.time])};
const LISTS = {
  findings: {
    title: "What to do first", caption: "Findings and what they cost",
    get rows() { return findings; }, columns: FINDING, noun: ["finding", "findings"], choice: {name: "Rule", column: FINDING.rule, text: value => index.rules[value].name},
    text: row => [row[FINDING.text], rowPlace(row, FINDING), index.kernels[row[FINDING.kernel]][KERNEL.name], index.rules[row[FINDING.rule]].name].join(" "),
    asGiven: true,
    heads: [
      {name: "Cost", key: row => [row[FINDING.low], row[FINDING.high]], first: -1, cell: row => costCell(row)},
      {name: "Finding", key: row => [row[FINDING.file], row[FINDING.line], row[FINDING.column]], first: 1, cell: (row, number) => findingCell(row, number)},
    ],
  },
  kernels: {
    title: "Kernels, worst first", caption: "Kernels and what they lose",
    rows: index.kernels, columns: KERNEL, noun: ["kernel", "kernels"],
    text: row => row[KERNEL.name] + " " + rowPlace(row, KERNEL),
    asGiven: timed,
    heads: [
      ...(timed ? [TIME_LOST] : []),
      {name: "Lost", key: row => [row[KERNEL.low], row[KERNEL.high]], first: -1, cell: row => lostCell(row, KERNEL)},
      {name: "Kernel", key: row => [row[KERNEL.name]], first: 1, heading: true,
       cell: (row, number) => element("th", {scope: "row", class: "name"},
         element("a", {href: addressOf({kernel: number})}, bareName(row[KERNEL.name])), signature(row[KERNEL.name]),
         element("div", {class: "quiet"}, rowPlace(row, KERNEL),
           row[KERNEL.leavesOut] ? (rowPlace(row, KERNEL) && ", ") + "without its calls" : "",
           row[KERNEL.instances] ? (rowPlace(row, KERNEL) && ", ") + `the worst of ${row[KERNEL.instances] + 1} instances` : ""))},
      {name: "Trips from", key: row => [row[KERNEL.from]], first: 1, cell: row => element("td", null, row[KERNEL.from])},
      {name: "Efficiency", key: row => [row[KERNEL.efficient]], first: 1, number: true, cell: row => numberCell(row[KERNEL.efficiency])},
      {name: "Issue cycles per warp", key: row => [row[KERNEL.slow]], first: -1, number: true, cell: row => numberCell(row[KERNEL.cycles])},
      {name: "Loops", key: row => [row[KERNEL.loops]], first: -1, number: true, cell: row => numberCell(row[KERNEL.loops])},
      {name: "Findings", key: row => [row[KERNEL.findings]], first: -1, number: true, cell: row => numberCell(row[KERNEL.findings])},
    ],
  },
  loops: {
    title: "Loops, worst first", caption: "Loops and what they lose",
    rows: [], columns: LOOP, noun: ["loop", "loops"], choice: {name: "Class", column: LOOP.class},
    text: row => rowPlace(row, LOOP) + " " + index.kernels[row[LOOP.kernel]][KERNEL.name],
    heads: [
      {name: "Lost of its kernel", key: row => [row[LOOP.low], row[LOOP.high]], first: -1, cell: row => lostCell(row, LOOP)},
      {name: "Loop", key: row => [row[LOOP.file], row[LOOP.line], row[LOOP.column]], first: 1, heading: true,
       cell: row => element("th", {scope: "row", class: "name"},
         element("a", {href: addressOf({kernel: row[LOOP.kernel], loop: row[LOOP.loop]})}, rowPlace(row, LOOP) || "(no location)"),
         element("div", {class: "quiet"}, index.kernels[row[LOOP.kernel]][KERNEL.name]))},
      {name: "Class", key: row => [row[LOOP.class]], first: 1, cell: row => element("td", null, row[LOOP.class])},
      {name: "Trips from", key: row => [row[LOOP.from]], first: 1, cell: row => element("td", null, row[LOOP.from])},
      {name: "Imbalance", key: row => [row[LOOP.aggregate]], first: -1, number: true, cell: row => numberCell(row[LOOP.imbalance])},
    ],
  },
};

// "spmv<float>" of "void spmv<float>(int const*, float*)", and what follows: parentheses of unnamed
// namespaces and in template arguments don't begin the parameters.
function nameEnd(name) {
  const unnamed = "(anonymous namespace)";
  let depth = 0;
  for (let at = 0; at < name.length; ++at)
    if (name.startsWith(unnamed, at))
      at += unnamed.length - 1;
    else if (name[at] === "(" && depth === 0)
      return at;
    else
      depth += name[at] === "<" ? 1 : name[at] === ">" && depth > 0 ? -1 : 0;
  return name.length;
}
const bareName = name => name.slice(0, nameEnd(name)).replace(/^void /, "") || "(no name)";
const signature = name => element("span", {class: "quiet signature"}, name.slice(nameEnd(name)));

function lostCell(row, columns) {
  const severity = SEVERITIES[row[columns.severity]];
  if (row[columns.low] < 0)
    return element("td", {class: "lost quiet"}, "no estimate");
  return element("td", {class: "lost"}, element("span", {class: severity}, row[columns.lost]),
    shareBar(row[columns.low], row[columns.high], row[columns.severity]));
}

const numberCell = text => element("td", {class: "number"}, String(text));

function compareKeys(a, b) {
  for (let k = 0; k < a.length; ++k)
    if (a[k] !== b[k])
      return a[k] < b[k] ? -1 : 1;
  return 0;
}

// What a list shows is kept while the page is open, so that coming back finds it as it was.
const states = {findings: {}, kernels: {}, loops: {}};

function listPage(kind) {
  const list = LISTS[kind], state = states[kind];
  Object.assign(state, {sorted: list.asGiven ? -1 : 0, direction: -1, search: "", least: 0, choice: "", pages: 1, ...state});
  list.texts = list.texts || list.rows.map(row => list.text(row).toLowerCase());
  const body = element("tbody"), count = element("p", {class: "count"});
  const more = element("button", {type: "button", class: "more"});
  let found = [];
  const showRows = from => {
    body.append(...found.slice(from, state.pages * PAGE).map(number => element("tr", null,
      list.heads.map(head => head.cell(list.rows[number], number)))));
    const left = found.length - state.pages * PAGE;
    more.hidden = left <= 0;
    more.textContent = `Show ${Math.min(PAGE, left)} more of ${left.toLocaleString("en")}`;
  };
  const update = told => {
    found = select(list, state);
    const words = found.length.toLocaleString("en") + " of " + list.rows.length.toLocaleString("en") +
      " " + list.noun[list.rows.length === 1 ? 0 : 1];
    body.replaceChildren();
    showRows(0);
    count.textContent = words;
    if (told)
      say(words);
  };
  more.addEventListener("click", () => {
    const from = state.pages++ * PAGE;
    showRows(from);
    const link = body.children[from] && body.children[from].querySelector("a");
    if (link)
      link.focus();
  });
  const page = [
    element("h1", null, list.title),
    filters(list, state, () => { state.pages = 1; update(true); }, count),
    element("div", {class: "scroll"}, element("table", {id: kind},
      element("caption", {class: "unseen"}, list.caption),
      element("thead", null, headRow(list, state, update)), body)),
    more];
  update(false);
  return page;
}

// The numbers of the rows that pass, in order.
function select(list, state) {
  const words = state.search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = [];
  for (let k = 0; k < list.rows.length; ++k) {
    const row = list.rows[k];
    if ((!state.least || row[list.columns.high] >= state.least) && words.every(word => list.texts[k].includes(word)) &&
        (!state.choice || String(row[list.choice.column]) === state.choice))
      found.push(k);
  }
  const head = list.heads[state.sorted];
  if (!head)
    return found;
  const keys = new Map(found.map(k => [k, head.key(list.rows[k])]));
  return found.sort((a, b) => state.direction * compareKeys(keys.get(a), keys.get(b)) || a - b);
}

function filters(list, state, changed, count) {
  const search = element("input", {type: "search", value: state.search, autocomplete: "off",
    oninput: () => { state.search = search.value; changed(); }});
  const least = element("select", {onchange: () => { state.least = Number(least.value); changed(); }},
    [["0", "any"], ["0.001", "0.1% or more"], ["0.02", "2% or more"], ["0.1", "10% or more"]].map(
      ([value, text]) => element("option", {value, selected: Number(value) === state.least}, text)));
  const choices = list.choice && [...new Set(list.rows.map(row => row[list.choice.column]))].sort();
  const choice = choices && element("select", {onchange: () => { state.choice = choice.value; changed(); }},
    element("option", {value: ""}, "any"), choices.map(value => element("option", {value, selected: String(value) === state.choice},
      list.choice.text ? list.choice.text(value) : value)));
  return element("div", {class: "filters", role: "search"},
    field("Name or file contains", search), field("May lose", least), choice && field(list.choice.name, choice), count);
}

function headRow(list, state, update) {
  const row = element("tr");
  const mark = () => list.heads.forEach((head, k) => {
    const cell = row.children[k];
    if (k === state.sorted)
      cell.setAttribute("aria-sort", state.direction < 0 ? "descending" : "ascending");
    else
      cell.removeAttribute("aria-sort");
  });
  list.heads.forEach((head, k) => row.append(element("th", {scope: "col", class: head.number ? "number" : null},
    element("button", {type: "button", onclick: () => {
      state.direction = k === state.sorted ? -state.direction : head.first;
      state.sorted = k;
      mark();
      update(false);
      say(`Sorted by ${head.name}, ${state.direction < 0 ? "largest first" : "smallest first"}`);
    }}, head.name))));
  mark();
  return row;
}
