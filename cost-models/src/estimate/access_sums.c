// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What accesses take in all, once the warps are walked; and of the kinds of memory together.
#include "estimate/accesses.h"

#include <stdlib.h>

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
    if (reader->seen[loop] != SEVERAL && dc__goes_by(&kernel->pool, data->address, loop, &left))
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

// A warp of the block, wherever that is, and what was evaluated there.
typedef struct block_warp {
  uint32_t lanes;
  dc_expr_environment environments[DC_LANES];
  dc__lane_memo memo;
} block_warp;

// Whether these lanes lie to each other, and to what a request is made of, as in another warp.
static bool lie_alike(const dc_access *access, const dc__lane_values *a, const dc__lane_values *b,
                      uint32_t lanes) {
  unsigned first = dc__first_lane(lanes);
  uint64_t shift = (uint64_t)a->apart[first] - (uint64_t)b->apart[first];
  if (a->common != b->common || a->clamped != b->clamped || !dc__access_may_shift(access, shift))
    return false;
  for (; lanes; lanes &= lanes - 1) {
    unsigned lane = dc__first_lane(lanes);
    if ((uint64_t)a->apart[lane] - (uint64_t)b->apart[lane] != shift)
      return false;
  }
  return true;
}

// Where not every warp of the block was walked, since lanes do alike in all: whether addresses lie
// alike in the others, too. Takes what these do at the least and the most, if not.
static bool join_warps(const dc_reader *reader, uint32_t access, block_warp *warps, unsigned n,
                       dc__taken *taken) {
  const dc_access *data = &reader->kernel->accesses[access];
  dc__lane_values values[2]; // of the first warp, and of another one
  dc__taken first = {0, 0, 0, 0};
  bool alike = true;
  for (unsigned k = 0; k < n; ++k) {
    block_warp *warp = &warps[k];
    dc__lane_values *of = &values[k > 0];
    dc__access_address(reader->kernel, access, warp->environments, warp->lanes, &warp->memo, of);
    if (of->form != DC_LANES_APART)
      return true; // nothing single is said then
    if (k > 0 && warp->lanes == warps[0].lanes && lie_alike(data, of, &values[0], warp->lanes))
      continue;
    dc__taken here = dc__access_taken(data, of, warp->lanes, false);
    if (k == 0)
      first = here;
    // The last warp may have fewer lanes.
    alike &= warp->lanes != UINT32_MAX || (first.low == here.low && first.high == here.high);
    dc__taken_join(taken, &here);
  }
  return alike;
}

// Of what wasn't looked at whole nothing is said but what holds of any addresses.
static void finish_one(const dc_reader *reader, uint32_t access, block_warp *warps,
                       unsigned n_warps, dc_access_estimate *out) {
  const access_state *state = &reader->states[access];
  const dc__lane_values any = {.form = DC_LANES_ANY};
  double n = state->requests;
  bool cut = state->cut || misses_iterations(reader, access) ||
             (state->by_outer && !has_all_warps(reader));
  dc__taken taken = {state->sums.low / n, state->sums.high / n, state->sums.ideal_low / n,
                     state->sums.ideal_high / n};
  dc__taken joined = taken;
  bool alike = cut || join_warps(reader, access, warps, n_warps, &joined);
  if (!alike)
    taken = joined;
  if (cut)
    taken = dc__access_taken(&reader->kernel->accesses[access], &any, UINT32_MAX, true);
  out->taken = (dc_interval){taken.low, taken.high};
  out->ideal = (dc_interval){taken.ideal_low, taken.ideal_high};
  out->lanes = state->active / n;
  out->from = cut || !alike || state->assumed ? DC_FROM_ASSUMED : DC_FROM_DERIVED;
}

bool dc__reader_finish(const dc_reader *reader, dc_access_estimate *out) {
  unsigned n = has_all_warps(reader) ? 0 : count_warps(reader);
  block_warp *warps = malloc((n + 1) * sizeof *warps);
  if (!warps)
    return false;
  for (unsigned k = 0; k < n; ++k) {
    warps[k].lanes = dc__warp_environments(reader->block, k, NULL, 0, warps[k].environments);
    dc__lane_memo_reset(&warps[k].memo);
  }
  for (uint32_t k = 0; k < reader->kernel->n_accesses; ++k) {
    const access_state *state = &reader->states[k];
    out[k] = (dc_access_estimate){.requests = state->requests,
                                  .taken = {-1, -1},
                                  .ideal = {-1, -1},
                                  .stride = state->stride,
                                  .access_class = state->access_class,
                                  .most = state->most};
    if (state->requests > 0)
      finish_one(reader, k, warps, n, &out[k]);
  }
  free(warps);
  return true;
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
