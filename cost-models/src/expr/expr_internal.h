// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the parts of the expression code share: arithmetic at a width, and insertion.
#ifndef DIVCOST_EXPR_INTERNAL_H
#define DIVCOST_EXPR_INTERNAL_H

#include "divcost/expr.h"

// What is taken for a leaf that isn't known, where something is assumed.
int64_t dc__assumed_leaf(const dc_expr_environment *environment, const dc_expr_node *node);

// The low `bits` of value, sign-extended and zero-extended.
static inline int64_t dc__sign_extend(uint64_t value, unsigned bits) {
  if (bits >= 64)
    return (int64_t)value;
  uint64_t sign = UINT64_C(1) << (bits - 1);
  value &= (sign << 1) - 1;
  return (int64_t)((value ^ sign) - sign);
}

static inline uint64_t dc__zero_extend(int64_t value, unsigned bits) {
  return bits >= 64 ? (uint64_t)value : (uint64_t)value & ((UINT64_C(1) << bits) - 1);
}

static inline bool dc__expr_op_is_leaf(dc_expr_op op) { return op <= DC_OP_OPAQUE; }
static inline bool dc__expr_op_is_compare(dc_expr_op op) {
  return (op >= DC_OP_EQ && op <= DC_OP_SLE) || (op >= DC_OP_FEQ && op <= DC_OP_FLE);
}

// What casts between widths of integers are applied to.
static inline const dc_expr_node *dc__expr_without_casts(const dc_expr_pool *pool, dc_expr e) {
  const dc_expr_node *node = &pool->nodes[e];
  while (node->op == DC_OP_ZEXT || node->op == DC_OP_SEXT || node->op == DC_OP_TRUNC)
    node = &pool->nodes[node->a];
  return node;
}

// Whether the widths of an operator and of its operands (0: there is none) go together.
bool dc__expr_widths_fit(dc_expr_op op, unsigned bits, unsigned a, unsigned b, unsigned c);
static inline bool dc__expr_op_is_commutative(dc_expr_op op) {
  return op == DC_OP_ADD || op == DC_OP_MUL || (op >= DC_OP_AND && op <= DC_OP_UMAX) ||
         op == DC_OP_EQ || op == DC_OP_NE;
}

// Applies op (arithmetic, comparison, cast or STEPS) to sign-extended operands of `operand_bits`,
// with a result of `bits`. False where the result is not defined.
bool dc__expr_fold(dc_expr_op op, unsigned bits, unsigned operand_bits, int64_t a, int64_t b,
                   int64_t *value);

// The number of this very node, new or old, without any simplification.
dc_expr dc__expr_insert(dc_expr_pool *pool, dc_expr_op op, unsigned bits, dc_uniformity level,
                        dc_expr a, dc_expr b, dc_expr c, int64_t i);

// An equal expression that is simpler than op on these operands (which fit), or DC_NO_EXPR. The
// result is defined wherever the original is.
dc_expr dc__expr_simplify(dc_expr_pool *pool, dc_expr_op op, unsigned bits, dc_expr a, dc_expr b,
                          dc_expr c);

#endif
