// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Drawings: each a figure with a title, a sentence that says what it shows, and its numbers as a
// table. Where two distributions are drawn, the first is of bars and the second a line.

const CHART = {width: 360, height: 150, left: 44, right: 8, top: 12, bottom: 28};
const PLOT = {width: CHART.width - CHART.left - CHART.right,
              height: CHART.height - CHART.top - CHART.bottom};

const round3 = value => Number(value.toPrecision(3)).toLocaleString("en");
const percent = share => share === 0 ? "0%" :
  (share > 0 && share < 0.001 ? "<0.1" : (100 * share).toFixed(share < 0.0995 ? 1 : 0)) + "%";
const rangeText = (from, to) => from === to ? from.toLocaleString("en") :
  from.toLocaleString("en") + "\u2013" + to.toLocaleString("en");

// A share of the kernel's issue cycles as a bar; the number stands beside it.
function shareBar(low, high, severity) {
  const at = share => 100 * Math.min(1, Math.max(0, share));
  return drawn("svg", {viewBox: "0 0 100 5", preserveAspectRatio: "none", "aria-hidden": "true"},
    drawn("rect", {class: "bar-all", width: 100, height: 5}),
    high > low && drawn("rect", {class: "bar-may", width: at(high), height: 5}),
    drawn("rect", {class: "bar-is bar-" + SEVERITIES[severity], width: at(low), height: 5}));
}

function axes(most, mostText, ticks) {
  const bottom = CHART.top + PLOT.height;
  return [
    drawn("line", {class: "axis", x1: CHART.left, x2: CHART.left + PLOT.width, y1: bottom, y2: bottom}),
    drawn("line", {class: "axis", x1: CHART.left, x2: CHART.left + PLOT.width, y1: CHART.top, y2: CHART.top}),
    drawn("text", {x: CHART.left - 5, y: CHART.top + 4, "text-anchor": "end"}, mostText),
    drawn("text", {x: CHART.left - 5, y: bottom + 4, "text-anchor": "end"}, "0"),
    ticks.map(({at, text}, k) => drawn("text", {
      x: CHART.left + PLOT.width * at, y: bottom + 18,
      "text-anchor": k === 0 ? "start" : k === ticks.length - 1 ? "end" : "middle"}, text)),
  ];
}

// Bars side by side that fill the plot.
function bars(heights, most) {
  const width = PLOT.width / heights.length, gap = width > 4 ? 1 : 0;
  return heights.map((height, k) => height > 0 && drawn("rect", {
    class: "first", x: (CHART.left + k * width).toFixed(2), width: Math.max(width - gap, .5).toFixed(2),
    y: (CHART.top + PLOT.height * (1 - height / most)).toFixed(2),
    height: (PLOT.height * height / most).toFixed(2)}));
}

function stairs(heights, most, className, closed) {
  const width = PLOT.width / heights.length, bottom = CHART.top + PLOT.height;
  let path = "M" + CHART.left + " " + bottom;
  heights.forEach((height, k) => {
    path += "V" + (bottom - PLOT.height * height / most).toFixed(2) +
      "H" + (CHART.left + (k + 1) * width).toFixed(2);
  });
  return drawn("path", {class: className, d: path + (closed ? "V" + bottom + "Z" : "V" + bottom)});
}

function numbersTable(heads, rows) {
  return element("details", null, element("summary", null, "The numbers"),
    element("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": "Numbers of the drawing"},
      element("table", null,
        element("thead", null, element("tr", null,
          heads.map(head => element("th", {scope: "col", class: "number"}, head)))),
        element("tbody", null, rows.map(row => element("tr", null,
          row.map((cell, k) => element(k ? "td" : "th", {class: "number", scope: k ? null : "row"}, cell))))))));
}

function chart(title, sentence, shapes, heads, rows, keys) {
  const named = fresh(), told = fresh();
  return element("figure", null,
    drawn("svg", {viewBox: `0 0 ${CHART.width} ${CHART.height}`, role: "img",
                  "aria-labelledby": named + " " + told},
      drawn("title", {id: named}, title), drawn("desc", {id: told}, sentence), shapes),
    element("figcaption", null, element("strong", null, title), sentence,
      keys && keys.map((key, k) => element("span", null, " ",
        element("span", {class: "key " + (k ? "of-second" : "of-first"), "aria-hidden": "true"}), key))),
    numbersTable(heads, rows));
}

// What model_trips answers: the distribution, or the lanes of the first warp.
function tripsChart(trips) {
  if (trips.lanes && trips.lanes.length)
    return lanesChart(trips);
  if (!trips.distributions)
    return null;
  const distributions = trips.distributions, points = distributions[0].points;
  const all = distributions.map(distribution => distribution.points.map(point => point[2]));
  const most = Math.max(...all.flat());
  const last = points[points.length - 1][1];
  const keys = distributions.map(distribution => distribution.distribution + ", mean " + round3(distribution.mean));
  const beyond = distributions.map(distribution => percent(distribution.beyond)).join(" and ");
  return chart("Trip counts of a lane",
    (distributions.length > 1 ? "Between two distributions (assumed). " : "") +
      (distributions.some(distribution => distribution.beyond > 0) ? `Above ${last.toLocaleString("en")}: ${beyond}, not drawn.` : ""),
    [axes(most, percent(most), [{at: 0, text: round3(points[0][0])},
                                {at: .5, text: "trips"}, {at: 1, text: round3(last)}]),
     bars(all[0], most), all[1] && stairs(all[1], most, "second", false)],
    ["trips", ...distributions.map(distribution => distribution.distribution)],
    points.map((point, k) => [rangeText(point[0], point[1]), ...all.map(masses => percent(masses[k]))]),
    keys);
}

function lanesChart({lanes, assumed}) {
  const most = Math.max(...lanes, 1);
  return chart("Trip counts of the first warp",
    `From ${round3(Math.min(...lanes))} to ${round3(most)} in lanes 0 to ${lanes.length - 1}, ` +
      "in the first iterations of the loops around it" +
      (assumed ? ", with values that only the launch knows taken as 65536 (assumed)." : " (derived)."),
    [axes(most, round3(most), [{at: 0, text: "lane 0"}, {at: 1, text: "lane " + (lanes.length - 1)}]),
     bars(lanes, most)],
    ["lane", "trips"], lanes.map((trips, lane) => [String(lane), trips.toLocaleString("en")]));
}

function imbalanceChart({distributions}) {
  if (!distributions.length)
    return null;
  const all = distributions.map(distribution => distribution.masses);
  let shown = all[0].length;
  while (shown > 8 && all.every(masses => masses[shown - 1] < 1e-4))
    --shown;
  const merged = Math.ceil(shown / 62), count = Math.ceil(shown / merged), width = merged * distributions[0].width;
  const cut = all.map(masses => Array.from({length: count}, (_, k) =>
    masses.slice(k * merged, (k + 1) * merged).reduce((sum, mass) => sum + mass, 0)));
  const most = Math.max(...cut.flat()), end = distributions[0].low + count * width;
  const from = k => (distributions[0].low + k * width).toFixed(2);
  const means = distribution => round3(distribution.aggregate) === round3(distribution.mean) ? round3(distribution.mean) :
    `${round3(distribution.aggregate)} in aggregate, ${round3(distribution.mean)} expected`;
  return chart("Imbalance of a warp",
    "Slots issued over slots used: 1 is none, 32 the worst." + (distributions.length > 1 ? " Between two distributions (assumed)." : "") +
      (distributions.some(distribution => distribution.step > 1) ? ` Drawn with trip counts in steps of ${Math.max(...distributions.map(distribution => distribution.step))}.` : ""),
    [axes(most, percent(most), [{at: 0, text: "1"}, {at: .5, text: "imbalance"}, {at: 1, text: round3(end)}]),
     bars(cut[0], most), cut[1] && stairs(cut[1], most, "second", false)],
    ["imbalance", ...distributions.map(distribution => distribution.distribution)],
    cut[0].map((mass, k) => [from(k) + "\u2013" + from(k + 1), ...cut.map(masses => percent(masses[k]))]),
    distributions.map(distribution => `${distribution.distribution}: ${means(distribution)}`));
}

function depthChart(depth) {
  const stack = depth.rules === "stack";
  const greatest = Math.max(...depth.depths, 0), most = Math.max(greatest, 1);
  const limit = stack && depth.on_chip && depth.on_chip < most ? depth.on_chip : 0;
  const y = CHART.top + PLOT.height * (1 - limit / most), each = depth.steps / depth.depths.length;
  return chart(stack ? "Depth of the reconvergence stack" : "Open convergence barriers",
    `At most ${greatest}, in the ${depth.whole ? "" : "first "}${depth.steps.toLocaleString("en")} steps ` +
      `of the first warp (emulated${depth.assumed ? ", from assumed values" : ""}).` +
      (limit ? ` Above the dashed line, ${limit}, entries are spilled.` : ""),
    [axes(most, String(most), [{at: 0, text: "0"}, {at: .5, text: "step"},
                               {at: 1, text: depth.steps.toLocaleString("en")}]),
     stairs(depth.depths, most, "steps", true),
     limit > 0 && drawn("line", {class: "limit", x1: CHART.left, x2: CHART.left + PLOT.width, y1: y, y2: y})],
    ["from step", stack ? "depth" : "barriers"],
    depth.depths.map((value, k) => [Math.floor(k * each).toLocaleString("en"), String(value)]));
}
