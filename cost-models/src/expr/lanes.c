// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The value of an expression in all lanes of a warp at once: each node is visited once and not once
// for each lane. Lanes take different ways (a select, an "and" that one side decides, a search that
// is over), so a visit is for a set of lanes; in the others what it stores means nothing. The
// arithmetic that addresses and conditions are made of runs over all lanes without asking which.
//
// What is the same for all lanes is evaluated in one, unless a search around sets its iterations.
//
// What would spend a lane's budget, is nested deeper than the memory here is for, carries a number
// through a loop, or has floating-point numbers, is evaluated lane by lane: the values, and what is
// known, are those of dc_expr_evaluate in each lane.
#include "expr/expr_lanes.h"

#include "base/lanes.h"
#include "expr/expr_internal.h"

#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 24

// A loop whose iteration a FIRST around the current node has set, the same in all lanes.
typedef struct binding {
  struct binding *outer;
  int64_t loop, k;
  uint64_t consulted; // lanes in which the condition depends on it
} binding;

typedef struct evaluation {
  const dc_expr_pool *pool;
  dc_expr_environment *environments;
  unsigned n;              // lanes from 0 on that may be asked for
  uint64_t visits, budget; // of nodes: no lane has more
  uint64_t operations;     // visits, times the lanes that they are for
  uint64_t uses_assumed;
  bool limit_reached;
  const bool *alike; // of each node, or NULL
} evaluation;

static void set_all(const evaluation *run, const dc_expr_node *node, int64_t value,
                    int64_t *values) {
  value = dc__sign_extend((uint64_t)value, node->bits);
  for (unsigned lane = 0; lane < run->n; ++lane)
    values[lane] = value;
}

static void extend_all(const evaluation *run, const dc_expr_node *node, int64_t *values) {
  for (unsigned lane = 0; node->bits < 64 && lane < run->n; ++lane)
    values[lane] = dc__sign_extend((uint64_t)values[lane], node->bits);
}

// ---- leaves -------------------------------------------------------------------------------------

static uint64_t evaluate_iv(evaluation *run, const dc_expr_node *node, uint64_t lanes,
                            binding *bound, int64_t *values) {
  for (binding *b = bound; b; b = b->outer)
    if (b->loop == node->i) {
      b->consulted |= lanes;
      set_all(run, node, b->k, values);
      return lanes;
    }
  uint64_t known = 0;
  for (uint64_t rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = dc__first_lane(rest);
    const dc_expr_environment *here = &run->environments[lane];
    bool counted = here->iv && node->i >= 0 && node->i < (int64_t)here->n_iv;
    values[lane] = counted ? here->iv[node->i] : -1;
    known |= (uint64_t)(values[lane] >= 0) << lane;
  }
  extend_all(run, node, values);
  return known;
}

// Takes the assumed value where a leaf is not known.
static uint64_t assume(evaluation *run, const dc_expr_node *node, uint64_t lanes, uint64_t known,
                       int64_t *values) {
  const dc_expr_environment *any = &run->environments[dc__first_lane(lanes)];
  uint64_t others = lanes & ~known;
  if (!others || !any->assumed || node->level >= DC_DIVERGENT)
    return known;
  run->uses_assumed |= others;
  int64_t value = dc__sign_extend((uint64_t)dc__assumed_leaf(any, node), node->bits);
  for (; others; others &= others - 1)
    values[dc__first_lane(others)] = value;
  return lanes;
}

// What differs between lanes is read in each, everything else in one for all.
static uint64_t evaluate_leaf(evaluation *run, const dc_expr_node *node, uint64_t lanes,
                              binding *bound, int64_t *values) {
  const dc_expr_environment *any = &run->environments[dc__first_lane(lanes)];
  uint64_t known = 0;
  int64_t value = 0;
  switch ((dc_expr_op)node->op) {
  case DC_OP_CONST:
    set_all(run, node, node->i, values);
    return lanes;
  case DC_OP_PARAM:
    if (any->params && any->params_known && node->i >= 0 && node->i < (int64_t)any->n_params &&
        any->params_known[node->i]) {
      value = any->params[node->i];
      known = lanes;
    }
    set_all(run, node, value, values);
    break;
  case DC_OP_NTID:
  case DC_OP_NCTAID:
  case DC_OP_CTAID:
    if (node->i < 0 || node->i > 2)
      return 0;
    value = node->op == DC_OP_NTID    ? any->ntid[node->i]
            : node->op == DC_OP_CTAID ? any->ctaid[node->i]
                                      : any->nctaid[node->i];
    known = value > 0 || (value == 0 && node->op == DC_OP_CTAID) ? lanes : 0;
    set_all(run, node, value, values);
    break;
  case DC_OP_TID:
  case DC_OP_LANE:
    if (node->op == DC_OP_TID && (node->i < 0 || node->i > 2))
      return 0;
    for (uint64_t rest = lanes; rest; rest &= rest - 1) {
      unsigned lane = dc__first_lane(rest);
      const dc_expr_environment *here = &run->environments[lane];
      values[lane] = node->op == DC_OP_TID ? here->tid[node->i] : here->lane;
      known |= (uint64_t)(values[lane] >= 0) << lane;
    }
    extend_all(run, node, values);
    break;
  case DC_OP_IV:
    known = evaluate_iv(run, node, lanes, bound, values);
    break;
  case DC_OP_CARRIED: // only under what is evaluated lane by lane
  case DC_OP_ICARRIED:
    return 0;
  default: // LOAD and OPAQUE
    break;
  }
  return assume(run, node, lanes, known, values);
}

// ---- operations ---------------------------------------------------------------------------------

#define IN_ALL_LANES(result)                                                                       \
  for (unsigned lane = 0; lane < n; ++lane) {                                                      \
    uint64_t a = (uint64_t)values[lane], b = (uint64_t)other[lane];                                \
    (void)b;                                                                                       \
    values[lane] = dc__sign_extend(result, bits);                                                  \
  }                                                                                                \
  return lanes

// values = values op other, as dc__expr_fold: whatever is defined for all operands in all lanes,
// the rest in those that are asked for. Order without a sign is the same for numbers extended with
// theirs.
static uint64_t fold(const evaluation *run, dc_expr_op op, unsigned bits, unsigned operand_bits,
                     uint64_t lanes, int64_t *values, const int64_t *other) {
  unsigned n = run->n;
  uint64_t known = 0;
  switch (op) {
  case DC_OP_ADD:
    IN_ALL_LANES(a + b);
  case DC_OP_SUB:
    IN_ALL_LANES(a - b);
  case DC_OP_MUL:
    IN_ALL_LANES(a * b);
  case DC_OP_AND:
    IN_ALL_LANES(a & b);
  case DC_OP_OR:
    IN_ALL_LANES(a | b);
  case DC_OP_XOR:
    IN_ALL_LANES(a ^ b);
  case DC_OP_EQ:
    IN_ALL_LANES(a == b);
  case DC_OP_NE:
    IN_ALL_LANES(a != b);
  case DC_OP_ULT:
    IN_ALL_LANES(a < b);
  case DC_OP_ULE:
    IN_ALL_LANES(a <= b);
  case DC_OP_SLT:
    IN_ALL_LANES((int64_t)a < (int64_t)b);
  case DC_OP_SLE:
    IN_ALL_LANES((int64_t)a <= (int64_t)b);
  case DC_OP_ZEXT:
    IN_ALL_LANES(dc__zero_extend((int64_t)a, operand_bits));
  case DC_OP_SEXT:
  case DC_OP_TRUNC:
    IN_ALL_LANES(a);
  default:
    for (uint64_t rest = lanes; rest; rest &= rest - 1) {
      unsigned lane = dc__first_lane(rest);
      if (dc__expr_fold(op, bits, operand_bits, values[lane], other[lane], &values[lane]))
        known |= UINT64_C(1) << lane;
    }
    return known;
  }
}

// Values from most[lane] on, as numbers without a sign, may come out as that; NULL: no limit.
static uint64_t evaluate_up_to(evaluation *run, dc_expr e, uint64_t lanes, binding *bound,
                               unsigned depth, const uint64_t *most, int64_t *values);

static uint64_t evaluate(evaluation *run, dc_expr e, uint64_t lanes, binding *bound, unsigned depth,
                         int64_t *values) {
  return evaluate_up_to(run, e, lanes, bound, depth, NULL, values);
}

// Gives the lanes that are searched no further than k their limit, and says which these are.
static uint64_t stop_at_limit(const dc_expr_node *node, uint64_t lanes, const uint64_t *most,
                              uint64_t k, int64_t *values) {
  uint64_t stopped = 0;
  for (; lanes; lanes &= lanes - 1) {
    unsigned lane = dc__first_lane(lanes);
    if (most[lane] > k)
      continue;
    values[lane] = dc__sign_extend(most[lane], node->bits);
    stopped |= UINT64_C(1) << lane;
  }
  return stopped;
}

static uint64_t least_limit(uint64_t lanes, const uint64_t *most) {
  uint64_t least = UINT64_MAX;
  for (; lanes && most; lanes &= lanes - 1)
    if (most[dc__first_lane(lanes)] < least)
      least = most[dc__first_lane(lanes)];
  return least;
}

// The lanes leave the search one after the other.
static uint64_t evaluate_first(evaluation *run, const dc_expr_node *node, uint64_t lanes,
                               binding *bound, unsigned depth, const uint64_t *most,
                               int64_t *values) {
  binding here = {bound, node->i, 0, 0};
  int64_t limit = node->bits == 64 ? INT64_MAX : (int64_t)dc__zero_extend(-1, node->bits);
  int64_t condition[DC_EXPR_LANES] = {0};
  uint64_t found = 0, stop = least_limit(lanes, most);
  for (; lanes && !run->limit_reached; here.k += here.k < limit) { // at the limit, no lane is left
    if (most && (uint64_t)here.k == stop) {
      found |= stop_at_limit(node, lanes, most, stop, values);
      lanes &= ~found;
      stop = least_limit(lanes, most);
      if (!lanes)
        break;
    }
    lanes &= evaluate(run, node->a, lanes, &here, depth + 1, condition);
    for (uint64_t rest = lanes; rest; rest &= rest - 1) {
      unsigned lane = dc__first_lane(rest);
      if (!condition[lane])
        continue;
      values[lane] = dc__sign_extend((uint64_t)here.k, node->bits);
      found |= UINT64_C(1) << lane;
    }
    lanes &= ~found;
    uint64_t never = here.k == limit ? lanes : lanes & ~here.consulted;
    if (never && most)
      found |= stop_at_limit(node, never, most, UINT64_MAX - 1, values);
    lanes &= ~never;
  }
  return found;
}

// As for one lane: the smaller one bounds the search for the other.
static uint64_t evaluate_umin(evaluation *run, const dc_expr_node *node, uint64_t lanes,
                              binding *bound, unsigned depth, const uint64_t *most,
                              int64_t *values) {
  bool search_first = dc_expr_op_is_search((dc_expr_op)run->pool->nodes[node->a].op);
  dc_expr one = search_first ? node->b : node->a, other = search_first ? node->a : node->b;
  int64_t others[DC_EXPR_LANES] = {0};
  uint64_t limits[DC_EXPR_LANES], zero = 0;
  uint64_t known = evaluate_up_to(run, one, lanes, bound, depth + 1, most, values);
  for (uint64_t rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = dc__first_lane(rest);
    uint64_t limit = most ? most[lane] : UINT64_MAX;
    uint64_t value = known >> lane & 1 ? dc__zero_extend(values[lane], node->bits) : limit;
    limits[lane] = value < limit ? value : limit;
    zero |= (uint64_t)(value == 0 && known >> lane & 1) << lane;
  }
  if (lanes == zero)
    return zero;
  uint64_t right = evaluate_up_to(run, other, lanes & ~zero, bound, depth + 1, limits, others),
           found = zero;
  for (uint64_t rest = right; rest; rest &= rest - 1) {
    unsigned lane = dc__first_lane(rest);
    bool is_known = known >> lane & 1;
    if (!is_known ||
        dc__zero_extend(others[lane], node->bits) < dc__zero_extend(values[lane], node->bits))
      values[lane] = others[lane];
    found |= (uint64_t)(is_known || others[lane] == 0) << lane;
  }
  return found;
}

static uint64_t evaluate_select(evaluation *run, const dc_expr_node *node, uint64_t lanes,
                                binding *bound, unsigned depth, int64_t *values) {
  int64_t other[DC_EXPR_LANES] = {0};
  uint64_t holds = 0, known = 0;
  for (uint64_t rest = lanes; rest; rest &= rest - 1)
    holds |= (uint64_t)(values[dc__first_lane(rest)] != 0) << dc__first_lane(rest);
  if (holds)
    known = evaluate(run, node->b, holds, bound, depth + 1, other);
  if (lanes & ~holds)
    known |= evaluate(run, node->c, lanes & ~holds, bound, depth + 1, values);
  for (; holds; holds &= holds - 1)
    values[dc__first_lane(holds)] = other[dc__first_lane(holds)];
  return known;
}

// Lanes of the set in which the value is the given one.
static uint64_t where(uint64_t lanes, const int64_t *values, int64_t value) {
  uint64_t found = 0;
  for (; lanes; lanes &= lanes - 1)
    found |= (uint64_t)(values[dc__first_lane(lanes)] == value) << dc__first_lane(lanes);
  return found;
}

// "and" and "or" of what is known of the left side and the right one: what one side decides doesn't
// need the other.
static uint64_t evaluate_logic(evaluation *run, const dc_expr_node *node, uint64_t lanes,
                               uint64_t known, binding *bound, unsigned depth, int64_t *values) {
  int64_t other[DC_EXPR_LANES] = {0}, decides = node->op == DC_OP_AND ? 0 : -1;
  uint64_t decided = where(known, values, decides), rest = lanes & ~decided;
  if (!rest)
    return known;
  uint64_t right = evaluate(run, node->b, rest, bound, depth + 1, other);
  uint64_t by_right = where(right & ~known, other, decides);
  for (unsigned lane = 0; lane < run->n; ++lane)
    if ((decided | by_right) >> lane & 1)
      values[lane] = other[lane] = decides;
  fold(run, (dc_expr_op)node->op, node->bits, node->bits, right & known, values, other);
  return decided | by_right | (right & known);
}

// dc_expr_evaluate with this budget; what is left of it, and what was assumed, is in the
// environment.
static bool evaluate_one(const dc_expr_pool *pool, dc_expr e, dc_expr_environment *one,
                         uint64_t budget, int64_t *value) {
  one->budget = budget;
  one->uses_assumed = false;
  return dc_expr_evaluate(pool, e, one, value);
}

// In one lane for all.
static uint64_t evaluate_alike(evaluation *run, dc_expr e, uint64_t lanes, int64_t *values) {
  dc_expr_environment *one = &run->environments[dc__first_lane(lanes)];
  uint64_t left = run->budget - run->visits;
  int64_t value = 0;
  bool known = evaluate_one(run->pool, e, one, left, &value);
  run->limit_reached |= !known && one->budget == 0;
  run->visits += left - one->budget;
  run->operations += (left - one->budget) * dc__lanes_count(lanes);
  run->uses_assumed |= one->uses_assumed ? lanes : 0;
  for (unsigned lane = 0; lane < run->n; ++lane)
    values[lane] = value;
  return known ? lanes : 0;
}

static uint64_t evaluate_up_to(evaluation *run, dc_expr e, uint64_t lanes, binding *bound,
                               unsigned depth, const uint64_t *most, int64_t *values) {
  if (e >= run->pool->count)
    return 0;
  const dc_expr_node *node = &run->pool->nodes[e];
  dc_expr_op op = (dc_expr_op)node->op;
  if (depth > DEPTH_MAX || run->visits == run->budget || op >= DC_OP_IRUN) {
    run->limit_reached = true;
    return 0;
  }
  if (run->alike && run->alike[e] && !dc__expr_op_is_leaf(op) && !bound && !most)
    return evaluate_alike(run, e, lanes, values);
  ++run->visits;
  run->operations += dc__lanes_count(lanes);
  if (dc__expr_op_is_leaf(op))
    return evaluate_leaf(run, node, lanes, bound, values);
  if (op == DC_OP_FIRST)
    return evaluate_first(run, node, lanes, bound, depth, most, values);
  if (op == DC_OP_UMIN)
    return evaluate_umin(run, node, lanes, bound, depth, most, values);
  uint64_t known = evaluate(run, node->a, lanes, bound, depth + 1, values);
  if (op == DC_OP_AND || op == DC_OP_OR)
    return evaluate_logic(run, node, lanes, known, bound, depth, values);
  if (!known)
    return 0;
  if (op == DC_OP_SELECT)
    return evaluate_select(run, node, known, bound, depth, values);
  int64_t other[DC_EXPR_LANES];
  memset(other, 0, run->n * sizeof *other);
  if (node->b != DC_NO_EXPR)
    known = evaluate(run, node->b, known, bound, depth + 1, other);
  return fold(run, op, node->bits, run->pool->nodes[node->a].bits, known, values, other);
}

// ---- all of it ----------------------------------------------------------------------------------

static dc_lanes_value one_by_one(const dc_expr_pool *pool, dc_expr e,
                                 dc_expr_environment *environments, uint64_t lanes, uint64_t budget,
                                 int64_t *values) {
  dc_lanes_value all = {0};
  for (; lanes; lanes &= lanes - 1) {
    unsigned lane = dc__first_lane(lanes);
    dc_expr_environment *here = &environments[lane];
    bool known = evaluate_one(pool, e, here, budget, &values[lane]);
    all.known |= (uint64_t)known << lane;
    all.spent |= !known && here->budget == 0;
    all.uses_assumed |= (uint64_t)here->uses_assumed << lane;
    all.operations += budget - here->budget;
  }
  return all;
}

bool *dc__alike_in_lanes(const dc_expr_pool *pool) {
  bool *alike = malloc((size_t)pool->count + 1);
  for (dc_expr e = 0; alike && e < pool->count; ++e) {
    const dc_expr_node *node = &pool->nodes[e];
    const dc_expr operands[] = {node->a, node->b, node->c};
    alike[e] = node->op != DC_OP_TID && node->op != DC_OP_LANE &&
               !dc_expr_op_is_carried((dc_expr_op)node->op);
    for (unsigned k = 0; k < 3 && node->op != DC_OP_LOAD; ++k)
      alike[e] &= operands[k] == DC_NO_EXPR || alike[operands[k]];
  }
  return alike;
}

dc_lanes_value dc__evaluate_lanes(const dc_expr_pool *pool, dc_expr e,
                                  dc_expr_environment *environments, uint64_t lanes,
                                  uint64_t budget, const bool *alike, int64_t *values) {
  if (!lanes)
    return (dc_lanes_value){0};
  if (!(lanes & (lanes - 1)))
    return one_by_one(pool, e, environments, lanes, budget, values);
  evaluation run = {.pool = pool,
                    .environments = environments,
                    .n = lanes >> 32 ? 64 : 32,
                    .budget = budget,
                    .alike = alike};
  memset(values, 0, run.n * sizeof *values);
  uint64_t known = evaluate(&run, e, lanes, NULL, 0, values);
  if (run.limit_reached)
    return one_by_one(pool, e, environments, lanes, budget, values);
  return (dc_lanes_value){known, run.uses_assumed, run.operations, false};
}
