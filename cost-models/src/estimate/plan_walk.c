// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walking a launch: which of its warps (an even sample, within the budget), under one combination
// of assumptions.
#include "estimate/plan.h"
#include "kernel/small_params.h"

#include <math.h>
#include <string.h>

// Operations for a kernel and launch; and if there are assumptions, over all of them, which make
// more of a difference than any sampling.
#define BUDGET 100000
#define BUDGET_ASSUMED 40000

// Operations of expressions, over all lanes, for all assumptions. What is left when they are spent
// counts as not known, and its trips are assumed.
#define EVALUATIONS 2000000

#define ALIKE 0.01 // warps whose figures differ by no more

#define GRID_MAX 1024    // blocks of a grid that isn't known, in x or y
#define THREADS_MAX 1024 // of a block

// ---- warps --------------------------------------------------------------------------------------

// Fills plan->samples, and tells whether some are left out.
unsigned dc__plan_choose_warps(dc__plan *p, const uint32_t *grid, unsigned most, bool scattered,
                               dc_walk *walk) {
  const uint32_t *dims = p->block;
  dc_sampling of = {.threads = dims[0] * dims[1] * dims[2],
                    .columns = grid[0],
                    .on_lane = p->branches_on_lane,
                    .on_block = p->branches_on_block,
                    .most = most,
                    .scattered = scattered};
  of.n_blocks = (uint64_t)grid[0] * grid[1];
  of.n_blocks = grid[2] > UINT64_MAX / of.n_blocks ? UINT64_MAX : of.n_blocks * grid[2];
  for (uint32_t loop = 0; loop < p->kernel->n_loops; ++loop) {
    of.on_lane |= p->facts[loop].on_lane;
    of.on_block |= p->facts[loop].on_block;
  }
  return dc__samples_choose(&of, p->samples, &walk->some_blocks, &walk->some_warps);
}

void dc__plan_set_warp(const dc__plan *p, const dc_warp_sample *sample, const uint32_t *grid,
                       dc_walk *walk) {
  const uint32_t *dims = p->block;
  uint32_t threads = dims[0] * dims[1] * dims[2], first = sample->warp * DC_WARP;
  ++walk->walked;
  walk->lanes = threads - first < DC_WARP ? threads - first : DC_WARP;
  for (unsigned lane = 0; lane < walk->lanes; ++lane) {
    uint32_t thread = first + lane;
    dc_expr_environment *environment = &walk->environments[lane];
    *environment = (dc_expr_environment){
        .ntid = {dims[0], dims[1], dims[2]},
        .nctaid = {grid[0], grid[1], grid[2]},
        .ctaid = {(int64_t)(sample->block % grid[0]), (int64_t)(sample->block / grid[0] % grid[1]),
                  (int64_t)(sample->block / grid[0] / grid[1])},
        .tid = {thread % dims[0], thread / dims[0] % dims[1], thread / dims[0] / dims[1]},
        .lane = lane,
        .params = p->params,
        .params_known = p->params_known,
        .params_assumed = p->params_assumed,
        .n_params = p->kernel->n_params,
        .iv = p->iv,
        .n_iv = p->kernel->n_loops};
  }
}

static unsigned common_divisor(unsigned a, unsigned b) { return b ? common_divisor(b, a % b) : a; }

static bool nearly(double a, double b) { return fabs(a - b) <= ALIKE * fmax(fabs(a), fabs(b)); }

// Whether the walk finds that all samples execute as much, with as many lanes.
static bool are_alike(const dc_warp_sample *samples, unsigned n) {
  const dc_warp_sample *first = &samples[0];
  for (unsigned k = 1; k < n; ++k) {
    double scale = first->weight / samples[k].weight;
    if (!nearly(first->walked.cycles, scale * samples[k].walked.cycles) ||
        !nearly(first->walked.lane_instructions, scale * samples[k].walked.lane_instructions))
      return false;
  }
  return true;
}

// Emulates the samples, or as many as can be, spread evenly: the next is a golden section of all of
// them away. Some stand for the others only where these are alike.
static void emulate_warps(dc__plan *p, const uint32_t *grid, unsigned n, dc_walk *walk) {
  unsigned step = (unsigned)(0.381966 * n) + 1;
  while (common_divisor(n, step) != 1)
    ++step;
  unsigned k = 0;
  dc__emulated_begin(&p->emulated);
  for (; k < n && dc__emulated_has_room(&p->emulated, k); ++k) {
    const dc_warp_sample *sample = &p->samples[k * step % n];
    dc__plan_set_warp(p, sample, grid, walk);
    dc__emulated_add_warp(&p->emulated, walk, sample->weight);
  }
  p->emulated.valid &= k == n || are_alike(p->samples, n);
}

// Each loop's cycles, as far as lanes idle in them, are charged to the loops that these lanes left.
static void charge_losses(const dc__plan *p, dc_walk *walk) {
  const dc_loop *loops = p->kernel->loops;
  for (uint32_t loop = 0; loop < p->kernel->n_loops; ++loop)
    for (uint32_t at = loop; at != DC_NONE; at = loops[at].parent)
      if (loops[at].depth <= DC_WALK_DEPTH)
        walk->sums[at].lost += walk->sums[loop].lost_to[loops[at].depth - 1];
}

// As many as cover a value: in x; where the kernel asks for blockIdx.y, in x and in y. Where it
// numbers the blocks of all rows, all together cover it, in as many rows as columns.
static int64_t cover(int64_t value, int64_t threads) {
  return value > 0 ? (value - 1) / threads + 1 : 1;
}

static uint32_t assumed_blocks(const dc__plan *p, unsigned axis, int64_t value) {
  const uint32_t *block = p->block;
  if (axis > p->in_rows)
    return 1;
  bool by_axis = p->in_rows && !p->numbered;
  int64_t threads = by_axis ? block[axis] : (int64_t)block[0] * block[1] * block[2];
  int64_t blocks = cover(value, threads);
  if (p->numbered) {
    int64_t columns = (int64_t)ceil(sqrt((double)blocks));
    blocks = axis == 0 ? columns : cover(blocks, columns);
  }
  return blocks > GRID_MAX ? GRID_MAX : (uint32_t)blocks;
}

// Of a block that isn't known one that isn't whole warps: 100 threads, 10 * 10, 5 * 5 * 4. One
// whose rows are whole warps stays, for they are likely to be known; and so does one of which too
// many threads would come.
static void choose_block(const uint32_t launched[3], bool odd, uint32_t block[3]) {
  bool rows = launched[0] % DC_WARP == 0 && launched[1] * launched[2] > 1;
  for (unsigned axis = 0; axis < 3; ++axis) {
    uint32_t n = launched[axis];
    block[axis] = !odd || rows || n <= 4 ? n : n > 16 ? 100 : n * 5 / 8;
  }
  if (block[0] * block[1] * block[2] > THREADS_MAX)
    memcpy(block, launched, 3 * sizeof *block);
}

void dc__plan_grid(dc__plan *p, dc_scenario of, uint32_t grid[3]) {
  choose_block(p->launch->block, of.odd_block, p->block);
  for (unsigned axis = 0; axis < 3; ++axis)
    grid[axis] = p->launch->grid[axis] ? p->launch->grid[axis] : assumed_blocks(p, axis, of.value);
}

// ---- all of it ----------------------------------------------------------------------------------

void dc__plan_begin(dc__plan *p, dc_scenario of, const uint32_t *grid, uint64_t operations,
                    dc_walk *walk) {
  int64_t threads = (int64_t)p->block[0] * p->block[1] * p->block[2];
  walk->kernel = p->kernel;
  walk->arch = p->arch;
  walk->flow = &p->flow[of.choice];
  walk->alike = p->alike;
  walk->block_lanes = p->block_lanes;
  walk->branch_lanes = p->branch_lanes;
  walk->sides_of = p->sides_of;
  walk->come = p->come;
  walk->facts = p->facts;
  walk->distributions = p->distributions;
  walk->guards = &p->guards;
  walk->spread = of.spread;
  walk->length = of.length;
  walk->operations = operations;
  walk->drawn = false;
  double threads_all = (double)threads * grid[0] * grid[1] * grid[2];
  walk->grid_assumed = p->launch->grid[0] == 0;
  bool more = !walk->grid_assumed && of.of_figures && of.value < threads_all && threads_all < 1e12;
  walk->assumed = more ? (int64_t)threads_all : of.value;
  for (uint32_t k = 0; k < p->kernel->n_params; ++k)
    p->params_assumed[k] = dc__assumed_small(&p->kernel->params[k], walk->assumed);
  walk->sums = p->sums;
  walk->unrolled = p->unrolled;
  walk->passes = p->passes;
  walk->written = p->written;
  walk->entries = p->entries;
  walk->visits = p->visits;
  walk->retries = p->retries;
  walk->choice = of.choice;
  walk->iv = p->iv;
  walk->executed = (dc_executed){0};
  walk->spills = 0;
  for (uint32_t loop = 0; loop < p->kernel->n_loops; ++loop) {
    p->sums[loop] = (dc_loop_sums){.bounded = true};
    p->unrolled[loop].known = 0;
    p->iv[loop] = -1;
  }
  memset(p->passes, 0, (p->kernel->n_loops + 1u) * sizeof *p->passes);
  memset(p->written, 0, (p->kernel->n_loops + 1u) * sizeof *p->written);
  memset(p->entries, 0, (p->kernel->n_loops + 1u) * sizeof *p->entries);
  memset(p->visits, 0, p->kernel->n_blocks * sizeof *p->visits);
}

// The part of a grid that has items: as far as they go along each axis, or one block after the
// other.
static void find_busy(const dc__plan *p, const uint32_t grid[3], int64_t items, uint32_t busy[3]) {
  const uint32_t *block = p->block;
  int64_t threads = (int64_t)block[0] * block[1] * block[2], left = cover(items, threads);
  bool by_axis = grid[1] * grid[2] > 1 && !p->numbered;
  for (unsigned axis = 0; axis < 3; ++axis) {
    int64_t blocks = by_axis ? cover(items, block[axis]) : left;
    busy[axis] = blocks < grid[axis] ? (uint32_t)blocks : grid[axis];
    left = cover(left, grid[axis]);
  }
}

// Whether a block is beyond a part of the grid, along each axis that the part cuts.
static bool is_beyond(uint64_t block, const uint32_t grid[3], const uint32_t part[3]) {
  uint64_t row = block / grid[0];
  const uint64_t at[3] = {block % grid[0], row % grid[1], row / grid[1]};
  bool beyond = true;
  for (unsigned axis = 0; axis < 3; ++axis)
    beyond &= part[axis] == grid[axis] || at[axis] >= part[axis];
  return beyond;
}

// Keeps those of the samples that are beyond a part of the grid, for all that isn't in it. Returns
// how many there are.
static unsigned keep_beyond(dc_warp_sample *samples, unsigned n, const uint32_t grid[3],
                            const uint32_t part[3], double share) {
  double weight = 0;
  unsigned kept = 0;
  for (unsigned k = 0; k < n; ++k)
    if (is_beyond(samples[k].block, grid, part)) {
      weight += samples[k].weight;
      samples[kept++] = samples[k];
    }
  for (unsigned k = 0; k < kept; ++k)
    samples[k].weight *= (1 - share) / weight;
  return kept;
}

// At the ends of what is expected most warps of a grid that is known may have no item. Then some of
// those that have, and where these end, are walked by themselves.
static unsigned choose_warps(dc__plan *p, dc_scenario of, const uint32_t grid[3], unsigned most,
                             dc_walk *walk) {
  enum { OF_BUSY = 9 };
  uint32_t part[3];
  find_busy(p, grid, of.value, part);
  double share = (double)part[0] * part[1] * part[2] / ((double)grid[0] * grid[1] * grid[2]);
  if (of.of_figures || walk->grid_assumed || share >= 1)
    return dc__plan_choose_warps(p, grid, most, false, walk);
  dc_warp_sample busy[OF_BUSY];
  unsigned n_busy = dc__plan_choose_warps(p, part, OF_BUSY, true, walk);
  memcpy(busy, p->samples, n_busy * sizeof *busy);
  unsigned n = dc__plan_choose_warps(p, grid, most, false, walk);
  if (!walk->some_blocks && !walk->some_warps)
    return n;
  unsigned others = keep_beyond(p->samples, n, grid, part, share);
  for (unsigned k = 0; k < n_busy; ++k) {
    uint64_t row = busy[k].block / part[0], at = busy[k].block % part[0];
    busy[k].block = at + grid[0] * (row % part[1] + grid[1] * (row / part[1]));
    busy[k].weight *= others > 0 ? share : 1;
    p->samples[others + k] = busy[k];
  }
  return others + n_busy;
}

unsigned dc__plan_walk_warps(dc__plan *p, dc_scenario of, unsigned all, uint32_t grid[3],
                             dc_walk *walk) {
  dc__plan_grid(p, of, grid);
  dc__plan_begin(p, of, grid, EVALUATIONS / all, walk);
  double budget = all > 1 ? (double)BUDGET_ASSUMED / all : BUDGET, most = budget / (p->cost + 1);
  unsigned room = all > 1 ? DC_WARPS_ASSUMED / all : DC_WARPS_MAX;
  unsigned n = choose_warps(p, of, grid, most > room ? room : (unsigned)most, walk);
  for (unsigned k = 0; k < n; ++k) {
    dc_executed before = walk->executed;
    dc__plan_set_warp(p, &p->samples[k], grid, walk);
    walk->offset = dc__scenario_offset(of, k);
    if (walk->reader)
      dc__reader_warp(walk->reader, walk);
    dc__walk_warp(walk, p->first_loop, p->samples[k].weight, budget / n);
    p->samples[k].walked.cycles = walk->executed.cycles - before.cycles;
    p->samples[k].walked.lane_instructions =
        walk->executed.lane_instructions - before.lane_instructions;
  }
  return n;
}

void dc__plan_walk(dc__plan *p, dc_scenario of, unsigned all, dc_walk *walk) {
  uint32_t grid[3];
  unsigned n = dc__plan_walk_warps(p, of, all, grid, walk);
  dc__account_visits(walk);
  p->emulated.valid = false;
  if (of.choice == DC_CHOICE_EVEN && !walk->drawn) // nothing is assumed of targets or trips here
    emulate_warps(p, grid, n, walk);
  dc__emulated_apply(&p->emulated, walk);
  dc__contention_add(walk);
  charge_losses(p, walk);
  p->used_choice |= !p->emulated.valid && walk->flow->assumed;
}
