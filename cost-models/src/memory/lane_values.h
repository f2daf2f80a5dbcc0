// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the lanes of a warp hold, where not all that it is made of is known: a[blockIdx.x * 256 +
// threadIdx.x] lies at some multiple of 1024 bytes from a, and there the lanes' elements side by
// side.
#ifndef DIVCOST_LANE_VALUES_H
#define DIVCOST_LANE_VALUES_H

#include "divcost/expr.h"

#define DC_LANES 32
#define DC_LANE_MEMO 64 // expressions

typedef enum dc__lanes_form {
  DC_LANES_ANY,     // each lane may hold anything
  DC_LANES_APART,   // something common to all, and apart[lane]
  DC_LANES_STRIDED, // likewise, and times[lane] of a stride that isn't known
} dc__lanes_form;

// What is common is a multiple of `common`, nobody knows which; of 0: it is 0.
typedef struct dc__lane_values {
  dc__lanes_form form;
  bool clamped; // if what bounds the value, min(i, n - 1), doesn't bind
  uint64_t common;
  int64_t apart[DC_LANES];
  dc_expr stride; // strides of one number are the same
  int64_t times[DC_LANES];
} dc__lane_values;

// What lanes hold that was evaluated before, by the expression's number.
typedef struct dc__lane_memo {
  dc_expr of[DC_LANE_MEMO];
  dc__lane_values values[DC_LANE_MEMO];
} dc__lane_memo;

// What is known where an expression is evaluated. Of environments, ctaid and iv may be unknown.
typedef struct dc__lanes_known {
  const dc_expr_pool *pool;
  dc_expr_environment *environments; // of each lane
  uint32_t lanes;                    // that are there; the others hold nothing
  dc_expr root;                      // is the same for all lanes that are there, and a multiple of
                                     // `alignment`; or DC_NO_EXPR
  uint64_t alignment;
  dc__lane_memo *memo; // of the same environments and lanes, whatever the root; or NULL
} dc__lanes_known;

// Forgets everything.
void dc__lane_memo_reset(dc__lane_memo *memo);

// Indices are taken not to wrap, sums and products in 32 bits being those of whole numbers, and
// what is divided not to be negative. O(nodes
// of e as a tree, * 32), at most `budget` of them: then each lane may hold anything.
void dc__lane_values_of(const dc__lanes_known *known, dc_expr e, unsigned *budget,
                        dc__lane_values *out);

#endif
