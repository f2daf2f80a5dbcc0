// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The models' parameters from terms that are made up: an iteration takes 1000 cycles and 100 for
// each warp on the multiprocessor, and 10 for each on the others.
#include "power_model.h"

#include "divcost/imbalance.h"
#include "support.h"

enum { MOST = 48 };

static power_term terms[256];
static power_results made_up;

static double iteration(double warps, double background) {
  return 1000 + 100 * warps + 10 * background;
}

static void add(power_term_kind kind, unsigned warps, unsigned background, unsigned lanes,
                unsigned others, bool scattered, double cycles) {
  power_term *term = &terms[made_up.term_count++];
  *term = (power_term){
      "crowd", warps, background, lanes, others, scattered, 12, kind, {cycles, cycles, cycles, 17}};
}

static int make_terms(void **state) {
  (void)state;
  static const unsigned sizes[] = {1, 4, 16, 32, MOST};
  made_up = (power_results){.terms = terms};
  for (unsigned s = 0; s < 5; ++s)
    for (unsigned b = 0; b < 5; ++b)
      add(TERM_ITERATION, sizes[s], sizes[b], 32, 32, false, iteration(sizes[s], sizes[b]));
  for (unsigned s = 0; s < 5; ++s) {
    double each = iteration(sizes[s], sizes[s]);
    add(TERM_SETUP, sizes[s], sizes[s], 32, 32, false, each / 8);
    add(TERM_ENTRY, sizes[s], sizes[s], 32, 32, false, 20);
    add(TERM_FIRST, sizes[s], sizes[s], 32, 32, false, 1.5 * each + 20);
    add(TERM_ITERATION, sizes[s], sizes[s], 8, 32, true, 0.5 * each);
    add(TERM_ITERATION, sizes[s], sizes[s], 16, 16, false, 0.25 * each);
  }
  return 0;
}

static const power_cell eight = {
    .block = 256, .lanes = 4, .multiprocessors = 132, .resident = 6, .groups = 1024};

static void times_are_those_of_a_full_multiprocessor(void **state) {
  (void)state;
  power_times times;
  double each = iteration(MOST, MOST);
  assert_int_equal(power_times_of(&made_up, &eight, &times, NULL), DC_OK);
  assert_close(times.iteration, each, 1e-12);
  assert_close(times.setup, each / 8, 1e-12);
  assert_close(times.first, each / 2, 1e-12);
  assert_close(times.entry, 20, 1e-12);
}

static void sharing_interpolates_between_the_crowds_measured(void **state) {
  (void)state;
  static sharing how;
  assert_int_equal(power_sharing(&made_up, &eight, &how, NULL), DC_OK);
  for (unsigned b = 1; b <= MOST; ++b)
    for (unsigned w = 1; w <= MOST; ++w)
      assert_close(how.cycles[b][w], iteration(w, b), 1e-12);
  assert_close(how.cycles[0][7], iteration(7, 1), 1e-12); // as far as was measured
  assert_close(how.first, 0.5, 1e-12);
  assert_close(how.setup, 0.125, 1e-12);
  assert_close(how.work[32], 1, 1e-12);
  assert_close(how.work[20], 0.75, 1e-12);
  assert_close(how.work[3], 0.5, 1e-12);
}

static void blocks_of_few_lanes_have_their_own_iterations(void **state) {
  (void)state;
  static sharing how;
  power_cell one = {
      .block = 16, .lanes = 16, .multiprocessors = 132, .resident = 32, .groups = 1024};
  dc_error error;
  add(TERM_SETUP, 32, 32, 16, 16, false, 10);
  add(TERM_FIRST, 32, 32, 16, 16, false, 2000);
  assert_int_equal(power_sharing(&made_up, &one, &how, NULL), DC_OK);
  assert_close(how.cycles[32][32], 0.25 * iteration(32, 32), 1e-12);
  assert_close(how.work[3], 1, 1e-12);
  one.block = one.lanes = 8;
  assert_int_equal(power_sharing(&made_up, &one, &how, &error), DC_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, "32 warps with 8 lanes"));
}

// Two lanes with counts 0 or 2, equally likely. Times 100 and 100 + 50 + 2 * 1000.
static void the_corrected_imbalance_is_that_of_the_times(void **state) {
  (void)state;
  const dc_point points[] = {{0, 0.5}, {2, 0.5}};
  power_law law = {.distribution = {points, 2, 0}};
  power_times times = {.entry = 100, .first = 50, .iteration = 1000};
  double expected;
  assert_int_equal(power_corrected(&law, 2, &times, &expected, NULL), DC_OK);
  assert_close(expected, 0.5 + 0.5 * 2 * 2150 / 2250.0, 1e-12);
  times = (power_times){.iteration = 1000};
  assert_int_equal(power_corrected(&law, 2, &times, &expected, NULL), DC_OK);
  assert_close(expected, 1.5, 1e-12);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(times_are_those_of_a_full_multiprocessor),
      cmocka_unit_test(sharing_interpolates_between_the_crowds_measured),
      cmocka_unit_test(blocks_of_few_lanes_have_their_own_iterations),
      cmocka_unit_test(the_corrected_imbalance_is_that_of_the_times),
  };
  return cmocka_run_group_tests(tests, make_terms, NULL);
}
