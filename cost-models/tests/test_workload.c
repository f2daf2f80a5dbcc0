// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Workloads that aren't iid: known counts by hand, the others against enumeration or brute force,
// and against the simulator.
#include "divcost/workload.h"

#include "simulation.h"

static const char *const distributions[] = {"geometric(0.05)", "uniform(20,40)", "poisson(3)",
                                            "0.9*const(1) + 0.1*const(1000)", "zipf(1.5,3000)"};
enum { DISTRIBUTIONS = sizeof distributions / sizeof *distributions };

// ---- counts that are known ---------------------------------------------------------------------

static void listed_groups_by_hand(void **state) {
  (void)state;
  // Groups of four: {1, 2, 3, 6}: X 2; zeros: 1; {5} and three lanes that aren't there: 4.
  const int64_t counts[] = {1, 2, 3, 6, 0, 0, 0, 0, 5};
  dc_loss loss;
  assert_int_equal(dc_listed_loss(counts, 9, 4, &loss, NULL), DC_OK);
  assert_close(loss.expected, 7.0 / 3, 1e-15);
  assert_close(loss.aggregate, 4 * 11 / 17.0, 1e-15);
  assert_close(loss.efficiency, 17 / 44.0, 1e-15);
  assert_int_equal(dc_listed_loss(counts + 4, 4, 4, &loss, NULL), DC_OK);
  assert_true(loss.expected == 1 && loss.aggregate == 1 && loss.efficiency == 1);
}

static void one_listed_group_is_the_listed_imbalance(void **state) {
  (void)state;
  uint64_t seed = 4;
  int64_t counts[64];
  for (unsigned round = 0; round < 100; ++round) {
    unsigned lanes = 1 + random_below(&seed, 64);
    for (unsigned i = 0; i < lanes; ++i)
      counts[i] = (int64_t)(random_bits(&seed) >> (21 + random_below(&seed, 43)));
    double x;
    dc_loss loss;
    assert_int_equal(dc_listed_imbalance(counts, lanes, &x, NULL), DC_OK);
    assert_int_equal(dc_listed_loss(counts, lanes, lanes, &loss, NULL), DC_OK);
    assert_close(loss.expected, x, 1e-15);
    assert_close(loss.aggregate, x, 1e-15);
  }
}

static void affine_counts_are_the_listed_ones(void **state) {
  (void)state;
  static const int64_t cases[][2] = {{0, 1},     {100, -1}, {-50, 3}, {7, 0},
                                     {1000, -7}, {0, 0},    {-5, 0}};
  static int64_t counts[40 * 32];
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    for (unsigned groups = 1; groups <= 40; groups += 13) {
      for (unsigned lane = 0; lane < groups * 32; ++lane) {
        int64_t count = cases[i][0] + cases[i][1] * (int64_t)lane;
        counts[lane] = count > 0 ? count : 0;
      }
      dc_loss affine, listed;
      assert_int_equal(dc_affine_loss(cases[i][0], cases[i][1], 32, groups, &affine, NULL), DC_OK);
      assert_int_equal(dc_listed_loss(counts, groups * 32, 32, &listed, NULL), DC_OK);
      assert_close(affine.expected, listed.expected, 1e-14);
      assert_close(affine.aggregate, listed.aggregate, 1e-14);
      assert_close(affine.efficiency, listed.efficiency, 1e-14);
    }
}

// ---- types of groups ---------------------------------------------------------------------------

static void one_type_is_iid(void **state) {
  (void)state;
  for (size_t i = 0; i < DISTRIBUTIONS; ++i) {
    made m = make(distributions[i], NULL);
    dc_group_type type = {3, m.distribution};
    dc_loss loss;
    double x, a;
    assert_int_equal(dc_typed_loss(&type, 1, 32, &loss, NULL), DC_OK);
    assert_int_equal(dc_expected_imbalance(&m.distribution, 32, &x, NULL), DC_OK);
    assert_int_equal(dc_aggregate_imbalance(&m.distribution, 32, &a, NULL), DC_OK);
    assert_close(loss.expected, x, 1e-14);
    assert_close(loss.aggregate, a, 1e-13);
    release(&m);
  }
}

static void long_warps_beside_short_ones_are_balanced(void **state) {
  (void)state;
  made one = make("const(1)", NULL), thousand = make("const(1000)", NULL);
  const dc_group_type types[] = {{9, one.distribution}, {1, thousand.distribution}};
  dc_loss loss;
  assert_int_equal(dc_typed_loss(types, 2, 32, &loss, NULL), DC_OK);
  assert_true(loss.expected == 1 && loss.aggregate == 1 && loss.efficiency == 1);
  release(&one);
  release(&thousand);
}

static void simulated_types_agree(void **state) {
  (void)state;
  made a = make("geometric(0.05)", NULL), b = make("uniform(0,3)", NULL),
       c = make("binomial(400,0.5)", NULL);
  const dc_group_type types[] = {
      {5, a.distribution}, {0, c.distribution}, {3, b.distribution}, {2, c.distribution}};
  for (unsigned lanes = 2; lanes <= 32; lanes *= 4) {
    dc_simulation s = warps_of(types, lanes);
    s.count = 4;
    dc_simulated r = simulate(&s, 1 << 14, lanes, NULL);
    dc_loss loss;
    assert_int_equal(dc_typed_loss(types, 4, lanes, &loss, NULL), DC_OK);
    assert_simulated(r.expected, loss.expected);
    assert_simulated(r.aggregate, loss.aggregate);
    assert_simulated(r.efficiency, loss.efficiency);
    dc_simulated_free(&r);
  }
  release(&a);
  release(&b);
  release(&c);
}

// ---- items that were arranged ------------------------------------------------------------------

typedef struct sorted_total {
  unsigned lanes;
  double maxima;
} sorted_total;

static void add_sorted(const int64_t *counts, unsigned items, double probability, void *context) {
  sorted_total *t = context;
  int64_t sorted[8];
  for (unsigned i = 0; i < items; ++i) {
    unsigned at = i;
    for (; at > 0 && sorted[at - 1] > counts[i]; --at)
      sorted[at] = sorted[at - 1];
    sorted[at] = counts[i];
  }
  for (unsigned i = t->lanes; i <= items; i += t->lanes)
    t->maxima += probability * (double)sorted[i - 1];
}

static double sorted_aggregate(const dc_distribution *d, unsigned lanes, uint64_t groups) {
  double result = 0;
  dc_error error = {0};
  if (dc_sorted_aggregate(d, lanes, groups, &result, &error) != DC_OK)
    fail_msg("%s", error.text);
  return result;
}

static void sorted_items_by_enumeration(void **state) {
  (void)state;
  uint64_t seed = 12;
  static const unsigned shapes[][2] = {{2, 2}, {3, 2}, {2, 3}, {1, 5}, {5, 1}, {2, 1}};
  for (unsigned round = 0; round < 60; ++round) {
    dc_point points[4];
    const unsigned *shape = shapes[round % 6];
    dc_distribution d = random_distribution(&seed, points, 1 + random_below(&seed, 4), 50);
    sorted_total t = {shape[0], 0};
    enumerate(&d, shape[0] * shape[1], add_sorted, &t);
    double mean = dc_distribution_mean(&d);
    assert_close(sorted_aggregate(&d, shape[0], shape[1]),
                 mean > 0 ? t.maxima / (shape[1] * mean) : 1, 1e-13);
  }
}

static void one_sorted_group_is_iid_and_many_are_balanced(void **state) {
  (void)state;
  for (size_t i = 0; i < DISTRIBUTIONS; ++i) {
    made m = make(distributions[i], NULL);
    double a;
    assert_int_equal(dc_aggregate_imbalance(&m.distribution, 32, &a, NULL), DC_OK);
    assert_close(sorted_aggregate(&m.distribution, 32, 1), a, 1e-13);
    double before = a;
    for (uint64_t groups = 2; groups <= (uint64_t)1 << 31; groups *= 4) {
      double now = sorted_aggregate(&m.distribution, 32, groups);
      assert_true(now >= 1 && now < before * (1 + 1e-13));
      before = now;
    }
    assert_close(before, 1, 1e-4);
    release(&m);
  }
}

// Both sides of the border between the sum over the binomial distribution and its limit.
static void sorted_items_are_smooth_where_the_method_changes(void **state) {
  (void)state;
  dc_point points[] = {{0, 0.5}, {1, 0.5}};
  dc_distribution d = {points, 2, 0, NULL};
  static const unsigned lanes[] = {2, 3, 8, 32};
  for (size_t i = 0; i < 4; ++i) {
    // A ~ Binomial(N, 1/2), N / 4 = 5 lanes^2 at the border: N = 20 lanes^2.
    for (uint64_t groups = 20 * lanes[i] - 2; groups <= 20 * lanes[i] + 2; ++groups) {
      double items = (double)groups * lanes[i];
      double limit = (items / 2 + (lanes[i] - 1) / 2.0) / lanes[i];
      assert_close(sorted_aggregate(&d, lanes[i], groups) * (double)groups / 2, limit, 1e-13);
    }
  }
}

static void simulated_sorted_items_agree(void **state) {
  (void)state;
  for (size_t i = 0; i < DISTRIBUTIONS; ++i) {
    made m = make(distributions[i], NULL);
    dc_group_type type = {1, m.distribution};
    static const unsigned shapes[][2] = {{32, 8}, {8, 30}, {4, 100}};
    for (size_t k = 0; k < 3; ++k) {
      dc_simulation s = warps_of(&type, shapes[k][0]);
      s.grid.blocks = shapes[k][1];
      s.sorted = true;
      dc_simulated r = simulate(&s, 1000, i, NULL);
      assert_simulated(r.aggregate, sorted_aggregate(&m.distribution, shapes[k][0], shapes[k][1]));
      dc_simulated_free(&r);
    }
    release(&m);
  }
}

static void classes_add_up_to_the_distribution(void **state) {
  (void)state;
  uint64_t seed = 13;
  dc_point points[50];
  for (unsigned round = 0; round < 100; ++round) {
    size_t count = 1 + random_below(&seed, 50), classes = 1 + random_below(&seed, 9);
    dc_distribution d = random_distribution(&seed, points, count, 20), part;
    double mass[50] = {0};
    int64_t border = 0;
    for (size_t k = 0; k < classes; ++k) {
      dc_error error = {0};
      if (dc_class_build(&d, k, classes, &part, &error) != DC_OK ||
          dc_distribution_check(&part, &error) != DC_OK)
        fail_msg("%s", error.text);
      assert_true(part.points[0].value >= border);
      border = part.points[part.count - 1].value;
      for (size_t i = 0, j = 0; i < part.count; ++i) {
        while (points[j].value != part.points[i].value)
          ++j;
        mass[j] += part.points[i].mass / (double)classes;
      }
      dc_distribution_free(&part);
    }
    for (size_t i = 0; i < count; ++i)
      assert_within(mass[i], points[i].mass, 1e-14);
  }
}

static void classes_of_a_uniform_distribution(void **state) {
  (void)state;
  made m = make("uniform(1,8)", NULL);
  dc_distribution part;
  assert_int_equal(dc_class_build(&m.distribution, 1, 4, &part, NULL), DC_OK);
  assert_int_equal(part.count, 2);
  assert_true(part.points[0].value == 3 && part.points[1].value == 4);
  assert_close(part.points[0].mass, 0.5, 1e-15);
  dc_distribution_free(&part);
  assert_int_equal(dc_class_build(&m.distribution, 0, 3, &part, NULL), DC_OK);
  assert_int_equal(part.count, 3); // 1, 2 and two thirds of 3
  assert_close(part.points[2].mass, 0.25, 1e-14);
  dc_distribution_free(&part);
  release(&m);
}

static void binning_is_simulated_as_types(void **state) {
  (void)state;
  enum { CLASSES = 4 };
  for (size_t i = 0; i < DISTRIBUTIONS; ++i) {
    made m = make(distributions[i], NULL);
    dc_group_type types[CLASSES];
    for (size_t k = 0; k < CLASSES; ++k) {
      types[k].weight = 1;
      assert_int_equal(dc_class_build(&m.distribution, k, CLASSES, &types[k].distribution, NULL),
                       DC_OK);
    }
    dc_simulation s = warps_of(types, 32);
    s.count = CLASSES;
    dc_simulated r = simulate(&s, 1 << 13, i, NULL);
    dc_loss loss, today;
    assert_int_equal(dc_binned_loss(&m.distribution, CLASSES, 32, &loss, NULL), DC_OK);
    assert_simulated(r.expected, loss.expected);
    assert_simulated(r.aggregate, loss.aggregate);
    assert_int_equal(dc_binned_loss(&m.distribution, 1, 32, &today, NULL), DC_OK);
    double x;
    assert_int_equal(dc_expected_imbalance(&m.distribution, 32, &x, NULL), DC_OK);
    assert_close(today.expected, x, 1e-12);
    assert_true(loss.aggregate < today.aggregate);
    dc_simulated_free(&r);
    for (size_t k = 0; k < CLASSES; ++k)
      dc_distribution_free(&types[k].distribution);
    release(&m);
  }
}

// ---- lanes that share an item ------------------------------------------------------------------

static void shared_items_are_simulated(void **state) {
  (void)state;
  for (size_t i = 0; i < DISTRIBUTIONS; ++i) {
    made m = make(distributions[i], NULL);
    dc_group_type type = {1, m.distribution};
    for (unsigned share = 1; share <= 32; share *= 2) {
      dc_simulation s = warps_of(&type, 32);
      s.lanes_per_item = share;
      dc_simulated r = simulate(&s, 1 << 13, share, NULL);
      dc_loss loss;
      dc_error error = {0};
      if (dc_shared_item_loss(&m.distribution, 32, share, &loss, &error) != DC_OK)
        fail_msg("%s", error.text);
      assert_simulated(r.expected, loss.expected);
      assert_simulated(r.aggregate, loss.aggregate);
      assert_simulated(r.efficiency, loss.efficiency);
      dc_simulated_free(&r);
    }
    release(&m);
  }
}

static void shared_items_at_the_ends(void **state) {
  (void)state;
  for (size_t i = 0; i < DISTRIBUTIONS; ++i) {
    made m = make(distributions[i], NULL);
    const dc_distribution *d = &m.distribution;
    dc_loss alone, all;
    double x, a, expected = 0, rounded = 0;
    assert_int_equal(dc_shared_item_loss(d, 32, 1, &alone, NULL), DC_OK);
    assert_int_equal(dc_expected_imbalance(d, 32, &x, NULL), DC_OK);
    assert_int_equal(dc_aggregate_imbalance(d, 32, &a, NULL), DC_OK);
    assert_close(alone.expected, x, 1e-12);
    assert_close(alone.aggregate, a, 1e-13);
    // A warp for each item: only the last round is not full.
    for (size_t k = 0; k < d->count; ++k) {
      double slots = 32 * ceil((double)d->points[k].value / 32);
      rounded += d->points[k].mass * slots;
      expected +=
          d->points[k].mass * (d->points[k].value > 0 ? slots / (double)d->points[k].value : 1);
    }
    assert_int_equal(dc_shared_item_loss(d, 32, 32, &all, NULL), DC_OK);
    assert_close(all.aggregate, rounded / dc_distribution_mean(d), 1e-13);
    assert_close(all.expected, expected, 1e-12);
    release(&m);
  }
  made seven = make("const(7)", NULL);
  dc_loss loss;
  assert_int_equal(dc_shared_item_loss(&seven.distribution, 32, 4, &loss, NULL), DC_OK);
  assert_close(loss.expected, 8.0 / 7, 1e-14);
  assert_close(loss.aggregate, 8.0 / 7, 1e-14);
  release(&seven);
}

// ---- errors ------------------------------------------------------------------------------------

static dc_error error;

static void refused(dc_status status, const char *text) {
  assert_int_equal(status, DC_ERROR_ARGUMENT);
  assert_string_equal(error.text, text);
}

static void errors_name_the_argument_and_its_range(void **state) {
  (void)state;
  made m = make("uniform(1,3)", NULL);
  const dc_distribution *d = &m.distribution;
  dc_loss loss;
  double x;
  const int64_t counts[] = {1, 2, -3};
  refused(dc_listed_loss(counts, 3, 2, &loss, &error),
          "the trip count of lane 2 is -3, but must be from 0 to 8796093022208");
  refused(dc_listed_loss(counts, 0, 2, &loss, &error),
          "there are no trip counts, but must be some");
  refused(dc_affine_loss(0, INT64_MIN, 32, 1, &loss, &error),
          "stride is -9223372036854775808, but must be from -8796093022208 to 8796093022208");
  refused(dc_affine_loss(INT64_MAX, 0, 32, 1, &loss, &error),
          "base is 9223372036854775807, but must be from -8796093022208 to 8796093022208");
  refused(dc_affine_loss(0, DC_TRIPS_MAX, 32, 1, &loss, &error),
          "a lane would run 2.726788837e+14 times, but may run 8796093022208");
  refused(dc_affine_loss(0, 1, 32, 0, &loss, &error),
          "groups is 0, but must be from 1 to 2147483648");
  dc_group_type type = {-1, *d};
  refused(dc_typed_loss(&type, 1, 32, &loss, &error),
          "the weight of type 0 is -1, but must be in [0, 1e300]");
  refused(dc_typed_loss(&type, 0, 32, &loss, &error),
          "the weights of the 0 types sum to 0, but one must be positive");
  refused(dc_sorted_aggregate(d, 32, 0, &x, &error),
          "groups is 0, but must be from 1 to 2147483648");
  dc_distribution part = {.count = 7};
  refused(dc_class_build(d, 0, 0, &part, &error), "classes is 0, but must be from 1 to 1000000");
  assert_true(!part.points && part.count == 0 && !part.memory);
  refused(dc_class_build(d, 2, 2, &part, &error),
          "the class's index is 2, but must be from 0 to 1");
  refused(dc_binned_loss(d, 0, 32, &loss, &error), "classes is 0, but must be from 1 to 1000000");
  refused(dc_shared_item_loss(d, 32, 0, &loss, &error),
          "lanes_per_item is 0, but must divide the 32 lanes of a group");
  refused(dc_shared_item_loss(d, 32, 3, &loss, &error),
          "lanes_per_item is 3, but must divide the 32 lanes of a group");
  release(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(listed_groups_by_hand),
      cmocka_unit_test(one_listed_group_is_the_listed_imbalance),
      cmocka_unit_test(affine_counts_are_the_listed_ones),
      cmocka_unit_test(one_type_is_iid),
      cmocka_unit_test(long_warps_beside_short_ones_are_balanced),
      cmocka_unit_test(simulated_types_agree),
      cmocka_unit_test(sorted_items_by_enumeration),
      cmocka_unit_test(one_sorted_group_is_iid_and_many_are_balanced),
      cmocka_unit_test(sorted_items_are_smooth_where_the_method_changes),
      cmocka_unit_test(simulated_sorted_items_agree),
      cmocka_unit_test(classes_add_up_to_the_distribution),
      cmocka_unit_test(classes_of_a_uniform_distribution),
      cmocka_unit_test(binning_is_simulated_as_types),
      cmocka_unit_test(shared_items_are_simulated),
      cmocka_unit_test(shared_items_at_the_ends),
      cmocka_unit_test(errors_name_the_argument_and_its_range),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
