// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When an estimate takes its figures from the emulator, and when not.
#include "structured.h"

#include "divcost/estimate.h"
#include "divcost/what_if.h"

static dc_estimate estimate_on(code *c, const char *arch) {
  dc_arch described = arch_named(arch);
  dc_estimate estimate;
  dc_error error = {0};
  if (dc_estimate_kernel(&c->kernel, &described, &c->kernel.launches[0], NULL, &estimate, &error) !=
      DC_OK)
    fail_msg("%s", error.text);
  return estimate;
}

// if (condition) target; every block has one instruction.
static code code_with_target(uint32_t threads, int64_t limit) {
  code c = begin_code(threads);
  uint32_t target = new_block(&c), join = new_block(&c);
  dc_expr condition = limit < 0 ? DC_NO_EXPR : op(&c, DC_OP_SLT, tid(&c), value(&c, limit));
  branch_to(&c, condition, target, join);
  c.at = target;
  fall_into(&c, join);
  finish(&c);
  return c;
}

static void lanes_on_the_target_of_a_branch_are_counted(void **state) {
  (void)state;
  code c = code_with_target(32, 8);
  dc_estimate e = estimate_on(&c, "sm_90");
  assert_true(e.emulated);
  assert_within(e.efficiency.low, (32 + 8 + 32 + 32) / (4 * 32.0), 1e-12);
  assert_within(e.divergent_branches.low, 1, 1e-12);
  assert_within(e.reconvergence.low, 16, 1e-12);
  release_estimate(&c, &e);
}

// Two of four warps are on the target, one of them in part.
static void every_warp_of_the_block_counts(void **state) {
  (void)state;
  code c = code_with_target(128, 40);
  dc_estimate e = estimate_on(&c, "sm_90");
  assert_true(e.emulated);
  assert_within(e.divergent_branches.low, 0.25, 1e-12);
  assert_within(e.efficiency.low, (3 * 128 + 40) / (32.0 * (3 * 4 + 2)), 1e-12);
  release_estimate(&c, &e);
}

static void a_condition_that_nobody_knows_is_not_emulated(void **state) {
  (void)state;
  code c = code_with_target(32, -1);
  dc_estimate e = estimate_on(&c, "sm_90");
  assert_false(e.emulated);
  assert_within(e.divergent_branches.low, 0, 1e-12); // assumed
  assert_within(e.divergent_branches.high, 1, 1e-9);
  release_estimate(&c, &e);
}

static void trips_with_a_distribution_have_the_closed_form(void **state) {
  (void)state;
  code c = begin_code(32);
  open_loop(&c, DC_NO_EXPR);
  close_loop(&c);
  finish(&c);
  c.kernel.loops[0].distribution = dc_kernel_add_text(&c.kernel, "uniform(1,4)");
  c.kernel.loops[0].trips_from = DC_FROM_ANNOTATED;
  dc_estimate e = estimate_on(&c, "sm_90");
  assert_false(e.emulated);
  assert_within(e.loops[0].divergent_exits.low, 4 * (1 - pow(0.75, 32)) - 1, 1e-9);
  release_estimate(&c, &e);
}

// The emulator would go by the condition, and the loop keep its cycles.
static void a_distribution_that_is_asked_for_decides_instead_of_the_condition(void **state) {
  (void)state;
  code c = begin_code(32);
  open_loop(&c, value(&c, 50));
  close_loop(&c);
  finish(&c);
  uint32_t branch = c.kernel.blocks[c.kernel.exits[0].block].branch;
  c.kernel.branches[branch].condition = op(&c, DC_OP_SLT, iteration(&c, 0), value(&c, 50));
  dc_unit_kernel kernel = {.kernel = c.kernel};
  dc_arch arch = arch_named("sm_90");
  dc_what_if_trips trips = {.id = c.kernel.loops[0].id, .distribution = "const(500)"};
  dc_what_if as_it_is = {.arch = &arch}, then = {.trips = &trips, .n_trips = 1};
  assert_int_equal(dc_what_if_kernel(&kernel, &as_it_is, NULL), DC_OK);
  assert_true(kernel.estimates[0].emulated);
  double before = kernel.estimates[0].loops[0].body.low;
  assert_int_equal(dc_what_if_kernel(&kernel, &then, NULL), DC_OK);
  assert_within(kernel.estimates[0].loops[0].mean_trips.low, 500, 1e-9);
  assert_true(kernel.estimates[0].loops[0].body.low > 9 * before);
  dc_unit_kernel_free(&kernel);
}

// A quarter of the lanes has no iteration, on average: in nearly every warp some don't.
static void a_distribution_with_zeroes_pays_for_the_guard(void **state) {
  (void)state;
  code c = begin_code(32);
  open_loop(&c, DC_NO_EXPR);
  close_loop(&c);
  finish(&c);
  c.kernel.loops[0].distribution = dc_kernel_add_text(&c.kernel, "uniform(0,3)");
  c.kernel.loops[0].trips_from = DC_FROM_ANNOTATED;
  dc_estimate e = estimate_on(&c, "sm_90");
  double none = pow(0.25, 32), some = 1 - pow(0.75, 32), exits = 3 * some - (1 - none);
  assert_false(e.emulated);
  assert_within(e.loops[0].divergent_exits.low, exits, 1e-9);
  assert_within(e.divergent_branches.low, exits + some - none, 1e-9);
  release_estimate(&c, &e);
}

// Lane t goes round max(t - 15, 0) * factor times: too often to be emulated, or not.
static dc_estimate estimate_zeroes(code *c, int64_t factor) {
  *c = begin_code(32);
  dc_expr more = op(c, DC_OP_SUB, tid(c), value(c, 15));
  open_loop(c, op(c, DC_OP_MUL, op(c, DC_OP_SMAX, more, value(c, 0)), value(c, factor)));
  close_loop(c);
  finish(c);
  return estimate_on(c, "sm_90");
}

static void a_guard_is_paid_for_with_and_without_the_emulator(void **state) {
  (void)state;
  code emulated, closed;
  dc_estimate a = estimate_zeroes(&emulated, 1), b = estimate_zeroes(&closed, 100000);
  assert_true(a.emulated);
  assert_false(b.emulated);
  assert_within(a.divergent_branches.low, 15 + 1, 1e-9);
  assert_within(b.divergent_branches.low, 15 + 1, 1e-9);
  assert_within(b.reconvergence.low, a.reconvergence.low, 1e-9);
  release_estimate(&emulated, &a);
  release_estimate(&closed, &b);
}

// The paper's double loop: depth and spills are those of the nest, where each loop alone would
// spill less.
static void a_nest_has_the_depth_and_the_spills_of_the_nest(void **state) {
  (void)state;
  code c = begin_code(32);
  dc_expr least = op(&c, DC_OP_SMIN, tid(&c), value(&c, 20));
  dc_expr trips = op(&c, DC_OP_SUB, value(&c, 32), least);
  open_loop(&c, trips);
  open_loop(&c, trips);
  close_loop(&c);
  close_loop(&c);
  finish(&c);
  dc_estimate e = estimate_on(&c, "sm_35");
  assert_true(e.emulated);
  assert_within(e.loops[0].stack_depth.low, 22, 1e-12);
  assert_within(e.divergent_branches.low, 20 * 45 / 2.0, 1e-12);
  assert_within(e.reconvergence.low, 32 * 20 * 45 / 2.0 + 84 * 34, 1e-9);
  release_estimate(&c, &e);
}

// Beyond the steps that there are for it.
static void long_runs_are_not_emulated(void **state) {
  (void)state;
  code c = begin_code(32);
  open_loop(&c, op(&c, DC_OP_ADD, tid(&c), value(&c, 1000000)));
  close_loop(&c);
  finish(&c);
  dc_estimate e = estimate_on(&c, "sm_90");
  assert_false(e.emulated);
  assert_within(e.loops[0].divergent_exits.low, 31, 1e-9);
  release_estimate(&c, &e);
}

// ---- limits of the emulator that the estimate uses ----------------------------------------------

static void an_exact_run_draws_nothing(void **state) {
  (void)state;
  code c = code_with_target(32, -1);
  emulated e = emulate_code(&c, DC_RULES_STACK, 32);
  e.options.exact = true;
  assert_int_equal(try_to_run(&e), DC_ERROR_ARGUMENT);
  assert_non_null(strstr(
      e.error.text, "block 0, lanes 0xffffffff: the target of a branch would have to be drawn"));
  release_emulated(&e);
  dc_kernel_free(&c.kernel);
}

static void expressions_are_bounded(void **state) {
  (void)state;
  code c = code_with_target(32, 8);
  emulated e = emulate_code(&c, DC_RULES_STACK, 32);
  e.options.operations = 50;
  assert_int_equal(try_to_run(&e), DC_ERROR_LIMIT);
  assert_non_null(strstr(e.error.text, "expressions take more than 50 operations"));
  release_emulated(&e);
  dc_kernel_free(&c.kernel);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lanes_on_the_target_of_a_branch_are_counted),
      cmocka_unit_test(every_warp_of_the_block_counts),
      cmocka_unit_test(a_condition_that_nobody_knows_is_not_emulated),
      cmocka_unit_test(trips_with_a_distribution_have_the_closed_form),
      cmocka_unit_test(a_distribution_that_is_asked_for_decides_instead_of_the_condition),
      cmocka_unit_test(a_distribution_with_zeroes_pays_for_the_guard),
      cmocka_unit_test(a_guard_is_paid_for_with_and_without_the_emulator),
      cmocka_unit_test(a_nest_has_the_depth_and_the_spills_of_the_nest),
      cmocka_unit_test(long_runs_are_not_emulated),
      cmocka_unit_test(an_exact_run_draws_nothing),
      cmocka_unit_test(expressions_are_bounded),
  };
  return cmocka_run_group_tests_name("estimate_emulated", tests, NULL, NULL);
}
