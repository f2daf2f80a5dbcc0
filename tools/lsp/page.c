// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// divcost.openPage: the report of a document as a page, as `divcost report --html` writes it, in a
// file of the server's that goes when it ends. The client is asked to show it.
#define _XOPEN_SOURCE 700 // strdup
#include "divcost/instances.h"
#include "divcost/path.h"
#include "divcost/report.h"
#include "lsp/server.h"
#include "lsp/uri.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static dc_status write_page(const dc_unit *unit, const char *path, dc_error *error) {
  const dc_kernels all = dc_unit_kernels(unit);
  const dc_fold_options options = {0};
  dc_kernels shown;
  dc_folded *folded;
  FILE *to = fopen(path, "w");
  if (!to)
    return dc_fail(error, DC_ERROR_FILE, "%.300s: %s", path, strerror(errno));
  dc_status status = dc_instances_fold(&all, &options, &folded, &shown, error);
  if (status == DC_OK)
    status = dc_format_html.write(&shown, NULL, to, error);
  dc_folded_free(folded);
  if (fclose(to) != 0 && status == DC_OK)
    status = dc_fail(error, DC_ERROR_FILE, "%.300s: %s", path, strerror(errno));
  if (status != DC_OK)
    unlink(path);
  return status;
}

// Where the page of a document goes: in the server's folder; of files of one name there is the last
// one's.
static char *path_of(const lsp_server *server, const lsp_document *document) {
  const char *name = dc_base_name(document->path);
  char *file = malloc(strlen(name) + sizeof ".html"), *path = NULL;
  if (file) {
    strcat(strcpy(file, name), ".html");
    path = dc_path_join(server->folder, file);
  }
  free(file);
  return path;
}

static void show(lsp_server *server, const char *uri, const char *path) {
  char text[4200];
  if (server->client.show_document) {
    lsp_request(server, json_integer(server->next_request++), "window/showDocument",
                json_pack("{s:s, s:b}", "uri", uri, "external", 1));
    return;
  }
  snprintf(text, sizeof text, "divcost: the report is in %s until the editor ends", path);
  lsp_show(server, LSP_INFORMATION, text);
}

static bool remember(lsp_server *server, const char *path) {
  for (size_t k = 0; k < server->pages.count; ++k)
    if (strcmp(server->pages.words[k], path) == 0)
      return true;
  arguments_add(&server->pages, path);
  return !server->pages.failed;
}

static json_t *open_page(lsp_server *server, const lsp_document *document) {
  dc_error error;
  char *path = path_of(server, document), *uri = path ? uri_of_path(path) : NULL;
  json_t *answer = NULL;
  if (!uri || !remember(server, path)) {
    lsp_show(server, LSP_ERROR, "divcost: out of memory for the report");
  } else if (write_page(&document->analysis.unit, path, &error) != DC_OK) {
    lsp_show(server, LSP_ERROR, error.text);
  } else {
    show(server, uri, path);
    answer = json_string(uri);
  }
  free(uri);
  free(path);
  return answer;
}

json_t *lsp_open_page(lsp_server *server, const json_t *arguments) {
  const char *uri = NULL;
  json_unpack((json_t *)arguments, "[s]", &uri);
  const lsp_document *document = lsp_document_find(server, uri);
  if (!document)
    return NULL;
  if (document->analysis.unit.n_kernels > 0 && server->folder)
    return open_page(server, document);
  lsp_show(server, LSP_INFORMATION, "divcost: there is no report of this file yet");
  return NULL;
}

void lsp_remove_pages(lsp_server *server) {
  for (size_t k = 0; k < server->pages.count; ++k)
    unlink(server->pages.words[k]);
  arguments_free(&server->pages);
}
