// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads what is said of a launch: by recursive descent, one token ahead.
#include "findings/launch_text.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_THREADS_MAX 1024 // of every architecture that CUDA supports
#define EXTENT_MAX (INT64_C(1) << 48)

typedef struct token {
  const char *start;
  size_t length; // 0: the end
} token;

typedef struct reader {
  const char *text;
  token next;
  token grid; // where it is given
  dcp_told_launch *out;
  dc_error *error;
} reader;

// ---- tokens -------------------------------------------------------------------------------------

// A byte of a name; those of other scripts are, too.
static bool in_name(char c) {
  unsigned char byte = (unsigned char)c;
  return isalnum(byte) || byte == '_' || byte == '$' || byte >= 0x80;
}

static bool is_number(token t) { return t.length && isdigit((unsigned char)*t.start); }

static bool is_name(token t) { return t.length && in_name(*t.start) && !is_number(t); }

static bool is(token t, const char *text) {
  return t.length == strlen(text) && memcmp(t.start, text, t.length) == 0;
}

static void advance(reader *in) {
  const char *start = in->next.start + in->next.length;
  while (*start && isspace((unsigned char)*start))
    ++start;
  size_t length = 0;
  bool number = isdigit((unsigned char)*start); // one takes in what can't be of a whole one
  while (in_name(start[length]) || (number && start[length] && strchr(".'", start[length])))
    ++length;
  in->next = (token){start, length || !*start ? length : 1};
}

static token take(reader *in) {
  token taken = in->next;
  advance(in);
  return taken;
}

static bool take_if(reader *in, const char *text) {
  bool there = is(in->next, text);
  if (there)
    advance(in);
  return there;
}

// ---- errors -------------------------------------------------------------------------------------

static bool fail(reader *in, token at, const char *text) {
  dc_fail(in->error, DC_ERROR_SYNTAX, "%s", text);
  in->error->offset = (unsigned)(at.start - in->text);
  return false;
}

static bool fail_expected(reader *in, const char *what, token instead) {
  char text[200];
  if (instead.length)
    snprintf(text, sizeof text, "expected %s instead of '%.*s'", what,
             (int)(instead.length < 60 ? instead.length : 60), instead.start);
  else
    snprintf(text, sizeof text, "expected %s instead of the end", what);
  return fail(in, instead, text);
}

static bool fail_twice(reader *in, token name, const char *of) {
  char text[160];
  snprintf(text, sizeof text, "%s'%.*s' is given twice", of,
           (int)(name.length < 60 ? name.length : 60), name.start);
  return fail(in, name, text);
}

static bool no_memory(reader *in) {
  dc_fail(in->error, DC_ERROR_MEMORY, "out of memory");
  return false;
}

static bool expect(reader *in, const char *text, const char *what) {
  return take_if(in, text) || fail_expected(in, what, in->next);
}

// ---- items --------------------------------------------------------------------------------------

// As C has them, with 0b, and whatever suffix says unsigned and long. False: it is none.
static bool parse_number(token t, bool negative, int64_t *value) {
  size_t length = t.length, k = 0;
  while (length > 1 && strchr("uUlL", t.start[length - 1]))
    --length;
  unsigned base = 10;
  if (length > 1 && *t.start == '0') {
    bool binary = strchr("bB", t.start[1]), hexadecimal = strchr("xX", t.start[1]);
    base = binary ? 2 : hexadecimal ? 16 : 8;
    k = base == 8 ? 1 : 2;
  }
  if (k == length)
    return false;
  uint64_t most = negative ? (uint64_t)INT64_MAX + 1 : INT64_MAX, sum = 0;
  for (; k < length; ++k) {
    char c = t.start[k];
    unsigned digit = isdigit((unsigned char)c)    ? (unsigned)(c - '0')
                     : isxdigit((unsigned char)c) ? (unsigned)(tolower((unsigned char)c) - 'a' + 10)
                                                  : base;
    if (digit >= base || sum > (most - digit) / base)
      return false;
    sum = sum * base + digit;
  }
  *value = !negative ? (int64_t)sum : sum ? -(int64_t)(sum - 1) - 1 : 0;
  return true;
}

static bool read_number(reader *in, int64_t least, int64_t most, int64_t *value) {
  const char *start = in->next.start;
  bool negative = take_if(in, "-");
  token t = take(in);
  if (is_number(t) && parse_number(t, negative, value) && *value >= least && *value <= most)
    return true;
  char what[100] = "a whole number";
  if (least != INT64_MIN)
    snprintf(what, sizeof what, "a whole number from %" PRId64 " to %" PRId64, least, most);
  if (negative && is_number(t)) // whose sign is a part of what is wrong
    t = (token){start, (size_t)(t.start - start) + t.length};
  return fail_expected(in, what, t);
}

// N or (X, Y) or (X, Y, Z).
static bool read_dims(reader *in, int64_t most, uint32_t dims[3]) {
  bool several = take_if(in, "(");
  if (!several && !is_number(in->next) && !is(in->next, "-"))
    return fail_expected(in, "a whole number, (X, Y) or (X, Y, Z)", in->next);
  dims[0] = dims[1] = dims[2] = 1;
  for (unsigned d = 0; d < 3; ++d) {
    int64_t value = 0;
    if (!read_number(in, 1, most, &value))
      return false;
    dims[d] = (uint32_t)value;
    if (!several)
      return true;
    if (d == 2 || !take_if(in, ","))
      break;
  }
  return expect(in, ")", "')'");
}

static bool read_block(reader *in) {
  token at = in->next;
  uint32_t *block = in->out->block;
  if (!read_dims(in, BLOCK_THREADS_MAX, block))
    return false;
  return (uint64_t)block[0] * block[1] * block[2] <= BLOCK_THREADS_MAX ||
         fail(in, at, "a block has at most 1024 threads");
}

static bool read_l2(reader *in) {
  token state = take(in);
  in->out->l2 = is(state, "warm") ? DC_L2_WARM : is(state, "cold") ? DC_L2_COLD : DC_L2_ANY;
  return in->out->l2 != DC_L2_ANY || fail_expected(in, "warm or cold", state);
}

static bool has(const dcp_told_number *numbers, uint32_t count, token name) {
  for (uint32_t k = 0; k < count; ++k)
    if (is(name, numbers[k].name))
      return true;
  return false;
}

static bool add(reader *in, dcp_told_number **numbers, uint32_t *count, token name,
                int64_t number) {
  dcp_told_number *more = realloc(*numbers, (*count + (size_t)1) * sizeof *more);
  char *copy = malloc(name.length + 1);
  if (more)
    *numbers = more;
  if (!more || !copy) {
    free(copy);
    return no_memory(in);
  }
  memcpy(copy, name.start, name.length);
  copy[name.length] = 0;
  more[(*count)++] = (dcp_told_number){copy, number, (unsigned)(name.start - in->text), 0};
  return true;
}

// (PARAMETER, ELEMENTS).
static bool read_extent(reader *in) {
  dcp_told_launch *out = in->out;
  int64_t elements = 0;
  if (!expect(in, "(", "'('"))
    return false;
  token name = take(in);
  if (!is_name(name))
    return fail_expected(in, "the name of a parameter", name);
  if (has(out->extents, out->n_extents, name))
    return fail_twice(in, name, "the extent of ");
  return expect(in, ",", "','") && read_number(in, 1, EXTENT_MAX, &elements) &&
         add(in, &out->extents, &out->n_extents, name, elements) && expect(in, ")", "')'");
}

static bool read_item(reader *in) {
  dcp_told_launch *out = in->out;
  token name = take(in);
  int64_t value = 0;
  if (!is_name(name))
    return fail_expected(in, "block, grid, extent, l2 or the name of a parameter", name);
  if (is(name, "extent") && is(in->next, "("))
    return read_extent(in);
  if ((is(name, "block") && out->block[0]) || (is(name, "grid") && out->grid[0]) ||
      (is(name, "l2") && out->l2) || has(out->values, out->n_values, name))
    return fail_twice(in, name, "");
  if (!expect(in, "=", "'='"))
    return false;
  if (is(name, "block"))
    return read_block(in);
  if (is(name, "grid")) {
    in->grid = name;
    return read_dims(in, INT32_MAX, out->grid);
  }
  if (is(name, "l2") && is_name(in->next)) // a parameter's value is a number
    return read_l2(in);
  return read_number(in, INT64_MIN, INT64_MAX, &value) &&
         add(in, &out->values, &out->n_values, name, value);
}

static bool read_launch(reader *in) {
  do
    if (!read_item(in))
      return false;
  while (take_if(in, ","));
  if (in->next.length)
    return fail_expected(in, "',' or the end", in->next);
  return !in->out->grid[0] || in->out->block[0] || fail(in, in->grid, "'grid' needs 'block' too");
}

dc_status dcp_launch_text(const char *text, dcp_told_launch *launch, dc_error *error) {
  dc_error reason = {.status = DC_OK};
  reader in = {.text = text, .next = {text, 0}, .out = launch, .error = &reason};
  *launch = (dcp_told_launch){.l2 = DC_L2_ANY};
  advance(&in);
  if (read_launch(&in))
    return DC_OK;
  dcp_told_launch_free(launch);
  if (error)
    *error = reason;
  return reason.status;
}

static void free_numbers(dcp_told_number *numbers, uint32_t count) {
  for (uint32_t k = 0; k < count; ++k)
    free(numbers[k].name);
  free(numbers);
}

void dcp_told_launch_free(dcp_told_launch *launch) {
  free_numbers(launch->values, launch->n_values);
  free_numbers(launch->extents, launch->n_extents);
  *launch = (dcp_told_launch){.l2 = DC_L2_ANY};
}
