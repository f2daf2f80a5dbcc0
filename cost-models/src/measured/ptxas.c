// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "divcost/ptxas.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char entry[] = "Compiling entry function '", target[] = "' for 'sm_", used[] = "Used ";

typedef struct reading {
  dc_ptxas *out;
  size_t capacity;
  bool open; // the last kernel's registers come next
} reading;

static bool add(reading *r, const char *symbol, size_t length, unsigned sm) {
  if (r->out->count == r->capacity) {
    size_t capacity = 2 * r->capacity + 16;
    dc_ptxas_kernel *grown = realloc(r->out->kernels, capacity * sizeof *grown);
    if (!grown)
      return false;
    r->out->kernels = grown;
    r->capacity = capacity;
  }
  char *copy = malloc(length + 1);
  if (!copy)
    return false;
  memcpy(copy, symbol, length);
  copy[length] = 0;
  r->out->kernels[r->out->count++] = (dc_ptxas_kernel){copy, sm, 0};
  r->open = true;
  return true;
}

// The text behind `what` in a line, or NULL.
static const char *behind(const char *line, const char *end, const char *what) {
  size_t length = strlen(what);
  for (const char *at = line; (size_t)(end - at) >= length; ++at)
    if (memcmp(at, what, length) == 0)
      return at + length;
  return NULL;
}

static unsigned number(const char *text) {
  unsigned value = 0;
  for (; *text >= '0' && *text <= '9' && value < 100000; ++text)
    value = 10 * value + (unsigned)(*text - '0');
  return value;
}

static bool read_line(reading *r, const char *line, const char *end) {
  const char *symbol = behind(line, end, entry);
  const char *sm = symbol ? behind(symbol, end, target) : NULL;
  const char *registers = behind(line, end, used);
  if (sm)
    return add(r, symbol, (size_t)(sm - symbol) - strlen(target), number(sm));
  if (registers && r->open) {
    r->out->kernels[r->out->count - 1].registers = number(registers);
    r->open = false;
  }
  return true;
}

static int compare(const void *a, const void *b) {
  const dc_ptxas_kernel *x = a, *y = b;
  int order = strcmp(x->symbol, y->symbol);
  return order ? order : (x->sm > y->sm) - (x->sm < y->sm);
}

// Kernels of one name that have different numbers say nothing of any of them.
static void join_same(dc_ptxas *ptxas) {
  size_t kept = 0;
  for (size_t k = 0; k < ptxas->count; ++k) {
    dc_ptxas_kernel *kernel = &ptxas->kernels[k];
    dc_ptxas_kernel *last = kept ? &ptxas->kernels[kept - 1] : NULL;
    if (last && compare(last, kernel) == 0) {
      last->registers = last->registers == kernel->registers ? last->registers : 0;
      free(kernel->symbol);
    } else {
      ptxas->kernels[kept++] = *kernel;
    }
  }
  ptxas->count = kept;
}

dc_status dc_ptxas_read(const char *text, dc_ptxas *out, dc_error *error) {
  reading r = {.out = out};
  *out = (dc_ptxas){0};
  while (*text) {
    const char *end = text + strcspn(text, "\n");
    if (!read_line(&r, text, end)) {
      dc_ptxas_free(out);
      return dc_fail(error, DC_ERROR_MEMORY, "out of memory for what ptxas says");
    }
    text = end + (*end != 0);
  }
  if (out->count)
    qsort(out->kernels, out->count, sizeof *out->kernels, compare);
  join_same(out);
  return DC_OK;
}

void dc_ptxas_free(dc_ptxas *ptxas) {
  for (size_t k = 0; k < ptxas->count; ++k)
    free(ptxas->kernels[k].symbol);
  free(ptxas->kernels);
  *ptxas = (dc_ptxas){0};
}

unsigned dc_ptxas_registers(const dc_ptxas *ptxas, const char *symbol, unsigned sm) {
  const dc_ptxas_kernel wanted = {(char *)symbol, sm, 0}; // only compared with
  const dc_ptxas_kernel *found =
      ptxas->count ? bsearch(&wanted, ptxas->kernels, ptxas->count, sizeof wanted, compare) : NULL;
  return found ? found->registers : 0;
}
