// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sections of object files that hold reports: whole ones, padded ones, and damaged ones.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "divcost/embedded.h"

#include <string.h>

typedef struct section {
  unsigned char bytes[256];
  size_t size;
} section;

static void add(section *to, const char *report) {
  dc_embedded_header(strlen(report), to->bytes + to->size);
  memcpy(to->bytes + to->size + DC_EMBEDDED_HEADER, report, strlen(report));
  to->size += DC_EMBEDDED_HEADER + strlen(report);
}

static void expect_next(dc_embedded *at, const char *expected) {
  const unsigned char *report;
  size_t length;
  assert_int_equal(dc_embedded_next(at, &report, &length, NULL), DC_OK);
  assert_int_equal(length, expected ? strlen(expected) : 0);
  if (expected)
    assert_memory_equal(report, expected, length);
  else
    assert_null(report);
}

static void test_reports_are_found_one_behind_the_other(void **state) {
  (void)state;
  section s = {.size = 0};
  add(&s, "{\"divcost\": 1}");
  add(&s, "");
  s.size += 3; // a linker's padding
  add(&s, "third");
  dc_embedded at = {s.bytes, s.size, 0};
  expect_next(&at, "{\"divcost\": 1}");
  expect_next(&at, "");
  expect_next(&at, "third");
  expect_next(&at, NULL);
  expect_next(&at, NULL);
}

static void test_the_header_is_what_the_documentation_says(void **state) {
  (void)state;
  unsigned char header[DC_EMBEDDED_HEADER];
  dc_embedded_header(0x0102030405060708, header);
  const unsigned char expected[] = {'d', 'i', 'v', 'c', 'o', 's', 't', 0, 1, 0,
                                    0,   0,   8,   7,   6,   5,   4,   3, 2, 1};
  assert_int_equal(sizeof expected, DC_EMBEDDED_HEADER);
  assert_memory_equal(header, expected, sizeof expected);
}

static void expect_error(const section *s, size_t skip, const char *words) {
  dc_embedded at = {s->bytes, s->size, 0};
  const unsigned char *report;
  size_t length;
  for (size_t k = 0; k < skip; ++k)
    assert_int_equal(dc_embedded_next(&at, &report, &length, NULL), DC_OK);
  dc_error error;
  assert_int_equal(dc_embedded_next(&at, &report, &length, &error), DC_ERROR_SYNTAX);
  assert_non_null(strstr(error.text, words));
  assert_null(report);
}

static void test_what_is_damaged_is_an_error(void **state) {
  (void)state;
  section whole = {.size = 0};
  add(&whole, "first");
  add(&whole, "second");
  for (size_t size = 26; size < whole.size; ++size) { // anywhere in the second
    section cut = whole;
    cut.size = size;
    expect_error(&cut, 1, size < 25 + DC_EMBEDDED_HEADER ? "begins no report" : "is cut off");
  }
  section other = whole;
  other.bytes[3] ^= 1;
  expect_error(&other, 0, "byte 0 of section .divcost begins no report");
  other = whole;
  other.bytes[8] = 2;
  expect_error(&other, 0, "version 2, which a newer divcost reads");
  other = whole;
  memset(other.bytes + 12, 0xff, 8); // at + length would wrap
  expect_error(&other, 0, "is cut off");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_reports_are_found_one_behind_the_other),
      cmocka_unit_test(test_the_header_is_what_the_documentation_says),
      cmocka_unit_test(test_what_is_damaged_is_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
