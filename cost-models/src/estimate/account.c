// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the warps executed, block by block, and figures that follow from that alone.
#include "estimate/estimate_internal.h"

#include "kernel/predication.h"

#include <math.h>
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

// A block's own instructions, and those of them that need not be: not all operands take them, or
// they are a side of a branch that may be executed another way.
static void add_block(row_list *list, uint32_t k, bool open) {
  const dc_walk *walk = list->walk;
  const dc_visits *visits = &walk->visits[k];
  double all = walk->flow->costs[k].instructions, perhaps = 0;
  if (open && walk->flow->open_side[k] != DC_NONE)
    perhaps = all;
  else if (open)
    perhaps = fmin(all, walk->kernel->blocks[k].slow);
  add_row(list, visits->executions * (all - perhaps), visits->lanes * (all - perhaps), false);
  add_row(list, visits->executions * perhaps, visits->lanes * perhaps, true);
}

// What lanes may execute together, or one of them apart.
static void add_slow_paths(row_list *list, uint32_t k) {
  const dc_block *block = &list->walk->kernel->blocks[k];
  const dc_visits *visits = &list->walk->visits[k];
  double apart = (double)block->slow - block->slow_alike;
  add_row(list, visits->executions * block->slow, visits->lanes * block->slow, true);
  add_row(list, visits->executions * apart, visits->executions * apart, true);
}

// The other way to execute a side of a branch: under a predicate, or by one lane.
static void add_other_way(row_list *list, uint32_t side) {
  const dc_walk *walk = list->walk;
  uint32_t branch = walk->flow->open_side[side];
  if (branch == DC_NONE)
    return;
  bool likely = dc__is_predicated(walk->kernel, &walk->kernel->blocks[branch]);
  double instructions = walk->flow->costs[side].instructions;
  const dc_visits *all = &walk->visits[likely ? side : branch];
  add_row(list, all->executions * instructions,
          (likely ? all->executions : all->lanes) * instructions, true);
}

// Iterations that aren't done one by one: what of them need not be, as their blocks' shares say.
static void add_passes(row_list *list, uint32_t loop, bool open) {
  const dc_walk *walk = list->walk;
  const dc_flow *flow = walk->flow;
  const dc_issued *passes = &walk->passes[loop];
  double own = 0, perhaps = 0, apart = 0;
  for (uint32_t n = flow->first_own[loop]; n < flow->first_own[loop + 1] && open; ++n) {
    const dc_block *block = &walk->kernel->blocks[flow->own[n]];
    double all = flow->costs[flow->own[n]].instructions;
    bool side = flow->open_side[flow->own[n]] != DC_NONE;
    own += all;
    perhaps += side ? all : fmin(all, block->slow);
    apart += (side ? all : 0) + block->slow;
  }
  double share = own > 0 ? perhaps / own : 0, more = own > 0 ? apart / own : 0;
  add_row(list, passes->instructions * (1 - share), passes->lane_instructions * (1 - share), false);
  add_row(list, passes->instructions * share, passes->lane_instructions * share, true);
  add_row(list, passes->instructions * more, passes->lane_instructions * more, true);
  add_row(list, passes->instructions * more, passes->instructions * more, true);
}

static bool has_close(const dc_kernel *kernel) {
  bool close = false;
  for (uint32_t k = 0; k < kernel->n_branches; ++k)
    close |= kernel->branches[k].close;
  return close;
}

// Of each block, also what it tries again; of unrolled iterations of each loop; and of `more`
// instructions that groups of lanes issue another time, nobody's lanes with them.
static void list_rows(row_list *list, double more, bool open) {
  const dc_walk *walk = list->walk;
  const dc_kernel *kernel = walk->kernel;
  for (uint32_t k = 0; k < kernel->n_blocks; ++k) {
    add_block(list, k, open);
    add_row(list, walk->retries[k].instructions, walk->retries[k].lane_instructions, false);
    if (open) {
      add_slow_paths(list, k);
      add_other_way(list, k);
    }
  }
  for (uint32_t k = 0; k < kernel->n_loops; ++k)
    if (!walk->flow->detached[k])
      add_passes(list, k, open);
  add_row(list, more, 0, open && has_close(kernel));
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
  if (list.n == 0)
    return (dc_interval){-1, -1};
  qsort(rows, list.n, sizeof *rows, compare_rows);
  return extremes(rows, list.n, factor);
}
