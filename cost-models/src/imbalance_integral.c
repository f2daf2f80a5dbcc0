// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// E[n max / sum; sum > 0] of n iid lanes without the distribution of the ratio:
//     n * sum over m of m * integral over u > 0 of (G_m(u)^n - G_(m-1)(u)^n) du,
//     G_m(u) = sum over v <= m of f(v) exp(-u v),
// since 1/S is the integral of exp(-u S). The integral becomes a sum over double-exponential nodes
//     u = exp(x - exp(-x)) / s_max,  x = -ln L + i h,  weight h u (1 + exp(-x)),
// which gives 1/S with a relative error of 4e-14 for every S in [s_min, s_max], and so, all terms
// being positive, the result too. Four nodes at a time walk over the support; what is lost to
// rounding on the way is bounded by starting afresh with exp every few steps. Time: nodes * points,
// about 0.4 ns each.
#include "imbalance_internal.h"

#include <stdbool.h>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

// exp(-u v) below exp(-DEAD) of the lowest value's moves nothing.
#define DEAD 92.0

// Four doubles. Always handled through pointers: by value, the call's conventions depend on the
// target.
typedef double quad __attribute__((vector_size(32)));
typedef uint64_t quad_bits __attribute__((vector_size(32)));

#define INLINE static inline __attribute__((always_inline))

// exp(-x) for x in [0, 700], error about 1 unit in the last place: 2^k exp(r), |r| <= ln(2) / 2,
// exp(r) by its Taylor polynomial of degree 13.
INLINE void exp_minus(const quad *x, quad *result) {
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

typedef struct task {
  const dc_point *points;
  size_t count;
  unsigned lanes;
  int64_t fresh_steps; // exp(-u v) goes on by multiplication for so many values
} task;

// b^n - a^n without cancellation, from d = b - a: b^2k - a^2k = (b^k - a^k)(b^k + a^k).
INLINE void power_difference(unsigned n, const quad *a, const quad *b, quad *d) {
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
}

// The same for n = 32, where powers holds a^1, a^2, a^4, a^8, a^16 and gets b's, for the next call.
// As a tree, since a chain of multiplications is what would take the time.
INLINE void power_difference_32(quad *powers, const quad *b, quad *d) {
  quad b1 = *b, b2 = b1 * b1, b4 = b2 * b2, b8 = b4 * b4, b16 = b8 * b8;
  quad low = (*d * (powers[0] + b1)) * (powers[1] + b2);
  quad high = (powers[2] + b4) * (powers[3] + b8);
  *d = (low * high) * (powers[4] + b16);
  powers[0] = b1;
  powers[1] = b2;
  powers[2] = b4;
  powers[3] = b8;
  powers[4] = b16;
}

// *sum = sum over m of m (G_m^n - G_(m-1)^n) exp(u n v_0), where v_0 is the lowest value and all G
// are relative to exp(-u v_0). u ascends. A warp's n = 32 has a copy of the code to itself.
INLINE void walk(const task *t, bool is_32, const quad *u, quad *sum) {
  const dc_point *points = t->points;
  quad step, powers[5] = {{0}};
  exp_minus(u, &step);
  quad e = {1, 1, 1, 1}, below = {0}, inside = {0}, a = {0}, total = {0};
  quad rest = {0}; // what rounding took away from below
  int64_t fresh = points[0].value;
  for (size_t i = 0; i < t->count; ++i) {
    int64_t value = points[i].value;
    int64_t gap = i > 0 ? value - points[i - 1].value : 0;
    if (gap == 1 && value - fresh <= t->fresh_steps) {
      e *= step;
    } else if (i > 0) {
      double distance = (double)(value - points[0].value);
      if ((*u)[0] * distance > DEAD)
        break;
      quad x = *u * distance;
      for (int j = 1; j < 4; ++j) // the others may be far beyond
        x[j] = x[j] < 600 ? x[j] : 600;
      exp_minus(&x, &e);
      fresh = value;
      quad y = inside - rest, next = below + y;
      rest = (next - below) - y;
      below = next;
      inside = inside * 0;
    }
    quad d = e * points[i].mass;
    inside += d;
    quad b = below + inside;
    if (is_32)
      power_difference_32(powers, &b, &d);
    else
      power_difference(t->lanes, &a, &b, &d);
    total += d * (double)value;
    a = b;
  }
  *sum = total;
}

INLINE void walk_any(const task *t, const quad *u, quad *sum) {
  if (t->lanes == 32)
    walk(t, true, u, sum);
  else
    walk(t, false, u, sum);
}

static void walk_plain(const task *t, const quad *u, quad *sum) { walk_any(t, u, sum); }

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx2"))) static void walk_avx2(const task *t, const quad *u, quad *sum) {
  walk_any(t, u, sum);
}
static bool has_avx2(void) { return __builtin_cpu_supports("avx2"); }
#else
#define walk_avx2 walk_plain
static bool has_avx2(void) { return false; }
#endif

// Powers of small numbers go through the subnormal range, where some processors are 100 times as
// slow; nothing there moves the result. The caller's setting is restored.
#if defined(__SSE2__)
static unsigned flush_subnormals(void) {
  unsigned before = _mm_getcsr();
  _mm_setcsr(before | 0x8040);
  return before;
}
static void restore_subnormals(unsigned before) { _mm_setcsr(before); }
#else
static unsigned flush_subnormals(void) { return 0; }
static void restore_subnormals(unsigned before) { (void)before; }
#endif

double dc_imbalance_integral(const dc_distribution *distribution, unsigned lanes) {
  // The steps' errors add up, and the power multiplies them by lanes: together 2e-13 at the worst.
  const task t = {distribution->points, distribution->count, lanes, lanes <= 64 ? 64 : 8};
  double n = lanes, lowest = (double)t.points[0].value;
  double s_min = lowest > 0 ? n * lowest : (double)t.points[1].value;
  double s_max = n * (double)t.points[t.count - 1].value;

  const double L = 29.933606208922594; // -ln(1e-13), the tolerance
  const double h = 0.85 * 9.869604401089358 / L;
  double start = -log(L), end = log(s_max / s_min) + log(0.95 * L);
  unsigned nodes = (unsigned)ceil((end - start) / h) + 1;
  bool avx2 = has_avx2();

  double result = 0;
  for (unsigned i = 0; i < nodes; i += 4) {
    quad u, weight, sum;
    for (unsigned j = 0; j < 4; ++j) {
      double x = start + (i + j) * h;
      u[j] = exp(x - exp(-x)) / s_max;
      weight[j] = i + j < nodes ? h * u[j] * (1 + exp(-x)) * exp(-u[j] * n * lowest) : 0;
    }
    unsigned before = flush_subnormals();
    if (avx2)
      walk_avx2(&t, &u, &sum);
    else
      walk_plain(&t, &u, &sum);
    restore_subnormals(before);
    for (unsigned j = 0; j < 4; ++j)
      result += weight[j] * sum[j];
  }
  return n * result;
}
