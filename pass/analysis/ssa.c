// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Order of blocks: a topological one in which every loop is contiguous. Seen from a region (a loop,
// or the function), each loop directly in it is one node; a depth-first search from the entry
// orders the nodes, and the blocks of an inner loop go where its node stands. A plain reverse
// post-order may put what follows a loop before its body, and whoever walks the blocks in order
// would leave the loop before its lanes have met.
#include "analysis/ssa.h"

#include <stdlib.h>

bool ssa_loop_contains(const ssa_function *function, uint32_t outer, uint32_t inner) {
  while (inner != DC_NONE && inner != outer)
    inner = function->loops[inner].parent;
  return inner == outer;
}

static uint32_t shifted_back(const ssa_function *f, const ssa_value *v, unsigned *bits) {
  const uint32_t *operands = f->operands + v->first_operand;
  const ssa_value *up = &f->values[operands[0]], *down_by = &f->values[operands[1]];
  if (up->op != SSA_EXPR || up->expr != DC_OP_SHL || down_by->op != SSA_CONST || down_by->i <= 0)
    return DC_NONE;
  const ssa_value *up_by = &f->values[ssa_operand(f, up, 1)];
  if (up_by->op != SSA_CONST || up_by->i != down_by->i)
    return DC_NONE;
  *bits = v->bits - (unsigned)down_by->i;
  return f->operands[up->first_operand];
}

uint32_t ssa_narrowed(const ssa_function *f, uint32_t value, unsigned *bits) {
  const ssa_value *v = &f->values[value];
  if (v->op != SSA_EXPR)
    return DC_NONE;
  if (v->expr == DC_OP_ASHR)
    return shifted_back(f, v, bits);
  const ssa_value *cut = &f->values[f->operands[v->first_operand]];
  if ((v->expr != DC_OP_SEXT && v->expr != DC_OP_ZEXT) || cut->op != SSA_EXPR ||
      cut->expr != DC_OP_TRUNC)
    return DC_NONE;
  uint32_t of = f->operands[cut->first_operand];
  *bits = cut->bits;
  return f->values[of].bits == v->bits ? of : DC_NONE;
}

bool ssa_is_counter(const ssa_function *function, uint32_t loop, uint32_t value) {
  const ssa_value *v = &function->values[value];
  return v->op == SSA_PHI && v->n_operands == 2 && v->block == function->loops[loop].header;
}

static uint32_t incoming(const ssa_function *f, uint32_t loop, uint32_t counter, bool from_inside) {
  uint32_t first = f->values[counter].first_operand;
  bool is_inside = ssa_loop_contains(f, loop, f->blocks[f->incoming[first]].loop);
  return f->operands[first + (is_inside != from_inside)];
}

uint32_t ssa_value_before(const ssa_function *function, uint32_t loop, uint32_t counter) {
  return incoming(function, loop, counter, false);
}

uint32_t ssa_value_carried(const ssa_function *function, uint32_t loop, uint32_t counter) {
  return incoming(function, loop, counter, true);
}

typedef struct orderer {
  ssa_function *function;
  uint8_t *seen;          // of each node: blocks, then loops
  uint32_t *pending;      // stack of nodes, shared by the nested regions
  uint32_t *block, *edge; // of each node: how far its edges were looked at
  uint32_t *done;         // stack of nodes in post-order, likewise shared
  uint32_t n_pending, n_done, n_order;
} orderer;

// The node for a block in a region: the block, or n_blocks + the loop directly in the region;
// DC_NONE: outside.
static uint32_t node_of(const ssa_function *f, uint32_t block, uint32_t region) {
  uint32_t loop = f->blocks[block].loop, inner = DC_NONE;
  while (loop != region && loop != DC_NONE) {
    inner = loop;
    loop = f->loops[loop].parent;
  }
  if (loop != region)
    return DC_NONE;
  return inner == DC_NONE ? block : f->n_blocks + inner;
}

// The next edge out of a node, as the block that it leads to; DC_NONE: there are no more. For a
// loop these are the edges of all its blocks, those that stay inside included.
static uint32_t next_edge(orderer *o, uint32_t node) {
  const ssa_function *f = o->function;
  const ssa_loop *loop = node < f->n_blocks ? NULL : &f->loops[node - f->n_blocks];
  for (; o->block[node] < (loop ? loop->n_blocks : 1); ++o->block[node], o->edge[node] = 0) {
    const ssa_block *block =
        &f->blocks[loop ? f->loop_blocks[loop->first_block + o->block[node]] : node];
    if (o->edge[node] < block->n_successors)
      return f->edges[block->first_successor + o->edge[node]++];
  }
  return DC_NONE;
}

static void enter(orderer *o, uint32_t node) {
  o->seen[node] = 1;
  o->block[node] = o->edge[node] = 0;
  o->pending[o->n_pending++] = node;
}

static void order_region(orderer *o, uint32_t region, uint32_t entry) {
  ssa_function *f = o->function;
  uint32_t floor = o->n_pending, base = o->n_done;
  enter(o, node_of(f, entry, region));
  while (o->n_pending > floor) {
    uint32_t node = o->pending[o->n_pending - 1], to = next_edge(o, node);
    if (to == DC_NONE) {
      o->done[o->n_done++] = node;
      --o->n_pending;
      continue;
    }
    uint32_t other = node_of(f, to, region);
    if (other != DC_NONE && !o->seen[other])
      enter(o, other);
  }
  while (o->n_done > base) {
    uint32_t node = o->done[--o->n_done];
    if (node >= f->n_blocks) {
      order_region(o, node - f->n_blocks, f->loops[node - f->n_blocks].header);
    } else {
      f->blocks[node].order = o->n_order;
      f->in_order[o->n_order++] = node;
    }
  }
}

bool ssa_order_blocks(ssa_function *function) {
  size_t nodes = (size_t)function->n_blocks + function->n_loops + 1;
  orderer o = {.function = function};
  o.seen = calloc(nodes, 1);
  o.pending = malloc(nodes * sizeof *o.pending);
  o.block = malloc(nodes * sizeof *o.block);
  o.edge = malloc(nodes * sizeof *o.edge);
  o.done = malloc(nodes * sizeof *o.done);
  bool done = o.seen && o.pending && o.block && o.edge && o.done;
  for (uint32_t b = 0; b < function->n_blocks; ++b)
    function->blocks[b].order = DC_NONE;
  if (done && function->n_blocks > 0)
    order_region(&o, DC_NONE, 0);
  function->n_in_order = o.n_order;
  free(o.seen);
  free(o.pending);
  free(o.block);
  free(o.edge);
  free(o.done);
  return done;
}
