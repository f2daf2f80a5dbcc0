// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The analysis of loops that wait for memory, on made-up times.
#define _POSIX_C_SOURCE 200809L // mkstemp
#include "memory_costs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const walk_place place = {1, 4, 32, 128, 8};

// Times of loops with this T and 700 cycles besides.
static walk_times made_times(const double table[WALK_LANES]) {
  walk_times all = {calloc((size_t)2 * WALK_LANES, sizeof(walk_time)), 0, ""};
  for (unsigned a = 1; a <= WALK_LANES; ++a)
    for (int times = WALK_SHORT; times <= WALK_LONG; times += WALK_LONG - WALK_SHORT)
      all.items[all.count++] = (walk_time){place, a, -1, times, 700 + times * table[a - 1]};
  return all;
}

static walk_cost made_cost(const double table[WALK_LANES]) {
  walk_times all = made_times(table);
  walk_cost cost;
  dc_error error;
  if (walk_cost_of(&all, &place, &cost, &error) != DC_OK)
    fail_msg("%s", error.text);
  walk_times_free(&all);
  return cost;
}

static void the_cost_of_an_iteration_comes_from_two_lengths(void **state) {
  (void)state;
  double table[WALK_LANES];
  for (unsigned a = 1; a <= WALK_LANES; ++a)
    table[a - 1] = 250 + 8.5 * a + (a == 20 ? 42 : 0);
  walk_cost cost = made_cost(table);
  for (unsigned a = 0; a < WALK_LANES; ++a)
    assert_float_equal(cost.table[a], table[a], 1e-9);
  assert_float_equal(cost.entry, 700, 1e-9);
  // The outlier lifts the line by 42/32 in the middle.
  assert_float_equal(cost.base + 16.5 * cost.per_lane, 250 + 8.5 * 16.5 + 42.0 / 32, 1e-9);
  assert_true(cost.worst > 0.08 && cost.worst < 0.1);
}

static void a_missing_time_is_an_error_that_names_it(void **state) {
  (void)state;
  double table[WALK_LANES] = {1};
  walk_times all = made_times(table);
  walk_cost cost;
  dc_error error;
  all.items[13].active = 1; // 7 lanes, the longer loop
  assert_int_equal(walk_cost_of(&all, &place, &cost, &error), DC_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, "7 active lanes for l2, 4 loads, 32 sectors, 8 warps"));
  walk_times_free(&all);
}

static void predictions_agree_with_what_was_drawn(void **state) {
  (void)state;
  double table[WALK_LANES];
  for (unsigned a = 1; a <= WALK_LANES; ++a)
    table[a - 1] = 40 + 3 * a * sqrt(a);
  walk_cost cost = made_cost(table);
  for (int l = 0; l < WALK_LAWS; ++l) {
    walk_law law;
    walk_prediction by;
    dc_error error;
    if (walk_law_open(l, &law, &error) != DC_OK || walk_predict(&cost, &law, &by, &error) != DC_OK)
      fail_msg("%s", error.text);
    double sum = 0, longest = 0;
    for (unsigned a = 1; a <= WALK_LANES; ++a) {
      sum += a * law.iterations[a - 1];
      longest += law.iterations[a - 1];
    }
    // 16384 warps: 524288 draws of a lane's count.
    assert_float_equal(sum / WALK_LANES / dc_distribution_mean(&law.distribution), 1, 0.01);
    assert_float_equal(longest / law.longest, 1, 0.01);
    assert_float_equal(by.drawn / by.table, 1, 0.01);
    assert_true(by.constant > 1.1 * by.table);
    walk_law_close(&law);
  }
}

static void a_line_predicts_what_its_table_does(void **state) {
  (void)state;
  double table[WALK_LANES];
  for (unsigned a = 1; a <= WALK_LANES; ++a)
    table[a - 1] = 300 + 6.0 * a;
  walk_cost cost = made_cost(table);
  walk_law law;
  walk_prediction by;
  dc_error error;
  if (walk_law_open(0, &law, &error) != DC_OK || walk_predict(&cost, &law, &by, &error) != DC_OK)
    fail_msg("%s", error.text);
  assert_float_equal(by.line / by.table, 1, 1e-9);
  assert_true(cost.worst < 1e-12);
  walk_law_close(&law);
}

static void subsets_have_their_size_and_take_all_lanes_alike(void **state) {
  (void)state;
  uint16_t *trips = malloc((size_t)WALK_TRIPS * WALK_LANES * sizeof *trips);
  for (unsigned active = 1; active <= WALK_LANES; active += 5) {
    unsigned by_lane[WALK_LANES] = {0};
    walk_subsets(active, trips);
    for (unsigned row = 0; row < WALK_TRIPS; ++row) {
      unsigned count = 0;
      for (unsigned lane = 0; lane < WALK_LANES; ++lane) {
        count += trips[row * WALK_LANES + lane];
        by_lane[lane] += trips[row * WALK_LANES + lane];
      }
      assert_int_equal(count, active);
    }
    double share = active / (double)WALK_LANES;
    for (unsigned lane = 0; lane < WALK_LANES; ++lane)
      assert_float_equal(by_lane[lane], share * WALK_TRIPS,
                         5 * sqrt(WALK_TRIPS * share * (1 - share)) + 1e-9);
  }
  free(trips);
}

static void a_walk_visits_every_row(void **state) {
  (void)state;
  for (int l = 0; l < WALK_LEVELS; ++l) {
    unsigned rows = 1u << walk_levels[l].rows_log2, row = 0, steps = 0;
    do {
      row = walk_next(&walk_levels[l], row);
      assert_true(row < rows);
      ++steps;
    } while (row != 0 && steps <= rows);
    assert_int_equal(steps, rows);
  }
}

static void lines_are_read_and_a_wrong_one_is_named(void **state) {
  (void)state;
  char path[] = "memory-costs-XXXXXX";
  int descriptor = mkstemp(path);
  FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
  if (!file) {
    fail_msg("cannot write %s", path);
    return;
  }
  fputs("# made up\nlevel\tloads\tsectors\n"
        "l1\t1\t4\t32\t8\t7\t-\t16\t32\t6400\t6400\t6400\t3\n"
        "dram\t4\t32\t128\t1\t0\tpoisson(20)\t1\t128\t1280\t1280\t1280\t3\n",
        file);
  fflush(file);
  walk_times all;
  dc_error error;
  assert_int_equal(walk_times_read(path, &all, &error), DC_OK);
  assert_string_equal(all.origin, "made up");
  assert_int_equal(all.count, 2);
  const walk_time *active = walk_times_find(&all, &(walk_place){0, 1, 4, 32, 8}, 7, -1, WALK_SHORT);
  const walk_time *drawn = walk_times_find(&all, &(walk_place){2, 4, 32, 128, 1}, 0, 2, 1);
  assert_true(active && active->cycles == 200);
  assert_true(drawn && drawn->cycles == 10);
  walk_times_free(&all);
  fputs("l9\t1\t4\t32\t8\t7\t-\t16\t32\t6400\t6400\t6400\t3\n", file);
  fclose(file);
  assert_int_equal(walk_times_read(path, &all, &error), DC_ERROR_SYNTAX);
  assert_non_null(strstr(error.text, "line 5"));
  unlink(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_cost_of_an_iteration_comes_from_two_lengths),
      cmocka_unit_test(a_missing_time_is_an_error_that_names_it),
      cmocka_unit_test(predictions_agree_with_what_was_drawn),
      cmocka_unit_test(a_line_predicts_what_its_table_does),
      cmocka_unit_test(subsets_have_their_size_and_take_all_lanes_alike),
      cmocka_unit_test(a_walk_visits_every_row),
      cmocka_unit_test(lines_are_read_and_a_wrong_one_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
