// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which lanes come to a loop at all. A branch outside of the loop whose condition is known per lane
// guards it where every way to the loop passes it, and only one of its targets leads there (without
// going round a loop that holds both): `if (i >= n) return;` at the top, `if (lane == 0)` around.
// Lanes that another target takes don't enter. Found by one walk over the blocks for each target of
// each such branch, and one past it.
#include "estimate/estimate_internal.h"

#include <stdlib.h>
#include <string.h>

#define OPERATIONS_MAX 1000 // of one condition in a lane
#define GUARDED_MAX 64      // branches with a known condition that are looked at
#define PAST 4              // mark of what a way leads to that doesn't pass the branch

bool dc__loop_holds(const dc_kernel *kernel, uint32_t outer, uint32_t inner) {
  while (inner != DC_NONE && inner != outer)
    inner = kernel->loops[inner].parent;
  return inner == outer;
}

uint32_t dc__loop_inside(const dc_kernel *kernel, uint32_t outer, uint32_t block) {
  uint32_t loop = kernel->blocks[block].loop;
  if (loop == outer)
    return DC_NONE;
  while (kernel->loops[loop].parent != outer)
    loop = kernel->loops[loop].parent;
  return loop;
}

// Marks the blocks that `from` leads to without a back edge of a loop around `from`'s branch, nor
// through the block `past`.
static void reach(const dc_kernel *kernel, uint32_t from, uint32_t within, uint32_t past,
                  uint8_t bit, uint8_t *marks, uint32_t *stack) {
  uint32_t height = 0;
  if (from == past)
    return;
  marks[from] |= bit;
  stack[height++] = from;
  while (height > 0) {
    const dc_block *block = &kernel->blocks[stack[--height]];
    for (uint32_t s = 0; s < block->n_successors; ++s) {
      uint32_t to = kernel->successors[block->first_successor + s];
      uint32_t at = within;
      while (at != DC_NONE && kernel->loops[at].header != to)
        at = kernel->loops[at].parent;
      if (at == DC_NONE && to != past && !(marks[to] & bit)) {
        marks[to] |= bit;
        stack[height++] = to;
      }
    }
  }
}

static bool add_guard(dc_guards *guards, dc_guard guard) {
  if ((guards->count & (guards->count - 1)) == 0) {
    dc_guard *grown =
        realloc(guards->list, (guards->count ? 2 * (size_t)guards->count : 1) * sizeof *grown);
    if (!grown)
      return false;
    guards->list = grown;
  }
  guards->list[guards->count++] = guard;
  return true;
}

// The guards of a loop by a condition; and by its parts, where these are known and the rest isn't:
// each must hold for a && b to, and none for !(a || b).
static bool add_guards(const dc_branch *branch, const dc_condition *condition, uint32_t loop,
                       bool holds, dc_guards *guards) {
  bool whole = dc__is_told(condition);
  dc_guard guard = {.loop = loop,
                    .condition = branch->condition,
                    .holds = holds,
                    .degree = whole ? condition->degree : 0,
                    .iterates = condition->iterates};
  bool added = add_guard(guards, guard);
  for (unsigned n = 0; n < condition->n_told && !whole && condition->any != holds; ++n) {
    guard.condition = condition->told[n];
    guard.degree = condition->degree;
    added = added && add_guard(guards, guard);
  }
  return added;
}

static bool guards_of_branch(const dc_kernel *kernel, const dc_branch *branch,
                             const dc_condition *condition, uint8_t *marks, uint32_t *stack,
                             dc_guards *guards) {
  const dc_block *block = &kernel->blocks[branch->block];
  uint32_t around = block->loop, first = around == DC_NONE ? 0 : kernel->loops[around].header;
  memset(marks, 0, kernel->n_blocks);
  for (uint32_t target = 0; target < 2; ++target) {
    uint32_t to = kernel->successors[block->first_successor + target];
    if (around == DC_NONE || to != first)
      reach(kernel, to, around, DC_NONE, (uint8_t)(1u << target), marks, stack);
  }
  reach(kernel, first, around, branch->block, PAST, marks, stack);
  for (uint32_t loop = 0; loop < kernel->n_loops; ++loop) {
    uint8_t targets = marks[kernel->loops[loop].header];
    bool beside = block->loop == DC_NONE ||
                  (dc__loop_holds(kernel, block->loop, loop) && block->loop != loop);
    if (beside && (targets == 1 || targets == 2) &&
        !add_guards(branch, condition, loop, targets == 1, guards))
      return false;
  }
  return true;
}

static int by_loop(const void *x, const void *y) {
  const dc_guard *a = x, *b = y;
  return a->loop < b->loop ? -1 : a->loop > b->loop;
}

dc_status dc__guards_find(const dc_kernel *kernel, const dc_flow *flow, dc_guards *guards,
                          dc_error *error) {
  uint8_t *marks = malloc(kernel->n_blocks + 1u);
  uint32_t *stack = malloc((kernel->n_blocks + 1u) * sizeof *stack);
  bool done = marks && stack;
  unsigned looked_at = 0;
  for (uint32_t k = 0; done && k < kernel->n_branches && looked_at < GUARDED_MAX; ++k) {
    const dc_branch *branch = &kernel->branches[k];
    if (branch->condition == DC_NO_EXPR || branch->exits != DC_NONE ||
        kernel->blocks[branch->block].n_successors != 2)
      continue;
    ++looked_at;
    done = guards_of_branch(kernel, branch, &flow->conditions[k], marks, stack, guards);
  }
  free(marks);
  free(stack);
  if (!done)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory for the branches of a kernel");
  if (guards->count)
    qsort(guards->list, guards->count, sizeof *guards->list, by_loop);
  return DC_OK;
}

void dc__guards_free(dc_guards *guards) {
  free(guards->list);
  *guards = (dc_guards){0};
}

bool dc__guards_mention(const dc_guards *guards, const dc_kernel *kernel, uint32_t loop) {
  for (uint32_t k = 0; k < guards->count; ++k)
    if (guards->list[k].iterates &&
        dc_expr_mentions(&kernel->pool, guards->list[k].condition, DC_OP_IV, loop))
      return true;
  return false;
}

static dc_told_condition tell(dc_walk *walk, const dc_guard *guard, uint32_t lanes) {
  int64_t values[DC_WARP];
  dc_lanes_value result = dc__walk_evaluate(walk, guard->condition, lanes, OPERATIONS_MAX,
                                            dc__assumed_factor(walk, guard->degree), false, values);
  dc_told_condition told = {.condition = guard->condition,
                            .degree = guard->degree,
                            .walked = walk->walked,
                            .lanes = lanes,
                            .known = (uint32_t)result.known,
                            .used_assumed = (result.known & result.uses_assumed) != 0};
  for (uint32_t rest = told.known; rest; rest &= rest - 1)
    if (values[dc__first_lane(rest)] != 0)
      told.holds |= rest & (~rest + 1);
  return told;
}

// One branch guards many loops, and a warp comes to inner ones often.
static dc_told_condition tell_once(dc_walk *walk, const dc_guard *guard, uint32_t lanes) {
  if (guard->iterates || walk->draws)
    return tell(walk, guard, lanes);
  dc_told_condition *kept = &walk->guards->told[guard->condition % DC_TOLD_KEPT];
  if (kept->walked != walk->walked || kept->lanes != lanes || kept->condition != guard->condition ||
      kept->degree != guard->degree)
    *kept = tell(walk, guard, lanes);
  return *kept;
}

uint32_t dc__guards_pass(dc_walk *walk, uint32_t loop, uint32_t lanes) {
  const dc_guards *guards = walk->guards;
  uint32_t low = 0, high = guards->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (guards->list[middle].loop < loop)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < guards->count && guards->list[low].loop == loop && lanes; ++low) {
    const dc_guard *guard = &guards->list[low];
    dc_told_condition told = tell_once(walk, guard, lanes);
    walk->used_assumed |= told.used_assumed;
    // Where it isn't known, the lane may well come in.
    lanes &= guard->holds ? told.holds | ~told.known : ~told.holds;
  }
  return lanes;
}
