// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts of a kernel's blocks: random structured programs are emulated, which counts all of their
// blocks; from those that the plan has counted must follow the others. And what idles, by hand.
#include "random_code.h"
#include "unit/counted_side.h"

#include "kernel/instructions.h"
#include "kernel/regions.h"
#include "unit/kernel_graph.h"
#include "unit/lanes_together.h"

#include "divcost/block_counts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static unsigned programs(void) { return (unsigned)cases_of(2000, 60); }

// The block that leads into a loop of a random program: open_loop goes on from the current one.
static uint32_t way_into(const dc_kernel *kernel, uint32_t loop) {
  uint32_t found = DC_NONE;
  for (uint32_t b = 0; b < kernel->n_blocks; ++b) {
    const dc_block *block = &kernel->blocks[b];
    for (uint32_t s = 0; s < block->n_successors; ++s)
      if (kernel->successors[block->first_successor + s] == kernel->loops[loop].header &&
          !is_inside(kernel, block->loop, loop))
        found = b;
  }
  return found;
}

static dc_block_count executed(uint64_t warps, uint64_t lanes) {
  return (dc_block_count){.known = true, .warps = warps, .lanes = lanes};
}

typedef struct counted {
  dc_unit_kernel of;
  dc_block_plan *plan;
  dc_block_count *counts;
  const dc_slow_path *slow; // one, or NULL
  bool all_known;
} counted;

static void free_counted(counted *c) {
  free(c->of.measured.parts);
  free(c->plan);
  free(c->counts);
}

// Whether a block does nothing but come round to a loop's header.
static bool is_bare_latch(const dc_kernel *kernel, uint32_t block) {
  const dc_block *data = &kernel->blocks[block];
  uint32_t instructions = 0;
  for (unsigned mix = 0; mix < DC_MIX_COUNT; ++mix)
    instructions += data->mix[mix];
  uint32_t to = data->n_successors == 1 ? kernel->successors[data->first_successor] : DC_NONE;
  return instructions == 0 && to != DC_NONE && kernel->blocks[to].loop != DC_NONE &&
         kernel->loops[kernel->blocks[to].loop].header == to &&
         is_inside(kernel, data->loop, kernel->blocks[to].loop);
}

// bodies: of the kernel's loops, of which `recorded` are; or NULL. Where `entries`, blocks that
// lead into loops can't be counted, nor those that only come round, as passes add them.
static counted plan(const dc_kernel *kernel, const uint32_t *bodies, const bool *recorded,
                    bool entries) {
  counted c = {.of.kernel = *kernel};
  uint32_t none[64];
  bool countable[512];
  assert_true(kernel->n_loops <= 64 && kernel->n_blocks <= 512);
  memset(none, 0xff, sizeof none);
  memset(countable, 1, sizeof countable);
  for (uint32_t l = 0; entries && l < kernel->n_loops; ++l)
    countable[way_into(kernel, l)] = false;
  for (uint32_t b = 0; entries && b < kernel->n_blocks; ++b)
    countable[b] &= !is_bare_latch(kernel, b);
  c.plan = calloc(kernel->n_blocks, sizeof *c.plan);
  c.counts = calloc(kernel->n_blocks, sizeof *c.counts);
  assert_int_equal(
      dc_plan_blocks(kernel, bodies ? bodies : none, recorded, countable, NULL, c.plan, NULL),
      DC_OK);
  return c;
}

static void count_with(counted *c, const dc_profile_counts *const *trips) {
  assert_int_equal(dc_unit_count(&c->of, c->plan, c->counts, trips, c->slow, c->slow ? 1 : 0, 1,
                                 &c->all_known, NULL),
                   DC_OK);
}

static void count(counted *c) { count_with(c, NULL); }

// Loops of random programs have a header that tests, and a body behind it.
static void find_bodies(const dc_kernel *kernel, uint32_t *bodies) {
  for (uint32_t l = 0; l < kernel->n_loops; ++l)
    bodies[l] = kernel->successors[kernel->blocks[kernel->loops[l].header].first_successor];
}

// Latches of half of the programs do nothing else.
static void empty_latches(dc_kernel *kernel) {
  for (uint32_t b = 0; b < kernel->n_blocks; ++b) {
    dc_block saved = kernel->blocks[b];
    memset(kernel->blocks[b].mix, 0, sizeof kernel->blocks[b].mix);
    if (!is_bare_latch(kernel, b))
      kernel->blocks[b] = saved;
  }
}

static void check_program(uint64_t seed, unsigned *n_counted, unsigned *n_constant,
                          unsigned *n_blocks) {
  code c = random_program(seed);
  if (seed / 4 % 2)
    empty_latches(&c.kernel);
  emulated e = emulate_code(&c, DC_RULES_BARRIERS, 32);
  uint32_t bodies[64];
  bool recorded[64];
  run(&e);
  find_bodies(&c.kernel, bodies);
  for (uint32_t l = 0; l < c.kernel.n_loops; ++l)
    recorded[l] = (seed / 8 + l) % 3 > 0;
  counted k = plan(&c.kernel, seed % 2 ? bodies : NULL, recorded, seed / 2 % 2);
  for (uint32_t b = 0; b < c.kernel.n_blocks; ++b) {
    dc_emulated truth = block_figures(&e, b);
    bool counts = k.plan[b].by == DC_COUNTED_HERE || k.plan[b].by == DC_COUNTED_LOOP ||
                  k.plan[b].by == DC_COUNTED_ENTRIES;
    if (counts)
      k.counts[b] = executed(truth.executions, truth.lane_executions);
    // What passes add can't be counted.
    if (seed / 2 % 2 && k.plan[b].by == DC_COUNTED_HERE && is_bare_latch(&c.kernel, b))
      fail_msg("program %u, block %u: it can't be counted", (unsigned)seed, (unsigned)b);
    *n_counted += counts;
    *n_constant += k.plan[b].by == DC_COUNTED_TIMES;
    ++*n_blocks;
  }
  count(&k);
  assert_true(k.all_known);
  double idle = k.of.measured.untold;
  for (uint32_t b = 0; b < c.kernel.n_blocks; ++b) {
    dc_emulated truth = block_figures(&e, b);
    if (k.plan[b].by != DC_COUNTED_NOT &&
        (k.counts[b].lanes != truth.lane_executions || k.counts[b].warps != truth.executions))
      fail_msg("program %u, block %u: %u by %u, not %u by %u; planned %u of %u", (unsigned)seed,
               (unsigned)b, (unsigned)k.counts[b].warps, (unsigned)k.counts[b].lanes,
               (unsigned)truth.executions, (unsigned)truth.lane_executions, (unsigned)k.plan[b].by,
               (unsigned)k.plan[b].of);
  }
  for (uint32_t p = 0; p < k.of.measured.n_parts; ++p)
    idle += k.of.measured.parts[p].share;
  assert_true(fabs(idle - (1 - k.of.measured.efficiency)) < 1e-9);
  free_counted(&k);
  release_emulated(&e);
  dc_kernel_free(&c.kernel);
}

// What blocks without counts are bounded by: lanes execute a block at most as often as its
// dominator in the same loop, and warps as often as the blocks that lead to it.
static void check_bounds(uint64_t seed) {
  code c = random_program(seed);
  emulated e = emulate_code(&c, DC_RULES_BARRIERS, 32);
  run(&e);
  dc_code_instruction *nothing = calloc(c.kernel.n_blocks, sizeof *nothing);
  dc_code_graph g = {0};
  assert_true(nothing && dc__kernel_graph(&c.kernel, nothing, &g));
  for (uint32_t b = 0; b < c.kernel.n_blocks; ++b) {
    uint32_t before = g.blocks[b].dominator;
    while (before != DC_CODE_NONE && g.blocks[before].loop != g.blocks[b].loop)
      before = g.blocks[before].dominator;
    if (before == DC_CODE_NONE)
      continue;
    dc_emulated it = block_figures(&e, b), of = block_figures(&e, before);
    uint64_t ways = 0;
    for (uint32_t from = g.in.first[b]; from < g.in.first[b + 1]; ++from)
      ways += block_figures(&e, g.in.to[from]).executions;
    assert_true(it.lane_executions <= of.lane_executions);
    assert_true(it.executions <= ways);
  }
  dc__graph_free(&g);
  free(nothing);
  release_emulated(&e);
  dc_kernel_free(&c.kernel);
}

static void dominators_bound_what_is_not_counted(void **unused) {
  (void)unused;
  for (uint64_t seed = 0; seed < programs(); ++seed)
    check_bounds(seed);
}

static void all_blocks_follow_from_those_that_are_counted(void **unused) {
  (void)unused;
  unsigned n_counted = 0, n_constant = 0, n_blocks = 0;
  for (uint64_t seed = 0; seed < programs(); ++seed)
    check_program(seed, &n_counted, &n_constant, &n_blocks);
  print_message("%u of %u blocks were counted, and %u are a multiple of these\n", n_counted,
                n_blocks, n_constant);
  assert_true(n_counted < n_blocks * 3 / 4 && n_constant > 0);
}

static void fall_from(code *c, uint32_t block, uint32_t to) {
  c->at = block;
  fall_into(c, to);
}

static void branch_from(code *c, uint32_t block, uint32_t first, uint32_t second) {
  c->at = block;
  branch_to(c, DC_NO_EXPR, first, second);
}

// if (...) { 10 instructions } else { 20 instructions }, in 2 warps of 32 lanes.
static code two_sides(uint32_t *one, uint32_t *other) {
  code c = begin_code(64);
  *one = new_block(&c);
  *other = new_block(&c);
  uint32_t join = new_block(&c);
  c.kernel.blocks[*one].mix[DC_MIX_INTEGER] = 10;
  c.kernel.blocks[*other].mix[DC_MIX_INTEGER] = 20;
  branch_to(&c, DC_NO_EXPR, *one, *other);
  c.at = *one;
  fall_into(&c, join);
  c.at = *other;
  fall_into(&c, join);
  finish(&c);
  return c;
}

static counted count_sides_with(const code *c, const dc_slow_path *slow, uint64_t lanes_one,
                                uint64_t lanes_other) {
  counted k = plan(&c->kernel, NULL, NULL, false);
  k.slow = slow;
  for (uint32_t b = 0; b < c->kernel.n_blocks; ++b)
    if (k.plan[b].by == DC_COUNTED_HERE)
      k.counts[b] = executed(2, 64);
  k.counts[c->kernel.successors[c->kernel.blocks[0].first_successor]] = executed(2, lanes_one);
  k.counts[c->kernel.successors[c->kernel.blocks[0].first_successor + 1]] =
      executed(lanes_other > 0, lanes_other);
  count(&k);
  return k;
}

static counted count_sides(const code *c, uint64_t lanes_one, uint64_t lanes_other) {
  return count_sides_with(c, NULL, lanes_one, lanes_other);
}

// if (...) {} else if (...) { if (...) {} }: all lanes meet in one place but those of the third.
static void branches_whose_lanes_meet_in_one_place_share_it(void **unused) {
  (void)unused;
  code c = begin_code(64);
  uint32_t one = new_block(&c), rest = new_block(&c), two = new_block(&c), three = new_block(&c),
           inner = new_block(&c), join = new_block(&c);
  branch_to(&c, DC_NO_EXPR, one, rest);
  fall_from(&c, one, join);
  branch_from(&c, rest, two, join);
  branch_from(&c, two, three, inner);
  fall_from(&c, three, inner);
  fall_from(&c, inner, join);
  finish(&c);
  for (int together = 0; together < 2; ++together) {
    uint16_t regions[8] = {0};
    c.kernel.branches[c.kernel.blocks[0].branch].level = together ? DC_UNIFORM : DC_DIVERGENT;
    dc__count_regions(&c.kernel, regions);
    assert_int_equal(regions[0], together ? 0 : 2);
    assert_int_equal(regions[rest], together ? 2 : 0);
    assert_int_equal(regions[two], 2);
    assert_int_equal(regions[one] + regions[three] + regions[inner] + regions[join], 0);
  }
  dc_kernel_free(&c.kernel);
}

// if (a && (b ? c : d)) {}: those of c and d meet in the body first.
static void ways_that_meet_before_are_a_place_of_their_own(void **unused) {
  (void)unused;
  code c = begin_code(64);
  uint32_t which = new_block(&c), one = new_block(&c), other = new_block(&c), body = new_block(&c),
           join = new_block(&c);
  branch_to(&c, DC_NO_EXPR, which, join);
  branch_from(&c, which, one, other);
  branch_from(&c, one, body, join);
  branch_from(&c, other, body, join);
  fall_from(&c, body, join);
  finish(&c);
  uint16_t regions[8] = {0};
  dc__count_regions(&c.kernel, regions);
  assert_int_equal(regions[0], 2);
  assert_int_equal(regions[which], 2);
  assert_int_equal(regions[one] + regions[other] + regions[body] + regions[join], 0);
  dc_kernel_free(&c.kernel);
}

// 3 instructions of 2 full warps; 20 of two warps with 40 lanes; 20 of one with 24.
static void what_idles_is_charged_to_the_branch(void **unused) {
  (void)unused;
  uint32_t one, other;
  code c = two_sides(&one, &other);
  counted k = count_sides(&c, 40, 24);
  assert_true(k.all_known && k.of.measured.launches == 1);
  assert_int_equal(k.of.measured.by, DC_MEASURED_RECORDER);
  double lanes = 3 * 64 + 10 * 40 + 20 * 24, slots = 32 * (3 * 2 + 10 * 2 + 20 * 1);
  assert_true(fabs(k.of.measured.efficiency - lanes / slots) < 1e-12);
  assert_int_equal(k.of.measured.n_parts, 1);
  assert_int_equal(k.of.measured.parts[0].branch, c.kernel.blocks[0].branch);
  assert_true(fabs(k.of.measured.parts[0].share - (1 - lanes / slots)) < 1e-12);
  assert_true(k.of.measured.untold == 0 && k.of.measured.time_share < 0);
  free_counted(&k);
  dc_kernel_free(&c.kernel);
}

static void count_machine_code(code *c) {
  for (uint32_t b = 0; b < c->kernel.n_blocks; ++b) {
    c->kernel.blocks[b].counted = true;
    c->kernel.blocks[b].machine = c->kernel.blocks[b].mix[DC_MIX_INTEGER];
  }
}

// Of machine code: two more instructions of the branch, one before and one behind, and the latter
// once more for the warp that has lanes on both sides. With one side only, it is the same.
static void groups_that_parted_meet_one_by_one(void **unused) {
  (void)unused;
  uint32_t one, other;
  code c = two_sides(&one, &other);
  count_machine_code(&c);
  counted k = count_sides(&c, 40, 24);
  double lanes = (3 + 2) * 64 + 10 * 40 + 20 * 24, slots = 32 * ((3 + 2) * 2 + 10 * 2 + 20 + 1);
  assert_true(fabs(k.of.measured.efficiency - lanes / slots) < 1e-12);
  assert_int_equal(k.of.measured.n_parts, 1);
  assert_true(fabs(k.of.measured.parts[0].share - (1 - lanes / slots)) < 1e-12);
  free_counted(&k);
  dc_kernel_free(&c.kernel);
}

// Of one address it is known how often lanes try; of others it isn't, and where that matters
// nothing is said.
static void atomics_that_are_tried_again_are_told_if_their_address_is(void **unused) {
  (void)unused;
  for (int same = 0; same < 2; ++same) {
    uint32_t one, other;
    code c = two_sides(&one, &other);
    count_machine_code(&c);
    if (same)
      c.kernel.blocks[0].contended_one = 1;
    else
      c.kernel.blocks[0].contended = 1;
    counted k = count_sides(&c, 64, 0);
    assert_int_equal(k.all_known, same);
    // 31 tries more of each of two warps, of 6 instructions, by 31, 30 ... 1 lanes.
    double lanes = 5 * 64 + 10 * 64 + 6 * 2 * 31 * 16, slots = 32 * (5 * 2 + 10 * 2 + 6 * 2 * 31);
    if (same) {
      assert_true(fabs(k.of.measured.efficiency - lanes / slots) < 1e-12);
      assert_true(k.of.measured.untold > 0.4 && k.of.measured.of_blocks > 0.5);
    }
    free_counted(&k);
    dc_kernel_free(&c.kernel);
  }
}

// Where the tries in vain of an atomic are counted, its addresses needn't be known: 4 of 8 lanes
// each, in each of two warps.
static void counted_tries_are_told_whatever_the_address(void **unused) {
  (void)unused;
  for (int same = 0; same < 2; ++same) {
    uint32_t one, other;
    code c = two_sides(&one, &other);
    count_machine_code(&c);
    c.kernel.blocks[0].contended_one = same ? 1 : 0;
    c.kernel.blocks[0].contended = same ? 0 : 1;
    const dc_slow_path tries = {
        .location = DC_NONE, .tried = true, .block = 0, .count = executed(2 * 7, 2 * 4 * 28)};
    counted k = count_sides_with(&c, &tries, 64, 0);
    assert_true(k.all_known);
    double lanes = 5 * 64 + 10 * 64 + 6 * 2 * 4 * 28, slots = 32 * (5 * 2 + 10 * 2 + 6 * 2 * 7);
    assert_true(fabs(k.of.measured.efficiency - lanes / slots) < 1e-12);
    free_counted(&k);
    dc_kernel_free(&c.kernel);
  }
}

// Where what isn't known matters by 10 points at most, the middle is told: it is 5 off at most.
static void the_middle_is_told_of_tries_that_matter_little(void **unused) {
  (void)unused;
  unsigned told = 0, cases = 0;
  for (uint32_t machine = 100; machine < 3000; machine += 100, ++cases) {
    uint32_t one, other;
    code c = two_sides(&one, &other);
    count_machine_code(&c);
    c.kernel.blocks[0].contended = 1;
    c.kernel.blocks[0].machine = machine;
    counted k = count_sides(&c, 64, 0);
    double slots = 64 * (machine + 4 + 10.0), tries = 6 * 2 * 31;
    double least = (slots + tries * 16) / (slots + tries * 32);
    assert_int_equal(k.all_known, least >= 0.9);
    told += k.all_known;
    if (k.all_known)
      assert_true(fabs(k.of.measured.efficiency - (1 + least) / 2) < 1e-9);
    free_counted(&k);
    dc_kernel_free(&c.kernel);
  }
  assert_true(told > 0 && told < cases);
}

// 2 warps enter, of one all lanes: 16 lanes of the other have 8 trips, and the rest none.
static void guards_of_unrolled_loops_are_for_lanes_that_have_trips(void **unused) {
  (void)unused;
  code c = begin_code(64);
  uint32_t loop = open_loop(&c, DC_NO_EXPR), bodies = DC_NONE;
  close_loop(&c);
  finish(&c);
  count_machine_code(&c);
  c.kernel.loops[loop].unroll_expected = 4;
  dc_profile_counts trips = {.entries = 2, .warp_iterations = 16, .pairs = 2 * 496};
  trips.lanes[0] = 16;
  trips.lanes[8] = 48;
  double efficiency[2], warps = 0;
  for (int with = 0; with < 2; ++with) {
    const dc_profile_counts *of = with ? &trips : NULL;
    counted k = plan(&c.kernel, &bodies, &(bool){true}, false);
    for (uint32_t b = 0; b < c.kernel.n_blocks; ++b)
      if (k.plan[b].by == DC_COUNTED_HERE)
        k.counts[b] = c.kernel.blocks[b].loop == DC_NONE ? executed(2, 64) : executed(16, 384);
    count_with(&k, &of);
    assert_true(k.all_known);
    double share = k.of.measured.untold;
    for (uint32_t p = 0; p < k.of.measured.n_parts; ++p)
      share += k.of.measured.parts[p].share;
    assert_true(fabs(share - (1 - k.of.measured.efficiency)) < 1e-12);
    for (uint32_t b = 0; b < c.kernel.n_blocks && !with; ++b)
      warps += (double)k.counts[b].warps * c.kernel.blocks[b].machine;
    efficiency[with] = k.of.measured.efficiency;
    free_counted(&k);
  }
  // Both warps do as many iterations as those do whose lanes are independent: 12 instructions
  // (three guards) of 48 lanes, by both, and both part at the end of the loop.
  double slots = 32 * (warps + 2 * 2), lanes = efficiency[0] * slots; // with two in front of it
  double some = 1 - pow(0.25, 32), parts = 1 - pow(0.25, 32) - pow(0.75, 32);
  assert_true(fabs(efficiency[1] - (lanes + 12 * 48) / (slots + 32 * 2 * (12 * some + parts))) <
              1e-12);
  dc_kernel_free(&c.kernel);
}

// 2 warps do 16 iterations: of four copies three have 3 instructions less, which all of the loop is
// taken to be shorter by.
static void copies_of_an_unrolled_loop_share_instructions(void **unused) {
  (void)unused;
  const double saved = 3 * 3 / 4.0 * 16;
  double lanes[2], warps = 0, in_loop = 0, lanes_in_loop = 0;
  code c = begin_code(64);
  uint32_t loop = open_loop(&c, DC_NO_EXPR), bodies = DC_NONE;
  close_loop(&c);
  finish(&c);
  count_machine_code(&c);
  for (uint32_t b = 0; b < c.kernel.n_blocks; ++b)
    c.kernel.blocks[b].machine *= 10;
  for (int unrolled = 0; unrolled < 2; ++unrolled) {
    c.kernel.loops[loop].unroll_expected = unrolled ? 4 : 1;
    c.kernel.loops[loop].unroll_shared = unrolled ? 3 : 0;
    c.kernel.loops[loop].unroll_once = unrolled ? 3 : 0;
    counted k = plan(&c.kernel, &bodies, &(bool){true}, false);
    for (uint32_t b = 0; b < c.kernel.n_blocks; ++b)
      if (k.plan[b].by == DC_COUNTED_HERE)
        k.counts[b] = c.kernel.blocks[b].loop == DC_NONE ? executed(2, 64) : executed(16, 384);
    count_with(&k, NULL);
    assert_true(k.all_known);
    double share = k.of.measured.untold;
    for (uint32_t p = 0; p < k.of.measured.n_parts; ++p)
      share += k.of.measured.parts[p].share;
    assert_true(fabs(share - (1 - k.of.measured.efficiency)) < 1e-12);
    for (uint32_t b = 0; b < c.kernel.n_blocks && !unrolled; ++b) {
      double inside = c.kernel.blocks[b].loop == loop ? c.kernel.blocks[b].machine : 0;
      warps += (double)k.counts[b].warps * c.kernel.blocks[b].machine;
      in_loop += (double)k.counts[b].warps * inside;
      lanes_in_loop += (double)k.counts[b].lanes * inside;
    }
    lanes[unrolled] = k.of.measured.efficiency * 32 * (warps + 2 * 2 - (unrolled ? saved : 0));
    free_counted(&k);
  }
  assert_true(fabs(lanes[0] - lanes[1] - saved / in_loop * lanes_in_loop) < 1e-9);
  dc_kernel_free(&c.kernel);
}

// 2 warps, in each of which 4 lanes do 16 iterations, in passes of four, and the others 3, one by
// one: passes save more of the warps' iterations than of the lanes'.
static void passes_save_what_the_longest_lanes_do(void **unused) {
  (void)unused;
  const double shared = 3, any = 1 - pow(28 / 32.0, 32), per_lane = 4 * 4 * shared * 8 / 296,
               per_warp = any * 4 * 4 * shared / (any * 16 + 3),
               iterations = 32 * (any * 16 + 3) / (any * 13 + 3);
  code c = begin_code(64);
  uint32_t loop = open_loop(&c, DC_NO_EXPR), bodies = DC_NONE;
  close_loop(&c);
  finish(&c);
  count_machine_code(&c);
  dc_profile_counts trips = {.entries = 2, .warp_iterations = 32};
  trips.lanes[16] = 8;
  trips.lanes[3] = 56;
  const dc_profile_counts *of = &trips;
  double warps[2];
  for (int shares = 0; shares < 2; ++shares) {
    for (uint32_t b = 0; b < c.kernel.n_blocks && !shares; ++b)
      c.kernel.blocks[b].machine *= 10;
    c.kernel.loops[loop].unroll_expected = c.kernel.loops[loop].unroll_llvm = 4;
    c.kernel.loops[loop].unroll_shared = shares ? (uint32_t)shared : 0;
    counted k = plan(&c.kernel, &bodies, &(bool){true}, false);
    for (uint32_t b = 0; b < c.kernel.n_blocks; ++b)
      if (k.plan[b].by == DC_COUNTED_HERE)
        k.counts[b] = c.kernel.blocks[b].loop == DC_NONE ? executed(2, 64) : executed(32, 296);
    count_with(&k, &of);
    assert_true(k.all_known);
    double lanes = 2 * 4 * 64 + 2 * 64; // two guards, and two instructions in front of the loop
    double in_loop = 0, lanes_in_loop = 0;
    for (uint32_t b = 0; b < c.kernel.n_blocks; ++b) {
      double inside = c.kernel.blocks[b].loop == loop ? c.kernel.blocks[b].machine : 0;
      lanes += (double)k.counts[b].lanes * c.kernel.blocks[b].machine;
      in_loop += (double)k.counts[b].warps * inside;
      lanes_in_loop += (double)k.counts[b].lanes * inside;
    }
    lanes -= shares ? per_lane * 32 / in_loop * lanes_in_loop : 0;
    warps[shares] = lanes / (32 * k.of.measured.efficiency);
    double share = k.of.measured.untold;
    for (uint32_t p = 0; p < k.of.measured.n_parts; ++p)
      share += k.of.measured.parts[p].share;
    assert_true(fabs(share - (1 - k.of.measured.efficiency)) < 1e-12);
    free_counted(&k);
  }
  assert_true(fabs(warps[0] - warps[1] - iterations * per_warp) < 1e-9);
  dc_kernel_free(&c.kernel);
}

// The trip counts of rows of a matrix whose neighbours are of a size: each warp has its own mean.
static void draw_rows(uint8_t (*rows)[32], unsigned n, dc_profile_counts *trips) {
  uint64_t random = 7;
  *trips = (dc_profile_counts){.entries = n};
  for (unsigned w = 0; w < n; ++w) {
    unsigned mean = (unsigned)pick(&random, 30), most = 0;
    for (unsigned lane = 0; lane < 32; ++lane) {
      unsigned row = mean;
      for (unsigned k = 0; k < 12; ++k)
        row += (unsigned)pick(&random, 2);
      rows[w][lane] = (uint8_t)row;
      most = row > most ? row : most;
      ++trips->lanes[row];
    }
    trips->warp_iterations += most;
  }
}

static double most_passes_of(uint8_t (*rows)[32], unsigned n, dc_passes kind) {
  double sum = 0;
  for (unsigned w = 0; w < n; ++w) {
    double most = 0;
    for (unsigned lane = 0; lane < 32; ++lane)
      most = fmax(most, dc__passes_of(kind, rows[w][lane]));
    sum += most;
  }
  return sum / n;
}

// Lanes of a size are all in one whole pass or two, but hardly ever leave the same rest.
static void lanes_of_a_size_do_as_many_passes_and_leave_different_rests(void **unused) {
  (void)unused;
  enum { ROWS = 2000 };
  static uint8_t rows[ROWS][32];
  dc_profile_counts trips;
  draw_rows(rows, ROWS, &trips);
  dc_together together = dc__lanes_together(&trips);
  assert_true(together.same > 0.5 && together.same < 1);
  dc_passes kind = dc__passes_whole(16);
  do {
    double most = most_passes_of(rows, ROWS, kind);
    assert_true(fabs(dc__most_passes(&together, kind) - most) < 0.05 * most + 0.05);
  } while (dc__passes_next(16, 4, &kind));
  assert_true(fabs(dc__any_iterates(&together) - 1) < 0.01);

  // Alike, and one by one.
  trips.warp_iterations = dc_profile_total(&trips).iterations / 32;
  together = dc__lanes_together(&trips);
  assert_true(together.same >= 1 && dc__more_groups(&together, 4) <= 0);
  trips.warp_iterations = ROWS * 42;
  together = dc__lanes_together(&trips);
  assert_true(together.same <= 0 && dc__more_groups(&together, 4) > 5);
}

static void counts_through_which_lanes_are_lost_are_not_used(void **unused) {
  (void)unused;
  uint32_t one, other;
  code c = two_sides(&one, &other);
  counted k = count_sides(&c, 40, 20);
  assert_true(!k.all_known && k.of.measured.launches == 0);
  free_counted(&k);
  dc_kernel_free(&c.kernel);
}

// A side that nobody counted: of 20 of 26 instructions, and of one in 108.
static void what_cannot_matter_need_not_be_known(void **unused) {
  (void)unused;
  for (int small = 0; small < 2; ++small) {
    uint32_t one, other;
    code c = two_sides(&one, &other);
    c.kernel.blocks[0].mix[DC_MIX_INTEGER] = small ? 100 : 1;
    c.kernel.blocks[one].mix[DC_MIX_INTEGER] = 5;
    c.kernel.blocks[other].mix[DC_MIX_INTEGER] = small ? 1 : 20;
    counted k = plan(&c.kernel, NULL, NULL, false);
    for (uint32_t b = 0; b < c.kernel.n_blocks; ++b)
      if (k.plan[b].by == DC_COUNTED_HERE && b != other)
        k.counts[b] = executed(2, b == one ? 40 : 64);
    count(&k);
    assert_int_equal(k.all_known, small);
    assert_int_equal(k.of.measured.launches, small);
    free_counted(&k);
    dc_kernel_free(&c.kernel);
  }
}

// By what of the 64 lanes doesn't go to the other one: in a warp or two, which matters if the side
// is large.
static void a_side_is_known_by_the_other_one(void **unused) {
  (void)unused;
  for (int large = 0; large < 2; ++large) {
    uint32_t one, other;
    code c = two_sides(&one, &other);
    c.kernel.blocks[0].mix[DC_MIX_INTEGER] = 100;
    c.kernel.blocks[other].mix[DC_MIX_INTEGER] = large ? 100 : 2;
    counted k = plan(&c.kernel, NULL, NULL, false);
    for (uint32_t b = 0; b < c.kernel.n_blocks; ++b)
      if (k.plan[b].by == DC_COUNTED_HERE && b != other)
        k.counts[b] = b == one ? executed(1, 32) : executed(2, 64);
    count(&k);
    assert_int_equal(k.all_known, !large);
    assert_true(k.counts[other].known);
    assert_int_equal(k.counts[other].lanes, 32);
    assert_int_equal(k.counts[other].warps, 1);
    free_counted(&k);
    dc_kernel_free(&c.kernel);
  }
}

static void a_side_has_whole_warps_or_one_lane_in_each(void **unused) {
  (void)unused;
  dc_block_count branch = executed(100, 3200), other = executed(40, 640),
                 more = executed(101, 3201);
  uint64_t unsure;
  dc_block_count side = dc__count_side(&branch, &other, &unsure);
  assert_true(side.known && side.lanes == 2560 && side.warps == 90 && unsure == 10); // 80 to 100
  other = executed(100, 3190);
  side = dc__count_side(&branch, &other, &unsure);
  assert_true(side.known && side.lanes == 10 && side.warps == 5 && unsure == 5); // 1 to 10
  other = executed(99, 3200);
  side = dc__count_side(&branch, &other, &unsure);
  assert_true(side.known && side.lanes == 0 && side.warps == 0 && unsure == 0);
  assert_false(dc__count_side(&branch, &more, &unsure).known);
}

// A function that 64 lanes begin, and that `lanes` call, so often each.
static bool knows_called(uint64_t lanes, uint32_t calls) {
  uint32_t one, other;
  code c = two_sides(&one, &other);
  uint32_t called = new_block(&c);
  c.kernel.blocks[one].mix[DC_MIX_CALL] = calls;
  c.kernel.blocks[called].mix[DC_MIX_INTEGER] = 50;
  assert_int_equal(dc_kernel_add_call(&c.kernel, DC_CALL_NOT_INLINED, "f"), 0);
  counted k = count_sides(&c, lanes, 64 - lanes);
  assert_int_equal(k.plan[called].by, DC_COUNTED_HERE);
  bool known = k.all_known && k.of.measured.launches > 0;
  free_counted(&k);
  dc_kernel_free(&c.kernel);
  return known;
}

static void functions_are_counted_that_nobody_else_calls(void **unused) {
  (void)unused;
  assert_true(knows_called(64, 1));
  assert_false(knows_called(40, 1)); // others call it, too
  assert_false(knows_called(64, 2)); // half of the calls go elsewhere
}

static void what_happens_in_calls_is_not_known(void **unused) {
  (void)unused;
  uint32_t one, other;
  code c = two_sides(&one, &other);
  assert_int_equal(dc_kernel_add_call(&c.kernel, DC_CALL_NOT_INLINED, "f"), 0);
  counted k = count_sides(&c, 40, 24);
  assert_true(!k.all_known && k.of.measured.launches == 0);
  free_counted(&k);
  dc_kernel_free(&c.kernel);
}

// As LLVM's own blocks are predicated, and returns: with all lanes of the branch.
// Of malloc, which is no function of its own, where it may matter: beside 10 instructions, not
// beside a thousand times what its lanes may take.
static void what_the_runtime_does_is_not_known(void **unused) {
  (void)unused;
  for (unsigned often = 0; often < 2; ++often) {
    uint32_t one, other;
    code c = two_sides(&one, &other);
    c.kernel.blocks[one].mix[DC_MIX_CALL] = 1;
    c.kernel.blocks[0].mix[DC_MIX_INTEGER] = often ? 5 : 300000000;
    counted k = count_sides(&c, 40, 24);
    assert_int_equal(k.all_known, !often);
    free_counted(&k);
    dc_kernel_free(&c.kernel);
  }
}

static void predicated_sides_are_not_counted(void **unused) {
  (void)unused;
  uint32_t one, other;
  code c = two_sides(&one, &other);
  c.kernel.branches[0].predication = DC_PREDICATION_LIKELY;
  counted k = plan(&c.kernel, NULL, NULL, false);
  assert_int_equal(k.plan[one].by, DC_COUNTED_WITH);
  assert_int_equal(k.plan[other].by, DC_COUNTED_WITH);
  assert_int_equal(k.plan[0].by, DC_COUNTED_HERE);
  free_counted(&k);
  dc_kernel_free(&c.kernel);
}

// 3 instructions of two full warps; and in one of them 5 lanes take a slow path of 35, without one
// instruction of the fast one.
static void what_idles_in_a_slow_path_is_charged_to_its_line(void **unused) {
  (void)unused;
  code c = begin_code(64);
  c.kernel.blocks[0].mix[DC_MIX_INTEGER] = 3;
  finish(&c);
  uint32_t location = dc_kernel_add_location(&c.kernel);
  const dc_slow_path slow = {
      .location = location, .instructions = 35, .instead = 1, .count = executed(1, 5)};
  counted k = plan(&c.kernel, NULL, NULL, false);
  double instructions = 0;
  for (uint32_t b = 0; b < c.kernel.n_blocks; ++b) {
    k.counts[b] = k.plan[b].by == DC_COUNTED_HERE ? executed(2, 64) : (dc_block_count){0};
    instructions += (double)dc__block_instructions(&c.kernel.blocks[b]);
  }
  k.slow = &slow;
  count(&k);
  double lanes = instructions * 64 + 34 * 5, slots = 32 * (instructions * 2 + 35) - 5;
  assert_true(k.all_known);
  assert_true(fabs(k.of.measured.efficiency - lanes / slots) < 1e-12);
  assert_int_equal(k.of.measured.n_parts, 1);
  assert_int_equal(k.of.measured.parts[0].location, location);
  assert_true(k.of.measured.parts[0].loop == DC_NONE && k.of.measured.parts[0].branch == DC_NONE);
  assert_true(fabs(k.of.measured.parts[0].share - (1 - lanes / slots)) < 1e-12);
  free_counted(&k);
  dc_kernel_free(&c.kernel);
}

static void where_lanes_stay_apart_is_counted_by_itself(void **unused) {
  (void)unused;
  for (unsigned stay = 0; stay < 2; ++stay) {
    uint32_t one, other;
    code c = two_sides(&one, &other);
    uint32_t none[1] = {DC_NONE}, join = c.kernel.blocks[0].post_dominator;
    bool countable[8] = {true, true, true, true, true, true, true, true};
    uint8_t apart[8] = {(uint8_t)stay};
    dc_block_plan plan[8];
    assert_true(c.kernel.n_blocks <= 8);
    assert_int_equal(dc_plan_blocks(&c.kernel, none, NULL, countable, apart, plan, NULL), DC_OK);
    assert_int_equal(plan[join].by, stay ? DC_COUNTED_HERE : DC_COUNTED_AS);
    dc_kernel_free(&c.kernel);
  }
}

static void a_kernel_without_blocks_has_no_plan(void **unused) {
  (void)unused;
  dc_kernel kernel = {.location = DC_NONE};
  assert_int_equal(dc_plan_blocks(&kernel, NULL, NULL, NULL, NULL, NULL, NULL), DC_OK);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_blocks_follow_from_those_that_are_counted),
      cmocka_unit_test(dominators_bound_what_is_not_counted),
      cmocka_unit_test(branches_whose_lanes_meet_in_one_place_share_it),
      cmocka_unit_test(ways_that_meet_before_are_a_place_of_their_own),
      cmocka_unit_test(what_idles_is_charged_to_the_branch),
      cmocka_unit_test(groups_that_parted_meet_one_by_one),
      cmocka_unit_test(atomics_that_are_tried_again_are_told_if_their_address_is),
      cmocka_unit_test(counted_tries_are_told_whatever_the_address),
      cmocka_unit_test(the_middle_is_told_of_tries_that_matter_little),
      cmocka_unit_test(guards_of_unrolled_loops_are_for_lanes_that_have_trips),
      cmocka_unit_test(copies_of_an_unrolled_loop_share_instructions),
      cmocka_unit_test(passes_save_what_the_longest_lanes_do),
      cmocka_unit_test(lanes_of_a_size_do_as_many_passes_and_leave_different_rests),
      cmocka_unit_test(counts_through_which_lanes_are_lost_are_not_used),
      cmocka_unit_test(what_cannot_matter_need_not_be_known),
      cmocka_unit_test(a_side_is_known_by_the_other_one),
      cmocka_unit_test(a_side_has_whole_warps_or_one_lane_in_each),
      cmocka_unit_test(functions_are_counted_that_nobody_else_calls),
      cmocka_unit_test(what_happens_in_calls_is_not_known),
      cmocka_unit_test(what_the_runtime_does_is_not_known),
      cmocka_unit_test(predicated_sides_are_not_counted),
      cmocka_unit_test(what_idles_in_a_slow_path_is_charged_to_its_line),
      cmocka_unit_test(where_lanes_stay_apart_is_counted_by_itself),
      cmocka_unit_test(a_kernel_without_blocks_has_no_plan),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
