// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code actions: what a loop's trip counts are, said in an annotation to be completed; silence, with
// a reason to be completed; the chain.
#define _GNU_SOURCE // memmem
#include "lsp/server.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- edits --------------------------------------------------------------------------------------

static const char *line_break(const text *t) {
  if (t->n_lines < 2)
    return "\n";
  size_t end = text_line_end(t, 0);
  return t->bytes[end] == '\n' ? "\n" : t->lines[1] - end > 1 ? "\r\n" : "\r";
}

// Bytes of blanks at the beginning of a line.
static size_t indentation(const text *t, size_t line) {
  size_t at = t->lines[line];
  while (at < t->size && (t->bytes[at] == ' ' || t->bytes[at] == '\t'))
    ++at;
  return at - t->lines[line];
}

static json_t *edit_of(const lsp_server *server, const lsp_document *document, size_t offset,
                       const char *new_text) {
  return json_pack("{s:{s:[{s:o, s:s}]}}", "changes", document->uri, "range",
                   lsp_range(server, &document->text, offset, offset), "newText", new_text);
}

// A line of its own before a statement, indented as it is. Where something stands before the
// statement on its line (`else for`), that line is parted.
static json_t *line_before(const lsp_server *server, const lsp_document *document, size_t begin,
                           const char *line) {
  const text *t = &document->text;
  size_t number = text_position_of(t, begin, TEXT_UTF8).line, from = t->lines[number],
         blanks = indentation(t, number);
  const char *end = line_break(t);
  bool first = from + blanks == begin;
  size_t size = 2 * blanks + strlen(line) + 8;
  char *words = malloc(size);
  if (!words)
    return NULL;
  snprintf(words, size, "%s%s%s%.*s", first ? "" : end, line, end, (int)blanks, t->bytes + from);
  json_t *edit = edit_of(server, document, begin, words);
  free(words);
  return edit;
}

// ---- actions ------------------------------------------------------------------------------------

typedef struct menu {
  const lsp_server *server;
  const lsp_document *document;
  const lsp_item *item;
  const json_t *context; // of the request
  json_t *list;
} menu;

// The client's diagnostics of one of two rules.
static json_t *diagnostics_of(const menu *menu, dc_rule rule, dc_rule other) {
  json_t *fixed = json_array(), *diagnostic;
  size_t index;
  json_array_foreach(json_object_get(menu->context, "diagnostics"), index, diagnostic) {
    const char *code = json_string_value(json_object_get(diagnostic, "code"));
    const char *name = code && strncmp(code, "divcost-", 8) == 0 ? code + 8 : "";
    if (strcmp(name, dc_rule_name(rule)) == 0 || strcmp(name, dc_rule_name(other)) == 0)
      json_array_append(fixed, diagnostic);
  }
  return fixed;
}

// Takes what it fixes, and the edit.
static void add_edit(menu *menu, const char *title, json_t *fixed, json_t *edit) {
  json_array_append_new(menu->list, json_pack("{s:s, s:s, s:o, s:o}", "title", title, "kind",
                                              "quickfix", "diagnostics", fixed, "edit", edit));
}

// Whether a pragma can stand before the statement: it is a loop as it is written, no macro.
static bool takes_pragma(const menu *menu) {
  static const char *const words[] = {"for", "while", "do"};
  const text *t = &menu->document->text;
  size_t begin = menu->item->begin, size = lsp_word_end(t, begin) - begin;
  for (size_t k = 0; k < 3; ++k)
    if (size == strlen(words[k]) && memcmp(t->bytes + begin, words[k], size) == 0)
      return true;
  return false;
}

// An annotation before the loop: a macro where the file has these, since nvcc and gcc warn of a
// pragma that they don't know.
static void write_annotation(const menu *menu, const char *macro, const char *clause,
                             const char *argument, char *line, size_t size) {
  static const char header[] = "divcost.h";
  const text *t = &menu->document->text;
  if (memmem(t->bytes, t->size, header, sizeof header - 1))
    snprintf(line, size, "%s(%s)", macro, argument);
  else
    snprintf(line, size, "#pragma divcost %s(%s)", clause, argument);
}

// The distribution that is proposed has the mean that is assumed as long as nobody says otherwise.
static void offer_trips(menu *menu, const dc_loop *loop) {
  const dc_loop_estimate *figures = lsp_item_figures(menu->item);
  char line[80], title[120], law[40];
  bool known = figures && figures->from != DC_FROM_ASSUMED && figures->from != DC_FROM_RANGE;
  if (known || loop->distribution || loop->level < DC_DIVERGENT)
    return;
  int64_t most = dc_most_trips(lsp_item_kernel(menu->item), menu->item->place->loop);
  snprintf(law, sizeof law, "poisson(%" PRId64 ")", dc_trips_assumed(most));
  write_annotation(menu, "DIVCOST_TRIPS", "trips", law, line, sizeof line);
  snprintf(title, sizeof title, "Say its trip counts: %s", line);
  add_edit(menu, title, diagnostics_of(menu, DC_RULE_IMBALANCE, DC_RULE_DATA_DEPENDENT),
           line_before(menu->server, menu->document, menu->item->begin, line));
}

static void offer_silence(menu *menu, const dc_loop *loop) {
  char line[80];
  write_annotation(menu, "DIVCOST_IGNORE", "ignore", "\"reason\"", line, sizeof line);
  if (!loop->ignored && menu->item->place->share.high > 0)
    add_edit(menu, "Ignore this loop, with a reason",
             diagnostics_of(menu, DC_RULE_IMBALANCE, DC_RULE_DATA_DEPENDENT),
             line_before(menu->server, menu->document, menu->item->begin, line));
}

static void offer_chain(menu *menu) {
  static const char title[] = "Show why lanes diverge in this loop";
  text_position at =
      text_position_of(&menu->document->text, menu->item->begin, menu->server->client.encoding);
  json_array_append_new(menu->list, json_pack("{s:s, s:{s:s, s:s, s:[s, I, I]}}", "title", title,
                                              "command", "title", title, "command",
                                              "divcost.showChain", "arguments", menu->document->uri,
                                              (json_int_t)at.line, (json_int_t)at.character));
}

// Barriers heed no pragma: their line is marked.
static void offer_nolint(menu *menu, size_t line) {
  const text *t = &menu->document->text;
  json_t *fixed = diagnostics_of(menu, DC_RULE_BARRIER, DC_RULE_BARRIER_EXITED);
  size_t end = text_line_end(t, line), from = t->lines[line];
  bool continued = end > from && t->bytes[end - 1] == '\\';
  if (json_array_size(fixed) > 0 && !continued)
    add_edit(menu, "Silence this line: // NOLINT(divcost-barrier)", fixed,
             edit_of(menu->server, menu->document, end, " // NOLINT(divcost-barrier)"));
  else
    json_decref(fixed);
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
  const dc_loop *loop = menu.item ? lsp_item_loop(menu.item) : NULL;
  offer_nolint(&menu, at.line);
  if (loop && takes_pragma(&menu)) {
    offer_trips(&menu, loop);
    offer_silence(&menu, loop);
  }
  if (loop && loop->n_reasons > 0)
    offer_chain(&menu);
  lsp_view_free(&view);
  return menu.list;
}
