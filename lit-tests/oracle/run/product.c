// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "product.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef __int128 integer;

typedef struct reader {
  const char *at;
  const probe_state *lane;
  const probe_program *program;
  const int64_t *arguments;
  bool failed;
} reader;

static integer read_sum(reader *r);

static bool take(reader *r, const char *sign) {
  while (*r->at == ' ')
    ++r->at;
  if (strncmp(r->at, sign, strlen(sign)) != 0)
    return false;
  r->at += strlen(sign);
  return true;
}

static integer fail(reader *r) {
  r->failed = true;
  return 0;
}

// A parameter as its type has it.
static integer value_of_param(const reader *r, uint32_t k) {
  const probe_param *p = &r->program->params[k];
  uint64_t bits = (uint64_t)r->arguments[k] << (64 - p->bits);
  return p->is_signed ? (integer)((int64_t)bits >> (64 - p->bits))
                      : (integer)(bits >> (64 - p->bits));
}

static integer read_dims(reader *r, const char *name, size_t length) {
  const struct {
    const char *name;
    const probe_dim3 *value;
  } known[] = {{"threadIdx.", &r->lane->thread},
               {"blockIdx.", &r->lane->block},
               {"blockDim.", &r->lane->block_dim},
               {"gridDim.", &r->lane->grid_dim}};
  for (unsigned k = 0; k < 4; ++k)
    if (length == strlen(known[k].name) + 1 && !strncmp(name, known[k].name, length - 1))
      return name[length - 1] == 'x'   ? known[k].value->x
             : name[length - 1] == 'y' ? known[k].value->y
                                       : known[k].value->z;
  return fail(r);
}

static integer read_name(reader *r) {
  const char *name = r->at;
  while (isalnum((unsigned char)*r->at) || *r->at == '_' || *r->at == '.')
    ++r->at;
  size_t length = (size_t)(r->at - name);
  for (uint32_t k = 0; k < r->program->n_params; ++k)
    if (r->program->params[k].kind == PROBE_NUMBER &&
        strlen(r->program->params[k].name) == length &&
        !strncmp(name, r->program->params[k].name, length))
      return value_of_param(r, k);
  if ((length == 3 && !strncmp(name, "max", 3)) || (length == 3 && !strncmp(name, "min", 3))) {
    integer a, b;
    if (!take(r, "("))
      return fail(r);
    a = read_sum(r);
    if (!take(r, ","))
      return fail(r);
    b = read_sum(r);
    return !take(r, ")") ? fail(r) : (name[1] == 'a') == (a > b) ? a : b;
  }
  return read_dims(r, name, length);
}

static integer read_factor(reader *r) {
  if (take(r, "(")) {
    integer value = read_sum(r);
    return take(r, ")") ? value : fail(r);
  }
  if (take(r, "-"))
    return -read_factor(r);
  if (isdigit((unsigned char)*r->at)) {
    char *end;
    integer value = (integer)strtoull(r->at, &end, 10);
    r->at = end;
    return value;
  }
  return isalpha((unsigned char)*r->at) || *r->at == '_' ? read_name(r) : fail(r);
}

static integer read_product(reader *r) {
  integer value = read_factor(r);
  while (!r->failed) {
    bool times = take(r, "*"), over = !times && take(r, "/");
    if (!times && !over && !take(r, "%"))
      break;
    integer by = read_factor(r);
    const integer large = (integer)1 << 62;
    if ((!times && by == 0) || value > large || value < -large || by > large || by < -large)
      return fail(r);
    value = times ? value * by : over ? value / by : value % by;
  }
  return value;
}

static integer read_sum(reader *r) {
  integer value = read_product(r);
  while (!r->failed) {
    if (take(r, "+"))
      value += read_product(r);
    else if (take(r, "-"))
      value -= read_product(r);
    else
      break;
  }
  return value;
}

bool evaluate_product(const char *text, const probe_state *lane, const probe_program *program,
                      const int64_t *arguments, integer *value) {
  reader r = {text, lane, program, arguments, false};
  *value = read_sum(&r);
  return !r.failed && *r.at == 0;
}
