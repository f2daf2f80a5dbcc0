// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Four doubles at a time, in the vector notation of gcc and clang, which becomes whatever the
// processor has. Always handled through pointers: by value, the call's conventions depend on the
// target.
#ifndef DIVCOST_QUAD_H
#define DIVCOST_QUAD_H

#include <stdint.h>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

typedef double quad __attribute__((vector_size(32)));
typedef uint64_t quad_bits __attribute__((vector_size(32)));

// Into every caller, so that the code is made for the caller's target.
#define QUAD_INLINE static inline __attribute__((always_inline))

// exp(-x) for x in [-700, 700], error about 1 unit in the last place: 2^k exp(r), |r| <= ln(2) / 2,
// exp(r) by its Taylor polynomial of degree 13.
QUAD_INLINE void quad_exp_minus(const quad *x, quad *result) {
  const double shift = 0x1.8p52; // adding it rounds to a whole number, found in the low bits
  quad t = *x * -0x1.71547652b82fep0 + shift;
  quad k = t - shift;
  quad r = (-*x - k * 0x1.62e42feep-1) - k * 0x1.a39ef35793c76p-33;
  quad p = {1.0 / 6227020800, 1.0 / 6227020800, 1.0 / 6227020800, 1.0 / 6227020800};
  static const double factors[] = {1.0 / 479001600,
                                   1.0 / 39916800,
                                   1.0 / 3628800,
                                   1.0 / 362880,
                                   1.0 / 40320,
                                   1.0 / 5040,
                                   1.0 / 720,
                                   1.0 / 120,
                                   1.0 / 24,
                                   1.0 / 6,
                                   1.0 / 2,
                                   1,
                                   1};
  for (unsigned i = 0; i < sizeof factors / sizeof *factors; ++i)
    p = p * r + factors[i];
  *result = p * (quad)(((quad_bits)t + 1023) << 52);
}

// *power = a^n and *d = b^n - a^n, without cancellation, from *d = b - a, for n > 0 and 0 <= a <=
// b: b^2k - a^2k = (b^k - a^k)(b^k + a^k).
QUAD_INLINE void quad_power_difference(unsigned n, const quad *a, const quad *b, quad *d,
                                       quad *power) {
  quad difference = *d, power_a = *a, power_b = *b;
  unsigned bit = 1;
  while (bit <= n / 2)
    bit *= 2;
  for (bit /= 2; bit; bit /= 2) {
    difference *= power_a + power_b;
    power_a *= power_a;
    power_b *= power_b;
    if (n & bit) {
      difference = difference * *b + power_a * *d;
      power_a *= *a;
      power_b *= *b;
    }
  }
  *d = difference;
  *power = power_a;
}

// Powers of small numbers go through the subnormal range, where some processors are 100 times as
// slow; nothing there moves a result. The caller's setting is restored.
#if defined(__SSE2__)
static inline unsigned quad_flush_subnormals(void) {
  unsigned before = _mm_getcsr();
  _mm_setcsr(before | 0x8040);
  return before;
}
static inline void quad_restore_subnormals(unsigned before) { _mm_setcsr(before); }
#else
static inline unsigned quad_flush_subnormals(void) { return 0; }
static inline void quad_restore_subnormals(unsigned before) { (void)before; }
#endif

#endif
