// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Costs from measurements: those that were recorded on an H200, and made-up ones of which the costs
// are known.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka wants these first.
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "calibration.h"
#include "fields.h"
#include "predict.h"

static calibration fitted;

static results recorded(void) {
  static const char *const files[] = {"loops", "branches", "instructions"};
  results all = {0};
  dc_error error;
  for (unsigned k = 0; k < 3; ++k) {
    char path[512];
    snprintf(path, sizeof path, DIVCOST_RESULTS "/%s.tsv", files[k]);
    if (results_read(path, &all, &error) != DC_OK)
      fail_msg("%s", error.text);
  }
  return all;
}

static dc_status fit_of(const results *all, const char *build, dc_error *error) {
  return calibration_fit(all, build, &fitted, error);
}

static bool is_loop(const char *kernel) { return strstr(kernel, "_loop") != NULL; }

// ---- an H200 ------------------------------------------------------------------------------------

static void costs_of_an_h200_are_whole_cycles_without_residual(void **state) {
  (void)state;
  results all = recorded();
  for (unsigned b = 0; b < 2; ++b) {
    dc_error error;
    if (fit_of(&all, b ? "nvcc" : "clang", &error) != DC_OK)
      fail_msg("%s", error.text);
    assert_true(fabs(fitted.exit.value - 13) < 1e-9);
    assert_true(fabs(fitted.branch.value - 16) < 1e-9);
    assert_true(fabs(fitted.displaced.value - 35) < 1e-9);
    assert_true(fitted.worst < 1e-9);
    assert_int_equal(fitted.predicated, 7);
    assert_int_equal(fitted.parted, 8);
  }
  results_free(&all);
}

// Fitted to 16 points of one pattern of one loop, the costs tell every other pattern, and the
// double loop, to the cycle; where lanes have no iteration at all, nvcc's guard takes 3 more.
static void sixteen_points_predict_all_loops_of_an_h200(void **state) {
  (void)state;
  results all = recorded();
  for (unsigned b = 0; b < 2; ++b) {
    dc_error error;
    unsigned points = 0;
    assert_int_equal(fit_of(&all, b ? "nvcc" : "clang", &error), DC_OK);
    for (unsigned k = 0; k < fitted.n_checks; ++k) {
      const calibration_check *check = &fitted.checks[k];
      if (!is_loop(check->kernel))
        continue;
      bool guarded = b == 1 && check->lanes == PATTERN_RANDOM;
      assert_true(check->worst_cycles < (guarded ? 3 + 1e-9 : 1e-9));
      assert_true(check->worst < 0.01);
      points += check->points;
    }
    assert_int_equal(points, 3 * (32 + 32 + 32 + 32 + 4 + 64 + 32 + 5));
  }
  results_free(&all);
}

// nvcc's ifs are exact; some of clang's skip by a branch more, which takes up to 5 cycles.
static void ifs_of_an_h200_are_predicted(void **state) {
  (void)state;
  results all = recorded();
  for (unsigned b = 0; b < 2; ++b) {
    dc_error error;
    unsigned ifs = 0;
    assert_int_equal(fit_of(&all, b ? "nvcc" : "clang", &error), DC_OK);
    for (unsigned k = 0; k < fitted.n_checks; ++k) {
      if (is_loop(fitted.checks[k].kernel))
        continue;
      assert_true(fitted.checks[k].worst_cycles < (b ? 1e-9 : 5 + 1e-9));
      ++ifs;
    }
    assert_int_equal(ifs, 10);
  }
  results_free(&all);
}

// ---- hardware counters --------------------------------------------------------------------------

// The single loop executes `alone` instructions in a lane that has n iterations, in three runs: 4
// in each iteration and 62 around them. All figures of a line of loops-counters.tsv.
static void expect_counted(char *line, const dc_arch *arch) {
  enum { BUILD, KERNEL, LANES_OF, PARAMETER, BRANCHES, DIVERGENT, WARPS_, THREADS, FIELDS };
  char *fields[FIELDS];
  unsigned parameter = 0, divergent = 0, of_warp = 0, of_threads = 0;
  int lanes[LANES], together[LANES];
  dc_emulation parted, alike;
  dc_error error;
  double alone = 0;
  assert_true(fields_split(line, fields, FIELDS) && field_unsigned(fields[PARAMETER], &parameter) &&
              field_unsigned(fields[DIVERGENT], &divergent) &&
              field_unsigned(fields[WARPS_], &of_warp) &&
              field_unsigned(fields[THREADS], &of_threads));
  assert_int_equal(pattern_lanes(pattern_parse(fields[LANES_OF]), parameter, lanes, &error), DC_OK);
  for (int lane = 0; lane < LANES; ++lane) {
    alone += 62 + MEASURE_RUNS * 4 * lanes[lane];
    together[lane] = 32; // as many as the longest lane has, in both patterns
  }
  assert_int_equal(predict_counts(fields[KERNEL], arch, lanes, &parted, &error), DC_OK);
  assert_int_equal(predict_counts(fields[KERNEL], arch, together, &alike, &error), DC_OK);
  assert_int_equal(divergent, MEASURE_RUNS * parted.divergent_branches);
  assert_int_equal(of_warp,
                   62 + MEASURE_RUNS * (4 * 32 + parted.instructions - alike.instructions));
  // Where the fewer lanes stay, each of them is counted once more in a run: 0.45% at most.
  assert_true(of_threads >= alone && of_threads <= 1.005 * alone);
}

static void an_h200_counts_what_the_emulator_does(void **state) {
  (void)state;
  char line[640];
  unsigned cases = 0;
  dc_arch arch;
  dc_error error;
  FILE *file = fopen(DIVCOST_RESULTS "/loops-counters.tsv", "r");
  assert_non_null(file);
  assert_int_equal(dc_arch_find("sm_90", &arch, &error), DC_OK);
  while (fgets(line, sizeof line, file)) {
    if (line[0] == '#' || strncmp(line, "build\t", 6) == 0)
      continue;
    expect_counted(line, &arch);
    ++cases;
  }
  fclose(file);
  assert_int_equal(cases, 64);
}

static void sides_of_an_if_else_are_as_long_as_its_name_says(void **state) {
  (void)state;
  int parted[LANES] = {1}, alike[LANES] = {0};
  dc_emulation some, none;
  dc_arch arch;
  dc_error error;
  assert_int_equal(dc_arch_find("sm_90", &arch, &error), DC_OK);
  assert_int_equal(predict_counts("if_else_128", &arch, parted, &some, &error), DC_OK);
  assert_int_equal(predict_counts("if_else_128", &arch, alike, &none, &error), DC_OK);
  // The other side, its jump to the end, and the barrier once more.
  assert_int_equal(some.instructions - none.instructions, 128 + 1 + 1);
  assert_int_equal(some.divergent_branches, 1);
  assert_int_equal(predict_counts("if_else_x", &arch, parted, &some, &error), DC_ERROR_ARGUMENT);
  assert_int_equal(predict_counts("if_else_257", &arch, parted, &some, &error), DC_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, "if_else_257: sides have 1 to 256 instructions"));
  assert_int_equal(predict_counts("saxpy", &arch, parted, &some, &error), DC_ERROR_ARGUMENT);
}

static void ncu_that_hangs_is_ended(void **state) {
  (void)state;
  char folder[] = "/tmp/divcost-ncu-XXXXXX", path[64], *before = strdup(getenv("PATH"));
  counters result;
  dc_arch arch;
  dc_error error;
  assert_int_equal(dc_arch_find("sm_90", &arch, &error), DC_OK);
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/ncu", folder);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs("#!/bin/sh\n/bin/sleep 1000\n", file);
  fclose(file);
  assert_int_equal(chmod(path, 0700), 0);
  setenv("PATH", folder, 1);
  counters_measure("/nonexistent/divcost", &arch, 0.5, &result);
  setenv("PATH", before, 1);
  free(before);
  remove(path);
  remove(folder);
  assert_string_equal(result.why_not, "ncu: it hasn't ended after 0.5 seconds");
  assert_int_equal(result.count, 0);
}

// ---- made-up measurements -----------------------------------------------------------------------

// What an architecture would measure in the single loop, for one pattern.
static void make_up(results *all, const dc_arch *arch, double base, pattern which) {
  dc_error error;
  for (unsigned n = 0; n < 32; ++n) {
    int lanes[LANES];
    double managing;
    result item = {.build = "clang", .kernel = "single_loop", .lanes = which, .parameter = n};
    assert_int_equal(pattern_lanes(which, n, lanes, &error), DC_OK);
    assert_int_equal(predict_managing(SHAPE_SINGLE_LOOP, arch, lanes, &managing, &error), DC_OK);
    item.cycles = (sample){base + managing, base + managing, base + managing, 1};
    assert_int_equal(results_add(all, &item, &error), DC_OK);
  }
}

static void a_stacks_size_and_costs_are_found(void **state) {
  (void)state;
  static const struct {
    const char *arch;
    unsigned entries, chunk;
    double branch, spill;
  } made_up[] = {{"sm_35", 16, 4, 32, 84}, {"sm_52", 12, 2, 26.5, 170}};
  for (size_t k = 0; k < sizeof made_up / sizeof *made_up; ++k) {
    dc_arch arch;
    dc_error error;
    results all = {0};
    assert_int_equal(dc_arch_find(made_up[k].arch, &arch, &error), DC_OK);
    snprintf(all.origin, sizeof all.origin, "made up (%s)", made_up[k].arch);
    arch.stack_entries = made_up[k].entries;
    arch.spill_entries = made_up[k].chunk;
    arch.divergent_branch = arch.divergent_exit = made_up[k].branch;
    arch.spill = made_up[k].spill;
    make_up(&all, &arch, 1000, PATTERN_PAPER);
    if (fit_of(&all, "clang", &error) != DC_OK)
      fail_msg("%s", error.text);
    assert_int_equal(fitted.arch.stack_entries, made_up[k].entries);
    assert_int_equal(fitted.arch.spill_entries, made_up[k].chunk);
    assert_true(fabs(fitted.branch.value - made_up[k].branch) < 1e-9);
    assert_true(fabs(fitted.spill.value - made_up[k].spill) < 1e-9);
    results_free(&all);
  }
}

static void expect_refusal(results *all, const char *what) {
  dc_error error;
  assert_int_equal(fit_of(all, "clang", &error), DC_ERROR_ARGUMENT);
  if (!strstr(error.text, what))
    fail_msg("'%s' has no '%s'", error.text, what);
}

static void no_costs_come_from_noise(void **state) {
  (void)state;
  dc_arch arch;
  dc_error error;
  results all = {.origin = "made up (sm_90)"};
  assert_int_equal(dc_arch_find("sm_90", &arch, &error), DC_OK);
  make_up(&all, &arch, 1000, PATTERN_PAPER);
  assert_int_equal(fit_of(&all, "clang", &error), DC_OK);
  all.items[5].cycles.greatest *= 1.1; // one launch of one case in 32
  expect_refusal(&all, "the GPU was disturbed");
  all.items[5].cycles.greatest = all.items[5].cycles.median;
  all.items[5].cycles.median += 100; // doesn't follow the rules
  expect_refusal(&all, "doesn't follow the rules 'barriers'");
  all.items[5].cycles.median -= 100;
  all.items[3].parameter = 40;
  expect_refusal(&all, "no single_loop, paper 3");
  strcpy(all.origin, "somewhere");
  expect_refusal(&all, "which GPU");
  results_free(&all);
}

// ---- least squares ------------------------------------------------------------------------------

static void least_squares_tell_values_errors_and_what_is_not_known(void **state) {
  (void)state;
  fit result;
  dc_error error;
  // y = 2 + 3 x, with residuals of +-0.1; the third column is twice the second.
  const double rows[] = {1, 0, 0, 1, 1, 2, 1, 2, 4, 1, 3, 6};
  const double y[] = {2.1, 4.9, 7.9, 11.1};
  assert_int_equal(fit_least_squares(rows, y, 4, 3, &result, &error), DC_OK);
  assert_true(fabs(result.unknowns[0].value - 2) < 1e-9);
  assert_true(fabs(result.unknowns[1].value - 3) < 1e-9);
  assert_false(result.unknowns[2].known);
  // Residuals squared 0.04 in all, two degrees of freedom, sum of (x - 1.5)^2 = 5.
  assert_true(fabs(result.unknowns[1].error - sqrt(0.02 / 5)) < 1e-9);
  assert_true(fabs(result.worst - 0.1) < 1e-9);
  assert_int_equal(fit_least_squares(rows, y, 1, 2, &result, &error), DC_OK); // one is not known
  assert_int_equal(fit_least_squares(rows, y, 4, 7, &result, &error), DC_ERROR_ARGUMENT);
}

// ---- files --------------------------------------------------------------------------------------

static results read_text(const char *text, dc_status expected, const char *message) {
  char path[] = "/tmp/divcost-results-XXXXXX";
  results all = {0};
  dc_error error = {0};
  int file = mkstemp(path);
  FILE *stream = file >= 0 ? fdopen(file, "w") : NULL;
  if (!stream) {
    fail_msg("cannot write %s", path);
    return all;
  }
  fputs(text, stream);
  fclose(stream);
  assert_int_equal(results_read(path, &all, &error), expected);
  remove(path);
  if (message && !strstr(error.text, message))
    fail_msg("'%s' has no '%s'", error.text, message);
  return all;
}

static void results_are_read_and_mistakes_told_by_line(void **state) {
  (void)state;
  results all =
      read_text("# here (sm_90)\nclang\tk\tpaper\t3\t0\t0\t1\t5.5\t5\t6\t9\n", DC_OK, NULL);
  assert_string_equal(all.origin, "here (sm_90)");
  const result *item = results_find(&all, "clang", "k", PATTERN_PAPER, 3, 1);
  assert_true(item && item->cycles.median == 5.5 && item->cycles.launches == 9);
  assert_null(results_find(&all, "nvcc", "k", PATTERN_PAPER, 3, 1));
  results_free(&all);
  static const char *const wrong[] = {
      "# here\nclang\tk\tpapers\t3\t0\t0\t1\t5.5\t5\t6\t9\n", // no pattern
      "# here\nclang\tk\tpaper\t3\t0\t0\t1\t5.5\t5\t6\n",     // a field less
      "# here\nclang\tk\tpaper\t3\t0\t0\t1\t5.5\t5\t6\t9\t9\n",
      "# here\nclang\tk\tpaper\t3\t0\t0\t1\t5.5\t5\t6\t9\t\n",
      "# here\ncompiler\tk\tpaper\t3\t0\t0\t1\t5.5\t5\t6\t9\n", // too long
      "# here\nclang\t\tpaper\t3\t0\t0\t1\t5.5\t5\t6\t9\n",
      "# here\nclang\tk\tpaper\t3\t0\t0\t1\t0\t0\t6\t9\n", // no time
      "# here\nclang\tk\tpaper\t3\t0\t0\t1\t5.5\t5.6\t6\t9\n",
      "# here\nclang\tk\tpaper\t3\t0\t0\t1\t5.5\t5\t5.4\t9\n"};
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
    all = read_text(wrong[k], DC_ERROR_SYNTAX, "line 2: not a measurement");
    results_free(&all);
  }
}

// The line with one number replaced.
static void expect_number(unsigned column, const char *number, dc_status status) {
  static const char *const usual[] = {"3", "0", "0", "1", "5.5", "5", "6", "9"};
  char text[256] = "# here\nclang\tk\tpaper";
  for (unsigned c = 0; c < 8; ++c) {
    strcat(text, "\t");
    strcat(text, c == column ? number : usual[c]);
  }
  strcat(text, "\n");
  results all = read_text(text, status, status == DC_OK ? NULL : "line 2: not a measurement");
  assert_int_equal(all.count, status == DC_OK);
  results_free(&all);
}

static void numbers_of_results_are_nothing_but_numbers_in_range(void **state) {
  (void)state;
  enum { PARAMETER, WARPS, ARGUMENT, ROW, MEDIAN, LEAST, GREATEST, LAUNCHES };
  static const char *const garbage[] = {"", "x", "3x", " 3", "3 ", "0x3", "3,5", "--3", "-", "1\r"};
  for (unsigned column = PARAMETER; column <= LAUNCHES; ++column) {
    for (size_t k = 0; k < sizeof garbage / sizeof *garbage; ++k)
      expect_number(column, garbage[k], DC_ERROR_SYNTAX);
    bool whole = column < MEDIAN || column == LAUNCHES, most = column == GREATEST;
    expect_number(column, "4294967296", most ? DC_OK : DC_ERROR_SYNTAX);
    expect_number(column, "99999999999999999999", most ? DC_OK : DC_ERROR_SYNTAX);
    expect_number(column, "-1", column == ARGUMENT ? DC_OK : DC_ERROR_SYNTAX);
    expect_number(column, "4294967295",
                  most || (whole && column != ARGUMENT) ? DC_OK : DC_ERROR_SYNTAX);
    expect_number(column, "2.5e3", most ? DC_OK : DC_ERROR_SYNTAX);
    expect_number(column, "2.5e-3", column == LEAST ? DC_OK : DC_ERROR_SYNTAX);
    expect_number(column, "1e999", DC_ERROR_SYNTAX);
    expect_number(column, "nan", DC_ERROR_SYNTAX);
    expect_number(column, "inf", DC_ERROR_SYNTAX);
  }
  expect_number(ARGUMENT, "-2147483649", DC_ERROR_SYNTAX);
}

static void kernels_that_run_no_rounds_measure_no_instruction(void **state) {
  (void)state;
  results all = recorded();
  dc_error error;
  for (unsigned k = 0; k < all.count; ++k)
    if (strcmp(all.items[k].kernel, "global_issue_4") == 0)
      all.items[k].argument = 0;
  assert_int_equal(fit_of(&all, "clang", &error), DC_OK);
  assert_false(fitted.issue[DC_MIX_GLOBAL].known);
  assert_true(fitted.issue[DC_MIX_SHARED].known);
  results_free(&all);
}

static void patterns_have_names_and_ranges(void **state) {
  (void)state;
  int lanes[LANES];
  dc_error error;
  for (unsigned which = 0; which < PATTERN_COUNT; ++which)
    assert_int_equal(pattern_parse(pattern_name((pattern)which)), which);
  assert_int_equal(pattern_parse("none"), PATTERN_COUNT);
  assert_int_equal(pattern_lanes(PATTERN_PAPER, 32, lanes, &error), DC_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, "0 .. 31"));
  assert_int_equal(pattern_lanes(PATTERN_HALVES, 2, lanes, &error), DC_OK);
  assert_true(lanes[0] == 24 && lanes[16] == 24 && lanes[17] == 28 && lanes[25] == 32);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(costs_of_an_h200_are_whole_cycles_without_residual),
      cmocka_unit_test(sixteen_points_predict_all_loops_of_an_h200),
      cmocka_unit_test(ifs_of_an_h200_are_predicted),
      cmocka_unit_test(an_h200_counts_what_the_emulator_does),
      cmocka_unit_test(sides_of_an_if_else_are_as_long_as_its_name_says),
      cmocka_unit_test(ncu_that_hangs_is_ended),
      cmocka_unit_test(a_stacks_size_and_costs_are_found),
      cmocka_unit_test(no_costs_come_from_noise),
      cmocka_unit_test(least_squares_tell_values_errors_and_what_is_not_known),
      cmocka_unit_test(results_are_read_and_mistakes_told_by_line),
      cmocka_unit_test(numbers_of_results_are_nothing_but_numbers_in_range),
      cmocka_unit_test(kernels_that_run_no_rounds_measure_no_instruction),
      cmocka_unit_test(patterns_have_names_and_ranges),
  };
  return cmocka_run_group_tests_name("calibration", tests, NULL, NULL);
}
