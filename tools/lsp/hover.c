// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hover: what the text report says of the loop, the kernel, or the accesses to memory of the line,
// in a fixed pitch.
#define _POSIX_C_SOURCE 200809L // open_memstream

#include "lsp/server.h"

#include "divcost/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_item(const lsp_item *item, FILE *stream) {
  const dc_unit *unit = &item->analysis->unit;
  const lsp_place *place = item->place;
  if (place->loop == DC_NONE) {
    dc_text_write_kernel(unit, place->kernel, stream, NULL);
  } else {
    dc_text_write_loop(unit, place->kernel, place->loop, stream, NULL);
    const dc_kernel *kernel = lsp_item_kernel(item);
    fprintf(stream, "\nkernel %.300s\n", dc_kernel_text(kernel, kernel->name));
    lsp_write_instances(item->analysis, place, item->count, stream);
  }
}

// Fenced where Markdown is shown. A fence within would end it: none is, the report has none but in
// names that are quoted.
static json_t *contents_of(const lsp_server *server, const lsp_document *document,
                           const lsp_item *item, size_t line) {
  char *words = NULL;
  size_t size = 0;
  bool markdown = server->client.markdown;
  FILE *stream = open_memstream(&words, &size);
  if (!stream)
    return NULL;
  fputs(markdown ? "```text\n" : "", stream);
  bool some = item != NULL;
  if (item)
    write_item(item, stream);
  else
    some = lsp_write_accesses(server, document, line, stream);
  fputs(markdown ? "```" : "", stream);
  fclose(stream);
  json_t *contents = !some ? NULL
                           : json_pack("{s:s, s:o}", "kind", markdown ? "markdown" : "plaintext",
                                       "value", lsp_string(words ? words : ""));
  free(words);
  return contents;
}

json_t *lsp_hover(lsp_server *server, const json_t *parameters) {
  const char *uri = NULL;
  json_int_t line = -1, character = -1;
  lsp_view view;
  json_unpack((json_t *)parameters, "{s:{s:s}, s:{s:I, s:I}}", "textDocument", "uri", &uri,
              "position", "line", &line, "character", &character);
  const lsp_document *document = lsp_document_find(server, uri);
  if (!document || line < 0 || character < 0 || !lsp_view_make(server, document, &view))
    return NULL;
  const text *t = &document->text;
  text_position at = {(size_t)line, (size_t)character};
  const lsp_item *item = lsp_view_at(&view, document, text_offset(t, at, server->client.encoding));
  json_t *contents = contents_of(server, document, item, (size_t)line), *hover = NULL;
  if (item)
    hover = json_pack("{s:o, s:o}", "contents", contents, "range",
                      lsp_range(server, t, item->begin, item->end));
  else if (contents)
    hover = json_pack("{s:o}", "contents", contents);
  lsp_view_free(&view);
  return hover;
}
