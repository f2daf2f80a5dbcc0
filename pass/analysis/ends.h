// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two ends of a comparison as numbers: sums of 64 bits in which every value stands with the
// sign that the program reads it with. Their difference is a distance, not one modulo a power of
// two.
#ifndef DIVCOST_PASS_ANALYSIS_ENDS_H
#define DIVCOST_PASS_ANALYSIS_ENDS_H

#include "analysis/analysis.h"
#include "analysis/polynomial.h"

typedef struct dcp_end {
  dcp_polynomial sum;    // in 64 bits, DC_OP_IV of the loop among its factors
  bool signed_sums;      // sums in it have a sign, by their flags, that `cast` doesn't look at
  bool sums_may_wrap;    // right only if the sums and conversions that it was taken apart at don't
  bool counter_may_wrap; // right only as long as the loop's counter doesn't
  bool unsigned_counter; // which has no sign, whatever the comparison has
} dcp_end;

// The end of a comparison, of which `value` is the value (DC_NONE: not known) and `e` the
// expression; `cast`: how the comparison reads it, DC_OP_ZEXT or DC_OP_SEXT. Sums are taken apart
// where their flags say that they don't wrap; with `assume` everywhere. False: the loop's iteration
// can't be told from the rest. O(operations of the end).
bool dcp_find_end(dcp_analysis *analysis, uint32_t loop, uint32_t value, dc_expr e, dc_expr_op cast,
                  bool assume, dcp_end *out);

// Takes the iteration of the loop out of a sum: sum = *sum + iteration * *step. False where it
// isn't of this form; a step without terms: the sum has no iteration.
bool dcp_split_off_iteration(dcp_analysis *analysis, uint32_t loop, dcp_polynomial *sum,
                             dcp_polynomial *step);

// Whether a value follows from indices and dimensions of the launch alone. O(2^depth) operators.
bool dcp_is_of_launch(const dc_expr_pool *pool, dc_expr e, unsigned depth);

#endif
