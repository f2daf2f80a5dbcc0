// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Profiles: what was counted while a program ran. Of loops, trip counts; of blocks, how often warps
// and lanes executed them; of kernels, their launches. The recorder of runtime/ makes them, the
// plugin turns them into distributions and into what idled where, `divcost profile` shows and
// merges them. docs/profile.md has the format of the file.
//
// A loop is known by where it stands (kernel, call path, function, number in the function) and by a
// hash of its function's text; what was counted before an edit is another loop. So is a block, by a
// hash of its function's code. Everything that is counted is a sum of whole numbers, so merging is
// associative and commutative; a sum that would pass UINT64_MAX isn't made, but is an error.
#ifndef DIVCOST_PROFILE_H
#define DIVCOST_PROFILE_H

#include "divcost/distribution.h"
#include "divcost/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Bins of trip counts: below DC_PROFILE_EXACT each has its own; above, each factor of two is cut
// into four equal parts, up to 2^32 - 1.
#define DC_PROFILE_EXACT 1024
#define DC_PROFILE_WIDE 88
#define DC_PROFILE_BINS (DC_PROFILE_EXACT + DC_PROFILE_WIDE)

// Counts from here on don't enter `pairs` and `spread`, so that these can't overflow on the device.
#define DC_PROFILE_SPREAD_END 4096

// What is counted of one loop: 64-bit words, in the order in which the device has them too. An
// entry of a warp is one by lanes that enter the loop together; it is complete if the same lanes
// left the loop together.
typedef struct dc_profile_counts {
  uint64_t entries;         // of warps
  uint64_t warp_iterations; // how often a warp, or the part of it that is together, begins the body
  uint64_t pairs;           // of lanes of the same complete entry
  uint64_t spread;          // over these, the sum of (difference of the two trip counts)^2
  uint64_t parted;          // lanes seen to leave with another trip count than one that they are
                            // compared with (checked builds alone; docs/profile.md)
  uint64_t reserved[3];     // 0
  uint64_t lanes[DC_PROFILE_BINS]; // entries of lanes, by trip count
  uint64_t sums[DC_PROFILE_WIDE];  // of the trip counts in the bins from DC_PROFILE_EXACT on
} dc_profile_counts;

typedef struct dc_profile_loop {
  char *kernel;   // symbol of the function that the counts are of: a kernel, or a function that was
                  // not inlined
  char *path;     // calls from there to the loop's function, innermost first: "name:line:column"
                  // of each, the line counted from the function's first; "" in the kernel itself
  char *function; // the loop's function
  uint32_t number; // of the loop in its function, from 0, as they begin in the source
  uint64_t hash;   // of the function's text
  char *file;      // where the loop stood, for people
  uint32_t line, column;
  uint8_t level; // dc_uniformity that the analysis claimed for the trip count
  dc_profile_counts counts;
} dc_profile_loop;

// How often a block was executed: by warps, or the part of one that is there together, and by their
// lanes. Between so many warps and 32 times as many lanes.
typedef struct dc_profile_block {
  uint32_t number; // in its function, as the front end made it, from 0
  uint64_t warps, lanes;
} dc_profile_block;

// A function's code, where it was inlined by one call path.
typedef struct dc_profile_body {
  char *kernel, *path;      // as of a loop
  char *function;           // symbol
  uint64_t hash;            // of its code
  dc_profile_block *blocks; // those that were counted, by ascending number
  uint32_t n_blocks;
} dc_profile_body;

// A configuration that a kernel was launched in, and how often.
typedef struct dc_profile_launch {
  uint32_t grid[3], block[3];
  uint64_t shared; // dynamic shared memory of a block, bytes
  uint64_t count;
} dc_profile_launch;

// A kernel has at most so many configurations; launches in others are counted in `more`.
#define DC_PROFILE_LAUNCHES 64

// A value that a parameter had, and in how many launches.
typedef struct dc_profile_value {
  int64_t value;
  uint64_t count;
} dc_profile_value;

// A parameter has at most so many values; launches with others are counted in `more`.
#define DC_PROFILE_VALUES 8

typedef enum dc_profile_param_kind {
  DC_PROFILE_INTEGER, // its value, as a signed number of its size
  DC_PROFILE_EXTENT,  // of a pointer: bytes from there to the end of what was allocated
  DC_PROFILE_PARAM_KINDS
} dc_profile_param_kind;

typedef struct dc_profile_param {
  uint32_t number; // in the kernel's list, from 0
  uint8_t kind;    // dc_profile_param_kind
  uint8_t n_values;
  dc_profile_value values[DC_PROFILE_VALUES]; // in ascending order
  uint64_t more;
} dc_profile_param;

typedef struct dc_profile_kernel {
  char *symbol;
  dc_profile_launch *launches; // in ascending order of grid, block, shared
  uint32_t n_launches;
  uint64_t more;
  dc_profile_param *params; // those that were recorded, by ascending number and kind
  uint32_t n_params;
} dc_profile_kernel;

typedef struct dc_profile {
  dc_profile_loop **loops; // in ascending order of their keys: the fields from kernel to hash
  uint32_t n_loops;
  dc_profile_body *bodies; // likewise
  uint32_t n_bodies;
  dc_profile_kernel *kernels; // by symbol
  uint32_t n_kernels;
  uint64_t runs; // of programs
} dc_profile;

void dc_profile_free(dc_profile *profile);

// The loop with the key of `like`; it is added, without counts, where there is none. NULL when
// memory is out. The place becomes the lesser and the level the greater of the two. O(log loops),
// O(loops) to add.
dc_profile_loop *dc_profile_add(dc_profile *profile, const dc_profile_loop *like);

// The loop with that key, or NULL. O(log loops).
const dc_profile_loop *dc_profile_find(const dc_profile *profile, const dc_profile_loop *like);

// The body with the key of `like`, and of it the block of a number; they are added, the block with
// no executions, where there are none. NULL when memory is out. Pointers into a profile are good
// until something is added. O(log n), O(n) to add.
dc_profile_body *dc_profile_add_body(dc_profile *profile, const dc_profile_body *like);
dc_profile_block *dc_profile_add_block(dc_profile_body *body, uint32_t number);

// The body with the key of `like`, and the block of a body, or NULL. O(log n).
const dc_profile_body *dc_profile_find_body(const dc_profile *profile, const dc_profile_body *like);
const dc_profile_block *dc_profile_find_block(const dc_profile_body *body, uint32_t number);

// Whether CUDA can launch this: no dimension is 0, and a block has at most 1024 threads.
bool dc_profile_can_launch(const dc_profile_launch *launch);

// Adds `launch->count` launches of a kernel. False, and nothing is added: memory is out, or the sum
// would pass UINT64_MAX.
bool dc_profile_add_launches(dc_profile *profile, const char *symbol,
                             const dc_profile_launch *launch);

// Adds launches of a kernel in which a parameter had a value; the kernel and the parameter need not
// be there. False, and nothing is added: memory is out, or the sum would pass UINT64_MAX.
// O(params).
bool dc_profile_add_value(dc_profile *profile, const char *symbol, uint32_t number,
                          dc_profile_param_kind kind, dc_profile_value value);

// The value that a parameter had in all launches of a kernel; an extent, which the driver doesn't
// tell of a thread's first launch, in at least half of them, and no other in the rest. False: it
// isn't known, or there were several. O(params).
bool dc_profile_only_value(const dc_profile_kernel *kernel, uint32_t number,
                           dc_profile_param_kind kind, int64_t *value);

// The kernel of that symbol, or NULL; how often it was launched, UINT64_MAX for that or more.
const dc_profile_kernel *dc_profile_find_kernel(const dc_profile *profile, const char *symbol);
uint64_t dc_profile_launch_count(const dc_profile_kernel *kernel);

// Whether a loop can have these counts. What holds of each entry that the recorder counts holds of
// their sums, so counts that can be add up to such:
// - the sum of a bin lies between its lanes times its least and its greatest trip count;
// - there are entries <= lanes <= 32 entries, and warp_iterations <= iterations of lanes <= 32
//   warp_iterations; lanes and iterations of all bins are numbers of 64 bits;
// - pairs <= 31/2 lanes, and spread <= pairs (DC_PROFILE_SPREAD_END - 1)^2.
// DC_ERROR_ARGUMENT says what doesn't hold. O(bins).
dc_status dc_profile_check_counts(const dc_profile_counts *counts, dc_error *error);

// Changes counts as little as it takes to make them such, and returns whether it had to: what a
// device has counted may be off where lanes end within a loop, or while a kernel still runs.
// O(bins).
bool dc_profile_mend_counts(dc_profile_counts *counts);

// Adds counts to counts. False, and nothing is added: a sum, or the lanes or iterations of all
// bins, would pass what 64 bits hold. O(bins).
bool dc_profile_add_counts(dc_profile_counts *to, const dc_profile_counts *from);

// Adds all of `from`. Errors, after which `to` holds a part: DC_ERROR_MEMORY; DC_ERROR_LIMIT for
// counts of a loop, function or kernel, which the text names, that would pass UINT64_MAX.
// O(loops of both * bins + blocks).
dc_status dc_profile_merge(dc_profile *to, const dc_profile *from, dc_error *error);

// Reads a file's bytes. Errors, with "byte N: " in front and N as offset, and *profile empty:
// DC_ERROR_SYNTAX for what is no profile, is cut off, is changed (each record has a checksum), or
// has counts that can't be (dc_profile_check_counts; more lanes of a block than its warps have; a
// launch that can't be), which names the loop or function; DC_ERROR_LIMIT for a version that this
// library doesn't read: it reads 1, which has loops alone, 2, which has no parameters, and 3;
// DC_ERROR_MEMORY. O(length).
dc_status dc_profile_parse(const void *bytes, size_t length, dc_profile *profile, dc_error *error);

// Writes as a file's bytes, of version 3: at most capacity of them, and returns how many there are,
// like snprintf. Equal profiles give equal bytes. O(loops * bins + blocks).
size_t dc_profile_print(const dc_profile *profile, void *bytes, size_t capacity);

// ---- figures of one loop -----------------------------------------------------------------------

// The bin of a trip count, and the least trip count of a bin. O(1).
uint32_t dc_profile_bin(uint32_t trips);
uint32_t dc_profile_bin_start(uint32_t bin);
uint32_t dc_profile_bin_end(uint32_t bin); // the greatest

// Of counts that can be (dc_profile_check_counts); others give figures that are finite, no more.
typedef struct dc_profile_figures {
  double lanes;       // entries of lanes
  double iterations;  // of lanes
  double mean;        // trip count; at most 2^32 - 1
  double variance;    // of it; from DC_PROFILE_EXACT on each is taken as its bin's mean
  double efficiency;  // SIMT efficiency: iterations / (32 * warp_iterations); 1 without iterations;
                      // in (0, 1]
  double aggregate;   // aggregate imbalance: of the lanes that enter, iterations of the warp over
                      // those of its lanes; 1 without iterations; in (0, 32]
  double correlation; // of two lanes of a warp (intraclass): 1 - spread / (2 pairs variance), from
                      // complete entries; 0 where nothing is known or no lanes differ; in [-1, 1]
} dc_profile_figures;

dc_profile_figures dc_profile_figure(const dc_profile_counts *counts);

// Entries of lanes, and their iterations, of all bins; UINT64_MAX for that or more. O(bins).
typedef struct dc_profile_totals {
  uint64_t lanes, iterations;
} dc_profile_totals;

dc_profile_totals dc_profile_total(const dc_profile_counts *counts);

// The trip counts as a histogram: ascending, each bin from DC_PROFILE_EXACT on as its mean,
// rounded. points[DC_PROFILE_BINS]; returns how many there are. O(bins).
size_t dc_profile_points(const dc_profile_counts *counts, dc_point *points);

#ifdef __cplusplus
}
#endif

#endif
