// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a launch's time is lost to, by hand: on a machine where all costs nothing but what a test is
// of, so that times are as that is. Every block has one instruction.
#include "structured.h"

#include "divcost/estimate.h"

#define FACTOR 1.25 // that the model is off by, of a ratio

// Where memory, launching and replacing blocks take no time worth mentioning.
static dc_arch idle_machine(void) {
  dc_arch arch = arch_named("sm_90");
  dc_machine *machine = &arch.machine;
  double *const free_of_charge[] = {
      &machine->block_start, &machine->block_start_warp, &machine->block_each, &machine->launch_low,
      &machine->launch_high, &machine->l1_request,       &machine->l1_line};
  for (unsigned k = 0; k < sizeof free_of_charge / sizeof *free_of_charge; ++k)
    *free_of_charge[k] = 0;
  double *const nearly[] = {&machine->issue,
                            &machine->l2_sector,
                            &machine->l2_line_sector,
                            &machine->l2_sector_alone,
                            &machine->dram_sector,
                            &machine->dram_line_sector,
                            &machine->dram_sector_alone,
                            &machine->l2_write_sector,
                            &machine->l2_write_line_sector,
                            &machine->dram_write_sector,
                            &machine->dram_write_line_sector};
  for (unsigned k = 0; k < sizeof nearly / sizeof *nearly; ++k)
    *nearly[k] = 1e-9;
  return arch;
}

static void launch(code *c, uint32_t threads, uint32_t blocks, unsigned registers) {
  c->kernel.launches[0].block[0] = threads;
  c->kernel.launches[0].grid[0] = blocks;
  c->kernel.l2 = DC_L2_WARM;
  c->kernel.resources =
      (dc_resources){.known = true, .ptxas = {{90, registers}}, .n_ptxas = 1, .live_known = true};
}

static dc_time_estimate time_of(code *c, const dc_arch *arch) {
  dc_estimate estimate;
  dc_error error = {0};
  finish(c);
  if (dc_estimate_kernel(&c->kernel, arch, &c->kernel.launches[0], NULL, &estimate, &error) !=
      DC_OK)
    fail_msg("%s", error.text);
  dc_time_estimate time = estimate.time;
  release_estimate(c, &estimate);
  assert_true(time.known);
  return time;
}

// By a ratio of the times, of so many cases.
static void assert_saving(dc_time_saving saving, double least, double most) {
  double low = least / FACTOR, high = most * FACTOR;
  assert_within(saving.low, low > 1 ? 1 - 1 / low : low - 1, 0.01);
  assert_within(saving.high, high > 1 ? 1 - 1 / high : high - 1, 0.01);
}

static void assert_nothing(dc_time_saving saving) {
  assert_true(saving.low == 0 && saving.high == 0);
}

// A store by each lane, so many bytes apart.
static void add_store(code *c, int64_t stride) {
  dc_expr_pool *pool = &c->kernel.pool;
  uint32_t parameter = dc_kernel_add_param(&c->kernel), access = dc_kernel_add_access(&c->kernel);
  dc_expr array = dc_expr_leaf(pool, DC_OP_PARAM, 64, DC_UNIFORM, parameter);
  dc_expr lane = dc_expr_cast(pool, DC_OP_ZEXT, 64, tid(c));
  dc_expr offset = op(c, DC_OP_MUL, lane, dc_expr_constant(pool, 64, stride));
  c->kernel.accesses[access] = (dc_access){.block = c->at,
                                           .location = DC_NONE,
                                           .address = op(c, DC_OP_ADD, array, offset),
                                           .root = array,
                                           .space = DC_SPACE_GLOBAL,
                                           .kind = DC_ACCESS_STORE,
                                           .bytes = 4,
                                           .level = DC_DIVERGENT};
}

static void a_request_touches_the_fewest_lines(void **state) {
  (void)state;
  static const int64_t strides[] = {4, 8, 128, 4096};
  static const double lines[] = {1, 2, 32, 32};
  dc_arch arch = idle_machine();
  arch.machine.l1_line = 1000;
  for (unsigned k = 0; k < 4; ++k) {
    code c = begin_code(256);
    launch(&c, 256, 8 * arch.machine.sms, 16);
    add_store(&c, strides[k]);
    dc_time_estimate time = time_of(&c, &arch);
    if (lines[k] > 1)
      assert_saving(time.lost[DC_LOSS_COALESCING], lines[k], lines[k]);
    else
      assert_nothing(time.lost[DC_LOSS_COALESCING]);
    assert_nothing(time.lost[DC_LOSS_DIVERGENCE]);
    assert_int_equal(time.n_parts, 0);
  }
}

// With accesses side by side L2 isn't asked for fewer bytes than the lanes have.
static void a_request_touches_the_fewest_sectors(void **state) {
  (void)state;
  dc_arch arch = idle_machine();
  arch.machine.l2_write_sector = arch.machine.l2_write_line_sector = 1000;
  arch.machine.l2_sector = arch.machine.l2_sector_alone = 1000;
  code c = begin_code(256);
  launch(&c, 256, 8 * arch.machine.sms, 16);
  add_store(&c, 128);
  assert_saving(time_of(&c, &arch).lost[DC_LOSS_COALESCING], 8, 8);
}

// 128 registers leave room for 2 of 8 blocks of 256 threads.
static void registers_keep_blocks_out(void **state) {
  (void)state;
  dc_arch arch = idle_machine();
  code c = begin_code(256);
  launch(&c, 256, 8 * arch.machine.sms, 128);
  dc_time_estimate time = time_of(&c, &arch);
  assert_saving(time.lost[DC_LOSS_OCCUPANCY], 4, 4);
  assert_nothing(time.lost[DC_LOSS_TAIL]);
  c = begin_code(256);
  launch(&c, 256, 80 * arch.machine.sms, 32);
  assert_nothing(time_of(&c, &arch).lost[DC_LOSS_OCCUPANCY]);
  c = begin_code(256); // all at once anyway
  launch(&c, 256, 2 * arch.machine.sms, 128);
  assert_nothing(time_of(&c, &arch).lost[DC_LOSS_OCCUPANCY]);
}

// A wave and a half takes two.
static void the_last_wave_is_half_empty(void **state) {
  (void)state;
  dc_arch arch = idle_machine();
  code c = begin_code(256);
  launch(&c, 256, 3 * arch.machine.sms, 128);
  assert_saving(time_of(&c, &arch).lost[DC_LOSS_TAIL], 2 / 1.5, 2 / 1.5);
}

// So many trips in the lanes whose number has a bit.
static void loop_by_bit(code *c, unsigned bit, int64_t trips) {
  dc_expr has = op(c, DC_OP_AND, op(c, DC_OP_LSHR, tid(c), value(c, bit)), value(c, 1));
  uint32_t loop = open_loop(c, op(c, DC_OP_MUL, has, value(c, trips)));
  c->kernel.loops[loop].loop_class = DC_CLASS_LANE_AFFINE;
  close_loop(c);
}

// Of lanes 0 and 4, 8 ... 28, which stand for all, 4 have the bit 3, and 4 the bit 4.
#define SHARE (31 / 32.0 * 4 / 7)
#define WARPS 32 // of an SM, in blocks of one

// Iterations of an SM's warps, each, of which so many do `more` than the others; of the SM that has
// most of them.
static double iterations(double others, double more) {
  double mean = others + SHARE * more, variance = SHARE * (1 - SHARE) * more * more;
  return mean * (1 + 2.6 * sqrt(variance / (mean * mean) / WARPS));
}

static code begin_issuing(dc_arch *arch) {
  *arch = idle_machine();
  arch->machine.issue = 100; // all wait for it
  code c = begin_code(32);
  launch(&c, 32, WARPS * arch->machine.sms, 16);
  return c;
}

static void loops_are_alike_one_by_one(void **state) {
  (void)state;
  dc_arch arch;
  code c = begin_issuing(&arch);
  loop_by_bit(&c, 3, 1000);
  loop_by_bit(&c, 4, 3000);
  dc_time_estimate time = time_of(&c, &arch);
  assert_int_equal(time.n_parts, 2);
  assert_int_equal(time.parts[0].loop, 1);
  assert_int_equal(time.parts[1].loop, 0);
  assert_int_equal(time.parts[0].branch, DC_NONE);
  double first = 4000 / iterations(1000, 3000), second = 4000 / iterations(3000, 1000);
  assert_saving(time.parts[0].lost, first, first);
  assert_saving(time.parts[1].lost, second, second);
}

// Lanes with the bit 4 do 3000 iterations, the others up to 1000.
static void sides_are_alike(void **state) {
  (void)state;
  dc_arch arch;
  code c = begin_issuing(&arch);
  uint32_t first = new_block(&c), second = new_block(&c), join = new_block(&c);
  branch_to(&c, op(&c, DC_OP_SLT, tid(&c), value(&c, 16)), first, second);
  c.at = first;
  loop_by_bit(&c, 3, 1000);
  fall_into(&c, join);
  c.at = second;
  uint32_t loop = open_loop(&c, value(&c, 3000));
  c.kernel.loops[loop].level = DC_UNIFORM;
  close_loop(&c);
  fall_into(&c, join);
  dc_time_estimate time = time_of(&c, &arch);
  assert_int_equal(time.n_parts, 2);
  assert_int_equal(time.parts[0].loop, DC_NONE);
  assert_int_equal(time.parts[0].branch, 0);
  double ratio = 4000 / iterations(1000, 2000);
  assert_saving(time.parts[0].lost, ratio, ratio);
}

// What is lost at the one loop is what the kernel loses; and two that run by one number are one.
static void a_single_loop_has_all_of_it(void **state) {
  (void)state;
  for (unsigned loops = 1; loops <= 2; ++loops) {
    dc_arch arch;
    code c = begin_issuing(&arch);
    for (unsigned k = 0; k < loops; ++k)
      loop_by_bit(&c, 4, 1000);
    dc_time_estimate time = time_of(&c, &arch);
    assert_int_equal(time.n_parts, 1);
    assert_true(time.parts[0].lost.low == time.lost[DC_LOSS_DIVERGENCE].low);
    assert_true(time.parts[0].lost.high == time.lost[DC_LOSS_DIVERGENCE].high);
    assert_true(time.lost[DC_LOSS_DIVERGENCE].high > 0.2);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_request_touches_the_fewest_lines),
                                     cmocka_unit_test(a_request_touches_the_fewest_sectors),
                                     cmocka_unit_test(registers_keep_blocks_out),
                                     cmocka_unit_test(the_last_wave_is_half_empty),
                                     cmocka_unit_test(loops_are_alike_one_by_one),
                                     cmocka_unit_test(sides_are_alike),
                                     cmocka_unit_test(a_single_loop_has_all_of_it)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
