// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an estimate makes of the targets of branches, and of the ends of loops, where warps are not
// emulated: against the emulator's draws, and by hand. Every block has one instruction of 2 cycles.
#include "structured.h"

#include "divcost/estimate.h"

// if (who knows) { target }; returns the target, to go on in.
static uint32_t open_target(code *c, uint32_t *join) {
  uint32_t target = new_block(c);
  *join = new_block(c);
  branch_to(c, DC_NO_EXPR, target, *join);
  return c->at = target;
}

static void set_distribution(code *c, uint32_t loop, const char *text) {
  c->kernel.loops[loop].distribution = dc_kernel_add_text(&c->kernel, text);
  c->kernel.loops[loop].trips_from = DC_FROM_ANNOTATED;
}

// Nested targets in a loop: what each lane decides for itself costs most, and uses the least lanes.
static void independent_lanes_are_as_drawn(void **state) {
  (void)state;
  enum { WARPS = 400 };
  for (unsigned lanes = 2; lanes <= 32; lanes *= 4) {
    code c = begin_code(lanes);
    uint32_t outer, inner;
    uint32_t loop = open_loop(&c, value(&c, 20));
    c.kernel.loops[loop].level = DC_UNIFORM;
    open_target(&c, &outer);
    c.kernel.blocks[c.at].mix[DC_MIX_SPECIAL] = 3;
    open_target(&c, &inner);
    fall_into(&c, inner);
    fall_into(&c, outer);
    close_loop(&c);
    finish(&c);
    dc_estimate e = estimate_code(&c);
    double instructions = 0, of_lanes = 0, issue = 0, branches = 0;
    for (unsigned warp = 0; warp < WARPS; ++warp) {
      emulated run_of = emulate_code(&c, DC_RULES_BARRIERS, lanes);
      run_of.options.warp = warp;
      dc_emulation r = run(&run_of);
      for (uint32_t block = 0; block < c.kernel.n_blocks; ++block) {
        dc_emulated at = block_figures(&run_of, block);
        unsigned weight = 1 + c.kernel.blocks[block].mix[DC_MIX_SPECIAL];
        instructions += weight * (double)at.executions;
        of_lanes += weight * (double)at.lane_executions;
      }
      issue += r.issue / WARPS;
      branches += (double)r.divergent_branches / WARPS;
      release_emulated(&run_of);
    }
    assert_false(e.emulated);
    assert_within(e.divergent_branches.high, branches, 0.01 * branches);
    assert_within(e.cycles.high - e.reconvergence.high, issue, 0.01 * issue);
    double drawn = of_lanes / instructions / 32;
    assert_true(e.efficiency.low <= 1.005 * drawn && e.efficiency.high >= drawn);
    if (lanes == 2) // of more, it may be one in a warp, which is worse
      assert_within(e.efficiency.low, drawn, 0.005 * drawn);
    assert_true(e.divergent_branches.low == 0);
    release_estimate(&c, &e);
  }
}

static void a_single_lane_does_not_part(void **state) {
  (void)state;
  code c = begin_code(1);
  uint32_t join;
  open_target(&c, &join);
  fall_into(&c, join);
  finish(&c);
  dc_estimate e = estimate_code(&c);
  assert_within(e.divergent_branches.high, 0, 1e-12);
  assert_within(e.efficiency.low, 1 / 32.0, 1e-12);
  assert_within(e.efficiency.high, 1 / 32.0, 1e-12);
  release_estimate(&c, &e);
}

// 5 iterations of two blocks, and the header's test once more.
static void the_test_of_a_loop_is_run_once_more(void **state) {
  (void)state;
  code c = begin_code(32);
  set_distribution(&c, open_loop(&c, DC_NO_EXPR), "const(5)");
  close_loop(&c);
  finish(&c);
  dc_estimate e = estimate_code(&c);
  assert_false(e.emulated);
  assert_within(e.cycles.low, 2 * (3 + 5 * 2 + 1), 1e-12);
  assert_within(e.loops[0].body.low, 2 * (5 * 2 + 1), 1e-12);
  release_estimate(&c, &e);
}

// do { a; if (leave) break; b } while (true): b is run once less.
static void what_comes_after_a_break_is_run_once_less(void **state) {
  (void)state;
  code c = begin_code(32);
  uint32_t loop = open_loop(&c, DC_NO_EXPR);
  uint32_t header = c.kernel.loops[loop].header;
  c.kernel.branches[0].block = c.at; // the test comes after the first block of the body
  c.kernel.blocks[header].branch = DC_NONE;
  c.kernel.blocks[c.at].branch = 0;
  c.kernel.blocks[header].n_successors = 1;
  add_edge_to(&c, c.at, c.leave[0]);
  uint32_t rest = new_block(&c);
  fall_into(&c, rest);
  set_distribution(&c, loop, "const(5)");
  close_loop(&c);
  finish(&c);
  dc_estimate e = estimate_code(&c);
  assert_within(e.loops[0].body.low, 2 * (5 * 2 + 4), 1e-12);
  release_estimate(&c, &e);
}

// if (threadIdx.x < 40) for (...): one of two warps parts, and the loop's lanes are those.
static void a_condition_on_the_thread_parts_where_it_does(void **state) {
  (void)state;
  code c = begin_code(64);
  uint32_t target = new_block(&c), join = new_block(&c);
  branch_to(&c, op(&c, DC_OP_SLT, tid(&c), value(&c, 40)), target, join);
  c.at = target;
  set_distribution(&c, open_loop(&c, DC_NO_EXPR), "const(10)");
  close_loop(&c);
  fall_into(&c, join);
  finish(&c);
  dc_estimate e = estimate_code(&c);
  assert_false(e.emulated);
  assert_within(e.divergent_branches.low, 0.5, 1e-12);
  assert_within(e.divergent_branches.high, 0.5, 1e-12);
  // Both warps: 3 blocks outside, 2 on the target, 11 times the test and 10 the body.
  double inside = 2 + 11 + 10;
  assert_within(e.efficiency.low, (2 * 3 * 32 + 40 * inside) / (2 * 32 * (3 + inside)), 1e-12);
  release_estimate(&c, &e);
}

// if (threadIdx.x >= 40) return;
static void leaving_by_a_return_is_no_branch(void **state) {
  (void)state;
  for (int distribution = 0; distribution < 2; ++distribution) {
    code c = begin_code(64);
    c.kernel.blocks[c.end].mix[DC_MIX_INTEGER] = 0;
    jump_if(&c, op(&c, DC_OP_SLE, value(&c, 40), tid(&c)), c.end);
    if (distribution) {
      set_distribution(&c, open_loop(&c, DC_NO_EXPR), "const(10)");
      close_loop(&c);
    }
    finish(&c);
    dc_estimate e = estimate_code(&c);
    assert_int_equal(e.emulated, !distribution);
    assert_within(e.divergent_branches.low, 0, 1e-12);
    assert_within(e.divergent_branches.high, 0, 1e-12);
    release_estimate(&c, &e);
  }
}

// A cycle more or less is none to the efficiency: a profiler counts instructions.
static void the_efficiency_counts_instructions(void **state) {
  (void)state;
  for (unsigned mix = 0; mix < DC_MIX_COUNT; ++mix) {
    code c = begin_code(32);
    uint32_t target = new_block(&c), join = new_block(&c);
    c.kernel.blocks[target].mix[DC_MIX_INTEGER] = 0;
    c.kernel.blocks[target].mix[mix] = 1;
    branch_to(&c, op(&c, DC_OP_SLT, tid(&c), value(&c, 8)), target, join);
    c.at = target;
    fall_into(&c, join);
    finish(&c);
    dc_estimate e = estimate_code(&c);
    assert_within(e.efficiency.low, (3 * 32 + 8) / (4 * 32.0), 1e-12);
    release_estimate(&c, &e);
  }
}

// Too many warps to emulate all: some of them, evenly.
static void some_warps_stand_for_all(void **state) {
  (void)state;
  code c = begin_code(1024);
  uint32_t join, target = new_block(&c);
  open_loop(&c, value(&c, 700));
  c.kernel.loops[0].level = DC_UNIFORM;
  join = new_block(&c);
  c.kernel.blocks[target].loop = c.loop;
  branch_to(&c, op(&c, DC_OP_SLT, op(&c, DC_OP_AND, tid(&c), value(&c, 31)), value(&c, 8)), target,
            join);
  c.at = target;
  fall_into(&c, join);
  close_loop(&c);
  finish(&c);
  dc_estimate e = estimate_code(&c);
  assert_true(e.emulated);
  assert_within(e.divergent_branches.low, 700, 1e-9);
  release_estimate(&c, &e);
}

// if (threadIdx.x == 0) while (who knows) ...: the lane loses nothing, but how long does it take?
static void a_loop_of_one_lane_is_once_or_often(void **state) {
  (void)state;
  code c = begin_code(64);
  uint32_t target = new_block(&c), join = new_block(&c);
  branch_to(&c, op(&c, DC_OP_EQ, tid(&c), value(&c, 0)), target, join);
  c.at = target;
  open_loop(&c, DC_NO_EXPR);
  close_loop(&c);
  fall_into(&c, join);
  finish(&c);
  dc_estimate e = estimate_code(&c);
  assert_within(e.loops[0].mean_trips.low, 1, 1e-12);
  assert_within(e.loops[0].mean_trips.high, 64, 1e-12);
  assert_within(e.loops[0].imbalance.high, 0, 1e-9);
  assert_true(e.efficiency.low < e.efficiency.high);
  release_estimate(&c, &e);
}

// What is given is taken, though an assumed length would do.
static void a_distribution_comes_before_an_assumed_value(void **state) {
  (void)state;
  code c = begin_code(32);
  uint32_t index = dc_kernel_add_param(&c.kernel);
  dc_expr length = dc_expr_leaf(&c.kernel.pool, DC_OP_PARAM, 32, DC_UNIFORM, index);
  uint32_t loop =
      open_loop(&c, op(&c, DC_OP_STEPS, op(&c, DC_OP_SUB, length, tid(&c)), value(&c, 32)));
  set_distribution(&c, loop, "uniform(1,4)");
  close_loop(&c);
  finish(&c);
  dc_estimate e = estimate_code(&c);
  assert_false(e.emulated);
  assert_int_equal(e.loops[0].from, DC_FROM_ANNOTATED);
  assert_within(e.loops[0].mean_trips.low, 2.5, 1e-12);
  assert_within(e.loops[0].divergent_exits.high, 4 * (1 - pow(0.75, 32)) - 1, 1e-9);
  release_estimate(&c, &e);
}

static void short_targets_are_predicated(void **state) {
  (void)state;
  static const dc_mix never[] = {DC_MIX_CALL, DC_MIX_BARRIER, DC_MIX_WARP};
  dc_arch hopper = arch_named("sm_90"), maxwell = arch_named("sm_52");
  for (unsigned length = 7; length <= 8; ++length)
    for (unsigned k = 0; k <= 3; ++k) {
      code c = begin_code(32);
      uint32_t join, target = open_target(&c, &join);
      c.kernel.blocks[target].mix[DC_MIX_INTEGER] = 0;
      c.kernel.blocks[target].mix[DC_MIX_FP32] = (uint32_t)length - (k < 3);
      c.kernel.blocks[target].mix[DC_MIX_CONTROL] = 1;
      if (k < 3)
        c.kernel.blocks[target].mix[never[k]] = 1;
      fall_into(&c, join);
      finish(&c);
      dc_arch_predicate(&maxwell, &c.kernel);
      assert_int_equal(c.kernel.branches[0].predication, DC_PREDICATION_UNKNOWN);
      dc_arch_predicate(&hopper, &c.kernel);
      bool likely = length <= 7 && k == 3;
      assert_int_equal(c.kernel.branches[0].predication,
                       likely ? DC_PREDICATION_LIKELY : DC_PREDICATION_UNLIKELY);
      dc_estimate e = estimate_code(&c);
      assert_within(e.divergent_branches.high, likely ? 0 : 1, 1e-9);
      assert_true(!likely || e.efficiency.low == 1);
      release_estimate(&c, &e);
    }
}

// if (lane == 0) store; at the end of a loop that begins with if (lane == 0): one stretch of both.
static void what_is_asked_again_is_no_predicate(void **state) {
  (void)state;
  dc_arch hopper = arch_named("sm_90");
  for (unsigned k = 0; k < 3;
       ++k) { // the same is asked; another thing is; something is done before
    code c = begin_code(32);
    dc_expr first = op(&c, DC_OP_EQ, tid(&c), value(&c, 0)),
            other = op(&c, DC_OP_EQ, tid(&c), value(&c, 1));
    uint32_t side = new_block(&c), join = new_block(&c);
    c.kernel.blocks[join].mix[DC_MIX_INTEGER] = k == 2;
    branch_to(&c, first, side, join);
    c.at = side;
    fall_into(&c, join);
    uint32_t last = new_block(&c), end = new_block(&c);
    branch_to(&c, k == 1 ? other : first, last, end);
    c.at = last;
    fall_into(&c, end);
    finish(&c);
    dc_arch_predicate(&hopper, &c.kernel);
    assert_int_equal(c.kernel.branches[0].predication,
                     k == 0 ? DC_PREDICATION_UNLIKELY : DC_PREDICATION_LIKELY);
    assert_int_equal(c.kernel.branches[1].predication, DC_PREDICATION_LIKELY);
    dc_kernel_free(&c.kernel);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(independent_lanes_are_as_drawn),
      cmocka_unit_test(a_single_lane_does_not_part),
      cmocka_unit_test(the_test_of_a_loop_is_run_once_more),
      cmocka_unit_test(what_comes_after_a_break_is_run_once_less),
      cmocka_unit_test(a_condition_on_the_thread_parts_where_it_does),
      cmocka_unit_test(leaving_by_a_return_is_no_branch),
      cmocka_unit_test(the_efficiency_counts_instructions),
      cmocka_unit_test(some_warps_stand_for_all),
      cmocka_unit_test(a_loop_of_one_lane_is_once_or_often),
      cmocka_unit_test(a_distribution_comes_before_an_assumed_value),
      cmocka_unit_test(short_targets_are_predicated),
      cmocka_unit_test(what_is_asked_again_is_no_predicate),
  };
  return cmocka_run_group_tests_name("estimate_sides", tests, NULL, NULL);
}
