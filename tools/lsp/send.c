// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the server says: answers, notifications, requests of its own. Memory that runs out on the
// way leaves a message unsaid, or answers with an error if there is memory for that.
#define _XOPEN_SOURCE 700 // strdup

#include "lsp/server.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void send_message(lsp_server *server, json_t *message) {
  char *text = message ? json_dumps(message, JSON_COMPACT) : NULL;
  if (text)
    message_write(&server->output, text, strlen(text));
  free(text);
  json_decref(message);
}

// "id" is what the request had; null where that couldn't be read.
static json_t *id_of(const json_t *id) { return id ? json_deep_copy(id) : json_null(); }

void lsp_answer(lsp_server *server, const json_t *id, json_t *result) {
  send_message(server, json_pack("{s:s, s:o, s:o}", "jsonrpc", "2.0", "id", id_of(id), "result",
                                 result ? result : json_null()));
}

void lsp_answer_error(lsp_server *server, const json_t *id, int code, const char *text) {
  send_message(server, json_pack("{s:s, s:o, s:{s:i, s:o}}", "jsonrpc", "2.0", "id", id_of(id),
                                 "error", "code", code, "message", lsp_string(text)));
}

void lsp_notify(lsp_server *server, const char *method, json_t *parameters) {
  if (parameters)
    send_message(server, json_pack("{s:s, s:s, s:o}", "jsonrpc", "2.0", "method", method, "params",
                                   parameters));
}

void lsp_request(lsp_server *server, json_t *id, const char *method, json_t *parameters) {
  send_message(server, json_pack("{s:s, s:o, s:s, s:o*}", "jsonrpc", "2.0", "id", id, "method",
                                 method, "params", parameters));
}

void lsp_refresh(lsp_server *server, const char *method) {
  lsp_request(server, json_integer(server->next_request++), method, NULL);
}

void lsp_log(lsp_server *server, lsp_severity severity, const char *format, ...) {
  char text[4096];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  lsp_notify(server, "window/logMessage",
             json_pack("{s:i, s:o}", "type", (int)severity, "message", lsp_string(text)));
}

void lsp_show(lsp_server *server, lsp_severity severity, const char *text) {
  lsp_notify(server, "window/showMessage",
             json_pack("{s:i, s:o}", "type", (int)severity, "message", lsp_string(text)));
}

json_t *lsp_string(const char *text) {
  json_t *string = json_string(text);
  char *ascii = string ? NULL : strdup(text);
  if (!ascii)
    return string;
  for (char *at = ascii; *at; ++at)
    if ((unsigned char)*at >= 0x80)
      *at = '?';
  string = json_string(ascii);
  free(ascii);
  return string;
}

static json_t *position_of(const lsp_server *server, const text *t, size_t offset) {
  text_position at = text_position_of(t, offset, server->client.encoding);
  return json_pack("{s:I, s:I}", "line", (json_int_t)at.line, "character",
                   (json_int_t)at.character);
}

json_t *lsp_range(const lsp_server *server, const text *t, size_t begin, size_t end) {
  return json_pack("{s:o, s:o}", "start", position_of(server, t, begin), "end",
                   position_of(server, t, end));
}
