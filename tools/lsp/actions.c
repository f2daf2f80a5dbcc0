// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code actions: what a loop's trip counts are and how a kernel is launched, said in annotations to
// be completed; silence, with a reason to be completed; the chain; the report's page.
#define _POSIX_C_SOURCE 200809L // fmemopen
#include "lsp/server.h"

#include "divcost/assumed.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct menu {
  const lsp_server *server;
  const lsp_document *document;
  const lsp_item *item;
  const json_t *context; // of the request
  json_t *list;
} menu;

// Takes what it fixes, and the edit; without one there is no action.
static void add_edit(menu *menu, const char *title, json_t *fixed, json_t *edit) {
  if (edit)
    json_array_append_new(menu->list, json_pack("{s:s, s:s, s:o, s:o}", "title", title, "kind",
                                                "quickfix", "diagnostics", fixed, "edit", edit));
  else
    json_decref(fixed);
}

// The rule of one of the client's diagnostics, or -1.
static int rule_of(const json_t *diagnostic) {
  const char *code = json_string_value(json_object_get(diagnostic, "code"));
  return code && strncmp(code, "divcost-", 8) == 0 ? dc_rule_parse(code + 8) : -1;
}

static bool is_of_trips(int rule) {
  return rule == DC_RULE_IMBALANCE || rule == DC_RULE_DATA_DEPENDENT;
}

// The client's diagnostics that are about a loop's trip counts.
static json_t *diagnostics_of_trips(const menu *menu) {
  json_t *fixed = json_array(), *diagnostic;
  size_t index;
  json_array_foreach(json_object_get(menu->context, "diagnostics"), index,
                     diagnostic) if (is_of_trips(rule_of(diagnostic)))
      json_array_append(fixed, diagnostic);
  return fixed;
}

// ---- annotations of loops -----------------------------------------------------------------------

// Whether an annotation can stand before the statement: it is a loop as it is written, no macro.
static bool takes_annotation(const menu *menu) {
  static const char *const words[] = {"for", "while", "do"};
  if (!menu->item || !lsp_item_loop(menu->item))
    return false;
  const text *t = &menu->document->text;
  size_t begin = menu->item->begin, size = lsp_word_end(t, begin) - begin;
  for (size_t k = 0; k < 3; ++k)
    if (size == strlen(words[k]) && memcmp(t->bytes + begin, words[k], size) == 0)
      return true;
  return false;
}

static void add_annotation(menu *menu, const char *title, json_t *fixed, size_t begin,
                           const char *annotation) {
  char whole[400];
  snprintf(whole, sizeof whole, "%s%s", title, annotation);
  add_edit(menu, whole, fixed, lsp_annotate(menu->server, menu->document, begin, annotation));
}

// The distribution that is proposed is the range that is known, or has the mean that is assumed as
// long as nobody says otherwise.
static void offer_trips(menu *menu, const dc_loop *loop) {
  const dc_loop_estimate *figures = lsp_item_figures(menu->item);
  char annotation[80];
  bool known = figures && figures->from != DC_FROM_ASSUMED && figures->from != DC_FROM_RANGE;
  if (known || loop->distribution || loop->level < DC_DIVERGENT)
    return;
  int64_t most = dc_most_trips(lsp_item_kernel(menu->item), menu->item->place->loop);
  if (most >= 0)
    snprintf(annotation, sizeof annotation, "DIVCOST_TRIPS(uniform(0, %" PRId64 "))", most);
  else
    snprintf(annotation, sizeof annotation, "DIVCOST_TRIPS(poisson(%" PRId64 "))",
             dc_trips_assumed(most));
  add_annotation(menu, "Say its trip counts: ", diagnostics_of_trips(menu), menu->item->begin,
                 annotation);
}

static void offer_ignoring(menu *menu, const dc_loop *loop) {
  if (!loop->ignored && menu->item->place->share.high > 0)
    add_annotation(menu, "Ignore this loop, with a reason: ", diagnostics_of_trips(menu),
                   menu->item->begin, "DIVCOST_IGNORE(\"reason\")");
}

// ---- launches of kernels ------------------------------------------------------------------------

// Whether a parameter is a number, as far as that shows, that decides about trip counts.
static bool decides_trips(const dc_kernel *kernel, uint32_t parameter) {
  for (uint32_t l = 0; l < kernel->n_loops; ++l) {
    dc_expr trips = kernel->loops[l].trips;
    if (trips == DC_NO_EXPR || !dc_expr_mentions(&kernel->pool, trips, DC_OP_PARAM, parameter))
      continue;
    for (uint32_t n = 0; n < kernel->pool.count; ++n) {
      const dc_expr_node *node = &kernel->pool.nodes[n];
      if (node->op == DC_OP_PARAM && node->i == parameter)
        return node->bits == 32; // of 64 bits it may be a pointer
    }
  }
  return false;
}

static void say_dimensions(FILE *to, const char *name, const uint32_t of[3]) {
  if (of[1] == 1 && of[2] == 1)
    fprintf(to, "%s=%u", name, of[0]);
  else if (of[2] == 1)
    fprintf(to, "%s=(%u, %u)", name, of[0], of[1]);
  else
    fprintf(to, "%s=(%u, %u, %u)", name, of[0], of[1], of[2]);
}

// How the kernel is launched as far as that is known, or else assumed.
static void say_launch(FILE *to, const dc_kernel *kernel) {
  enum { ASSUMED = 65536, SHOWN = 6 };
  const dc_launch *launch = &kernel->launches[0];
  unsigned shown = 0;
  fputs("DIVCOST_LAUNCH(", to);
  say_dimensions(to, "block", launch->block);
  if (launch->grid[0] > 0) {
    fputs(", ", to);
    say_dimensions(to, "grid", launch->grid);
  }
  for (uint32_t p = 0; p < kernel->n_params && shown < SHOWN; ++p) {
    const dc_param *parameter = &kernel->params[p];
    const char *name = dc_kernel_text(kernel, parameter->name);
    if (!*name || (!parameter->known && !decides_trips(kernel, p)))
      continue;
    fprintf(to, ", %s=%" PRId64, name, parameter->known ? parameter->value : (int64_t)ASSUMED);
    ++shown;
  }
  fputs(")", to);
}

static void offer_launch(menu *menu) {
  const dc_kernel *kernel = lsp_item_kernel(menu->item);
  const lsp_place *place = menu->item->place;
  const text *t = &menu->document->text;
  if (kernel->n_launches == 0 || kernel->launches[0].from == DC_BLOCK_PRAGMA)
    return;
  size_t name = menu->item->begin + (place->column ? place->column - 1 : 0);
  name = name < menu->item->end ? name : menu->item->end;
  char annotation[320] = ""; // what doesn't fit is no offer
  FILE *to = fmemopen(annotation, sizeof annotation - 1, "w");
  if (!to)
    return;
  say_launch(to, kernel);
  if (fclose(to) == 0)
    add_annotation(menu, "Say how it is launched: ", json_array(), lsp_declaration_begin(t, name),
                   annotation);
}

// ---- silence ------------------------------------------------------------------------------------

// What no annotation of a loop silences is silenced on its line.
static void offer_silence(menu *menu, json_t *diagnostic) {
  char comment[100], title[140];
  json_int_t line = -1;
  int rule = rule_of(diagnostic);
  json_unpack(diagnostic, "{s:{s:{s:I}}}", "range", "start", "line", &line);
  if (rule < 0 || (is_of_trips(rule) && takes_annotation(menu)) || line < 0 ||
      (size_t)line >= menu->document->text.n_lines)
    return;
  snprintf(comment, sizeof comment, " // NOLINT(divcost-%s): reason", dc_rule_name((dc_rule)rule));
  snprintf(title, sizeof title, "Silence this line, with a reason:%s", comment);
  add_edit(menu, title, json_pack("[O]", diagnostic),
           lsp_append(menu->server, menu->document, (size_t)line, comment));
}

// ---- commands -----------------------------------------------------------------------------------

// Takes the arguments.
static void add_command(menu *menu, const char *title, const char *command, json_t *arguments) {
  json_array_append_new(menu->list,
                        json_pack("{s:s, s:{s:s, s:s, s:o}}", "title", title, "command", "title",
                                  title, "command", command, "arguments", arguments));
}

static void offer_chain(menu *menu) {
  text_position at =
      text_position_of(&menu->document->text, menu->item->begin, menu->server->client.encoding);
  add_command(
      menu, "Show why lanes diverge in this loop", "divcost.showChain",
      json_pack("[s, I, I]", menu->document->uri, (json_int_t)at.line, (json_int_t)at.character));
}

// The report is that of the file in whose analysis the statement is: a header has none.
static void offer_page(menu *menu) {
  for (const lsp_document *d = menu->server->documents; d; d = d->next)
    if (&d->analysis == menu->item->analysis)
      add_command(menu, "Open the report of this file", "divcost.openPage",
                  json_pack("[s]", d->uri));
}

// ---- the menu -----------------------------------------------------------------------------------

static void offer_all(menu *menu) {
  const dc_loop *loop = menu->item ? lsp_item_loop(menu->item) : NULL;
  json_t *diagnostic;
  size_t index;
  json_array_foreach(json_object_get(menu->context, "diagnostics"), index, diagnostic)
      offer_silence(menu, diagnostic);
  if (loop && takes_annotation(menu)) {
    offer_trips(menu, loop);
    offer_ignoring(menu, loop);
  }
  if (menu->item && !loop)
    offer_launch(menu);
  if (loop && loop->n_reasons > 0)
    offer_chain(menu);
  if (menu->item)
    offer_page(menu);
}

json_t *lsp_actions(lsp_server *server, const json_t *parameters) {
  const char *uri = NULL;
  json_int_t line = -1, character = -1;
  lsp_view view;
  json_unpack((json_t *)parameters, "{s:{s:s}, s:{s:{s:I, s:I}}}", "textDocument", "uri", &uri,
              "range", "start", "line", &line, "character", &character);
  const lsp_document *document = lsp_document_find(server, uri);
  if (!document || line < 0 || character < 0 || (size_t)line >= document->text.n_lines ||
      !lsp_view_make(server, document, &view))
    return NULL;
  const text_position at = {(size_t)line, (size_t)character};
  menu menu = {server, document, NULL, json_object_get(parameters, "context"), json_array()};
  menu.item =
      lsp_view_at(&view, document, text_offset(&document->text, at, server->client.encoding));
  offer_all(&menu);
  lsp_view_free(&view);
  return menu.list;
}
