// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all analyses know of one open document, by the places where its statements are now. Lines
// that have changed since are left out.
#include "lsp/server.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// ---- heads of statements ------------------------------------------------------------------------

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static bool starts(const text *t, size_t at, const char *with) {
  size_t size = strlen(with);
  return t->size - at >= size && memcmp(t->bytes + at, with, size) == 0;
}

size_t lsp_skip_quoted(const text *t, size_t at) {
  const char *close = starts(t, at, "//") ? "\n" : starts(t, at, "/*") ? "*/" : NULL;
  char quote = t->bytes[at];
  size_t k = at + 1;
  if (close) {
    for (k = at + 2; k < t->size && !starts(t, k, close);)
      ++k;
    return k < t->size ? k + strlen(close) : t->size;
  }
  if (quote != '"' && quote != '\'')
    return at;
  for (; k < t->size && t->bytes[k] != quote && t->bytes[k] != '\n'; ++k)
    k += t->bytes[k] == '\\';
  return k < t->size ? k + 1 : t->size;
}

size_t lsp_word_end(const text *t, size_t at) {
  while (at < t->size && is_word(t->bytes[at]))
    ++at;
  return at;
}

size_t lsp_head_end(const text *t, size_t begin) {
  enum { LONGEST = 4096 };
  size_t word = lsp_word_end(t, begin), end = begin + LONGEST < t->size ? begin + LONGEST : t->size;
  size_t open = 0, at = word;
  if (word == begin)
    return begin < t->size ? begin + 1 : begin;
  if (word - begin == 2 && starts(t, begin, "do"))
    return word;
  while (at < end) {
    size_t behind = lsp_skip_quoted(t, at);
    if (behind > at) {
      at = behind;
      continue;
    }
    char c = t->bytes[at++];
    if (!open && c != '(' && !isspace((unsigned char)c))
      break;
    open += c == '(';
    if (c == ')' && --open == 0)
      return at;
  }
  return word;
}

// ---- the view -----------------------------------------------------------------------------------

const dc_kernel *lsp_item_kernel(const lsp_item *item) {
  return &item->analysis->unit.kernels[item->place->kernel].kernel;
}

const dc_loop *lsp_item_loop(const lsp_item *item) {
  return item->place->loop == DC_NONE ? NULL : &lsp_item_kernel(item)->loops[item->place->loop];
}

const dc_loop_estimate *lsp_item_figures(const lsp_item *item) {
  const dc_estimate *worst = dc_worst_estimate(&item->analysis->unit.kernels[item->place->kernel]);
  return worst && item->place->loop != DC_NONE ? &worst->loops[item->place->loop] : NULL;
}

static bool is_loop(const lsp_item *item) { return item->place->loop != DC_NONE; }

static bool same_statement(const lsp_place *x, const lsp_place *y) {
  return x->file == y->file && x->line == y->line && x->column == y->column &&
         (x->loop == DC_NONE) == (y->loop == DC_NONE);
}

static int compare_items(const void *left, const void *right) {
  const lsp_item *x = left, *y = right;
  if (x->begin != y->begin)
    return x->begin < y->begin ? -1 : 1;
  if (is_loop(x) != is_loop(y))
    return is_loop(x) ? 1 : -1;
  double a = x->place->share.low, b = y->place->share.low;
  return a > b ? -1 : a < b;
}

// The item of a group of places that begins at `first`; false: its line is gone.
static bool locate(const lsp_analysis *analysis, uint32_t first, uint32_t end,
                   const lsp_document *document, lsp_item *item) {
  const lsp_place *place = &analysis->places[first];
  const text *t = &document->text;
  uint32_t line = text_lines_now(&analysis->files[place->file].lines, place->line - 1);
  if (line >= t->n_lines)
    return false;
  size_t from = t->lines[line], to = text_line_end(t, line), column = place->column;
  bool known = column > 0 && column <= to - from;
  *item = (lsp_item){analysis, place, end - first, from, to};
  if (place->loop != DC_NONE && known) {
    item->begin = from + column - 1;
    item->end = lsp_head_end(t, item->begin);
  }
  return true;
}

// Adds what one analysis knows; view->items has room for all.
static void add_items(const lsp_analysis *analysis, const lsp_document *document, lsp_view *view) {
  uint32_t file = lsp_file_at(analysis, document->real);
  for (uint32_t first = 0, end; file != DC_NONE && first < analysis->n_places; first = end) {
    for (end = first + 1; end < analysis->n_places &&
                          same_statement(&analysis->places[first], &analysis->places[end]);)
      ++end;
    if (analysis->places[first].file == file)
      view->count += locate(analysis, first, end, document, &view->items[view->count]);
  }
}

// Of several analyses that know a statement the one in which it is worst.
static void keep_worst(lsp_view *view) {
  uint32_t kept = 0;
  for (uint32_t k = 0; k < view->count; ++k)
    if (kept == 0 || view->items[kept - 1].begin != view->items[k].begin ||
        is_loop(&view->items[kept - 1]) != is_loop(&view->items[k]))
      view->items[kept++] = view->items[k];
  view->count = kept;
}

bool lsp_view_make(const lsp_server *server, const lsp_document *document, lsp_view *view) {
  size_t most = 1;
  for (const lsp_document *d = server->documents; d; d = d->next)
    most += d->analysis.n_places;
  *view = (lsp_view){.items = malloc(most * sizeof *view->items)};
  if (!view->items)
    return false;
  for (const lsp_document *d = server->documents; d; d = d->next)
    add_items(&d->analysis, document, view);
  qsort(view->items, view->count, sizeof *view->items, compare_items);
  keep_worst(view);
  return true;
}

void lsp_view_free(lsp_view *view) {
  free(view->items);
  *view = (lsp_view){0};
}

const lsp_item *lsp_view_at(const lsp_view *view, const lsp_document *document, size_t offset) {
  const text *t = &document->text;
  size_t line = text_position_of(t, offset, TEXT_UTF8).line, from = t->lines[line],
         to = text_line_end(t, line);
  const lsp_item *inside = NULL, *before = NULL, *after = NULL, *kernel = NULL;
  for (uint32_t k = 0; k < view->count && view->items[k].begin <= to; ++k) {
    const lsp_item *item = &view->items[k];
    if (!is_loop(item))
      kernel = item->begin >= from ? item : kernel;
    else if (item->begin <= offset && offset < item->end)
      inside = item;
    else if (item->begin >= from && item->begin <= offset)
      before = item;
    else if (item->begin > offset && !after)
      after = item;
  }
  return inside ? inside : before ? before : after ? after : kernel;
}
