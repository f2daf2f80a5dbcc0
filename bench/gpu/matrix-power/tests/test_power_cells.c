// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The counts of the cells: drawn from the paper's laws, the same for GPU and models; and balanced.
#include "power_cells.h"

#include "divcost/imbalance.h"
#include "divcost/workload.h"
#include "support.h"

enum { GROUPS = 4096, LANES = 32 };

static void draws_have_the_imbalance_of_their_law(void **state) {
  (void)state;
  static int counts[GROUPS * LANES];
  static int64_t wide[GROUPS * LANES];
  for (unsigned number = 0; number < POWER_LAWS; ++number) {
    power_law law;
    assert_int_equal(power_law_open(number, &law, NULL), DC_OK);
    for (unsigned s = 0; s < POWER_SIZES; ++s) {
      unsigned lanes = power_sizes[s];
      dc_loss loss;
      dc_moments moments;
      power_draw(&law, number, lanes, GROUPS, counts);
      for (unsigned i = 0; i < GROUPS * lanes; ++i)
        wide[i] = counts[i];
      assert_int_equal(dc_listed_loss(wide, GROUPS * lanes, lanes, &loss, NULL), DC_OK);
      assert_int_equal(dc_imbalance_moments(&law.distribution, lanes, &moments, NULL), DC_OK);
      assert_within(loss.expected, moments.mean, 4 * sqrt(moments.variance / GROUPS));
    }
    power_law_close(&law);
  }
}

static void fewer_groups_are_the_first_ones_of_more(void **state) {
  (void)state;
  int few[16 * 8], more[64 * 8], other[16 * 8];
  power_law law;
  assert_int_equal(power_law_open(1, &law, NULL), DC_OK);
  power_draw(&law, 1, 8, 16, few);
  power_draw(&law, 1, 8, 64, more);
  power_draw(&law, 2, 8, 16, other);
  assert_memory_equal(few, more, sizeof few);
  assert_memory_not_equal(few, other, sizeof few);
  power_law_close(&law);
}

static void balanced_work_is_as_much_and_even(void **state) {
  (void)state;
  int counts[512], balanced[512];
  uint64_t random = 3, total = 0, even = 0;
  for (int i = 0; i < 512; ++i)
    total += (uint64_t)(counts[i] = (int)random_below(&random, 40));
  power_balance(counts, 512, 16, balanced);
  for (int i = 0; i < 512; ++i) {
    even += (uint64_t)balanced[i];
    assert_int_equal(balanced[i], balanced[i / 16 * 16]);
    assert_in_range(balanced[i], total / 512, total / 512 + 1);
  }
  assert_in_range(total - even, 0, 15);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(draws_have_the_imbalance_of_their_law),
      cmocka_unit_test(fewer_groups_are_the_first_ones_of_more),
      cmocka_unit_test(balanced_work_is_as_much_and_even),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
