// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Masses and moments of each distribution against its formula, the cut, mixtures, lists and
// histograms, the limits, and every error. The text form is in test_distribution_text.c.
#include "support.h"

static double mass_of(const dc_distribution *d, int64_t value) {
  for (size_t i = 0; i < d->count; ++i)
    if (d->points[i].value == value)
      return d->points[i].mass;
  return 0;
}

// ---- distributions with a formula ---------------------------------------------------------------

static void masses_follow_the_formulas(void **state) {
  (void)state;
  // Straight from the definitions, in long double, from the first value on.
  static const char *const texts[] = {"binomial(40,0.5)", "binomial(300,0.01)", "poisson(30)",
                                      "poisson(0.2)",     "negbin(5,0.3)",      "negbin(0.7,0.02)",
                                      "geometric(0.05)",  "zipf(1.3,500)"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
    made m = make(texts[i], NULL);
    const dc_distribution *d = &m.distribution;
    long double a = m.spec->parameter[0], b = m.spec->parameter[1], harmonic = 0;
    for (int v = 500; v > 0; --v)
      harmonic += powl(v, -a);
    for (size_t j = 0; j < d->count; ++j) {
      long double k = (long double)d->points[j].value, log_mass = 0;
      switch (m.spec->kind) {
      case DC_DISTRIBUTION_BINOMIAL:
        log_mass = lgammal(a + 1) - lgammal(k + 1) - lgammal(a - k + 1) + k * logl(b) +
                   (a - k) * log1pl(-b);
        break;
      case DC_DISTRIBUTION_POISSON:
        log_mass = k * logl(a) - a - lgammal(k + 1);
        break;
      case DC_DISTRIBUTION_NEGBIN:
        log_mass = lgammal(k + a) - lgammal(a) - lgammal(k + 1) + a * logl(b) + k * log1pl(-b);
        break;
      case DC_DISTRIBUTION_GEOMETRIC:
        log_mass = logl(a) + (k - 1) * log1pl(-a);
        break;
      default:
        log_mass = -a * logl(k) - logl(harmonic);
        break;
      }
      assert_close(d->points[j].mass * (1 - d->cut), (double)expl(log_mass), with_reference(2e-13));
    }
    release(&m);
  }
}

static void moments_are_those_of_the_textbook(void **state) {
  (void)state;
  static const struct {
    const char *text;
    double mean, variance;
  } cases[] = {{"const(7)", 7, 0},
               {"const(0)", 0, 0},
               {"uniform(20,40)", 30, (21.0 * 21 - 1) / 12},
               {"uniform(1,1000000)", 500000.5, (1e12 - 1) / 12},
               {"uniform(8796093000000,8796093000001)", 8796093000000.5, 0.25},
               {"binomial(40,0.5)", 20, 10},
               {"binomial(0,0.5)", 0, 0},
               {"binomial(9,1)", 9, 0},
               {"binomial(9,0)", 0, 0},
               {"binomial(1000000000,0.5)", 5e8, 2.5e8},
               {"binomial(1000000000,1e-7)", 100, 100 * (1 - 1e-7)},
               {"binomial(1000000000,0.9999999)", 1e9 - 100, 1e9 * 0.9999999 * (1 - 0.9999999)},
               {"geometric(0.05)", 20, 380},
               {"geometric(1)", 1, 0},
               {"geometric(0.0001)", 1e4, 0.9999e8},
               {"poisson(30)", 30, 30},
               {"poisson(0)", 0, 0},
               {"poisson(1e9)", 1e9, 1e9},
               {"negbin(5,0.3)", 5 * 0.7 / 0.3, 5 * 0.7 / 0.09},
               {"negbin(1,1)", 0, 0},
               {"negbin(1e9,0.999)", 1e9 * 0.001 / 0.999, 1e9 * 0.001 / 0.999 / 0.999},
               {"zipf(0,9)", 5, 80.0 / 12},
               {"zipf(1000,9)", 1, 0},
               {"list(1:3, 5:1)", 2, 3}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    made m = make(cases[i].text, NULL);
    print_message("%s\n", cases[i].text);
    // The cut of 1e-15 moves the variance of the widest by 1e-12.
    assert_within(dc_distribution_mean(&m.distribution), cases[i].mean, 3e-13 * cases[i].mean);
    assert_within(dc_distribution_variance(&m.distribution), cases[i].variance,
                  3e-12 * cases[i].variance + (cases[i].variance == 0 ? 1e-200 : 0));
    release(&m);
  }
}

static void conventions_of_the_paper(void **state) {
  (void)state;
  made geometric = make("geometric(0.25)", NULL), negbin = make("negbin(1,0.25)", NULL),
       uniform = make("uniform(3,5)", NULL);
  assert_int_equal(dc_distribution_min(&geometric.distribution), 1);
  assert_int_equal(dc_distribution_min(&negbin.distribution), 0);
  assert_int_equal(dc_distribution_min(&uniform.distribution), 3);
  assert_int_equal(dc_distribution_max(&uniform.distribution), 5);
  assert_close(mass_of(&geometric.distribution, 2), 0.75 * 0.25, 1e-14);
  assert_close(mass_of(&negbin.distribution, 1), 0.75 * 0.25, 1e-14);
  release(&geometric);
  release(&negbin);
  release(&uniform);
}

static void small_p_keeps_its_digits(void **state) {
  (void)state;
  // 1 - p is rounded; its 10^5th power would show that.
  made negbin = make("negbin(1,0.0001)", NULL), geometric = make("geometric(0.0001)", NULL);
  for (int64_t k = 0; k < 300000; k += 9999) {
    double wanted = (double)expl(logl(0.0001L + (0.0001 - 0.0001L)) + k * log1pl(-0.0001));
    assert_close(negbin.distribution.points[k].mass, wanted, with_reference(2e-13));
    assert_close(geometric.distribution.points[k].mass, wanted, with_reference(2e-13));
  }
  release(&negbin);
  release(&geometric);
}

static void the_cut_is_where_the_tail_falls_below_it(void **state) {
  (void)state;
  static const char *const texts[] = {"geometric(0.05)", "geometric(0.9)", "poisson(30)",
                                      "poisson(0.001)",  "negbin(5,0.3)",  "negbin(0.2,0.1)"};
  static const double cuts[] = {0.1, DC_CUT_PAPER, DC_CUT_DEFAULT, 1e-19};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
    made whole = make(texts[i], &(dc_distribution_options){.cut = 1e-30});
    for (size_t j = 0; j < sizeof cuts / sizeof *cuts; ++j) {
      made m = make(texts[i], &(dc_distribution_options){.cut = cuts[j]});
      double tail = 0;
      size_t last = whole.distribution.count;
      while (last > 1 && tail + whole.distribution.points[last - 1].mass < cuts[j])
        tail += whole.distribution.points[--last].mass;
      assert_int_equal(m.distribution.count, last);
      assert_within(m.distribution.cut, tail, 2e-8 * cuts[j]);
      assert_true(m.distribution.cut < cuts[j]);
      release(&m);
    }
    release(&whole);
  }
  made finite =
      make("0.5*binomial(40,0.5) + 0.5*zipf(3,500)", &(dc_distribution_options){.cut = 0});
  assert_int_equal(dc_distribution_max(&finite.distribution), 500);
  assert_true(finite.distribution.cut == 0);
  release(&finite);
  made uncut = make("binomial(40,0.5)", &(dc_distribution_options){.cut = 0.1});
  assert_int_equal(dc_distribution_max(&uncut.distribution), 40);
  release(&uncut);
}

// ---- distributions made of other things ---------------------------------------------------------

static void mixtures_are_weighted_sums(void **state) {
  (void)state;
  made m = make("0.25*poisson(3) + 0.75*(0.5*uniform(2,9) + 0.5*const(4))", NULL),
       p = make("poisson(3)", NULL);
  for (int64_t k = 0; k < 30; ++k) {
    double wanted =
        0.25 * mass_of(&p.distribution, k) + 0.375 * ((k >= 2 && k <= 9) / 8.0 + (k == 4));
    assert_within(mass_of(&m.distribution, k), wanted, 1e-15);
  }
  assert_close(m.distribution.cut, 0.25 * p.distribution.cut, 1e-12);
  release(&m);
  release(&p);
  // Weights that were rounded are normalised, in the groups too; a weight of 0 is no part.
  m = make("0.333*const(1) + 0.333*const(2) + 0.333*(0.999*const(3) + 0*uniform(0,9))", NULL);
  assert_int_equal(m.distribution.count, 3);
  for (int i = 0; i < 3; ++i)
    assert_close(m.distribution.points[i].mass, 1.0 / 3, 1e-15);
  release(&m);
}

static void lists_in_any_order(void **state) {
  (void)state;
  made m = make("list(5:1, 1:2, 5:1, 0:0, 9:1e-320, 1:0)", NULL);
  assert_int_equal(m.distribution.count, 3);
  assert_close(mass_of(&m.distribution, 1), 0.5, 1e-15);
  assert_close(mass_of(&m.distribution, 5), 0.5, 1e-15);
  release(&m);
  m = make("list(2:1e308, 1:7e307, 3:1e-300)", NULL);
  assert_int_equal(m.distribution.count, 2); // 1e-608 is 0
  assert_close(mass_of(&m.distribution, 1), 7.0 / 17, 1e-15);
  release(&m);
  m = make("list(2:4e-320, 1:4e-320)", NULL);
  assert_close(mass_of(&m.distribution, 1), 0.5, 1e-15);
  release(&m);
}

static void many_values_in_disorder(void **state) {
  (void)state;
  enum { COUNT = 5000 };
  static dc_point points[COUNT];
  uint64_t seed = 5;
  double histogram[1000] = {0}, total = 0;
  for (size_t i = 0; i < COUNT; ++i) {
    points[i] = (dc_point){random_below(&seed, 1000), random_unit(&seed)};
    histogram[points[i].value] += points[i].mass;
    total += points[i].mass;
  }
  const dc_distribution_spec spec = {
      .kind = DC_DISTRIBUTION_LIST, .points = points, .count = COUNT};
  dc_distribution d;
  assert_int_equal(dc_distribution_build(&spec, NULL, &d, NULL), DC_OK);
  assert_int_equal(dc_distribution_check(&d, NULL), DC_OK);
  for (int64_t v = 0; v < 1000; ++v)
    assert_within(mass_of(&d, v), histogram[v] / total, 1e-14);
  dc_distribution_free(&d);
}

typedef struct fake_file {
  const dc_point *points;
  size_t count, grows_to, calls;
  dc_status status;
  char name[32];
} fake_file;

static dc_status read_fake(void *context, const char *name, dc_point *points, size_t capacity,
                           size_t *count, dc_error *error) {
  fake_file *file = context;
  snprintf(file->name, sizeof file->name, "%s", name);
  if (file->status != DC_OK)
    return dc_fail(error, file->status, "no such file");
  *count = file->calls++ > 0 && file->grows_to ? file->grows_to : file->count;
  for (size_t i = 0; i < *count && i < capacity; ++i)
    points[i] = file->points[i];
  return DC_OK;
}

static void assert_empty(const dc_distribution *d) {
  assert_null(d->points);
  assert_int_equal(d->count, 0);
  assert_null(d->memory);
}

// What is built is empty on an error.
static dc_status build_from(fake_file *file, const char *text, dc_distribution *d,
                            dc_error *error) {
  const dc_distribution_options options = {DC_CUT_DEFAULT, file ? read_fake : NULL, file};
  *d = (dc_distribution){.count = 7};
  dc_status status = dc_distribution_from_text(text, &options, d, error);
  if (status != DC_OK)
    assert_empty(d);
  return status;
}

static void histograms_come_from_the_caller(void **state) {
  (void)state;
  static const dc_point points[] = {{9, 100}, {3, 300}};
  fake_file file = {.points = points, .count = 2};
  dc_distribution d;
  dc_error error;
  assert_int_equal(build_from(&file, "0.5*histogram(\"a \\\"b\\\\\") + 0.5*const(3)", &d, &error),
                   DC_OK);
  assert_string_equal(file.name, "a \"b\\");
  assert_int_equal(file.calls, 2);
  assert_close(mass_of(&d, 3), 0.875, 1e-15);
  assert_close(mass_of(&d, 9), 0.125, 1e-15);
  dc_distribution_free(&d);

  assert_int_equal(build_from(NULL, "histogram(\"rows.txt\")", &d, &error), DC_ERROR_ARGUMENT);
  assert_string_equal(
      error.text, "histogram(\"rows.txt\") cannot be used here: nothing was given to read it with");
  file.status = DC_ERROR_FILE;
  assert_int_equal(build_from(&file, "histogram(\"rows.txt\")", &d, &error), DC_ERROR_FILE);
  assert_string_equal(error.text, "no such file");
  file = (fake_file){.points = points, .count = 1, .grows_to = 2};
  assert_int_equal(build_from(&file, "histogram(\"rows.txt\")", &d, &error), DC_ERROR_ARGUMENT);
  assert_string_equal(error.text, "histogram(\"rows.txt\") grew while it was read; try again");
  file = (fake_file){.points = points, .count = 0};
  assert_int_equal(build_from(&file, "histogram(\"rows.txt\")", &d, &error), DC_ERROR_ARGUMENT);
  assert_string_equal(error.text, "histogram(\"rows.txt\") has no values, but needs at least one");
  file = (fake_file){.points = points, .count = DC_POINTS_MAX + 1};
  assert_int_equal(build_from(&file, "histogram(\"rows.txt\")", &d, &error), DC_ERROR_LIMIT);
  static const dc_point negative[] = {{9, -1}}, below[] = {{-9, 1}}, empty[] = {{9, 0}};
  static const dc_point *const bad[] = {negative, below, empty};
  for (size_t i = 0; i < 3; ++i) {
    file = (fake_file){.points = bad[i], .count = 1};
    assert_int_equal(build_from(&file, "histogram(\"rows.txt\")", &d, &error), DC_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "the histogram"));
  }
}

// ---- limits and errors -------------------------------------------------------------------------

static void too_many_values_are_refused(void **state) {
  (void)state;
  static const char *const texts[] = {"uniform(0,1000000)",
                                      "geometric(1e-5)",
                                      "geometric(1e-300)",
                                      "poisson(1e12)",
                                      "poisson(3e9)",
                                      "binomial(8796093022208,0.5)",
                                      "negbin(5,1e-6)",
                                      "negbin(1e9,1e-300)",
                                      "negbin(0.001,1e-300)",
                                      "negbin(1e9,1e-4)",
                                      "0.5*uniform(1,600000) + 0.5*uniform(1,600000)"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
    dc_distribution_spec *spec;
    size_t bytes;
    dc_error error;
    dc_distribution d;
    print_message("%s\n", texts[i]);
    assert_int_equal(dc_distribution_parse(texts[i], &spec, &error), DC_OK);
    assert_int_equal(dc_distribution_bytes(spec, NULL, &bytes, &error), DC_ERROR_LIMIT);
    assert_non_null(strstr(error.text, "has more than 1000000 values"));
    assert_int_equal(dc_distribution_build(spec, NULL, &d, NULL), DC_ERROR_LIMIT);
    assert_empty(&d);
    dc_distribution_spec_free(spec);
  }
}

static void options_are_checked(void **state) {
  (void)state;
  dc_distribution_spec *spec;
  size_t bytes;
  dc_error error;
  dc_distribution d;
  assert_int_equal(dc_distribution_parse("poisson(3)", &spec, &error), DC_OK);
  static const double cuts[] = {-1, 1e-31, 0.2, 1, (double)INFINITY, (double)NAN};
  for (size_t i = 0; i < sizeof cuts / sizeof *cuts; ++i) {
    dc_distribution_options options = {.cut = cuts[i]};
    assert_int_equal(dc_distribution_bytes(spec, &options, &bytes, &error), DC_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "but must be 0 or in [1e-30, 0.1]"));
    d = (dc_distribution){.count = 7};
    assert_int_equal(dc_distribution_build(spec, &options, &d, NULL), DC_ERROR_ARGUMENT);
    assert_empty(&d);
  }
  dc_distribution_spec_free(spec);
  static const char *const endless[] = {"poisson(3)", "geometric(0.5)", "negbin(2,0.5)"};
  for (size_t i = 0; i < 3; ++i) {
    dc_distribution_options options = {.cut = 0};
    assert_int_equal(dc_distribution_parse(endless[i], &spec, &error), DC_OK);
    assert_int_equal(dc_distribution_bytes(spec, &options, &bytes, &error), DC_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "has no largest value, so the cut must not be 0"));
    dc_distribution_spec_free(spec);
  }
}

static void a_text_becomes_a_distribution_at_once(void **state) {
  (void)state;
  made m = make("0.9*const(1) + 0.1*geometric(0.01)", NULL);
  dc_distribution d;
  dc_error error;
  assert_int_equal(
      dc_distribution_from_text("0.9*const(1) + 0.1*geometric(0.01)", NULL, &d, &error), DC_OK);
  assert_int_equal(d.count, m.distribution.count);
  assert_memory_equal(d.points, m.distribution.points, d.count * sizeof *d.points);
  assert_true(d.cut == m.distribution.cut);
  release(&m);
  dc_distribution_free(&d);
  assert_empty(&d);
  dc_distribution_free(&d); // once more is nothing
  assert_empty(&d);
  assert_int_equal(dc_distribution_from_text("geometric(", NULL, &d, &error), DC_ERROR_SYNTAX);
  assert_int_equal(error.offset, 10);
  assert_empty(&d);
  // One that was made by hand owns nothing.
  static const dc_point points[] = {{4, 1}};
  d = (dc_distribution){points, 1, 0, NULL};
  dc_distribution_free(&d);
  assert_empty(&d);
}

static void specs_made_by_hand_are_checked(void **state) {
  (void)state;
  static const dc_point none[] = {{1, 0}}, nan_mass[] = {{1, (double)NAN}},
                        huge[] = {{1, 1e308}, {2, 1e308}}, high[] = {{DC_TRIPS_MAX + 1, 1}},
                        infinite[] = {{1, (double)INFINITY}};
  static const dc_distribution_spec
      half = {.kind = DC_DISTRIBUTION_CONST, .weight = 0.5},
      nan_part = {.kind = DC_DISTRIBUTION_CONST, .weight = (double)NAN, .next = &half},
      small = {.kind = DC_DISTRIBUTION_CONST, .weight = 0.25, .next = &half},
      bad_part = {.kind = DC_DISTRIBUTION_GEOMETRIC, .weight = 0.5, .next = &half};
  static const struct {
    dc_distribution_spec spec;
    const char *text;
  } cases[] = {
      {{.kind = DC_DISTRIBUTION_CONST, .parameter = {-1}},
       "k of const is -1, but must be a whole number from 0 to 8796093022208"},
      {{.kind = DC_DISTRIBUTION_CONST, .parameter = {1.5}},
       "k of const is 1.5, but must be a whole number from 0 to 8796093022208"},
      {{.kind = DC_DISTRIBUTION_CONST, .parameter = {(double)INFINITY}},
       "k of const is inf, but must be a whole number from 0 to 8796093022208"},
      {{.kind = DC_DISTRIBUTION_UNIFORM, .parameter = {5, 3}},
       "a of uniform is 5, but must not be above b, which is 3"},
      {{.kind = DC_DISTRIBUTION_BINOMIAL, .parameter = {5, 1.5}},
       "p of binomial is 1.5, but must be in [0, 1]"},
      {{.kind = DC_DISTRIBUTION_GEOMETRIC, .parameter = {0}},
       "p of geometric is 0, but must be in (0, 1]"},
      {{.kind = DC_DISTRIBUTION_POISSON, .parameter = {1e13}},
       "l of poisson is 1e+13, but must be in [0, 1e+12]"},
      {{.kind = DC_DISTRIBUTION_NEGBIN, .parameter = {0, 0.5}},
       "r of negbin is 0, but must be in (0, 1e+09]"},
      {{.kind = DC_DISTRIBUTION_ZIPF, .parameter = {2, 0}},
       "max of zipf is 0, but must be a whole number from 1 to 1000000"},
      {{.kind = DC_DISTRIBUTION_LIST}, "list has no values, but needs at least one"},
      {{.kind = DC_DISTRIBUTION_LIST, .points = none, .count = 1},
       "the masses of list are all 0, but one must be positive"},
      {{.kind = DC_DISTRIBUTION_LIST, .points = huge, .count = 2},
       "the masses of list sum to more than a number can hold, 1.8e308"},
      {{.kind = DC_DISTRIBUTION_LIST, .points = infinite, .count = 1},
       "the mass of value 1 in list is inf, but must be finite and not negative"},
      {{.kind = DC_DISTRIBUTION_LIST, .points = high, .count = 1},
       "value 1 of list is 8796093022209, but must be a whole number from 0 to 8796093022208"},
      {{.kind = DC_DISTRIBUTION_HISTOGRAM, .name = ""}, "the file name of histogram is empty"},
      {{.kind = DC_DISTRIBUTION_HISTOGRAM}, "the file name of histogram is empty"},
      {{.kind = DC_DISTRIBUTION_MIXTURE}, "a mixture needs at least two components"},
      {{.kind = DC_DISTRIBUTION_MIXTURE, .parts = &half},
       "a mixture needs at least two components"},
      {{.kind = DC_DISTRIBUTION_MIXTURE, .parts = &small},
       "the weights of a mixture sum to 0.75, but must sum to 1"},
      {{.kind = DC_DISTRIBUTION_MIXTURE, .parts = &bad_part},
       "p of geometric is 0, but must be in (0, 1]"},
      {{.kind = (dc_distribution_kind)99}, "distribution kind 99 does not exist"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    dc_error error;
    size_t bytes;
    assert_int_equal(dc_distribution_spec_check(&cases[i].spec, &error), DC_ERROR_ARGUMENT);
    assert_string_equal(error.text, cases[i].text);
    assert_int_equal(dc_distribution_bytes(&cases[i].spec, NULL, &bytes, NULL), DC_ERROR_ARGUMENT);
  }
  // NaN has a sign that printf may show.
  static const dc_distribution_spec nans[] = {
      {.kind = DC_DISTRIBUTION_POISSON, .parameter = {(double)NAN}},
      {.kind = DC_DISTRIBUTION_LIST, .points = nan_mass, .count = 1},
      {.kind = DC_DISTRIBUTION_MIXTURE, .parts = &nan_part}};
  for (size_t i = 0; i < 3; ++i) {
    dc_error error;
    assert_int_equal(dc_distribution_spec_check(&nans[i], &error), DC_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "nan"));
  }
}

static void distributions_made_by_hand_are_checked(void **state) {
  (void)state;
  dc_error error;
  dc_point good[] = {{1, 0.5}, {3, 0.5}}, twice[] = {{1, 0.5}, {1, 0.5}},
           less[] = {{1, 0.5}, {2, 0.4}}, zero[] = {{1, 1}, {2, 0}};
  assert_int_equal(dc_distribution_check(&(dc_distribution){good, 2, 0, NULL}, &error), DC_OK);
  assert_int_equal(dc_distribution_check(&(dc_distribution){good, 0, 0, NULL}, &error),
                   DC_ERROR_ARGUMENT);
  assert_int_equal(
      dc_distribution_check(&(dc_distribution){good, DC_POINTS_MAX + 1, 0, NULL}, &error),
      DC_ERROR_ARGUMENT);
  assert_string_equal(error.text, "the distribution has 1000001 points, but may have 1000000");
  assert_int_equal(dc_distribution_check(&(dc_distribution){twice, 2, 0, NULL}, &error),
                   DC_ERROR_ARGUMENT);
  assert_string_equal(error.text,
                      "value 2 of the distribution is 1, but must be above the one before it");
  assert_int_equal(dc_distribution_check(&(dc_distribution){less, 2, 0, NULL}, &error),
                   DC_ERROR_ARGUMENT);
  assert_string_equal(error.text, "the masses of the distribution sum to 0.9, but must sum to 1");
  assert_int_equal(dc_distribution_check(&(dc_distribution){zero, 2, 0, NULL}, &error),
                   DC_ERROR_ARGUMENT);
  assert_string_equal(error.text,
                      "the mass of value 2 in the distribution is 0, but must be positive");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(masses_follow_the_formulas),
      cmocka_unit_test(moments_are_those_of_the_textbook),
      cmocka_unit_test(conventions_of_the_paper),
      cmocka_unit_test(small_p_keeps_its_digits),
      cmocka_unit_test(the_cut_is_where_the_tail_falls_below_it),
      cmocka_unit_test(mixtures_are_weighted_sums),
      cmocka_unit_test(lists_in_any_order),
      cmocka_unit_test(many_values_in_disorder),
      cmocka_unit_test(histograms_come_from_the_caller),
      cmocka_unit_test(too_many_values_are_refused),
      cmocka_unit_test(options_are_checked),
      cmocka_unit_test(a_text_becomes_a_distribution_at_once),
      cmocka_unit_test(specs_made_by_hand_are_checked),
      cmocka_unit_test(distributions_made_by_hand_are_checked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
