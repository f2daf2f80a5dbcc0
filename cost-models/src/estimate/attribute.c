// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which branches the lanes have left by that idle in an instruction. A branch controls the blocks
// on its ways to where these meet. From a block up through what controls it, branch after branch
// and loop after loop, the lanes become more: what each step adds idles in the block by that step,
// so every idle lane-slot is charged once. What is missing at the kernel's entry, no branch has
// cost.
#include "estimate/estimate_internal.h"

#include <stdlib.h>
#include <string.h>

// Blocks that are looked at, over all branches: where ways are longer, the later branches control
// nothing.
#define BLOCKS_MAX 200000

static bool controls(const dc_kernel *kernel, const dc_flow *flow, uint32_t branch) {
  const dc_branch *data = &kernel->branches[branch];
  return data->level >= DC_DIVERGENT && data->exits == DC_NONE && !flow->predicated[branch] &&
         flow->attached[data->block] && kernel->blocks[data->block].n_successors > 1;
}

// Takes note of a block on a way of the branch, which controls it, or the loop that it heads.
static void take_note(const dc_kernel *kernel, uint32_t branch, uint32_t block, dc_control *out) {
  uint32_t context = kernel->blocks[kernel->branches[branch].block].loop,
           loop = kernel->blocks[block].loop;
  if (loop == context)
    out->of_block[block] = branch;
  else if (loop != DC_NONE && kernel->loops[loop].parent == context &&
           kernel->loops[loop].header == block)
    out->of_loop[loop] = branch;
}

#define PASSED UINT32_MAX // stands before the branch in the flow's order

// Marks what the branch controls; returns how many blocks these are. `seen`: of each block, the
// last branch, from 1, that led there, or PASSED.
static uint32_t mark_ways(const dc_kernel *kernel, uint32_t branch, uint32_t *seen, uint32_t *stack,
                          dc_control *out) {
  const dc_block *from = &kernel->blocks[kernel->branches[branch].block];
  uint32_t height = 0, count = 0, at = kernel->branches[branch].block;
  for (;;) {
    const dc_block *block = &kernel->blocks[at];
    for (uint32_t s = 0; s < block->n_successors; ++s) {
      uint32_t to = kernel->successors[block->first_successor + s];
      if (to == from->post_dominator || seen[to] == PASSED || seen[to] == branch + 1)
        continue;
      seen[to] = branch + 1;
      stack[height++] = to;
      take_note(kernel, branch, to, out);
      ++count;
    }
    if (height == 0)
      return count;
    at = stack[--height];
  }
}

dc_status dc__control_find(const dc_kernel *kernel, const dc_flow *flow, dc_control *out,
                           dc_error *error) {
  uint32_t *seen = calloc(kernel->n_blocks + 1u, sizeof *seen),
           *stack = malloc((kernel->n_blocks + 1u) * sizeof *stack), done = 0;
  out->of_block = malloc((kernel->n_blocks + 1u) * sizeof *out->of_block);
  out->of_loop = malloc((kernel->n_loops + 1u) * sizeof *out->of_loop);
  bool good = seen && stack && out->of_block && out->of_loop;
  if (good) {
    memset(out->of_block, 0xff, kernel->n_blocks * sizeof *out->of_block);
    memset(out->of_loop, 0xff, kernel->n_loops * sizeof *out->of_loop);
  }
  // An inner branch stands behind the one around it, and has the last word.
  for (uint32_t k = 0; good && k < kernel->n_blocks && done < BLOCKS_MAX; ++k) {
    uint32_t branch = kernel->blocks[flow->order[k]].branch;
    seen[flow->order[k]] = PASSED; // so that control goes one way, in whatever graph
    if (branch != DC_NONE && controls(kernel, flow, branch))
      done += mark_ways(kernel, branch, seen, stack, out);
  }
  free(seen);
  free(stack);
  if (good)
    return DC_OK;
  dc__control_free(out);
  return dc_fail(error, DC_ERROR_MEMORY, "out of memory for a kernel of %u blocks",
                 (unsigned)kernel->n_blocks);
}

void dc__control_free(dc_control *control) {
  free(control->of_block);
  free(control->of_loop);
  *control = (dc_control){NULL, NULL};
}

static double lanes_of(dc_visits visits) {
  return visits.executions > 0 ? visits.lanes / visits.executions : 0;
}

// Where a walk up through what controls an instruction is.
typedef struct place {
  uint32_t branch; // controls what has just been passed, in the loop; or DC_NONE
  uint32_t loop;   // around it, or DC_NONE
} place;

// Charges what idles in instructions that so many lanes take part in, on average.
static void charge(const dc_walk *walk, const dc_control *control, place at, double instructions,
                   double lanes, double *idle) {
  const dc_kernel *kernel = walk->kernel;
  while (at.branch != DC_NONE || at.loop != DC_NONE) {
    double before = lanes;
    if (at.branch != DC_NONE) {
      uint32_t block = kernel->branches[at.branch].block;
      before = lanes_of(walk->visits[block]);
      idle[at.branch] += before > lanes ? instructions * (before - lanes) : 0;
      at.branch = control->of_block[block];
    } else {
      const dc_loop_sums *sums = &walk->sums[at.loop];
      before = sums->entries > 0 ? sums->lanes / sums->entries : lanes;
      at = (place){control->of_loop[at.loop], kernel->loops[at.loop].parent};
    }
    lanes = before > lanes ? before : lanes;
  }
}

void dc__attribute_branches(const dc_walk *walk, const dc_control *control, double *idle) {
  const dc_kernel *kernel = walk->kernel;
  double all = 0;
  memset(idle, 0, kernel->n_branches * sizeof *idle);
  for (uint32_t k = 0; k < kernel->n_blocks; ++k) {
    uint32_t loop = kernel->blocks[k].loop;
    if (!walk->flow->attached[k] || (loop != DC_NONE && walk->flow->detached[loop]))
      continue;
    double instructions = walk->flow->costs[k].instructions * walk->visits[k].executions;
    if (!(instructions > 0))
      continue;
    all += instructions * DC_WARP;
    charge(walk, control, (place){control->of_block[k], loop}, instructions,
           lanes_of(walk->visits[k]), idle);
  }
  for (uint32_t l = 0; l < kernel->n_loops; ++l) {
    const dc_issued *passes = &walk->passes[l];
    if (walk->flow->detached[l] || !(passes->instructions > 0))
      continue;
    all += passes->instructions * DC_WARP;
    charge(walk, control, (place){DC_NONE, l}, passes->instructions,
           passes->lane_instructions / passes->instructions, idle);
  }
  for (uint32_t k = 0; k < kernel->n_branches && all > 0; ++k)
    idle[k] /= all;
}
