// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Laws to text: the inverse of the parser in parse.c.
#include "distribution/distribution_internal.h"

typedef struct writer {
  char *text;
  size_t capacity, length;
} writer;

static void put(writer *w, const char *text) {
  for (; *text; ++text, ++w->length)
    if (w->length + 1 < w->capacity)
      w->text[w->length] = *text;
}

static void put_number(writer *w, double value) {
  char text[40];
  dc__number_write(value, text);
  put(w, text);
}

static void put_points(writer *w, const dc_law *law) {
  for (size_t i = 0; i < law->count; ++i) {
    put(w, i > 0 ? ", " : "");
    put_number(w, (double)law->points[i].value);
    put(w, ":");
    put_number(w, law->points[i].mass);
  }
}

static void put_name(writer *w, const dc_law *law) {
  put(w, "\"");
  for (const char *c = law->name; *c; ++c) {
    char text[2] = {*c, 0};
    put(w, *c == '"' || *c == '\\' ? "\\" : "");
    put(w, text);
  }
  put(w, "\"");
}

static void put_law(writer *w, const dc_law *law);

static void put_mixture(writer *w, const dc_law *law) {
  for (const dc_law *part = law->parts; part; part = part->next) {
    bool group = part->kind == DC_LAW_MIXTURE;
    put(w, part == law->parts ? "" : " + ");
    put_number(w, part->weight);
    put(w, group ? "*(" : "*");
    put_law(w, part);
    put(w, group ? ")" : "");
  }
}

static void put_law(writer *w, const dc_law *law) {
  if (law->kind == DC_LAW_MIXTURE) {
    put_mixture(w, law);
    return;
  }
  const dc_law_rule *rule = &dc__law_rules[law->kind];
  const char *between = "", *comma = rule->operands == DC_OPERANDS_NONE ? "," : ", ";
  put(w, rule->name);
  put(w, "(");
  if (rule->operands != DC_OPERANDS_NONE)
    for (const dc_law *part = law->parts; part; part = part->next, between = comma) {
      put(w, between);
      put_law(w, part);
    }
  for (unsigned i = 0; i < dc__law_parameters(law); ++i, between = comma) {
    put(w, between);
    put_number(w, law->parameter[i]);
  }
  if (law->kind == DC_LAW_HISTOGRAM)
    put_name(w, law);
  if (law->kind == DC_LAW_HISTOGRAM && law->count > 0)
    put(w, ", ");
  if (law->kind == DC_LAW_LIST || law->kind == DC_LAW_HISTOGRAM)
    put_points(w, law);
  put(w, ")");
}

size_t dc_law_print(const dc_law *law, char *text, size_t capacity) {
  writer w = {text, capacity, 0};
  put_law(&w, law);
  if (capacity > 0)
    text[w.length < capacity ? w.length : capacity - 1] = 0;
  return w.length;
}
