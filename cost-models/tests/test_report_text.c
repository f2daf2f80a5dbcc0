// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The report for people: the sample's, letter by letter (data/report.txt), and what holds for every
// report. When the report changes on purpose, read the new one, which the test leaves in the
// working directory, and put it into data.
#define _POSIX_C_SOURCE 200809L // open_memstream

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sample_unit.h"

#include "divcost/report.h"
#include "divcost/words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *file_contents(const char *path) {
  FILE *stream = fopen(path, "r");
  if (!stream)
    return calloc(1, 1);
  char *text = calloc(65536, 1);
  size_t size = fread(text, 1, 65535, stream);
  text[size] = 0;
  fclose(stream);
  return text;
}

static void the_report_of_the_sample_is_as_it_was(void **state) {
  (void)state;
  dc_unit unit;
  sample_unit(&unit);
  char *actual = text_of_unit(&unit, false);
  char *expected = file_contents(DIVCOST_TEST_DATA "/report.txt");
  bool same = strcmp(actual, expected) == 0;
  if (!same) {
    FILE *stream = fopen("report.txt", "w");
    assert_non_null(stream);
    fputs(actual, stream);
    fclose(stream);
    print_error("the report differs from data/report.txt, see report.txt here\n");
  }
  free(actual);
  free(expected);
  dc_unit_free(&unit);
  assert_true(same);
}

// What a function writes of the sample's kernel 0 and its loop 0.
static char *part_of_sample(const dc_unit *unit, bool loop) {
  char *text = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&text, &size);
  assert_non_null(stream);
  dc_status status = loop ? dc_text_write_loop(unit, 0, 0, stream, NULL)
                          : dc_text_write_kernel(unit, 0, stream, NULL);
  fclose(stream);
  assert_int_equal(status, DC_OK);
  return text;
}

static void parts_of_the_report_say_what_the_whole_says(void **state) {
  (void)state;
  dc_unit unit;
  sample_unit(&unit);
  char *whole = text_of_unit(&unit, false), *kernel = part_of_sample(&unit, false),
       *loop = part_of_sample(&unit, true);
  assert_non_null(strstr(whole, kernel));
  assert_null(strstr(kernel, "class"));
  assert_int_equal(strncmp(loop, "loses ", 6), 0);
  assert_null(strstr(loop, "kernel time"));
  for (uint32_t e = 0; e < unit.kernels[0].n_estimates; ++e)
    unit.kernels[0].estimates[e].time =
        (dc_time_estimate){.known = true, .seconds = {1e-3, 3e-3}, .lost = {{0.1, 0.3}}};
  char *timed = part_of_sample(&unit, true);
  assert_non_null(strstr(timed, "\n  kernel time   1..3 ms; goes to "));
  assert_non_null(
      strstr(timed, "; divergence costs 10 to 30% of\n                the kernel's time\n"));
  free(timed);
  unsigned lines = 0;
  for (char *line = strtok(loop, "\n"); line; line = strtok(NULL, "\n"), ++lines)
    if (lines < 3)
      assert_non_null(strstr(whole, line));
  assert_true(lines > 6);
  free(whole);
  free(kernel);
  free(loop);
  dc_unit_free(&unit);
}

// Columns of the longest line.
static size_t width_of(const char *text) {
  size_t longest = 0, columns = 0;
  for (; *text; ++text) {
    columns = *text == '\n' ? 0 : columns + (((unsigned char)*text & 0xc0) != 0x80);
    longest = columns > longest ? columns : longest;
  }
  return longest;
}

static void lines_end_at_80_columns(void **state) {
  (void)state;
  dc_unit unit;
  sample_unit(&unit);
  char *text = text_of_unit(&unit, false);
  assert_true(width_of(text) <= 80);
  for (const char *end = text; (end = strchr(end, '\n')); ++end)
    assert_true(end == text || end[-1] != ' '); // nor blanks at their end
  free(text);
  dc_unit_free(&unit);
}

static void colour_adds_escapes_and_nothing_else(void **state) {
  (void)state;
  dc_unit unit;
  sample_unit(&unit);
  char *plain = text_of_unit(&unit, false), *colour = text_of_unit(&unit, true), *to = colour;
  assert_null(strchr(plain, '\033'));
  assert_non_null(strchr(colour, '\033'));
  for (const char *from = colour; *from; ++from) {
    if (*from == '\033')
      from = strchr(from, 'm');
    else
      *to++ = *from;
  }
  *to = 0;
  assert_string_equal(plain, colour);
  free(plain);
  free(colour);
  dc_unit_free(&unit);
}

// Names and messages come from anywhere: they must not steer the terminal.
static void no_control_character_gets_through(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    dc_unit unit;
    random_unit(&unit, seed);
    char *text = text_of_unit(&unit, false);
    for (const char *byte = text; *byte; ++byte)
      assert_true(*byte == '\n' || ((unsigned char)*byte >= 0x20 && *byte != 0x7f));
    free(text);
    dc_unit_free(&unit);
  }
}

// Where `needle` is, which must be in the text.
static size_t place_of(const char *text, const char *needle) {
  const char *found = strstr(text, needle);
  if (!found)
    fail_msg("'%s' is missing in:\n%s", needle, text);
  return (size_t)(found - text);
}

static void worst_comes_first(void **state) {
  (void)state;
  dc_unit unit;
  sample_unit(&unit);
  for (uint32_t k = 0; k < 2; ++k) { // saxpy becomes the worst, and bfs' last loop its worst
    unit.kernels[2].estimates[k].share = (dc_interval){0.9, 0.9};
    unit.kernels[1].estimates[k].loops[2].share = (dc_interval){0.7, 0.7};
  }
  char *text = text_of_unit(&unit, false);
  assert_true(place_of(text, "\nsaxpy(") < place_of(text, "\nspmv_csr("));
  assert_true(place_of(text, "sparse.cu:23:3") < place_of(text, "sparse.cu:14:2 "));
  assert_true(place_of(text, "sparse.cu:14:2 ") < place_of(text, "    src/sparse.cu:15:5 "));
  free(text);
  dc_unit_free(&unit);
}

static void seconds_have_three_digits_and_their_unit(void **state) {
  (void)state;
  static const struct {
    double seconds;
    const char *words;
  } cases[] = {{-1, "-"},
               {0, "0"},
               {4.53e-5, "45.3 us"},
               {1e-9, "0.001 us"},
               {999.4e-6, "999 us"},
               {999.6e-6, "1 ms"},
               {0.9996, "1 s"},
               {2.5, "2.5 s"}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    char words[40];
    assert_int_equal(dc_seconds_words(cases[k].seconds, words, sizeof words),
                     strlen(cases[k].words));
    assert_string_equal(words, cases[k].words);
  }
}

// saxpy loses little of its issue cycles and of a long time, spmv_csr most of them and none of its
// time; bfs' time isn't known.
static void time_that_is_lost_comes_first(void **state) {
  (void)state;
  dc_unit unit;
  sample_unit(&unit);
  uint32_t order[3];
  dc_kernels kernels = dc_unit_kernels(&unit);
  dc_time_estimate *saxpy = &unit.kernels[2].estimates[1].time;
  *saxpy = (dc_time_estimate){.known = true, .seconds = {1e-3, 3e-3}, .lost = {{-0.02, 0.06}}};
  unit.kernels[0].estimates[0].time =
      (dc_time_estimate){.known = true, .seconds = {1e-3, 3e-3}, .lost = {{-0.06, 0.02}}};
  assert_true(fabs(dc_time_lost(&unit.kernels[2]) - 40e-6) < 1e-12);
  assert_true(dc_time_lost(&unit.kernels[0]) == 0);
  assert_true(dc_time_lost(&unit.kernels[1]) < 0);
  assert_int_equal(dc_worst_first(&kernels, order, NULL), DC_OK);
  assert_true(order[0] == 2 && order[1] == 1 && order[2] == 0);
  char *text = text_of_unit(&unit, false);
  place_of(text,
           "  time lost      lost   efficiency      issue cycles   kernel\n      40 us        0%");
  place_of(text, "          -   13..81%");
  place_of(text, "          0       45%");
  free(text);
  unit.kernels[0].estimates[0].time =
      (dc_time_estimate){.known = true, .seconds = {1, 1}, .lost = {{0.1, 0.3}}};
  assert_int_equal(dc_worst_first(&kernels, order, NULL), DC_OK);
  assert_true(order[0] == 0 && order[1] == 2 && order[2] == 1);
  dc_unit_free(&unit);
}

static void what_is_not_known_is_not_made_up(void **state) {
  (void)state;
  dc_unit unit;
  sample_part(&unit, 90);
  dc_estimate *estimate = &unit.kernels[0].estimates[0];
  dc_interval none = {-1, -1};
  estimate->cycles = estimate->imbalance = estimate->reconvergence = estimate->share = none;
  estimate->loops[0].body = estimate->loops[0].imbalance = estimate->loops[0].share = none;
  dc_estimate_free(&unit.kernels[0].estimates[1]);
  unit.kernels[0].n_estimates = 1;
  unit.n_kernels = 1;
  char *text = text_of_unit(&unit, false);
  place_of(text,
           "  sm_90   256            not known         -          -             -        57%");
  assert_null(strstr(text, "loses"));
  assert_null(strstr(text, "per warp,  of"));
  free(text);
  dc_estimate_free(&unit.kernels[0].estimates[0]); // and without any estimate
  unit.kernels[0].n_estimates = 0;
  text = text_of_unit(&unit, false);
  place_of(text, "data-dependent loop\n");
  assert_null(strstr(text, "in aggregate"));
  free(text);
  unit.n_kernels = 3;
  dc_unit_free(&unit);
}

static void annotations_are_shown_with_what_gave_them(void **state) {
  (void)state;
  dc_unit unit;
  sample_part(&unit, 90);
  dc_kernel *kernel = &unit.kernels[0].kernel;
  kernel->loops[0].distribution_at = dc_kernel_add_text(kernel, "notes/rows.json: loops[2]");
  kernel->loops[0].correlation = 0.25;
  kernel->loops[0].ignored = dc_kernel_add_text(kernel, "rows are sorted");
  kernel->loops[0].ignored_at = dc_kernel_add_text(kernel, "src/sparse.cu:7");
  char *text = text_of_unit(&unit, false);
  place_of(text, "poisson(30), lanes of a warp correlated by 0.25, annotated at\n"
                 "                  rows.json: loops[2]; mean 30\n");
  place_of(text, "    ignored       rows are sorted (sparse.cu:7)\n");
  free(text);
  dc_unit_free(&unit);
}

// Compilers know files by their full names, readers by what they typed.
static void files_are_named_as_the_user_did(void **state) {
  (void)state;
  dc_unit unit;
  sample_part(&unit, 90);
  for (uint32_t k = 0; k < unit.n_kernels; ++k) {
    dc_kernel *kernel = &unit.kernels[k].kernel;
    dc_text file = dc_kernel_add_text(kernel, "/home/me/project/src/sparse.cu");
    for (uint32_t l = 0; l < kernel->n_locations; ++l)
      kernel->locations[l].file = file;
    kernel->locations[kernel->loops[0].location].file =
        dc_kernel_add_text(kernel, "/home/me/project/include/loop.h");
  }
  char *text = text_of_unit(&unit, false);
  place_of(text, "  at            src/sparse.cu:1:17\n");
  place_of(text, "  include/loop.h:8:3  loses 40%");
  assert_null(strstr(text, "/home"));
  free(text);
  dc_unit_free(&unit);
}

static void branches_show_where_they_cost(void **state) {
  (void)state;
  dc_unit unit;
  sample_part(&unit, 90);
  dc_unit_kernel *spmv = &unit.kernels[0];
  spmv->kernel.branches[0].exits = DC_NONE; // leaves no loop, and takes 157 of 12480 cycles
  for (uint32_t k = 0; k < spmv->n_estimates; ++k)
    spmv->estimates[k].loops[0].reconvergence = (dc_interval){0, 0};
  char *text = text_of_unit(&unit, false);
  place_of(text, "\n  src/sparse.cu:8:3  divergent branch: row[r] < row[r + 1]\n");
  free(text);
  for (uint32_t k = 0; k < spmv->n_estimates; ++k)
    spmv->estimates[k].reconvergence = (dc_interval){100, 100}; // below 1%
  text = text_of_unit(&unit, false);
  assert_null(strstr(text, "divergent branch:"));
  free(text);
  dc_unit_free(&unit);
}

// A kernel that calls what is in none of its figures doesn't lose nothing without a word.
static void calls_that_are_left_out_are_said(void **state) {
  (void)state;
  dc_unit unit;
  sample_part(&unit, 90);
  dc_kernel *kernel = &unit.kernels[2].kernel; // of no loss
  dc_kernel_add_call(kernel, DC_CALL_NOT_INLINED, "walk(int)");
  dc_kernel_add_call(kernel, DC_CALL_ELSEWHERE, "ext(int)");
  for (unsigned k = 0; k < 6; ++k) {
    char name[] = "f0(int)";
    name[1] = (char)('0' + k);
    dc_kernel_add_call(kernel, DC_CALL_POINTER, name);
  }
  char *text = text_of_unit(&unit, false);
  place_of(text, "saxpy, without its calls\n");
  place_of(text, "  calls         of functions that aren't inlined (walk(int); through a pointer:\n"
                 "                f0(int), f1(int), f2(int), f3(int) and 2 more; in another unit:\n"
                 "                ext(int)): what happens in them is in none of the kernel's\n"
                 "                figures\n");
  free(text);
  kernel->n_calls = 0;
  dc_kernel_add_call(kernel, DC_CALL_POINTER, "");
  text = text_of_unit(&unit, false);
  place_of(text, "(through a pointer: not known");
  free(text);
  dc_unit_free(&unit);
}

static void a_unit_without_kernels_says_so(void **state) {
  (void)state;
  dc_unit unit = {0};
  char *text = text_of_unit(&unit, false);
  assert_non_null(strstr(text, "no kernels"));
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_report_of_the_sample_is_as_it_was),
      cmocka_unit_test(parts_of_the_report_say_what_the_whole_says),
      cmocka_unit_test(lines_end_at_80_columns),
      cmocka_unit_test(colour_adds_escapes_and_nothing_else),
      cmocka_unit_test(no_control_character_gets_through),
      cmocka_unit_test(worst_comes_first),
      cmocka_unit_test(time_that_is_lost_comes_first),
      cmocka_unit_test(seconds_have_three_digits_and_their_unit),
      cmocka_unit_test(what_is_not_known_is_not_made_up),
      cmocka_unit_test(annotations_are_shown_with_what_gave_them),
      cmocka_unit_test(files_are_named_as_the_user_did),
      cmocka_unit_test(branches_show_where_they_cost),
      cmocka_unit_test(calls_that_are_left_out_are_said),
      cmocka_unit_test(a_unit_without_kernels_says_so),
  };
  return cmocka_run_group_tests_name("report_text", tests, NULL, NULL);
}
