// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// E[X] and E[(X - 1)^2] of n iid lanes without the distribution of X = n max / sum. Let G and g be
// the sums of f(v) exp(-u v) over v <= m and v < m. 1/S is the integral of exp(-u S) over u > 0 and
// 1/S^2 that of u exp(-u S), so
//     E[X; sum > 0] = integral of n * sum over m of m (G^n - g^n),
//     E[X - 1]      = integral of n * sum over m of A (G^(n-1) - g^(n-1)),
//     E[(X - 1)^2]  = integral of u n * sum over m of (B (G^(n-1) - g^(n-1))
//                                                      + (n - 1) A^2 (G^(n-2) - g^(n-2))),
//     A, B          = sum over v < m of (m - v) f(v) exp(-u v), and with (m - v)^2,
// since X - 1 is the sum of the lanes' m - v over S. No term is negative and none is a difference
// of near numbers, so what the nodes and rounding do to 1/S and 1/S^2 bounds the relative error.
//
// Nodes: the trapezoidal rule in ln u, step 0.27, which gives 1/S to 3e-15 and 1/S^2 to 8e-14
// (relative) for every S up to s_max, however small. Of its nodes up to u = 4 / s_max, infinitely
// many, 8 are made: their Gauss rule. It ends where what is left is under 1e-15 of the result. Four
// nodes at a time walk over the support; what rounding does on the way is bounded by starting
// afresh with exp every few steps. Time: nodes * points, about 0.5 ns each.
#include "imbalance/imbalance_internal.h"
#include "math/quad.h"

#include <stdbool.h>

// exp(-u v) below exp(-DEAD) of the lowest value's moves nothing.
#define DEAD 92.0

typedef struct task {
  const dc_point *points;
  size_t count;
  unsigned lanes;
  int64_t fresh_steps; // exp(-u v) goes on by multiplication for so many values
} task;

// Where a walk is: all relative to exp(-u v_0), v_0 the lowest value.
typedef struct place {
  quad step;          // exp(-u)
  quad e;             // exp(-u v) at the current value
  quad below, inside; // sum of f exp(-u v) up to where e was made afresh, and since
  quad rest;          // what rounding took away from below
  int64_t fresh;
} place;

// What the walk adds up: afresh with e too, so that the error doesn't grow with the support.
typedef struct total {
  quad done, recent;
} total;

QUAD_INLINE void total_flush(total *t) {
  t->done += t->recent;
  t->recent = t->recent * 0;
}

QUAD_INLINE place place_begin(const task *t, const quad *u) {
  place p = {.e = {1, 1, 1, 1}, .fresh = t->points[0].value};
  quad_exp_minus(u, &p.step);
  return p;
}

// e for a value that multiplication doesn't lead to. False where it and all that follow are dead.
QUAD_INLINE bool place_refresh(const task *t, const quad *u, int64_t value, place *p) {
  double distance = (double)(value - t->points[0].value);
  if ((*u)[0] * distance > DEAD)
    return false;
  quad x = *u * distance;
  for (int j = 1; j < 4; ++j) // the others may be far beyond
    x[j] = x[j] < 600 ? x[j] : 600;
  quad_exp_minus(&x, &p->e);
  p->fresh = value;
  quad y = p->inside - p->rest, next = p->below + y;
  p->rest = (next - p->below) - y;
  p->below = next;
  p->inside = p->inside * 0;
  return true;
}

// b^32 - a^32, where powers holds a^1, a^2, a^4, a^8, a^16 and gets b's, for the next call. As a
// tree, since a chain of multiplications is what would take the time.
QUAD_INLINE void power_difference_32(quad *powers, const quad *b, quad *d) {
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

// sums[0] = sum over m of m (G^n - g^n) exp(u n v_0). u ascends. A warp's n = 32 has a copy of the
// code to itself.
QUAD_INLINE void walk_mean(const task *t, bool is_32, const quad *u, quad *sums) {
  const dc_point *points = t->points;
  place p = place_begin(t, u);
  quad powers[5] = {{0}}, a = {0}, power;
  total sum = {{0}, {0}};
  for (size_t i = 0; i < t->count; ++i) {
    int64_t value = points[i].value, gap = i > 0 ? value - points[i - 1].value : 0;
    if (gap == 1 && value - p.fresh <= t->fresh_steps) {
      p.e *= p.step;
    } else if (i > 0) {
      if (!place_refresh(t, u, value, &p))
        break;
      total_flush(&sum);
    }
    quad d = p.e * points[i].mass;
    p.inside += d;
    quad b = p.below + p.inside;
    if (is_32)
      power_difference_32(powers, &b, &d);
    else
      quad_power_difference(t->lanes, &a, &b, &d, &power);
    sum.recent += d * (double)value;
    a = b;
  }
  sums[0] = sum.done + sum.recent;
  sums[1] = sums[0] * 0;
}

// sums[0], sums[1] = the sums over m for E[X - 1] and E[(X - 1)^2], times exp(u n v_0).
QUAD_INLINE void walk_moments(const task *t, unsigned lanes, const quad *u, quad *sums) {
  const dc_point *points = t->points;
  place p = place_begin(t, u);
  quad g = {0}, first = {0}, second = {0}; // A and B are first and second
  total sum_first = {{0}, {0}}, sum_second = {{0}, {0}};
  for (size_t i = 0; i < t->count; ++i) {
    int64_t value = points[i].value;
    double gap = i > 0 ? (double)(value - points[i - 1].value) : 0;
    if (gap == 1 && value - p.fresh <= t->fresh_steps) {
      p.e *= p.step;
    } else if (i > 0) {
      if (!place_refresh(t, u, value, &p))
        break;
      total_flush(&sum_first);
      total_flush(&sum_second);
    }
    quad moved = g * gap;
    second += (first + first + moved) * gap;
    first += moved;
    quad d = p.e * points[i].mass;
    p.inside += d;
    quad b = p.below + p.inside;
    quad fewer = d, more = d; // differences of the powers n - 2 and n - 1
    if (lanes > 2) {
      quad power;
      quad_power_difference(lanes - 2, &g, &b, &fewer, &power);
      more = fewer * b + power * d;
    } else {
      fewer = fewer * 0;
    }
    sum_first.recent += first * more;
    sum_second.recent += second * more + (first * first) * (fewer * (double)(lanes - 1));
    g = b;
  }
  sums[0] = sum_first.done + sum_first.recent;
  sums[1] = sum_second.done + sum_second.recent;
}

QUAD_INLINE void walk_any(const task *t, bool moments, const quad *u, quad *sums) {
  if (moments && t->lanes == 32)
    walk_moments(t, 32, u, sums);
  else if (moments)
    walk_moments(t, t->lanes, u, sums);
  else if (t->lanes == 32)
    walk_mean(t, true, u, sums);
  else
    walk_mean(t, false, u, sums);
}

static void walk_plain(const task *t, bool moments, const quad *u, quad *sums) {
  walk_any(t, moments, u, sums);
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx2"))) static void walk_avx2(const task *t, bool moments, const quad *u,
                                                      quad *sums) {
  walk_any(t, moments, u, sums);
}
static bool has_avx2(void) { return __builtin_cpu_supports("avx2"); }
#else
#define walk_avx2 walk_plain
static bool has_avx2(void) { return false; }
#endif

// Nodes and weights for 4 i ... 4 i + 3, times s_max. The first eight are the Gauss rule for the
// measure with mass 0.27 u at each u = 4 exp(0.27 j), j <= 0, computed from its moments in 120
// digits; then come j = 1, 2, ...
static void nodes_at(unsigned i, quad *u, quad *weight) {
  static const double gauss_u[8] = {
      0.0597101424969855346, 0.304990355863725772, 0.708078516551871147, 1.20878487474525568,
      1.74527875108406875,   2.32847827551631306,  3.05347644255577255,  3.99999990261524057};
  static const double gauss_weight[8] = {
      0.152128401539634855, 0.332454697325109228, 0.463448486567393095, 0.5262597808701146,
      0.547630411854193733, 0.637692500774606617, 0.824655522263996359, 1.08000072545782355};
  quad x;
  for (unsigned j = 0; j < 4; ++j)
    x[j] = -0.27 * ((int)(4 * i + j) - 7);
  quad_exp_minus(&x, u);
  *u *= 4;
  *weight = *u * 0.27;
  for (unsigned j = 0; j < 4 && i < 2; ++j) {
    (*u)[j] = gauss_u[4 * i + j];
    (*weight)[j] = gauss_weight[4 * i + j];
  }
}

// The integrals of n sums[0] and u n sums[1].
static dc_integrals integrate(const task *t, bool moments) {
  double n = t->lanes, lowest = (double)t->points[0].value;
  double s_min = lowest > 0 ? n * lowest : (double)t->points[1].value;
  double s_max = n * (double)t->points[t->count - 1].value;
  bool avx2 = has_avx2();
  dc_integrals result = {0, 0};
  double last = 0; // u s_min of the last node
  bool ended = false;
  for (unsigned i = 0; !ended && last < DEAD; ++i) {
    quad u, weight, decay, sums[2];
    nodes_at(i, &u, &weight);
    u /= s_max;
    weight *= n / s_max;
    quad x = u * (n * lowest);
    for (unsigned j = 0; j < 4; ++j)
      x[j] = x[j] < 600 ? x[j] : 600;
    quad_exp_minus(&x, &decay);
    unsigned before = quad_flush_subnormals();
    if (avx2)
      walk_avx2(t, moments, &u, sums);
    else
      walk_plain(t, moments, &u, sums);
    quad_restore_subnormals(before);
    quad first = sums[0] * decay * weight, second = sums[1] * decay * weight * u;
    for (unsigned j = 0; j < 4; ++j) {
      result.first += first[j];
      result.second += second[j];
    }
    // Beyond u both integrands fall at least as fast as exp(-u s_min); their integrals over that
    // are bounded by (1 + 1 / (u s_min))^2 / 0.27 times the last term.
    last = u[3] * s_min;
    double rest = (1 + 1 / last) * (1 + 1 / last) / 0.27;
    ended = first[3] * rest <= 1e-15 * result.first && second[3] * rest <= 1e-15 * result.second;
  }
  return result;
}

dc_integrals dc__imbalance_integral(const dc_distribution *distribution, unsigned lanes,
                                    bool moments) {
  // The steps' errors add up, and the power multiplies them by lanes: together 2e-13 at the worst.
  const task t = {distribution->points, distribution->count, lanes, lanes <= 64 ? 64 : 8};
  return integrate(&t, moments);
}
