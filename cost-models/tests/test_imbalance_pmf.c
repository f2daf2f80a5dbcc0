// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The distribution of the imbalance: every fraction against enumeration, both methods against each
// other, the paper's table 1 from the pmf, quantiles against sorted points, the grid against the
// pmf, and the limits.
#include "divcost/imbalance_pmf.h"

#include "imbalance/pmf_internal.h"
#include "support.h"

static dc_imbalance_pmf build(const dc_distribution *d, unsigned lanes, dc_pmf_method method) {
  dc_imbalance_pmf pmf;
  dc_error error = {0};
  if (dc_imbalance_pmf_build(d, lanes, method, &pmf, &error) != DC_OK)
    fail_msg("%s", error.text);
  return pmf;
}

typedef struct fractions {
  dc_pmf_point *points;
  size_t count;
} fractions;

__extension__ typedef __int128 product; // of two numbers up to 2^53

static int by_value(const void *a, const void *b) {
  const dc_pmf_point *p = a, *q = b;
  product left = (product)p->numerator * q->denominator;
  product right = (product)q->numerator * p->denominator;
  return left < right ? -1 : left > right;
}

static fractions sorted(const dc_imbalance_pmf *pmf) {
  fractions f = {malloc((pmf->row[pmf->rows].begin + 1) * sizeof(dc_pmf_point)), 0};
  dc_pmf_cursor cursor = {0, 0};
  while (dc_imbalance_pmf_next(pmf, &cursor, &f.points[f.count]))
    ++f.count;
  qsort(f.points, f.count, sizeof *f.points, by_value);
  return f;
}

static int64_t common_divisor(int64_t a, int64_t b) { return b ? common_divisor(b, a % b) : a; }

// In lowest terms, each once, from 1 to lanes, with sum 1.
static void assert_valid(const fractions *f, unsigned lanes) {
  double total = 0;
  assert_true(f->count > 0);
  for (size_t i = 0; i < f->count; ++i) {
    const dc_pmf_point *p = &f->points[i];
    assert_true(p->mass > 0);
    assert_true(p->numerator >= p->denominator && p->numerator <= lanes * p->denominator);
    assert_int_equal(common_divisor(p->numerator, p->denominator), 1);
    assert_true(i == 0 || by_value(p - 1, p) < 0);
    total += p->mass;
  }
  assert_within(total, 1, 1e-11);
}

static dc_distribution random_shifted(uint64_t *seed, dc_point *points, size_t count,
                                      int64_t step) {
  dc_distribution d = random_distribution(seed, points, count, step);
  int64_t offset = (int64_t[]){0, 0, 20, 1000000000000}[random_below(seed, 4)];
  for (size_t i = 0; i < count; ++i)
    points[i].value += offset;
  return d;
}

static void add_draw(const int64_t *counts, unsigned lanes, double probability, void *context) {
  fractions *f = context;
  int64_t sum = 0, largest = 0;
  for (unsigned i = 0; i < lanes; ++i) {
    sum += counts[i];
    largest = counts[i] > largest ? counts[i] : largest;
  }
  int64_t slots = sum > 0 ? largest * lanes : 1;
  sum = sum > 0 ? sum : 1;
  int64_t divisor = common_divisor(slots, sum);
  dc_pmf_point point = {slots / divisor, sum / divisor, probability};
  dc_pmf_point *found = f->points, *end = f->points + f->count;
  while (found < end && by_value(found, &point) != 0)
    ++found;
  if (found < end)
    found->mass += probability;
  else
    f->points[f->count++] = point;
}

static void every_fraction_of_few_lanes_has_its_probability(void **state) {
  (void)state;
  uint64_t seed = 21;
  for (unsigned round = 0; round < 200; ++round) {
    dc_point points[7];
    dc_pmf_point expected_points[4096];
    unsigned lanes = 1 + random_below(&seed, 4);
    size_t count = 1 + random_below(&seed, 7);
    dc_distribution d =
        random_shifted(&seed, points, count, (int64_t[]){1, 1, 3, 40}[random_below(&seed, 4)]);
    fractions expected = {expected_points, 0};
    enumerate(&d, lanes, add_draw, &expected);
    qsort(expected.points, expected.count, sizeof *expected.points, by_value);
    dc_imbalance_pmf b = build(&d, lanes, DC_PMF_POWERS);
    fractions f = sorted(&b);
    assert_int_equal(f.count, expected.count);
    for (size_t i = 0; i < f.count; ++i) {
      assert_int_equal(f.points[i].numerator, expected.points[i].numerator);
      assert_int_equal(f.points[i].denominator, expected.points[i].denominator);
      assert_close(f.points[i].mass, expected.points[i].mass, 1e-13);
    }
    free(f.points);
    dc_imbalance_pmf_free(&b);
  }
}

// The rows of the joint distribution, one behind the other.
typedef struct table {
  const dc_joint *joint;
  double *cells, *end;
} table;

static void keep_row(void *context, size_t row, const double *masses) {
  table *t = context;
  size_t count = dc__joint_cells(t->joint, row);
  memcpy(t->end, masses, count * sizeof(double));
  t->end += count;
}

typedef void (*joint_method)(const dc_joint *, void *, dc_joint_visit, void *);

static table rows_of(const dc_joint *joint, joint_method method, size_t bytes) {
  size_t count = 0;
  for (size_t row = 0; row < joint->count; ++row)
    count += dc__joint_cells(joint, row);
  table t = {joint, malloc(count * sizeof(double)), NULL};
  t.end = t.cells;
  void *memory = malloc(bytes);
  method(joint, memory, keep_row, &t);
  free(memory);
  assert_ptr_equal(t.end, t.cells + count);
  return t;
}

static void assert_rows_agree(const dc_joint *joint) {
  table s = rows_of(joint, dc__joint_fourier, dc__joint_fourier_bytes(joint));
  table p = rows_of(joint, dc__joint_powers, dc__joint_powers_bytes(joint));
  for (size_t row = 0, begin = 0; row < joint->count; ++row) {
    double largest = 0;
    size_t count = dc__joint_cells(joint, row);
    for (size_t i = begin; i < begin + count; ++i)
      largest = fmax(largest, p.cells[i]);
    for (size_t i = begin; i < begin + count; ++i)
      assert_within(s.cells[i], p.cells[i], 1e-13 * largest + 1e-280);
    begin += count;
  }
  free(s.cells);
  free(p.cells);
}

static void both_methods_agree(void **state) {
  (void)state;
  uint64_t seed = 22;
  for (size_t round = 0; round < cases_of(40, 9); ++round) {
    dc_point points[100];
    unsigned lanes = 2 + random_below(&seed, round % 8 == 0 ? 100 : 39);
    size_t count = 2 + random_below(&seed, lanes > 20 ? 20 : 99);
    dc_distribution d =
        random_shifted(&seed, points, count, (int64_t[]){1, 1, 2, 5}[random_below(&seed, 4)]);
    if (round % 2 == 0) // smooth, so that most of the spectrum is left out
      for (size_t i = 0; i < count; ++i)
        points[i].mass = 1 / (double)count;
    dc_joint joint = dc__joint_of(&d, lanes);
    assert_rows_agree(&joint);
    dc_imbalance_pmf s = build(&d, lanes, DC_PMF_SPECTRUM), p = build(&d, lanes, DC_PMF_POWERS);
    dc_moments exact = dc_imbalance_pmf_moments(&p), near = dc_imbalance_pmf_moments(&s);
    assert_close(near.mean, exact.mean, 1e-12);
    fractions f = sorted(&s), g = sorted(&p);
    assert_valid(&f, lanes);
    assert_valid(&g, lanes);
    free(f.points);
    free(g.points);
    dc_imbalance_pmf_free(&s);
    dc_imbalance_pmf_free(&p);
  }
}

static void table_1_of_swatman_et_al(void **state) {
  (void)state;
  static const char *const names[] = {"B(40,0.5)", "Geo(0.05)", "Pois(30)", "U(20,40)",
                                      "NB(5,0.3)"};
  static const char *const distributions[] = {"binomial(40,0.5)", "geometric(0.05)", "poisson(30)",
                                              "uniform(20,40)", "negbin(5,0.3)"};
  const dc_distribution_options paper = {.cut = DC_CUT_PAPER};
  FILE *file = fopen(DIVCOST_TEST_DATA "/table1.tsv", "r");
  assert_non_null(file);
  unsigned cells = 0;
  char line[256];
  while (fgets(line, sizeof line, file)) {
    char name[32], modelled[16], printed[32];
    unsigned lanes;
    if (line[0] == '#' || sscanf(line, "%31s %u %15s", name, &lanes, modelled) != 3)
      continue;
    for (size_t i = 0; i < 5; ++i) {
      if (strcmp(names[i], name) != 0)
        continue;
      made m = make(distributions[i], &paper);
      dc_imbalance_pmf b = build(&m.distribution, lanes, DC_PMF_FASTEST);
      double mean = dc_imbalance_pmf_moments(&b).mean, integral = 0;
      snprintf(printed, sizeof printed, "%.3f", mean);
      assert_string_equal(printed, modelled);
      assert_int_equal(dc_expected_imbalance(&m.distribution, lanes, &integral, NULL), DC_OK);
      assert_close(mean, integral, 1e-12);
      dc_imbalance_pmf_free(&b);
      release(&m);
      ++cells;
    }
  }
  fclose(file);
  assert_int_equal(cells, 25);
}

static void quantiles_of_the_sorted_points(void **state) {
  (void)state;
  uint64_t seed = 23;
  for (size_t round = 0; round < cases_of(60, 10); ++round) {
    dc_point points[30];
    unsigned lanes = 1 + random_below(&seed, 12);
    dc_distribution d = random_shifted(&seed, points, 1 + random_below(&seed, 30), 2);
    dc_imbalance_pmf b = build(&d, lanes, DC_PMF_POWERS);
    fractions f = sorted(&b);
    double below = 0;
    for (size_t i = 0; i < f.count; ++i) {
      const dc_pmf_point *p = &f.points[i];
      double x = (double)p->numerator / (double)p->denominator;
      if (p->mass > 1e-10) // else its neighbours are as good
        assert_close(dc_imbalance_pmf_quantile(&b, below + p->mass / 2), x, 1e-15);
      below += p->mass;
    }
    double first = (double)f.points[0].numerator / (double)f.points[0].denominator;
    assert_close(dc_imbalance_pmf_quantile(&b, 0), first, 1e-15);
    free(f.points);
    dc_imbalance_pmf_free(&b);
  }
}

static void scaling_the_trip_counts_changes_no_fraction(void **state) {
  (void)state;
  uint64_t seed = 24;
  for (unsigned round = 0; round < 20; ++round) {
    dc_point points[30], scaled[30];
    dc_distribution d = random_shifted(&seed, points, 2 + random_below(&seed, 29), 3);
    for (size_t i = 0; i < d.count; ++i)
      scaled[i] = (dc_point){points[i].value * 6, points[i].mass};
    dc_distribution six = {scaled, d.count, 0, NULL};
    dc_imbalance_pmf a = build(&d, 9, DC_PMF_POWERS), b = build(&six, 9, DC_PMF_POWERS);
    fractions f = sorted(&a), g = sorted(&b);
    assert_int_equal(f.count, g.count);
    for (size_t i = 0; i < f.count; ++i) {
      assert_int_equal(f.points[i].numerator, g.points[i].numerator);
      assert_int_equal(f.points[i].denominator, g.points[i].denominator);
      assert_close(f.points[i].mass, g.points[i].mass, 1e-14);
    }
    free(f.points);
    free(g.points);
    dc_imbalance_pmf_free(&a);
    dc_imbalance_pmf_free(&b);
  }
}

static void one_lane_and_constants_are_the_fraction_1(void **state) {
  (void)state;
  static const struct {
    const char *text;
    unsigned lanes;
  } cases[] = {{"const(0)", 32}, {"const(7)", 1024}, {"geometric(0.05)", 1}, {"uniform(0,9)", 1}};
  for (size_t i = 0; i < 4; ++i)
    for (int method = 0; method <= DC_PMF_POWERS; ++method) {
      made m = make(cases[i].text, NULL);
      dc_imbalance_pmf b = build(&m.distribution, cases[i].lanes, (dc_pmf_method)method);
      fractions f = sorted(&b);
      assert_int_equal(f.count, 1);
      assert_int_equal(f.points[0].numerator, 1);
      assert_int_equal(f.points[0].denominator, 1);
      assert_close(f.points[0].mass, 1, 1e-14);
      assert_true(dc_imbalance_pmf_quantile(&b, 0.5) == 1);
      free(f.points);
      dc_imbalance_pmf_free(&b);
      release(&m);
    }
}

static void many_lanes(void **state) {
  (void)state;
  made m = make("uniform(1,40)", NULL);
  dc_imbalance_pmf b = build(&m.distribution, 1024, DC_PMF_FASTEST);
  fractions f = sorted(&b);
  assert_valid(&f, 1024);
  double mean;
  assert_int_equal(dc_expected_imbalance(&m.distribution, 1024, &mean, NULL), DC_OK);
  assert_close(dc_imbalance_pmf_moments(&b).mean, mean, 1e-12);
  free(f.points);
  dc_imbalance_pmf_free(&b);
  release(&m);
}

static dc_imbalance_grid grid_of(const dc_distribution *d, unsigned lanes, size_t bins) {
  dc_imbalance_grid grid;
  assert_int_equal(dc_imbalance_grid_build(d, lanes, bins, &grid, NULL), DC_OK);
  return grid;
}

static void the_grid_is_the_pmf_in_bins(void **state) {
  (void)state;
  static const char *const texts[] = {"geometric(0.1)", "uniform(0,30)", "uniform(1000,1007)",
                                      "list(3:1, 9:2, 27:1)", "const(4)"};
  static const unsigned lanes[] = {1, 2, 7, 32};
  for (size_t t = 0; t < 5; ++t)
    for (size_t l = 0; l < cases_of(4, 3); ++l) {
      made m = make(texts[t], NULL);
      dc_imbalance_pmf b = build(&m.distribution, lanes[l], DC_PMF_POWERS);
      dc_imbalance_grid g = grid_of(&m.distribution, lanes[l], 37);
      double masses[37] = {0}, width = (lanes[l] - 1) / 37.0;
      dc_pmf_cursor cursor = {0, 0};
      dc_pmf_point p;
      while (dc_imbalance_pmf_next(&b, &cursor, &p)) {
        double x = (double)(p.numerator - p.denominator) / (double)p.denominator;
        size_t bin = width > 0 ? (size_t)(x * (37.0 / (lanes[l] - 1))) : 0;
        masses[bin < 37 ? bin : 36] += p.mass;
      }
      for (size_t i = 0; i < 37; ++i)
        assert_within(g.masses[i], masses[i], 1e-12);
      assert_false(g.rounded);
      assert_close(g.moments.mean, dc_imbalance_pmf_moments(&b).mean, 1e-12);
      for (double q = 0.01; q < 1; q += 0.07)
        assert_within(dc_imbalance_grid_quantile(&g, q), dc_imbalance_pmf_quantile(&b, q),
                      width + 1e-12);
      dc_imbalance_grid_free(&g);
      dc_imbalance_pmf_free(&b);
      release(&m);
    }
}

static void a_wide_support_needs_a_grid_of_little_memory(void **state) {
  (void)state;
  static const char *const texts[] = {"0.999*poisson(3) + 0.001*const(15000)", "uniform(1,20000)",
                                      "zipf(2,20000)", "geometric(0.002)"};
  for (size_t i = 0; i < cases_of(4, 1); ++i) {
    made m = make(texts[i], NULL);
    size_t bytes;
    assert_int_equal(dc_imbalance_grid_bytes(&m.distribution, 8, 100, &bytes, NULL), DC_OK);
    assert_true(bytes <= 100 * sizeof(double) + 8 * 1024 * 1024);
    dc_imbalance_grid g = grid_of(&m.distribution, 8, 100);
    double total = 0;
    for (size_t j = 0; j < 100; ++j)
      total += g.masses[j];
    dc_moments exact;
    assert_int_equal(dc_imbalance_moments(&m.distribution, 8, &exact, NULL), DC_OK);
    assert_true(g.rounded);
    if (!(fabs(total - 1) < 1e-11))
      fail_msg("%s: %.17g", texts[i], total);
    assert_close(g.moments.mean, exact.mean, 1e-4);
    assert_close(g.moments.square, exact.square, 1e-4);
    dc_imbalance_grid_free(&g);
    release(&m);
  }
}

static void limits_are_said_with_what_would_be_needed(void **state) {
  (void)state;
  made m = make("uniform(1,100000)", NULL), small = make("uniform(1,5)", NULL);
  size_t bytes = 77;
  dc_error error;
  dc_imbalance_pmf pmf = {.lanes = 7};
  dc_imbalance_grid grid = {.lanes = 7};
  assert_int_equal(dc_imbalance_pmf_bytes(&m.distribution, 32, DC_PMF_FASTEST, &bytes, &error),
                   DC_ERROR_LIMIT);
  assert_string_equal(error.text,
                      "the exact pmf of 32 lanes and 100000 values would need 1.24e+12 bytes, but "
                      "may have 1073741824; use the grid, dc_imbalance_grid_build");
  assert_int_equal(bytes, 77);
  assert_int_equal(dc_imbalance_pmf_build(&m.distribution, 32, DC_PMF_FASTEST, &pmf, &error),
                   DC_ERROR_LIMIT);
  assert_non_null(strstr(error.text, "would need 1.24e+12 bytes"));
  assert_true(pmf.lanes == 0 && !pmf.row && !pmf.cells && !pmf.memory);
  assert_int_equal(
      dc_imbalance_pmf_bytes(&small.distribution, 32, (dc_pmf_method)3, &bytes, &error),
      DC_ERROR_ARGUMENT);
  assert_string_equal(error.text, "method is 3, but must be one of dc_pmf_method");
  assert_int_equal(dc_imbalance_pmf_bytes(&small.distribution, 0, DC_PMF_FASTEST, &bytes, NULL),
                   DC_ERROR_ARGUMENT);
  assert_int_equal(dc_imbalance_grid_bytes(&small.distribution, 32, 0, &bytes, &error),
                   DC_ERROR_ARGUMENT);
  assert_string_equal(error.text, "bins is 0, but must be from 1 to 1000000");
  assert_int_equal(dc_imbalance_grid_build(&small.distribution, 32, 0, &grid, &error),
                   DC_ERROR_ARGUMENT);
  assert_true(grid.lanes == 0 && !grid.masses);
  release(&m);
  release(&small);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_fraction_of_few_lanes_has_its_probability),
      cmocka_unit_test(both_methods_agree),
      cmocka_unit_test(table_1_of_swatman_et_al),
      cmocka_unit_test(quantiles_of_the_sorted_points),
      cmocka_unit_test(scaling_the_trip_counts_changes_no_fraction),
      cmocka_unit_test(one_lane_and_constants_are_the_fraction_1),
      cmocka_unit_test(many_lanes),
      cmocka_unit_test(the_grid_is_the_pmf_in_bins),
      cmocka_unit_test(a_wide_support_needs_a_grid_of_little_memory),
      cmocka_unit_test(limits_are_said_with_what_would_be_needed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
