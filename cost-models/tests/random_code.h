// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random structured programs, for tests: conditionals of one or two conditions, switches, loops,
// and jumps out of any of these, in any nesting.
#ifndef DIVCOST_TESTS_RANDOM_CODE_H
#define DIVCOST_TESTS_RANDOM_CODE_H

#include "structured.h"

static inline uint64_t pick(uint64_t *random, uint64_t n) { return random_bits(random) % n; }

// Some function of the thread and the iterations around, often zero.
static inline dc_expr random_number(code *c, uint64_t *random, int64_t mask) {
  dc_expr sum = op(c, DC_OP_MUL, tid(c), value(c, (int64_t)pick(random, 7)));
  for (uint32_t loop = c->loop; loop != DC_NONE; loop = c->kernel.loops[loop].parent)
    sum = op(c, DC_OP_ADD, sum,
             op(c, DC_OP_MUL, iteration(c, loop), value(c, (int64_t)pick(random, 5))));
  sum = op(c, DC_OP_ADD, sum, value(c, (int64_t)pick(random, 8)));
  return op(c, DC_OP_AND, op(c, DC_OP_LSHR, sum, value(c, (int64_t)pick(random, 3))),
            value(c, mask));
}

// A condition, or one that is drawn.
static inline dc_expr random_condition(code *c, uint64_t *random) {
  if (pick(random, 4) == 0)
    return DC_NO_EXPR;
  return op(c, DC_OP_EQ, random_number(c, random, pick(random, 2) ? 1 : 3),
            value(c, (int64_t)pick(random, 2)));
}

static inline void add_statements(code *c, uint64_t *random, unsigned nest);

static inline void add_if(code *c, uint64_t *random, unsigned nest) {
  uint32_t one = new_block(c), other = pick(random, 2) ? new_block(c) : DC_NONE;
  uint32_t join = new_block(c);
  if (pick(random, 3) == 0) { // of two conditions
    uint32_t second = new_block(c);
    branch_to(c, random_condition(c, random), second, other == DC_NONE ? join : other);
    c->at = second;
  }
  branch_to(c, random_condition(c, random), one, other == DC_NONE ? join : other);
  c->at = one;
  add_statements(c, random, nest);
  fall_into(c, join);
  if (other == DC_NONE)
    return;
  c->at = other;
  add_statements(c, random, nest);
  fall_into(c, join);
}

static inline void add_switch(code *c, uint64_t *random, unsigned nest) {
  unsigned ways = 3 + (unsigned)pick(random, 3);
  uint32_t targets[5], from = c->at, join = new_block(c), branch = dc_kernel_add_branch(&c->kernel);
  c->kernel.branches[branch] = (dc_branch){.block = from,
                                           .condition = DC_NO_EXPR,
                                           .level = DC_DIVERGENT,
                                           .exits = DC_NONE,
                                           .location = DC_NONE};
  c->kernel.blocks[from].branch = branch;
  for (unsigned k = 0; k < ways; ++k)
    add_edge_to(c, from, targets[k] = new_block(c));
  for (unsigned k = 0; k < ways; ++k) {
    c->at = targets[k];
    add_statements(c, random, nest);
    fall_into(c, k + 1 < ways && pick(random, 3) == 0 ? targets[k + 1] : join);
  }
  c->at = join;
}

static inline void add_loop_of(code *c, uint64_t *random, unsigned nest) {
  bool drawn = pick(random, 5) == 0 && nest == 0; // 64 trips: not around much
  open_loop(c, drawn ? DC_NO_EXPR : random_number(c, random, c->depth < 2 && nest < 3 ? 7 : 3));
  add_statements(c, random, nest);
  close_loop(c);
}

// break, continue or return under a condition; now and then out of several loops.
static inline void add_jump(code *c, uint64_t *random) {
  uint32_t target = c->end;
  if (c->depth > 0 && pick(random, 4)) {
    unsigned level = c->depth - 1 - (unsigned)(pick(random, 3) == 0 && c->depth > 1);
    target = pick(random, 2) ? c->leave[level] : c->again[level];
  } else if (pick(random, 3)) {
    return;
  }
  jump_if(c, random_condition(c, random), target);
}

static inline void add_statements(code *c, uint64_t *random, unsigned nest) {
  unsigned n = nest ? (unsigned)pick(random, 3) + 1 : 1;
  for (unsigned k = 0; k < n && c->kernel.n_blocks < 120; ++k)
    switch (nest ? pick(random, 7) : 6) {
    case 0:
    case 1:
      add_if(c, random, nest - 1);
      break;
    case 2:
      add_switch(c, random, nest - 1);
      break;
    case 3:
    case 4:
      if (c->depth < 3)
        add_loop_of(c, random, nest - 1);
      break;
    case 5:
      add_jump(c, random);
      break;
    default:
      fall_into(c, new_block(c));
    }
}

static inline code random_program(uint64_t seed) {
  uint64_t random = seed * 977 + 1;
  code c = begin_code(32);
  add_statements(&c, &random, 4);
  finish(&c);
  return c;
}

#endif
