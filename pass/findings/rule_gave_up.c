// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of which something isn't known: the analysis of them, or of a function that they call,
// has stopped at a limit, or they can't be estimated. Baselines have the fingerprints of both,
// which is why these are made in two ways.
#include "analysis/limits.h"
#include "findings/findings.h"
#include "findings/messages.h"
#include "findings/rules.h"

#include "divcost/hash.h"
#include "divcost/number.h"

#include <stdio.h>
#include <string.h>

// Of a function of the kernel, or with "" the kernel itself.
static uint64_t fingerprint_of_part(const char *symbol, const char *function) {
  uint64_t hash = DC_HASH_BEGIN + DC_RULE_GAVE_UP;
  hash = dc_hash_text(hash, symbol);
  return dc_hash_text(hash, function);
}

static uint64_t fingerprint_of_kernel(const char *symbol) {
  uint64_t hash = dc_hash_u64(DC_HASH_BEGIN, DC_RULE_GAVE_UP);
  for (const char *c = symbol; *c; ++c)
    hash = dc_hash_u64(hash, (unsigned char)*c);
  return hash;
}

static dc_number counted(uint64_t count) {
  return dc_number_count((dc_interval){(double)count, (double)count});
}

bool dcp_gave_up(dc_unit_kernel *kernel, const ssa_function *f, const char *function) {
  dc_kernel *k = &kernel->kernel;
  char why[300], message[900], part[300] = "", name[250];
  dcp_word_name(k, name, sizeof name);
  snprintf(why, sizeof why,
           "its divergence analysis stops after %s steps, the limit (basic blocks: %s, values: %s)",
           counted(dcp_limit->steps).text, counted(f->n_blocks).text, counted(f->n_values).text);
  if (!f->is_kernel)
    snprintf(part, sizeof part, "function '%.200s', which it calls, is not: ", function);
  snprintf(message, sizeof message,
           "kernel %s is not analysed%s: %s%s; what loops %s lose "
           "is not known",
           name, *part ? " as a whole" : "", part, why, *part ? "there" : "in it");
  if (!k->not_analysed) {
    char text[sizeof part + sizeof why];
    snprintf(text, sizeof text, "%s%s", part, why);
    k->not_analysed = dc_kernel_add_text(k, text);
  }
  dc_finding finding = {.rule = DC_RULE_GAVE_UP,
                        .loop = DC_NONE,
                        .barrier = DC_NONE,
                        .location = k->location,
                        .fingerprint = fingerprint_of_part(dc_kernel_text(k, k->symbol),
                                                           f->is_kernel ? "" : function)};
  return k->not_analysed && dcp_add_finding(kernel, finding, message, NULL) == DC_OK;
}

dc_status dcp_not_estimated(dc_unit_kernel *kernel, const char *reason, dc_error *error) {
  const dc_kernel *k = &kernel->kernel;
  char message[DCP_MESSAGE_SIZE], name[250];
  dcp_word_name(k, name, sizeof name);
  snprintf(message, sizeof message, "kernel %s is not estimated: %s", name, reason);
  dc_finding finding = {.rule = DC_RULE_GAVE_UP,
                        .loop = DC_NONE,
                        .barrier = DC_NONE,
                        .location = k->location,
                        .fingerprint = fingerprint_of_kernel(dc_kernel_text(k, k->symbol))};
  return dcp_add_finding(kernel, finding, message, error);
}
