// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a kernel's accesses go about their arrays, for what L1 and L2 hold of them.
#ifndef DIVCOST_ESTIMATE_TIMING_MISSES_H
#define DIVCOST_ESTIMATE_TIMING_MISSES_H

#include "estimate/timing.h"

#define SECTOR ((double)DC_SECTOR)
#define LINE 128.0
// Single sectors take whole lines of L1, of which a third of the bytes is of use then: measured as
// the share of gathers that hit (bench/results/h200, prototype's fit on 20 pairs).
#define L1_OF_SECTORS (1 / 3.0)

// How an access goes about its array.
typedef struct dc__touch {
  bool asks;                         // for what caches may have
  bool by_block, by_thread, by_data; // its address differs between blocks, threads, by what is read
  bool scatters;                     // places that data decide anew each time, each lane or all
  double touches;                    // by lanes, in the whole launch
  double bytes;                      // that are touched at least once
  double extent;                     // of the array, where known or assumed; else 0
  dc__step moves;                    // of a lane, in an iteration
  double step;                       // bytes of it, known or not
  double again;                      // times that it comes to a place by loops it doesn't go by
  dc__neighbours near;
} dc__touch;

// Accesses by which each lane goes to a line of its own, but for those that go to the line of
// another: reads, which take L1's lines, and all by which lanes walk on; and the bytes of the
// arrays that these go through.
typedef struct dc__walkers {
  double lines, walks, bytes;
} dc__walkers;

typedef struct dc__touches {
  const dc_kernel *kernel;
  const dc_estimate *estimate;
  const dc__setting *setting;
  dc__touch *of;        // of each access
  dc__walkers *walkers; // of each loop
} dc__touches;

// timing_touches.c: fills m->of and m->walkers, which are zeroes. O(accesses * (accesses + nodes)).
void dc__touches_find(const dc__touches *m);
// The loop right around an access, or DC_NONE.
uint32_t dc__loop_around(const dc__touches *m, uint32_t index);
bool dc__is_cached(const dc_access *access);
bool dc__mentions_op(const dc_kernel *kernel, dc_expr e, dc_expr_op op);
bool dc__scatters(const dc_kernel *kernel, const dc_estimate *estimate, uint32_t index);
// What is told of the array that an access goes to, bytes, or 0.
double dc__told_extent(const dc_kernel *kernel, const dc_access *access);
bool dc__same_array(const dc_kernel *kernel, uint32_t a, uint32_t b);
// Whether lanes move on each in lines of its own.
bool dc__walks(const dc__touches *m, uint32_t index);
// Sectors that an access asks for in the whole launch, of which so many are missed.
double dc__sectors_asked(const dc__touches *m, uint32_t k, double missed);
// Of the sectors of `count` requests over so many bytes that are asked for together, the share that
// is there. `each`: sectors of one request that lie side by side.
double dc__together(double bytes, double count, double each);
// The same, of an access and its neighbours.
double dc__share_of_neighbours(const dc__touches *m, uint32_t index);
// Blocks that an SM holds; SMs that have any.
double dc__resident_blocks(const dc__setting *setting);
double dc__sms_at_work(const dc__touches *m);
// Iterations in which a lane's walk goes on; units of so many bytes that it goes through.
double dc__trips_of_walk(const dc__touches *m, uint32_t index);
double dc__units_of_walk(const dc__touches *m, uint32_t index, double unit);
// Levels of a descent, 0: it is none; and of what one asks for the share on levels that so many
// sectors don't hold.
double dc__levels_of_descent(const dc__touches *m, uint32_t index);
double dc__share_below(const dc__touches *m, uint32_t index, double sectors);

// timing_l1.c: of what an access asks for, the share that L1 hasn't.
double dc__l1_misses(const dc__touches *m, uint32_t index);

// timing_l2.c: fills in what L2 hasn't, where it is known what L1 hasn't. Errors: DC_ERROR_MEMORY.
dc_status dc__miss_l2(const dc__touches *m, dc__misses *misses, dc_error *error);
// Whether of the sectors that an access writes others write nothing, and that nobody has read.
bool dc__writes_parts(const dc__touches *m, uint32_t k);

#endif
