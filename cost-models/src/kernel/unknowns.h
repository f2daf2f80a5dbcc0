// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values that nobody knows, in expressions.
#ifndef DIVCOST_KERNEL_UNKNOWNS_H
#define DIVCOST_KERNEL_UNKNOWNS_H

#include "divcost/kernel.h"

static inline bool dc__is_unknown_param(const dc_kernel *kernel, const dc_expr_node *node) {
  return node->op == DC_OP_PARAM && node->i >= 0 && node->i < (int64_t)kernel->n_params &&
         !kernel->params[node->i].known;
}

// Whether an expression needs more than one value that nobody knows; *known is the first one found
// (DC_NO_EXPR before): what is assumed for several says nothing. One that is small beside the
// others doesn't count as another one. Nested deeper than `depth`: it may.
bool dc__has_several_unknowns(const dc_kernel *kernel, dc_expr e, dc_expr *known, unsigned depth);

// As how large a product of such values it grows, if each is as large: 2 for n * m - n, 0 without
// any. 1 where it is nested deeper than `depth`.
unsigned dc__degree_of_unknowns(const dc_kernel *kernel, dc_expr e, unsigned depth);

// Whether a part of a condition asks if what all lanes share is equal to something, and that isn't
// known: a flag, a mode. With an assumed value it would never be. O(nodes), `depth` levels at most.
bool dc__asks_for_value(const dc_kernel *kernel, dc_expr e, unsigned depth);

#endif
