// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of which nothing is known but the most trips that they can have: what is proven, on single
// expressions and against evaluation of random ones; the distributions that are assumed within; and
// the estimate of such loops.
#include "divcost/estimate.h"
#include "divcost/imbalance.h"

#include "skeleton.h"

static dc_expr opaque(builder *b, unsigned bits, dc_uniformity level) {
  return dc_expr_leaf(&b->kernel.pool, DC_OP_OPAQUE, bits, level,
                      dc_kernel_add_opaque_name(&b->kernel, "?"));
}

static dc_expr widened(builder *b, dc_expr_op op, dc_expr e) {
  return dc_expr_cast(&b->kernel.pool, op, 64, e);
}

static dc_expr steps(builder *b, dc_expr distance, int64_t length) {
  dc_expr by = dc_expr_constant(&b->kernel.pool, 64, length);
  return apply(b, DC_OP_STEPS, widened(b, DC_OP_SEXT, distance), by);
}

// ---- what is proven -----------------------------------------------------------------------------

static int64_t most_of(builder *b, dc_expr trips) {
  uint32_t loop = begin_loop(b, trips, DC_DIVERGENT, DC_CLASS_DATA_DEPENDENT, 1);
  end_loop(b, 0);
  return dc_most_trips(&b->kernel, loop);
}

static void a_bound_comes_from_minima_masks_and_types(void **state) {
  (void)state;
  builder b = begin_kernel(32, 1, 1, 0);
  dc_expr any = opaque(&b, 32, DC_DIVERGENT), byte = opaque(&b, 8, DC_DIVERGENT),
          flag = opaque(&b, 1, DC_DIVERGENT), ten = number(&b, 10), c32 = number(&b, 32);
  dc_expr_pool *pool = &b.kernel.pool;
  assert_int_equal(most_of(&b, any), -1);
  assert_int_equal(most_of(&b, apply(&b, DC_OP_SMIN, any, c32)), 32);
  assert_int_equal(most_of(&b, apply(&b, DC_OP_UMIN, c32, any)), 32);
  assert_int_equal(most_of(&b, apply(&b, DC_OP_AND, any, number(&b, 31))), 31);
  assert_int_equal(most_of(&b, apply(&b, DC_OP_UREM, any, ten)), 9);
  assert_int_equal(most_of(&b, apply(&b, DC_OP_SREM, any, ten)), 9);
  assert_int_equal(most_of(&b, apply(&b, DC_OP_LSHR, any, number(&b, 27))), 31);
  assert_int_equal(most_of(&b, dc_expr_cast(pool, DC_OP_ZEXT, 32, byte)), 255);
  assert_int_equal(most_of(&b, dc_expr_cast(pool, DC_OP_SEXT, 32, byte)), 127);
  assert_int_equal(
      most_of(&b, dc_expr_apply(pool, DC_OP_SELECT, 32, DC_UNIFORM, flag, ten, c32, 0)), 32);
  // ceil((min(any, 32) - threadIdx.x) / 4), which has 8 at most, in lane 0
  dc_expr distance = apply(&b, DC_OP_SUB, apply(&b, DC_OP_SMIN, any, c32), thread(&b));
  assert_int_equal(most_of(&b, steps(&b, dc_expr_cast(pool, DC_OP_SEXT, 64, c32), 4)), 8);
  // any may be the least number, whose difference wraps: nothing is proven
  assert_int_equal(most_of(&b, steps(&b, distance, 4)), -1);
  dc_expr count = apply(&b, DC_OP_SMAX, apply(&b, DC_OP_SMIN, any, c32), number(&b, 0));
  assert_int_equal(most_of(&b, steps(&b, apply(&b, DC_OP_SUB, count, thread(&b)), 4)), 8);
  // A distance of 64 bits that may be below 0 is huge where it is.
  dc_expr less = apply(&b, DC_OP_SUB, ten, thread(&b));
  assert_int_equal(most_of(&b, less), 10);
  assert_int_equal(most_of(&b, dc_expr_cast(pool, DC_OP_SEXT, 64, less)), -1);
  // What may wrap, or is 2048 or more, bounds nothing.
  assert_int_equal(most_of(&b, apply(&b, DC_OP_ADD, any, ten)), -1);
  assert_int_equal(most_of(&b, apply(&b, DC_OP_AND, any, number(&b, 2047))), 2047);
  assert_int_equal(most_of(&b, apply(&b, DC_OP_AND, any, number(&b, 4095))), -1);
  assert_int_equal(most_of(&b, parameter(&b, true, 12)), 12);
  assert_int_equal(most_of(&b, parameter(&b, false, 12)), -1);
  dc_kernel_free(&b.kernel);
}

// for (k = 0; k < 50; ++k) if (memory[k]) break;
static void any_exit_bounds_a_loop(void **state) {
  (void)state;
  builder b = begin_kernel(32, 1, 1, 0);
  uint32_t loop = begin_loop(&b, DC_NO_EXPR, DC_DIVERGENT, DC_CLASS_DATA_DEPENDENT, 1);
  end_loop(&b, 0);
  uint32_t first = b.kernel.loops[loop].first_exit, second = dc_kernel_add_exit(&b.kernel);
  b.kernel.exits[second] = b.kernel.exits[first];
  b.kernel.exits[second].trips = number(&b, 50);
  b.kernel.loops[loop].n_exits = 2;
  assert_int_equal(dc_most_trips(&b.kernel, loop), 50);
  // An inner loop that follows its iteration has as many at most.
  uint32_t outer = begin_loop(&b, number(&b, 7), DC_UNIFORM, DC_CLASS_UNIFORM, 1);
  uint32_t inner = begin_loop(&b, induction(&b, outer), DC_UNIFORM, DC_CLASS_UNIFORM, 1);
  end_loop(&b, 0);
  end_loop(&b, 0);
  assert_int_equal(dc_most_trips(&b.kernel, inner), 7);
  dc_kernel_free(&b.kernel);
}

// for (;; n /= 2): after 32 iterations the number doesn't change any more.
static void a_search_may_never_end(void **state) {
  (void)state;
  builder b = begin_kernel(32, 1, 1, 0);
  dc_expr any = opaque(&b, 32, DC_DIVERGENT);
  uint32_t loop = begin_loop(&b, DC_NO_EXPR, DC_DIVERGENT, DC_CLASS_DATA_DEPENDENT, 1);
  dc_expr shifted = apply(&b, DC_OP_LSHR, any, induction(&b, loop)), parts[2];
  for (int64_t until = 0; until < 2; ++until) {
    dc_expr holds = apply(&b, DC_OP_EQ, shifted, number(&b, until));
    parts[until] = dc_expr_apply(&b.kernel.pool, DC_OP_FIRST, 32, DC_DIVERGENT, holds, DC_NO_EXPR,
                                 DC_NO_EXPR, loop);
  }
  end_loop(&b, 0);
  uint32_t exit = b.kernel.loops[loop].first_exit;
  b.kernel.exits[exit].trips = parts[0];
  assert_int_equal(dc_most_trips(&b.kernel, loop), 32);
  b.kernel.exits[exit].trips = parts[1]; // the only way out: it is taken
  assert_int_equal(dc_most_trips(&b.kernel, loop), 32);
  b.kernel.exits[exit].trips = apply(&b, DC_OP_UMIN, parts[1], any); // it may not be
  assert_int_equal(dc_most_trips(&b.kernel, loop), -1);
  uint32_t second = dc_kernel_add_exit(&b.kernel);
  b.kernel.exits[second] = (dc_exit){b.kernel.exits[exit].block, DC_NONE, DC_DIVERGENT, DC_NO_EXPR};
  b.kernel.loops[loop].n_exits = 2;
  b.kernel.exits[exit].trips = parts[1];
  assert_int_equal(dc_most_trips(&b.kernel, loop), -1);
  b.kernel.exits[exit].trips = parts[0]; // 0 comes in any case
  assert_int_equal(dc_most_trips(&b.kernel, loop), 32);
  dc_kernel_free(&b.kernel);
}

static dc_expr random_node(builder *b, uint64_t *random, unsigned bits, unsigned depth);

// A random expression of this width over everything that can be evaluated.
static dc_expr random_expression(builder *b, uint64_t *random, unsigned bits, unsigned depth) {
  dc_expr e = random_node(b, random, bits, depth);
  return e == DC_NO_EXPR ? dc_expr_constant(&b->kernel.pool, bits, 1) : e;
}

static dc_expr random_node(builder *b, uint64_t *random, unsigned bits, unsigned depth) {
  dc_expr_pool *pool = &b->kernel.pool;
  unsigned choice = (unsigned)(random_bits(random) % (depth ? 12 : 3));
  int64_t value = (int64_t)random_bits(random) >> (random_bits(random) % 62);
  static const unsigned widths[] = {1, 8, 16, 32, 64};
  switch (choice) {
  case 0:
    return dc_expr_constant(pool, bits, value);
  case 1:
    return dc_expr_leaf(pool, DC_OP_TID, bits, DC_DIVERGENT, (int64_t)(random_bits(random) % 3));
  case 2:
    return dc_expr_leaf(pool, DC_OP_PARAM, bits, DC_UNIFORM, (int64_t)(random_bits(random) % 3));
  case 3: {
    dc_expr condition = random_expression(b, random, 1, depth - 1);
    dc_expr yes = random_expression(b, random, bits, depth - 1);
    return dc_expr_apply(pool, DC_OP_SELECT, bits, DC_UNIFORM, condition, yes,
                         random_expression(b, random, bits, depth - 1), 0);
  }
  case 4: {
    unsigned from = widths[random_bits(random) % 5];
    dc_expr operand = random_expression(b, random, from, depth - 1);
    dc_expr_op op = from > bits ? DC_OP_TRUNC : random_bits(random) % 2 ? DC_OP_ZEXT : DC_OP_SEXT;
    return from == bits ? operand : dc_expr_cast(pool, op, bits, operand);
  }
  case 5:
    if (bits == 1)
      return dc_expr_binary(pool, (dc_expr_op)(DC_OP_EQ + random_bits(random) % 6),
                            random_expression(b, random, 32, depth - 1),
                            random_expression(b, random, 32, depth - 1));
    return dc_expr_binary(pool, DC_OP_STEPS, random_expression(b, random, bits, depth - 1),
                          random_expression(b, random, bits, depth - 1));
  default: {
    dc_expr_op op = (dc_expr_op)(DC_OP_ADD + random_bits(random) % (DC_OP_UMAX - DC_OP_ADD + 1));
    dc_expr left = random_expression(b, random, bits, depth - 1);
    return dc_expr_binary(pool, op, left, random_expression(b, random, bits, depth - 1));
  }
  }
}

static void no_evaluation_exceeds_the_bound(void **state) {
  (void)state;
  uint64_t random = 4711;
  unsigned bounded = 0, checked = 0;
  for (unsigned round = 0; round < 20000; ++round) {
    builder b = begin_kernel(32, 1, 1, 0);
    static const unsigned widths[] = {8, 16, 32, 64};
    dc_expr e = random_expression(&b, &random, widths[round % 4], 1 + round % 5);
    // The second parameter is known, the others are whatever they are.
    for (unsigned k = 0; k < 3; ++k)
      parameter(&b, k == 1, 29);
    int64_t most = e == DC_NO_EXPR ? -1 : most_of(&b, e);
    bounded += most >= 0;
    for (unsigned k = 0; k < 40 && most >= 0; ++k) {
      int64_t params[3] = {(int64_t)random_bits(&random) >> (random_bits(&random) % 62), 29,
                           (int64_t)random_bits(&random) >> (random_bits(&random) % 62)};
      const bool known[3] = {true, true, true};
      dc_expr_environment environment = {.ntid = {1024, 1024, 64},
                                         .nctaid = {1, 1, 1},
                                         .tid = {(int64_t)(random_bits(&random) % 1024),
                                                 (int64_t)(random_bits(&random) % 1024),
                                                 (int64_t)(random_bits(&random) % 64)},
                                         .params = params,
                                         .params_known = known,
                                         .n_params = 3,
                                         .budget = 10000};
      int64_t value;
      if (!dc_expr_evaluate(&b.kernel.pool, e, &environment, &value))
        continue;
      ++checked;
      if (value > most)
        fail_msg("round %u: %lld trips, but %lld at most", round, (long long)value,
                 (long long)most);
    }
    dc_kernel_free(&b.kernel);
  }
  assert_true(bounded > 1000 && checked > 20000);
}

// ---- the distributions within -------------------------------------------------------------------

static void assumed_distributions_have_one_mean_and_keep_the_bound(void **state) {
  (void)state;
  static const int64_t bounds[] = {0, 1, 2, 7, 32, 127, 128, 129, 200, 500, 1024, 2047};
  double spread = 0;
  for (size_t k = 0; k < sizeof bounds / sizeof *bounds; ++k) {
    double mean = bounds[k] < 128 ? (double)bounds[k] / 2 : 64;
    dc_assumed_distributions distributions = dc_distributions_assumed(bounds[k]);
    made low = make(distributions.low, NULL), high = make(distributions.high, NULL);
    assert_true(dc_distribution_max(&low.distribution) <= bounds[k]);
    assert_true(dc_distribution_max(&high.distribution) <= bounds[k]);
    assert_close(dc_distribution_mean(&low.distribution) + 1, mean + 1, 1e-4);
    assert_close(dc_distribution_mean(&high.distribution) + 1, mean + 1, 1e-4);
    double narrow = dc_distribution_variance(&low.distribution),
           wide = dc_distribution_variance(&high.distribution);
    if (bounds[k] > 1)
      assert_true(narrow < wide);
    assert_true(wide >= 0.99 * spread); // the larger the bound, the more may happen
    spread = wide;
    release(&low);
    release(&high);
  }
  // Without a bound they are what the bounded ones tend to.
  made geometric = make(dc_distributions_assumed(-1).high, NULL);
  assert_close(spread, dc_distribution_variance(&geometric.distribution), 1e-3);
  release(&geometric);
}

static void assumed_numbers_are_half_of_a_small_bound(void **state) {
  (void)state;
  assert_int_equal(dc_trips_assumed(-1), 64);
  assert_int_equal(dc_trips_assumed(0), 0);
  assert_int_equal(dc_trips_assumed(1), 1);
  assert_int_equal(dc_trips_assumed(32), 16);
  assert_int_equal(dc_trips_assumed(127), 64);
  assert_int_equal(dc_trips_assumed(1000), 64);
}

// ---- the estimate -------------------------------------------------------------------------------

static dc_estimate estimate(builder *b) {
  dc_error error = {0};
  dc_estimate estimate = {0};
  dc_arch arch;
  if (dc_arch_find("sm_90", &arch, &error) != DC_OK ||
      dc_kernel_validate(&b->kernel, &error) != DC_OK ||
      dc_estimate_kernel(&b->kernel, &arch, &b->kernel.launches[0], NULL, &estimate, &error) !=
          DC_OK)
    fail_msg("%s", error.text);
  return estimate;
}

// Two loops: each has its own family.
static void each_loop_is_a_interval_within_its_own_bound(void **state) {
  (void)state;
  static const int64_t bounds[] = {32, 500};
  builder b = begin_kernel(32, 1, 1, 0);
  for (unsigned k = 0; k < 2; ++k) {
    begin_loop(&b, apply(&b, DC_OP_SMIN, opaque(&b, 32, DC_DIVERGENT), number(&b, bounds[k])),
               DC_DIVERGENT, DC_CLASS_DATA_DEPENDENT, 1);
    end_loop(&b, 0);
  }
  dc_estimate e = estimate(&b);
  for (unsigned k = 0; k < 2; ++k) {
    dc_assumed_distributions distributions = dc_distributions_assumed(bounds[k]);
    made low = make(distributions.low, NULL), high = make(distributions.high, NULL);
    double least, most;
    dc_expected_maximum(&low.distribution, 32, &least, NULL);
    dc_expected_maximum(&high.distribution, 32, &most, NULL);
    const dc_loop_estimate *l = &e.loops[k];
    assert_int_equal(l->from, DC_FROM_RANGE);
    assert_close(l->body.low, least, 1e-9);
    assert_close(l->body.high, most, 1e-9);
    assert_true(most <= (double)bounds[k]);
    assert_close(l->aggregate.low, least / dc_distribution_mean(&low.distribution), 1e-9);
    assert_close(l->aggregate.high, most / dc_distribution_mean(&high.distribution), 1e-9);
    assert_within(l->worst, 32, 0); // one lane runs, and as often as it may
    release(&low);
    release(&high);
  }
  dc_estimate_free(&e);
  dc_kernel_free(&b.kernel);
}

static void loops_that_lanes_run_alike_are_cut_too(void **state) {
  (void)state;
  builder b = begin_kernel(64, 1, 1, 0);
  dc_expr count = apply(&b, DC_OP_UMIN, opaque(&b, 32, DC_UNIFORM), number(&b, 20));
  begin_loop(&b, apply(&b, DC_OP_AND, count, opaque(&b, 32, DC_WARP_UNIFORM)), DC_WARP_UNIFORM,
             DC_CLASS_WARP_UNIFORM, 1);
  end_loop(&b, 0);
  begin_loop(&b, apply(&b, DC_OP_SMIN, opaque(&b, 32, DC_DIVERGENT), number(&b, 20)), DC_DIVERGENT,
             DC_CLASS_STRIDED, 1);
  end_loop(&b, 0);
  dc_estimate e = estimate(&b);
  assert_close(e.loops[0].body.low, 10, 1e-12);
  assert_close(e.loops[0].body.high, 10, 1e-12);
  assert_int_equal(e.loops[0].from, DC_FROM_RANGE);
  assert_close(e.loops[1].body.low, 10, 1e-12);
  assert_close(e.loops[1].mean_trips.low, 9.5, 1e-12);
  dc_estimate_free(&e);
  dc_kernel_free(&b.kernel);
}

static void a_distribution_goes_before_a_bound(void **state) {
  (void)state;
  builder b = begin_kernel(32, 1, 1, 0);
  uint32_t loop =
      begin_loop(&b, apply(&b, DC_OP_SMIN, opaque(&b, 32, DC_DIVERGENT), number(&b, 32)),
                 DC_DIVERGENT, DC_CLASS_DATA_DEPENDENT, 1);
  set_distribution(&b, loop, "poisson(3)");
  end_loop(&b, 0);
  dc_estimate e = estimate(&b);
  assert_int_equal(e.loops[0].from, DC_FROM_ANNOTATED);
  assert_close(e.loops[0].mean_trips.low, 3, 1e-12);
  dc_estimate_free(&e);
  dc_kernel_free(&b.kernel);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_bound_comes_from_minima_masks_and_types),
      cmocka_unit_test(any_exit_bounds_a_loop),
      cmocka_unit_test(a_search_may_never_end),
      cmocka_unit_test(no_evaluation_exceeds_the_bound),
      cmocka_unit_test(assumed_distributions_have_one_mean_and_keep_the_bound),
      cmocka_unit_test(assumed_numbers_are_half_of_a_small_bound),
      cmocka_unit_test(each_loop_is_a_interval_within_its_own_bound),
      cmocka_unit_test(loops_that_lanes_run_alike_are_cut_too),
      cmocka_unit_test(a_distribution_goes_before_a_bound),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
