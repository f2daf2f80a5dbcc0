// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Architecture files: those of cost-models/data are what the library has, and every field that is
// missing or makes no sense is an error that names it.
#include "support.h"

#include "json/read_arch.h"

static dc_status read_text(const char *text, dc_arch_data *data, dc_error *error) {
  FILE *stream = tmpfile();
  assert_non_null(stream);
  fputs(text, stream);
  rewind(stream);
  dc_status status = dc__arch_read_json(stream, data, error);
  fclose(stream);
  return status;
}

static char *file_text(const char *name) {
  char path[400], *text = calloc(1, 8000);
  snprintf(path, sizeof path, "%s/%s.json", DIVCOST_ARCH_DATA, name);
  FILE *stream = fopen(path, "r");
  if (!stream)
    fail_msg("cannot read %s", path);
  assert_in_range(fread(text, 1, 7999, stream), 1, 7998);
  fclose(stream);
  return text;
}

static void the_files_are_what_the_library_has(void **state) {
  (void)state;
  static const struct {
    const char *file, *arch;
  } files[] = {{"fermi", "sm_20"}, {"kepler", "sm_35"}, {"maxwell", "sm_52"}, {"sm_90", "sm_90"}};
  for (size_t k = 0; k < sizeof files / sizeof *files; ++k) {
    char *text = file_text(files[k].file);
    dc_arch_data data;
    dc_arch arch;
    dc_error error = {0};
    if (read_text(text, &data, &error) != DC_OK)
      fail_msg("%s: %s", files[k].file, error.text);
    assert_int_equal(dc_arch_find(files[k].arch, &arch, &error), DC_OK);
    assert_int_equal(arch.rules, data.rules);
    assert_int_equal(arch.has_cycles, data.has_cycles);
    assert_true(arch.divergent_branch == data.divergent_branch);
    assert_true(arch.divergent_exit == data.divergent_exit);
    assert_true(arch.displaced == data.displaced);
    assert_int_equal(arch.predicated, data.predicated);
    assert_true(arch.spill == data.spill);
    assert_int_equal(arch.stack_entries, data.stack_entries);
    assert_int_equal(arch.spill_entries, data.spill_entries);
    assert_int_equal(arch.reload, data.reload);
    assert_string_equal(arch.provenance, data.label);
    assert_int_equal(dc_arch_find(data.name, &arch, &error), DC_OK);
    assert_int_equal(arch.sm, data.sm[0]);
    free(text);
  }
}

static void other_architectures_take_the_nearest_with_the_same_rules(void **state) {
  (void)state;
  dc_arch arch;
  assert_int_equal(dc_arch_find("sm_61", &arch, NULL), DC_OK);
  assert_int_equal(arch.rules, DC_RULES_STACK);
  assert_true(arch.divergent_branch == 26 && arch.divergent_exit == 26 && arch.displaced == 0);
  assert_true(arch.spill == 176);
  assert_string_equal(arch.provenance, "assumed (from Maxwell: Bialas and Strzelecki)");
  assert_int_equal(dc_arch_find("sm_70", &arch, NULL), DC_OK);
  assert_int_equal(arch.rules, DC_RULES_BARRIERS);
  assert_true(arch.divergent_branch == 16 && arch.divergent_exit == 13 && arch.displaced == 35);
  assert_int_equal(arch.predicated, 7);
  assert_string_equal(arch.provenance, "assumed (from sm_90)");
}

// Puts `by` where `what` stands, and expects the message.
static void expect_error(const char *file, const char *what, const char *by, const char *message) {
  char *text = file_text(file), broken[9000];
  char *at = strstr(text, what);
  dc_arch_data data;
  dc_error error = {0};
  if (!at)
    fail_msg("%s.json has no %s", file, what);
  snprintf(broken, sizeof broken, "%.*s%s%s", (int)(at - text), text, by, at + strlen(what));
  assert_int_equal(read_text(broken, &data, &error), DC_ERROR_SYNTAX);
  if (!strstr(error.text, message))
    fail_msg("'%s' has no '%s'", error.text, message);
  assert_int_equal(data.n_sm, 0);
  free(text);
}

static void what_makes_no_sense_is_told_by_its_field(void **state) {
  (void)state;
  static const struct {
    const char *file, *what, *by, *message;
  } wrong[] = {
      {"kepler", "\"value\": 16", "\"value\": 0",
       "stack.entries.value: is 0, must be in 1 .. 1024"},
      {"kepler", "\"value\": 4", "\"value\": 17", "stack.chunk.value: is 17, must be in 1 .. 16"},
      {"kepler", "\"value\": 4", "\"value\": 4.5", "stack.chunk.value: must be a whole number"},
      {"kepler", "\"lazy\"", "\"idle\"", "stack.reload.value: 'idle' is no name"},
      {"kepler", "\"value\": 32", "\"value\": -32", "divergent_branch.value: is -32"},
      {"kepler", "\"value\": 32", "\"value\": 1e9", "divergent_branch.value: must be from 0 to"},
      {"kepler", "\"value\": 32,", "", "divergent_branch.value: is missing"},
      {"kepler", "\"value\": 84", "\"value\": \"84\"", "spill.value: must be a number"},
      {"kepler", "\"spill\"", "\"spil\"", "spil: is no member that is known"},
      {"kepler", "\"chunk\"", "\"chunks\"", "stack.chunks: is no member that is known"},
      {"kepler", "\"stack\": {", "\"stacks\": {", "stacks: is no member"},
      {"kepler", "\"spill\": {",
       "\"divergent_exit\": {\"value\": 1, \"provenance\": \"-\"}, \"spill\": {",
       "divergent_exit: is for the rules 'barriers'"},
      {"kepler", "\"rules\": \"stack\"", "\"rules\": \"barriers\"", "stack: is for the rules"},
      {"kepler", "\"rules\": \"stack\"", "\"rules\": \"heap\"", "rules: 'heap' is no name"},
      {"kepler", "[30, 32, 35, 37]", "[30, 30]", "sm[1]: is 30, must be in 31 .. 999"},
      {"kepler", "[30, 32, 35, 37]", "[]", "sm: has 0 numbers"},
      {"kepler", "\"divcost_arch\": 1", "\"divcost_arch\": 2", "divcost_arch: is 2"},
      {"kepler", "\"name\": \"kepler\"", "\"name\": \"\"", "name: has 0 bytes"},
      {"sm_90", "\"rules\": \"barriers\"", "\"rules\": \"stack\"",
       "stack: is missing, must be an object"},
      {"sm_90", "\"elsewhere\": \"assumed (from sm_90)\",", "", "elsewhere: is missing"},
      {"maxwell", "\"value\": 24,", "", "divergent_branch.others[0].value: is missing"},
      {"maxwell", "{", "[", "line "},
  };
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k)
    expect_error(wrong[k].file, wrong[k].what, wrong[k].by, wrong[k].message);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_files_are_what_the_library_has),
      cmocka_unit_test(other_architectures_take_the_nearest_with_the_same_rules),
      cmocka_unit_test(what_makes_no_sense_is_told_by_its_field),
  };
  return cmocka_run_group_tests_name("arch_json", tests, NULL, NULL);
}
