// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diff/match.h"

#include "divcost/string_set.h"

#include <stdlib.h>
#include <string.h>

typedef struct named {
  const char *symbol, *file;
  uint32_t index;
  uint32_t partner; // place on the other side, or DC_NONE
} named;

typedef struct side {
  named *list; // by symbol, then as they came
  uint32_t count;
} side;

static dc_status out_of_memory(dc_error *error) {
  return dc_fail(error, DC_ERROR_MEMORY, "out of memory for the names of kernels");
}

static const char *keep(dc_string_set *names, const char *text) {
  bool added;
  uint32_t number = dc_string_set_add(names, text, strlen(text), &added);
  return number == UINT32_MAX ? NULL : names->texts[number];
}

static int compare_named(const void *x, const void *y) {
  const named *a = x, *b = y;
  int order = strcmp(a->symbol, b->symbol);
  return order ? order : (a->index > b->index) - (a->index < b->index);
}

static dc_status list_side(const dc_kernels *kernels, dc_string_set *names, side *to,
                           dc_error *error) {
  to->list = malloc(((size_t)kernels->n_kernels + 1) * sizeof *to->list);
  if (!to->list)
    return out_of_memory(error);
  for (uint32_t k = 0; k < kernels->n_kernels; ++k) {
    const dc_unit_kernel *kernel;
    dc_status status = kernels->get(kernels->context, k, &kernel, error);
    if (status != DC_OK)
      return status;
    const dc_kernel *of = &kernel->kernel;
    const char *symbol = keep(names, dc_kernel_text(of, of->symbol));
    const char *file = keep(
        names, of->location == DC_NONE ? "" : dc_kernel_text(of, of->locations[of->location].file));
    if (!symbol || !file)
      return out_of_memory(error);
    to->list[to->count++] = (named){symbol, file, k, DC_NONE};
  }
  if (to->count)
    qsort(to->list, to->count, sizeof *to->list, compare_named);
  return DC_OK;
}

// How many letters two paths have in common from their ends, up to the whole of a name; 0: the
// files are called differently.
static size_t likeness(const char *x, const char *y) {
  size_t a = strlen(x), b = strlen(y), same = 0, parts = 0;
  while (same < a && same < b && x[a - 1 - same] == y[b - 1 - same]) {
    ++same;
    if (x[a - same] == '/')
      parts = same;
  }
  bool x_ends = same == a || x[a - 1 - same] == '/', y_ends = same == b || y[b - 1 - same] == '/';
  return same && x_ends && y_ends ? same : parts;
}

static void pair(side *x, uint32_t a, side *y, uint32_t b) {
  x->list[a].partner = b;
  y->list[b].partner = a;
}

// Pairs what is still alone in groups of one symbol: x's a .. a_end with y's b .. b_end.
static void pair_alike(side *x, uint32_t a, uint32_t a_end, side *y, uint32_t b, uint32_t b_end,
                       bool exact) {
  for (; a < a_end; ++a) {
    uint32_t best = DC_NONE;
    size_t most = 0;
    if (x->list[a].partner != DC_NONE)
      continue;
    for (uint32_t k = b; k < b_end; ++k) {
      if (y->list[k].partner != DC_NONE)
        continue;
      bool same = x->list[a].file == y->list[k].file; // each name is kept once
      size_t alike = exact ? same : likeness(x->list[a].file, y->list[k].file);
      if (alike > most) {
        most = alike;
        best = k;
      }
    }
    if (best != DC_NONE)
      pair(x, a, y, best);
  }
}

static void pair_group(side *x, uint32_t a, uint32_t a_end, side *y, uint32_t b, uint32_t b_end) {
  pair_alike(x, a, a_end, y, b, b_end, true);
  pair_alike(x, a, a_end, y, b, b_end, false);
  if (a_end - a == 1 && b_end - b == 1 && x->list[a].partner == DC_NONE)
    pair(x, a, y, b);
}

static uint32_t group_end(const side *of, uint32_t first) {
  uint32_t end = first;
  while (end < of->count && of->list[end].symbol == of->list[first].symbol)
    ++end;
  return end;
}

static void pair_sides(side *x, side *y) {
  for (uint32_t a = 0, b = 0; a < x->count && b < y->count;) {
    int order = strcmp(x->list[a].symbol, y->list[b].symbol);
    uint32_t a_end = group_end(x, a), b_end = group_end(y, b);
    if (order == 0)
      pair_group(x, a, a_end, y, b, b_end);
    a = order <= 0 ? a_end : a;
    b = order >= 0 ? b_end : b;
  }
}

static match_pair *list_pairs(const side *x, const side *y, uint32_t *count) {
  match_pair *pairs = malloc(((size_t)x->count + y->count + 1) * sizeof *pairs);
  *count = 0;
  for (uint32_t k = 0; pairs && k < y->count; ++k) {
    uint32_t partner = y->list[k].partner;
    pairs[(*count)++] =
        (match_pair){partner == DC_NONE ? DC_NONE : x->list[partner].index, y->list[k].index};
  }
  for (uint32_t k = 0; pairs && k < x->count; ++k)
    if (x->list[k].partner == DC_NONE)
      pairs[(*count)++] = (match_pair){x->list[k].index, DC_NONE};
  return pairs;
}

dc_status match_kernels(const dc_kernels *before, const dc_kernels *after, match_pair **pairs,
                        uint32_t *count, dc_error *error) {
  dc_string_set names = {.count = 0};
  side x = {NULL, 0}, y = {NULL, 0};
  *pairs = NULL;
  dc_status status = list_side(before, &names, &x, error);
  if (status == DC_OK)
    status = list_side(after, &names, &y, error);
  if (status == DC_OK) {
    pair_sides(&x, &y);
    *pairs = list_pairs(&x, &y, count);
    if (!*pairs)
      status = out_of_memory(error);
  }
  free(x.list);
  free(y.list);
  dc_string_set_free(&names);
  return status;
}
