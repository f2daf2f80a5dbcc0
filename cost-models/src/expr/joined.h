// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions made of others: x && y, x || y, which may stand as x ? y : false and x ? true : y.
#ifndef DIVCOST_EXPR_JOINED_H
#define DIVCOST_EXPR_JOINED_H

#include "divcost/expr.h"

static inline bool dc__is_joined(const dc_expr_node *node) {
  return node->bits == 1 &&
         (node->op == DC_OP_AND || node->op == DC_OP_OR || node->op == DC_OP_SELECT);
}

// The operands of x && y, or of x || y where `any`; false for all else.
bool dc__split_joined(const dc_expr_pool *pool, dc_expr e, bool any, dc_expr operands[2]);

#endif
