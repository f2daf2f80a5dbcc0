// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What lanes hold where not all is known, against what they hold once it is: random expressions of
// indices, each with random values of what wasn't known.
#include "memory/lane_values.h"

#include "support.h"

#include <string.h>

#define N(table) (sizeof(table) / sizeof *(table))

enum { VALUES = 6, PARAMS = 3, LOOPS = 2, DEPTH = 5 };

static dc_expr leaf(dc_expr_pool *pool, uint64_t *seed) {
  static const int64_t constants[] = {0, 1, 2, 3, 4, 7, 8, 16, 31, 32, 33, 64, 100, 256};
  switch (random_below(seed, 8)) {
  case 0:
  case 1:
  case 2:
    return dc_expr_leaf(pool, DC_OP_TID, 64, DC_DIVERGENT, (int64_t)random_below(seed, 2));
  case 3:
    return dc_expr_leaf(pool, DC_OP_CTAID, 64, DC_BLOCK_UNIFORM, 0);
  case 4:
    return dc_expr_leaf(pool, DC_OP_PARAM, 64, DC_UNIFORM, (int64_t)random_below(seed, PARAMS));
  case 5:
    return dc_expr_leaf(pool, DC_OP_IV, 64, DC_UNIFORM, (int64_t)random_below(seed, LOOPS));
  default:
    return dc_expr_constant(pool, 64, constants[random_below(seed, N(constants))]);
  }
}

static dc_expr random_index(dc_expr_pool *pool, uint64_t *seed, unsigned depth) {
  static const dc_expr_op ops[] = {DC_OP_ADD, DC_OP_ADD,  DC_OP_ADD,  DC_OP_SUB,   DC_OP_MUL,
                                   DC_OP_MUL, DC_OP_UDIV, DC_OP_UREM, DC_OP_SHL,   DC_OP_LSHR,
                                   DC_OP_AND, DC_OP_XOR,  DC_OP_OR,   DC_OP_SELECT};
  if (depth == 0 || random_below(seed, 6) == 0)
    return leaf(pool, seed);
  dc_expr_op op = ops[random_below(seed, N(ops))];
  dc_expr a = random_index(pool, seed, depth - 1), b = random_index(pool, seed, depth - 1);
  bool by_number = op == DC_OP_UDIV || op == DC_OP_UREM || op == DC_OP_SHL || op == DC_OP_LSHR;
  if (by_number)
    b = dc_expr_constant(pool, 64,
                         op == DC_OP_SHL || op == DC_OP_LSHR
                             ? (int64_t)random_below(seed, 6)
                             : (int64_t)(1 + random_below(seed, 40)));
  if (op == DC_OP_AND && random_below(seed, 2))
    b = dc_expr_constant(pool, 64, random_below(seed, 2) ? 31 : -16);
  if (op != DC_OP_SELECT)
    return dc_expr_binary(pool, op, a, b);
  dc_expr left = random_index(pool, seed, depth - 1);
  dc_expr condition = dc_expr_binary(pool, DC_OP_SLT, left, random_index(pool, seed, depth - 1));
  return dc_expr_apply(pool, op, 64, DC_UNIFORM, condition, a, b, 0);
}

static void set_lanes(dc_expr_environment *environments, const int64_t *iv) {
  for (unsigned lane = 0; lane < DC_LANES; ++lane)
    environments[lane] = (dc_expr_environment){.ntid = {16, 16, 1},
                                               .ctaid = {-1, -1, -1},
                                               .tid = {lane % 16, lane / 16, 0},
                                               .lane = lane,
                                               .iv = iv,
                                               .n_iv = LOOPS};
}

// Values that are not negative, as sizes and indices are, and small, so that nothing wraps.
static bool make_values(const dc_expr_pool *pool, dc_expr e, uint64_t *seed, int64_t *values) {
  int64_t params[PARAMS], iv[LOOPS], block = (int64_t)random_below(seed, 50);
  bool known[PARAMS];
  dc_expr_environment environments[DC_LANES];
  for (unsigned k = 0; k < PARAMS; ++k) {
    params[k] = (int64_t)random_below(seed, 3000);
    known[k] = true;
  }
  for (unsigned k = 0; k < LOOPS; ++k)
    iv[k] = (int64_t)random_below(seed, 20);
  set_lanes(environments, iv);
  for (unsigned lane = 0; lane < DC_LANES; ++lane) {
    environments[lane].ctaid[0] = block;
    environments[lane].params = params;
    environments[lane].params_known = known;
    environments[lane].n_params = PARAMS;
    environments[lane].budget = 10000;
    if (!dc_expr_evaluate(pool, e, &environments[lane], &values[lane]))
      return false;
  }
  return true;
}

static bool is_multiple(int64_t value, uint64_t of) {
  return of ? (uint64_t)(value < 0 ? -value : value) % of == 0 : value == 0;
}

// Whether values are something common, a multiple of what is said, and what is said to be apart.
static bool are_as_said(const dc__lane_values *said, const int64_t *values) {
  unsigned other = 0;
  if (said->form == DC_LANES_ANY || said->clamped) // a bound, which may bind
    return true;
  for (unsigned lane = 1; lane < DC_LANES && said->form == DC_LANES_STRIDED; ++lane)
    if (said->times[lane] != said->times[0])
      other = lane;
  int64_t rest0 = values[0] - said->apart[0], stride = 0;
  if (other) {
    int64_t steps = said->times[other] - said->times[0];
    int64_t far = values[other] - said->apart[other] - rest0;
    if (far % steps)
      return false;
    stride = far / steps;
  }
  for (unsigned lane = 0; lane < DC_LANES; ++lane) {
    int64_t common = values[lane] - said->apart[lane] - stride * said->times[lane];
    if (common != rest0 - stride * said->times[0])
      return false;
    if (said->form == DC_LANES_APART && !is_multiple(common, said->common))
      return false;
  }
  return true;
}

static bool is_small(const int64_t *values) {
  for (unsigned lane = 0; lane < DC_LANES; ++lane)
    if (values[lane] < 0 || values[lane] > INT64_C(1) << 40)
      return false;
  return true;
}

// Indices aren't negative at any step of the way, or it isn't said what divisions make of them.
static bool stays_small(const dc_expr_pool *pool, dc_expr e, uint64_t seed) {
  for (dc_expr node = 0; node <= e; ++node) {
    int64_t values[DC_LANES];
    uint64_t again = seed;
    if (pool->nodes[node].bits == 64 && pool->nodes[node].op != DC_OP_CONST &&
        (!make_values(pool, node, &again, values) || !is_small(values)))
      return false;
  }
  return true;
}

static bool are_equal(const dc__lane_values *a, const dc__lane_values *b) {
  return a->form == b->form && a->clamped == b->clamped && a->common == b->common &&
         memcmp(a->apart, b->apart, sizeof a->apart) == 0 &&
         memcmp(a->times, b->times, sizeof a->times) == 0;
}

static void lanes_hold_what_is_said(void **state) {
  (void)state;
  uint64_t seed = 20261126;
  size_t trials = cases_of(6000, 1500);
  unsigned compared = 0, apart = 0, strided = 0;
  for (unsigned trial = 0; trial < trials; ++trial) {
    dc_expr_pool pool = {0};
    dc_expr e = random_index(&pool, &seed, DEPTH);
    const int64_t no_iteration[LOOPS] = {-1, -1};
    dc_expr_environment environments[DC_LANES];
    set_lanes(environments, no_iteration);
    dc__lane_memo memo;
    dc__lanes_known known = {&pool, environments, UINT32_MAX, DC_NO_EXPR, 0, NULL};
    dc__lane_values said, by_memo;
    unsigned budget = 400;
    dc__lane_values_of(&known, e, &budget, &said);
    known.memo = &memo;
    dc__lane_memo_reset(&memo);
    for (unsigned time = 0; time < 2 && budget > 0; ++time) {
      unsigned left = 400;
      dc__lane_values_of(&known, e, &left, &by_memo);
      assert_true(are_equal(&said, &by_memo));
    }
    apart += said.form == DC_LANES_APART;
    strided += said.form == DC_LANES_STRIDED;
    for (unsigned k = 0; k < VALUES; ++k) {
      uint64_t of_values = seed + 7919 * k;
      int64_t values[DC_LANES];
      if (!stays_small(&pool, e, of_values))
        continue;
      uint64_t again = of_values;
      assert_true(make_values(&pool, e, &again, values));
      ++compared;
      if (!are_as_said(&said, values)) {
        char text[2000];
        dc_expr_print(&pool, e, NULL, text, sizeof text);
        fail_msg("trial %u: form %d, common %llu: %s", trial, (int)said.form,
                 (unsigned long long)said.common, text);
      }
    }
    dc_expr_pool_free(&pool);
  }
  // Most that is made up is of nothing that has a form, or leaves the room of indices.
  assert_true(compared > trials / 4 && apart > trials / 8 && strided > trials / 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(lanes_hold_what_is_said)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
