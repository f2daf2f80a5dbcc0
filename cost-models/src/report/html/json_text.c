// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/html/json_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void dc__html_json_free(html_json *json) {
  free(json->text);
  *json = (html_json){0};
}

static void put(html_json *json, const char *text, size_t size) {
  if (json->failed)
    return;
  if (json->size + size + 1 > json->capacity) {
    size_t capacity = 2 * (json->size + size) + 256;
    char *grown = realloc(json->text, capacity);
    if (!grown) {
      json->failed = true;
      return;
    }
    json->text = grown;
    json->capacity = capacity;
  }
  memcpy(json->text + json->size, text, size);
  json->size += size;
  json->text[json->size] = 0;
}

// Bytes of the character that begins here, 0 if they are none of UTF-8: overlong forms, surrogates
// and what is beyond U+10FFFF aren't.
static size_t character(const unsigned char *at, size_t left) {
  if (at[0] < 0x80)
    return 1;
  size_t size = at[0] >= 0xf0 ? 4 : at[0] >= 0xe0 ? 3 : 2;
  if (at[0] < 0xc2 || at[0] > 0xf4 || size > left)
    return 0;
  for (size_t k = 1; k < size; ++k)
    if ((at[k] & 0xc0) != 0x80)
      return 0;
  bool wrong = (at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xed && at[1] > 0x9f) ||
               (at[0] == 0xf0 && at[1] < 0x90) || (at[0] == 0xf4 && at[1] > 0x8f);
  return wrong ? 0 : size;
}

static void put_character(html_json *json, const unsigned char *at, size_t size) {
  char escape[8];
  if (size == 0) {
    put(json, "\\ufffd", 6);
  } else if (at[0] == '"' || at[0] == '\\') {
    escape[0] = '\\';
    escape[1] = (char)at[0];
    put(json, escape, 2);
  } else if (at[0] < 0x20 || at[0] == '<' || at[0] == 0x7f) {
    snprintf(escape, sizeof escape, "\\u%04x", (unsigned)at[0]);
    put(json, escape, 6);
  } else {
    put(json, (const char *)at, size);
  }
}

static void put_string(html_json *json, const char *value, size_t size) {
  const unsigned char *bytes = (const unsigned char *)value;
  put(json, "\"", 1);
  for (size_t k = 0; k < size && !json->failed;) {
    size_t length = character(bytes + k, size - k);
    put_character(json, bytes + k, length);
    k += length ? length : 1;
  }
  put(json, "\"", 1);
}

static void begin(html_json *json, const char *key) {
  if (json->comma)
    put(json, ",", 1);
  if (key) {
    put_string(json, key, strlen(key));
    put(json, ":", 1);
  }
  json->comma = true;
}

void dc__html_open(html_json *json, const char *key, char bracket) {
  begin(json, key);
  put(json, &bracket, 1);
  json->comma = false;
}

void dc__html_close(html_json *json, char bracket) {
  put(json, &bracket, 1);
  json->comma = true;
}

void dc__html_string_sized(html_json *json, const char *key, const char *value, size_t size) {
  begin(json, key);
  put_string(json, value, size);
}

void dc__html_string(html_json *json, const char *key, const char *value) {
  dc__html_string_sized(json, key, value, strlen(value));
}

void dc__html_raw(html_json *json, const char *key, const char *value, size_t size) {
  begin(json, key);
  put(json, value, size);
}

void dc__html_whole(html_json *json, const char *key, long long value) {
  char text[24];
  dc__html_raw(json, key, text, (size_t)snprintf(text, sizeof text, "%lld", value));
}

void dc__html_truth(html_json *json, const char *key, bool value) {
  dc__html_raw(json, key, value ? "true" : "false", value ? 4 : 5);
}

void dc__html_real(html_json *json, const char *key, double value) {
  char text[40] = "null";
  if (isfinite(value))
    snprintf(text, sizeof text, "%.9g", value);
  dc__html_raw(json, key, text, strlen(text));
}
