// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One warp through the loop forest, outside-in. At every point a set of lanes is known that may be
// active, and for how many of them are, a measure: at[0][j] is how often (over all that led here) j
// of them are active, and which j is as good as any other. That is all that iid trip counts leave
// to know, so the following is exact:
// - a loop whose trips are evaluated splits the set: in iteration k the lanes with more than k
//   trips go on. If not all of the set were active, the number that goes on is hypergeometric;
// - a loop with a distribution keeps the set, and thins the number that is active binomially.
// A cycle spent in iteration k of a loop that was entered with e lanes and has a active is lost to
// the share (e - a) / (lanes of the warp), inner loops included. That is a measure too, one for
// each loop around: at[1 + d] for path[d]. It is carried inwards by the same linear maps, so that
// inner loops charge their cycles to the loops around them.
//
// Where the budget doesn't do, iterations are sampled evenly. The expected imbalance of an
// evaluated loop under an iid one is taken as its aggregate one.
#include "estimate/estimate_internal.h"

#include <math.h>
#include <string.h>

#define POINTS_MAX 4096 // iterations of a loop that are walked

// So few are walked whatever they cost, in one loop of a nest: one wouldn't stand for all where
// lanes differ in some of them, as in digits of an index.
#define POINTS_FEW 16
#define GROUPS_MAX 128 // of iterations of a loop with a distribution
#define FEW_LANES 8    // work for a thinned set, relative to a known one

void dc__walk_begin(dc_walk *walk) {
  for (unsigned n = 0; n <= DC_WARP; ++n)
    for (unsigned k = 0; k <= DC_WARP; ++k)
      walk->choose[n][k] = k > n              ? 0
                           : k == 0 || k == n ? 1
                                              : walk->choose[n - 1][k - 1] + walk->choose[n - 1][k];
}

static const dc_run no_run = {0, 0};

// ---- accounts -----------------------------------------------------------------------------------

static void add_executed(dc_executed *out, dc_executed more) {
  out->cycles += more.cycles;
  out->instructions += more.instructions;
  out->lane_instructions += more.lane_instructions;
  out->branches += more.branches;
}

// As account_body, where it is known which lanes come to which blocks.
static void account_sides(dc_walk *walk, uint32_t loop, const dc_active *here, dc_part part) {
  dc_executed more = dc__sides_account(walk, loop, here, part, walk->sums[loop].lost_to);
  add_executed(&walk->executed, more);
  walk->sums[loop].cycles += more.cycles;
}

// What it costs the warp to run a part of a loop with these lanes, and to which of the loops around
// (this one included, where `here` is inside) its cycles are lost. Instructions of iterations that
// aren't done one by one are counted by dc__account_unrolled, and where no loop is left none is
// tested.
static void account_body(dc_walk *walk, uint32_t loop, const dc_active *here, dc_part part,
                         dc_run run) {
  const dc_body *body = &walk->flow->bodies[part][loop];
  if (!body->used || here->size == 0)
    return;
  if (walk->reader && !walk->flow->detached[loop])
    dc__reader_add(walk->reader, walk, loop, here, part, run);
  if (walk->clock && !walk->flow->detached[loop])
    dc__clock_add(walk->clock, walk, loop, here, part);
  if (walk->flow->sided[loop]) {
    account_sides(walk, loop, here, part);
    return;
  }
  double cycles = 0, lanes = 0, instructions = 0, branches = 0;
  unsigned first = here->exact ? here->size : 1;
  for (unsigned j = first; j <= here->size; ++j) {
    double times = here->at[0][j];
    cycles += times * body->cycles[j];
    lanes += times * j;
    instructions += times * body->instructions[j];
    branches += times * body->branches[j];
  }
  for (unsigned d = 0; d + 1 < here->n; ++d) {
    double lost = 0;
    for (unsigned j = first; j <= here->size; ++j)
      lost += here->at[d + 1][j] * body->cycles[j];
    walk->sums[loop].lost_to[d] += lost;
  }
  dc_issued issued = {instructions, lanes * body->lane_instructions};
  if (part == DC_PART_ITERATION ? dc__is_unrolled(walk, loop) : dc__is_gone(walk, loop)) {
    walk->written[loop].instructions += issued.instructions;
    walk->written[loop].lane_instructions += issued.lane_instructions;
  } else {
    walk->executed.instructions += issued.instructions;
    walk->executed.lane_instructions += issued.lane_instructions;
    for (unsigned j = first; j <= here->size; ++j)
      walk->entries[loop][part][j] += here->at[0][j];
  }
  walk->executed.branches += branches;
  walk->executed.cycles += cycles;
  walk->sums[loop].cycles += cycles;
}

static void account_entry(dc_walk *walk, uint32_t loop, const dc_active *in,
                          const dc_trips *source) {
  dc_loop_sums *sums = &walk->sums[loop];
  sums->visited = true;
  sums->entries += dc__active_total(in, 0);
  sums->lanes += dc__active_lanes(in);
  if (source->from > sums->from)
    sums->from = source->from;
  account_body(walk, loop, in, DC_PART_TEST, no_run);
}

// Whether what was seen in this entry bounds what any warp meets.
static bool is_bounded(const dc_walk *walk, uint32_t loop, const dc_active *in,
                       const dc_trips *source) {
  const dc_loop_facts *facts = &walk->facts[loop];
  if (walk->kernel->loops[loop].level < DC_DIVERGENT)
    return true;
  if (source->from != DC_FROM_DERIVED || !in->exact || (walk->thinned && facts->around))
    return false;
  bool on_lanes = facts->on_lane || facts->on_grid || facts->around;
  bool on_blocks = facts->on_grid || facts->around;
  return !(walk->some_warps && on_lanes) && !(walk->some_blocks && on_blocks);
}

// ---- evaluated trips ----------------------------------------------------------------------------

void dc__segments_find(const dc_active *in, const dc_trips *source, dc_segments *out) {
  out->n = 0;
  out->sum = 0;
  out->some_zero = false;
  for (unsigned lane = 0; lane < DC_WARP; ++lane) {
    if (!(in->set >> lane & 1))
      continue;
    double count = source->count[lane];
    out->sum += count;
    out->some_zero |= count == 0;
    unsigned at = out->n;
    while (at > 0 && out->end[at - 1] > count)
      --at;
    if (count == 0 || (at > 0 && out->end[at - 1] == count))
      continue;
    memmove(&out->end[at + 1], &out->end[at], (out->n - at) * sizeof *out->end);
    out->end[at] = count;
    ++out->n;
  }
  for (unsigned k = 0; k <= out->n; ++k) {
    out->members[k] = 0;
    for (unsigned lane = 0; lane < DC_WARP; ++lane)
      if (in->set >> lane & 1 && source->count[lane] > (k == 0 ? 0 : out->end[k - 1]))
        out->members[k] |= UINT32_C(1) << lane;
  }
}

// Divergent exits of one entry with j of the set active, where `a` of the set leave and `b` stay.
double dc__chance_to_part(const dc_walk *walk, unsigned s, unsigned j, unsigned a, unsigned b) {
  double all = walk->choose[s][j];
  return (all - walk->choose[s - a][j] - walk->choose[s - b][j] + walk->choose[s - a - b][j]) / all;
}

static void account_iterations(dc_walk *walk, uint32_t loop, const dc_active *here, dc_run run) {
  walk->sums[loop].iterations += dc__active_total(here, 0);
  walk->sums[loop].lane_iterations += dc__active_lanes(here);
  if (!walk->flow->iterates[loop]) // else its blocks are walk_points's
    account_body(walk, loop, here, DC_PART_ITERATION, run);
}

static void account_evaluated(dc_walk *walk, uint32_t loop, const dc_active *in,
                              const dc_trips *source, const dc_segments *parts) {
  dc_loop_sums *sums = &walk->sums[loop];
  double exits_before = sums->exits;
  double most = parts->n ? parts->end[parts->n - 1] : 0;
  double entries = dc__active_total(in, 0);
  double worst = parts->n > 1 || parts->some_zero ? in->size * most / parts->sum : 1;
  if (parts->n == 0) // nobody iterates
    worst = 1;
  if (in->exact) {
    double exits = parts->n > 1 ? parts->n - 1 : 0;
    unsigned depth = parts->n > 1 ? parts->n : parts->n == 1 && parts->some_zero ? 2 : 1;
    sums->slots += entries * in->size * most;
    sums->imbalance += entries * worst;
    sums->exits += entries * exits;
    sums->depth += entries * depth;
    walk->executed.branches +=
        walk->facts[loop].in_front && parts->n && parts->some_zero ? entries : 0;
    sums->spills += entries * dc__spills_at_depth(depth, walk->arch);
  } else {
    double exits = 0, slots = 0, lanes = dc__active_lanes(in) * parts->sum / in->size, from = 0;
    unsigned enter = dc__lanes_count(parts->members[0]);
    for (unsigned j = 1; j <= in->size && walk->facts[loop].in_front; ++j)
      walk->executed.branches +=
          in->at[0][j] * dc__chance_to_part(walk, in->size, j, in->size - enter, enter);
    for (unsigned k = 0; k < parts->n; ++k) {
      unsigned here = dc__lanes_count(parts->members[k]),
               stay = dc__lanes_count(parts->members[k + 1]);
      for (unsigned j = 1; j <= in->size; ++j) {
        double some = 1 - walk->choose[in->size - here][j] / walk->choose[in->size][j];
        slots += in->at[0][j] * j * (parts->end[k] - from) * some;
        exits += in->at[0][j] * dc__chance_to_part(walk, in->size, j, here - stay, stay);
      }
      from = parts->end[k];
    }
    sums->slots += slots;
    sums->imbalance += entries * (lanes > 0 && slots > lanes ? slots / lanes : 1);
    sums->exits += exits;
    sums->depth += entries + exits;
  }
  if (!dc__is_unrolled(walk, loop))
    sums->parted += sums->exits - exits_before;
  bool bounded = is_bounded(walk, loop, in, source);
  sums->bounded &= bounded;
  if (worst > sums->worst)
    sums->worst = worst;
}

static void walk_loops(dc_walk *walk, uint32_t first, const dc_active *lanes, double budget,
                       double cost);

// The least cost of all loops directly in this one.
static double children_cost(const dc_walk *walk, uint32_t loop) {
  double cost = 0;
  for (uint32_t child = walk->facts[loop].first_child; child != DC_NONE;
       child = walk->facts[child].next_sibling)
    cost += walk->facts[child].subtree_cost;
  return cost;
}

// The blocks inside may have been passed with other lanes.
static void forget_sides(dc_walk *walk, uint32_t loop) {
  walk->sides_of[loop] = 0;
  for (uint32_t child = walk->facts[loop].first_child; child != DC_NONE;
       child = walk->facts[child].next_sibling)
    forget_sides(walk, child);
}

// Iterations of an evaluated loop, for its own blocks and the loops inside, where they differ or
// are too many: every one, or an even sample.
static void walk_points(dc_walk *walk, uint32_t loop, const dc_active *in, const dc_segments *parts,
                        double budget, double cost) {
  double most = parts->end[parts->n - 1], points = budget / cost;
  points = points > POINTS_MAX ? POINTS_MAX : points < 1 ? 1 : (double)(int)points;
  bool thinned = walk->thinned, overdrawn = walk->overdrawn;
  if (points < most && most <= POINTS_FEW && !thinned && !overdrawn) {
    walk->overdrawn = true;
    points = most;
  }
  if (points < most)
    walk->thinned = walk->some_points = true;
  else
    points = most < 1 ? 1 : (double)(int)most;
  dc_active here;
  unsigned part = 0;
  for (unsigned point = 0; point < points; ++point) {
    double k = points < most ? (double)(int64_t)((point + walk->offset) * most / points) : point;
    while (part + 1 < parts->n && parts->end[part] <= k)
      ++part;
    dc__active_restrict(walk, in, parts->members[part], most / points, &here);
    walk->iv[loop] = (int64_t)k;
    if (walk->flow->iterates[loop]) {
      dc__sides_find(walk, loop, here.set);
      forget_sides(walk, loop);
      account_body(walk, loop, &here, DC_PART_ITERATION, no_run);
    }
    walk_loops(walk, walk->facts[loop].first_child, &here, budget / points, cost);
  }
  walk->thinned = thinned;
  walk->overdrawn = overdrawn;
}

// Finding who comes to its own blocks, for an iteration.
static double blocks_cost(const dc_walk *walk, uint32_t loop) {
  return walk->flow->first_own[loop + 1] - walk->flow->first_own[loop] + DC_WARP;
}

static void walk_evaluated(dc_walk *walk, uint32_t loop, const dc_active *in,
                           const dc_trips *source, double budget) {
  dc_segments parts;
  dc_active here;
  dc__segments_find(in, source, &parts);
  account_evaluated(walk, loop, in, source, &parts);
  bool iterates = walk->flow->iterates[loop];
  double cost = children_cost(walk, loop) + (iterates ? blocks_cost(walk, loop) : 0), from = 0;
  bool apart = walk->draws && walk->facts[loop].draws_inside;
  bool merged = !walk->facts[loop].inner_depend && !iterates && !apart && parts.n * cost <= budget;
  bool inner = cost > 0 && parts.n > 0;
  if (parts.n > 0 &&
      walk->flow->bodies[DC_PART_END][loop].used) { // as often as the first iteration less
    dc__active_restrict(walk, in, parts.members[0], fmin(parts.end[0], 1), &here);
    account_body(walk, loop, &here, DC_PART_END, no_run);
  }
  for (unsigned k = 0; k < parts.n; ++k) {
    dc__active_restrict(walk, in, parts.members[k], parts.end[k] - from, &here);
    account_iterations(walk, loop, &here, (dc_run){from, parts.end[k] - from});
    if (inner && merged) {
      walk->iv[loop] = (int64_t)from;
      walk_loops(walk, walk->facts[loop].first_child, &here, budget / parts.n, cost);
    }
    from = parts.end[k];
  }
  if (inner && !merged)
    walk_points(walk, loop, in, &parts, budget, cost);
}

// ---- trips with a distribution ------------------------------------------------------------------

static void account_distribution(dc_walk *walk, uint32_t loop, const dc_active *in,
                                 dc_distribution_entry *distribution, const dc_trips *source) {
  dc_loop_sums *sums = &walk->sums[loop];
  double iterations = 0, lanes = 0;
  bool unrolled = dc__is_unrolled(walk, loop);
  const double *apart = dc__distribution_exits_apart(distribution, walk->facts[loop].ways);
  for (unsigned j = 1; j <= in->size; ++j) {
    double entries = in->exact && j < in->size ? 0 : in->at[0][j];
    if (entries == 0)
      continue;
    const dc_distribution_figures *figures = &distribution->figures[j];
    sums->by_lanes[j] += entries;
    sums->parted += unrolled ? 0 : entries * (figures->divergent_exits + apart[j]);
    sums->exits += entries * figures->divergent_exits;
    walk->executed.branches += walk->facts[loop].in_front ? entries * figures->divergent_guard : 0;
    sums->depth += entries * figures->depth;
    if (walk->arch->spill_entries)
      sums->spills += entries * dc__distribution_spills(distribution, j, walk->arch);
    sums->slots += entries * j * figures->maximum;
    iterations += entries * figures->maximum;
    lanes += entries * j * distribution->mean;
  }
  sums->iterations += iterations;
  sums->lane_iterations += lanes;
  double worst =
      source->from == DC_FROM_ASSUMED ? -1 : dc__distribution_worst(distribution, in->size);
  sums->bounded &= worst >= 0;
  if (worst > sums->worst)
    sums->worst = worst;
}

// A run of iterations of a distribution that is walked as one.
typedef struct group {
  double share, length;     // a lane's mean chance to take part, and how many iterations
  double weight, iteration; // iterations of the warp, and these times their number
  double row[DC_WARP + 1];  // as dc__distribution_row, for all lanes of the set
} group;

static void walk_group(dc_walk *walk, uint32_t loop, const dc_active *in,
                       const dc_distribution_entry *distribution, const group *run, double budget,
                       double cost) {
  dc_active here;
  dc__active_clear(in, &here);
  if (in->exact)
    dc__active_add(walk, in, in->size, run->row, &here);
  for (unsigned j = 1; j <= in->size && !in->exact; ++j) {
    double row[DC_WARP + 1] = {0};
    dc__distribution_lanes(distribution, row, j, run->share / run->length, run->length);
    dc__active_add(walk, in, j, row, &here);
  }
  double at = run->weight > 0 ? run->iteration / run->weight : 0;
  walk->iv[loop] = (int64_t)(at + 1e-6); // one iteration is its own mean, but for rounding
  walk_loops(walk, walk->facts[loop].first_child, &here, budget, cost);
}

// Iterations of a distribution for inner loops that depend on which one it is: cut into `most` runs
// at most, so that the warp spends about as many in each; a run stands at the mean of its
// iterations.
static void walk_groups(dc_walk *walk, uint32_t loop, const dc_active *in,
                        const dc_distribution_entry *distribution, double most, double budget,
                        double cost) {
  double all = 0, spent = 0, closed = 0;
  group run = {0};
  for (uint32_t k = 0; k < distribution->n_steps; ++k)
    all += distribution->steps[k].length *
           dc__distribution_some(distribution, in->size, distribution->steps[k].share);
  for (uint32_t k = 0; k < distribution->n_steps; ++k) {
    dc_distribution_step left = distribution->steps[k];
    double weight = dc__distribution_some(distribution, in->size, left.share);
    while (left.length > 0) {
      double room = all * (closed + 1) / most - spent;
      double take = weight > 0 ? floor(room / weight + 0.5) : left.length;
      take = take < 1 ? 1 : take > left.length || closed + 1 >= most ? left.length : take;
      run.share += take * left.share;
      run.length += take;
      run.weight += take * weight;
      run.iteration += take * weight * (left.first + (take - 1) / 2);
      if (in->exact)
        dc__distribution_lanes(distribution, run.row, in->size, left.share, take);
      spent += take * weight;
      left.first += take;
      left.length -= take;
      if (spent >= all * (closed + 1) / most * (1 - 1e-12) && closed + 1 < most) {
        walk_group(walk, loop, in, distribution, &run, budget / most, cost);
        run = (group){0};
        ++closed;
      }
    }
  }
  if (run.length > 0)
    walk_group(walk, loop, in, distribution, &run, budget / most, cost);
}

static void walk_distribution(dc_walk *walk, uint32_t loop, const dc_active *in,
                              const dc_trips *source, double budget) {
  dc_distribution_entry *distribution = source->distribution;
  double cost = children_cost(walk, loop);
  dc_active here;
  account_distribution(walk, loop, in, distribution, source);
  if (walk->flow->bodies[DC_PART_END][loop].used) { // as often as the first iteration less
    dc__active_thin(walk, in, dc__distribution_enter(distribution), distribution->alike, &here);
    account_body(walk, loop, &here, DC_PART_END, no_run);
  }
  dc__active_clear(in, &here);
  for (unsigned j = in->exact ? in->size : 1; j <= in->size; ++j) {
    const double *row = dc__distribution_row(distribution, j);
    if (row && in->at[0][j] != 0)
      dc__active_add(walk, in, j, row, &here);
  }
  account_body(walk, loop, &here, DC_PART_ITERATION, no_run);
  if (cost == 0)
    return;
  if (walk->facts[loop].inner_depend) {
    double most = floor(budget / (cost * FEW_LANES));
    walk_groups(walk, loop, in, distribution,
                most > GROUPS_MAX ? GROUPS_MAX
                : most < 1        ? 1
                                  : most,
                budget, cost);
    return;
  }
  walk_loops(walk, walk->facts[loop].first_child, &here, budget, cost);
}

// ---- the forest ---------------------------------------------------------------------------------

static void scale(const dc_active *in, double factor, dc_active *out) {
  *out = *in;
  for (unsigned i = 0; i < in->n; ++i)
    for (unsigned j = in->exact ? in->size : 1; j <= in->size; ++j)
      out->at[i][j] *= factor;
}

static void walk_entry(dc_walk *walk, uint32_t loop, const dc_active *in, const dc_trips *source,
                       double budget) {
  account_entry(walk, loop, in, source);
  if (dc__is_unrolled(walk, loop))
    dc__account_unrolled(walk, loop, in, source);
  if (source->distribution)
    walk_distribution(walk, loop, in, source, budget);
  else
    walk_evaluated(walk, loop, in, source, budget);
}

// Where lanes differ by one at most, whatever the distribution.
static void walk_neighbours(dc_walk *walk, uint32_t loop, const dc_active *in,
                            const dc_trips *source, double budget) {
  const dc_neighbours *pieces = dc__distribution_neighbours(source->distribution);
  dc_active part;
  for (unsigned k = 0; pieces && k < pieces->n; ++k) {
    dc_trips trips = {.from = source->from};
    dc__neighbours_counts(&pieces->of[k], in->set, trips.count);
    scale(in, pieces->of[k].weight, &part);
    walk_entry(walk, loop, &part, &trips, budget / pieces->n);
  }
}

// Who comes where in the loop, of these lanes; known from the last entry if nothing has changed.
static void enter_sides(dc_walk *walk, uint32_t loop, uint32_t lanes) {
  if (!walk->flow->sided[loop] || walk->sides_of[loop] == lanes)
    return;
  walk->iv[loop] = 0; // what isn't of an iteration is taken to be of the first
  dc__sides_find(walk, loop, lanes);
  walk->iv[loop] = -1;
  forget_sides(walk, loop);
  if (!walk->flow->outside[loop])
    walk->sides_of[loop] = lanes;
}

// The lanes that enter a loop, of those that are around it.
static uint32_t entering(dc_walk *walk, uint32_t loop, uint32_t lanes) {
  const dc_loop *data = &walk->kernel->loops[loop];
  bool sided = data->parent == DC_NONE || walk->flow->sided[data->parent];
  if (sided && walk->flow->attached[data->header])
    lanes &= walk->come[loop];
  return lanes ? dc__guards_pass(walk, loop, lanes) : 0;
}

static void walk_loop(dc_walk *walk, uint32_t loop, const dc_active *around, double budget) {
  unsigned depth = walk->kernel->loops[loop].depth;
  double share = walk->flow->entries[loop];
  if (depth > DC_WALK_DEPTH || share <= 0 || around->size == 0)
    return;
  dc_active scaled;
  const dc_active *in = around;
  if (share != 1) { // entered in a share of the iterations around
    scale(around, share, &scaled);
    in = &scaled;
  }
  dc_active inside, thinned;
  uint32_t members = entering(walk, loop, in->set);
  if (members == 0)
    return;
  if (members != in->set) {
    dc__active_keep(walk, in, members, &inside);
    in = &inside;
  }
  if (walk->flow->loop_lanes[loop] < 1) { // of these nobody knows who comes
    dc__active_thin(walk, in, walk->flow->loop_lanes[loop], 0, &thinned);
    thinned.n = in->n;
    in = &thinned;
  }
  dc_trips source;
  dc__trips_find(walk, loop, in, budget, &source);
  enter_sides(walk, loop, in->set);
  walk->path[depth - 1] = loop;
  walk->iv_from[depth - 1] = source.from;
  if (source.distribution && walk->kernel->loops[loop].loop_class == DC_CLASS_STRIDED)
    walk_neighbours(walk, loop, in, &source, budget);
  else
    walk_entry(walk, loop, in, &source, budget);
  walk->iv[loop] = -1;
}

// The loops of a list of siblings, each with its share of the budget.
static void walk_loops(dc_walk *walk, uint32_t first, const dc_active *lanes, double budget,
                       double cost) {
  for (uint32_t loop = first; loop != DC_NONE; loop = walk->facts[loop].next_sibling)
    walk_loop(walk, loop, lanes, budget * walk->facts[loop].subtree_cost / cost);
}

void dc__walk_warp(dc_walk *walk, uint32_t first_loop, double weight, double budget) {
  dc_active all;
  all.set = walk->lanes == DC_WARP ? UINT32_MAX : (UINT32_C(1) << walk->lanes) - 1;
  all.size = walk->lanes;
  all.exact = true;
  all.n = 1;
  all.at[0][all.size] = weight;
  walk->thinned = walk->overdrawn = false;
  memset(walk->sides_of, 0, walk->kernel->n_loops * sizeof *walk->sides_of);
  dc__sides_find(walk, DC_NONE, all.set);
  add_executed(&walk->executed, dc__sides_account(walk, DC_NONE, &all, DC_PART_ITERATION, NULL));
  if (walk->reader)
    dc__reader_add(walk->reader, walk, DC_NONE, &all, DC_PART_ITERATION, no_run);
  if (walk->clock)
    dc__clock_add(walk->clock, walk, DC_NONE, &all, DC_PART_ITERATION);
  double cost = 0;
  for (uint32_t loop = first_loop; loop != DC_NONE; loop = walk->facts[loop].next_sibling)
    cost += walk->facts[loop].subtree_cost;
  for (uint32_t loop = first_loop; loop != DC_NONE; loop = walk->facts[loop].next_sibling) {
    dc_executed before = walk->executed;
    walk_loop(walk, loop, &all, budget * walk->facts[loop].subtree_cost / cost);
    if (walk->flow->detached[loop]) // no part of the kernel's own time
      walk->executed = before;
  }
}
