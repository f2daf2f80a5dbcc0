// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes as what a client of the language server sends, in two ways: as they are; and, so that
// the fuzzer needn't count, each of their lines as the body of a frame, behind an `initialize`. No
// compiler is started. And as a source, for what it begins with. Every byte that comes out belongs
// to a frame of JSON.
#include "lsp/preamble.h"
#include "lsp/server.h"

#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char hello[] = "{\"id\":0,\"method\":\"initialize\",\"params\":{}}";

static void check_output(lsp_server *server) {
  message_reader said = {0};
  const char *body;
  size_t size;
  json_error_t error;
  queue_add(&said.input, server->output.bytes + server->output.begin,
            server->output.end - server->output.begin);
  message_found found;
  while ((found = message_next(&said, &body, &size)) == MESSAGE_COMPLETE) {
    json_t *message = json_loadb(body, size, JSON_ALLOW_NUL, &error);
    REQUIRE(json_is_object(message));
    json_decref(message);
  }
  REQUIRE(found == MESSAGE_NONE && said.input.begin == said.input.end && said.skip == 0);
  queue_free(&said.input);
}

static void send(lsp_server *server, const char *body, size_t size) {
  byte_queue frame = {0};
  message_write(&frame, body, size);
  lsp_receive(server, frame.bytes, frame.end);
  queue_free(&frame);
}

static void end(lsp_server *server) {
  lsp_hang_up(server);
  REQUIRE(lsp_is_over(server));
  if (server->output.bytes)
    check_output(server);
  lsp_free(server);
}

static void as_they_are(const char *bytes, size_t size) {
  lsp_server server = {0};
  lsp_settings_read(&server, NULL);
  for (size_t at = 0, part; at < size; at += part) {
    part = size - at < 7 ? size - at : 7;
    lsp_receive(&server, bytes + at, part);
  }
  end(&server);
}

static void line_by_line(const char *bytes, size_t size) {
  lsp_server server = {0};
  lsp_settings_read(&server, NULL);
  send(&server, hello, strlen(hello));
  for (size_t at = 0; at < size;) {
    const char *newline = memchr(bytes + at, '\n', size - at);
    size_t length = newline ? (size_t)(newline - bytes) - at : size - at;
    send(&server, bytes + at, length);
    at += length + 1;
  }
  end(&server);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
  REQUIRE(preamble_size((const char *)data, size) <= size);
  as_they_are((const char *)data, size);
  line_by_line((const char *)data, size);
  return 0;
}
