// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _POSIX_C_SOURCE 200809L // strnlen

#include "divcost/ptxas.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char said[] = "ptxas info", entry[] = "Compiling entry function '",
                  target[] = "' for 'sm_", used[] = ": Used ", registers[] = " registers";
enum { MOST = 255 }; // registers of a thread

// ---- names --------------------------------------------------------------------------------------

// The length of the <source-name> at a text, digits and name, or 0.
static size_t source_name(const char *text) {
  size_t digits = strspn(text, "0123456789"), length = 0;
  for (size_t k = 0; k < digits && length < 100000; ++k)
    length = 10 * length + (size_t)(text[k] - '0');
  return digits > 0 && length > 0 && strnlen(text + digits, length) == length ? digits + length : 0;
}

// A name as nvcc and clang both have it, in place: without clang's L of what has internal linkage
// (Itanium C++ ABI, 5.1.4) and its suffix in relocatable code, and with the same name for unnamed
// namespaces, which nvcc gives one of the file's.
static void normalise(char *symbol) {
  static const char unnamed[] = "_GLOBAL__N_";
  char *end = strstr(symbol, "__intern__");
  end = end ? end : strstr(symbol, "__static__");
  if (end)
    *end = 0;
  if (strncmp(symbol, "_Z", 2) != 0)
    return;
  char *from = symbol + 2, *to = from;
  if (*from == 'N')
    *to++ = *from++;
  for (;;) {
    from += *from == 'L' && from[1] >= '0' && from[1] <= '9';
    size_t length = source_name(from), digits = strspn(from, "0123456789");
    if (length == 0)
      break;
    if (strncmp(from + digits, unnamed, sizeof unnamed - 1) == 0) {
      memmove(to, unnamed, sizeof unnamed - 1);
      to += sizeof unnamed - 1;
    } else {
      memmove(to, from, length);
      to += length;
    }
    from += length;
  }
  memmove(to, from, strlen(from) + 1);
}

// ---- reading ------------------------------------------------------------------------------------

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
  normalise(copy);
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

// The number that a text begins with, or 0.
static unsigned number(const char *text, const char **end) {
  unsigned value = 0;
  for (; *text >= '0' && *text <= '9' && value < 100000; ++text)
    value = 10 * value + (unsigned)(*text - '0');
  *end = text;
  return value;
}

static bool read_line(reading *r, const char *line, const char *end) {
  const char *info = behind(line, end, said), *rest;
  if (!info)
    return true;
  const char *symbol = behind(info, end, entry), *count = behind(info, end, used);
  const char *sm = symbol ? behind(symbol, end, target) : NULL;
  if (sm)
    return add(r, symbol, (size_t)(sm - symbol) - strlen(target), number(sm, &rest));
  if (count && r->open) {
    unsigned value = number(count, &rest);
    bool whole = (size_t)(end - rest) >= strlen(registers) &&
                 memcmp(rest, registers, strlen(registers)) == 0;
    r->out->kernels[r->out->count - 1].registers = whole && value <= MOST ? value : 0;
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
  char *copy = malloc(strlen(symbol) + 1);
  if (!copy || ptxas->count == 0) {
    free(copy);
    return 0;
  }
  strcpy(copy, symbol);
  normalise(copy);
  const dc_ptxas_kernel wanted = {copy, sm, 0};
  const dc_ptxas_kernel *found =
      bsearch(&wanted, ptxas->kernels, ptxas->count, sizeof wanted, compare);
  free(copy);
  return found ? found->registers : 0;
}
