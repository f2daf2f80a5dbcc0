// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel: what it loses, its loops with their reasons, and beside them the source. What a loop's
// drawings need is computed when they are opened.

const LOOPS = 50; // that are shown at once

let openKernel = 0;
const loopAddress = loop => addressOf({kernel: openKernel, loop});

// A link into the source, or the place alone where that isn't in the report.
function placeLink(sources, place) {
  if (!place || !place[0])
    return null;
  const text = placeText(...place);
  if (!sources.has(place))
    return element("span", {class: "code"}, text);
  return element("a", {href: addressOf({kernel: openKernel, file: place[0], line: place[1]}), class: "code"}, text);
}

function facts(rows) {
  let told = "";
  return element("dl", {class: "facts"}, rows.map(([name, ...words]) => {
    const shown = name === told ? "" : name;
    told = name;
    return [element("dt", null, shown || element("span", {class: "unseen"}, name)), element("dd", null, words)];
  }));
}

async function kernelPage({kernel: number}) {
  const {view, findings, instances} = await readKernel(number), order = loopOrder(view);
  const read = await readSources([...new Set(placesOf(view).map(place => place[0]))]);
  openKernel = number;
  const access = accessPanel(number), sources = sourcesOf(view, order.slice(0, LOOPS), read, access);
  const wide = [
    element("p", null, element("a", {href: "#kernels"}, "\u2190 All kernels")),
    element("h1", {id: "head", tabindex: "-1"}, view.name || "(no name)"),
    view.at && element("p", {class: "where"}, placeLink(sources, view.at)),
    facts([
      ...(view.not_analysed ? [["not analysed", view.not_analysed]] : []),
      ...view.launches.map(launch => ["block", launch.words, launch.at && " at ", placeLink(sources, launch.at)]),
      ...(view.values ? [["values", view.values]] : []),
      ...(view.measured ? [["measured", view.measured]] : []),
      ...(view.waits ? [["waits", view.waits]] : []),
      ...(view.branches ? [["branches", view.branches]] : []),
      ...(view.memory ? [["memory", view.memory]] : []),
      ...(view.occupancy ? [["occupancy", view.occupancy]] : []),
      ...(view.time ? [["time", view.time]] : []),
      ...(view.calls ? [["calls", view.calls]] : []),
      ...view.costs.map(cost => ["costs", cost])]),
    instancesList(instances),
    estimatesTable(view),
  ];
  const panels = loopPanels(number, view, order, sources);
  const loops = element("section", {"aria-labelledby": "loops-head"},
    element("h2", {id: "loops-head"}, loopsHead(view)), panels.nodes,
    view.loops.length === 0 && element("p", {class: "quiet"}, view.not_analysed ? "None is known of." : "It has no loops."));
  const extras = [forksPanel(view, sources), accessesPanel(view, sources, access), findingsPanel(findings, sources)];
  const nodes = [...wide, element("div", {class: "sides"},
    element("div", null, loops, extras, view.estimates.some(e => e.intervals.cycles[0] >= 0) && whatIf(number, view, order.filter(loop => view.loops[loop].full).slice(0, LOOPS))), sources.node)];
  const reveal = ({loop, place}) => {
    if (view.loops[loop])
      panels.reveal(loop);
    else if (place)
      sources.show(place);
  };
  return {nodes, opened: sources.opened, reveal};
}

function loopsHead(view) {
  const shown = view.estimates[view.shown];
  return view.estimates.length > 1 ? `Loops, for sm_${shown.sm} and blocks of ${shown.block}` : "Loops";
}

function estimatesTable(view) {
  if (!view.estimates.length)
    return element("p", {class: "quiet"}, "It has no estimates.");
  const heads = ["Architecture", "Block", "Cycles per warp", "Lost", "Imbalance", "Reconvergence", "Efficiency"];
  return element("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": "Estimates"},
    element("table", {class: "estimates"},
      element("caption", {class: "unseen"}, "Estimates, by architecture and launch"),
      element("thead", null, element("tr", null, heads.map((head, k) => element("th", {scope: "col", class: k > 1 ? "number" : null}, head)))),
      element("tbody", null, view.estimates.map(e => element("tr", null,
        element("th", {scope: "row"}, "sm_" + e.sm), element("td", null, e.block), element("td", {class: "number"}, e.cycles),
        element("td", {class: "number"}, element("span", {class: SEVERITIES[e.severity]}, e.lost)),
        [e.imbalance, e.reconvergence, e.efficiency].map(text => element("td", {class: "number"}, text)))))));
}

// Loops by what they and the loops inside them lose, each before the loops inside it.
function loopOrder(view) {
  const sums = view.loops.map(loop => loop.intervals ? [Math.max(0, loop.intervals.share[0]), Math.max(0, loop.intervals.share[1])] : [0, 0]);
  const inside = new Map();
  for (let k = view.loops.length - 1; k >= 0; --k) {
    const parent = view.loops[k].parent;
    if (parent >= 0)
      sums[k].forEach((share, end) => { sums[parent][end] += share; });
    inside.set(parent, [...(inside.get(parent) || []), k]);
  }
  const worse = (a, b) => sums[b][0] - sums[a][0] || sums[b][1] - sums[a][1] || a - b;
  const order = [], waiting = (inside.get(-1) || []).sort(worse).reverse();
  while (waiting.length) {
    const loop = waiting.pop();
    order.push(loop);
    waiting.push(...(inside.get(loop) || []).sort(worse).reverse());
  }
  return order;
}

// The worst loops, and more of them when they are asked for: {nodes, reveal(k)}, where reveal makes
// those up to loop k and goes there.
function loopPanels(number, view, order, sources) {
  const inside = element("div"), more = element("button", {type: "button", class: "more"});
  let made = 0;
  const make = count => {
    inside.append(...order.slice(made, count).map(loop => loopPanel(number, view, loop, sources)));
    made = Math.max(made, Math.min(count, order.length));
    more.hidden = made === order.length;
    more.textContent = `Show ${Math.min(LOOPS, order.length - made)} more of ${(order.length - made).toLocaleString("en")} loops`;
  };
  more.addEventListener("click", () => {
    const from = made;
    make(made + LOOPS);
    inside.children[from].querySelector("h3").focus();
  });
  const reveal = loop => {
    make(order.indexOf(loop) + 1);
    document.getElementById("loop-" + loop).focus();
  };
  make(LOOPS);
  return {nodes: [inside, more], reveal};
}

function loopPanel(number, view, k, sources) {
  const loop = view.loops[k], severity = SEVERITIES[loop.severity || 0];
  const inner = "inner" + Math.min(loop.depth - 1, 3);
  const head = element("h3", {tabindex: "-1", id: "loop-" + k},
    placeLink(sources, loop.at) || element("span", null, "(no location)"),
    element("span", {class: severity}, loop.words));
  if (!loop.full)
    return element("div", {class: "panel loop short " + inner}, head);
  return element("article", {class: `panel loop ${inner} ${severity && "is-" + severity}`, "aria-labelledby": "loop-" + k}, head,
    facts([["class", loop.class],
      ...loop.path.map(step => ["in", step.text + ", called at ", placeLink(sources, step.at)]),
      ...loop.figures.map(([name, words, code]) => [name, code ? element("span", {class: "code"}, words) : words]),
      ...(loop.condition ? [["condition", loop.condition]] : []), ...(loop.unknown ? [["unknown", loop.unknown]] : []),
      ...(loop.ignored ? [["ignored", loop.ignored + (loop.ignored_at ? ` (${loop.ignored_at})` : "")]] : [])]),
    loop.reasons.length > 0 && [element("h4", null, "Because"),
      element("ol", {class: "because"}, loop.reasons.map(reason => element("li", null, placeLink(sources, reason.at), reason.at && ": ", reason.text)))],
    drawingsOf(number, k, loop));
}

function drawingsOf(number, k, loop) {
  const inside = element("div", {class: "drawings"}), granular = element("div");
  const details = element("details", null, element("summary", null, "Distribution, imbalance, history, granularity"), inside, granular);
  let done = false;
  details.addEventListener("toggle", () => {
    if (done || !details.open)
      return;
    done = true;
    inside.append(element("p", {class: "quiet"}, "Computing \u2026"));
    Promise.all([loadModel(), readFlat(number)]).then(([model, flat]) => setTimeout(() => {
      askKernel(model, flat, {});
      inside.replaceChildren(...["trips", "imbalance", "depth"].map(what => drawing(model, what, k)).filter(Boolean));
      granular.append(...granularity(model, k, loop));
      details.dataset.drawn = "";
    }, 0)).catch(error => inside.replaceChildren(element("p", {class: "wrong"}, "Not drawn: " + error.message)));
  });
  return details;
}

const DRAWINGS = {trips: tripsChart, imbalance: imbalanceChart, depth: depthChart};
function drawing(model, what, loop) {
  try {
    return DRAWINGS[what](what === "depth" ? ask(model, "model_depth") : ask(model, "model_" + what, loop));
  } catch (error) {
    return element("p", {class: "quiet"}, "Not drawn: " + error.message);
  }
}

// Several lanes to an item: what the loop would lose.
function granularity(model, k, loop) {
  const rows = loop.distributions.length ? ask(model, "model_granularity", k).rows : [];
  if (!rows.length)
    return [];
  const span = (values, print) =>
    [...new Set([...values].sort((a, b) => a - b).map(print))].join("..").replace(/%(?=\.\.)/, "");
  return [element("h4", null, "What if several lanes share an item"),
    element("div", {class: "scroll"}, element("table", {class: "granularity"},
      element("caption", {class: "unseen"}, "Granularity: lanes for each item, and what the loop loses then"),
      element("thead", null, element("tr", null, ["Lanes per item", "Aggregate imbalance", "Efficiency"].map(head => element("th", {scope: "col", class: "number"}, head)))),
      element("tbody", null, rows.map(row => element("tr", null,
        element("th", {scope: "row", class: "number"}, row.lanes + (row.lanes === 1 ? " (today)" : "")),
        element("td", {class: "number"}, span(row.aggregate, round3)),
        element("td", {class: "number"}, span(row.efficiency, percent))))))),
    element("p", {class: "quiet"}, "Lanes take an item's iterations in turn; what splitting costs otherwise (a reduction at the end, say) isn't in it. " +
      (loop.distributions.length > 1 ? "The distributions are assumed." : ""))];
}

function accessesPanel(view, sources, panel) {
  const lineOf = ({access, at, text}) =>
    view.lines.find(line => line.accesses.some(([other]) => other === access)) || {at, accesses: [[access, text]]};
  return view.accesses.length > 0 && element("section", {class: "panel", "aria-labelledby": "accesses-head"},
    element("h2", {id: "accesses-head"}, "Memory: what takes more than it needs"),
    element("ul", {class: "because"}, view.accesses.map(access => element("li", null,
      placeLink(sources, access.at), " " + access.text + " ",
      element("button", {type: "button", class: "small", "aria-label": "Draw the lanes of " + access.text,
        onclick: event => {
          const opener = event.currentTarget;
          sources.show(access.at);
          panel.show(lineOf(access), access.access, opener, document.activeElement.closest("tr"));
        }}, "Draw")))));
}

function forksPanel(view, sources) {
  return view.forks.length > 0 && element("section", {class: "panel", "aria-labelledby": "forks-head"},
    element("h2", {id: "forks-head"}, "Divergent branches"),
    element("ul", {class: "because"}, view.forks.map(fork => element("li", null, placeLink(sources, fork.at),
      fork.text && ": ", fork.text && element("span", {class: "code"}, fork.text), fork.idle && `: ${fork.idle}`))));
}

function findingsPanel(findings, sources) {
  return findings.length > 0 && element("section", {class: "panel", "aria-labelledby": "findings-head"},
    element("h2", {id: "findings-head"}, "Findings"),
    element("ul", {class: "because"}, findings.map(finding => element("li", null, placeLink(sources, finding.at), finding.at && ": ",
      finding.text, ` [divcost-${finding.rule}]`, finding.suppressed && " (suppressed)",
      finding.others.length > 0 && element("span", {title: finding.others.join("\n")},
        ` (and in ${finding.others.length} other instance${finding.others.length === 1 ? "" : "s"})`)))));
}

// The others of the template, of which this one is the worst.
function instancesList(instances) {
  return instances.length > 0 && element("details", {class: "instances"},
    element("summary", null, `The worst of ${instances.length + 1} instances`),
    element("ul", null, instances.map(name => element("li", {class: "code"}, name))));
}
