// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// $/progress: that a file is being analysed, from when the client has agreed to be told to the
// analysis's end. The request that asks it has the token as its id, so that its answer names the
// analysis. Where that has ended meanwhile, the client hears of begin and end at once: it waits for
// both.
#include "lsp/server.h"

#include "divcost/path.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void tell(lsp_server *server, const char *token, json_t *value) {
  lsp_notify(server, "$/progress",
             value ? json_pack("{s:s, s:o}", "token", token, "value", value) : NULL);
}

static void begin(lsp_server *server, const char *token, const char *path, bool cancellable) {
  char title[300];
  snprintf(title, sizeof title, "divcost: analysing %.250s", dc_base_name(path));
  tell(server, token,
       json_pack("{s:s, s:o, s:s, s:b}", "kind", "begin", "title", lsp_string(title), "message",
                 "compiling for the device", "cancellable", cancellable));
}

static void end(lsp_server *server, const char *token, const char *message) {
  tell(server, token, json_pack("{s:s, s:o}", "kind", "end", "message", lsp_string(message)));
}

void lsp_progress_begin(lsp_server *server, lsp_job *job) {
  if (!server->client.progress)
    return;
  snprintf(job->token, sizeof job->token, "divcost-%" PRIu64, ++server->progresses_begun);
  lsp_request(server, json_string(job->token), "window/workDoneProgress/create",
              json_pack("{s:s}", "token", job->token));
}

void lsp_progress_say(lsp_server *server, const lsp_job *job, const char *message) {
  if (job->shown)
    tell(server, job->token,
         json_pack("{s:s, s:o}", "kind", "report", "message", lsp_string(message)));
}

void lsp_progress_end(lsp_server *server, lsp_job *job, const char *message) {
  if (job->shown)
    end(server, job->token, message);
  job->shown = false;
  *job->token = 0;
}

static lsp_document *document_of(lsp_server *server, const char *token) {
  for (lsp_document *d = server->documents; token && *token && d; d = d->next)
    if (strcmp(d->job.token, token) == 0)
      return d;
  return NULL;
}

void lsp_progress_answered(lsp_server *server, const char *token, bool agreed) {
  lsp_document *document = document_of(server, token);
  if (!agreed || strncmp(token, "divcost-", 8) != 0 || (document && document->job.shown))
    return;
  begin(server, token, document ? document->path : "a file", document != NULL);
  if (document)
    document->job.shown = true;
  else
    end(server, token, "done");
}

void lsp_progress_cancel(lsp_server *server, const json_t *parameters) {
  lsp_document *document =
      document_of(server, json_string_value(json_object_get(parameters, "token")));
  if (document)
    lsp_job_cancel(server, document);
}
