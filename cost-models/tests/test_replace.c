// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files that are replaced: what stays when the process is ended, or when they can't be written.
#define _GNU_SOURCE // O_TMPFILE, pipe2

#include "support.h"

#include "divcost/replace.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LARGE = 1 << 20 };

static char folder[] = "/tmp/divcost-replace-XXXXXX", path[64];

static int begin(void **state) {
  (void)state;
  strcpy(strrchr(folder, '-'), "-XXXXXX");
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/file", folder);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs("old", file);
  return fclose(file);
}

static int end(void **state) {
  (void)state;
  unlink(path);
  return rmdir(folder); // fails where something stayed
}

static void contents_are(const char *expected) {
  char text[16] = {0};
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  assert_int_equal(fread(text, 1, sizeof text - 1, file), strlen(expected));
  fclose(file);
  assert_string_equal(text, expected);
}

static void write_much(FILE *file) {
  for (unsigned k = 0; k < LARGE; ++k)
    fputc('x', file);
}

static void what_is_complete_takes_its_place(void **state) {
  (void)state;
  dc_replacement to;
  assert_int_equal(dc_replace_begin(path, &to), 0);
  fputs("new", to.file);
  contents_are("old");
  assert_int_equal(dc_replace_end(&to, true), 0);
  contents_are("new");
  assert_int_equal(dc_replace_begin(path, &to), 0);
  fputs("third", to.file);
  assert_int_equal(dc_replace_end(&to, false), 0);
  contents_are("new");
}

// Also by a signal that nobody can handle.
static void who_is_ended_leaves_nothing(void **state) {
  int unnamed = open(folder, O_TMPFILE | O_WRONLY, 0600), status;
  if (unnamed < 0)
    skip(); // the file system has no such files
  close(unnamed);
  (void)state;
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    dc_replacement to;
    if (dc_replace_begin(path, &to) == 0) {
      write_much(to.file);
      raise(SIGKILL);
    }
    _exit(1);
  }
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  contents_are("old");
}

static void a_failed_write_is_told_with_its_reason(void **state) {
  (void)state;
  const struct rlimit little = {4096, RLIM_INFINITY};
  struct rlimit before;
  dc_replacement to;
  signal(SIGXFSZ, SIG_IGN);
  getrlimit(RLIMIT_FSIZE, &before);
  setrlimit(RLIMIT_FSIZE, &little);
  assert_int_equal(dc_replace_begin(path, &to), 0);
  write_much(to.file);
  errno = ENOENT; // of something else, meanwhile
  int reason = dc_replace_end(&to, true);
  setrlimit(RLIMIT_FSIZE, &before);
  assert_int_equal(reason, EFBIG);
  contents_are("old");
  assert_int_equal(dc_replace_begin("/dev/full", &to), 0);
  write_much(to.file);
  errno = ENOENT;
  assert_int_equal(dc_replace_end(&to, true), ENOSPC);
}

static void a_full_pipe_is_waited_for(void **state) {
  (void)state;
  int ends[2], reason, status;
  assert_int_equal(pipe2(ends, O_NONBLOCK), 0);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    FILE *file = dc_writer_open(ends[1], &reason);
    write_much(file);
    _exit(fclose(file) != 0 || reason != 0);
  }
  close(ends[1]);
  fcntl(ends[0], F_SETFL, 0);
  char bytes[4096];
  size_t all = 0;
  usleep(20000); // so that it is full
  for (ssize_t part; (part = read(ends[0], bytes, sizeof bytes)) > 0;)
    all += (size_t)part;
  close(ends[0]);
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  assert_int_equal(all, LARGE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(what_is_complete_takes_its_place, begin, end),
      cmocka_unit_test_setup_teardown(who_is_ended_leaves_nothing, begin, end),
      cmocka_unit_test_setup_teardown(a_failed_write_is_told_with_its_reason, begin, end),
      cmocka_unit_test_setup_teardown(a_full_pipe_is_waited_for, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
