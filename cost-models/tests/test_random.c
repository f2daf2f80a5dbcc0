// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The generator against Random123's known answers; the alias table's exact probabilities; draws
// against the distribution they come from.
#include "divcost/random.h"
#include "divcost/sampler.h"

#include "support.h"

static void known_answers_of_random123(void **state) {
  (void)state;
  // Random123 (the paper's own code), examples/kat_vectors, the lines of philox4x32 10.
  static const struct {
    uint32_t counter[4], key[2], answer[4];
  } vectors[] = {
      {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
      {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
       {0xffffffff, 0xffffffff},
       {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
      {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
       {0xa4093822, 0x299f31d0},
       {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
  };
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; ++i) {
    uint32_t answer[4];
    dc_philox(vectors[i].counter, vectors[i].key, answer);
    assert_memory_equal(answer, vectors[i].answer, sizeof answer);
  }
}

static void units_are_the_high_53_bits(void **state) {
  (void)state;
  const uint32_t pi[4] = {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344};
  double pair[2];
  dc_random_pair(0x299f31d0a4093822u, pi, pair);
  assert_true(pair[0] == (double)(0x94fdccebd16cfe09u >> 11) * 0x1p-53);
  assert_true(pair[1] == (double)(0x24126ea15001e420u >> 11) * 0x1p-53);
  assert_true(dc_random_unit(0x299f31d0a4093822u, pi) == pair[0]);
}

static void each_counter_and_the_seed_change_the_draw(void **state) {
  (void)state;
  const uint32_t zero[4] = {0};
  double base = dc_random_unit(7, zero);
  assert_true(dc_random_unit(7, zero) == base);
  assert_true(dc_random_unit(8, zero) != base);
  assert_true(dc_random_unit(7 + ((uint64_t)1 << 32), zero) != base);
  for (int i = 0; i < 4; ++i) {
    uint32_t counter[4] = {0};
    counter[i] = 1;
    assert_true(dc_random_unit(7, counter) != base);
  }
}

static dc_sampler sampler_of(const dc_distribution *d) {
  dc_sampler sampler;
  dc_error error = {0};
  if (dc_sampler_build(d, &sampler, &error) != DC_OK)
    fail_msg("%s", error.text);
  return sampler;
}

// The probability that the table gives each point: its own share and what others hand over.
static void tables_hold_the_masses(void **state) {
  (void)state;
  uint64_t seed = 3;
  static dc_point points[3000];
  static double mass[3000];
  for (unsigned round = 0; round < 50; ++round) {
    size_t count = 1 + random_below(&seed, round % 5 ? 40 : 3000);
    dc_distribution d = random_distribution(&seed, points, count, 5);
    dc_sampler sampler = sampler_of(&d);
    memset(mass, 0, sizeof mass);
    for (size_t i = 0; i < count; ++i) {
      double own = sampler.aliases[i].threshold;
      assert_true(own >= 0 && own <= 1);
      mass[i] += own / (double)count;
      mass[sampler.aliases[i].other] += (1 - own) / (double)count;
    }
    for (size_t i = 0; i < count; ++i)
      assert_within(mass[i], points[i].mass, (double)count * 0x1p-53);
    dc_sampler_free(&sampler);
  }
}

static void draws_follow_their_distribution(void **state) {
  (void)state;
  enum { DRAWS = 400000 };
  static const char *const texts[] = {"geometric(0.05)", "uniform(20,40)", "const(7)",
                                      "zipf(1.5,1000)", "0.9*const(0) + 0.1*poisson(30)"};
  for (size_t t = 0; t < sizeof texts / sizeof *texts; ++t) {
    made m = make(texts[t], NULL);
    const dc_distribution *d = &m.distribution;
    dc_sampler sampler = sampler_of(d);
    double mean = dc_distribution_mean(d), deviation = sqrt(dc_distribution_variance(d));
    double sum = 0, below = 0, half = 0;
    int64_t median = d->points[d->count / 2].value;
    for (size_t i = 0; i < d->count && d->points[i].value <= median; ++i)
      half += d->points[i].mass;
    for (uint32_t i = 0; i < DRAWS; ++i) {
      int64_t value = dc_draw(&sampler, 1, (uint32_t[4]){i / 32, i % 32, 0, 0});
      sum += (double)value;
      below += value <= median;
    }
    assert_within(sum / DRAWS, mean, 4 * deviation / sqrt(DRAWS) + 1e-12);
    assert_within(below / DRAWS, half, 4 * sqrt(half * (1 - half) / DRAWS) + 1e-12);
    dc_sampler_free(&sampler);
    release(&m);
  }
}

static void neighbouring_counters_are_independent(void **state) {
  (void)state;
  // Pairs of draws of lanes side by side, of groups side by side, and the two numbers of one call,
  // counted in 16 x 16 cells: chi squared with 255 degrees of freedom.
  enum { PAIRS = 256 * 400 };
  for (int way = 0; way < 3; ++way) {
    static unsigned cells[256];
    memset(cells, 0, sizeof cells);
    for (uint32_t i = 0; i < PAIRS; ++i) {
      double pair[2];
      dc_random_pair(5, (uint32_t[4]){i, 0, 0, 0}, pair);
      if (way == 0)
        pair[1] = dc_random_unit(5, (uint32_t[4]){i, 1, 0, 0});
      if (way == 1)
        pair[1] = dc_random_unit(5, (uint32_t[4]){i + PAIRS, 0, 0, 0});
      ++cells[(unsigned)(pair[0] * 16) * 16 + (unsigned)(pair[1] * 16)];
    }
    double chi = 0;
    for (int i = 0; i < 256; ++i)
      chi += (cells[i] - 400.0) * (cells[i] - 400.0) / 400;
    assert_within(chi, 255, 4 * sqrt(2 * 255));
  }
}

static void errors_name_the_argument(void **state) {
  (void)state;
  made m = make("uniform(1,3)", NULL);
  dc_error error;
  dc_sampler sampler = {.count = 7};
  dc_distribution none = {m.distribution.points, 0, 0, NULL};
  assert_int_equal(dc_sampler_build(&none, &sampler, &error), DC_ERROR_ARGUMENT);
  assert_string_equal(error.text, "the distribution has 0 points, but must have 1 to 1000000");
  assert_true(!sampler.points && !sampler.aliases && sampler.count == 0);
  none = (dc_distribution){0};
  assert_int_equal(dc_sampler_build(&none, &sampler, NULL), DC_ERROR_ARGUMENT);
  dc_sampler_free(&sampler);
  release(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_answers_of_random123),
      cmocka_unit_test(units_are_the_high_53_bits),
      cmocka_unit_test(each_counter_and_the_seed_change_the_draw),
      cmocka_unit_test(tables_hold_the_masses),
      cmocka_unit_test(draws_follow_their_distribution),
      cmocka_unit_test(neighbouring_counters_are_independent),
      cmocka_unit_test(errors_name_the_argument),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
