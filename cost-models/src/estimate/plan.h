// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An estimate at work: what is found once for a kernel and a launch, and what the walks of its
// warps fill in.
#ifndef DIVCOST_ESTIMATE_PLAN_H
#define DIVCOST_ESTIMATE_PLAN_H

#include "estimate/estimate_internal.h"

// Warps of a launch that are walked; and over all assumptions, if there are any.
#define DC_WARPS_MAX 512
#define DC_WARPS_ASSUMED 128

typedef struct dc__plan {
  const dc_kernel *kernel;
  const dc_arch *arch;
  const dc_launch *launch;
  uint32_t block[3]; // the launch's, or another one that a scenario assumes
  dc_flow flow[DC_CHOICE_COUNT];
  dc_loop_facts *facts;
  uint32_t first_loop;
  dc_distributions *distributions; // of several estimates, or `own`
  dc_distributions own;
  dc_guards guards;
  dc_control control;
  double *idle; // of each branch
  bool *alike;  // of each node, as dc__alike_in_lanes
  dc_varied varied;
  bool used_choice;
  int64_t *params, *iv;
  bool *params_known;
  int64_t *params_assumed; // of those that are small; else 0
  uint32_t *block_lanes, (*branch_lanes)[2], *sides_of, *come;
  dc_loop_sums *sums;
  dc_unrolled *unrolled;
  dc_issued *passes, *written;
  dc_account_row *rows;
  double (*entries)[DC_PART_COUNT][DC_WARP + 1];
  dc_visits *visits;
  dc_issued *retries;
  dc_warp_sample *samples;
  double cost;                              // of a warp
  bool branches_on_lane, branches_on_block; // what the conditions of branches mention
  bool in_rows;                             // and that is blockIdx.y
  bool numbered;   // blocks of all rows are numbered: gridDim.x * blockIdx.y + blockIdx.x
  double reissued; // instructions, by groups of lanes that diverged from others
  dc_emulated_sums emulated;
} dc__plan;

// plan.c: with kernel, arch and launch set and all else zeroes. Whatever comes of it,
// dc__plan_free is to follow.
dc_status dc__plan_prepare(dc__plan *p, dc_error *error);
void dc__plan_free(dc__plan *p);
// What is assumed of loops of which nothing is known, of every spread. False: *error says why.
bool dc__plan_assume_distributions(dc__plan *p, dc_error *error);

// plan_walk.c: block and grid under an assumption; the walk, before the first warp, with so many
// operations of expressions; fills p->samples, with so many warps at most; and the walk before a
// warp of these.
void dc__plan_grid(dc__plan *p, dc_scenario of, uint32_t grid[3]);
void dc__plan_begin(dc__plan *p, dc_scenario of, const uint32_t *grid, uint64_t operations,
                    dc_walk *walk);
unsigned dc__plan_choose_warps(dc__plan *p, const uint32_t *grid, unsigned most, bool scattered,
                               dc_walk *walk);
void dc__plan_set_warp(const dc__plan *p, const dc_warp_sample *sample, const uint32_t *grid,
                       dc_walk *walk);
// The walk of these, how many they are, of one of `all` combinations of assumptions; *grid is what
// it assumes of the grid.
unsigned dc__plan_walk_warps(dc__plan *p, dc_scenario of, unsigned all, uint32_t grid[3],
                             dc_walk *walk);
// And all of it: walks the launch under one of `all` combinations of assumptions.
void dc__plan_walk(dc__plan *p, dc_scenario of, unsigned all, dc_walk *walk);

// figures.c: what the walk found, as one more case of the estimate's intervals. body[n_loops] is
// room.
void dc__figures_add(dc__plan *p, const dc_walk *walk, double *body, bool first, dc_scenario of,
                     dc_estimate *out);

#endif
