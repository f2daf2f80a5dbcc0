// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A step as a line of text, and the names of what is in it.
#include "divcost/emulator.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// A text that may be longer than there is room for.
typedef struct line {
  char *text;
  size_t size, length;
} line;

static void add(line *l, const char *text) {
  for (; *text; ++text, ++l->length)
    if (l->length + 1 < l->size)
      l->text[l->length] = *text;
  if (l->size)
    l->text[l->length < l->size ? l->length : l->size - 1] = 0;
}

// Lanes as digits, the last lane first, as numbers are written; many of them in hexadecimal.
static void add_lanes(line *l, uint64_t lanes, unsigned n, char none) {
  char text[DC_EMULATOR_LANES_MAX + 1];
  if (n > 8) {
    snprintf(text, sizeof text, "%0*" PRIx64, (int)(n + 3) / 4, lanes);
  } else {
    for (unsigned k = 0; k < n; ++k)
      text[k] = lanes >> (n - 1 - k) & 1 ? '1' : none;
    text[n] = 0;
  }
  add(l, text);
}

size_t dc_step_print(const dc_program *program, const dc_step *step, unsigned lanes, char *text,
                     size_t size) {
  line l = {text, size, 0};
  char part[80];
  snprintf(part, sizeof part, "%6" PRIu64 " %4" PRIu32 "  ", step->number, step->pc);
  add(&l, part);
  add_lanes(&l, step->active, lanes, '.');
  dc_program_print(program, step->pc, part, sizeof part);
  add(&l, "  ");
  add(&l, part);
  if (step->n_tokens) // in a column of their own, where that is not far
    for (size_t k = strlen(part); k < 28; ++k)
      add(&l, " ");
  for (uint32_t k = 0; k < step->n_tokens; ++k) {
    add(&l, " ");
    add(&l, dc_token_name((dc_token_kind)step->tokens[k].kind));
    add(&l, "(");
    add_lanes(&l, step->tokens[k].mask, lanes, '.');
    snprintf(part, sizeof part, ", %" PRIu32 ")", step->tokens[k].pc);
    add(&l, part);
  }
  return l.length;
}

const char *dc_token_name(dc_token_kind kind) {
  static const char *const names[] = {"SYNC", "DIV", "CALL", "BARRIER", "READY", "AT"};
  return names[kind];
}
