// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Iteration costs by active lanes against enumeration, against the constant cost of imbalance.h,
// linear tables against the linear closed form, and everything against the simulator.
#include "divcost/cost.h"

#include "simulation.h"

static dc_cost_loss loss_of(const dc_distribution *d, unsigned lanes,
                            const dc_iteration_cost *cost) {
  dc_cost_loss loss = {0};
  dc_error error = {0};
  if (dc_cost_imbalance(d, lanes, cost, &loss, &error) != DC_OK)
    fail_msg("%s", error.text);
  return loss;
}

typedef struct totals {
  const dc_iteration_cost *cost;
  double cycles, ratio;
} totals;

static void add_draw(const int64_t *counts, unsigned lanes, double probability, void *context) {
  totals *t = context;
  double cycles = 0, sum = 0;
  int64_t done = 0;
  for (;;) { // from one count that occurs to the next
    int64_t next = INT64_MAX;
    unsigned active = 0;
    for (unsigned i = 0; i < lanes; ++i)
      if (counts[i] > done) {
        ++active;
        next = counts[i] < next ? counts[i] : next;
      }
    if (active == 0)
      break;
    cycles += (double)(next - done) * dc_iteration_cycles(t->cost, active);
    done = next;
  }
  for (unsigned i = 0; i < lanes; ++i)
    sum += (double)counts[i];
  t->cycles += probability * cycles;
  t->ratio +=
      probability * (sum > 0 ? cycles / (sum / lanes * dc_iteration_cycles(t->cost, lanes)) : 1);
}

static void enumeration_of_few_lanes(void **state) {
  (void)state;
  uint64_t seed = 11;
  for (unsigned round = 0; round < 300; ++round) {
    dc_point points[8];
    double table[5];
    unsigned lanes = 1 + random_below(&seed, 5);
    size_t count = 1 + random_below(&seed, lanes > 3 ? 6 : 8);
    int64_t step = (int64_t[]){1, 3, 1000, 1000000000}[random_below(&seed, 4)];
    dc_distribution d = random_distribution(&seed, points, count, step);
    for (unsigned a = 0; a < lanes; ++a)
      table[a] = random_below(&seed, 4) == 0 && a + 1 < lanes ? 0 : exp(4 * random_unit(&seed));
    dc_iteration_cost listed = {table, lanes, 0, 0};
    dc_iteration_cost linear = {NULL, 0, random_unit(&seed), random_unit(&seed) + 1e-3};
    const dc_iteration_cost *costs[] = {&listed, &linear};
    for (int i = 0; i < 2; ++i) {
      totals t = {costs[i], 0, 0};
      enumerate(&d, lanes, add_draw, &t);
      dc_cost_loss loss = loss_of(&d, lanes, costs[i]);
      assert_close(loss.cycles, t.cycles, 1e-12);
      assert_close(loss.expected, t.ratio, 1e-12);
      double ideal = dc_distribution_mean(&d) * dc_iteration_cycles(costs[i], lanes);
      assert_close(loss.ideal, ideal, 1e-14);
      assert_close(loss.aggregate, ideal > 0 ? t.cycles / ideal : 1, 1e-12);
      assert_within(loss.lost, t.cycles - ideal, 1e-12 * (t.cycles + ideal));
      assert_close(loss.efficiency * loss.aggregate, 1, 1e-14);
    }
  }
}

static void a_constant_cost_is_the_imbalance(void **state) {
  (void)state;
  static const char *const texts[] = {"geometric(0.05)", "uniform(20,40)", "negbin(5,0.3)",
                                      "0.9*const(1) + 0.1*const(1000)", "zipf(2,3000)"};
  static double table[1024];
  for (int i = 0; i < 1024; ++i)
    table[i] = 7;
  static const unsigned lanes[] = {1, 2, 32, 100};
  for (size_t i = 0; i < 5; ++i)
    for (size_t j = 0; j < 4; ++j) {
      made m = make(texts[i], NULL);
      double x, a, max;
      assert_int_equal(dc_expected_imbalance(&m.distribution, lanes[j], &x, NULL), DC_OK);
      assert_int_equal(dc_aggregate_imbalance(&m.distribution, lanes[j], &a, NULL), DC_OK);
      assert_int_equal(dc_expected_maximum(&m.distribution, lanes[j], &max, NULL), DC_OK);
      dc_cost_loss loss =
          loss_of(&m.distribution, lanes[j], &(dc_iteration_cost){table, 1024, 0, 0});
      assert_close(loss.cycles, 7 * max, 1e-12);
      assert_close(loss.expected, x, 1e-12);
      assert_close(loss.aggregate, a, 1e-12);
      release(&m);
    }
}

static void a_linear_table_is_the_linear_cost(void **state) {
  (void)state;
  static const char *const texts[] = {"geometric(0.05)", "uniform(1,1000)", "negbin(0.3,0.01)",
                                      "zipf(2,3000)", "list(0:0.999999999999, 1000000:1e-12)"};
  static double table[1024];
  for (int i = 0; i < 1024; ++i)
    table[i] = 3 + 0.25 * (i + 1);
  static const unsigned lanes[] = {2, 32, 257};
  for (size_t i = 0; i < 5; ++i)
    for (size_t j = 0; j < 3; ++j) {
      made m = make(texts[i], NULL);
      dc_cost_loss a = loss_of(&m.distribution, lanes[j], &(dc_iteration_cost){table, 1024, 0, 0});
      dc_cost_loss b = loss_of(&m.distribution, lanes[j], &(dc_iteration_cost){NULL, 0, 3, 0.25});
      assert_close(a.cycles, b.cycles, 1e-12);
      assert_close(a.expected, b.expected, 1e-12);
      release(&m);
    }
}

static void lanes_that_pay_for_themselves_lose_nothing(void **state) {
  (void)state;
  made m = make("zipf(2,100000)", NULL);
  dc_cost_loss loss = loss_of(&m.distribution, 32, &(dc_iteration_cost){NULL, 0, 0, 2});
  assert_close(loss.aggregate, 1, 1e-14);
  assert_close(loss.expected, 1, 1e-14);
  assert_within(loss.lost, 0, 1e-10);
  release(&m);
}

static void simulation_agrees(void **state) {
  (void)state;
  static const char *const texts[] = {"geometric(0.05)", "poisson(30)", "negbin(5,0.3)",
                                      "0.9*const(1) + 0.1*const(1000)", "binomial(40,0.5)"};
  static double stairs[64], cache[64]; // a sector for each 8 lanes; a cost that saturates
  for (int i = 0; i < 64; ++i) {
    stairs[i] = 20 + 4 * (i / 8);
    cache[i] = 100 * (1 - exp(-0.1 * (i + 1)));
  }
  const dc_iteration_cost costs[] = {{stairs, 64, 0, 0}, {cache, 64, 0, 0}, {NULL, 0, 12, 0.5}};
  for (size_t i = 0; i < cases_of(5, 1); ++i) {
    made m = make(texts[i], NULL);
    dc_group_type type = {1, m.distribution};
    for (size_t k = 0; k < 3; ++k)
      for (unsigned lanes = 4; lanes <= 64; lanes *= 4) {
        dc_simulation one = warps_of(&type, lanes);
        one.cost = &costs[k];
        dc_simulated s = simulate(&one, 1 << 13, 10 * i + k, NULL);
        dc_cost_loss loss = loss_of(&m.distribution, lanes, &costs[k]);
        assert_simulated(s.cycles, loss.cycles);
        assert_simulated(s.cost_expected, loss.expected);
        assert_simulated(s.cost_aggregate, loss.aggregate);
        dc_simulated_free(&s);
      }
    release(&m);
  }
}

static void errors_name_the_lanes_and_the_cost(void **state) {
  (void)state;
  made m = make("uniform(1,3)", NULL);
  dc_cost_loss loss = {.cycles = -5};
  dc_error error;
  const double table[] = {1, -1, 0}, not_a_number[] = {1, NAN, 2};
  static const struct {
    const char *text;
    unsigned lanes;
  } wanted[] = {
      {"the cost of an iteration with 2 active lanes is -1, but must be in [0, 1e+12]", 3},
      {"the table of iteration costs has 3 entries, but must have one for each of 1 to 4 active "
       "lanes",
       4},
      {"lanes is 0, but must be a whole number from 1 to 1024", 0},
  };
  for (size_t i = 0; i < 3; ++i) {
    assert_int_equal(dc_cost_imbalance(&m.distribution, wanted[i].lanes,
                                       &(dc_iteration_cost){table, 3, 0, 0}, &loss, &error),
                     DC_ERROR_ARGUMENT);
    assert_string_equal(error.text, wanted[i].text);
  }
  assert_int_equal(dc_cost_imbalance(&m.distribution, 3,
                                     &(dc_iteration_cost){not_a_number, 3, 0, 0}, &loss, NULL),
                   DC_ERROR_ARGUMENT);
  assert_int_equal(
      dc_cost_imbalance(&m.distribution, 4, &(dc_iteration_cost){NULL, 0, 4, -1}, &loss, &error),
      DC_ERROR_ARGUMENT);
  assert_string_equal(
      error.text, "the cost of an iteration with all 4 lanes active is 0, but must be positive");
  assert_int_equal(
      dc_cost_imbalance(&m.distribution, 4, &(dc_iteration_cost){NULL, 0, 1e13, 0}, &loss, NULL),
      DC_ERROR_ARGUMENT);
  assert_true(loss.cycles == -5);
  release(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(enumeration_of_few_lanes),
      cmocka_unit_test(a_constant_cost_is_the_imbalance),
      cmocka_unit_test(a_linear_table_is_the_linear_cost),
      cmocka_unit_test(lanes_that_pay_for_themselves_lose_nothing),
      cmocka_unit_test(simulation_agrees),
      cmocka_unit_test(errors_name_the_lanes_and_the_cost),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
