// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of machine code: the tables that the build makes, whose figures are taken for whom,
// and what reports say of that.
#include "divcost/machine_code.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "divcost/words.h"

#include "arch/machine_code.h"

#include <string.h>

static void tables_can_be_searched(void **state) {
  (void)state;
  assert_true(dc__machine_code_table_count > 0);
  for (unsigned t = 0; t < dc__machine_code_table_count; ++t) {
    const dc_machine_code *code = &dc__machine_code_table[t];
    assert_true(code->n_sm > 0 && code->n_counts > 0 && code->unrolling.copies > 0);
    for (unsigned k = 1; k < code->n_sm; ++k)
      assert_true(code->sm[k - 1] < code->sm[k]);
    for (uint32_t k = 1; k < code->n_counts; ++k)
      assert_true(strcmp(code->counts[k - 1].name, code->counts[k].name) < 0);
    for (uint32_t k = 0; k < code->n_counts; ++k)
      assert_int_equal(dc_machine_code_count(code, code->counts[k].name, 12345),
                       code->counts[k].instructions);
    for (unsigned k = 0; k < code->n_sm; ++k)
      assert_ptr_equal(dc_machine_code_find(code->sm[k]), code);
  }
}

static void who_was_not_measured_takes_from_the_nearest(void **state) {
  (void)state;
  const dc_machine_code *code = dc_machine_code_find(90);
  assert_string_equal(dc_machine_code_provenance(code, 90), "measured on sm_90 (H200, CUDA 13.0)");
  assert_int_equal(dc_machine_code_sm(code, 90), 90);
  assert_string_equal(dc_machine_code_provenance(code, 80), "assumed (from sm_90)");
  assert_int_equal(dc_machine_code_sm(code, 80), 90);
  assert_ptr_equal(dc_machine_code_find(89), code);
  assert_non_null(dc_machine_code_find(20));
  assert_non_null(dc_machine_code_find(999));
}

static void what_was_not_counted_is_what_the_caller_says(void **state) {
  (void)state;
  const dc_machine_code *code = dc_machine_code_find(90);
  assert_int_equal(dc_machine_code_count(code, "add i32", 7), 1);
  assert_int_equal(dc_machine_code_count(code, "add i64", 7), 2);
  assert_true(dc_machine_code_count(code, "div i32", 1) > 1);
  assert_int_equal(dc_machine_code_count(code, "add i33", 7), 7);
  assert_int_equal(dc_machine_code_count(code, "", 7), 7);
}

static void costs_say_whose_instructions_were_counted(void **state) {
  (void)state;
  static const struct {
    unsigned arch, counted;
    bool full;
    const char *words;
  } cases[] = {
      {90, 90, false, "sm_90: reconvergence measured on sm_90 (H200, CUDA 13.0)"},
      {80, 80, false, "sm_80: reconvergence assumed (from sm_90)"},
      {80, 0, false, "sm_80: reconvergence assumed (from sm_90)"},
      {80, 90, false,
       "sm_80: reconvergence assumed (from sm_90); instruction counts assumed (from sm_90)"},
      {90, 80, true,
       "sm_90: reconvergence measured on sm_90 (H200, CUDA 13.0); instructions CUDA C++ "
       "Programming Guide, arithmetic throughput, compute capability 9.0; instruction counts "
       "assumed (from sm_80)"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    char words[DC_WORDS];
    dc_arch arch;
    dc_kernel kernel = {.machine_code = cases[k].counted};
    assert_int_equal(dc_arch_find_sm(cases[k].arch, &arch, NULL), DC_OK);
    size_t length = dc_costs_words(&arch, &kernel, cases[k].full, words, sizeof words);
    assert_string_equal(words, cases[k].words);
    assert_int_equal(length, strlen(words));
    assert_int_equal(dc_costs_words(&arch, &kernel, cases[k].full, words, 20), length);
    assert_int_equal(strlen(words), 19);
  }
  char words[DC_WORDS];
  dc_arch arch;
  assert_int_equal(dc_arch_find_sm(80, &arch, NULL), DC_OK);
  dc_costs_words(&arch, NULL, false, words, sizeof words);
  assert_string_equal(words, "sm_80: reconvergence assumed (from sm_90)");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tables_can_be_searched),
      cmocka_unit_test(who_was_not_measured_takes_from_the_nearest),
      cmocka_unit_test(what_was_not_counted_is_what_the_caller_says),
      cmocka_unit_test(costs_say_whose_instructions_were_counted),
  };
  return cmocka_run_group_tests_name("machine_code", tests, NULL, NULL);
}
