// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What evaluating each loop's trip count takes: which lanes and blocks it depends on, which values
// would have to be assumed, which loops around it, and the operations it costs. One pass over the
// nodes under the expression; a memory read is a leaf here, its address doesn't matter.
#include "estimate/estimate_internal.h"
#include "expr/expr_internal.h"
#include "kernel/predication.h"
#include "kernel/small_params.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_STEPS 16 // iterations that a search is taken to need, for its cost
#define THIN_COST 96   // of a distribution for every number of lanes, in operations of expressions

// The set of nodes under an expression, as marks; kept between calls to be cleared cheaply.
typedef struct marks {
  uint64_t *words;
  uint32_t n_words;
} marks;

static void mark(marks *set, dc_expr e) {
  if (e != DC_NO_EXPR)
    set->words[e / 64] |= UINT64_C(1) << e % 64;
}

// The bit of an enclosing loop's induction value, or 0.
static uint32_t around_bit(const dc_kernel *kernel, uint32_t loop, int64_t i) {
  for (uint32_t at = kernel->loops[loop].parent; at != DC_NONE; at = kernel->loops[at].parent)
    if ((int64_t)at == i && kernel->loops[at].depth <= DC_WALK_DEPTH)
      return UINT32_C(1) << (kernel->loops[at].depth - 1);
  return 0;
}

static void leaf_fact(const dc_kernel *kernel, uint32_t loop, const dc_expr_node *node,
                      dc_loop_facts *facts) {
  bool unknown = false;
  uint32_t bit;
  switch ((dc_expr_op)node->op) {
  case DC_OP_TID:
  case DC_OP_LANE:
    facts->on_lane = true;
    break;
  case DC_OP_CTAID:
    facts->on_block = facts->on_grid = true;
    break;
  case DC_OP_NCTAID:
    facts->on_grid = true;
    break;
  case DC_OP_PARAM:
    unknown = dc__is_unknown_param(kernel, node) && !dc__is_small(kernel, node);
    break;
  case DC_OP_IV:
    bit = around_bit(kernel, loop, node->i);
    facts->around |= bit;
    unknown = bit == 0;
    break;
  case DC_OP_LOAD:
  case DC_OP_OPAQUE:
    unknown = true;
    break;
  default:
    break;
  }
  if (unknown && node->level >= DC_DIVERGENT)
    facts->evaluable = false;
  facts->unknown += unknown;
}

// The loops whose iterations a search sets by itself: they are no leaves that somebody must know.
static bool searched(const dc_expr_pool *pool, const marks *set, uint32_t top, int64_t loop) {
  for (uint32_t word = top / 64 + 1; word-- > 0;)
    for (unsigned bit = 0; bit < 64 && set->words[word] >> bit; ++bit)
      if (set->words[word] >> bit & 1) {
        const dc_expr_node *node = &pool->nodes[word * 64 + bit];
        if (dc_expr_op_is_search((dc_expr_op)node->op) && node->i == loop)
          return true;
      }
  return false;
}

static void examine(const dc_kernel *kernel, uint32_t loop, marks *set, dc_loop_facts *facts) {
  const dc_expr_pool *pool = &kernel->pool;
  dc_expr top = kernel->loops[loop].trips;
  uint32_t nodes = 0;
  bool search = false;
  facts->evaluable = true;
  memset(set->words, 0, (top / 64 + 1) * sizeof *set->words);
  mark(set, top);
  for (uint32_t word = top / 64 + 1; word-- > 0;)
    for (unsigned bit = 64; bit-- > 0 && set->words[word];) {
      if (!(set->words[word] >> bit & 1))
        continue;
      const dc_expr_node *node = &pool->nodes[word * 64 + bit];
      ++nodes;
      search |= dc_expr_op_is_search((dc_expr_op)node->op);
      facts->real |= node->op >= DC_OP_RUN;
      if (node->op <= DC_OP_OPAQUE)
        continue;
      mark(set, node->a);
      mark(set, node->b);
      mark(set, node->c);
    }
  for (uint32_t word = top / 64 + 1; word-- > 0;)
    for (unsigned bit = 64; bit-- > 0 && set->words[word];) {
      const dc_expr_node *node = &pool->nodes[word * 64 + bit];
      if (!(set->words[word] >> bit & 1) || node->op > DC_OP_OPAQUE)
        continue;
      if (node->op != DC_OP_IV || !search || !searched(pool, set, top, node->i))
        leaf_fact(kernel, loop, node, facts);
    }
  facts->cost = (double)nodes * (search ? FIRST_STEPS : 1);
}

// Least costs from the inside out, and the lists of children, in order.
static void link_loops(const dc_kernel *kernel, dc_loop_facts *facts, uint32_t *first_loop) {
  *first_loop = DC_NONE;
  for (uint32_t loop = kernel->n_loops; loop-- > 0;) {
    dc_loop_facts *own = &facts[loop];
    uint32_t parent = kernel->loops[loop].parent;
    own->subtree_cost += DC_WARP + own->cost * (own->per_lane ? DC_WARP : 1);
    if (kernel->loops[loop].level >= DC_DIVERGENT && !own->evaluable)
      own->subtree_cost += THIN_COST;
    uint32_t *list = parent == DC_NONE ? first_loop : &facts[parent].first_child;
    own->next_sibling = *list;
    *list = loop;
    if (parent != DC_NONE)
      facts[parent].subtree_cost += own->subtree_cost;
    for (uint32_t at = parent; at != DC_NONE; at = kernel->loops[at].parent)
      if (kernel->loops[at].depth <= DC_WALK_DEPTH &&
          own->around >> (kernel->loops[at].depth - 1) & 1)
        facts[at].inner_depend = true;
  }
}

static bool leaves_at_header(const dc_kernel *kernel, const dc_loop *loop) {
  for (uint32_t k = 0; k < loop->n_exits; ++k)
    if (kernel->exits[loop->first_exit + k].block == loop->header) {
      const dc_block *header = &kernel->blocks[loop->header];
      const uint32_t *to = &kernel->successors[header->first_successor];
      return header->n_successors == 2 && to[0] != loop->header && to[1] != loop->header &&
             !dc__is_bare_return(kernel, to[0]) && !dc__is_bare_return(kernel, to[1]);
    }
  return false;
}

// Those of which nothing is known, or all.
static unsigned count_ways(const dc_kernel *kernel, const dc_loop *loop) {
  unsigned unknown = 0;
  for (uint32_t k = 0; k < loop->n_exits; ++k)
    unknown += kernel->exits[loop->first_exit + k].trips == DC_NO_EXPR;
  return unknown ? unknown : loop->n_exits;
}

dc_status dc__facts_build(const dc_kernel *kernel, dc_loop_facts *facts, uint32_t *first_loop,
                          dc_error *error) {
  marks set = {NULL, kernel->pool.count / 64 + 1};
  set.words = malloc(set.n_words * sizeof *set.words);
  if (!set.words)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory for the expressions of a kernel");
  for (uint32_t loop = 0; loop < kernel->n_loops; ++loop) {
    facts[loop] = (dc_loop_facts){.first_child = DC_NONE,
                                  .next_sibling = DC_NONE,
                                  .distribution = -1,
                                  .most = dc_most_trips(kernel, loop),
                                  .assumed_distribution = {-1, -1, -1, -1}};
    facts[loop].assumed = dc_distributions_assumed(facts[loop].most);
    if (kernel->loops[loop].trips != DC_NO_EXPR)
      examine(kernel, loop, &set, &facts[loop]);
    facts[loop].ways = count_ways(kernel, &kernel->loops[loop]);
    facts[loop].in_front = leaves_at_header(kernel, &kernel->loops[loop]);
    facts[loop].per_lane = facts[loop].on_lane && kernel->loops[loop].level >= DC_DIVERGENT;
  }
  free(set.words);
  link_loops(kernel, facts, first_loop);
  return DC_OK;
}
