// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the warps executed, block by block, and figures that follow from that alone.
#include "estimate/estimate_internal.h"

#include <stdlib.h>

// Of each lane that is there it is known with which chance it comes to the block.
static void add_visits(dc_walk *walk, uint32_t block, dc_part part) {
  const dc_flow *flow = walk->flow;
  const double *entries = walk->entries[walk->kernel->blocks[block].loop][part];
  double times = flow->times[part][block] * flow->frequency[block], chance = flow->lanes[block];
  double none = 1;
  for (unsigned j = 1; j <= DC_WARP && times != 0; ++j) {
    none *= 1 - chance;
    walk->visits[block].executions += times * entries[j] * (1 - none);
    walk->visits[block].lanes += times * entries[j] * j * chance;
  }
}

void dc__account_visits(dc_walk *walk) {
  const dc_kernel *kernel = walk->kernel;
  for (uint32_t block = 0; block < kernel->n_blocks; ++block)
    if (kernel->blocks[block].loop != DC_NONE &&
        !walk->flow->detached[kernel->blocks[block].loop] &&
        !walk->flow->sided[kernel->blocks[block].loop])
      for (unsigned part = 0; part < DC_PART_COUNT; ++part)
        add_visits(walk, block, (dc_part)part);
}

// ---- efficiency ---------------------------------------------------------------------------------

// Fuller ones first.
static int compare_rows(const void *x, const void *y) {
  const dc_issued *a = x, *b = y;
  double left = a->lane_instructions * b->instructions,
         right = b->lane_instructions * a->instructions;
  return left < right ? 1 : left > right ? -1 : 0;
}

// Everything that is executed: a row for each block and what it tries again, for unrolled
// iterations of each loop, and for `more` instructions that groups of lanes issue another time.
static uint32_t list_rows(const dc_walk *walk, double more, dc_issued *rows) {
  const dc_kernel *kernel = walk->kernel;
  uint32_t n = 0;
  for (uint32_t k = 0; k < kernel->n_blocks + kernel->n_loops; ++k) {
    dc_issued row;
    if (k < kernel->n_blocks) {
      double instructions = walk->flow->costs[k].instructions;
      row = (dc_issued){walk->visits[k].executions * instructions,
                        walk->visits[k].lanes * instructions};
    } else if (!walk->flow->detached[k - kernel->n_blocks]) {
      row = walk->passes[k - kernel->n_blocks];
    } else {
      continue;
    }
    if (row.instructions > 0)
      rows[n++] = row;
    if (k < kernel->n_blocks && walk->retries[k].instructions > 0)
      rows[n++] = walk->retries[k];
  }
  if (more > 0) // issued, by nobody's lanes
    rows[n++] = (dc_issued){more, 0};
  return n;
}

// The ratio of sums is greatest where the fullest rows are `factor` times as long as expected and
// the others `factor` times shorter, for one of the places where the sorted rows can be cut in two;
// and least the other way round. (A ratio of linear functions over a box takes its extremes at
// corners; which of them, its sign of slope in each coordinate says.)
static dc_interval extremes(const dc_issued *rows, uint32_t n, double factor) {
  dc_issued all = {0, 0}, fuller = {0, 0};
  for (uint32_t k = 0; k < n; ++k) {
    all.instructions += rows[k].instructions;
    all.lane_instructions += rows[k].lane_instructions;
  }
  dc_interval result = {1, 0};
  double up = factor, down = 1 / factor;
  for (uint32_t k = 0; k <= n; ++k) {
    dc_issued rest = {all.instructions - fuller.instructions,
                      all.lane_instructions - fuller.lane_instructions};
    double high = (up * fuller.lane_instructions + down * rest.lane_instructions) /
                  (up * fuller.instructions + down * rest.instructions);
    double low = (down * fuller.lane_instructions + up * rest.lane_instructions) /
                 (down * fuller.instructions + up * rest.instructions);
    result.high = high / DC_WARP > result.high ? high / DC_WARP : result.high;
    result.low = low / DC_WARP < result.low ? low / DC_WARP : result.low;
    if (k < n) {
      fuller.instructions += rows[k].instructions;
      fuller.lane_instructions += rows[k].lane_instructions;
    }
  }
  result.high = result.high > 1 ? 1 : result.high;
  return result;
}

dc_interval dc__account_efficiency(const dc_walk *walk, double more, double factor,
                                   dc_issued *rows) {
  uint32_t n = list_rows(walk, more, rows);
  if (n == 0)
    return (dc_interval){-1, -1};
  qsort(rows, n, sizeof *rows, compare_rows);
  return extremes(rows, n, factor);
}
