// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text to distributions: a recursive-descent parser for the grammar in distribution.h. It fills
// three regions of one piece of memory from their beginnings (distributions, list points, names),
// whose sizes are bounded by counting characters. The printer, its inverse, is in print.c.
#include "distribution/distribution_internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLANKS " \t\r\n"

typedef struct parser {
  const char *text, *at;
  dc_distribution_spec *specs; // next free one of each region
  dc_point *points;
  char *names;
  dc_error *error;
} parser;

// Room for each region: what no text of these characters can exceed.
typedef struct regions {
  size_t specs, points, names;
} regions;

static regions regions_of(const char *text) {
  regions r = {1, 0, 1};
  bool quote = false;
  for (const char *c = text; *c; ++c) {
    r.specs += *c == '(' || *c == '+'; // of its own for each distribution, and for each mixture
    r.points += *c == ':';
    quote = quote || *c == '"';
    r.names += quote; // a name's bytes with its quotes, one of which makes room for the zero
  }
  return r;
}

static size_t regions_bytes(const regions *r) {
  return r->specs * sizeof(dc_distribution_spec) + r->points * sizeof(dc_point) + r->names;
}

#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
static dc_status syntax_error(parser *p, const char *where, const char *format, ...) {
  char text[sizeof p->error->text];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  dc_fail(p->error, DC_ERROR_SYNTAX, "%s", text);
  if (p->error)
    p->error->offset = (unsigned)(where - p->text);
  return DC_ERROR_SYNTAX;
}

// What stands at a place, for messages: "'x'" or "the end".
static const char *found(const char *at, char text[8]) {
  unsigned char c = (unsigned char)*at;
  if (!c)
    return "the end";
  if (c < 0x20 || c >= 0x7f)
    return "a character that doesn't belong here";
  snprintf(text, 8, "'%c'", c);
  return text;
}

static void skip_blanks(parser *p) { p->at += strspn(p->at, BLANKS); }

static bool accept(parser *p, char c) {
  skip_blanks(p);
  if (*p->at != c)
    return false;
  ++p->at;
  return true;
}

static dc_status expect(parser *p, char c, const char *where) {
  if (accept(p, c))
    return DC_OK;
  char text[8];
  return syntax_error(p, p->at, "expected '%c' %s, but found %s", c, where, found(p->at, text));
}

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// what: "p of geometric, in (0, 1]".
static dc_status read_number(parser *p, const char *what, double *value) {
  skip_blanks(p);
  size_t length = dc__number_length(p->at);
  char text[8];
  if (length == 0)
    return syntax_error(p, p->at, "expected a number, %s, but found %s", what, found(p->at, text));
  if (length > DC_NUMBER_MAX)
    return syntax_error(p, p->at, "the number has %zu characters, but may have %d", length,
                        DC_NUMBER_MAX);
  *value = dc__number_read(p->at, length);
  p->at += length;
  return DC_OK;
}

static dc_status read_parameters(parser *p, const dc_distribution_rule *rule,
                                 dc_distribution_spec *spec) {
  for (unsigned i = 0; i < rule->parameters; ++i) {
    char range[64], what[128];
    dc__parameter_range(&rule->parameter[i], range, sizeof range);
    snprintf(what, sizeof what, "%s of %s, %s", rule->parameter[i].name, rule->name, range);
    if (i > 0) {
      char where[160];
      snprintf(where, sizeof where, "and %s", what);
      dc_status status = expect(p, ',', where);
      if (status != DC_OK)
        return status;
    }
    dc_status status = read_number(p, what, &spec->parameter[i]);
    if (status != DC_OK)
      return status;
  }
  return DC_OK;
}

// name: "list" or "histogram".
static dc_status read_points(parser *p, const char *name, dc_distribution_spec *spec) {
  spec->points = p->points;
  char value_words[64], colon_words[64], mass_words[64];
  snprintf(value_words, sizeof value_words, "a value of %s, a whole number", name);
  snprintf(colon_words, sizeof colon_words, "between a value of %s and its mass", name);
  snprintf(mass_words, sizeof mass_words, "a mass of %s, not negative", name);
  do {
    double value = 0, mass = 0;
    skip_blanks(p);
    const char *start = p->at;
    dc_status status = read_number(p, value_words, &value);
    if (status != DC_OK)
      return status;
    if (!(value >= 0 && value <= (double)DC_TRIPS_MAX && value == floor(value))) {
      dc_fail(p->error, DC_ERROR_ARGUMENT,
              "value %zu of %s is %.10g, but must be a whole number from 0 to %lld",
              spec->count + 1, name, value, (long long)DC_TRIPS_MAX);
      if (p->error)
        p->error->offset = (unsigned)(start - p->text);
      return DC_ERROR_ARGUMENT;
    }
    status = expect(p, ':', colon_words);
    if (status == DC_OK)
      status = read_number(p, mass_words, &mass);
    if (status != DC_OK)
      return status;
    *p->points++ = (dc_point){(int64_t)value, mass};
    ++spec->count;
  } while (accept(p, ','));
  return DC_OK;
}

static dc_status read_name(parser *p, dc_distribution_spec *spec) {
  const char *start;
  skip_blanks(p);
  start = p->at;
  if (!accept(p, '"')) {
    char text[8];
    return syntax_error(p, p->at, "expected the file name of histogram in quotes, but found %s",
                        found(p->at, text));
  }
  spec->name = p->names;
  while (*p->at && *p->at != '"') {
    if (*p->at == '\\' && (p->at[1] == '"' || p->at[1] == '\\'))
      ++p->at;
    *p->names++ = *p->at++;
  }
  *p->names++ = 0;
  if (*p->at != '"')
    return syntax_error(p, start, "the quote that opens the file name of histogram isn't closed");
  ++p->at;
  return accept(p, ',') ? read_points(p, "histogram", spec) : DC_OK;
}

static const dc_distribution_rule *find_rule(const char *name, size_t length) {
  for (size_t i = 0; i < DC_DISTRIBUTION_KINDS; ++i)
    if (dc__distribution_rules[i].name && strlen(dc__distribution_rules[i].name) == length &&
        !memcmp(dc__distribution_rules[i].name, name, length))
      return &dc__distribution_rules[i];
  return NULL;
}

static dc_status read_distribution(parser *p, unsigned depth, dc_distribution_spec **spec);

// A number with '*' behind it is the weight of a distribution's first part; another is a parameter.
static bool at_parameter(const parser *p) {
  const char *at = p->at + strspn(p->at, BLANKS);
  size_t length = dc__number_length(at);
  at += length;
  return length > 0 && at[strspn(at, BLANKS)] != '*';
}

// distribution, k or distribution, a, b or distribution, distribution, ...
static dc_status read_operands(parser *p, unsigned depth, const dc_distribution_rule *rule,
                               dc_distribution_spec *spec) {
  dc_distribution_spec *last;
  dc_status status = read_distribution(p, depth + 1, &last);
  if (status != DC_OK)
    return status;
  last->weight = 0;
  spec->parts = last;
  char where[80];
  snprintf(where, sizeof where, "after the distribution in %s, and its %s", rule->name,
           rule->form == DC_FORM_MAP ? "numbers" : "number or another distribution");
  status = expect(p, ',', where);
  if (status != DC_OK || rule->form == DC_FORM_MAP || at_parameter(p))
    return status == DC_OK ? read_parameters(p, rule, spec) : status;
  do {
    dc_distribution_spec *part = NULL;
    status = read_distribution(p, depth + 1, &part);
    if (status != DC_OK)
      return status;
    part->weight = 0;
    last->next = part;
    last = part;
  } while (accept(p, ','));
  return DC_OK;
}

// What stands in the parentheses.
static dc_status read_arguments(parser *p, unsigned depth, const dc_distribution_rule *rule,
                                dc_distribution_spec *spec) {
  switch (rule->form) {
  case DC_FORM_FORMULA:
    return read_parameters(p, rule, spec);
  case DC_FORM_POINTS:
    return read_points(p, rule->name, spec);
  case DC_FORM_FILE:
    return read_name(p, spec);
  case DC_FORM_MAP:
  case DC_FORM_COMBINE:
    return read_operands(p, depth, rule, spec);
  case DC_FORM_MIXTURE: // has no name, so it isn't found by one
    break;
  }
  return DC_OK;
}

static dc_status read_atom(parser *p, unsigned depth, dc_distribution_spec **spec) {
  char text[8];
  if (accept(p, '(')) {
    dc_status status = read_distribution(p, depth + 1, spec);
    return status == DC_OK ? expect(p, ')', "at the end of the group") : status;
  }
  const char *start = p->at;
  while (is_letter(*p->at))
    ++p->at;
  size_t length = (size_t)(p->at - start);
  if (length == 0) {
    syntax_error(p, start, "expected a distribution, but found %s", found(start, text));
    return DC_ERROR_SYNTAX;
  }
  const dc_distribution_rule *rule = find_rule(start, length);
  if (!rule) {
    char names[256];
    dc__distribution_names(names, sizeof names);
    syntax_error(p, start, "unknown distribution '%.*s'; there are %s",
                 length < 40 ? (int)length : 40, start, names);
    return DC_ERROR_SYNTAX;
  }
  dc_status status = expect(p, '(', "after the name of a distribution");
  if (status != DC_OK)
    return status;
  *spec = p->specs++;
  **spec = (dc_distribution_spec){.kind = (dc_distribution_kind)(rule - dc__distribution_rules),
                                  .offset = (unsigned)(start - p->text)};
  status = status == DC_OK ? read_arguments(p, depth, rule, *spec) : status;
  if (status != DC_OK)
    return status;
  char where[64];
  snprintf(where, sizeof where, "after the arguments of %s", rule->name);
  return expect(p, ')', where);
}

// A term of a mixture, or the only one. Without a weight it must be the only one.
static dc_status read_term(parser *p, unsigned depth, bool only, dc_distribution_spec **spec) {
  skip_blanks(p);
  double weight = 1;
  const char *start = p->at;
  bool weighted = dc__number_length(start) > 0;
  dc_status status = DC_OK;
  if (weighted) {
    status = read_number(p, "a weight of a mixture, in [0, 1]", &weight);
    if (status == DC_OK)
      status = expect(p, '*', "between a weight and its distribution");
  }
  if (status == DC_OK)
    status = read_atom(p, depth, spec);
  if (status != DC_OK)
    return status;
  skip_blanks(p);
  if (!weighted && (!only || *p->at == '+'))
    return syntax_error(p, start, "this component of a mixture has no weight; write 0.5*%s(...)",
                        dc__distribution_rules[(*spec)->kind].name
                            ? dc__distribution_rules[(*spec)->kind].name
                            : "");
  (*spec)->weight = weight;
  return DC_OK;
}

static dc_status read_distribution(parser *p, unsigned depth, dc_distribution_spec **spec) {
  if (depth > DC_DISTRIBUTION_DEPTH_MAX)
    return dc_fail(p->error, DC_ERROR_LIMIT, "distributions nest deeper than %d",
                   DC_DISTRIBUTION_DEPTH_MAX);
  skip_blanks(p);
  unsigned offset = (unsigned)(p->at - p->text);
  dc_distribution_spec *last;
  dc_status status = read_term(p, depth, true, &last);
  if (status != DC_OK)
    return status;
  *spec = last;
  if (*p->at != '+') {
    if (fabs(last->weight - 1) <= DC_WEIGHT_TOLERANCE)
      return DC_OK;
    dc_fail(p->error, DC_ERROR_ARGUMENT, "the weights of a mixture sum to %.10g, but must sum to 1",
            last->weight);
    if (p->error)
      p->error->offset = offset;
    return DC_ERROR_ARGUMENT;
  }
  dc_distribution_spec *mixture = p->specs++;
  *mixture =
      (dc_distribution_spec){.kind = DC_DISTRIBUTION_MIXTURE, .offset = offset, .parts = last};
  *spec = mixture;
  while (accept(p, '+')) {
    dc_distribution_spec *part = NULL;
    status = read_term(p, depth, false, &part);
    if (status != DC_OK)
      return status;
    last->next = part;
    last = part;
  }
  return DC_OK;
}

static dc_status parse(parser *p, dc_distribution_spec **root) {
  dc_status status = read_distribution(p, 1, root);
  if (status != DC_OK)
    return status;
  skip_blanks(p);
  char character[8];
  if (*p->at)
    return syntax_error(p, p->at, "expected the end of the distribution, but found %s",
                        found(p->at, character));
  (*root)->weight = 0; // not a part of anything
  return dc_distribution_spec_check(*root, p->error);
}

// The root goes to the beginning of the memory, where dc_distribution_spec_free finds it.
dc_status dc_distribution_parse(const char *text, dc_distribution_spec **spec, dc_error *error) {
  *spec = NULL;
  if (!text)
    return dc_fail(error, DC_ERROR_ARGUMENT, "the text of the distribution is NULL");
  regions r = regions_of(text);
  dc_distribution_spec *specs = malloc(sizeof *specs + regions_bytes(&r)), *root;
  if (!specs)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory for a distribution's text");
  dc_point *points = (dc_point *)(specs + 1 + r.specs);
  parser p = {text, text, specs + 1, points, (char *)(points + r.points), error};
  dc_status status = parse(&p, &root);
  if (status != DC_OK) {
    free(specs);
    return status;
  }
  *specs = *root;
  *spec = specs;
  return DC_OK;
}

void dc_distribution_spec_free(dc_distribution_spec *spec) { free(spec); }
