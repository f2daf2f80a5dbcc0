// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the page asks libdivcost, built for this machine, so that sanitizers and valgrind see it:
// every call with every loop of the sample and accesses of random kernels, in the order in which
// the page makes them, and out of it.
#define _POSIX_C_SOURCE 200809L

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report/html/wasm/model.h"

#include "cases.h"
#include "sample_unit.h"

#include <stdlib.h>
#include <string.h>

static const char *open_flat(const dc_kernel *kernel, const char *arch_name) {
  dc_arch arch;
  assert_int_equal(dc_arch_find(arch_name, &arch, NULL), DC_OK);
  dc_flat flat = {*kernel, &arch, 1};
  size_t size = dc_flat_write(&flat, NULL, 0);
  unsigned char *bytes = model_take(size);
  dc_flat_write(&flat, bytes, size);
  const char *answer = model_open(bytes, size);
  model_release(bytes);
  return answer;
}

static void open_kernel(const dc_kernel *kernel, const char *arch_name) {
  assert_string_equal(open_flat(kernel, arch_name), "{}");
}

static void assert_answers(const char *text) {
  assert_int_equal(text[0], '{');
  if (strstr(text, "\"error\""))
    fail_msg("%s", text);
}

static void assert_refuses(const char *text, const char *words) {
  assert_non_null(strstr(text, "\"error\""));
  if (!strstr(text, words))
    fail_msg("%s doesn't say %s", text, words);
}

static void every_loop_is_described_and_drawn(void **state) {
  (void)state;
  static const char *const archs[] = {"kepler", "sm_60", "sm_90"};
  dc_unit unit;
  sample_unit(&unit);
  for (uint32_t k = 0; k < unit.n_kernels; ++k)
    for (unsigned a = 0; a < 3; ++a) {
      open_kernel(&unit.kernels[k].kernel, archs[a]);
      assert_answers(model_describe());
      assert_answers(model_depth());
      for (uint32_t loop = 0; loop < unit.kernels[k].kernel.n_loops; ++loop) {
        assert_answers(model_trips(loop));
        assert_answers(model_imbalance(loop));
        assert_answers(model_granularity(loop));
      }
    }
  dc_unit_free(&unit);
}

// As many of random kernels as may be: their expressions are of all kinds.
static void every_access_is_drawn_or_refused(void **state) {
  (void)state;
  unsigned drawn = 0;
  for (uint64_t seed = 0; seed < cases_of(2000, 200); ++seed) {
    dc_unit unit;
    random_unit(&unit, seed);
    for (uint32_t k = 0; k < unit.n_kernels; ++k) {
      if (strcmp(open_flat(&unit.kernels[k].kernel, "sm_90"), "{}") != 0)
        continue; // its distributions are any text
      assert_answers(model_describe());
      uint32_t n = unit.kernels[k].kernel.n_accesses;
      for (uint32_t access = 0; access < n; ++access) {
        const char *text = model_access(access);
        if (strstr(text, "\"error\""))
          assert_refuses(text, "no request of this access");
        else
          ++drawn;
      }
      assert_refuses(model_access(n), "no request of this access");
    }
    dc_unit_free(&unit);
  }
  assert_in_range(drawn, cases_of(100, 10), 100000);
}

static void questions_change_the_answer(void **state) {
  (void)state;
  dc_unit unit;
  sample_unit(&unit);
  open_kernel(&unit.kernels[0].kernel, "sm_90");
  char *before = strdup(model_describe());
  open_kernel(&unit.kernels[0].kernel, "sm_90");
  assert_string_equal(model_set_block(64, 2, 1), "{}");
  assert_string_equal(model_set_arch("maxwell"), "{}");
  assert_string_equal(model_set_distribution(0, "zipf(2,1000)"), "{}");
  assert_string_equal(model_set_lanes_per_item(4), "{}");
  const char *after = model_describe();
  assert_answers(after);
  assert_string_not_equal(before, after);
  assert_non_null(strstr(after, "64x2"));
  assert_non_null(strstr(after, "zipf(2,1000)"));
  assert_answers(model_trips(0));
  free(before);
  dc_unit_free(&unit);
}

static void what_makes_no_sense_is_refused(void **state) {
  (void)state;
  dc_unit unit;
  sample_unit(&unit);
  assert_refuses(model_open("no kernel", 9), "no flat kernel");
  assert_refuses(model_describe(), "no kernel is open");
  assert_refuses(model_depth(), "no kernel is open");
  assert_refuses(model_trips(0), "no such loop");
  assert_refuses(model_set_distribution(0, "const(1)"), "no such loop");
  open_kernel(&unit.kernels[0].kernel, "sm_90");
  assert_refuses(model_set_param(1000, "1"), "no such parameter");
  assert_refuses(model_set_param(0, "1.5"), "whole number");
  assert_refuses(model_set_arch("sm_1"), "sm_1");
  assert_refuses(model_set_distribution(0, "poison(3)"), "poison");
  open_kernel(&unit.kernels[0].kernel, "sm_90");
  assert_refuses(model_set_block(2000, 1, 1), "1024");
  open_kernel(&unit.kernels[0].kernel, "sm_90");
  assert_refuses(model_set_lanes_per_item(3), "lanes");
  assert_refuses(model_imbalance(99), "no such loop");
  assert_refuses(model_open("", 0), "no flat kernel"); // and nothing stays behind
  dc_unit_free(&unit);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_loop_is_described_and_drawn),
      cmocka_unit_test(every_access_is_drawn_or_refused),
      cmocka_unit_test(questions_change_the_answer),
      cmocka_unit_test(what_makes_no_sense_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
