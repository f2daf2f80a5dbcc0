// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The model of warps that share a multiprocessor, on cases that can be worked out by hand.
#include "sharing.h"

#include "divcost/workload.h"
#include "support.h"

// Iterations take `alone` cycles for one warp, and with w warps `each` more for each other one.
static sharing with_cycles(unsigned multiprocessors, unsigned resident, unsigned block,
                           unsigned lanes, double alone, double each) {
  sharing how = {
      .multiprocessors = multiprocessors, .resident = resident, .block = block, .lanes = lanes};
  for (unsigned b = 0; b <= SHARING_WARPS; ++b)
    for (unsigned w = 1; w <= SHARING_WARPS; ++w)
      how.cycles[b][w] = alone + (w - 1) * each;
  for (unsigned a = 0; a <= SHARING_LANES; ++a)
    how.work[a] = 1;
  return how;
}

static shared_time run(const sharing *how, const int *counts, size_t threads) {
  dc_error error = {0};
  shared_time result = {0};
  if (sharing_simulate(how, counts, threads, &result, &error) != DC_OK)
    fail_msg("%s", error.text);
  return result;
}

static void fill(int *counts, unsigned first, unsigned count, int value) {
  for (unsigned i = first; i < first + count; ++i)
    counts[i] = value;
}

static void where_nobody_is_slowed_down_times_are_in_proportion_to_counts(void **state) {
  (void)state;
  enum { THREADS = 256 * 40 };
  static int counts[THREADS];
  static int64_t wide[THREADS];
  uint64_t random = 5;
  for (int i = 0; i < THREADS; ++i)
    wide[i] = counts[i] = (int)random_below(&random, 50);
  for (unsigned lanes = 2; lanes <= 32; lanes *= 2) {
    sharing how = with_cycles(3, 6, 256, lanes, 1000, 0);
    shared_time got = run(&how, counts, THREADS);
    dc_loss wanted;
    assert_int_equal(dc_listed_loss(wide, THREADS, lanes, &wanted, NULL), DC_OK);
    assert_close(got.expected, wanted.expected, 1e-9);
    assert_close(got.aggregate, wanted.aggregate, 1e-9);
  }
}

// Two warps, 2 and 4 iterations of 20 cycles in company and 10 alone: done at 40 and 60.
static void warps_get_faster_when_others_are_done(void **state) {
  (void)state;
  int counts[64];
  fill(counts, 0, 32, 2);
  fill(counts, 32, 32, 4);
  sharing how = with_cycles(1, 1, 64, 32, 10, 10);
  shared_time got = run(&how, counts, 64);
  assert_close(got.cycles, 60, 1e-9);
  assert_close(got.lane, 50, 1e-9);
  assert_close(got.expected, 1, 1e-9);
}

// A warp with 2 iterations in half of its lanes and 6 in the others, beside one with 2 in all:
// times 40 and 80, so the loss is 4 / 3 and not 6 / 4.
static void late_iterations_are_cheaper_so_clocks_tell_less_imbalance(void **state) {
  (void)state;
  int counts[64];
  fill(counts, 0, 16, 2);
  fill(counts, 16, 16, 6);
  fill(counts, 32, 32, 2);
  sharing how = with_cycles(1, 1, 64, 32, 10, 10);
  shared_time got = run(&how, counts, 64);
  assert_close(got.cycles, 80, 1e-9);
  assert_close(got.expected, (4.0 / 3 + 1) / 2, 1e-9);
  assert_close(got.aggregate, 32 * (80 + 40) / (16 * 40 + 16 * 80 + 32 * 40.0), 1e-9);
}

// Blocks of two warps, one of them with nothing to do, are replaced when the other one is done;
// blocks of one warp don't wait for others.
static void a_block_keeps_its_place_until_its_last_warp_is_done(void **state) {
  (void)state;
  int counts[256] = {0};
  for (unsigned w = 0; w < 8; w += 2)
    fill(counts, w * 32, 32, 3);
  sharing pairs = with_cycles(1, 1, 64, 32, 10, 0);
  assert_close(run(&pairs, counts, 256).cycles, 4 * 30, 1e-9);
  sharing single = with_cycles(1, 2, 32, 32, 10, 0);
  assert_close(run(&single, counts, 256).cycles, 2 * 30, 1e-9);
}

static void blocks_go_where_there_is_room(void **state) {
  (void)state;
  int counts[96];
  fill(counts, 0, 32, 9);
  fill(counts, 32, 32, 3);
  fill(counts, 64, 32, 3);
  sharing how = with_cycles(2, 1, 32, 32, 10, 0);
  assert_close(run(&how, counts, 96).cycles, 90, 1e-9);
}

// Setup 10 cycles, then 30 and 50 of iterations, 5 more for the first one, and 2 by the clock.
static void what_comes_with_iterations_is_in_the_times(void **state) {
  (void)state;
  int counts[32];
  fill(counts, 0, 16, 3);
  fill(counts, 16, 16, 5);
  sharing how = with_cycles(1, 1, 32, 32, 10, 0);
  how.setup = 1;
  how.first = 0.5;
  how.entry = 2;
  shared_time got = run(&how, counts, 32);
  assert_close(got.cycles, 65, 1e-9);
  assert_close(got.expected, 2 * 57 / (37 + 57.0), 1e-9);
  how.work[16] = 0.25; // the last two iterations have 16 lanes
  got = run(&how, counts, 32);
  assert_close(got.cycles, 10 + 35 + 5, 1e-9);
  assert_close(got.expected, 2 * 42 / (37 + 42.0), 1e-9);
}

// One multiprocessor has work for 1 iteration, the other one for 9; iterations take 10 cycles, and
// 10 more for each warp that multiprocessors have on average.
static void multiprocessors_slow_each_other_down(void **state) {
  (void)state;
  int counts[64];
  fill(counts, 0, 32, 1);
  fill(counts, 32, 32, 9);
  sharing how = with_cycles(2, 1, 32, 32, 0, 0);
  for (unsigned b = 0; b <= SHARING_WARPS; ++b)
    for (unsigned w = 1; w <= SHARING_WARPS; ++w)
      how.cycles[b][w] = 10 + 10 * b;
  assert_close(run(&how, counts, 64).cycles, 20 + 8 * 15, 1e-9);
}

static void groups_without_iterations_count_as_balanced(void **state) {
  (void)state;
  int counts[32] = {0};
  counts[0] = 4;
  sharing how = with_cycles(1, 1, 32, 16, 10, 0);
  assert_close(run(&how, counts, 32).expected, (16 + 1) / 2.0, 1e-9);
}

static void impossible_arguments_are_named(void **state) {
  (void)state;
  int counts[512] = {0};
  sharing how = with_cycles(1, 9, 256, 32, 10, 0);
  shared_time result;
  dc_error error;
  assert_int_equal(sharing_simulate(&how, counts, 512, &result, &error), DC_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, "9 blocks of 256 threads"));
  how = with_cycles(1, 6, 256, 24, 10, 0);
  assert_int_equal(sharing_simulate(&how, counts, 512, &result, &error), DC_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, "groups of 24"));
  how = with_cycles(1, 6, 256, 32, 10, 0);
  assert_int_equal(sharing_simulate(&how, counts, 500, &result, &error), DC_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, "500 threads"));
  counts[7] = -1;
  assert_int_equal(sharing_simulate(&how, counts, 512, &result, &error), DC_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, "count 7 is -1"));
  how.cycles[3][5] = 0;
  assert_int_equal(sharing_simulate(&how, counts, 512, &result, &error), DC_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, "5 warps among 3"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(where_nobody_is_slowed_down_times_are_in_proportion_to_counts),
      cmocka_unit_test(warps_get_faster_when_others_are_done),
      cmocka_unit_test(late_iterations_are_cheaper_so_clocks_tell_less_imbalance),
      cmocka_unit_test(a_block_keeps_its_place_until_its_last_warp_is_done),
      cmocka_unit_test(blocks_go_where_there_is_room),
      cmocka_unit_test(what_comes_with_iterations_is_in_the_times),
      cmocka_unit_test(multiprocessors_slow_each_other_down),
      cmocka_unit_test(groups_without_iterations_count_as_balanced),
      cmocka_unit_test(impossible_arguments_are_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
