// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the parts of a kernel's time share:
//   timing_addresses.c  how addresses go on
//   timing_misses.c  what of the accesses L1 and L2 don't hold; its parts are in timing_misses.h
//   timing_costs.c   what blocks and iterations ask of an SM, by the lanes that are there
//   timing_draws.c   trip counts of the lanes of one warp, drawn from a distribution
//   timing_blocks.c  few blocks that do far more than others
//   timing_warps.c   warps of the launch, walked one by one, as sequences of segments
//   timing_parts.c   which loops and branches have a part of it that is told
//   timing.c         the launch as it is and without what it loses, and the intervals
#ifndef DIVCOST_ESTIMATE_TIMING_H
#define DIVCOST_ESTIMATE_TIMING_H

#include "divcost/time.h"

#include "estimate/plan.h"

// What nobody said of caches and arrays: that all is in L2 and arrays are small, or that it isn't
// and they are large.
typedef enum dc__footprint { DC_FOOTPRINT_SMALL, DC_FOOTPRINT_LARGE } dc__footprint;

// A launch under such an assumption.
typedef struct dc__setting {
  const dc_machine *machine;
  dc_time_grid grid;
  const uint32_t *block; // its dimensions
  uint64_t l1_bytes;     // that are left to data
  bool warm;             // L2 holds what fits
  dc__footprint footprint;
} dc__setting;

// Of an access: the share of its sectors that L1 doesn't have; of these, that L2 doesn't; the bytes
// of the array that it goes to, 0: they don't matter.
typedef struct dc__misses {
  double l1, l2, extent;
  double l2_latency; // of L2's near half, or both
  double descent;    // levels of a descent that it goes to; 0: it is none
  bool partial;      // of sectors that are written, some bytes are neither written nor read
} dc__misses;

// How many different places n go to that each go to any of so many.
double dc__distinct(double places, double n);

// What a lane's address moves on by in each iteration of the loop around the access.
typedef struct dc__step {
  bool even;    // by the same each time, as far as can be seen
  bool known;   // and how far
  double bytes; // in either direction
} dc__step;

// Not known outside of loops. O(nodes).
dc__step dc__step_of(const dc_kernel *kernel, const dc_access *access);
// The same from one thread of a block's dimension (0: x) to the next. O(nodes).
dc__step dc__step_along_threads(const dc_kernel *kernel, const dc_access *access,
                                unsigned dimension);
// Whether nothing in an expression is hidden, so that it is the same whenever the iterations in it
// are; nor, but for DC_NONE, read from a place that goes by the iterations of a loop around.
// O(nodes).
bool dc__is_fixed(const dc_kernel *kernel, dc_expr e, uint32_t around);
// Trips of the loops around an access that its address doesn't go by: it comes to the same place as
// often. O(loops around it * nodes).
double dc__repeats(const dc_kernel *kernel, const dc_estimate *estimate, const dc_access *access);

// An access, and those of its block and kind that are always so near that their lines are the same
// or next to each other: how many they are, and how many bytes they span.
typedef struct dc__neighbours {
  double count, bytes;
} dc__neighbours;

// O(accesses * nodes).
dc__neighbours dc__neighbours_of(const dc_kernel *kernel, const dc_estimate *estimate,
                                 uint32_t index);

// Whether another that stands before it, of the same kind and loop, is always as near. O(accesses *
// nodes).
bool dc__comes_after_near(const dc_kernel *kernel, const dc_estimate *estimate, uint32_t index);

// misses[n_accesses], from an estimate's accesses. O(accesses * (accesses + nodes)). Errors:
// DC_ERROR_MEMORY.
dc_status dc__misses_find(const dc_kernel *kernel, const dc_estimate *estimate,
                          const dc__setting *setting, dc__misses *misses, dc_error *error);
// Whether what is assumed of arrays matters to any.
bool dc__misses_rest_on_extents(const dc_kernel *kernel, const dc_estimate *estimate);

// Parts of a warp's way: outside of loops, and each outermost loop; in each, by how many lanes are
// there, fuller ones first, as they leave one by one.
enum { DC_REGIONS = 12, DC_CROWDS = 7 };

typedef struct dc__segments_of_warp {
  dc_demand of[DC_REGIONS][DC_CROWDS];
} dc__segments_of_warp;

// *to += times * *more.
void dc__demand_add(dc_demand *to, const dc_demand *more, double times);

// What is executed becomes what an SM is asked for.
struct dc_clock {
  const dc_kernel *kernel;
  const dc_arch *arch;
  const dc_access_estimate *accesses;
  const dc__setting *setting;
  bool coalesced; // what is asked for if each request touched as little as its lanes' bytes need
  dc_clock *also; // that all is added to, too, or NULL
  dc__misses *misses;
  uint32_t *first, *ordered;        // of each block: its accesses, ordered[first[block]] ...
  double *passing;                  // of each block: the share of the lanes that its predicate lets
                                    // through, as the source tells it; else 1
  dc_demand (*bodies)[DC_WARP + 1]; // of each part of each loop, by lanes
  bool *known;                      // these are
  dc__segments_of_warp segments;    // of the warp that is walked
};

dc_status dc__clock_begin(const dc_kernel *kernel, const dc_arch *arch, dc_clock *out,
                          dc_error *error);
void dc__clock_free(dc_clock *clock);
// For another flow of the walk, or for what else is alike in it; by itself.
void dc__clock_forget(dc_clock *clock);
// For another setting; forgets nothing. Errors: DC_ERROR_MEMORY.
dc_status dc__clock_set(dc_clock *clock, const dc__setting *setting, const dc_estimate *estimate,
                        dc_error *error);
// Where coalesced requests differ: adds all to `other`, too, with these; else not. O(accesses).
void dc__clock_coalesce(dc_clock *clock, dc_clock *other);
// Cycles more in the part of the way that a loop belongs to.
void dc__clock_wait(dc_clock *clock, uint32_t loop, double cycles);

// Warps of a launch, as dc_time_of_launch wants them.
typedef struct dc__warps {
  dc_time_warp *warps;
  dc_demand *demands;
  uint32_t n_warps, n_demands, room_warps, room_demands;
} dc__warps;

// Which loops are drawn.
void dc__draws_find(dc__plan *plan, const dc_estimate *estimate);
void dc__warps_free(dc__warps *warps);
// How they go: in the flow of the choice, with the lanes alike everywhere or not; `few`: fewer
// stand for all, for comparison with others of which few do.
typedef struct dc__way {
  dc__alike alike;
  dc_choice choice;
  bool few;
} dc__way;

// Walks them in a flow in which sides are drawn. Where the clock adds to another, those of that one
// are out[1]. Errors: DC_ERROR_MEMORY.
dc_status dc__warps_walk(dc__plan *plan, dc_walk *walk, dc_clock *clock,
                         const dc_estimate *estimate, const dc_flow *flow, const dc__way *way,
                         dc__warps *out, dc_error *error);

// Behind n warps that stand for all, p->samples[n] becomes one of the few blocks that do far more
// than any of theirs, if there are such. Returns how many they are now. O(some thousand evaluations
// of the kernel's trips).
unsigned dc__add_rare_blocks(dc__plan *p, const uint32_t *grid, unsigned n, dc_walk *walk);

// Lists the loops and branches in out->time.parts. Whether they must be told apart: else the one
// that there may be has all that divergence costs. O(loops^2 + branches).
bool dc__parts_find(const dc__plan *plan, const dc_flow *flow, dc_estimate *out);
// Where lanes are alike without the part.
dc__alike dc__part_alike(const dc_kernel *kernel, const dc_time_part *part);

// timing.c: fills out->time; the rest of *out is there. The plan is at its end: the walk's
// assumptions are told by it. Errors: DC_ERROR_MEMORY.
dc_status dc__estimate_time(dc__plan *plan, dc_walk *walk, dc_estimate *out, dc_error *error);

#endif
