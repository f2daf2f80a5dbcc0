// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions in all lanes of a warp at once, against the same expression lane by lane: random ones
// with every operator, with leaves that are not known in some lanes, little budget, deep nesting.
#include "cases.h"
#include "expr/expr_lanes.h"

#include "support.h"

#define N(table) (sizeof(table) / sizeof *(table))

enum { LANES = DC_EXPR_LANES, LOOPS = 3 };

static dc_expr_node storage[4096];

static dc_expr_pool empty_pool(void) {
  return (dc_expr_pool){.nodes = storage, .capacity = N(storage)};
}

// A node as it stands, past all simplification.
static dc_expr raw(dc_expr_pool *pool, dc_expr_op op, unsigned bits, dc_expr a, dc_expr b,
                   dc_expr c, int64_t i, dc_uniformity level) {
  assert_true(pool->count < pool->capacity);
  pool->nodes[pool->count] =
      (dc_expr_node){(uint8_t)op, (uint8_t)bits, (uint8_t)level, 0, a, b, c, i};
  return pool->count++;
}

static dc_expr random_leaf(dc_expr_pool *pool, uint64_t *seed, unsigned bits) {
  dc_expr_op op = (dc_expr_op)random_below(seed, DC_OP_OPAQUE + 1);
  if (op == DC_OP_CARRIED && random_below(seed, 8)) // has no value here
    op = DC_OP_TID;
  static const int64_t values[] = {0, 1, -1, 2, 31, 32, 255, INT64_MIN, INT64_MAX};
  uint64_t sign = UINT64_C(1) << (bits - 1);
  uint64_t value = (uint64_t)values[random_below(seed, N(values))] & ((sign << 1) - 1);
  int64_t i = op == DC_OP_CONST ? (int64_t)((value ^ sign) - sign) : (int64_t)random_below(seed, 4);
  return raw(pool, op, bits, DC_NO_EXPR, DC_NO_EXPR, DC_NO_EXPR, i,
             random_below(seed, 2) ? DC_UNIFORM : DC_DIVERGENT);
}

static dc_expr random_expr(dc_expr_pool *pool, uint64_t *seed, unsigned bits, unsigned depth) {
  if (depth == 0 || random_below(seed, 8) == 0)
    return random_leaf(pool, seed, bits);
  unsigned within = bits, of_condition = 1;
  // Booleans, which decide the ways of lanes, are as frequent as numbers.
  dc_expr_op op = (dc_expr_op)(DC_OP_ADD + random_below(seed, DC_OP_RUN - DC_OP_ADD));
  if (bits != 1 && random_below(seed, 64) == 0) // lane by lane
    return raw(pool, DC_OP_FPTOSI, bits,
               raw(pool, DC_OP_SITOFP, 32, random_leaf(pool, seed, 32), DC_NO_EXPR, DC_NO_EXPR, 0,
                   DC_DIVERGENT),
               DC_NO_EXPR, DC_NO_EXPR, 0, DC_DIVERGENT);
  if (bits == 1)
    op = (dc_expr_op)(random_below(seed, 2) ? DC_OP_EQ + random_below(seed, 6)
                                            : DC_OP_AND + random_below(seed, 3));
  else if (op >= DC_OP_EQ && op <= DC_OP_SLE)
    op = random_below(seed, 2) ? DC_OP_SELECT : DC_OP_FIRST;
  if (op >= DC_OP_EQ && op <= DC_OP_SLE)
    within = random_below(seed, 2) ? 32 : 64;
  if (op == DC_OP_ZEXT || op == DC_OP_SEXT)
    within = 1 + random_below(seed, bits);
  if (op == DC_OP_TRUNC)
    within = bits + random_below(seed, 65 - bits);
  if (op == DC_OP_SELECT || op == DC_OP_FIRST)
    within = of_condition;
  dc_expr a = random_expr(pool, seed, within, depth - 1), b = DC_NO_EXPR, c = DC_NO_EXPR;
  if (dc_expr_op_operands(op) > 1)
    b = random_expr(pool, seed, op == DC_OP_SELECT ? bits : within, depth - 1);
  if (dc_expr_op_operands(op) > 2)
    c = random_expr(pool, seed, bits, depth - 1);
  return raw(pool, op, bits, a, b, c, (int64_t)random_below(seed, LOOPS), DC_DIVERGENT);
}

typedef struct warp {
  dc_expr_environment environments[LANES];
  int64_t iv[LANES][LOOPS], params[2];
  bool params_known[2];
} warp;

static void random_warp(warp *w, uint64_t *seed) {
  int64_t assumed = random_below(seed, 2) ? 1000 : 0;
  *w = (warp){.params = {5, 70}, .params_known = {true, random_below(seed, 2)}};
  for (int64_t lane = 0; lane < LANES; ++lane) {
    for (unsigned loop = 0; loop < LOOPS; ++loop)
      w->iv[lane][loop] = (int64_t)random_below(seed, 4) - 1;
    w->environments[lane] = (dc_expr_environment){.ntid = {8, 4, 0},
                                                  .nctaid = {10, 0, 3},
                                                  .ctaid = {0, -1, 2},
                                                  .tid = {lane % 8, lane / 8, -(lane & 1)},
                                                  .lane = lane,
                                                  .params = w->params,
                                                  .params_known = w->params_known,
                                                  .n_params = 2,
                                                  .iv = w->iv[lane],
                                                  .n_iv = LOOPS,
                                                  .assumed = assumed,
                                                  .assumed_shift = 3};
  }
}

// Counts the lanes that have a value.
static unsigned compare(const dc_expr_pool *pool, dc_expr e, warp *w, uint64_t lanes,
                        uint64_t budget, bool same_iterations) {
  int64_t values[LANES];
  for (unsigned lane = 0; lane < LANES && same_iterations; ++lane)
    w->environments[lane].iv = w->iv[0];
  bool *alike = same_iterations ? dc__alike_in_lanes(pool) : NULL;
  dc_lanes_value got = dc__evaluate_lanes(pool, e, w->environments, lanes, budget, alike, values);
  free(alike);
  uint64_t operations = 0;
  unsigned known = 0;
  for (unsigned lane = 0; lane < LANES; ++lane) {
    dc_expr_environment environment = w->environments[lane];
    int64_t value;
    bool wanted = lanes >> lane & 1;
    environment.budget = budget;
    environment.uses_assumed = false;
    bool has = wanted && dc_expr_evaluate(pool, e, &environment, &value);
    assert_int_equal(got.known >> lane & 1, has);
    assert_int_equal(got.uses_assumed >> lane & 1, environment.uses_assumed);
    if (has)
      assert_true(values[lane] == value);
    operations += wanted ? budget - environment.budget : 0;
    known += has;
  }
  assert_true(got.operations == operations);
  return known;
}

static void all_lanes_at_once_are_the_lanes_one_by_one(void **state) {
  (void)state;
  unsigned known = 0;
  for (unsigned round = 0; round < cases_of(30000, 3000); ++round) {
    uint64_t seed = round;
    dc_expr_pool pool = empty_pool();
    warp w;
    random_warp(&w, &seed);
    dc_expr e =
        random_expr(&pool, &seed, round & 1 ? 1 : 1 + random_below(&seed, 64), 2 + round % 5);
    uint64_t lanes = random_bits(&seed);
    lanes |= random_bits(&seed);
    if (round & 2)
      lanes &= UINT32_MAX;
    known += compare(&pool, e, &w, lanes, round % 7 ? 3000 : random_below(&seed, 20), round & 4);
  }
  // The test would be empty if nearly everything were undefined.
  assert_true(known > cases_of(150000, 15000));
}

// The least of a count and of searches, whose conditions come true late, in some lanes or in none.
static dc_expr random_minimum(dc_expr_pool *pool, uint64_t *seed, unsigned depth) {
  if (depth == 0)
    return random_expr(pool, seed, 32, 1);
  dc_expr k = raw(pool, DC_OP_IV, 32, DC_NO_EXPR, DC_NO_EXPR, DC_NO_EXPR, 1, DC_UNIFORM);
  dc_expr sum =
      raw(pool, DC_OP_ADD, 32, k, random_expr(pool, seed, 32, 1), DC_NO_EXPR, 0, DC_DIVERGENT);
  dc_expr mask = raw(pool, DC_OP_CONST, 32, DC_NO_EXPR, DC_NO_EXPR, DC_NO_EXPR,
                     random_below(seed, 32), DC_UNIFORM);
  dc_expr masked = raw(pool, DC_OP_AND, 32, sum, mask, DC_NO_EXPR, 0, DC_DIVERGENT);
  dc_expr holds =
      raw(pool, DC_OP_EQ, 1, masked, random_leaf(pool, seed, 32), DC_NO_EXPR, 0, DC_DIVERGENT);
  dc_expr search = raw(pool, DC_OP_FIRST, 32, holds, DC_NO_EXPR, DC_NO_EXPR, 1, DC_DIVERGENT);
  dc_expr other = random_minimum(pool, seed, depth - 1);
  bool swap = random_below(seed, 2);
  return raw(pool, DC_OP_UMIN, 32, swap ? other : search, swap ? search : other, DC_NO_EXPR, 0,
             DC_DIVERGENT);
}

static void minima_bound_searches_in_every_lane(void **state) {
  (void)state;
  unsigned known = 0;
  size_t rounds = cases_of(4000, 400);
  for (unsigned round = 0; round < rounds; ++round) {
    uint64_t seed = round + 1000000;
    dc_expr_pool pool = empty_pool();
    warp w;
    random_warp(&w, &seed);
    dc_expr e = random_minimum(&pool, &seed, 1 + round % 3);
    known += compare(&pool, e, &w, random_bits(&seed) | 1,
                     round % 7 ? 3000 : random_below(&seed, 90), round & 4);
  }
  assert_true(known > 5 * rounds);
}

static void no_lane_and_one_lane_are_sets_too(void **state) {
  (void)state;
  dc_expr_pool pool = empty_pool();
  warp w;
  uint64_t seed = 1;
  random_warp(&w, &seed);
  dc_expr e = raw(&pool, DC_OP_LANE, 32, DC_NO_EXPR, DC_NO_EXPR, DC_NO_EXPR, 0, DC_DIVERGENT);
  assert_int_equal(compare(&pool, e, &w, 0, 100, false), 0);
  assert_int_equal(compare(&pool, e, &w, UINT64_C(1) << 63, 100, false), 1);
  assert_int_equal(compare(&pool, DC_NO_EXPR, &w, 7, 100, false), 0);
}

static void what_is_nested_deeply_has_its_value(void **state) {
  (void)state;
  dc_expr_pool pool = empty_pool();
  warp w;
  uint64_t seed = 2;
  random_warp(&w, &seed);
  dc_expr e = raw(&pool, DC_OP_LANE, 32, DC_NO_EXPR, DC_NO_EXPR, DC_NO_EXPR, 0, DC_DIVERGENT);
  for (unsigned depth = 1; depth < 600; ++depth) {
    e = raw(&pool, DC_OP_ADD, 32, e, 0, DC_NO_EXPR, 0, DC_DIVERGENT);
    assert_int_equal(compare(&pool, e, &w, UINT32_MAX, 100000, false), depth > 512 ? 0 : 32);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_lanes_at_once_are_the_lanes_one_by_one),
      cmocka_unit_test(minima_bound_searches_in_every_lane),
      cmocka_unit_test(no_lane_and_one_lane_are_sets_too),
      cmocka_unit_test(what_is_nested_deeply_has_its_value),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
