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

enum { FILE_MOST = 32000 };

static char *file_text(const char *name) {
  char path[400], *text = calloc(1, FILE_MOST);
  snprintf(path, sizeof path, "%s/%s.json", DIVCOST_ARCH_DATA, name);
  FILE *stream = fopen(path, "r");
  if (!stream)
    fail_msg("cannot read %s", path);
  assert_in_range(fread(text, 1, FILE_MOST - 1, stream), 1, FILE_MOST - 2);
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
    assert_int_equal(arch.machine.known, data.machine.known);
    assert_int_equal(data.machine.known, strcmp(files[k].file, "sm_90") == 0);
    assert_string_equal(arch.machine.device, data.machine.device);
    assert_string_equal(arch.machine.provenance, data.machine.provenance);
    for (unsigned field = 0; field < DC_MACHINE_FIELDS; ++field)
      assert_true(dc_machine_get(&arch.machine, field) == dc_machine_get(&data.machine, field));
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

static dc_machine machine_of(const char *name) {
  dc_arch arch;
  assert_int_equal(dc_arch_find(name, &arch, NULL), DC_OK);
  return arch.machine;
}

static void machines_are_measured_published_or_not_known(void **state) {
  (void)state;
  dc_machine h200 = machine_of("sm_90a"), a100 = machine_of("sm_80");
  assert_true(h200.known && h200.sms == 132 && h200.l2_bytes == 39561460);
  assert_string_equal(a100.device, "NVIDIA A100 SXM4 40 GB");
  assert_string_equal(a100.provenance,
                      "published (NVIDIA's A100 whitepaper), latencies and what L2 "
                      "holds of its size assumed from sm_90");
  assert_true(a100.sms == 108 && a100.clock == 1.41e9 && a100.dram == h200.dram);
  assert_true(a100.l1_bytes == 192 << 10);
  // 40 MiB against the H200's 60.
  assert_float_equal((double)a100.l2_bytes, (double)h200.l2_bytes * 40 / 60, 1);
  // 108 SMs that each take a sector of 32 bytes in so many cycles: 1555 GB/s.
  assert_float_equal(a100.sms * 32 * a100.clock / a100.dram_line_sector, 1555e9, 1);
  assert_float_equal(a100.dram_sector / a100.dram_line_sector,
                     h200.dram_sector / h200.dram_line_sector, 1e-12);
  assert_float_equal(a100.dram_write_line_sector / a100.dram_line_sector,
                     h200.dram_write_line_sector / h200.dram_line_sector, 1e-12);
  static const char *const published[] = {"sm_70", "sm_75", "sm_86", "sm_89", "sm_100", "sm_120"};
  for (size_t k = 0; k < sizeof published / sizeof *published; ++k) {
    dc_machine machine = machine_of(published[k]);
    assert_true(machine.known && strncmp(machine.provenance, "published (", 11) == 0);
    assert_null(strchr(machine.provenance + strlen(machine.provenance) - 5, ' ')); // all of it
    for (unsigned field = 0; field < DC_MACHINE_FIELDS; ++field) {
      double value = dc_machine_get(&machine, field);
      assert_true(value >= dc_machine_fields[field].least);
      assert_true(value <= dc_machine_fields[field].most);
    }
  }
  static const char *const none[] = {"sm_20", "sm_35", "sm_61", "sm_72", "sm_121"};
  for (size_t k = 0; k < sizeof none / sizeof *none; ++k)
    assert_false(machine_of(none[k]).known);
}

// The table's offsets and kinds are the structure's: set by name, got by name, and nothing else.
static void numbers_of_machines_have_names(void **state) {
  (void)state;
  dc_machine machine = {.known = true};
  for (unsigned field = 0; field < DC_MACHINE_FIELDS; ++field) {
    assert_int_equal(dc_machine_find_field(dc_machine_fields[field].name), field);
    dc_machine_set(&machine, field, field + 1);
  }
  for (unsigned field = 0; field < DC_MACHINE_FIELDS; ++field)
    assert_true(dc_machine_get(&machine, field) == field + 1);
  assert_int_equal(dc_machine_find_field("l3"), -1);
  assert_true(machine.known && machine.clock == 1 && machine.sms == 2 && machine.schedulers == 3);
  assert_true(machine.launch_high == 40 && machine.l1_bytes == 41 && machine.l2_bytes == 42);
}

// Puts `by` where `what` stands, and expects the message.
static void expect_error(const char *file, const char *what, const char *by, const char *message) {
  char *text = file_text(file), broken[FILE_MOST + 1000];
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
      {"sm_90", "\"value\": 132", "\"value\": 0",
       "machine.sms.value: is 0, must be from 1 to 4096"},
      {"sm_90", "\"value\": 132", "\"value\": 13.5", "machine.sms.value: must be a whole number"},
      {"sm_90", "\"value\": 39561460", "\"value\": 1e13",
       "machine.l2_bytes.value: is 1e+13, must be from 1 to 1e+12 bytes"},
      {"sm_90", "\"l2_sector\"", "\"l3_sector\"", "machine.l3_sector: is no member"},
      {"sm_90", "\"device\": \"NVIDIA H200\",", "", "machine.device: is missing"},
  };
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k)
    expect_error(wrong[k].file, wrong[k].what, wrong[k].by, wrong[k].message);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_files_are_what_the_library_has),
      cmocka_unit_test(other_architectures_take_the_nearest_with_the_same_rules),
      cmocka_unit_test(machines_are_measured_published_or_not_known),
      cmocka_unit_test(numbers_of_machines_have_names),
      cmocka_unit_test(what_makes_no_sense_is_told_by_its_field),
  };
  return cmocka_run_group_tests_name("arch_json", tests, NULL, NULL);
}
