// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What accesses to memory take, read off the walk: at each part of a loop that is accounted the
// lanes are known that come to its blocks, and so what a request of theirs touches. Addresses are
// evaluated once for a warp, at no block and iteration in particular; and where that doesn't tell
// how the lanes lie to each other (a step that doubles in each iteration), again in each iteration
// that is walked.
#include "estimate/accesses.h"

#include <stdlib.h>
#include <string.h>

// ---- addresses ----------------------------------------------------------------------------------

void dc__reader_warp(dc_reader *reader, const dc_walk *walk) {
  for (uint32_t k = 0; k < reader->kernel->n_accesses; ++k)
    reader->states[k].evaluated = false;
  dc__lane_memo_reset(&reader->memo);
  for (unsigned lane = 0; lane < walk->lanes; ++lane) {
    reader->anywhere[lane] = walk->environments[lane];
    reader->anywhere[lane].assumed = 0;
    for (unsigned axis = 0; axis < 3; ++axis)
      reader->anywhere[lane].ctaid[axis] = -1;
    reader->anywhere[lane].iv = reader->no_iteration;
  }
  const int64_t *tid = reader->anywhere[0].tid;
  uint64_t thread = (uint64_t)((tid[2] * reader->block[1] + tid[1]) * reader->block[0] + tid[0]);
  reader->warp = (uint32_t)(thread / DC_WARP);
  reader->warps |= UINT32_C(1) << (reader->warp % DC_WARP);
}

// Whether the iteration may tell what isn't known of an address.
static bool may_tell(const dc_kernel *kernel, dc_expr address) {
  return address != DC_NO_EXPR && dc_expr_mentions(&kernel->pool, address, DC_OP_IV, -1);
}

// At an iteration. If that tells no more, others won't: the same is unknown in them.
static void find_again(dc_reader *reader, const dc_walk *walk, uint32_t access) {
  access_state *state = &reader->states[access];
  dc__lane_values here;
  for (unsigned lane = 0; lane < walk->lanes; ++lane)
    reader->anywhere[lane].iv = walk->iv;
  dc__access_address(reader->kernel, access, reader->anywhere, (uint32_t)dc__all_lanes(walk->lanes),
                     NULL, &here);
  for (unsigned lane = 0; lane < walk->lanes; ++lane)
    reader->anywhere[lane].iv = reader->no_iteration;
  --reader->left;
  state->again = here.form == DC_LANES_APART || here.form > state->values.form || state->told;
  if (!state->again)
    return;
  state->told = true;
  state->by_outer |= here.form == DC_LANES_APART;
  state->values = here;
  state->lanes = 0;
}

static void find_values(dc_reader *reader, const dc_walk *walk, uint32_t access) {
  access_state *state = &reader->states[access];
  if (!state->evaluated) {
    dc__access_address(reader->kernel, access, reader->anywhere,
                       (uint32_t)dc__all_lanes(walk->lanes), &reader->memo, &state->values);
    state->evaluated = true;
    state->told = false;
    state->lanes = 0;
    state->again = state->values.form != DC_LANES_APART &&
                   may_tell(reader->kernel, reader->kernel->accesses[access].address);
    --reader->left;
  }
  if (state->again && reader->left > 0)
    find_again(reader, walk, access);
}

// ---- requests -----------------------------------------------------------------------------------

static void classify(dc_reader *reader, uint32_t access, uint32_t lanes) {
  access_state *state = &reader->states[access];
  int64_t stride;
  dc_access_class found = dc__access_class_of(&reader->kernel->accesses[access], &state->values,
                                              lanes, state->walks, &stride);
  if (!state->classified || found > state->access_class) {
    state->access_class = (uint8_t)found;
    state->stride = stride;
  } else if (stride != state->stride) {
    state->stride = 0;
  }
  state->classified = true;
  const dc_access *data = &reader->kernel->accesses[access];
  bool counts = data->kind == DC_ACCESS_ATOMIC && state->taken.low < state->taken.high;
  state->assumed |= counts || state->shaped || state->some ||
                    state->values.form != DC_LANES_APART || state->values.clamped;
}

// Where the block's shape is a guess, others are as likely.
static void join_shapes(const dc_kernel *kernel, uint32_t access, bool some, dc__taken *taken) {
  static const uint32_t shapes[][3] = {{32, 8, 1}, {16, 16, 1}};
  for (unsigned k = 0; k < sizeof shapes / sizeof *shapes; ++k) {
    dc__lane_values values;
    uint32_t lanes = dc__access_of_warp(kernel, access, shapes[k], 0, NULL, 0, &values);
    dc__taken other = dc__access_taken(&kernel->accesses[access], &values, lanes, some);
    dc__taken_join(taken, &other);
  }
}

static void note_most(dc_reader *reader, const dc_walk *walk, uint32_t access) {
  access_state *state = &reader->states[access];
  uint32_t loop = reader->kernel->blocks[reader->kernel->accesses[access].block].loop;
  if (state->taken.high <= state->most_taken)
    return;
  state->most_taken = state->taken.high;
  state->most = (dc_request_of){.warp = reader->warp, .lanes = state->lanes, .some = state->some};
  for (unsigned k = 0; k < DC_REQUEST_LOOPS; ++k) {
    state->most.iv[k] = loop == DC_NONE ? -1 : walk->iv[loop];
    loop = loop == DC_NONE ? DC_NONE : reader->kernel->loops[loop].parent;
  }
}

static void add_request(dc_reader *reader, const dc_walk *walk, uint32_t access, uint32_t lanes,
                        bool some, dc_visits visits) {
  access_state *state = &reader->states[access];
  state->cut |= reader->left == 0 && (!state->evaluated || state->again || state->lanes != lanes);
  if (reader->left > 0) {
    find_values(reader, walk, access);
    if (state->lanes != lanes || state->some != some) {
      state->taken =
          dc__access_taken(&reader->kernel->accesses[access], &state->values, lanes, some);
      if (state->shaped)
        join_shapes(reader->kernel, access, some, &state->taken);
      state->lanes = lanes;
      state->some = some;
      --reader->left;
      classify(reader, access, lanes);
      note_most(reader, walk, access);
    }
  }
  state->requests += visits.executions;
  state->active += visits.lanes;
  state->sums.low += visits.executions * state->taken.low;
  state->sums.high += visits.executions * state->taken.high;
  state->sums.ideal_low += visits.executions * state->taken.ideal_low;
  state->sums.ideal_high += visits.executions * state->taken.ideal_high;
}

// Those of the lanes of a block that its guard lets through; *told: it is known who they are.
// *share: of the warps, for which lanes decide together.
static uint32_t pass_guard(dc_reader *reader, dc_walk *walk, uint32_t block, uint32_t lanes,
                           bool *told, double *share) {
  const guard *at = &reader->guards[block];
  int64_t holds[DC_WARP];
  *told = true;
  *share = 1;
  if (at->branch == DC_NONE || !lanes)
    return lanes;
  bool together = reader->kernel->branches[at->branch].level < DC_DIVERGENT;
  dc_expr condition = reader->kernel->branches[at->branch].condition;
  bool assumed = walk->used_assumed;
  uint64_t operations = walk->operations;
  dc_lanes_value value = {0};
  walk->operations = reader->operations;
  if (condition != DC_NO_EXPR)
    value = dc__walk_evaluate(walk, condition, lanes, NODES_MAX, walk->assumed, false, holds);
  reader->operations = walk->operations;
  walk->operations = operations; // and what is assumed: of the estimate's other figures
  walk->used_assumed = assumed;
  *told = (value.known & lanes) == lanes;
  *share = !*told && together ? 0.5 : 1;
  if (!*told)
    return lanes;
  uint32_t through = 0;
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = dc__first_lane(rest);
    if ((holds[lane] != 0) == (at->target == 0))
      through |= UINT32_C(1) << lane;
  }
  // What is assumed of parameters says that nearly all warps are full, not who is in the others.
  *told = together || through == lanes || (value.uses_assumed & lanes) == 0;
  return *told ? through : lanes;
}

// Whether it is known which lanes are in a loop: none has left one around by data.
static bool lanes_are_told(const dc_walk *walk, uint32_t context, const dc_active *here) {
  for (uint32_t loop = context; loop != DC_NONE; loop = walk->kernel->loops[loop].parent) {
    const dc_loop *data = &walk->kernel->loops[loop];
    bool alike = data->level < DC_DIVERGENT || data->loop_class == DC_CLASS_STRIDED;
    if (!alike &&
        (data->depth > DC_WALK_DEPTH || walk->iv_from[data->depth - 1] != DC_FROM_DERIVED))
      return false;
  }
  return here->exact;
}

static void add_blocks(dc_reader *reader, dc_walk *walk, uint32_t context, const dc_active *here,
                       dc_part part, double share) {
  const dc_flow *flow = walk->flow;
  uint32_t room = context == DC_NONE ? reader->kernel->n_loops : context;
  bool sided = context == DC_NONE || flow->sided[context];
  bool told = lanes_are_told(walk, context, here), through_told;
  for (uint32_t k = flow->first_own[room]; k < flow->first_own[room + 1]; ++k) {
    uint32_t block = flow->own[k];
    if (reader->first[block] == reader->first[block + 1])
      continue;
    uint32_t lanes = sided ? walk->block_lanes[block] & here->set : here->set;
    double of_warps;
    uint32_t through = pass_guard(reader, walk, block, lanes, &through_told, &of_warps);
    dc_visits visits = dc__sides_visits(walk, here, block, through, part);
    if (!(visits.executions > 0))
      continue;
    visits.executions *= share * of_warps;
    visits.lanes *= share * of_warps;
    bool all = told && through_told && flow->lanes[block] >= 1;
    for (uint32_t a = reader->first[block]; a < reader->first[block + 1]; ++a)
      add_request(reader, walk, reader->ordered[a], through, !all, visits);
  }
}

static void note_iterations(dc_reader *reader, const dc_walk *walk, uint32_t context) {
  for (uint32_t loop = context; loop != DC_NONE; loop = walk->kernel->loops[loop].parent) {
    int64_t *seen = &reader->seen[loop];
    if (walk->iv[loop] >= 0)
      *seen = *seen == -1 || *seen == walk->iv[loop] ? walk->iv[loop] : SEVERAL;
  }
}

void dc__reader_add(dc_reader *reader, dc_walk *walk, uint32_t context, const dc_active *here,
                    dc_part part, dc_run run) {
  bool points = context != DC_NONE && run.length >= 1 && reader->by_iteration[context];
  note_iterations(reader, walk, context);
  if (!points) {
    add_blocks(reader, walk, context, here, part, 1);
    return;
  }
  unsigned n = run.length < POINTS_MAX ? (unsigned)run.length : POINTS_MAX;
  int64_t before = walk->iv[context];
  for (unsigned point = 0; point < n; ++point) {
    walk->iv[context] = (int64_t)(run.from + (point + 0.5) * run.length / n);
    add_blocks(reader, walk, context, here, part, 1.0 / n);
  }
  walk->iv[context] = before;
}
