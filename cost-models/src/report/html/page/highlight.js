// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Colours for the sources that are shown, by Prism (third_party/prism): its tokens become text
// nodes, as all text here does.

Prism.languages.cuda = Prism.languages.extend("cpp", {
  keyword: [/\b__(?:global|device|host|shared|constant|managed|restrict|forceinline|noinline|launch_bounds|grid_constant|cluster_dims)__\b/,
    ...[Prism.languages.cpp.keyword].flat()],
});
Prism.languages.insertBefore("cuda", "keyword", {
  builtin: /\b(?:threadIdx|blockIdx|blockDim|gridDim|warpSize|dim3|(?:u?(?:char|short|int|long|longlong)|float|double)[1-4]|__?(?:half2?|nv_bfloat16[2]?)|half2?)\b/,
  launch: {pattern: /<<<|>>>/, alias: "keyword"},
});

// Tokens with these types are coloured; those inside others that aren't get no colour.
const COLOURED = {comment: "comment", string: "string", char: "string", number: "number", boolean: "number", keyword: "keyword", launch: "keyword",
                  builtin: "builtin", "class-name": "builtin", function: "function", macro: "macro"};

// The source's lines, each a list of [type or null, text].
function tokenLines(source) {
  const lines = [[]];
  const add = (tokens, type) => {
    for (const token of [tokens].flat())
      if (typeof token === "string")
        token.split(/\r\n|\n|\r/).forEach((part, k) => {
          if (k)
            lines.push([]);
          if (part)
            lines[lines.length - 1].push([type, part]);
        });
      else
        add(token.content, COLOURED[token.type] || type);
  };
  add(Prism.tokenize(source.text, Prism.languages.cuda), null);
  return lines;
}

const colouredText = tokens => tokens.map(([type, text]) => type ? element("span", {class: "t-" + type}, text) : text);
