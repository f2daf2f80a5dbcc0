// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Divergent exits and stack depth against Bialas and Strzelecki's table I, against a warp that is
// run step by step, and for iid lanes against enumeration and against each other.
#include "cases.h"
#include "divcost/reconvergence.h"

#include "support.h"

// ---- the loops, run for one warp lane by lane --------------------------------------------------

typedef struct run {
  int divergent_exits, divergent_guard, depth;
} run;

typedef enum shape { ALONE, AROUND_ANOTHER, INSIDE } shape;

// Runs "for (i = 0; i < counts[lane]; ++i)" on a stack with below tokens: a guard, then the exit
// branch after each turn. One SSY token, one DIV token for each divergent exit; the guard's DIV
// token is popped before the loop starts.
static void run_loop(const int64_t *counts, unsigned lanes, int below, shape kind, run *r) {
  int tokens = below + 1, active = 0;
  if (tokens > r->depth)
    r->depth = tokens;
  for (unsigned i = 0; i < lanes; ++i)
    active += counts[i] > 0;
  if (active > 0 && active < (int)lanes) {
    r->divergent_guard = 1;
    if (tokens + 1 > r->depth)
      r->depth = tokens + 1;
  }
  for (int64_t turn = 1; active > 0; ++turn) {
    if (kind == AROUND_ANOTHER) { // with the lanes that are still there
      int64_t there[8];
      unsigned n = 0;
      for (unsigned i = 0; i < lanes; ++i)
        if (counts[i] >= turn)
          there[n++] = counts[i];
      run_loop(there, n, tokens, INSIDE, r);
    }
    int stay = 0;
    for (unsigned i = 0; i < lanes; ++i)
      stay += counts[i] > turn;
    if (stay > 0 && stay < active) {
      ++r->divergent_exits;
      if (++tokens > r->depth)
        r->depth = tokens;
    }
    active = stay;
  }
}

static run run_single(const int64_t *counts, unsigned lanes) {
  run r = {0};
  run_loop(counts, lanes, 0, ALONE, &r);
  return r;
}

static run run_double(const int64_t *counts, unsigned lanes) {
  run r = {0};
  run_loop(counts, lanes, 0, AROUND_ANOTHER, &r);
  return r;
}

static unsigned distinct(const int64_t *counts, unsigned lanes) {
  unsigned n = 0;
  for (unsigned i = 0; i < lanes; ++i) {
    unsigned j = 0;
    while (counts[j] != counts[i])
      ++j;
    n += i == j;
  }
  return n;
}

// ---- listed counts -----------------------------------------------------------------------------

static void table_i_of_bialas_and_strzelecki(void **state) {
  (void)state;
  for (unsigned n = 0; n < 32; ++n) {
    int64_t counts[32];
    for (unsigned lane = 0; lane < 32; ++lane)
      counts[lane] = lane < n ? 32 - n + lane : 32;
    dc_reconvergence single, both;
    assert_int_equal(dc_single_loop_listed(counts, 32, &single, NULL), DC_OK);
    assert_int_equal(dc_double_loop_listed(counts, 32, &both, NULL), DC_OK);
    assert_true(single.divergent_exits == n && single.depth == n + 1 && single.distinct == n + 1);
    assert_true(both.divergent_exits == n * (65 - n) / 2 && both.depth == n + 2);
    assert_true(single.divergent_guard == 0 && both.divergent_guard == 0);
  }
}

static void listed_counts_match_a_run(void **state) {
  (void)state;
  uint64_t seed = 3;
  for (unsigned round = 0; round < cases_of(2000, 200); ++round) {
    int64_t counts[8];
    unsigned lanes = 1 + random_below(&seed, 8), limit = 1 + random_below(&seed, 9);
    for (unsigned i = 0; i < lanes; ++i)
      counts[i] = random_below(&seed, limit);
    dc_reconvergence single, both;
    assert_int_equal(dc_single_loop_listed(counts, lanes, &single, NULL), DC_OK);
    assert_int_equal(dc_double_loop_listed(counts, lanes, &both, NULL), DC_OK);
    run r = run_single(counts, lanes);
    assert_true(single.distinct == distinct(counts, lanes));
    assert_true(single.divergent_exits == r.divergent_exits);
    assert_true(single.divergent_guard == r.divergent_guard);
    assert_true(single.depth == r.depth);
    r = run_double(counts, lanes);
    assert_true(both.distinct == distinct(counts, lanes));
    assert_true(both.divergent_exits == r.divergent_exits);
    assert_true(both.divergent_guard == r.divergent_guard);
    assert_true(both.depth == r.depth);
  }
}

static void lanes_that_never_enter_have_left_at_the_guard(void **state) {
  (void)state;
  dc_reconvergence r;
  const int64_t none[] = {0, 0, 0}, one[] = {0, 5, 5}, two[] = {0, 5, 6}, three[] = {4, 5, 6};
  assert_int_equal(dc_single_loop_listed(none, 3, &r, NULL), DC_OK);
  assert_true(r.depth == 1 && r.divergent_exits == 0 && r.divergent_guard == 0 && r.distinct == 1);
  assert_int_equal(dc_single_loop_listed(one, 3, &r, NULL), DC_OK);
  assert_true(r.depth == 2 && r.divergent_exits == 0 && r.divergent_guard == 1 && r.distinct == 2);
  assert_int_equal(dc_single_loop_listed(two, 3, &r, NULL), DC_OK);
  assert_true(r.depth == 2 && r.divergent_exits == 1 && r.divergent_guard == 1 && r.distinct == 3);
  assert_int_equal(dc_single_loop_listed(three, 3, &r, NULL), DC_OK);
  assert_true(r.depth == 3 && r.divergent_exits == 2 && r.divergent_guard == 0 && r.distinct == 3);
}

// ---- iid lanes ---------------------------------------------------------------------------------

typedef struct means {
  dc_reconvergence single, both;
  double depth[9];
} means;

static void add(dc_reconvergence *sum, double probability, const dc_reconvergence *one) {
  sum->distinct += probability * one->distinct;
  sum->divergent_exits += probability * one->divergent_exits;
  sum->divergent_guard += probability * one->divergent_guard;
  sum->depth += probability * one->depth;
}

static void add_draw(const int64_t *counts, unsigned lanes, double probability, void *context) {
  means *m = context;
  dc_reconvergence one;
  assert_int_equal(dc_single_loop_listed(counts, lanes, &one, NULL), DC_OK);
  add(&m->single, probability, &one);
  m->depth[(size_t)one.depth] += probability;
  assert_int_equal(dc_double_loop_listed(counts, lanes, &one, NULL), DC_OK);
  add(&m->both, probability, &one);
}

static void assert_same(const dc_reconvergence *got, const dc_reconvergence *wanted) {
  assert_within(got->distinct, wanted->distinct, 1e-13 * wanted->distinct);
  assert_within(got->divergent_exits, wanted->divergent_exits,
                1e-13 * (1 + wanted->divergent_exits));
  assert_within(got->divergent_guard, wanted->divergent_guard, 1e-14);
  assert_within(got->depth, wanted->depth, 1e-13 * wanted->depth);
}

static double *depth_of(const dc_distribution *d, unsigned lanes) {
  double *probability = malloc((lanes + 1) * sizeof *probability);
  dc_error error = {0};
  if (dc_single_loop_depth(d, lanes, probability, &error) != DC_OK)
    fail_msg("%s", error.text);
  return probability;
}

static void iid_lanes_match_enumeration(void **state) {
  (void)state;
  uint64_t seed = 4;
  for (unsigned round = 0; round < cases_of(300, 60); ++round) {
    dc_point points[8];
    unsigned lanes = 1 + random_below(&seed, 5);
    size_t count = 1 + random_below(&seed, lanes > 3 ? 6 : 8);
    dc_distribution d = random_distribution(&seed, points, count, 1 + round % 5);
    means m = {0};
    enumerate(&d, lanes, add_draw, &m);
    dc_reconvergence single, both;
    assert_int_equal(dc_single_loop(&d, lanes, &single, NULL), DC_OK);
    assert_int_equal(dc_double_loop(&d, lanes, &both, NULL), DC_OK);
    assert_same(&single, &m.single);
    assert_same(&both, &m.both);
    double *depth = depth_of(&d, lanes);
    for (unsigned i = 0; i <= lanes; ++i)
      assert_within(depth[i], m.depth[i], 1e-14);
    double above = 0;
    for (unsigned i = lanes; i > 1; --i)
      above += m.depth[i];
    assert_within(dc_depth_exceeds(depth, lanes, 1), above, 1e-14);
    free(depth);
  }
}

// The number of distinct values among n lanes of a uniform distribution of m values: one lane after
// the other.
static void occupancy(unsigned m, unsigned n, double *probability) {
  memset(probability, 0, (n + 1) * sizeof *probability);
  probability[0] = 1;
  for (unsigned lane = 0; lane < n; ++lane) {
    for (unsigned d = n; d > 0; --d)
      probability[d] = (probability[d] * d + probability[d - 1] * (m + 1.0 - d)) / m;
    probability[0] = 0;
  }
}

static void depth_of_uniform_distributions_is_the_occupancy(void **state) {
  (void)state;
  static const unsigned values[] = {1, 2, 20, 63, 64, 65, 1000, 20000};
  static const unsigned lanes[] = {1, 2, 31, 32, 100};
  for (size_t i = 0; i < sizeof values / sizeof *values; ++i)
    for (size_t j = 0; j < sizeof lanes / sizeof *lanes; ++j) {
      char text[32];
      snprintf(text, sizeof text, "uniform(1,%u)", values[i]);
      made m = make(text, NULL);
      double *depth = depth_of(&m.distribution, lanes[j]), wanted[101];
      occupancy(values[i], lanes[j], wanted);
      for (unsigned d = 0; d <= lanes[j]; ++d)
        assert_within(depth[d], wanted[d], 1e-14 * lanes[j]);
      free(depth);
      release(&m);
    }
}

static void mean_depth_is_the_mean_of_the_distribution(void **state) {
  (void)state;
  static const struct {
    const char *text;
    unsigned lanes;
  } cases[] = {{"geometric(0.05)", 32},
               {"negbin(5,0.3)", 32},
               {"poisson(0.5)", 32},
               {"zipf(2,100000)", 32},
               {"0.999*const(0) + 0.001*uniform(1,100)", 32},
               {"0.01*const(0) + 0.99*const(7)", 32},
               {"binomial(40,0.5)", 100},
               {"0.4*const(0) + 0.6*poisson(30)", 100},
               {"const(5)", 128},
               {"0.999*const(0) + 0.001*const(5)", 128},
               {"const(0)", 128}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    made m = make(cases[i].text, NULL);
    unsigned lanes = cases[i].lanes;
    double *depth = depth_of(&m.distribution, lanes), mean = 0, all = 0;
    for (unsigned d = 0; d <= lanes; ++d) {
      mean += d * depth[d];
      all += depth[d];
    }
    dc_reconvergence r;
    assert_int_equal(dc_single_loop(&m.distribution, lanes, &r, NULL), DC_OK);
    assert_within(all, 1, 1e-13);
    assert_close(r.depth, mean, 1e-12);
    assert_true(dc_depth_exceeds(depth, lanes, lanes) == 0);
    assert_within(dc_depth_exceeds(depth, lanes, 0), 1, 1e-13);
    free(depth);
    release(&m);
  }
}

static void distinct_is_the_closed_form(void **state) {
  (void)state;
  made m = make("geometric(0.05)", NULL);
  double wanted = 0;
  for (int k = 1; k < 800; ++k)
    wanted += 1 - pow(1 - 0.05 * pow(0.95, k - 1), 32);
  dc_reconvergence r;
  assert_int_equal(dc_single_loop(&m.distribution, 32, &r, NULL), DC_OK);
  assert_within(r.distinct, wanted, 1e-12);
  assert_within(r.divergent_exits, wanted - 1, 1e-12);
  assert_within(r.depth, wanted, 1e-12);
  release(&m);
}

static void errors_name_the_argument_and_its_range(void **state) {
  (void)state;
  made m = make("uniform(0,3)", NULL);
  dc_error error;
  dc_reconvergence r = {.distinct = -5};
  const dc_distribution none = {m.distribution.points, 0, 0, NULL};
  const int64_t counts[] = {1, -2};
  double probability[3] = {-5, -5, -5};
  assert_int_equal(dc_single_loop(&m.distribution, 0, &r, &error), DC_ERROR_ARGUMENT);
  assert_string_equal(error.text, "lanes is 0, but must be a whole number from 1 to 1024");
  assert_int_equal(dc_double_loop(&m.distribution, 1025, &r, &error), DC_ERROR_ARGUMENT);
  assert_int_equal(dc_single_loop(&none, 32, &r, &error), DC_ERROR_ARGUMENT);
  assert_int_equal(dc_double_loop(&none, 32, &r, &error), DC_ERROR_ARGUMENT);
  assert_int_equal(dc_single_loop_listed(counts, 2, &r, &error), DC_ERROR_ARGUMENT);
  assert_string_equal(error.text,
                      "the trip count of lane 1 is -2, but must be from 0 to 8796093022208");
  assert_int_equal(dc_double_loop_listed(counts, 2, &r, &error), DC_ERROR_ARGUMENT);
  assert_int_equal(dc_double_loop_listed(counts, 0, &r, &error), DC_ERROR_ARGUMENT);
  assert_int_equal(dc_single_loop_depth(&none, 2, probability, &error), DC_ERROR_ARGUMENT);
  assert_int_equal(dc_single_loop_depth(&m.distribution, 129, probability, &error),
                   DC_ERROR_ARGUMENT);
  assert_string_equal(error.text,
                      "lanes is 129, but must be from 1 to 128 for the distribution of the depth");
  assert_true(r.distinct == -5 && probability[0] == -5); // no result on error
  assert_int_equal(dc_single_loop_depth(&m.distribution, 2, probability, NULL), DC_OK);
  release(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(table_i_of_bialas_and_strzelecki),
      cmocka_unit_test(listed_counts_match_a_run),
      cmocka_unit_test(lanes_that_never_enter_have_left_at_the_guard),
      cmocka_unit_test(iid_lanes_match_enumeration),
      cmocka_unit_test(depth_of_uniform_distributions_is_the_occupancy),
      cmocka_unit_test(mean_depth_is_the_mean_of_the_distribution),
      cmocka_unit_test(distinct_is_the_closed_form),
      cmocka_unit_test(errors_name_the_argument_and_its_range),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
