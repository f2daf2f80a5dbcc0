// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every walk ends with the text, whatever is in it.
#include "findings/json_place.h"

#include <stdlib.h>
#include <string.h>

static void step(dcp_json_place *place) {
  if (!*place->at)
    return;
  bool new_line = *place->at++ == '\n';
  bool continued = ((unsigned char)*place->at & 0xC0) == 0x80; // of one character in UTF-8
  place->line += new_line;
  place->column = new_line ? 1 : place->column + !continued;
}

static bool is_one_of(char c, const char *set) { return c && strchr(set, c); }

static void skip_space(dcp_json_place *place) {
  while (is_one_of(*place->at, " \t\r\n"))
    step(place);
}

static void skip_text(dcp_json_place *place) {
  for (step(place); *place->at && *place->at != '"'; step(place))
    if (*place->at == '\\')
      step(place);
  step(place);
}

static void skip_value(dcp_json_place *place) {
  unsigned depth = 0;
  do {
    char c = *place->at;
    depth += is_one_of(c, "[{");
    depth -= depth && is_one_of(c, "]}");
    if (c == '"')
      skip_text(place);
    else
      step(place);
  } while (*place->at && (depth || !is_one_of(*place->at, ",]}")));
}

dcp_json_place dcp_json_begin(const char *text) {
  dcp_json_place place = {text, 1, 1};
  skip_space(&place);
  return place;
}

bool dcp_json_member(dcp_json_place object, const char *name, dcp_json_place *key,
                     dcp_json_place *value) {
  size_t length = strlen(name);
  dcp_json_place *at = &object;
  do {
    step(at);
    skip_space(at);
    if (*at->at != '"')
      return false;
    *key = *at;
    skip_text(at);
    skip_space(at);
    step(at); // the colon
    skip_space(at);
    *value = *at;
    if (!strncmp(key->at + 1, name, length) && key->at[length + 1] == '"')
      return true;
    skip_value(at);
  } while (*at->at == ',');
  return false;
}

bool dcp_json_first(dcp_json_place *array) {
  bool begins = *array->at == '[';
  step(array);
  skip_space(array);
  return begins && *array->at && *array->at != ']';
}

bool dcp_json_next(dcp_json_place *element) {
  skip_value(element);
  bool more = *element->at == ',';
  step(element);
  skip_space(element);
  return more;
}

// The bytes in UTF-8 of the character that an escape with four digits, or two such, stand for; the
// digits are passed over.
static unsigned take_unicode(dcp_json_place *place) {
  char digits[5] = "";
  strncpy(digits, place->at, 4);
  unsigned long code = strtoul(digits, NULL, 16);
  bool pair = code >= 0xD800 && code < 0xDC00;
  for (unsigned k = 0; k < (pair ? 10 : 4); ++k)
    step(place);
  return pair ? 4 : code < 0x80 ? 1 : code < 0x800 ? 2 : 3;
}

dcp_json_place dcp_json_in_text(dcp_json_place text, unsigned offset) {
  dcp_json_place before = text;
  step(&text);
  for (unsigned passed = 0; passed <= offset && *text.at;) {
    before = text;
    bool escape = *text.at == '\\';
    if (escape)
      step(&text);
    bool unicode = escape && *text.at == 'u';
    step(&text);
    passed += unicode ? take_unicode(&text) : 1;
  }
  return before;
}
