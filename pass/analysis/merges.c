// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Merges of two runs: `while (i < i_end || j < j_end)`, of which each iteration takes one item,
// from here or from there. Data decide from where, but it goes on until both runs are at their
// ends: as many times as they have items together. Looked for in the values alone: every way
// through an iteration moves one of two cursors by one, and leaves the other as it is.
#include "analysis/interval.h"

// Of a || b, as LLVM has it.
static bool is_either(const dcp_interval *in, uint32_t condition, uint32_t two[2]) {
  const ssa_value *v = dcp_value_at(in, condition);
  bool select = v->op == SSA_EXPR && v->expr == DC_OP_SELECT &&
                dcp_is_number(in, dcp_operand(in, v, 1), -1); // true ? b : c
  bool either = v->op == SSA_EXPR && v->expr == DC_OP_OR;
  if (v->bits != 1 || (!select && !either))
    return false;
  two[0] = dcp_operand(in, v, 0);
  two[1] = dcp_operand(in, v, select ? 2 : 1);
  return true;
}

// Whether a condition is that a cursor lies before its end.
static bool read_cursor(dcp_interval *in, uint32_t condition) {
  const ssa_value *v = dcp_value_at(in, condition);
  if (v->op != SSA_EXPR || (v->expr != DC_OP_SLT && v->expr != DC_OP_ULT))
    return false;
  uint32_t cursor = dcp_end_for(in, dcp_operand(in, v, 0)), end = dcp_operand(in, v, 1);
  if (cursor == DC_NONE || dcp_end_for(in, end) != DC_NONE || in->n_ends == DCP_MAX_ENDS)
    return false;
  in->limits[in->n_ends] = end;
  in->ends[in->n_ends++] = cursor;
  return true;
}

// A cursor at its end may be that instead of the phi.
static bool stays(const dcp_interval *in, uint32_t cursor, uint32_t next) {
  return next == in->ends[cursor] || next == in->limits[cursor];
}

static bool advances(const dcp_interval *in, uint32_t cursor, uint32_t next) {
  dcp_halves sum;
  return dcp_halves_of(in, next, 2, &sum) && sum.end[cursor] == 2 && sum.end[!cursor] == 0 &&
         sum.constant == 2 && sum.above + sum.below == 0;
}

static bool takes_one(const dcp_interval *in, const uint32_t next[DCP_MAX_ENDS]) {
  return (advances(in, 0, next[0]) && stays(in, 1, next[1])) ||
         (advances(in, 1, next[1]) && stays(in, 0, next[0]));
}

bool dcp_is_merge_of_parts(const dcp_analysis *analysis, const dcp_exit *exit) {
  const ssa_function *f = analysis->function;
  uint32_t condition = f->blocks[exit->block].condition, two[2];
  dcp_interval in = {.analysis = analysis, .loop = exit->loop};
  if (condition == DC_NONE || f->loops[exit->loop].irreducible ||
      f->edges[f->blocks[exit->block].first_successor] == exit->target ||
      !is_either(&in, condition, two) || !read_cursor(&in, two[0]) || !read_cursor(&in, two[1]) ||
      in.ends[0] == in.ends[1])
    return false;
  uint32_t next[DCP_MAX_ENDS] = {0};
  for (uint32_t k = 0; k < in.n_ends; ++k) {
    uint32_t start = dcp_value_before(&in, in.ends[k]);
    next[k] = dcp_value_carried(&in, in.ends[k]);
    if (!dcp_known_lane_function(analysis, analysis->exprs[start]) ||
        !dcp_known_lane_function(analysis, analysis->exprs[in.limits[k]]))
      return false;
  }
  return dcp_every_way(&in, next, takes_one, (unsigned)dcp_limit->bisection_depth);
}
