// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks against the maximum of all their lanes; makespans where they are exact, their bounds and
// their approximation against the simulator.
#include "divcost/grid.h"

#include "divcost/imbalance.h"
#include "simulation.h"

static const char *const distributions[] = {"geometric(0.05)", "uniform(20,40)", "poisson(3)",
                                            "0.9*const(1) + 0.1*const(1000)", "zipf(1.5,3000)"};
enum { DISTRIBUTIONS = sizeof distributions / sizeof *distributions };

static dc_makespan makespan(const dc_distribution *d, const dc_grid *grid) {
  dc_makespan interval = {0};
  dc_error error = {0};
  if (dc_grid_makespan(d, grid, &interval, &error) != DC_OK)
    fail_msg("%s", error.text);
  return interval;
}

static void a_block_is_as_long_as_its_longest_lane(void **state) {
  (void)state;
  for (size_t i = 0; i < DISTRIBUTIONS; ++i) {
    made m = make(distributions[i], NULL);
    dc_group_type type = {1, m.distribution};
    double warp, block;
    dc_block_loss loss;
    assert_int_equal(dc_block_imbalance(&m.distribution, 32, 8, &loss, NULL), DC_OK);
    assert_int_equal(dc_expected_maximum(&m.distribution, 32, &warp, NULL), DC_OK);
    assert_int_equal(dc_expected_maximum(&m.distribution, 256, &block, NULL), DC_OK);
    assert_close(loss.iterations, block, 1e-14);
    assert_within(loss.waiting, block - warp, 1e-12 * block);
    assert_close(loss.aggregate, block / dc_distribution_mean(&m.distribution), 1e-14);
    assert_close(loss.efficiency, 1 / loss.aggregate, 1e-14);
    // Fewer lanes for the simulation: with 256, 2000 blocks never see the distribution's rare side.
    assert_int_equal(dc_block_imbalance(&m.distribution, 4, 5, &loss, NULL), DC_OK);
    dc_simulation s = warps_of(&type, 4);
    s.grid.warps = 5;
    dc_simulated r = simulate(&s, 2000, i, NULL);
    assert_simulated(r.block, loss.iterations);
    dc_simulated_free(&r);
    release(&m);
  }
}

static void a_grid_in_one_wave_is_its_longest_lane(void **state) {
  (void)state;
  for (size_t i = 0; i < DISTRIBUTIONS; ++i) {
    made m = make(distributions[i], NULL);
    dc_group_type type = {1, m.distribution};
    dc_grid grid = {16, 2, 20, 11, 2};
    dc_makespan interval = makespan(&m.distribution, &grid);
    double longest;
    assert_int_equal(dc_expected_maximum(&m.distribution, 640, &longest, NULL), DC_OK);
    assert_true(interval.exact);
    assert_close(interval.iterations, longest, 1e-14);
    assert_true(interval.low == interval.iterations && interval.high == interval.iterations);
    dc_simulation s = {.types = &type, .count = 1, .grid = grid, .lanes_per_item = 1};
    dc_simulated r = simulate(&s, 2000, i, NULL);
    assert_simulated(r.makespan, interval.iterations);
    assert_simulated(r.grid_efficiency, interval.efficiency);
    dc_simulated_free(&r);
    release(&m);
  }
}

static void equal_blocks_come_in_waves(void **state) {
  (void)state;
  made m = make("const(7)", NULL);
  dc_makespan interval = makespan(&m.distribution, &(dc_grid){32, 4, 133, 33, 4});
  assert_true(interval.exact && interval.iterations == 14); // 132 places: one block alone in a wave
  assert_close(interval.efficiency, 133.0 / 264, 1e-14);
  assert_close(interval.tail, 14 - 7 * 133.0 / 132, 1e-13);
  release(&m);
  made zero = make("const(0)", NULL);
  interval = makespan(&zero.distribution, &(dc_grid){32, 4, 133, 33, 4});
  assert_true(interval.iterations == 0 && interval.efficiency == 1);
  release(&zero);
}

static void one_place_runs_one_block_after_another(void **state) {
  (void)state;
  made m = make("geometric(0.05)", NULL);
  dc_block_loss block;
  assert_int_equal(dc_block_imbalance(&m.distribution, 32, 2, &block, NULL), DC_OK);
  dc_makespan interval = makespan(&m.distribution, &(dc_grid){32, 2, 50, 1, 1});
  assert_close(interval.low, 50 * block.iterations, 1e-13);
  assert_close(interval.high, interval.low, 1e-13);
  assert_close(interval.iterations, interval.low, 1e-13);
  release(&m);
}

static void bounds_hold_and_the_approximation_is_near(void **state) {
  (void)state;
  static const unsigned shapes[][2] = {{20, 6}, {60, 6}, {300, 6}, {300, 64}, {90, 64}};
  for (size_t i = 0; i < DISTRIBUTIONS; ++i) {
    made m = make(distributions[i], NULL);
    dc_group_type type = {1, m.distribution};
    bool in_step = i == 1 || i == 3; // blocks that vary little, or are nearly all as long as one
    for (size_t k = 0; k < cases_of(5, 1); ++k) {
      dc_grid grid = {8, 1, shapes[k][0], shapes[k][1] / 2, 2};
      dc_makespan interval = makespan(&m.distribution, &grid);
      dc_simulation s = {.types = &type, .count = 1, .grid = grid, .lanes_per_item = 1};
      dc_simulated r = simulate(&s, 1000, 100 * i + k, NULL);
      dc_sampled truth = r.makespan;
      assert_false(interval.exact);
      assert_true(truth.value + 5 * truth.error >= interval.low);
      assert_true(truth.value - 5 * truth.error <= interval.high);
      assert_true(interval.low <= interval.iterations && interval.iterations <= interval.high);
      double longest = (double)dc_distribution_max(&m.distribution);
      assert_within(interval.iterations, truth.value, in_step ? longest / 2 : 0.04 * truth.value);
      double waves = (double)shapes[k][0] / shapes[k][1];
      assert_within(interval.iterations - interval.tail, r.block.value * waves,
                    5 * r.block.error * waves);
      dc_simulated_free(&r);
    }
    release(&m);
  }
}

static void errors_name_the_field_and_its_range(void **state) {
  (void)state;
  static const struct {
    dc_grid grid;
    const char *text;
  } wrong[] = {
      {{0, 1, 1, 1, 1}, "a block has 1 warps of 0 lanes, but must have 1 to 1024 lanes in total"},
      {{32, 33, 1, 1, 1},
       "a block has 33 warps of 32 lanes, but must have 1 to 1024 lanes in total"},
      {{65536, 65536, 1, 1, 1},
       "a block has 65536 warps of 65536 lanes, but must have 1 to 1024 lanes in total"},
      {{32, 1, 0, 1, 1}, "blocks is 0, but must be from 1 to 2147483648"},
      {{32, 1, 1, 0, 1}, "multiprocessors is 0, but must be from 1 to 65536"},
      {{32, 1, 1, 1, 65537}, "slots is 65537, but must be from 1 to 65536"},
  };
  made m = make("uniform(1,3)", NULL);
  dc_makespan interval = {.low = -5};
  dc_error error;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    assert_int_equal(dc_grid_makespan(&m.distribution, &wrong[i].grid, &interval, &error),
                     DC_ERROR_ARGUMENT);
    assert_string_equal(error.text, wrong[i].text);
  }
  assert_true(interval.low == -5);
  dc_block_loss block;
  assert_int_equal(dc_block_imbalance(&m.distribution, 32, 0, &block, &error), DC_ERROR_ARGUMENT);
  release(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_block_is_as_long_as_its_longest_lane),
      cmocka_unit_test(a_grid_in_one_wave_is_its_longest_lane),
      cmocka_unit_test(equal_blocks_come_in_waves),
      cmocka_unit_test(one_place_runs_one_block_after_another),
      cmocka_unit_test(bounds_hold_and_the_approximation_is_near),
      cmocka_unit_test(errors_name_the_field_and_its_range),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
