// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The estimate on hand-made kernels whose figures are known by hand or from the papers; on random
// nests against a simulation that runs every lane; and on iid nests against drawn trip counts.
#include "divcost/estimate.h"

#include "divcost/imbalance.h"
#include "divcost/reconvergence.h"

#include "skeleton.h"

static dc_arch arch_of(const char *name) {
  dc_arch arch;
  dc_error error = {0};
  if (dc_arch_find(name, &arch, &error) != DC_OK)
    fail_msg("%s", error.text);
  return arch;
}

static dc_estimate estimate_on(builder *b, const char *name) {
  dc_error error = {0};
  dc_estimate estimate = {0};
  dc_arch arch = arch_of(name);
  if (dc_kernel_validate(&b->kernel, &error) != DC_OK ||
      dc_estimate_kernel(&b->kernel, &arch, &b->kernel.launches[0], NULL, &estimate, &error) !=
          DC_OK)
    fail_msg("%s", error.text);
  return estimate;
}

static dc_estimate estimate(builder *b) { return estimate_on(b, "sm_90"); }

static void release_all(builder *b, dc_estimate *e) {
  dc_estimate_free(e);
  dc_kernel_free(&b->kernel);
}

static void check_interval(const char *name, dc_interval got, double low, double high) {
  if (!(fabs(got.low - low) <= 1e-9 * (1 + fabs(low))) ||
      !(fabs(got.high - high) <= 1e-9 * (1 + fabs(high))))
    fail_msg("%s is %.12g .. %.12g, not %.12g .. %.12g", name, got.low, got.high, low, high);
}

#define assert_interval(interval, low, high) check_interval(#interval, interval, low, high)
#define assert_is(interval, wanted) assert_interval(interval, wanted, wanted)
#define assert_not_known(interval) assert_interval(interval, -1, -1)

// ---- by hand ------------------------------------------------------------------------------------

// for (j = 0; j <= threadIdx.x; ++j), one warp: trips 1 ... 32, as in the paper's single loop.
static void a_triangular_loop(void **state) {
  (void)state;
  builder b = begin_kernel(32, 1, 1, 100);
  begin_loop(&b, apply(&b, DC_OP_ADD, thread(&b), number(&b, 1)), DC_DIVERGENT,
             DC_CLASS_LANE_AFFINE, 10);
  end_loop(&b, 4);
  dc_estimate e = estimate(&b);
  const dc_loop_estimate *l = &e.loops[0];
  assert_int_equal(l->from, DC_FROM_DERIVED);
  assert_is(l->entries, 1);
  assert_is(l->mean_trips, 16.5);
  assert_is(l->expected, 32 / 16.5);
  assert_is(l->aggregate, 32 / 16.5);
  assert_within(l->worst, 32 / 16.5, 1e-12);
  assert_is(l->efficiency, 16.5 / 32);
  assert_is(l->divergent_exits, 31);
  assert_not_known(l->stack_depth);
  assert_is(l->body, 32 * 10);
  assert_is(l->imbalance, 10 * (32 - 16.5));
  assert_is(l->reconvergence, 31 * 13);
  double cycles = 104 + 320 + 31 * 13;
  assert_is(e.cycles, cycles);
  assert_is(e.imbalance, 155);
  assert_is(e.reconvergence, 31 * 13);
  assert_is(e.efficiency, (104 * 32 + 10 * 528) / (32.0 * (104 + 320)));
  assert_is(e.divergent_branches, 31);
  assert_is(dc_loop_share(&e, 0), (155 + 31 * 13) / cycles);
  assert_is(dc_loop_share(&e, 7), 0);
  release_all(&b, &e);
}

// (int)(t < 20 ? NaN : t + 1.0f), or the other way round: not known in 20 lanes, or in 12.
static dc_expr counts_of_reals(builder *b, bool most) {
  dc_expr t = thread(b), nan = number(b, 0x7fc00000);
  dc_expr real = dc_expr_cast(&b->kernel.pool, DC_OP_SITOFP, 32, t);
  real = dc_expr_binary(&b->kernel.pool, DC_OP_FADD, real, number(b, 0x3f800000));
  dc_expr first = dc_expr_binary(&b->kernel.pool, DC_OP_SLT, t, number(b, 20));
  dc_expr chosen = dc_expr_apply(&b->kernel.pool, DC_OP_SELECT, 32, DC_UNIFORM, first,
                                 most ? nan : real, most ? real : nan, 0);
  return dc_expr_cast(&b->kernel.pool, DC_OP_FPTOSI, 32, chosen);
}

static void lanes_near_an_integer_go_with_the_lane_before(void **state) {
  (void)state;
  builder b = begin_kernel(32, 1, 1, 100);
  begin_loop(&b, counts_of_reals(&b, false), DC_DIVERGENT, DC_CLASS_LANE_AFFINE, 10);
  end_loop(&b, 4);
  dc_estimate e = estimate(&b);
  assert_int_equal(e.loops[0].from, DC_FROM_ASSUMED);
  assert_is(e.loops[0].mean_trips, (20 * 21 / 2.0 + 12 * 20) / 32);
  release_all(&b, &e);
  b = begin_kernel(32, 1, 1, 100);
  begin_loop(&b, counts_of_reals(&b, true), DC_DIVERGENT, DC_CLASS_LANE_AFFINE, 10);
  end_loop(&b, 4);
  e = estimate(&b);
  assert_is(e.loops[0].mean_trips, 64);
  assert_true(e.loops[0].aggregate.low == 1 && e.loops[0].aggregate.high > 4);
  assert_true(e.loops[0].share.low == 0);
  release_all(&b, &e);
}

// The same on the stack: n + 1 = 32 counts, depth 32, floor((31 - 12) / 4) = 4 spills.
static void a_triangular_loop_on_the_stack(void **state) {
  (void)state;
  builder b = begin_kernel(32, 1, 1, 0);
  begin_loop(&b, apply(&b, DC_OP_ADD, thread(&b), number(&b, 1)), DC_DIVERGENT,
             DC_CLASS_LANE_AFFINE, 10);
  end_loop(&b, 0);
  dc_estimate e = estimate_on(&b, "sm_35");
  assert_is(e.loops[0].stack_depth, 32);
  assert_is(e.loops[0].reconvergence, 31 * 32 + 4 * 84);
  dc_estimate_free(&e);
  e = estimate_on(&b, "sm_52");
  assert_is(e.loops[0].reconvergence, 31 * 26 + 4 * 176);
  dc_estimate_free(&e);
  e = estimate_on(&b, "sm_20"); // counts only
  assert_is(e.loops[0].stack_depth, 32);
  assert_is(e.loops[0].divergent_exits, 31);
  assert_is(e.loops[0].expected, 32 / 16.5);
  assert_not_known(e.loops[0].body);
  assert_not_known(e.cycles);
  assert_not_known(e.reconvergence);
  release_all(&b, &e);
}

// Table I of Bialas and Strzelecki: n divergent threads, trips 32 - n ... 32; 4 at a time from 17.
static void spills_of_single_loops(void **state) {
  (void)state;
  for (unsigned n = 0; n < 32; ++n) {
    builder b = begin_kernel(32, 1, 1, 0);
    dc_expr trips =
        apply(&b, DC_OP_SMAX, apply(&b, DC_OP_ADD, thread(&b), number(&b, 1)), number(&b, 32 - n));
    begin_loop(&b, trips, DC_DIVERGENT, DC_CLASS_LANE_AFFINE, 1);
    end_loop(&b, 0);
    dc_estimate e = estimate_on(&b, "sm_35");
    assert_is(e.loops[0].divergent_exits, n);
    assert_is(e.loops[0].stack_depth, n + 1);
    assert_is(e.loops[0].reconvergence, n * 32 + (n >= 16 ? (n - 12) / 4 : 0) * 84);
    release_all(&b, &e);
  }
}

// The double loop of the paper: inner trips = outer trips = threadIdx.x + 1: 33 * 31 / 2 + ... by
// the closed form n(65 - n)/2 exits in all, of which n are the outer's.
static void the_double_loop(void **state) {
  (void)state;
  builder b = begin_kernel(32, 1, 1, 0);
  dc_expr trips = apply(&b, DC_OP_ADD, thread(&b), number(&b, 1));
  begin_loop(&b, trips, DC_DIVERGENT, DC_CLASS_LANE_AFFINE, 2);
  begin_loop(&b, trips, DC_DIVERGENT, DC_CLASS_LANE_AFFINE, 3);
  end_loop(&b, 0);
  end_loop(&b, 0);
  dc_estimate e = estimate(&b);
  assert_is(e.divergent_branches, 31 * (65 - 31) / 2.0);
  assert_is(e.loops[1].entries, 32);
  assert_is(e.loops[1].body, 32 * 32 * 3);
  // Lane l works (l + 1)^2 inner iterations; the rest is lost to one loop or the other.
  double used = 32.0 * 33 * 65 / 6, slots = 32 * 32 * 32;
  assert_is(e.loops[1].efficiency, used / slots);
  assert_is(e.imbalance, (slots - used) / 32 * 3 + 2 * 15.5);
  double lost_inner = 0; // entries k = 0 ... 31: lanes k ... 31 take part, the longest runs 32
  for (int k = 0; k < 32; ++k)
    for (int lane = k; lane < 32; ++lane)
      lost_inner += (31 - lane) / 32.0;
  assert_is(e.loops[1].imbalance, 3 * lost_inner);
  release_all(&b, &e);
}

static void a_uniform_loop_loses_nothing(void **state) {
  (void)state;
  builder b = begin_kernel(48, 1, 1, 0);
  begin_loop(&b, number(&b, 20), DC_UNIFORM, DC_CLASS_UNIFORM, 5);
  end_loop(&b, 0);
  dc_estimate e = estimate(&b);
  const dc_loop_estimate *l = &e.loops[0];
  assert_int_equal(l->from, DC_FROM_DERIVED);
  assert_is(l->mean_trips, 20);
  assert_is(l->expected, 1);
  assert_is(l->aggregate, 1);
  assert_within(l->worst, 1, 0);
  assert_is(l->efficiency, 0.75); // one warp of 32 lanes, one of 16
  assert_is(l->divergent_exits, 0);
  assert_is(l->imbalance, 0);
  assert_is(l->body, 100);
  release_all(&b, &e);
}

static void a_uniform_loop_of_unknown_length_is_assumed(void **state) {
  (void)state;
  builder b = begin_kernel(256, 1, 1, 0);
  begin_loop(&b, DC_NO_EXPR, DC_BLOCK_UNIFORM, DC_CLASS_BLOCK_UNIFORM, 5);
  end_loop(&b, 0);
  begin_loop(&b, parameter(&b, false, 0), DC_UNIFORM, DC_CLASS_UNIFORM, 1);
  end_loop(&b, 0);
  uint32_t annotated = begin_loop(&b, DC_NO_EXPR, DC_UNIFORM, DC_CLASS_UNIFORM, 1);
  set_distribution(&b, annotated, "uniform(10,20)");
  end_loop(&b, 0);
  begin_loop(&b, parameter(&b, true, 12), DC_UNIFORM, DC_CLASS_UNIFORM, 1);
  end_loop(&b, 0);
  // The product (or difference) of two assumed values would mean nothing.
  begin_loop(&b, apply(&b, DC_OP_MUL, parameter(&b, false, 0), parameter(&b, false, 0)), DC_UNIFORM,
             DC_CLASS_UNIFORM, 0);
  end_loop(&b, 0);
  dc_estimate e = estimate(&b);
  assert_is(e.loops[4].mean_trips, 64);
  assert_int_equal(e.loops[0].from, DC_FROM_ASSUMED);
  assert_is(e.loops[0].mean_trips, 64);
  assert_is(e.loops[0].expected, 1);
  assert_int_equal(e.loops[1].from, DC_FROM_ASSUMED);
  assert_is(e.loops[1].mean_trips, 64);
  assert_is(e.loops[1].expected, 1);
  assert_is(e.loops[1].imbalance, 0);
  assert_int_equal(e.loops[2].from, DC_FROM_ANNOTATED);
  assert_is(e.loops[2].mean_trips, 15);
  assert_is(e.loops[2].aggregate, 1);
  assert_int_equal(e.loops[3].from, DC_FROM_DERIVED);
  assert_is(e.loops[3].mean_trips, 12);
  assert_is(e.cycles, 64 * 5 + 64 + 15 + 12);
  release_all(&b, &e);
}

// for (i = blockIdx.x * 256 + threadIdx.x; i < n; i += 256 * gridDim.x)
static builder grid_stride(bool known, int64_t n, unsigned grid) {
  builder b = begin_kernel(256, 1, 1, 0);
  b.kernel.launches[0].grid[0] = grid;
  b.kernel.launches[0].grid[1] = b.kernel.launches[0].grid[2] = grid ? 1 : 0;
  dc_expr first =
      apply(&b, DC_OP_ADD, apply(&b, DC_OP_MUL, block_index(&b), number(&b, 256)), thread(&b));
  dc_expr step = apply(&b, DC_OP_MUL, dc_expr_leaf(&b.kernel.pool, DC_OP_NCTAID, 32, DC_UNIFORM, 0),
                       number(&b, 256));
  dc_expr left = apply(&b, DC_OP_SUB, parameter(&b, known, n), first);
  begin_loop(&b, apply(&b, DC_OP_STEPS, left, step), DC_DIVERGENT, DC_CLASS_STRIDED, 4);
  end_loop(&b, 0);
  return b;
}

static void a_strided_loop_is_nearly_balanced(void **state) {
  (void)state;
  builder b = grid_stride(false, 0, 0);
  dc_estimate e = estimate(&b);
  assert_int_equal(e.loops[0].from, DC_FROM_ASSUMED);
  assert_true(e.loops[0].expected.low >= 1 && e.loops[0].expected.high < 1.05);
  assert_true(e.loops[0].aggregate.high < 1.05);
  assert_true(dc_loop_share(&e, 0).high < 0.05);
  release_all(&b, &e);
  // Known: 4 blocks, n = 1000 of 1024 threads; the last warp has 8 of 32 lanes at work.
  b = grid_stride(true, 1000, 4);
  e = estimate(&b);
  assert_int_equal(e.loops[0].from, DC_FROM_DERIVED);
  assert_is(e.loops[0].mean_trips, 1000 / 1024.0);
  assert_is(e.loops[0].expected, (31 * 1 + 4) / 32.0);
  assert_is(e.loops[0].aggregate, 1024 / 1000.0);
  assert_within(e.loops[0].worst, 4, 1e-12);
  assert_is(e.loops[0].body, 4);
  release_all(&b, &e);
}

// A strided loop whose ends come from memory: nothing to evaluate.
static void a_strided_loop_with_unknown_ends_is_nearly_balanced_too(void **state) {
  (void)state;
  builder b = begin_kernel(32, 1, 1, 0);
  dc_expr_pool *p = &b.kernel.pool;
  dc_expr begin = dc_expr_leaf(p, DC_OP_LOAD, 32, DC_WARP_UNIFORM, 0);
  dc_expr end = dc_expr_leaf(p, DC_OP_LOAD, 32, DC_WARP_UNIFORM, 1);
  dc_expr left = apply(&b, DC_OP_SUB, end, apply(&b, DC_OP_ADD, begin, thread(&b)));
  begin_loop(&b, apply(&b, DC_OP_STEPS, left, number(&b, 32)), DC_DIVERGENT, DC_CLASS_STRIDED, 4);
  end_loop(&b, 0);
  dc_kernel_add_load_name(&b.kernel, "row[r]");
  dc_kernel_add_load_name(&b.kernel, "row[r + 1]");
  dc_estimate e = estimate(&b);
  assert_int_equal(e.loops[0].from, DC_FROM_ASSUMED);
  assert_is(e.loops[0].mean_trips, 63.5);
  assert_is(e.loops[0].expected, 64 / 63.5);
  assert_is(e.loops[0].divergent_exits, 1);
  release_all(&b, &e);
}

// ---- distributions ------------------------------------------------------------------------------

// Swatman et al., table 1: Pois(30), 32 lanes: 1.400.
static void an_annotated_loop_has_the_papers_imbalance(void **state) {
  (void)state;
  builder b = begin_kernel(256, 1, 1, 7);
  uint32_t loop = begin_loop(&b, DC_NO_EXPR, DC_DIVERGENT, DC_CLASS_DATA_DEPENDENT, 10);
  set_distribution(&b, loop, "poisson(30)");
  end_loop(&b, 0);
  dc_estimate e = estimate(&b);
  const dc_loop_estimate *l = &e.loops[0];
  made m = make("poisson(30)", NULL);
  double maximum, wanted, paper = 0;
  dc_reconvergence counts;
  dc_expected_maximum(&m.distribution, 32, &maximum, NULL);
  dc_expected_imbalance(&m.distribution, 32, &wanted, NULL);
  dc_single_loop(&m.distribution, 32, &counts, NULL);
  FILE *file = fopen(DIVCOST_TEST_DATA "/table1.tsv", "r");
  char line[256];
  while (file && fgets(line, sizeof line, file))
    sscanf(line, "Pois(30) 32 %lf", &paper);
  fclose(file);
  assert_within(l->expected.low, paper, 0.0005);
  assert_int_equal(l->from, DC_FROM_ANNOTATED);
  assert_is(l->expected, wanted);
  assert_is(l->mean_trips, 30);
  assert_is(l->aggregate, maximum / 30);
  assert_is(l->efficiency, 30 / maximum);
  assert_is(l->body, 10 * maximum);
  assert_is(l->imbalance, 10 * (maximum - 30));
  assert_is(l->divergent_exits, counts.divergent_exits);
  assert_is(l->reconvergence, 13 * counts.divergent_exits);
  assert_within(l->worst, -1, 0); // a Poisson count has no bound
  assert_is(e.cycles, 7 + 10 * maximum + 13 * counts.divergent_exits);
  dc_estimate_free(&e);
  e = estimate_on(&b, "sm_35");
  assert_is(e.loops[0].stack_depth, counts.depth);
  // P(more than 16 different counts) is small, but spills aren't nothing.
  double spilled = e.loops[0].reconvergence.low - 32 * counts.divergent_exits;
  assert_true(spilled > 0 && spilled < 84);
  release(&m);
  release_all(&b, &e);
}

static void a_bounded_distribution_has_a_worst_case(void **state) {
  (void)state;
  builder b = begin_kernel(32, 1, 1, 0);
  uint32_t loop = begin_loop(&b, DC_NO_EXPR, DC_DIVERGENT, DC_CLASS_DATA_DEPENDENT, 1);
  set_distribution(&b, loop, "uniform(20,40)");
  end_loop(&b, 0);
  dc_estimate e = estimate(&b);
  assert_within(e.loops[0].worst, 32.0 * 40 / (40 + 31 * 20), 1e-12);
  release_all(&b, &e);
}

static void nothing_known_is_a_interval_over_the_assumed_distributions(void **state) {
  (void)state;
  builder b = begin_kernel(32, 1, 1, 0);
  dc_expr any = dc_expr_leaf(&b.kernel.pool, DC_OP_OPAQUE, 32, DC_DIVERGENT, 0);
  dc_kernel_add_opaque_name(&b.kernel, "memory");
  // What can be evaluated of tid + memory doesn't make it known.
  begin_loop(&b, apply(&b, DC_OP_ADD, thread(&b), any), DC_DIVERGENT, DC_CLASS_DATA_DEPENDENT, 1);
  end_loop(&b, 0);
  dc_estimate e = estimate(&b);
  dc_assumed_distributions distributions = dc_distributions_assumed(-1);
  made low = make(distributions.low, NULL), high = make(distributions.high, NULL);
  double least, most;
  dc_expected_imbalance(&low.distribution, 32, &least, NULL);
  dc_expected_imbalance(&high.distribution, 32, &most, NULL);
  assert_close(dc_distribution_mean(&low.distribution), dc_distribution_mean(&high.distribution),
               1e-9);
  assert_int_equal(e.loops[0].from, DC_FROM_ASSUMED);
  assert_is(e.loops[0].mean_trips, 64);
  assert_interval(e.loops[0].expected, least, most);
  assert_true(dc_loop_share(&e, 0).low < dc_loop_share(&e, 0).high);
  assert_within(e.loops[0].worst, -1, 0);
  release(&low);
  release(&high);
  release_all(&b, &e);
}

// The division is by zero in lane 0 only: seen in the walk, not before.
static void a_trip_count_that_fails_in_one_lane_falls_back(void **state) {
  (void)state;
  builder b = begin_kernel(32, 1, 1, 0);
  begin_loop(&b, apply(&b, DC_OP_UDIV, number(&b, 100), thread(&b)), DC_DIVERGENT, DC_CLASS_UNKNOWN,
             1);
  end_loop(&b, 0);
  dc_estimate e = estimate(&b);
  assert_int_equal(e.loops[0].from, DC_FROM_ASSUMED);
  assert_true(e.loops[0].expected.low < e.loops[0].expected.high);
  release_all(&b, &e);
}

static void errors_leave_nothing(void **state) {
  (void)state;
  builder b = begin_kernel(32, 1, 1, 0);
  uint32_t loop = begin_loop(&b, DC_NO_EXPR, DC_DIVERGENT, DC_CLASS_DATA_DEPENDENT, 1);
  set_distribution(&b, loop, "poisson(-1)");
  end_loop(&b, 0);
  dc_estimate e;
  dc_error error = {0};
  dc_arch arch = arch_of("sm_90a");
  assert_int_equal(dc_estimate_kernel(&b.kernel, &arch, &b.kernel.launches[0], NULL, &e, &error),
                   DC_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, "loops[0].distribution: "));
  assert_null(e.loops);
  dc_kernel_free(&b.kernel);
}

// ---- control flow -------------------------------------------------------------------------------

// if (...) { 10 } else { 20 } 1: as a diamond, entered by a block of 100.
static builder diamond(dc_uniformity level) {
  builder b = begin_kernel(32, 1, 1, 100);
  dc_kernel *k = &b.kernel;
  uint32_t left = add_block(&b, 10);
  b.current = 0;
  uint32_t right = add_block(&b, 20), join = add_block(&b, 1);
  add_edge(k, left, join);
  k->blocks[0].post_dominator = k->blocks[left].post_dominator = join;
  k->blocks[right].post_dominator = join;
  k->blocks[0].branch = dc_kernel_add_branch(k);
  k->branches[0] = (dc_branch){.block = 0,
                               .condition = DC_NO_EXPR,
                               .level = (uint8_t)level,
                               .exits = DC_NONE,
                               .location = DC_NONE};
  return b;
}

// How is assumed: all lanes take one target, by half; or each by half; or one lane in a warp the
// second.
static void targets_that_nobody_knows_are_a_interval(void **state) {
  (void)state;
  builder b = diamond(DC_DIVERGENT);
  dc_estimate e = estimate(&b);
  double none = pow(0.5, 32), most = 1 - 2 * none; // that a target is empty, that both are run
  double both = 10 + 20 - 30 * none;
  check_interval("cycles", e.cycles, 100 + 15 + 1, 100 + both + 1 + 16 * most);
  check_interval("divergent branches", e.divergent_branches, 0, most);
  double rare = 1 - pow(31 / 32.0, 32); // that the target of 20 is run; that of 10 always is
  double even = (101 * 32 + 15 * 32) / (32 * (101 + both));
  double of_rare = (101 + 10 * 31 / 32.0 + 20 / 32.0) / (101 + 10 + 20 * rare);
  assert_true(even < of_rare);
  check_interval("efficiency", e.efficiency, even, 1);
  dc_estimate_free(&e);
  b.kernel.branches[0].predication = DC_PREDICATION_LIKELY;
  e = estimate(&b);
  assert_is(e.cycles, 100 + 10 + 20 + 1);
  assert_is(e.efficiency, 1);
  release_all(&b, &e);
  b = diamond(DC_WARP_UNIFORM);
  e = estimate(&b);
  assert_is(e.cycles, 100 + 5 + 10 + 1);
  assert_is(e.divergent_branches, 0);
  release_all(&b, &e);
}

// A loop with a distribution, behind a branch on `condition` that all other lanes jump over.
static builder guarded(dc_expr_op op, int64_t bound) {
  builder b = begin_kernel(32, 1, 1, 0);
  uint32_t entry = b.current;
  uint32_t loop = begin_loop(&b, DC_NO_EXPR, DC_DIVERGENT, DC_CLASS_DATA_DEPENDENT, 1);
  set_distribution(&b, loop, "poisson(30)");
  end_loop(&b, 0);
  add_edge(&b.kernel, entry, b.current);
  dc_expr condition = apply(&b, op, thread(&b), number(&b, bound));
  uint32_t branch = dc_kernel_add_branch(&b.kernel);
  b.kernel.branches[branch] = (dc_branch){.block = entry,
                                          .condition = condition,
                                          .level = DC_DIVERGENT,
                                          .exits = DC_NONE,
                                          .location = DC_NONE};
  b.kernel.blocks[entry].branch = branch;
  b.kernel.blocks[entry].post_dominator = b.current;
  return b;
}

static void lanes_that_a_branch_keeps_away_lose_nothing(void **state) {
  (void)state;
  builder b = guarded(DC_OP_EQ, 0);
  dc_estimate e = estimate(&b);
  assert_is(e.loops[0].aggregate, 1);
  assert_is(e.loops[0].divergent_exits, 0);
  assert_is(e.loops[0].efficiency, 1.0 / 32);
  release_all(&b, &e);
  b = guarded(DC_OP_ULT, 32); // all come in
  e = estimate(&b);
  double all = e.loops[0].aggregate.low;
  assert_true(all > 1.3);
  release_all(&b, &e);
  b = guarded(DC_OP_ULT, 8);
  e = estimate(&b);
  assert_true(e.loops[0].aggregate.low > 1.2 && e.loops[0].aggregate.low < all);
  release_all(&b, &e);
  b = guarded(DC_OP_ULT, 0); // none does
  e = estimate(&b);
  assert_is(e.loops[0].entries, 0);
  release_all(&b, &e);
}

// The same diamond, divergent, on one target of a branch that the warp takes alike.
static void what_divergent_branches_double_is_taken_off_where_they_meet(void **state) {
  (void)state;
  builder b = diamond(DC_DIVERGENT);
  dc_kernel *k = &b.kernel;
  for (unsigned block = 4; block < 7; ++block)
    add_block(&b, 0);
  k->n_successors = 0;
  for (uint32_t block = 0; block < k->n_blocks; ++block)
    k->blocks[block].n_successors = 0;
  // 0 goes to 1, which parts into 2 and 3 that meet in 4, or to 6; all meet in 5
  static const uint32_t edges[][2] = {{0, 1}, {0, 6}, {1, 2}, {1, 3},
                                      {2, 4}, {3, 4}, {4, 5}, {6, 5}};
  static const uint32_t joins[] = {5, 4, 4, 4, 5, DC_NONE, 5};
  static const uint16_t cycles[] = {0, 100, 10, 20, 1, 7, 40};
  for (unsigned e = 0; e < sizeof edges / sizeof *edges; ++e)
    add_edge(k, edges[e][0], edges[e][1]);
  for (uint32_t block = 0; block < 7; ++block) {
    k->blocks[block].post_dominator = joins[block];
    k->blocks[block].mix[DC_MIX_FP32] = cycles[block];
    k->blocks[block].branch = DC_NONE;
  }
  for (uint32_t block = 0; block < 2; ++block) {
    uint32_t branch = block ? 0 : dc_kernel_add_branch(k);
    k->branches[branch] = (dc_branch){.block = block,
                                      .condition = DC_NO_EXPR,
                                      .level = block ? DC_DIVERGENT : DC_UNIFORM,
                                      .exits = DC_NONE,
                                      .location = DC_NONE};
    k->blocks[block].branch = branch;
  }
  dc_estimate e = estimate(&b);
  double none = pow(0.5, 32);
  check_interval("cycles", e.cycles, (100 + 15 + 1) / 2.0 + 40 / 2.0 + 7,
                 (100 + 30 * (1 - none) + 1 + 16 * (1 - 2 * none)) / 2.0 + 40 / 2.0 + 7);
  release_all(&b, &e);
}

static void unreached_loops_cost_the_kernel_nothing(void **state) {
  (void)state;
  builder b = begin_kernel(32, 1, 1, 100);
  dc_kernel *k = &b.kernel;
  uint32_t entry = add_block(&b, 50);
  k->n_successors = 0; // a function that is called, not inlined: no edge leads to it
  k->blocks[0].n_successors = 0;
  k->blocks[0].post_dominator = DC_NONE;
  b.current = entry;
  begin_loop(&b, apply(&b, DC_OP_ADD, thread(&b), number(&b, 1)), DC_DIVERGENT,
             DC_CLASS_LANE_AFFINE, 10);
  end_loop(&b, 0);
  dc_estimate e = estimate(&b);
  assert_is(e.cycles, 100);
  assert_is(e.efficiency, 1);
  assert_is(e.divergent_branches, 0);
  assert_is(e.loops[0].expected, 32 / 16.5);
  assert_not_known(e.loops[0].entries);
  assert_not_known(e.loops[0].body);
  assert_is(dc_loop_share(&e, 0), 0);
  release_all(&b, &e);
}

// As many times: for (k = 0; (threadIdx.x * 3 + k) & 127; ++k)
static dc_estimate estimate_searches(builder *b, unsigned loops) {
  *b = begin_kernel(32, 1, 1, 1);
  for (unsigned loop = 0; loop < loops; ++loop) {
    dc_expr sum =
        apply(b, DC_OP_ADD, apply(b, DC_OP_MUL, thread(b), number(b, 3)), induction(b, loop));
    dc_expr holds = apply(b, DC_OP_EQ, apply(b, DC_OP_AND, sum, number(b, 127)), number(b, 0));
    dc_expr trips = dc_expr_apply(&b->kernel.pool, DC_OP_FIRST, 32, DC_UNIFORM, holds, DC_NO_EXPR,
                                  DC_NO_EXPR, loop);
    begin_loop(b, trips, DC_DIVERGENT, DC_CLASS_DATA_DEPENDENT, 10);
    end_loop(b, 1);
  }
  return estimate(b);
}

// Each by itself is evaluated; of a kernel of very many, the last have assumed trips.
static void searches_beyond_the_budget_are_an_interval(void **state) {
  (void)state;
  builder b;
  dc_estimate e = estimate_searches(&b, 1);
  assert_int_equal(e.loops[0].from, DC_FROM_DERIVED);
  assert_is(e.loops[0].mean_trips, (31 * 128 - 3 * 31 * 32 / 2.0) / 32);
  release_all(&b, &e);
  e = estimate_searches(&b, 300);
  assert_int_equal(e.loops[0].from, DC_FROM_DERIVED);
  assert_int_equal(e.loops[299].from, DC_FROM_ASSUMED);
  assert_true(e.loops[299].aggregate.low < e.loops[299].aggregate.high);
  assert_true(e.imbalance.low < e.imbalance.high);
  release_all(&b, &e);
}

// ---- random nests, against every lane -----------------------------------------------------------

typedef struct shape {
  uint32_t parent;
  unsigned kind;
  int64_t a, c;
  unsigned own; // cycles of an iteration
} shape;

// The trip count of a shape, twice: as an expression and as a function.
static dc_expr shape_expr(builder *b, const shape *s) {
  dc_expr iv = s->parent == DC_NONE ? number(b, 0) : induction(b, s->parent);
  switch (s->kind) {
  case 0:
    return number(b, s->c);
  case 1:
    return apply(b, DC_OP_AND, apply(b, DC_OP_MUL, thread(b), number(b, s->a)), number(b, s->c));
  case 2:
    return apply(b, DC_OP_AND, apply(b, DC_OP_XOR, thread(b), iv), number(b, s->c));
  case 3:
    return apply(b, DC_OP_STEPS, apply(b, DC_OP_SUB, number(b, s->c), thread(b)), number(b, s->a));
  default:
    return apply(b, DC_OP_UREM,
                 apply(b, DC_OP_ADD, apply(b, DC_OP_MUL, block_index(b), iv), thread(b)),
                 number(b, s->a));
  }
}

static int64_t shape_count(const shape *s, int64_t thread, int64_t block, int64_t iv) {
  switch (s->kind) {
  case 0:
    return s->c;
  case 1:
    return thread * s->a & s->c;
  case 2:
    return (thread ^ iv) & s->c;
  case 3:
    return s->c <= thread ? 0 : (s->c - thread + s->a - 1) / s->a;
  default:
    return (block * iv + thread) % s->a;
  }
}

#define SHAPES_MAX 5

typedef struct sums {
  double entries, lanes, iterations, lane_iterations, slots, imbalance, worst, exits, depth, body,
      lost, spills;
} sums;

typedef struct simulation {
  const shape *shapes;
  unsigned n, lanes;
  int64_t block, first;
  sums loops[SHAPES_MAX];
  double weight, used, issued, guards;
  unsigned tokens, on_chip, peak; // of the reconvergence stack
} simulation;

// The stack: 16 entries on chip, spilled by four, reloaded when none is left.
static void push(simulation *s, unsigned loop) {
  if (s->on_chip == 16) {
    s->on_chip -= 4;
    s->loops[loop].spills += s->weight;
  }
  ++s->on_chip;
  if (++s->tokens > s->peak)
    s->peak = s->tokens;
}

static void pop(simulation *s) {
  if (s->on_chip == 0)
    s->on_chip += 4;
  --s->on_chip;
  --s->tokens;
}

// Runs one loop of a warp for the lanes of the mask; returns the cycles it took.
static double run(simulation *s, unsigned loop, uint32_t mask, int64_t outer) {
  const shape *shape = &s->shapes[loop];
  sums *sum = &s->loops[loop];
  int64_t counts[32], most = 0, total = 0, seen[32];
  unsigned lanes = 0, distinct = 0, zero = 0;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (!(mask >> lane & 1))
      continue;
    int64_t count = counts[lane] = shape_count(shape, s->first + lane, s->block, outer);
    ++lanes;
    total += count;
    most = count > most ? count : most;
    zero += count == 0;
    bool old = count == 0;
    for (unsigned k = 0; k < distinct; ++k)
      old |= seen[k] == count;
    if (!old)
      seen[distinct++] = count;
  }
  double imbalance = total ? (double)lanes * (double)most / (double)total : 1, cycles = 0;
  sum->entries += s->weight;
  sum->lanes += s->weight * lanes;
  sum->imbalance += s->weight * imbalance;
  sum->worst = imbalance > sum->worst ? imbalance : sum->worst;
  sum->slots += s->weight * lanes * (double)most;
  sum->exits += s->weight * (distinct > 1 ? distinct - 1 : 0);
  // A loop that can part lanes has a region: a SYNC token, a DIV token for the lanes behind the
  // guard while others leave there, and one for each divergent exit until the loop's end.
  unsigned base = s->tokens, peak = s->peak;
  s->peak = base;
  if (shape->kind)
    push(s, loop);
  if (zero && distinct) {
    push(s, loop);
    pop(s);
    s->guards += s->weight;
  }
  for (int64_t k = 0; k < most; ++k) {
    uint32_t active = 0;
    unsigned n = 0;
    for (unsigned lane = 0; lane < 32; ++lane)
      if (mask >> lane & 1 && counts[lane] > k) {
        active |= UINT32_C(1) << lane;
        ++n;
      }
    double here = shape->own;
    sum->iterations += s->weight;
    sum->lane_iterations += s->weight * n;
    s->used += s->weight * shape->own * n;
    s->issued += s->weight * shape->own * 32;
    for (unsigned inner = loop + 1; inner < s->n; ++inner)
      if (s->shapes[inner].parent == loop)
        here += run(s, inner, active, k);
    sum->lost += s->weight * here * (lanes - n) / s->lanes;
    cycles += here;
    unsigned stay = 0;
    for (unsigned lane = 0; lane < 32; ++lane)
      stay += mask >> lane & 1 && counts[lane] > k + 1;
    if (stay && stay < n)
      push(s, loop);
  }
  sum->depth += s->weight * (shape->kind ? s->peak - base : 1);
  s->peak = peak > s->peak ? peak : s->peak;
  while (s->tokens > base)
    pop(s);
  sum->body += s->weight * cycles;
  return cycles;
}

static void check_loop(const dc_loop_estimate *l, const sums *s, unsigned round, unsigned loop) {
  if (s->entries == 0)
    return;
  const struct {
    const char *name;
    dc_interval got;
    double wanted;
  } figures[] = {
      {"entries", l->entries, s->entries},
      {"mean_trips", l->mean_trips, s->lane_iterations / s->lanes},
      {"expected", l->expected, s->imbalance / s->entries},
      {"aggregate", l->aggregate, s->lane_iterations > 0 ? s->slots / s->lane_iterations : 1},
      {"efficiency", l->efficiency,
       s->iterations > 0 ? s->lane_iterations / 32 / s->iterations : -1},
      {"divergent_exits", l->divergent_exits, s->exits / s->entries},
      {"stack_depth", l->stack_depth, s->depth / s->entries},
      {"body", l->body, s->body},
      {"imbalance", l->imbalance, s->lost},
      {"reconvergence", l->reconvergence, s->exits * 26 + s->spills * 176},
  };
  for (size_t k = 0; k < sizeof figures / sizeof *figures; ++k) {
    double wanted = figures[k].wanted, close = 1e-9 * (1 + fabs(wanted));
    if (fabs(figures[k].got.low - wanted) > close || fabs(figures[k].got.high - wanted) > close)
      fail_msg("round %u, loop %u: %s is %.12g .. %.12g, not %.12g", round, loop, figures[k].name,
               figures[k].got.low, figures[k].got.high, wanted);
  }
  if (l->worst >= 0 && fabs(l->worst - s->worst) > 1e-9)
    fail_msg("round %u, loop %u: worst is %.12g, not %.12g", round, loop, l->worst, s->worst);
}

static void random_nests_are_as_simulated(void **state) {
  (void)state;
  uint64_t seed = 4711;
  for (unsigned round = 0; round < 400; ++round) {
    shape shapes[SHAPES_MAX];
    unsigned threads = 1 + random_below(&seed, 96), blocks = 1 + random_below(&seed, 3);
    unsigned n = 1 + random_below(&seed, 3);
    builder b = begin_kernel(threads, 1, 1, 9);
    memcpy(b.kernel.launches[0].grid, (uint32_t[]){blocks, 1, 1}, sizeof(uint32_t[3]));
    for (unsigned k = 0; k < n; ++k) { // each in the one before, or beside it
      shape *s = &shapes[k];
      *s = (shape){DC_NONE, random_below(&seed, 5), 1 + random_below(&seed, 7),
                   random_below(&seed, 8), 1 + random_below(&seed, 20)};
      while (b.loop != DC_NONE && random_below(&seed, 3) == 0)
        end_loop(&b, 0);
      s->parent = b.loop;
      begin_loop(&b, shape_expr(&b, s), s->kind ? DC_DIVERGENT : DC_UNIFORM, DC_CLASS_LANE_AFFINE,
                 s->own);
    }
    while (b.loop != DC_NONE)
      end_loop(&b, 0);
    b.kernel.blocks[b.current].mix[DC_MIX_FP32] = 1; // or lanes would just return
    dc_estimate e = estimate_on(&b, "sm_52");
    simulation s = {.shapes = shapes, .n = n};
    unsigned warps = (threads + 31) / 32;
    s.weight = 1.0 / (blocks * warps);
    double cycles = 9 + 1;
    for (unsigned k = 0; k < blocks * warps; ++k) {
      s.block = k / warps;
      s.first = k % warps * 32;
      s.lanes = threads - s.first < 32 ? threads - (unsigned)s.first : 32;
      s.used += s.weight * 10 * s.lanes;
      s.issued += s.weight * 10 * 32;
      uint32_t mask = s.lanes == 32 ? UINT32_MAX : (UINT32_C(1) << s.lanes) - 1;
      for (unsigned loop = 0; loop < n; ++loop)
        if (shapes[loop].parent == DC_NONE)
          cycles += s.weight * run(&s, loop, mask, 0);
    }
    double lost = 0, exits = 0, spills = 0;
    for (unsigned loop = 0; loop < n; ++loop) {
      check_loop(&e.loops[loop], &s.loops[loop], round, loop);
      lost += s.loops[loop].lost;
      exits += s.loops[loop].exits;
      spills += s.loops[loop].spills;
    }
    assert_true(e.emulated);
    assert_is(e.cycles, cycles + 26 * (exits + s.guards) + 176 * spills);
    assert_is(e.imbalance, lost);
    assert_is(e.divergent_branches, exits + s.guards);
    assert_is(e.efficiency, s.used / s.issued);
    release_all(&b, &e);
  }
}

// ---- iid nests, against drawn counts ------------------------------------------------------------

// Outer: trips from a distribution, drawn for each lane; inner loops: tid & 7, and a distribution
// of their own.
typedef struct drawn {
  double inner_entries, inner_iterations, inner_lanes, distribution_iterations, distribution_lanes,
      lost, exits, inner_exits, distribution_exits, inner_lost;
} drawn;

static unsigned draw_geometric(uint64_t *seed, double p) {
  return 1 + (unsigned)(log(1 - random_unit(seed)) / log(1 - p));
}

static unsigned distinct_of(const unsigned *counts, uint32_t mask, unsigned *most, unsigned *sum) {
  unsigned n = 0;
  uint64_t seen = 0;
  *most = *sum = 0;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (!(mask >> lane & 1))
      continue;
    unsigned count = counts[lane];
    *sum += count;
    *most = count > *most ? count : *most;
    n += count > 0 && count < 64 && !(seen >> count & 1);
    if (count < 64)
      seen |= UINT64_C(1) << count;
  }
  return n;
}

static void draw_once(uint64_t *seed, drawn *d) {
  unsigned outer[32], inner[32], distribution[32], most, sum, m, s;
  for (unsigned lane = 0; lane < 32; ++lane) {
    outer[lane] = draw_geometric(seed, 0.2);
    inner[lane] = lane & 7;
  }
  unsigned distinct = distinct_of(outer, UINT32_MAX, &most, &sum);
  d->exits += distinct - 1;
  for (unsigned k = 0; k < most; ++k) {
    uint32_t mask = 0;
    unsigned active = 0;
    for (unsigned lane = 0; lane < 32; ++lane) {
      distribution[lane] = random_below(seed, 10);
      if (outer[lane] > k) {
        mask |= UINT32_C(1) << lane;
        ++active;
      }
    }
    double cycles = 5;
    d->inner_entries += 1;
    distinct = distinct_of(inner, mask, &m, &s);
    d->inner_exits += distinct > 1 ? distinct - 1 : 0;
    d->inner_iterations += m;
    d->inner_lanes += s;
    d->inner_lost += 3 * (active * m - s) / 32.0;
    cycles += 3 * m;
    distinct = distinct_of(distribution, mask, &m, &s);
    d->distribution_exits += distinct > 1 ? distinct - 1 : 0;
    d->distribution_iterations += m;
    d->distribution_lanes += s;
    cycles += 2 * m;
    d->lost += cycles * (32 - active) / 32;
  }
}

static void loops_inside_an_iid_loop_are_as_drawn(void **state) {
  (void)state;
  builder b = begin_kernel(32, 1, 1, 0);
  uint32_t outer = begin_loop(&b, DC_NO_EXPR, DC_DIVERGENT, DC_CLASS_DATA_DEPENDENT, 5);
  set_distribution(&b, outer, "geometric(0.2)");
  uint32_t inner = begin_loop(&b, apply(&b, DC_OP_AND, thread(&b), number(&b, 7)), DC_DIVERGENT,
                              DC_CLASS_LANE_AFFINE, 3);
  end_loop(&b, 0);
  uint32_t distribution = begin_loop(&b, DC_NO_EXPR, DC_DIVERGENT, DC_CLASS_DATA_DEPENDENT, 2);
  set_distribution(&b, distribution, "uniform(0,9)");
  end_loop(&b, 0);
  end_loop(&b, 0);
  dc_estimate e = estimate(&b);
  drawn d = {0};
  uint64_t seed = 12345;
  unsigned warps = 40000;
  for (unsigned k = 0; k < warps; ++k)
    draw_once(&seed, &d);
  assert_close(e.loops[outer].imbalance.low * warps, d.lost, 0.01);
  assert_close(e.loops[outer].divergent_exits.low * warps, d.exits, 0.01);
  assert_close(e.loops[inner].entries.low * warps, d.inner_entries, 0.01);
  assert_close(e.loops[inner].body.low * warps, 3 * d.inner_iterations, 0.01);
  assert_close(e.loops[inner].imbalance.low * warps, d.inner_lost, 0.01);
  assert_close(e.loops[inner].efficiency.low, d.inner_lanes / d.inner_iterations / 32, 0.01);
  assert_close(e.loops[inner].divergent_exits.low, d.inner_exits / d.inner_entries, 0.01);
  assert_close(e.loops[distribution].efficiency.low,
               d.distribution_lanes / d.distribution_iterations / 32, 0.01);
  assert_close(e.loops[distribution].divergent_exits.low, d.distribution_exits / d.inner_entries,
               0.01);
  assert_int_equal(e.loops[inner].from, DC_FROM_DERIVED);
  release_all(&b, &e);
}

// for (i = 0; i < iid; ++i) for (j = 0; j < i; ++j): the inner trips follow the outer iteration.
static void trips_may_follow_an_iid_loops_iteration(void **state) {
  (void)state;
  builder b = begin_kernel(32, 1, 1, 0);
  uint32_t outer = begin_loop(&b, DC_NO_EXPR, DC_DIVERGENT, DC_CLASS_DATA_DEPENDENT, 1);
  set_distribution(&b, outer, "uniform(0,20)");
  uint32_t inner = begin_loop(&b, induction(&b, outer), DC_DIVERGENT, DC_CLASS_DATA_DEPENDENT, 1);
  end_loop(&b, 0);
  end_loop(&b, 0);
  dc_estimate e = estimate(&b);
  double iterations = 0, lanes = 0;
  for (int k = 0; k < 20; ++k) { // iteration k runs where any lane has more than k trips
    double none = (k + 1) / 21.0;
    iterations += k * (1 - pow(none, 32));
    lanes += k * (1 - none) * 32;
  }
  assert_int_equal(e.loops[inner].from, DC_FROM_ANNOTATED);
  assert_is(e.loops[inner].body, iterations);
  assert_is(e.loops[inner].efficiency, lanes / 32 / iterations);
  assert_is(e.loops[inner].imbalance, 0);
  release_all(&b, &e);
}

// ---- budget -------------------------------------------------------------------------------------

static void large_nests_are_sampled(void **state) {
  (void)state;
  builder b = begin_kernel(256, 1, 1, 0);
  uint32_t a = begin_loop(&b, number(&b, 100000), DC_UNIFORM, DC_CLASS_UNIFORM, 0);
  uint32_t c = begin_loop(&b, induction(&b, a), DC_UNIFORM, DC_CLASS_UNIFORM, 0);
  begin_loop(&b, apply(&b, DC_OP_ADD, induction(&b, c), thread(&b)), DC_DIVERGENT,
             DC_CLASS_LANE_AFFINE, 1);
  end_loop(&b, 0);
  end_loop(&b, 0);
  end_loop(&b, 0);
  dc_estimate e = estimate(&b);
  double n = 100000;
  assert_close(e.loops[1].entries.low, n, 1e-9);
  assert_close(e.loops[1].mean_trips.low, n / 2, 0.02);
  assert_close(e.loops[2].entries.low, n * n / 2, 0.02);
  assert_close(e.loops[2].body.low, n * n * n / 6, 0.05);
  release_all(&b, &e);
}

static void huge_and_odd_counts_do_no_harm(void **state) {
  (void)state;
  static const int64_t counts[] = {INT64_MAX, INT64_MIN, -1, INT64_C(1) << 43, 0};
  for (unsigned k = 0; k < 5; ++k) {
    builder b = begin_kernel(1024, 1, 1, 1);
    uint32_t loop = begin_loop(&b, dc_expr_constant(&b.kernel.pool, 64, counts[k]), DC_UNIFORM,
                               DC_CLASS_UNIFORM, 1);
    begin_loop(&b, dc_expr_leaf(&b.kernel.pool, DC_OP_IV, 64, DC_UNIFORM, loop), DC_DIVERGENT,
               DC_CLASS_UNKNOWN, 1);
    end_loop(&b, 1);
    end_loop(&b, 1);
    dc_estimate e = estimate(&b);
    assert_true(e.cycles.low >= 0 && isfinite(e.cycles.high));
    release_all(&b, &e);
  }
}

static void a_deep_nest_is_given_up_not_overrun(void **state) {
  (void)state;
  builder b = begin_kernel(256, 1, 1, 1);
  for (unsigned k = 0; k < 300; ++k)
    begin_loop(&b, apply(&b, DC_OP_AND, thread(&b), number(&b, 3)), DC_DIVERGENT,
               DC_CLASS_LANE_AFFINE, 1);
  for (unsigned k = 0; k < 300; ++k)
    end_loop(&b, 0);
  dc_estimate e = estimate(&b);
  assert_is(e.loops[0].mean_trips, 1.5);
  assert_not_known(e.loops[299].mean_trips);
  release_all(&b, &e);
}

// ---- architectures ------------------------------------------------------------------------------

static void architectures_say_where_their_costs_are_from(void **state) {
  (void)state;
  dc_arch arch = arch_of("sm_90");
  assert_int_equal(arch.rules, DC_RULES_BARRIERS);
  assert_within(arch.divergent_exit, 13, 0);
  assert_within(arch.divergent_branch, 16, 0);
  assert_non_null(strstr(arch.provenance, "measured on sm_90"));
  assert_within(arch.issue[DC_MIX_FP32], 1, 0);
  assert_within(arch.issue[DC_MIX_INTEGER], 2, 0);
  assert_within(arch.issue[DC_MIX_FP64], 2, 0);
  assert_within(arch.issue[DC_MIX_SPECIAL], 8, 0);
  assert_within(arch.issue[DC_MIX_WARP], 4, 0);
  assert_string_equal(arch_of("sm_80").provenance, "assumed (from sm_90)");
  assert_int_equal(arch_of("sm_100f").sm, 100);
  assert_int_equal(arch_of("sm_120a").sm, 120);
  arch = arch_of("sm_62");
  assert_int_equal(arch.rules, DC_RULES_STACK);
  assert_non_null(strstr(arch.provenance, "assumed (from Maxwell"));
  arch = arch_of("sm_20");
  assert_false(arch.has_cycles);
  static const char *const wrong[] = {"sm_9", "sm_900", "sm_90b", "sm_90aa", "sm_",
                                      "",     "90",     "sm_71",  "SM_90"};
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
    dc_error error = {0};
    assert_int_equal(dc_arch_find(wrong[k], &arch, &error), DC_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "sm_20, "));
    assert_non_null(strstr(error.text, "sm_121"));
  }
}

static void every_name_is_found(void **state) {
  (void)state;
  char names[512];
  unsigned n = 0;
  snprintf(names, sizeof names, "%s", dc_arch_names());
  for (char *name = strtok(names, ", "); name; name = strtok(NULL, ", "), ++n) {
    dc_arch arch = arch_of(name);
    char again[16];
    snprintf(again, sizeof again, "sm_%u", arch.sm);
    assert_string_equal(again, name);
    assert_true(arch.provenance[0] && arch.issue_provenance[0]);
    for (unsigned mix = 0; mix < DC_MIX_COUNT; ++mix)
      assert_true(arch.issue[mix] > 0 && isfinite(arch.issue[mix]));
  }
  assert_true(n >= 27);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_triangular_loop),
      cmocka_unit_test(a_triangular_loop_on_the_stack),
      cmocka_unit_test(lanes_near_an_integer_go_with_the_lane_before),
      cmocka_unit_test(spills_of_single_loops),
      cmocka_unit_test(the_double_loop),
      cmocka_unit_test(a_uniform_loop_loses_nothing),
      cmocka_unit_test(a_uniform_loop_of_unknown_length_is_assumed),
      cmocka_unit_test(a_strided_loop_is_nearly_balanced),
      cmocka_unit_test(a_strided_loop_with_unknown_ends_is_nearly_balanced_too),
      cmocka_unit_test(an_annotated_loop_has_the_papers_imbalance),
      cmocka_unit_test(a_bounded_distribution_has_a_worst_case),
      cmocka_unit_test(nothing_known_is_a_interval_over_the_assumed_distributions),
      cmocka_unit_test(a_trip_count_that_fails_in_one_lane_falls_back),
      cmocka_unit_test(errors_leave_nothing),
      cmocka_unit_test(lanes_that_a_branch_keeps_away_lose_nothing),
      cmocka_unit_test(targets_that_nobody_knows_are_a_interval),
      cmocka_unit_test(what_divergent_branches_double_is_taken_off_where_they_meet),
      cmocka_unit_test(unreached_loops_cost_the_kernel_nothing),
      cmocka_unit_test(searches_beyond_the_budget_are_an_interval),
      cmocka_unit_test(random_nests_are_as_simulated),
      cmocka_unit_test(loops_inside_an_iid_loop_are_as_drawn),
      cmocka_unit_test(trips_may_follow_an_iid_loops_iteration),
      cmocka_unit_test(large_nests_are_sampled),
      cmocka_unit_test(huge_and_odd_counts_do_no_harm),
      cmocka_unit_test(a_deep_nest_is_given_up_not_overrun),
      cmocka_unit_test(architectures_say_where_their_costs_are_from),
      cmocka_unit_test(every_name_is_found),
  };
  return cmocka_run_group_tests_name("estimate", tests, NULL, NULL);
}
