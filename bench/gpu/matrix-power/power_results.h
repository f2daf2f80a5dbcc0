// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What was measured of the matrix power, as files of tab-separated values: cells of the paper's
// table, terms measured by themselves, and how long iterations took within the cells. Each file's
// first line, after "# ", says where it comes from.
#ifndef DIVCOST_BENCH_POWER_RESULTS_H
#define DIVCOST_BENCH_POWER_RESULTS_H

#include <stdbool.h>
#include <stdio.h>

#include "measure.h"

enum { POWER_KEYS = 64 }; // of a profile by iteration, at most

// One cell, in blocks of `block` threads. Losses are lanes * (longest) / (sum) in groups of lanes:
// their mean, or the ratio of the sums; of the times that the lanes' clocks tell, and of the counts
// that were drawn.
typedef struct power_cell {
  unsigned block, lanes, law; // law: of power_laws
  bool sync;                  // __syncwarp() in each iteration
  unsigned multiprocessors;   // of the GPU
  unsigned resident;          // blocks on a multiprocessor, at most
  unsigned groups;            // so many were drawn
  double expected, error;     // by clocks: the mean and its standard error
  double aggregate;           // by clocks
  double drawn_expected, drawn_aggregate;
  double seconds, balanced; // the kernel's time, and that of a balanced workload of the same
                            // total
  double cycles;            // mean time of a lane, by its clock
} power_cell;

// What a crowd of warps takes, in cycles of the multiprocessor: the median over the warps of
// multiprocessors with `warps` warps each, and the ends.
typedef enum power_term_kind {
  TERM_SETUP,     // filling the matrices, before the clock starts
  TERM_ENTRY,     // no iteration: entering the loop and reading the clock
  TERM_FIRST,     // the first iteration, entering the loop with it
  TERM_ITERATION, // one of those after it, on average
  TERM_TOTAL,     // all, by the clock after the loop
  TERM_COUNT
} power_term_kind;

const char *power_term_name(power_term_kind kind);

typedef struct power_term {
  char kernel[16];            // crowd, crowd_sync, crowd_blind
  unsigned warps, background; // on the multiprocessor measured, and on most others
  unsigned lanes, others;     // active in these warps, and in the others if that differs
  bool scattered;             // lanes at random, else the first ones
  unsigned iterations;
  power_term_kind kind;
  sample cycles; // launches: how many warps
} power_term;

// The mean duration of iterations within a cell without __syncwarp(), of the warps sampled.
typedef struct power_profile {
  unsigned block, lanes, law;
  bool by_active; // key: warps of the block that had work left when the iteration began, else the
                  // iteration, from 0
  unsigned key;
  double cycles;
  unsigned long long count; // of iterations
} power_profile;

typedef struct power_results {
  power_cell *cells;
  power_term *terms;
  power_profile *profiles;
  unsigned cell_count, term_count, profile_count;
  char origin[512]; // of the cells
} power_results;

void power_cell_begin(FILE *file, const char *origin);
void power_cell_write(FILE *file, const power_cell *cell);
void power_term_begin(FILE *file, const char *origin);
void power_term_write(FILE *file, const power_term *term);
void power_profile_begin(FILE *file, const char *origin);
void power_profile_write(FILE *file, const power_profile *profile);

// Reads PREFIX-cells.tsv, PREFIX-terms.tsv, PREFIX-profiles.tsv. Errors name the file and the line.
// power_results_free releases what was read.
dc_status power_results_read(const char *prefix, power_results *all, dc_error *error);
void power_results_free(power_results *all);

// The cell or term of this description, or NULL. one_warp: in blocks of one group, else of 256
// threads.
const power_cell *power_cell_find(const power_results *all, unsigned law, unsigned lanes,
                                  bool one_warp, bool sync);
const power_term *power_term_find(const power_results *all, const char *kernel,
                                  power_term_kind kind, unsigned warps, unsigned background,
                                  unsigned lanes, unsigned others, bool scattered);

#endif
