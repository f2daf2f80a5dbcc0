// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What iterations make of the ends of an interval, or of two cursors: the phis of a loop's header
// that its condition is about. For bisection.c and merges.c.
#ifndef DIVCOST_PASS_ANALYSIS_INTERVAL_H
#define DIVCOST_PASS_ANALYSIS_INTERVAL_H

#include "analysis/analysis.h"

typedef struct dcp_interval {
  const dcp_analysis *analysis;
  uint32_t loop;
  uint32_t ends[DCP_MAX_ENDS]; // phis of the header that the condition is about
  uint32_t n_ends;
  uint32_t limits[DCP_MAX_ENDS]; // of cursors: where they end
  bool expected; // that a middle which iterations hand on is one in the first iteration, too
  // Where that is known: the loop goes on while ends[high] is larger than the other by `least` at
  // least, or, as the only one, `least` itself at least.
  bool is_ordered, is_unsigned;
  uint32_t high;
  int64_t least;
} dcp_interval;

static inline const ssa_value *dcp_value_at(const dcp_interval *in, uint32_t value) {
  return &in->analysis->function->values[value];
}

static inline uint32_t dcp_operand(const dcp_interval *in, const ssa_value *v, uint32_t k) {
  return ssa_operand(in->analysis->function, v, k);
}

static inline bool dcp_is_header_phi(const dcp_interval *in, uint32_t value) {
  return ssa_is_counter(in->analysis->function, in->loop, value);
}

static inline uint32_t dcp_value_carried(const dcp_interval *in, uint32_t phi) {
  return ssa_value_carried(in->analysis->function, in->loop, phi);
}

static inline uint32_t dcp_value_before(const dcp_interval *in, uint32_t phi) {
  return ssa_value_before(in->analysis->function, in->loop, phi);
}

static inline bool dcp_is_number(const dcp_interval *in, uint32_t value, int64_t wanted) {
  const ssa_value *v = dcp_value_at(in, value);
  return v->op == SSA_CONST && v->i == wanted;
}

// Collects the header's phis under a condition. False where there are too many, or something else
// that changes.
bool dcp_find_ends(dcp_interval *in, uint32_t value, unsigned depth);

// The phi of the header that a value is, or becomes in the next iteration (a test at the end of the
// body sees that one); or DC_NONE.
uint32_t dcp_end_for(const dcp_interval *in, uint32_t value);

// A value as a sum of the ends and a constant, all counted in halves. Rounding has made it at most
// `above` halves larger or `below` smaller than that.
typedef struct dcp_halves {
  int64_t end[DCP_MAX_ENDS], constant;
  int64_t above, below;
} dcp_halves;

// False: the value is no such sum, or not within `depth` operators.
bool dcp_halves_of(const dcp_interval *in, uint32_t value, unsigned depth, dcp_halves *out);

// Whether every way in which an iteration makes the ends from themselves does something. `next` has
// what each becomes.
typedef bool dcp_way_check(const dcp_interval *in, const uint32_t next[DCP_MAX_ENDS]);
bool dcp_every_way(const dcp_interval *in, const uint32_t next[DCP_MAX_ENDS], dcp_way_check *does,
                   unsigned depth);

#endif
