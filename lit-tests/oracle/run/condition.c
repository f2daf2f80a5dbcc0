// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "condition.h"

#include "product.h"

#include <stdlib.h>
#include <string.h>

// ---- reading ------------------------------------------------------------------------------------

static bool starts_with(const char *text, const char *with) {
  return strncmp(text, with, strlen(with)) == 0;
}

// "64x2x1"; *text is then behind it.
static bool parse_shape(const char **text, uint32_t shape[3]) {
  for (unsigned d = 0; d < 3; ++d) {
    char *end;
    if (**text < '1' || **text > '9')
      return false;
    shape[d] = (uint32_t)strtoul(*text, &end, 10);
    *text = end;
    if (d < 2 && *(*text)++ != 'x')
      return false;
  }
  return true;
}

// "blocks of 64x1x1 or 32x2x1", and that these are taken from launches.
static bool parse_dims(const char *text, condition *out) {
  const char *separator = "blocks of ";
  while (starts_with(text, separator)) {
    text += strlen(separator);
    if (out->n_dims == MOST_DIMS || !parse_shape(&text, out->dims[out->n_dims]))
      return false;
    ++out->n_dims;
    separator = " or ";
  }
  return out->n_dims > 0 &&
         (*text == 0 || strcmp(text, ", if launched only with these dimensions") == 0 ||
          strcmp(text, " if launched only with these dimensions") == 0);
}

// "|k| <= 33".
static bool parse_need(const char *text, need *to) {
  const char *sign = strstr(text, " >= ");
  to->least = sign != NULL;
  if (!sign)
    sign = strstr(text, " <= ");
  if (!sign || strstr(sign + 4, " <= ") || strstr(sign + 4, " >= "))
    return false;
  char *end;
  to->number = strtoll(sign + 4, &end, 10);
  size_t length = (size_t)(sign - text);
  to->absolute = text[0] == '|' && length > 2 && text[length - 1] == '|';
  if (to->absolute) {
    ++text;
    length -= 2;
  }
  if (end == sign + 4 || *end != 0 || length == 0 || length >= sizeof to->product)
    return false;
  memcpy(to->product, text, length);
  to->product[length] = 0;
  return true;
}

static bool add_need(const char *text, need *needs, uint32_t *count) {
  if (*count == MOST_NEEDS || !parse_need(text, &needs[*count]))
    return false;
  ++*count;
  return true;
}

static bool is_no_wrap(const char *text) {
  return strcmp(text, "neither the loop's start nor its bound wraps") == 0 ||
         strcmp(text, "the loop's counter does not wrap") == 0;
}

static const char index_text[] = "the thread's index in the grid fits its type";

// One of the conditions under which a class is that of whole rows.
static bool parse_of_whole(const char *text, condition *out) {
  if (is_no_wrap(text))
    return out->whole_no_wrap = true;
  if (strcmp(text, index_text) == 0)
    return out->whole_index_fits = true;
  return add_need(text, out->whole_needs, &out->n_whole_needs);
}

// "warp-uniform if blockDim.x is a multiple of 32", "strided if n >= 0 and blockDim.x is ...".
static bool parse_whole(const char *text, condition *out) {
  const char *rest = strstr(text, " if ");
  char name[32], part[300];
  if (!rest || (size_t)(rest - text) >= sizeof name)
    return false;
  memcpy(name, text, (size_t)(rest - text));
  name[rest - text] = 0;
  int loop_class = dc_class_parse(name);
  if (loop_class < 0)
    return false;
  out->whole = (dc_class)loop_class;
  rest += strlen(" if ");
  for (const char *end; (end = strstr(rest, " and ")) != NULL; rest = end + strlen(" and ")) {
    if ((size_t)(end - rest) >= sizeof part)
      return false;
    memcpy(part, rest, (size_t)(end - rest));
    part[end - rest] = 0;
    if (!parse_of_whole(part, out))
      return false;
  }
  return out->if_whole = strcmp(rest, "blockDim.x is a multiple of 32") == 0;
}

static bool parse_phrase(const char *text, condition *out) {
  if (!starts_with(text, "if "))
    return parse_dims(text, out) || parse_whole(text, out);
  if (is_no_wrap(text + strlen("if ")))
    return out->no_wrap = true;
  if (strcmp(text + strlen("if "), index_text) == 0)
    return out->index_fits = true;
  if (strcmp(text, "if no warp lies in two rows of the block") == 0)
    return out->single_rows = true;
  if (strcmp(text, "if launched only with these dimensions") == 0)
    return out->n_dims > 0;
  return add_need(text + strlen("if "), out->needs, &out->n_needs);
}

bool parse_condition(const char *text, condition *out, const char **unknown) {
  memset(out, 0, sizeof *out);
  *unknown = NULL;
  while (*text) {
    char phrase[512];
    const char *end = strstr(text, "; ");
    size_t length = end ? (size_t)(end - text) : strlen(text);
    if (length < sizeof phrase) {
      memcpy(phrase, text, length);
      phrase[length] = 0;
    }
    if (length >= sizeof phrase || !parse_phrase(phrase, out)) {
      *unknown = text;
      return false;
    }
    text += end ? length + 2 : length;
  }
  return true;
}

// ---- deciding -----------------------------------------------------------------------------------

bool has_single_rows(const probe_dim3 *block) {
  uint32_t threads = block->x * block->y * block->z;
  for (uint32_t first = 0; first < threads; first += 32) {
    uint32_t last = first + 31 < threads ? first + 31 : threads - 1;
    if (first / block->x != last / block->x)
      return false;
  }
  return true;
}

static bool index_fits(const probe_state *lane) {
  const uint32_t at[] = {lane->block.x, lane->block.y, lane->block.z};
  const uint32_t dim[] = {lane->block_dim.x, lane->block_dim.y, lane->block_dim.z};
  for (unsigned d = 0; d < 3; ++d)
    if (((uint64_t)at[d] + 1) * dim[d] > INT32_MAX)
      return false;
  return true;
}

static truth decide_need(const need *n, const probe_state *lane, const probe_program *program,
                         const int64_t *arguments) {
  __extension__ __int128 value;
  if (lane->wraps > 0 && strpbrk(n->product, "+-*")) // evaluated as if nothing wrapped
    return UNDECIDED;
  if (!evaluate_product(n->product, lane, program, arguments, &value))
    return UNDECIDED;
  if (n->absolute && value < 0)
    value = -value;
  return (n->least ? value >= n->number : value <= n->number) ? HOLDS : FAILS;
}

truth decide_condition(const condition *c, const probe_state *lane, const probe_program *program,
                       const int64_t *arguments, bool wraps) {
  bool known_dims = c->n_dims == 0;
  for (uint32_t k = 0; k < c->n_dims; ++k)
    known_dims |= c->dims[k][0] == lane->block_dim.x && c->dims[k][1] == lane->block_dim.y &&
                  c->dims[k][2] == lane->block_dim.z;
  if (!known_dims || (c->no_wrap && wraps) || (c->index_fits && (wraps || !index_fits(lane))) ||
      (c->single_rows && !has_single_rows(&lane->block_dim)))
    return FAILS;
  truth all = HOLDS;
  for (uint32_t k = 0; k < c->n_needs; ++k) {
    truth one = decide_need(&c->needs[k], lane, program, arguments);
    if (one == FAILS)
      return FAILS;
    all = one == UNDECIDED ? UNDECIDED : all;
  }
  return all;
}

dc_class class_under(const condition *c, dc_class reported, const probe_state *lane,
                     const probe_program *program, const int64_t *arguments, bool wraps) {
  if (!c->if_whole || lane->block_dim.x % 32 != 0 || (c->whole_no_wrap && wraps) ||
      (c->whole_index_fits && (wraps || !index_fits(lane))))
    return reported;
  for (uint32_t k = 0; k < c->n_whole_needs; ++k)
    if (decide_need(&c->whole_needs[k], lane, program, arguments) != HOLDS)
      return reported;
  return c->whole;
}
