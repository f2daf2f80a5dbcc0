// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instances of templates, folded: which kernels stay, what they stand for, and that no finding is
// lost by it.
#define _POSIX_C_SOURCE 200809L

#include "divcost/instances.h"

#include "divcost/files.h"
#include "divcost/report.h"
#include "divcost/words.h"
#include "sample_unit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LINES = 3 };

static const dc_fold_options people = {.all_instances = false};

// A kernel of that name, declared on that line, which loses the share `lost` of its cycles.
static dc_unit_kernel *add_kernel(dc_unit *unit, const char *name, uint32_t line, double lost) {
  dc_unit_kernel *grown = realloc(unit->kernels, (unit->n_kernels + 1) * sizeof *unit->kernels);
  assert_non_null(grown);
  unit->kernels = grown;
  dc_unit_kernel *to = &unit->kernels[unit->n_kernels++];
  *to = (dc_unit_kernel){0};
  dc_kernel *kernel = &to->kernel;
  kernel->name = kernel->symbol = dc_kernel_add_text(kernel, name);
  kernel->location = dc_kernel_add_location(kernel);
  kernel->locations[kernel->location] =
      (dc_location){dc_kernel_add_text(kernel, "k.cu"), line, 1, 0, DC_NONE, false};
  to->estimates = calloc(1, sizeof *to->estimates);
  assert_non_null(to->estimates);
  to->n_estimates = 1;
  to->estimates[0] = (dc_estimate){.sm = 90,
                                   .cycles = {100, 100},
                                   .imbalance = {100 * lost, 100 * lost},
                                   .share = {lost, lost},
                                   .efficiency = {1 - lost, 1 - lost}};
  return to;
}

static void add_finding(dc_unit_kernel *of, dc_rule rule, uint32_t line) {
  dc_kernel *kernel = &of->kernel;
  uint32_t at = dc_kernel_add_location(kernel);
  kernel->locations[at] =
      (dc_location){dc_kernel_add_text(kernel, "k.cu"), line, 5, 0, DC_NONE, false};
  of->findings = realloc(of->findings, (of->n_findings + 1) * sizeof *of->findings);
  assert_non_null(of->findings);
  of->findings[of->n_findings++] = (dc_finding){.rule = rule,
                                                .loop = DC_NONE,
                                                .barrier = DC_NONE,
                                                .location = at,
                                                .message = strdup("words"),
                                                .fingerprint = 1};
}

static const dc_unit_kernel *kernel_at(const dc_kernels *kernels, uint32_t index) {
  const dc_unit_kernel *kernel;
  assert_int_equal(kernels->get(kernels->context, index, &kernel, NULL), DC_OK);
  return kernel;
}

static const char *name_at(const dc_kernels *kernels, uint32_t index) {
  const dc_kernel *kernel = &kernel_at(kernels, index)->kernel;
  return dc_kernel_text(kernel, kernel->name);
}

// Three instances of k; of line 20 all but the worst have a finding, of line 21 the worst has; and
// another kernel on the same line.
static void make_instances(dc_unit *unit) {
  *unit = (dc_unit){0};
  dc_unit_kernel *mild = add_kernel(unit, "void k<int>(int*)", 7, 0.1);
  add_finding(mild, DC_RULE_BARRIER, 20);
  add_finding(mild, DC_RULE_BRANCH, 21);
  dc_unit_kernel *worse = add_kernel(unit, "void k<float>(float*)", 7, 0.2);
  add_finding(worse, DC_RULE_BARRIER, 20);
  dc_unit_kernel *worst = add_kernel(unit, "void k<(anonymous namespace)::t, 2>(t*)", 7, 0.5);
  add_finding(worst, DC_RULE_BRANCH, 21);
  add_kernel(unit, "void other<int>(int*)", 7, 0.3);
}

static void of_each_template_and_finding_the_worst_stays(void **state) {
  (void)state;
  dc_unit unit;
  make_instances(&unit);
  dc_kernels all = dc_unit_kernels(&unit), shown;
  dc_folded *folded;
  assert_int_equal(dc_instances_fold(&all, &people, &folded, &shown, NULL), DC_OK);
  assert_int_equal(shown.n_kernels, 3);
  assert_string_equal(name_at(&shown, 0), "void k<float>(float*)");
  assert_int_equal(kernel_at(&shown, 0)->instances.count, 0);
  assert_int_equal(kernel_at(&shown, 0)->findings[0].others.count, 1);
  assert_string_equal(kernel_at(&shown, 0)->findings[0].others.names[0], "void k<int>(int*)");
  const dc_unit_kernel *worst = kernel_at(&shown, 1);
  assert_string_equal(dc_kernel_text(&worst->kernel, worst->kernel.name),
                      "void k<(anonymous namespace)::t, 2>(t*)");
  assert_int_equal(worst->instances.count, 1);
  assert_string_equal(worst->instances.names[0], "void k<int>(int*)");
  assert_int_equal(worst->findings[0].others.count, 1);
  assert_string_equal(name_at(&shown, 2), "void other<int>(int*)");
  dc_folded_free(folded);
  dc_unit_free(&unit);
}

static void folding_again_changes_nothing(void **state) {
  (void)state;
  dc_unit unit;
  make_instances(&unit);
  dc_kernels all = dc_unit_kernels(&unit), once, twice;
  dc_folded *first, *second;
  assert_int_equal(dc_instances_fold(&all, &people, &first, &once, NULL), DC_OK);
  assert_int_equal(dc_instances_fold(&once, &people, &second, &twice, NULL), DC_OK);
  assert_int_equal(twice.n_kernels, once.n_kernels);
  for (uint32_t k = 0; k < once.n_kernels; ++k) {
    assert_int_equal(kernel_at(&twice, k)->instances.count, kernel_at(&once, k)->instances.count);
    for (uint32_t f = 0; f < kernel_at(&once, k)->n_findings; ++f)
      assert_int_equal(kernel_at(&twice, k)->findings[f].others.count,
                       kernel_at(&once, k)->findings[f].others.count);
  }
  dc_folded_free(second);
  dc_folded_free(first);
  dc_unit_free(&unit);
}

// What a kernel stands for is merged with it, and stays when what was folded is folded with more.
static void names_are_taken_over(void **state) {
  (void)state;
  dc_unit unit;
  make_instances(&unit);
  assert_true(dc_name_list_add(&unit.kernels[0].instances, "void k<char>(char*)"));
  assert_true(dc_name_list_add(&unit.kernels[0].findings[1].others, "void k<char>(char*)"));
  dc_kernels all = dc_unit_kernels(&unit), shown;
  dc_folded *folded;
  assert_int_equal(dc_instances_fold(&all, &people, &folded, &shown, NULL), DC_OK);
  assert_int_equal(kernel_at(&shown, 1)->instances.count, 2);
  assert_int_equal(kernel_at(&shown, 1)->findings[0].others.count, 2);
  dc_folded_free(folded);
  dc_unit_free(&unit);
}

static void what_people_do_not_see_can_be_asked_for(void **state) {
  (void)state;
  dc_unit unit;
  make_instances(&unit);
  unit.kernels[3].library = true;
  dc_kernels all = dc_unit_kernels(&unit), shown;
  dc_folded *folded;
  assert_int_equal(dc_instances_fold(&all, &people, &folded, &shown, NULL), DC_OK);
  assert_int_equal(shown.n_kernels, 2);
  assert_int_equal(dc_folded_left_out(folded), 1);
  dc_folded_free(folded);
  const dc_fold_options whole = {.all_instances = true, .system_headers = true};
  assert_int_equal(dc_instances_fold(&all, &whole, &folded, &shown, NULL), DC_OK);
  assert_int_equal(shown.n_kernels, 4);
  assert_int_equal(dc_folded_left_out(folded), 0);
  dc_folded_free(folded);
  dc_unit_free(&unit);
}

static void kernels_without_a_place_stay(void **state) {
  (void)state;
  dc_unit unit = {0};
  add_kernel(&unit, "void k<int>(int*)", 0, 0.1);
  add_kernel(&unit, "void k<float>(float*)", 0, 0.2);
  dc_kernels all = dc_unit_kernels(&unit), shown;
  dc_folded *folded;
  assert_int_equal(dc_instances_fold(&all, &people, &folded, &shown, NULL), DC_OK);
  assert_int_equal(shown.n_kernels, 2);
  dc_folded_free(folded);
  dc_unit_free(&unit);
}

// As many findings as there were, over all that is kept and what it stands for, for any unit.
static void no_finding_is_lost(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    dc_unit unit = {0};
    uint32_t before = 0, after = 0;
    for (uint32_t k = 0; k < 8; ++k) {
      char name[40];
      snprintf(name, sizeof name, "void k<%u>(int*)", (unsigned)k);
      dc_unit_kernel *kernel = add_kernel(&unit, name, 7, (double)(seed * 7 + k * 5) / 11 - 0.1);
      kernel->estimates[0].imbalance.low = kernel->estimates[0].imbalance.high =
          (double)((seed + 3 * k) % 11);
      for (uint32_t line = 0; line < LINES; ++line)
        if ((seed >> ((k * LINES + line) % 8)) & 1) {
          add_finding(kernel, DC_RULE_BRANCH, 20 + line);
          ++before;
        }
    }
    dc_kernels all = dc_unit_kernels(&unit), shown;
    dc_folded *folded;
    assert_int_equal(dc_instances_fold(&all, &people, &folded, &shown, NULL), DC_OK);
    uint32_t kernels = shown.n_kernels;
    for (uint32_t k = 0; k < shown.n_kernels; ++k) {
      const dc_unit_kernel *kernel = kernel_at(&shown, k);
      kernels += kernel->instances.count;
      for (uint32_t f = 0; f < kernel->n_findings; ++f)
        after += 1 + kernel->findings[f].others.count;
    }
    assert_int_equal(after, before);
    assert_int_equal(kernels, 8);
    assert_true(shown.n_kernels <= 1 + LINES);
    dc_folded_free(folded);
    dc_unit_free(&unit);
  }
}

static void json_keeps_the_names(void **state) {
  (void)state;
  dc_unit unit, again;
  sample_unit(&unit);
  assert_true(dc_name_list_add(&unit.kernels[0].instances, "void a<1>()"));
  assert_true(dc_name_list_add(&unit.kernels[0].findings[0].others, "void a<1>()"));
  unit.kernels[1].library = true;
  char *text = json_of(&unit);
  FILE *stream = fmemopen(text, strlen(text), "r");
  assert_non_null(stream);
  assert_int_equal(dc_unit_read_json(stream, &again, NULL), DC_OK);
  fclose(stream);
  assert_int_equal(again.kernels[0].instances.count, 1);
  assert_true(again.kernels[1].library);
  char *second = json_of(&again);
  assert_string_equal(text, second);
  free(text);
  free(second);
  dc_unit_free(&again);
  dc_unit_free(&unit);
}

static void instances_are_told_by_what_they_differ_in(void **state) {
  (void)state;
  dc_name_list names = {0};
  char words[200];
  assert_int_equal(dc_instances_words(&names, words, sizeof words), 0);
  assert_true(dc_name_list_add(&names, "void n::k<float, (n::e)1>(float*)"));
  assert_true(dc_name_list_add(&names, "k(int*)"));
  dc_instances_words(&names, words, sizeof words);
  assert_string_equal(words, "<float, (n::e)1>, (int*)");
  for (unsigned k = 0; k < 7; ++k)
    assert_true(dc_name_list_add(&names, "void k<2>()"));
  dc_instances_words(&names, words, sizeof words);
  assert_string_equal(words, "<float, (n::e)1>, (int*), <2>, <2>, <2>, <2> and 3 more");
  dc_instances_words(&names, words, 50);
  assert_string_equal(words, "9 others");
  dc_name_list_free(&names);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(of_each_template_and_finding_the_worst_stays),
      cmocka_unit_test(folding_again_changes_nothing),
      cmocka_unit_test(names_are_taken_over),
      cmocka_unit_test(what_people_do_not_see_can_be_asked_for),
      cmocka_unit_test(kernels_without_a_place_stay),
      cmocka_unit_test(no_finding_is_lost),
      cmocka_unit_test(json_keeps_the_names),
      cmocka_unit_test(instances_are_told_by_what_they_differ_in),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
