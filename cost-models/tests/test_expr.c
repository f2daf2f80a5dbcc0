// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions: arithmetic at small widths against its definition, simplification against the same
// expression without it (random expressions, all widths), hash consing, printing, and odd input.
#include "divcost/expr.h"

#include "support.h"

// A node as it stands, past all simplification.
static dc_expr raw(dc_expr_pool *pool, dc_expr_op op, unsigned bits, dc_expr a, dc_expr b,
                   dc_expr c, int64_t i) {
  if (pool->count == pool->capacity) {
    pool->capacity = pool->capacity ? 2 * pool->capacity : 16;
    pool->nodes = realloc(pool->nodes, pool->capacity * sizeof *pool->nodes);
  }
  pool->nodes[pool->count] =
      (dc_expr_node){(uint8_t)op, (uint8_t)bits, DC_DIVERGENT, 0, a, b, c, i};
  return pool->count++;
}

static dc_expr_environment somewhere(void) {
  return (dc_expr_environment){.ntid = {8, 4, 2},
                               .nctaid = {10, 20, 30},
                               .ctaid = {3, 4, 5},
                               .tid = {7, 2, 1},
                               .lane = 23,
                               .budget = 10000};
}

static const dc_expr_op arithmetic[] = {DC_OP_ADD,  DC_OP_SUB,  DC_OP_MUL,  DC_OP_UDIV, DC_OP_SDIV,
                                        DC_OP_UREM, DC_OP_SREM, DC_OP_SHL,  DC_OP_LSHR, DC_OP_ASHR,
                                        DC_OP_AND,  DC_OP_OR,   DC_OP_XOR,  DC_OP_SMIN, DC_OP_SMAX,
                                        DC_OP_UMIN, DC_OP_UMAX, DC_OP_STEPS};
static const dc_expr_op compares[] = {DC_OP_EQ,  DC_OP_NE,  DC_OP_ULT,
                                      DC_OP_ULE, DC_OP_SLT, DC_OP_SLE};
#define N(table) (sizeof(table) / sizeof *(table))

static int64_t signed_of(int64_t x, unsigned bits) {
  int64_t size = INT64_C(1) << bits;
  x = ((x % size) + size) % size;
  return x >= size / 2 ? x - size : x;
}

// What op gives on a and b (signed) at a small width, from the definition; false: undefined.
static bool defined(dc_expr_op op, unsigned bits, int64_t a, int64_t b, int64_t *value) {
  int64_t size = INT64_C(1) << bits, ua = a < 0 ? a + size : a, ub = b < 0 ? b + size : b, r = 0;
  switch (op) {
  case DC_OP_ADD:
    r = a + b;
    break;
  case DC_OP_SUB:
    r = a - b;
    break;
  case DC_OP_MUL:
    r = a * b;
    break;
  case DC_OP_UDIV:
    if (ub == 0)
      return false;
    r = ua / ub;
    break;
  case DC_OP_UREM:
    if (ub == 0)
      return false;
    r = ua % ub;
    break;
  case DC_OP_SDIV:
  case DC_OP_SREM:
    if (b == 0 || (b == -1 && a == -size / 2))
      return false;
    r = op == DC_OP_SDIV ? a / b : a % b;
    break;
  case DC_OP_SHL:
  case DC_OP_LSHR:
  case DC_OP_ASHR:
    if (ub >= (int64_t)bits)
      return false;
    r = op == DC_OP_SHL    ? ua << ub
        : op == DC_OP_LSHR ? ua >> ub
                           : (a - ((a % (1 << ub)) + (1 << ub)) % (1 << ub)) / (1 << ub);
    break;
  case DC_OP_AND:
    r = ua & ub;
    break;
  case DC_OP_OR:
    r = ua | ub;
    break;
  case DC_OP_XOR:
    r = ua ^ ub;
    break;
  case DC_OP_SMIN:
    r = a < b ? a : b;
    break;
  case DC_OP_SMAX:
    r = a > b ? a : b;
    break;
  case DC_OP_UMIN:
    r = ua < ub ? a : b;
    break;
  case DC_OP_UMAX:
    r = ua > ub ? a : b;
    break;
  case DC_OP_STEPS:
    if (b <= 0)
      return false;
    for (r = 0; r * b < a; ++r)
      ;
    break;
  case DC_OP_EQ:
    r = a == b;
    break;
  case DC_OP_NE:
    r = a != b;
    break;
  case DC_OP_ULT:
    r = ua < ub;
    break;
  case DC_OP_ULE:
    r = ua <= ub;
    break;
  case DC_OP_SLT:
    r = a < b;
    break;
  case DC_OP_SLE:
    r = a <= b;
    break;
  default:
    return false;
  }
  *value = signed_of(r, op >= DC_OP_EQ && op <= DC_OP_SLE ? 1 : bits);
  return true;
}

static void arithmetic_is_twos_complement_at_every_small_width(void **state) {
  (void)state;
  for (unsigned bits = 1; bits <= 5; ++bits) {
    int64_t half = INT64_C(1) << (bits - 1);
    for (int64_t a = -half; a < half; ++a)
      for (int64_t b = -half; b < half; ++b)
        for (size_t k = 0; k < N(arithmetic) + N(compares); ++k) {
          bool compare = k >= N(arithmetic);
          dc_expr_op op = compare ? compares[k - N(arithmetic)] : arithmetic[k];
          dc_expr_pool pool = {0};
          dc_expr x = dc_expr_constant(&pool, bits, a), y = dc_expr_constant(&pool, bits, b);
          dc_expr e = dc_expr_apply(&pool, op, compare ? 1 : bits, DC_UNIFORM, x, y, DC_NO_EXPR, 0);
          dc_expr_environment environment = somewhere();
          int64_t wanted, got;
          bool known = defined(op, bits, a, b, &wanted);
          if (dc_expr_evaluate(&pool, e, &environment, &got) != known || (known && got != wanted))
            fail_msg("%s at %u bits of %d and %d", dc_expr_op_name(op), bits, (int)a, (int)b);
          if (known && pool.nodes[e].op != DC_OP_CONST)
            fail_msg("%s did not fold", dc_expr_op_name(op));
          dc_expr_pool_free(&pool);
        }
  }
}

static void undefined_results_are_unknown_at_64_bits(void **state) {
  (void)state;
  static const struct {
    dc_expr_op op;
    int64_t a, b;
  } cases[] = {{DC_OP_SDIV, INT64_MIN, -1}, {DC_OP_SREM, INT64_MIN, -1}, {DC_OP_UDIV, 1, 0},
               {DC_OP_SREM, 1, 0},          {DC_OP_SHL, 1, 64},          {DC_OP_LSHR, 1, -1},
               {DC_OP_ASHR, -1, INT64_MIN}, {DC_OP_STEPS, 5, 0},         {DC_OP_STEPS, 5, -3}};
  for (size_t k = 0; k < N(cases); ++k) {
    dc_expr_pool pool = {0};
    int64_t value;
    dc_expr_environment environment = somewhere();
    dc_expr e = dc_expr_binary(&pool, cases[k].op, dc_expr_constant(&pool, 64, cases[k].a),
                               dc_expr_constant(&pool, 64, cases[k].b));
    assert_int_not_equal(e, DC_NO_EXPR);
    assert_false(dc_expr_evaluate(&pool, e, &environment, &value));
    dc_expr_pool_free(&pool);
  }
  dc_expr_pool pool = {0};
  int64_t value;
  dc_expr_environment environment = somewhere();
  dc_expr most = dc_expr_constant(&pool, 64, INT64_MAX), two = dc_expr_constant(&pool, 64, 2);
  assert_true(
      dc_expr_evaluate(&pool, dc_expr_binary(&pool, DC_OP_STEPS, most, two), &environment, &value));
  assert_true(value == INT64_MAX / 2 + 1);
  assert_true(
      dc_expr_evaluate(&pool, dc_expr_binary(&pool, DC_OP_MUL, most, two), &environment, &value));
  assert_true(value == -2);
  dc_expr_pool_free(&pool);
}

// ---- simplification -----------------------------------------------------------------------------

typedef struct pair {
  dc_expr simple, plain; // in the pool that simplifies, and in the one that doesn't
} pair;

typedef struct maker {
  dc_expr_pool simple, plain;
  uint64_t seed;
} maker;

static pair random_leaf(maker *m, unsigned bits) {
  static const dc_expr_op leaves[] = {DC_OP_TID,  DC_OP_CTAID, DC_OP_LANE,
                                      DC_OP_NTID, DC_OP_IV,    DC_OP_PARAM};
  uint64_t r = random_bits(&m->seed);
  if (r % 3 == 0) {
    static const int64_t values[] = {0, 1, -1, 2, 3, 31, 32, 33, 255, INT64_MIN, INT64_MAX};
    int64_t value = r >> 8 & 1 ? values[(r >> 9) % N(values)] : (int64_t)random_bits(&m->seed);
    dc_expr e = dc_expr_constant(&m->simple, bits, value);
    return (pair){e, raw(&m->plain, DC_OP_CONST, bits, DC_NO_EXPR, DC_NO_EXPR, DC_NO_EXPR,
                         m->simple.nodes[e].i)};
  }
  dc_expr_op op = leaves[(r >> 8) % N(leaves)];
  int64_t i = op == DC_OP_LANE ? 0 : (int64_t)((r >> 16) % 2);
  return (pair){dc_expr_leaf(&m->simple, op, bits, DC_UNIFORM, i),
                raw(&m->plain, op, bits, DC_NO_EXPR, DC_NO_EXPR, DC_NO_EXPR, i)};
}

static pair random_expr(maker *m, unsigned bits, unsigned depth);

static pair apply(maker *m, dc_expr_op op, unsigned bits, pair a, pair b, pair c) {
  return (pair){dc_expr_apply(&m->simple, op, bits, DC_UNIFORM, a.simple, b.simple, c.simple, 0),
                raw(&m->plain, op, bits, a.plain, b.plain, c.plain, 0)};
}

static pair random_expr(maker *m, unsigned bits, unsigned depth) {
  static const pair none = {DC_NO_EXPR, DC_NO_EXPR};
  uint64_t r = random_bits(&m->seed);
  if (depth == 0 || r % 8 == 0)
    return random_leaf(m, bits);
  unsigned other = 1 + random_below(&m->seed, 64);
  pair a, b;
  switch (r >> 8 & 7) {
  case 0:
    if (bits == 1 && r >> 30 & 1) { // a condition that is negated
      a = random_expr(m, 1, depth - 1);
      b.simple = dc_expr_constant(&m->simple, 1, 1);
      b.plain = raw(&m->plain, DC_OP_CONST, 1, DC_NO_EXPR, DC_NO_EXPR, DC_NO_EXPR, -1);
      return apply(m, DC_OP_XOR, 1, a, b, none);
    }
    if (bits == 1) {
      a = random_expr(m, other, depth - 1);
      b = r >> 16 & 3 ? random_expr(m, other, depth - 1) : a;
      return apply(m, compares[(r >> 20) % N(compares)], 1, a, b, none);
    }
    a = random_expr(m, 1 + other % bits, depth - 1);
    return apply(m, r >> 16 & 1 ? DC_OP_ZEXT : DC_OP_SEXT, bits, a, none, none);
  case 1:
    a = random_expr(m, bits + other % (65 - bits), depth - 1);
    return apply(m, DC_OP_TRUNC, bits, a, none, none);
  case 2:
    b = random_expr(m, bits, depth - 1);
    if (r >> 30 & 1) { // between what is compared, or nearly
      pair c = random_expr(m, bits, depth - 1), x = random_leaf(m, bits);
      bool turned = r >> 32 & 1, near = r >> 33 & 1;
      a = apply(m, compares[(r >> 20) % N(compares)], 1, turned ? c : b,
                near     ? x
                : turned ? b
                         : c,
                none);
      return apply(m, DC_OP_SELECT, bits, a, b, c);
    }
    a = random_expr(m, 1, depth - 1);
    return apply(m, DC_OP_SELECT, bits, a, b, r >> 16 & 3 ? random_expr(m, bits, depth - 1) : b);
  case 3: // sums, where most of the rules are
  case 4:
    a = random_expr(m, bits, depth - 1);
    b = r >> 16 & 3 ? random_expr(m, bits, depth - 1) : a;
    return apply(m, r >> 20 & 1 ? DC_OP_ADD : DC_OP_SUB, bits, a, b, none);
  default:
    a = random_expr(m, bits, depth - 1);
    b = r >> 16 & 3 ? random_expr(m, bits, depth - 1) : a;
    return apply(m, arithmetic[(r >> 20) % N(arithmetic)], bits, a, b, none);
  }
}

static void simplification_keeps_the_value(void **state) {
  (void)state;
  unsigned known = 0;
  for (unsigned round = 0; round < 40000; ++round) {
    maker m = {.seed = round};
    pair e = random_expr(&m, 1 + round % 64, 1 + round % 5);
    assert_int_not_equal(e.simple, DC_NO_EXPR);
    assert_int_equal(m.simple.nodes[e.simple].bits, 1 + round % 64);
    for (unsigned lane = 0; lane < 4; ++lane) {
      dc_expr_environment environment = somewhere();
      int64_t params[] = {(int64_t)random_bits(&m.seed), lane - 2}, iv[] = {lane, 1000000007};
      const bool params_known[] = {true, true};
      environment.lane = environment.tid[0] = (int64_t)random_below(&m.seed, 32);
      environment.params = params;
      environment.params_known = params_known;
      environment.n_params = 2;
      environment.iv = iv;
      environment.n_iv = 2;
      dc_expr_environment again = environment;
      int64_t wanted, got;
      if (!dc_expr_evaluate(&m.plain, e.plain, &environment, &wanted))
        continue;
      ++known;
      if (!dc_expr_evaluate(&m.simple, e.simple, &again, &got) || got != wanted) {
        char plain[2000], simple[2000];
        dc_expr_print(&m.plain, e.plain, NULL, plain, sizeof plain);
        dc_expr_print(&m.simple, e.simple, NULL, simple, sizeof simple);
        fail_msg("round %u: %s is not %s", round, simple, plain);
      }
    }
    dc_expr_pool_free(&m.simple);
    dc_expr_pool_free(&m.plain);
  }
  assert_true(known > 80000); // the test would be empty if nearly everything were undefined
}

// Leaves by short names, for the tests below.
static dc_expr tid(dc_expr_pool *p) { return dc_expr_leaf(p, DC_OP_TID, 32, DC_DIVERGENT, 0); }
static dc_expr param(dc_expr_pool *p, int64_t i) {
  return dc_expr_leaf(p, DC_OP_PARAM, 32, DC_UNIFORM, i);
}
static dc_expr number(dc_expr_pool *p, int64_t i) { return dc_expr_constant(p, 32, i); }

static void equal_expressions_have_one_number(void **state) {
  (void)state;
  dc_expr_pool p = {0};
  dc_expr t = tid(&p), k = param(&p, 0), n = param(&p, 1);
  assert_int_equal(dc_expr_binary(&p, DC_OP_ADD, t, k), dc_expr_binary(&p, DC_OP_ADD, k, t));
  assert_int_not_equal(dc_expr_binary(&p, DC_OP_SUB, t, k), dc_expr_binary(&p, DC_OP_SUB, k, t));
  assert_int_not_equal(dc_expr_leaf(&p, DC_OP_TID, 64, DC_DIVERGENT, 0), t);
  // for (i = t * k; i < t * k + k; ++i): between diverging ends, k trips.
  dc_expr begin = dc_expr_binary(&p, DC_OP_MUL, t, k);
  assert_int_equal(dc_expr_binary(&p, DC_OP_SUB, dc_expr_binary(&p, DC_OP_ADD, begin, k), begin),
                   k);
  // ... and written as (t + 1) * k - t * k
  dc_expr next = dc_expr_binary(&p, DC_OP_MUL, dc_expr_binary(&p, DC_OP_ADD, t, number(&p, 1)), k);
  assert_int_equal(dc_expr_binary(&p, DC_OP_SUB, next, begin), k);
  // (n - t) + (t - 1) is n - 1
  dc_expr sum = dc_expr_binary(&p, DC_OP_ADD, dc_expr_binary(&p, DC_OP_SUB, n, t),
                               dc_expr_binary(&p, DC_OP_SUB, t, number(&p, 1)));
  assert_int_equal(sum, dc_expr_binary(&p, DC_OP_SUB, n, number(&p, 1)));
  assert_int_equal(dc_expr_uniformity(&p, sum), DC_UNIFORM);
  assert_int_equal(dc_expr_uniformity(&p, begin), DC_DIVERGENT);
  dc_expr_pool_free(&p);
}

static void a_raised_level_is_not_simplified_away(void **state) {
  (void)state;
  dc_expr_pool p = {0};
  dc_expr n = param(&p, 0);
  dc_expr e = dc_expr_apply(&p, DC_OP_ADD, 32, DC_DIVERGENT, n, number(&p, 0), DC_NO_EXPR, 0);
  assert_int_equal(dc_expr_uniformity(&p, e), DC_DIVERGENT);
  dc_expr load = dc_expr_apply(&p, DC_OP_LOAD, 32, DC_WARP_UNIFORM, n, DC_NO_EXPR, DC_NO_EXPR, 4);
  assert_int_equal(dc_expr_uniformity(&p, load), DC_WARP_UNIFORM);
  dc_expr_pool_free(&p);
}

static void wrong_widths_and_missing_operands_are_no_expression(void **state) {
  (void)state;
  dc_expr_pool p = {0};
  dc_expr t = tid(&p), wide = dc_expr_leaf(&p, DC_OP_PARAM, 64, DC_UNIFORM, 0);
  assert_int_equal(dc_expr_binary(&p, DC_OP_ADD, t, wide), DC_NO_EXPR);
  assert_int_equal(dc_expr_binary(&p, DC_OP_ADD, t, DC_NO_EXPR), DC_NO_EXPR);
  assert_int_equal(dc_expr_binary(&p, DC_OP_ADD, DC_NO_EXPR, t), DC_NO_EXPR);
  assert_int_equal(dc_expr_cast(&p, DC_OP_ZEXT, 16, t), DC_NO_EXPR);
  assert_int_equal(dc_expr_cast(&p, DC_OP_TRUNC, 64, t), DC_NO_EXPR);
  assert_int_equal(dc_expr_apply(&p, DC_OP_SELECT, 32, DC_UNIFORM, t, t, t, 0), DC_NO_EXPR);
  assert_int_equal(dc_expr_apply(&p, DC_OP_ADD, 32, DC_UNIFORM, t, t, t, 0), DC_NO_EXPR);
  assert_int_equal(dc_expr_leaf(&p, DC_OP_CONST, 0, DC_UNIFORM, 0), DC_NO_EXPR);
  assert_int_equal(dc_expr_leaf(&p, DC_OP_CONST, 65, DC_UNIFORM, 0), DC_NO_EXPR);
  assert_int_equal(dc_expr_leaf(&p, DC_OP_ADD, 32, DC_UNIFORM, 0), DC_NO_EXPR);
  dc_expr_pool_free(&p);
}

static void a_pool_without_index_grows_one(void **state) {
  (void)state;
  dc_expr_pool p = {0};
  for (unsigned k = 0; k < 1000; ++k)
    raw(&p, DC_OP_PARAM, 32, DC_NO_EXPR, DC_NO_EXPR, DC_NO_EXPR, k);
  for (unsigned k = 0; k < 1000; ++k)
    assert_int_equal(dc_expr_leaf(&p, DC_OP_PARAM, 32, DC_DIVERGENT, k), k);
  assert_int_equal(dc_expr_leaf(&p, DC_OP_PARAM, 32, DC_DIVERGENT, 1000), 1000);
  assert_true(dc_expr_pool_bytes(&p) >= 1001 * (sizeof(dc_expr_node) + sizeof(uint32_t)));
  dc_expr_pool_free(&p);
}

// ---- evaluation ---------------------------------------------------------------------------------

// while (n != 0) n = n / base, from tid * factor on, in numbers of so many bits
static dc_expr digits(dc_expr_pool *p, unsigned bits, int64_t factor, int64_t base) {
  dc_expr n = dc_expr_leaf(p, DC_OP_ICARRIED, bits, DC_UNIFORM, 3);
  dc_expr start = dc_expr_binary(p, DC_OP_MUL, dc_expr_cast(p, DC_OP_ZEXT, bits, tid(p)),
                                 dc_expr_constant(p, bits, factor));
  dc_expr next = dc_expr_binary(p, DC_OP_UDIV, n, dc_expr_constant(p, bits, base));
  dc_expr done = dc_expr_binary(p, DC_OP_EQ, n, dc_expr_constant(p, bits, 0));
  return dc_expr_apply(p, DC_OP_IRUN, 64, DC_UNIFORM, done, start, next, 3);
}

static void runs_carry_integers(void **state) {
  (void)state;
  static const unsigned bases[] = {2, 3, 10, 62};
  for (unsigned k = 0; k < 8; ++k)
    for (uint32_t t = 0; t < 1024; t += 11) {
      dc_expr_pool p = {0};
      unsigned bits = k < 4 ? 32 : 64, base = bases[k % 4];
      dc_expr_environment here = {.tid = {t, 0, 0}, .budget = 10000};
      int64_t value, expected = 0;
      uint64_t n = t * UINT64_C(123456789); // which 32 bits don't hold
      for (n = bits == 32 ? (uint32_t)n : n; n; n /= base)
        ++expected;
      assert_true(dc_expr_evaluate(&p, digits(&p, bits, 123456789, base), &here, &value));
      assert_int_equal(value, expected);
      dc_expr_pool_free(&p);
    }
}

// What is carried is read while the next number is computed from it.
static void runs_may_keep_what_they_carry(void **state) {
  (void)state;
  dc_expr_pool p = {0};
  dc_expr x = dc_expr_leaf(&p, DC_OP_ICARRIED, 32, DC_UNIFORM, 3),
          k = dc_expr_leaf(&p, DC_OP_IV, 32, DC_UNIFORM, 3);
  dc_expr is_odd =
      dc_expr_binary(&p, DC_OP_EQ, dc_expr_binary(&p, DC_OP_AND, k, number(&p, 1)), number(&p, 1));
  dc_expr third = dc_expr_binary(&p, DC_OP_UDIV, x, number(&p, 3));
  dc_expr next = dc_expr_apply(&p, DC_OP_SELECT, 32, DC_UNIFORM, is_odd, third, x, 0);
  dc_expr done = dc_expr_binary(&p, DC_OP_EQ, x, number(&p, 0));
  dc_expr run = dc_expr_apply(&p, DC_OP_IRUN, 64, DC_UNIFORM, done, number(&p, 1000), next, 3);
  dc_expr_environment environment = {.budget = 10000};
  int64_t value;
  assert_true(dc_expr_evaluate(&p, run, &environment, &value));
  assert_int_equal(value, 14); // 1000 has 7 digits to the base of 3
  next = dc_expr_binary(&p, DC_OP_UMIN, dc_expr_binary(&p, DC_OP_ADD, x, number(&p, 7)),
                        dc_expr_binary(&p, DC_OP_MUL, x, number(&p, 3)));
  done = dc_expr_binary(&p, DC_OP_ULT, number(&p, 100), x);
  run = dc_expr_apply(&p, DC_OP_IRUN, 64, DC_UNIFORM, done, number(&p, 1), next, 3);
  assert_true(dc_expr_evaluate(&p, run, &environment, &value));
  assert_int_equal(value, 16); // 1, 3, 9, and then 7 each time
  dc_expr_pool_free(&p);
}

static void runs_that_carry_integers_may_fail(void **state) {
  (void)state;
  dc_expr_pool p = {0};
  dc_expr_environment environment = somewhere();
  int64_t value;
  dc_expr by_zero = digits(&p, 32, 1, 0), for_ever = digits(&p, 32, 1, 1);
  assert_false(dc_expr_evaluate(&p, by_zero, &environment, &value));
  assert_false(dc_expr_evaluate(&p, for_ever, &environment, &value));
  assert_int_equal(environment.budget, 0);
  // Another exit bounds the run.
  environment = somewhere();
  dc_expr forty = dc_expr_constant(&p, 64, 40);
  dc_expr both = dc_expr_binary(&p, DC_OP_UMIN, for_ever, forty);
  assert_true(dc_expr_evaluate(&p, both, &environment, &value) && value == 40);
  // What is carried has a value within a run of its own loop alone, and widths must fit.
  dc_expr n = dc_expr_leaf(&p, DC_OP_ICARRIED, 32, DC_UNIFORM, 3);
  assert_false(dc_expr_evaluate(&p, n, &environment, &value));
  dc_expr done = dc_expr_binary(&p, DC_OP_EQ, n, number(&p, 0));
  assert_int_equal(dc_expr_apply(&p, DC_OP_IRUN, 64, DC_UNIFORM, done, forty, n, 3), DC_NO_EXPR);
  assert_int_equal(dc_expr_apply(&p, DC_OP_IRUN, 64, DC_UNIFORM, n, n, n, 3), DC_NO_EXPR);
  dc_expr elsewhere = dc_expr_apply(&p, DC_OP_IRUN, 64, DC_UNIFORM, done, tid(&p), n, 4);
  assert_false(dc_expr_evaluate(&p, elsewhere, &environment, &value));
  dc_expr_pool_free(&p);
}

static void searches_find_the_first_iteration(void **state) {
  (void)state;
  dc_expr_pool p = {0};
  dc_expr k = dc_expr_leaf(&p, DC_OP_IV, 32, DC_UNIFORM, 3);
  // while ((tid >> k) != 0): the number of bits of tid, here 7
  dc_expr done =
      dc_expr_binary(&p, DC_OP_EQ, dc_expr_binary(&p, DC_OP_LSHR, tid(&p), k), number(&p, 0));
  dc_expr first = dc_expr_apply(&p, DC_OP_FIRST, 32, DC_UNIFORM, done, DC_NO_EXPR, DC_NO_EXPR, 3);
  dc_expr_environment environment = somewhere();
  int64_t value;
  assert_true(dc_expr_evaluate(&p, first, &environment, &value));
  assert_int_equal(value, 3);
  // a condition that never holds ends with the budget, one that can't change at once
  dc_expr never = dc_expr_apply(&p, DC_OP_FIRST, 32, DC_UNIFORM,
                                dc_expr_binary(&p, DC_OP_SLT, tid(&p), number(&p, 0)), DC_NO_EXPR,
                                DC_NO_EXPR, 3);
  uint64_t before = environment.budget;
  assert_false(dc_expr_evaluate(&p, never, &environment, &value));
  assert_true(before - environment.budget < 10);
  dc_expr endless = dc_expr_apply(
      &p, DC_OP_FIRST, 64, DC_UNIFORM,
      dc_expr_binary(&p, DC_OP_EQ, dc_expr_binary(&p, DC_OP_AND, k, number(&p, 1)), number(&p, 2)),
      DC_NO_EXPR, DC_NO_EXPR, 3);
  assert_false(dc_expr_evaluate(&p, endless, &environment, &value));
  assert_true(environment.budget == 0);
  dc_expr_pool_free(&p);
}

// A loop with two exits: the count of one bounds the search at the other, whichever stands first.
static void a_minimum_bounds_the_search(void **state) {
  (void)state;
  dc_expr_pool p = {0};
  dc_expr k = dc_expr_leaf(&p, DC_OP_IV, 32, DC_UNIFORM, 3);
  for (int64_t at = 0; at < 6; ++at)
    for (int64_t most = 0; most < 6; ++most)
      for (unsigned swap = 0; swap < 2; ++swap) {
        dc_expr found = dc_expr_apply(&p, DC_OP_FIRST, 32, DC_UNIFORM,
                                      dc_expr_binary(&p, DC_OP_EQ, k, number(&p, at)), DC_NO_EXPR,
                                      DC_NO_EXPR, 3);
        dc_expr bound = dc_expr_binary(&p, DC_OP_SUB, tid(&p), number(&p, 7 - most)); // tid is 7
        dc_expr least = dc_expr_binary(&p, DC_OP_UMIN, swap ? found : bound, swap ? bound : found);
        dc_expr_environment environment = somewhere();
        int64_t value = -1;
        assert_true(dc_expr_evaluate(&p, least, &environment, &value));
        assert_int_equal(value, at < most ? at : most);
      }
  // What would be searched for ever isn't, not even below another minimum.
  dc_expr odd =
      dc_expr_binary(&p, DC_OP_EQ, dc_expr_binary(&p, DC_OP_AND, k, number(&p, 1)), number(&p, 2));
  dc_expr endless = dc_expr_apply(&p, DC_OP_FIRST, 32, DC_UNIFORM, odd, DC_NO_EXPR, DC_NO_EXPR, 3);
  dc_expr inner =
      dc_expr_binary(&p, DC_OP_UMIN, endless, dc_expr_leaf(&p, DC_OP_NTID, 32, DC_UNIFORM, 0));
  dc_expr both = dc_expr_binary(&p, DC_OP_UMIN, tid(&p), inner);
  dc_expr_environment environment = somewhere();
  uint64_t before = environment.budget;
  int64_t value;
  assert_true(dc_expr_evaluate(&p, both, &environment, &value));
  assert_int_equal(value, 7);
  assert_true(before - environment.budget < 60);
  // Nothing is below 0, whatever the other side is.
  dc_expr unknown = dc_expr_leaf(&p, DC_OP_OPAQUE, 32, DC_DIVERGENT, 0);
  dc_expr none = dc_expr_binary(&p, DC_OP_SUB, tid(&p), number(&p, 7));
  assert_true(
      dc_expr_evaluate(&p, dc_expr_binary(&p, DC_OP_UMIN, unknown, none), &environment, &value));
  assert_int_equal(value, 0);
  assert_false(
      dc_expr_evaluate(&p, dc_expr_binary(&p, DC_OP_UMIN, unknown, tid(&p)), &environment, &value));
  dc_expr_pool_free(&p);
}

static void unknown_leaves_are_unknown_unless_assumed(void **state) {
  (void)state;
  dc_expr_pool p = {0};
  dc_expr_environment environment = somewhere();
  int64_t value;
  dc_expr uniform = dc_expr_leaf(&p, DC_OP_OPAQUE, 32, DC_WARP_UNIFORM, 0);
  dc_expr varies = dc_expr_leaf(&p, DC_OP_OPAQUE, 32, DC_DIVERGENT, 1);
  dc_expr iv = dc_expr_leaf(&p, DC_OP_IV, 32, DC_UNIFORM, 7);
  assert_false(dc_expr_evaluate(&p, uniform, &environment, &value));
  assert_false(dc_expr_evaluate(&p, iv, &environment, &value));
  environment.assumed = 77;
  assert_false(dc_expr_evaluate(&p, varies, &environment, &value));
  assert_false(environment.uses_assumed);
  assert_true(dc_expr_evaluate(&p, uniform, &environment, &value));
  assert_int_equal(value, 77);
  assert_true(environment.uses_assumed);
  // One side may decide alone.
  environment.assumed = 0;
  dc_expr no = dc_expr_binary(&p, DC_OP_SLT, tid(&p), number(&p, 0));
  dc_expr open = dc_expr_binary(&p, DC_OP_SLT, varies, number(&p, 0));
  assert_true(dc_expr_evaluate(&p, dc_expr_binary(&p, DC_OP_AND, open, no), &environment, &value));
  assert_int_equal(value, 0);
  assert_false(dc_expr_evaluate(&p, dc_expr_binary(&p, DC_OP_OR, open, no), &environment, &value));
  dc_expr minimum = dc_expr_binary(&p, DC_OP_SMIN, tid(&p), varies);
  assert_false(dc_expr_evaluate(&p, minimum, &environment, &value));
  dc_expr_pool_free(&p);
}

static void depth_and_work_are_bounded(void **state) {
  (void)state;
  dc_expr_pool p = {0};
  dc_expr_environment environment = somewhere();
  int64_t value;
  dc_expr e = raw(&p, DC_OP_LANE, 32, DC_NO_EXPR, DC_NO_EXPR, DC_NO_EXPR, 0);
  for (unsigned k = 0; k < 100000; ++k) // a chain, deeper than any stack
    e = raw(&p, DC_OP_XOR, 32, e, 0, DC_NO_EXPR, 0);
  environment.budget = UINT64_MAX;
  assert_false(dc_expr_evaluate(&p, e, &environment, &value));
  dc_expr twice = 0;
  for (unsigned k = 0; k < 100; ++k) // 2^100 nodes as a tree
    twice = raw(&p, DC_OP_ADD, 32, twice, twice, DC_NO_EXPR, 0);
  environment.budget = 100000;
  assert_false(dc_expr_evaluate(&p, twice, &environment, &value));
  char text[100];
  assert_true(dc_expr_print(&p, e, NULL, text, sizeof text) < 100000);
  assert_true(dc_expr_print(&p, twice, NULL, text, sizeof text) < 100000);
  assert_true(dc_expr_mentions(&p, twice, DC_OP_LANE, -1));
  assert_true(dc_expr_mentions(&p, e, DC_OP_LANE, 0));
  assert_false(dc_expr_mentions(&p, e, DC_OP_LANE, 1));
  assert_false(dc_expr_mentions(&p, e, DC_OP_ADD, -1));
  dc_expr_pool_free(&p);
}

// ---- printing -----------------------------------------------------------------------------------

static void check_print(const dc_expr_pool *p, dc_expr e, const char *wanted) {
  static const char *const params[] = {"n", "stride"}, *const loads[] = {"row[r + 1]"};
  dc_expr_names names = {params, 2, loads, 1, NULL, 0};
  char text[200], small[8];
  size_t length = dc_expr_print(p, e, &names, text, sizeof text);
  assert_string_equal(text, wanted);
  assert_int_equal(length, strlen(wanted));
  assert_int_equal(dc_expr_print(p, e, &names, small, sizeof small), length);
  assert_int_equal(strlen(small), length < 7 ? length : 7);
  assert_int_equal(dc_expr_print(p, e, &names, NULL, 0), length);
}

static void expressions_print_as_people_write_them(void **state) {
  (void)state;
  dc_expr_pool p = {0};
  dc_expr t = tid(&p), n = param(&p, 0), s = param(&p, 1), one = number(&p, 1);
  dc_expr b = dc_expr_leaf(&p, DC_OP_CTAID, 32, DC_BLOCK_UNIFORM, 0);
  dc_expr d = dc_expr_leaf(&p, DC_OP_NTID, 32, DC_UNIFORM, 0);
  dc_expr gid = dc_expr_binary(&p, DC_OP_ADD, dc_expr_binary(&p, DC_OP_MUL, b, d), t);
  dc_expr left = dc_expr_binary(&p, DC_OP_SUB, n, gid);
  check_print(&p, gid, "blockIdx.x * blockDim.x + threadIdx.x");
  check_print(&p, dc_expr_binary(&p, DC_OP_STEPS, left, number(&p, 256)),
              "ceil((n - (blockIdx.x * blockDim.x + threadIdx.x)) / 256)");
  check_print(&p, dc_expr_binary(&p, DC_OP_STEPS, left, dc_expr_binary(&p, DC_OP_ADD, s, one)),
              "ceil((n - (blockIdx.x * blockDim.x + threadIdx.x)) / (stride + 1))");
  check_print(&p, dc_expr_binary(&p, DC_OP_STEPS, dc_expr_binary(&p, DC_OP_ADD, t, one), one),
              "threadIdx.x + 1");
  check_print(&p, dc_expr_binary(&p, DC_OP_STEPS, dc_expr_binary(&p, DC_OP_SUB, n, t), one),
              "max(n - threadIdx.x, 0)");
  check_print(&p, dc_expr_binary(&p, DC_OP_SUB, n, one), "n - 1");
  check_print(&p, dc_expr_binary(&p, DC_OP_SUB, one, n), "1 - n");
  check_print(&p, dc_expr_binary(&p, DC_OP_MUL, dc_expr_binary(&p, DC_OP_ADD, n, s), t),
              "(n + stride) * threadIdx.x");
  check_print(&p, dc_expr_binary(&p, DC_OP_SUB, n, dc_expr_binary(&p, DC_OP_SUB, s, t)),
              "n - (stride - threadIdx.x)");
  dc_expr less = dc_expr_binary(&p, DC_OP_SLT, t, n);
  dc_expr even = dc_expr_binary(&p, DC_OP_EQ, dc_expr_binary(&p, DC_OP_AND, t, one), number(&p, 0));
  check_print(&p, dc_expr_binary(&p, DC_OP_AND, less, even),
              "threadIdx.x < n && (threadIdx.x & 1) == 0");
  check_print(&p, dc_expr_binary(&p, DC_OP_XOR, less, dc_expr_constant(&p, 1, 1)),
              "n <= threadIdx.x");
  check_print(&p, dc_expr_apply(&p, DC_OP_SELECT, 32, DC_UNIFORM, even, n, s, 0),
              "(threadIdx.x & 1) == 0 ? n : stride");
  dc_expr no = dc_expr_constant(&p, 1, 0), yes = dc_expr_constant(&p, 1, 1);
  dc_expr both = dc_expr_apply(&p, DC_OP_SELECT, 1, DC_DIVERGENT, less, even, no, 0);
  check_print(&p, both, "threadIdx.x < n && (threadIdx.x & 1) == 0");
  check_print(&p, dc_expr_apply(&p, DC_OP_SELECT, 1, DC_DIVERGENT, even, yes, both, 0),
              "(threadIdx.x & 1) == 0 || threadIdx.x < n && (threadIdx.x & 1) == 0");
  check_print(&p, dc_expr_binary(&p, DC_OP_SMIN, n, s), "min(n, stride)");
  check_print(&p, dc_expr_cast(&p, DC_OP_SEXT, 64, gid), "blockIdx.x * blockDim.x + threadIdx.x");
  dc_expr wide = dc_expr_leaf(&p, DC_OP_OPAQUE, 64, DC_DIVERGENT, 0);
  check_print(&p, dc_expr_cast(&p, DC_OP_TRUNC, 32, wide), "(int)?");
  check_print(&p, dc_expr_apply(&p, DC_OP_LOAD, 32, DC_UNIFORM, wide, DC_NO_EXPR, DC_NO_EXPR, 0),
              "row[r + 1]");
  check_print(&p, dc_expr_apply(&p, DC_OP_LOAD, 32, DC_UNIFORM, wide, DC_NO_EXPR, DC_NO_EXPR, 1),
              "*(?)");
  check_print(&p, DC_NO_EXPR, "?");
  dc_expr_pool_free(&p);
}

static void operators_have_names(void **state) {
  (void)state;
  for (int op = 0; op < DC_OP_COUNT; ++op)
    assert_int_equal(dc_expr_op_parse(dc_expr_op_name((dc_expr_op)op)), op);
  assert_int_equal(dc_expr_op_parse("frobnicate"), -1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arithmetic_is_twos_complement_at_every_small_width),
      cmocka_unit_test(undefined_results_are_unknown_at_64_bits),
      cmocka_unit_test(simplification_keeps_the_value),
      cmocka_unit_test(equal_expressions_have_one_number),
      cmocka_unit_test(a_raised_level_is_not_simplified_away),
      cmocka_unit_test(wrong_widths_and_missing_operands_are_no_expression),
      cmocka_unit_test(a_pool_without_index_grows_one),
      cmocka_unit_test(searches_find_the_first_iteration),
      cmocka_unit_test(runs_carry_integers),
      cmocka_unit_test(runs_may_keep_what_they_carry),
      cmocka_unit_test(runs_that_carry_integers_may_fail),
      cmocka_unit_test(a_minimum_bounds_the_search),
      cmocka_unit_test(unknown_leaves_are_unknown_unless_assumed),
      cmocka_unit_test(depth_and_work_are_bounded),
      cmocka_unit_test(expressions_print_as_people_write_them),
      cmocka_unit_test(operators_have_names),
  };
  return cmocka_run_group_tests_name("expr", tests, NULL, NULL);
}
