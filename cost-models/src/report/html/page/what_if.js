// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What if: another block, architecture, parameters, distributions. libdivcost answers, the one that
// made the report; the answer stands beside what was reported.

function whatIf(number, view, loops) {
  const form = element("form", {novalidate: true}), answer = element("div", {class: "answer", "aria-live": "polite"});
  const controls = formControls(view, loops);
  fill(form, null, [
    element("div", {class: "questions"},
      element("fieldset", null, element("legend", null, "Threads of a block"),
        element("div", {class: "axes"}, controls.block)),
      field("Architecture", controls.arch), field("Lanes per item", controls.lanes)),
    controls.params.length > 0 && element("fieldset", null, element("legend", null, "Parameters"),
      element("div", {class: "questions"}, controls.params.map(({name, input}) => field(name, input)))),
    controls.distributions.length > 0 && element("fieldset", null, element("legend", null, "Distribution of trip counts"),
      element("div", {class: "questions"}, controls.distributions.map(({name, input}) => field(name, input)))),
    element("div", {class: "questions"}, element("button", {type: "submit"}, "Compute"),
      element("button", {type: "reset"}, "As reported"))]);
  form.addEventListener("submit", event => {
    event.preventDefault();
    controls.all.forEach(input => input.removeAttribute("aria-invalid"));
    Promise.all([loadModel(), readFlat(number)]).then(([model, flat]) => {
      const changed = askKernel(model, flat, controls.questions());
      answer.replaceChildren(comparison(view, changed));
    }).catch(error => {
      controls.blame(error.of);
      answer.replaceChildren(element("p", {class: "wrong"}, error.message));
    });
  });
  form.addEventListener("reset", () => {
    controls.all.forEach(input => input.removeAttribute("aria-invalid"));
    answer.replaceChildren();
  });
  return element("section", {class: "panel what-if", "aria-labelledby": "what-if-head"},
    element("h2", {id: "what-if-head"}, "What if"), form, answer);
}

// The trip counts that a loop was estimated with, as the field of the question has them: the
// distribution, of an assumption the end that its name doesn't tell, or the one count of all lanes.
function distributionNow(loop) {
  if (loop.distributions.length)
    return loop.distributions[0];
  const [low, high] = loop.intervals ? loop.intervals.mean : [-1, -1];
  return low >= 0 && low === high && Number.isInteger(low) ? `const(${low})` : "";
}

// Both ends of what is assumed count as long as nobody changes the field.
const fromWords = loop => (loop.from ? ", " + loop.from : "") + (loop.distributions.length > 1 ? `, up to ${loop.distributions[1]}` : "");

function formControls(view, loops) {
  const shown = view.estimates[view.shown], reported = view.launches.length ? view.launches[0].block : [256, 1, 1];
  const blockShown = view.launches.map(launch => launch.block).find(
    block => shown && block.filter((size, axis) => size > 1 || axis === 0).join("x") === shown.block) || reported;
  const block = ["x", "y", "z"].map((axis, k) => element("input", {type: "number", min: 1, max: 1024,
    value: blockShown[k], "aria-label": "Threads in " + axis, name: "block-" + axis}));
  const names = index.known.split(", ").filter(Boolean);
  const arch = element("select", {name: "arch"}, names.map(name =>
    element("option", {selected: Boolean(shown) && name === "sm_" + shown.sm}, name)));
  const lanes = element("select", {name: "lanes"}, ["1", "2", "4", "8", "16", "32"].map(text => element("option", null, text)));
  const params = view.params.map(([name, value, asked], k) => asked && name && {
    number: k, name, input: element("input", {type: "text", inputmode: "numeric", value, placeholder: value ? null : "not known", autocomplete: "off", name: "param-" + k, size: 10})})
    .filter(Boolean);
  const distributions = loops.map(k => [view.loops[k], k]).map(([loop, k]) => ({
    number: k, name: (loop.at ? placeText(loop.at[0], loop.at[1], 0) : "loop " + k) + fromWords(loop), now: distributionNow(loop),
    input: element("input", {type: "text", class: "distribution", name: "distribution-" + k, spellcheck: "false", autocomplete: "off", autocapitalize: "off",
                             value: distributionNow(loop), placeholder: "zipf(2,1000)"})}));
  const questions = () => {
    const wanted = {params: [], distributions: []}, sizes = block.map(input => Number(input.value) || 0);
    if (sizes.some((size, axis) => size !== blockShown[axis]) || view.launches.length > 1)
      wanted.block = sizes;
    if (!shown || arch.value !== "sm_" + shown.sm)
      wanted.arch = arch.value;
    if (lanes.value !== "1")
      wanted.lanes = Number(lanes.value);
    for (const {number, input} of params)
      if (input.value.trim() !== view.params[number][1])
        wanted.params.push([number, input.value.trim()]);
    for (const {number, now, input} of distributions)
      if (input.value.trim() && input.value.trim() !== now)
        wanted.distributions.push([number, input.value.trim()]);
    return wanted;
  };
  const named = new Map([["block", block[0]], ["arch", arch], ["lanes", lanes]]);
  params.forEach(({number, input}) => named.set("param" + number, input));
  distributions.forEach(({number, input}) => named.set("distribution" + number, input));
  const blame = of => {
    const input = named.get(of);
    if (input) {
      input.setAttribute("aria-invalid", "true");
      input.focus();
    }
  };
  return {block, arch, lanes, params, distributions, questions, blame,
          all: [...block, arch, lanes, ...params.map(p => p.input), ...distributions.map(l => l.input)]};
}

// The change of a share, where both its ends agree on the direction.
function changeClass(before, after) {
  if (!before || !after || before[0] < 0 || after[0] < 0)
    return null;
  const low = Math.sign(after[0] - before[0]), high = Math.sign(after[1] - before[1]);
  return low * high < 0 || low + high === 0 ? null : low + high > 0 ? "worse" : "better";
}

function comparison(before, after) {
  const old = before.estimates[before.shown], now = after.estimates[after.shown];
  const row = (name, was, is, change) => element("tr", null, element("th", {scope: "row", class: "name"}, name),
    element("td", {class: "number"}, was), element("td", {class: "number"}, is, change && element("span", {class: change}, " " + change)));
  const loops = before.loops.map((loop, k) => ({loop, other: after.loops[k]})).filter(({loop, other}) => loop.full || other.full)
    .sort((a, b) => b.other.intervals.share[0] - a.other.intervals.share[0]).slice(0, LOOPS);
  return element("div", {class: "scroll"}, element("table", {class: "compared"},
    element("caption", {class: "unseen"}, "Reported and computed figures"),
    element("thead", null, element("tr", null, element("th", {scope: "col"}, "Figure"),
      element("th", {scope: "col", class: "number"}, `reported: sm_${old.sm}, ${old.block} threads`),
      element("th", {scope: "col", class: "number"}, `what if: sm_${now.sm}, ${now.block} threads`))),
    element("tbody", null,
      row("lost", old.lost, now.lost, changeClass(old.intervals.lost, now.intervals.lost)),
      row("issue cycles per warp", old.cycles, now.cycles),
      row("efficiency", old.efficiency, now.efficiency),
      loops.map(({loop, other}) => {
        const place = loop.at ? placeText(loop.at[0], loop.at[1], 0) : "loop";
        return [row(place + ": lost", loop.lost, other.lost + ` (${other.from})`, changeClass(loop.intervals.share, other.intervals.share)),
                row(place + ": aggregate imbalance", loop.aggregate, other.aggregate)];
      }))));
}
