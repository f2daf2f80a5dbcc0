// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/lane_values.h"

#include "base/lanes.h"
#include "expr/expr_internal.h"
#include "expr/expr_lanes.h"

#include <string.h>

enum { DEPTH_MAX = 40, SEARCH_MAX = 1000 };

typedef struct evaluation {
  const dc__lanes_known *known;
  unsigned *budget;
  unsigned depth;
  bool cut;    // something was left out
  bool rooted; // what is evaluated may be another where there is another root
  dc__lane_memo *memo;
} evaluation;

static void evaluate(evaluation *run, dc_expr e, dc__lane_values *out);

// ---- what is known of a value -------------------------------------------------------------------

static uint64_t divisor(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

static uint64_t size_of(int64_t value) { return value < 0 ? 0 - (uint64_t)value : (uint64_t)value; }

// Whether the number that each lane holds is known.
static bool is_exact(const dc__lane_values *v) {
  return v->form == DC_LANES_APART && v->common == 0;
}

// Whether all lanes hold the same.
static bool is_same(const evaluation *run, const dc__lane_values *v) {
  unsigned first = dc__first_lane(run->known->lanes);
  for (uint32_t rest = run->known->lanes; rest; rest &= rest - 1)
    if (v->apart[dc__first_lane(rest)] != v->apart[first])
      return false;
  return v->form == DC_LANES_APART;
}

static int64_t first_of(const evaluation *run, const dc__lane_values *v) {
  return v->apart[dc__first_lane(run->known->lanes)];
}

static void set_any(dc__lane_values *out) { *out = (dc__lane_values){.form = DC_LANES_ANY}; }

// The same in all lanes, and a multiple of `of`.
static void set_common(dc__lane_values *out, uint64_t of) {
  *out = (dc__lane_values){.form = DC_LANES_APART, .common = of};
}

// A function of values that nothing more is known of than that lanes hold the same.
static void set_function(const evaluation *run, const dc__lane_values *a, const dc__lane_values *b,
                         dc__lane_values *out) {
  if (is_same(run, a) && is_same(run, b))
    set_common(out, 1);
  else
    set_any(out);
}

// ---- arithmetic ---------------------------------------------------------------------------------

static int64_t plus(int64_t a, int64_t b) { return (int64_t)((uint64_t)a + (uint64_t)b); }
static int64_t times(int64_t a, int64_t b) { return (int64_t)((uint64_t)a * (uint64_t)b); }

// a + sign * b.
static void add(const dc__lane_values *a, const dc__lane_values *b, int64_t sign,
                dc__lane_values *out) {
  bool strided = a->form == DC_LANES_STRIDED || b->form == DC_LANES_STRIDED;
  bool both = a->form == DC_LANES_STRIDED && b->form == DC_LANES_STRIDED;
  if (a->form == DC_LANES_ANY || b->form == DC_LANES_ANY || (both && a->stride != b->stride)) {
    set_any(out);
    return;
  }
  const dc__lane_values *with = a->form == DC_LANES_STRIDED ? a : b;
  *out = (dc__lane_values){.form = strided ? DC_LANES_STRIDED : DC_LANES_APART,
                           .common = divisor(a->common, b->common),
                           .stride = with->stride};
  for (unsigned lane = 0; lane < DC_LANES; ++lane) {
    out->apart[lane] = plus(a->apart[lane], times(sign, b->apart[lane]));
    out->times[lane] = plus(a->times[lane], times(sign, b->times[lane]));
  }
}

static void scale(const dc__lane_values *a, int64_t by, dc__lane_values *out) {
  *out = *a;
  out->common *= size_of(by);
  for (unsigned lane = 0; lane < DC_LANES; ++lane) {
    out->apart[lane] = times(a->apart[lane], by);
    out->times[lane] = times(a->times[lane], by);
  }
}

// What is common to a product of common parts C and D that lanes add a and b to, b the same in all:
// C D + C b, and where a is the same, too, a D; else D is a stride.
static void multiply(const evaluation *run, const dc__lane_values *a, const dc__lane_values *b,
                     dc_expr stride, dc__lane_values *out) {
  if (is_exact(a) && is_same(run, a)) {
    scale(b, first_of(run, a), out);
  } else if (is_exact(b) && is_same(run, b)) {
    scale(a, first_of(run, b), out);
  } else if (a->form != DC_LANES_APART || !is_same(run, b)) {
    set_any(out);
  } else {
    uint64_t c = a->common, d = b->common;
    bool same = is_same(run, a);
    int64_t all = first_of(run, b);
    uint64_t of = divisor(c * d, c * size_of(all));
    if (same)
      of = divisor(of, d * size_of(first_of(run, a)));
    set_common(out, of);
    for (unsigned lane = 0; lane < DC_LANES; ++lane) {
      out->apart[lane] = times(a->apart[lane], all);
      out->times[lane] = same ? 0 : a->apart[lane];
    }
    if (!same && d) {
      out->form = DC_LANES_STRIDED;
      out->stride = stride;
    }
  }
}

// Of numbers C x + d, 0 <= d < C, by a multiple of C: the quotient is the same in all lanes, and
// the remainder is some multiple of C, and d.
static bool divide_by_more(const evaluation *run, const dc__lane_values *a, int64_t by,
                           bool remainder, dc__lane_values *out) {
  if (by <= 0 || a->form != DC_LANES_APART || !a->common || (uint64_t)by % a->common != 0)
    return false;
  for (uint32_t rest = run->known->lanes; rest; rest &= rest - 1) {
    int64_t d = a->apart[dc__first_lane(rest)];
    if (d < 0 || (uint64_t)d >= a->common)
      return false;
  }
  if (remainder)
    *out = *a;
  else
    set_common(out, 1);
  return true;
}

// Division and remainder by a number that what is common is a multiple of, or the other way round;
// lanes hold no negative numbers then, as indices don't.
static void divide(const evaluation *run, const dc__lane_values *a, const dc__lane_values *b,
                   bool remainder, dc__lane_values *out) {
  int64_t by = is_exact(b) && is_same(run, b) ? first_of(run, b) : 0;
  if (divide_by_more(run, a, by, remainder, out) && a->common != (uint64_t)by)
    return;
  bool whole = by > 0 && a->form == DC_LANES_APART && a->common % (uint64_t)by == 0;
  for (uint32_t rest = run->known->lanes; rest && whole; rest &= rest - 1)
    whole = a->apart[dc__first_lane(rest)] >= 0;
  if (!whole) {
    set_function(run, a, b, out);
    return;
  }
  *out = *a;
  out->common = remainder ? 0 : a->common / (uint64_t)by;
  for (unsigned lane = 0; lane < DC_LANES; ++lane)
    out->apart[lane] = remainder ? a->apart[lane] % by : a->apart[lane] / by;
}

// a & mask: its low bits, or all but these.
static void mask(const evaluation *run, const dc__lane_values *a, int64_t bits,
                 dc__lane_values *out) {
  dc__lane_values power;
  bool high = bits < 0;
  uint64_t low = high ? ~(uint64_t)bits : (uint64_t)bits;
  set_common(&power, 0);
  for (unsigned lane = 0; lane < DC_LANES; ++lane)
    power.apart[lane] = (int64_t)(low + 1);
  if ((low & (low + 1)) != 0 || low + 1 == 0) {
    set_function(run, a, &power, out);
  } else if (high) {
    dc__lane_values rest;
    divide(run, a, &power, true, &rest);
    add(a, &rest, -1, out);
  } else {
    divide(run, a, &power, true, out);
  }
}

// a << b, a >> b.
static void shift(const evaluation *run, const dc__lane_values *a, const dc__lane_values *b,
                  bool left, dc_expr stride, dc__lane_values *out) {
  dc__lane_values power = *b;
  int64_t by = is_exact(b) && is_same(run, b) ? first_of(run, b) : -1;
  if (by >= 0 && by < 62) {
    for (unsigned lane = 0; lane < DC_LANES; ++lane)
      power.apart[lane] = INT64_C(1) << by;
    if (left)
      scale(a, INT64_C(1) << by, out);
    else
      divide(run, a, &power, false, out);
  } else if (left && b->form == DC_LANES_APART && is_same(run, b)) {
    set_common(&power, 1);
    multiply(run, a, &power, stride, out);
  } else {
    set_function(run, a, b, out);
  }
}

// ---- choices ------------------------------------------------------------------------------------

// min(a, b), max(a, b): where one side is the same for all, it is taken for a bound on the other.
static void bound(const evaluation *run, const dc__lane_values *a, const dc__lane_values *b,
                  dc__lane_values *out) {
  if (is_same(run, a) == is_same(run, b)) {
    set_function(run, a, b, out);
  } else {
    *out = is_same(run, a) ? *b : *a;
    out->clamped = true;
  }
}

static void choose(const evaluation *run, const dc__lane_values *condition,
                   const dc__lane_values *a, const dc__lane_values *b, dc__lane_values *out) {
  bool decided = is_exact(condition), exact = is_exact(a) && is_exact(b);
  if (decided && is_same(run, condition)) {
    *out = first_of(run, condition) ? *a : *b;
  } else if (decided && exact) {
    *out = *a;
    for (unsigned lane = 0; lane < DC_LANES; ++lane)
      out->apart[lane] = condition->apart[lane] ? a->apart[lane] : b->apart[lane];
  } else if (is_same(run, condition)) { // either of them in all lanes
    dc__lane_values rest;
    add(a, b, -1, &rest);
    *out = *a;
    if (is_same(run, &rest) && a->form == DC_LANES_APART) {
      out->common = divisor(divisor(a->common, b->common), size_of(first_of(run, &rest)));
    } else {
      set_any(out);
    }
  } else {
    set_any(out);
  }
}

// ---- nodes --------------------------------------------------------------------------------------

// What dc__evaluate_lanes says; all lanes that are there must have a value.
static bool evaluate_all(const evaluation *run, dc_expr e, dc__lane_values *out) {
  const dc__lanes_known *known = run->known;
  set_common(out, 0);
  dc_lanes_value value = dc__evaluate_lanes(known->pool, e, known->environments, known->lanes,
                                            SEARCH_MAX, NULL, out->apart);
  return (value.known & known->lanes) == known->lanes;
}

static void evaluate_leaf(const evaluation *run, dc_expr e, dc__lane_values *out) {
  const dc_expr_node *node = &run->known->pool->nodes[e];
  if (evaluate_all(run, e, out))
    return;
  if (node->op == DC_OP_CTAID || node->op == DC_OP_IV || node->level < DC_DIVERGENT)
    set_common(out, 1);
  else
    set_any(out);
}

static void fold(const evaluation *run, const dc_expr_node *node, const dc__lane_values *a,
                 const dc__lane_values *b, dc__lane_values *out) {
  unsigned bits = run->known->pool->nodes[node->a].bits;
  set_common(out, 0);
  for (uint32_t rest = run->known->lanes; rest; rest &= rest - 1) {
    unsigned lane = dc__first_lane(rest);
    if (!dc__expr_fold((dc_expr_op)node->op, node->bits, bits, a->apart[lane], b->apart[lane],
                       &out->apart[lane])) {
      set_any(out);
      return;
    }
  }
}

// Whether a shift to the right takes the place of high bits that one to the left has cut: the
// number is narrowed to less than an index has.
static bool is_narrowing(const dc_expr_pool *pool, const dc_expr_node *node) {
  const dc_expr_node *a = &pool->nodes[node->a], *by = &pool->nodes[node->b];
  return a->op == DC_OP_SHL && (by->op != DC_OP_CONST || by->i < 0 || node->bits - by->i < 32);
}

static void apply(const evaluation *run, dc_expr e, const dc__lane_values *a,
                  const dc__lane_values *b, dc__lane_values *out) {
  const dc_expr_node *node = &run->known->pool->nodes[e];
  switch ((dc_expr_op)node->op) {
  case DC_OP_ADD:
    add(a, b, 1, out);
    return;
  case DC_OP_SUB:
    add(a, b, -1, out);
    return;
  case DC_OP_MUL:
    if (is_same(run, b))
      multiply(run, a, b, node->b, out);
    else
      multiply(run, b, a, node->a, out);
    return;
  case DC_OP_SHL:
    shift(run, a, b, true, e, out);
    return;
  case DC_OP_LSHR:
  case DC_OP_ASHR:
    if (is_narrowing(run->known->pool, node))
      set_function(run, a, b, out);
    else
      shift(run, a, b, false, e, out);
    return;
  case DC_OP_UDIV:
  case DC_OP_SDIV:
    divide(run, a, b, false, out);
    return;
  case DC_OP_UREM:
  case DC_OP_SREM:
    divide(run, a, b, true, out);
    return;
  case DC_OP_AND:
    if (is_exact(b) && is_same(run, b))
      mask(run, a, first_of(run, b), out);
    else
      set_function(run, a, b, out);
    return;
  case DC_OP_SMIN:
  case DC_OP_SMAX:
  case DC_OP_UMIN:
  case DC_OP_UMAX:
    bound(run, a, b, out);
    return;
  case DC_OP_ZEXT:
  case DC_OP_SEXT:
    *out = *a;
    return;
  case DC_OP_TRUNC:
    if (node->bits < 32)
      set_function(run, a, b, out);
    else
      *out = *a;
    return;
  default:
    set_function(run, a, b, out);
  }
}

static bool is_arithmetic(dc_expr_op op) {
  return (op >= DC_OP_ADD && op <= DC_OP_SLE) || op == DC_OP_ZEXT || op == DC_OP_SEXT ||
         op == DC_OP_TRUNC;
}

static void evaluate_node(evaluation *run, dc_expr e, dc__lane_values *out) {
  const dc_expr_node *node = &run->known->pool->nodes[e];
  dc__lane_values a, b, c;
  set_common(&b, 0);
  set_common(&c, 0);
  evaluate(run, node->a, &a);
  if (node->b != DC_NO_EXPR)
    evaluate(run, node->b, &b);
  if (node->op == DC_OP_SELECT) {
    evaluate(run, node->c, &c);
    choose(run, &a, &b, &c, out);
  } else if (is_exact(&a) && is_exact(&b)) {
    fold(run, node, &a, &b, out);
  } else {
    apply(run, e, &a, &b, out);
  }
  // Whatever becomes of it, it may have been shown to be the same in all lanes.
  if (out->form == DC_LANES_ANY && node->level < DC_DIVERGENT)
    set_common(out, 1);
  out->clamped |= a.clamped || b.clamped || c.clamped;
}

// Whether an expression may be an array's address, which all others are relative to.
static bool may_be_root(const dc_expr_pool *pool, dc_expr e) {
  const dc_expr_node *node = &pool->nodes[e];
  return node->bits == 64 &&
         (node->op == DC_OP_PARAM || node->op == DC_OP_LOAD || node->op == DC_OP_OPAQUE ||
          dc_expr_op_is_carried((dc_expr_op)node->op));
}

static void evaluate_any(evaluation *run, dc_expr e, dc__lane_values *out) {
  const dc_expr_node *node = &run->known->pool->nodes[e];
  bool root = e == run->known->root && node->level < DC_DIVERGENT;
  ++run->depth;
  run->rooted |= root || may_be_root(run->known->pool, e);
  if (root)
    set_common(out, run->known->alignment);
  else if (is_arithmetic((dc_expr_op)node->op) || node->op == DC_OP_SELECT)
    evaluate_node(run, e, out);
  else
    evaluate_leaf(run, e, out);
  --run->depth;
}

static void evaluate(evaluation *run, dc_expr e, dc__lane_values *out) {
  dc__lane_memo *memo = run->memo;
  unsigned at = e % DC_LANE_MEMO;
  if (run->depth == DEPTH_MAX || *run->budget == 0) {
    run->cut = true;
    set_any(out);
    return;
  }
  --*run->budget;
  if (memo && memo->of[at] == e) {
    *out = memo->values[at];
    return;
  }
  bool rooted = run->rooted;
  run->rooted = false;
  evaluate_any(run, e, out);
  if (memo && !run->cut && !run->rooted) {
    memo->of[at] = e;
    memo->values[at] = *out;
  }
  run->rooted |= rooted;
}

void dc__lane_memo_reset(dc__lane_memo *memo) {
  for (unsigned k = 0; k < DC_LANE_MEMO; ++k)
    memo->of[k] = DC_NO_EXPR;
}

void dc__lane_values_of(const dc__lanes_known *known, dc_expr e, unsigned *budget,
                        dc__lane_values *out) {
  bool shares = known->root == DC_NO_EXPR || may_be_root(known->pool, known->root);
  evaluation run = {.known = known, .budget = budget, .memo = shares ? known->memo : NULL};
  evaluate(&run, e, out);
}
