// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the parts of a launch's time share.
#ifndef DIVCOST_TIME_INTERNAL_H
#define DIVCOST_TIME_INTERNAL_H

#include "divcost/time.h"

typedef struct dc__launch {
  const dc_machine *machine;
  const dc_time_grid *grid;
  const dc_time_warp *warps;
  uint32_t n_warps;
  const dc_demand *demands;
  dc_demand mean;               // of a warp
  double unequal[DC_USE_COUNT]; // how many times as much the SM that has most of it asks for
} dc__launch;

// A warp's cycles by itself, and all it takes.
dc_demand dc__warp_total(const dc__launch *launch, uint32_t warp);

// Cycles by which the last of so many warps ends after the mean one.
double dc__last_of(const dc__launch *launch, double warps);

// How many warps' demand the busiest SM meets of a resource, where each of the SMs that have blocks
// holds this many of them, a number of blocks of the grid being on the GPU.
double dc__warps_asking(const dc__launch *launch, dc_use use, double warps, double blocks);

// How many times as long warps take that ask for these shares. O(1).
double dc__slowdown(const double asked[DC_USE_COUNT]);

// Adds `length` cycles of the warps' own time, in which they ask for these shares, to the time;
// what no resource accounts for goes to `waits`. O(1).
void dc__pass_time(double length, const double asked[DC_USE_COUNT], dc_bound waits, dc_time *out);

// All blocks at once; and blocks that wait for others. See divcost/time.h.
dc_status dc__time_at_once(const dc__launch *launch, dc_time *out, dc_error *error);
dc_status dc__time_in_waves(const dc__launch *launch, dc_time *out, dc_error *error);

#endif
