// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernel/small_params.h"
#include "expr/expr_internal.h"

#include <stdlib.h>

#define VISITS_MAX 200 // nodes of an expression that are looked at, as a tree

typedef struct search {
  const dc_kernel *kernel;
  uint8_t *role; // of each parameter
  unsigned left; // visits
} search;

enum { SUBTRACTED = 1, SIZE = 2, REMAINDER = 4, INDEX = 8, DISTANCE = 16, CHUNK = 32 };

static bool is_number(const dc_expr_pool *pool, dc_expr e, int64_t *value) {
  *value = e == DC_NO_EXPR ? 0 : pool->nodes[e].i;
  return e != DC_NO_EXPR && pool->nodes[e].op == DC_OP_CONST;
}

// The parameter that an expression is, but for its width; -1: it is none.
static int64_t parameter_in(const dc_kernel *kernel, dc_expr e) {
  const dc_expr_node *node = dc__expr_without_casts(&kernel->pool, e);
  return dc__is_unknown_param(kernel, node) ? node->i : -1;
}

// 2 * r + 1: what goes from -r to r.
static void find_window(search *s, const dc_expr_node *sum) {
  const dc_expr_pool *pool = &s->kernel->pool;
  int64_t one, two;
  if ((sum->op != DC_OP_ADD && sum->op != DC_OP_OR) || !is_number(pool, sum->b, &one) || one != 1)
    return;
  const dc_expr_node *twice = &pool->nodes[sum->a];
  bool doubles = is_number(pool, twice->b, &two) &&
                 ((twice->op == DC_OP_MUL && two == 2) || (twice->op == DC_OP_SHL && two == 1));
  int64_t parameter = doubles ? parameter_in(s->kernel, twice->a) : -1;
  if (parameter >= 0)
    s->role[parameter] |= SUBTRACTED;
}

// i < n: what an index of the whole grid is below is a size.
static void find_size(search *s, const dc_expr_node *node) {
  int64_t parameter = parameter_in(s->kernel, node->b);
  if (parameter >= 0 && dc_expr_mentions(&s->kernel->pool, node->a, DC_OP_CTAID, -1))
    s->role[parameter] |= SIZE;
}

// start + i < n: of parameters that are added to an index of threads, where these begin.
static void find_start(search *s, dc_expr sum, int64_t bound) {
  const dc_expr_node *node = dc__expr_without_casts(&s->kernel->pool, sum);
  if (node->op != DC_OP_ADD || s->left == 0)
    return;
  --s->left;
  const dc_expr operands[] = {node->a, node->b};
  for (unsigned k = 0; k < 2; ++k) {
    int64_t parameter = parameter_in(s->kernel, operands[k]);
    if (parameter >= 0 && parameter != bound)
      s->role[parameter] |= INDEX;
    find_start(s, operands[k], bound);
  }
}

static bool is_of_index(const dc_expr_pool *pool, dc_expr e) {
  return dc_expr_mentions(pool, e, DC_OP_TID, -1) || dc_expr_mentions(pool, e, DC_OP_CTAID, -1);
}

static void find_starts(search *s, dc_expr sum, dc_expr other) {
  int64_t bound = parameter_in(s->kernel, other);
  if (bound >= 0 && is_of_index(&s->kernel->pool, sum))
    find_start(s, sum, bound);
}

// i % 2 == color: what a remainder is compared with is one.
static void find_remainder(search *s, dc_expr remainder, dc_expr other) {
  const dc_expr_pool *pool = &s->kernel->pool;
  const dc_expr_node *node = dc__expr_without_casts(pool, remainder);
  int64_t number, parameter = parameter_in(s->kernel, other);
  bool is_remainder = node->op == DC_OP_UREM || node->op == DC_OP_SREM || node->op == DC_OP_AND;
  if (parameter >= 0 && is_remainder && is_number(pool, node->b, &number) && number >= 1)
    s->role[parameter] |= REMAINDER;
}

// i == k: what an index of threads is equal to is one of them. i ^ j: the partner of an index.
static void find_beside_index(search *s, dc_expr index, dc_expr other, uint8_t role) {
  int64_t parameter = parameter_in(s->kernel, other);
  if (parameter >= 0 && is_of_index(&s->kernel->pool, index))
    s->role[parameter] |= role;
}

// The parameter that an index of threads is multiplied by; -1: this is no such product.
static int64_t times_index(const dc_kernel *kernel, const dc_expr_node *node) {
  if (node->op != DC_OP_MUL)
    return -1;
  int64_t first = parameter_in(kernel, node->a), second = parameter_in(kernel, node->b);
  if (first >= 0 && is_of_index(&kernel->pool, node->b))
    return first;
  return second >= 0 && is_of_index(&kernel->pool, node->a) ? second : -1;
}

// Whether a sum has a parameter as one of its summands, or, where `times`, an index of threads
// times it.
static bool has_summand(search *s, dc_expr sum, int64_t parameter, bool times) {
  const dc_expr_pool *pool = &s->kernel->pool;
  const dc_expr_node *node = dc__expr_without_casts(pool, sum);
  if (s->left == 0)
    return false;
  --s->left;
  if (node->op == DC_OP_ADD)
    return has_summand(s, node->a, parameter, times) || has_summand(s, node->b, parameter, times);
  if (times)
    return times_index(s->kernel, node) == parameter;
  return parameter_in(s->kernel, sum) == parameter;
}

// min(i * chunk + chunk, n): what each thread has of n items.
static void find_chunk(search *s, dc_expr end) {
  for (uint32_t k = 0; k < s->kernel->n_params; ++k)
    if (has_summand(s, end, k, true) && has_summand(s, end, k, false))
      s->role[k] |= CHUNK;
}

// i * items < n, where a loop goes through the items of a thread.
static void find_items(search *s, dc_expr first) {
  const dc_kernel *kernel = s->kernel;
  int64_t items = times_index(kernel, dc__expr_without_casts(&kernel->pool, first));
  for (uint32_t l = 0; l < kernel->n_loops && items >= 0; ++l) {
    dc_expr trips = kernel->loops[l].trips;
    if (trips != DC_NO_EXPR && dc_expr_mentions(&kernel->pool, trips, DC_OP_PARAM, items))
      s->role[items] |= CHUNK;
  }
}

static void visit(search *s, dc_expr e, bool negative);

static void visit_operands(search *s, const dc_expr_node *node, bool negative) {
  const dc_expr operands[] = {node->a, node->b, node->c};
  for (unsigned k = 0; k < 3; ++k)
    if (operands[k] != DC_NO_EXPR)
      visit(s, operands[k], negative);
}

// Looks for parameters with a sign in front, in the sums of an expression.
static void visit(search *s, dc_expr e, bool negative) {
  const dc_expr_node *node = &s->kernel->pool.nodes[e];
  int64_t number, parameter = parameter_in(s->kernel, e);
  bool by_number = is_number(&s->kernel->pool, node->b, &number);
  if (parameter >= 0 && negative)
    s->role[parameter] |= SUBTRACTED;
  if (node->op <= DC_OP_OPAQUE || s->left == 0)
    return;
  --s->left;
  find_window(s, node);
  switch ((dc_expr_op)node->op) {
  case DC_OP_SUB:
    visit(s, node->a, negative);
    visit(s, node->b, !negative);
    return;
  case DC_OP_MUL:
  case DC_OP_SDIV:
    if (by_number)
      visit(s, node->a, negative != (number < 0));
    return;
  case DC_OP_XOR:
    find_beside_index(s, node->a, node->b, DISTANCE);
    find_beside_index(s, node->b, node->a, DISTANCE);
    if (by_number && number == -1) // -x - 1
      visit(s, node->a, !negative);
    return;
  case DC_OP_UDIV:
  case DC_OP_SHL:
  case DC_OP_LSHR:
  case DC_OP_ASHR:
    if (by_number)
      visit(s, node->a, negative);
    return;
  case DC_OP_ULT:
  case DC_OP_ULE:
  case DC_OP_SLT:
  case DC_OP_SLE:
    find_size(s, node);
    find_items(s, node->a);
    find_items(s, node->b);
    find_starts(s, node->a, node->b);
    find_starts(s, node->b, node->a);
    visit_operands(s, node, false);
    return;
  case DC_OP_EQ:
  case DC_OP_NE:
    find_remainder(s, node->a, node->b);
    find_remainder(s, node->b, node->a);
    find_beside_index(s, node->a, node->b, INDEX);
    find_beside_index(s, node->b, node->a, INDEX);
    return;
  case DC_OP_UREM:
  case DC_OP_SREM:
    return; // no order
  case DC_OP_SMIN:
  case DC_OP_UMIN:
    find_chunk(s, node->a);
    find_chunk(s, node->b);
    visit_operands(s, node, negative);
    return;
  default:
    visit_operands(s, node, negative);
  }
}

bool dc__mark_small_params(const dc_kernel *kernel, dc_param *params) {
  search s = {.kernel = kernel, .role = calloc(kernel->n_params + 1u, sizeof *s.role)};
  if (!s.role)
    return false;
  for (uint32_t k = 0; k < kernel->n_loops + kernel->n_branches; ++k) {
    dc_expr e = k < kernel->n_loops ? kernel->loops[k].trips
                                    : kernel->branches[k - kernel->n_loops].condition;
    s.left = VISITS_MAX;
    if (e != DC_NO_EXPR)
      visit(&s, e, false);
  }
  for (uint32_t k = 0; k < kernel->n_params; ++k)
    params[k].small = s.role[k] & DISTANCE               ? DC_PARAM_DISTANCE
                      : s.role[k] & REMAINDER            ? DC_PARAM_REMAINDER
                      : s.role[k] && !(s.role[k] & SIZE) ? DC_PARAM_SMALL
                                                         : DC_PARAM_ANY;
  free(s.role);
  return true;
}

int64_t dc__assumed_small(const dc_param *param, int64_t assumed) {
  switch (param->small) {
  case DC_PARAM_SMALL:
    return assumed <= 1024 ? 3 : assumed <= 65536 ? 5 : 9;
  case DC_PARAM_REMAINDER:
    return 1;
  case DC_PARAM_DISTANCE: // within a warp; at an end of what is expected, not
    return assumed <= 100 ? 64 : assumed <= 1024 ? 1 : assumed <= 65536 ? 4 : 16;
  default:
    return 0;
  }
}
