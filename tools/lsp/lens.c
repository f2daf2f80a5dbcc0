// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands in the code without being asked for: code lenses, above kernels and the loops that
// lose something; inlay hints, behind the heads of loops; of those that are uniform, who asks for
// it.
#include "lsp/server.h"

#include "divcost/number.h"
#include "divcost/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_assumed(const dc_loop_estimate *figures) {
  return figures->from == DC_FROM_ASSUMED || figures->from == DC_FROM_RANGE;
}

// ---- code lenses --------------------------------------------------------------------------------

static const char *instances(uint32_t count, char *words, size_t size) {
  *words = 0;
  if (count > 1)
    snprintf(words, size, ", the worst of %u instances", count);
  return words;
}

static void kernel_title(const lsp_item *item, char *title, size_t size) {
  const dc_estimate *worst = dc_worst_estimate(&item->analysis->unit.kernels[item->place->kernel]);
  char several[48];
  instances(item->count, several, sizeof several);
  if (!worst || worst->cycles.low < 0) {
    snprintf(title, size, "divcost: not priced%s", several);
    return;
  }
  const uint32_t *block = worst->launch.block;
  char dims[40];
  snprintf(dims, sizeof dims,
           block[2] > 1   ? "%ux%ux%u"
           : block[1] > 1 ? "%ux%u"
                          : "%u",
           block[0], block[1], block[2]);
  bool leaves_out = dc_calls_words(lsp_item_kernel(item), NULL, 0) > 0;
  snprintf(title, size, "loses %s of its issue cycles%s (sm_%u, blocks of %s%s)%s",
           dc_number_percent(item->place->share).text, leaves_out ? ", without its calls" : "",
           worst->sm, dims, worst->launch.from == DC_BLOCK_ASSUMED ? " assumed" : "", several);
}

// False: the loop loses nothing.
static bool loop_title(const lsp_item *item, char *title, size_t size) {
  const dc_loop_estimate *figures = lsp_item_figures(item);
  char several[48];
  if (!figures || item->place->share.high < 0.001)
    return false;
  snprintf(title, size, "loses %s of the kernel%s%s", dc_number_percent(item->place->share).text,
           is_assumed(figures) ? " (assumed)" : "",
           instances(item->count, several, sizeof several));
  return true;
}

// What a lens does when it is clicked: a loop's shows its chain.
static json_t *command_of(const lsp_server *server, const lsp_document *document,
                          const lsp_item *item, const char *title) {
  if (!lsp_item_loop(item))
    return json_pack("{s:s, s:s}", "title", title, "command", "");
  text_position at = text_position_of(&document->text, item->begin, server->client.encoding);
  return json_pack("{s:s, s:s, s:[s, I, I]}", "title", title, "command", "divcost.showChain",
                   "arguments", document->uri, (json_int_t)at.line, (json_int_t)at.character);
}

static const lsp_document *document_of(lsp_server *server, const json_t *parameters) {
  const char *uri = NULL;
  json_unpack((json_t *)parameters, "{s:{s:s}}", "textDocument", "uri", &uri);
  return lsp_document_find(server, uri);
}

json_t *lsp_lenses(lsp_server *server, const json_t *parameters) {
  const lsp_document *document = document_of(server, parameters);
  lsp_view view;
  char title[200];
  if (!document || !lsp_view_make(server, document, &view))
    return NULL;
  json_t *lenses = json_array();
  for (uint32_t k = 0; lenses && k < view.count; ++k) {
    const lsp_item *item = &view.items[k];
    if (!lsp_item_loop(item))
      kernel_title(item, title, sizeof title);
    else if (!loop_title(item, title, sizeof title))
      continue;
    json_array_append_new(lenses,
                          json_pack("{s:o, s:o}", "range",
                                    lsp_range(server, &document->text, item->begin, item->end),
                                    "command", command_of(server, document, item, title)));
  }
  lsp_view_free(&view);
  return lenses;
}

// ---- inlay hints --------------------------------------------------------------------------------

// "data-dependent, poisson(30)", "strided, 64 trips", "unknown".
static void hint_label(const lsp_item *item, char *label, size_t size) {
  const dc_loop *loop = lsp_item_loop(item);
  const dc_loop_estimate *figures = lsp_item_figures(item);
  const char *class = dc_class_name((dc_class)loop->loop_class),
             *distribution = dc_kernel_text(lsp_item_kernel(item), loop->distribution);
  if (*distribution && figures &&
      (figures->from == DC_FROM_ANNOTATED || figures->from == DC_FROM_PROFILE))
    snprintf(label, size, "%s, %.40s%s", class, distribution,
             strlen(distribution) > 40 ? "..." : "");
  else if (figures && figures->mean_trips.low >= 0)
    snprintf(label, size, "%s, %s trips%s", class, dc_number_count(figures->mean_trips).text,
             is_assumed(figures) ? " assumed" : "");
  else
    snprintf(label, size, "%s", class);
}

// Whether a hint says more than that nothing happens here.
static bool deserves_hint(const lsp_server *server, const lsp_item *item) {
  const dc_loop *loop = lsp_item_loop(item);
  return loop && (loop->loop_class > DC_CLASS_WARP_UNIFORM || server->settings.uniform_hints);
}

// The lines that are asked for: all, where none are.
static void asked_lines(const json_t *parameters, json_int_t *first, json_int_t *last) {
  *first = 0;
  *last = INT64_MAX;
  json_unpack((json_t *)parameters, "{s:{s:{s:I}, s:{s:I}}}", "range", "start", "line", first,
              "end", "line", last);
}

json_t *lsp_hints(lsp_server *server, const json_t *parameters) {
  const lsp_document *document = document_of(server, parameters);
  lsp_view view;
  char label[200];
  json_int_t first, last;
  if (!document || !lsp_view_make(server, document, &view))
    return NULL;
  asked_lines(parameters, &first, &last);
  json_t *hints = json_array();
  for (uint32_t k = 0; hints && k < view.count; ++k) {
    const lsp_item *item = &view.items[k];
    text_position at = text_position_of(&document->text, item->end, server->client.encoding);
    if (!deserves_hint(server, item) || (json_int_t)at.line < first || (json_int_t)at.line > last)
      continue;
    hint_label(item, label, sizeof label);
    json_array_append_new(hints,
                          json_pack("{s:{s:I, s:I}, s:o, s:b}", "position", "line",
                                    (json_int_t)at.line, "character", (json_int_t)at.character,
                                    "label", lsp_string(label), "paddingLeft", 1));
  }
  lsp_view_free(&view);
  return hints;
}
