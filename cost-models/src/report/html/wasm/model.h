// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libdivcost as the page calls it: WebAssembly, one kernel at a time. Questions are answered with
// JSON that stays until the next call; what goes wrong is {"error": "..."}. A question is put by
// opening the kernel, changing it, and asking.
#ifndef DIVCOST_TOOLS_HTML_WASM_MODEL_H
#define DIVCOST_TOOLS_HTML_WASM_MODEL_H

#include "report/html/json_text.h"

#include "divcost/flat.h"
#include "divcost/what_if.h"

#ifdef __wasm__
#define MODEL_CALL(name) __attribute__((export_name(#name))) name
#else
#define MODEL_CALL(name) name
#endif

// What is open: the kernel has moved from `flat` into `of`.
typedef struct model {
  dc_flat flat;
  dc_unit_kernel of;
  dc_arch arch;      // that is asked about
  dc_what_if change; // what is asked
  char **texts;      // its names and distributions
  size_t n_texts;
  bool is_changed; // and not answered
  html_json out;
} model;
extern model model_open_one;

// Memory for what the page hands over.
void *MODEL_CALL(model_take)(size_t size);
void MODEL_CALL(model_release)(void *memory);

// Opens a flat kernel, estimates it with the costs that it carries, and forgets the one before: {}.
const char *MODEL_CALL(model_open)(const void *bytes, size_t size);

// Questions, as divcost/what_if.h has them: {} each. Texts end with a zero. A parameter's value is
// a whole number; a distribution is for all loops at the line of this one.
const char *MODEL_CALL(model_set_block)(uint32_t x, uint32_t y, uint32_t z);
const char *MODEL_CALL(model_set_param)(uint32_t param, const char *value);
const char *MODEL_CALL(model_set_arch)(const char *name);
const char *MODEL_CALL(model_set_distribution)(uint32_t loop, const char *distribution);
const char *MODEL_CALL(model_set_lanes_per_item)(uint32_t lanes);

// The kernel with its figures, as describe.h has it.
const char *MODEL_CALL(model_describe)(void);

// For drawings, after model_describe. Trips: {"distributions": [{distribution, mean, points:
// [[from, to, mass] ...], beyond}]} over common bins, or {"lanes": [trips of the first warp's]}, or
// {}. Imbalance: {"distributions":
// [{distribution, mean, aggregate, step, low, width, masses}]}, the masses with trip counts rounded
// to multiples of step. Granularity: {"distributions": [...], "rows":
// [{lanes, aggregate: [of each distribution], efficiency}]}.
const char *MODEL_CALL(model_trips)(uint32_t loop);
const char *MODEL_CALL(model_imbalance)(uint32_t loop);
const char *MODEL_CALL(model_granularity)(uint32_t loop);

// How deep the reconvergence stack is, or how many barriers are open, while the first warp runs:
// {rules, on_chip, steps, whole, assumed, depths}, each of depths the greatest of as many steps.
const char *MODEL_CALL(model_depth)(void);

// The request of an access that takes most, of those that the estimate shown looked at: {unit:
// "sectors", "passes" or "addresses", bytes, words, block: text, warp, some: data may keep lanes
// away; known: "known", "strided", "loaded" or "opaque"}; of a known one {taken, needed, least,
// common, places, bounded, iterations: those done of the loops around, innermost first, if it is
// only true there, addresses: of each lane in bytes, or null, pieces: [[which, lanes, pass]]}, as
// dc_request and dc_request_piece have them; of another {stride or address: as code}.
const char *MODEL_CALL(model_access)(uint32_t access);

// The answer so far, or the error.
const char *model_answer(void);
const char *model_fail(const dc_error *error);
html_json *model_begin(void);

#endif
