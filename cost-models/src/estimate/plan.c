// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an estimate finds once, before any warp is walked.
#include "estimate/plan.h"

#include <stdlib.h>

// `depth`: of products and casts that are looked into.
static bool has_factor(const dc_expr_pool *pool, dc_expr e, dc_expr_op op, int64_t i,
                       unsigned depth) {
  const dc_expr_node *node = &pool->nodes[e];
  bool is_product = node->op == DC_OP_MUL;
  if (is_product || node->op == DC_OP_ZEXT || node->op == DC_OP_SEXT || node->op == DC_OP_TRUNC)
    return depth > 0 && (has_factor(pool, node->a, op, i, depth - 1) ||
                         (is_product && has_factor(pool, node->b, op, i, depth - 1)));
  return node->op == op && node->i == i;
}

// Whether the kernel has a product of gridDim.x and blockIdx.y.
static bool numbers_blocks(const dc_expr_pool *pool) {
  enum { DEPTH = 4 };
  for (dc_expr e = 0; e < pool->count; ++e)
    if (pool->nodes[e].op == DC_OP_MUL && has_factor(pool, e, DC_OP_NCTAID, 0, DEPTH) &&
        has_factor(pool, e, DC_OP_CTAID, 1, DEPTH))
      return true;
  return false;
}

static dc_status find_distributions(dc__plan *p, dc_error *error) {
  for (uint32_t loop = 0; loop < p->kernel->n_loops; ++loop) {
    const char *text = dc_kernel_text(p->kernel, p->kernel->loops[loop].distribution);
    if (!text[0])
      continue;
    dc_error inner = {0};
    p->facts[loop].distribution =
        dc__distributions_find(p->distributions, text, p->kernel->loops[loop].correlation, &inner);
    if (p->facts[loop].distribution < 0)
      return dc_fail(error, inner.status, "loops[%u].distribution: %.200s", (unsigned)loop,
                     inner.text);
  }
  return DC_OK;
}

bool dc__plan_assume_distributions(dc__plan *p, dc_error *error) {
  for (uint32_t loop = 0; loop < p->kernel->n_loops; ++loop) {
    dc_loop_facts *facts = &p->facts[loop];
    const dc_loop *data = &p->kernel->loops[loop];
    if (facts->distribution >= 0 || data->level < DC_DIVERGENT ||
        data->loop_class == DC_CLASS_STRIDED || data->swaps)
      continue;
    for (unsigned k = 0; k < DC_SPREAD_COUNT; ++k) {
      const char *text = k == DC_SPREAD_NARROW  ? facts->assumed.low
                         : k == DC_SPREAD_HEAVY ? facts->assumed.heavy
                                                : facts->assumed.high;
      double alike = k == DC_SPREAD_ALIKE;
      facts->assumed_distribution[k] = dc__distributions_find(p->distributions, text, alike, error);
      if (facts->assumed_distribution[k] < 0)
        return false;
    }
  }
  return true;
}

dc_status dc__plan_prepare(dc__plan *p, dc_error *error) {
  const dc_kernel *kernel = p->kernel;
  size_t loops = (size_t)kernel->n_loops + 1, params = (size_t)kernel->n_params + 1;
  dc_status status = DC_OK;
  p->facts = calloc(loops, sizeof *p->facts);
  p->sums = calloc(loops, sizeof *p->sums);
  p->unrolled = calloc(loops, sizeof *p->unrolled);
  p->passes = calloc(loops, sizeof *p->passes);
  p->written = calloc(loops, sizeof *p->written);
  p->entries = calloc(loops, sizeof *p->entries);
  p->visits = calloc(kernel->n_blocks + 1u, sizeof *p->visits);
  p->retries = calloc(kernel->n_blocks + 1u, sizeof *p->retries);
  p->rows = calloc(DC_ROWS_MOST(kernel), sizeof *p->rows);
  p->iv = calloc(loops, sizeof *p->iv);
  p->params = calloc(params, sizeof *p->params);
  p->params_known = calloc(params, sizeof *p->params_known);
  p->params_assumed = calloc(params, sizeof *p->params_assumed);
  p->samples = calloc(DC_WARPS_MAX, sizeof *p->samples);
  p->block_lanes = calloc(kernel->n_blocks + 1u, sizeof *p->block_lanes);
  p->branch_lanes = calloc(kernel->n_branches + 1u, sizeof *p->branch_lanes);
  p->sides_of = calloc(loops, sizeof *p->sides_of);
  p->come = calloc(loops, sizeof *p->come);
  p->idle = calloc(kernel->n_branches + 1u, sizeof *p->idle);
  p->alike = dc__alike_in_lanes(&kernel->pool);
  if (!p->branch_lanes || !p->sides_of || !p->come || !p->idle || !p->alike || !p->passes ||
      !p->written || !p->entries || !p->visits || !p->retries || !p->rows || !p->block_lanes ||
      !p->facts || !p->sums || !p->unrolled || !p->iv || !p->params || !p->params_known ||
      !p->params_assumed || !p->samples) {
    dc_fail(error, DC_ERROR_MEMORY, "out of memory for a kernel of %u loops",
            (unsigned)kernel->n_loops);
    return DC_ERROR_MEMORY;
  }
  for (uint32_t k = 0; k < kernel->n_params; ++k) {
    p->params[k] = kernel->params[k].value;
    p->params_known[k] = kernel->params[k].known;
  }
  for (uint32_t k = 0; k < kernel->n_branches; ++k) {
    dc_expr condition = kernel->branches[k].condition;
    if (condition == DC_NO_EXPR)
      continue;
    p->branches_on_lane |= dc_expr_mentions(&kernel->pool, condition, DC_OP_TID, -1) ||
                           dc_expr_mentions(&kernel->pool, condition, DC_OP_LANE, -1);
    p->branches_on_block |= dc_expr_mentions(&kernel->pool, condition, DC_OP_CTAID, -1);
    p->in_rows |= dc_expr_mentions(&kernel->pool, condition, DC_OP_CTAID, 1);
  }
  p->numbered = p->in_rows && numbers_blocks(&kernel->pool);
  status = dc__facts_build(kernel, p->facts, &p->first_loop, error);
  for (unsigned choice = 0; choice < DC_CHOICE_COUNT && status == DC_OK; ++choice)
    status = dc__flow_build(kernel, p->facts, p->arch,
                            (dc_ways){(dc_choice)choice, (dc_choice)choice, false},
                            &p->flow[choice], error);
  for (uint32_t loop = p->first_loop; status == DC_OK && loop != DC_NONE;
       loop = p->facts[loop].next_sibling)
    p->cost += p->facts[loop].subtree_cost;
  if (status == DC_OK)
    status = dc__guards_find(kernel, &p->flow[0], &p->guards, error);
  if (status == DC_OK)
    status = dc__control_find(kernel, &p->flow[0], &p->control, error);
  for (uint32_t loop = 0; status == DC_OK && loop < kernel->n_loops; ++loop)
    p->facts[loop].inner_depend |= dc__guards_mention(&p->guards, kernel, loop);
  if (status == DC_OK)
    status = dc__emulated_prepare(kernel, p->arch, &p->emulated, error);
  return status == DC_OK ? find_distributions(p, error) : status;
}

void dc__plan_free(dc__plan *p) {
  for (unsigned choice = 0; choice < DC_CHOICE_COUNT; ++choice)
    dc__flow_free(&p->flow[choice]);
  dc__distributions_free(&p->own);
  dc__guards_free(&p->guards);
  dc__control_free(&p->control);
  dc__emulated_free(&p->emulated);
  free(p->facts);
  free(p->sums);
  free(p->unrolled);
  free(p->passes);
  free(p->written);
  free(p->entries);
  free(p->visits);
  free(p->retries);
  free(p->rows);
  free(p->iv);
  free(p->params);
  free(p->params_known);
  free(p->params_assumed);
  free(p->samples);
  free(p->block_lanes);
  free(p->branch_lanes);
  free(p->sides_of);
  free(p->come);
  free(p->idle);
  free(p->alike);
}
