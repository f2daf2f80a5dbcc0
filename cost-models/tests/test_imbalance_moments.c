// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The moments of the imbalance to 1e-12, against enumeration, all pairs of two lanes, sums over
// binomial distributions, and the exact pmf over a broad random family of distributions.
#include "cases.h"
#include "divcost/imbalance_pmf.h"

#include "support.h"

static dc_moments moments(const dc_distribution *d, unsigned lanes) {
  dc_moments result = {0};
  dc_error error = {0};
  if (dc_imbalance_moments(d, lanes, &result, &error) != DC_OK)
    fail_msg("%s", error.text);
  return result;
}

// The accuracy that imbalance.h promises.
static void assert_moments(dc_moments got, dc_moments wanted, double tolerance) {
  assert_close(got.mean, wanted.mean, tolerance);
  assert_close(got.excess, wanted.excess, tolerance);
  assert_close(got.square, wanted.square, tolerance);
  assert_within(got.variance, wanted.variance, tolerance * wanted.square);
}

typedef struct totals {
  long double excess, square;
} totals;

static dc_moments moments_of(totals t) {
  return (dc_moments){(double)(1 + t.excess), (double)t.excess, (double)t.square,
                      (double)(t.square - t.excess * t.excess)};
}

static void add_draw(const int64_t *counts, unsigned lanes, double probability, void *context) {
  totals *t = context;
  int64_t sum = 0, largest = 0;
  for (unsigned i = 0; i < lanes; ++i) {
    sum += counts[i];
    largest = counts[i] > largest ? counts[i] : largest;
  }
  long double x = sum > 0 ? (long double)((int64_t)lanes * largest - sum) / (long double)sum : 0;
  t->excess += (long double)probability * x;
  t->square += (long double)probability * x * x;
}

static void enumeration_of_few_lanes(void **state) {
  (void)state;
  uint64_t seed = 11;
  for (unsigned round = 0; round < cases_of(300, 60); ++round) {
    dc_point points[8];
    unsigned lanes = 2 + random_below(&seed, 4);
    size_t count = 2 + random_below(&seed, lanes > 3 ? 5 : 7);
    int64_t step = (int64_t[]){1, 3, 1000, 1000000000}[random_below(&seed, 4)];
    dc_distribution d = random_distribution(&seed, points, count, step);
    int64_t offset = (int64_t[]){0, 0, 1000, 1000000000000}[random_below(&seed, 4)]; // narrow
    for (size_t i = 0; i < count; ++i)
      points[i].value += offset;
    totals t = {0, 0};
    enumerate(&d, lanes, add_draw, &t);
    assert_moments(moments(&d, lanes), moments_of(t), with_reference(1e-12));
  }
}

static dc_moments moments_of_two_lanes(const dc_distribution *d) {
  totals t = {0, 0};
  for (size_t i = 0; i < d->count; ++i)
    for (size_t j = 0; j < i; ++j) {
      int64_t high = d->points[i].value, low = d->points[j].value;
      long double x = (long double)(high - low) / (long double)(high + low);
      long double p = 2 * (long double)d->points[i].mass * (long double)d->points[j].mass;
      t.excess += p * x;
      t.square += p * x * x;
    }
  return moments_of(t);
}

static void long_supports_of_two_lanes(void **state) {
  (void)state;
  static const char *const texts[] = {"uniform(0,3000)",
                                      "uniform(1,2000)",
                                      "uniform(1000000000,1000003000)",
                                      "uniform(8796093020000,8796093022208)",
                                      "zipf(1.5,3000)",
                                      "geometric(0.01)",
                                      "0.5*uniform(100000,101000) + 0.5*uniform(0,1000)",
                                      "0.9*poisson(3) + 0.1*binomial(2000,0.7)",
                                      "negbin(0.3,0.01)"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
    made m = make(texts[i], NULL);
    assert_moments(moments(&m.distribution, 2), moments_of_two_lanes(&m.distribution),
                   with_reference(2e-13));
    release(&m);
  }
}

// Two values: the sum over how many lanes have the higher one, as a product of small factors.
static dc_moments moments_of_two_values(int64_t low, int64_t high, double p, unsigned lanes) {
  totals t = {0, 0};
  long double choose = 1;
  for (unsigned k = 0; k < lanes; ++k)
    choose *= 1 - (long double)p;
  for (unsigned k = 1; k < lanes; ++k) {
    choose *= (long double)(lanes - k + 1) / k * ((long double)p / (1 - (long double)p));
    int64_t sum = k * high + (int64_t)(lanes - k) * low;
    long double x = (long double)((lanes - k) * (high - low)) / (long double)sum;
    t.excess += choose * x;
    t.square += choose * x * x;
  }
  return moments_of(t);
}

static void narrow_distributions_keep_their_digits(void **state) {
  (void)state;
  static const int64_t lows[] = {0, 1, 1000, 1000000000000, DC_TRIPS_MAX - 1};
  static const unsigned lanes[] = {2, 3, 4, 31, 32, 33, 64, 65, 500, 1024};
  static const double p[] = {0x1p-46, 0x1p-10, 0.5, 0.75};
  for (size_t i = 0; i < 5; ++i)
    for (size_t j = 0; j < 10; ++j)
      for (size_t k = 0; k < 4; ++k) {
        dc_point points[] = {{lows[i], 1 - p[k]}, {lows[i] + 1, p[k]}};
        dc_distribution d = {points, 2, 0, NULL};
        if (with_reference(1) > 1 && pow(1 - p[k], lanes[j]) < 1e-290)
          continue; // the reference has only the range of a double
        assert_moments(moments(&d, lanes[j]),
                       moments_of_two_values(lows[i], lows[i] + 1, p[k], lanes[j]),
                       with_reference(1e-12));
      }
}

// A distribution from a broad family: side by side or sparse, narrow, with zeros, heavy-tailed,
// with masses over many orders of magnitude.
static dc_distribution family(uint64_t *seed, dc_point *points, size_t count) {
  unsigned spread = random_below(seed, 4), shape = random_below(seed, 4);
  int64_t value = (int64_t[]){-1, 0, 19, 100000}[random_below(seed, 4)];
  int64_t step = random_below(seed, 5) == 0 ? 6 : 1;
  double total = 0, depth = random_below(seed, 2) == 0 ? 4 : 40;
  for (size_t i = 0; i < count; ++i) {
    value += step * (spread < 2 ? 1 : 1 + (int64_t)random_below(seed, spread == 2 ? 3 : 20));
    double mass = shape == 0   ? 1
                  : shape == 1 ? exp(-depth * random_unit(seed))
                  : shape == 2 ? pow(1 + (double)i, -2)
                               : exp(-20 * pow((double)i / (double)count - 0.4, 2));
    points[i] = (dc_point){value, mass};
    total += mass;
  }
  for (size_t i = 0; i < count; ++i)
    points[i].mass /= total;
  return (dc_distribution){points, count, 0, NULL};
}

static void the_exact_pmf_has_the_same_moments(void **state) {
  (void)state;
  uint64_t seed = 12;
  for (unsigned round = 0; round < cases_of(250, 50); ++round) {
    dc_point points[60];
    bool many = round % 10 == 0;
    unsigned lanes = many ? 65 + random_below(&seed, 136) : 2 + random_below(&seed, 40);
    size_t count = 2 + random_below(&seed, many ? 6 : 1200 / (lanes + 20));
    dc_distribution d = family(&seed, points, count);
    dc_error error = {0};
    dc_imbalance_pmf pmf;
    if (dc_imbalance_pmf_build(&d, lanes, DC_PMF_POWERS, &pmf, &error) != DC_OK)
      fail_msg("%s", error.text);
    dc_moments got = moments(&d, lanes);
    assert_moments(got, dc_imbalance_pmf_moments(&pmf), 1e-12);
    double mean = 0;
    assert_int_equal(dc_expected_imbalance(&d, lanes, &mean, NULL), DC_OK);
    assert_close(mean, got.mean, 1e-12);
    assert_true(got.variance >= 0 && got.excess <= lanes - 1);
    dc_imbalance_pmf_free(&pmf);
  }
}

static void scaling_the_trip_counts_changes_nothing(void **state) {
  (void)state;
  uint64_t seed = 13;
  static dc_point points[300], scaled[300];
  for (unsigned round = 0; round < cases_of(60, 12); ++round) {
    size_t count = 2 + random_below(&seed, 299);
    dc_distribution d = family(&seed, points, count);
    unsigned lanes = 2 + random_below(&seed, round % 4 == 0 ? 1023 : 63);
    for (size_t i = 0; i < count; ++i)
      scaled[i] = (dc_point){points[i].value * 7, points[i].mass};
    assert_moments(moments(&(dc_distribution){scaled, count, 0, NULL}, lanes), moments(&d, lanes),
                   1e-12);
  }
}

static void a_million_values_keep_their_digits(void **state) {
  (void)state;
  // Side by side exp(-u v) goes on by multiplication, seven apart it starts afresh each time.
  enum { COUNT = 1000000 };
  dc_point *points = malloc(2 * COUNT * sizeof *points), *scaled = points + COUNT;
  for (int i = 0; i < COUNT; ++i) {
    points[i] = (dc_point){i + 1, 1.0 / COUNT};
    scaled[i] = (dc_point){7 * ((int64_t)i + 1), 1.0 / COUNT};
  }
  assert_moments(moments(&(dc_distribution){points, COUNT, 0, NULL}, 32),
                 moments(&(dc_distribution){scaled, COUNT, 0, NULL}, 32), 1e-12);
  free(points);
}

static void one_lane_and_constants_have_no_spread(void **state) {
  (void)state;
  static const char *const texts[] = {"const(0)", "const(8796093022208)"};
  for (size_t i = 0; i < 2; ++i) {
    made m = make(texts[i], NULL);
    dc_moments x = moments(&m.distribution, 1024);
    assert_true(x.mean == 1 && x.excess == 0 && x.square == 0 && x.variance == 0);
    release(&m);
  }
  made m = make("geometric(0.05)", NULL);
  dc_moments x = moments(&m.distribution, 1);
  assert_true(x.mean == 1 && x.excess == 0 && x.square == 0 && x.variance == 0);
  release(&m);
}

static void errors_leave_the_result_alone(void **state) {
  (void)state;
  made m = make("uniform(1,3)", NULL);
  dc_moments x = {.mean = -5};
  dc_error error;
  assert_int_equal(dc_imbalance_moments(&m.distribution, 0, &x, &error), DC_ERROR_ARGUMENT);
  assert_string_equal(error.text, "lanes is 0, but must be a whole number from 1 to 1024");
  assert_int_equal(dc_imbalance_moments(&(dc_distribution){NULL, 0, 0, NULL}, 32, &x, &error),
                   DC_ERROR_ARGUMENT);
  assert_string_equal(error.text, "the distribution has 0 points, but must have 1 to 1000000");
  assert_true(x.mean == -5);
  release(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(enumeration_of_few_lanes),
      cmocka_unit_test(long_supports_of_two_lanes),
      cmocka_unit_test(narrow_distributions_keep_their_digits),
      cmocka_unit_test(the_exact_pmf_has_the_same_moments),
      cmocka_unit_test(scaling_the_trip_counts_changes_nothing),
      cmocka_unit_test(a_million_values_keep_their_digits),
      cmocka_unit_test(one_lane_and_constants_have_no_spread),
      cmocka_unit_test(errors_leave_the_result_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
