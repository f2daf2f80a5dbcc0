// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `divcost model`: what is asked for, the figures that answer it, and how they are printed.
//
//     model.c            arguments -> model_request
//     model_figures.c    model_request -> model_figures, by libdivcost
//     model_ratios.c     the distribution of X among them
//     model_whatif.c     the what-if table, block, grid and simulation among them
//     model_text.c       model_figures -> text, model_draw.c its bars
//     model_json.c       model_figures -> JSON
//     model_counts.c     counts that are known, in place of a distribution
//     model_table1.c     the paper's table 1 beside ours
#ifndef DIVCOST_TOOLS_MODEL_H
#define DIVCOST_TOOLS_MODEL_H

#include "divcost/cost.h"
#include "divcost/distribution.h"
#include "divcost/grid.h"
#include "divcost/imbalance.h"
#include "divcost/reconvergence.h"
#include "divcost/simulate.h"
#include "divcost/workload.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MODEL_SIMULATED = 1 << 18 }; // warps, unless said otherwise; as many as in the paper

typedef struct model_request {
  const char *distribution;
  bool table1, json, help;
  bool has_lanes, has_slots, has_seed; // were given
  bool per_warp; // the parts of the mixture are drawn for each warp, not for each lane
  unsigned lanes;
  bool has_cost;
  dc_iteration_cost cost;
  double table[DC_LANES_MAX]; // the cost's, if it has one
  unsigned warps;             // of a block; 0: blocks aren't asked for
  uint64_t blocks;            // of a grid; 0: grids aren't asked for
  unsigned multiprocessors, slots;
  const char *counts;   // known counts, as they were written; NULL: none
  int64_t base, stride; // affine counts
  uint64_t groups;      // warps of them; 0: none
  uint64_t simulate;    // warps to simulate; 0: none
  uint64_t seed;
} model_request;

// One answer to "what if the work were cut up or arranged in another way".
typedef enum model_change {
  MODEL_TODAY,
  MODEL_SHARED, // amount: lanes that share an item
  MODEL_BINNED, // amount: classes by quantile
  MODEL_SORTED, // amount: warps over which items are sorted; has no expected imbalance
} model_change;

typedef struct model_what_if {
  model_change change;
  uint64_t amount;
  dc_loss loss;
} model_what_if;

// The distribution of X from warp to warp.
enum { MODEL_QUANTILES = 7, MODEL_ROWS = 12 };
extern const double model_quantiles[MODEL_QUANTILES]; // their shares
typedef struct model_ratios {
  const char *from; // "exact", "grid" or "simulated"
  double quantile[MODEL_QUANTILES];
  double low, width; // row i is from low + i * width to the next; width 0: X is always low
  size_t rows;
  double share[MODEL_ROWS + 1]; // of warps; the last is what is above the rows
} model_ratios;

enum { MODEL_WHAT_IFS = 24 };

typedef struct model_figures {
  dc_distribution_spec *spec; // as all of it: free with model_free
  dc_distribution trips;      // of a lane, whatever its warp
  dc_group_type *types;       // of warps: one, or the parts of the mixture
  size_t n_types;
  double maximum; // E[max over a warp]
  dc_moments x;
  dc_loss loss;
  double worst; // X can't exceed it
  model_ratios ratios;
  double distinct, divergent_exits, depth;
  double depth_exceeds[DC_DEPTH_LANES_MAX + 1]; // by capacity
  bool has_depth;                               // up to DC_DEPTH_LANES_MAX lanes
  dc_cost_loss cost;
  bool has_block, has_grid; // closed forms: not with --per-warp
  dc_block_loss block;
  dc_makespan grid;
  model_what_if what_if[MODEL_WHAT_IFS];
  size_t n_what_if;
  dc_simulated simulated;
} model_figures;

// Computes what is asked for. On failure the error says why (its offset, if the distribution's text
// is wrong, where), and nothing needs to be freed.
dc_status model_compute(const model_request *request, model_figures *figures, dc_error *error);
void model_free(model_figures *figures);

// model_compute's second half: what-if, block, grid, simulation.
dc_status model_compute_groups(const model_request *request, model_figures *figures,
                               dc_error *error);

// Its part for the distribution of X.
dc_status model_compute_ratios(const model_request *request, model_figures *figures,
                               dc_error *error);

// A simulation of `warps` warps, of grids of them if blocks or grids are asked for.
dc_status model_simulate(const model_request *request, const model_figures *figures, uint64_t warps,
                         dc_simulated *simulated, dc_error *error);

// These print to standard output; what couldn't be written shows in ferror.
void model_print_text(const model_request *request, const model_figures *figures);
void model_print_json(const model_request *request, const model_figures *figures);

// One bar for each row: its label, its share of the whole, the bar, as wide as the terminal allows.
typedef struct model_row {
  char label[64];
  double share;
} model_row;
void model_draw(const model_row *rows, size_t count);

// What known counts lose, printed; gives the exit status.
int model_answer_counts(const model_request *request);

// Table 1, as text or JSON.
dc_status model_print_table1(const model_request *request, dc_error *error);

#endif
