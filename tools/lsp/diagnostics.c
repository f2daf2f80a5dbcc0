// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Findings as diagnostics, with the plugin's words, and what kept a file from being analysed. What
// the plugin says in remarks is information here.
#define _XOPEN_SOURCE 700 // strdup

#include "lsp/server.h"
#include "lsp/uri.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1000 }; // diagnostics of a file

// One diagnostic for each place and rule, the worst one, however many instances and units find it.
typedef struct said {
  uint32_t line, column;
  dc_rule rule;
} said;

typedef struct page {
  const lsp_server *server;
  const char *path;
  json_t *list;
  said said[MOST];
  size_t count;
} page;

static bool is_new(page *page, const dc_location *at, dc_rule rule) {
  said one = {at->line, at->column, rule};
  for (size_t k = 0; k < page->count; ++k)
    if (page->said[k].line == one.line && page->said[k].column == one.column &&
        page->said[k].rule == rule)
      return false;
  if (page->count == MOST)
    return false;
  page->said[page->count++] = one;
  return true;
}

static json_t *related(const page *page, const lsp_analysis *analysis, uint32_t kernel,
                       const dc_finding *finding) {
  return page->server->client.related_information
             ? lsp_chain(page->server, analysis, kernel, finding)
             : NULL;
}

static json_t *description(const lsp_server *server, dc_rule rule) {
  json_t *page = server->client.code_description ? lsp_rule_page(server, rule) : NULL;
  return page ? json_pack("{s:o}", "href", page) : NULL;
}

static void add_finding(page *page, const lsp_analysis *analysis, uint32_t kernel,
                        const dc_finding *finding) {
  const dc_kernel *of = &analysis->unit.kernels[kernel].kernel;
  uint32_t location = lsp_own_location(of, finding->location);
  uint32_t file = location == DC_NONE
                      ? DC_NONE
                      : lsp_file_named(analysis, dc_kernel_text(of, of->locations[location].file));
  if (finding->suppressed || file == DC_NONE ||
      strcmp(analysis->files[file].path, page->path) != 0 ||
      !is_new(page, &of->locations[location], finding->rule))
    return;
  json_t *at = lsp_location(page->server, analysis, of, location);
  if (!at)
    return;
  char code[40];
  snprintf(code, sizeof code, "divcost-%s", dc_rule_name(finding->rule));
  json_array_append_new(page->list,
                        json_pack("{s:O, s:i, s:s, s:o*, s:s, s:o, s:o*}", "range",
                                  json_object_get(at, "range"), "severity",
                                  dc_finding_warns(finding) ? LSP_WARNING : LSP_INFORMATION, "code",
                                  code, "codeDescription", description(page->server, finding->rule),
                                  "source", "divcost", "message", lsp_string(finding->message),
                                  "relatedInformation", related(page, analysis, kernel, finding)));
  json_decref(at);
}

// Where the document could not be analysed: at the first error if that is in it, else at its start.
static void add_failure(page *page, const lsp_document *document) {
  const lsp_failure *failure = &document->failure;
  const text *t = &document->text;
  char message[1200];
  bool here = failure->file && strcmp(failure->file, document->real) == 0 && failure->line > 0 &&
              failure->line <= t->n_lines;
  size_t line = here ? failure->line - 1 : 0, begin = t->lines[line], end = text_line_end(t, line);
  if (here && failure->column > 0 && failure->column - 1 < end - begin) {
    begin += failure->column - 1;
    size_t word = lsp_word_end(t, begin);
    end = word > begin ? word : begin + 1;
  }
  if (failure->file && !here)
    snprintf(message, sizeof message, "%s (%s:%zu)", failure->text, failure->file, failure->line);
  else
    snprintf(message, sizeof message, "%s", failure->text);
  json_array_append_new(page->list, json_pack("{s:o, s:i, s:s, s:s, s:o}", "range",
                                              lsp_range(page->server, t, begin, end), "severity",
                                              LSP_INFORMATION, "code", "divcost-not-analysed",
                                              "source", "divcost", "message", lsp_string(message)));
}

// Whether an analysis of another document tells of this one: a part that is only included needn't
// compile by itself.
static bool is_part(const lsp_server *server, const lsp_document *document) {
  for (const lsp_document *d = server->documents; d; d = d->next)
    if (lsp_document_includes(d, document))
      return true;
  return false;
}

static void fill(page *page) {
  for (const lsp_document *d = page->server->documents; d; d = d->next) {
    if (d->failure.text && strcmp(d->real, page->path) == 0 && !is_part(page->server, d))
      add_failure(page, d);
    if (lsp_file_at(&d->analysis, page->path) == DC_NONE)
      continue;
    for (uint32_t k = 0; k < d->analysis.unit.n_kernels; ++k) {
      const uint32_t kernel = d->analysis.order[k];
      for (uint32_t f = 0; f < d->analysis.unit.kernels[kernel].n_findings; ++f)
        add_finding(page, &d->analysis, kernel, &d->analysis.unit.kernels[kernel].findings[f]);
    }
  }
}

// Whether the client had diagnostics of a file; from now on it has some, or none.
static bool had(lsp_server *server, const char *path, bool has) {
  arguments *list = &server->published;
  for (size_t k = 0; k < list->count; ++k)
    if (strcmp(list->words[k], path) == 0) {
      if (!has) {
        free(list->words[k]);
        list->words[k] = list->words[--list->count];
        list->words[list->count] = NULL;
      }
      return true;
    }
  if (has)
    arguments_add(list, path);
  return false;
}

void lsp_publish(lsp_server *server, const char *path) {
  const lsp_document *document = lsp_document_at(server, path);
  page *page = calloc(1, sizeof *page);
  if (!page)
    return;
  page->server = server;
  page->path = path;
  page->list = json_array();
  fill(page);
  bool some = json_array_size(page->list) > 0, before = had(server, path, some);
  char *uri = document ? strdup(document->uri) : uri_of_path(path);
  json_t *parameters = NULL;
  if (uri && (some || before || document))
    parameters = json_pack("{s:s, s:O}", "uri", uri, "diagnostics", page->list);
  if (parameters && document)
    json_object_set_new(parameters, "version", json_integer(document->version));
  lsp_notify(server, "textDocument/publishDiagnostics", parameters);
  free(uri);
  json_decref(page->list);
  free(page);
}

void lsp_publish_others(lsp_server *server, const lsp_document *document,
                        const lsp_analysis *analysis) {
  for (uint32_t k = 0; k < analysis->n_files; ++k)
    if (strcmp(analysis->files[k].path, document->real) != 0)
      lsp_publish(server, analysis->files[k].path);
}
