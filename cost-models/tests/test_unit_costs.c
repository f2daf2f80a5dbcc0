// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Estimates that depend on an architecture file: its costs go where the report goes.
#define _POSIX_C_SOURCE 200809L

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sample_unit.h"

#include "divcost/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// As dc_arch_load has it of a file that divcost calibrate wrote.
static dc_arch of_file(unsigned sm, double factor, const char *where) {
  dc_arch arch;
  assert_int_equal(dc_arch_find_sm(sm, &arch, NULL), DC_OK);
  arch.divergent_branch = 20.125 * factor;
  arch.divergent_exit = 17.5 * factor;
  arch.displaced = arch.rules == DC_RULES_BARRIERS ? 33 * factor : 0;
  arch.has_cycles = true;
  arch.predicated = 5;
  for (unsigned mix = 0; mix < DC_MIX_COUNT; ++mix)
    arch.issue[mix] = 1.25 + mix;
  arch.machine.alu = 4.25 * factor; // where a machine is known
  snprintf(arch.provenance, sizeof arch.provenance, "measured %s", where);
  snprintf(arch.issue_provenance, sizeof arch.issue_provenance, "issue measured %s", where);
  arch.of_file = true;
  return arch;
}

// The first kernel of the sample, estimated with these costs.
static void estimated(dc_unit *unit, const dc_arch *arch) {
  dc_error error;
  sample_part(unit, 90);
  unit->archs[0] = arch->sm;
  while (unit->n_kernels > 1) { // those that depend on divcost's own costs
    dc_unit one = {.kernels = malloc(sizeof *one.kernels), .n_kernels = 1};
    assert_non_null(one.kernels);
    one.kernels[0] = unit->kernels[--unit->n_kernels];
    dc_unit_free(&one);
  }
  if (dc_unit_estimate(&unit->kernels[0], arch, 1, NULL, &error) != DC_OK)
    fail_msg("%s", error.text);
}

static dc_status read_text(const char *text, dc_unit *unit, dc_error *error) {
  FILE *stream = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
  assert_non_null(stream);
  dc_status status = dc_unit_read_json(stream, unit, error);
  fclose(stream);
  return status;
}

static void expect_same_costs(const dc_arch *x, const dc_arch *y) {
  assert_true(y->of_file && x->sm == y->sm && x->rules == y->rules);
  assert_int_equal(x->has_cycles, y->has_cycles);
  assert_true(!x->has_cycles || (x->divergent_branch == y->divergent_branch &&
                                 x->divergent_exit == y->divergent_exit &&
                                 x->displaced == y->displaced && x->spill == y->spill));
  assert_int_equal(x->stack_entries, y->stack_entries);
  assert_true(x->spill_entries == y->spill_entries && x->reload == y->reload);
  assert_int_equal(x->predicated, y->predicated);
  for (unsigned mix = 0; mix < DC_MIX_COUNT; ++mix)
    assert_true(x->issue[mix] == y->issue[mix]);
  assert_string_equal(x->provenance, y->provenance);
  assert_string_equal(x->issue_provenance, y->issue_provenance);
  assert_int_equal(x->machine.known, y->machine.known);
  if (!x->machine.known)
    return;
  assert_string_equal(x->machine.device, y->machine.device);
  assert_string_equal(x->machine.provenance, y->machine.provenance);
  for (unsigned field = 0; field < DC_MACHINE_FIELDS; ++field)
    assert_true(dc_machine_get(&x->machine, field) == dc_machine_get(&y->machine, field));
}

// Read back and estimated again with what was read: the same bytes.
static void costs_of_a_file_are_in_the_report(void **state) {
  (void)state;
  static const unsigned sms[] = {35, 52, 90};
  for (unsigned k = 0; k < 2 * 3; ++k) {
    dc_arch arch = of_file(sms[k % 3], 1, "here"), read;
    dc_unit unit, again;
    dc_error error;
    if (k >= 3) { // counts alone
      arch.has_cycles = false;
      arch.divergent_branch = arch.divergent_exit = arch.displaced = arch.spill = 0;
    }
    estimated(&unit, &arch);
    char *text = json_of(&unit);
    if (read_text(text, &again, &error) != DC_OK)
      fail_msg("%s", error.text);
    dc_unit_kernel *kernel = &again.kernels[0];
    assert_true(dc_estimate_arch(&kernel->estimates[0], &read));
    expect_same_costs(&arch, &read);
    assert_int_equal(dc_unit_estimate(kernel, &read, 1, NULL, &error), DC_OK);
    char *anew = json_of(&again);
    assert_string_equal(text, anew);
    free(text);
    free(anew);
    dc_unit_free(&unit);
    dc_unit_free(&again);
  }
}

static void other_costs_give_other_figures(void **state) {
  (void)state;
  dc_arch cheap = of_file(90, 1, "here"), dear = of_file(90, 3, "here"), own;
  dc_unit x, y;
  estimated(&x, &cheap);
  estimated(&y, &dear);
  const dc_estimate *a = &x.kernels[0].estimates[0], *b = &y.kernels[0].estimates[0];
  assert_true(a->reconvergence.low > 0);
  assert_float_equal(b->reconvergence.low / a->reconvergence.low, 3, 1e-9);
  dc_unit_free(&x);
  dc_unit_free(&y);
  // Estimates without a file depend on divcost's costs for the number, if it has any.
  dc_estimate plain = {.sm = 90};
  assert_true(dc_estimate_arch(&plain, &own) && own.divergent_exit == 13);
  plain.sm = 91;
  assert_false(dc_estimate_arch(&plain, &own));
}

static unsigned count(const char *text, const char *what) {
  unsigned found = 0;
  for (; (text = strstr(text, what)); text += strlen(what))
    ++found;
  return found;
}

static void merged_reports_name_all_costs(void **state) {
  (void)state;
  dc_arch here = of_file(90, 1, "here"), there = of_file(90, 1, "there");
  dc_unit into, from;
  dc_error error;
  estimated(&into, &here);
  estimated(&from, &there);
  const dc_kernel *renamed = &from.kernels[0].kernel;
  *(char *)(uintptr_t)dc_kernel_text(renamed, renamed->symbol) = 'x';
  assert_int_equal(dc_unit_merge(&into, &from, &error), DC_OK);
  assert_int_equal(into.n_kernels, 2);
  char *text = text_of_unit(&into, false);
  const char *end = strstr(text, "How to read this");
  assert_non_null(end);
  assert_int_equal(count(end, "reconvergence measured here"), 1);
  assert_int_equal(count(end, "reconvergence measured there"), 1);
  assert_int_equal(count(text, "reconvergence measured here"), 2);
  free(text);
  dc_unit_free(&into);
}

// The text with its first `what` replaced isn't read, and the message says why.
static void expect_refusal(const char *what, const char *by, const char *expected) {
  dc_arch arch = of_file(35, 1, "here");
  dc_unit unit, again;
  dc_error error = {0};
  estimated(&unit, &arch);
  char *text = json_of(&unit), changed[65536];
  char *at = strstr(text, what);
  if (!at)
    fail_msg("no '%s' in %s", what, text);
  snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, by, at + strlen(what));
  assert_int_equal(read_text(changed, &again, &error), DC_ERROR_SYNTAX);
  if (!strstr(error.text, expected))
    fail_msg("'%s' has no '%s'", error.text, expected);
  free(text);
  dc_unit_free(&unit);
}

static void costs_that_make_no_sense_are_refused(void **state) {
  (void)state;
  expect_refusal("\"divergent_exit\": 17.5,", "",
                 "kernels[0].estimates[0].costs.divergent_exit: is missing");
  expect_refusal("17.5", "-17.5", "estimates[0].costs.divergent_exit: is -17.5");
  expect_refusal("17.5", "2e6", "costs.divergent_exit: must be from 0 to 1000000 cycles");
  expect_refusal("\"chunk\": 4", "\"chunk\": 17", "costs.chunk: is 17, must be in 1 .. 16");
  expect_refusal("\"reload\": \"lazy\"", "\"reload\": \"never\"", "costs.reload: 'never'");
  expect_refusal("\"predicated\": 5", "\"predicated\": 1001", "costs.predicated: is 1001");
  expect_refusal("\"fp32\": 2.25", "\"fp32\": \"fast\"", "costs.issue.fp32: must be a number");
  expect_refusal("\"fp32\": 2.25,", "", "costs.issue.fp32: is missing");
  expect_refusal("\"rules\": \"stack\"", "\"rules\": \"queue\"", "estimates[0].rules: 'queue'");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(costs_of_a_file_are_in_the_report),
      cmocka_unit_test(other_costs_give_other_figures),
      cmocka_unit_test(merged_reports_name_all_costs),
      cmocka_unit_test(costs_that_make_no_sense_are_refused),
  };
  return cmocka_run_group_tests_name("unit_costs", tests, NULL, NULL);
}
