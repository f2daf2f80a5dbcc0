// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The page's script: these files one after the other. This one makes elements. Text is only ever
// put into text nodes and attributes, never into markup: names and sources may hold anything.
"use strict";

const SEVERITIES = ["", "note", "bad"];

function fill(node, properties, children) {
  for (const [name, value] of Object.entries(properties || {})) {
    if (name.startsWith("on"))
      node.addEventListener(name.slice(2), value);
    else if (value === true)
      node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined)
      node.setAttribute(name, value);
  }
  for (const child of children.flat(Infinity))
    if (child !== null && child !== undefined && child !== false)
      node.append(child);
  return node;
}

function element(tag, properties, ...children) {
  return fill(document.createElement(tag), properties, children);
}

function drawn(tag, properties, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), properties, children);
}

// For readers of screens: what has changed.
function say(words) {
  document.getElementById("said").textContent = words;
}

let identifiers = 0;
const fresh = () => "n" + ++identifiers;

// A label and what it labels.
function field(label, control) {
  control.id = control.id || fresh();
  return element("div", {class: "field"}, element("label", {for: control.id}, label), control);
}
