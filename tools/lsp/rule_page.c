// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the documentation says what a rule means: in the page that was installed with the command,
// at the rule's heading.
#include "lsp/server.h"
#include "lsp/uri.h"

#include <stdlib.h>

json_t *lsp_rule_page(const lsp_server *server, dc_rule rule) {
  char *uri = server->rules ? uri_of_path(server->rules) : NULL;
  const dc_rule_info *about = dc_rule_about(rule);
  json_t *page =
      uri ? json_sprintf("%s#%sdivcost-%s", uri, about->warns ? "" : "remark-", about->name) : NULL;
  free(uri);
  return page;
}
