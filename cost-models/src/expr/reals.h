// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floating-point numbers as intervals of what may come out on a GPU.
#ifndef DIVCOST_EXPR_REALS_H
#define DIVCOST_EXPR_REALS_H

#include "divcost/expr.h"

// All numbers of 32 or 64 bits from low to high, infinities included; low == high: just this one.
// Both NaN: no number. (The ends of what DC_OP_FPRODUCT gives may lie between two of 32 bits.)
// Zeros are equal, whatever their sign, and nothing else is denormal.
typedef struct dc_real {
  double low, high;
} dc_real;

// The number whose bits these are, or the one nearest to an integer. False: it is denormal.
bool dc__real_of_bits(unsigned bits, int64_t pattern, dc_real *out);
dc_real dc__real_of_integer(unsigned bits, bool is_signed, int64_t value);

// Arithmetic from DC_OP_FADD to DC_OP_FCAST at `bits`; b is not looked at where there is one
// operand. False: what comes out isn't known, or not an interval.
bool dc__real_apply(dc_expr_op op, unsigned bits, dc_real a, dc_real b, dc_real *out);

// A comparison, or an integer of `bits`. False: it isn't the same over the intervals, or out of
// range.
bool dc__real_compare(dc_expr_op op, dc_real a, dc_real b, int64_t *holds);
bool dc__real_to_integer(bool is_signed, unsigned bits, dc_real a, int64_t *value);

#endif
