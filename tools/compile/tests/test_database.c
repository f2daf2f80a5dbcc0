// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compile/compile_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/divcost-database-XXXXXX";

static void write_file(const char *name, const char *text) {
  char path[200];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  assert_int_equal(fclose(file), 0);
}

static int set_up(void **state) {
  (void)state;
  if (!mkdtemp(folder))
    return -1;
  char path[200];
  snprintf(path, sizeof path, "%s/src", folder);
  return mkdir(path, 0700);
}

static int tear_down(void **state) {
  (void)state;
  static const char *const names[] = {"compile_commands.json", "src/scan.cuh", "src/resp", "src",
                                      ""};
  for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, names[k]);
    remove(path);
  }
  return 0;
}

// valgrind takes a read of glibc's dlopen for an error.
static void skip_under_valgrind(void) {
  if (getenv("DIVCOST_TEST_UNDER_VALGRIND"))
    skip();
}

static void read_it(const char *text, compile_database *database) {
  dc_error error;
  write_file("compile_commands.json", text);
  dc_status status = compile_database_read(folder, database, &error);
  if (status != DC_OK)
    fail_msg("%s", error.text);
}

#define ENTRIES                                                                                    \
  "[{\"directory\": \"%s/src\", \"file\": \"host.cpp\", \"command\": \"g++ -c host.cpp\"},"        \
  " {\"directory\": \"%s/src\", \"file\": \"sort.cu\", \"command\": \"nvcc -DSORT -c "             \
  "sort.cu\"},"                                                                                    \
  " {\"directory\": \"%s/src\", \"file\": \"scan.cu\", \"command\": \"ccache nvcc -gencode "       \
  "arch=compute_80,code=sm_80 '-DA=b c' -c scan.cu -o scan.o\"},"                                  \
  " {\"directory\": \"%s/src\", \"file\": \"flag.cu\", \"arguments\": [\"clang++\", \"@resp\", "   \
  "\"-x\", \"cuda\", \"-c\", \"flag.cu\"]}]"

static compile_database sample(void) {
  char text[2000];
  compile_database database;
  write_file("src/resp", "-DFROM_RESPONSE_FILE");
  snprintf(text, sizeof text, ENTRIES, folder, folder, folder, folder);
  read_it(text, &database);
  return database;
}

static void check_words(const compile_command *command, const char *expected) {
  char *line = arguments_line(&command->words);
  assert_non_null(line);
  assert_string_equal(line, expected);
  free(line);
}

static void commands_come_in_the_order_of_the_file(void **state) {
  (void)state;
  skip_under_valgrind();
  compile_database database = sample();
  assert_int_equal(database.count, 4);
  assert_string_equal(database.commands[0].file, "host.cpp");
  check_words(&database.commands[2],
              "nvcc -gencode arch=compute_80,code=sm_80 '-DA=b c' -c scan.cu -o scan.o");
  assert_true(arguments_contain(&database.commands[3].words, "-DFROM_RESPONSE_FILE"));
  compile_database_free(&database);
}

static void a_file_is_found_however_it_is_named(void **state) {
  (void)state;
  skip_under_valgrind();
  compile_database database = sample();
  char path[200];
  snprintf(path, sizeof path, "%s/src/sort.cu", folder); // needs not exist
  assert_ptr_equal(compile_database_find(&database, path), &database.commands[1]);
  snprintf(path, sizeof path, "%s/src/none.cu", folder);
  assert_null(compile_database_find(&database, path));
  compile_database_free(&database);
}

static void a_header_is_compiled_as_the_file_it_belongs_to(void **state) {
  (void)state;
  skip_under_valgrind();
  compile_database database = sample();
  compile_command guess;
  dc_error error;
  char path[200], expected[400];
  write_file("src/scan.cuh", "");
  snprintf(path, sizeof path, "%s/src/scan.cuh", folder);
  assert_int_equal(compile_database_guess(&database, path, &guess, &error), DC_OK);
  snprintf(expected, sizeof expected,
           "nvcc -gencode arch=compute_80,code=sm_80 '-DA=b c' -c %s -o scan.o", path);
  check_words(&guess, expected);
  compile_command_free(&guess);
  database.commands[1].file[0] = database.commands[2].file[0] = 'x';
  compile_database host_only = {database.commands, 1};
  assert_int_equal(compile_database_guess(&host_only, path, &guess, &error), DC_ERROR_ARGUMENT);
  compile_database_free(&database);
}

static void refused(const char *text, const char *words) {
  compile_database database;
  dc_error error;
  char expected[400];
  write_file("compile_commands.json", text);
  assert_true(compile_database_read(folder, &database, &error) != DC_OK);
  snprintf(expected, sizeof expected, "%s/compile_commands.json%s", folder, words);
  assert_string_equal(error.text, expected);
  assert_int_equal(database.count, 0);
}

static void a_database_that_is_a_pipe_is_not_waited_for(void **state) {
  (void)state;
  compile_database database;
  dc_error error;
  char path[300], expected[400];
  snprintf(path, sizeof path, "%s/compile_commands.json", folder);
  remove(path);
  assert_int_equal(mkfifo(path, 0600), 0);
  assert_int_equal(compile_database_read(folder, &database, &error), DC_ERROR_FILE);
  snprintf(expected, sizeof expected, "%s: it is no plain file", path);
  assert_string_equal(error.text, expected);
  remove(path);
}

static void what_is_no_database_is_refused_with_one_message(void **state) {
  (void)state;
  refused("[{\"directory\": ", ", line 1, column 15: unexpected token near end of file");
  refused("[secret]", ", line 1, column 7: invalid token"); // without what stands there
  refused("{}", " is not a compilation database, but other JSON");
  if (!getenv("DIVCOST_TEST_UNDER_VALGRIND"))
    refused("[]", " has no entry");
  compile_database database;
  dc_error error;
  assert_int_equal(compile_database_read("/nonexistent", &database, &error), DC_ERROR_FILE);
  assert_non_null(strstr(error.text, "/nonexistent/compile_commands.json: No such file"));
}

static void the_nearest_database_is_found_from_a_file(void **state) {
  (void)state;
  char path[200];
  write_file("src/scan.cuh", "");
  write_file("compile_commands.json", "[]");
  snprintf(path, sizeof path, "%s/src/scan.cuh", folder);
  char *nearest = compile_database_nearest(path), *real = realpath(folder, NULL);
  assert_non_null(nearest);
  assert_string_equal(nearest, real);
  free(nearest);
  free(real);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(commands_come_in_the_order_of_the_file),
      cmocka_unit_test(a_file_is_found_however_it_is_named),
      cmocka_unit_test(a_header_is_compiled_as_the_file_it_belongs_to),
      cmocka_unit_test(what_is_no_database_is_refused_with_one_message),
      cmocka_unit_test(a_database_that_is_a_pipe_is_not_waited_for),
      cmocka_unit_test(the_nearest_database_is_found_from_a_file),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
