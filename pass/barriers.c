// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "barriers.h"

#include "divcost/number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// `identity`: what the finding is known by, beside its rule and kernel.
static bool add_finding(dc_unit_kernel *kernel, dc_rule rule, uint32_t loop, uint32_t location,
                        const char *message, const char *identity) {
  dc_finding *grown = realloc(kernel->findings, (kernel->n_findings + 1) * sizeof *grown);
  size_t size = strlen(message) + 1;
  char *copy = malloc(size);
  if (grown)
    kernel->findings = grown;
  if (!grown || !copy) {
    free(copy);
    return false;
  }
  memcpy(copy, message, size);
  uint64_t hash = UINT64_C(0xcbf29ce484222325) + (uint64_t)rule;
  const char *parts[] = {dc_kernel_text(&kernel->kernel, kernel->kernel.symbol), identity};
  for (unsigned part = 0; part < 2; ++part)
    for (const char *c = parts[part]; *c; ++c)
      hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
  kernel->findings[kernel->n_findings++] = (dc_finding){
      .rule = rule, .loop = loop, .location = location, .message = copy, .fingerprint = hash};
  return true;
}

static dc_number counted(uint64_t count) {
  return dc_number_count((dc_span){(double)count, (double)count});
}

bool dcp_gave_up(dc_unit_kernel *kernel, const dcp_analysis *analysis, const char *function) {
  const ssa_function *f = analysis->function;
  dc_kernel *k = &kernel->kernel;
  char why[300], message[900], part[300] = "";
  snprintf(why, sizeof why,
           "its divergence analysis stops after %s steps, the limit (basic blocks: %s, values: %s)",
           counted(dcp_limit->steps).text, counted(f->n_blocks).text, counted(f->n_values).text);
  if (!f->is_kernel)
    snprintf(part, sizeof part, "function '%.200s', which it calls, is not: ", function);
  snprintf(message, sizeof message,
           "kernel '%.200s' is not analysed%s: %s%s; what loops %s lose "
           "is not known",
           dc_kernel_text(k, k->name), *part ? " as a whole" : "", part, why,
           *part ? "there" : "in it");
  if (!k->not_analysed) {
    char text[sizeof part + sizeof why];
    snprintf(text, sizeof text, "%s%s", part, why);
    k->not_analysed = dc_kernel_add_text(k, text);
  }
  return k->not_analysed && add_finding(kernel, DC_RULE_GAVE_UP, DC_NONE, k->location, message,
                                        f->is_kernel ? "" : function);
}

bool dcp_check_barriers(dc_unit_kernel *kernel, unsigned sm) {
  for (uint32_t k = 0; k < kernel->kernel.n_barriers; ++k) {
    const dc_barrier *barrier = &kernel->kernel.barriers[k];
    uint8_t allowed = barrier->warp ? DC_WARP_UNIFORM : DC_BLOCK_UNIFORM;
    const char *name = barrier->warp ? "__syncwarp()" : "__syncthreads()",
               *whom = barrier->warp ? "warp" : "block";
    char text[300] = "";
    if (barrier->level > allowed)
      snprintf(text, sizeof text,
               "%s is in control flow that is not the same for all threads of the %s; threads that "
               "do not arrive make it undefined",
               name, whom);
    else if (barrier->left > allowed && sm > 0 && sm < 70)
      snprintf(text, sizeof text,
               "%s comes after a return that not all threads of the %s take; before sm_70 they "
               "must all arrive",
               name, whom);
    uint32_t loop = kernel->kernel.blocks[barrier->block].loop;
    if (*text && !add_finding(kernel, DC_RULE_BARRIER, loop, barrier->location, text, text))
      return false;
  }
  return true;
}

bool dcp_decides(const dc_kernel *kernel, uint32_t branch, uint32_t block) {
  uint32_t *stack = malloc(kernel->n_blocks * sizeof *stack), height = 0;
  bool *met = calloc(kernel->n_blocks, sizeof *met), found = false;
  uint32_t from = kernel->branches[branch].block;
  if (stack && met) {
    stack[height++] = from;
    if (kernel->blocks[from].post_dominator != DC_NONE)
      met[kernel->blocks[from].post_dominator] = true;
  }
  while (height > 0 && !found) {
    const dc_block *at = &kernel->blocks[stack[--height]];
    for (uint32_t k = 0; k < at->n_successors; ++k) {
      uint32_t next = kernel->successors[at->first_successor + k];
      if (met[next])
        continue;
      met[next] = true;
      stack[height++] = next;
      found |= next == block;
    }
  }
  free(stack);
  free(met);
  return found;
}
