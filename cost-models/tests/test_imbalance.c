// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The imbalance against the paper's table 1, against enumeration, against closed forms for
// distributions of two and three values with up to 1024 lanes, and its invariants over random
// distributions.
#include "divcost/imbalance.h"

#include "support.h"

static double expected(const dc_distribution *d, unsigned lanes) {
  double result = 0;
  dc_error error = {0};
  if (dc_expected_imbalance(d, lanes, &result, &error) != DC_OK)
    fail_msg("%s", error.text);
  return result;
}

static double aggregate(const dc_distribution *d, unsigned lanes) {
  double result = 0;
  assert_int_equal(dc_aggregate_imbalance(d, lanes, &result, NULL), DC_OK);
  return result;
}

static double maximum(const dc_distribution *d, unsigned lanes) {
  double result = 0;
  assert_int_equal(dc_expected_maximum(d, lanes, &result, NULL), DC_OK);
  return result;
}

static void table_1_of_swatman_et_al(void **state) {
  (void)state;
  static const struct {
    const char *name, *text;
  } distributions[] = {{"B(40,0.5)", "binomial(40,0.5)"},
                       {"Geo(0.05)", "geometric(0.05)"},
                       {"Pois(30)", "poisson(30)"},
                       {"U(20,40)", "uniform(20,40)"},
                       {"NB(5,0.3)", "negbin(5,0.3)"}};
  const dc_distribution_options paper = {.cut = DC_CUT_PAPER};
  FILE *file = fopen(DIVCOST_TEST_DATA "/table1.tsv", "r");
  assert_non_null(file);
  unsigned cells = 0;
  char line[256];
  while (fgets(line, sizeof line, file)) {
    char name[32], modelled[16], printed[32];
    unsigned lanes;
    double simulated, measured, exact;
    if (line[0] == '#' || sscanf(line, "%31s %u %15s %lf %lf %lf", name, &lanes, modelled,
                                 &simulated, &measured, &exact) != 6)
      continue;
    for (size_t i = 0; i < sizeof distributions / sizeof *distributions; ++i) {
      if (strcmp(distributions[i].name, name) != 0)
        continue;
      made m = make(distributions[i].text, &paper);
      double mu = expected(&m.distribution, lanes);
      assert_close(mu, exact, 1e-11);
      snprintf(printed, sizeof printed, "%.3f", mu);
      assert_string_equal(printed, modelled);
      assert_within(mu, simulated, 0.002); // 2^18 groups
      release(&m);
      ++cells;
    }
  }
  fclose(file);
  assert_int_equal(cells, 25);
}

typedef struct totals {
  double imbalance, maximum, mean;
} totals;

static void add_draw(const int64_t *counts, unsigned lanes, double probability, void *context) {
  totals *t = context;
  int64_t sum = 0, largest = 0;
  for (unsigned i = 0; i < lanes; ++i) {
    sum += counts[i];
    largest = counts[i] > largest ? counts[i] : largest;
  }
  t->imbalance += probability * (sum > 0 ? (double)lanes * (double)largest / (double)sum : 1);
  t->maximum += probability * (double)largest;
  t->mean += probability * (double)sum / lanes;
}

static void enumeration_of_few_lanes(void **state) {
  (void)state;
  uint64_t seed = 1;
  for (unsigned round = 0; round < 300; ++round) {
    dc_point points[8];
    unsigned lanes = 1 + random_below(&seed, 5);
    size_t count = 1 + random_below(&seed, lanes > 3 ? 6 : 8);
    int64_t step = (int64_t[]){1, 3, 1000, 1000000000}[random_below(&seed, 4)];
    dc_distribution d = random_distribution(&seed, points, count, step);
    totals t = {0};
    enumerate(&d, lanes, add_draw, &t);
    assert_close(expected(&d, lanes), t.imbalance, 1e-12);
    assert_close(maximum(&d, lanes), t.maximum, 1e-12);
    assert_close(aggregate(&d, lanes), t.mean > 0 ? t.maximum / t.mean : 1, 1e-12);
    double efficiency;
    assert_int_equal(dc_simt_efficiency(&d, lanes, &efficiency, NULL), DC_OK);
    assert_close(efficiency, t.mean > 0 ? t.mean / t.maximum : 1, 1e-12);
  }
}

// E[X] of a distribution of two values: the sum over how many lanes have the higher one.
static double two_values(double low, double high, double p, unsigned lanes) {
  double result = 0, log_p = log(p), log_q = log1p(-p), log_choose = 0;
  for (unsigned k = 0; k <= lanes; ++k) {
    double probability = exp(log_choose + k * log_p + (lanes - k) * log_q);
    double sum = k * high + (lanes - k) * low;
    result += probability * (sum > 0 ? lanes * (k > 0 ? high : low) / sum : 1);
    log_choose += log(lanes - k) - log(k + 1);
  }
  return result;
}

static void two_values_and_any_number_of_lanes(void **state) {
  (void)state;
  static const unsigned lanes[] = {2, 3, 7, 31, 32, 33, 40, 64, 100, 513, 1023, 1024};
  static const double values[][2] = {{0, 1},    {0, 8796093022208}, {1, 2},
                                     {1, 1000}, {1, 8796093022208}, {8796093022207, 8796093022208},
                                     {5, 70}};
  static const double p[] = {1e-9, 0.001, 0.1, 0.5, 0.999, 1 - 1e-9};
  for (size_t i = 0; i < sizeof lanes / sizeof *lanes; ++i)
    for (size_t j = 0; j < sizeof values / sizeof *values; ++j)
      for (size_t k = 0; k < sizeof p / sizeof *p; ++k) {
        dc_point points[] = {{(int64_t)values[j][0], 1 - p[k]}, {(int64_t)values[j][1], p[k]}};
        dc_distribution d = {points, 2, 0, NULL};
        // The reference itself loses digits to the logarithms of binomial coefficients.
        assert_close(expected(&d, lanes[i]), two_values(values[j][0], values[j][1], p[k], lanes[i]),
                     lanes[i] > 100 ? 3e-12 : 1e-12);
      }
}

// Two lanes: every pair, O(count^2), in ascending order of size.
static double two_lanes(const dc_distribution *d) {
  long double result = 0;
  for (size_t i = 0; i < d->count; ++i)
    for (size_t j = 0; j <= i; ++j) {
      long double sum = (long double)d->points[i].value + (long double)d->points[j].value;
      long double x = sum > 0 ? 2 * (long double)d->points[i].value / sum : 1;
      result +=
          x * (long double)d->points[i].mass * (long double)d->points[j].mass * (i == j ? 1 : 2);
    }
  return (double)result;
}

static void long_supports_of_two_lanes(void **state) {
  (void)state;
  static const char *const texts[] = {"uniform(0,3000)",
                                      "uniform(1,2000)",
                                      "zipf(1.5,3000)",
                                      "geometric(0.01)",
                                      "0.5*uniform(100000,101000) + 0.5*uniform(0,1000)",
                                      "0.9*poisson(3) + 0.1*binomial(2000,0.7)",
                                      "negbin(0.3,0.01)"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
    made m = make(texts[i], NULL);
    assert_close(expected(&m.distribution, 2), two_lanes(&m.distribution), with_reference(1e-13));
    release(&m);
  }
}

static void expected_and_aggregate_differ(void **state) {
  (void)state;
  made m = make("zipf(2,100000)", NULL);
  double mean = expected(&m.distribution, 32), total = aggregate(&m.distribution, 32);
  assert_within(mean, 10.9, 0.05);
  assert_within(total, 21.1, 0.05);
  release(&m);
}

static void expected_imbalance_may_fall_with_more_lanes(void **state) {
  (void)state;
  made m = make("0.9*const(1) + 0.1*const(1000)", NULL);
  assert_within(expected(&m.distribution, 40), 12.56, 0.005);
  assert_within(expected(&m.distribution, 100), 11.02, 0.005);
  assert_close(expected(&m.distribution, 40), two_values(1, 1000, 0.1, 40), 1e-12);
  assert_true(aggregate(&m.distribution, 100) > aggregate(&m.distribution, 40));
  release(&m);
}

static void aggregate_of_independent_formulas(void **state) {
  (void)state;
  made m = make("uniform(1,10)", NULL); // E[max] = 10 - sum of (k/10)^n
  double max = 10;
  for (int k = 1; k < 10; ++k)
    max -= pow(k / 10.0, 32);
  assert_close(maximum(&m.distribution, 32), max, 1e-14);
  assert_close(aggregate(&m.distribution, 32), max / 5.5, 1e-14);
  release(&m);
}

static void invariants_over_random_distributions(void **state) {
  (void)state;
  uint64_t seed = 2;
  static dc_point points[400], scaled[400];
  for (unsigned round = 0; round < 120; ++round) {
    size_t count = 2 + random_below(&seed, 399);
    int64_t step = (int64_t[]){1, 2, 50, 1000000}[random_below(&seed, 4)];
    dc_distribution d = random_distribution(&seed, points, count, step);
    unsigned lanes = 2 + random_below(&seed, round % 4 == 0 ? 1023 : 63);
    double x = expected(&d, lanes), a = aggregate(&d, lanes), worst;
    assert_true(x >= 1 && x <= lanes);
    assert_true(a >= 1 && a <= lanes);
    assert_int_equal(
        dc_worst_imbalance(dc_distribution_min(&d), dc_distribution_max(&d), lanes, &worst, NULL),
        DC_OK);
    assert_true(x <= worst * (1 + 1e-12));
    assert_close(expected(&d, 1), 1, 1e-15);
    assert_close(aggregate(&d, 1), 1, 1e-12);
    assert_true(aggregate(&d, lanes) >= aggregate(&d, lanes - 1) * (1 - 1e-14));
    // Scaling the trip counts changes nothing, though other code runs (no gap of 1).
    for (size_t i = 0; i < count; ++i)
      scaled[i] = (dc_point){points[i].value * 7, points[i].mass};
    dc_distribution seven = {scaled, count, 0, NULL};
    assert_close(expected(&seven, lanes), x, 2e-12);
    assert_close(aggregate(&seven, lanes), a, 1e-13);
  }
}

static void long_supports_of_many_lanes_keep_their_digits(void **state) {
  (void)state;
  // Values side by side go on from exp(-u v) by multiplication; seven apart, each starts afresh.
  enum { COUNT = 50000 };
  static dc_point points[COUNT], scaled[COUNT];
  for (int i = 0; i < COUNT; ++i) {
    points[i] = (dc_point){i + 1, 1.0 / COUNT};
    scaled[i] = (dc_point){7 * (i + 1), 1.0 / COUNT};
  }
  static const unsigned lanes[] = {32, 64, 65, 1024};
  for (size_t i = 0; i < 4; ++i)
    assert_close(expected(&(dc_distribution){points, COUNT, 0, NULL}, lanes[i]),
                 expected(&(dc_distribution){scaled, COUNT, 0, NULL}, lanes[i]),
                 lanes[i] > 65 ? 1e-13 : 3e-14);
}

static void rare_values_keep_their_digits(void **state) {
  (void)state;
  dc_point points[] = {{1, 1 - 1e-12}, {1000000000001, 1e-12}};
  double rare = -expm1(32 * log1p(-1e-12));
  assert_close(maximum(&(dc_distribution){points, 2, 0, NULL}, 32), 1 + 1e12 * rare, 1e-14);
}

static void constants_are_balanced(void **state) {
  (void)state;
  static const char *const texts[] = {"const(0)", "const(1)", "const(8796093022208)"};
  for (size_t i = 0; i < 3; ++i) {
    made m = make(texts[i], NULL);
    double efficiency;
    assert_true(expected(&m.distribution, 1024) == 1);
    assert_true(aggregate(&m.distribution, 1024) == 1);
    assert_int_equal(dc_simt_efficiency(&m.distribution, 32, &efficiency, NULL), DC_OK);
    assert_true(efficiency == 1);
    release(&m);
  }
}

static void a_million_values(void **state) {
  (void)state;
  made m = make("uniform(1,1000000)", NULL);
  // Scaling invariance in the limit: the continuous uniform distribution has aggregate 2n/(n+1).
  assert_close(aggregate(&m.distribution, 32), 64.0 / 33, 2e-6);
  double coarse;
  {
    made c = make("uniform(1,100000)", NULL);
    coarse = expected(&c.distribution, 32);
    release(&c);
  }
  assert_close(expected(&m.distribution, 32), coarse, 1e-5);
  release(&m);
}

static void a_range_bounds_the_imbalance(void **state) {
  (void)state;
  double x;
  assert_int_equal(dc_worst_imbalance(0, 10, 32, &x, NULL), DC_OK);
  assert_true(x == 32);
  assert_int_equal(dc_worst_imbalance(0, 0, 32, &x, NULL), DC_OK);
  assert_true(x == 1);
  assert_int_equal(dc_worst_imbalance(7, 7, 32, &x, NULL), DC_OK);
  assert_true(x == 1);
  assert_int_equal(dc_worst_imbalance(2, 3, 4, &x, NULL), DC_OK);
  assert_close(x, 12.0 / 9, 1e-15);
  assert_int_equal(dc_worst_imbalance(DC_TRIPS_MAX, DC_TRIPS_MAX, 1024, &x, NULL), DC_OK);
  assert_true(x == 1);
}

static void listed_counts_are_exact(void **state) {
  (void)state;
  double x;
  const int64_t counts[] = {1, 2, 3, 6};
  assert_int_equal(dc_listed_imbalance(counts, 4, &x, NULL), DC_OK);
  assert_true(x == 2);
  const int64_t zeros[] = {0, 0};
  assert_int_equal(dc_listed_imbalance(zeros, 2, &x, NULL), DC_OK);
  assert_true(x == 1);
  static int64_t large[1024];
  for (unsigned i = 0; i < 1024; ++i)
    large[i] = DC_TRIPS_MAX;
  assert_int_equal(dc_listed_imbalance(large, 1024, &x, NULL), DC_OK);
  assert_true(x == 1);
}

static void errors_name_the_argument_and_its_range(void **state) {
  (void)state;
  made m = make("uniform(1,3)", NULL);
  double x = -5;
  dc_error error;
  typedef dc_status (*question)(const dc_distribution *, unsigned, double *, dc_error *);
  static const question questions[] = {dc_expected_maximum, dc_expected_imbalance,
                                       dc_aggregate_imbalance, dc_simt_efficiency};
  for (size_t i = 0; i < 4; ++i) {
    assert_int_equal(questions[i](&m.distribution, 0, &x, &error), DC_ERROR_ARGUMENT);
    assert_string_equal(error.text, "lanes is 0, but must be a whole number from 1 to 1024");
    assert_int_equal(questions[i](&m.distribution, 1025, &x, NULL), DC_ERROR_ARGUMENT);
    dc_distribution none = {m.distribution.points, 0, 0, NULL}, null = {NULL, 3, 0, NULL};
    assert_int_equal(questions[i](&none, 32, &x, &error), DC_ERROR_ARGUMENT);
    assert_string_equal(error.text, "the distribution has 0 points, but must have 1 to 1000000");
    assert_int_equal(questions[i](&null, 32, &x, &error), DC_ERROR_ARGUMENT);
    dc_distribution many = {m.distribution.points, DC_POINTS_MAX + 1, 0, NULL};
    assert_int_equal(questions[i](&many, 32, &x, &error), DC_ERROR_ARGUMENT);
  }
  assert_int_equal(dc_worst_imbalance(-1, 3, 32, &x, &error), DC_ERROR_ARGUMENT);
  assert_string_equal(error.text, "low is -1, but must be from 0 to 8796093022208");
  assert_int_equal(dc_worst_imbalance(4, 3, 32, &x, &error), DC_ERROR_ARGUMENT);
  assert_string_equal(error.text, "high is 3, but must be from low, 4, to 8796093022208");
  assert_int_equal(dc_worst_imbalance(DC_TRIPS_MAX + 1, DC_TRIPS_MAX + 1, 32, &x, &error),
                   DC_ERROR_ARGUMENT);
  assert_int_equal(dc_worst_imbalance(0, DC_TRIPS_MAX + 1, 32, &x, &error), DC_ERROR_ARGUMENT);
  assert_int_equal(dc_worst_imbalance(1, 3, 0, &x, &error), DC_ERROR_ARGUMENT);
  const int64_t negative[] = {1, -2}, huge[] = {DC_TRIPS_MAX + 1};
  assert_int_equal(dc_listed_imbalance(negative, 2, &x, &error), DC_ERROR_ARGUMENT);
  assert_string_equal(error.text,
                      "the trip count of lane 1 is -2, but must be from 0 to 8796093022208");
  assert_int_equal(dc_listed_imbalance(huge, 1, &x, &error), DC_ERROR_ARGUMENT);
  assert_int_equal(dc_listed_imbalance(huge, 0, &x, &error), DC_ERROR_ARGUMENT);
  assert_int_equal(dc_listed_imbalance(huge, 1025, &x, &error), DC_ERROR_ARGUMENT);
  assert_true(x == -5); // no result on error
  release(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(table_1_of_swatman_et_al),
      cmocka_unit_test(enumeration_of_few_lanes),
      cmocka_unit_test(two_values_and_any_number_of_lanes),
      cmocka_unit_test(long_supports_of_two_lanes),
      cmocka_unit_test(expected_and_aggregate_differ),
      cmocka_unit_test(expected_imbalance_may_fall_with_more_lanes),
      cmocka_unit_test(aggregate_of_independent_formulas),
      cmocka_unit_test(invariants_over_random_distributions),
      cmocka_unit_test(long_supports_of_many_lanes_keep_their_digits),
      cmocka_unit_test(rare_values_keep_their_digits),
      cmocka_unit_test(constants_are_balanced),
      cmocka_unit_test(a_million_values),
      cmocka_unit_test(a_range_bounds_the_imbalance),
      cmocka_unit_test(listed_counts_are_exact),
      cmocka_unit_test(errors_name_the_argument_and_its_range),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
