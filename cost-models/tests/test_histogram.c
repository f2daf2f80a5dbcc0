// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Histograms: their format, each error with its line, files relative to a folder, and texts that
// carry the points of the files they named.
#define _POSIX_C_SOURCE 200809L // mkdtemp

#include "support.h"

#include "divcost/files.h"
#include "divcost/histogram.h"

#include <sys/stat.h>
#include <unistd.h>

static dc_status parse(const char *text, size_t length, dc_point *points, size_t capacity,
                       size_t *count, dc_error *error) {
  char *exact = malloc(length ? length : 1); // a sanitizer sees a read past the end
  memcpy(exact, text, length);
  dc_status status = dc_histogram_parse(exact, length, points, capacity, count, error);
  if (status != DC_OK)
    assert_true(error->offset <= length);
  free(exact);
  return status;
}

static void values_and_counts_are_read(void **state) {
  (void)state;
  static const char *const texts[] = {
      "3 10\n0 2.5\n3 1\n", "# head\n\n 3 10 # ten\n0\t,\t2.5\r\n3,1", "3,10\n0, 25e-1\n\n+3 1.#x",
      "\r\n3 1e1\n0 .25e1\n#\n3 1\n\n\n"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
    dc_point points[4];
    size_t count;
    dc_error error = {0};
    if (parse(texts[i], strlen(texts[i]), points, 4, &count, &error) != DC_OK)
      fail_msg("%s: %s", texts[i], error.text);
    assert_int_equal(count, 3);
    assert_true(points[0].value == 3 && points[0].mass == 10);
    assert_true(points[1].value == 0 && points[1].mass == 2.5);
    assert_true(points[2].value == 3 && points[2].mass == 1);
    points[1].value = 77; // beyond the capacity nothing is written, but it is counted
    assert_int_equal(parse(texts[i], strlen(texts[i]), points, 1, &count, &error), DC_OK);
    assert_int_equal(count, 3);
    assert_true(points[1].value == 77);
  }
}

static void errors_name_the_line(void **state) {
  (void)state;
  static const struct {
    const char *text;
    dc_status status;
    unsigned offset;
    const char *message;
  } cases[] = {
      {"", DC_ERROR_ARGUMENT, 0, "it has no values, but needs at least one"},
      {"# nothing\n\n", DC_ERROR_ARGUMENT, 0, "it has no values, but needs at least one"},
      {"3 0\n4 0\n", DC_ERROR_ARGUMENT, 0, "the counts are all 0, but one must be positive"},
      {"3 1e308\n4 1e308\n", DC_ERROR_ARGUMENT, 0,
       "the counts sum to more than a number can hold, 1.8e308"},
      {"3 1\nx 1\n", DC_ERROR_SYNTAX, 4,
       "line 2: expected a value, as in \"17 2\", a value and its count"},
      {"3 1\n\n# c\n3\n", DC_ERROR_SYNTAX, 10,
       "line 4: expected a count, as in \"17 2\", a value and its count"},
      {"3 x", DC_ERROR_SYNTAX, 2, NULL},
      {"3 nan", DC_ERROR_SYNTAX, 2, NULL},
      {"3:1", DC_ERROR_SYNTAX, 1, "line 1: expected a blank or a comma behind the value"},
      {"3,,1", DC_ERROR_SYNTAX, 2, NULL},
      {"3 1 4", DC_ERROR_SYNTAX, 4, "line 1: expected the end of the line behind the count"},
      {"3 1;", DC_ERROR_SYNTAX, 3, NULL},
      {"1 1\n-3 1", DC_ERROR_ARGUMENT, 4,
       "line 2: the value is -3, but must be a whole number from 0 to 8796093022208"},
      {"2.5 1", DC_ERROR_ARGUMENT, 0,
       "line 1: the value is 2.5, but must be a whole number from 0 to 8796093022208"},
      {"1e99 1", DC_ERROR_ARGUMENT, 0, NULL},
      {"3 -1", DC_ERROR_ARGUMENT, 2,
       "line 1: the count is -1, but must be finite and not negative"},
      {"3 1e999", DC_ERROR_ARGUMENT, 2,
       "line 1: the count is inf, but must be finite and not negative"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    dc_point points[4];
    size_t count;
    dc_error error = {0};
    dc_status status = parse(cases[i].text, strlen(cases[i].text), points, 4, &count, &error);
    if (status != cases[i].status || error.offset != cases[i].offset)
      fail_msg("%s: status %d at %u: %s", cases[i].text, status, error.offset, error.text);
    if (cases[i].message)
      assert_string_equal(error.text, cases[i].message);
  }
  dc_error error;
  size_t count;
  assert_int_equal(parse("3 1\0 4", 6, NULL, 0, &count, &error), DC_ERROR_SYNTAX);
  assert_int_equal(dc_histogram_parse(NULL, 0, NULL, 0, &count, &error), DC_ERROR_ARGUMENT);
  char digits[300];
  memset(digits, '1', sizeof digits);
  assert_int_equal(parse(digits, sizeof digits, NULL, 0, &count, &error), DC_ERROR_SYNTAX);
  assert_string_equal(error.text, "line 1: a number may have 128 characters, but this has more");
}

static void too_many_lines_are_refused(void **state) {
  (void)state;
  size_t length = 4 * (DC_POINTS_MAX + 1), count;
  char *text = malloc(length);
  for (size_t i = 0; i < length; ++i)
    text[i] = "1 1\n"[i % 4];
  dc_error error;
  assert_int_equal(dc_histogram_parse(text, length - 4, NULL, 0, &count, &error), DC_OK);
  assert_int_equal(count, DC_POINTS_MAX);
  assert_int_equal(dc_histogram_parse(text, length, NULL, 0, &count, &error), DC_ERROR_LIMIT);
  assert_string_equal(error.text,
                      "line 1000001: the histogram has more than 1000000 lines with values");
  free(text);
}

// ---- files -------------------------------------------------------------------------------------

static char folder[] = "/tmp/divcost-histogram-XXXXXX";

static int make_files(void **state) {
  (void)state;
  char path[100];
  if (!mkdtemp(folder))
    return 1;
  snprintf(path, sizeof path, "%s/rows.txt", folder);
  FILE *file = fopen(path, "w");
  if (!file)
    return 1;
  fputs("# rows\n3 10\n5, 30\n", file);
  fclose(file);
  snprintf(path, sizeof path, "%s/bad.txt", folder);
  file = fopen(path, "w");
  if (!file)
    return 1;
  fputs("3 10\n5 x\n", file);
  snprintf(path, sizeof path, "%s/pipe", folder);
  return fclose(file) != 0 || mkfifo(path, 0600) != 0;
}

static int remove_files(void **state) {
  (void)state;
  char path[100];
  snprintf(path, sizeof path, "%s/rows.txt", folder);
  remove(path);
  snprintf(path, sizeof path, "%s/bad.txt", folder);
  remove(path);
  snprintf(path, sizeof path, "%s/pipe", folder);
  remove(path);
  return rmdir(folder);
}

static void texts_carry_what_their_files_hold(void **state) {
  (void)state;
  char *text, absolute[200], wanted[300];
  dc_error error;
  assert_int_equal(
      dc_distribution_text("shift( histogram(\"rows.txt\"), 1)", folder, &text, &error), DC_OK);
  assert_string_equal(text, "shift(histogram(\"rows.txt\", 3:10, 5:30), 1)");
  // It stands for itself: no folder, the same text.
  char *again;
  assert_int_equal(dc_distribution_text(text, "/nowhere", &again, &error), DC_OK);
  assert_string_equal(again, text);
  made m = make(text, NULL);
  assert_close(dc_distribution_mean(&m.distribution), 1 + 4.5, 1e-15);
  release(&m);
  free(text), free(again);
  snprintf(absolute, sizeof absolute, "0.5*const(1) + 0.5*histogram(\"%s/rows.txt\")", folder);
  snprintf(wanted, sizeof wanted, "0.5*const(1) + 0.5*histogram(\"%s/rows.txt\", 3:10, 5:30)",
           folder);
  assert_int_equal(dc_distribution_text(absolute, "/nowhere", &text, &error), DC_OK);
  assert_string_equal(text, wanted);
  free(text);
  // Without a file, a text stays as it was written.
  assert_int_equal(dc_distribution_text("uniform(1, 8)", folder, &text, &error), DC_OK);
  assert_string_equal(text, "uniform(1, 8)");
  free(text);
}

static void bad_texts_and_files_are_refused(void **state) {
  (void)state;
  static const struct {
    const char *text;
    dc_status status;
    unsigned offset;
    const char *contains;
  } cases[] = {
      {"max(const(1), histogram(\"none.txt\"))", DC_ERROR_FILE, 14, "none.txt': No such file"},
      {"max(const(1), histogram(\"bad.txt\"))", DC_ERROR_SYNTAX, 14,
       "bad.txt': line 2: expected a count"},
      {"histogram(\".\")", DC_ERROR_FILE, 0, "it is no plain file"},
      {"histogram(\"/dev/zero\")", DC_ERROR_FILE, 0,
       "cannot read the histogram '/dev/zero': it is no plain file"},
      {"max(const(1), histogram(\"pipe\"))", DC_ERROR_FILE, 14, "pipe': it is no plain file"},
      {"max(const(1), given(histogram(\"rows.txt\"), 8, 9))", DC_ERROR_ARGUMENT, 14,
       "no value in there has any mass"},
      {"max(const(1), poison(3))", DC_ERROR_SYNTAX, 14, "unknown distribution"},
      {"max(const(1), uniform(0,1000000))", DC_ERROR_LIMIT, 14, "more than 1000000 values"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char *text = NULL;
    dc_error error = {.offset = 99};
    dc_status status = dc_distribution_text(cases[i].text, folder, &text, &error);
    if (status != cases[i].status || error.offset != cases[i].offset ||
        !strstr(error.text, cases[i].contains))
      fail_msg("%s: status %d at %u: %s", cases[i].text, status, error.offset, error.text);
    assert_null(text);
  }
}

static void embedding_checks_its_reader(void **state) {
  (void)state;
  dc_distribution_spec *spec, *copy;
  dc_error error;
  const char *text = "sum(histogram(\"rows.txt\"), list(1:2, 3:4), histogram(\"x\", 1:1))";
  assert_int_equal(dc_distribution_parse(text, &spec, &error), DC_OK);
  copy = spec;
  assert_int_equal(dc_distribution_embed(spec, NULL, &copy, &error), DC_ERROR_ARGUMENT);
  assert_int_equal(error.offset, 4);
  assert_null(copy);
  const dc_distribution_options options = {DC_CUT_DEFAULT, dc_histogram_read_file, folder};
  assert_int_equal(dc_distribution_embed(spec, &options, &copy, &error), DC_OK);
  dc_distribution_spec_free(spec); // the copy stands for itself
  char printed[200];
  dc_distribution_print(copy, printed, sizeof printed);
  assert_string_equal(printed, "sum(histogram(\"rows.txt\", 3:10, 5:30), list(1:2, 3:4), "
                               "histogram(\"x\", 1:1))");
  dc_distribution_spec_free(copy);
}

// ---- trips: a distribution and the correlation of the lanes -------------------------------------

static void trips_have_a_distribution_and_perhaps_a_correlation(void **state) {
  (void)state;
  static const struct {
    const char *text, *spec;
    double correlation;
  } cases[] = {
      {"poisson(30)", "poisson(30)", 0},
      {"poisson(30), per_warp_correlated(0.5)", "poisson(30)", 0.5},
      {"uniform(1,8) ,per_warp_correlated ( 1 ) ", "uniform(1,8)", 1},
      {"0.5*const(1) + 0.5*const(2), per_warp_correlated(0.12345678912)",
       "0.5*const(1) + 0.5*const(2)", 0.123456789},
      {"max(poisson(3), const(2)), per_warp_correlated(0)", "max(poisson(3), const(2))", 0},
      {"histogram(\"a)\\\",b\", 2:3), per_warp_correlated(.25)", "histogram(\"a)\\\",b\", 2:3)",
       0.25},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char *spec;
    double correlation;
    dc_error error = {0};
    if (dc_trips_text(cases[i].text, "", &spec, &correlation, &error) != DC_OK)
      fail_msg("%s: %s", cases[i].text, error.text);
    assert_string_equal(spec, cases[i].spec);
    assert_true(correlation == cases[i].correlation);
    free(spec);
  }
}

static void what_is_wrong_with_trips_is_said_where_it_stands(void **state) {
  (void)state;
  static const struct {
    const char *text;
    unsigned offset;
    const char *message;
  } cases[] = {
      {"poisson(-1), per_warp_correlated(0.5)", 0, "l of poisson is -1"},
      {"poisson(3),", 11, "expected per_warp_correlated(R) behind the comma"},
      {"poisson(3), correlated(1)", 12, "expected per_warp_correlated(R) behind the comma"},
      {"poisson(3), per_warp_correlated", 31, "expected '(' behind per_warp_correlated"},
      {"poisson(3), per_warp_correlated(x)", 32, "expected a number, R of per_warp_correlated"},
      {"poisson(3), per_warp_correlated(1.5)", 32,
       "R of per_warp_correlated is 1.5, but must be in [0, 1]"},
      {"poisson(3), per_warp_correlated(-1)", 32,
       "R of per_warp_correlated is -1, but must be in [0, 1]"},
      {"poisson(3), per_warp_correlated(0.5", 35, "expected ')' behind R"},
      {"poisson(3), per_warp_correlated(0.5), x", 36, "expected the end behind"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char *spec = (char *)"";
    double correlation;
    dc_error error = {0};
    assert_int_not_equal(dc_trips_text(cases[i].text, "", &spec, &correlation, &error), DC_OK);
    assert_null(spec);
    if (!strstr(error.text, cases[i].message) || error.offset != cases[i].offset)
      fail_msg("%s: %u: %s", cases[i].text, error.offset, error.text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_and_counts_are_read),
      cmocka_unit_test(errors_name_the_line),
      cmocka_unit_test(too_many_lines_are_refused),
      cmocka_unit_test(texts_carry_what_their_files_hold),
      cmocka_unit_test(bad_texts_and_files_are_refused),
      cmocka_unit_test(trips_have_a_distribution_and_perhaps_a_correlation),
      cmocka_unit_test(what_is_wrong_with_trips_is_said_where_it_stands),
      cmocka_unit_test(embedding_checks_its_reader),
  };
  return cmocka_run_group_tests_name("histogram", tests, make_files, remove_files);
}
