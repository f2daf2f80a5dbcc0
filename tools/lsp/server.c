// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The server without its descriptors: what the client sent goes in, what it is told comes out.
#define _POSIX_C_SOURCE 200809L // clock_gettime

#include "lsp/server.h"

#include <stdlib.h>
#include <unistd.h>

int64_t lsp_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

bool lsp_is_over(const lsp_server *server) { return server->state >= LSP_ENDED; }

void lsp_receive(lsp_server *server, const char *bytes, size_t size) {
  const char *body = NULL;
  message_found found;
  queue_add(&server->input.input, bytes, size);
  while (!lsp_is_over(server) &&
         (found = message_next(&server->input, &body, &size)) != MESSAGE_NONE) {
    if (found == MESSAGE_COMPLETE)
      lsp_message(server, body, size);
    else
      lsp_refuse(server, found == MESSAGE_TOO_LONG ? "the message is too long"
                                                   : "this is no 'Content-Length: N' frame");
  }
}

void lsp_hang_up(lsp_server *server) {
  const message_reader *input = &server->input;
  server->cut = !input->lost && (input->skip > 0 || input->input.end > input->input.begin);
  if (server->cut)
    lsp_refuse(server, "the input ended within a message");
  server->state = server->state == LSP_SHUT_DOWN && !server->cut ? LSP_ENDED : LSP_ABANDONED;
}

void lsp_free(lsp_server *server) {
  lsp_documents_free(server);
  lsp_remove_pages(server);
  if (server->folder)
    rmdir(server->folder);
  free(server->folder);
  free(server->rules);
  lsp_database_free(server);
  lsp_settings_free(&server->settings);
  toolchain_free(&server->tools);
  arguments_free(&server->published);
  queue_free(&server->input.input);
  queue_free(&server->output);
}
