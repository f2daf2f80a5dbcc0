// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernel/unknowns.h"

#include "expr/joined.h"
#include "kernel/small_params.h"

static bool is_unknown(const dc_kernel *kernel, const dc_expr_node *node) {
  return dc__is_unknown_param(kernel, node) || node->op == DC_OP_LOAD || node->op == DC_OP_OPAQUE;
}

static bool is_small(const dc_kernel *kernel, dc_expr e) {
  return dc__is_small(kernel, &kernel->pool.nodes[e]);
}

bool dc__has_several_unknowns(const dc_kernel *kernel, dc_expr e, dc_expr *known, unsigned depth) {
  const dc_expr_node *node = &kernel->pool.nodes[e];
  if (is_unknown(kernel, node)) {
    bool beside = *known == DC_NO_EXPR || *known == e || is_small(kernel, *known);
    if (*known == DC_NO_EXPR || !is_small(kernel, e))
      *known = e;
    return !beside && !is_small(kernel, e);
  }
  const dc_expr operands[] = {node->a, node->b, node->c};
  for (unsigned k = 0; k < 3; ++k)
    if (operands[k] != DC_NO_EXPR &&
        (depth == 0 || dc__has_several_unknowns(kernel, operands[k], known, depth - 1)))
      return true;
  return false;
}

unsigned dc__degree_of_unknowns(const dc_kernel *kernel, dc_expr e, unsigned depth) {
  const dc_expr_node *node = &kernel->pool.nodes[e];
  if (is_unknown(kernel, node) || depth == 0)
    return 1;
  const dc_expr operands[] = {node->a, node->b, node->c};
  unsigned sum = 0, most = 0;
  for (unsigned k = 0; k < 3; ++k) {
    unsigned degree =
        operands[k] == DC_NO_EXPR ? 0 : dc__degree_of_unknowns(kernel, operands[k], depth - 1);
    sum += degree;
    most = degree > most ? degree : most;
  }
  return node->op == DC_OP_MUL ? sum : most;
}

bool dc__asks_for_value(const dc_kernel *kernel, dc_expr e, unsigned depth) {
  const dc_expr_node *node = &kernel->pool.nodes[e];
  if (dc__is_joined(node) && depth > 0)
    return dc__asks_for_value(kernel, node->a, depth - 1) ||
           dc__asks_for_value(kernel, node->b, depth - 1) ||
           (node->op == DC_OP_SELECT && dc__asks_for_value(kernel, node->c, depth - 1));
  dc_expr unknown = DC_NO_EXPR;
  if ((node->op != DC_OP_EQ && node->op != DC_OP_NE) ||
      dc_expr_uniformity(&kernel->pool, e) >= DC_DIVERGENT)
    return false;
  dc__has_several_unknowns(kernel, e, &unknown, depth);
  return unknown != DC_NO_EXPR;
}
