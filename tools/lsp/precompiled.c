// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The headers of a document, precompiled once it has been analysed, for the analyses that follow:
// clang skips the bytes of the preamble and takes what a file of these bytes alone came to. clang
// sees by itself whether a header has changed since. Nobody is told of any of this but the log:
// where it doesn't work, the document is compiled whole, as the first time.
#define _XOPEN_SOURCE 700 // strdup, strndup

#include "lsp/preamble.h"
#include "lsp/server.h"

#include "divcost/path.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
  KEPT_MOST = 8,    // documents with a precompiled preamble: 20 to 50 MB each
  FAILURES_MOST = 3 // in a row, then it isn't made again
};

// ---- of what it is ------------------------------------------------------------------------------

static void remove_files(lsp_precompiled *p) {
  child_free(&p->compiler);
  lsp_folder_remove(p->folder);
  p->folder = NULL;
}

void lsp_precompiled_free(lsp_precompiled *p) {
  remove_files(p);
  free(p->preamble);
  free(p->directory);
  free(p->home);
  arguments_free(&p->words);
  *p = (lsp_precompiled){0};
}

void lsp_precompiled_drop(lsp_precompiled *p) {
  remove_files(p);
  p->state = LSP_NOT_PRECOMPILED;
}

static bool same_words(const arguments *a, const arguments *b) {
  bool same = a->count == b->count;
  for (size_t k = 0; same && k < a->count; ++k)
    same = strcmp(a->words[k], b->words[k]) == 0;
  return same;
}

static bool is_of(const lsp_precompiled *p, const char *bytes, size_t size, const char *home,
                  const char *directory, const arguments *words) {
  return p->preamble && p->size == size && memcmp(p->preamble, bytes, size) == 0 &&
         strcmp(p->home, home) == 0 && strcmp(p->directory, directory) == 0 &&
         same_words(&p->words, words);
}

// Takes home, and all words.
static bool set(lsp_precompiled *p, const char *bytes, size_t size, char *home,
                const char *directory, arguments *words) {
  lsp_precompiled_free(p);
  p->preamble = malloc(size);
  if (p->preamble)
    memcpy(p->preamble, bytes, size);
  p->size = size;
  p->home = home;
  p->directory = strdup(directory);
  p->words = *words;
  *words = (arguments){0};
  if (p->preamble && p->directory)
    return true;
  lsp_precompiled_free(p);
  return false;
}

// The folder in which clang looks first for what the document includes in quotes, as it names it.
static char *home_of(const lsp_document *document, const char *source) {
  const char *path = strcmp(source, document->job.copy) == 0 ? document->path : source;
  const char *slash = strrchr(path, '/');
  return slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
}

// For one architecture there is one precompiled header, and it is none's that has one already.
static bool can_be(const arguments *words) {
  static const char *const architecture[] = {"--cuda-gpu-arch=", "--offload-arch="};
  const char *one = NULL;
  if (arguments_contain(words, "-include-pch"))
    return false;
  for (size_t k = 0; k < words->count; ++k)
    for (size_t a = 0; a < sizeof architecture / sizeof *architecture; ++a) {
      size_t length = strlen(architecture[a]);
      const char *name = words->words[k] + length;
      if (strncmp(words->words[k], architecture[a], length) != 0)
        continue;
      if (strchr(name, ',') || (one && strcmp(one, name) != 0))
        return false;
      one = name;
    }
  return true;
}

// ---- use ----------------------------------------------------------------------------------------

static void add_frontend(arguments *words, const char *option) {
  arguments_add(words, "-Xclang");
  arguments_add(words, option);
}

static void add_use(const lsp_precompiled *p, arguments *words) {
  add_frontend(words, "-include-pch");
  arguments_add(words, "-Xclang");
  arguments_addf(words, "%s/preamble.pch", p->folder);
  add_frontend(words, "-fmodules-validate-system-headers"); // others it looks at anyway
  arguments_add(words, "-Xclang");
  arguments_addf(words, "-preamble-bytes=%zu,1", p->size);
}

bool lsp_precompiled_use(lsp_server *server, lsp_document *document, arguments *plain,
                         arguments *words) {
  lsp_precompiled *p = &document->precompiled;
  const text *t = &document->text;
  size_t size = preamble_size(t->bytes, t->size);
  char *home = NULL;
  if (size == 0 || plain->count == 0 || !can_be(plain) ||
      !(home = home_of(document, plain->words[plain->count - 1]))) {
    lsp_precompiled_free(p);
    return false;
  }
  free(plain->words[--plain->count]); // a copy's name is another one each time
  plain->words[plain->count] = NULL;
  if (is_of(p, t->bytes, size, home, document->job.directory, plain))
    free(home);
  else if (!set(p, t->bytes, size, home, document->job.directory, plain))
    return false;
  if (p->state != LSP_PRECOMPILED)
    return false;
  p->used = ++server->precompiled_used;
  add_use(p, words);
  return true;
}

void lsp_precompiled_served(lsp_server *server, lsp_document *document, bool well) {
  lsp_precompiled *p = &document->precompiled;
  p->failures = well ? 0 : p->failures + 1;
  if (well || p->state != LSP_PRECOMPILED)
    return;
  lsp_log(server, LSP_LOG, "divcost: %s: its precompiled headers don't serve any more",
          document->path);
  remove_files(p);
  p->state = p->failures < FAILURES_MOST ? LSP_NOT_PRECOMPILED : LSP_NOT_TO_PRECOMPILE;
}

void lsp_precompiled_wish(lsp_document *document) {
  lsp_precompiled *p = &document->precompiled;
  if (p->preamble && p->state == LSP_NOT_PRECOMPILED)
    p->state = LSP_TO_PRECOMPILE;
}

// ---- make ---------------------------------------------------------------------------------------

static dc_status make(lsp_server *server, lsp_precompiled *p, dc_error *error) {
  arguments words = {0};
  p->folder = lsp_folder_make(server);
  char *source = p->folder ? dc_path_join(p->folder, "preamble.cu") : NULL;
  dc_status status = DC_OK;
  if (!source || !lsp_write_file(source, p->preamble, p->size))
    status = dc_fail(error, DC_ERROR_FILE, "no copy of the text can be written");
  for (size_t k = 0; status == DC_OK && k < p->words.count; ++k) {
    arguments_add(&words, p->words.words[k]);
    if (k > 0)
      continue;
    arguments_add(&words, "-iquote"); // before all others
    arguments_add(&words, p->home);
  }
  arguments_add(&words, source ? source : "");
  arguments_add(&words, "-Werror=backend-plugin"); // pragmas are lost
  add_frontend(&words, "-emit-pch");
  add_frontend(&words, "-o");
  arguments_add(&words, "-Xclang");
  arguments_addf(&words, "%s/preamble.pch", p->folder ? p->folder : "");
  if (status == DC_OK)
    status = child_start(&p->compiler, p->directory, &words, error);
  if (status == DC_OK) // whatever else is to be done is waited for
    setpriority(PRIO_PROCESS, (id_t)p->compiler.process, 10);
  arguments_free(&words);
  free(source);
  return status;
}

static void give_up(lsp_server *server, lsp_document *document, const char *why) {
  lsp_log(server, LSP_LOG, "divcost: %s: its headers aren't precompiled: %.300s", document->path,
          why);
  remove_files(&document->precompiled);
  document->precompiled.state = LSP_NOT_TO_PRECOMPILE;
}

int64_t lsp_precompiled_begin(lsp_server *server, bool room) {
  lsp_document *next = NULL;
  dc_error error;
  for (lsp_document *d = server->documents; d; d = d->next) {
    if (d->precompiled.state == LSP_PRECOMPILING)
      return d->precompiled.deadline;
    if (d->precompiled.state == LSP_TO_PRECOMPILE)
      next = d;
  }
  if (!next || !room)
    return LSP_NEVER;
  next->precompiled.state = LSP_PRECOMPILING;
  next->precompiled.deadline = lsp_now() + server->settings.time_limit;
  if (make(server, &next->precompiled, &error) == DC_OK)
    return next->precompiled.deadline;
  give_up(server, next, error.text);
  return LSP_NEVER;
}

static void drop_oldest(lsp_server *server) {
  lsp_precompiled *oldest = NULL;
  size_t count = 0;
  for (lsp_document *d = server->documents; d; d = d->next) {
    lsp_precompiled *p = &d->precompiled;
    if (p->state != LSP_PRECOMPILED)
      continue;
    ++count;
    if (!oldest || p->used < oldest->used)
      oldest = p;
  }
  if (count > KEPT_MOST)
    lsp_precompiled_drop(oldest);
}

void lsp_precompiled_continue(lsp_server *server, lsp_document *document) {
  lsp_precompiled *p = &document->precompiled;
  if (p->state != LSP_PRECOMPILING)
    return;
  bool ended = child_continue(&p->compiler);
  if (!ended && lsp_now() < p->deadline)
    return;
  if (!ended || p->compiler.status != 0) {
    give_up(server, document,
            !ended             ? "the compiler took too long"
            : p->compiler.text ? p->compiler.text
                               : "the compiler failed");
    return;
  }
  child_free(&p->compiler);
  p->state = LSP_PRECOMPILED;
  p->used = ++server->precompiled_used;
  lsp_log(server, LSP_LOG, "divcost: %s: its headers are precompiled", document->path);
  drop_oldest(server);
}
