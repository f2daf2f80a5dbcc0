// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interval arithmetic for IEEE's binary32 and binary64. The operations are monotone in each
// operand, and so is rounding: an interval's ends come from those of the operands. Numbers of 32
// bits are computed in 64: with more than twice the digits, rounding twice gives what rounding once
// does (Figueroa, "When is double rounding innocuous?", 1995). A product that may be fused with a
// sum is the interval from what it is to what it is rounded to.
//
// Not known are denormal results, which a compiler may be told to flush, quotients of intervals
// with zero, and whatever isn't a number in a part of an interval. Nothing of the C library is
// used: the same bits come out wherever IEEE's rules hold.
#include "expr/reals.h"

#include "expr/expr_internal.h"

#include <float.h>
#include <string.h>

static bool is_nan(double x) { return x != x; }
static bool is_point(dc_real x) { return x.low == x.high || is_nan(x.low); }

// gcc 12 drops the two conversions where it vectorises them, but for the "volatile".
static double rounded(unsigned bits, double x) {
  volatile float narrow;
  if (bits == 64)
    return x;
  narrow = (float)x;
  return narrow;
}

static bool is_denormal(unsigned bits, double x) {
  double least = bits == 32 ? FLT_MIN : DBL_MIN;
  return x != 0 && x > -least && x < least;
}

static dc_real point(double x) { return (dc_real){x, x}; }

bool dc__real_of_bits(unsigned bits, int64_t pattern, dc_real *out) {
  double value;
  if (bits == 32) {
    uint32_t word = (uint32_t)pattern;
    float narrow;
    memcpy(&narrow, &word, sizeof narrow);
    value = narrow;
  } else {
    memcpy(&value, &pattern, sizeof value);
  }
  *out = point(value);
  return !is_denormal(bits, value);
}

dc_real dc__real_of_integer(unsigned bits, bool is_signed, int64_t value) {
  if (is_signed)
    return point(bits == 32 ? (double)(float)value : (double)value);
  return point(bits == 32 ? (double)(float)(uint64_t)value : (double)(uint64_t)value);
}

// ---- neighbours ---------------------------------------------------------------------------------

static uint64_t pattern_of(double x) {
  uint64_t pattern;
  memcpy(&pattern, &x, sizeof pattern);
  return pattern;
}

static double of_pattern(uint64_t pattern) {
  double x;
  memcpy(&x, &pattern, sizeof x);
  return x;
}

// The next numbers to one of 64 bits that is neither zero nor infinite.
static double above(double x) { return of_pattern(x > 0 ? pattern_of(x) + 1 : pattern_of(x) - 1); }
static double below(double x) { return of_pattern(x > 0 ? pattern_of(x) - 1 : pattern_of(x) + 1); }

// What a sum of two finite numbers has lost by rounding (Knuth's two-sum), and a product of two
// that are neither huge nor tiny (Dekker's, with Veltkamp's split). Exact.
static double lost_by_sum(double a, double b, double sum) {
  double of_b = sum - a;
  return (a - (sum - of_b)) + (b - of_b);
}

static double upper_half(double x) {
  double scaled = x * 134217729; // 2^27 + 1
  return scaled - (scaled - x);
}

static double lost_by_product(double a, double b, double product) {
  double ah = upper_half(a), al = a - ah, bh = upper_half(b), bl = b - bh;
  return ((ah * bh - product) + ah * bl + al * bh) + al * bl;
}

// ---- arithmetic ---------------------------------------------------------------------------------

static bool is_infinite(double x) { return x > DBL_MAX || x < -DBL_MAX; }
static bool is_finite(double x) { return x <= DBL_MAX && x >= -DBL_MAX; }

// The interval from low to high, rounded, of operands that are points or not.
static bool settle(unsigned bits, bool points, double low, double high, dc_real *out) {
  *out = (dc_real){rounded(bits, low), rounded(bits, high)};
  if (is_nan(low) || is_nan(high)) {
    *out = point(low + high);
    return points;
  }
  return !is_denormal(bits, out->low) && !is_denormal(bits, out->high);
}

static bool add(unsigned bits, dc_real a, dc_real b, dc_real *out) {
  bool points = is_point(a) && is_point(b);
  if (!points && (is_nan(a.high + b.low) || is_nan(a.low + b.high))) // infinite in both directions
    return false;
  double low = a.low + b.low, high = a.high + b.high;
  // With a product of 32 bits that isn't rounded, rounding twice could go the wrong way.
  if (bits == 32 && is_finite(low) && lost_by_sum(a.low, b.low, low) != 0)
    low = below(low);
  if (bits == 32 && is_finite(high) && lost_by_sum(a.high, b.high, high) != 0)
    high = above(high);
  return settle(bits, points, low, high, out);
}

// The least and the most of what the ends of two intervals give.
static bool settle_corners(unsigned bits, bool points, const double corners[4], dc_real *out) {
  double low = corners[0], high = corners[0];
  for (unsigned k = 1; k < 4; ++k) {
    if (is_nan(corners[k]) && !points)
      return false;
    low = corners[k] < low ? corners[k] : low;
    high = corners[k] > high ? corners[k] : high;
  }
  return settle(bits, points, low, high, out);
}

static bool has_zero(dc_real x) { return x.low <= 0 && x.high >= 0; }
static bool has_infinity(dc_real x) { return is_infinite(x.low) || is_infinite(x.high); }

static bool multiply(unsigned bits, dc_real a, dc_real b, dc_real *out) {
  bool points = is_point(a) && is_point(b);
  if (!points && ((has_zero(a) && has_infinity(b)) || (has_zero(b) && has_infinity(a))))
    return false;
  const double corners[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
  return settle_corners(bits, points, corners, out);
}

static bool divide(unsigned bits, dc_real a, dc_real b, dc_real *out) {
  if (has_zero(b))
    return false; // the sign of a zero isn't followed
  const double corners[] = {a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high};
  return settle_corners(bits, is_point(a) && is_point(b), corners, out);
}

static bool is_middling(double x) {
  const double huge = 0x1p400, tiny = 0x1p-400;
  return (x < huge && x > tiny) || (x > -huge && x < -tiny);
}

// A product of two numbers of 32 bits has a place in 64; of one of 64 bits it is known in which
// direction it was rounded, if at all.
static bool unround(unsigned bits, double a, double b, double *low, double *high) {
  double whole = a * b, near = rounded(bits, whole);
  *low = *high = near;
  if (bits == 32) {
    *low = whole < near ? whole : near;
    *high = whole > near ? whole : near;
    return true;
  }
  if (is_nan(near) || a == 0 || b == 0 || is_infinite(a) || is_infinite(b))
    return true;
  if (!is_middling(a) || !is_middling(b))
    return false;
  double lost = lost_by_product(a, b, near);
  *low = lost < 0 ? below(near) : near;
  *high = lost > 0 ? above(near) : near;
  return true;
}

static bool product(unsigned bits, dc_real a, dc_real b, dc_real *out) {
  const double ends[4][2] = {{a.low, b.low}, {a.low, b.high}, {a.high, b.low}, {a.high, b.high}};
  dc_real all;
  if (!multiply(bits, a, b, &all))
    return false;
  *out = all;
  for (unsigned k = 0; k < 4; ++k) {
    double low, high;
    if (!unround(bits, ends[k][0], ends[k][1], &low, &high))
      return false;
    out->low = low < out->low ? low : out->low;
    out->high = high > out->high ? high : out->high;
  }
  return true; // multiply has looked for denormal ones
}

// ---- rounding to whole numbers ------------------------------------------------------------------

static double truncated(double x) {
  const double whole = 4503599627370496; // 2^52: from here on all are
  return is_nan(x) || x >= whole || x <= -whole ? x : (double)(int64_t)x;
}

static double to_whole(dc_expr_op op, double x) {
  double whole = truncated(x), rest = x - whole;
  if (is_nan(x) || is_infinite(x) || rest == 0)
    return whole;
  switch (op) {
  case DC_OP_FFLOOR:
    return rest < 0 ? whole - 1 : whole;
  case DC_OP_FCEIL:
    return rest > 0 ? whole + 1 : whole;
  case DC_OP_FRINT: {
    double away = rest < 0 ? whole - 1 : whole + 1, size = rest < 0 ? -rest : rest;
    bool odd = ((int64_t)whole & 1) != 0;
    return size > 0.5 || (size == 0.5 && odd) ? away : whole;
  }
  default:
    return whole;
  }
}

// ---- operators ----------------------------------------------------------------------------------

static bool pick(bool least, dc_real a, dc_real b, dc_real *out) {
  if (is_nan(a.low) || is_nan(b.low))
    return false;
  *out = (dc_real){(a.low < b.low) == least ? a.low : b.low,
                   (a.high < b.high) == least ? a.high : b.high};
  return true;
}

bool dc__real_apply(dc_expr_op op, unsigned bits, dc_real a, dc_real b, dc_real *out) {
  dc_real opposite = {-b.high, -b.low};
  switch (op) {
  case DC_OP_FADD:
    return add(bits, a, b, out);
  case DC_OP_FSUB:
    return add(bits, a, opposite, out);
  case DC_OP_FMUL:
    return multiply(bits, a, b, out);
  case DC_OP_FPRODUCT:
    return product(bits, a, b, out);
  case DC_OP_FDIV:
    return divide(bits, a, b, out);
  case DC_OP_FMIN:
  case DC_OP_FMAX:
    return pick(op == DC_OP_FMIN, a, b, out);
  case DC_OP_FNEG:
    *out = (dc_real){-a.high, -a.low};
    return true;
  case DC_OP_FFLOOR:
  case DC_OP_FCEIL:
  case DC_OP_FTRUNC:
  case DC_OP_FRINT:
    *out = (dc_real){to_whole(op, a.low), to_whole(op, a.high)};
    return true;
  case DC_OP_FCAST:
    return settle(bits, is_point(a), a.low, a.high, out);
  default:
    return false;
  }
}

bool dc__real_compare(dc_expr_op op, dc_real a, dc_real b, int64_t *holds) {
  bool always, never = is_nan(a.low) || is_nan(b.low);
  switch (op) {
  case DC_OP_FEQ:
    always = is_point(a) && is_point(b) && a.low == b.low;
    never |= a.high < b.low || b.high < a.low;
    break;
  case DC_OP_FLT:
    always = a.high < b.low;
    never |= a.low >= b.high;
    break;
  case DC_OP_FLE:
    always = a.high <= b.low;
    never |= a.low > b.high;
    break;
  default:
    return false;
  }
  *holds = always ? -1 : 0;
  return always || never;
}

bool dc__real_to_integer(bool is_signed, unsigned bits, dc_real a, int64_t *value) {
  double low = truncated(a.low), high = truncated(a.high);
  double end = of_pattern((1023 + (uint64_t)bits - is_signed) << 52); // a power of two
  if (is_nan(low) || low != high || low >= end || low < (is_signed ? -end : 0))
    return false;
  *value = dc__sign_extend(is_signed ? (uint64_t)(int64_t)low : (uint64_t)low, bits);
  return true;
}
