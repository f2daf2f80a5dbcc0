// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Branches in loops of which is known which lanes take them, by hand. Every block has one
// instruction, but for the branches' targets: ten. Some loop's trips are drawn, so that no warp is
// emulated.
#include "structured.h"

#include "divcost/estimate.h"

#define TARGET 10

// Returns the number of the branch.
static uint32_t if_then(code *c, dc_expr condition) {
  uint32_t target = new_block(c), join = new_block(c), branch = c->kernel.n_branches;
  c->kernel.blocks[target].mix[DC_MIX_INTEGER] = TARGET;
  branch_to(c, condition, target, join);
  c->at = target;
  fall_into(c, join);
  return branch;
}

static uint32_t open_drawn_loop(code *c, const char *distribution) {
  uint32_t loop = open_loop(c, DC_NO_EXPR);
  c->kernel.loops[loop].distribution = dc_kernel_add_text(&c->kernel, distribution);
  c->kernel.loops[loop].trips_from = DC_FROM_ANNOTATED;
  return loop;
}

// The blocks around: entry, what follows the loop, end; and each loop tests once more than it
// iterates, in its header, and has a body and what follows the branch.
static double around(double iterations) { return 3 + (iterations + 1) + 2 * iterations; }

static void assert_idle(code *c, uint32_t branch, double executions, double idle, double blocks) {
  c->kernel.launches[0].from = DC_BLOCK_LAUNCH;
  dc_estimate e = estimate_code(c);
  assert_false(e.emulated);
  double all = 32 * (blocks + TARGET * executions);
  assert_within(e.branches[branch].idle.low, TARGET * executions * idle / all, 1e-9);
  assert_within(e.branches[branch].idle.high, TARGET * executions * idle / all, 1e-9);
  assert_within(e.instructions.low, blocks + TARGET * executions, 1e-9);
  assert_int_equal(e.branches[branch].from, DC_FROM_DERIVED);
  release_estimate(c, &e);
}

// Eight lanes take the branch; in the second iteration, those of them that half of all lanes leave.
static void of_lanes_that_are_left_the_same_ones_go(void **state) {
  (void)state;
  code c = begin_code(32);
  open_drawn_loop(&c, "list(1:0.5, 2:0.5)");
  uint32_t branch = if_then(&c, op(&c, DC_OP_SLT, tid(&c), value(&c, 8)));
  close_loop(&c);
  finish(&c);
  double iterations = 2 - pow(0.5, 32), executions = 2 - pow(0.5, 8);
  assert_idle(&c, branch, executions, 48 / iterations - 12 / executions, around(iterations));
}

// 8, 16 and 32 lanes take the branch, iteration after iteration.
static void iterations_are_gone_through(void **state) {
  (void)state;
  code c = begin_code(32);
  open_drawn_loop(&c, "const(1)");
  close_loop(&c);
  uint32_t loop = open_loop(&c, value(&c, 3));
  uint32_t branch =
      if_then(&c, op(&c, DC_OP_SLT, tid(&c), op(&c, DC_OP_SHL, value(&c, 8), iteration(&c, loop))));
  close_loop(&c);
  finish(&c);
  double drawn = 2 + 1 + 1; // header twice, body, what follows
  assert_idle(&c, branch, 3, 32 - 56 / 3.0, around(3) + drawn);
}

// The iteration of a loop around decides: 8, then 16 lanes, twice each.
static void iterations_around_are_gone_through(void **state) {
  (void)state;
  code c = begin_code(32);
  uint32_t outer = open_loop(&c, value(&c, 2));
  open_drawn_loop(&c, "const(2)");
  uint32_t branch = if_then(
      &c, op(&c, DC_OP_SLT, tid(&c), op(&c, DC_OP_SHL, value(&c, 8), iteration(&c, outer))));
  close_loop(&c);
  close_loop(&c);
  finish(&c);
  double of_inner = around(2) - 3 + 1; // and what follows, which is in the outer one
  assert_idle(&c, branch, 4, 32 - 12, 3 + 3 + 2 + 2 * of_inner);
}

// Lanes that the branch leaves out don't come to a loop behind it, and those of another branch
// between count for themselves.
static void sides_hold_inner_branches(void **state) {
  (void)state;
  code c = begin_code(32);
  open_drawn_loop(&c, "const(2)");
  uint32_t target = new_block(&c), join = new_block(&c);
  branch_to(&c, op(&c, DC_OP_SLT, tid(&c), value(&c, 16)), target, join);
  c.at = target;
  uint32_t branch = if_then(&c, op(&c, DC_OP_SLT, tid(&c), value(&c, 4)));
  fall_into(&c, join);
  close_loop(&c);
  finish(&c);
  double side = 2 * 2; // the outer branch's target, and what follows the inner one
  assert_idle(&c, branch, 2, 16 - 4, around(2) + side);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(of_lanes_that_are_left_the_same_ones_go),
      cmocka_unit_test(iterations_are_gone_through),
      cmocka_unit_test(iterations_around_are_gone_through),
      cmocka_unit_test(sides_hold_inner_branches),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
