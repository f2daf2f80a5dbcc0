// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/counted_rest.h"

#include "kernel/instructions.h"
#include "kernel/passes.h"
#include "kernel/regions.h"

#include <math.h>

// ---- branches -----------------------------------------------------------------------------------

// How many groups the warps of a branch part into, beyond one for each, where only one of two sides
// has a count: the others pass by it.
static double parted_by_one(const dc_block_count *branch, const dc_block_count *side) {
  double without = (double)branch->warps - (double)side->warps;
  double passing = (double)branch->lanes - (double)side->lanes -
                   without * (double)branch->lanes / (double)branch->warps;
  return fmax(0, fmin((double)side->warps, passing));
}

dc_counted_rest dc__rest_of_branch(const dc_kernel *kernel, const dc_code_graph *graph,
                                   const dc_block_plan *plan, const dc_block_count *counts,
                                   uint32_t branch) {
  const dc_branch *data = &kernel->branches[branch];
  const dc_block *block = &kernel->blocks[data->block];
  const dc_block_count *here = &counts[data->block];
  dc_counted_rest rest = {0, 0};
  if (!block->counted || data->level < DC_DIVERGENT || here->warps == 0 ||
      !dc__parts_lanes(kernel, branch))
    return rest;
  uint32_t n_told = 0, told = 0;
  double sum = 0;
  for (uint32_t s = 0; s < block->n_successors; ++s) {
    uint32_t to = kernel->successors[block->first_successor + s];
    bool tells = graph->in.first[to + 1] - graph->in.first[to] == 1 && counts[to].known &&
                 plan[to].by != DC_COUNTED_WITH;
    n_told += tells;
    told = tells ? to : told;
    sum += tells ? (double)counts[to].warps : 0;
  }
  if (n_told == block->n_successors)
    rest.warps = fmax(0, sum - (double)here->warps);
  else if (n_told == 1 && block->n_successors == 2)
    rest.warps = parted_by_one(here, &counts[told]);
  return rest;
}

// ---- atomics ------------------------------------------------------------------------------------

dc_counted_rest dc__rest_of_tries(const dc_block *block, const dc_block_count *count, bool same) {
  double tried = DC_TRY_INSTRUCTIONS * (double)(same ? block->contended_one : block->contended);
  if (tried == 0 || count->warps == 0)
    return (dc_counted_rest){0, 0};
  double lanes = (double)count->lanes / (double)count->warps; // 1 to 32
  return (dc_counted_rest){tried * (double)count->warps * (lanes - 1),
                           tried * (double)count->warps * (lanes - 1) * lanes / 2};
}

// ---- loops --------------------------------------------------------------------------------------

// One for each kind of passes.
static unsigned guards(const dc_loop *loop, unsigned factor) {
  unsigned llvm = dc__passes_llvm(loop, factor), n = 1;
  for (dc_passes kind = dc__passes_whole(factor); dc__passes_next(factor, llvm, &kind);)
    ++n;
  return n;
}

dc_counted_rest dc__rest_of_loop(const dc_kernel *kernel, uint32_t loop,
                                 const dc_together *together) {
  const dc_loop *data = &kernel->loops[loop];
  dc_counted_rest rest = {0, 0};
  if (!kernel->blocks[data->header].counted)
    return rest;
  uint32_t factor = data->unroll_expected;
  while (factor & (factor - 1)) // what is no power of two is unrolled by the next one below
    factor &= factor - 1;
  const dc_profile_counts *trips = together->trips;
  double entries = (double)trips->entries, none = (double)trips->lanes[0] / together->all;
  rest.warps = entries * dc__more_groups(together, factor > 1 ? factor : 1);
  double in_front =
      factor > 1 ? data->unroll_setup + DC_GUARD_INSTRUCTIONS * guards(data, factor) : 0;
  rest.warps += in_front * entries * dc__any_iterates(together);
  rest.lanes += in_front * together->all * (1 - none);
  return rest;
}

double dc__more_by_unrolling(const dc_loop *loop, const dc_together *together) {
  unsigned factor = loop->unroll_expected, llvm = dc__passes_llvm(loop, factor);
  if (llvm < 2)
    return 0;
  double written = dc__most_passes(together, dc__passes_whole(1)), unrolled = 0;
  dc_passes kind = dc__passes_whole(factor);
  do
    unrolled += kind.iterations * dc__most_passes(together, kind);
  while (dc__passes_next(factor, llvm, &kind));
  return written > 0 ? fmax((unrolled - written) / written, 0) : 0;
}

// Executions of what goes back to the header: the iterations.
static dc_counted_rest iterations_of(const dc_code_graph *graph, const dc_block_count *counts,
                                     uint32_t header) {
  dc_counted_rest sum = {0, 0};
  for (uint32_t e = graph->in.first[header]; e < graph->in.first[header + 1]; ++e) {
    uint32_t from = graph->in.to[e];
    if (dc__graph_in_loop(graph, from, graph->blocks[header].loop) && counts[from].known) {
      sum.warps += (double)counts[from].warps;
      sum.lanes += (double)counts[from].lanes;
    }
  }
  return sum;
}

// What a pass of a kind has fewer than its iterations one by one.
static double saved_by_pass(const dc_loop *loop, dc_passes kind) {
  return kind.iterations > 1 ? kind.iterations * (double)loop->unroll_shared - loop->unroll_once
                             : 0;
}

// What passes have fewer than so many iterations one by one.
static double saved_of(const dc_loop *loop, double trips) {
  unsigned factor = loop->unroll_expected, llvm = dc__passes_llvm(loop, factor);
  double saved = 0;
  dc_passes kind = dc__passes_whole(factor);
  do
    saved += dc__passes_of(kind, trips) * saved_by_pass(loop, kind);
  while (dc__passes_next(factor, llvm, &kind));
  return saved;
}

// Of an iteration, in the mean; where the test is at the end, its header doesn't tell the entries.
static double saved_share(const dc_loop *loop, const dc_profile_counts *trips, double iterations,
                          const dc_block_count *header) {
  double sum = 0, all = 0;
  for (uint32_t bin = 0; trips && bin < DC_PROFILE_BINS; ++bin) {
    double start = (double)dc_profile_bin_start(bin), lanes = (double)trips->lanes[bin];
    sum += lanes * saved_of(loop, start);
    all += lanes * start;
  }
  double entries = (double)header->warps - iterations;
  double mean = entries > 0 ? round(iterations / entries) : loop->unroll_expected;
  if (all == 0 && mean > 0) {
    sum = saved_of(loop, mean);
    all = mean;
  }
  return all > 0 ? fmax(sum / all, 0) : 0;
}

double dc__saved_by_warps(const dc_loop *loop, const dc_code_graph *graph,
                          const dc_block_count *counts, const dc_together *together) {
  unsigned factor = loop->unroll_expected, llvm = dc__passes_llvm(loop, factor);
  if (factor <= 1 || graph->blocks[loop->header].loop == DC_CODE_NONE)
    return 0;
  double saved = 0, iterations = 0;
  dc_passes kind = dc__passes_whole(factor);
  do {
    double passes = dc__most_passes(together, kind);
    saved += passes * saved_by_pass(loop, kind);
    iterations += passes * kind.iterations;
  } while (dc__passes_next(factor, llvm, &kind));
  dc_counted_rest counted = iterations_of(graph, counts, loop->header);
  double of_lanes = saved_share(loop, together->trips, counted.warps, &counts[loop->header]);
  return iterations > 0 ? counted.warps * (saved / iterations - of_lanes) : 0;
}

dc_counted_rest dc__saved_by_unrolling(const dc_kernel *kernel, const dc_code_graph *graph,
                                       const dc_block_count *counts, uint32_t loop,
                                       const dc_profile_counts *trips) {
  const dc_loop *data = &kernel->loops[loop];
  const dc_block_count *header = &counts[data->header];
  if (data->unroll_expected <= 1 || !header->known ||
      graph->blocks[data->header].loop == DC_CODE_NONE)
    return (dc_counted_rest){0, 0};
  dc_counted_rest iterations = iterations_of(graph, counts, data->header);
  double share = saved_share(data, trips, iterations.warps, header);
  return (dc_counted_rest){share * iterations.warps, share * iterations.lanes};
}
