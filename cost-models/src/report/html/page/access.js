// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses to memory: what a line of the source takes, and one request of a warp, lane by lane. All
// that is drawn is of the model (model_access); here it only gets its place. A line of memory has
// 128 bytes, as the banks have: 32 words, side by side in both drawings.

const WORD = 16, LEFT = 66, LINE = 32 * WORD, BYTE = WORD / 4; // in a drawing

const one = (count, units) => `${count} ${count === 1 || count === "1" ? units.replace(/(s|es)$/, "") : units}`;
const unitNames = {sectors: "sectors", passes: "passes over shared memory", addresses: "addresses of constants"};
const sumWords = ([unit, taken, needed]) => `${taken} ${unitNames[unit]}` + (taken === needed ? "" : `, ${needed} needed`);

// A line's sums, short: sectors go without saying, as the column's head does.
const sumText = ([unit, taken, needed]) => taken + (taken === needed ? "" : " / " + needed) +
  {sectors: "", passes: " shared", addresses: " const"}[unit];

// From the first lane to the last one, by colour.
const laneColor = lane => `color-mix(in oklab, var(--second) ${Math.round(100 * lane / 31)}%, var(--first))`;
const lanesOf = mask => Array.from({length: 32}, (_, lane) => lane).filter(lane => mask >>> lane & 1);

// "0-3, 8": runs of lanes.
function lanesText(lanes) {
  const runs = [];
  for (const lane of lanes) {
    const last = runs[runs.length - 1];
    if (last && last[1] === lane - 1)
      last[1] = lane;
    else
      runs.push([lane, lane]);
  }
  return runs.map(([from, to]) => from === to ? from : `${from}\u2013${to}`).join(", ");
}

// What one lane or several touch, with their number where there is room.
function laneCell(x, y, width, height, lanes, words) {
  const text = lanes.length === 1 || lanesText(lanes).length < 4 ? lanesText(lanes) : lanes.length + "\u00d7";
  const fits = height >= 9 && width > 6 * String(text).length;
  return drawn("g", null, drawn("title", null, `${lanes.length === 1 ? "lane" : "lanes"} ${lanesText(lanes)}: ${words}`),
    drawn("rect", {x: x + .5, y: y + .5, width: width - 1, height: height - 1, fill: laneColor(lanes[0])}),
    fits && drawn("text", {class: "on", x: x + width / 2, y: y + height / 2 + 3, "text-anchor": "middle"}, text));
}

// The warp, above what it touches; lanes that take no part are hollow.
function warpRow(addresses) {
  return [drawn("text", {x: LEFT - 6, y: 12, "text-anchor": "end"}, "lanes"),
    addresses.map((address, lane) => address === null ?
      drawn("g", null, drawn("title", null, `lane ${lane} takes no part`),
        drawn("rect", {class: "off", x: LEFT + lane * WORD + 1, y: 2, width: WORD - 2, height: 12})) :
      laneCell(LEFT + lane * WORD, 1, WORD, 14, [lane], "takes part"))];
}

const heightOf = rows => rows <= 8 ? 16 : rows <= 16 ? 11 : 5;
const spaceOf = height => height < 11 ? 1 : 2;

// Names of rows, as many as there is room for.
function rowNames(rows, name) {
  let next = 0;
  return rows.map((row, k) => {
    if (row.y < next)
      return null;
    next = row.y + 13;
    return drawn("text", {x: LEFT - 6, y: row.y + row.height / 2 + 4, "text-anchor": "end"}, name(row, k));
  });
}

// Lines of 128 bytes, one below the other; where others lie between, there is a gap.
function linesOf(request) {
  const own = request.addresses.filter(address => address !== null).map(address => Math.floor(address / 128));
  const numbers = [...new Set(own)].sort((a, b) => a - b), height = heightOf(numbers.length);
  let y = 34;
  return numbers.map((line, k) => {
    const apart = k > 0 && line !== numbers[k - 1] + 1;
    const row = {line, y: y + (apart ? 3 * spaceOf(height) : 0), height, apart};
    y = row.y + height + spaceOf(height);
    return row;
  });
}

function memoryDrawing(request) {
  const rows = linesOf(request), at = new Map(rows.map(row => [row.line, row])), sectors = new Map();
  const cells = new Map();
  request.addresses.forEach((address, lane) => address !== null && cells.set(address, [...(cells.get(address) || []), lane]));
  if (request.unit === "sectors")
    request.pieces.forEach(([sector, mask]) => sectors.set(sector, lanesOf(mask)));
  const sector = (row, k) => {
    const lanes = sectors.get(4 * row.line + k);
    return drawn("g", null, drawn("title", null, lanes ? `sector of lanes ${lanesText(lanes)}` : "not taken"),
      drawn("rect", {class: lanes ? request.taken > request.needed ? "taken waste" : "taken" : "off",
        x: LEFT + k * 8 * WORD + .5, y: row.y, width: 8 * WORD - 1, height: row.height}));
  };
  return {height: rows[rows.length - 1].y + rows[0].height + 4, shapes: [
    ["0", "32", "64", "96"].map((text, k) => drawn("text", {x: LEFT + k * 8 * WORD, y: 29}, (k ? "" : "byte ") + text)),
    rowNames(rows, row => "+" + (128 * row.line).toLocaleString("en")),
    rows.map(row => [row.apart && row.height > 5 && drawn("line", {class: "gap", x1: LEFT, x2: LEFT + LINE, y1: row.y - 4, y2: row.y - 4}),
      [0, 1, 2, 3].map(k => sector(row, k))]),
    [...cells].map(([address, lanes]) => laneCell(LEFT + address % 128 * BYTE, at.get(Math.floor(address / 128)).y,
      request.bytes * BYTE, rows[0].height, lanes, `byte ${address.toLocaleString("en")}`))]};
}

// The banks side by side, the passes over them one below the other.
function banksDrawing(request) {
  const height = heightOf(request.taken), each = height + spaceOf(height);
  const rows = Array.from({length: request.taken}, (_, pass) => ({y: 34 + pass * each, height}));
  return {height: 38 + request.taken * each, shapes: [
    [0, 8, 16, 24].map(bank => drawn("text", {x: LEFT + bank * WORD, y: 29}, (bank ? "" : "bank ") + bank)),
    rowNames(rows, (row, pass) => "pass " + (pass + 1)),
    rows.map((row, pass) => drawn("rect", {class: pass < request.needed ? "taken" : "taken waste", x: LEFT, y: row.y, width: LINE, height})),
    Array.from({length: 31}, (_, k) => drawn("line", {class: "bank", x1: LEFT + (k + 1) * WORD, x2: LEFT + (k + 1) * WORD,
      y1: 34, y2: 34 + request.taken * each})),
    request.pieces.map(([word, mask, pass]) => laneCell(LEFT + word % 32 * WORD, rows[pass].y, WORD, height, lanesOf(mask),
      `word ${word} in bank ${word % 32}, pass ${pass + 1}`))]};
}

// What each lane touches, in numbers.
function lanesTable(request) {
  const shared = request.unit === "passes", of = new Map();
  request.pieces.forEach(([piece, mask, pass]) => lanesOf(mask).forEach(lane => of.set(lane, [...(of.get(lane) || []), [piece, pass]])));
  const texts = (lane, text) => [...new Set(of.get(lane).map(text))].join(", ");
  return numbersTable(shared ? ["lane", "byte", "bank", "pass"] : request.unit === "sectors" ? ["lane", "byte", "line", "sector"] : ["lane", "byte"],
    request.addresses.map((address, lane) => address === null ? [String(lane), "takes no part"] :
      [String(lane), address.toLocaleString("en"),
        ...(shared ? [texts(lane, ([word]) => word % 32), texts(lane, ([, pass]) => pass + 1)] :
          request.unit === "sectors" ? [String(Math.floor(address / 128)), texts(lane, ([sector]) => sector % 4)] : [])]));
}

// Whose request it is, and what of it is one of several possibilities.
function requestWords(request) {
  const off = request.addresses.filter(address => address === null).length;
  const shared = request.unit === "passes";
  return [`${request.warp === 0 ? "The first warp" : `Warp ${request.warp}`} of a block of ${request.block}` +
      (request.iterations ? ", in iteration " + request.iterations.filter(k => k >= 0).map(k => k + 1).reverse().join(", ") + " of the loop, where it takes most" : "") +
      (off ? `; ${off === 1 ? "one lane takes" : off + " lanes take"} no part.` : "."),
    request.some && "Data may keep some of these lanes away.",
    request.bounded && "As long as the bound of the index holds no lane back.",
    request.least < request.taken && `Where it begins isn't known: ${request.least} to ${one(request.taken, request.unit)}, drawn as it takes most.`,
    request.places > 1 && request.least === request.taken && "Where it begins isn't known; it takes as many wherever that is.",
    !shared && request.unit === "sectors" && request.places === 1 && request.common % 128 !== 0 && "It may begin at another sector of a line.",
    shared && request.common % 128 !== 0 && "It may begin at another bank.",
  ].filter(Boolean).join(" ");
}

const shareWords = request => `${one(request.taken, request.unit)}, ${request.needed} needed`;

function requestFigure(request) {
  const shared = request.unit === "passes", {height, shapes} = shared ? banksDrawing(request) : memoryDrawing(request);
  const named = fresh(), told = fresh(), words = requestWords(request);
  const covered = new Set(request.addresses.filter(address => address !== null)).size * request.bytes;
  const keys = [["lane", shared ? "words of lanes" : "bytes of lanes"],
    request.unit === "sectors" && covered < 32 * request.taken && ["taken" + (request.taken > request.needed ? " waste" : ""), "the rest of sectors taken"],
    shared && request.taken > request.needed && ["taken waste", "passes more than needed"]].filter(Boolean);
  return element("figure", {class: "lanes"},
    element("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": "Drawing"},
      drawn("svg", {viewBox: `0 0 ${LEFT + LINE + 2} ${height}`, role: "img", "aria-labelledby": named + " " + told},
        drawn("title", {id: named}, shareWords(request)), drawn("desc", {id: told}, words), warpRow(request.addresses), shapes)),
    element("figcaption", null, element("strong", null, shareWords(request)), words + " ",
      keys.map(([name, text]) => element("span", null, element("span", {class: "key of-" + name, "aria-hidden": "true"}), text + " "))),
    lanesTable(request));
}

// Why there is nothing to draw, and the figure is an interval.
function unknownWords(request) {
  const code = text => text && !text.includes("?") ? [" (", element("span", {class: "code"}, text), ")"] : null;
  return element("p", null, {
    strided: ["The lanes are apart by multiples of a stride that only the launch knows", code(request.stride),
      ": from all in one place to each in its own. An annotation can say its value."],
    loaded: ["The address is read from memory", code(request.address), ": from all lanes in one place to each in its own, as data has it."],
  }[request.known] || ["The address goes by something that isn't followed", code(request.address), ": from all lanes in one place to each in its own."]);
}

const askAccess = (number, access) => Promise.all([loadModel(), readFlat(number)]).then(([model, flat]) => {
  openPlain(model, flat);
  return ask(model, "model_access", access);
});

// The panel below a kernel's sources: {node, show(line, access, opener, row), preview(line), back()}, where
// line is one of view.lines, and row that of the source, if there is one. A preview is of a panel
// that is open, until back().
function accessPanel(number) {
  const head = element("h3", {tabindex: "-1", id: fresh()}), choice = element("div", {class: "choice"}), inside = element("div");
  let chosen = null, opener = null, marked = null, asked = 0;
  const mark = row => {
    marked?.classList.remove("chosen");
    row?.classList.add("chosen");
    row?.scrollIntoView({block: "nearest"});
    marked = row;
  };
  const leave = () => {
    node.hidden = true;
    chosen = null;
    mark(null);
    opener.focus({preventScroll: true});
  };
  const node = element("section", {class: "panel access", hidden: true, "aria-labelledby": head.id,
    onkeydown: event => event.key === "Escape" && leave()},
    element("div", {class: "access-head"}, head, element("button", {type: "button", onclick: leave}, "Close")), choice, inside);
  const choose = (line, access) => {
    chosen = [line, access];
    return draw(line, access);
  };
  const chooser = (line, access) => ([other, words]) => line.accesses.length === 1 ? element("p", null, words) :
    element("button", {type: "button", "aria-pressed": String(other === access), onclick: event => {
      const place = [...choice.children].indexOf(event.currentTarget);
      choose(line, other);
      choice.children[place].focus({preventScroll: true});
    }}, words);
  const draw = (line, access) => {
    const mine = ++asked, fresher = () => mine !== asked;
    head.textContent = "Memory" + (line.at ? ", line " + line.at[1] : "");
    choice.replaceChildren(...line.accesses.map(chooser(line, access)));
    return askAccess(number, access).then(request => fresher() ||
        inside.replaceChildren(request.known === "known" ? requestFigure(request) : unknownWords(request)))
      .catch(error => fresher() || inside.replaceChildren(element("p", {class: "wrong"}, "Not drawn: " + error.message)))
      .then(() => { node.dataset.drawn = access; });
  };
  const show = (line, access, from, row) => {
    opener = from;
    node.hidden = false;
    node.style.height = "";
    choose(line, access).then(() => mark(row));
    head.focus({preventScroll: true});
  };
  // As high as before, so that it doesn't move over what the cursor is on.
  const preview = line => {
    if (chosen && line !== chosen[0]) {
      node.style.height = node.offsetHeight + "px";
      draw(line, line.accesses[0][0]);
    }
  };
  const back = () => {
    if (chosen && node.style.height) {
      node.style.height = "";
      draw(...chosen);
    }
  };
  return {node, show, preview, back};
}

// The cell of a line of the source.
function memoryCell(line, panel) {
  if (!line || !line.sums.length)
    return element("td", {class: "memory"});
  const words = line.sums.map(sumWords).join("; "), text = line.sums.map(sumText).join(" + ");
  return element("td", {class: "memory"}, element("button", {type: "button", class: SEVERITIES[line.severity] || null,
    "aria-label": `Memory, line ${line.at[1]}: ${text} (${words})`, title: [`A warp takes ${words}:`, ...line.accesses.map(([, text]) => text)].join("\n"),
    onclick: event => panel.show(line, line.accesses[0][0], event.currentTarget, event.currentTarget.closest("tr")),
    onpointerenter: () => panel.preview(line), onpointerleave: () => panel.back()}, text));
}
