// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops whose lanes are correlated within a warp, on hand-made kernels: what the definition in
// estimate.h says, by hand.
#include "divcost/estimate.h"
#include "divcost/imbalance.h"
#include "divcost/reconvergence.h"

#include "skeleton.h"

static dc_estimate estimate_on(builder *b, const char *name) {
  dc_error error = {0};
  dc_estimate estimate = {0};
  dc_arch arch;
  if (dc_arch_find(name, &arch, &error) != DC_OK ||
      dc_kernel_validate(&b->kernel, &error) != DC_OK ||
      dc_estimate_kernel(&b->kernel, &arch, &b->kernel.launches[0], NULL, &estimate, &error) !=
          DC_OK)
    fail_msg("%s", error.text);
  return estimate;
}

// for (j = 0; j < W; ++j) in one warp.
static builder one_loop(const char *distribution, double correlation) {
  builder b = begin_kernel(32, 1, 1, 0);
  uint32_t loop = begin_loop(&b, DC_NO_EXPR, DC_DIVERGENT, DC_CLASS_DATA_DEPENDENT, 10);
  set_distribution(&b, loop, distribution);
  b.kernel.loops[loop].correlation = correlation;
  end_loop(&b, 0);
  return b;
}

static void release_all(builder *b, dc_estimate *e) {
  dc_estimate_free(e);
  dc_kernel_free(&b->kernel);
}

static void figures_are_those_of_two_kinds_of_warps(void **state) {
  (void)state;
  made m = make("poisson(30)", NULL);
  double maximum, iid;
  dc_reconvergence counts;
  dc_expected_maximum(&m.distribution, 32, &maximum, NULL);
  dc_expected_imbalance(&m.distribution, 32, &iid, NULL);
  dc_single_loop(&m.distribution, 32, &counts, NULL);
  for (int percent = 0; percent <= 100; percent += 25) {
    double r = percent / 100.0;
    builder b = one_loop("poisson(30)", r);
    dc_estimate e = estimate_on(&b, "sm_90");
    const dc_loop_estimate *l = &e.loops[0];
    assert_close(l->mean_trips.low, 30, 1e-12);
    assert_close(l->aggregate.low, r + (1 - r) * maximum / 30, 1e-12);
    assert_close(l->expected.low, r + (1 - r) * iid, 1e-12);
    assert_close(l->efficiency.low, 30 / (30 * r + (1 - r) * maximum), 1e-12);
    assert_close(l->body.low, 10 * (30 * r + (1 - r) * maximum), 1e-12);
    assert_within(l->imbalance.low, 10 * (1 - r) * (maximum - 30), 1e-9);
    assert_within(l->divergent_exits.low, (1 - r) * counts.divergent_exits, 1e-9);
    release_all(&b, &e);
    b = one_loop("poisson(30)", r);
    e = estimate_on(&b, "sm_35");
    assert_close(e.loops[0].stack_depth.low, r + (1 - r) * counts.depth, 1e-12);
    release_all(&b, &e);
  }
  release(&m);
}

// Spills are of the warps whose lanes aren't alike, and so many times rarer.
static void spills_are_of_warps_that_are_not_alike(void **state) {
  (void)state;
  double spilled[2];
  for (unsigned k = 0; k < 2; ++k) {
    builder b = one_loop("uniform(1,1000)", k ? 0.75 : 0);
    dc_estimate e = estimate_on(&b, "sm_35");
    spilled[k] = e.loops[0].reconvergence.low - 32 * e.loops[0].divergent_exits.low;
    release_all(&b, &e);
  }
  assert_true(spilled[0] > 84);
  assert_close(spilled[1], spilled[0] / 4, 1e-9);
}

static void lanes_that_are_alike_lose_nothing_and_have_a_bound(void **state) {
  (void)state;
  builder b = one_loop("uniform(0,40)", 1);
  dc_estimate e = estimate_on(&b, "sm_90");
  assert_close(e.loops[0].efficiency.low, 1, 1e-12);
  assert_within(e.loops[0].divergent_exits.low, 0, 0);
  assert_within(e.loops[0].share.low, 0, 1e-12);
  assert_within(e.loops[0].worst, 1, 0);
  release_all(&b, &e);
  b = one_loop("uniform(20,40)", 0.999); // one warp in a thousand can still be the worst
  e = estimate_on(&b, "sm_90");
  assert_within(e.loops[0].worst, 32.0 * 40 / (40 + 31 * 20), 1e-12);
  release_all(&b, &e);
}

// for (i = 0; i < W; ++i) for (j = 0; j < i; ++j), W uniform(0,20): with lanes alike, iteration k
// runs with all of them or none.
static void inner_loops_are_entered_by_who_remains(void **state) {
  (void)state;
  for (int depends = 0; depends < 2; ++depends)
    for (int percent = 0; percent <= 100; percent += 50) {
      double r = percent / 100.0, iterations = 0, lanes = 0;
      builder b = begin_kernel(32, 1, 1, 0);
      uint32_t outer = begin_loop(&b, DC_NO_EXPR, DC_DIVERGENT, DC_CLASS_DATA_DEPENDENT, 1);
      set_distribution(&b, outer, "uniform(0,20)");
      b.kernel.loops[outer].correlation = r;
      uint32_t inner = begin_loop(&b, depends ? induction(&b, outer) : number(&b, 3),
                                  depends ? DC_DIVERGENT : DC_UNIFORM,
                                  depends ? DC_CLASS_DATA_DEPENDENT : DC_CLASS_UNIFORM, 1);
      end_loop(&b, 0);
      end_loop(&b, 0);
      dc_estimate e = estimate_on(&b, "sm_90");
      for (int k = 0; k < 20; ++k) {
        double none = (k + 1) / 21.0, trips = depends ? k : 3;
        iterations += trips * (r * (1 - none) + (1 - r) * (1 - pow(none, 32)));
        lanes += trips * (1 - none) * 32;
      }
      assert_close(e.loops[inner].body.low, iterations, 1e-9);
      assert_close(e.loops[inner].efficiency.low, lanes / 32 / iterations, 1e-9);
      release_all(&b, &e);
    }
}

static void a_correlation_outside_0_to_1_is_no_valid_kernel(void **state) {
  (void)state;
  double wrong[] = {-0.1, 1.5, NAN};
  for (unsigned k = 0; k < 3; ++k) {
    builder b = one_loop("poisson(3)", wrong[k]);
    dc_error error = {0};
    assert_int_equal(dc_kernel_validate(&b.kernel, &error), DC_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "loops[0].correlation"));
    dc_kernel_free(&b.kernel);
  }
}

// ---- strided ------------------------------------------------------------------------------------

static dc_estimate estimate_strided(builder *b, const char *distribution, double correlation) {
  *b = begin_kernel(32, 1, 1, 0);
  uint32_t loop = begin_loop(b, DC_NO_EXPR, DC_DIVERGENT, DC_CLASS_STRIDED, 10);
  set_distribution(b, loop, distribution);
  b->kernel.loops[loop].correlation = correlation;
  end_loop(b, 0);
  return estimate_on(b, "sm_90");
}

// Lanes of a strided loop differ by one at most, whatever the distribution: 31/64 of those with one
// iteration fewer than others are with these.
static void strided_lanes_are_neighbours(void **state) {
  (void)state;
  builder b;
  dc_estimate e = estimate_strided(&b, "uniform(1,64)", 0);
  double mean = 65 / 2.0, longest = mean + 63 / 64.0 * 31 / 64;
  assert_close(e.loops[0].mean_trips.low, mean, 1e-9);
  assert_close(e.loops[0].efficiency.low, mean / longest, 1e-9);
  assert_true(e.loops[0].divergent_exits.low <= 1);
  release_all(&b, &e);
  e = estimate_strided(&b, "list(5:0.5,9:0.5)", 0); // which leaves no room for neighbours
  assert_close(e.loops[0].efficiency.low, 1, 1e-9);
  assert_within(e.loops[0].divergent_exits.low, 0, 1e-12);
  release_all(&b, &e);
}

// A correlation gives the efficiency, as far as neighbours can have it.
static void strided_lanes_are_as_efficient_as_is_told(void **state) {
  (void)state;
  builder b;
  made m = make("geometric(0.1)", NULL);
  double maximum, mean = dc_distribution_mean(&m.distribution);
  dc_expected_maximum(&m.distribution, 32, &maximum, NULL);
  for (unsigned percent = 98; percent < 100; ++percent) {
    double r = percent / 100.0, longest = r * mean + (1 - r) * maximum;
    dc_estimate e = estimate_strided(&b, "geometric(0.1)", r);
    assert_close(e.loops[0].efficiency.low, mean / longest, 1e-9);
    release_all(&b, &e);
  }
  dc_estimate e = estimate_strided(&b, "list(0:0.97,1:0.03)", 0.99); // most have none
  assert_close(e.loops[0].mean_trips.low, 0.03, 1e-9);
  assert_close(e.loops[0].efficiency.low, 0.03 / (0.99 * 0.03 + 0.01 * (1 - pow(0.97, 32))), 1e-6);
  release_all(&b, &e);
  e = estimate_strided(&b, "geometric(0.1)", 0.1); // much more than one apart
  assert_true(e.loops[0].efficiency.low > mean / (mean + 1) - 1e-9);
  assert_true(e.loops[0].efficiency.low < 1);
  release_all(&b, &e);
  release(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(figures_are_those_of_two_kinds_of_warps),
      cmocka_unit_test(spills_are_of_warps_that_are_not_alike),
      cmocka_unit_test(lanes_that_are_alike_lose_nothing_and_have_a_bound),
      cmocka_unit_test(inner_loops_are_entered_by_who_remains),
      cmocka_unit_test(a_correlation_outside_0_to_1_is_no_valid_kernel),
      cmocka_unit_test(strided_lanes_are_neighbours),
      cmocka_unit_test(strided_lanes_are_as_efficient_as_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
