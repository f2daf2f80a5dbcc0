// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "expr/joined.h"

bool dc_expr_split_joined(const dc_expr_pool *pool, dc_expr e, bool any, dc_expr operands[2]) {
  const dc_expr_node *node = &pool->nodes[e];
  if (!dc__is_joined(node))
    return false;
  operands[0] = node->a;
  operands[1] = node->op == DC_OP_SELECT && any ? node->c : node->b;
  if (node->op != DC_OP_SELECT)
    return node->op == (any ? DC_OP_OR : DC_OP_AND);
  const dc_expr_node *other = &pool->nodes[any ? node->b : node->c];
  return other->op == DC_OP_CONST && (other->i != 0) == any;
}
