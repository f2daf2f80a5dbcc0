// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A barrier with a fault is known by its kernel, the function that it is in, what it is called, and
// how many such come before it in the source: of faulty ones alone, so that one more that is sound
// changes nothing. One statement that comes into a kernel several times (its function is inlined
// twice) is one barrier.
#include "analysis/barriers.h"
#include "analysis/source.h"
#include "findings/findings.h"
#include "findings/rules.h"

#include "divcost/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *name_of(const dc_barrier *barrier) {
  return barrier->warp ? "__syncwarp()" : "__syncthreads()";
}

// ---- finding them ------------------------------------------------------------------------------

static dc_status add(dc_unit_kernel *kernel, const dc_barrier *barrier, dcp_barrier_fault fault,
                     dc_error *error) {
  const char *whom = barrier->warp ? "warp" : "block";
  char message[DCP_MESSAGE_SIZE];
  if (fault == DCP_BARRIER_DIVERGES)
    snprintf(message, sizeof message,
             "%s is in control flow that is not the same for all threads of the %s; threads that "
             "do not arrive make it undefined",
             name_of(barrier), whom);
  else
    snprintf(message, sizeof message,
             "%s comes after a return that not all threads of the %s take; before sm_70 they must "
             "all arrive",
             name_of(barrier), whom);
  dc_finding finding = {.rule = DC_RULE_BARRIER,
                        .loop = kernel->kernel.blocks[barrier->block].loop,
                        .location = barrier->location};
  return dcp_add_finding(kernel, finding, message, error);
}

dc_status dcp_find_barrier(dc_unit *unit, const dcp_options *options, dc_error *error) {
  (void)options;
  unsigned sm = unit->n_archs ? unit->archs[0] : 0;
  dc_status status = DC_OK;
  for (uint32_t k = 0; status == DC_OK && k < unit->n_kernels; ++k) {
    dc_unit_kernel *kernel = &unit->kernels[k];
    for (uint32_t b = 0; status == DC_OK && b < kernel->kernel.n_barriers; ++b) {
      dcp_barrier_fault fault = dcp_barrier_fault_of(&kernel->kernel.barriers[b], sm);
      if (fault != DCP_BARRIER_SOUND)
        status = add(kernel, &kernel->kernel.barriers[b], fault, error);
    }
    if (status == DC_OK)
      status = dcp_identify_barriers(kernel, sm, error);
  }
  return status;
}

// ---- what they are known by --------------------------------------------------------------------

typedef struct faulty {
  dc_finding *finding;
  const char *function, *name, *file;
  uint32_t line, column; // 0: not known
} faulty;

static faulty describe(const dc_kernel *kernel, const dc_barrier *barrier, dc_finding *finding) {
  faulty out = {finding, "", name_of(barrier), "", 0, 0};
  if (finding->location != DC_NONE) {
    const dc_location *at = &kernel->locations[finding->location];
    out.function = dc_kernel_text(kernel, at->function);
    out.file = dc_kernel_text(kernel, at->file);
    out.line = at->line;
    out.column = at->column;
  }
  return out;
}

// There is one finding for each faulty barrier, in their order. Returns how many.
static uint32_t list_faulty(dc_unit_kernel *kernel, unsigned sm, faulty *list) {
  uint32_t count = 0, f = 0;
  for (uint32_t b = 0; b < kernel->kernel.n_barriers; ++b) {
    if (dcp_barrier_fault_of(&kernel->kernel.barriers[b], sm) == DCP_BARRIER_SOUND)
      continue;
    while (f < kernel->n_findings && kernel->findings[f].rule != DC_RULE_BARRIER)
      ++f;
    if (f < kernel->n_findings)
      list[count++] =
          describe(&kernel->kernel, &kernel->kernel.barriers[b], &kernel->findings[f++]);
  }
  return count;
}

static bool are_alike(const faulty *a, const faulty *b) {
  return !strcmp(a->function, b->function) && !strcmp(a->name, b->name);
}

static bool are_same(const faulty *a, const faulty *b) {
  return a->line && a->line == b->line && a->column == b->column && !strcmp(a->file, b->file);
}

// Those that are alike next to each other, in the order of the source.
static int compare_faulty(const void *left, const void *right) {
  const faulty *a = left, *b = right;
  int order = strcmp(a->function, b->function);
  if (order == 0)
    order = strcmp(a->name, b->name);
  if (order == 0)
    order = strcmp(a->file, b->file);
  if (order)
    return order;
  if (a->line != b->line)
    return a->line < b->line ? -1 : 1;
  if (a->column != b->column)
    return a->column < b->column ? -1 : 1;
  return a->finding < b->finding ? -1 : a->finding > b->finding;
}

static uint64_t hash_text(uint64_t hash, const char *text, size_t size) { // with an end
  return dc_hash_bytes(dc_hash_bytes(hash, text, size), "", 1);
}

dc_status dcp_identify_barriers(dc_unit_kernel *kernel, unsigned sm, dc_error *error) {
  faulty *list = malloc(((size_t)kernel->kernel.n_barriers + 1) * sizeof *list);
  if (!list)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory");
  uint32_t count = list_faulty(kernel, sm, list), ordinal = 0;
  if (count > 1)
    qsort(list, count, sizeof *list, compare_faulty);
  const char *symbol = dc_kernel_text(&kernel->kernel, kernel->kernel.symbol);
  uint64_t begin =
      hash_text(dc_hash_u64(DC_HASH_BEGIN, DC_RULE_BARRIER), symbol, dcp_symbol_length(symbol));
  for (uint32_t k = 0; k < count; ++k) {
    if (k > 0 && are_alike(&list[k - 1], &list[k]))
      ordinal += !are_same(&list[k - 1], &list[k]);
    else
      ordinal = 0;
    uint64_t hash = hash_text(begin, list[k].function, strlen(list[k].function));
    hash = hash_text(hash, list[k].name, strlen(list[k].name));
    list[k].finding->fingerprint = dc_hash_u64(hash, ordinal);
  }
  free(list);
  return DC_OK;
}
