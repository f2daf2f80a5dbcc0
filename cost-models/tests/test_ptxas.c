// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "divcost/ptxas.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static dc_ptxas read(const char *text) {
  dc_ptxas out;
  assert_int_equal(dc_ptxas_read(text, &out, NULL), DC_OK);
  return out;
}

static void a_build_log_is_read(void **state) {
  (void)state;
  dc_ptxas p = read("[1/2] nvcc -Xptxas -v a.cu\n"
                    "ptxas info    : 0 bytes gmem\n"
                    "ptxas info    : Compiling entry function '_Z1bPf' for 'sm_90'\n"
                    "ptxas info    : Function properties for _Z1bPf\n"
                    "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
                    "ptxas info    : Used 42 registers, used 1 barriers, 4096 bytes smem\n"
                    "ptxas info    : Compiling entry function '_Z1aPf' for 'sm_80'\r\n"
                    "ptxas info    : Used 7 registers, 360 bytes cmem[0]\r\n"
                    "ptxas info    : Compiling entry function '_Z1aPf' for 'sm_90a'\n"
                    "ptxas info    : Used 8 registers");
  assert_int_equal(p.count, 3);
  assert_int_equal(dc_ptxas_registers(&p, "_Z1bPf", 90), 42);
  assert_int_equal(dc_ptxas_registers(&p, "_Z1aPf", 80), 7);
  assert_int_equal(dc_ptxas_registers(&p, "_Z1aPf", 90), 8);
  assert_int_equal(dc_ptxas_registers(&p, "_Z1bPf", 80), 0);
  assert_int_equal(dc_ptxas_registers(&p, "_Z1c", 90), 0);
  dc_ptxas_free(&p);
}

static void what_says_nothing_is_empty(void **state) {
  (void)state;
  dc_ptxas p = read("");
  assert_int_equal(p.count, 0);
  assert_int_equal(dc_ptxas_registers(&p, "a", 90), 0);
  p = read(
      "Used 12 registers\nCompiling entry function 'x\nCompiling entry function 'x' for 'gfx9'\n");
  assert_int_equal(p.count, 0);
  dc_ptxas_free(&p);
}

// Kernels that files keep to themselves may have one name.
static void different_numbers_are_none(void **state) {
  (void)state;
  dc_ptxas p = read("Compiling entry function 'a' for 'sm_90'\nUsed 12 registers\n"
                    "Compiling entry function 'b' for 'sm_90'\nUsed 9 registers\n"
                    "Compiling entry function 'a' for 'sm_90'\nUsed 13 registers\n"
                    "Compiling entry function 'b' for 'sm_90'\nUsed 9 registers\n"
                    "Compiling entry function 'c' for 'sm_90'\n");
  assert_int_equal(p.count, 3);
  assert_int_equal(dc_ptxas_registers(&p, "a", 90), 0);
  assert_int_equal(dc_ptxas_registers(&p, "b", 90), 9);
  assert_int_equal(dc_ptxas_registers(&p, "c", 90), 0);
  dc_ptxas_free(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_build_log_is_read),
      cmocka_unit_test(what_says_nothing_is_empty),
      cmocka_unit_test(different_numbers_are_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
