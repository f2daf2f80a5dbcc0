// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One compilation: the document's text goes into a copy that the compiler takes for the file, and
// so do those of open headers; out comes a report, or the first error.
#define _XOPEN_SOURCE 700 // strdup, strndup

#include "lsp/server.h"

#include "divcost/files.h"
#include "divcost/path.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LOOK = 100 }; // ms between looks for first results

void lsp_failure_free(lsp_failure *failure) {
  free(failure->text);
  free(failure->file);
  *failure = (lsp_failure){0};
}

void lsp_fail(lsp_document *document, const char *text) {
  lsp_failure_free(&document->failure);
  document->failure.text = strdup(text);
}

// ---- files of the job ---------------------------------------------------------------------------

static void free_job(lsp_job *job) {
  child_free(&job->compiler);
  lsp_folder_remove(job->folder);
  free(job->report);
  free(job->first);
  free(job->copy);
  free(job->directory);
  arguments_free(&job->words);
  *job = (lsp_job){0};
}

void lsp_job_cancel(lsp_server *server, lsp_document *document) {
  lsp_progress_end(server, &document->job, "stopped");
  free_job(&document->job);
}

static bool make_folder(lsp_server *server, lsp_job *job) {
  job->folder = lsp_folder_make(server);
  if (!job->folder)
    return false;
  job->copy = dc_path_join(job->folder, "buffer.cu");
  job->report = dc_path_join(job->folder, "report.json");
  job->first = dc_path_join(job->folder, "first.json");
  return job->copy && job->report && job->first;
}

// What the document includes is compiled as it is in the editor.
static bool write_headers(const lsp_server *server, lsp_document *document, arguments *words) {
  unsigned count = 0;
  char name[24];
  for (const lsp_document *d = server->documents; d; d = d->next) {
    if (!lsp_document_includes(document, d) || access(d->path, F_OK) != 0 || strchr(d->path, ';') ||
        lsp_is_in_file(d->path, d->text.bytes, d->text.size))
      continue;
    document->job.as_saved = false;
    snprintf(name, sizeof name, "header%u.h", count++);
    char *copy = dc_path_join(document->job.folder, name);
    bool good = copy && lsp_write_file(copy, d->text.bytes, d->text.size);
    arguments_add(words, "-Xclang");
    arguments_add(words, "-remap-file");
    arguments_add(words, "-Xclang");
    arguments_addf(words, "%s;%s", d->path, copy ? copy : "");
    free(copy);
    if (!good)
      return false;
  }
  return !words->failed;
}

// ---- begin --------------------------------------------------------------------------------------

static void fail_to_begin(lsp_server *server, lsp_document *document, const char *why) {
  char text[512];
  snprintf(text, sizeof text, "not analysed: %s", why);
  lsp_fail(document, text);
  if (!server->told_tools)
    lsp_show(server, LSP_ERROR, text);
  server->told_tools = true;
}

bool lsp_job_begin(lsp_server *server, lsp_document *document) {
  lsp_job *job = &document->job;
  arguments plain = {0}, with = {0};
  dc_error error;
  errno = 0;
  lsp_job_cancel(server, document);
  job->as_saved = true;
  dc_status status = DC_OK;
  if (!make_folder(server, job) ||
      !lsp_write_file(job->copy, document->text.bytes, document->text.size))
    status = dc_fail(&error, DC_ERROR_FILE, "no copy of the text can be written to %s: %s",
                     job->folder ? job->folder : "a temporary folder", strerror(errno));
  if (status == DC_OK)
    status = lsp_command(server, document, &job->words, &plain, &error);
  if (status == DC_OK && !write_headers(server, document, &job->words))
    status = dc_fail(&error, DC_ERROR_FILE, "no copies of open headers can be written to %s",
                     job->folder);
  arguments_add_all(&with, &job->words);
  job->shortcut =
      status == DC_OK && job->as_saved && lsp_precompiled_use(server, document, &plain, &with);
  if (status == DC_OK)
    status = child_start(&job->compiler, job->directory, &with, &error);
  arguments_free(&with);
  arguments_free(&plain);
  job->running = status == DC_OK;
  job->deadline = lsp_now() + server->settings.time_limit;
  if (job->running) {
    lsp_progress_begin(server, job);
    return true;
  }
  fail_to_begin(server, document, error.text);
  free_job(job);
  return false;
}

// ---- end ----------------------------------------------------------------------------------------

// "file:line:column: " in front of an error; what follows it, or NULL.
static const char *read_place(const char *line, lsp_failure *failure) {
  unsigned long numbers[2];
  for (const char *colon = strchr(line, ':'); colon; colon = strchr(colon + 1, ':')) {
    char *end = NULL;
    numbers[0] = strtoul(colon + 1, &end, 10);
    if (end == colon + 1 || *end != ':')
      continue;
    char *behind = NULL;
    numbers[1] = strtoul(end + 1, &behind, 10);
    if (behind == end + 1 || *behind != ':' || behind[1] != ' ')
      continue;
    failure->file = strndup(line, (size_t)(colon - line));
    failure->line = numbers[0];
    failure->column = numbers[1];
    return behind + 2;
  }
  return NULL;
}

// The file of a failure, as documents name theirs.
static void resolve_place(const lsp_document *document, lsp_failure *failure) {
  const lsp_job *job = &document->job;
  char *file = failure->file, *whole = NULL;
  if (!file)
    return;
  if (strcmp(file, job->copy) == 0)
    whole = strdup(document->real);
  else if (*file != '/')
    whole = dc_path_join(job->directory, file);
  failure->file = lsp_real_path(whole ? whole : file);
  free(whole);
  free(file);
}

// The first error that the compiler printed, without "error: "; NULL: none.
static char *first_error(const char *output, lsp_failure *failure) {
  static const char *const marks[] = {"fatal error: ", "error: "};
  for (const char *line = output; line && *line;
       line = strchr(line, '\n'), line = line ? line + 1 : NULL) {
    char *copy = strndup(line, strcspn(line, "\n")), *found = NULL;
    for (size_t k = 0; copy && !found && k < 2; ++k)
      found = strstr(copy, marks[k]) ? strdup(strstr(copy, marks[k]) + strlen(marks[k])) : NULL;
    if (found)
      read_place(copy, failure);
    free(copy);
    if (found)
      return found;
  }
  return NULL;
}

// Says once what to do about a toolkit that isn't there.
static void tell_toolkit(lsp_server *server, const char *output) {
  if (server->told_toolkit || !strstr(output, "cannot find CUDA installation"))
    return;
  server->told_toolkit = true;
  lsp_show(server, LSP_WARNING,
           "divcost: clang finds no CUDA Toolkit. Install one, name its folder in the setting "
           "'flags' (--cuda-path=DIR), or have files compiled without (docs/editors.md)");
}

static void compiler_failed(lsp_server *server, lsp_document *document) {
  const child *compiler = &document->job.compiler;
  const char *output = compiler->text ? compiler->text : "";
  char text[1024];
  lsp_failure_free(&document->failure);
  char *error = first_error(output, &document->failure);
  resolve_place(document, &document->failure);
  if (error && document->failure.file)
    snprintf(text, sizeof text, "not analysed, the file doesn't compile: %s", error);
  else if (error)
    snprintf(text, sizeof text, "not analysed: %s", error);
  else if (compiler->status < 0)
    snprintf(text, sizeof text, "not analysed: the compiler was ended by signal %d",
             -compiler->status);
  else
    snprintf(text, sizeof text, "not analysed: the compiler failed with exit status %d",
             compiler->status);
  document->failure.text = strdup(text);
  if (!error || !document->failure.file)
    lsp_log(server, LSP_WARNING, "divcost: %s: %s\n%.3000s", document->path, text, output);
  tell_toolkit(server, output);
  free(error);
}

// Reads the report; a unit without device code leaves none.
static bool read_report(lsp_server *server, lsp_document *document, const char *path,
                        dc_unit *unit) {
  dc_error error;
  char text[400];
  FILE *stream = fopen(path, "r");
  if (!stream)
    return true;
  dc_status status = dc_unit_read_json(stream, unit, &error);
  fclose(stream);
  if (status == DC_OK) {
    const char *slash = strrchr(document->path, '/');
    free(unit->path); // so texts name files as seen from the document's folder
    unit->path = strdup(slash ? slash + 1 : document->path);
    return true;
  }
  snprintf(text, sizeof text, "not analysed: the compiler's report can't be read: %s", error.text);
  lsp_fail(document, text);
  lsp_log(server, LSP_WARNING, "divcost: %s: %s", document->path, text);
  return false;
}

// The document's new analysis takes the place of the old one.
static void adopt(lsp_server *server, lsp_document *document, dc_unit *unit) {
  const lsp_names names = {document->job.directory, document->job.copy, document->path};
  lsp_analysis old = document->analysis;
  if (!lsp_analysis_make(&document->analysis, unit, &names))
    lsp_fail(document, "not analysed: out of memory");
  for (const lsp_document *d = server->documents; d; d = d->next) {
    uint32_t file = lsp_file_at(&document->analysis, d->real);
    if (file != DC_NONE)
      text_lines_begin(&document->analysis.files[file].lines, d->text.n_lines);
  }
  lsp_publish_others(server, document, &old);
  lsp_publish_others(server, document, &document->analysis);
  lsp_publish(server, document->real);
  lsp_analysis_free(&old);
  if (server->client.lens_refresh)
    lsp_refresh(server, "workspace/codeLens/refresh");
  if (server->client.hint_refresh)
    lsp_refresh(server, "workspace/inlayHint/refresh");
}

// What is known so far of a file that takes long. A report that can't be read is told with the
// whole one.
static void look_for_first(lsp_server *server, lsp_document *document) {
  lsp_job *job = &document->job;
  dc_unit unit = {0};
  if (!job->first || access(job->first, F_OK) != 0)
    return;
  if (read_report(server, document, job->first, &unit)) {
    lsp_failure_free(&document->failure);
    adopt(server, document, &unit);
    lsp_progress_say(server, job, "first results are shown, other instances of templates follow");
  }
  dc_unit_free(&unit);
  free(job->first);
  job->first = NULL;
}

int64_t lsp_job_next(const lsp_document *document) {
  const lsp_job *job = &document->job;
  int64_t look = lsp_now() + LOOK;
  if (!job->running)
    return LSP_NEVER;
  return job->first && look < job->deadline ? look : job->deadline;
}

// Once more with the headers' texts, before anything is said of what failed. False: it doesn't run.
static bool begin_again(lsp_server *server, lsp_job *job) {
  dc_error error;
  child_free(&job->compiler);
  job->shortcut = false;
  job->doubted = true;
  job->deadline = lsp_now() + server->settings.time_limit;
  if (child_start(&job->compiler, job->directory, &job->words, &error) == DC_OK)
    return true;
  job->compiler.status = 127; // as a shell says it
  return false;
}

// Precompiled headers are blamed for what went well without.
static void judge_shortcut(lsp_server *server, lsp_document *document) {
  const lsp_job *job = &document->job;
  if (job->shortcut || job->doubted)
    lsp_precompiled_served(server, document, job->shortcut);
  if (job->as_saved)
    lsp_precompiled_wish(document);
}

void lsp_job_continue(lsp_server *server, lsp_document *document) {
  lsp_job *job = &document->job;
  dc_unit unit = {0};
  char text[120];
  if (!job->running)
    return;
  bool ended = child_continue(&job->compiler);
  if (!ended && lsp_now() < job->deadline) {
    look_for_first(server, document);
    return;
  }
  if (!ended) {
    child_stop(&job->compiler);
    snprintf(text, sizeof text, "not analysed: the compiler took longer than %g seconds",
             (double)server->settings.time_limit / 1000);
    lsp_fail(document, text);
  } else if (job->shortcut && job->compiler.status != 0 && begin_again(server, job)) {
    return;
  } else if (job->compiler.status != 0) {
    compiler_failed(server, document);
  } else if (read_report(server, document, job->report, &unit)) {
    lsp_failure_free(&document->failure);
    adopt(server, document, &unit);
    judge_shortcut(server, document);
  }
  if (document->failure.text)
    lsp_publish(server, document->real);
  dc_unit_free(&unit);
  lsp_progress_end(server, job, document->failure.text ? document->failure.text : "done");
  free_job(job);
}
