// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JSON as text in a buffer that grows: what describe.c writes, here and in the browser, where there
// is no jansson. The text may stand in a <script> element: < is written as \u003c. Bytes that are
// no UTF-8 become U+FFFD.
#ifndef DIVCOST_TOOLS_HTML_HTML_JSON_H
#define DIVCOST_TOOLS_HTML_HTML_JSON_H

#include <stdbool.h>
#include <stddef.h>

typedef struct html_json {
  char *text; // ends with a zero; NULL: empty
  size_t size, capacity;
  bool comma;  // what comes next is preceded by one
  bool failed; // memory is out; nothing more is written
} html_json;

void dc__html_json_free(html_json *json);

// '{' or '['; and its end. key is the member's name, NULL in an array.
void dc__html_open(html_json *json, const char *key, char bracket);
void dc__html_close(html_json *json, char bracket);

void dc__html_string(html_json *json, const char *key, const char *value);
void dc__html_string_sized(html_json *json, const char *key, const char *value, size_t size);
void dc__html_whole(html_json *json, const char *key, long long value);
void dc__html_truth(html_json *json, const char *key, bool value);

// With the nine digits that reports have; what isn't finite is null.
void dc__html_real(html_json *json, const char *key, double value);

// Text that is JSON already.
void dc__html_raw(html_json *json, const char *key, const char *value, size_t size);

#endif
