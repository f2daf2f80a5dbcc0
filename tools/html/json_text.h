// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JSON as text in a buffer that grows: what describe.c writes, here and in the browser, where there
// is no jansson. The text may stand in a <script> element: < is written as \u003c. Bytes that are
// no UTF-8 become U+FFFD.
#ifndef DIVCOST_TOOLS_HTML_JSON_TEXT_H
#define DIVCOST_TOOLS_HTML_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct json_text {
  char *text; // ends with a zero; NULL: empty
  size_t size, capacity;
  bool comma;  // what comes next is preceded by one
  bool failed; // memory is out; nothing more is written
} json_text;

void json_text_free(json_text *json);

// '{' or '['; and its end. key is the member's name, NULL in an array.
void json_open(json_text *json, const char *key, char bracket);
void json_close(json_text *json, char bracket);

void json_string(json_text *json, const char *key, const char *value);
void json_string_sized(json_text *json, const char *key, const char *value, size_t size);
void json_whole(json_text *json, const char *key, long long value);
void json_truth(json_text *json, const char *key, bool value);

// With the nine digits that reports have; what isn't finite is null.
void json_real(json_text *json, const char *key, double value);

// Text that is JSON already.
void json_raw(json_text *json, const char *key, const char *value, size_t size);

#endif
