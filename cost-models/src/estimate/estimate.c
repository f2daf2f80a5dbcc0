// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The estimate as a whole: which warps of the launch are walked (an even sample, within the
// budget), under which assumptions (scenarios.c; each combination that matters), and the intervals
// of the figures over these.
#include "estimate/estimate_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Operations for a kernel and launch; and if there are assumptions, over all of them, which make
// more of a difference than any sampling.
#define BUDGET 100000
#define BUDGET_ASSUMED 40000

// Operations of expressions, over all lanes, for all assumptions. What is left when they are spent
// counts as not known, and its trips are assumed.
#define EVALUATIONS 2000000

#define WARPS_MAX 128 // of a launch that are walked, over all assumptions
#define ALIKE 0.01    // warps whose figures differ by no more

// Block dimensions that the host computes are expected to be as small as this.
#define THREADS_COMPUTED 8

// Machine instructions of a block are expected to be up to this many times more or fewer.
#define MACHINE_FACTOR 1.5

#define GRID_MAX 1024 // blocks of a grid that isn't known, in x or y

typedef struct plan {
  const dc_kernel *kernel;
  const dc_arch *arch;
  const dc_launch *launch;
  dc_flow flow[DC_CHOICE_COUNT];
  dc_loop_facts *facts;
  uint32_t first_loop;
  dc_distributions distributions;
  dc_guards guards;
  dc_control control;
  double *idle; // of each branch
  dc_varied varied;
  bool used_choice;
  int64_t *params, *iv;
  bool *params_known;
  uint32_t *block_lanes, (*branch_lanes)[2], *sides_of, *come;
  dc_loop_sums *sums;
  dc_unrolled *unrolled;
  dc_issued *passes, *rows;
  double (*entries)[DC_PART_COUNT][DC_WARP + 1];
  dc_visits *visits;
  dc_issued *retries;
  dc_warp_sample *samples;
  double cost;                              // of a warp
  bool branches_on_lane, branches_on_block; // what the conditions of branches mention
  bool in_rows;                             // and that is blockIdx.y
  bool numbered;   // blocks of all rows are numbered: gridDim.x * blockIdx.y + blockIdx.x
  double reissued; // instructions, by groups of lanes that diverged from others
  dc_emulated_sums emulated;
} plan;

// ---- warps --------------------------------------------------------------------------------------

// Fills plan->samples, and tells whether some are left out.
static unsigned choose_warps(plan *p, const uint32_t *grid, unsigned most, dc_walk *walk) {
  const uint32_t *dims = p->launch->block;
  dc_sampling of = {.threads = dims[0] * dims[1] * dims[2],
                    .rows = grid[1] * grid[2] > 1,
                    .on_lane = p->branches_on_lane,
                    .on_block = p->branches_on_block,
                    .most = most};
  of.n_blocks = (uint64_t)grid[0] * grid[1];
  of.n_blocks = grid[2] > UINT64_MAX / of.n_blocks ? UINT64_MAX : of.n_blocks * grid[2];
  for (uint32_t loop = 0; loop < p->kernel->n_loops; ++loop) {
    of.on_lane |= p->facts[loop].on_lane;
    of.on_block |= p->facts[loop].on_block;
  }
  return dc__samples_choose(&of, p->samples, &walk->some_blocks, &walk->some_warps);
}

static void set_warp(const plan *p, const dc_warp_sample *sample, const uint32_t *grid,
                     dc_walk *walk) {
  const uint32_t *dims = p->launch->block;
  uint32_t threads = dims[0] * dims[1] * dims[2], first = sample->warp * DC_WARP;
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
static void emulate_warps(plan *p, const uint32_t *grid, unsigned n, dc_walk *walk) {
  unsigned step = (unsigned)(0.381966 * n) + 1;
  while (common_divisor(n, step) != 1)
    ++step;
  unsigned k = 0;
  dc__emulated_begin(&p->emulated);
  for (; k < n && dc__emulated_has_room(&p->emulated, k); ++k) {
    const dc_warp_sample *sample = &p->samples[k * step % n];
    set_warp(p, sample, grid, walk);
    dc__emulated_add_warp(&p->emulated, walk, sample->weight);
  }
  p->emulated.valid &= k == n || are_alike(p->samples, n);
}

// Each loop's cycles, as far as lanes idle in them, are charged to the loops that these lanes left.
static void charge_losses(const plan *p, dc_walk *walk) {
  const dc_loop *loops = p->kernel->loops;
  for (uint32_t loop = 0; loop < p->kernel->n_loops; ++loop)
    for (uint32_t at = loop; at != DC_NONE; at = loops[at].parent)
      if (loops[at].depth <= DC_WALK_DEPTH)
        walk->sums[at].lost += walk->sums[loop].lost_to[loops[at].depth - 1];
}

// As many as cover a value: in x; where the kernel asks for blockIdx.y, in x and in y. Where it
// numbers the blocks of all rows, all together cover it, in as many rows as columns.
static uint32_t assumed_blocks(const plan *p, unsigned axis, int64_t value) {
  const uint32_t *block = p->launch->block;
  if (axis > p->in_rows)
    return 1;
  bool by_axis = p->in_rows && !p->numbered;
  int64_t threads = by_axis ? block[axis] : (int64_t)block[0] * block[1] * block[2];
  int64_t cover = value > 0 ? (value - 1) / threads + 1 : 1;
  if (p->numbered) {
    int64_t columns = (int64_t)ceil(sqrt((double)cover));
    cover = axis == 0 ? columns : (cover + columns - 1) / columns;
  }
  return cover > GRID_MAX ? GRID_MAX : (uint32_t)cover;
}

// `depth`: of products and casts that are looked into.
static bool has_factor(const dc_expr_pool *pool, dc_expr e, dc_expr_op op, int64_t i,
                       unsigned depth) {
  const dc_expr_node *node = &pool->nodes[e];
  bool is_product = node->op == DC_OP_MUL;
  if (is_product || node->op == DC_OP_ZEXT || node->op == DC_OP_SEXT || node->op == DC_OP_TRUNC)
    return depth > 0 && (has_factor(pool, node->a, op, i, depth - 1) ||
                         (is_product && has_factor(pool, node->b, op, i, depth - 1)));
  return node->op == op && node->i == i;
}

// Whether the kernel has a product of gridDim.x and blockIdx.y.
static bool numbers_blocks(const dc_expr_pool *pool) {
  enum { DEPTH = 4 };
  for (dc_expr e = 0; e < pool->count; ++e)
    if (pool->nodes[e].op == DC_OP_MUL && has_factor(pool, e, DC_OP_NCTAID, 0, DEPTH) &&
        has_factor(pool, e, DC_OP_CTAID, 1, DEPTH))
      return true;
  return false;
}

// Walks the launch under one of `all` combinations of assumptions.
static void walk_launch(plan *p, dc_scenario of, unsigned all, dc_walk *walk) {
  dc_choice choice = of.choice;
  uint32_t grid[3];
  int64_t threads = (int64_t)p->launch->block[0] * p->launch->block[1] * p->launch->block[2];
  for (unsigned axis = 0; axis < 3; ++axis)
    grid[axis] = p->launch->grid[axis] ? p->launch->grid[axis] : assumed_blocks(p, axis, of.value);
  walk->kernel = p->kernel;
  walk->arch = p->arch;
  walk->flow = &p->flow[choice];
  walk->block_lanes = p->block_lanes;
  walk->branch_lanes = p->branch_lanes;
  walk->sides_of = p->sides_of;
  walk->come = p->come;
  walk->facts = p->facts;
  walk->distributions = &p->distributions;
  walk->guards = &p->guards;
  walk->spread = of.spread;
  walk->length = of.length;
  walk->operations = EVALUATIONS / all;
  walk->drawn = false;
  double threads_all = (double)threads * grid[0] * grid[1] * grid[2];
  walk->grid_assumed = p->launch->grid[0] == 0;
  bool more = !walk->grid_assumed && of.value < threads_all && threads_all < 1e12;
  walk->assumed = more ? (int64_t)threads_all : of.value;
  walk->sums = p->sums;
  walk->unrolled = p->unrolled;
  walk->passes = p->passes;
  walk->entries = p->entries;
  walk->visits = p->visits;
  walk->retries = p->retries;
  walk->choice = choice;
  walk->iv = p->iv;
  walk->executed = (dc_executed){0};
  walk->spills = 0;
  for (uint32_t loop = 0; loop < p->kernel->n_loops; ++loop) {
    p->sums[loop] = (dc_loop_sums){.bounded = true};
    p->unrolled[loop].known = 0;
    p->iv[loop] = -1;
  }
  memset(p->passes, 0, (p->kernel->n_loops + 1u) * sizeof *p->passes);
  memset(p->entries, 0, (p->kernel->n_loops + 1u) * sizeof *p->entries);
  memset(p->visits, 0, p->kernel->n_blocks * sizeof *p->visits);
  double budget = all > 1 ? (double)BUDGET_ASSUMED / all : BUDGET, most = budget / (p->cost + 1);
  unsigned room = WARPS_MAX / all;
  unsigned n = choose_warps(p, grid, most > room ? room : (unsigned)most, walk);
  for (unsigned k = 0; k < n; ++k) {
    dc_executed before = walk->executed;
    set_warp(p, &p->samples[k], grid, walk);
    walk->offset = dc__scenario_offset(of, k);
    if (walk->reader)
      dc__reader_warp(walk->reader, walk);
    dc__walk_warp(walk, p->first_loop, p->samples[k].weight, budget / n);
    p->samples[k].walked.cycles = walk->executed.cycles - before.cycles;
    p->samples[k].walked.lane_instructions =
        walk->executed.lane_instructions - before.lane_instructions;
  }
  dc__account_visits(walk);
  p->emulated.valid = false;
  if (choice == DC_CHOICE_EVEN && !walk->drawn) // nothing is assumed of targets or trips here
    emulate_warps(p, grid, n, walk);
  dc__emulated_apply(&p->emulated, walk);
  dc__contention_add(walk);
  charge_losses(p, walk);
  p->used_choice |= !p->emulated.valid && walk->flow->assumed;
}

// ---- figures ------------------------------------------------------------------------------------

static const dc_interval not_known = {-1, -1};

static void widen(dc_interval *interval, double value, bool first) {
  if (first)
    *interval = not_known;
  if (!(value >= 0)) // not known under these assumptions
    return;
  if (interval->low < 0)
    interval->low = interval->high = value;
  else if (value < interval->low)
    interval->low = value;
  else if (value > interval->high)
    interval->high = value;
}

static void keep_within(dc_interval *inner, dc_interval outer) {
  if (inner->low < 0 || outer.low < 0)
    return;
  inner->low = fmin(fmax(inner->low, outer.low), outer.high);
  inner->high = fmax(fmin(inner->high, outer.high), inner->low);
}

static double ratio(double a, double b) { return b > 0 ? a / b : -1; }

// The mean of E[imbalance] over the entries of a loop: of evaluated ones, and of those with a
// distribution.
static double expected_imbalance(const plan *p, const dc_walk *walk, uint32_t loop) {
  const dc_loop_sums *sums = &p->sums[loop];
  const dc_loop_facts *facts = &p->facts[loop];
  int number =
      facts->distribution >= 0 ? facts->distribution : facts->assumed_distribution[walk->spread];
  dc_distribution_entry *distribution = number >= 0 ? p->distributions.entries[number] : NULL;
  double sum = sums->imbalance, entries = 0, lanes = 0;
  unsigned different = 0;
  for (unsigned j = 1; j <= DC_WARP; ++j) {
    entries += sums->by_lanes[j];
    lanes += sums->by_lanes[j] * j;
    different += sums->by_lanes[j] > 0;
  }
  if (distribution && different > 4) { // costly, and smooth in the number of lanes
    double mean = lanes / entries;
    unsigned below = (unsigned)mean;
    double above = mean - below;
    sum += entries * (1 - above) * dc__distribution_imbalance(distribution, below);
    if (above > 0)
      sum += entries * above * dc__distribution_imbalance(distribution, below + 1);
  } else if (distribution) {
    for (unsigned j = 1; j <= DC_WARP; ++j)
      if (sums->by_lanes[j] > 0)
        sum += sums->by_lanes[j] * dc__distribution_imbalance(distribution, j);
  }
  return ratio(sum, sums->entries);
}

// Issue cycles of each loop, inner loops included.
static void add_bodies(const plan *p, double *body) {
  for (uint32_t loop = 0; loop < p->kernel->n_loops; ++loop)
    body[loop] = p->sums[loop].cycles;
  for (uint32_t loop = p->kernel->n_loops; loop-- > 0;)
    if (p->kernel->loops[loop].parent != DC_NONE)
      body[p->kernel->loops[loop].parent] += body[loop];
}

// Cycles that managing a loop's lanes takes.
static double managing_of(const plan *p, uint32_t loop) {
  const dc_loop_sums *sums = &p->sums[loop];
  return sums->exits * p->arch->divergent_exit + sums->spills * p->arch->spill;
}

// The share of the kernel's cycles that a loop loses.
static double share_of(const plan *p, uint32_t loop, double kernel_cycles) {
  if (p->flow[0].detached[loop] || !(kernel_cycles > 0))
    return 0;
  return (p->sums[loop].lost + (p->arch->has_cycles ? managing_of(p, loop) : 0)) / kernel_cycles;
}

static void add_loop(const plan *p, const dc_walk *walk, uint32_t loop, double body,
                     double kernel_cycles, bool first, dc_loop_estimate *out) {
  const dc_loop_sums *sums = &p->sums[loop];
  const dc_arch *arch = p->arch;
  bool part = !p->flow[0].detached[loop], cycles = part && arch->has_cycles;
  double share = share_of(p, loop, kernel_cycles),
         aggregate = ratio(sums->slots, sums->lane_iterations);
  if (sums->visited && sums->lane_iterations == 0)
    aggregate = 1;
  if (first || sums->from > out->from)
    out->from = sums->from;
  widen(&out->entries, part ? sums->entries : -1, first);
  widen(&out->mean_trips, ratio(sums->lane_iterations, sums->lanes), first);
  widen(&out->expected, expected_imbalance(p, walk, loop), first);
  widen(&out->aggregate, aggregate, first);
  widen(&out->efficiency, ratio(sums->lane_iterations, DC_WARP * sums->iterations), first);
  widen(&out->divergent_exits, ratio(sums->exits, sums->entries), first);
  widen(&out->stack_depth, arch->rules == DC_RULES_STACK ? ratio(sums->depth, sums->entries) : -1,
        first);
  widen(&out->body, cycles ? body : -1, first);
  widen(&out->imbalance, cycles ? sums->lost : -1, first);
  widen(&out->reconvergence, cycles ? managing_of(p, loop) : -1, first);
  widen(&out->share, share, first);
  out->least_share = first ? share : fmin(out->least_share, share);
  double worst = sums->visited && sums->bounded ? sums->worst : -1;
  if (first || worst < 0 || (out->worst >= 0 && worst > out->worst))
    out->worst = first || out->worst >= 0 ? worst : out->worst;
}

static void add_branches(const plan *p, const dc_walk *walk, bool first, dc_estimate *out) {
  dc__attribute_branches(walk, &p->control, p->idle);
  for (uint32_t k = 0; k < out->n_branches; ++k) {
    bool told = walk->flow->masked[k] || p->emulated.valid;
    if (first || !told)
      out->branches[k].from = told ? DC_FROM_DERIVED : DC_FROM_ASSUMED;
    widen(&out->branches[k].idle, p->idle[k], first);
  }
}

static void add_figures(plan *p, const dc_walk *walk, double *body, bool first, dc_scenario of,
                        dc_estimate *out) {
  const dc_arch *arch = p->arch;
  const dc_executed *executed = &walk->executed;
  double lost = 0, exits = 0, parted = 0, spills = walk->spills;
  add_bodies(p, body);
  for (uint32_t loop = 0; loop < p->kernel->n_loops; ++loop) {
    if (p->flow[0].detached[loop])
      continue;
    lost += p->sums[loop].lost;
    exits += p->sums[loop].exits;
    parted += p->emulated.valid ? p->sums[loop].exits : p->sums[loop].parted;
    spills += p->sums[loop].spills;
  }
  double managing = exits * arch->divergent_exit + executed->branches * arch->divergent_branch +
                    spills * arch->spill;
  double cycles = executed->cycles + managing;
  // Each group that diverged from others comes to the end of its region by itself.
  double issued = executed->instructions;
  if (dc__is_counted(p->kernel))
    issued += parted + executed->branches;
  p->reissued = issued - executed->instructions;
  dc_interval efficiency = dc__account_efficiency(walk, p->reissued, MACHINE_FACTOR, p->rows);
  widen(&out->expected_efficiency, efficiency.low, first);
  widen(&out->expected_efficiency, efficiency.high, false);
  if (!of.of_figures) {
    for (uint32_t loop = 0; loop < p->kernel->n_loops && of.length != DC_LENGTH_MEAN; ++loop)
      out->loops[loop].least_share = fmin(out->loops[loop].least_share, share_of(p, loop, cycles));
    return;
  }
  if (of.choice != DC_CHOICE_ALIKE) // where none idle
    add_branches(p, walk, first, out);
  for (uint32_t loop = 0; loop < p->kernel->n_loops; ++loop)
    add_loop(p, walk, loop, body[loop], cycles, first, &out->loops[loop]);
  widen(&out->cycles, arch->has_cycles ? cycles : -1, first);
  widen(&out->imbalance, arch->has_cycles ? lost : -1, first);
  widen(&out->reconvergence, arch->has_cycles ? managing : -1, first);
  widen(&out->instructions, issued, first);
  widen(&out->efficiency, ratio(executed->lane_instructions, DC_WARP * issued), first);
  out->emulated = p->emulated.valid && (first || out->emulated);
  out->sampled |= walk->some_warps || walk->some_blocks || walk->some_points;
  widen(&out->divergent_branches, parted + executed->branches, first);
}

// ---- assumptions --------------------------------------------------------------------------------

// Which assumptions will matter, as far as the expressions tell.
static void foresee(plan *p) {
  for (uint32_t loop = 0; loop < p->kernel->n_loops; ++loop) {
    const dc_loop_facts *facts = &p->facts[loop];
    const dc_loop *data = &p->kernel->loops[loop];
    bool evaluable =
        facts->evaluable && (facts->unknown <= 1 || data->loop_class == DC_CLASS_LANE_AFFINE);
    if (facts->distribution >= 0)
      continue;
    p->varied.values |=
        evaluable && (facts->unknown > 0 || (facts->on_grid && p->launch->grid[0] == 0));
    p->varied.distributions |=
        !evaluable && data->level >= DC_DIVERGENT && data->loop_class != DC_CLASS_STRIDED;
  }
}

// ---- all of it ----------------------------------------------------------------------------------

static dc_status find_distributions(plan *p, dc_error *error) {
  for (uint32_t loop = 0; loop < p->kernel->n_loops; ++loop) {
    const char *text = dc_kernel_text(p->kernel, p->kernel->loops[loop].distribution);
    if (!text[0])
      continue;
    dc_error inner = {0};
    p->facts[loop].distribution =
        dc__distributions_find(&p->distributions, text, p->kernel->loops[loop].correlation, &inner);
    if (p->facts[loop].distribution < 0)
      return dc_fail(error, inner.status, "loops[%u].distribution: %.200s", (unsigned)loop,
                     inner.text);
  }
  return DC_OK;
}

static bool find_assumed_distributions(plan *p, dc_error *error) {
  for (uint32_t loop = 0; loop < p->kernel->n_loops; ++loop) {
    dc_loop_facts *facts = &p->facts[loop];
    const dc_loop *data = &p->kernel->loops[loop];
    if (facts->distribution >= 0 || data->level < DC_DIVERGENT ||
        data->loop_class == DC_CLASS_STRIDED)
      continue;
    for (unsigned k = 0; k < DC_SPREAD_COUNT; ++k) {
      const char *text = k == DC_SPREAD_NARROW  ? facts->assumed.low
                         : k == DC_SPREAD_HEAVY ? facts->assumed.heavy
                                                : facts->assumed.high;
      double alike = k == DC_SPREAD_ALIKE;
      facts->assumed_distribution[k] =
          dc__distributions_find(&p->distributions, text, alike, error);
      if (facts->assumed_distribution[k] < 0)
        return false;
    }
  }
  return true;
}

// Walks every combination of assumptions that matters. What was not foreseen (a division by zero in
// one lane, say) shows in the walk; then everything is walked again.
static dc_status walk_assumptions(plan *p, double *body, dc_walk *walk, dc_estimate *out,
                                  dc_error *error) {
  for (;;) {
    if (p->varied.distributions && !find_assumed_distributions(p, error))
      return DC_ERROR_MEMORY;
    dc_scenario scenarios[DC_SCENARIOS_MAX];
    unsigned figures, all = dc__scenarios_list(p->varied, scenarios, &figures);
    walk->used_assumed = walk->used_distribution = walk->used_length = p->used_choice = false;
    walk->unknown_sides = walk->some_points = walk->assumed_addresses = false;
    for (unsigned k = 0; k < all; ++k) {
      dc_status status = k == 0 ? dc__reader_begin(p->kernel, p->launch, &walk->reader, error)
                                : DC_OK; // of the first alone
      if (status != DC_OK)
        return status;
      walk_launch(p, scenarios[k], k < figures ? figures : 2 * DC_SCENARIOS_ENDS, walk);
      if (walk->reader)
        dc__reader_finish(walk->reader, out->accesses);
      dc__reader_free(walk->reader);
      walk->reader = NULL;
      add_figures(p, walk, body, k == 0, scenarios[k], out);
    }
    bool more_values = walk->used_assumed && !p->varied.values;
    bool more_distributions = walk->used_distribution && !p->varied.distributions;
    bool more_targets = (p->used_choice || walk->assumed_addresses) && !p->varied.choice;
    bool assumed = walk->used_assumed || walk->used_distribution || walk->used_length ||
                   p->used_choice || walk->grid_assumed || walk->assumed_addresses ||
                   walk->some_warps || walk->some_blocks ||
                   (!p->emulated.valid && (walk->unknown_sides || walk->some_points));
    out->certain_efficiency =
        dc__certain_efficiency(walk, p->launch, assumed, p->reissued, p->rows);
    bool few = p->launch->from == DC_BLOCK_COMPUTED; // less than a warp, maybe
    if (few && out->expected_efficiency.low > 0)
      out->expected_efficiency.low *= (double)THREADS_COMPUTED / DC_WARP;
    keep_within(&out->expected_efficiency, out->certain_efficiency);
    bool more_lengths = (walk->used_length || walk->used_assumed) && !p->varied.lengths;
    if (!more_values && !more_distributions && !more_targets && !more_lengths)
      return DC_OK;
    p->varied.lengths |= more_lengths;
    p->varied.values |= more_values;
    p->varied.distributions |= more_distributions;
    p->varied.choice |= more_targets;
  }
}

static dc_status prepare(plan *p, dc_error *error) {
  const dc_kernel *kernel = p->kernel;
  size_t loops = (size_t)kernel->n_loops + 1, params = (size_t)kernel->n_params + 1;
  dc_status status = DC_OK;
  p->facts = calloc(loops, sizeof *p->facts);
  p->sums = calloc(loops, sizeof *p->sums);
  p->unrolled = calloc(loops, sizeof *p->unrolled);
  p->passes = calloc(loops, sizeof *p->passes);
  p->entries = calloc(loops, sizeof *p->entries);
  p->visits = calloc(kernel->n_blocks + 1u, sizeof *p->visits);
  p->retries = calloc(kernel->n_blocks + 1u, sizeof *p->retries);
  p->rows = calloc(2u * kernel->n_blocks + loops, sizeof *p->rows);
  p->iv = calloc(loops, sizeof *p->iv);
  p->params = calloc(params, sizeof *p->params);
  p->params_known = calloc(params, sizeof *p->params_known);
  p->samples = calloc(WARPS_MAX, sizeof *p->samples);
  p->block_lanes = calloc(kernel->n_blocks + 1u, sizeof *p->block_lanes);
  p->branch_lanes = calloc(kernel->n_branches + 1u, sizeof *p->branch_lanes);
  p->sides_of = calloc(loops, sizeof *p->sides_of);
  p->come = calloc(loops, sizeof *p->come);
  p->idle = calloc(kernel->n_branches + 1u, sizeof *p->idle);
  if (!p->branch_lanes || !p->sides_of || !p->come || !p->idle || !p->passes || !p->entries ||
      !p->visits || !p->retries || !p->rows || !p->block_lanes || !p->facts || !p->sums ||
      !p->unrolled || !p->iv || !p->params || !p->params_known || !p->samples) {
    dc_fail(error, DC_ERROR_MEMORY, "out of memory for a kernel of %u loops",
            (unsigned)kernel->n_loops);
    return DC_ERROR_MEMORY;
  }
  for (uint32_t k = 0; k < kernel->n_params; ++k) {
    p->params[k] = kernel->params[k].value;
    p->params_known[k] = kernel->params[k].known;
  }
  for (uint32_t k = 0; k < kernel->n_branches; ++k) {
    dc_expr condition = kernel->branches[k].condition;
    if (condition == DC_NO_EXPR)
      continue;
    p->branches_on_lane |= dc_expr_mentions(&kernel->pool, condition, DC_OP_TID, -1) ||
                           dc_expr_mentions(&kernel->pool, condition, DC_OP_LANE, -1);
    p->branches_on_block |= dc_expr_mentions(&kernel->pool, condition, DC_OP_CTAID, -1);
    p->in_rows |= dc_expr_mentions(&kernel->pool, condition, DC_OP_CTAID, 1);
  }
  p->numbered = p->in_rows && numbers_blocks(&kernel->pool);
  status = dc__facts_build(kernel, p->facts, &p->first_loop, error);
  for (unsigned choice = 0; choice < DC_CHOICE_COUNT && status == DC_OK; ++choice)
    status = dc__flow_build(kernel, p->facts, p->arch, (dc_choice)choice, &p->flow[choice], error);
  for (uint32_t loop = p->first_loop; status == DC_OK && loop != DC_NONE;
       loop = p->facts[loop].next_sibling)
    p->cost += p->facts[loop].subtree_cost;
  if (status == DC_OK)
    status = dc__guards_find(kernel, &p->flow[0], &p->guards, error);
  if (status == DC_OK)
    status = dc__control_find(kernel, &p->flow[0], &p->control, error);
  for (uint32_t loop = 0; status == DC_OK && loop < kernel->n_loops; ++loop)
    p->facts[loop].inner_depend |= dc__guards_mention(&p->guards, kernel, loop);
  if (status == DC_OK)
    status = dc__emulated_prepare(kernel, p->arch, &p->emulated, error);
  return status == DC_OK ? find_distributions(p, error) : status;
}

static void free_plan(plan *p) {
  for (unsigned choice = 0; choice < DC_CHOICE_COUNT; ++choice)
    dc__flow_free(&p->flow[choice]);
  dc__distributions_free(&p->distributions);
  dc__guards_free(&p->guards);
  dc__control_free(&p->control);
  dc__emulated_free(&p->emulated);
  free(p->facts);
  free(p->sums);
  free(p->unrolled);
  free(p->passes);
  free(p->entries);
  free(p->visits);
  free(p->retries);
  free(p->rows);
  free(p->iv);
  free(p->params);
  free(p->params_known);
  free(p->samples);
  free(p->block_lanes);
  free(p->branch_lanes);
  free(p->sides_of);
  free(p->come);
  free(p->idle);
}

bool dc_estimate_arch(const dc_estimate *estimate, dc_arch *arch) {
  if (!estimate->arch.of_file)
    return dc_arch_find_sm(estimate->sm, arch, NULL) == DC_OK;
  *arch = estimate->arch;
  return true;
}

// Of a kernel without blocks nothing is known.
static void estimate_nothing(const dc_arch *arch, const dc_launch *launch, dc_estimate *out) {
  const dc_interval unknown = {-1, -1};
  *out = (dc_estimate){.sm = arch->sm,
                       .launch = *launch,
                       .cycles = unknown,
                       .imbalance = unknown,
                       .reconvergence = unknown,
                       .instructions = unknown,
                       .efficiency = unknown,
                       .expected_efficiency = unknown,
                       .certain_efficiency = unknown,
                       .divergent_branches = unknown};
  if (arch->of_file)
    out->arch = *arch;
}

static dc_status estimate_view(const dc_kernel *kernel, const dc_arch *arch,
                               const dc_launch *launch, dc_estimate *out, dc_error *error) {
  plan p = {.kernel = kernel, .arch = arch, .launch = launch, .first_loop = DC_NONE};
  if (kernel->n_blocks == 0) {
    estimate_nothing(arch, launch, out);
    return DC_OK;
  }
  double *body = calloc((size_t)kernel->n_loops + 1, sizeof *body);
  dc_walk *walk = calloc(1, sizeof *walk);
  dc_loop_estimate *loops = calloc((size_t)kernel->n_loops + 1, sizeof *loops);
  dc_branch_estimate *branches = calloc((size_t)kernel->n_branches + 1, sizeof *branches);
  dc_access_estimate *accesses = calloc((size_t)kernel->n_accesses + 1, sizeof *accesses);
  if (!body || !walk || !loops || !branches || !accesses) {
    free(body);
    free(walk);
    free(loops);
    free(branches);
    free(accesses);
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory for an estimate");
  }
  dc_status status = prepare(&p, error);
  if (status == DC_OK) {
    out->sm = arch->sm;
    if (arch->of_file)
      out->arch = *arch;
    out->launch = *launch;
    dc__estimate_occupancy(kernel, arch->sm, launch, &out->occupancy);
    out->loops = loops;
    out->n_loops = kernel->n_loops;
    out->branches = branches;
    out->n_branches = kernel->n_branches;
    out->accesses = accesses;
    out->n_accesses = kernel->n_accesses;
    dc__walk_begin(walk);
    foresee(&p);
    status = walk_assumptions(&p, body, walk, out, error);
  }
  if (status == DC_OK)
    status = dc_estimate_check(out, error);
  if (status != DC_OK) {
    free(loops);
    free(branches);
    free(accesses);
    memset(out, 0, sizeof *out);
  }
  free_plan(&p);
  free(body);
  free(walk);
  return status;
}

dc_status dc_estimate_kernel(const dc_kernel *kernel, const dc_arch *arch, const dc_launch *launch,
                             dc_estimate *out, dc_error *error) {
  dc_kernel view;
  memset(out, 0, sizeof *out);
  dc_status status = dc_kernel_in_block(kernel, launch->block, &view, error);
  if (status == DC_OK)
    status = estimate_view(&view, arch, launch, out, error);
  dc_kernel_leave_block(kernel, &view);
  return status;
}

void dc_estimate_free(dc_estimate *estimate) {
  free(estimate->loops);
  free(estimate->branches);
  free(estimate->accesses);
  memset(estimate, 0, sizeof *estimate);
}

dc_interval dc_loop_share(const dc_estimate *estimate, uint32_t loop) {
  return loop < estimate->n_loops ? estimate->loops[loop].share : (dc_interval){0, 0};
}
