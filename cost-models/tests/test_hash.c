// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hash against the values of its authors' test suite, and that it goes on from where it was.
#include "divcost/hash.h"

#include "support.h"

static void test_known_values(void **state) {
  static const struct known {
    const char *text;
    uint64_t hash;
    uint32_t hash_32;
  } known[] = {{"", UINT64_C(0xcbf29ce484222325), UINT32_C(0x811c9dc5)},
               {"a", UINT64_C(0xaf63dc4c8601ec8c), UINT32_C(0xe40c292c)},
               {"foobar", UINT64_C(0x85944171f73967e8), UINT32_C(0xbf9cf968)}};
  (void)state;
  for (size_t k = 0; k < sizeof known / sizeof *known; ++k) {
    size_t size = strlen(known[k].text);
    assert_true(dc_hash_bytes(DC_HASH_BEGIN, known[k].text, size) == known[k].hash);
    assert_int_equal(dc_hash_bytes_32(known[k].text, size), known[k].hash_32);
  }
}

static void test_goes_on(void **state) {
  (void)state;
  uint64_t whole = dc_hash_bytes(DC_HASH_BEGIN, "foobar", 6);
  assert_true(dc_hash_bytes(dc_hash_bytes(DC_HASH_BEGIN, "foo", 3), "bar", 3) == whole);
}

static void test_numbers(void **state) {
  static const unsigned char bytes[] = {0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01};
  (void)state;
  assert_true(dc_hash_u64(DC_HASH_BEGIN, UINT64_C(0x0123456789abcdef)) ==
              dc_hash_bytes(DC_HASH_BEGIN, bytes, sizeof bytes));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_known_values),
                                     cmocka_unit_test(test_goes_on),
                                     cmocka_unit_test(test_numbers)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
