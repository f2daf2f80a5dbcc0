// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JSON-RPC 2.0 and the Language Server Protocol 3.17: which message does what, and in which state
// of the server. Whatever comes that isn't understood is answered with an error, or passed over.
#include "lsp/server.h"

#include "divcost/version.h"

#include <string.h>

enum { // of JSON-RPC and of the protocol
  PARSE_ERROR = -32700,
  INVALID_REQUEST = -32600,
  METHOD_NOT_FOUND = -32601,
  SERVER_NOT_INITIALIZED = -32002
};

// ---- the client ---------------------------------------------------------------------------------

static const json_t *inside(const json_t *object, const char *const *names) {
  for (; *names; ++names)
    object = json_object_get(object, *names);
  return object;
}
#define INSIDE(object, ...) inside(object, (const char *const[]){__VA_ARGS__, NULL})

static bool lists(const json_t *array, const char *text) {
  size_t index;
  json_t *element;
  json_array_foreach(array, index, element) {
    const char *its = json_string_value(element);
    if (its && strcmp(its, text) == 0)
      return true;
  }
  return false;
}

static void read_client(lsp_server *server, const json_t *parameters) {
  const json_t *can = json_object_get(parameters, "capabilities");
  lsp_client *client = &server->client;
  if (lists(INSIDE(can, "general", "positionEncodings"), "utf-8"))
    client->encoding = TEXT_UTF8;
  client->markdown = lists(INSIDE(can, "textDocument", "hover", "contentFormat"), "markdown");
  client->related_information =
      json_is_true(INSIDE(can, "textDocument", "publishDiagnostics", "relatedInformation"));
  client->code_description =
      json_is_true(INSIDE(can, "textDocument", "publishDiagnostics", "codeDescriptionSupport"));
  client->lens_refresh = json_is_true(INSIDE(can, "workspace", "codeLens", "refreshSupport"));
  client->hint_refresh = json_is_true(INSIDE(can, "workspace", "inlayHint", "refreshSupport"));
  client->progress = json_is_true(INSIDE(can, "window", "workDoneProgress"));
  client->show_document = json_is_true(INSIDE(can, "window", "showDocument", "support"));
  const json_t *options = json_object_get(parameters, "initializationOptions");
  client->shows_chain = json_is_true(json_object_get(options, "showsChain"));
  lsp_settings_read(server, options);
  if (client->code_description && !server->rules)
    server->rules = toolchain_page("warnings.md");
}

static json_t *initialize(lsp_server *server, const json_t *parameters) {
  read_client(server, parameters);
  server->state = LSP_READY;
  return json_pack(
      "{s:{s:s, s:{s:b, s:i, s:{s:b}}, s:b, s:{s:b}, s:b, s:{s:[s]}, s:{s:[s, s]}}, s:{s:s, s:s}}",
      "capabilities", "positionEncoding", server->client.encoding == TEXT_UTF8 ? "utf-8" : "utf-16",
      "textDocumentSync", "openClose", 1, "change", 2, "save", "includeText", 0, "hoverProvider", 1,
      "codeLensProvider", "resolveProvider", 0, "inlayHintProvider", 1, "codeActionProvider",
      "codeActionKinds", "quickfix", "executeCommandProvider", "commands", "divcost.showChain",
      "divcost.openPage", "serverInfo", "name", "divcost", "version", DIVCOST_VERSION);
}

// ---- requests and notifications -----------------------------------------------------------------

static json_t *shut_down(lsp_server *server, const json_t *parameters) {
  (void)parameters;
  server->state = LSP_SHUT_DOWN;
  lsp_documents_free(server);
  return NULL;
}

static void configure(lsp_server *server, const json_t *parameters) {
  lsp_settings_read(server, json_object_get(parameters, "settings"));
  lsp_analyse_all(server);
}

static json_t *execute(lsp_server *server, const json_t *parameters) {
  const char *command = json_string_value(json_object_get(parameters, "command"));
  const json_t *arguments = json_object_get(parameters, "arguments");
  if (command && strcmp(command, "divcost.showChain") == 0)
    return lsp_show_chain(server, arguments);
  if (command && strcmp(command, "divcost.openPage") == 0)
    return lsp_open_page(server, arguments);
  return NULL;
}

typedef struct request {
  const char *method;
  json_t *(*answer)(lsp_server *server, const json_t *parameters);
} request;

static const request requests[] = {
    {"textDocument/hover", lsp_hover},     {"textDocument/codeLens", lsp_lenses},
    {"textDocument/inlayHint", lsp_hints}, {"textDocument/codeAction", lsp_actions},
    {"workspace/executeCommand", execute}, {"shutdown", shut_down},
};

typedef struct notification {
  const char *method;
  void (*take)(lsp_server *server, const json_t *parameters);
} notification;

static const notification notifications[] = {
    {"textDocument/didOpen", lsp_document_open},
    {"textDocument/didChange", lsp_document_change},
    {"textDocument/didSave", lsp_document_save},
    {"textDocument/didClose", lsp_document_close},
    {"workspace/didChangeConfiguration", configure},
    {"window/workDoneProgress/cancel", lsp_progress_cancel},
};

static void take_request(lsp_server *server, const json_t *id, const char *method,
                         const json_t *parameters) {
  bool initializes = strcmp(method, "initialize") == 0;
  if (server->state == LSP_NEW && !initializes) {
    lsp_answer_error(server, id, SERVER_NOT_INITIALIZED, "the server waits for 'initialize'");
    return;
  }
  if (server->state == LSP_SHUT_DOWN || (initializes && server->state != LSP_NEW)) {
    lsp_answer_error(server, id, INVALID_REQUEST,
                     initializes ? "'initialize' comes once" : "the server has been shut down");
    return;
  }
  if (initializes) {
    lsp_answer(server, id, initialize(server, parameters));
    return;
  }
  for (size_t k = 0; k < sizeof requests / sizeof *requests; ++k)
    if (strcmp(requests[k].method, method) == 0) {
      lsp_answer(server, id, requests[k].answer(server, parameters));
      return;
    }
  lsp_answer_error(server, id, METHOD_NOT_FOUND, "the server doesn't know this method");
}

static void take_notification(lsp_server *server, const char *method, const json_t *parameters) {
  if (strcmp(method, "exit") == 0)
    server->state = server->state == LSP_SHUT_DOWN ? LSP_ENDED : LSP_ABANDONED;
  for (size_t k = 0; server->state == LSP_READY && k < sizeof notifications / sizeof *notifications;
       ++k)
    if (strcmp(notifications[k].method, method) == 0)
      notifications[k].take(server, parameters);
}

void lsp_refuse(lsp_server *server, const char *why) {
  lsp_answer_error(server, NULL, PARSE_ERROR, why);
}

// Answers to the server's own requests have an id and no method.
void lsp_message(lsp_server *server, const char *body, size_t size) {
  json_error_t error;
  json_t *message = json_loadb(body, size, JSON_ALLOW_NUL, &error);
  const json_t *id = json_object_get(message, "id"),
               *parameters = json_object_get(message, "params");
  const char *method = json_string_value(json_object_get(message, "method"));
  if (!message)
    lsp_refuse(server, "the message is no JSON");
  else if (!json_is_object(message) || (id && !json_is_string(id) && !json_is_number(id)))
    lsp_answer_error(server, NULL, INVALID_REQUEST, "the message is no request of JSON-RPC 2.0");
  else if (!method && !json_object_get(message, "result") && !json_object_get(message, "error"))
    lsp_answer_error(server, id, INVALID_REQUEST, "the message has no method");
  else if (method && id)
    take_request(server, id, method, parameters);
  else if (method)
    take_notification(server, method, parameters);
  else if (json_is_string(id))
    lsp_progress_answered(server, json_string_value(id), !json_object_get(message, "error"));
  json_decref(message);
}
