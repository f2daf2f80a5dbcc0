// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Workloads for the kernels of bench/kernels: a launch with all its arguments, and what the lanes
// will do in it, found out on the host. Everything follows from a fixed seed, so that a machine
// without a GPU says the same of a launch as the one that runs it.
//
// A case whose name ends in ".balanced" does the work of the case named before that, or of any
// other of its kernel if that names the kernel alone, alike in the lanes of each warp: their times
// tell what the difference between the lanes costs.
//
// A tally counts what the warps of a launch do in one loop: the histogram of the trip counts is
// the law that the model is given, and the slots are what the lanes that really stand side by side
// make of it. Where lanes are independent the model's efficiency is the tally's; where they
// aren't, it isn't, and the difference is what independence assumes.
#ifndef DIVCOST_BENCH_WORKLOAD_H
#define DIVCOST_BENCH_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WARP 32
#define ARGUMENTS_MAX 9
#define TALLIES_MAX 3

typedef enum argument_kind { ARGUMENT_ARRAY, ARGUMENT_INTEGER, ARGUMENT_REAL } argument_kind;

// An argument of the kernel. Arrays are copied to the GPU before the launch.
typedef struct argument {
  argument_kind kind;
  const char *name; // the parameter's, of integers
  int32_t integer;
  float real;
  void *data; // owned
  size_t bytes;
} argument;

// How well the host knows the trip counts.
typedef enum tally_quality {
  TALLY_EXACT,    // they follow from the data
  TALLY_ROUNDING, // but for rounding, which may differ on the GPU in a few lanes
  TALLY_ORDER     // they depend on the order in which the GPU runs the threads; here: one by one
} tally_quality;

typedef struct tally {
  unsigned line; // of the loop in the kernel's file
  tally_quality quality;
  bool dependent;    // what a lane does tells of its neighbours, as with pixels and parts of a row
  double *histogram; // entries of lanes by trip count
  size_t size;
  double entries, lanes; // of the loop: by warps, and the lanes in them
  double trips;          // of lanes
  double iterations;     // of warps: the greatest trip count of each entry
  double exits;          // divergent ones: distinct positive trip counts of an entry less one
} tally;

typedef struct workload workload;

// Which kernel, on which data.
typedef struct workload_case {
  const char *name, *file; // file: in bench/kernels, without ".cu"
  const char *symbol;      // of the kernel
  const char *law;         // that the data is drawn from, in the textual form; or NULL
  void (*make)(workload *w);
} workload_case;

struct workload {
  const workload_case *of;
  unsigned grid[2], block[2], shared; // shared: bytes of dynamic shared memory
  argument arguments[ARGUMENTS_MAX];
  unsigned n_arguments;
  tally tallies[TALLIES_MAX];
  unsigned n_tallies;
  uint64_t seed;
  uint32_t draws; // arrays drawn so far, which each have their own random numbers
  bool grouped;   // the lanes of a warp were made alike
};

// All cases, in the order in which they are run; the last has no name.
extern const workload_case workload_cases[];

// Where memory is out, the program ends with a message.
void workload_make(const workload_case *of, workload *w);
void workload_free(workload *w);

// SIMT efficiency of the loop's iterations: of a tally, and 1 where nobody iterated.
double tally_efficiency(const tally *t);
const char *tally_quality_name(tally_quality quality);

// ---- for the functions that make workloads ------------------------------------------------------

void workload_launch(workload *w, unsigned grid, unsigned block);
void workload_launch_2d(workload *w, unsigned grid_x, unsigned grid_y, unsigned block_x,
                        unsigned block_y);

// Memory for count elements, zero at first; free() releases it.
void *workload_memory(size_t count, size_t size);

// Adds arguments, in the kernel's order. An array of `count` elements of `size` bytes is zero at
// first. An array that was made by workload_memory is added by workload_take.
void *workload_array(workload *w, size_t count, size_t size);
void *workload_take(workload *w, void *data, size_t bytes);
void workload_integer(workload *w, const char *name, int32_t value);
void workload_real(workload *w, float value);

// Arrays of `count` draws, released by workload_take's workload or free(): from a law in the
// textual form; of whole numbers from low to high; of floats from -1 to 1; and begin[count + 1],
// the sums of draws from a law.
int32_t *draw_law(workload *w, const char *text, size_t count);
int32_t *draw_whole(workload *w, size_t count, int32_t low, int32_t high);
float *draw_reals(workload *w, size_t count);
int32_t *draw_bounds(workload *w, const char *law, size_t count);

// Whether the lanes of a warp are to be alike. Both cases have the same random numbers.
bool workload_is_balanced(const workload *w);

// Puts items of `size` bytes, and what each takes, in another order: warps of items that take the
// same, as near as can be, and the warps themselves in no order. count: a multiple of WARP.
void workload_group(workload *w, int32_t *taken, void *items, size_t count, size_t size);

// Adds a tally; warps are added to it by the trip counts of their lanes (negative: the lane doesn't
// enter), one entry of the loop each.
tally *workload_tally(workload *w, unsigned line, tally_quality quality);
void tally_warp(tally *t, const int32_t trips[WARP]);
// The same for the threads of a launch in one dimension, and for the pixels of an image in blocks
// as the workload has them, each with its trip count.
void tally_threads(tally *t, const int32_t *trips, size_t count);
void tally_image(const workload *w, tally *t, const int32_t *trips, unsigned width,
                 unsigned height);

#endif
