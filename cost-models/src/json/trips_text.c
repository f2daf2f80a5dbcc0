// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What users write of a loop's trip counts: a distribution, and behind a comma the correlation of
// the lanes. The distribution ends at the first comma that is in no parentheses and no quotes.
#define _XOPEN_SOURCE 700 // strndup

#include "distribution/distribution_internal.h"
#include "divcost/files.h"
#include "divcost/histogram.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BLANKS " \t\r\n"
#define CLAUSE "per_warp_correlated"

static size_t distribution_length(const char *text) {
  unsigned depth = 0;
  bool quoted = false;
  for (const char *c = text; *c; ++c) {
    if (quoted && *c == '\\' && c[1])
      ++c;
    else if (*c == '"')
      quoted = !quoted;
    else if (!quoted && *c == '(')
      ++depth;
    else if (!quoted && *c == ')' && depth)
      --depth;
    else if (!quoted && *c == ',' && depth == 0)
      return (size_t)(c - text);
  }
  return strlen(text);
}

// Where the clause is read.
typedef struct clause {
  const char *text, *at;
  dc_error *error;
} clause;

static dc_status here(const clause *c, dc_status status) {
  if (c->error)
    c->error->offset = (unsigned)(c->at - c->text);
  return status;
}

static dc_status unexpected(const clause *c, const char *expected) {
  return here(c, dc_fail(c->error, DC_ERROR_SYNTAX, "expected %s", expected));
}

static void skip_blanks(clause *c) { c->at += strspn(c->at, BLANKS); }

static bool accept(clause *c, const char *word) {
  skip_blanks(c);
  size_t length = strlen(word);
  if (strncmp(c->at, word, length) != 0)
    return false;
  c->at += length;
  return true;
}

static dc_status read_clause(clause *c, double *correlation) {
  if (!accept(c, CLAUSE))
    return unexpected(c, CLAUSE "(R) behind the comma, or nothing behind the distribution");
  if (!accept(c, "("))
    return unexpected(c, "'(' behind " CLAUSE);
  skip_blanks(c);
  size_t length = dc__number_length(c->at);
  if (length == 0 || length > DC_NUMBER_MAX)
    return unexpected(c, "a number, R of " CLAUSE ", in [0, 1]");
  double value = dc__number_read(c->at, length);
  if (!(value >= 0 && value <= 1))
    return here(c, dc_fail(c->error, DC_ERROR_ARGUMENT,
                           "R of " CLAUSE " is %.10g, but must be in [0, 1]", value));
  c->at += length;
  if (!accept(c, ")"))
    return unexpected(c, "')' behind R of " CLAUSE);
  skip_blanks(c);
  if (*c->at)
    return unexpected(c, "the end behind " CLAUSE "(R)");
  *correlation = round(value * 1e9) / 1e9;
  return DC_OK;
}

dc_status dc_trips_text(const char *text, const char *folder, char **distribution,
                        double *correlation, dc_error *error) {
  size_t length = distribution_length(text);
  size_t trimmed = length;
  while (trimmed > 0 && strchr(BLANKS, text[trimmed - 1]))
    --trimmed;
  char *first = strndup(text, trimmed);
  if (!first)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory for a distribution");
  *distribution = NULL;
  *correlation = 0;
  dc_status status = dc_distribution_text(first, folder, distribution, error);
  free(first);
  clause c = {text, text + length + 1, error};
  if (status == DC_OK && text[length])
    status = read_clause(&c, correlation);
  if (status != DC_OK) {
    free(*distribution);
    *distribution = NULL;
  }
  return status;
}
