// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Herding as the host emulates it, against what it must be by definition.
#include "herding.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

enum { SIDE = 64, PIXELS = SIDE * SIDE, ALL = (1 << HERDING_BRANCHES) - 1 };

// Where pixels escape after few and many iterations, and some never.
static const herding_region border = {2016, 1856, SIDE, SIDE};

static unsigned escape(const herding_window *window, unsigned column, unsigned row) {
  float a = fmaf((float)column, window->step, window->left);
  float b = fmaf(-(float)row, window->step, window->top);
  float x = window->julia ? a : 0, y = window->julia ? b : 0;
  float real = window->julia ? window->real : a, imaginary = window->julia ? window->imaginary : b;
  unsigned n = 0;
  for (; n < window->limit && fmaf(x, x, y * y) <= 4.0f; ++n) {
    float next = fmaf(x, x, fmaf(-y, y, real));
    y = fmaf(x + x, y, imaginary);
    x = next;
  }
  return n;
}

static void without_votes_each_pixel_counts_for_itself(void **state) {
  (void)state;
  for (int set = HERDING_MANDELBROT; set <= HERDING_JULIA; ++set)
    for (unsigned log2 = 3; log2 <= 5; log2 += 2) {
      herding_window window = herding_window_of((herding_set)set, log2);
      unsigned char image[PIXELS], least = 255, most = 0;
      herding_emulate(&window, 0, border, image);
      for (unsigned p = 0; p < PIXELS; ++p) {
        assert_int_equal(image[p],
                         escape(&window, border.column + p % SIDE, border.row + p / SIDE));
        least = image[p] < least ? image[p] : least;
        most = image[p] > most ? image[p] : most;
      }
      assert_true(least < 60 && most == HERDING_LIMIT);
    }
}

// What has escaped stays outside, so the warp leaves when the 17th of its 32 lanes would.
static void with_all_votes_a_warp_leaves_with_its_17th_lane(void **state) {
  (void)state;
  herding_window window = herding_window_of(HERDING_MANDELBROT, 3);
  unsigned char own[PIXELS], herded[PIXELS];
  herding_emulate(&window, 0, border, own);
  herding_emulate(&window, ALL, border, herded);
  for (unsigned row = 0; row < SIDE; row += 4)
    for (unsigned column = 0; column < SIDE; column += 8)
      for (unsigned n = 0; n <= HERDING_LIMIT; ++n) {
        unsigned longer = 0, at = herded[row * SIDE + column];
        for (unsigned lane = 0; lane < 32; ++lane) {
          longer += own[(row + lane / 8) * SIDE + column + lane % 8] > n;
          assert_int_equal(herded[(row + lane / 8) * SIDE + column + lane % 8], at);
        }
        assert_true((longer > 16) == (n < at));
      }
}

static void a_lane_that_wants_to_leave_waits_for_a_branch_of_its_own(void **state) {
  (void)state;
  herding_window window = herding_window_of(HERDING_MANDELBROT, 3);
  unsigned char own[PIXELS], herded[PIXELS];
  unsigned forced = 0x3fe, later = 0; // only the iterations 0, 10, 20 ... are each lane's own
  herding_emulate(&window, 0, border, own);
  herding_emulate(&window, forced, border, herded);
  for (unsigned p = 0; p < PIXELS; ++p) {
    assert_true(herded[p] <= own[p] + 9);
    assert_true(herded[p] < own[p] || herded[p] == own[p] || own[p] % 10 != 0);
    later += herded[p] > own[p];
  }
  assert_true(later > 0);
}

static void a_plane_without_escapes_is_the_same_however_forced(void **state) {
  (void)state;
  herding_window window = herding_window_of(HERDING_FLAT, 5);
  for (unsigned forced = 0; forced <= ALL; forced += 93) {
    unsigned char image[PIXELS];
    herding_emulate(&window, forced, border, image);
    for (unsigned p = 0; p < PIXELS; ++p)
      assert_int_equal(image[p], HERDING_LIMIT);
  }
}

static void efficiency_is_the_sum_over_the_slowest_lanes(void **state) {
  (void)state;
  unsigned char image[32 * 4];
  herding_window window = {.width_log2 = 5, .warp_width_log2 = 3}; // four warps side by side
  for (unsigned p = 0; p < sizeof image; ++p)
    image[p] = p % 32 < 8 ? (unsigned char)(10 * (p / 32)) : 30;
  double sum = 8 * (0 + 10 + 20 + 30) + 3 * 32 * 30;
  assert_float_equal(herding_efficiency(&window, 4, image), sum / (4 * 32 * 30), 1e-12);
  memset(image, 0, sizeof image);
  assert_float_equal(herding_efficiency(&window, 4, image), 1, 0);
}

static void pictures_differ_by_pixels_and_iterations(void **state) {
  (void)state;
  static const unsigned char image[] = {10, 20, 30, 40}, right[] = {10, 21, 30, 35};
  herding_difference difference = herding_compare(image, right, sizeof image);
  assert_float_equal(difference.wrong, 0.5, 0);
  assert_float_equal(difference.mean, 1.5, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(without_votes_each_pixel_counts_for_itself),
      cmocka_unit_test(with_all_votes_a_warp_leaves_with_its_17th_lane),
      cmocka_unit_test(a_lane_that_wants_to_leave_waits_for_a_branch_of_its_own),
      cmocka_unit_test(a_plane_without_escapes_is_the_same_however_forced),
      cmocka_unit_test(efficiency_is_the_sum_over_the_slowest_lanes),
      cmocka_unit_test(pictures_differ_by_pixels_and_iterations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
