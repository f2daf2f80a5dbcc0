// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What if? A kernel with another block, other values of its parameters, other trip counts, on
// another architecture, or with several lanes for each item of work: its skeleton is changed and
// estimated anew, without compiling.
//
//     dc_what_if_trips trips = {.file = "spmv.cu", .line = 12, .distribution = "zipf(2,1000)"};
//     dc_what_if change = {.block = {64, 1, 1}, .trips = &trips, .n_trips = 1};
//     for each kernel of the unit:
//       if (dc_what_if_kernel(&unit.kernels[k], &change, &error) != DC_OK) ...
//     if (!trips.met) ... dc_what_if_nearest ...
//
// Verdicts (classes, levels, which branches are predicated) stay those of the compilation: where
// one depends on the block dimensions, or on the architecture, its condition says so.
#ifndef DIVCOST_WHAT_IF_H
#define DIVCOST_WHAT_IF_H

#include "divcost/unit.h"

#ifdef __cplusplus
extern "C" {
#endif

// A value for the parameters of this name.
typedef struct dc_what_if_param {
  const char *name;
  int64_t value;
  bool met;        // set: some kernel has such a parameter
  bool used;       // set: in some kernel, a condition, trip count or address depends on it
  bool is_pointer; // set: in some kernel it is the address of an array, which stays as it is
} dc_what_if_param;

// Trip counts of the loops at a line, or of one id: independent draws from a distribution in each
// lane and entry, or, with a correlation, as estimate.h describes. They replace what the code says.
typedef struct dc_what_if_trips {
  const char *file; // its last parts: "spmv.cu", "src/spmv.cu"; NULL: id names the loop
  uint32_t line;
  uint64_t id;
  const char *distribution; // as distribution.h; histograms with their points
  double correlation;       // 0 to 1
  bool met;                 // set: some loop is meant
} dc_what_if_trips;

// All zeroes: nothing is changed.
typedef struct dc_what_if {
  uint32_t block[3]; // x, y, z of every launch; x 0: as they are. Grids that are known cover as
                     // many threads as before in each direction
  dc_what_if_param *params;
  size_t n_params;
  dc_what_if_trips *trips;
  size_t n_trips;
  const dc_arch *arch; // estimate for this one; NULL: for those that the kernel has estimates for
  unsigned lanes_per_item; // 2, 4, 8, 16 or 32, see dc_what_if_share; 0, 1: as it is
} dc_what_if;

// What the change wants is possible: blocks of 1 .. 1024 threads, at most 64 in z,
// distributions that parse, correlations, lanes per item. DC_ERROR_ARGUMENT, DC_ERROR_SYNTAX,
// DC_ERROR_MEMORY. O(1) but for the distributions.
dc_status dc_what_if_check(const dc_what_if *change, dc_error *error);

// Changes a kernel and estimates it again. Its findings of what loops cost
// (dc_rule_info.of_cost) are gone: they are a compilation's, with its figures. change passed
// dc_what_if_check; its `met` and `used` are set where something is found, never cleared. Errors:
// as dc_unit_estimate, DC_ERROR_MEMORY; the kernel can then only be released.
dc_status dc_what_if_kernel(dc_unit_kernel *kernel, dc_what_if *change, dc_error *error);

// Several lanes share each item of work: in the outermost loops whose lanes have trip counts of
// their own (a distribution, given or assumed, for each lane), an item of W iterations is done by
// lanes_per_item neighbours, in ceil(W / lanes_per_item) rounds (dc_shared_item_loss). Changes the
// estimates of a kernel, not its skeleton, so nothing that is read from a file has these figures.
// They are for the same work as before, 32 items:
// - such a loop's body and imbalance, expected and aggregate imbalance and efficiency are what
//   becomes of its distribution; worst, divergent exits, depth and reconvergence are not known;
// - what is outside of such loops runs lanes_per_item times as often; what adding up the lanes'
//   parts costs isn't in it;
// - instructions, efficiency and divergent branches of the kernel are not known.
// A kernel without such loops stays as it is. lanes_per_item: 1, 2, 4, 8, 16 or 32, else
// DC_ERROR_ARGUMENT; DC_ERROR_MEMORY. O(loops * dc_shared_item_loss).
dc_status dc_what_if_share(dc_unit_kernel *kernel, unsigned lanes_per_item, dc_error *error);

// Whether dc_what_if_share would change the figures of a loop. O(depth).
bool dc_what_if_shares(const dc_kernel *kernel, uint32_t loop);

// The loop of a kernel that is nearest to what was meant, by file, then by line; DC_NONE: there is
// none with a place. *distance, smaller is nearer, tells which of several kernels' is the nearest.
// O(loops).
uint32_t dc_what_if_nearest(const dc_kernel *kernel, const dc_what_if_trips *trips,
                            uint64_t *distance);

#ifdef __cplusplus
}
#endif

#endif
