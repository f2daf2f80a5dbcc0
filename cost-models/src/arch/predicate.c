// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Branches for which a compiler issues the instructions of both targets under predicates instead.
#include "divcost/arch.h"
#include "divcost/machine_code.h"

#include "expr/expr_internal.h"
#include "kernel/predication.h"

#define JOIN_STEPS 3 // blocks without instructions behind a join

// Whether a side can be issued under a predicate, and how many instructions it has: of the machine,
// where these are known.
static bool count_side(const dc_block *side, uint64_t *count) {
  *count = side->counted ? side->machine : 0;
  for (unsigned mix = 0; mix < DC_MIX_COUNT && !side->counted; ++mix)
    *count += mix == DC_MIX_CONTROL ? 0 : side->mix[mix];
  return !side->mix[DC_MIX_CALL] && !side->mix[DC_MIX_BARRIER] && !side->mix[DC_MIX_WARP] &&
         !side->mix[DC_MIX_ATOMIC];
}

// Whether a condition is of the thread and the launch alone: the same each time it is asked.
static bool stays(const dc_expr_pool *pool, dc_expr e) {
  static const dc_expr_op changing[] = {DC_OP_IV, DC_OP_LOAD, DC_OP_OPAQUE, DC_OP_CARRIED,
                                        DC_OP_ICARRIED};
  for (unsigned k = 0; e != DC_NO_EXPR && k < sizeof changing / sizeof *changing; ++k)
    if (dc_expr_mentions(pool, e, changing[k], -1))
      return false;
  return e != DC_NO_EXPR;
}

// Whether behind the join the same is asked again: `if (lane == 0) store; }` at the end of a loop
// that begins with `if (lane == 0)`. LLVM makes one stretch of both sides (JumpThreading), so that
// lanes do part.
static bool is_asked_again(const dc_kernel *kernel, const dc_block *block) {
  dc_expr condition = kernel->branches[block->branch].condition;
  uint32_t at = block->post_dominator;
  if (!stays(&kernel->pool, condition))
    return false;
  for (unsigned step = 0; step < JOIN_STEPS && dc__is_empty(&kernel->blocks[at]); ++step) {
    const dc_block *join = &kernel->blocks[at];
    if (join->branch != DC_NONE)
      return kernel->branches[join->branch].condition == condition;
    if (join->n_successors != 1)
      return false;
    at = kernel->successors[join->first_successor];
  }
  return false;
}

// What is expected of a branch by what its sides are (pass/analysis/predication.c) doesn't hold
// where nobody knows what is predicated, nor of branches that are none of their own.
static void reconsider(const dc_arch *arch, const dc_kernel *kernel, dc_branch *branch) {
  const dc_block *block = &kernel->blocks[branch->block];
  bool otherwise = dc__has_bare_return(kernel, block) || is_asked_again(kernel, block);
  if (arch->predicated == 0)
    branch->predication = DC_PREDICATION_UNKNOWN;
  else if (branch->predication == DC_PREDICATION_LIKELY && otherwise)
    branch->predication = DC_PREDICATION_UNLIKELY;
  branch->close &= arch->predicated > 0 && !otherwise;
}

void dc_arch_predicate(const dc_arch *arch, dc_kernel *kernel) {
  for (uint32_t k = 0; k < kernel->n_branches; ++k) {
    dc_branch *branch = &kernel->branches[k];
    const dc_block *block = &kernel->blocks[branch->block];
    if (branch->predication != DC_PREDICATION_UNKNOWN)
      reconsider(arch, kernel, branch);
    if (arch->predicated == 0 || branch->predication != DC_PREDICATION_UNKNOWN ||
        branch->level < DC_DIVERGENT || branch->exits != DC_NONE ||
        !dc__has_simple_targets(kernel, block) || dc__has_bare_return(kernel, block))
      continue;
    bool fit = !is_asked_again(kernel, block);
    uint64_t longest = 0, count;
    for (uint32_t s = 0; s < block->n_successors; ++s) {
      uint32_t side = kernel->successors[block->first_successor + s];
      if (side == block->post_dominator)
        continue;
      fit &= count_side(&kernel->blocks[side], &count);
      longest = count > longest ? count : longest;
    }
    bool likely = fit && longest <= arch->predicated;
    branch->predication = likely ? DC_PREDICATION_LIKELY : DC_PREDICATION_UNLIKELY;
    branch->close = fit && dc_predication_is_close(longest, arch->predicated);
  }
}
