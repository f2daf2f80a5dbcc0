// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions, efficiency and divergent branches as the machine is expected to have them, by hand
// and against drawn warps. Every block has 10 machine instructions, and one of 2 cycles in its mix.
#include "structured.h"

#include "divcost/estimate.h"

#include <math.h>

#define BLOCK 10.0
#define REGION 2.0 // before and behind a loop that lanes leave one by one
#define GUARD 4.0
#define LATCH 3.0

static void count_blocks(code *c) {
  for (uint32_t k = 0; k < c->kernel.n_blocks; ++k) {
    c->kernel.blocks[k].counted = true;
    c->kernel.blocks[k].machine = (uint32_t)BLOCK;
  }
}

// A loop of two blocks, header and body (and one more behind a second exit), and three blocks
// outside.
static code a_loop(const char *distribution, uint32_t factor, bool leaves_in_between) {
  code c = begin_code(32);
  uint32_t loop = open_loop(&c, DC_NO_EXPR);
  if (leaves_in_between)
    jump_if(&c, DC_NO_EXPR, c.leave[0]);
  c.kernel.loops[loop].distribution = dc_kernel_add_text(&c.kernel, distribution);
  c.kernel.loops[loop].trips_from = DC_FROM_ANNOTATED;
  c.kernel.loops[loop].unroll_expected = factor;
  c.kernel.loops[loop].unroll_shared = 3;
  c.kernel.loops[loop].unroll_once = 3;
  close_loop(&c);
  finish(&c);
  count_blocks(&c);
  return c;
}

static code one_loop(const char *distribution, uint32_t factor) {
  return a_loop(distribution, factor, false);
}

static dc_estimate checked_estimate(code *c, bool emulated) {
  dc_estimate estimate = estimate_code(c);
  assert_int_equal(estimate.emulated, emulated);
  dc_kernel_free(&c->kernel);
  return estimate;
}

static dc_estimate estimate_of(code *c) { return checked_estimate(c, false); }

static void machine_instructions_count_where_they_are_known(void **state) {
  (void)state;
  code c = one_loop("const(5)", 1);
  dc_estimate e = estimate_of(&c);
  assert_within(e.instructions.low, BLOCK * (3 + 5 * 2 + 1) + REGION, 1e-9);
  assert_within(e.efficiency.low, 1, 1e-12);
  assert_within(e.cycles.low, 2 * (3 + 5 * 2 + 1), 1e-12); // of the mix
  dc_estimate_free(&e);
}

// Of two trip counts, both are in nearly every warp of 32.
static void a_group_that_leaves_issues_the_end_of_the_region_by_itself(void **state) {
  (void)state;
  double some = 1 - 2 * pow(0.5, 32), iterations = 1 + 2 * (1 - pow(0.5, 32));
  code c = one_loop("list(1:0.5,3:0.5)", 1);
  dc_estimate e = estimate_of(&c);
  double once = BLOCK * (3 + 1) + REGION;
  assert_within(e.divergent_branches.low, some, 1e-9);
  assert_within(e.instructions.low, once + iterations * 2 * BLOCK + some, 1e-6);
  assert_within(e.efficiency.low, (once + 2 * 2 * BLOCK) / e.instructions.low, 1e-9);
  dc_estimate_free(&e);
}

// Two trip counts by two exits are four exits, all of them taken in nearly every warp.
static void lanes_that_leave_by_different_exits_part(void **state) {
  (void)state;
  code c = a_loop("list(1:0.5,3:0.5)", 1, true);
  dc_estimate e = estimate_of(&c);
  assert_within(e.divergent_branches.low, 4 * (1 - pow(0.75, 32)) - 1, 1e-9);
  assert_within(e.loops[0].divergent_exits.low, 1 - 2 * pow(0.5, 32), 1e-9); // as if alone
  dc_estimate_free(&e);
}

// 11 are two passes of 4, one of 2 and one of 1.
static void an_unrolled_loop_does_its_rest_in_halves(void **state) {
  (void)state;
  code c = one_loop("const(11)", 4);
  dc_estimate e = estimate_of(&c);
  double passes = 2 * (4 * 2 * BLOCK - 3 * LATCH) + (2 * 2 * BLOCK - LATCH) + 2 * BLOCK;
  assert_within(e.instructions.low, BLOCK * (3 + 1) + REGION + passes + 3 * GUARD, 1e-9);
  assert_within(e.cycles.low, 2 * (3 + 11 * 2 + 1), 1e-12); // of the loop as it is written
  assert_within(e.loops[0].divergent_exits.low, 0, 1e-12);
  dc_estimate_free(&e);
}

// Once for each warp with iterations, by the half of the lanes that have some.
static void addresses_of_an_unrolled_loop_are_begun_by_lanes_that_enter(void **state) {
  (void)state;
  double instructions[2], lanes[2];
  for (uint32_t setup = 0; setup < 2; ++setup) {
    code c = one_loop("list(0:0.5,4:0.5)", 4);
    c.kernel.loops[0].unroll_setup = 10 * setup;
    dc_estimate e = estimate_of(&c);
    instructions[setup] = e.instructions.low;
    lanes[setup] = 32 * e.efficiency.low * e.instructions.low;
    dc_estimate_free(&e);
  }
  assert_within(instructions[1] - instructions[0], 10 * (1 - pow(0.5, 32)), 1e-6);
  assert_within(lanes[1] - lanes[0], 10 * 16, 1e-6);
}

// Of a loop with a fixed number of iterations, behind one with a distribution: such kernels aren't
// emulated.
static double instructions_of_fixed(int64_t trips, uint32_t factor) {
  code c = begin_code(32);
  uint32_t distribution = open_loop(&c, DC_NO_EXPR);
  c.kernel.loops[distribution].distribution = dc_kernel_add_text(&c.kernel, "const(1)");
  c.kernel.loops[distribution].trips_from = DC_FROM_ANNOTATED;
  close_loop(&c);
  uint32_t loop = open_loop(&c, dc_expr_constant(&c.kernel.pool, 32, trips));
  c.kernel.loops[loop].level = DC_UNIFORM;
  c.kernel.loops[loop].loop_class = DC_CLASS_UNIFORM;
  c.kernel.loops[loop].unroll_expected = factor;
  c.kernel.loops[loop].unroll_shared = 3;
  c.kernel.loops[loop].unroll_once = 3;
  close_loop(&c);
  finish(&c);
  count_blocks(&c);
  dc_estimate e = estimate_of(&c);
  double instructions = e.instructions.low;
  dc_estimate_free(&e);
  return instructions;
}

// No guards: what is left over is known.
static void iterations_of_a_fixed_number_all_count(void **state) {
  (void)state;
  assert_within(instructions_of_fixed(10, 5), instructions_of_fixed(10, 1) - 8 * LATCH, 1e-9);
  assert_within(instructions_of_fixed(13, 4), instructions_of_fixed(13, 1) - 9 * LATCH, 1e-9);
  assert_within(instructions_of_fixed(3, 4), instructions_of_fixed(3, 1) - 2 * LATCH, 1e-9);
}

// Of 2.5 iterations in the mean, a pass of two and what is left over, which is issued anyway.
static void a_mean_of_iterations_that_lanes_do_together_leaves_half_a_pass(void **state) {
  (void)state;
  code c = one_loop("list(2:0.5,3:0.5)", 2);
  c.kernel.loops[0].level = DC_UNIFORM;
  dc_estimate e = estimate_of(&c);
  assert_within(e.instructions.low, BLOCK * (3 + 1) + 3 * 2 * BLOCK - LATCH + 2 * GUARD, 1e-9);
  dc_estimate_free(&e);
}

// A loop behind a block with such atomics. *once: what it would issue without them.
static dc_estimate estimate_contended(uint16_t of_one, uint16_t others, double *once) {
  code c = one_loop("const(5)", 1);
  c.kernel.blocks[0].contended_one = of_one;
  c.kernel.blocks[0].contended = others;
  *once = BLOCK * (3 + 5 * 2 + 1) + REGION;
  return estimate_of(&c);
}

// Lanes of one address wait for each other: 31 passes more, with 31, 30 ... 1 lanes.
static void lanes_that_are_tried_again_go_one_by_one(void **state) {
  (void)state;
  double once;
  dc_estimate e = estimate_contended(1, 0, &once);
  assert_within(e.instructions.low, once + 6 * 31, 1e-9);
  assert_within(e.instructions.high, once + 6 * 31, 1e-9);
  assert_within(e.efficiency.low, (once + 6 * 31 * 16 / 32.0) / (once + 6 * 31), 1e-9);
  dc_estimate_free(&e);
}

// Of other addresses, from none to all may be the same.
static void addresses_that_differ_are_assumed(void **state) {
  (void)state;
  double once;
  dc_estimate e = estimate_contended(0, 1, &once);
  assert_within(e.instructions.low, once, 1e-9);
  assert_within(e.instructions.high, once + 6 * 31, 1e-9);
  dc_estimate_free(&e);
}

// A loop in which lanes go round until they have swapped, known as that or not.
static dc_estimate estimate_swaps(dc_swaps swaps) {
  code c = one_loop("", 1);
  c.kernel.loops[0].loop_class = DC_CLASS_DATA_DEPENDENT;
  c.kernel.loops[0].level = DC_DIVERGENT;
  c.kernel.loops[0].swaps = (uint8_t)swaps;
  return estimate_of(&c);
}

static void lanes_that_swap_at_one_address_take_turns(void **state) {
  (void)state;
  dc_estimate e = estimate_swaps(DC_SWAPS_ONE);
  assert_int_equal(e.loops[0].from, DC_FROM_ASSUMED);
  assert_within(e.loops[0].mean_trips.low, 33 / 2.0, 1e-9);
  assert_within(e.loops[0].mean_trips.high, 33 / 2.0, 1e-9);
  assert_within(e.certain_efficiency.low, 1 / 32.0, 1e-12);
  dc_estimate_free(&e);
}

// 32 lanes at 256 addresses: 30.1 are done in the first pass, and the others in the second.
static void lanes_that_swap_where_they_like_may_meet(void **state) {
  (void)state;
  dc_estimate e = estimate_swaps(DC_SWAPS_OWN);
  assert_within(e.loops[0].mean_trips.low, 1, 1e-9);
  assert_within(e.loops[0].mean_trips.high, 33 / 2.0, 1e-9);
  assert_within(e.efficiency.high, 1, 1e-12);
  assert_true(e.efficiency.low < 0.6);
  dc_estimate_free(&e);
}

// What the plugin makes of one that is too large.
static void of_a_kernel_without_blocks_nothing_is_known(void **state) {
  (void)state;
  code c = {.loop = DC_NONE};
  uint32_t launch = dc_kernel_add_launch(&c.kernel);
  c.kernel.launches[launch] =
      (dc_launch){{32, 1, 1}, {1, 1, 1}, DC_BLOCK_OPTION, DC_NONE, 0, false};
  dc_estimate e = estimate_of(&c);
  assert_true(e.instructions.high < 0 && e.cycles.high < 0 && e.efficiency.high < 0);
  dc_estimate_free(&e);
}

// ---- against drawn warps ------------------------------------------------------------------------

static unsigned next_draw(uint64_t *seed, unsigned below) {
  *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (unsigned)((*seed >> 33) % below);
}

static bool some_and_not_all(const bool *lanes) {
  unsigned n = 0;
  for (unsigned lane = 0; lane < 32; ++lane)
    n += lanes[lane];
  return n > 0 && n < 32;
}

// What a warp issues, the mean of its lanes, and how often lanes diverge.
typedef struct drawn {
  double issued, of_lanes, parted;
} drawn;

static void add_pass(drawn *sum, unsigned iterations, unsigned lanes) {
  double instructions = iterations * 2 * BLOCK - (iterations - 1) * LATCH;
  sum->issued += instructions;
  sum->of_lanes += lanes * instructions / 32;
}

// Of as many passes as each lane has to do.
static void add_passes(drawn *sum, const unsigned *passes, unsigned iterations) {
  bool here[32];
  for (unsigned pass = 0;; ++pass) {
    unsigned n = 0, stay = 0;
    for (unsigned lane = 0; lane < 32; ++lane) {
      n += here[lane] = passes[lane] > pass;
      stay += passes[lane] > pass + 1;
    }
    sum->parted += pass == 0 ? some_and_not_all(here) : 0;
    if (n == 0)
      break;
    sum->parted += stay > 0 && stay < n;
    add_pass(sum, iterations, n);
  }
}

// Whole passes, and halves; which all lanes issue, or, of what LLVM has unrolled, those that need
// them, who do what is left of its copies one by one.
static void walk_warp(const unsigned *trips, unsigned factor, unsigned llvm, drawn *sum) {
  unsigned passes[32];
  for (unsigned lane = 0; lane < 32; ++lane)
    passes[lane] = trips[lane] / factor;
  add_passes(sum, passes, factor);
  for (unsigned size = factor / 2; size >= llvm; size /= 2) {
    for (unsigned lane = 0; lane < 32; ++lane)
      passes[lane] = trips[lane] / size % 2;
    if (llvm > 1)
      add_passes(sum, passes, size);
    else
      add_pass(sum, size, 32);
  }
  for (unsigned lane = 0; lane < 32; ++lane)
    passes[lane] = trips[lane] % llvm;
  add_passes(sum, passes, 1);
}

static void check_drawn(unsigned factor, unsigned llvm) {
  enum { WARPS = 20000, MOST = 20 };
  uint64_t seed = factor;
  drawn sum = {0, 0, 0};
  for (unsigned warp = 0; warp < WARPS; ++warp) {
    unsigned trips[32];
    for (unsigned lane = 0; lane < 32; ++lane)
      trips[lane] = 1 + next_draw(&seed, MOST);
    walk_warp(trips, factor, llvm, &sum);
  }
  code c = one_loop("uniform(1, 20)", factor);
  c.kernel.loops[0].unroll_llvm = llvm;
  dc_estimate e = estimate_of(&c);
  double kinds = 1 + log2(factor / llvm) + (llvm > 1),
         once = BLOCK * (3 + 1) + REGION + GUARD * kinds;
  double issued = once + (sum.issued + sum.parted) / WARPS, of_lanes = once + sum.of_lanes / WARPS;
  assert_within(e.divergent_branches.low, sum.parted / WARPS, 0.005 * sum.parted / WARPS);
  assert_within(e.instructions.low, issued, 0.002 * issued);
  assert_within(e.efficiency.low, of_lanes / issued, 0.005);
  dc_estimate_free(&e);
}

static void an_unrolled_loop_is_as_drawn(void **state) {
  (void)state;
  for (unsigned factor = 2; factor <= 8; factor *= 2)
    for (unsigned llvm = 1; llvm <= factor; llvm *= 2)
      check_drawn(factor, llvm);
}

// ---- emulated -----------------------------------------------------------------------------------

// Of a loop with a known number of iterations for each lane, or the same for all.
static dc_estimate estimate_emulated(int64_t trips, uint32_t factor, uint32_t llvm, double once) {
  code c = begin_code(32);
  dc_expr_pool *pool = &c.kernel.pool;
  dc_expr count = trips ? dc_expr_constant(pool, 32, trips)
                        : dc_expr_leaf(pool, DC_OP_TID, 32, DC_DIVERGENT, 0);
  uint32_t loop = open_loop(&c, count);
  dc_loop *data = &c.kernel.loops[loop];
  data->level = trips ? DC_UNIFORM : DC_DIVERGENT;
  data->loop_class = trips ? DC_CLASS_UNIFORM : DC_CLASS_LANE_AFFINE;
  data->unroll_expected = factor;
  data->unroll_llvm = llvm;
  data->unroll_shared = factor > 1 ? 3 : 0;
  data->unroll_once = once;
  close_loop(&c);
  finish(&c);
  count_blocks(&c);
  return checked_estimate(&c, true);
}

// Three iterations of which no loop is left: each has three instructions fewer, two blocks' test at
// the end is none, and what all share is there once, or a third of it.
static void of_a_loop_that_is_gone_nothing_is_tested(void **state) {
  (void)state;
  double written = BLOCK * (3 + 1) + 3 * 2 * BLOCK;
  for (int once = 0; once < 2; ++once) {
    dc_estimate e = estimate_emulated(3, 3, 0, once);
    assert_within(e.instructions.low, written - BLOCK - 3 * 3 + once, 1e-9);
    assert_within(e.efficiency.low, 1, 1e-12);
    dc_estimate_free(&e);
  }
}

// Lanes with 0, 1 ... 31 iterations: emulated one by one, and yet unrolled.
static void an_emulated_loop_is_unrolled(void **state) {
  (void)state;
  for (unsigned llvm = 1; llvm <= 4; llvm *= 2) {
    unsigned trips[32];
    for (unsigned lane = 0; lane < 32; ++lane)
      trips[lane] = lane;
    drawn sum = {0, 0, 0};
    walk_warp(trips, 4, llvm, &sum);
    sum.parted += 1; // in front of the loop, which one lane doesn't enter
    dc_estimate e = estimate_emulated(0, 4, llvm, 3);
    assert_within(e.divergent_branches.low, sum.parted, 1e-9);
    double kinds = 1 + log2(4 / llvm) + (llvm > 1), entering = 31.0 / 32;
    if (llvm == 1) // halves aren't for the lane without iterations
      sum.of_lanes -= (1 - entering) * (2 * 2 * BLOCK - LATCH + 2 * BLOCK);
    double issued = BLOCK * (3 + 1) + REGION + GUARD * kinds + sum.issued + sum.parted,
           of_lanes = BLOCK * (3 + 1) + REGION + GUARD * kinds * entering + sum.of_lanes;
    assert_within(e.instructions.low, issued, 1e-6);
    assert_within(e.efficiency.low, of_lanes / issued, 1e-6);
    dc_estimate_free(&e);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(machine_instructions_count_where_they_are_known),
      cmocka_unit_test(a_group_that_leaves_issues_the_end_of_the_region_by_itself),
      cmocka_unit_test(lanes_that_leave_by_different_exits_part),
      cmocka_unit_test(lanes_that_are_tried_again_go_one_by_one),
      cmocka_unit_test(addresses_that_differ_are_assumed),
      cmocka_unit_test(lanes_that_swap_at_one_address_take_turns),
      cmocka_unit_test(lanes_that_swap_where_they_like_may_meet),
      cmocka_unit_test(an_unrolled_loop_does_its_rest_in_halves),
      cmocka_unit_test(addresses_of_an_unrolled_loop_are_begun_by_lanes_that_enter),
      cmocka_unit_test(iterations_of_a_fixed_number_all_count),
      cmocka_unit_test(a_mean_of_iterations_that_lanes_do_together_leaves_half_a_pass),
      cmocka_unit_test(of_a_kernel_without_blocks_nothing_is_known),
      cmocka_unit_test(an_unrolled_loop_is_as_drawn),
      cmocka_unit_test(of_a_loop_that_is_gone_nothing_is_tested),
      cmocka_unit_test(an_emulated_loop_is_unrolled),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
