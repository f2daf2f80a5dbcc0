// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exits whose condition is about a number that iterations carry on in a way that has no closed
// form: one in floating point, which each of them rounds (`for (float x = a; x < end; x += dx)`),
// or an integer that is divided (`while (n > 0) n /= 10`), multiplied, or loses bits. The trip
// count is a run of the loop (DC_OP_RUN, DC_OP_IRUN), with the number that is carried in the place
// of the phi.
//
// Not handled, since something is left that changes: two such numbers that depend on each other.
// Nor is what each lane reads for itself: such a run could never be evaluated.
#include "analysis/analysis.h"

enum { DEPTH = 16, NODES = 200 };

typedef struct replacement {
  dcp_analysis *analysis;
  uint32_t loop, counter; // DC_NONE: not found yet
  dc_expr carried;        // in its place
  unsigned left;          // nodes that may still be looked at
} replacement;

static bool is_counter(replacement *r, const dc_expr_node *node) {
  if (node->op != DC_OP_OPAQUE)
    return false;
  if (r->counter == DC_NONE && ssa_is_counter(r->analysis->function, r->loop, (uint32_t)node->i))
    r->counter = (uint32_t)node->i;
  return node->i == (int64_t)r->counter;
}

static bool is_own_read(const dc_expr_pool *pool, const dc_expr_node *node) {
  return node->op == DC_OP_LOAD && (dc_expr_mentions(pool, node->a, DC_OP_TID, -1) ||
                                    dc_expr_mentions(pool, node->a, DC_OP_LANE, -1));
}

// The expression with the number that is carried instead of the first such counter that is met.
// DC_NO_EXPR: it is too large, or data.
static dc_expr replace(replacement *r, dc_expr e, unsigned depth) {
  dc_expr_pool *pool = &r->analysis->pool;
  const dc_expr_node node = pool->nodes[e]; // a copy: the pool may grow
  if (is_counter(r, &node)) {
    bool real = r->analysis->function->values[r->counter].real;
    r->carried =
        dc_expr_leaf(pool, real ? DC_OP_CARRIED : DC_OP_ICARRIED, node.bits, DC_UNIFORM, r->loop);
    return r->carried;
  }
  if (depth == 0 || r->left == 0 || is_own_read(pool, &node))
    return DC_NO_EXPR;
  if (node.a == DC_NO_EXPR || node.op == DC_OP_LOAD)
    return e;
  --r->left;
  dc_expr operands[] = {node.a, node.b, node.c};
  for (unsigned k = 0; k < 3; ++k)
    if (operands[k] != DC_NO_EXPR &&
        (operands[k] = replace(r, operands[k], depth - 1)) == DC_NO_EXPR)
      return DC_NO_EXPR;
  return dc_expr_apply(pool, (dc_expr_op)node.op, node.bits, DC_UNIFORM, operands[0], operands[1],
                       operands[2], node.i);
}

dc_expr dcp_run_until(dcp_analysis *analysis, dc_expr holds, uint32_t loop) {
  const ssa_function *f = analysis->function;
  replacement r = {.analysis = analysis, .loop = loop, .counter = DC_NONE, .left = NODES};
  holds = replace(&r, holds, DEPTH);
  if (holds == DC_NO_EXPR || r.counter == DC_NONE)
    return DC_NO_EXPR;
  // Where an outer loop's counter asks how often this one runs, these may not be there yet.
  dc_expr start = dcp_expr_of(analysis, ssa_value_before(f, loop, r.counter));
  dc_expr next = dcp_expr_of(analysis, ssa_value_carried(f, loop, r.counter));
  if (start == DC_NO_EXPR || next == DC_NO_EXPR)
    return DC_NO_EXPR;
  start = replace(&r, start, DEPTH);
  next = replace(&r, next, DEPTH);
  if (start == DC_NO_EXPR || next == DC_NO_EXPR || !dcp_can_be_followed(analysis, holds, loop) ||
      !dcp_can_be_followed(analysis, next, loop))
    return DC_NO_EXPR;
  const dc_expr_node last = analysis->pool.nodes[next];
  if (last.op == DC_OP_FMUL) // with a sum of the next iteration, where the loop is unrolled
    next = dc_expr_binary(&analysis->pool, DC_OP_FPRODUCT, last.a, last.b);
  dc_expr_op run = f->values[r.counter].real ? DC_OP_RUN : DC_OP_IRUN;
  return dc_expr_apply(&analysis->pool, run, 64, DC_UNIFORM, holds, start, next, loop);
}
