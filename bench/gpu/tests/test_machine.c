// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fit of a machine, on measurements that are made up of one: what went in comes out.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "divcost/arch.h"
#include "machine_costs.h"

typedef struct making {
  machine_results *all;
  const dc_machine *machine;
  double noise; // of each value, as a share
} making;

static double noise_of(const making *m) {
  static uint64_t random = 1;
  random = random * UINT64_C(6364136223846793005) + 1;
  return 1 + m->noise * ((double)(random >> 40) / (1 << 23) - 1);
}

static void add(const making *m, const char *test, unsigned sms, unsigned warps, unsigned n,
                uint64_t bytes, machine_unit unit, double value) {
  machine_result item = {
      .sms = sms, .warps = warps, .n = n, .bytes = bytes, .steps = 16, .unit = unit};
  snprintf(item.test, sizeof item.test, "%s", test);
  value *= noise_of(m);
  item.value = (sample){value, value * 0.99, value * 1.01, 5};
  assert_int_equal(machine_results_add(m->all, &item, NULL), DC_OK);
}

static bool add_case(void *context, const machine_case *item) {
  const making *m = context;
  double cycles = machine_predict(m->machine, item);
  if (item->is_clock)
    add(m, item->test, item->sms, item->warps, item->n, item->bytes, MACHINE_HERTZ,
        m->machine->clock);
  else // of what the machine doesn't say, something
    add(m, item->test, item->sms, item->warps, item->n, item->bytes, MACHINE_CYCLES,
        cycles < 0 ? 1e5 : cycles);
  return true;
}

static void add_starts(const making *m) {
  const dc_machine *machine = m->machine;
  for (unsigned warps = 4; warps <= 32; warps *= 2)
    add(m, "block_start", machine->sms, warps, 4, 0, MACHINE_SECONDS,
        (machine->block_start + machine->block_start_warp * warps) / machine->clock);
  for (unsigned blocks = 8448; blocks <= 67584; blocks *= 8)
    add(m, "empty_apart", machine->sms, 0, blocks, 0, MACHINE_SECONDS,
        machine->launch_high + blocks * machine->block_each / machine->clock);
}

static machine_results make_up(const dc_machine *machine, double noise) {
  machine_results all = {.origin = "NVIDIA H200 (sm_90, 132 multiprocessors), made up"};
  making m = {&all, machine, noise};
  machine_plan(&(machine_room){machine->sms, 64, MACHINE_BYTES_MAX}, add_case, &m);
  add(&m, "empty_apart", machine->sms, 0, 132, 0, MACHINE_SECONDS, machine->launch_high);
  add(&m, "empty_behind", machine->sms, 0, 1, 0, MACHINE_SECONDS, 2e-6);
  add(&m, "empty_behind", machine->sms, 0, 21, 0, MACHINE_SECONDS, 2e-6 + 20 * machine->launch_low);
  add_starts(&m);
  m.noise = 0;
  add(&m, "l2_bytes", machine->sms, 0, 0, 0, MACHINE_BYTES, 60 << 20);
  return all;
}

static dc_machine h200(void) {
  dc_arch arch;
  assert_int_equal(dc_arch_find("sm_90", &arch, NULL), DC_OK);
  return arch.machine;
}

static void expect_machine(const dc_machine *expected, const machine_results *all, double most) {
  static machine_costs found;
  dc_error error;
  if (machine_costs_fit(all, &found, &error) != DC_OK)
    fail_msg("%s", error.text);
  assert_true(found.machine.known);
  assert_string_equal(found.machine.device, "NVIDIA H200");
  for (unsigned k = 0; k < DC_MACHINE_FIELDS; ++k) {
    double value = dc_machine_get(&found.machine, k), right = dc_machine_get(expected, k);
    if (fabs(value - right) > most * right)
      fail_msg("%s: %g, not %g", dc_machine_fields[k].name, value, right);
    assert_true(machine_costs_how(k)[0]);
  }
  assert_true(found.n_checks > 15);
  for (unsigned k = 0; k < found.n_checks; ++k)
    if (found.checks[k].median > 3 * most + 1e-9)
      fail_msg("%s: %g off", found.checks[k].test, found.checks[k].median);
}

static void what_went_in_comes_out(void **state) {
  (void)state;
  dc_machine machine = h200();
  machine_results all = make_up(&machine, 0);
  expect_machine(&machine, &all, 1e-9);
  machine_results_free(&all);
  machine.l1 = 31;
  machine.shared_more = 1.5;
  machine.l1_more = 3.25;
  machine.l2_far = 310;
  machine.l2_more = 20;
  machine.dram_more = 64;
  machine.l1_request = 0.75;
  machine.l2_bytes = 36000001;
  machine.l2_sector = 2.25;
  machine.dram_sector_alone = 0.75;
  machine.l2_write_sector = 4;
  machine.dram_write_sector = 12;
  machine.dram_write_line_sector = 1.5;
  machine.reduce_sector = 2.5;
  machine.branch = 7;
  machine.same_address = 3.5;
  machine.launch_low = 9e-7;
  machine.block_start = 300;
  machine.block_start_warp = 20;
  machine.block_each = 2;
  machine.l1_bytes = 160 << 10;
  all = make_up(&machine, 0);
  expect_machine(&machine, &all, 1e-9);
  machine_results_free(&all);
}

// Half a percent in each value: a branch is what is left of loops, so it has most of it.
static void noise_stays_small(void **state) {
  (void)state;
  dc_machine machine = h200();
  machine_results all = make_up(&machine, 0.005);
  expect_machine(&machine, &all, 0.06);
  machine_results_free(&all);
}

// What the library has of an H200 is what was measured, to four digits.
static void the_h200_is_as_measured(void **state) {
  (void)state;
  static machine_costs found;
  dc_machine h200_has = h200();
  machine_results all = {0};
  dc_error error;
  if (machine_results_read(DIVCOST_RESULTS "/machine.tsv", &all, &error) != DC_OK ||
      machine_costs_fit(&all, &found, &error) != DC_OK)
    fail_msg("%s", error.text);
  for (unsigned k = 0; k < DC_MACHINE_FIELDS; ++k) {
    double value = dc_machine_get(&found.machine, k), has = dc_machine_get(&h200_has, k);
    if (fabs(value - has) > 0.003 * value)
      fail_msg("%s: %g, measured is %g", dc_machine_fields[k].name, has, value);
  }
  machine_results_free(&all);
}

static void expect_refusal(machine_results *all, const char *words) {
  static machine_costs found;
  dc_error error = {0};
  assert_int_equal(machine_costs_fit(all, &found, &error), DC_ERROR_ARGUMENT);
  assert_false(found.machine.known);
  if (!strstr(error.text, words))
    fail_msg("'%s' has no '%s'", error.text, words);
}

static machine_result *first_of(machine_results *all, const char *test) {
  for (unsigned k = 0; k < all->count; ++k)
    if (strcmp(all->items[k].test, test) == 0)
      return &all->items[k];
  fail_msg("no %s", test);
  return NULL;
}

static void what_is_missing_is_named(void **state) {
  (void)state;
  dc_machine machine = h200();
  machine_results all = make_up(&machine, 0), none = {0};
  expect_refusal(&none, "the measurements don't tell clock");
  first_of(&all, "shuffle")->warps = 3;
  expect_refusal(&all, "the measurements don't tell shuffle");
  first_of(&all, "shuffle")->warps = 1;
  first_of(&all, "l1")->value.median = 5; // less than its address
  expect_refusal(&all, "l1 is -5 cycles, which makes no sense");
  machine_results_free(&all);
}

static dc_status read_text(const char *text, machine_results *all, dc_error *error) {
  char path[] = "/tmp/divcost-machine-XXXXXX";
  int file = mkstemp(path);
  FILE *stream = file >= 0 ? fdopen(file, "w") : NULL;
  assert_non_null(stream);
  fputs(text, stream);
  fclose(stream);
  dc_status status = machine_results_read(path, all, error);
  remove(path);
  return status;
}

static void files_are_read_as_written(void **state) {
  (void)state;
  dc_machine machine = h200();
  machine_results all = make_up(&machine, 0.1), again = {0};
  dc_error error;
  char *text = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&text, &size);
  assert_non_null(stream);
  machine_results_begin(stream, all.origin);
  for (unsigned k = 0; k < all.count; ++k)
    machine_results_write(stream, &all.items[k]);
  fclose(stream);
  if (read_text(text, &again, &error) != DC_OK)
    fail_msg("%s", error.text);
  assert_string_equal(again.origin, all.origin);
  assert_int_equal(again.count, all.count);
  for (unsigned k = 0; k < all.count; ++k) {
    const machine_result *x = &all.items[k], *y = &again.items[k];
    assert_string_equal(x->test, y->test);
    assert_true(x->sms == y->sms && x->warps == y->warps && x->n == y->n && x->bytes == y->bytes);
    assert_true(x->unit == y->unit && x->steps == y->steps);
    assert_true(fabs(x->value.median - y->value.median) <= 1e-8 * x->value.median);
  }
  free(text);
  machine_results_free(&all);
  machine_results_free(&again);
}

static void mistakes_are_told_by_line(void **state) {
  (void)state;
  static const char *const wrong[] = {
      "add\t1\t1\t0\t0\t16\tcycles\t4\t4\t4\n",       // a field less
      "add\t1\t1\t0\t0\t16\tcycles\t4\t4\t4\t5\t6\n", // one more
      "add\t1\t1\t0\t0\t16\tyears\t4\t4\t4\t5\n",     // no unit
      "add\t1\t1\t0\t0\t16\tcycles\t4\t5\t6\t5\n",    // no sample
      "add\t1\t1\t0\t0\t16\tcycles\t4\t0\t6\t5\n",    // no time
      "add\t-1\t1\t0\t0\t16\tcycles\t4\t4\t4\t5\n",   // no number
      "add\t1\t1\t0\t1e99\t16\tcycles\t4\t4\t4\t5\n", // too much
      "\t1\t1\t0\t0\t16\tcycles\t4\t4\t4\t5\n",       // no name
      "a_name_that_is_much_too_long\t1\t1\t0\t0\t16\tcycles\t4\t4\t4\t5\n"};
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
    char text[256];
    machine_results all = {0};
    dc_error error;
    snprintf(text, sizeof text, "# here\n%s", wrong[k]);
    assert_int_equal(read_text(text, &all, &error), DC_ERROR_SYNTAX);
    assert_non_null(strstr(error.text, "line 2: not a measurement"));
    machine_results_free(&all);
  }
}

// What a smaller GPU has no room for isn't planned; a place in memory is never outside of it.
static bool look_at(void *context, const machine_case *item) {
  const machine_room *room = context;
  assert_true(item->sms >= 1 && item->sms <= room->sms && item->warps <= room->warps);
  assert_true(item->bytes <= room->bytes && item->steps % 16 == 0);
  assert_true(item->bytes == 0 || item->bytes >> item->unit_log2 >= 64);
  return true;
}

static void plans_fit_into_the_gpu(void **state) {
  (void)state;
  machine_case item;
  machine_plan(&(machine_room){40, 32, (uint64_t)1 << 30}, look_at,
               &(machine_room){40, 32, (uint64_t)1 << 30});
  assert_true(machine_plan_find("atomic_sectors", &item) && item.lane_stride == 32);
  assert_false(machine_plan_find("nothing", &item));
  assert_true(machine_plan_launches("gather_cg"));
  assert_false(machine_plan_launches("gather"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_went_in_comes_out),    cmocka_unit_test(noise_stays_small),
      cmocka_unit_test(the_h200_is_as_measured),   cmocka_unit_test(what_is_missing_is_named),
      cmocka_unit_test(files_are_read_as_written), cmocka_unit_test(mistakes_are_told_by_line),
      cmocka_unit_test(plans_fit_into_the_gpu),
  };
  return cmocka_run_group_tests_name("machine", tests, NULL, NULL);
}
