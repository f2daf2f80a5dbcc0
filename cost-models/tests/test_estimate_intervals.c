// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where an estimate says that the efficiency is expected, and where it must be. Every block has one
// instruction.
#include "structured.h"

#include "divcost/estimate.h"

static void assert_interval(dc_interval interval, double low, double high) {
  assert_within(interval.low, low, 1e-9);
  assert_within(interval.high, high, 1e-9);
}

static void launch_as(code *c, dc_block_from from) { c->kernel.launches[0].from = (uint8_t)from; }

// if (condition) { a block of so many instructions }
static void add_target(code *c, dc_expr condition, uint32_t instructions) {
  uint32_t target = new_block(c), join = new_block(c);
  c->kernel.blocks[target].mix[DC_MIX_INTEGER] = instructions;
  branch_to(c, condition, target, join);
  c->at = target;
  fall_into(c, join);
}

// All lanes leave each loop together.
static void run_alike(code *c) {
  for (uint32_t k = 0; k < c->kernel.n_loops; ++k)
    c->kernel.loops[k].level = DC_UNIFORM;
  for (uint32_t k = 0; k < c->kernel.n_exits; ++k)
    c->kernel.exits[k].level = DC_UNIFORM;
  for (uint32_t k = 0; k < c->kernel.n_branches; ++k)
    c->kernel.branches[k].level = DC_UNIFORM;
}

// What nothing can part has the lanes of its warps, whatever loops take.
static void blocks_smaller_than_a_warp_are_certain(void **state) {
  (void)state;
  static const uint32_t threads[] = {1, 16, 32, 48, 256};
  static const double lanes[] = {1 / 32.0, 0.5, 1, 0.75, 1};
  for (unsigned k = 0; k < sizeof threads / sizeof *threads; ++k)
    for (unsigned loops = 0; loops < 2; ++loops) {
      code c = begin_code(threads[k]);
      launch_as(&c, DC_BLOCK_LAUNCH);
      if (loops) {
        open_loop(&c, DC_NO_EXPR);
        close_loop(&c);
      }
      finish(&c);
      run_alike(&c);
      dc_estimate e = estimate_code(&c);
      assert_interval(e.certain_efficiency, lanes[k], lanes[k]);
      assert_interval(e.expected_efficiency, lanes[k], lanes[k]);
      release_estimate(&c, &e);
    }
}

// By hand: four blocks of one instruction, three of them with 32 lanes, one with 8. Least where
// that one is f times longer and the others are f times shorter.
static void instructions_may_be_more_or_fewer(void **state) {
  (void)state;
  code c = begin_code(32);
  launch_as(&c, DC_BLOCK_LAUNCH);
  add_target(&c, op(&c, DC_OP_SLT, tid(&c), value(&c, 8)), 1);
  finish(&c);
  dc_estimate e = estimate_code(&c);
  assert_interval(e.efficiency, (3 * 32 + 8) / 128.0, (3 * 32 + 8) / 128.0);
  double f = 1.5;
  assert_interval(e.expected_efficiency, (96 / f + 8 * f) / (32 * (3 / f + f)),
                  (96 * f + 8 / f) / (32 * (3 * f + 1 / f)));
  f = 4;
  assert_interval(e.certain_efficiency, (96 / f + 8 * f) / (32 * (3 / f + f)),
                  (96 * f + 8 / f) / (32 * (3 * f + 1 / f)));
  release_estimate(&c, &e);
}

// As above. Where it is a close decision that the branch isn't predicated, it may as well be: then
// all are there. If it was to be, it may be a branch that one lane takes.
static void close_decisions_may_be_otherwise(void **state) {
  (void)state;
  for (unsigned likely = 0; likely < 2; ++likely) {
    code c = begin_code(32);
    launch_as(&c, DC_BLOCK_LAUNCH);
    add_target(&c, op(&c, DC_OP_SLT, tid(&c), value(&c, 8)), 1);
    finish(&c);
    c.kernel.branches[0].close = true;
    c.kernel.branches[0].predication = likely ? DC_PREDICATION_LIKELY : DC_PREDICATION_UNLIKELY;
    dc_estimate e = estimate_code(&c);
    assert_interval(e.efficiency, likely ? 1 : (3 * 32 + 8) / 128.0,
                    likely ? 1 : (3 * 32 + 8) / 128.0);
    double f = 4, least = likely ? 1 : 8;
    assert_interval(e.certain_efficiency, (96 / f + least * f) / (32 * (3 / f + f)), 1);
    release_estimate(&c, &e);
  }
}

// By hand: of a block of one instruction not all operands take that one and another; where one lane
// does, or in blocks of 48 threads the full warp. Nothing is sure to be there.
static void slow_paths_are_certain_to_be_possible(void **state) {
  (void)state;
  for (unsigned odd = 0; odd < 2; ++odd)
    for (unsigned alike = 0; alike < 2; ++alike) {
      code c = begin_code(odd ? 48 : 256);
      launch_as(&c, DC_BLOCK_LAUNCH);
      finish(&c);
      c.kernel.blocks[0].slow = 2;
      c.kernel.blocks[0].slow_alike = alike ? 2 : 0;
      dc_estimate e = estimate_code(&c);
      double all = odd ? 0.75 : 1;
      assert_interval(e.expected_efficiency, all, all);
      assert_interval(e.certain_efficiency, alike ? all : 1 / 32.0, alike ? all : 1);
      release_estimate(&c, &e);
    }
}

// The same with three instructions, of which one is sure to be there.
static void the_shortest_way_is_sure(void **state) {
  (void)state;
  code c = begin_code(256);
  launch_as(&c, DC_BLOCK_LAUNCH);
  finish(&c);
  c.kernel.blocks[0].mix[DC_MIX_INTEGER] += 2;
  c.kernel.blocks[0].slow = 2;
  dc_estimate e = estimate_code(&c);
  double f = 4;
  assert_interval(e.certain_efficiency, (1 / f + 2 * f / 32) / (1 / f + 2 * f), 1);
  release_estimate(&c, &e);
}

// Of the block that 8 lanes come to, 11 instructions of which all but one are on ways that not all
// operands take: one lane takes them, all others the shortest way, as short as it may be.
static void slow_paths_behind_branches_may_be_taken(void **state) {
  (void)state;
  for (unsigned alike = 0; alike < 2; ++alike) {
    code c = begin_code(32);
    launch_as(&c, DC_BLOCK_LAUNCH);
    add_target(&c, op(&c, DC_OP_SLT, tid(&c), value(&c, 8)), 11);
    finish(&c);
    dc_block *target = &c.kernel.blocks[c.kernel.successors[0]];
    target->slow = 10;
    target->slow_alike = alike ? 10 : 0;
    dc_estimate e = estimate_code(&c);
    double f = 4, low = alike ? (96 / f + 8 * 21 * f) / (32 * (3 / f + 21 * f))
                              : (104 / f + 10 * f) / (32 * (4 / f + 10 * f));
    assert_interval(e.certain_efficiency, low, (96 * f + 8 / f) / (32 * (3 * f + 1 / f)));
    release_estimate(&c, &e);
  }
}

// if (tid < n) of 128 threads: with figures to go by there is an item for each; at an end of what
// is expected there are 100, four of them in the last warp.
static void a_known_grid_may_have_fewer_items(void **state) {
  (void)state;
  enum { REST = 3, TARGET = 30 }; // instructions
  code c = begin_code(128);
  launch_as(&c, DC_BLOCK_LAUNCH);
  uint32_t index = dc_kernel_add_param(&c.kernel);
  dc_expr items = dc_expr_leaf(&c.kernel.pool, DC_OP_PARAM, 32, DC_UNIFORM, index);
  add_target(&c, op(&c, DC_OP_SLT, tid(&c), items), TARGET);
  finish(&c);
  dc_estimate e = estimate_code(&c);
  assert_interval(e.efficiency, 1, 1);
  double rest = REST / 1.5, target = TARGET * 1.5;
  assert_interval(e.expected_efficiency, (128 * rest + 100 * target) / (128 * (rest + target)), 1);
  release_estimate(&c, &e);
}

// Where lanes go by data, all may go alike, or one alone; and of a launch that nobody knows not
// even the lanes are certain.
static void data_makes_both_wide(void **state) {
  (void)state;
  for (unsigned known = 0; known < 2; ++known) {
    code c = begin_code(known ? 16 : 256);
    launch_as(&c, known ? DC_BLOCK_LAUNCH : DC_BLOCK_ASSUMED);
    open_loop(&c, DC_NO_EXPR);
    close_loop(&c);
    finish(&c);
    dc_estimate e = estimate_code(&c);
    assert_interval(e.certain_efficiency, 1 / 32.0, known ? 0.5 : 1);
    assert_within(e.expected_efficiency.high, known ? 0.5 : 1, 1e-6);
    assert_true(e.expected_efficiency.low < 0.8 * e.efficiency.low);
    assert_true(e.expected_efficiency.low >= 1 / 32.0);
    release_estimate(&c, &e);
  }
}

// A block that the host computes is expected to have whole warps or 100 threads, for all that is
// certain; nothing is said of kernels that run nothing.
static void computed_blocks_may_not_be_whole_warps(void **state) {
  (void)state;
  for (unsigned empty = 0; empty < 2; ++empty) {
    code c = begin_code(256);
    launch_as(&c, DC_BLOCK_COMPUTED);
    finish(&c);
    for (uint32_t k = 0; k < c.kernel.n_blocks && empty; ++k)
      memset(c.kernel.blocks[k].mix, 0, sizeof c.kernel.blocks[k].mix);
    dc_estimate e = estimate_code(&c);
    assert_interval(e.efficiency, empty ? -1 : 1, empty ? -1 : 1);
    assert_interval(e.expected_efficiency, empty ? -1 : 100 / 128.0, empty ? -1 : 1);
    if (!empty)
      assert_interval(e.certain_efficiency, 1 / 32.0, 1);
    release_estimate(&c, &e);
  }
}

// Where rows are whole warps these are likely to be known; and a block of 100 * 100 threads there
// can't be.
static void computed_rows_stay(void **state) {
  (void)state;
  static const uint32_t blocks[][2] = {{32, 8}, {24, 24}};
  for (unsigned k = 0; k < sizeof blocks / sizeof *blocks; ++k) {
    code c = begin_code(blocks[k][0]);
    launch_as(&c, DC_BLOCK_COMPUTED);
    c.kernel.launches[0].block[1] = blocks[k][1];
    finish(&c);
    dc_estimate e = estimate_code(&c);
    assert_interval(e.expected_efficiency, 1, 1);
    release_estimate(&c, &e);
  }
}

// A loop inside of a target is run by the lanes that come there.
static void loops_in_targets_have_their_lanes(void **state) {
  (void)state;
  code c = begin_code(32);
  uint32_t target = new_block(&c), join = new_block(&c);
  branch_to(&c, DC_NO_EXPR, target, join);
  c.at = target;
  c.kernel.blocks[target].mix[DC_MIX_GLOBAL] = 1;
  open_loop(&c, value(&c, 1000));
  close_loop(&c);
  c.kernel.loops[0].level = DC_UNIFORM;
  fall_into(&c, join);
  finish(&c);
  dc_estimate e = estimate_code(&c);
  assert_true(e.efficiency.low < 0.06); // one lane in a warp, on average
  assert_true(e.efficiency.high > 0.99);
  release_estimate(&c, &e);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(blocks_smaller_than_a_warp_are_certain),
      cmocka_unit_test(instructions_may_be_more_or_fewer),
      cmocka_unit_test(close_decisions_may_be_otherwise),
      cmocka_unit_test(slow_paths_are_certain_to_be_possible),
      cmocka_unit_test(the_shortest_way_is_sure),
      cmocka_unit_test(slow_paths_behind_branches_may_be_taken),
      cmocka_unit_test(a_known_grid_may_have_fewer_items),
      cmocka_unit_test(data_makes_both_wide),
      cmocka_unit_test(computed_blocks_may_not_be_whole_warps),
      cmocka_unit_test(computed_rows_stay),
      cmocka_unit_test(loops_in_targets_have_their_lanes),
  };
  return cmocka_run_group_tests_name("estimate_intervals", tests, NULL, NULL);
}
