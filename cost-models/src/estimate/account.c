// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the warps executed, block by block, and figures that follow from that alone.
#include "estimate/estimate_internal.h"

#include "kernel/predication.h"

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
  const dc_issued *a = &((const dc_account_row *)x)->issued,
                  *b = &((const dc_account_row *)y)->issued;
  double left = a->lane_instructions * b->instructions,
         right = b->lane_instructions * a->instructions;
  return left < right ? 1 : left > right ? -1 : 0;
}

static void add_issued(dc_issued *sum, const dc_issued *row, double times) {
  sum->instructions += times * row->instructions;
  sum->lane_instructions += times * row->lane_instructions;
}

static dc_issued difference(const dc_issued *whole, const dc_issued *part) {
  return (dc_issued){whole->instructions - part->instructions,
                     whole->lane_instructions - part->lane_instructions};
}

// Of lanes, where one sum is `a` times as long and the other one `b` times; negative: nothing is
// there.
static double ratio_of(const dc_issued *x, double a, dc_issued y, double b) {
  double instructions = a * x->instructions + b * y.instructions;
  return instructions > 0
             ? (a * x->lane_instructions + b * y.lane_instructions) / instructions / DC_WARP
             : -1;
}

typedef struct row_list {
  const dc_walk *walk;
  dc_account_row *rows;
  uint32_t n;
} row_list;

static void add_row(row_list *list, double instructions, double lane_instructions, bool perhaps) {
  if (instructions > 0)
    list->rows[list->n++] = (dc_account_row){{instructions, lane_instructions}, perhaps};
}

// What some lanes may execute apart from the others: all of those that are there, or one of them.
static void add_apart(row_list *list, dc_issued all, double share) {
  add_row(list, all.instructions * share, all.lane_instructions * share, true);
  add_row(list, all.instructions * share, all.instructions * share, true);
}

// The other way to execute the sides of a branch that is predicated or not by a close decision.
static void add_other_way(row_list *list, uint32_t block) {
  const dc_kernel *kernel = list->walk->kernel;
  const dc_block *data = &kernel->blocks[block];
  bool likely = dc__is_predicated(kernel, data);
  for (uint32_t s = 0; s < data->n_successors; ++s) {
    uint32_t side = kernel->successors[data->first_successor + s];
    double instructions = list->walk->flow->costs[side].instructions;
    const dc_visits *whole = &list->walk->visits[block], *own = &list->walk->visits[side];
    if (!list->walk->flow->open_side[side])
      continue;
    if (likely)
      add_row(list, own->executions * instructions, own->executions * instructions, true);
    else
      add_row(list, whole->executions * instructions, whole->lanes * instructions, true);
  }
}

static void list_other_ways(row_list *list) {
  const dc_kernel *kernel = list->walk->kernel;
  for (uint32_t k = 0; k < kernel->n_blocks; ++k)
    if (kernel->blocks[k].branch != DC_NONE && kernel->branches[kernel->blocks[k].branch].close)
      add_other_way(list, k);
}

// A row for each block and what it tries again, for unrolled iterations of each loop, and for
// `more` instructions that groups of lanes issue another time.
static void list_rows(row_list *list, double more, bool open) {
  const dc_walk *walk = list->walk;
  const dc_kernel *kernel = walk->kernel;
  for (uint32_t k = 0; k < kernel->n_blocks; ++k) {
    double instructions = walk->flow->costs[k].instructions;
    add_row(list, walk->visits[k].executions * instructions, walk->visits[k].lanes * instructions,
            open && walk->flow->open_side[k]);
    add_row(list, walk->retries[k].instructions, walk->retries[k].lane_instructions, false);
  }
  for (uint32_t k = 0; k < kernel->n_loops; ++k)
    if (!walk->flow->detached[k])
      add_row(list, walk->passes[k].instructions, walk->passes[k].lane_instructions, false);
  add_row(list, more, 0, false); // issued, by nobody's lanes
}

// Slow paths, of iterations that are unrolled, too, as their share of these.
static void list_slow_paths(row_list *list) {
  const dc_walk *walk = list->walk;
  const dc_kernel *kernel = walk->kernel;
  for (uint32_t k = 0; k < kernel->n_blocks; ++k)
    add_apart(list, (dc_issued){walk->visits[k].executions, walk->visits[k].lanes},
              kernel->blocks[k].slow);
  for (uint32_t loop = 0; loop < kernel->n_loops; ++loop) {
    double slow = 0, own = 0;
    for (uint32_t k = 0; k < kernel->n_blocks; ++k) {
      bool in_it = kernel->blocks[k].loop == loop;
      slow += in_it ? kernel->blocks[k].slow : 0;
      own += in_it ? walk->flow->costs[k].instructions : 0;
    }
    if (!walk->flow->detached[loop] && own > 0)
      add_apart(list, walk->passes[loop], slow / own);
  }
}

// The ratio of sums is greatest where the fullest rows are `factor` times as long as expected and
// the others `factor` times shorter, or not there at all, for one of the places where the sorted
// rows can be cut in two; and least the other way round. (A ratio of linear functions over a box
// takes its extremes at corners; which of them, its sign of slope in each coordinate says.)
static dc_interval extremes(const dc_account_row *rows, uint32_t n, double factor) {
  dc_issued all = {0, 0}, sure = all, fuller = all, sure_fuller = all; // sure: there in any case
  for (uint32_t k = 0; k < n; ++k) {
    add_issued(&all, &rows[k].issued, 1);
    add_issued(&sure, &rows[k].issued, rows[k].perhaps ? 0 : 1);
  }
  dc_interval result = {1, 0};
  for (uint32_t k = 0; k <= n; ++k) {
    double high = ratio_of(&fuller, factor, difference(&sure, &sure_fuller), 1 / factor),
           low = ratio_of(&sure_fuller, 1 / factor, difference(&all, &fuller), factor);
    result.high = high > result.high ? high : result.high;
    result.low = low >= 0 && low < result.low ? low : result.low;
    if (k < n) {
      add_issued(&fuller, &rows[k].issued, 1);
      add_issued(&sure_fuller, &rows[k].issued, rows[k].perhaps ? 0 : 1);
    }
  }
  result.high = result.high > 1 ? 1 : result.high;
  return result;
}

dc_interval dc__account_efficiency(const dc_walk *walk, double more, double factor, bool open,
                                   dc_account_row *rows) {
  row_list list = {walk, rows, 0};
  list_rows(&list, more, open);
  if (open) {
    list_slow_paths(&list);
    list_other_ways(&list);
  }
  if (list.n == 0)
    return (dc_interval){-1, -1};
  qsort(rows, list.n, sizeof *rows, compare_rows);
  return extremes(rows, list.n, factor);
}
