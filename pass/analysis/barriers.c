// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/barriers.h"

#include <stdlib.h>

static bool is_barrier(const ssa_value *v) { return v->op == SSA_BARRIER || v->op == SSA_WARPSYNC; }

// A part of the warp may well wait for itself: only the full mask is a claim on all lanes.
static bool names_all_lanes(const ssa_function *f, const ssa_value *v) {
  if (v->op == SSA_BARRIER)
    return true;
  const ssa_value *mask = &f->values[f->operands[v->first_operand]];
  return mask->op == SSA_CONST && (uint32_t)mask->i == UINT32_MAX;
}

static uint8_t level_allowed(bool warp) { return warp ? DC_WARP_UNIFORM : DC_BLOCK_UNIFORM; }

bool dcp_doubts_barrier(const dcp_analysis *analysis) {
  const ssa_function *f = analysis->function;
  for (uint32_t value = 0; value < f->n_values; ++value) {
    const ssa_value *v = &f->values[value];
    if (is_barrier(v) && names_all_lanes(f, v) && v->block != DC_NONE &&
        analysis->control[v->block] > level_allowed(v->op == SSA_WARPSYNC))
      return true;
  }
  return false;
}

// What is wrong only in blocks that nobody launches, or if others change what is read, isn't worth
// a word.
static uint8_t control_of(const dcp_analysis *analysis, const dcp_analysis *kind, uint32_t block) {
  uint8_t control = analysis->control[block];
  return kind && kind->control[block] < control ? kind->control[block] : control;
}

bool dcp_build_barriers(const dcp_analysis *analysis, const dcp_analysis *kind,
                        uint32_t first_block) {
  const ssa_function *f = analysis->function;
  dc_kernel *kernel = analysis->kernel;
  for (uint32_t k = 0; k < f->n_in_order; ++k) {
    uint32_t at = f->in_order[k];
    const ssa_block *block = &f->blocks[at];
    for (uint32_t n = 0; n < block->n_values; ++n) {
      const ssa_value *v = &f->values[f->block_values[block->first_value + n]];
      if (!is_barrier(v))
        continue;
      uint32_t index = dc_kernel_add_barrier(kernel);
      if (index == DC_NONE)
        return false;
      kernel->barriers[index] = (dc_barrier){
          .block = first_block + at,
          .location = dcp_written_at(kernel, v->location),
          .level = names_all_lanes(f, v) ? control_of(analysis, kind, at) : DC_UNIFORM,
          .left = analysis->left[at],
          .warp = v->op == SSA_WARPSYNC,
      };
    }
  }
  return true;
}

dcp_barrier_fault dcp_barrier_fault_of(const dc_barrier *barrier, unsigned sm) {
  uint8_t allowed = level_allowed(barrier->warp);
  if (barrier->level > allowed)
    return DCP_BARRIER_DIVERGES;
  return barrier->left > allowed && sm > 0 && sm < 70 ? DCP_BARRIER_AFTER_RETURN
                                                      : DCP_BARRIER_SOUND;
}

bool dcp_decides(const dc_kernel *kernel, uint32_t branch, uint32_t block) {
  uint32_t *stack = malloc(kernel->n_blocks * sizeof *stack), height = 0;
  bool *met = calloc(kernel->n_blocks, sizeof *met), found = false;
  uint32_t from = kernel->branches[branch].block;
  if (stack && met) {
    stack[height++] = from;
    if (kernel->blocks[from].post_dominator != DC_NONE)
      met[kernel->blocks[from].post_dominator] = true;
  }
  while (height > 0 && !found) {
    const dc_block *at = &kernel->blocks[stack[--height]];
    for (uint32_t k = 0; k < at->n_successors; ++k) {
      uint32_t next = kernel->successors[at->first_successor + k];
      if (met[next])
        continue;
      met[next] = true;
      stack[height++] = next;
      found |= next == block;
    }
  }
  free(stack);
  free(met);
  return found;
}
