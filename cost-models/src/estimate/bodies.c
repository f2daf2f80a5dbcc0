// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an iteration of a loop (or the kernel outside of loops) costs the warp, by the number of
// lanes that are active in it. A block that each of them comes to with the chance q is run by the
// warp with the chance 1 - (1 - q)^n, and a branch there makes the lanes diverge into as many ways
// as are taken, on average, but one.
//
// Trip counts tell how often the body begins. Lanes that leave by the loop's own condition, in
// front of the body, test it once more; those that leave by another exit don't run what comes after
// it in their last iteration. That is the same for each entry, however many iterations there are.
#include "estimate/estimate_internal.h"
#include "expr/expr_internal.h"
#include "kernel/predication.h"
#include "kernel/unknowns.h"

#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 12  // of a condition
#define EXITS_MAX 64  // of a loop
#define WAYS_MAX 64   // of a branch
#define GUARD_STEPS 3 // blocks between a guard and its loop

// ---- branches -----------------------------------------------------------------------------------

// Whether each lane's value follows from the launch, iterations around, and values that are the
// same for all of a block.
static bool follows_from_launch(const dc_kernel *kernel, dc_expr e, unsigned depth) {
  const dc_expr_node *node = &kernel->pool.nodes[e];
  if (dc__expr_op_is_search((dc_expr_op)node->op) || depth == 0 ||
      ((node->op == DC_OP_LOAD || node->op == DC_OP_OPAQUE) && node->level >= DC_DIVERGENT))
    return false;
  if (node->op <= DC_OP_OPAQUE)
    return true;
  const dc_expr operands[] = {node->a, node->b, node->c};
  for (unsigned k = 0; k < 3; ++k)
    if (operands[k] != DC_NO_EXPR && !follows_from_launch(kernel, operands[k], depth - 1))
      return false;
  return true;
}

// Made of nothing but unknown values and numbers, and grows with each: n, n * m, (n + 31) / 32.
static bool is_extent(const dc_kernel *kernel, dc_expr e, unsigned depth) {
  const dc_expr_node *node = &kernel->pool.nodes[e];
  switch ((dc_expr_op)node->op) {
  case DC_OP_PARAM:
  case DC_OP_LOAD:
  case DC_OP_OPAQUE:
    return true;
  case DC_OP_CONST:
    return node->i >= 0;
  case DC_OP_ADD:
  case DC_OP_MUL:
  case DC_OP_UDIV:
  case DC_OP_SDIV:
  case DC_OP_LSHR:
  case DC_OP_ASHR:
  case DC_OP_SHL:
    return depth > 0 && is_extent(kernel, node->a, depth - 1) &&
           is_extent(kernel, node->b, depth - 1);
  case DC_OP_ZEXT:
  case DC_OP_SEXT:
  case DC_OP_TRUNC:
    return depth > 0 && is_extent(kernel, node->a, depth - 1);
  default:
    return false;
  }
}

// Unknown extents in an expression, two of them where there are more.
static unsigned count_extents(const dc_kernel *kernel, dc_expr e, unsigned depth) {
  const dc_expr_node *node = &kernel->pool.nodes[e];
  if (node->op == DC_OP_PARAM && node->i < (int64_t)kernel->n_params &&
      kernel->params[node->i].known)
    return 0;
  if (node->op != DC_OP_CONST && is_extent(kernel, e, depth))
    return 1;
  if (node->op <= DC_OP_OPAQUE)
    return 0;
  if (depth == 0)
    return 2;
  const dc_expr operands[] = {node->a, node->b, node->c};
  unsigned count = 0;
  for (unsigned k = 0; k < 3 && count < 2; ++k)
    if (operands[k] != DC_NO_EXPR)
      count += count_extents(kernel, operands[k], depth - 1);
  return count;
}

// Whether each comparison in a condition has one unknown extent at most: then it may as well be as
// large as the launch. Of several nobody knows which is larger.
static bool has_single_extents(const dc_kernel *kernel, dc_expr e, unsigned depth) {
  const dc_expr_node *node = &kernel->pool.nodes[e];
  bool both = node->bits == 1 && (node->op == DC_OP_AND || node->op == DC_OP_OR ||
                                  node->op == DC_OP_SELECT); // x || y may stand as x ? true : y
  if (!both || depth == 0)
    return count_extents(kernel, e, depth) < 2;
  return has_single_extents(kernel, node->a, depth - 1) &&
         has_single_extents(kernel, node->b, depth - 1) &&
         (node->op != DC_OP_SELECT || has_single_extents(kernel, node->c, depth - 1));
}

static bool is_told(const dc_kernel *kernel, const dc_block *block, dc_expr condition) {
  dc_expr unknown = DC_NO_EXPR;
  if (condition == DC_NO_EXPR || block->n_successors != 2 ||
      !follows_from_launch(kernel, condition, DEPTH_MAX) ||
      !has_single_extents(kernel, condition, DEPTH_MAX))
    return false;
  dc__has_several_unknowns(kernel, condition, &unknown, DEPTH_MAX);
  // What all lanes would do with an assumed value says nothing.
  return unknown == DC_NO_EXPR || dc_expr_uniformity(&kernel->pool, condition) >= DC_DIVERGENT;
}

// Whether lanes that diverge at a branch have to be managed: not where it is an exit (counted with
// its loop), all its targets go to one place, or one target just returns.
static bool parts(const dc_kernel *kernel, const dc_branch *branch) {
  const dc_block *block = &kernel->blocks[branch->block];
  if (branch->exits != DC_NONE || block->n_successors < 2 || dc__has_bare_return(kernel, block))
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

static bool accesses_memory(const dc_block *block) {
  return block->mix[DC_MIX_GLOBAL] + block->mix[DC_MIX_SHARED] + block->mix[DC_MIX_LOCAL] +
             block->mix[DC_MIX_ATOMIC] + block->mix[DC_MIX_CALL] >
         0;
}

// Whether a branch only tells which lanes have iterations in a loop: if (k < n) do ... while, where
// nothing is read between. These belong to the loop's trip counts, none to which is nothing new.
static bool guards_a_loop(const dc_kernel *kernel, const dc_block *block) {
  const uint32_t *to = &kernel->successors[block->first_successor];
  if (block->n_successors != 2 ||
      (to[0] != block->post_dominator && to[1] != block->post_dominator))
    return false;
  uint32_t at = to[0] == block->post_dominator ? to[1] : to[0];
  for (unsigned step = 0; step < GUARD_STEPS && kernel->blocks[at].loop == block->loop; ++step) {
    if (kernel->blocks[at].n_successors != 1 || accesses_memory(&kernel->blocks[at]))
      return false;
    at = kernel->successors[kernel->blocks[at].first_successor];
  }
  uint32_t loop = kernel->blocks[at].loop;
  return loop != DC_NONE && loop != block->loop && kernel->loops[loop].header == at;
}

// Lanes that may part are reconverged by an instruction before and one behind: of a
// branch (BSSY, BSYNC), in its block; of a loop, in the blocks that enter it.
static void count_regions(const dc_kernel *kernel, dc_flow *flow) {
  for (uint32_t k = 0; k < kernel->n_branches; ++k)
    if (flow->parts[k] && kernel->branches[k].level >= DC_DIVERGENT)
      flow->regions[kernel->branches[k].block] += 2;
  for (uint32_t k = 0; k < kernel->n_blocks; ++k) {
    const dc_block *block = &kernel->blocks[k];
    for (uint32_t s = 0; s < block->n_successors; ++s) {
      uint32_t to = kernel->successors[block->first_successor + s], loop = kernel->blocks[to].loop;
      if (loop != DC_NONE && kernel->loops[loop].header == to && block->loop != loop &&
          kernel->loops[loop].level >= DC_DIVERGENT &&
          (block->loop == DC_NONE || kernel->loops[block->loop].depth < kernel->loops[loop].depth))
        flow->regions[k] += 2;
    }
  }
}

void dc__bodies_describe(const dc_kernel *kernel, dc_flow *flow) {
  for (uint32_t k = 0; k < kernel->n_branches; ++k) {
    const dc_branch *branch = &kernel->branches[k];
    const dc_block *block = &kernel->blocks[branch->block];
    flow->predicated[k] = dc__is_predicated(kernel, block);
    flow->told[k] = branch->exits == DC_NONE && is_told(kernel, block, branch->condition);
    flow->masked[k] = flow->told[k] && !flow->predicated[k] && flow->attached[branch->block] &&
                      block->loop == DC_NONE;
    flow->guards[k] = branch->exits == DC_NONE && guards_a_loop(kernel, block);
    flow->parts[k] = !flow->predicated[k] && parts(kernel, branch);
    flow->assumed |= !flow->predicated[k] && !flow->masked[k] && branch->exits == DC_NONE &&
                     branch->level >= DC_DIVERGENT && block->n_successors > 1;
  }
  count_regions(kernel, flow);
}

// ---- costs --------------------------------------------------------------------------------------

// chances[n]: that one of n lanes at least has what each has with the chance p.
static void find_chances(double p, double *chances) {
  chances[0] = 0;
  for (unsigned n = 1; n <= DC_WARP; ++n)
    chances[n] = p == 1 ? 1 : chances[n - 1] + p * (1 - chances[n - 1]);
}

void dc__block_cost(const dc_kernel *kernel, const dc_flow *flow, uint32_t block,
                    const dc_arch *arch, double *cycles, double *instructions) {
  const dc_block *data = &kernel->blocks[block];
  *cycles = *instructions = 0;
  for (unsigned mix = 0; mix < DC_MIX_COUNT; ++mix) {
    *cycles += data->mix[mix] * arch->issue[mix];
    *instructions += data->mix[mix];
  }
  if (data->counted)
    *instructions = (double)data->machine + flow->regions[block];
}

// Adds `times` executions of a block to a part of its loop.
static void add_block(const dc_kernel *kernel, const dc_arch *arch, uint32_t block, dc_part part,
                      double times, dc_flow *flow) {
  double cycles, instructions, some[DC_WARP + 1];
  uint32_t loop = kernel->blocks[block].loop;
  dc_body *body = &flow->bodies[part][loop == DC_NONE ? kernel->n_loops : loop];
  flow->times[part][block] += times;
  dc__block_cost(kernel, flow, block, arch, &cycles, &instructions);
  times *= flow->frequency[block];
  find_chances(flow->lanes[block], some);
  body->used |= times != 0;
  for (unsigned n = 1; n <= DC_WARP; ++n) {
    body->cycles[n] += times * some[n] * cycles;
    body->instructions[n] += times * some[n] * instructions;
  }
  body->lane_instructions += times * flow->lanes[block] * instructions;
}

static void add_ways(const dc_kernel *kernel, const dc_flow *flow, uint32_t block, dc_choice choice,
                     dc_body *body) {
  const dc_block *data = &kernel->blocks[block];
  const uint32_t *to = &kernel->successors[data->first_successor];
  double times = flow->frequency[block], chances[DC_WARP + 1], shares[WAYS_MAX] = {0};
  body->used |= times != 0;
  uint32_t ways = data->n_successors < WAYS_MAX ? data->n_successors : WAYS_MAX;
  for (uint32_t k = 0; k < ways; ++k) {
    uint32_t first = 0;
    while (to[first] != to[k])
      ++first;
    shares[first] += dc__target_share(kernel, data, k, data->n_successors, choice);
  }
  for (uint32_t k = 0; k <= ways; ++k) {
    find_chances(flow->lanes[block] * (k < ways ? shares[k] : 1), chances);
    for (unsigned n = 1; n <= DC_WARP; ++n)
      body->branches[n] += (k < ways ? times : -times) * chances[n];
  }
}

// ---- outside of loops ---------------------------------------------------------------------------

#define OPERATIONS_MAX 1000 // of one condition in a lane

// Those of `lanes` that take the first target of a masked branch; *others: those that may take the
// other. Where the value isn't known, both.
static uint32_t lanes_of_first(dc_walk *walk, const dc_branch *branch, uint32_t lanes,
                               uint32_t *others) {
  int64_t values[DC_WARP];
  dc_lanes_value result = dc__walk_evaluate(walk, branch->condition, lanes, OPERATIONS_MAX,
                                            walk->assumed, false, values);
  uint32_t known = (uint32_t)result.known;
  walk->used_assumed |= (known & result.uses_assumed) != 0;
  uint32_t first = 0;
  for (uint32_t rest = known; rest; rest &= rest - 1)
    first |= (uint32_t)(values[dc__first_lane(rest)] != 0) << dc__first_lane(rest);
  *others = lanes & ~first;
  return first | (lanes & ~known);
}

// Hands the lanes that come to a block on to its successors; those of either target of its branch.
static void pass_lanes(dc_walk *walk, uint32_t block, uint32_t targets[2]) {
  const dc_kernel *kernel = walk->kernel;
  const dc_block *data = &kernel->blocks[block];
  uint32_t lanes = targets[0] = targets[1] = walk->block_lanes[block];
  bool masked = data->branch != DC_NONE && walk->flow->masked[data->branch];
  if (masked && lanes)
    targets[0] = lanes_of_first(walk, &kernel->branches[data->branch], lanes, &targets[1]);
  for (uint32_t k = 0; k < data->n_successors; ++k)
    walk->block_lanes[kernel->successors[data->first_successor + k]] |= masked ? targets[k] : lanes;
}

void dc__bodies_of_warp(dc_walk *walk, double weight) {
  const dc_flow *flow = walk->flow;
  const dc_kernel *kernel = walk->kernel;
  dc_executed *out = &walk->executed;
  unsigned n = walk->lanes;
  out->branches += weight * flow->bodies[DC_PART_ITERATION][kernel->n_loops].branches[n];
  memset(walk->block_lanes, 0, kernel->n_blocks * sizeof *walk->block_lanes);
  walk->block_lanes[0] = n == DC_WARP ? UINT32_MAX : (UINT32_C(1) << n) - 1;
  for (uint32_t k = 0; k < kernel->n_blocks; ++k) {
    uint32_t block = flow->order[k], branch = kernel->blocks[block].branch, targets[2];
    double some[DC_WARP + 1], cycles, instructions, times = weight * flow->frequency[block];
    if (!flow->attached[block])
      continue;
    pass_lanes(walk, block, targets);
    if (kernel->blocks[block].loop != DC_NONE)
      continue;
    unsigned here = dc__lanes_count(walk->block_lanes[block]);
    find_chances(flow->lanes[block], some);
    dc__block_cost(kernel, flow, block, walk->arch, &cycles, &instructions);
    out->cycles += times * some[here] * cycles;
    out->instructions += times * some[here] * instructions;
    out->lane_instructions += times * flow->lanes[block] * here * instructions;
    walk->visits[block].executions += times * some[here];
    walk->visits[block].lanes += times * flow->lanes[block] * here;
    if (branch != DC_NONE && flow->masked[branch] && flow->parts[branch])
      out->branches += times * (some[dc__lanes_count(targets[0])] +
                                some[dc__lanes_count(targets[1])] - some[here]);
  }
}

// ---- ends of loops ------------------------------------------------------------------------------

typedef struct ends {
  const dc_kernel *kernel;
  uint32_t *position;         // of each block in the flow's order
  uint32_t *last;             // of each loop: the greatest position of its blocks
  uint64_t *before;           // of each block: the exits of the loop that it leads to, as bits
  uint64_t candidates, front; // of the loop: exits that a lane may leave by; those before the body
} ends;

static bool same_place(const dc_kernel *kernel, uint32_t a, uint32_t b) {
  if (a == DC_NONE || b == DC_NONE)
    return false;
  const dc_location *x = &kernel->locations[a], *y = &kernel->locations[b];
  return x->line == y->line && x->column == y->column && x->file == y->file && x->line > 0;
}

static bool is_latch(const dc_kernel *kernel, const dc_loop *loop, uint32_t block) {
  const dc_block *data = &kernel->blocks[block];
  for (uint32_t k = 0; k < data->n_successors; ++k)
    if (kernel->successors[data->first_successor + k] == loop->header)
      return true;
  return false;
}

// Which exits lead to which, and which stand before the body: that at the header, the one that is
// the loop's own condition (its branch stands where the loop does), and all that lead there.
static void find_exits(ends *s, const dc_flow *flow, uint32_t loop) {
  const dc_kernel *kernel = s->kernel;
  const dc_loop *data = &kernel->loops[loop];
  uint64_t own = 0, drawn = 0, all = 0;
  for (uint32_t at = s->position[data->header]; at <= s->last[loop]; ++at)
    s->before[flow->order[at]] = 0;
  for (uint32_t k = 0; k < data->n_exits; ++k) {
    const dc_exit *exit = &kernel->exits[data->first_exit + k];
    s->before[exit->block] |= UINT64_C(1) << k;
    all |= UINT64_C(1) << k;
    drawn |= (uint64_t)(exit->trips == DC_NO_EXPR) << k;
    if (!is_latch(kernel, data, exit->block) &&
        (exit->block == data->header || same_place(kernel, exit->location, data->location)))
      own |= UINT64_C(1) << k;
  }
  for (uint32_t at = s->last[loop] + 1; at-- > s->position[data->header];) {
    const dc_block *block = &kernel->blocks[flow->order[at]];
    for (uint32_t k = 0; k < block->n_successors; ++k) {
      uint32_t to = kernel->successors[block->first_successor + k];
      if (s->position[to] > at && s->position[to] <= s->last[loop])
        s->before[flow->order[at]] |= s->before[to];
    }
  }
  s->candidates = drawn ? drawn : all;
  s->front = 0;
  for (uint32_t k = 0; k < data->n_exits; ++k)
    if (s->before[kernel->exits[data->first_exit + k].block] & own)
      s->front |= UINT64_C(1) << k;
}

static void add_end(ends *s, const dc_arch *arch, uint32_t loop, dc_flow *flow) {
  const dc_loop *data = &s->kernel->loops[loop];
  if (data->n_exits == 0 || data->n_exits > EXITS_MAX || data->irreducible)
    return;
  find_exits(s, flow, loop);
  double share = 1.0 / dc__lanes_count(s->candidates);
  for (uint32_t at = s->position[data->header]; at <= s->last[loop]; ++at) {
    uint32_t block = flow->order[at];
    if (s->kernel->blocks[block].loop != loop)
      continue;
    unsigned more = dc__lanes_count(s->candidates & s->front & s->before[block]);
    unsigned fewer = dc__lanes_count(s->candidates & ~s->front & ~s->before[block]);
    if (more)
      add_block(s->kernel, arch, block, DC_PART_TEST, more * share, flow);
    if (fewer)
      add_block(s->kernel, arch, block, DC_PART_END, -(fewer * share), flow);
  }
}

static bool add_ends(const dc_kernel *kernel, const dc_arch *arch, dc_flow *flow) {
  ends s = {.kernel = kernel,
            .position = calloc(kernel->n_blocks + 1u, sizeof *s.position),
            .last = calloc(kernel->n_loops + 1u, sizeof *s.last),
            .before = calloc(kernel->n_blocks + 1u, sizeof *s.before)};
  bool done = s.position && s.last && s.before;
  for (uint32_t k = 0; done && k < kernel->n_blocks; ++k) {
    s.position[flow->order[k]] = k;
    for (uint32_t loop = kernel->blocks[flow->order[k]].loop; loop != DC_NONE;
         loop = kernel->loops[loop].parent)
      s.last[loop] = k;
  }
  for (uint32_t loop = 0; done && loop < kernel->n_loops; ++loop)
    add_end(&s, arch, loop, flow);
  free(s.position);
  free(s.last);
  free(s.before);
  return done;
}

// ---- all of it ----------------------------------------------------------------------------------

bool dc__bodies_build(const dc_kernel *kernel, const dc_arch *arch, dc_choice choice,
                      dc_flow *flow) {
  for (uint32_t k = 0; k < kernel->n_blocks; ++k) {
    const dc_block *block = &kernel->blocks[k];
    if (block->loop == DC_NONE && !flow->attached[k])
      continue;
    add_block(kernel, arch, k, DC_PART_ITERATION, 1, flow);
    if (block->branch != DC_NONE && flow->parts[block->branch] && !flow->masked[block->branch] &&
        kernel->branches[block->branch].level >= DC_DIVERGENT && choice != DC_CHOICE_ALIKE)
      add_ways(
          kernel, flow, k, choice,
          &flow->bodies[DC_PART_ITERATION][block->loop == DC_NONE ? kernel->n_loops : block->loop]);
  }
  return add_ends(kernel, arch, flow);
}
