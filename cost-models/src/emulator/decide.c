// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which way each lane goes at the end of a skeleton's block. The first of these that there is:
// - at an exit of the loop around: the lane's trip count in this entry, from the exit's expression
//   (or the loop's, if that is its only exit);
// - the branch's condition;
// - at an exit: a drawn trip count (draw.c). Where a loop has several exits of which
//   nothing is known, a draw tells by which of them the lane leaves;
// - a draw: each target as likely as the code tells, or as the others (assumed).
// A lane leaves by an exit at the header, in front of the body, when it has completed as many
// iterations; by any other exit in the last of them.
//
// Uniform values that are not known are assumed, as for an estimate.
#include "emulator/emulator_internal.h"

#include "expr/expr_lanes.h"
#include "expr/joined.h"
#include "kernel/predication.h"

#include <inttypes.h>

#define OPERATIONS_MAX 1000000 // of one evaluation, in all lanes
#define ASSUMED_SHIFT 3        // several assumed values are a factor of 8 apart
#define PARTS_DEPTH 12         // of x && y && ...

// A block with a branch, as it is decided.
typedef struct decision {
  dc_emulator *e;
  uint32_t block, loop, branch, exit;
  const dc_program_edge *edges;
  uint32_t n_edges;
  bool is_exit;     // one of two ways leaves the loop
  uint32_t leaving; // that way
  bool alike;       // a draw is for all lanes
  bool front;       // at the header, in front of the body
} decision;

// The value of an expression in some lanes, uniform values assumed where `several` allows; returns
// the lanes in which it is known.
static dc_lanes_value evaluate(dc_emulator *e, dc_expr expr, bool several, dc_class loop_class,
                               uint64_t lanes, int64_t *values) {
  bool affine = loop_class == DC_CLASS_LANE_AFFINE;
  for (uint64_t rest = lanes; rest; rest &= rest - 1) {
    dc_expr_environment *environment = &e->environments[dc__first_lane(rest)];
    environment->assumed = several && !affine ? 0 : e->options.assumed;
    environment->assumed_shift = several ? ASSUMED_SHIFT : 0;
  }
  uint64_t left = e->options.operations - e->counts.operations;
  uint64_t budget = (left < OPERATIONS_MAX ? left : OPERATIONS_MAX) / dc__lanes_count(lanes);
  dc_lanes_value result = dc__evaluate_lanes(&e->program->kernel->pool, expr, e->environments,
                                             lanes, budget, NULL, values);
  e->counts.operations += result.operations;
  if (e->counts.operations >= e->options.operations || (result.spent && left < OPERATIONS_MAX))
    dc__emulator_fail(e, DC_ERROR_LIMIT, "expressions take more than %" PRIu64 " operations",
                      e->options.operations);
  e->counts.uses_assumed |= (result.known & result.uses_assumed) != 0;
  return result;
}

static bool has_distribution(const dc_kernel *kernel, const dc_loop *loop) {
  return dc_kernel_text(kernel, loop->distribution)[0] != 0;
}

static void evaluate_trips(const decision *d, uint64_t lanes) {
  const dc_kernel *kernel = d->e->program->kernel;
  const dc_loop *loop = &kernel->loops[d->loop];
  dc_expr trips = kernel->exits[d->exit].trips;
  dc_exit_trips *out = &d->e->trips[d->exit];
  int64_t values[DC_LANES];
  dc_lanes_value result = {0};
  if (trips == DC_NO_EXPR && loop->n_exits == 1)
    trips = loop->trips;
  if (trips != DC_NO_EXPR)
    result =
        evaluate(d->e, trips, d->e->several[d->exit], (dc_class)loop->loop_class, lanes, values);
  if (has_distribution(kernel, loop)) // rather than an assumed value
    result.known &= ~result.uses_assumed;
  if (loop->level >= DC_DIVERGENT)
    result.uses_assumed = 0;
  out->evaluated |= lanes;
  for (uint64_t rest = result.known & lanes; rest; rest &= rest - 1) {
    unsigned lane = dc__first_lane(rest);
    bool assumed = result.uses_assumed >> lane & 1;
    out->of[lane] = assumed ? dc__alike_trips(d->e, d->loop) : values[lane];
    out->known |= (uint64_t)(out->of[lane] >= 0) << lane;
  }
}

// The lanes' trip counts by this exit, evaluated once for an entry of the loop; once for all lanes
// that are here in the same iteration, where the loop's level says so.
static const dc_exit_trips *find_trips(const decision *d, uint64_t lanes) {
  const dc_kernel *kernel = d->e->program->kernel;
  dc_exit_trips *trips = &d->e->trips[d->exit];
  lanes &= ~trips->evaluated;
  if (lanes && kernel->loops[d->loop].level < DC_DIVERGENT) {
    unsigned first = dc__first_lane(d->e->active);
    if (lanes >> first & 1)
      evaluate_trips(d, UINT64_C(1) << first);
    const int64_t *iv = d->e->iv + d->loop;
    uint64_t alike = 0;
    for (uint64_t rest = trips->evaluated >> first & 1 ? lanes : 0; rest; rest &= rest - 1) {
      size_t lane = dc__first_lane(rest);
      alike |= (uint64_t)(iv[first * kernel->n_loops] == iv[lane * kernel->n_loops]) << lane;
      trips->of[lane] = trips->of[first];
    }
    trips->evaluated |= alike;
    trips->known |= trips->known >> first & 1 ? alike : 0;
    lanes &= ~alike;
  }
  if (lanes)
    evaluate_trips(d, lanes);
  return trips;
}

// Exits of the loop, those before `until`, of which nothing is known.
static uint32_t unknown_exits(const dc_kernel *kernel, const dc_loop *loop, uint32_t until) {
  uint32_t n = 0;
  for (uint32_t k = loop->first_exit; k < until; ++k) {
    uint32_t branch = kernel->blocks[kernel->exits[k].block].branch;
    n += kernel->exits[k].trips == DC_NO_EXPR &&
         (branch == DC_NONE || kernel->branches[branch].condition == DC_NO_EXPR);
  }
  return n;
}

// Whether the lane leaves by this exit, when only a draw tells.
static bool drawn_to_leave(const decision *d, unsigned lane) {
  dc_emulator *e = d->e;
  const dc_kernel *kernel = e->program->kernel;
  const dc_loop *loop = &kernel->loops[d->loop];
  int64_t trips = dc__drawn_trips(e, d->loop, lane);
  int64_t done = e->iv[(size_t)lane * kernel->n_loops + d->loop];
  if (done >= trips)
    return true;
  if (d->front || done + 1 < trips)
    return false;
  uint32_t n = unknown_exits(kernel, loop, loop->first_exit + loop->n_exits);
  uint32_t entry = e->entries[(size_t)d->loop * DC_LANES + lane];
  return n < 2 || (uint32_t)(dc__emulator_draw(e, lane, kernel->n_loops + d->loop, entry) * n) ==
                      unknown_exits(kernel, loop, d->exit);
}

static void assume_target(dc_emulator *e) {
  e->counts.uses_assumed = true;
  if (e->options.exact)
    dc__emulator_fail(e, DC_ERROR_ARGUMENT, "the target of a branch would have to be drawn");
}

static bool draw_target(const decision *d, bool alike, unsigned lane) {
  dc_emulator *e = d->e;
  uint32_t taken = d->branch == DC_NONE ? 0 : e->program->kernel->branches[d->branch].taken;
  double chance = taken ? taken / (double)DC_CHANCE : 0.5;
  uint32_t visit = e->visits[(size_t)d->block * DC_LANES + lane]++;
  assume_target(e);
  return dc__emulator_draw(e, alike ? DC_NONE : lane, 2 * e->program->kernel->n_loops + d->block,
                           visit) < chance;
}

// The lanes in which a condition holds; *known: those in which that is known.
static uint64_t evaluate_condition(const decision *d, dc_expr condition, bool several, bool alike,
                                   uint64_t lanes, uint64_t *known) {
  int64_t values[DC_LANES];
  dc_lanes_value result = evaluate(d->e, condition, several, DC_CLASS_UNKNOWN, lanes, values);
  uint64_t holds = 0;
  // What all would do with an assumed value says nothing.
  *known = alike ? result.known & ~result.uses_assumed : result.known;
  for (uint64_t rest = *known; rest; rest &= rest - 1)
    holds |= (uint64_t)(values[dc__first_lane(rest)] != 0) << dc__first_lane(rest);
  return holds;
}

// Those of the lanes in which a condition that isn't known holds: of x && y and x || y each part
// by itself, one draw for all lanes where it is the same in all.
static uint64_t draw_condition(const decision *d, dc_expr condition, uint64_t lanes,
                               unsigned depth) {
  const dc_kernel *kernel = d->e->program->kernel;
  dc_expr parts[2];
  bool any = dc_expr_split_joined(&kernel->pool, condition, true, parts);
  if (depth > 0 && (any || dc_expr_split_joined(&kernel->pool, condition, false, parts))) {
    uint64_t one = draw_condition(d, parts[0], lanes, depth - 1);
    uint64_t left = any ? lanes & ~one : one;
    uint64_t both = left ? draw_condition(d, parts[1], left, depth - 1) : 0;
    return any ? one | both : both;
  }
  bool alike = dc_expr_uniformity(&kernel->pool, condition) < DC_DIVERGENT;
  bool several = dc__emulator_asks_too_much(kernel, condition);
  uint64_t known, holds = evaluate_condition(d, condition, several, alike, lanes, &known);
  for (uint64_t rest = lanes & ~known; rest; rest &= rest - 1)
    holds |= (uint64_t)draw_target(d, alike, dc__first_lane(rest)) << dc__first_lane(rest);
  return holds;
}

// The lanes that take the first of two ways: by the trip count, by the condition, or drawn.
static uint64_t lanes_of_first(const decision *d, uint64_t lanes) {
  dc_emulator *e = d->e;
  const dc_kernel *kernel = e->program->kernel;
  uint64_t first = 0;
  const dc_exit_trips *trips = d->is_exit ? find_trips(d, lanes) : NULL;
  for (uint64_t rest = trips ? lanes & trips->known : 0; rest; rest &= rest - 1) {
    unsigned lane = dc__first_lane(rest);
    bool leaves = e->iv[(size_t)lane * kernel->n_loops + d->loop] + !d->front >= trips->of[lane];
    first |= (uint64_t)(leaves == (d->leaving == 0)) << lane;
  }
  lanes &= trips ? ~trips->known : UINT64_MAX;
  dc_expr condition = d->branch == DC_NONE ? DC_NO_EXPR : kernel->branches[d->branch].condition;
  if (lanes && condition != DC_NO_EXPR) {
    uint64_t known;
    first |= evaluate_condition(d, condition, e->several[kernel->n_exits + d->branch], d->alike,
                                lanes, &known);
    lanes &= ~known;
    // An exact run fails here; a chance that is told is that of the whole.
    if (lanes && dc__is_joined(&kernel->pool.nodes[condition]) && !d->is_exit &&
        !e->options.exact && !kernel->branches[d->branch].taken)
      return first | draw_condition(d, condition, lanes, PARTS_DEPTH);
  }
  for (; lanes; lanes &= lanes - 1) {
    unsigned lane = dc__first_lane(lanes);
    bool one =
        d->is_exit ? drawn_to_leave(d, lane) == (d->leaving == 0) : draw_target(d, d->alike, lane);
    first |= (uint64_t)one << lane;
  }
  return first;
}

static uint32_t way_of_switch(const decision *d, unsigned lane) {
  dc_emulator *e = d->e;
  uint32_t visit = e->visits[(size_t)d->block * DC_LANES + lane]++;
  assume_target(e);
  return (uint32_t)(dc__emulator_draw(e, d->alike ? DC_NONE : lane,
                                      2 * e->program->kernel->n_loops + d->block, visit) *
                    d->n_edges);
}

static decision describe(dc_emulator *e, uint32_t block) {
  const dc_kernel *kernel = e->program->kernel;
  const dc_block *data = &kernel->blocks[block];
  decision d = {.e = e,
                .block = block,
                .loop = data->loop,
                .branch = data->branch,
                .exit = e->block_exit[block],
                .edges = &e->program->edges[data->first_successor],
                .n_edges = data->n_successors};
  d.is_exit = d.n_edges == 2 && d.exit != DC_NONE && d.edges[0].leaves != d.edges[1].leaves;
  d.leaving = d.edges[0].leaves ? 0 : 1;
  const uint32_t *successors = &kernel->successors[data->first_successor];
  d.front = d.is_exit && kernel->loops[d.loop].header == block && successors[0] != block &&
            successors[1] != block;
  d.alike = data->branch != DC_NONE && kernel->branches[data->branch].level < DC_DIVERGENT;
  return d;
}

// Whether lanes that leave here have not been round the loop: compilers test for that before the
// loop, in a guard.
static bool is_guard(const decision *d, uint64_t leaving) {
  return d->front && leaving &&
         d->e->iv[(size_t)dc__first_lane(leaving) * d->e->program->kernel->n_loops + d->loop] == 0;
}

// The order in which compilers' code takes the ways: what stays in the loop before what leaves it,
// but for its guard; what skips a target before the target; else as the successors stand.
static unsigned rank_of(const decision *d, uint32_t edge, bool guard) {
  const dc_kernel *kernel = d->e->program->kernel;
  const dc_block *data = &kernel->blocks[d->block];
  bool skips = kernel->successors[data->first_successor + edge] == data->post_dominator;
  return d->edges[edge].leaves != guard ? 2 : skips ? 0 : 1;
}

static unsigned in_order(const decision *d, const uint64_t *lanes, bool guard, dc_way *ways) {
  unsigned n = 0;
  uint32_t first = d->e->program->kernel->blocks[d->block].first_successor;
  for (unsigned rank = 0; rank <= 2; ++rank)
    for (uint32_t k = 0; k < d->n_edges; ++k)
      if (lanes[k] && rank_of(d, k, guard) == rank)
        ways[n++] = (dc_way){lanes[k], d->edges[k].target, first + k,
                             d->front && !guard && !d->edges[k].leaves};
  return n;
}

// For more successors than lanes: each lane's way is looked for among those that there are.
static unsigned decide_switch(const decision *d, dc_way *ways) {
  uint32_t first = d->e->program->kernel->blocks[d->block].first_successor;
  unsigned n = 0;
  for (uint64_t rest = d->e->active; rest; rest &= rest - 1) {
    unsigned lane = dc__first_lane(rest), k = 0;
    const dc_program_edge *edge = &d->edges[way_of_switch(d, lane)];
    while (k < n && ways[k].target != edge->target)
      ++k;
    if (k == n)
      ways[n++] = (dc_way){0, edge->target, first + (uint32_t)(edge - d->edges), false};
    ways[k].lanes |= UINT64_C(1) << lane;
  }
  return n;
}

unsigned dc__decide(dc_emulator *e, uint32_t block, dc_way *ways, bool *exits) {
  decision d = describe(e, block);
  *exits = d.branch != DC_NONE && e->program->kernel->branches[d.branch].exits != DC_NONE;
  if (d.n_edges > 2)
    return decide_switch(&d, ways);
  uint64_t first = lanes_of_first(&d, e->active), lanes[2] = {first, e->active & ~first};
  if (d.edges[0].target == d.edges[1].target) {
    lanes[0] |= lanes[1];
    lanes[1] = 0;
  }
  bool guard = is_guard(&d, lanes[d.leaving]);
  *exits &= !guard;
  return in_order(&d, lanes, guard, ways);
}

// ---- guards ------------------------------------------------------------------------------------

uint32_t dc__guarded_exit(const dc_kernel *kernel, uint32_t loop) {
  const dc_loop *data = &kernel->loops[loop];
  if (data->n_exits != 1)
    return DC_NONE;
  uint32_t block = kernel->exits[data->first_exit].block;
  const dc_block *from = &kernel->blocks[block];
  if (from->loop != loop || from->n_successors != 2)
    return DC_NONE;
  const uint32_t *to = &kernel->successors[from->first_successor];
  bool front = data->header == block && to[0] != block && to[1] != block;
  return front ? DC_NONE : data->first_exit;
}

bool dc__pass_guard(dc_emulator *e, uint32_t block) {
  uint32_t exit = e->header_exit[block];
  if (exit == DC_NONE || !e->active)
    return false;
  const dc_kernel *kernel = e->program->kernel;
  decision d = describe(e, kernel->exits[exit].block);
  uint64_t entering = 0, skip = 0;
  for (uint64_t rest = d.is_exit ? e->active : 0; rest; rest &= rest - 1) {
    unsigned lane = dc__first_lane(rest);
    entering |= (uint64_t)(e->iv[(size_t)lane * kernel->n_loops + d.loop] == 0) << lane;
  }
  const dc_exit_trips *trips = entering ? find_trips(&d, entering) : NULL;
  for (uint64_t rest = trips ? entering & trips->known : 0; rest; rest &= rest - 1)
    skip |= (uint64_t)(trips->of[dc__first_lane(rest)] == 0) << dc__first_lane(rest);
  if (!skip)
    return false;
  uint32_t edge = kernel->blocks[d.block].first_successor + d.leaving;
  const dc_way ways[2] = {{skip, d.edges[d.leaving].target, edge, false},
                          {e->active & ~skip, e->pc, DC_NONE, false}};
  dc__follow(e, edge, skip);
  if (ways[1].lanes && !e->rules->predicated &&
      dc__is_bare_return(kernel, kernel->successors[edge])) {
    e->rules->exit(e, skip);
    e->rules->go(e, ways[1].target);
    return false;
  }
  if (ways[1].lanes) {
    ++e->at[e->pc].divergent;
    ++e->counts.divergent_branches;
    e->rules->part(e, ways, 2);
  } else {
    e->rules->go(e, ways[0].target);
  }
  return true;
}

// ---- loops --------------------------------------------------------------------------------------

static void enter_loop(dc_emulator *e, uint32_t loop, uint64_t lanes) {
  const dc_kernel *kernel = e->program->kernel;
  const dc_loop *data = &kernel->loops[loop];
  for (uint32_t k = 0; k < data->n_exits; ++k) {
    dc_exit_trips *trips = &e->trips[data->first_exit + k];
    trips->evaluated &= ~lanes;
    trips->known &= ~lanes;
  }
  for (; lanes; lanes &= lanes - 1) {
    unsigned lane = dc__first_lane(lanes);
    e->iv[(size_t)lane * kernel->n_loops + loop] = 0;
    e->drawn[(size_t)loop * DC_LANES + lane] = DC_NOT_DRAWN;
    ++e->entries[(size_t)loop * DC_LANES + lane];
  }
}

void dc__follow(dc_emulator *e, uint32_t edge, uint64_t lanes) {
  const dc_kernel *kernel = e->program->kernel;
  const dc_program_edge *data = &e->program->edges[edge];
  for (uint32_t loop = data->entered; loop != data->around && loop != DC_NONE;
       loop = kernel->loops[loop].parent)
    enter_loop(e, loop, lanes);
  if (data->back == DC_NONE)
    return;
  for (; lanes; lanes &= lanes - 1)
    ++e->iv[(size_t)dc__first_lane(lanes) * kernel->n_loops + data->back];
}

void dc__begin_in_loops(dc_emulator *e) {
  const dc_kernel *kernel = e->program->kernel;
  for (uint32_t loop = kernel->blocks[0].loop; loop != DC_NONE; loop = kernel->loops[loop].parent)
    enter_loop(e, loop, e->live);
}
