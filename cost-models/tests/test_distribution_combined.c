// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Distributions made of distributions against what they mean: enumeration, order statistics,
// identities of moments, closed forms; the log-normal distribution; supports of a million values;
// and every error.
#include "support.h"

#include "distribution/distribution_internal.h"
#include "math/convolve.h"

#include <stdbool.h>
#include <time.h>

static double mass_of(const dc_distribution *d, int64_t value) {
  for (size_t i = 0; i < d->count; ++i)
    if (d->points[i].value == value)
      return d->points[i].mass;
  return 0;
}

static made make_of(const dc_distribution_options *options, const char *format, const char *a,
                    const char *b) {
  char text[400];
  snprintf(text, sizeof text, format, a, b);
  return make(text, options);
}

// ---- against enumeration -----------------------------------------------------------------------

static const char *const operands[] = {"const(3)",
                                       "uniform(0,5)",
                                       "list(0:1, 7:2, 1000000000:3)",
                                       "scale(uniform(1,4), 1000)",
                                       "0.3*const(0) + 0.7*geometric(0.9)",
                                       "list(2:1e-30, 3:1, 90:1e-12)",
                                       "binomial(6,0.3)",
                                       "poisson(2)"};
enum { OPERANDS = sizeof operands / sizeof *operands };

typedef enum pairing { SUMS, LARGEST } pairing;

// Every point of a pairing against the sum over all pairs with its value.
static void check_pairs(const dc_distribution *a, const dc_distribution *b,
                        const dc_distribution *result, pairing how, double relative) {
  double total = 0;
  for (size_t k = 0; k < result->count; ++k) {
    double wanted = 0;
    int64_t value = result->points[k].value;
    for (size_t i = 0; i < a->count; ++i)
      for (size_t j = 0; j < b->count; ++j) {
        int64_t x = a->points[i].value, y = b->points[j].value;
        if ((how == SUMS ? x + y : x > y ? x : y) == value)
          wanted += a->points[i].mass * b->points[j].mass;
      }
    assert_close(result->points[k].mass, wanted, relative);
    total += wanted;
  }
  assert_close(total, 1, 1e-13);
}

static void two_draws_are_what_enumeration_gives(void **state) {
  (void)state;
  // Operands are cut at half the cut, so that the whole loses no more than the cut.
  const dc_distribution_options half = {.cut = DC_CUT_DEFAULT / 2};
  for (size_t i = 0; i < OPERANDS; ++i)
    for (size_t j = 0; j < OPERANDS; ++j) {
      made a = make(operands[i], &half), b = make(operands[j], &half);
      made sum = make_of(NULL, "sum(%s, %s)", operands[i], operands[j]);
      made max = make_of(NULL, "max(%s, %s)", operands[i], operands[j]);
      check_pairs(&a.distribution, &b.distribution, &sum.distribution, SUMS, 1e-13);
      check_pairs(&a.distribution, &b.distribution, &max.distribution, LARGEST, 1e-13);
      assert_within(sum.distribution.cut, a.distribution.cut + b.distribution.cut, 1e-25);
      assert_true(sum.distribution.cut <= DC_CUT_DEFAULT && max.distribution.cut <= DC_CUT_DEFAULT);
      release(&a), release(&b), release(&sum), release(&max);
    }
}

typedef struct outcome {
  const dc_distribution *d;
  double sums[64], largest[64];
} outcome;

static void add_outcome(const int64_t *counts, unsigned lanes, double probability, void *context) {
  outcome *o = context;
  int64_t sum = 0, largest = 0;
  for (unsigned i = 0; i < lanes; ++i) {
    sum += counts[i];
    largest = counts[i] > largest ? counts[i] : largest;
  }
  o->sums[sum] += probability;
  o->largest[largest] += probability;
}

static void copies_are_what_enumeration_gives(void **state) {
  (void)state;
  uint64_t seed = 11;
  for (unsigned round = 0; round < 60; ++round) {
    unsigned k = 1 + round % 7;
    char text[200] = "list(", whole[260];
    for (unsigned i = 0; i < 4; ++i) {
      unsigned value = random_below(&seed, 9); // in an order that no compiler chooses
      double mass = exp(-30 * random_unit(&seed));
      snprintf(text + strlen(text), sizeof text - strlen(text), "%s%u:%.17g", i ? ", " : "", value,
               mass);
    }
    strcat(text, ")");
    made one = make(text, NULL);
    outcome o = {.d = &one.distribution};
    enumerate(&one.distribution, k, add_outcome, &o);
    snprintf(whole, sizeof whole, "sum(%s, %u)", text, k);
    made sum = make(whole, NULL);
    snprintf(whole, sizeof whole, "max(%s, %u)", text, k);
    made max = make(whole, NULL);
    for (int64_t v = 0; v < 64; ++v) {
      if (o.sums[v] > 1e-26) // on the way, masses under 1e-40 were left out
        assert_close(mass_of(&sum.distribution, v), o.sums[v], 1e-12);
      if (o.largest[v] > 1e-300)
        assert_close(mass_of(&max.distribution, v), o.largest[v], 1e-12);
    }
    release(&one), release(&sum), release(&max);
  }
}

static void sums_are_those_of_the_textbook(void **state) {
  (void)state;
  static const struct {
    const char *text, *same;
  } cases[] = {{"sum(binomial(10,0.3), 30)", "binomial(300,0.3)"},
               {"sum(binomial(10000,0.3), binomial(70000,0.3))", "binomial(80000,0.3)"},
               {"sum(poisson(3), poisson(4), poisson(0.5))", "poisson(7.5)"},
               {"sum(poisson(30), 1000)", "poisson(30000)"},
               {"sum(shift(geometric(0.001), -1), 5)", "negbin(5,0.001)"},
               {"sum(const(5), 1000000000)", "const(5000000000)"},
               {"sum(list(0:1, 1:1), 40000)", "binomial(40000,0.5)"},
               {"sum(scale(poisson(30), 1000000), const(1), 1*const(1))",
                "shift(scale(poisson(30), 1000000), 2)"},
               {"max(uniform(1,6), 1)", "uniform(1,6)"},
               {"max(const(4), uniform(1,4))", "const(4)"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    made a = make(cases[i].text, NULL), b = make(cases[i].same, NULL);
    print_message("%s\n", cases[i].text);
    for (size_t j = 0, k = 0; j < b.distribution.count; ++j) {
      const dc_point *point = &b.distribution.points[j];
      while (k < a.distribution.count && a.distribution.points[k].value < point->value)
        ++k;
      double mass = k < a.distribution.count && a.distribution.points[k].value == point->value
                        ? a.distribution.points[k].mass
                        : 0;
      assert_within(mass, point->mass, 1e-11 * point->mass + 2e-15);
    }
    double variance = dc_distribution_variance(&b.distribution);
    assert_close(dc_distribution_mean(&a.distribution), dc_distribution_mean(&b.distribution),
                 1e-12);
    assert_within(dc_distribution_variance(&a.distribution), variance, 1e-10 * variance);
    release(&a), release(&b);
  }
}

// The largest of k draws, from P(W <= v)^k, for a geometric distribution in closed form.
static void the_largest_follows_order_statistics(void **state) {
  (void)state;
  static const unsigned copies[] = {2, 3, 32, 1024, 1000000};
  for (size_t i = 0; i < sizeof copies / sizeof *copies; ++i) {
    char text[80];
    unsigned k = copies[i];
    snprintf(text, sizeof text, "max(geometric(0.05), %u)", k);
    made m = make(text, NULL);
    for (size_t j = 0; j < m.distribution.count; ++j) {
      long double v = (long double)m.distribution.points[j].value, q = 1 - 0.05L - (0.05 - 0.05L);
      long double all = log1pl(-powl(q, v)), share = 0.05 * powl(q, v - 1) / (1 - powl(q, v));
      long double wanted = expl(k * all) * -expm1l(k * log1pl(-fminl(share, 1)));
      assert_close(m.distribution.points[j].mass, (double)wanted, with_reference(1e-11));
    }
    assert_true(m.distribution.cut <= DC_CUT_DEFAULT * (1 + 1e-6));
    release(&m);
  }
}

// ---- transforms --------------------------------------------------------------------------------

static void transforms_move_each_point(void **state) {
  (void)state;
  for (size_t i = 0; i < OPERANDS; ++i) {
    made w = make(operands[i], NULL);
    made shift = make_of(NULL, "shift(%s, 17)", operands[i], ""),
         scale = make_of(NULL, "scale(%s, 13)", operands[i], ""),
         clamp = make_of(NULL, "clamp(%s, 2, 5)", operands[i], "");
    const dc_distribution *d = &w.distribution;
    double clamped[10] = {0};
    for (size_t j = 0; j < d->count; ++j) {
      int64_t v = d->points[j].value;
      assert_close(mass_of(&shift.distribution, v + 17), d->points[j].mass, 1e-14);
      assert_close(mass_of(&scale.distribution, v * 13), d->points[j].mass, 1e-14);
      clamped[v < 2 ? 2 : v > 5 ? 5 : v] += d->points[j].mass;
    }
    assert_int_equal(shift.distribution.count, d->count);
    assert_int_equal(scale.distribution.count, d->count);
    for (int64_t v = 0; v < 10; ++v)
      assert_within(mass_of(&clamp.distribution, v), clamped[v], 1e-14);
    assert_true(clamp.distribution.cut == 0 || dc_distribution_max(&clamp.distribution) < 5);
    release(&w), release(&shift), release(&scale), release(&clamp);
  }
}

static void conditioning_is_division_by_what_is_left(void **state) {
  (void)state;
  made w = make("poisson(3)", NULL), given = make("given(poisson(3), 2, 6)", NULL);
  double left = 0;
  for (int64_t v = 2; v <= 6; ++v)
    left += mass_of(&w.distribution, v);
  assert_int_equal(given.distribution.count, 5);
  assert_true(given.distribution.cut == 0);
  for (int64_t v = 2; v <= 6; ++v)
    assert_close(mass_of(&given.distribution, v), mass_of(&w.distribution, v) / left, 1e-14);
  release(&w), release(&given);
  // Far out in the tail, where the distribution alone would have been cut: it has no memory.
  made tail = make("given(geometric(0.5), 46, 8796093022208)", NULL),
       start = make("shift(geometric(0.5), 45)", NULL);
  for (int64_t v = 46; v < 80; ++v)
    assert_close(mass_of(&tail.distribution, v), mass_of(&start.distribution, v), 1e-12);
  release(&tail), release(&start);
  // An iteration cap keeps the mass that was cut off.
  made cap =
      make("clamp(geometric(0.001), 0, 5000)", &(dc_distribution_options){.cut = DC_CUT_PAPER});
  assert_close(mass_of(&cap.distribution, 5000), exp(4999 * log1p(-0.001)), 1e-11);
  assert_true(cap.distribution.cut == 0);
  release(&cap);
}

static void moments_of_sums_and_transforms_add_up(void **state) {
  (void)state;
  for (size_t i = 0; i < OPERANDS; ++i)
    for (size_t j = 0; j < OPERANDS; ++j) {
      made a = make(operands[i], NULL), b = make(operands[j], NULL);
      made sum = make_of(NULL, "sum(scale(%s, 3), shift(sum(%s, 5), 7))", operands[i], operands[j]);
      double mean =
          3 * dc_distribution_mean(&a.distribution) + 5 * dc_distribution_mean(&b.distribution) + 7;
      double variance = 9 * dc_distribution_variance(&a.distribution) +
                        5 * dc_distribution_variance(&b.distribution);
      assert_close(dc_distribution_mean(&sum.distribution), mean, 1e-12);
      assert_within(dc_distribution_variance(&sum.distribution), variance,
                    1e-11 * variance + 1e-15 * mean * mean);
      release(&a), release(&b), release(&sum);
    }
}

// ---- the log-normal distribution ----------------------------------------------------------------

static long double normal_tail(long double z) { return 0.5L * erfcl(z / sqrtl(2)); }

static void lognormal_masses_are_those_of_the_normal_distribution(void **state) {
  (void)state;
  static const double cases[][2] = {{0, 1}, {3, 0.5}, {5, 0.01}, {-2, 1.5}, {8, 0.4}, {-30, 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char text[80];
    long double mu = cases[i][0], sigma = cases[i][1];
    snprintf(text, sizeof text, "lognormal(%g,%g)", cases[i][0], cases[i][1]);
    made m = make(text, NULL);
    print_message("%s: %zu values\n", text, m.distribution.count);
    for (size_t j = 0; j < m.distribution.count; ++j) {
      long double v = (long double)m.distribution.points[j].value;
      long double high = (logl(v + 0.5L) - mu) / sigma,
                  low = v > 0 ? (logl(v - 0.5L) - mu) / sigma : -(long double)INFINITY;
      long double wanted =
          low > 0 ? normal_tail(low) - normal_tail(high) : normal_tail(-high) - normal_tail(-low);
      // What the reference's own difference leaves of its digits.
      long double lost = 1e-19L * (low > 0 ? normal_tail(low) : normal_tail(-high));
      assert_within(m.distribution.points[j].mass, (double)wanted,
                    with_reference((double)((2e-13L + 1e-14L / sigma) * wanted + lost * 10)) +
                        1e-300);
    }
    int64_t last = dc_distribution_max(&m.distribution);
    assert_true(normal_tail((logl(last + 0.5L) - mu) / sigma) < DC_CUT_DEFAULT);
    assert_true(last == 0 || normal_tail((logl(last - 0.5L) - mu) / sigma) >= DC_CUT_DEFAULT);
    release(&m);
  }
}

// ---- convolution -------------------------------------------------------------------------------

static void convolutions_keep_heavy_tails(void **state) {
  (void)state;
  enum { N = 60000 };
  // One transform of everything would be off by 1e-16 everywhere, far more than the last of these.
  double *a = malloc(N * sizeof *a), *out = malloc((2 * N - 1) * sizeof *out);
  void *work = malloc(dc__convolve_values(2 * N - 1) * sizeof(double));
  for (size_t i = 0; i < N; ++i)
    a[i] = pow((double)i + 1, -4.5);
  dc__convolve(a, N, a, N, out, work);
  for (size_t k = 0; k < 2 * N - 1; k += 1777) {
    long double wanted = 0;
    for (size_t j = k < N ? 0 : k - N + 1; j <= k && j < N; ++j)
      wanted += (long double)a[j] * a[k - j];
    assert_close(out[k], (double)wanted, 1e-6);
  }
  free(a), free(out), free(work);
}

static void random_convolutions_are_the_direct_ones(void **state) {
  (void)state;
  enum { N = 5000 };
  double *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b),
         *out = malloc((2 * N - 1) * sizeof *out), *wanted = malloc((2 * N - 1) * sizeof *wanted);
  void *work = malloc(dc__convolve_values(2 * N - 1) * sizeof(double));
  uint64_t seed = 12;
  for (unsigned round = 0; round < 12; ++round) {
    size_t na = 1 + random_below(&seed, N), nb = round == 0 ? 1 : 1 + random_below(&seed, N);
    double wide = 70.0 * (round % 3) / 2, norm_a = 0, norm_b = 0;
    for (size_t i = 0; i < N; ++i) {
      a[i] = random_below(&seed, 3) == 0 ? 0 : exp(-wide * random_unit(&seed));
      b[i] = exp(-wide * random_unit(&seed));
      norm_a += i < na ? a[i] * a[i] : 0;
      norm_b += i < nb ? b[i] * b[i] : 0;
    }
    memset(wanted, 0, (2 * N - 1) * sizeof *wanted);
    for (size_t i = 0; i < na; ++i)
      for (size_t j = 0; j < nb; ++j)
        wanted[i + j] += a[i] * b[j];
    dc__convolve(a, na, b, nb, out, work);
    for (size_t k = 0; k < na + nb - 1; ++k)
      assert_within(out[k], wanted[k], 1e-13 * wanted[k] + 2e-14 * sqrt(norm_a * norm_b));
  }
  free(a), free(b), free(out), free(wanted), free(work);
}

// ---- large and sparse --------------------------------------------------------------------------

static void a_million_values_finish(void **state) {
  (void)state;
  static const struct {
    const char *text;
    double mean, variance;
  } cases[] = {
      {"sum(uniform(1,500000), uniform(1,500000))", 500001, 2 * (25e10 - 1) / 12},
      {"sum(uniform(0,99999), 10)", 499995, 10 * (1e10 - 1) / 12},
      {"sum(uniform(0,1), 900000)", 450000, 225000},
      {"sum(scale(uniform(0,999999), 1000000), const(3))", 499999.5e6 + 3, (1e12 - 1) / 12 * 1e12},
      {"sum(list(0:1, 8000000000000:1), uniform(1,500000))", 4e12 + 250000.5,
       16e24 + (25e10 - 1) / 12},
      {"max(uniform(1,1000000), 2)", 666667.1666665, 0},
      {"clamp(shift(uniform(1,1000000), 5), 0, 500005)", 0, 0},
      {"given(zipf(0,1000000), 1, 999999)", 500000, 0}};
  for (size_t i = 0; i < cases_of(sizeof cases / sizeof *cases, 1); ++i) {
    clock_t start = clock();
    made m = make(cases[i].text, NULL);
    print_message("%s: %zu values, %.2f s\n", cases[i].text, m.distribution.count,
                  (double)(clock() - start) / CLOCKS_PER_SEC);
    if (cases[i].mean > 0)
      assert_close(dc_distribution_mean(&m.distribution), cases[i].mean, 1e-11);
    if (cases[i].variance > 0)
      assert_close(dc_distribution_variance(&m.distribution), cases[i].variance, 1e-9);
    release(&m);
  }
}

static void moments_of_heavy_tails_are_kept(void **state) {
  (void)state;
  const size_t largest = cases_of(300000, 10000);
  char part[40], whole[60];
  snprintf(part, sizeof part, "zipf(3,%zu)", largest);
  snprintf(whole, sizeof whole, "sum(%s, 3)", part);
  made one = make(part, NULL), sum = make(whole, NULL);
  assert_close(dc_distribution_mean(&sum.distribution), 3 * dc_distribution_mean(&one.distribution),
               1e-12);
  assert_close(dc_distribution_variance(&sum.distribution),
               3 * dc_distribution_variance(&one.distribution), 1e-11);
  release(&one), release(&sum);
}

static void few_values_far_apart_stay_few(void **state) {
  (void)state;
  made m = make("sum(list(0:1, 1000000000000:1), list(0:1, 7:1), 1*const(1))", NULL);
  static const int64_t values[] = {1, 8, 1000000000001, 1000000000008};
  assert_int_equal(m.distribution.count, 4);
  for (size_t i = 0; i < 4; ++i) {
    assert_true(m.distribution.points[i].value == values[i]);
    assert_true(m.distribution.points[i].mass == 0.25);
  }
  release(&m);
}

// ---- errors ------------------------------------------------------------------------------------

static void errors_name_the_distribution_and_its_place(void **state) {
  (void)state;
  static const struct {
    const char *text;
    dc_status status;
    unsigned offset;
    const char *message;
  } cases[] = {
      {"max(const(1), shift(poisson(3), -1))", DC_ERROR_ARGUMENT, 14,
       "k of shift is -1, which makes -1 of a value, but values must be from 0 to 8796093022208"},
      {"shift(const(8796093022208), 1)", DC_ERROR_ARGUMENT, 0,
       "k of shift is 1, which makes 8796093022209 of a value, but values must be from 0 to "
       "8796093022208"},
      {"scale(const(3000000000000), 3)", DC_ERROR_ARGUMENT, 0,
       "k of scale is 3, which makes 9e+12 of a value, but values must be from 0 to 8796093022208"},
      {"scale(const(8796093022208), 8796093022208)", DC_ERROR_ARGUMENT, 0, NULL},
      {"0.5*const(1) + 0.5*given(uniform(3,7), 8, 9)", DC_ERROR_ARGUMENT, 19,
       "a to b of given is 8 to 9, but no value in there has any mass; values are from 3 to 7"},
      {"given(geometric(0.5), 200, 300)", DC_ERROR_ARGUMENT, 0, NULL},
      {"sum(const(8000000000000), 2)", DC_ERROR_ARGUMENT, 0,
       "the sum goes up to 16000000000000, but must be at most 8796093022208"},
      {"sum(const(8000000000000), 1000000000)", DC_ERROR_ARGUMENT, 0, NULL},
      {"sum(uniform(1,600000), uniform(1,600000))", DC_ERROR_LIMIT, 0,
       "the distribution has more than 1000000 values; narrow it"},
      {"sum(uniform(1,100000), list(0:1, 100000:1, 300000:1, 500000:1, 700000:1, 900000:1, "
       "1100000:1, 1300000:1, 1500000:1, 1700000:1, 1900000:1))",
       DC_ERROR_LIMIT, 0, "the distribution has more than 1000000 values; narrow it"},
      {"sum(0.5*uniform(1,100000) + 0.5*const(5000000), 0.5*uniform(1,100000) + "
       "0.5*const(9000000))",
       DC_ERROR_LIMIT, 0, NULL},
      {"max(scale(uniform(0,600000), 2), shift(scale(uniform(0,600000), 2), 1))", DC_ERROR_LIMIT, 0,
       NULL},
      {"lognormal(30,5)", DC_ERROR_LIMIT, 0,
       "lognormal(30,5) has more than 1000000 values that matter; narrow it"},
      {"lognormal(14,1)", DC_ERROR_LIMIT, 0, NULL}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    dc_error error = {0};
    dc_distribution d = {.count = 7};
    dc_status status = dc_distribution_from_text(cases[i].text, NULL, &d, &error);
    if (status != cases[i].status || error.offset != cases[i].offset)
      fail_msg("%s: status %d at %u: %s", cases[i].text, status, error.offset, error.text);
    if (cases[i].message)
      assert_string_equal(error.text, cases[i].message);
    assert_true(!d.points && d.count == 0 && !d.memory);
  }
}

static void distributions_made_by_hand_are_checked(void **state) {
  (void)state;
  static const dc_distribution_spec second = {.kind = DC_DISTRIBUTION_CONST},
                                    first = {.kind = DC_DISTRIBUTION_CONST, .next = &second},
                                    heavy = {.kind = DC_DISTRIBUTION_CONST, .weight = 0.5};
  static const struct {
    dc_distribution_spec spec;
    const char *text;
  } cases[] = {{{.kind = DC_DISTRIBUTION_SHIFT}, "shift has no distribution to work on"},
               {{.kind = DC_DISTRIBUTION_MAX}, "max has no distribution to work on"},
               {{.kind = DC_DISTRIBUTION_SCALE, .parts = &first, .parameter = {2}},
                "scale works on one distribution, but has several"},
               {{.kind = DC_DISTRIBUTION_SUM, .parts = &first, .parameter = {2}},
                "k of sum is 2, but with several distributions must be 0"},
               {{.kind = DC_DISTRIBUTION_SUM, .parts = &heavy, .parameter = {2}},
                "an operand of sum has the weight 0.5, but must have 0: only components of a "
                "mixture have weights"},
               {{.kind = DC_DISTRIBUTION_MAX, .parts = &second, .parameter = {(double)NAN}},
                "k of max is nan, but must be a whole number from 1 to 1000000000"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    dc_error error;
    assert_int_equal(dc_distribution_spec_check(&cases[i].spec, &error), DC_ERROR_ARGUMENT);
    assert_string_equal(error.text, cases[i].text);
  }
}

// What dc_distribution_bytes says is enough, and nothing is written beyond less.
static void too_little_memory_is_refused_at_every_size(void **state) {
  (void)state;
  const dc_distribution_options options = {.cut = DC_CUT_DEFAULT};
  static const char *const texts[] = {"sum(uniform(0,5), 5)", "sum(poisson(2), list(0:1, 900:2))",
                                      "max(uniform(0,5), const(3), 0.5*const(1) + 0.5*const(9))",
                                      "given(sum(const(1), const(2)), 0, 5)"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
    dc_distribution_spec *spec;
    size_t bytes;
    bool enough = false;
    assert_int_equal(dc_distribution_parse(texts[i], &spec, NULL), DC_OK);
    assert_int_equal(dc_distribution_bytes(spec, &options, &bytes, NULL), DC_OK);
    for (size_t given = 0; given <= bytes; given += 8) {
      dc_error error;
      dc_distribution d;
      void *memory = malloc(given ? given : 1); // a sanitizer sees every byte too far
      dc_status status = dc__distribution_build(spec, &options, memory, given, &d, &error);
      assert_true(status == DC_OK || (status == DC_ERROR_ARGUMENT && !enough));
      enough = status == DC_OK;
      free(memory);
    }
    assert_true(enough);
    dc_distribution_spec_free(spec);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_draws_are_what_enumeration_gives),
      cmocka_unit_test(copies_are_what_enumeration_gives),
      cmocka_unit_test(sums_are_those_of_the_textbook),
      cmocka_unit_test(the_largest_follows_order_statistics),
      cmocka_unit_test(transforms_move_each_point),
      cmocka_unit_test(conditioning_is_division_by_what_is_left),
      cmocka_unit_test(moments_of_sums_and_transforms_add_up),
      cmocka_unit_test(lognormal_masses_are_those_of_the_normal_distribution),
      cmocka_unit_test(convolutions_keep_heavy_tails),
      cmocka_unit_test(random_convolutions_are_the_direct_ones),
      cmocka_unit_test(a_million_values_finish),
      cmocka_unit_test(moments_of_heavy_tails_are_kept),
      cmocka_unit_test(few_values_far_apart_stay_few),
      cmocka_unit_test(errors_name_the_distribution_and_its_place),
      cmocka_unit_test(distributions_made_by_hand_are_checked),
      cmocka_unit_test(too_little_memory_is_refused_at_every_size),
  };
  return cmocka_run_group_tests_name("distribution_combined", tests, NULL, NULL);
}
