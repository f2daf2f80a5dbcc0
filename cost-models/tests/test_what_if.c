// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What if: kernels that are changed and estimated again, those of the sample and random ones.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "divcost/distribution.h"
#include "divcost/what_if.h"
#include "divcost/workload.h"
#include "sample_unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SPMV = 0, BFS = 1 };

static void change(dc_unit_kernel *kernel, dc_what_if *to) {
  dc_error error;
  if (dc_what_if_check(to, &error) != DC_OK || dc_what_if_kernel(kernel, to, &error) != DC_OK)
    fail_msg("%s", error.text);
}

// The sample, estimated by the model.
static void estimated_sample(dc_unit *unit) {
  dc_what_if nothing = {.lanes_per_item = 1};
  sample_unit(unit);
  for (uint32_t k = 0; k < unit->n_kernels; ++k)
    change(&unit->kernels[k], &nothing);
}

static void near(double x, double y) {
  if (fabs(x - y) > 1e-9 * (1 + fabs(y)))
    fail_msg("%.17g is not %.17g", x, y);
}

static void nothing_changed_gives_the_same_figures(void **state) {
  (void)state;
  dc_unit x, y;
  estimated_sample(&x);
  estimated_sample(&y);
  dc_what_if nothing = {.lanes_per_item = 0};
  for (uint32_t k = 0; k < y.n_kernels; ++k)
    change(&y.kernels[k], &nothing);
  char *before = json_of(&x), *after = json_of(&y);
  assert_string_equal(before, after);
  free(before);
  free(after);
  dc_unit_free(&x);
  dc_unit_free(&y);
}

static void grids_cover_as_many_threads_and_equal_launches_are_one(void **state) {
  (void)state;
  dc_unit unit;
  estimated_sample(&unit);
  dc_kernel *kernel = &unit.kernels[SPMV].kernel;
  assert_int_equal(kernel->n_launches, 2); // 16 blocks of 256, 32 of 128
  change(&unit.kernels[SPMV], &(dc_what_if){.block = {100, 1, 1}});
  assert_int_equal(kernel->n_launches, 1);
  assert_int_equal(kernel->launches[0].grid[0], 41); // 4096 threads
  assert_int_equal(kernel->launches[0].from, DC_BLOCK_OPTION);
  assert_true(dc_kernel_validate(kernel, NULL) == DC_OK);
  dc_unit_free(&unit);
}

static void trips_are_of_the_loops_that_are_meant(void **state) {
  (void)state;
  dc_unit unit;
  estimated_sample(&unit);
  dc_what_if_trips trips[] = {{.file = "sparse.cu", .line = 8, .distribution = "const(30)"},
                              {.file = "parse.cu", .line = 8, .distribution = "const(9)"},
                              {.id = UINT64_C(0xfedcba9876543210), .distribution = "const(5)"}};
  dc_what_if to = {.trips = trips, .n_trips = 3};
  change(&unit.kernels[SPMV], &to);
  assert_true(trips[0].met);
  assert_false(trips[2].met);
  change(&unit.kernels[BFS], &to);
  assert_true(trips[2].met);
  assert_false(trips[1].met); // a part of a name is another file
  const dc_loop_estimate *loop = &unit.kernels[SPMV].estimates[0].loops[0];
  near(loop->mean_trips.low, 30);
  near(loop->aggregate.high, 1);
  assert_int_equal(loop->from, DC_FROM_ANNOTATED);
  assert_true(dc_kernel_validate(&unit.kernels[SPMV].kernel, NULL) == DC_OK);
  dc_unit_free(&unit);
}

static void the_nearest_loop_is_by_file_then_by_line(void **state) {
  (void)state;
  dc_unit unit;
  estimated_sample(&unit);
  uint64_t far, near_by;
  const dc_kernel *spmv = &unit.kernels[SPMV].kernel, *bfs = &unit.kernels[BFS].kernel;
  dc_what_if_trips meant = {.file = "sparse.cu", .line = 16};
  assert_int_equal(bfs->loops[dc_what_if_nearest(bfs, &meant, &near_by)].location == DC_NONE, 0);
  dc_what_if_nearest(spmv, &meant, &far);
  assert_true(near_by < far);
  meant.file = "other.cu";
  dc_what_if_nearest(spmv, &meant, &near_by);
  assert_true(near_by > far);
  dc_unit_free(&unit);
}

static double shared(const char *text, unsigned lanes_per_item) {
  dc_loss loss;
  dc_distribution distribution;
  assert_int_equal(dc_distribution_from_text(text, NULL, &distribution, NULL), DC_OK);
  assert_int_equal(dc_shared_item_loss(&distribution, 32, lanes_per_item, &loss, NULL), DC_OK);
  dc_distribution_free(&distribution);
  return loss.aggregate;
}

static void lanes_that_share_items_do_the_same_work(void **state) {
  (void)state;
  for (unsigned lanes = 2; lanes <= 32; lanes *= 2) {
    dc_unit before, after;
    estimated_sample(&before);
    estimated_sample(&after);
    change(&after.kernels[SPMV], &(dc_what_if){.lanes_per_item = lanes});
    const dc_estimate *x = &before.kernels[SPMV].estimates[0],
                      *y = &after.kernels[SPMV].estimates[0];
    const dc_loop_estimate *a = &x->loops[0], *b = &y->loops[0];
    double aggregate = shared("poisson(30)", lanes);
    near(b->aggregate.low, aggregate);
    near(b->efficiency.low, 1 / aggregate);
    // work is body over aggregate imbalance: the same
    near(b->body.low / b->aggregate.low, a->body.low / a->aggregate.low);
    near(b->imbalance.low, b->body.low * (1 - 1 / aggregate));
    double outside = x->cycles.low - a->body.low - a->reconvergence.low;
    near(y->cycles.low, lanes * outside + b->body.low);
    near(b->share.low, b->imbalance.low / y->cycles.low);
    assert_true(b->reconvergence.low < 0 && b->divergent_exits.low < 0 && y->efficiency.low < 0);
    dc_unit_free(&before);
    dc_unit_free(&after);
  }
}

static void only_the_outermost_loop_with_a_distribution_shares(void **state) {
  (void)state;
  dc_unit unit;
  estimated_sample(&unit);
  const dc_kernel *bfs = &unit.kernels[BFS].kernel;
  for (uint32_t l = 0; l < bfs->n_loops; ++l)
    assert_int_equal(dc_what_if_shares(bfs, l), l == 0);
  dc_unit_free(&unit);
}

static void what_is_impossible_is_said(void **state) {
  (void)state;
  dc_error error;
  dc_what_if_trips trips = {.file = "a.cu", .line = 1, .distribution = "poisson(-1)"};
  const dc_what_if bad[] = {{.block = {2000, 1, 1}},        {.block = {64, 0, 1}},
                            {.block = {1, 1, 65}},          {.block = {64, 64, 1}},
                            {.lanes_per_item = 3},          {.lanes_per_item = 64},
                            {.trips = &trips, .n_trips = 1}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
    assert_int_not_equal(dc_what_if_check(&bad[k], &error), DC_OK);
    assert_true(*error.text);
  }
  dc_unit unit;
  estimated_sample(&unit);
  assert_int_equal(dc_what_if_share(&unit.kernels[0], 5, &error), DC_ERROR_ARGUMENT);
  dc_unit_free(&unit);
}

// Skeletons that were read have no room in their arrays: what is added must not need any.
static void random_kernels_stay_valid(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    dc_unit unit;
    random_unit(&unit, seed);
    for (uint32_t k = 0; k < unit.n_kernels; ++k) {
      const dc_kernel *kernel = &unit.kernels[k].kernel;
      dc_what_if_trips trips = {.id = kernel->n_loops ? kernel->loops[0].id : 0,
                                .distribution = "geometric(0.05)",
                                .correlation = 0.25};
      dc_what_if to = {.block = {64, 2, 1}, .trips = &trips, .n_trips = 1, .lanes_per_item = 4};
      dc_error error;
      if (dc_what_if_kernel(&unit.kernels[k], &to, &error) == DC_OK)
        assert_int_equal(dc_kernel_validate(kernel, &error), DC_OK);
      assert_int_equal(trips.met, kernel->n_loops > 0);
    }
    dc_unit_free(&unit);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_changed_gives_the_same_figures),
      cmocka_unit_test(grids_cover_as_many_threads_and_equal_launches_are_one),
      cmocka_unit_test(trips_are_of_the_loops_that_are_meant),
      cmocka_unit_test(the_nearest_loop_is_by_file_then_by_line),
      cmocka_unit_test(lanes_that_share_items_do_the_same_work),
      cmocka_unit_test(only_the_outermost_loop_with_a_distribution_shares),
      cmocka_unit_test(what_is_impossible_is_said),
      cmocka_unit_test(random_kernels_stay_valid),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
