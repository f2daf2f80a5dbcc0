// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `.divcost`: what is read of it, what is wrong with one, and which counts for a file.
#define _POSIX_C_SOURCE 200809L // mkdtemp

#include "support.h"

#include "divcost/config.h"

#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/divcost-config-XXXXXX";

static char *in_folder(const char *name) {
  static char path[2][120];
  static int which;
  which = !which;
  snprintf(path[which], sizeof path[which], "%s/%s", folder, name);
  return path[which];
}

static int begin(void **state) {
  (void)state;
  strcpy(strrchr(folder, '-'), "-XXXXXX");
  return mkdtemp(folder) && mkdir(in_folder("a"), 0700) == 0 && mkdir(in_folder("a/b"), 0700) == 0
             ? 0
             : -1;
}

static int end(void **state) {
  (void)state;
  unlink(in_folder(".divcost"));
  unlink(in_folder("a/.divcost"));
  rmdir(in_folder("a/b/.divcost"));
  rmdir(in_folder("a/b"));
  rmdir(in_folder("a"));
  return rmdir(folder);
}

static void write_text(const char *path, const char *text, size_t length) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  assert_int_equal(fwrite(text, 1, length, file), length);
  assert_int_equal(fclose(file), 0);
}

static dc_status load(const char *text, size_t length, dc_config *config, dc_error *error) {
  write_text(in_folder(".divcost"), text, length);
  return dc_config_load(in_folder(".divcost"), config, error);
}

static const char whole[] =
    "{\"$schema\": \"x\", \"divcost-config\": 1, \"threshold\": 0.25,"
    " \"rules\": {\"coalescing\": false, \"barrier-exited\": true}, \"header-filter\": \"a+(b|c)\","
    " \"arch\": [\"sm_80\", \"sm_90a\"], \"baseline\": \"known.json\","
    " \"kernels\": [{}, {}], \"loops\": [{}]}";

static void everything_is_read(void **state) {
  (void)state;
  dc_config config;
  dc_error error;
  assert_int_equal(load(whole, strlen(whole), &config, &error), DC_OK);
  assert_float_equal(config.threshold, 0.25, 0);
  for (int rule = 0; rule < DC_RULE_COUNT; ++rule)
    assert_int_equal(config.rules[rule], rule == DC_RULE_COALESCING       ? DC_CONFIG_OFF
                                         : rule == DC_RULE_BARRIER_EXITED ? DC_CONFIG_ON
                                                                          : DC_CONFIG_UNSAID);
  assert_string_equal(config.header_filter, "a+(b|c)");
  assert_string_equal(config.architectures, "sm_80,sm_90a");
  assert_string_equal(config.baseline, in_folder("known.json"));
  assert_string_equal(config.annotations, config.path);
  assert_int_equal(config.n_kernels, 2);
  assert_int_equal(config.n_loops, 1);
  dc_config_free(&config);
}

static void nothing_is_said_of_what_is_left_out(void **state) {
  (void)state;
  dc_config config;
  dc_error error;
  static const char least[] = "{\"divcost-config\": 1}";
  assert_int_equal(load(least, strlen(least), &config, &error), DC_OK);
  assert_true(config.threshold < 0);
  assert_null(config.header_filter);
  assert_null(config.architectures);
  assert_null(config.baseline);
  assert_null(config.annotations);
  dc_config_free(&config);
}

static void annotations_may_be_elsewhere(void **state) {
  (void)state;
  dc_config config;
  dc_error error;
  static const char named[] = "{\"divcost-config\": 1, \"annotations\": \"x/notes.json\"}";
  assert_int_equal(load(named, strlen(named), &config, &error), DC_OK);
  assert_string_equal(config.annotations, in_folder("x/notes.json"));
  dc_config_free(&config);
}

static void what_is_wrong_is_named(void **state) {
  (void)state;
  static const struct {
    const char *members, *error;
  } cases[] = {
      {"\"treshold\": 1", "treshold: is not known; did you mean 'threshold'?"},
      {"\"colour\": 1", "colour: is not known; docs/configuration.md has all there is"},
      {"\"threshold\": 2", "threshold: must be a share, a number from 0 to 1"},
      {"\"threshold\": \"10%\"", "threshold: must be a share, a number from 0 to 1"},
      {"\"rules\": [\"imbalance\"]", "rules: must be an object, not an array"},
      {"\"rules\": {\"inbalance\": true}",
       "rules.inbalance: is not known; did you mean 'imbalance'?"},
      {"\"rules\": {\"imbalance\": 1}",
       "rules.imbalance: must be true or false, not a whole number"},
      {"\"header-filter\": \"a(\"", "header-filter: is no regular expression: Unmatched ( or \\("},
      {"\"header-filter\": \"\"", "header-filter: must not be empty"},
      {"\"arch\": \"sm_80\"", "arch: must be an array, not a string"},
      {"\"arch\": []", "arch: must not be empty: [\"sm_80\", \"sm_90\"]"},
      {"\"arch\": [\"sm_80\", \"hopper\"]", "arch[1]: must be an architecture such as sm_90"},
      {"\"arch\": [\"sm_80,x\"]", "arch[0]: must be an architecture such as sm_90"},
      {"\"baseline\": 1", "baseline: must be a string, not a whole number"},
      {"\"kernels\": {}", "kernels: must be an array, not an object"},
      {"\"annotations\": \"a\", \"loops\": []",
       "annotations: names a file, and there are 'kernels' or 'loops', too; say them in one place"},
      {"\"threshold\": 0, \"threshold\": 1", "line 1, column 49: duplicate object key"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    char text[200];
    dc_config config;
    dc_error error = {0};
    int length = snprintf(text, sizeof text, "{\"divcost-config\": 1, %s}", cases[k].members);
    assert_int_equal(load(text, (size_t)length, &config, &error), DC_ERROR_SYNTAX);
    assert_string_equal(error.text, cases[k].error);
    assert_null(config.path);
  }
}

static void another_file_is_none(void **state) {
  (void)state;
  static const char *const texts[] = {"[]", "{\"divcost-annotations\": 1}",
                                      "{\"divcost-config\": 2}", "checks: '*'"};
  for (size_t k = 0; k < sizeof texts / sizeof *texts; ++k) {
    dc_config config;
    dc_error error;
    assert_int_equal(load(texts[k], strlen(texts[k]), &config, &error), DC_ERROR_SYNTAX);
  }
}

// Every way to cut a whole one.
static void a_cut_file_is_an_error(void **state) {
  (void)state;
  for (size_t length = 0; length < strlen(whole); ++length) {
    dc_config config;
    dc_error error;
    assert_int_equal(load(whole, length, &config, &error), DC_ERROR_SYNTAX);
  }
}

static void the_nearest_folder_counts(void **state) {
  (void)state;
  char *found = dc_config_nearest(in_folder("a/b/x.cu"));
  assert_null(found);
  write_text(in_folder(".divcost"), "", 0);
  assert_int_equal(mkdir(in_folder("a/b/.divcost"), 0700), 0); // which is no file
  found = dc_config_nearest(in_folder("a/b/x.cu"));
  assert_string_equal(found, in_folder(".divcost"));
  free(found);
  write_text(in_folder("a/.divcost"), "", 0);
  found = dc_config_nearest(in_folder("a/b/x.cu"));
  assert_string_equal(found, in_folder("a/.divcost"));
  free(found);
  found = dc_config_nearest(in_folder("x.cu"));
  assert_string_equal(found, in_folder(".divcost"));
  free(found);
  assert_null(dc_config_nearest(in_folder("none/x.cu")));
}

int main(void) {
  const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
      TEST(everything_is_read),           TEST(nothing_is_said_of_what_is_left_out),
      TEST(annotations_may_be_elsewhere), TEST(what_is_wrong_is_named),
      TEST(another_file_is_none),         TEST(a_cut_file_is_an_error),
      TEST(the_nearest_folder_counts),
#undef TEST
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
