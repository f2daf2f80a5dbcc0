// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions made of others (see dc_expr_split_joined).
#ifndef DIVCOST_EXPR_JOINED_H
#define DIVCOST_EXPR_JOINED_H

#include "divcost/expr.h"

static inline bool dc__is_joined(const dc_expr_node *node) {
  return node->bits == 1 &&
         (node->op == DC_OP_AND || node->op == DC_OP_OR || node->op == DC_OP_SELECT);
}

#endif
