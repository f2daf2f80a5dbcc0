// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any JSON, with an end, and with errors that tell where and what, but nothing of the file.
#include "divcost/input.h"

#include <errno.h>
#include <jansson.h>
#include <stdbool.h>
#include <string.h>

typedef struct source {
  FILE *stream;
  size_t left; // bytes that may come
  bool too_long;
} source;

static size_t take(void *buffer, size_t size, void *context) {
  source *s = context;
  size_t got = fread(buffer, 1, size, s->stream);
  s->too_long = got > s->left;
  s->left -= s->too_long ? s->left : got;
  return s->too_long ? (size_t)-1 : got;
}

// jansson says "... near 'what stands there'".
static int without_quote(const char *text) {
  const char *quote = strstr(text, " near '");
  return quote ? (int)(quote - text) : (int)strlen(text);
}

dc_status dc_input_json(FILE *stream, size_t most, size_t flags, json_t **root, dc_error *error) {
  json_error_t where = {0}; // jansson leaves it alone where it can't even begin
  source from = {stream, most, false};
  errno = 0;
  *root = json_load_callback(take, &from, flags, &where);
  if (*root && !ferror(stream))
    return DC_OK;
  int reason = errno;
  json_decref(*root);
  *root = NULL;
  if (ferror(stream))
    return dc_fail(error, DC_ERROR_FILE, "%s", strerror(reason));
  if (from.too_long)
    return dc_fail(error, DC_ERROR_LIMIT, "it has more than %zu MiB, the most that is read",
                   most >> 20);
  if (json_error_code(&where) == json_error_out_of_memory || !where.text[0])
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory for the JSON");
  dc_fail(error, DC_ERROR_SYNTAX, "line %d, column %d: %.*s", where.line, where.column,
          without_quote(where.text), where.text);
  if (error)
    error->offset = where.position > 0 ? (unsigned)where.position : 0;
  return DC_ERROR_SYNTAX;
}
