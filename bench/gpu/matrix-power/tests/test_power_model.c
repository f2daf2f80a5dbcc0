// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The models' parameters from terms that are made up.
#include "power_model.h"

#include "divcost/imbalance.h"
#include "support.h"

enum { MOST = 48, MULTIPROCESSORS = 132, PROBED = 17 };

static power_term terms[256];
static power_results made_up;

static void add(power_term_kind kind, unsigned warps, unsigned background, unsigned lanes,
                unsigned others, bool scattered, double cycles) {
  power_term *term = &terms[made_up.term_count++];
  *term = (power_term){"crowd", warps,  background,
                       lanes,   others, scattered,
                       12,      kind,   {cycles, cycles, cycles, PROBED * warps}};
}

typedef double iteration_of(double warps, double mean);

// An iteration takes each multiprocessor 100 cycles for each of its warps, and all of them 10.
static double proportional(double warps, double mean) { return 100 * warps + 10 * mean; }

// Crowds of less than 48 don't get what the memory gives those of 48: 133 1/3 cycles for each warp.
static double latent(double warps, double mean) { return 4000 + 20 * warps + 30 * mean; }

// What up to 16 warps work on is in the caches.
static double with_caches(double warps, double mean) {
  return mean <= 16 ? 62.5 * (warps < 16 ? 16 : warps) : 5000 + 50 * mean;
}

static double mean_of(double warps, double background) {
  return warps == background ? warps : background + (warps - background) * PROBED / MULTIPROCESSORS;
}

static void make_terms(iteration_of *iteration) {
  static const unsigned sizes[] = {1, 4, 16, 32, MOST};
  made_up = (power_results){.terms = terms};
  for (unsigned s = 0; s < 5; ++s)
    for (unsigned b = 0; b < 5; ++b)
      add(TERM_ITERATION, sizes[s], sizes[b], 32, 32, false,
          iteration(sizes[s], mean_of(sizes[s], sizes[b])));
  for (unsigned s = 0; s < 5; ++s) {
    double each = iteration(sizes[s], sizes[s]);
    add(TERM_SETUP, sizes[s], sizes[s], 32, 32, false, each / 8);
    add(TERM_ENTRY, sizes[s], sizes[s], 32, 32, false, 20);
    add(TERM_FIRST, sizes[s], sizes[s], 32, 32, false, 1.5 * each + 20);
    add(TERM_ITERATION, sizes[s], sizes[s], 8, 32, true, 0.5 * each);
    add(TERM_ITERATION, sizes[s], sizes[s], 24, 32, true, 0.75 * each);
    add(TERM_ITERATION, sizes[s], sizes[s], 16, 16, false, 0.25 * each);
  }
}

static const power_cell eight = {
    .block = 256, .lanes = 4, .multiprocessors = MULTIPROCESSORS, .resident = 6, .groups = 1024};

static void times_are_those_of_a_full_multiprocessor(void **state) {
  (void)state;
  power_times times;
  make_terms(proportional);
  assert_int_equal(power_times_of(&made_up, &eight, &times, NULL), DC_OK);
  assert_close(times.iteration, 110 * MOST, 1e-12);
  assert_close(times.setup, 110 * MOST / 8.0, 1e-12);
  assert_close(times.first, 110 * MOST / 2.0, 1e-12);
  assert_close(times.entry, 20, 1e-12);
}

static void times_between_the_crowds_measured_are_in_proportion(void **state) {
  (void)state;
  power_times times;
  power_cell five = eight, seven = eight;
  dc_error error;
  five.resident = 5;
  make_terms(latent);
  assert_int_equal(power_times_of(&made_up, &five, &times, NULL), DC_OK);
  assert_close(times.iteration, latent(40, 40), 1e-12);
  assert_close(times.setup, latent(40, 40) / 8, 1e-12);
  seven.resident = 7; // 56 warps: more than in the largest crowd
  assert_int_equal(power_times_of(&made_up, &seven, &times, &error), DC_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, "56 warps with 32 lanes"));
}

static void sharing_interpolates_between_the_crowds_measured(void **state) {
  (void)state;
  static sharing how;
  make_terms(proportional);
  assert_int_equal(power_sharing(&made_up, &eight, &how, NULL), DC_OK);
  for (unsigned b = 8; b <= 41; ++b) // crowds of all sizes were measured with such means
    for (unsigned w = 1; w <= MOST; ++w)
      assert_close(how.cycles[b][w], proportional(w, b), 1e-12);
  assert_close(how.cycles[0][MOST], proportional(MOST, mean_of(MOST, 1)), 1e-12); // the least
  assert_close(how.first, 0.5, 1e-12);
  assert_close(how.setup, 0.125, 1e-12);
}

static void few_lanes_are_compared_with_the_same_warp_and_most_lanes(void **state) {
  (void)state;
  static sharing how;
  power_cell five = eight;
  five.resident = 5; // lanes were measured with 32 warps and with 48
  make_terms(proportional);
  assert_int_equal(power_sharing(&made_up, &five, &how, NULL), DC_OK);
  assert_close(how.work[32], 1, 1e-12);
  assert_close(how.work[24], 1, 1e-12);
  assert_close(how.work[16], 2.5 / 3, 1e-12);
  assert_close(how.work[3], 2.0 / 3, 1e-12);
}

static void saturated_memory_serves_few_warps_as_fast_as_many(void **state) {
  (void)state;
  static sharing how;
  double alone = latent(1, 1), rate = latent(MOST, MOST) / MOST;
  make_terms(latent);
  assert_int_equal(power_sharing(&made_up, &eight, &how, NULL), DC_OK);
  for (unsigned b = 36; b <= MOST; ++b)
    assert_close(how.cycles[b][b], b * rate, 1e-12);
  double share = (36 * rate - alone) / (latent(36, 36) - alone);
  assert_close(how.cycles[36][4], alone + share * (latent(4, 36) - alone), 1e-12);
  assert_close(how.cycles[16][16], alone, 1e-12); // 16 warps are less than the memory serves
}

static void what_caches_hold_does_not_wait_for_memory(void **state) {
  (void)state;
  static sharing how;
  make_terms(with_caches);
  assert_int_equal(power_sharing(&made_up, &eight, &how, NULL), DC_OK);
  assert_close(how.cycles[16][16], 1000, 1e-12);
  assert_close(how.cycles[16][32], 2000, 1e-12);
  assert_close(how.cycles[16][MOST], 3000, 1e-12);
  assert_close(how.cycles[3][MOST], how.cycles[0][MOST], 1e-12);
  assert_close(how.cycles[32][32], 32 * with_caches(MOST, MOST) / MOST, 1e-12);
}

static void blocks_of_few_lanes_have_their_own_iterations(void **state) {
  (void)state;
  static sharing how;
  power_cell one = {
      .block = 16, .lanes = 16, .multiprocessors = MULTIPROCESSORS, .resident = 32, .groups = 1024};
  dc_error error;
  make_terms(proportional);
  add(TERM_SETUP, 32, 32, 16, 16, false, 10);
  add(TERM_FIRST, 32, 32, 16, 16, false, 2000);
  assert_int_equal(power_sharing(&made_up, &one, &how, NULL), DC_OK);
  assert_close(how.cycles[32][32], 0.25 * proportional(32, 32), 1e-12);
  assert_close(how.work[3], 1, 1e-12);
  one.block = one.lanes = 8;
  assert_int_equal(power_sharing(&made_up, &one, &how, &error), DC_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, "32 warps with 8 lanes"));
}

// Two lanes with counts 0 or 2, equally likely. Times 100 and 100 + 50 + 2 * 1000.
static void the_corrected_imbalance_is_that_of_the_times(void **state) {
  (void)state;
  const dc_point points[] = {{0, 0.5}, {2, 0.5}};
  power_law law = {.distribution = {points, 2, 0, NULL}};
  power_times times = {.entry = 100, .first = 50, .iteration = 1000};
  double expected;
  assert_int_equal(power_corrected(&law, 2, &times, &expected, NULL), DC_OK);
  assert_close(expected, 0.5 + 0.5 * 2 * 2150 / 2250.0, 1e-12);
  times = (power_times){.iteration = 1000};
  assert_int_equal(power_corrected(&law, 2, &times, &expected, NULL), DC_OK);
  assert_close(expected, 1.5, 1e-12);
}

// Two lanes with 1 or 3 iterations, that take 1000, 600 and, as the last one sampled, 600 cycles.
static void the_profiled_imbalance_is_that_of_the_iterations_sampled(void **state) {
  (void)state;
  const dc_point points[] = {{1, 0.5}, {3, 0.5}};
  power_law law = {.distribution = {points, 2, 0, NULL}};
  power_cell cell = eight;
  power_profile profiles[] = {{256, 4, 0, true, 0, 5000, 9},
                              {256, 2, 0, true, 1, 5000, 9},
                              {256, 2, 0, false, 0, 1000, 9},
                              {256, 2, 0, false, 1, 600, 9}};
  const power_results sampled = {.profiles = profiles, .profile_count = 4};
  double expected;
  dc_error error;
  cell.lanes = 2;
  assert_int_equal(power_profiled(&sampled, &law, &cell, &expected, NULL), DC_OK);
  assert_close(expected, 0.5 + 0.5 * 2 * 2200 / 3200.0, 1e-12);
  cell.lanes = 8;
  assert_int_equal(power_profiled(&sampled, &law, &cell, &expected, &error), DC_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, "groups of 8"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(times_are_those_of_a_full_multiprocessor),
      cmocka_unit_test(times_between_the_crowds_measured_are_in_proportion),
      cmocka_unit_test(sharing_interpolates_between_the_crowds_measured),
      cmocka_unit_test(few_lanes_are_compared_with_the_same_warp_and_most_lanes),
      cmocka_unit_test(saturated_memory_serves_few_warps_as_fast_as_many),
      cmocka_unit_test(what_caches_hold_does_not_wait_for_memory),
      cmocka_unit_test(blocks_of_few_lanes_have_their_own_iterations),
      cmocka_unit_test(the_corrected_imbalance_is_that_of_the_times),
      cmocka_unit_test(the_profiled_imbalance_is_that_of_the_iterations_sampled),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
