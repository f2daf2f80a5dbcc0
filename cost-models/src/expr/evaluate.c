// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The value of an expression in one lane: arithmetic as in LLVM IR (two's complement, wrapping),
// with "not known" wherever LLVM leaves the result undefined. Values travel sign-extended to 64
// bits. Nothing is allocated; depth and work are bounded.
#include "expr/expr_internal.h"
#include "expr/reals.h"

#define DEPTH_MAX 512

static int64_t smaller(bool less, int64_t a, int64_t b) { return less ? a : b; }

// Steps of length b to cover a, without overflow: a + b - 1 may not fit.
static bool steps(int64_t a, int64_t b, int64_t *value) {
  if (b <= 0)
    return false;
  *value = a <= 0 ? 0 : (a - 1) / b + 1;
  return true;
}

static bool divide(dc_expr_op op, unsigned bits, int64_t a, int64_t b, uint64_t ua, uint64_t ub,
                   uint64_t *result) {
  if (b == 0)
    return false;
  if (op == DC_OP_UDIV || op == DC_OP_UREM) {
    *result = op == DC_OP_UDIV ? ua / ub : ua % ub;
    return true;
  }
  if (b == -1 && a == dc__sign_extend(UINT64_C(1) << (bits - 1), bits))
    return false;
  *result = (uint64_t)(op == DC_OP_SDIV ? a / b : a % b);
  return true;
}

static bool shift(dc_expr_op op, unsigned bits, int64_t a, uint64_t ua, uint64_t ub,
                  uint64_t *result) {
  if (ub >= bits)
    return false;
  if (op == DC_OP_SHL)
    *result = ua << ub;
  else if (op == DC_OP_LSHR)
    *result = ua >> ub;
  else // a right shift of a negative number rounds down
    *result = a < 0 ? ~(~(uint64_t)a >> ub) : (uint64_t)a >> ub;
  return true;
}

bool dc__expr_fold(dc_expr_op op, unsigned bits, unsigned operand_bits, int64_t a, int64_t b,
                   int64_t *value) {
  uint64_t ua = dc__zero_extend(a, operand_bits), ub = dc__zero_extend(b, operand_bits), result = 0;
  switch (op) {
  case DC_OP_ADD:
    result = ua + ub;
    break;
  case DC_OP_SUB:
    result = ua - ub;
    break;
  case DC_OP_MUL:
    result = ua * ub;
    break;
  case DC_OP_UDIV:
  case DC_OP_SDIV:
  case DC_OP_UREM:
  case DC_OP_SREM:
    if (!divide(op, bits, a, b, ua, ub, &result))
      return false;
    break;
  case DC_OP_SHL:
  case DC_OP_LSHR:
  case DC_OP_ASHR:
    if (!shift(op, bits, a, ua, ub, &result))
      return false;
    break;
  case DC_OP_AND:
    result = ua & ub;
    break;
  case DC_OP_OR:
    result = ua | ub;
    break;
  case DC_OP_XOR:
    result = ua ^ ub;
    break;
  case DC_OP_SMIN:
    result = (uint64_t)smaller(a < b, a, b);
    break;
  case DC_OP_SMAX:
    result = (uint64_t)smaller(a > b, a, b);
    break;
  case DC_OP_UMIN:
    result = (uint64_t)smaller(ua < ub, a, b);
    break;
  case DC_OP_UMAX:
    result = (uint64_t)smaller(ua > ub, a, b);
    break;
  case DC_OP_EQ:
    result = a == b;
    break;
  case DC_OP_NE:
    result = a != b;
    break;
  case DC_OP_ULT:
    result = ua < ub;
    break;
  case DC_OP_ULE:
    result = ua <= ub;
    break;
  case DC_OP_SLT:
    result = a < b;
    break;
  case DC_OP_SLE:
    result = a <= b;
    break;
  case DC_OP_ZEXT:
  case DC_OP_TRUNC:
    result = ua;
    break;
  case DC_OP_SEXT:
    result = (uint64_t)a;
    break;
  case DC_OP_STEPS:
    return steps(a, b, value);
  case DC_OP_USTEPS:
    if (b <= 0)
      return false;
    result = ua / ub + (ua % ub != 0);
    break;
  case DC_OP_CONST:
  case DC_OP_PARAM:
  case DC_OP_TID:
  case DC_OP_NTID:
  case DC_OP_CTAID:
  case DC_OP_NCTAID:
  case DC_OP_LANE:
  case DC_OP_IV:
  case DC_OP_LOAD:
  case DC_OP_OPAQUE:
  case DC_OP_CARRIED:
  case DC_OP_ICARRIED:
  case DC_OP_SELECT:
  case DC_OP_FIRST:
  case DC_OP_IRUN:
  case DC_OP_RUN:
  case DC_OP_FADD:
  case DC_OP_FSUB:
  case DC_OP_FMUL:
  case DC_OP_FPRODUCT:
  case DC_OP_FDIV:
  case DC_OP_FMIN:
  case DC_OP_FMAX:
  case DC_OP_FNEG:
  case DC_OP_FFLOOR:
  case DC_OP_FCEIL:
  case DC_OP_FTRUNC:
  case DC_OP_FRINT:
  case DC_OP_FCAST:
  case DC_OP_SITOFP:
  case DC_OP_UITOFP:
  case DC_OP_FUNCTION:
  case DC_OP_FEQ:
  case DC_OP_FLT:
  case DC_OP_FLE:
  case DC_OP_FPTOSI:
  case DC_OP_FPTOUI:
  case DC_OP_COUNT:
    return false;
  }
  *value = dc__sign_extend(result, bits);
  return true;
}

// What a RUN or an IRUN carries.
typedef union number {
  dc_real real;
  int64_t integer;
} number;

// A loop whose iteration a search around the current node has set.
typedef struct binding {
  const struct binding *outer;
  int64_t loop, k;
  bool *consulted;       // whether the condition depends on it at all
  dc_expr_op search;     // FIRST, IRUN, or RUN
  const number *carried; // by the latter two
} binding;

typedef struct evaluation {
  const dc_expr_pool *pool;
  dc_expr_environment *environment;
} evaluation;

#define NO_LIMIT UINT64_MAX

// Values from `most` on, as numbers without a sign, may come out as `most`.
static bool evaluate_up_to(evaluation *run, dc_expr e, const binding *bound, unsigned depth,
                           uint64_t most, int64_t *value);

static bool evaluate(evaluation *run, dc_expr e, const binding *bound, unsigned depth,
                     int64_t *value) {
  return evaluate_up_to(run, e, bound, depth, NO_LIMIT, value);
}

int64_t dc__assumed_leaf(const dc_expr_environment *environment, const dc_expr_node *node) {
  if (node->op == DC_OP_PARAM && environment->params_assumed && node->i >= 0 &&
      node->i < (int64_t)environment->n_params && environment->params_assumed[node->i])
    return environment->params_assumed[node->i];
  int64_t value = environment->assumed >> (environment->assumed_shift * (uint64_t)(node->i & 3));
  return value < 1 ? 1 : value;
}

// The value of a leaf, or what is assumed of it.
static bool known_leaf(evaluation *run, const dc_expr_node *node, const binding *bound,
                       int64_t *value, bool *assumed) {
  dc_expr_environment *environment = run->environment;
  bool known = false;
  int64_t result = 0;
  *assumed = false;
  switch ((dc_expr_op)node->op) {
  case DC_OP_PARAM:
    known = environment->params && environment->params_known && node->i >= 0 &&
            node->i < (int64_t)environment->n_params && environment->params_known[node->i];
    result = known ? environment->params[node->i] : 0;
    break;
  case DC_OP_TID:
  case DC_OP_NTID:
  case DC_OP_CTAID:
  case DC_OP_NCTAID: {
    const int64_t *values = node->op == DC_OP_TID     ? environment->tid
                            : node->op == DC_OP_NTID  ? environment->ntid
                            : node->op == DC_OP_CTAID ? environment->ctaid
                                                      : environment->nctaid;
    bool extent = node->op == DC_OP_NTID || node->op == DC_OP_NCTAID;
    if (node->i < 0 || node->i > 2)
      return false;
    result = values[node->i];
    known = extent ? result > 0 : result >= 0;
    break;
  }
  case DC_OP_LANE:
    result = environment->lane;
    known = result >= 0;
    break;
  case DC_OP_IV:
    for (const binding *b = bound; b; b = b->outer)
      if (b->loop == node->i) {
        *b->consulted = true;
        *value = b->k;
        return true;
      }
    if (environment->iv && node->i >= 0 && node->i < (int64_t)environment->n_iv)
      result = environment->iv[node->i];
    else
      result = -1;
    known = result >= 0;
    break;
  default: // LOAD and OPAQUE
    break;
  }
  if (!known) {
    if (!environment->assumed || node->level >= DC_DIVERGENT)
      return false;
    *assumed = environment->uses_assumed = true;
    result = dc__assumed_leaf(environment, node);
  }
  *value = result;
  return true;
}

// What the search of this kind around the current node carries of a loop; NULL: there is none.
static const number *carried_by(dc_expr_op search, int64_t loop, const binding *bound) {
  while (bound && (bound->loop != loop || bound->search != search))
    bound = bound->outer;
  if (!bound)
    return NULL;
  *bound->consulted = true;
  return bound->carried;
}

static bool evaluate_leaf(evaluation *run, const dc_expr_node *node, const binding *bound,
                          int64_t *value) {
  bool assumed;
  *value = node->i;
  if (node->op == DC_OP_CONST)
    return true;
  if (node->op == DC_OP_ICARRIED) {
    const number *carried = carried_by(DC_OP_IRUN, node->i, bound);
    *value = carried ? dc__sign_extend((uint64_t)carried->integer, node->bits) : 0;
    return carried;
  }
  if (node->op == DC_OP_CARRIED || !known_leaf(run, node, bound, value, &assumed))
    return false;
  *value = dc__sign_extend((uint64_t)*value, node->bits);
  return true;
}

// ---- floating point -----------------------------------------------------------------------------

// What is known of a floating-point parameter is a whole number; what is assumed of a value, so
// many times what is assumed of an integer.
#define ASSUMED_SCALE (1.0 / 1024)

static bool evaluate_real_leaf(evaluation *run, const dc_expr_node *node, const binding *bound,
                               dc_real *out) {
  int64_t value;
  bool assumed;
  dc_real scale = {ASSUMED_SCALE, ASSUMED_SCALE};
  switch ((dc_expr_op)node->op) {
  case DC_OP_CONST:
    return dc__real_of_bits(node->bits, node->i, out);
  case DC_OP_CARRIED: {
    const number *carried = carried_by(DC_OP_RUN, node->i, bound);
    if (carried)
      *out = carried->real;
    return carried;
  }
  case DC_OP_PARAM:
  case DC_OP_LOAD:
  case DC_OP_OPAQUE:
    if (!known_leaf(run, node, bound, &value, &assumed))
      return false;
    *out = dc__real_of_integer(node->bits, true, value);
    return !assumed || dc__real_apply(DC_OP_FMUL, node->bits, *out, scale, out);
  default: // integers
    return false;
  }
}

static bool evaluate_real(evaluation *run, dc_expr e, const binding *bound, unsigned depth,
                          dc_real *out) {
  if (e >= run->pool->count || depth > DEPTH_MAX || run->environment->budget == 0)
    return false;
  --run->environment->budget;
  const dc_expr_node *node = &run->pool->nodes[e];
  dc_expr_op op = (dc_expr_op)node->op;
  dc_real a, b = {0, 0};
  int64_t value;
  if (dc__expr_op_is_leaf(op))
    return evaluate_real_leaf(run, node, bound, out);
  if (op == DC_OP_SELECT)
    return evaluate(run, node->a, bound, depth + 1, &value) &&
           evaluate_real(run, value ? node->b : node->c, bound, depth + 1, out);
  if (op == DC_OP_SITOFP || op == DC_OP_UITOFP) {
    if (!evaluate(run, node->a, bound, depth + 1, &value))
      return false;
    if (op == DC_OP_UITOFP)
      value = (int64_t)dc__zero_extend(value, run->pool->nodes[node->a].bits);
    *out = dc__real_of_integer(node->bits, op == DC_OP_SITOFP, value);
    return true;
  }
  return dc_expr_op_takes_reals(op) && evaluate_real(run, node->a, bound, depth + 1, &a) &&
         (node->b == DC_NO_EXPR || evaluate_real(run, node->b, bound, depth + 1, &b)) &&
         dc__real_apply(op, node->bits, a, b, out);
}

// An integer or a truth value of floating-point numbers.
static bool evaluate_of_reals(evaluation *run, const dc_expr_node *node, const binding *bound,
                              unsigned depth, int64_t *value) {
  dc_real a, b;
  dc_expr_op op = (dc_expr_op)node->op;
  if (dc_expr_op_is_real(op) || !evaluate_real(run, node->a, bound, depth + 1, &a))
    return false;
  if (op == DC_OP_FPTOSI || op == DC_OP_FPTOUI)
    return dc__real_to_integer(op == DC_OP_FPTOSI, node->bits, a, value);
  return evaluate_real(run, node->b, bound, depth + 1, &b) && dc__real_compare(op, a, b, value);
}

// ---- searches -----------------------------------------------------------------------------------

// What a search carries into its first iteration, or from one to the next. False: it isn't known.
static bool carry(evaluation *run, dc_expr_op search, dc_expr e, const binding *bound,
                  unsigned depth, number *carried) {
  return search == DC_OP_FIRST ||
         (search == DC_OP_IRUN ? evaluate(run, e, bound, depth + 1, &carried->integer)
                               : evaluate_real(run, e, bound, depth + 1, &carried->real));
}

// The smallest k below `most` for which the condition holds. A condition that depends neither on k
// nor on what is carried, and does not hold at 0, never does.
static bool evaluate_first(evaluation *run, const dc_expr_node *node, const binding *bound,
                           unsigned depth, uint64_t most, int64_t *value) {
  bool consulted = false, never = false;
  number carried = {{0, 0}};
  dc_expr_op search = (dc_expr_op)node->op;
  binding here = {bound, node->i, 0, &consulted, search, &carried};
  int64_t limit = node->bits == 64 ? INT64_MAX : (int64_t)dc__zero_extend(-1, node->bits);
  if (!carry(run, search, node->b, bound, depth, &carried))
    return false;
  while ((uint64_t)here.k < most && !never) {
    int64_t holds;
    if (!evaluate(run, node->a, &here, depth + 1, &holds))
      return false;
    if (holds) {
      *value = dc__sign_extend((uint64_t)here.k, node->bits);
      return true;
    }
    never = !consulted || here.k == limit;
    number next = {{0, 0}}; // computed from what is carried
    if (!never && !carry(run, search, node->c, &here, depth, &next))
      return false;
    carried = next;
    here.k += !never;
  }
  *value = dc__sign_extend(most, node->bits);
  return most != NO_LIMIT;
}

// The smaller one bounds the search for the other: a loop that one exit ends after 40 iterations
// isn't followed for longer at another. Where one is 0 the other need not be known.
static bool evaluate_umin(evaluation *run, const dc_expr_node *node, const binding *bound,
                          unsigned depth, uint64_t most, int64_t *value) {
  bool search_first = dc_expr_op_is_search((dc_expr_op)run->pool->nodes[node->a].op);
  dc_expr one = search_first ? node->b : node->a, other = search_first ? node->a : node->b;
  int64_t a, b;
  bool known = evaluate_up_to(run, one, bound, depth + 1, most, &a);
  uint64_t ua = known ? dc__zero_extend(a, node->bits) : most;
  *value = a = known ? a : 0;
  if (known && ua == 0)
    return true;
  if (!evaluate_up_to(run, other, bound, depth + 1, ua < most ? ua : most, &b))
    return false;
  *value = dc__zero_extend(b, node->bits) < ua ? b : a;
  return known || b == 0;
}

static bool evaluate_up_to(evaluation *run, dc_expr e, const binding *bound, unsigned depth,
                           uint64_t most, int64_t *value) {
  if (e >= run->pool->count || depth > DEPTH_MAX || run->environment->budget == 0)
    return false;
  --run->environment->budget;
  const dc_expr_node *node = &run->pool->nodes[e];
  dc_expr_op op = (dc_expr_op)node->op;
  if (dc__expr_op_is_leaf(op))
    return evaluate_leaf(run, node, bound, value);
  if (dc_expr_op_is_search(op))
    return evaluate_first(run, node, bound, depth, most, value);
  if (op == DC_OP_UMIN)
    return evaluate_umin(run, node, bound, depth, most, value);
  if (op > DC_OP_RUN)
    return evaluate_of_reals(run, node, bound, depth, value);
  int64_t a, b = 0;
  if (!evaluate(run, node->a, bound, depth + 1, &a)) {
    if (op != DC_OP_AND && op != DC_OP_OR) // what one side decides doesn't need the other
      return false;
    int64_t decides = op == DC_OP_AND ? 0 : -1;
    *value = decides;
    return evaluate(run, node->b, bound, depth + 1, &b) && b == decides;
  }
  if (op == DC_OP_SELECT)
    return evaluate(run, a ? node->b : node->c, bound, depth + 1, value);
  if ((op == DC_OP_AND && a == 0) || (op == DC_OP_OR && a == -1)) {
    *value = a;
    return true;
  }
  if (node->b != DC_NO_EXPR && !evaluate(run, node->b, bound, depth + 1, &b))
    return false;
  return dc__expr_fold(op, node->bits, run->pool->nodes[node->a].bits, a, b, value);
}

bool dc_expr_evaluate(const dc_expr_pool *pool, dc_expr e, dc_expr_environment *environment,
                      int64_t *value) {
  evaluation run = {pool, environment};
  return evaluate(&run, e, NULL, 0, value);
}
