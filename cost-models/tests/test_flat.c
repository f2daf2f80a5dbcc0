// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The flat form of kernels: what was written is read back whole, and bytes that anybody may have
// written do no harm (run this with the sanitizers).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "divcost/flat.h"
#include "divcost/hash.h"

#include "kernel/equal.h"
#include "sample_unit.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER = 20 };

typedef struct bytes {
  unsigned char *data;
  size_t size;
} bytes;

static dc_arch arch_of(const char *name) {
  dc_arch arch;
  assert_int_equal(dc_arch_find(name, &arch, NULL), DC_OK);
  return arch;
}

// The kernel is borrowed, the costs are those of two architectures.
static bytes write_kernel(const dc_kernel *kernel) {
  dc_arch archs[] = {arch_of("kepler"), arch_of("sm_90")};
  dc_flat flat = {*kernel, archs, 2};
  bytes written = {NULL, dc_flat_write(&flat, NULL, 0)};
  written.data = malloc(written.size);
  assert_int_equal(dc_flat_write(&flat, written.data, written.size), written.size);
  return written;
}

// Makes the checksum right: what is changed behind it must be found by the other checks.
static void seal(bytes b) {
  uint32_t hash = dc_hash_bytes_32(b.data + HEADER, b.size - HEADER);
  for (unsigned k = 0; k < 4; ++k)
    b.data[16 + k] = (unsigned char)(hash >> (8 * k));
}

static void assert_refused(const void *data, size_t size, const char *words) {
  dc_flat flat;
  dc_error error = {0};
  void *copy = malloc(size ? size : 1); // exactly as large, so that a sanitizer sees a byte too far
  memcpy(copy, data, size);
  assert_int_not_equal(dc_flat_read(copy, size, &flat, &error), DC_OK);
  free(copy);
  if (!strstr(error.text, words))
    fail_msg("'%s' doesn't say '%s'", error.text, words);
  assert_null(flat.kernel.blocks);
  assert_null(flat.archs);
}

static void assert_round_trip(const dc_kernel *kernel) {
  bytes first = write_kernel(kernel);
  dc_flat flat;
  dc_error error;
  if (dc_flat_read(first.data, first.size, &flat, &error) != DC_OK)
    fail_msg("%s", error.text);
  assert_true(dc__kernels_equal(kernel, &flat.kernel));
  assert_int_equal(flat.n_archs, 2);
  assert_int_equal(flat.archs[0].rules, DC_RULES_STACK);
  assert_string_equal(flat.archs[1].provenance, arch_of("sm_90").provenance);
  assert_false(flat.archs[0].machine.known);
  assert_string_equal(flat.archs[1].machine.device, "NVIDIA H200");
  assert_int_equal(flat.archs[1].machine.l2_bytes, arch_of("sm_90").machine.l2_bytes);
  bytes second = {malloc(first.size), dc_flat_write(&flat, NULL, 0)};
  assert_int_equal(first.size, second.size);
  dc_flat_write(&flat, second.data, second.size);
  assert_memory_equal(first.data, second.data, first.size);
  free(first.data);
  free(second.data);
  dc_flat_free(&flat);
}

static void kernels_survive_a_round_trip(void **state) {
  (void)state;
  dc_unit unit;
  sample_not_analysed(&unit);
  for (uint32_t k = 0; k < unit.n_kernels; ++k)
    assert_round_trip(&unit.kernels[k].kernel);
  dc_unit_free(&unit);
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    random_unit(&unit, seed);
    assert_round_trip(&unit.kernels[0].kernel);
    dc_unit_free(&unit);
  }
}

static void what_was_read_can_be_added_to(void **state) {
  (void)state;
  dc_unit unit;
  dc_flat flat;
  sample_not_analysed(&unit);
  bytes written = write_kernel(&unit.kernels[0].kernel);
  assert_int_equal(dc_flat_read(written.data, written.size, &flat, NULL), DC_OK);
  for (unsigned k = 0; k < 100; ++k) {
    char text[40];
    snprintf(text, sizeof text, "poisson(%u)", k);
    assert_string_equal(dc_kernel_text(&flat.kernel, dc_kernel_add_text(&flat.kernel, text)), text);
    assert_int_equal(dc_kernel_add_launch(&flat.kernel), unit.kernels[0].kernel.n_launches + k);
  }
  free(written.data);
  dc_flat_free(&flat);
  dc_unit_free(&unit);
}

static void estimates_from_the_flat_form_are_the_same(void **state) {
  (void)state;
  dc_unit unit;
  dc_flat flat;
  dc_estimate before, after;
  dc_estimate_cache *cache = dc_estimate_cache_create(); // of all
  sample_not_analysed(&unit);
  for (uint32_t k = 0; k < unit.n_kernels; ++k) {
    const dc_kernel *kernel = &unit.kernels[k].kernel;
    bytes written = write_kernel(kernel);
    assert_int_equal(dc_flat_read(written.data, written.size, &flat, NULL), DC_OK);
    for (uint32_t a = 0; a < flat.n_archs; ++a) {
      dc_arch arch = arch_of(a ? "sm_90" : "kepler");
      dc_error error;
      if (dc_estimate_kernel(kernel, &arch, &kernel->launches[0], NULL, &before, &error) != DC_OK ||
          dc_estimate_kernel(&flat.kernel, &flat.archs[a], &flat.kernel.launches[0], cache, &after,
                             &error) != DC_OK)
        fail_msg("%s", error.text);
      assert_memory_equal(&before.cycles, &after.cycles, sizeof before.cycles);
      assert_memory_equal(&before.efficiency, &after.efficiency, sizeof before.efficiency);
      dc_estimate_free(&before);
      dc_estimate_free(&after);
    }
    free(written.data);
    dc_flat_free(&flat);
  }
  dc_estimate_cache_free(cache);
  dc_unit_free(&unit);
}

static void every_cut_and_every_changed_byte_is_refused(void **state) {
  (void)state;
  dc_unit unit;
  sample_not_analysed(&unit);
  bytes written = write_kernel(&unit.kernels[0].kernel);
  for (size_t size = 0; size < written.size; size += size < 200 ? 1 : 37)
    assert_refused(written.data, size, "byte ");
  for (size_t k = HEADER; k < written.size; k += 11) {
    written.data[k] ^= 0x40;
    assert_refused(written.data, written.size, "was changed");
    written.data[k] ^= 0x40;
  }
  written.data[8] = 1;
  assert_refused(written.data, written.size, "version 1, this is for version 15");
  free(written.data);
  dc_unit_free(&unit);
}

static void places_that_are_not_valid_are_named(void **state) {
  (void)state;
  dc_unit unit;
  sample_not_analysed(&unit);
  dc_kernel *kernel = &unit.kernels[0].kernel;
  kernel->loops[0].header = 1000;
  bytes written = write_kernel(kernel);
  assert_refused(written.data, written.size, "loops[0].header is 1000");
  free(written.data);
  kernel->loops[0].header = 0;
  dc_arch arch = arch_of("kepler");
  arch.spill_entries = 17;
  dc_flat flat = {*kernel, &arch, 1};
  bytes wrong = {NULL, dc_flat_write(&flat, NULL, 0)};
  wrong.data = malloc(wrong.size);
  dc_flat_write(&flat, wrong.data, wrong.size);
  assert_refused(wrong.data, wrong.size, "17 entries are spilled of a stack of 16");
  free(wrong.data);
  arch = arch_of("sm_90");
  arch.machine.sms = 0;
  wrong.data = malloc(dc_flat_write(&flat, NULL, 0));
  wrong.size = dc_flat_write(&flat, wrong.data, dc_flat_write(&flat, NULL, 0));
  assert_refused(wrong.data, wrong.size, "archs: sms is 0, must be from 1 to 4096 and whole");
  free(wrong.data);
  dc_unit_free(&unit);
}

// What passes all checks is what dc_flat_write writes of it: the form has no other spelling.
static void damage_behind_a_right_checksum_does_no_harm(void **state) {
  (void)state;
  dc_unit unit;
  uint64_t random = 1;
  unsigned accepted = 0;
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    random_unit(&unit, seed);
    bytes written = write_kernel(&unit.kernels[0].kernel);
    for (unsigned round = 0; round < 1500; ++round) {
      random = random * UINT64_C(6364136223846793005) + 1;
      size_t at = HEADER + (size_t)(random >> 33) % (written.size - HEADER);
      unsigned char before = written.data[at];
      written.data[at] = (unsigned char)(random >> 24);
      seal(written);
      dc_flat flat;
      if (dc_flat_read(written.data, written.size, &flat, NULL) == DC_OK) {
        unsigned char *again = malloc(written.size);
        assert_int_equal(dc_flat_write(&flat, again, written.size), written.size);
        assert_memory_equal(again, written.data, written.size);
        free(again);
        ++accepted;
      }
      dc_flat_free(&flat);
      written.data[at] = before;
    }
    free(written.data);
    dc_unit_free(&unit);
  }
  assert_in_range(accepted, 100, 11900); // names and line numbers may be anything; indices may not
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kernels_survive_a_round_trip),
      cmocka_unit_test(what_was_read_can_be_added_to),
      cmocka_unit_test(estimates_from_the_flat_form_are_the_same),
      cmocka_unit_test(every_cut_and_every_changed_byte_is_refused),
      cmocka_unit_test(places_that_are_not_valid_are_named),
      cmocka_unit_test(damage_behind_a_right_checksum_does_no_harm),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
