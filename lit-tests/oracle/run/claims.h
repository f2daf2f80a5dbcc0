// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a report claims of a kernel's loops, found by where they stand: the lines of the calls and
// of the loop.
#ifndef DIVCOST_ORACLE_CLAIMS_H
#define DIVCOST_ORACLE_CLAIMS_H

#include "condition.h"

#include "divcost/unit.h"

typedef struct claim {
  uint64_t place; // hash of the lines
  uint32_t loop;  // in the kernel
  uint32_t line;
  bool ambiguous; // other loops of the report stand there too: nothing can be said of one of them
  condition condition;
  bool any_step;  // its counter steps by what isn't the launch's: nothing is granted without a
                  // condition
  int64_t most;   // trips, negative: no bound
  bool estimable; // see find_estimable
  // Of its exits: those that have their line to themselves; those in lines in which none diverges.
  uint64_t alone, together;
} claim;

typedef struct claims {
  const dc_unit_kernel *unit_kernel;
  const dc_kernel *kernel;
  claim *list;
  uint32_t n;
  bool any_estimable;
  uint32_t *table; // of places: index + 1, a power of two long
  uint32_t table_size;
} claims;

// Collects the claims of a kernel. False: a condition isn't understood, *unknown is its text.
bool collect_claims(const dc_unit_kernel *kernel, claims *out, const char **unknown);
void free_claims(claims *claims);

// The claim about a loop in the line `line`, inlined through calls in calls[n], outermost first; or
// -1. A function that stays a call has loops that know nothing of its callers.
int32_t claim_at(const claims *claims, const uint32_t *calls, uint32_t n, uint32_t line);

// Whether the report has a finding of that rule in the line.
bool has_finding(const claims *claims, dc_rule rule, uint32_t line);

#endif
