// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels whose lanes have a limit of their own.
#include "cases.h"

#include <math.h>
#include <stdlib.h>

// The two kernels know threads by threadIdx alone: one block, as large as it can be.
#define LIMITS 1024

static double work_of(int32_t limit, unsigned loops) { return pow(limit, loops); }

// The same work in total, in `loops` nested loops, as nearly as warps of two neighbouring limits
// have it: there are too few warps for the limits as they are, the longest would take all the time.
static void level(workload *w, int32_t *limits, unsigned loops) {
  w->grouped = true;
  double total = 0;
  for (unsigned k = 0; k < LIMITS; ++k)
    total += work_of(limits[k], loops);
  int32_t low = (int32_t)pow(total / LIMITS, 1.0 / loops);
  double more = total - LIMITS * work_of(low, loops);
  double step = WARP * (work_of(low + 1, loops) - work_of(low, loops));
  unsigned longer = (unsigned)round(more / step); // warps
  for (unsigned k = 0; k < LIMITS; ++k)
    limits[k] = low + (k / WARP < longer);
}

static int32_t *add_limits(workload *w, unsigned loops) {
  workload_launch(w, 1, LIMITS);
  int32_t *limits = workload_take(w, draw_law(w, w->of->law, LIMITS), LIMITS * sizeof *limits);
  if (workload_is_balanced(w))
    level(w, limits, loops);
  workload_array(w, LIMITS, sizeof(float));
  workload_array(w, LIMITS, sizeof(int64_t));
  return limits;
}

void make_single_loop(workload *w) {
  const int32_t *limits = add_limits(w, 1);
  tally_threads(workload_tally(w, 15, TALLY_EXACT), limits, LIMITS);
}

void make_double_loop(workload *w) {
  const int32_t *limits = add_limits(w, 2);
  tally_threads(workload_tally(w, 15, TALLY_EXACT), limits, LIMITS);
  tally *inner = workload_tally(w, 17, TALLY_EXACT);
  for (unsigned first = 0; first < LIMITS; first += WARP)
    for (int32_t i = 0;; ++i) {
      int32_t trips[WARP];
      bool some = false;
      for (unsigned lane = 0; lane < WARP; ++lane) {
        trips[lane] = limits[first + lane] > i ? limits[first + lane] : -1;
        some |= trips[lane] >= 0;
      }
      if (!some)
        break;
      tally_warp(inner, trips);
    }
}

void make_matrix_power(workload *w) {
  enum { MATRICES = 8192, ELEMENTS = 256 };
  workload_launch(w, MATRICES / WARP, WARP);
  workload_take(w, draw_reals(w, MATRICES * ELEMENTS), MATRICES * ELEMENTS * sizeof(float));
  int32_t *counts = draw_law(w, w->of->law, MATRICES);
  workload_take(w, counts, MATRICES * sizeof *counts);
  workload_array(w, MATRICES, sizeof(float));
  workload_integer(w, "n", MATRICES);
  tally_threads(workload_tally(w, 40, TALLY_EXACT), counts, MATRICES);
}

// As next_uniform in the kernel.
static float next_uniform(uint32_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 17;
  *state ^= *state << 5;
  return (float)*state * (2.0f / 4294967296.0f) - 1.0f;
}

void make_rejection_sampling(workload *w) {
  enum { THREADS = 65536, SAMPLES = 64, SEED = 42 };
  workload_launch(w, THREADS / 128, 128);
  workload_array(w, THREADS, sizeof(float));
  workload_integer(w, "threads", THREADS);
  workload_integer(w, "samples", SAMPLES);
  workload_integer(w, "seed", SEED);
  tally *rounds = workload_tally(w, 25, TALLY_ROUNDING);
  uint32_t states[WARP];
  for (uint32_t i = 0; i < THREADS; ++i) {
    states[i % WARP] = (SEED + i) * 2654435761u | 1u;
    for (unsigned s = 0; i % WARP == WARP - 1 && s < SAMPLES; ++s) {
      int32_t trips[WARP] = {0};
      for (unsigned lane = 0; lane < WARP; ++lane) {
        float radius2;
        do {
          ++trips[lane];
          float x = next_uniform(&states[lane]), y = next_uniform(&states[lane]);
          radius2 = x * x + y * y;
        } while (radius2 >= 1.0f || radius2 == 0.0f);
      }
      tally_warp(rounds, trips);
    }
  }
}
