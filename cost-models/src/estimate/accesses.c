// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What accesses to memory take, read off the walk: at each part of a loop that is accounted the
// lanes are known that come to its blocks, and so what a request of theirs touches. Addresses are
// evaluated once for a warp, at no block and iteration in particular; and where that doesn't tell
// how the lanes lie to each other (a step that doubles in each iteration), again in each iteration
// that is walked.
#include "estimate/estimate_internal.h"
#include "kernel/predication.h"
#include "memory/access.h"

#include <stdlib.h>
#include <string.h>

enum {
  SEVERAL = -2,          // iterations
  NODES_MAX = 400,       // of an address
  POINTS_MAX = 32,       // of a run of iterations
  EVALUATIONS_MAX = 6000 // of addresses, and of what requests take, for a kernel
};

// An access in the warp that is walked.
typedef struct access_state {
  bool evaluated; // in this warp
  bool again;     // in every iteration
  bool by_outer;  // that told, and iterations of loops further out count, too
  bool cut;       // something was left out
  bool walks;     // what iterations add to the address is known
  bool shaped;    // it goes by block dimensions that nobody gave
  dc__lane_values values;
  uint32_t lanes; // that `taken` is of; 0: it isn't found yet
  bool some;      // or of some of them
  dc__taken taken;
  dc_request_of most; // that took `most_taken`
  double most_taken;
  // Over all requests so far.
  double requests, active;
  dc__taken sums;
  bool classified, assumed;
  int64_t stride;
  uint8_t access_class;
} access_state;

// A block that is a target of a predicated branch, which is issued with all lanes: those that take
// another target touch nothing.
typedef struct guard {
  uint32_t branch; // or DC_NONE
  unsigned target;
  uint32_t ways; // that lead to the block
} guard;

struct dc_reader {
  const dc_kernel *kernel;
  uint32_t *first, *ordered; // of each block: its accesses, ordered[first[block]] ...
  guard *guards;             // of each block
  bool *by_iteration;        // of each loop: what its blocks touch may go by its iteration
  int64_t *seen;         // of each loop: the iteration in which blocks inside were seen, -1: none,
                         // -2: several
  access_state *states;  // of each access
  int64_t *no_iteration; // of each loop: -1
  dc_expr_environment anywhere[DC_WARP];
  uint32_t block[3]; // dimensions
  uint32_t warp;     // of the block, that is walked
  uint32_t warps;    // bit per warp: those that were walked
  unsigned left;     // of EVALUATIONS_MAX
};

// ---- beginning and end --------------------------------------------------------------------------

static bool steps_on(const dc_expr_pool *pool, dc_expr e, unsigned *left) {
  if (e == DC_NO_EXPR || *left == 0)
    return false;
  --*left;
  const dc_expr_node *node = &pool->nodes[e];
  if (node->op == DC_OP_IV)
    return true;
  return node->op != DC_OP_LOAD && (steps_on(pool, node->a, left) ||
                                    steps_on(pool, node->b, left) || steps_on(pool, node->c, left));
}

static void order_accesses(dc_reader *reader) {
  const dc_kernel *kernel = reader->kernel;
  for (uint32_t k = 0; k < kernel->n_accesses; ++k)
    ++reader->first[kernel->accesses[k].block + 1];
  for (uint32_t block = 0; block < kernel->n_blocks; ++block)
    reader->first[block + 1] += reader->first[block];
  for (uint32_t k = kernel->n_accesses; k-- > 0;) // filled from the end, so that first[] ends low
    reader->ordered[--reader->first[kernel->accesses[k].block + 1]] = k;
  memmove(reader->first, reader->first + 1, kernel->n_blocks * sizeof *reader->first);
  reader->first[kernel->n_blocks] = kernel->n_accesses;
}

static void find_guards(dc_reader *reader) {
  const dc_kernel *kernel = reader->kernel;
  for (uint32_t block = 0; block < kernel->n_blocks; ++block)
    reader->guards[block] = (guard){DC_NONE, 0, 0};
  for (uint32_t block = 0; block < kernel->n_blocks; ++block)
    for (uint32_t k = 0; k < kernel->blocks[block].n_successors; ++k)
      ++reader->guards[kernel->successors[kernel->blocks[block].first_successor + k]].ways;
  for (uint32_t block = 0; block < kernel->n_blocks; ++block) {
    const dc_block *data = &kernel->blocks[block];
    if (!dc__is_predicated(kernel, data))
      continue;
    for (unsigned k = 0; k < data->n_successors; ++k) {
      uint32_t target = kernel->successors[data->first_successor + k];
      if (target != data->post_dominator && reader->guards[target].ways == 1) {
        reader->guards[target].branch = data->branch;
        reader->guards[target].target = k;
      }
    }
  }
}

// Whether an expression goes by the loop's iteration in another way than by a multiple of it, which
// only moves all lanes alike; as a guess: it has something else than sums and products by numbers.
static bool goes_by(const dc_expr_pool *pool, dc_expr e, uint32_t loop, unsigned *left) {
  if (e == DC_NO_EXPR || *left == 0)
    return false;
  --*left;
  const dc_expr_node *node = &pool->nodes[e];
  switch ((dc_expr_op)node->op) {
  case DC_OP_IV:
    return false;
  case DC_OP_ADD:
  case DC_OP_SUB:
  case DC_OP_ZEXT:
  case DC_OP_SEXT:
  case DC_OP_TRUNC:
    return goes_by(pool, node->a, loop, left) || goes_by(pool, node->b, loop, left);
  case DC_OP_MUL:
  case DC_OP_SHL:
    if (pool->nodes[node->b].op == DC_OP_CONST)
      return goes_by(pool, node->a, loop, left);
    break;
  case DC_OP_LOAD:
    return false;
  default:
    break;
  }
  return dc_expr_mentions(pool, e, DC_OP_IV, loop);
}

static void find_iterations(dc_reader *reader) {
  const dc_kernel *kernel = reader->kernel;
  for (uint32_t k = 0; k < kernel->n_accesses; ++k) {
    const dc_access *access = &kernel->accesses[k];
    uint32_t loop = kernel->blocks[access->block].loop,
             branch = reader->guards[access->block].branch;
    unsigned left = NODES_MAX;
    if (loop == DC_NONE)
      continue;
    dc_expr condition = branch == DC_NONE ? DC_NO_EXPR : kernel->branches[branch].condition;
    reader->by_iteration[loop] |=
        goes_by(&kernel->pool, access->address, loop, &left) ||
        (condition != DC_NO_EXPR && dc_expr_mentions(&kernel->pool, condition, DC_OP_IV, loop));
  }
}

// Of a block whose dimensions are assumed, how threads lie that have more than threadIdx.x.
static bool is_shaped(const dc_kernel *kernel, const dc_launch *launch, dc_expr address) {
  return launch->from >= DC_BLOCK_LAUNCH_BOUNDS && address != DC_NO_EXPR &&
         (dc_expr_mentions(&kernel->pool, address, DC_OP_TID, 1) ||
          dc_expr_mentions(&kernel->pool, address, DC_OP_TID, 2));
}

dc_status dc__reader_begin(const dc_kernel *kernel, const dc_launch *launch, dc_reader **out,
                           dc_error *error) {
  *out = NULL;
  if (kernel->n_accesses == 0)
    return DC_OK;
  dc_reader *reader = calloc(1, sizeof *reader);
  if (reader) {
    reader->kernel = kernel;
    reader->left = EVALUATIONS_MAX;
    memcpy(reader->block, launch->block, sizeof reader->block);
    reader->first = calloc(kernel->n_blocks + 2u, sizeof *reader->first);
    reader->ordered = calloc(kernel->n_accesses, sizeof *reader->ordered);
    reader->states = calloc(kernel->n_accesses, sizeof *reader->states);
    reader->guards = calloc(kernel->n_blocks + 1u, sizeof *reader->guards);
    reader->by_iteration = calloc(kernel->n_loops + 1u, sizeof *reader->by_iteration);
    reader->no_iteration = malloc((kernel->n_loops + 1u) * sizeof *reader->no_iteration);
    reader->seen = malloc((kernel->n_loops + 1u) * sizeof *reader->seen);
  }
  if (!reader || !reader->first || !reader->ordered || !reader->states || !reader->guards ||
      !reader->by_iteration || !reader->seen || !reader->no_iteration) {
    dc__reader_free(reader);
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory for %u accesses",
                   (unsigned)kernel->n_accesses);
  }
  for (uint32_t loop = 0; loop < kernel->n_loops; ++loop)
    reader->no_iteration[loop] = reader->seen[loop] = -1;
  for (uint32_t k = 0; k < kernel->n_accesses; ++k) {
    unsigned left = NODES_MAX;
    reader->states[k].walks = steps_on(&kernel->pool, kernel->accesses[k].address, &left);
    reader->states[k].shaped = is_shaped(kernel, launch, kernel->accesses[k].address);
  }
  order_accesses(reader);
  find_guards(reader);
  find_iterations(reader);
  *out = reader;
  return DC_OK;
}

void dc__reader_free(dc_reader *reader) {
  if (!reader)
    return;
  free(reader->first);
  free(reader->ordered);
  free(reader->states);
  free(reader->guards);
  free(reader->by_iteration);
  free(reader->seen);
  free(reader->no_iteration);
  free(reader);
}

// Whether it was looked at in one iteration alone of a loop around, another than the innermost, by
// which it goes.
static bool misses_iterations(const dc_reader *reader, uint32_t access) {
  const dc_kernel *kernel = reader->kernel;
  const dc_access *data = &kernel->accesses[access];
  uint32_t loop = kernel->blocks[data->block].loop;
  if (!reader->states[access].by_outer || loop == DC_NONE)
    return false;
  while ((loop = kernel->loops[loop].parent) != DC_NONE) {
    unsigned left = NODES_MAX;
    if (reader->seen[loop] != SEVERAL && goes_by(&kernel->pool, data->address, loop, &left))
      return true;
  }
  return false;
}

static unsigned count_warps(const dc_reader *reader) {
  uint64_t threads = (uint64_t)reader->block[0] * reader->block[1] * reader->block[2];
  return (unsigned)((threads + DC_WARP - 1) / DC_WARP);
}

static bool has_all_warps(const dc_reader *reader) {
  return reader->warps == (uint32_t)dc__all_lanes(count_warps(reader));
}

// Where not every warp of the block was walked, since lanes do alike in all: whether addresses lie
// alike in the others, too. Takes what these do at the least and the most, if not.
static bool join_warps(const dc_reader *reader, uint32_t access, dc__taken *taken) {
  const dc_kernel *kernel = reader->kernel;
  unsigned n = count_warps(reader);
  dc__taken first = {0, 0, 0, 0};
  bool alike = true;
  if (has_all_warps(reader))
    return true;
  for (unsigned warp = 0; warp < n; ++warp) {
    dc__lane_values values;
    uint32_t lanes = dc__access_of_warp(kernel, access, reader->block, warp, NULL, 0, &values);
    dc__taken here = dc__access_taken(&kernel->accesses[access], &values, lanes, false);
    if (values.form != DC_LANES_APART)
      return true; // nothing single is said then
    if (warp == 0)
      first = here;
    // The last warp may have fewer lanes.
    alike &= lanes != UINT32_MAX || (first.low == here.low && first.high == here.high);
    dc__taken_join(taken, &here);
  }
  return alike;
}

// Of what wasn't looked at whole nothing is said but what holds of any addresses.
static void finish_one(const dc_reader *reader, uint32_t access, dc_access_estimate *out) {
  const access_state *state = &reader->states[access];
  const dc__lane_values any = {.form = DC_LANES_ANY};
  double n = state->requests;
  bool cut = state->cut || misses_iterations(reader, access) ||
             (state->by_outer && !has_all_warps(reader));
  dc__taken taken = {state->sums.low / n, state->sums.high / n, state->sums.ideal_low / n,
                     state->sums.ideal_high / n};
  dc__taken joined = taken;
  bool alike = cut || join_warps(reader, access, &joined);
  if (!alike)
    taken = joined;
  if (cut)
    taken = dc__access_taken(&reader->kernel->accesses[access], &any, UINT32_MAX, true);
  out->taken = (dc_interval){taken.low, taken.high};
  out->ideal = (dc_interval){taken.ideal_low, taken.ideal_high};
  out->lanes = state->active / n;
  out->from = cut || !alike || state->assumed ? DC_FROM_ASSUMED : DC_FROM_DERIVED;
}

void dc__reader_finish(const dc_reader *reader, dc_access_estimate *out) {
  for (uint32_t k = 0; k < reader->kernel->n_accesses; ++k) {
    const access_state *state = &reader->states[k];
    out[k] = (dc_access_estimate){.requests = state->requests,
                                  .taken = {-1, -1},
                                  .ideal = {-1, -1},
                                  .stride = state->stride,
                                  .access_class = state->access_class,
                                  .most = state->most};
    if (state->requests > 0)
      finish_one(reader, k, &out[k]);
  }
}

// ---- addresses ----------------------------------------------------------------------------------

void dc__reader_warp(dc_reader *reader, const dc_walk *walk) {
  for (uint32_t k = 0; k < reader->kernel->n_accesses; ++k)
    reader->states[k].evaluated = false;
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

static void find_values(dc_reader *reader, const dc_walk *walk, uint32_t access) {
  access_state *state = &reader->states[access];
  uint32_t lanes = (uint32_t)dc__all_lanes(walk->lanes);
  if (!state->evaluated) {
    dc__access_address(reader->kernel, access, reader->anywhere, lanes, &state->values);
    state->evaluated = true;
    state->lanes = 0;
    state->again = state->values.form != DC_LANES_APART &&
                   may_tell(reader->kernel, reader->kernel->accesses[access].address);
    --reader->left;
  }
  if (state->again && reader->left > 0) {
    for (unsigned lane = 0; lane < walk->lanes; ++lane)
      reader->anywhere[lane].iv = walk->iv;
    dc__access_address(reader->kernel, access, reader->anywhere, lanes, &state->values);
    for (unsigned lane = 0; lane < walk->lanes; ++lane)
      reader->anywhere[lane].iv = reader->no_iteration;
    state->by_outer |= state->values.form == DC_LANES_APART;
    state->lanes = 0;
    --reader->left;
  }
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
static uint32_t pass_guard(const dc_reader *reader, dc_walk *walk, uint32_t block, uint32_t lanes,
                           bool *told) {
  const guard *at = &reader->guards[block];
  int64_t holds[DC_WARP];
  *told = true;
  if (at->branch == DC_NONE || !lanes)
    return lanes;
  dc_expr condition = reader->kernel->branches[at->branch].condition;
  bool assumed = walk->used_assumed;
  dc_lanes_value value = {0};
  if (condition != DC_NO_EXPR)
    value = dc__walk_evaluate(walk, condition, lanes, NODES_MAX, walk->assumed, false, holds);
  walk->used_assumed = assumed; // of the estimate's other figures
  *told = (value.known & lanes) == lanes;
  if (!*told)
    return lanes;
  uint32_t through = 0;
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = dc__first_lane(rest);
    if ((holds[lane] != 0) == (at->target == 0))
      through |= UINT32_C(1) << lane;
  }
  // What is assumed of parameters says that nearly all warps are full, not who is in the others.
  *told = through == lanes || (value.uses_assumed & lanes) == 0;
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
    uint32_t through = pass_guard(reader, walk, block, lanes, &through_told);
    dc_visits visits = dc__sides_visits(walk, here, block, through, part);
    if (!(visits.executions > 0))
      continue;
    visits.executions *= share;
    visits.lanes *= share;
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

dc_memory_unit dc_memory_unit_of(dc_space space) {
  return space == DC_SPACE_SHARED     ? DC_WAVEFRONTS
         : space == DC_SPACE_CONSTANT ? DC_ADDRESSES
                                      : DC_SECTORS;
}

dc_interval dc_memory_taken(const dc_kernel *kernel, const dc_estimate *estimate,
                            dc_memory_unit unit, dc_interval *ideal) {
  dc_interval taken = *ideal = (dc_interval){-1, -1};
  if (estimate->n_accesses < kernel->n_accesses || kernel->n_blocks == 0)
    return taken;
  taken = *ideal = (dc_interval){0, 0};
  for (uint32_t k = 0; k < kernel->n_accesses; ++k) {
    const dc_access_estimate *figures = &estimate->accesses[k];
    if (figures->requests <= 0 || dc_memory_unit_of((dc_space)kernel->accesses[k].space) != unit)
      continue;
    taken.low += figures->requests * figures->taken.low;
    taken.high += figures->requests * figures->taken.high;
    ideal->low += figures->requests * figures->ideal.low;
    ideal->high += figures->requests * figures->ideal.high;
  }
  return taken;
}
