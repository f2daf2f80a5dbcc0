// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of files, and the version; all headers at once.
#include "divcost/divcost.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

static void a_base_name_is_behind_the_last_slash(void **state) {
  (void)state;
  assert_string_equal(dc_base_name("a.cu"), "a.cu");
  assert_string_equal(dc_base_name("/a.cu"), "a.cu");
  assert_string_equal(dc_base_name("src/deep/a.cu"), "a.cu");
  assert_string_equal(dc_base_name("src/"), "");
  assert_string_equal(dc_base_name(""), "");
}

static void a_path_below_a_folder_is_what_is_behind_it(void **state) {
  (void)state;
  assert_string_equal(dc_path_below("/home/me", "/home/me/src/a.cu"), "src/a.cu");
  assert_string_equal(dc_path_below("/home/me", "/home/mean/a.cu"), "/home/mean/a.cu");
  assert_string_equal(dc_path_below("/home/me", "/home/me"), "/home/me");
  assert_string_equal(dc_path_below("/home/me", "/home"), "/home");
  assert_string_equal(dc_path_below("/home/me", "src/a.cu"), "src/a.cu");
  assert_string_equal(dc_path_below("/", "/a.cu"), "/a.cu");
  assert_string_equal(dc_path_below("", "/a.cu"), "/a.cu");
  assert_string_equal(dc_path_below(NULL, "/a.cu"), "/a.cu");
}

static void expect_joined(const char *folder, const char *name, const char *path) {
  char *joined = dc_path_join(folder, name);
  assert_string_equal(joined, path);
  free(joined);
}

static void a_name_in_a_folder_has_one_slash_between(void **state) {
  (void)state;
  expect_joined("src", "a.cu", "src/a.cu");
  expect_joined("src/", "a.cu", "src/a.cu");
  expect_joined("/", "a.cu", "/a.cu");
  expect_joined("src", "/a.cu", "/a.cu");
  expect_joined("", "a.cu", "a.cu");
  expect_joined(NULL, "a.cu", "a.cu");
}

static void an_ending_is_the_last_part_of_a_name(void **state) {
  (void)state;
  assert_true(dc_path_has_ending("out/report.json", ".json"));
  assert_true(dc_path_has_ending(".json", ".json"));
  assert_false(dc_path_has_ending("report.json.gz", ".json"));
  assert_false(dc_path_has_ending("json", ".json"));
  assert_false(dc_path_has_ending("", ".json"));
}

static void the_library_has_the_version_of_its_headers(void **state) {
  (void)state;
  char text[40];
  assert_string_equal(dc_version(), DIVCOST_VERSION);
  snprintf(text, sizeof text, "%d.%d.%d", DIVCOST_VERSION_MAJOR, DIVCOST_VERSION_MINOR,
           DIVCOST_VERSION_PATCH);
  assert_string_equal(dc_version(), text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_base_name_is_behind_the_last_slash),
      cmocka_unit_test(a_path_below_a_folder_is_what_is_behind_it),
      cmocka_unit_test(a_name_in_a_folder_has_one_slash_between),
      cmocka_unit_test(an_ending_is_the_last_part_of_a_name),
      cmocka_unit_test(the_library_has_the_version_of_its_headers),
  };
  return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
