// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files of the matrix power's measurements: what is written is read back, and errors say where.
#include "power_results.h"

#include "support.h"

#include <unistd.h>

typedef struct folder {
  char path[64], prefix[80];
} folder;

static folder make_folder(void) {
  folder in = {"/tmp/divcost-power-XXXXXX", ""};
  assert_non_null(mkdtemp(in.path));
  snprintf(in.prefix, sizeof in.prefix, "%s/m", in.path);
  return in;
}

static FILE *open_in(const folder *in, const char *name, const char *mode) {
  char path[128];
  snprintf(path, sizeof path, "%s-%s.tsv", in->prefix, name);
  FILE *file = fopen(path, mode);
  assert_non_null(file);
  return file;
}

static void remove_folder(const folder *in) {
  static const char *const names[] = {"cells", "terms", "profiles"};
  char path[128];
  for (int n = 0; n < 3; ++n) {
    snprintf(path, sizeof path, "%s-%s.tsv", in->prefix, names[n]);
    unlink(path);
  }
  assert_int_equal(rmdir(in->path), 0);
}

static const power_cell cell = {.block = 256,
                                .lanes = 8,
                                .law = 3,
                                .sync = true,
                                .multiprocessors = 132,
                                .resident = 6,
                                .groups = 1024,
                                .expected = 1.25,
                                .error = 0.001,
                                .aggregate = 1.5,
                                .drawn_expected = 1.75,
                                .drawn_aggregate = 2,
                                .seconds = 0.5,
                                .balanced = 0.25,
                                .cycles = 123456789};
static const power_term term = {
    "crowd", 48, 24, 16, 32, true, 12, TERM_FIRST, {1000.5, 900, 1100, 17}};
static const power_profile profile = {2, 2, 1, true, 5, 4096.5, 77};

static void write_all(const folder *in) {
  FILE *cells = open_in(in, "cells", "w"), *terms = open_in(in, "terms", "w");
  FILE *profiles = open_in(in, "profiles", "w");
  power_cell_begin(cells, "made up");
  power_cell_write(cells, &cell);
  power_term_begin(terms, "made up");
  power_term_write(terms, &term);
  power_profile_begin(profiles, "made up");
  power_profile_write(profiles, &profile);
  fclose(cells);
  fclose(terms);
  fclose(profiles);
}

static void what_is_written_is_read_back(void **state) {
  (void)state;
  folder in = make_folder();
  power_results all;
  dc_error error;
  write_all(&in);
  if (power_results_read(in.prefix, &all, &error) != DC_OK)
    fail_msg("%s", error.text);
  assert_string_equal(all.origin, "made up");
  assert_int_equal(all.cell_count, 1);
  assert_int_equal(all.term_count, 1);
  assert_int_equal(all.profile_count, 1);
  assert_memory_equal(&all.cells[0], &cell, sizeof cell);
  assert_memory_equal(&all.terms[0], &term, sizeof term);
  assert_memory_equal(&all.profiles[0], &profile, sizeof profile);
  assert_ptr_equal(power_cell_find(&all, 3, 8, false, true), all.cells);
  assert_null(power_cell_find(&all, 3, 8, true, true));
  assert_ptr_equal(power_term_find(&all, "crowd", TERM_FIRST, 48, 24, 16, 32, true), all.terms);
  assert_null(power_term_find(&all, "crowd", TERM_FIRST, 48, 24, 16, 16, true));
  power_results_free(&all);
  remove_folder(&in);
}

static void a_bad_line_is_named(void **state) {
  (void)state;
  static const char *const lines[] = {
      "256\t8\tU(20,40)\t0\n",                                          // too short
      "256\t8\tU(2,4)\t0\t132\t6\t1024\t1\t0\t1\t1\t1\t1\t1\t1\n",      // no such law
      "256\t8\tU(20,40)\t0\t132\t6\t1024\tone\t0\t1\t1\t1\t1\t1\t1\n",  // not a number
      "256\t8\tU(20,40)\t0\t132\t6\t1024.5\t1\t0\t1\t1\t1\t1\t1\t1\n",  // not whole
      "256\t8\tU(20,40)\t0\t132\t6\t1030\t1\t0\t1\t1\t1\t1\t1\t1\n",    // not whole blocks
      "256\t8\tU(20,40)\t0\t132\t6\t1024\t1\t0\t1\t1\t1\t1\t1\t1\t1\n", // too long
  };
  for (unsigned i = 0; i < sizeof lines / sizeof *lines; ++i) {
    folder in = make_folder();
    power_results all;
    dc_error error;
    write_all(&in);
    FILE *cells = open_in(&in, "cells", "a");
    fputs(lines[i], cells);
    fclose(cells);
    assert_int_equal(power_results_read(in.prefix, &all, &error), DC_ERROR_SYNTAX);
    assert_non_null(strstr(error.text, "line 4"));
    remove_folder(&in);
  }
}

static void a_missing_file_is_named(void **state) {
  (void)state;
  power_results all;
  dc_error error;
  assert_int_equal(power_results_read("/nonexistent/m", &all, &error), DC_ERROR_FILE);
  assert_non_null(strstr(error.text, "/nonexistent/m-cells.tsv"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_written_is_read_back),
      cmocka_unit_test(a_bad_line_is_named),
      cmocka_unit_test(a_missing_file_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
