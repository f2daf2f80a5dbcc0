// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where __activemask() gives all lanes of a warp that go on: nowhere that some have gone another
// way, and not met the others since. What such a way ends in doesn't matter: lanes that return by
// it may still be on it, and hardware lets parts of those that are left run apart.
#include "analysis/analysis.h"

#include <stdlib.h>

// Blocks to be walked from, and which have been.
typedef struct reached {
  uint32_t *work, n;
  uint8_t *seen;
} reached;

static void reach(reached *r, uint32_t block, uint32_t but) {
  if (block == but || r->seen[block])
    return;
  r->seen[block] = 1;
  r->work[r->n++] = block;
}

// Whether lanes that part at a branch may do so for good: an immediate return is none.
static bool parts_lanes(const dcp_analysis *analysis, uint32_t branch) {
  const ssa_function *f = analysis->function;
  const ssa_block *b = &f->blocks[branch];
  uint32_t ways = 0;
  for (uint32_t s = 0; s < b->n_successors; ++s) {
    const ssa_block *to = &f->blocks[f->edges[b->first_successor + s]];
    ways += !to->just_returns && !to->dead_end;
  }
  return ways > 1 && analysis->branch_level[branch] > DC_WARP_UNIFORM;
}

static bool has_barrier(const ssa_function *f, const ssa_block *block) {
  for (uint32_t n = 0; n < block->n_values; ++n)
    if (f->values[f->block_values[block->first_value + n]].op == SSA_BARRIER)
      return true;
  return false;
}

// Whether a block is on a way from a branch to where its ways meet; or lanes on such a way wait for
// other warps, so that those who have come by another may be past where they meet.
static bool is_between(const ssa_function *f, uint32_t branch, uint32_t block, reached *r) {
  const ssa_block *from = &f->blocks[branch];
  for (uint32_t b = 0; b < f->n_blocks; ++b)
    r->seen[b] = 0;
  r->n = 0;
  for (uint32_t s = 0; s < from->n_successors; ++s)
    reach(r, f->edges[from->first_successor + s], from->post_dominator);
  while (r->n > 0 && !r->seen[block]) {
    const ssa_block *b = &f->blocks[r->work[--r->n]];
    if (has_barrier(f, b))
      return true;
    for (uint32_t s = 0; s < b->n_successors; ++s)
      reach(r, f->edges[b->first_successor + s], from->post_dominator);
  }
  return r->seen[block];
}

bool dcp_all_are_active(const dcp_analysis *analysis, uint32_t block) {
  const ssa_function *f = analysis->function;
  reached r = {.work = calloc(f->n_blocks, sizeof *r.work), .seen = calloc(f->n_blocks, 1)};
  bool all = r.work && r.seen;
  for (uint32_t b = 0; b < f->n_blocks && all; ++b)
    all = !parts_lanes(analysis, b) || !is_between(f, b, block, &r);
  free(r.work);
  free(r.seen);
  return all;
}

// Whether lanes may come by a block before they come to another one: it stands before that, or in a
// loop around it.
static bool is_before(const ssa_function *f, uint32_t block, uint32_t other) {
  uint32_t outermost = f->blocks[other].loop;
  while (outermost != DC_NONE && f->loops[outermost].parent != DC_NONE)
    outermost = f->loops[outermost].parent;
  return f->blocks[block].order < f->blocks[other].order ||
         (outermost != DC_NONE && ssa_loop_contains(f, outermost, f->blocks[block].loop));
}

bool dcp_any_has_returned(const dcp_analysis *analysis, uint32_t block) {
  const ssa_function *f = analysis->function;
  for (uint32_t b = 0; b < f->n_blocks; ++b) {
    const ssa_block *branch = &f->blocks[b];
    if (!is_before(f, b, block) || analysis->branch_level[b] <= DC_WARP_UNIFORM)
      continue;
    for (uint32_t s = 0; s < branch->n_successors; ++s)
      if (f->blocks[f->edges[branch->first_successor + s]].just_returns)
        return true;
  }
  return false;
}
