// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every row of the table of intrinsics is reached: a name by itself and not by an earlier pattern,
// a pattern by an intrinsic that LLVM has. What the LLVM that this is built with has not is listed
// here, and has to be there in the other one.
#include "analysis/intrinsics.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <llvm-c/Core.h>

// Patterns that no intrinsic of that major version has.
typedef struct absent {
  unsigned version;
  const char *pattern;
} absent;

static const absent missing[] = {
    {19, "llvm.nvvm.barrier.cta.arrive.*"},
    {19, "llvm.nvvm.barrier.cta.red.and.aligned.all"},
    {19, "llvm.nvvm.barrier.cta.red.and.aligned.count"},
    {19, "llvm.nvvm.barrier.cta.red.and.all"},
    {19, "llvm.nvvm.barrier.cta.red.and.count"},
    {19, "llvm.nvvm.barrier.cta.red.or.aligned.all"},
    {19, "llvm.nvvm.barrier.cta.red.or.aligned.count"},
    {19, "llvm.nvvm.barrier.cta.red.or.all"},
    {19, "llvm.nvvm.barrier.cta.red.or.count"},
    {19, "llvm.nvvm.barrier.cta.red.popc.aligned.all"},
    {19, "llvm.nvvm.barrier.cta.red.popc.aligned.count"},
    {19, "llvm.nvvm.barrier.cta.red.popc.all"},
    {19, "llvm.nvvm.barrier.cta.red.popc.count"},
    {19, "llvm.nvvm.barrier.cta.sync.aligned.all"},
    {19, "llvm.nvvm.barrier.cta.sync.aligned.count"},
    {19, "llvm.nvvm.barrier.cta.sync.all"},
    {19, "llvm.nvvm.barrier.cta.sync.count"},
    {19, "llvm.nvvm.bf16x2.to.*"},
    {19, "llvm.nvvm.bmsk.*"},
    {19, "llvm.nvvm.e2m1x2.*"},
    {19, "llvm.nvvm.e2m3x2.*"},
    {19, "llvm.nvvm.e3m2x2.*"},
    {19, "llvm.nvvm.e4m3x2.*"},
    {19, "llvm.nvvm.e5m2x2.*"},
    {19, "llvm.nvvm.elect.sync"},
    {19, "llvm.nvvm.f16x2.to.*"},
    {19, "llvm.nvvm.f2f16.*"},
    {19, "llvm.nvvm.f32x4.to.*"},
    {19, "llvm.nvvm.ff.to.*"},
    {19, "llvm.nvvm.flo.*"},
    {19, "llvm.nvvm.fshl.*"},
    {19, "llvm.nvvm.fshr.*"},
    {19, "llvm.nvvm.idp2a.*"},
    {19, "llvm.nvvm.idp4a.*"},
    {19, "llvm.nvvm.internal.addrspace.wrap"},
    {19, "llvm.nvvm.read.ptx.sreg.aggr_smem_size"},
    {19, "llvm.nvvm.read.ptx.sreg.dynamic_smem_size"},
    {19, "llvm.nvvm.read.ptx.sreg.total_smem_size"},
    {19, "llvm.nvvm.sext.*"},
    {19, "llvm.nvvm.ue8m0x2.*"},
    {19, "llvm.nvvm.zext.*"},
    {22, "llvm.nvvm.abs.*"},
    {22, "llvm.nvvm.bar.sync"},
    {22, "llvm.nvvm.barrier"},
    {22, "llvm.nvvm.barrier.n"},
    {22, "llvm.nvvm.barrier.sync"},
    {22, "llvm.nvvm.barrier.sync.cnt"},
    {22, "llvm.nvvm.barrier0*"},
    {22, "llvm.nvvm.bitcast.*"},
    {22, "llvm.nvvm.ptr.*"},
    {22, "llvm.nvvm.rotate.*"},
    {22, "llvm.nvvm.swap.*"},
};

static bool is_missing(const char *pattern, unsigned version) {
  for (size_t k = 0; k < sizeof missing / sizeof *missing; ++k)
    if (missing[k].version == version && strcmp(missing[k].pattern, pattern) == 0)
      return true;
  return false;
}

static bool starts_with(const char *text, const char *prefix) {
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

// Intrinsics are numbered by name, from 1: those of a target stand together.
static unsigned first_of_nvvm(void) {
  static const char name[] = "llvm.nvvm.activemask";
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  size_t length;
  while (id > 1 && starts_with(LLVMIntrinsicGetName(id - 1, &length), "llvm.nvvm."))
    --id;
  return id;
}

static void every_row_is_reached(void **state) {
  (void)state;
  unsigned version, minor, patch;
  size_t rows = 0, length;
  LLVMGetVersion(&version, &minor, &patch);
  while (dcp_intrinsic_pattern(rows))
    ++rows;
  unsigned char *reached = calloc(rows + 1, 1);
  assert_non_null(reached);
  for (unsigned id = first_of_nvvm();; ++id) {
    const char *name = LLVMIntrinsicGetName(id, &length);
    if (!starts_with(name, "llvm.nvvm."))
      break;
    reached[dcp_intrinsic_row(name)] = 1;
  }
  for (size_t row = 0; row < rows; ++row) {
    const char *pattern = dcp_intrinsic_pattern(row);
    bool prefix = pattern[strlen(pattern) - 1] == '*';
    if (!prefix && dcp_intrinsic_row(pattern) != row)
      fail_msg("%s is matched by an earlier row", pattern);
    if (starts_with(pattern, "llvm.nvvm.") && !reached[row] && !is_missing(pattern, version))
      fail_msg("LLVM %u has no intrinsic that %s is the first to match", version, pattern);
    if (reached[row] && is_missing(pattern, version))
      fail_msg("LLVM %u has an intrinsic that %s matches", version, pattern);
    if (is_missing(pattern, 19) && is_missing(pattern, 22))
      fail_msg("no LLVM has an intrinsic that %s matches", pattern);
  }
  free(reached);
}

static void what_is_missing_has_a_row(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof missing / sizeof *missing; ++k) {
    bool found = false;
    for (size_t row = 0; dcp_intrinsic_pattern(row); ++row)
      found |= strcmp(dcp_intrinsic_pattern(row), missing[k].pattern) == 0;
    if (!found)
      fail_msg("%s has no row", missing[k].pattern);
  }
}

static void unknown_names_are_unknown(void **state) {
  (void)state;
  dcp_meaning meaning;
  assert_false(dcp_intrinsic("llvm.nvvm.new.thing", &meaning));
  assert_false(dcp_intrinsic("llvm.nvvm.getctarank", &meaning));
  assert_false(dcp_intrinsic("llvm.nvvm.fnsx", &meaning));
  assert_true(dcp_intrinsic("llvm.nvvm.fns", &meaning));
  assert_int_equal(meaning.op, SSA_PURE);
  assert_true(dcp_intrinsic("llvm.nvvm.barrier.cta.sync.aligned.count", &meaning));
  assert_int_equal(meaning.op, SSA_EFFECT);
  assert_true(dcp_intrinsic("llvm.nvvm.barrier.cta.sync.aligned.all", &meaning));
  assert_int_equal(meaning.op, SSA_BARRIER);
  assert_int_equal(meaning.i, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_row_is_reached),
                                     cmocka_unit_test(what_is_missing_has_a_row),
                                     cmocka_unit_test(unknown_names_are_unknown)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
