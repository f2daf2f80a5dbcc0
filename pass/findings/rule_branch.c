// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The branch of a kernel at which most lane-slots idle, where no rule has said of the kernel what
// it loses. Where data decide, lanes are taken to decide each for itself, which is the worst of
// most data: so it takes more than the threshold; likewise where values that it compares are
// assumed. Instances of one branch (templates, inlining) are one finding, in the kernel that idles
// most.
#include "findings/findings.h"
#include "findings/messages.h"
#include "findings/rules.h"

#include "divcost/hash.h"

#include <stdlib.h>

#define OF_THRESHOLD 2.0 // where data decide, or values that are assumed
#define DEPTH_MAX 8      // of conditions joined to one
#define NODES_MAX 500    // of the values that one compares

// A kernel's worst branch.
typedef struct candidate {
  uint32_t kernel, branch, estimate;
  double idle;
  dcp_place place;
} candidate;

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

// Whether a comparison stays as it is while loops go on, or is with a size that the launch gave:
// not so the halves of a tree, or a front that moves over the lanes.
static bool is_extent(const dc_expr_pool *pool, dc_expr e) {
  return !dc_expr_mentions(pool, e, DC_OP_IV, -1) || dc_expr_mentions(pool, e, DC_OP_PARAM, -1);
}

// Whether a comparison says no more than where the lane's index lies: below a value that the lanes
// share, or at it.
static bool is_bound(const dc_expr_pool *pool, const dc_expr_node *node, dc_expr e) {
  return node->op >= DC_OP_EQ && node->op <= DC_OP_SLE && is_extent(pool, e) &&
         !dcp_compares_low_bits(pool, node);
}

// Whether it is one as physics has them: in floating point.
static bool is_smooth(const dc_expr_node *node) {
  return node->op == DC_OP_FEQ || node->op == DC_OP_FLT || node->op == DC_OP_FLE;
}

static bool is_joined(const dc_expr_node *node) {
  return node->bits == 1 && (node->op == DC_OP_AND || node->op == DC_OP_OR ||
                             node->op == DC_OP_XOR || node->op == DC_OP_SELECT);
}

bool dcp_parts_by_index(const dc_expr_pool *pool, dc_expr e, unsigned depth) {
  const dc_expr_node *node = &pool->nodes[e];
  if (!is_joined(node))
    return node->op != DC_OP_CONST && !is_bound(pool, node, e) && !is_smooth(node) &&
           dc_expr_uniformity(pool, e) >= DC_DIVERGENT && is_of_index(pool, e);
  const dc_expr operands[] = {node->a, node->b, node->c};
  for (unsigned k = 0; k < 3 && depth > 0; ++k)
    if (operands[k] != DC_NO_EXPR && dcp_parts_by_index(pool, operands[k], depth - 1))
      return true;
  return false;
}

// Whether nearly all lanes of a warp agree on a condition: of nothing that differs between them but
// their index, it is made of bounds and smooth comparisons.
static bool neighbours_agree(const dc_expr_pool *pool, dc_expr e, unsigned depth) {
  const dc_expr_node *node = &pool->nodes[e];
  if (!is_joined(node))
    return node->op == DC_OP_CONST ||
           ((is_bound(pool, node, e) || is_smooth(node)) && is_of_index(pool, e));
  const dc_expr operands[] = {node->a, node->b, node->c};
  for (unsigned k = 0; k < 3; ++k)
    if (operands[k] != DC_NO_EXPR &&
        (depth == 0 || !neighbours_agree(pool, operands[k], depth - 1)))
      return false;
  return true;
}

// Whether a condition names a parameter whose value nobody gave; a bound of a loop around it that
// rests on one isn't looked for.
static bool has_assumed_values(const dc_kernel *kernel, dc_expr condition) {
  bool assumed = false;
  for (uint32_t p = 0; condition != DC_NO_EXPR && p < kernel->n_params && !assumed; ++p)
    assumed = dcp_needs_parameter(kernel, condition, p);
  return assumed;
}

// Whether that much idles at a branch that it is worth a warning.
static bool is_noteworthy(const dc_kernel *kernel, uint32_t branch,
                          const dc_branch_estimate *figures, double threshold) {
  bool told = figures->from == DC_FROM_DERIVED &&
              !has_assumed_values(kernel, kernel->branches[branch].condition);
  double least = told ? threshold : OF_THRESHOLD * threshold;
  return figures->idle.low > 0 && figures->idle.low >= least;
}

static candidate worst_of(const dc_unit_kernel *kernel, uint32_t number, double threshold) {
  const dc_kernel *skeleton = &kernel->kernel;
  candidate worst = {.kernel = number, .branch = DC_NONE};
  for (uint32_t e = 0; e < kernel->n_estimates; ++e) {
    const dc_estimate *estimate = &kernel->estimates[e];
    for (uint32_t b = 0; dc_estimate_decides(kernel, e) && b < estimate->n_branches; ++b) {
      const dc_branch_estimate *figures = &estimate->branches[b];
      dc_expr condition = skeleton->branches[b].condition;
      if (figures->idle.low <= worst.idle || !is_noteworthy(skeleton, b, figures, threshold) ||
          (figures->from != DC_FROM_DERIVED && condition != DC_NO_EXPR &&
           neighbours_agree(&skeleton->pool, condition, DEPTH_MAX)))
        continue;
      worst.branch = b;
      worst.estimate = e;
      worst.idle = figures->idle.low;
    }
  }
  if (worst.branch != DC_NONE)
    worst.place = dcp_place_of(skeleton, skeleton->branches[worst.branch].location);
  return worst;
}

// By place; in one place the worst first.
static int compare(const void *left, const void *right) {
  const candidate *a = left, *b = right;
  int order = dcp_compare_places(&a->place, &b->place);
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
    if (kernel->n_estimates == 0 || kernel->measured.launches || !dcp_may_lose(&kernel->kernel) ||
        dcp_is_told_of(kernel))
      continue;
    list[n] = worst_of(kernel, k, options->threshold);
    n += list[n].branch != DC_NONE;
  }
  qsort(list, n, sizeof *list, compare);
  dc_status status = DC_OK;
  for (uint32_t first = 0, end; status == DC_OK && first < n; first = end) {
    for (end = first + 1; end < n && list[first].place.line &&
                          dcp_compare_places(&list[first].place, &list[end].place) == 0;)
      ++end;
    status = add(&unit->kernels[list[first].kernel], &list[first], end - first, error);
    for (uint32_t k = first + 1; k < end && status == DC_OK; ++k)
      status =
          dcp_note_other(&unit->kernels[list[first].kernel], &unit->kernels[list[k].kernel], error);
  }
  free(list);
  return status;
}
