// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// BSSY and BSYNC of machine code since Volta: what a branch or a loop takes for lanes that part.
#include "kernel/regions.h"

#include "kernel/predication.h"

#define PAIR 2
#define WITHIN 0x8000u // flag of a block in a table of instructions
#define WAYS_MOST 64   // blocks on the ways of a branch that are looked at

bool dc__parts_lanes(const dc_kernel *kernel, uint32_t branch) {
  const dc_branch *data = &kernel->branches[branch];
  const dc_block *block = &kernel->blocks[data->block];
  if (data->exits != DC_NONE || block->n_successors < 2 || dc__is_predicated(kernel, block) ||
      dc__has_bare_return(kernel, block))
    return false;
  uint32_t first = kernel->successors[block->first_successor];
  bool differ = false;
  for (uint32_t k = 0; k < block->n_successors; ++k) {
    uint32_t to = kernel->successors[block->first_successor + k];
    differ |= to != first;
    if (kernel->blocks[to].n_successors == 0 && block->post_dominator == DC_NONE)
      return false;
  }
  return differ;
}

static bool enters(const dc_kernel *kernel, const dc_block *block, uint32_t to) {
  uint32_t loop = kernel->blocks[to].loop;
  return loop != DC_NONE && kernel->loops[loop].header == to && block->loop != loop &&
         (block->loop == DC_NONE || kernel->loops[block->loop].depth < kernel->loops[loop].depth);
}

static bool is_managed(const dc_kernel *kernel, uint32_t branch) {
  return branch != DC_NONE && kernel->branches[branch].level >= DC_DIVERGENT &&
         dc__parts_lanes(kernel, branch);
}

typedef struct ways {
  uint32_t blocks[WAYS_MOST], n;
} ways;

static bool has(const ways *of, uint32_t block) {
  for (uint32_t k = 0; k < of->n; ++k)
    if (of->blocks[k] == block)
      return true;
  return false;
}

// False: there are too many.
static bool add(ways *to, uint32_t block) {
  if (has(to, block))
    return true;
  if (to->n == WAYS_MOST)
    return false;
  to->blocks[to->n++] = block;
  return true;
}

// The blocks from one on, in front of the join. False: there are too many.
static bool go_on(const dc_kernel *kernel, uint32_t from, uint32_t join, ways *out) {
  bool fit = from == join || add(out, from);
  for (uint32_t k = 0; k < out->n; ++k) {
    const dc_block *block = &kernel->blocks[out->blocks[k]];
    for (uint32_t s = 0; s < block->n_successors; ++s) {
      uint32_t to = kernel->successors[block->first_successor + s];
      fit &= to == join || add(out, to);
    }
  }
  return fit;
}

// Whether ways of a branch come together in front of its join, for lanes that don't go there at
// once: `(a ? b : c) && d`.
static bool meet_before_join(const dc_kernel *kernel, const dc_block *block) {
  ways seen = {.n = 0};
  for (uint32_t s = 0; s < block->n_successors; ++s) {
    ways one = {.n = 0};
    uint32_t to = kernel->successors[block->first_successor + s];
    if (!go_on(kernel, to, block->post_dominator, &one))
      return true;
    for (uint32_t k = 0; k < one.n; ++k)
      if (has(&seen, one.blocks[k]) || !add(&seen, one.blocks[k]))
        return true;
  }
  return false;
}

// Flags the branches on the ways of a branch whose lanes meet where its own do, and nowhere before:
// of `else if`, or the rest of `a && b`. Others on its ways have met before.
static void flag_those_within(const dc_kernel *kernel, uint32_t branch, uint16_t *regions) {
  const dc_block *block = &kernel->blocks[kernel->branches[branch].block];
  uint32_t join = block->post_dominator;
  for (uint32_t k = 0; k < block->n_successors && join != DC_NONE; ++k)
    for (uint32_t b = kernel->successors[block->first_successor + k]; b != DC_NONE && b != join;
         b = kernel->blocks[b].post_dominator)
      if (kernel->blocks[b].post_dominator == join &&
          is_managed(kernel, kernel->blocks[b].branch) &&
          !meet_before_join(kernel, &kernel->blocks[b]))
        regions[b] |= WITHIN;
}

void dc__count_regions(const dc_kernel *kernel, uint16_t *regions) {
  for (uint32_t k = 0; k < kernel->n_branches; ++k)
    if (is_managed(kernel, k))
      flag_those_within(kernel, k, regions);
  for (uint32_t k = 0; k < kernel->n_branches; ++k) {
    uint16_t *of = &regions[kernel->branches[k].block];
    if (is_managed(kernel, k) && !(*of & WITHIN))
      *of += PAIR;
  }
  for (uint32_t k = 0; k < kernel->n_blocks; ++k)
    regions[k] &= (uint16_t)~WITHIN;
  for (uint32_t k = 0; k < kernel->n_blocks; ++k) {
    const dc_block *block = &kernel->blocks[k];
    for (uint32_t s = 0; s < block->n_successors; ++s) {
      uint32_t to = kernel->successors[block->first_successor + s];
      if (enters(kernel, block, to) && kernel->loops[kernel->blocks[to].loop].level >= DC_DIVERGENT)
        regions[k] += PAIR;
    }
  }
}
