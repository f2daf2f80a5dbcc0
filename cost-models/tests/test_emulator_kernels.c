// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernel skeletons through the emulator: conditionals, loops with several exits, the two tree
// reductions, draws.
#include "structured.h"

#include "divcost/reconvergence.h"

static void release_code(code *c, emulated *e) {
  release_emulated(e);
  dc_kernel_free(&c->kernel);
}

// if (tid < limit) target.
static void begin_target(code *c, dc_expr condition, uint32_t *join) {
  uint32_t target = new_block(c);
  *join = new_block(c);
  branch_to(c, condition, target, *join);
  c->at = target;
}

// ---- conditionals -------------------------------------------------------------------------------

static void all_none_and_some_lanes_at_an_if(void **state) {
  (void)state;
  for (int rules = DC_RULES_STACK; rules <= DC_RULES_NONE; ++rules)
    for (int limit = 0; limit <= 32; limit += 8) {
      code c = begin_code(32);
      uint32_t join, target;
      begin_target(&c, op(&c, DC_OP_SLT, tid(&c), value(&c, limit)), &join);
      target = c.at;
      fall_into(&c, join);
      finish(&c);
      emulated e = emulate_code(&c, (dc_rules)rules, 32);
      dc_emulation r = run(&e);
      bool parts = limit > 0 && limit < 32;
      assert_int_equal(r.divergent_branches, parts);
      assert_int_equal(r.divergent_exits, 0);
      assert_int_equal(block_figures(&e, target).lane_executions, limit);
      assert_int_equal(block_figures(&e, target).executions, limit > 0 || rules == DC_RULES_NONE);
      assert_int_equal(block_figures(&e, join).executions, 1);
      assert_int_equal(r.pushes, rules == DC_RULES_STACK      ? 1 + parts
                                 : rules == DC_RULES_BARRIERS ? 1
                                                              : 0);
      release_code(&c, &e);
    }
}

static void nested_ifs_meet_at_their_own_joins(void **state) {
  (void)state;
  for (int rules = DC_RULES_STACK; rules <= DC_RULES_NONE; ++rules) {
    code c = begin_code(32);
    uint32_t outer, inner, before;
    begin_target(&c, op(&c, DC_OP_SLT, tid(&c), value(&c, 20)), &outer);
    begin_target(&c, op(&c, DC_OP_SLT, tid(&c), value(&c, 10)), &inner);
    fall_into(&c, inner);
    before = c.at;
    fall_into(&c, outer);
    finish(&c);
    emulated e = emulate_code(&c, (dc_rules)rules, 32);
    dc_emulation r = run(&e);
    assert_int_equal(r.divergent_branches, 2);
    assert_int_equal(block_figures(&e, before).executions, 1);
    assert_int_equal(block_figures(&e, before).lane_executions, 20);
    assert_int_equal(block_figures(&e, outer).executions, 1);
    assert_int_equal(block_figures(&e, outer).lane_executions, 32);
    release_code(&c, &e);
  }
}

// if (a && b) one; else other: both branches end at one place and share a region.
static void a_short_circuit_has_one_region(void **state) {
  (void)state;
  code c = begin_code(32);
  uint32_t second = new_block(&c), one = new_block(&c), other = new_block(&c), join = new_block(&c);
  branch_to(&c, op(&c, DC_OP_SLT, tid(&c), value(&c, 20)), second, other);
  c.at = second;
  branch_to(&c, op(&c, DC_OP_SLT, tid(&c), value(&c, 10)), one, other);
  c.at = one;
  add_edge_to(&c, one, join);
  add_edge_to(&c, other, join);
  c.at = join;
  finish(&c);
  emulated e = emulate_code(&c, DC_RULES_STACK, 32);
  dc_emulation r = run(&e);
  assert_int_equal(r.divergent_branches, 2);
  assert_int_equal(r.pushes, 1 + 2);
  assert_int_equal(block_figures(&e, one).lane_executions, 10);
  assert_int_equal(block_figures(&e, other).lane_executions, 22);
  assert_int_equal(block_figures(&e, join).executions, 1);
  release_code(&c, &e);
}

// A switch of four ways, drawn: every lane goes one of them, and they meet after it.
static void a_switch_parts_as_often_as_it_has_further_ways(void **state) {
  (void)state;
  for (int rules = DC_RULES_STACK; rules <= DC_RULES_NONE; ++rules) {
    code c = begin_code(32);
    uint32_t join = new_block(&c), targets[4];
    uint32_t branch = dc_kernel_add_branch(&c.kernel);
    c.kernel.branches[branch] = (dc_branch){.block = 0,
                                            .condition = DC_NO_EXPR,
                                            .level = DC_DIVERGENT,
                                            .exits = DC_NONE,
                                            .location = DC_NONE};
    c.kernel.blocks[0].branch = branch;
    for (unsigned k = 0; k < 4; ++k)
      add_edge_to(&c, 0, targets[k] = new_block(&c));
    for (unsigned k = 0; k < 4; ++k)
      add_edge_to(&c, targets[k], join);
    c.at = join;
    finish(&c);
    emulated e = emulate_code(&c, (dc_rules)rules, 32);
    dc_emulation r = run(&e);
    uint64_t lanes = 0;
    for (unsigned k = 0; k < 4; ++k) {
      assert_int_equal(block_figures(&e, targets[k]).executions, 1);
      lanes += block_figures(&e, targets[k]).lane_executions;
    }
    assert_int_equal(lanes, 32);
    assert_int_equal(r.divergent_branches, 3);
    assert_int_equal(block_figures(&e, join).executions, 1);
    assert_true(r.uses_assumed);
    release_code(&c, &e);
  }
}

// A branch that is expected to be predicated: both targets issue, with all lanes, and nothing is
// managed.
static void a_predicated_branch_is_not_managed(void **state) {
  (void)state;
  for (int rules = DC_RULES_STACK; rules <= DC_RULES_BARRIERS; ++rules)
    for (int limit = 0; limit <= 8; limit += 8) {
      code c = begin_code(32);
      uint32_t join;
      begin_target(&c, op(&c, DC_OP_SLT, tid(&c), value(&c, limit)), &join);
      uint32_t target = c.at;
      fall_into(&c, join);
      c.kernel.branches[0].predication = DC_PREDICATION_LIKELY;
      finish(&c);
      emulated e = emulate_code(&c, (dc_rules)rules, 32);
      dc_emulation r = run(&e);
      assert_int_equal(r.divergent_branches, 0);
      assert_int_equal(r.pushes, 0);
      assert_int_equal(block_figures(&e, target).executions, 1);
      assert_int_equal(block_figures(&e, target).lane_executions, 32);
      release_code(&c, &e);
    }
}

// ---- loops --------------------------------------------------------------------------------------

// Lanes leave by the header, by a break, by a return; some begin the next iteration early.
static void lanes_leave_a_loop_by_different_exits(void **state) {
  (void)state;
  for (int rules = DC_RULES_STACK; rules <= DC_RULES_NONE; ++rules) {
    code c = begin_code(32);
    uint32_t loop = open_loop(&c, value(&c, 5));
    uint32_t body = c.at;
    dc_expr third = op(&c, DC_OP_EQ, iteration(&c, loop), value(&c, 2));
    // In the third iteration lanes 0 to 7 break; 8 to 15 return; 16 to 23 continue.
    jump_if(&c, op(&c, DC_OP_AND, third, op(&c, DC_OP_ULT, tid(&c), value(&c, 8))), c.leave[0]);
    jump_if(&c, op(&c, DC_OP_AND, third, op(&c, DC_OP_ULT, tid(&c), value(&c, 16))), c.end);
    jump_if(&c, op(&c, DC_OP_AND, third, op(&c, DC_OP_ULT, tid(&c), value(&c, 24))), c.again[0]);
    uint32_t tail = c.at;
    close_loop(&c);
    uint32_t after = c.at;
    finish(&c);
    emulated e = emulate_code(&c, (dc_rules)rules, 32);
    dc_emulation r = run(&e);
    assert_int_equal(block_figures(&e, body).lane_executions, 16 * 3 + 16 * 5);
    assert_int_equal(block_figures(&e, tail).lane_executions, 32 * 2 + 8 * 3 + 8 * 2);
    // All but those that returned run what comes after, together; all meet at the end.
    assert_int_equal(block_figures(&e, after).lane_executions, 24);
    assert_int_equal(block_figures(&e, c.end).lane_executions, 32);
    assert_int_equal(block_figures(&e, c.end).executions, 1);
    if (rules == DC_RULES_NONE) // elsewhere they meet at the immediate post-dominator only
      assert_int_equal(block_figures(&e, after).executions, 1);
    assert_int_equal(r.divergent_exits, 2);
    assert_false(r.uses_assumed);
    release_code(&c, &e);
  }
}

// The skeleton as the compiler hands it over has the test in the header; compilers put a guard
// before the loop, and the test at its end. The figures are theirs.
static void loops_of_skeletons_have_the_closed_forms_figures(void **state) {
  (void)state;
  uint64_t random = 3;
  for (unsigned trial = 0; trial < 200; ++trial) {
    code c = begin_code(32);
    int64_t factor = (int64_t)(random_bits(&random) % 40), counts[32];
    unsigned mask = (1u << random_bits(&random) % 6) - 1;
    dc_expr trips =
        op(&c, DC_OP_AND, op(&c, DC_OP_MUL, tid(&c), value(&c, factor)), value(&c, mask));
    bool twice = random_bits(&random) % 2;
    open_loop(&c, trips);
    if (twice) {
      open_loop(&c, trips);
      close_loop(&c);
    }
    close_loop(&c);
    finish(&c);
    for (unsigned lane = 0; lane < 32; ++lane)
      counts[lane] = (int64_t)lane * factor & mask;
    dc_reconvergence wanted;
    assert_int_equal(
        (twice ? dc_double_loop_listed : dc_single_loop_listed)(counts, 32, &wanted, NULL), DC_OK);
    emulated e = emulate_code(&c, DC_RULES_STACK, 32);
    dc_emulation r = run(&e);
    assert_true(r.divergent_exits == wanted.divergent_exits);
    assert_true(r.divergent_branches == wanted.divergent_exits + wanted.divergent_guard);
    assert_true(r.max_depth == wanted.depth);
    release_code(&c, &e);
  }
}

// ---- tree reductions ----------------------------------------------------------------------------

// What is seen of the branch in the loop: by warp and step, who is there and who adds.
typedef struct steps_seen {
  const emulated *e;
  uint32_t branch_block, target_block, loop, n_loops;
  unsigned lanes[16], adding[16], executed[16];
} steps_seen;

static unsigned count_bits(uint64_t x) {
  unsigned n = 0;
  for (; x; x &= x - 1)
    ++n;
  return n;
}

static void see(void *context, const dc_step *step) {
  steps_seen *s = context;
  const dc_instruction *in = &s->e->program.code[step->pc];
  if (in->opcode != DC_OPCODE_BLOCK || !step->active)
    return;
  unsigned lane = 0;
  while (!(step->active >> lane & 1))
    ++lane;
  int64_t k = step->iv[lane * s->n_loops + s->loop];
  if (in->region == s->branch_block) {
    ++s->executed[k];
    s->lanes[k] += count_bits(step->active);
  } else if (in->region == s->target_block) {
    s->adding[k] += count_bits(step->active);
  }
}

typedef struct tree {
  code c;
  uint32_t loop, branch, target;
} tree;

// Interleaved: stride 1, 2, 4 ..., every 2 stride-th thread adds. Sequential: stride n/2 ... 1, the
// first `stride` threads add.
static tree make_tree(uint32_t threads, bool interleaved) {
  tree t = {.c = begin_code(threads)};
  code *c = &t.c;
  int64_t rounds = 0;
  while (UINT32_C(1) << rounds < threads)
    ++rounds;
  t.loop = open_loop(c, value(c, rounds));
  dc_expr stride = interleaved ? op(c, DC_OP_SHL, value(c, 1), iteration(c, t.loop))
                               : op(c, DC_OP_LSHR, value(c, threads / 2), iteration(c, t.loop));
  dc_expr twice = op(c, DC_OP_MUL, stride, value(c, 2));
  dc_expr adds = interleaved ? op(c, DC_OP_EQ, op(c, DC_OP_UREM, tid(c), twice), value(c, 0))
                             : op(c, DC_OP_ULT, tid(c), stride);
  uint32_t join;
  t.branch = c->at;
  begin_target(c, adds, &join);
  t.target = c->at;
  fall_into(c, join);
  close_loop(c);
  finish(c);
  return t;
}

static bool adds_in(uint32_t thread, uint32_t threads, unsigned k, bool interleaved) {
  return interleaved ? thread % (2u << k) == 0 : thread < threads / 2 >> k;
}

// Runs all warps; checks each step of each against a plain count; gives the divergent branches.
static uint64_t check_tree(uint32_t threads, bool interleaved, dc_rules rules) {
  tree t = make_tree(threads, interleaved);
  emulated e = emulate_code(&t.c, rules, 32);
  e.options.block[0] = threads;
  uint64_t divergent = 0, plain = 0;
  for (uint32_t warp = 0; warp < threads / 32; ++warp) {
    steps_seen s = {.e = &e,
                    .branch_block = t.branch,
                    .target_block = t.target,
                    .loop = t.loop,
                    .n_loops = t.c.kernel.n_loops};
    e.options.warp = warp;
    e.options.first_lane = 32 * warp;
    e.options.trace = see;
    e.options.context = &s;
    divergent += run(&e).divergent_branches;
    uint64_t parted = 0;
    for (unsigned k = 0; 1u << k < threads; ++k) {
      unsigned adding = 0;
      for (uint32_t lane = 0; lane < 32; ++lane)
        adding += adds_in(32 * warp + lane, threads, k, interleaved);
      assert_int_equal(s.executed[k], 1);
      assert_int_equal(s.lanes[k], 32);
      assert_int_equal(s.adding[k], adding);
      parted += adding > 0 && adding < 32;
    }
    assert_int_equal(block_figures(&e, t.branch).divergent, parted);
    plain += parted;
  }
  assert_int_equal(divergent, plain);
  release_code(&t.c, &e);
  return divergent;
}

static void tree_reductions_diverge_exactly_where_a_plain_count_says(void **state) {
  (void)state;
  for (int rules = DC_RULES_STACK; rules <= DC_RULES_NONE; ++rules)
    for (uint32_t threads = 32; threads <= 1024; threads *= 2) {
      uint64_t warps = threads / 32;
      uint64_t interleaved = check_tree(threads, true, (dc_rules)rules);
      uint64_t sequential = check_tree(threads, false, (dc_rules)rules);
      // Interleaved: all warps in the first five steps, then half of them, a quarter ... one.
      assert_int_equal(interleaved, 5 * warps + (warps - 1));
      // Sequential: the first warp in the last five steps.
      assert_int_equal(sequential, 5);
      assert_int_equal(interleaved - sequential, 6 * (warps - 1));
    }
}

// ---- draws --------------------------------------------------------------------------------------

static void a_distribution_is_drawn_alike_under_all_rules_and_changes_with_the_seed(void **state) {
  (void)state;
  made distribution = make("geometric(0.1)", NULL);
  dc_sampler sampler;
  assert_int_equal(dc_sampler_build(&distribution.distribution, &sampler, NULL), DC_OK);
  uint64_t lanes[3][2], total = 0;
  for (int rules = DC_RULES_STACK; rules <= DC_RULES_NONE; ++rules)
    for (unsigned seed = 0; seed < 2; ++seed) {
      code c = begin_code(32);
      open_loop(&c, DC_NO_EXPR);
      uint32_t body = c.at;
      close_loop(&c);
      finish(&c);
      emulated e = emulate_code(&c, (dc_rules)rules, 32);
      e.options.distributions = &sampler;
      e.options.seed = seed;
      total = 0;
      for (uint32_t warp = 0; warp < 500; ++warp) {
        e.options.warp = warp;
        assert_false(run(&e).uses_assumed);
        total += block_figures(&e, body).lane_executions;
      }
      lanes[rules][seed] = total;
      release_code(&c, &e);
    }
  assert_int_equal(lanes[0][0], lanes[1][0]);
  assert_int_equal(lanes[0][0], lanes[2][0]);
  assert_int_not_equal(lanes[0][0], lanes[0][1]);
  // 16000 draws: mean 10, standard deviation of their mean 9.5 / 126.
  assert_within((double)total / 16000, 10, 0.3);
  dc_sampler_free(&sampler);
  release(&distribution);
}

// With a correlation, a share of the warps runs one draw for all lanes: the distribution of each
// lane stays what it is, and the longest lane of a warp is as the estimate has it.
static void lanes_of_a_warp_may_be_correlated(void **state) {
  (void)state;
  enum { WARPS = 4000 };
  made distribution = make("geometric(0.1)", NULL);
  double maximum;
  dc_expected_maximum(&distribution.distribution, 32, &maximum, NULL);
  dc_sampler sampler;
  assert_int_equal(dc_sampler_build(&distribution.distribution, &sampler, NULL), DC_OK);
  for (int percent = 0; percent <= 100; percent += 50) {
    double r = percent / 100.0, lanes = 0, iterations = 0;
    code c = begin_code(32);
    open_loop(&c, DC_NO_EXPR);
    uint32_t body = c.at;
    close_loop(&c);
    finish(&c);
    c.kernel.loops[0].correlation = r;
    emulated e = emulate_code(&c, DC_RULES_BARRIERS, 32);
    e.options.distributions = &sampler;
    for (uint32_t warp = 0; warp < WARPS; ++warp) {
      e.options.warp = warp;
      run(&e);
      lanes += (double)block_figures(&e, body).lane_executions / WARPS / 32;
      iterations += (double)block_figures(&e, body).executions / WARPS;
    }
    // Standard deviations of the means: up to 0.15 for a distribution of variance 90, and 0.2.
    assert_within(lanes, 10, 0.6);
    assert_within(iterations, 10 * r + (1 - r) * maximum, 1);
    release_code(&c, &e);
  }
  dc_sampler_free(&sampler);
  release(&distribution);
}

// Drawn trips are iid: the emulator's means are the closed form's.
static void the_closed_form_for_iid_trips_is_the_emulators_mean(void **state) {
  (void)state;
  enum { WARPS = 4000 };
  made distribution = make("uniform(0,12)", NULL);
  dc_sampler sampler;
  double depths[33], exits = 0, depth = 0, deep = 0;
  dc_reconvergence wanted;
  assert_int_equal(dc_sampler_build(&distribution.distribution, &sampler, NULL), DC_OK);
  assert_int_equal(dc_single_loop(&distribution.distribution, 32, &wanted, NULL), DC_OK);
  assert_int_equal(dc_single_loop_depth(&distribution.distribution, 32, depths, NULL), DC_OK);
  code c = begin_code(32);
  open_loop(&c, DC_NO_EXPR);
  close_loop(&c);
  finish(&c);
  emulated e = emulate_code(&c, DC_RULES_STACK, 32);
  e.options.distributions = &sampler;
  for (uint32_t warp = 0; warp < WARPS; ++warp) {
    e.options.warp = warp;
    dc_emulation r = run(&e);
    exits += (double)r.divergent_exits / WARPS;
    depth += (double)r.max_depth / WARPS;
    deep += r.max_depth > 10 ? 1.0 / WARPS : 0;
  }
  // Standard deviations of these means are about 0.015 and 0.008.
  assert_within(exits, wanted.divergent_exits, 0.08);
  assert_within(depth, wanted.depth, 0.08);
  assert_within(deep, dc_depth_exceeds(depths, 32, 10), 0.04);
  release_code(&c, &e);
  dc_sampler_free(&sampler);
  release(&distribution);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_none_and_some_lanes_at_an_if),
      cmocka_unit_test(nested_ifs_meet_at_their_own_joins),
      cmocka_unit_test(a_short_circuit_has_one_region),
      cmocka_unit_test(a_switch_parts_as_often_as_it_has_further_ways),
      cmocka_unit_test(a_predicated_branch_is_not_managed),
      cmocka_unit_test(lanes_leave_a_loop_by_different_exits),
      cmocka_unit_test(loops_of_skeletons_have_the_closed_forms_figures),
      cmocka_unit_test(tree_reductions_diverge_exactly_where_a_plain_count_says),
      cmocka_unit_test(a_distribution_is_drawn_alike_under_all_rules_and_changes_with_the_seed),
      cmocka_unit_test(lanes_of_a_warp_may_be_correlated),
      cmocka_unit_test(the_closed_form_for_iid_trips_is_the_emulators_mean),
  };
  return cmocka_run_group_tests_name("emulator_kernels", tests, NULL, NULL);
}
