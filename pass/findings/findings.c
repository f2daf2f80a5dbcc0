// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules that need no estimate, estimates, and the rules that do. The finding of a loop that an
// annotation ignores is there too, suppressed.
#include "findings/findings.h"

#include "findings/rules.h"

#include <string.h>

static dc_status estimate_kernel(dc_unit_kernel *kernel, const dc_arch *arch,
                                 dc_estimate_cache *cache, dc_error *error) {
  dc_error reason;
  dc_arch_predicate(arch, &kernel->kernel);
  dc_status status = dc_unit_estimate(kernel, arch, 1, cache, &reason);
  if (status == DC_ERROR_MEMORY)
    return dc_fail(error, status, "out of memory");
  return status == DC_OK ? DC_OK : dcp_not_estimated(kernel, reason.text, error);
}

bool dcp_is_told_of(const dc_unit_kernel *kernel) {
  for (uint32_t f = 0; f < kernel->n_findings; ++f)
    if (dc_rule_about(kernel->findings[f].rule)->of_cost)
      return true;
  return false;
}

uint32_t dcp_deciding_estimate(const dc_unit_kernel *kernel, uint32_t loop) {
  uint32_t worst = DC_NONE;
  for (uint32_t e = 0; e < kernel->n_estimates; ++e)
    if (dc_estimate_decides(kernel, e) &&
        (worst == DC_NONE || dc_loop_share(&kernel->estimates[e], loop).low >
                                 dc_loop_share(&kernel->estimates[worst], loop).low))
      worst = e;
  return worst;
}

bool dcp_is_serial(const dc_launch *launch) {
  const uint32_t *block = launch->block, *grid = launch->grid;
  return grid[0] == 1 && grid[1] == 1 && grid[2] == 1 && block[0] * block[1] * block[2] < 32;
}

uint32_t dcp_least_efficient(const dc_unit_kernel *kernel) {
  uint32_t worst = DC_NONE;
  bool all_serial = true;
  for (uint32_t e = 0; e < kernel->n_estimates; ++e)
    all_serial &= dcp_is_serial(&kernel->estimates[e].launch);
  for (uint32_t e = 0; e < kernel->n_estimates; ++e) {
    dc_interval certain = kernel->estimates[e].certain_efficiency;
    if (dc_estimate_decides(kernel, e) && certain.high >= 0 &&
        (all_serial || !dcp_is_serial(&kernel->estimates[e].launch)) &&
        (worst == DC_NONE || certain.high < kernel->estimates[worst].certain_efficiency.high))
      worst = e;
  }
  return worst;
}

bool dcp_needs_parameter(const dc_kernel *kernel, dc_expr e, uint32_t parameter) {
  return !kernel->params[parameter].known &&
         dc_expr_mentions(&kernel->pool, e, DC_OP_PARAM, parameter);
}

bool dcp_rests_on_launch(const dc_kernel *kernel, dc_expr e) {
  return e != DC_NO_EXPR && !dc_expr_mentions(&kernel->pool, e, DC_OP_LOAD, -1) &&
         !dc_expr_mentions(&kernel->pool, e, DC_OP_OPAQUE, -1) &&
         !dc_expr_mentions(&kernel->pool, e, DC_OP_FUNCTION, -1);
}

static bool has_low_bits(const dc_expr_pool *pool, dc_expr e) {
  const dc_expr_node *node = &pool->nodes[e];
  if (node->op == DC_OP_XOR) // but for -x - 1
    return pool->nodes[node->b].op != DC_OP_CONST || pool->nodes[node->b].i != -1;
  return node->op == DC_OP_AND || node->op == DC_OP_UREM || node->op == DC_OP_SREM;
}

bool dcp_compares_low_bits(const dc_expr_pool *pool, const dc_expr_node *comparison) {
  return has_low_bits(pool, comparison->a) || has_low_bits(pool, comparison->b);
}

static bool is_known(const dc_kernel *kernel, dc_expr e) {
  bool known = dcp_rests_on_launch(kernel, e);
  for (uint32_t p = 0; known && p < kernel->n_params; ++p)
    known = kernel->params[p].known || !dc_expr_mentions(&kernel->pool, e, DC_OP_PARAM, p);
  return known;
}

// Whether lanes part at a branch, and all that decides where they go follows from the launch: only
// then is it certain that some idle.
static bool parts_for_certain(const dc_kernel *kernel) {
  bool parts = false;
  for (uint32_t k = 0; k < kernel->n_branches; ++k)
    if (kernel->branches[k].level >= DC_DIVERGENT) {
      parts = true;
      if (!is_known(kernel, kernel->branches[k].condition))
        return false;
    }
  for (uint32_t l = 0; parts && l < kernel->n_loops; ++l)
    if (!kernel->loops[l].distribution && !is_known(kernel, kernel->loops[l].trips))
      return false;
  return parts;
}

// Whether lanes part at a branch by more than a bound on their index.
static bool parts_by_data(const dc_kernel *kernel) {
  for (uint32_t k = 0; k < kernel->n_branches; ++k) {
    const dc_branch *branch = &kernel->branches[k];
    if (branch->level < DC_DIVERGENT || branch->exits != DC_NONE ||
        branch->predication == DC_PREDICATION_LIKELY)
      continue;
    if (branch->condition == DC_NO_EXPR)
      return true;
    const dc_expr_node *node = &kernel->pool.nodes[branch->condition];
    bool bound = node->op >= DC_OP_ULT && node->op <= DC_OP_SLE &&
                 kernel->blocks[branch->block].loop == DC_NONE &&
                 !dcp_compares_low_bits(&kernel->pool, node);
    if (!bound || !dcp_rests_on_launch(kernel, branch->condition))
      return true;
  }
  return false;
}

bool dcp_has_part_warp(const uint32_t block[3]) { return block[0] * block[1] * block[2] % 32 != 0; }

bool dcp_may_lose(const dc_kernel *kernel) {
  for (uint32_t l = 0; l < kernel->n_launches; ++l) {
    const dc_launch *launch = &kernel->launches[l];
    if (launch->from < DC_BLOCK_LAUNCH_BOUNDS && dcp_has_part_warp(launch->block))
      return true;
  }
  for (uint32_t l = 0; l < kernel->n_loops; ++l)
    if (kernel->loops[l].level >= DC_DIVERGENT)
      return true;
  return parts_for_certain(kernel) || parts_by_data(kernel);
}

bool dcp_may_scatter(const dc_kernel *kernel) {
  enum { MOST = 500 };
  unsigned looks = 0;
  for (uint32_t l = 0; l < kernel->n_launches; ++l) {
    const uint32_t *block = kernel->launches[l].block;
    if (l > 0 && memcmp(block, kernel->launches[l - 1].block, sizeof kernel->launches->block) == 0)
      continue;
    for (uint32_t k = 0; k < kernel->n_accesses && looks < MOST; ++k, ++looks)
      if (dc_access_excess(kernel, k, block) >= DCP_MEMORY_EXCESS)
        return true;
  }
  return false;
}

static bool knows_grid(const dc_kernel *kernel) {
  for (uint32_t l = 0; l < kernel->n_launches; ++l)
    if (kernel->launches[l].grid[0] != 0)
      return true;
  return false;
}

// The rules that are about what loops cost, or the others.
static dc_status find(dc_unit *unit, const dcp_options *options, bool of_cost, dc_error *error) {
#define ROW(rule, find) {rule, find},
  static const struct {
    dc_rule rule;
    dc_status (*find)(dc_unit *unit, const dcp_options *options, dc_error *error);
  } rules[] = {DCP_RULES(ROW)};
#undef ROW
  dc_status status = DC_OK;
  for (size_t k = 0; status == DC_OK && k < sizeof rules / sizeof *rules; ++k)
    if (dc_rule_about(rules[k].rule)->of_cost == of_cost)
      status = rules[k].find(unit, options, error);
  return status;
}

dc_status dcp_find(dc_unit *unit, unsigned sm, const dcp_options *options, bool only_findings,
                   dc_error *error) {
  dc_arch arch;
  dc_error reason;
  bool known = dcp_options_arch(options, sm, &arch, &reason) == DC_OK;
  dc_status status = find(unit, options, false, error);
  dc_estimate_cache *cache = dc_estimate_cache_create(); // it goes without, too
  for (uint32_t k = 0; status == DC_OK && k < unit->n_kernels; ++k) {
    dc_unit_kernel *kernel = &unit->kernels[k];
    if (only_findings && !dcp_may_scatter(&kernel->kernel)) {
      if (!dcp_may_lose(&kernel->kernel))
        continue;
      if (!knows_grid(&kernel->kernel))
        kernel->kernel.n_accesses = 0; // no rule will ask, and no time rests on them
    }
    status = known ? estimate_kernel(kernel, &arch, cache, error)
                   : dcp_not_estimated(kernel, reason.text, error);
  }
  dc_estimate_cache_free(cache);
  if (status == DC_OK)
    status = find(unit, options, true, error);
  return status == DC_OK ? dcp_name_others(unit, error) : status;
}
