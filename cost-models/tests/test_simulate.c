// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The simulator: the same result for any parallel-for, the paper's simulated column, exact answers
// where nothing is random, standard errors that are what they claim.
#include "divcost/simulate.h"

#include "divcost/imbalance.h"
#include "simulation.h"

// A parallel-for that runs everything backwards, on workers in turn.
static void backwards(void *context, size_t count, dc_task task, void *work) {
  unsigned workers = *(unsigned *)context;
  for (size_t i = count; i > 0; --i)
    task(work, i - 1, (unsigned)(i % workers));
}

static void any_order_of_the_work_gives_the_same_bits(void **state) {
  (void)state;
  made m = make("geometric(0.05)", NULL), other = make("poisson(3)", NULL);
  dc_group_type types[] = {{2, m.distribution}, {1, other.distribution}};
  const double table[8] = {5, 5, 5, 6, 6, 7, 8, 8};
  dc_iteration_cost cost = {table, 8, 0, 0};
  for (int sorted = 0; sorted < 2; ++sorted) {
    dc_simulation s = {types, 2, {8, 2, 7, 2, 1}, 1, sorted, &cost};
    dc_simulated serial = simulate(&s, 1000, 5, NULL);
    for (unsigned workers = 1; workers < 5; ++workers) {
      dc_parallel parallel = {workers, backwards, &workers};
      dc_simulated spread = simulate(&s, 1000, 5, &parallel);
      assert_memory_equal(serial.x, spread.x, 1000 * sizeof(double));
      dc_simulated a = serial, b = spread;
      a.x = b.x = NULL;
      assert_memory_equal(&a, &b, sizeof a);
      dc_simulated_free(&spread);
    }
    dc_simulated again = simulate(&s, 1000, 6, NULL);
    assert_true(again.expected.value != serial.expected.value);
    dc_simulated_free(&again);
    dc_simulated_free(&serial);
  }
  release(&m);
  release(&other);
}

static void table_1_simulated_column_of_swatman_et_al(void **state) {
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
  size_t rows = cases_of(sizeof distributions / sizeof *distributions, 1);
  while (fgets(line, sizeof line, file)) {
    char name[32];
    unsigned lanes;
    double modelled, column, measured, exact;
    if (line[0] == '#' || sscanf(line, "%31s %u %lf %lf %lf %lf", name, &lanes, &modelled, &column,
                                 &measured, &exact) != 6)
      continue;
    for (size_t i = 0; i < rows; ++i) {
      if (strcmp(distributions[i].name, name) != 0)
        continue;
      made m = make(distributions[i].text, &paper);
      dc_group_type type = {1, m.distribution};
      dc_simulation one = warps_of(&type, lanes);
      dc_simulated s = simulate(&one, 1 << 16, 2022, NULL);
      assert_simulated(s.expected, exact);
      // The paper has 2^18 groups, half our standard error, and three decimals.
      double error = s.expected.error;
      assert_within(s.expected.value, column, 5 * sqrt(1.25) * error + 0.0005);
      dc_simulated_free(&s);
      release(&m);
      ++cells;
    }
  }
  fclose(file);
  assert_int_equal(cells, 5 * rows);
}

static void constants_leave_nothing_to_chance(void **state) {
  (void)state;
  made m = make("const(7)", NULL);
  dc_group_type type = {1, m.distribution};
  dc_iteration_cost cost = {NULL, 0, 10, 0.5};
  dc_simulation s = {&type, 1, {32, 4, 10, 3, 1}, 1, false, &cost};
  dc_simulated r = simulate(&s, 100, 1, NULL);
  assert_true(r.mean.value == 7 && r.maximum.value == 7);
  assert_true(r.expected.value == 1 && r.aggregate.value == 1);
  assert_true(r.cycles.value == 7 * 26 && r.cost_aggregate.value == 1);
  assert_true(r.cost_expected.value == 1 && r.block.value == 7 * 26);
  assert_true(r.makespan.value == 4 * 7 * 26); // ten blocks on three places
  assert_close(r.grid_efficiency.value, 10.0 / 12, 1e-14);
  assert_true(r.makespan.error == 0 && r.variance.value == 0);
  dc_simulated_free(&r);
  s.cost = NULL;
  s.lanes_per_item = 4; // 7 = 2 + 2 + 2 + 1
  r = simulate(&s, 100, 1, NULL);
  assert_true(r.maximum.value == 2 && r.mean.value == 7.0 / 4);
  assert_close(r.expected.value, 8.0 / 7, 1e-14);
  dc_simulated_free(&r);
  release(&m);
  made zero = make("const(0)", NULL);
  type.distribution = zero.distribution;
  r = simulate(&s, 10, 1, NULL);
  assert_true(r.expected.value == 1 && r.aggregate.value == 1);
  assert_true(r.grid_efficiency.value == 1 && r.cost_aggregate.value == 1);
  dc_simulated_free(&r);
  release(&zero);
}

static void standard_errors_are_what_they_claim(void **state) {
  (void)state;
  // 400 simulations of 256 warps: the spread of the estimates is the mean of their errors. The
  // spread itself is known to 1 / sqrt(2 * 400) = 3.5%.
  enum { ROUNDS = 400 };
  made m = make("geometric(0.05)", NULL);
  dc_group_type type = {1, m.distribution};
  dc_simulation one = warps_of(&type, 32);
  double sum[3] = {0}, square[3] = {0}, error[3] = {0};
  for (unsigned i = 0; i < ROUNDS; ++i) {
    dc_simulated s = simulate(&one, 256, i, NULL);
    const dc_sampled all[3] = {s.expected, s.aggregate, s.variance};
    for (int k = 0; k < 3; ++k) {
      sum[k] += all[k].value / ROUNDS;
      square[k] += all[k].value * all[k].value / ROUNDS;
      error[k] += all[k].error / ROUNDS;
    }
    dc_simulated_free(&s);
  }
  for (int k = 0; k < 3; ++k)
    assert_close(sqrt(square[k] - sum[k] * sum[k]), error[k], k == 2 ? 0.2 : 0.12);
  release(&m);
}

static void quantiles_of_two_lanes(void **state) {
  (void)state;
  // Two lanes of {1, 3}: X is 1 with probability 1/2 and 3/2 otherwise.
  made m = make("list(1:1, 3:1)", NULL);
  dc_group_type type = {1, m.distribution};
  dc_simulation one = warps_of(&type, 2);
  dc_simulated s = simulate(&one, 4000, 3, NULL);
  assert_true(dc_simulated_quantile(&s, 0.4, NULL, NULL) == 1);
  assert_true(dc_simulated_quantile(&s, 0.6, NULL, NULL) == 1.5);
  assert_true(dc_simulated_quantile(&s, 0, NULL, NULL) == 1);
  assert_true(dc_simulated_quantile(&s, 1, NULL, NULL) == 1.5);
  assert_simulated(s.variance, 1.0 / 16);
  dc_simulated_free(&s);
  release(&m);
}

static void quantiles_have_the_error_of_their_rank(void **state) {
  (void)state;
  double x[100], low, high;
  for (int i = 0; i < 100; ++i)
    x[i] = i + 1;
  dc_simulated s = {.x = x, .replications = 100};
  assert_true(dc_simulated_quantile(&s, 0.5, &low, &high) == 50);
  assert_true(low == 45 && high == 55);
  assert_true(dc_simulated_quantile(&s, 0.995, &low, &high) == 100);
  assert_true(low == 99 && high == 100);
}

static void refused(dc_simulation s, uint64_t replications, const char *text) {
  dc_error error;
  size_t bytes = 99;
  dc_simulated result = {.replications = 7};
  assert_int_equal(dc_simulate_bytes(&s, replications, NULL, &bytes, &error), DC_ERROR_ARGUMENT);
  assert_string_equal(error.text, text);
  assert_int_equal(bytes, 99);
  assert_int_equal(dc_simulate(&s, replications, 1, NULL, &result, &error), DC_ERROR_ARGUMENT);
  assert_string_equal(error.text, text);
  assert_true(!result.x && result.replications == 0);
}

static void errors_name_the_argument_and_its_range(void **state) {
  (void)state;
  made m = make("uniform(1,3)", NULL);
  dc_group_type type = {1, m.distribution}, none = {0, m.distribution},
                negative = {-1, m.distribution};
  dc_simulation good = warps_of(&type, 32), s = good;
  refused(s, 0, "replications is 0, but must be from 1 to 4294967296");
  s.grid.warps = 33;
  refused(s, 1, "a block has 33 warps of 32 lanes, but must have 1 to 1024 lanes in total");
  s = good;
  s.lanes_per_item = 5;
  refused(s, 1, "lanes_per_item is 5, but must divide the 32 lanes of a warp");
  s.lanes_per_item = 0;
  refused(s, 1, "lanes_per_item is 0, but must divide the 32 lanes of a warp");
  s.lanes_per_item = 2;
  s.sorted = true;
  refused(s, 1, "lanes_per_item is 2, but must be 1 where items are sorted");
  s = good;
  s.count = 0;
  refused(s, 1, "there are 0 types, but must be 1 to 1000000");
  s = warps_of(&none, 32);
  refused(s, 1, "the weights of the 1 types sum to 0, but one must be positive");
  s = warps_of(&negative, 32);
  refused(s, 1, "the weight of type 0 is -1, but must be in [0, 1e300]");
  s = good;
  dc_iteration_cost cost = {NULL, 0, -1, 0};
  s.cost = &cost;
  refused(s, 1, "the cost of an iteration with 1 active lanes is -1, but must be in [0, 1e+12]");
  release(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(any_order_of_the_work_gives_the_same_bits),
      cmocka_unit_test(table_1_simulated_column_of_swatman_et_al),
      cmocka_unit_test(constants_leave_nothing_to_chance),
      cmocka_unit_test(standard_errors_are_what_they_claim),
      cmocka_unit_test(quantiles_of_two_lanes),
      cmocka_unit_test(quantiles_have_the_error_of_their_rank),
      cmocka_unit_test(errors_name_the_argument_and_its_range),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
