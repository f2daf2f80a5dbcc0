// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Merging units, and the share that a kernel loses.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sample_unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Moves `from` into `into`; `from` is empty then.
static void merge(dc_unit *into, dc_unit *from) {
  dc_error error;
  if (dc_unit_merge(into, from, &error) != DC_OK)
    fail_msg("%s", error.text);
  assert_null(from->kernels);
  assert_null(from->path);
}

// The JSON of the merged unit, which is released.
static char *taken(dc_unit *unit) {
  char *text = json_of(unit);
  dc_unit_free(unit);
  return text;
}

static void parts_merge_into_the_whole(void **state) {
  (void)state;
  dc_unit whole, again, empty = {0}, first, second;
  sample_unit(&whole);
  merge(&empty, &whole); // kernels in the order of a merged unit
  char *expected = taken(&empty);
  sample_part(&first, 80);
  sample_part(&second, 90);
  merge(&first, &second);
  assert_int_equal(first.n_archs, 2);
  assert_int_equal(first.n_kernels, 3);
  char *merged = taken(&first);
  assert_string_equal(merged, expected);
  free(merged);
  sample_part(&again, 90); // the other way round
  sample_part(&first, 80);
  merge(&again, &first);
  merged = taken(&again);
  assert_string_equal(merged, expected);
  free(merged);
  free(expected);
}

static void merging_is_associative(void **state) {
  (void)state;
  for (unsigned order = 0; order < 27; ++order) {
    static const unsigned archs[] = {70, 80, 90};
    dc_unit left[3], right[3];
    for (unsigned k = 0, digits = order; k < 3; ++k, digits /= 3) {
      sample_part(&left[k], archs[digits % 3]);
      sample_part(&right[k], archs[digits % 3]);
    }
    merge(&left[0], &left[1]); // (a b) c
    merge(&left[0], &left[2]);
    merge(&right[1], &right[2]); // a (b c)
    merge(&right[0], &right[1]);
    char *x = taken(&left[0]), *y = taken(&right[0]);
    assert_string_equal(x, y);
    free(x);
    free(y);
  }
}

static void newer_estimates_replace_older_ones(void **state) {
  (void)state;
  dc_unit old, newer;
  sample_unit(&old);
  sample_part(&newer, 80);
  newer.kernels[0].estimates[0].cycles = (dc_interval){7, 7};
  merge(&old, &newer);
  const dc_unit_kernel *spmv = &old.kernels[0];
  assert_int_equal(spmv->n_estimates, 4); // two launches, two architectures
  assert_int_equal(spmv->estimates[0].sm, 80);
  assert_float_equal(spmv->estimates[0].cycles.low, 7, 0);
  assert_int_equal(spmv->estimates[2].sm, 90);
  assert_float_equal(spmv->estimates[2].cycles.low, 12480, 0);
  dc_unit_free(&old);
}

static void findings_are_not_repeated(void **state) {
  (void)state;
  dc_unit first, second;
  sample_part(&first, 80);
  sample_part(&second, 90);
  second.kernels[0].findings[0].suppressed = true;
  second.kernels[1].findings[0].fingerprint ^= 1;
  merge(&first, &second);
  assert_int_equal(first.kernels[0].n_findings, 1);
  assert_true(first.kernels[0].findings[0].suppressed); // of the newer unit
  assert_int_equal(first.kernels[1].n_findings, 2);
  dc_unit_free(&first);
}

static void code_that_differs_by_architecture_stays_apart(void **state) {
  (void)state;
  dc_unit first, second, third;
  sample_part(&first, 80);
  sample_part(&second, 90);
  second.kernels[0].kernel.blocks[2].mix[DC_MIX_FP32] = 9; // #if __CUDA_ARCH__ >= 900
  merge(&first, &second);
  assert_int_equal(first.n_kernels, 4);
  assert_int_equal(first.kernels[0].estimates[0].sm, 80);
  assert_int_equal(first.kernels[0].kernel.blocks[2].mix[DC_MIX_FP32], 0);
  assert_int_equal(first.kernels[1].estimates[0].sm, 90);
  assert_int_equal(first.kernels[1].kernel.blocks[2].mix[DC_MIX_FP32], 9);
  assert_int_equal(first.kernels[1].n_estimates, 2);
  sample_part(&third, 90); // and are merged when the code is the same again
  merge(&first, &third);
  assert_int_equal(first.n_kernels, 3);
  assert_int_equal(first.kernels[0].n_estimates, 4);
  dc_unit_free(&first);
}

// Two files may each have a static kernel of the same name.
// Analysed for one architecture and not for the other: both stay, in whatever order they come; and
// what is newer replaces what is older.
static void what_was_not_analysed_for_an_architecture_stays(void **state) {
  (void)state;
  char *merged[2];
  dc_arch arch;
  assert_int_equal(dc_arch_find_sm(90, &arch, NULL), DC_OK);
  for (unsigned order = 0; order < 2; ++order) {
    dc_unit unit, stopped;
    sample_part(&unit, 80);
    sample_part(&stopped, 90);
    dc_unit_kernel *bfs = &stopped.kernels[1];
    dc_kernel *k = &bfs->kernel;
    k->n_blocks = k->n_loops = k->n_branches = k->n_barriers = k->n_exits = k->n_successors = 0;
    k->not_analysed = dc_kernel_add_text(k, "it is too large");
    assert_int_equal(dc_kernel_validate(k, NULL), DC_OK);
    assert_int_equal(dc_unit_estimate(bfs, &arch, 1, NULL, NULL), DC_OK);
    merge(order ? &stopped : &unit, order ? &unit : &stopped);
    dc_unit *whole = order ? &stopped : &unit, newer;
    assert_int_equal(whole->n_kernels, 4);
    merged[order] = json_of(whole);
    sample_part(&newer, 90);
    merge(whole, &newer);
    assert_int_equal(whole->n_kernels, 3);
    dc_unit_free(whole);
  }
  assert_string_equal(merged[0], merged[1]);
  free(merged[0]);
  free(merged[1]);
}

static void kernels_of_different_files_are_different(void **state) {
  (void)state;
  dc_unit first, second;
  sample_part(&first, 90);
  sample_part(&second, 90);
  for (uint32_t k = 0; k < second.n_kernels; ++k) {
    dc_kernel *kernel = &second.kernels[k].kernel;
    kernel->locations[kernel->location].file = dc_kernel_add_text(kernel, "src/other.cu");
  }
  strcpy(second.path, "src/other.cu");
  merge(&first, &second);
  assert_int_equal(first.n_kernels, 6);
  assert_string_equal(first.path, "src/sparse.cu, src/other.cu");
  dc_unit_free(&first);
}

// Each field that two skeletons may differ in: a difference must be seen.
static void every_difference_keeps_kernels_apart(void **state) {
  (void)state;
  for (unsigned change = 0; change < 19; ++change) {
    dc_unit first, second;
    sample_part(&first, 80);
    sample_part(&second, 90);
    dc_kernel *kernel = &second.kernels[1].kernel;
    switch (change) {
    case 0:
      kernel->loops[1].unroll = 4;
      break;
    case 16:
      kernel->loops[1].unroll_expected = 4;
      break;
    case 17:
      ++kernel->blocks[1].machine;
      break;
    case 18:
      kernel->not_analysed = dc_kernel_add_text(kernel, "a function that it calls is too large");
      break;
    case 1:
      kernel->loops[0].condition = dc_kernel_add_text(kernel, "other");
      break;
    case 2:
      kernel->exits[0].level = DC_UNIFORM;
      break;
    case 3:
      kernel->reasons[0].text = 0;
      break;
    case 4:
      kernel->branches[0].predication = DC_PREDICATION_LIKELY;
      break;
    case 5:
      kernel->barriers[0].warp = true;
      break;
    case 6:
      kernel->barriers[0].left = DC_DIVERGENT;
      break;
    case 7:
      kernel->locations[1].column += 1;
      break;
    case 8:
      kernel->params[0].known = true;
      break;
    case 9:
      kernel->launches[0].grid[0] = 5;
      break;
    case 10:
      kernel->pool.nodes[0].bits = 16;
      break;
    case 11:
      kernel->successors[1] = 3;
      break;
    case 12:
      kernel->blocks[1].post_dominator = DC_NONE;
      break;
    case 13:
      kernel->load_names[0] = 0;
      break;
    case 14:
      kernel->loops[2].id += 1;
      break;
    case 15:
      kernel->name = 0;
      break;
    }
    merge(&first, &second);
    if (first.n_kernels != 4)
      fail_msg("change %u was not seen", change);
    dc_unit_free(&first);
  }
}

static void estimating_fills_archs_and_launches(void **state) {
  (void)state;
  dc_unit unit;
  sample_part(&unit, 90);
  dc_unit_kernel *spmv = &unit.kernels[0];
  dc_arch archs[2];
  dc_error error;
  assert_int_equal(dc_arch_find_sm(70, &archs[0], &error), DC_OK);
  assert_int_equal(dc_arch_find_sm(90, &archs[1], &error), DC_OK);
  assert_int_equal(dc_arch_find_sm(91, &archs[1], &error), DC_ERROR_ARGUMENT);
  assert_int_equal(dc_arch_find_sm(90, &archs[1], &error), DC_OK);
  if (dc_unit_estimate(spmv, archs, 2, NULL, &error) != DC_OK)
    fail_msg("%s", error.text);
  assert_int_equal(spmv->n_estimates, 4);
  const unsigned expected[] = {70, 70, 90, 90};
  for (unsigned k = 0; k < 4; ++k)
    assert_int_equal(spmv->estimates[k].sm, expected[k]);
  assert_true(spmv->estimates[2].share.low >= spmv->estimates[3].share.low);
  dc_unit_free(&unit);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parts_merge_into_the_whole),
      cmocka_unit_test(merging_is_associative),
      cmocka_unit_test(newer_estimates_replace_older_ones),
      cmocka_unit_test(findings_are_not_repeated),
      cmocka_unit_test(code_that_differs_by_architecture_stays_apart),
      cmocka_unit_test(what_was_not_analysed_for_an_architecture_stays),
      cmocka_unit_test(kernels_of_different_files_are_different),
      cmocka_unit_test(every_difference_keeps_kernels_apart),
      cmocka_unit_test(estimating_fills_archs_and_launches),
  };
  return cmocka_run_group_tests_name("unit", tests, NULL, NULL);
}
