// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which branch the lanes have left by that idle. Every block has one instruction, if nothing else
// is said.
#include "structured.h"

#include "divcost/estimate.h"

static dc_estimate estimate_launched(code *c) {
  c->kernel.launches[0].from = DC_BLOCK_LAUNCH;
  dc_estimate estimate = estimate_code(c);
  assert_int_equal(estimate.n_branches, c->kernel.n_branches);
  return estimate;
}

static void assert_idle(const dc_estimate *e, uint32_t branch, double low, double high) {
  assert_within(e->branches[branch].idle.low, low, 1e-9);
  assert_within(e->branches[branch].idle.high, high, 1e-9);
}

// Opens if (condition), of which the target has so many instructions; gives the block behind it.
static uint32_t open_branch(code *c, dc_expr condition, uint32_t instructions) {
  uint32_t target = new_block(c), join = new_block(c);
  c->kernel.blocks[target].mix[DC_MIX_INTEGER] = instructions;
  branch_to(c, condition, target, join);
  c->at = target;
  return join;
}

static dc_expr below(code *c, int64_t lanes) { return op(c, DC_OP_SLT, tid(c), value(c, lanes)); }

// 24 of 32 lanes idle in 10 of 13 instructions.
static void lanes_that_go_by_are_charged(void **state) {
  (void)state;
  code c = begin_code(32);
  fall_into(&c, open_branch(&c, below(&c, 8), 10));
  finish(&c);
  dc_estimate e = estimate_launched(&c);
  double idle = 10 * 24 / (13 * 32.0);
  assert_idle(&e, 0, idle, idle);
  assert_int_equal(e.branches[0].from, DC_FROM_DERIVED);
  release_estimate(&c, &e);
}

// An inner branch is charged with those alone that came to it: 16 of 32 lanes go by at the outer
// one, 12 more at the inner one.
static void a_slot_is_charged_once(void **state) {
  (void)state;
  code c = begin_code(32);
  uint32_t outer = open_branch(&c, below(&c, 16), 10), inner = open_branch(&c, below(&c, 4), 10);
  fall_into(&c, inner);
  fall_into(&c, outer);
  finish(&c);
  dc_estimate e = estimate_launched(&c);
  double instructions = 0, lanes = 0;
  const struct {
    double instructions, lanes;
  } blocks[] = {{1, 32}, {10, 16}, {10, 4}, {1, 16}, {1, 32}, {1, 32}};
  for (unsigned k = 0; k < sizeof blocks / sizeof *blocks; ++k) {
    instructions += blocks[k].instructions;
    lanes += blocks[k].instructions * blocks[k].lanes;
  }
  double all = 32 * instructions, at_outer = (10 + 10 + 1) * 16 / all, at_inner = 10 * 12 / all;
  assert_idle(&e, 0, at_outer, at_outer);
  assert_idle(&e, 1, at_inner, at_inner);
  assert_within(at_outer + at_inner, 1 - lanes / all, 1e-9);
  release_estimate(&c, &e);
}

// If each lane decides for itself: half of them, or one in a warp on average, in the share of the
// warps in which any does.
static void data_part_lanes(void **state) {
  (void)state;
  code c = begin_code(32);
  fall_into(&c, open_branch(&c, DC_NO_EXPR, 10));
  finish(&c);
  dc_estimate e = estimate_launched(&c);
  double idle[2];
  for (unsigned k = 0; k < 2; ++k) {
    double chance = k ? 1 / 32.0 : 0.5, some = 1 - pow(1 - chance, 32);
    double slots = 32 * (3 + 10 * some);
    idle[k] = 10 * (32 * some - 32 * chance) / slots;
  }
  assert_idle(&e, 0, idle[0], idle[1]);
  assert_int_equal(e.branches[0].from, DC_FROM_ASSUMED);
  release_estimate(&c, &e);
}

// What a loop's lanes that are done lose isn't the branch's around it.
static void loops_keep_their_own(void **state) {
  (void)state;
  code c = begin_code(32);
  uint32_t join = open_branch(&c, below(&c, 16), 1);
  open_loop(&c, tid(&c)); // lane k runs k iterations
  close_loop(&c);
  fall_into(&c, join);
  finish(&c);
  dc_estimate e = estimate_launched(&c);
  uint32_t branch = c.kernel.blocks[0].branch;
  assert_true(e.branches[branch].idle.low > 0.3);
  assert_true(e.branches[branch].idle.high < 0.5);
  assert_true(e.loops[0].share.low > 0);
  release_estimate(&c, &e);
}

static dc_expr index_of(code *c, int64_t axis, int64_t size) {
  dc_expr_pool *pool = &c->kernel.pool;
  dc_expr block = dc_expr_leaf(pool, DC_OP_CTAID, 32, DC_BLOCK_UNIFORM, axis),
          thread = dc_expr_leaf(pool, DC_OP_TID, 32, DC_DIVERGENT, axis);
  return op(c, DC_OP_ADD, op(c, DC_OP_MUL, block, value(c, size)), thread);
}

// 1000 columns and 999 rows in 32 x 32 blocks of as many threads, of which only some are walked: a
// column of blocks has 8 of 32 lanes in each warp, a row of them 7 of 32 warps.
static void blocks_at_edges_count_as_what_they_are(void **state) {
  (void)state;
  for (unsigned axis = 0; axis < 2; ++axis) {
    code c = begin_code(32);
    c.kernel.launches[0].block[1] = 32;
    c.kernel.launches[0].grid[0] = c.kernel.launches[0].grid[1] = 32;
    dc_expr inside = op(&c, DC_OP_SLT, index_of(&c, axis, 32), value(&c, 1000 - axis));
    fall_into(&c, open_branch(&c, inside, 10));
    finish(&c);
    dc_estimate e = estimate_launched(&c);
    double idle = axis == 0 ? 10 * 24.0 / 32 / (32 * 13) : 0;
    assert_idle(&e, 0, idle, idle);
    double instructions = axis == 0 ? 13 : 3 + 10 * (31 + 7.0 / 32) / 32;
    assert_within(e.instructions.low, instructions, 1e-9);
    release_estimate(&c, &e);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lanes_that_go_by_are_charged),
      cmocka_unit_test(a_slot_is_charged_once),
      cmocka_unit_test(data_part_lanes),
      cmocka_unit_test(loops_keep_their_own),
      cmocka_unit_test(blocks_at_edges_count_as_what_they_are),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
