// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is open. A change cancels the analysis that runs and asks for another one after a pause; of
// the files that include what was changed too. A header may be included by all of them.
#define _XOPEN_SOURCE 700 // strdup

#include "lsp/server.h"
#include "lsp/uri.h"
#include "threads.h"

#include <stdlib.h>
#include <string.h>

enum {
  PAUSE = 400, // ms without a change, before an analysis
  JOBS_MOST = 4
};

// ---- analyses that are due ----------------------------------------------------------------------

static void ask(lsp_server *server, lsp_document *document, int64_t when) {
  lsp_job_cancel(server, document);
  document->due = when;
}

bool lsp_document_includes(const lsp_document *document, const lsp_document *other) {
  return document != other && !document->header &&
         (other->header || lsp_file_at(&document->analysis, other->real) != DC_NONE);
}

// All that a change of a document concerns.
static void ask_for(lsp_server *server, lsp_document *changed, int64_t when) {
  for (lsp_document *d = server->documents; d; d = d->next)
    if ((d == changed && !d->header) || lsp_document_includes(d, changed))
      ask(server, d, when);
}

void lsp_analyse_all(lsp_server *server) {
  for (lsp_document *d = server->documents; d; d = d->next)
    if (!d->header)
      ask(server, d, lsp_now());
}

static unsigned count_jobs(const lsp_server *server) {
  unsigned count = 0;
  for (const lsp_document *d = server->documents; d; d = d->next)
    count += d->job.running;
  return count;
}

static unsigned most_jobs(void) {
  unsigned processors = threads_processors();
  return processors < JOBS_MOST ? processors : JOBS_MOST;
}

int64_t lsp_documents_begin(lsp_server *server) {
  int64_t next = LSP_NEVER, now = lsp_now();
  unsigned running = count_jobs(server), most = most_jobs();
  for (lsp_document *d = server->documents; d; d = d->next) {
    next = lsp_job_next(d) < next ? lsp_job_next(d) : next;
    if (d->due > now) {
      next = d->due < next ? d->due : next;
    } else if (running < most) {
      d->due = LSP_NEVER;
      if (lsp_job_begin(server, d))
        ++running;
      else
        lsp_publish(server, d->real);
      next = lsp_job_next(d) < next ? lsp_job_next(d) : next;
    } // else: when another one ends
  }
  int64_t other = lsp_precompiled_begin(server, running < most);
  return other < next ? other : next;
}

// ---- open, change, save, close ------------------------------------------------------------------

lsp_document *lsp_document_find(lsp_server *server, const char *uri) {
  for (lsp_document *d = server->documents; uri && d; d = d->next)
    if (strcmp(d->uri, uri) == 0)
      return d;
  return NULL;
}

static bool is_header(const char *path) {
  static const char *const endings[] = {".cuh", ".h", ".hh", ".hpp", ".hxx", ".inc", ".inl"};
  const char *dot = strrchr(path, '.');
  for (size_t k = 0; dot && k < sizeof endings / sizeof *endings; ++k)
    if (strcmp(dot, endings[k]) == 0)
      return true;
  return false;
}

static void free_document(lsp_server *server, lsp_document *document) {
  lsp_job_cancel(server, document);
  lsp_precompiled_free(&document->precompiled);
  lsp_analysis_free(&document->analysis);
  lsp_failure_free(&document->failure);
  text_free(&document->text);
  free(document->command_told);
  free(document->uri);
  free(document->path);
  free(document->real);
  free(document);
}

void lsp_documents_free(lsp_server *server) {
  while (server->documents) {
    lsp_document *document = server->documents;
    server->documents = document->next;
    free_document(server, document);
  }
}

// The analyses that have lines of this document begin to follow it, or cease to.
static void follow(lsp_server *server, const lsp_document *document, bool begin) {
  for (lsp_document *d = server->documents; d; d = d->next) {
    uint32_t file = lsp_file_at(&d->analysis, document->real);
    if (file == DC_NONE)
      continue;
    text_lines_free(&d->analysis.files[file].lines);
    if (begin)
      text_lines_begin(&d->analysis.files[file].lines, document->text.n_lines);
  }
}

static lsp_document *new_document(lsp_server *server, const char *uri, char *path,
                                  const char *bytes, size_t size) {
  lsp_document *document = calloc(1, sizeof *document);
  if (!document) {
    free(path);
    return NULL;
  }
  document->uri = strdup(uri);
  document->path = path;
  document->real = lsp_real_path(path);
  document->header = is_header(path);
  document->due = LSP_NEVER;
  if (document->uri && document->real && text_set(&document->text, bytes, size))
    return document;
  free_document(server, document);
  return NULL;
}

void lsp_document_open(lsp_server *server, const json_t *parameters) {
  const char *uri = NULL, *bytes = NULL;
  size_t size = 0;
  json_int_t version = 0;
  if (json_unpack((json_t *)parameters, "{s:{s:s, s:s%, s?I}}", "textDocument", "uri", &uri, "text",
                  &bytes, &size, "version", &version) != 0)
    return;
  lsp_document_close(server, parameters); // open already: the new text counts
  char *path = uri_path(uri);
  if (!path) {
    lsp_log(server, LSP_INFORMATION, "divcost: %s is no file, and isn't analysed", uri);
    return;
  }
  lsp_document *document = new_document(server, uri, path, bytes, size);
  if (!document)
    return;
  document->version = version;
  document->next = server->documents;
  server->documents = document;
  follow(server, document, true);
  if (document->header)
    lsp_publish(server, document->real);
  ask_for(server, document, lsp_now());
}

// One change: of a range, or of all of the text.
static bool apply(const lsp_server *server, lsp_document *document, const json_t *change) {
  const char *bytes = NULL;
  size_t size = 0;
  json_int_t line[2], character[2];
  const json_t *range = json_object_get(change, "range");
  if (json_unpack((json_t *)change, "{s:s%}", "text", &bytes, &size) != 0)
    return false;
  if (!range)
    return text_set(&document->text, bytes, size);
  if (json_unpack((json_t *)range, "{s:{s:I, s:I}, s:{s:I, s:I}}", "start", "line", &line[0],
                  "character", &character[0], "end", "line", &line[1], "character",
                  &character[1]) != 0)
    return false;
  size_t at[2];
  for (int k = 0; k < 2; ++k) {
    if (line[k] < 0 || character[k] < 0)
      return false;
    text_position position = {(size_t)line[k], (size_t)character[k]};
    at[k] = text_offset(&document->text, position, server->client.encoding);
  }
  size_t begin = at[0] < at[1] ? at[0] : at[1], end = at[0] < at[1] ? at[1] : at[0];
  return text_replace(&document->text, begin, end, bytes, size);
}

// All analyses that know the document follow what became of its lines.
static void follow_change(lsp_server *server, const lsp_document *document, const text *before) {
  for (lsp_document *d = server->documents; d; d = d->next) {
    uint32_t file = lsp_file_at(&d->analysis, document->real);
    if (file != DC_NONE)
      text_lines_follow(&d->analysis.files[file].lines, before, &document->text);
  }
}

void lsp_document_change(lsp_server *server, const json_t *parameters) {
  const char *uri = NULL;
  json_int_t version = 0;
  json_t *changes = NULL, *change;
  size_t index;
  if (json_unpack((json_t *)parameters, "{s:{s:s, s?I}, s:o}", "textDocument", "uri", &uri,
                  "version", &version, "contentChanges", &changes) != 0)
    return;
  lsp_document *document = lsp_document_find(server, uri);
  if (!document)
    return;
  document->version = version;
  json_array_foreach(changes, index, change) {
    text before = {0};
    if (!text_set(&before, document->text.bytes, document->text.size) ||
        !apply(server, document, change))
      lsp_log(server, LSP_ERROR, "divcost: a change of %s couldn't be followed", document->path);
    else
      follow_change(server, document, &before);
    text_free(&before);
  }
  ask_for(server, document, lsp_now() + PAUSE);
}

void lsp_document_save(lsp_server *server, const json_t *parameters) {
  const char *uri = NULL;
  json_unpack((json_t *)parameters, "{s:{s:s}}", "textDocument", "uri", &uri);
  lsp_document *document = lsp_document_find(server, uri);
  if (!document)
    return;
  for (lsp_document *d = server->documents; d; d = d->next)
    if (lsp_document_includes(d, document)) // clang sees changes of size and of seconds
      lsp_precompiled_drop(&d->precompiled);
  ask_for(server, document, lsp_now());
}

void lsp_document_close(lsp_server *server, const json_t *parameters) {
  const char *uri = NULL;
  json_unpack((json_t *)parameters, "{s:{s:s}}", "textDocument", "uri", &uri);
  lsp_document *document = lsp_document_find(server, uri);
  if (!document)
    return;
  lsp_document **link = &server->documents;
  while (*link != document)
    link = &(*link)->next;
  *link = document->next;
  follow(server, document, false);
  lsp_publish_others(server, document, &document->analysis);
  lsp_publish(server, document->real);
  ask_for(server, document, lsp_now()); // to who includes it, what is on disk counts again
  free_document(server, document);
}
