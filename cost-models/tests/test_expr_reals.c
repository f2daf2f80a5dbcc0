// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floating-point expressions: intervals against the processor's arithmetic, fused and not; numbers
// that aren't, infinities, what is out of range; loops against loops.
#include "expr/reals.h"

#include "support.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 200000 };

static double random_number(uint64_t *seed, unsigned bits) {
  uint64_t pattern = random_bits(seed);
  double number;
  // Exponents near each other, so that sums cancel; few digits at times, so that products are
  // exact.
  uint64_t exponent = 1023 - 30 + random_below(seed, 60), digits = 1 + random_below(seed, 52);
  pattern = (pattern & (UINT64_C(1) << 63)) | exponent << 52 |
            (pattern & ((UINT64_C(1) << 52) - 1) & ~((UINT64_C(1) << (52 - digits)) - 1));
  memcpy(&number, &pattern, sizeof number);
  return bits == 32 ? (double)(float)number : number;
}

static dc_real point(double x) { return (dc_real){x, x}; }

static bool holds(dc_real interval, double x) { return interval.low <= x && x <= interval.high; }

static double computed(dc_expr_op op, unsigned bits, double a, double b) {
  float x = (float)a, y = (float)b;
  switch (op) {
  case DC_OP_FADD:
    return bits == 32 ? (double)(x + y) : a + b;
  case DC_OP_FSUB:
    return bits == 32 ? (double)(x - y) : a - b;
  case DC_OP_FMUL:
    return bits == 32 ? (double)(x * y) : a * b;
  case DC_OP_FDIV:
    return bits == 32 ? (double)(x / y) : a / b;
  case DC_OP_FMIN:
    return fmin(a, b);
  case DC_OP_FMAX:
    return fmax(a, b);
  case DC_OP_FNEG:
    return -a;
  case DC_OP_FFLOOR:
    return floor(a);
  case DC_OP_FCEIL:
    return ceil(a);
  case DC_OP_FTRUNC:
    return trunc(a);
  default:
    return rint(a);
  }
}

static const dc_expr_op operators[] = {DC_OP_FADD,  DC_OP_FSUB,   DC_OP_FMUL, DC_OP_FDIV,
                                       DC_OP_FMIN,  DC_OP_FMAX,   DC_OP_FNEG, DC_OP_FFLOOR,
                                       DC_OP_FCEIL, DC_OP_FTRUNC, DC_OP_FRINT};

static void one_number_gives_what_the_processor_computes(void **state) {
  (void)state;
  uint64_t seed = 1;
  for (unsigned round = 0; round < ROUNDS; ++round) {
    unsigned bits = round & 1 ? 32 : 64;
    double a = random_number(&seed, bits), b = random_number(&seed, bits);
    for (unsigned k = 0; k < sizeof operators / sizeof *operators; ++k) {
      dc_real got;
      assert_true(dc__real_apply(operators[k], bits, point(a), point(b), &got));
      double wanted = computed(operators[k], bits, a, b);
      assert_true(got.low == wanted && got.high == wanted);
    }
  }
}

static void intervals_hold_what_their_numbers_give(void **state) {
  (void)state;
  uint64_t seed = 2;
  unsigned known = 0;
  for (unsigned round = 0; round < ROUNDS; ++round) {
    unsigned bits = round & 1 ? 32 : 64;
    double x[6];
    for (unsigned k = 0; k < 6; ++k)
      x[k] = random_number(&seed, bits);
    dc_real a = {fmin(fmin(x[0], x[1]), x[2]), fmax(fmax(x[0], x[1]), x[2])};
    dc_real b = {fmin(fmin(x[3], x[4]), x[5]), fmax(fmax(x[3], x[4]), x[5])};
    for (unsigned k = 0; k < sizeof operators / sizeof *operators; ++k) {
      dc_real got;
      if (!dc__real_apply(operators[k], bits, a, b, &got))
        continue;
      ++known;
      assert_true(holds(got, computed(operators[k], bits, x[0], x[3])));
      assert_true(holds(got, computed(operators[k], bits, x[1], x[4])));
    }
  }
  assert_true(known > 10 * ROUNDS);
}

static void a_product_in_a_sum_may_be_fused_or_not(void **state) {
  (void)state;
  uint64_t seed = 3;
  unsigned exact = 0, same = 0;
  for (unsigned round = 0; round < ROUNDS; ++round) {
    unsigned bits = round & 1 ? 32 : 64;
    double a = random_number(&seed, bits), b = random_number(&seed, bits);
    double product = computed(DC_OP_FMUL, bits, a, b), c = random_number(&seed, bits);
    if (round & 2) // so that nearly everything cancels
      c = -product;
    dc_real unrounded, sum;
    assert_true(dc__real_apply(DC_OP_FPRODUCT, bits, point(a), point(b), &unrounded));
    if (!dc__real_apply(DC_OP_FADD, bits, unrounded, point(c), &sum))
      continue;
    double fused = bits == 32 ? (double)fmaf((float)a, (float)b, (float)c) : fma(a, b, c);
    assert_true(holds(sum, fused));
    assert_true(holds(sum, computed(DC_OP_FADD, bits, product, c)));
    exact += unrounded.low == unrounded.high;
    same += sum.low == sum.high;
  }
  assert_true(exact > ROUNDS / 8 && same > ROUNDS / 2);
}

static void what_is_not_a_number_is_not_known_or_compares_as_such(void **state) {
  (void)state;
  dc_real got, one = point(1), nan = point(NAN), infinite = point(INFINITY), wide = {-1, 1};
  int64_t value;
  assert_true(dc__real_apply(DC_OP_FSUB, 32, infinite, infinite, &got) && isnan(got.low));
  assert_false(dc__real_apply(DC_OP_FMUL, 32, infinite, wide, &got));
  dc_real up = {1, INFINITY}, down = {-INFINITY, 1};
  assert_false(dc__real_apply(DC_OP_FADD, 32, up, down, &got));
  assert_true(dc__real_apply(DC_OP_FSUB, 32, up, down, &got) && got.low == 0);
  assert_false(dc__real_apply(DC_OP_FDIV, 32, up, up, &got));
  assert_false(dc__real_apply(DC_OP_FMIN, 32, nan, one, &got));
  assert_false(dc__real_apply(DC_OP_FDIV, 32, one, point(0), &got));
  assert_false(dc__real_apply(DC_OP_FDIV, 32, one, wide, &got));
  assert_true(dc__real_apply(DC_OP_FADD, 32, infinite, one, &got) && got.low == INFINITY);
  static const dc_expr_op compares[] = {DC_OP_FEQ, DC_OP_FLT, DC_OP_FLE};
  for (unsigned k = 0; k < 3; ++k) {
    assert_true(dc__real_compare(compares[k], nan, one, &value) && value == 0);
    assert_true(dc__real_compare(compares[k], wide, nan, &value) && value == 0);
    assert_false(dc__real_compare(compares[k], wide, point(0.5), &value));
  }
  assert_true(dc__real_compare(DC_OP_FLT, one, infinite, &value) && value == -1);
  assert_true(dc__real_compare(DC_OP_FLE, wide, one, &value) && value == -1);
  assert_true(dc__real_compare(DC_OP_FLT, one, wide, &value) && value == 0);
  assert_true(dc__real_compare(DC_OP_FEQ, wide, point(2), &value) && value == 0);
  assert_true(dc__real_compare(DC_OP_FEQ, point(-0.0), point(0), &value) && value == -1);
}

static void denormal_numbers_are_not_known(void **state) {
  (void)state;
  dc_real got, tiny = point(0x1p-126f);
  assert_false(dc__real_of_bits(32, 1, &got));
  assert_false(dc__real_of_bits(64, INT64_MIN + 1, &got));
  assert_true(dc__real_of_bits(32, 0, &got));
  assert_false(dc__real_apply(DC_OP_FMUL, 32, tiny, point(0.5), &got));
  assert_true(dc__real_apply(DC_OP_FMUL, 64, tiny, point(0.5), &got));
  assert_false(dc__real_apply(DC_OP_FCAST, 32, got, got, &got));
  assert_false(dc__real_apply(DC_OP_FPRODUCT, 64, point(0x1p-600), point(0x1p-600), &got));
}

static void integers_come_out_where_they_are_in_range(void **state) {
  (void)state;
  int64_t value;
  assert_true(dc__real_to_integer(true, 32, point(-2.75), &value) && value == -2);
  assert_true(dc__real_to_integer(true, 32, point(2147483520.0), &value) && value == 2147483520);
  assert_true(dc__real_to_integer(true, 32, point(-2147483648.0), &value) && value == INT32_MIN);
  assert_false(dc__real_to_integer(true, 32, point(2147483648.0), &value));
  assert_false(dc__real_to_integer(true, 32, point(INFINITY), &value));
  assert_false(dc__real_to_integer(true, 32, point(NAN), &value));
  assert_true(dc__real_to_integer(false, 32, point(-0.5), &value) && value == 0);
  assert_false(dc__real_to_integer(false, 32, point(-1), &value));
  assert_true(dc__real_to_integer(false, 32, point(4294967295.0), &value) && value == -1);
  assert_false(dc__real_to_integer(false, 32, point(4294967296.0), &value));
  assert_true(dc__real_to_integer(false, 64, point(0x1p63), &value) && value == INT64_MIN);
  assert_false(dc__real_to_integer(true, 64, point(0x1p63), &value));
  assert_true(dc__real_to_integer(true, 32, (dc_real){4.1, 4.9}, &value) && value == 4);
  assert_true(dc__real_to_integer(true, 32, (dc_real){-0.9, 0.9}, &value) && value == 0);
  assert_false(dc__real_to_integer(true, 32, (dc_real){4.9, 5}, &value));
  assert_true(dc__real_of_integer(32, true, 16777217).low == 16777216);
  assert_true(dc__real_of_integer(64, false, -1).low == 0x1p64);
}

// ---- expressions --------------------------------------------------------------------------------

static dc_expr constant(dc_expr_pool *pool, unsigned bits, double x) {
  int64_t pattern = 0;
  float narrow = (float)x;
  if (bits == 64)
    memcpy(&pattern, &x, sizeof x);
  else
    memcpy(&pattern, &narrow, sizeof narrow);
  return dc_expr_constant(pool, bits, pattern);
}

static dc_expr unary(dc_expr_pool *pool, dc_expr_op op, unsigned bits, dc_expr a) {
  return dc_expr_cast(pool, op, bits, a);
}

static dc_expr thread(dc_expr_pool *pool) {
  return dc_expr_leaf(pool, DC_OP_TID, 32, DC_DIVERGENT, 0);
}

// (int)((threadIdx.x + 0.5f) * scale - scale), the product maybe fused.
static dc_expr window(dc_expr_pool *pool, dc_expr scale) {
  dc_expr half = dc_expr_binary(pool, DC_OP_FADD, unary(pool, DC_OP_SITOFP, 32, thread(pool)),
                                constant(pool, 32, 0.5));
  dc_expr product = dc_expr_binary(pool, DC_OP_FPRODUCT, half, scale);
  return unary(pool, DC_OP_FPTOSI, 32, dc_expr_binary(pool, DC_OP_FSUB, product, scale));
}

static void bounds_are_those_of_the_source(void **state) {
  (void)state;
  dc_expr_pool pool = {0};
  unsigned known = 0;
  for (unsigned s = 1; s <= 40; ++s) {
    float scale = (float)s * 0.37f;
    dc_expr begin = window(&pool, constant(&pool, 32, scale));
    for (int t = 0; t < 256; ++t) {
      dc_expr_environment here = {.tid = {t, 0, 0}, .budget = 100};
      int64_t value;
      if (!dc_expr_evaluate(&pool, begin, &here, &value))
        continue;
      volatile float product = ((float)t + 0.5f) * scale;
      assert_int_equal(value, (int)(product - scale));
      assert_int_equal(value, (int)fmaf((float)t + 0.5f, scale, -scale));
      ++known;
    }
  }
  assert_true(known > 40 * 256 * 99 / 100);
  dc_expr_pool_free(&pool);
}

static void parameters_are_whole_numbers_and_assumed_ones_small(void **state) {
  (void)state;
  dc_expr_pool pool = {0};
  dc_expr scale = dc_expr_leaf(&pool, DC_OP_PARAM, 32, DC_UNIFORM, 0);
  dc_expr begin = window(&pool, scale);
  int64_t params[] = {3}, value;
  bool known[] = {true};
  dc_expr_environment here = {
      .tid = {5, 0, 0}, .params = params, .params_known = known, .n_params = 1, .budget = 100};
  assert_true(dc_expr_evaluate(&pool, begin, &here, &value) && value == 13); // 5.5 * 3 - 3
  known[0] = false;
  assert_false(dc_expr_evaluate(&pool, begin, &here, &value));
  here.assumed = 2048;
  assert_true(dc_expr_evaluate(&pool, begin, &here, &value) && value == 9); // 5.5 * 2 - 2
  assert_true(here.uses_assumed);
  here.budget = 3;
  assert_false(dc_expr_evaluate(&pool, begin, &here, &value));
  dc_expr_pool_free(&pool);
}

// for (x = threadIdx.x * step; x < end; x += step)
static dc_expr run(dc_expr_pool *pool, unsigned bits, double step, double end) {
  dc_expr by = constant(pool, bits, step), none = DC_NO_EXPR;
  dc_expr x = dc_expr_leaf(pool, DC_OP_CARRIED, bits, DC_UNIFORM, 0);
  dc_expr stays = dc_expr_binary(pool, DC_OP_FLT, x, constant(pool, bits, end));
  dc_expr ends = dc_expr_binary(pool, DC_OP_XOR, stays, dc_expr_constant(pool, 1, 1));
  dc_expr start =
      dc_expr_binary(pool, DC_OP_FMUL, unary(pool, DC_OP_SITOFP, bits, thread(pool)), by);
  assert_int_equal(dc_expr_apply(pool, DC_OP_RUN, 64, DC_UNIFORM, ends, start, none, 0), none);
  return dc_expr_apply(pool, DC_OP_RUN, 64, DC_UNIFORM, ends, start,
                       dc_expr_binary(pool, DC_OP_FADD, x, by), 0);
}

static void runs_count_what_the_loop_does(void **state) {
  (void)state;
  static const double steps[] = {0.1, 0.25, 1.0 / 3, 7};
  for (unsigned k = 0; k < 4; ++k)
    for (int t = 0; t < 200; t += 7) {
      dc_expr_pool pool = {0};
      dc_expr_environment here = {.tid = {t, 0, 0}, .budget = 100000};
      int64_t value, narrow = 0, wide = 0;
      float step = (float)steps[k];
      volatile float x = (float)t * step;
      while (x < 10.0f) {
        x += step;
        ++narrow;
      }
      volatile double y = t * steps[k];
      while (y < 10.0) {
        y += steps[k];
        ++wide;
      }
      assert_true(dc_expr_evaluate(&pool, run(&pool, 32, step, 10), &here, &value));
      assert_int_equal(value, narrow);
      assert_true(dc_expr_evaluate(&pool, run(&pool, 64, steps[k], 10), &here, &value));
      assert_int_equal(value, wide);
      dc_expr_pool_free(&pool);
    }
}

static void runs_that_do_not_end_are_not_known(void **state) {
  (void)state;
  dc_expr_pool pool = {0};
  int64_t value;
  dc_expr_environment here = {.tid = {0, 0, 0}, .budget = 100000};
  assert_false(dc_expr_evaluate(&pool, run(&pool, 32, 0x1p-30, INFINITY), &here, &value));
  assert_int_equal(here.budget, 0);
  here.budget = 100000; // a comparison with what isn't a number doesn't hold
  assert_true(dc_expr_evaluate(&pool, run(&pool, 32, 1, NAN), &here, &value) && value == 0);
  // Another exit, after 40 iterations, bounds the run.
  dc_expr both = dc_expr_binary(&pool, DC_OP_UMIN, run(&pool, 32, 0x1p-30, INFINITY),
                                dc_expr_constant(&pool, 64, 40));
  assert_true(dc_expr_evaluate(&pool, both, &here, &value) && value == 40);
  dc_expr x = dc_expr_leaf(&pool, DC_OP_CARRIED, 32, DC_UNIFORM, 0);
  assert_false(dc_expr_evaluate(&pool, unary(&pool, DC_OP_FPTOSI, 32, x), &here, &value));
  dc_expr_pool_free(&pool);
}

static void numbers_have_their_widths_and_kinds(void **state) {
  (void)state;
  dc_expr_pool pool = {0};
  dc_expr_environment here = {.tid = {4, 0, 0}, .budget = 1000};
  int64_t value;
  dc_expr t = thread(&pool), narrow = unary(&pool, DC_OP_SITOFP, 32, t),
          one = constant(&pool, 64, 1);
  assert_int_equal(unary(&pool, DC_OP_SITOFP, 16, t), DC_NO_EXPR);
  assert_int_equal(dc_expr_binary(&pool, DC_OP_FADD, narrow, one), DC_NO_EXPR);
  assert_int_equal(dc_expr_binary(&pool, DC_OP_FLT, narrow, one), DC_NO_EXPR);
  assert_int_equal(unary(&pool, DC_OP_FCAST, 32, narrow), DC_NO_EXPR);
  dc_expr wide = unary(&pool, DC_OP_FCAST, 64, narrow);
  dc_expr less = dc_expr_binary(&pool, DC_OP_FLT, one, wide);
  assert_true(dc_expr_evaluate(&pool, less, &here, &value) && value == -1);
  // The bits of a number are no integer, nor the other way round.
  assert_false(dc_expr_evaluate(&pool, wide, &here, &value));
  dc_expr sum = dc_expr_binary(&pool, DC_OP_ADD, narrow, dc_expr_constant(&pool, 32, 1));
  assert_false(dc_expr_evaluate(&pool, sum, &here, &value));
  assert_false(dc_expr_evaluate(&pool, unary(&pool, DC_OP_FPTOSI, 32, t), &here, &value));
  dc_expr chosen = dc_expr_apply(&pool, DC_OP_SELECT, 64, DC_UNIFORM, less, wide, one, 0);
  assert_true(dc_expr_evaluate(&pool, unary(&pool, DC_OP_FPTOUI, 8, chosen), &here, &value));
  assert_int_equal(value, 4);
  dc_expr_pool_free(&pool);
}

static void assert_prints(dc_expr_pool *pool, dc_expr e, const char *wanted) {
  char text[200];
  dc_expr_print(pool, e, NULL, text, sizeof text);
  assert_string_equal(text, wanted);
}

static void numbers_print_with_a_point(void **state) {
  (void)state;
  dc_expr_pool pool = {0};
  dc_expr t = unary(&pool, DC_OP_SITOFP, 32, thread(&pool));
  assert_prints(&pool, window(&pool, constant(&pool, 32, 0.1)),
                "(int)(((float)threadIdx.x + 0.5) * 0.1 - 0.1)");
  assert_prints(&pool, run(&pool, 64, 2, 1e30),
                "first i0 with !(x0 < 1e+30) where x0 begins as (double)threadIdx.x * 2.0 and goes "
                "on as x0 + 2.0");
  dc_expr small = dc_expr_binary(&pool, DC_OP_FMAX, unary(&pool, DC_OP_FNEG, 32, t),
                                 unary(&pool, DC_OP_FFLOOR, 32, constant(&pool, 32, -INFINITY)));
  assert_prints(&pool, unary(&pool, DC_OP_FPTOUI, 32, small),
                "(unsigned)max(-(float)threadIdx.x, floor(-inf))");
  dc_expr sums = dc_expr_binary(&pool, DC_OP_FADD, t, dc_expr_binary(&pool, DC_OP_FADD, t, t));
  assert_prints(&pool, sums, "(float)threadIdx.x + ((float)threadIdx.x + (float)threadIdx.x)");
  dc_expr is_one = dc_expr_binary(&pool, DC_OP_EQ, thread(&pool), dc_expr_constant(&pool, 32, 1));
  dc_expr half = constant(&pool, 32, 0.5);
  dc_expr either = dc_expr_apply(&pool, DC_OP_SELECT, 32, DC_UNIFORM, is_one, half, t, 0);
  assert_prints(&pool, dc_expr_binary(&pool, DC_OP_FLE, either, half),
                "(threadIdx.x == 1 ? 0.5 : (float)threadIdx.x) <= 0.5");
  dc_expr_pool_free(&pool);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_number_gives_what_the_processor_computes),
      cmocka_unit_test(intervals_hold_what_their_numbers_give),
      cmocka_unit_test(a_product_in_a_sum_may_be_fused_or_not),
      cmocka_unit_test(what_is_not_a_number_is_not_known_or_compares_as_such),
      cmocka_unit_test(denormal_numbers_are_not_known),
      cmocka_unit_test(integers_come_out_where_they_are_in_range),
      cmocka_unit_test(bounds_are_those_of_the_source),
      cmocka_unit_test(parameters_are_whole_numbers_and_assumed_ones_small),
      cmocka_unit_test(runs_count_what_the_loop_does),
      cmocka_unit_test(runs_that_do_not_end_are_not_known),
      cmocka_unit_test(numbers_have_their_widths_and_kinds),
      cmocka_unit_test(numbers_print_with_a_point),
  };
  return cmocka_run_group_tests_name("expr_reals", tests, NULL, NULL);
}
