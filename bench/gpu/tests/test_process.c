// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs that are run for their output, well-behaved ones and others.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka wants these first.
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "process.h"

static dc_status run(const char *script, double limit, process_result *result, dc_error *error) {
  char shell[] = "/bin/sh", option[] = "-c", text[512];
  char *const arguments[] = {shell, option, text, NULL};
  snprintf(text, sizeof text, "%s", script);
  return process_run(arguments, limit, result, error);
}

static void output_of_both_streams_and_the_status_come_back(void **state) {
  (void)state;
  process_result done;
  dc_error error;
  assert_int_equal(run("echo out; echo err >&2; exit 7", 60, &done, &error), DC_OK);
  assert_string_equal(done.output, "out\nerr\n");
  assert_int_equal(done.status, 7);
  free(done.output);
  assert_int_equal(run("kill -9 $$", 60, &done, &error), DC_OK);
  assert_string_equal(done.output, "");
  assert_int_equal(done.status, 128 + 9);
  free(done.output);
}

static void its_folder_is_removed_with_all_that_is_in_it(void **state) {
  (void)state;
  process_result done;
  dc_error error;
  assert_int_equal(run("test \"$HOME\" = \"$TMPDIR\" && mkdir -p \"$HOME/a/b\" && "
                       "echo x >\"$HOME/a/b/c\" && ln -s / \"$HOME/root\" && printf %s \"$HOME\"",
                       60, &done, &error),
                   DC_OK);
  assert_int_equal(done.status, 0);
  assert_int_equal(done.output[0], '/');
  assert_int_equal(access(done.output, F_OK), -1);
  assert_int_equal(access("/", F_OK), 0);
  free(done.output);
}

// What was killed may stay for a while as a zombie, until its new parent asks for it.
static bool is_alive(pid_t process) {
  char path[64], state = 'Z';
  for (int tries = 0; tries < 3000; ++tries) {
    snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    FILE *file = fopen(path, "r");
    bool read = file && fscanf(file, "%*d %*s %c", &state) == 1;
    if (file)
      fclose(file);
    if (!read || state == 'Z' || state == 'X')
      return false;
    nanosleep(&(struct timespec){0, 20000000}, NULL);
  }
  return true;
}

// The processes write their numbers to a file, as there is no output of what is killed. False: it
// was killed before that.
static bool begins_and_is_killed(const char *script, double limit, const char *why) {
  char path[] = "/tmp/divcost-process-XXXXXX", text[512];
  int file = mkstemp(path), processes[2];
  process_result done;
  dc_error error;
  assert_true(file >= 0);
  snprintf(text, sizeof text, "sleep 1000 & echo $$ $! >%s; %s", path, script);
  dc_status status = run(text, limit, &done, &error);
  assert_int_equal(status, why ? DC_ERROR_LIMIT : DC_OK);
  if (why)
    assert_non_null(strstr(error.text, why));
  FILE *stream = fdopen(file, "r");
  assert_non_null(stream);
  bool began = fscanf(stream, "%d %d", &processes[0], &processes[1]) == 2;
  fclose(stream);
  remove(path);
  assert_false(began && (is_alive(processes[0]) || is_alive(processes[1])));
  free(done.output);
  return began;
}

// On a busy machine a program takes a while to begin.
static void expect_killed(const char *script, double limit, const char *why) {
  while (!begins_and_is_killed(script, limit, why)) {
    limit *= 4;
    assert_true(limit < 1000);
  }
}

static void what_hangs_is_killed_with_its_children(void **state) {
  (void)state;
  process_result done;
  dc_error error;
  assert_int_equal(run("sleep 1000", 0.5, &done, &error), DC_ERROR_LIMIT);
  assert_non_null(strstr(error.text, "it hasn't ended after 0.5 seconds"));
  free(done.output);
  expect_killed("wait", 0.5, "it hasn't ended");
  expect_killed("exec >/dev/null 2>&1; wait", 0.5, "it hasn't ended"); // and closed its output
  expect_killed("trap '' TERM; wait", 0.5, "it hasn't ended");
}

static void what_prints_without_end_is_killed(void **state) {
  (void)state;
  expect_killed("yes", 60, "it prints more than 4 MiB");
}

static void children_that_it_leaves_are_killed(void **state) {
  (void)state;
  expect_killed("exit 0", 60, NULL);
}

static void what_is_no_program_ends_with_127(void **state) {
  (void)state;
  process_result done;
  dc_error error;
  char none[] = "/nonexistent/ncu";
  char *const arguments[] = {none, NULL};
  assert_int_equal(process_run(arguments, 60, &done, &error), DC_OK);
  assert_int_equal(done.status, 127);
  free(done.output);
}

static void where_no_folder_can_be_made_nothing_runs(void **state) {
  (void)state;
  process_result done;
  dc_error error;
  const char *before = getenv("TMPDIR");
  char *kept = before ? strdup(before) : NULL;
  setenv("TMPDIR", "/nonexistent", 1);
  assert_int_equal(run("echo", 60, &done, &error), DC_ERROR_FILE);
  assert_non_null(strstr(error.text, "'/nonexistent/divcost-"));
  assert_null(done.output);
  if (kept)
    setenv("TMPDIR", kept, 1);
  else
    unsetenv("TMPDIR");
  free(kept);
}

static void commands_are_found_in_the_path(void **state) {
  (void)state;
  char path[256], tiny[4], *before = strdup(getenv("PATH"));
  setenv("PATH", "/nonexistent::/bin", 1);
  assert_true(process_find("sh", path, sizeof path));
  assert_string_equal(path, "/bin/sh");
  assert_false(process_find("sh", tiny, sizeof tiny));
  assert_false(process_find("divcost-no-such-command", path, sizeof path));
  assert_false(process_find("..", path, sizeof path)); // a folder
  unsetenv("PATH");
  assert_false(process_find("sh", path, sizeof path));
  setenv("PATH", before, 1);
  free(before);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(output_of_both_streams_and_the_status_come_back),
      cmocka_unit_test(its_folder_is_removed_with_all_that_is_in_it),
      cmocka_unit_test(what_hangs_is_killed_with_its_children),
      cmocka_unit_test(what_prints_without_end_is_killed),
      cmocka_unit_test(children_that_it_leaves_are_killed),
      cmocka_unit_test(what_is_no_program_ends_with_127),
      cmocka_unit_test(where_no_folder_can_be_made_nothing_runs),
      cmocka_unit_test(commands_are_found_in_the_path),
  };
  return cmocka_run_group_tests_name("process", tests, NULL, NULL);
}
