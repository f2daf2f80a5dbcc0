// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why a loop diverges, step by step: the calls through which it came into the kernel, and the
// chain from its bound to threadIdx or a load, each at its place. What `divcost.showChain` answers.
#include "lsp/server.h"
#include "lsp/uri.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const lsp_document *lsp_document_at(const lsp_server *server, const char *path) {
  for (const lsp_document *d = server->documents; d; d = d->next)
    if (strcmp(d->real, path) == 0)
      return d;
  return NULL;
}

// A place of a file that isn't open: characters are counted in bytes.
static json_t *range_on_disk(const dc_location *at) {
  json_int_t line = at->line ? (json_int_t)at->line - 1 : 0,
             column = at->column ? (json_int_t)at->column - 1 : 0;
  return json_pack("{s:{s:I, s:I}, s:{s:I, s:I}}", "start", "line", line, "character", column,
                   "end", "line", line, "character", column + 1);
}

json_t *lsp_location(const lsp_server *server, const lsp_analysis *analysis,
                     const dc_kernel *kernel, uint32_t location) {
  const dc_location *at = location == DC_NONE ? NULL : &kernel->locations[location];
  uint32_t index = at ? lsp_file_named(analysis, dc_kernel_text(kernel, at->file)) : DC_NONE;
  if (index == DC_NONE || at->line == 0)
    return NULL;
  const lsp_file *file = &analysis->files[index];
  const lsp_document *document = lsp_document_at(server, file->path);
  if (!document) {
    char *uri = uri_of_path(file->path);
    json_t *made = uri ? json_pack("{s:s, s:o}", "uri", uri, "range", range_on_disk(at)) : NULL;
    free(uri);
    return made;
  }
  const text *t = &document->text;
  uint32_t line = text_lines_now(&file->lines, at->line - 1);
  if (line >= t->n_lines)
    return NULL;
  size_t from = t->lines[line], to = text_line_end(t, line);
  size_t begin = at->column ? from + at->column - 1 : from;
  begin = begin < to ? begin : to;
  size_t end = lsp_word_end(t, begin);
  return json_pack("{s:s, s:o}", "uri", document->uri, "range",
                   lsp_range(server, t, begin, end > begin || end == to ? end : end + 1));
}

static void add_step(const lsp_server *server, json_t *steps, const lsp_analysis *analysis,
                     const dc_kernel *kernel, uint32_t location, const char *text) {
  json_t *at = lsp_location(server, analysis, kernel, lsp_own_location(kernel, location));
  if (at)
    json_array_append_new(steps,
                          json_pack("{s:o, s:o}", "location", at, "message", lsp_string(text)));
}

static void add_calls(const lsp_server *server, json_t *steps, const lsp_analysis *analysis,
                      const dc_kernel *kernel, uint32_t location) {
  char text[1200];
  while (location != DC_NONE && kernel->locations[location].inlined_at != DC_NONE) {
    uint32_t call = kernel->locations[location].inlined_at;
    snprintf(text, sizeof text, "in '%.500s', inlined into '%.500s' here",
             dc_kernel_text(kernel, kernel->locations[location].function),
             dc_kernel_text(kernel, kernel->locations[call].function));
    add_step(server, steps, analysis, kernel, call, text);
    location = call;
  }
}

json_t *lsp_chain(const lsp_server *server, const lsp_analysis *analysis, uint32_t kernel,
                  const dc_finding *finding) {
  const dc_kernel *of = &analysis->unit.kernels[kernel].kernel;
  json_t *steps = json_array();
  if (!steps)
    return NULL;
  add_calls(server, steps, analysis, of, finding->location);
  uint32_t first, count = dc_finding_chain(of, finding, &first);
  for (uint32_t k = 0; k < count; ++k) {
    const dc_reason *reason = &of->reasons[first + k];
    add_step(server, steps, analysis, of, reason->location, dc_kernel_text(of, reason->text));
  }
  return steps;
}

// ---- divcost.showChain --------------------------------------------------------------------------

// The steps as lines for people whose editor shows no list of them.
static void show_steps(lsp_server *server, const json_t *steps) {
  char text[4096] = "";
  size_t used = 0, index;
  json_t *step;
  json_array_foreach(steps, index, step) {
    const char *uri = NULL, *words = NULL;
    json_int_t line = 0;
    if (json_unpack(step, "{s:{s:s, s:{s:{s:I}}}, s:s}", "location", "uri", &uri, "range", "start",
                    "line", &line, "message", &words) != 0)
      continue;
    const char *slash = strrchr(uri, '/');
    int more = snprintf(text + used, sizeof text - used, "%s%s:%d: %s", used ? "\n" : "",
                        slash ? slash + 1 : uri, (int)line + 1, words);
    if (more < 0 || (used += (size_t)more) >= sizeof text)
      break;
  }
  lsp_show(server, LSP_INFORMATION, *text ? text : "nothing is known of this loop any more");
}

// The arguments are those that lens.c and actions.c give: [uri, line, character].
json_t *lsp_show_chain(lsp_server *server, const json_t *arguments) {
  const char *uri = NULL;
  json_int_t line = -1, character = -1;
  lsp_view view;
  json_unpack((json_t *)arguments, "[s, I, I]", &uri, &line, &character);
  const lsp_document *document = lsp_document_find(server, uri);
  if (!document || line < 0 || character < 0 || !lsp_view_make(server, document, &view))
    return NULL;
  const text_position at = {(size_t)line, (size_t)character};
  const lsp_item *item =
      lsp_view_at(&view, document, text_offset(&document->text, at, server->client.encoding));
  json_t *steps = NULL;
  const dc_loop *loop = item ? lsp_item_loop(item) : NULL;
  if (loop) {
    const dc_finding of_loop = {
        .loop = item->place->loop, .barrier = DC_NONE, .location = loop->location};
    steps = lsp_chain(server, item->analysis, item->place->kernel, &of_loop);
  }
  if (!server->client.shows_chain)
    show_steps(server, steps);
  lsp_view_free(&view);
  return steps;
}
