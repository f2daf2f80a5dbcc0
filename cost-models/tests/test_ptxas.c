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
#define ENTRY(name) "ptxas info    : Compiling entry function '" name "' for 'sm_90'\n"
#define USED(count) "ptxas info    : Used " #count " registers, used 1 barriers\n"
  dc_ptxas p = read(ENTRY("a") USED(12) ENTRY("b") USED(9) ENTRY("a") USED(13) ENTRY("b") USED(9)
                        ENTRY("c"));
  assert_int_equal(p.count, 3);
  assert_int_equal(dc_ptxas_registers(&p, "a", 90), 0);
  assert_int_equal(dc_ptxas_registers(&p, "b", 90), 9);
  assert_int_equal(dc_ptxas_registers(&p, "c", 90), 0);
  dc_ptxas_free(&p);
}

static void what_is_cut_or_odd_is_none(void **state) {
  (void)state;
  dc_ptxas p = read(ENTRY("a") "[3/4] Used 3 of 4 jobs\n" USED(20) ENTRY("b") USED(300)
                        ENTRY("c") "ptxas info    : Used 2");
  assert_int_equal(dc_ptxas_registers(&p, "a", 90), 20);
  assert_int_equal(dc_ptxas_registers(&p, "b", 90), 0);
  assert_int_equal(dc_ptxas_registers(&p, "c", 90), 0);
  dc_ptxas_free(&p);
}

// Kernels that are static or in unnamed namespaces: nvcc's names, and clang's.
static void names_of_both_compilers_are_one(void **state) {
  (void)state;
  dc_ptxas p =
      read(ENTRY("_Z4statPf") USED(20) ENTRY("_ZN35_GLOBAL__N__f2c81dd7_4_a_cu__abcdef4anonEPf")
               USED(21) ENTRY("_ZN2ns1fEPf") USED(22) ENTRY("_Z1gILj1EEvPf") USED(23));
  assert_int_equal(dc_ptxas_registers(&p, "_ZL4statPf", 90), 20);
  assert_int_equal(dc_ptxas_registers(&p, "_ZL4statPf__intern__0123456789abcdef", 90), 20);
  assert_int_equal(dc_ptxas_registers(&p, "_ZN12_GLOBAL__N_14anonEPf", 90), 21);
  assert_int_equal(dc_ptxas_registers(&p, "_ZN2nsL1fEPf", 90), 22);
  assert_int_equal(dc_ptxas_registers(&p, "_Z1gILj1EEvPf", 90), 23);
  assert_int_equal(dc_ptxas_registers(&p, "_Z1gILj2EEvPf", 90), 0);
  assert_int_equal(dc_ptxas_registers(&p, "_Z9999999999stat", 90), 0);
  assert_int_equal(dc_ptxas_registers(&p, "_ZNL", 90), 0);
  dc_ptxas_free(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_build_log_is_read),
      cmocka_unit_test(what_says_nothing_is_empty),
      cmocka_unit_test(different_numbers_are_none),
      cmocka_unit_test(what_is_cut_or_odd_is_none),
      cmocka_unit_test(names_of_both_compilers_are_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
