// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that wait for memory, analysed: from the times that gpu-memory wrote, an iteration's cost
// T(a) by the number of active lanes a, and from T what loops with random trip counts should take,
// by divcost/cost.h: E[cycles] = sum over k of E[T(A_k)].
#ifndef DIVCOST_BENCH_MEMORY_COSTS_H
#define DIVCOST_BENCH_MEMORY_COSTS_H

#include "memory_walk.h"

// Where and how a warp loads.
typedef struct walk_place {
  int level; // of walk_levels
  int loads, sectors, spacing;
  unsigned warps; // on each multiprocessor
} walk_place;

typedef struct walk_time { // a line of the file
  walk_place place;
  unsigned active; // lanes with `times` iterations each; 0: trip counts of a law
  int law;         // of walk_laws; -1: none
  int times;
  double cycles; // for one loop
} walk_time;

typedef struct walk_times {
  walk_time *items;
  unsigned count;
  char origin[512]; // the first line, without its "# "
} walk_times;

// Reads a file. Errors name the line. walk_times_free releases what was read.
dc_status walk_times_read(const char *path, walk_times *all, dc_error *error);
void walk_times_free(walk_times *all);

// The time of this case, or NULL.
const walk_time *walk_times_find(const walk_times *all, const walk_place *place, unsigned active,
                                 int law, int times);

// T(a), and the line through it.
typedef struct walk_cost {
  double table[WALK_LANES]; // T(a) is table[a - 1]: the difference of two loops, by the iterations
  double entry;             // cycles of a loop without its iterations, all lanes active
  double base, per_lane;    // least squares: T(a) is about base + per_lane * a
  double worst;             // the line's worst error, as a share of T
} walk_cost;

// Errors: DC_ERROR_ARGUMENT, names the case that the times lack.
dc_status walk_cost_of(const walk_times *all, const walk_place *place, walk_cost *cost,
                       dc_error *error);

// What a law's loops do, whatever they cost.
typedef struct walk_law {
  dc_distribution distribution;
  double longest;                // E[max] of 32 lanes
  double exits;                  // divergent exits of a warp, mean
  double iterations[WALK_LANES]; // as drawn: a warp's iterations with a lanes active, mean
} walk_law;

dc_status walk_law_open(int law, walk_law *result, dc_error *error);
void walk_law_close(walk_law *law);

// Predicted cycles of one loop with a law's trip counts, without divergent exits.
typedef struct walk_prediction {
  double table;    // entry + sum over k of E[T(A_k)]
  double line;     // the same with the line
  double drawn;    // with T, by the counts that were drawn: no sampling error
  double constant; // as if T(a) were T(32)
} walk_prediction;

dc_status walk_predict(const walk_cost *cost, const walk_law *law, walk_prediction *result,
                       dc_error *error);

#endif
