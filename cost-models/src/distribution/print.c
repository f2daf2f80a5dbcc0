// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Distributions to text: the inverse of the parser in parse.c.
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

static void put_points(writer *w, const dc_distribution_spec *spec) {
  for (size_t i = 0; i < spec->count; ++i) {
    put(w, i > 0 ? ", " : "");
    put_number(w, (double)spec->points[i].value);
    put(w, ":");
    put_number(w, spec->points[i].mass);
  }
}

static void put_name(writer *w, const dc_distribution_spec *spec) {
  put(w, "\"");
  for (const char *c = spec->name; *c; ++c) {
    char text[2] = {*c, 0};
    put(w, *c == '"' || *c == '\\' ? "\\" : "");
    put(w, text);
  }
  put(w, "\"");
}

static void put_distribution(writer *w, const dc_distribution_spec *spec);

static void put_mixture(writer *w, const dc_distribution_spec *spec) {
  for (const dc_distribution_spec *part = spec->parts; part; part = part->next) {
    bool group = part->kind == DC_DISTRIBUTION_MIXTURE;
    put(w, part == spec->parts ? "" : " + ");
    put_number(w, part->weight);
    put(w, group ? "*(" : "*");
    put_distribution(w, part);
    put(w, group ? ")" : "");
  }
}

static void put_distribution(writer *w, const dc_distribution_spec *spec) {
  if (spec->kind == DC_DISTRIBUTION_MIXTURE) {
    put_mixture(w, spec);
    return;
  }
  const dc_distribution_rule *rule = &dc__distribution_rules[spec->kind];
  const char *between = "", *comma = rule->form < DC_FORM_MIXTURE ? "," : ", ";
  put(w, rule->name);
  put(w, "(");
  if (rule->form >= DC_FORM_MIXTURE)
    for (const dc_distribution_spec *part = spec->parts; part; part = part->next, between = comma) {
      put(w, between);
      put_distribution(w, part);
    }
  for (unsigned i = 0; i < dc__distribution_parameters(spec); ++i, between = comma) {
    put(w, between);
    put_number(w, spec->parameter[i]);
  }
  if (spec->kind == DC_DISTRIBUTION_HISTOGRAM)
    put_name(w, spec);
  if (spec->kind == DC_DISTRIBUTION_HISTOGRAM && spec->count > 0)
    put(w, ", ");
  if (spec->kind == DC_DISTRIBUTION_LIST || spec->kind == DC_DISTRIBUTION_HISTOGRAM)
    put_points(w, spec);
  put(w, ")");
}

size_t dc_distribution_print(const dc_distribution_spec *spec, char *text, size_t capacity) {
  writer w = {text, capacity, 0};
  put_distribution(&w, spec);
  if (capacity > 0)
    text[w.length < capacity ? w.length : capacity - 1] = 0;
  return w.length;
}

// ---- all that there are ------------------------------------------------------------------------

void dc__distribution_names(char *text, size_t capacity) {
  writer w = {text, capacity, 0};
  for (unsigned kind = 0; kind < DC_DISTRIBUTION_KINDS; ++kind)
    if (dc__distribution_rules[kind].name) {
      put(&w, w.length ? ", " : "");
      put(&w, dc__distribution_rules[kind].name);
    }
  text[w.length < capacity ? w.length : capacity - 1] = 0;
}

static void put_usage(writer *w, const dc_distribution_rule *rule) {
  static const char *const first[] = {[DC_FORM_FORMULA] = "",
                                      [DC_FORM_POINTS] = "v:p, ...",
                                      [DC_FORM_FILE] = "\"FILE\"",
                                      [DC_FORM_MAP] = "D",
                                      [DC_FORM_COMBINE] = "D"};
  const char *comma = rule->form < DC_FORM_MIXTURE ? "," : ", ";
  put(w, rule->name);
  put(w, "(");
  put(w, first[rule->form]);
  for (unsigned i = 0; i < rule->parameters; ++i) {
    put(w, i > 0 || *first[rule->form] ? comma : "");
    put(w, rule->parameter[i].name);
  }
  put(w, ")");
}

size_t dc_distribution_usage(unsigned kind, char *text, size_t capacity) {
  writer w = {text, capacity, 0};
  if (kind < DC_DISTRIBUTION_KINDS && dc__distribution_rules[kind].form == DC_FORM_MIXTURE)
    put(&w, "0.9*D + 0.1*D");
  else if (kind < DC_DISTRIBUTION_KINDS)
    put_usage(&w, &dc__distribution_rules[kind]);
  if (capacity > 0)
    text[w.length < capacity ? w.length : capacity - 1] = 0;
  return w.length;
}
