// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the copies of the body of an unrolled loop have in common. Loops are asked for from the
// inside out; one that is gone (unrolled as a whole) makes copies in the loop around it.
#ifndef DIVCOST_PASS_ANALYSIS_COPIES_H
#define DIVCOST_PASS_ANALYSIS_COPIES_H

#include "analysis/ssa.h"

#define DCP_ARRAYS 16 // looked at

typedef struct dcp_copies {
  const ssa_function *function;
  uint32_t loop;                     // that was asked for last
  bool gone;                         // that is unrolled as a whole
  uint8_t *standing, *uses, *varies; // of each value, in that loop
  bool *each;                        // of each block: whether each of its iterations comes by
  double *once;   // of each value of an unrolled loop: how often its own loop's pass has it, where
                  // that isn't in each copy
  uint32_t *size; // copies of each value that LLVM counts: without those that became numbers
  uint64_t shared;
  uint32_t shared_of_ptx; // the same, in instructions of PTX
  double sum;
  uint32_t arrays[DCP_ARRAYS], n_arrays;     // bases of addresses in that loop
  uint32_t counters[DCP_ARRAYS], n_counters; // by which they advance
  uint32_t setup;
  uint32_t trips;
  bool stable;
} dcp_copies;

// Instructions of PTX: as many as of the machine where a function of the library is inlined, and of
// divisions by constants; else one.
uint32_t dcp_ptx_instructions(const ssa_function *f, const ssa_value *value);

// False: out of memory. To be freed in any case.
bool dcp_copies_init(dcp_copies *copies, const ssa_function *function);
void dcp_copies_free(dcp_copies *copies);

// How many machine instructions of an iteration the copies in a pass don't repeat; `gone`: no loop
// is left. Loops inside are gone. O(values * counters).
uint32_t dcp_copies_share(dcp_copies *copies, uint32_t loop, bool gone);

// Machine instructions in front of that loop by which the addresses get their first values that its
// copies share: a sum for each array, and for each counter its widening and its product with what
// an element takes. O(values).
uint32_t dcp_copies_set_up(dcp_copies *copies);

// Replaces that loop by so many copies, all of it or in each of its passes. O(values).
void dcp_copies_unroll(dcp_copies *copies, uint32_t trips);

// How many of what dcp_copies_share told of a loop that was unrolled a pass of it has, when all
// around it that are unrolled are, too. O(values).
double dcp_copies_once(dcp_copies *copies, uint32_t loop);

#endif
