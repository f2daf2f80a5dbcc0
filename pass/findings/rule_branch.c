// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The branch of a kernel at which most lane-slots idle, where no rule has said of the kernel what
// it loses. Lanes are taken to decide each for itself, which is the worst of most data: so it takes
// more than the threshold. Instances of one branch (templates, inlining) are one finding, in the
// kernel that idles most.
#include "findings/findings.h"
#include "findings/messages.h"
#include "findings/rules.h"

#include "divcost/hash.h"

#include <stdlib.h>
#include <string.h>

#define OF_THRESHOLD 2.5
#define DEPTH_MAX 8   // of conditions joined to one
#define NODES_MAX 500 // of the values that one compares

// A kernel's worst branch.
typedef struct candidate {
  uint32_t kernel, branch, estimate;
  double idle;
  const char *file;
  uint32_t line, column;
} candidate;

static bool is_told_of(const dc_unit_kernel *kernel) {
  for (uint32_t f = 0; f < kernel->n_findings; ++f)
    if (dc_rule_about(kernel->findings[f].rule)->of_cost)
      return true;
  return false;
}

// Whether a value may differ between lanes by more than their index; also where it is made of more
// than *left nodes.
static bool has_data(const dc_expr_pool *pool, dc_expr e, unsigned *left) {
  const dc_expr_node *node = &pool->nodes[e];
  if (*left == 0)
    return true;
  --*left;
  if (node->op == DC_OP_LOAD || node->op == DC_OP_OPAQUE || node->op == DC_OP_FUNCTION)
    return node->level >= DC_DIVERGENT;
  if (node->op < DC_OP_OPAQUE)
    return false;
  const dc_expr operands[] = {node->a, node->b, node->c};
  for (unsigned k = 0; k < 3; ++k)
    if (operands[k] != DC_NO_EXPR && has_data(pool, operands[k], left))
      return true;
  return false;
}

static bool is_of_index(const dc_expr_pool *pool, dc_expr e) {
  unsigned left = NODES_MAX;
  return !has_data(pool, e, &left);
}

// Whether a value is computed from the lane's index as physics does it: in floating point, of
// nothing else that differs between lanes. Then neighbours nearly always agree on a comparison.
static bool is_smooth(const dc_expr_pool *pool, dc_expr e, unsigned depth) {
  const dc_expr_node *node = &pool->nodes[e];
  switch ((dc_expr_op)node->op) {
  case DC_OP_FEQ:
  case DC_OP_FLT:
  case DC_OP_FLE:
    return is_of_index(pool, e);
  case DC_OP_AND:
  case DC_OP_OR:
  case DC_OP_XOR:
  case DC_OP_SELECT:
    break;
  default:
    return node->op == DC_OP_CONST;
  }
  const dc_expr operands[] = {node->a, node->b, node->c};
  for (unsigned k = 0; k < 3; ++k)
    if (operands[k] != DC_NO_EXPR && (depth == 0 || !is_smooth(pool, operands[k], depth - 1)))
      return false;
  return true;
}

// Whether a comparison stays as it is while loops go on, or is with a size that the launch gave:
// not so the halves of a tree, or a front that moves over the lanes.
static bool is_extent(const dc_expr_pool *pool, dc_expr e) {
  return !dc_expr_mentions(pool, e, DC_OP_IV, -1) || dc_expr_mentions(pool, e, DC_OP_PARAM, -1);
}

static bool has_low_bits(const dc_expr_node *node) {
  return node->op == DC_OP_AND || node->op == DC_OP_UREM || node->op == DC_OP_SREM;
}

// Whether a condition says no more than where the lane's index lies: below a value that the lanes
// share, or at it. Nearly all lanes of a warp agree on that. (Low bits of an index part them.)
static bool is_bound(const dc_expr_pool *pool, dc_expr e, unsigned depth) {
  const dc_expr_node *node = &pool->nodes[e];
  bool joined = node->bits == 1 && (node->op == DC_OP_AND || node->op == DC_OP_OR ||
                                    node->op == DC_OP_XOR || node->op == DC_OP_SELECT);
  if (!joined)
    return node->op == DC_OP_CONST ||
           (is_extent(pool, e) && node->op >= DC_OP_EQ && node->op <= DC_OP_SLE &&
            !has_low_bits(&pool->nodes[node->a]) && !has_low_bits(&pool->nodes[node->b]) &&
            is_of_index(pool, e));
  const dc_expr operands[] = {node->a, node->b, node->c};
  for (unsigned k = 0; k < 3; ++k)
    if (operands[k] != DC_NO_EXPR && (depth == 0 || !is_bound(pool, operands[k], depth - 1)))
      return false;
  return true;
}

// Whether lanes hardly ever part at a branch of which it is assumed that each decides for itself.
static bool hardly_parts(const dc_kernel *kernel, dc_expr condition) {
  const dc_expr_pool *pool = &kernel->pool;
  if (condition == DC_NO_EXPR)
    return false;
  return is_bound(pool, condition, DEPTH_MAX) || is_smooth(pool, condition, DEPTH_MAX);
}

static candidate worst_of(const dc_unit_kernel *kernel, uint32_t number) {
  const dc_kernel *skeleton = &kernel->kernel;
  candidate worst = {.kernel = number, .branch = DC_NONE};
  for (uint32_t e = 0; e < kernel->n_estimates; ++e) {
    const dc_estimate *estimate = &kernel->estimates[e];
    for (uint32_t b = 0; dc_estimate_decides(kernel, e) && b < estimate->n_branches; ++b) {
      const dc_branch_estimate *figures = &estimate->branches[b];
      if (figures->idle.low <= worst.idle ||
          (figures->from != DC_FROM_DERIVED &&
           hardly_parts(skeleton, skeleton->branches[b].condition)))
        continue;
      worst.branch = b;
      worst.estimate = e;
      worst.idle = figures->idle.low;
    }
  }
  uint32_t at = worst.branch == DC_NONE ? DC_NONE : skeleton->branches[worst.branch].location;
  const dc_location *place = at == DC_NONE ? NULL : &skeleton->locations[at];
  worst.file = place ? dc_kernel_text(skeleton, place->file) : "";
  worst.line = place ? place->line : 0;
  worst.column = place ? place->column : 0;
  return worst;
}

static int compare_places(const candidate *a, const candidate *b) {
  int order = strcmp(a->file, b->file);
  if (order)
    return order;
  if (a->line != b->line)
    return a->line < b->line ? -1 : 1;
  return a->column < b->column ? -1 : a->column > b->column;
}

// By place; in one place the worst first.
static int compare(const void *left, const void *right) {
  const candidate *a = left, *b = right;
  int order = compare_places(a, b);
  if (order)
    return order;
  if (a->idle != b->idle)
    return a->idle > b->idle ? -1 : 1;
  return a->kernel < b->kernel ? -1 : a->kernel > b->kernel;
}

static dc_status add(dc_unit_kernel *kernel, const candidate *of, unsigned instances,
                     dc_error *error) {
  const dc_kernel *skeleton = &kernel->kernel;
  char message[DCP_MESSAGE_SIZE];
  dcp_word_idle_branch(skeleton, of->branch, &kernel->estimates[of->estimate], instances, message,
                       sizeof message);
  uint64_t hash = dc_hash_u64(DC_HASH_BEGIN, DC_RULE_BRANCH);
  dc_finding finding = {.rule = DC_RULE_BRANCH,
                        .loop = DC_NONE,
                        .barrier = DC_NONE,
                        .location = skeleton->branches[of->branch].location,
                        .fingerprint =
                            dc_hash_text(hash, dc_kernel_text(skeleton, skeleton->symbol))};
  return dcp_add_finding(kernel, finding, message, error);
}

dc_status dcp_find_branch(dc_unit *unit, const dcp_options *options, dc_error *error) {
  candidate *list = malloc(((size_t)unit->n_kernels + 1) * sizeof *list);
  uint32_t n = 0;
  if (!list)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory");
  for (uint32_t k = 0; k < unit->n_kernels; ++k) {
    const dc_unit_kernel *kernel = &unit->kernels[k];
    if (kernel->n_estimates == 0 || !dcp_may_lose(&kernel->kernel) || is_told_of(kernel))
      continue;
    list[n] = worst_of(kernel, k);
    n += list[n].idle > 0 && list[n].idle >= OF_THRESHOLD * options->threshold;
  }
  qsort(list, n, sizeof *list, compare);
  dc_status status = DC_OK;
  for (uint32_t first = 0, end; status == DC_OK && first < n; first = end) {
    for (end = first + 1;
         end < n && list[first].line && compare_places(&list[first], &list[end]) == 0;)
      ++end;
    status = add(&unit->kernels[list[first].kernel], &list[first], end - first, error);
  }
  free(list);
  return status;
}
