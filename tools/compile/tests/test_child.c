// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _POSIX_C_SOURCE 200809L

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compile/child.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// valgrind 3.19 has no pidfd_open.
static void skip_under_valgrind(void) {
  if (getenv("DIVCOST_TEST_UNDER_VALGRIND"))
    skip();
}

static void start(child *c, const char *script) {
  arguments words = {0};
  dc_error error;
  arguments_add(&words, "/bin/sh");
  arguments_add(&words, "-c");
  arguments_add(&words, script);
  assert_int_equal(child_start(c, "/", &words, &error), DC_OK);
  arguments_free(&words);
}

static void wait_until_it_ends(child *c) {
  struct pollfd ready = {c->ready, POLLIN, 0};
  do
    assert_int_equal(poll(&ready, 1, 60000), 1);
  while (!child_continue(c));
}

static void output_and_status_are_the_childs(void **state) {
  (void)state;
  skip_under_valgrind();
  child c = {0};
  start(&c, "echo to one; echo to two >&2; pwd; cat; exit 7");
  wait_until_it_ends(&c);
  assert_int_equal(c.status, 7);
  assert_string_equal(c.text, "to one\nto two\n/\n");
  assert_int_equal(c.process, 0);
  child_free(&c);
}

static void more_output_than_is_kept_does_not_block(void **state) {
  (void)state;
  skip_under_valgrind();
  child c = {0};
  start(&c, "dd if=/dev/zero bs=65536 count=100 2>/dev/null; exit 3");
  wait_until_it_ends(&c);
  assert_int_equal(c.status, 3);
  assert_int_equal(c.length, CHILD_OUTPUT_MAX);
  assert_true(c.cut);
  assert_int_equal(strlen(c.text), c.length); // zero bytes don't end it
  child_free(&c);
}

static void a_signal_is_seen(void **state) {
  (void)state;
  skip_under_valgrind();
  child c = {0};
  start(&c, "kill -SEGV $$");
  wait_until_it_ends(&c);
  assert_int_equal(c.status, -SIGSEGV);
  child_free(&c);
}

static pid_t first_number(const child *c) {
  assert_non_null(c->text);
  return (pid_t)atoi(c->text); // NOLINT(cert-err34-c): the shell wrote it
}

// A zombie is whoever's who adopted it.
static bool is_alive(pid_t process) {
  char path[64], state = 'Z';
  snprintf(path, sizeof path, "/proc/%ld/stat", (long)process);
  FILE *file = fopen(path, "r");
  if (!file)
    return false;
  if (fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
    state = 'Z';
  fclose(file);
  return state != 'Z';
}

static void assert_gone(pid_t process) {
  for (int k = 0; k < 6000 && is_alive(process); ++k)
    poll(NULL, 0, 10);
  assert_false(is_alive(process));
}

static void stopping_kills_the_group_and_leaves_no_zombie(void **state) {
  (void)state;
  skip_under_valgrind();
  child c = {0};
  start(&c, "sleep 1000 & echo $!; wait");
  struct pollfd ready = {c.ready, POLLIN, 0};
  while (!c.text) {
    assert_int_equal(poll(&ready, 1, 60000), 1);
    assert_false(child_continue(&c));
  }
  pid_t leader = c.process, other = first_number(&c);
  child_stop(&c);
  assert_int_equal(c.status, -SIGKILL);
  assert_true(kill(leader, 0) != 0 && errno == ESRCH);
  assert_gone(other);
  child_free(&c);
}

static void who_stays_behind_with_the_pipe_does_not_keep_us(void **state) {
  (void)state;
  skip_under_valgrind();
  child c = {0};
  start(&c, "sleep 1000 & echo $!; exit 0");
  wait_until_it_ends(&c);
  assert_int_equal(c.status, 0);
  assert_gone(first_number(&c));
  child_free(&c);
}

static void closing_the_outputs_is_not_the_end(void **state) {
  (void)state;
  skip_under_valgrind();
  child c = {0};
  start(&c, "exec >&- 2>&-; sleep 0.2; exit 5");
  wait_until_it_ends(&c);
  assert_int_equal(c.status, 5);
  child_free(&c);
}

static void what_cannot_start_says_why(void **state) {
  (void)state;
  skip_under_valgrind();
  child c = {0};
  dc_error error;
  arguments words = {0};
  arguments_add(&words, "/dev/null/clang++");
  assert_int_equal(child_start(&c, "/", &words, &error), DC_ERROR_FILE);
  assert_string_equal(error.text, "cannot start '/dev/null/clang++': Not a directory");
  assert_int_equal(child_start(&c, "/dev/null/x", &words, &error), DC_ERROR_FILE);
  assert_string_equal(error.text, "cannot run in '/dev/null/x': Not a directory");
  assert_int_equal(c.process, 0);
  arguments_free(&words);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(output_and_status_are_the_childs),
      cmocka_unit_test(more_output_than_is_kept_does_not_block),
      cmocka_unit_test(a_signal_is_seen),
      cmocka_unit_test(stopping_kills_the_group_and_leaves_no_zombie),
      cmocka_unit_test(who_stays_behind_with_the_pipe_does_not_keep_us),
      cmocka_unit_test(closing_the_outputs_is_not_the_end),
      cmocka_unit_test(what_cannot_start_says_why),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
