// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The time of a launch: by hand where its parts are few, and against what holds of any launch.
#include "support.h"

#include "divcost/arch.h"
#include "divcost/random.h"
#include "divcost/time.h"

static dc_machine machine_of(unsigned sm) {
  dc_arch arch;
  assert_int_equal(dc_arch_find_sm(sm, &arch, NULL), DC_OK);
  assert_true(arch.machine.known);
  return arch.machine;
}

// Where blocks begin all at once, and as soon as there is room.
static dc_machine machine_in_no_time(void) {
  dc_machine machine = machine_of(90);
  machine.block_start = machine.block_start_warp = machine.block_each = 0;
  return machine;
}

static dc_time run(const dc_machine *machine, dc_time_grid grid, const dc_time_warp *warps,
                   uint32_t n, const dc_demand *demands) {
  dc_time time;
  dc_error error;
  assert_int_equal(dc_time_of_launch(machine, &grid, warps, n, demands, &time, &error), DC_OK);
  double sum = 0;
  for (unsigned k = 0; k < DC_BOUND_COUNT; ++k) {
    assert_true(time.bounds[k] >= 0);
    sum += time.bounds[k];
  }
  assert_close(sum, time.cycles, 1e-9);
  return time;
}

// One kind of warp, in one segment.
static dc_time run_alike(const dc_machine *machine, dc_time_grid grid, dc_demand demand) {
  const dc_time_warp warp = {1, 0, 1};
  return run(machine, grid, &warp, 1, &demand);
}

static dc_bound most(const dc_time *time) {
  unsigned most = 0;
  for (unsigned k = 1; k < DC_BOUND_COUNT; ++k)
    most = time->bounds[k] > time->bounds[most] ? k : most;
  return (dc_bound)most;
}

static void a_lone_warp_takes_what_it_waits_for(void **state) {
  (void)state;
  dc_machine machine = machine_in_no_time();
  dc_time time =
      run_alike(&machine, (dc_time_grid){1, 1, 1, 1, false}, (dc_demand){.cycles = 1000});
  assert_close(time.cycles, 1000, 1e-9);
  assert_int_equal(most(&time), DC_BOUND_LATENCY);
  // Asking for all of a resource as long as it waits: (1 + 1)^(1/4).
  dc_demand both = {.cycles = 1000, .use[DC_USE_ISSUE] = 1000};
  time = run_alike(&machine, (dc_time_grid){1, 1, 1, 1, false}, both);
  assert_close(time.cycles, 1000 * pow(2, 0.25), 1e-9);
  assert_close(time.bounds[DC_BOUND_ISSUE], time.cycles / 2, 1e-9);
}

static void many_warps_take_what_they_ask_for(void **state) {
  (void)state;
  static const dc_bound bounds[DC_USE_COUNT] = {
      [DC_USE_ISSUE] = DC_BOUND_ISSUE,  [DC_USE_FP64] = DC_BOUND_PIPE,
      [DC_USE_SPECIAL] = DC_BOUND_PIPE, [DC_USE_L1] = DC_BOUND_L1,
      [DC_USE_L2] = DC_BOUND_L2,        [DC_USE_DRAM] = DC_BOUND_DRAM};
  dc_machine machine = machine_in_no_time();
  for (unsigned use = 0; use < DC_USE_COUNT; ++use) {
    dc_demand demand = {.cycles = 1000};
    demand.use[use] = 500;
    // 64 warps on each SM: 32000 cycles of the resource, and nothing to hide behind them.
    dc_time time = run_alike(&machine, (dc_time_grid){machine.sms * 8ull, 8, 8, 8, false}, demand);
    assert_close(time.cycles, 32000, 1e-3);
    assert_int_equal(most(&time), bounds[use]);
  }
}

// Those that are left ask for less.
static void the_longest_warp_ends_the_launch(void **state) {
  (void)state;
  dc_machine machine = machine_in_no_time();
  const dc_demand demands[] = {{.cycles = 100, .use[DC_USE_ISSUE] = 10},
                               {.cycles = 5000, .use[DC_USE_ISSUE] = 10}};
  const dc_time_warp warps[] = {{0.99, 0, 1}, {0.01, 1, 1}};
  dc_time time = run(&machine, (dc_time_grid){machine.sms, 8, 8, 8, false}, warps, 2, demands);
  assert_true(time.cycles > 5000 && time.cycles < 5500);
  assert_int_equal(most(&time), DC_BOUND_LONGEST);
  // Of one warp in a hundred, a launch of three has none in 97 cases of 100.
  dc_machine few = machine;
  few.sms = 3;
  time = run(&few, (dc_time_grid){3, 1, 1, 1, false}, warps, 2, demands);
  assert_close(time.cycles, 100 + 4900 * (1 - pow(0.99, 3)), 0.01);
}

static void blocks_wait_for_places(void **state) {
  (void)state;
  dc_machine machine = machine_in_no_time();
  dc_demand demand = {.cycles = 1000};
  const double waves[] = {1, 1.01, 2, 2.5, 3, 7.25};
  for (unsigned k = 0; k < sizeof waves / sizeof *waves; ++k) {
    uint64_t blocks = (uint64_t)(waves[k] * machine.sms * 4);
    dc_time time = run_alike(&machine, (dc_time_grid){blocks, 2, 4, 4, false}, demand);
    assert_close(time.cycles, 1000 * ceil(waves[k]), 1e-6);
    // In full waves no place is empty.
    assert_true((waves[k] > floor(waves[k])) == (time.bounds[DC_BOUND_TAIL] > 1));
  }
  // Long launches take as long in proportion.
  dc_demand busy = {.cycles = 1000, .use[DC_USE_ISSUE] = 300};
  double some =
      run_alike(&machine, (dc_time_grid){machine.sms * 4000ull, 2, 4, 4, false}, busy).cycles;
  double more =
      run_alike(&machine, (dc_time_grid){machine.sms * 40000ull, 2, 4, 4, false}, busy).cycles;
  assert_close(more / some, 10, 0.01);
}

// A few SMs get more of L2 each than all of them do, but not more than one can take in.
static void few_blocks_share_the_memory(void **state) {
  (void)state;
  dc_machine machine = machine_in_no_time();
  dc_demand demand = {.cycles = 1, .use[DC_USE_L2] = 1000};
  double all = run_alike(&machine, (dc_time_grid){machine.sms, 8, 8, 8, false}, demand).cycles;
  double one = run_alike(&machine, (dc_time_grid){1, 8, 8, 8, false}, demand).cycles;
  assert_close(all, 8000, 1e-3);
  assert_close(one, 8000 * machine.l2_sector_alone / machine.l2_sector, 1e-3);
}

// What is read takes longer now and then: the last of 4224 warps at once, and of each block's where
// blocks wait.
static void the_last_warp_waits_longest(void **state) {
  (void)state;
  dc_machine machine = machine_in_no_time();
  dc_demand demand = {.cycles = 1000, .spread = 10000};
  double once = run_alike(&machine, (dc_time_grid){machine.sms, 32, 1, 1, false}, demand).cycles;
  assert_close(once, 1000 + 100 * log2(32 * machine.sms), 1e-9);
  double waves =
      run_alike(&machine, (dc_time_grid){machine.sms * 3ull, 32, 1, 1, false}, demand).cycles;
  assert_close(waves, 3 * (1000 + 100 * log2(32)), 1e-6);
}

static void blocks_begin_later_than_there_is_room(void **state) {
  (void)state;
  dc_machine machine = machine_in_no_time();
  dc_demand demand = {.cycles = 1000};
  machine.block_start = 500;
  machine.block_start_warp = 10;
  dc_time_grid grid = {machine.sms * 3ull, 32, 1, 1, false};
  assert_close(run_alike(&machine, grid, demand).cycles, 3 * 1000 + 2 * (500 + 32 * 10), 1e-6);
  grid.blocks = machine.sms;
  assert_close(run_alike(&machine, grid, demand).cycles, 1000, 1e-6);
  // Those of one SM begin one after the other, those of the GPU 2 cycles apart.
  machine.block_each = 2;
  dc_time once = run_alike(&machine, grid, demand);
  assert_close(once.cycles, 1000 + 2 * (machine.sms - 1), 1e-6);
  assert_close(once.bounds[DC_BOUND_LAUNCH], 2 * (machine.sms - 1), 1e-6);
  grid.blocks = 2000000;
  grid.resident = grid.most = 32;
  grid.warps = 1;
  assert_close(run_alike(&machine, grid, demand).cycles / (2.0 * (double)grid.blocks), 1, 0.01);
}

// The work of the end at the rate of before: of warps that are all there, by hand.
static void the_end_is_as_full_as_the_middle(void **state) {
  (void)state;
  dc_machine machine = machine_in_no_time();
  // One in a hundred goes on for 4900 cycles; as full as before they take 49, and the issue slots
  // that they ask for as long as they are short: 8 warps ask for twice what there is.
  const dc_demand demands[] = {{.cycles = 100, .use[DC_USE_ISSUE] = 25},
                               {.cycles = 5000, .use[DC_USE_ISSUE] = 1250}};
  const dc_time_warp warps[] = {{0.99, 0, 1}, {0.01, 1, 1}};
  dc_time_grid once = {machine.sms, 8, 8, 8, false};
  dc_time time = run(&machine, once, warps, 2, demands);
  double unequal =
      1 + 2.6 * sqrt((0.99 * 25 * 25 + 0.01 * 1250 * 1250) / (37.25 * 37.25) - 1) / sqrt(8);
  assert_close(time.full, (100 + 49) * pow(1 + pow(2 * unequal, 4), 0.25), 1e-4);
  // What warps wait for that are alike has no end, but for what reads take now and then.
  dc_demand demand = {.cycles = 1000, .spread = 10000};
  time = run_alike(&machine, once, demand);
  assert_close(time.full, 1000, 1e-9);
  // Two waves are full; half of one is not.
  demand.spread = 0;
  dc_time_grid waves = {machine.sms * 8ull, 2, 4, 4, false};
  time = run_alike(&machine, waves, demand);
  assert_close(time.full, time.cycles, 1e-9);
  waves.blocks = machine.sms * 10ull;
  time = run_alike(&machine, waves, demand);
  assert_close(time.cycles, 3000, 1e-6);
  assert_close(time.full, 2500, 1e-6);
}

static void the_same_number_of_blocks_on_each_sm(void **state) {
  (void)state;
  dc_machine machine = machine_in_no_time();
  dc_demand demand = {.cycles = 1, .use[DC_USE_ISSUE] = 1000};
  dc_time_grid grid = {machine.sms + 1ull, 8, 8, 8, false};
  dc_time time = run_alike(&machine, grid, demand);
  assert_close(time.cycles, 16000, 1e-3);
  assert_close(time.full, 8000.0 * (machine.sms + 1) / machine.sms, 1e-3);
  grid.blocks = 1; // but not less than one
  time = run_alike(&machine, grid, demand);
  assert_close(time.full, time.cycles, 1e-9);
}

static double unit(uint32_t round, uint32_t *draw) {
  return dc_random_unit(7, (uint32_t[4]){round, (*draw)++, 0, 0});
}

// Whatever the warps: no resource is used by more than all of it, none ends before it has waited,
// and who asks for more takes no less, or hardly.
static void bounds_hold_of_any_launch(void **state) {
  (void)state;
  enum { WARPS = 12, SEGMENTS = 4 };
  dc_machine machine = machine_of(90);
  for (uint32_t round = 0; round < cases_of(2000, 200); ++round) {
    uint32_t draw = 0, n = 0;
    dc_time_grid grid = {1 + (uint64_t)(unit(round, &draw) * unit(round, &draw) * 20000),
                         1 + (unsigned)(unit(round, &draw) * 32),
                         1 + (unsigned)(unit(round, &draw) * 16), 32, round % 3 == 0};
    dc_time_warp warps[WARPS];
    dc_demand demands[WARPS * SEGMENTS], mean = {0}, more[WARPS * SEGMENTS];
    uint32_t n_warps = 1 + (uint32_t)(unit(round, &draw) * WARPS);
    double shortest = INFINITY;
    for (uint32_t k = 0; k < n_warps; ++k) {
      warps[k] = (dc_time_warp){1.0 / n_warps, n, 1 + (uint32_t)(unit(round, &draw) * SEGMENTS)};
      double cycles = 0;
      for (uint32_t s = 0; s < warps[k].segments; ++s, ++n) {
        demands[n] = (dc_demand){.cycles = 10 + unit(round, &draw) * 1000,
                                 .spread = unit(round, &draw) * 10000};
        cycles += demands[n].cycles;
        for (unsigned use = 0; use < DC_USE_COUNT; ++use) {
          demands[n].use[use] = unit(round, &draw) < 0.5 ? 0 : unit(round, &draw) * 100;
          mean.use[use] += demands[n].use[use] / n_warps;
        }
        more[n] = demands[n];
        more[n].use[round % DC_USE_COUNT] *= 1.5;
      }
      shortest = cycles < shortest ? cycles : shortest;
    }
    dc_time time = run(&machine, grid, warps, n_warps, demands);
    assert_true(time.cycles >= shortest * (1 - 1e-9));
    assert_true(time.full > 0 && time.full <= time.cycles * (1 + 1e-9));
    double waves = (double)grid.blocks / (grid.resident * (double)machine.sms);
    for (unsigned use = 0; use < DC_USE_COUNT && waves > 1; ++use)
      // A sample of places stands for all.
      assert_true(time.cycles >=
                  0.9 * mean.use[use] * (double)grid.blocks * grid.warps / machine.sms);
    // With other ends blocks come to other SMs, which may fit better.
    assert_true(run(&machine, grid, warps, n_warps, more).cycles >= time.cycles * 0.99);
  }
}

// Small blocks one after the other fill an SM slowly; a place whose block is about to begin isn't
// empty.
static void empty_places_are_to_blame(void **state) {
  (void)state;
  dc_machine machine = machine_in_no_time();
  dc_demand demand = {.cycles = 1000};
  dc_time_grid grid = {machine.sms * 32 * 100ull, 1, 32, 32, false};
  machine.block_start = 500;
  dc_time time = run_alike(&machine, grid, demand);
  assert_close(time.bounds[DC_BOUND_LATENCY], time.cycles, 1e-2);
  machine.block_each = 4;
  time = run_alike(&machine, grid, demand);
  assert_close(time.cycles, 4.0 * (double)grid.blocks, 1e-2);
  assert_int_equal(most(&time), DC_BOUND_TAIL);
}

static void names_come_back(void **state) {
  (void)state;
  for (int bound = 0; bound < DC_BOUND_COUNT; ++bound)
    assert_int_equal(dc_bound_parse(dc_bound_name((dc_bound)bound)), bound);
  assert_int_equal(dc_bound_parse("memory"), -1);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_lone_warp_takes_what_it_waits_for),
                                     cmocka_unit_test(many_warps_take_what_they_ask_for),
                                     cmocka_unit_test(the_longest_warp_ends_the_launch),
                                     cmocka_unit_test(blocks_wait_for_places),
                                     cmocka_unit_test(blocks_begin_later_than_there_is_room),
                                     cmocka_unit_test(few_blocks_share_the_memory),
                                     cmocka_unit_test(the_last_warp_waits_longest),
                                     cmocka_unit_test(the_end_is_as_full_as_the_middle),
                                     cmocka_unit_test(the_same_number_of_blocks_on_each_sm),
                                     cmocka_unit_test(bounds_hold_of_any_launch),
                                     cmocka_unit_test(empty_places_are_to_blame),
                                     cmocka_unit_test(names_come_back)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
