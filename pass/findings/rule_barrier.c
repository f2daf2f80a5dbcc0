// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers that threads may miss: of rule barrier where these still run, or wait elsewhere, and of
// barrier-exited where they can only have left the kernel.
//
// A barrier with a fault is known by its kernel, the function that it is in, what it is called, and
// how many such come before it in the source: of faulty ones of its rule alone, so that one more
// that is sound changes nothing. One statement that comes into a kernel several times (its function
// is inlined twice) is one barrier.
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

// What is wrong, for the name of the barrier and for whom it waits.
static const char *const messages[] = {
    [DCP_BARRIER_DIVERGES] =
        "%s is in control flow that may not be the same for all threads of the "
        "%s; threads that do not arrive make it undefined",
    [DCP_BARRIER_AFTER_RETURN] = "%s comes after a return that some threads of the %s may take; "
                                 "before sm_70 they must all arrive",
    [DCP_BARRIER_EXITED] = "%s comes after a return that some threads of the %s may take; from "
                           "sm_70 on threads that have left the kernel count as arrived",
};

static dc_rule rule_of(dcp_barrier_fault fault) {
  return fault == DCP_BARRIER_EXITED ? DC_RULE_BARRIER_EXITED : DC_RULE_BARRIER;
}

static dc_status find(dc_unit *unit, dc_rule rule, dc_error *error) {
  unsigned sm = unit->n_archs ? unit->archs[0] : 0;
  dc_status status = DC_OK;
  for (uint32_t k = 0; status == DC_OK && k < unit->n_kernels; ++k) {
    dc_unit_kernel *kernel = &unit->kernels[k];
    for (uint32_t b = 0; status == DC_OK && b < kernel->kernel.n_barriers; ++b) {
      const dc_barrier *barrier = &kernel->kernel.barriers[b];
      dcp_barrier_fault fault = dcp_barrier_fault_of(barrier, sm);
      if (fault == DCP_BARRIER_SOUND || rule_of(fault) != rule)
        continue;
      char message[DCP_MESSAGE_SIZE];
      snprintf(message, sizeof message, messages[fault], name_of(barrier),
               barrier->warp ? "warp" : "block");
      dc_finding finding = {.rule = rule,
                            .loop = kernel->kernel.blocks[barrier->block].loop,
                            .barrier = b,
                            .location = barrier->location};
      status = dcp_add_finding(kernel, finding, message, error);
    }
    if (status == DC_OK)
      status = dcp_identify_barriers(kernel, error);
  }
  return status;
}

dc_status dcp_find_barrier(dc_unit *unit, const dcp_options *options, dc_error *error) {
  (void)options;
  return find(unit, DC_RULE_BARRIER, error);
}

dc_status dcp_find_barrier_exited(dc_unit *unit, const dcp_options *options, dc_error *error) {
  (void)options;
  return find(unit, DC_RULE_BARRIER_EXITED, error);
}

// ---- what they are known by --------------------------------------------------------------------

typedef struct faulty {
  dc_finding *finding;
  const char *function, *name, *file;
  uint32_t line, column; // 0: not known
} faulty;

static faulty describe(const dc_kernel *kernel, dc_finding *finding) {
  faulty out = {finding, "", name_of(&kernel->barriers[finding->barrier]), "", 0, 0};
  if (finding->location != DC_NONE) {
    const dc_location *at = &kernel->locations[finding->location];
    out.function = dc_kernel_text(kernel, at->function);
    out.file = dc_kernel_text(kernel, at->file);
    out.line = at->line;
    out.column = at->column;
  }
  return out;
}

static bool are_alike(const faulty *a, const faulty *b) {
  return a->finding->rule == b->finding->rule && !strcmp(a->function, b->function) &&
         !strcmp(a->name, b->name);
}

static bool are_same(const faulty *a, const faulty *b) {
  return a->line && a->line == b->line && a->column == b->column && !strcmp(a->file, b->file);
}

// Those that are alike next to each other, in the order of the source.
static int compare_faulty(const void *left, const void *right) {
  const faulty *a = left, *b = right;
  int order = (int)a->finding->rule - (int)b->finding->rule;
  if (order == 0)
    order = strcmp(a->function, b->function);
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

dc_status dcp_identify_barriers(dc_unit_kernel *kernel, dc_error *error) {
  faulty *list = malloc(((size_t)kernel->n_findings + 1) * sizeof *list);
  if (!list)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory");
  uint32_t count = 0, ordinal = 0;
  for (uint32_t f = 0; f < kernel->n_findings; ++f)
    if (kernel->findings[f].barrier != DC_NONE)
      list[count++] = describe(&kernel->kernel, &kernel->findings[f]);
  if (count > 1)
    qsort(list, count, sizeof *list, compare_faulty);
  const char *symbol = dc_kernel_text(&kernel->kernel, kernel->kernel.symbol);
  for (uint32_t k = 0; k < count; ++k) {
    if (k > 0 && are_alike(&list[k - 1], &list[k]))
      ordinal += !are_same(&list[k - 1], &list[k]);
    else
      ordinal = 0;
    uint64_t hash = dc_hash_u64(DC_HASH_BEGIN, list[k].finding->rule);
    hash = hash_text(hash, symbol, dcp_symbol_length(symbol));
    hash = hash_text(hash, list[k].function, strlen(list[k].function));
    hash = hash_text(hash, list[k].name, strlen(list[k].name));
    list[k].finding->fingerprint = dc_hash_u64(hash, ordinal);
  }
  free(list);
  return DC_OK;
}
