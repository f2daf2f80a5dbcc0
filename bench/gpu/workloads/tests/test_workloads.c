// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "workload.h"

static const workload_case *case_named(const char *name) {
  const workload_case *item = workload_cases;
  while (item->name && strcmp(item->name, name) != 0)
    ++item;
  assert_non_null(item->name);
  return item;
}

static void no_data(workload *w) { workload_launch_2d(w, 2, 1, 8, 4); }
static const workload_case empty_case = {"empty", "empty", "empty", NULL, no_data};

static void a_warp_iterates_as_often_as_its_slowest_lane(void **state) {
  (void)state;
  workload w;
  workload_make(&empty_case, &w);
  tally *t = workload_tally(&w, 1, TALLY_EXACT);
  int32_t trips[WARP] = {5, 0, 3, 3};
  for (unsigned lane = 4; lane < WARP; ++lane)
    trips[lane] = -1; // doesn't enter
  tally_warp(t, trips);
  assert_true(t->entries == 1 && t->lanes == 4 && t->trips == 11 && t->iterations == 5);
  assert_true(t->exits == 1); // at 3; at 5 nobody is left, at 0 none has entered
  assert_true(t->histogram[0] == 1 && t->histogram[3] == 2 && t->histogram[5] == 1);
  assert_true(tally_efficiency(t) == 11.0 / (32 * 5));
  workload_free(&w);
}

static void a_last_warp_has_the_lanes_that_are_left(void **state) {
  (void)state;
  workload w;
  workload_make(&empty_case, &w);
  tally *t = workload_tally(&w, 1, TALLY_EXACT);
  int32_t trips[40];
  for (int k = 0; k < 40; ++k)
    trips[k] = k < 32 ? 2 : 4;
  tally_threads(t, trips, 40);
  assert_true(t->entries == 2 && t->lanes == 40 && t->iterations == 6 && t->trips == 96);
  workload_free(&w);
}

// Two blocks of 8 x 4 beside each other: columns 0 to 7 are the first warp's.
static void an_image_is_cut_into_blocks(void **state) {
  (void)state;
  workload w;
  workload_make(&empty_case, &w);
  tally *t = workload_tally(&w, 1, TALLY_EXACT);
  int32_t trips[4 * 12];
  for (int k = 0; k < 4 * 12; ++k)
    trips[k] = k % 12 < 8 ? 1 : 10;
  tally_image(&w, t, trips, 12, 4); // four columns of the second block are outside
  assert_true(t->entries == 2 && t->lanes == 48 && t->iterations == 11 && t->exits == 0);
  assert_true(t->trips == 32 + 160 && t->dependent);
  workload_free(&w);
}

static void draws_follow_the_law(void **state) {
  (void)state;
  workload w;
  workload_make(case_named("spmv_csr_scalar.poisson"), &w);
  const tally *t = &w.tallies[0];
  const int32_t *begin = w.arguments[0].data;
  assert_true(t->trips == begin[w.arguments[5].integer]); // the matrix's entries
  double mean = t->trips / t->lanes;
  assert_true(mean > 31.9 && mean < 32.1); // standard error: sqrt(32 / 131072) = 0.016
  assert_false(t->dependent);
  workload_free(&w);
}

static void cases_of_one_kernel_have_data_of_their_own(void **state) {
  (void)state;
  workload a, b;
  workload_make(case_named("spmv_csr_vector.balanced"), &a);
  workload_make(case_named("spmv_csr_scalar.balanced"), &b);
  assert_int_equal(a.arguments[1].bytes, b.arguments[1].bytes);
  assert_memory_not_equal(a.arguments[1].data, b.arguments[1].data, a.arguments[1].bytes);
  workload_free(&b);
  workload_make(case_named("spmv_csr_vector.balanced"), &b); // and the same each time
  assert_memory_equal(a.arguments[1].data, b.arguments[1].data, a.arguments[1].bytes);
  workload_free(&a);
  workload_free(&b);
}

static const char balanced[] = ".balanced";

// The trips of all lanes in the last of a case's loops, the innermost.
static tally last_tally(const workload_case *of) {
  workload w;
  workload_make(of, &w);
  tally t = w.tallies[w.n_tallies - 1];
  workload_free(&w);
  return t;
}

// Cases that are named after another one: as much work, where the lanes of a warp are alike.
static void balanced_cases_do_the_same_work_with_all_lanes(void **state) {
  (void)state;
  bool slow = getenv("DIVCOST_TEST_UNDER_VALGRIND") != NULL; // then the two loops alone
  unsigned pairs = 0;
  for (const workload_case *other = workload_cases; other->name && !(slow && pairs == 2); ++other) {
    char name[64];
    const workload_case *item = workload_cases;
    snprintf(name, sizeof name, "%s%s", other->name, balanced);
    while (item->name && strcmp(item->name, name) != 0)
      ++item;
    if (!item->name)
      continue;
    tally own = last_tally(other), alike = last_tally(item);
    assert_string_equal(item->symbol, other->symbol);
    assert_true(fabs(alike.trips / own.trips - 1) < 0.01);
    assert_true(tally_efficiency(&alike) > 0.94 &&
                tally_efficiency(&alike) > tally_efficiency(&own));
    ++pairs;
  }
  assert_int_equal(pairs, slow ? 2 : 12);
}

// Each thread keeps its own key: what takes as long stands together, and nothing is lost.
static void grouping_moves_items_with_what_they_take(void **state) {
  (void)state;
  enum { COUNT = 4 * WARP };
  workload w;
  int32_t taken[COUNT], items[COUNT], warps[4];
  bool seen[COUNT] = {false};
  workload_make(&empty_case, &w);
  for (int32_t k = 0; k < COUNT; ++k) {
    taken[k] = k % 4;
    items[k] = k;
  }
  workload_group(&w, taken, items, COUNT, sizeof *items);
  for (int32_t k = 0; k < COUNT; ++k) {
    assert_int_equal(taken[k], items[k] % 4);
    assert_int_equal(taken[k], taken[k / WARP * WARP]);
    assert_false(seen[items[k]]);
    seen[items[k]] = true;
    warps[k / WARP] = taken[k];
  }
  assert_false(warps[0] <= warps[1] && warps[1] <= warps[2] && warps[2] <= warps[3]); // shuffled
  workload_free(&w);
}

// An element of a row is taken by one lane, in one iteration.
static void rows_are_shared_by_the_lanes_of_a_warp(void **state) {
  (void)state;
  workload w;
  workload_make(case_named("spmv_csr_vector.geometric"), &w);
  const int32_t *begin = w.arguments[0].data;
  assert_true(w.tallies[0].trips == begin[w.arguments[5].integer]);
  assert_true(w.tallies[0].entries == w.arguments[5].integer);
  assert_true(w.tallies[0].dependent);
  workload_free(&w);
}

// pi/4 of the points are in the circle.
static void rejection_ends_with_probability_of_the_circle(void **state) {
  (void)state;
  workload w;
  workload_make(case_named("rejection_sampling"), &w);
  double share = w.tallies[0].lanes / w.tallies[0].trips;
  assert_true(share > 0.7852 && share < 0.7856); // 4 million draws: standard error 0.0002
  workload_free(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_warp_iterates_as_often_as_its_slowest_lane),
      cmocka_unit_test(a_last_warp_has_the_lanes_that_are_left),
      cmocka_unit_test(an_image_is_cut_into_blocks),
      cmocka_unit_test(draws_follow_the_law),
      cmocka_unit_test(cases_of_one_kernel_have_data_of_their_own),
      cmocka_unit_test(rows_are_shared_by_the_lanes_of_a_warp),
      cmocka_unit_test(balanced_cases_do_the_same_work_with_all_lanes),
      cmocka_unit_test(grouping_moves_items_with_what_they_take),
      cmocka_unit_test(rejection_ends_with_probability_of_the_circle),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
