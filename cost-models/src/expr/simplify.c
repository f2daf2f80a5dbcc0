// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Simplification of one operation on operands that are simple already. It serves two ends: equal
// trip counts should get equal numbers (t * k + k - t * k is k: a uniform loop between diverging
// ends), and printed expressions should look as if a person had written them. Every rule is exact
// in two's complement at any width; a result may be defined where the original is not, never the
// other way round. It is not complete: comparisons aren't reasoned about, casts of sums stay.
#include "expr/expr_internal.h"

#define TERMS_MAX 12   // of a sum that is taken apart
#define NESTING_MAX 16 // of sums in sums

static const dc_expr_node *node_of(const dc_expr_pool *pool, dc_expr e) { return &pool->nodes[e]; }

static bool is_constant(const dc_expr_pool *pool, dc_expr e, int64_t *value) {
  const dc_expr_node *node = node_of(pool, e);
  *value = node->i;
  return node->op == DC_OP_CONST;
}

static bool is(const dc_expr_pool *pool, dc_expr e, int64_t expected) {
  int64_t value;
  return is_constant(pool, e, &value) && value == expected;
}

static dc_expr insert_joined(dc_expr_pool *pool, dc_expr_op op, dc_expr a, dc_expr b) {
  if (a == DC_NO_EXPR || b == DC_NO_EXPR)
    return DC_NO_EXPR;
  dc_uniformity level = (dc_uniformity)node_of(pool, a)->level;
  if (node_of(pool, b)->level > level)
    level = (dc_uniformity)node_of(pool, b)->level;
  unsigned bits = dc__expr_op_is_compare(op) ? 1 : node_of(pool, a)->bits;
  return dc__expr_insert(pool, op, bits, level, a, b, DC_NO_EXPR, 0);
}

// ---- sums ---------------------------------------------------------------------------------------

// A sum taken apart: constant + sum of factor[k] * term[k], all modulo 2^bits.
typedef struct sum {
  dc_expr term[TERMS_MAX];
  uint64_t factor[TERMS_MAX];
  unsigned count, met; // terms now, and summands that went in
  uint64_t constant;
  bool full;
} sum;

static void sum_add(sum *to, dc_expr term, uint64_t factor) {
  ++to->met;
  for (unsigned k = 0; k < to->count; ++k)
    if (to->term[k] == term) {
      to->factor[k] += factor;
      return;
    }
  if (to->count == TERMS_MAX) {
    to->full = true;
    return;
  }
  to->term[to->count] = term;
  to->factor[to->count++] = factor;
}

// Adds factor * e to the sum. With `products`, (x + y) * z is taken as x * z + y * z; the products
// are inserted, for they are compared by number.
static void sum_collect(dc_expr_pool *pool, sum *to, dc_expr e, uint64_t factor, bool products,
                        unsigned nesting) {
  const dc_expr_node node = *node_of(pool, e);
  int64_t value;
  if (node.op == DC_OP_CONST) {
    ++to->met;
    to->constant += factor * (uint64_t)node.i;
    return;
  }
  if (nesting < NESTING_MAX && !to->full) {
    if (node.op == DC_OP_ADD || node.op == DC_OP_SUB) {
      sum_collect(pool, to, node.a, factor, products, nesting + 1);
      sum_collect(pool, to, node.b, node.op == DC_OP_ADD ? factor : 0 - factor, products,
                  nesting + 1);
      return;
    }
    if (node.op == DC_OP_MUL && is_constant(pool, node.b, &value)) {
      sum_collect(pool, to, node.a, factor * (uint64_t)value, products, nesting + 1);
      return;
    }
    if (node.op == DC_OP_MUL && products) {
      bool left = node_of(pool, node.a)->op == DC_OP_ADD || node_of(pool, node.a)->op == DC_OP_SUB;
      dc_expr inner = left ? node.a : node.b, outer = left ? node.b : node.a;
      const dc_expr_node added = *node_of(pool, inner);
      if (added.op == DC_OP_ADD || added.op == DC_OP_SUB) {
        dc_expr x = dc_expr_binary(pool, DC_OP_MUL, added.a, outer);
        dc_expr y = dc_expr_binary(pool, DC_OP_MUL, added.b, outer);
        if (x != DC_NO_EXPR && y != DC_NO_EXPR) {
          sum_collect(pool, to, x, factor, products, nesting + 1);
          sum_collect(pool, to, y, added.op == DC_OP_ADD ? factor : 0 - factor, products,
                      nesting + 1);
          return;
        }
      }
    }
  }
  sum_add(to, e, factor);
}

// Writes factor * term onto the sum so far (DC_NO_EXPR: nothing yet).
static dc_expr sum_append(dc_expr_pool *pool, dc_expr so_far, dc_expr term, int64_t factor,
                          unsigned bits) {
  bool negative = factor < 0 && so_far != DC_NO_EXPR && factor != INT64_MIN;
  int64_t times = negative ? -factor : factor;
  if (times != 1)
    term = insert_joined(pool, DC_OP_MUL, term, dc_expr_constant(pool, bits, times));
  if (so_far == DC_NO_EXPR)
    return term;
  return insert_joined(pool, negative ? DC_OP_SUB : DC_OP_ADD, so_far, term);
}

// Puts a sum together again: terms that are added, then terms that are subtracted, then the
// constant.
static dc_expr sum_build(dc_expr_pool *pool, const sum *from, unsigned bits) {
  dc_expr result = DC_NO_EXPR;
  int64_t constant = dc__sign_extend(from->constant, bits);
  bool any = false, positive = false;
  for (int round = 0; round < 2; ++round)
    for (unsigned k = 0; k < from->count; ++k) {
      int64_t factor = dc__sign_extend(from->factor[k], bits);
      if (factor == 0 || (factor < 0) != (round == 1))
        continue;
      if (round == 1 && !positive && constant != 0 && !any) { // 5 - x rather than x * -1 + 5
        result = dc_expr_constant(pool, bits, constant);
        constant = 0;
      }
      positive |= factor > 0;
      result = sum_append(pool, result, from->term[k], factor, bits);
      any = true;
      if (result == DC_NO_EXPR)
        return DC_NO_EXPR;
    }
  if (!any)
    return dc_expr_constant(pool, bits, constant);
  return constant == 0
             ? result
             : insert_joined(pool, DC_OP_ADD, result, dc_expr_constant(pool, bits, constant));
}

// a + b or a - b, where taking both apart makes it shorter: something cancels or comes together.
static dc_expr simplify_sum(dc_expr_pool *pool, dc_expr_op op, unsigned bits, dc_expr a,
                            dc_expr b) {
  for (int products = 0; products < 2; ++products) {
    sum whole = {.count = 0};
    sum_collect(pool, &whole, a, 1, products, 0);
    sum_collect(pool, &whole, b, op == DC_OP_ADD ? 1 : UINT64_MAX, products, 0);
    if (whole.full)
      return DC_NO_EXPR;
    unsigned left = dc__sign_extend(whole.constant, bits) != 0;
    for (unsigned k = 0; k < whole.count; ++k)
      left += dc__sign_extend(whole.factor[k], bits) != 0;
    // Taking products apart must pay: t * (k + 1) - s is no shorter than t * k + t - s.
    if (left + (products ? 1 : 0) < whole.met)
      return sum_build(pool, &whole, bits);
    if (op == DC_OP_ADD)
      break;
  }
  return DC_NO_EXPR;
}

// ---- the other operators ------------------------------------------------------------------------

// op with a constant on the right, where that gives an operand, a constant or a simpler operation.
static dc_expr simplify_with_constant(dc_expr_pool *pool, dc_expr_op op, unsigned bits, dc_expr a,
                                      dc_expr b, int64_t value) {
  const dc_expr_node left = *node_of(pool, a);
  unsigned width = left.bits;
  int64_t lowest = dc__sign_extend(UINT64_C(1) << (width - 1), width);
  int64_t highest = ~lowest, inner;
  bool zero = value == 0, ones = value == -1;
  switch (op) {
  case DC_OP_ADD:
  case DC_OP_OR:
  case DC_OP_XOR:
  case DC_OP_UMAX:
    if (zero)
      return a;
    if ((op == DC_OP_OR || op == DC_OP_UMAX) && ones)
      return b;
    break;
  case DC_OP_AND:
  case DC_OP_UMIN:
    if (zero)
      return b;
    if (ones)
      return a;
    break;
  case DC_OP_MUL:
    if (zero)
      return b;
    if (value == dc__sign_extend(1, bits))
      return a;
    break;
  case DC_OP_UDIV:
  case DC_OP_SDIV: // at one bit, -1 is the 1 of UDIV, and undefined or a itself for SDIV
    if (value == dc__sign_extend(1, bits))
      return a;
    break;
  case DC_OP_UREM:
  case DC_OP_SREM:
    if (value == dc__sign_extend(1, bits))
      return dc_expr_constant(pool, bits, 0);
    break;
  case DC_OP_SHL:
    if (zero)
      return a;
    if (value > 0 && value < 16 && value < (int64_t)bits)
      return dc_expr_binary(pool, DC_OP_MUL, a, dc_expr_constant(pool, bits, INT64_C(1) << value));
    break;
  case DC_OP_LSHR:
  case DC_OP_ASHR:
    if (zero)
      return a;
    break;
  case DC_OP_SMIN:
    if (value == highest)
      return a;
    if (value == lowest)
      return b;
    break;
  case DC_OP_SMAX:
    if (value == lowest)
      return a;
    if (value == highest)
      return b;
    break;
  case DC_OP_EQ: // truth values: x == true is x, x == false is !x
  case DC_OP_NE:
    if (width != 1)
      break;
    return (op == DC_OP_EQ) == ones
               ? a
               : dc_expr_binary(pool, DC_OP_XOR, a, dc_expr_constant(pool, 1, 1));
  default:
    break;
  }
  // (x op c) op d is x op (c op d), for the associative ones.
  bool associative = op == DC_OP_MUL || (op >= DC_OP_AND && op <= DC_OP_UMAX);
  int64_t folded;
  if (associative && left.op == op && is_constant(pool, left.b, &inner) &&
      dc__expr_fold(op, bits, bits, inner, value, &folded))
    return dc_expr_binary(pool, op, left.a, dc_expr_constant(pool, bits, folded));
  return DC_NO_EXPR;
}

// !(x < y) is y <= x, and so on.
static dc_expr simplify_not(dc_expr_pool *pool, dc_expr a) {
  const dc_expr_node node = *node_of(pool, a);
  switch ((dc_expr_op)node.op) {
  case DC_OP_EQ:
    return insert_joined(pool, DC_OP_NE, node.a, node.b);
  case DC_OP_NE:
    return insert_joined(pool, DC_OP_EQ, node.a, node.b);
  case DC_OP_ULT:
    return insert_joined(pool, DC_OP_ULE, node.b, node.a);
  case DC_OP_ULE:
    return insert_joined(pool, DC_OP_ULT, node.b, node.a);
  case DC_OP_SLT:
    return insert_joined(pool, DC_OP_SLE, node.b, node.a);
  case DC_OP_SLE:
    return insert_joined(pool, DC_OP_SLT, node.b, node.a);
  default:
    return DC_NO_EXPR;
  }
}

// op on twice the same operand.
static dc_expr simplify_same(dc_expr_pool *pool, dc_expr_op op, unsigned bits, dc_expr a) {
  switch (op) {
  case DC_OP_SUB:
  case DC_OP_XOR:
    return dc_expr_constant(pool, bits, 0);
  case DC_OP_AND:
  case DC_OP_OR:
  case DC_OP_SMIN:
  case DC_OP_SMAX:
  case DC_OP_UMIN:
  case DC_OP_UMAX:
    return a;
  case DC_OP_EQ:
  case DC_OP_ULE:
  case DC_OP_SLE:
    return dc_expr_constant(pool, 1, 1);
  case DC_OP_NE:
  case DC_OP_ULT:
  case DC_OP_SLT:
    return dc_expr_constant(pool, 1, 0);
  default:
    return DC_NO_EXPR;
  }
}

static dc_expr simplify_binary(dc_expr_pool *pool, dc_expr_op op, unsigned bits, dc_expr a,
                               dc_expr b) {
  int64_t left, right, value;
  bool constant_left = is_constant(pool, a, &left), constant_right = is_constant(pool, b, &right);
  if (constant_left && constant_right)
    return dc__expr_fold(op, bits, node_of(pool, a)->bits, left, right, &value)
               ? dc_expr_constant(pool, bits, value)
               : DC_NO_EXPR;
  if (constant_left && dc__expr_op_is_commutative(op)) // constants stand on the right
    return dc_expr_binary(pool, op, b, a);
  dc_expr result = DC_NO_EXPR;
  if (op == DC_OP_SUB && constant_right)
    return dc_expr_binary(pool, DC_OP_ADD, a,
                          dc_expr_constant(pool, bits, (int64_t)(0 - (uint64_t)right)));
  if (a == b)
    result = simplify_same(pool, op, bits, a);
  if (result == DC_NO_EXPR && constant_right)
    result = simplify_with_constant(pool, op, bits, a, b, right);
  if (result == DC_NO_EXPR && (op == DC_OP_ADD || op == DC_OP_SUB))
    result = simplify_sum(pool, op, bits, a, b);
  if (result == DC_NO_EXPR && op == DC_OP_XOR && bits == 1 && constant_right)
    result = simplify_not(pool, a);
  return result;
}

// c ? x : y with a comparison of just x and y is a minimum or maximum.
static dc_expr simplify_to_minimum(dc_expr_pool *pool, dc_expr a, dc_expr b, dc_expr c) {
  const dc_expr_node compare = *node_of(pool, a);
  bool is_signed = compare.op == DC_OP_SLT || compare.op == DC_OP_SLE;
  if (!is_signed && compare.op != DC_OP_ULT && compare.op != DC_OP_ULE)
    return DC_NO_EXPR;
  if (compare.a == b && compare.b == c)
    return dc_expr_binary(pool, is_signed ? DC_OP_SMIN : DC_OP_UMIN, b, c);
  if (compare.a == c && compare.b == b)
    return dc_expr_binary(pool, is_signed ? DC_OP_SMAX : DC_OP_UMAX, b, c);
  return DC_NO_EXPR;
}

static dc_expr simplify_select(dc_expr_pool *pool, unsigned bits, dc_expr a, dc_expr b, dc_expr c) {
  int64_t condition;
  if (b == c)
    return b;
  if (is_constant(pool, a, &condition))
    return condition ? b : c;
  const dc_expr_node node = *node_of(pool, a);
  if (node.op == DC_OP_XOR && is(pool, node.b, -1)) // the condition has one bit: this is "not"
    return dc_expr_apply(pool, DC_OP_SELECT, bits, DC_UNIFORM, node.a, c, b, 0);
  if (bits == 1 && is(pool, b, -1) && is(pool, c, 0))
    return a;
  if (bits == 1 && is(pool, b, 0) && is(pool, c, -1))
    return dc_expr_binary(pool, DC_OP_XOR, a, dc_expr_constant(pool, 1, 1));
  return simplify_to_minimum(pool, a, b, c);
}

static dc_expr simplify_cast(dc_expr_pool *pool, dc_expr_op op, unsigned bits, dc_expr a) {
  const dc_expr_node node = *node_of(pool, a);
  int64_t value;
  if (node.bits == bits)
    return a;
  if (node.op == DC_OP_CONST)
    return dc__expr_fold(op, bits, node.bits, node.i, 0, &value)
               ? dc_expr_constant(pool, bits, value)
               : DC_NO_EXPR;
  bool extended = node.op == DC_OP_ZEXT || node.op == DC_OP_SEXT;
  if (op == DC_OP_TRUNC) {
    if (node.op == DC_OP_TRUNC)
      return dc_expr_cast(pool, DC_OP_TRUNC, bits, node.a);
    if (extended)
      return dc_expr_cast(pool,
                          node_of(pool, node.a)->bits > bits ? DC_OP_TRUNC : (dc_expr_op)node.op,
                          bits, node.a);
    return DC_NO_EXPR;
  }
  if (node.op == op)
    return dc_expr_cast(pool, op, bits, node.a);
  if (op == DC_OP_SEXT && node.op == DC_OP_ZEXT) // what was zero-extended has no sign left
    return dc_expr_cast(pool, DC_OP_ZEXT, bits, node.a);
  return DC_NO_EXPR;
}

dc_expr dc__expr_simplify(dc_expr_pool *pool, dc_expr_op op, unsigned bits, dc_expr a, dc_expr b,
                          dc_expr c) {
  if (op >= DC_OP_RUN) // floating-point arithmetic has few identities, and LLVM has taken these
    return DC_NO_EXPR;
  switch (op) {
  case DC_OP_SELECT:
    return simplify_select(pool, bits, a, b, c);
  case DC_OP_ZEXT:
  case DC_OP_SEXT:
  case DC_OP_TRUNC:
    return simplify_cast(pool, op, bits, a);
  case DC_OP_FIRST:
  case DC_OP_IRUN: {
    int64_t holds;
    return is_constant(pool, a, &holds) && holds ? dc_expr_constant(pool, bits, 0) : DC_NO_EXPR;
  }
  default:
    return simplify_binary(pool, op, bits, a, b);
  }
}
