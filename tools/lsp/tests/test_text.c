// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Positions and edits of a document, its lines that stay, and the URIs of files.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lsp/text.h"
#include "lsp/uri.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static text text_of(const char *bytes) {
  text t = {0};
  assert_true(text_set(&t, bytes, strlen(bytes)));
  return t;
}

static size_t offset(const text *t, size_t line, size_t character, text_encoding encoding) {
  return text_offset(t, (text_position){line, character}, encoding);
}

// U+00E9 has 2 bytes and 1 unit of UTF-16, U+1F600 has 4 and 2.
static void positions_count_units_of_the_encoding(void **state) {
  (void)state;
  text t = text_of("a\xc3\xa9\xf0\x9f\x98\x80z\nb");
  static const size_t utf16[] = {0, 1, 3, 3, 7, 8, 8}, utf8[] = {0, 1, 1, 3, 3, 3, 3, 7, 8, 8};
  for (size_t k = 0; k < sizeof utf16 / sizeof *utf16; ++k)
    assert_int_equal(offset(&t, 0, k, TEXT_UTF16), utf16[k]);
  for (size_t k = 0; k < sizeof utf8 / sizeof *utf8; ++k)
    assert_int_equal(offset(&t, 0, k, TEXT_UTF8), utf8[k]);
  assert_int_equal(text_position_of(&t, 7, TEXT_UTF16).character, 4);
  assert_int_equal(text_position_of(&t, 7, TEXT_UTF8).character, 7);
  assert_int_equal(text_position_of(&t, 5, TEXT_UTF16).character, 2); // within a character
  assert_int_equal(text_position_of(&t, 9, TEXT_UTF16).line, 1);
  text_free(&t);
}

static void lines_end_in_three_ways(void **state) {
  (void)state;
  text t = text_of("ab\r\ncd\ref\n\r\n");
  static const size_t begin[] = {0, 4, 7, 10, 12}, end[] = {2, 6, 9, 10, 12};
  assert_int_equal(t.n_lines, 5);
  for (size_t k = 0; k < 5; ++k) {
    assert_int_equal(t.lines[k], begin[k]);
    assert_int_equal(text_line_end(&t, k), end[k]);
    assert_int_equal(offset(&t, k, 99, TEXT_UTF16), end[k]);
  }
  assert_int_equal(offset(&t, 99, 0, TEXT_UTF16), t.size);
  text_free(&t);
}

// For every byte of a text that is no UTF-8 too: its position leads back to it, or to the beginning
// of the character that it is in.
static void positions_and_offsets_agree_on_any_bytes(void **state) {
  (void)state;
  uint32_t random = 7;
  for (unsigned round = 0; round < 300; ++round) {
    char bytes[64];
    for (size_t k = 0; k < sizeof bytes; ++k) {
      static const char some[] = "a\n\r\xc3\xa9\xf0\x9f\x98\x80\xff z";
      random = random * 1664525 + 1013904223;
      bytes[k] = some[(random >> 16) % (sizeof some - 1)];
    }
    text t = {0};
    assert_true(text_set(&t, bytes, sizeof bytes));
    for (size_t at = 0; at <= sizeof bytes; ++at)
      for (int encoding = 0; encoding < 2; ++encoding) {
        text_position position = text_position_of(&t, at, (text_encoding)encoding);
        size_t back = text_offset(&t, position, (text_encoding)encoding);
        assert_true(back <= at && at - back < 4);
        text_position again = text_position_of(&t, back, (text_encoding)encoding);
        assert_int_equal(again.line, position.line);
        assert_int_equal(again.character, position.character);
      }
    text_free(&t);
  }
}

static void replacing_makes_the_text_that_editors_have(void **state) {
  (void)state;
  text t = {0};
  assert_true(text_replace(&t, 0, 0, "one\ntwo\n", 8));
  assert_true(text_replace(&t, 4, 7, "2\n3", 3));
  assert_int_equal(t.size, 8);
  assert_memory_equal(t.bytes, "one\n2\n3\n", 8);
  assert_int_equal(t.n_lines, 4);
  assert_true(text_replace(&t, 0, 8, "", 0));
  assert_int_equal(t.n_lines, 1);
  text_free(&t);
}

// Where the lines of `before` are in `after`; TEXT_GONE is '-', else a letter from a.
static void expect_lines(const char *before, const char *after, const char *expected) {
  text from = text_of(before), to = text_of(after);
  text_lines lines = {0};
  assert_true(text_lines_begin(&lines, from.n_lines));
  text_lines_follow(&lines, &from, &to);
  char now[32] = "";
  for (size_t k = 0; k < from.n_lines; ++k) {
    uint32_t line = text_lines_now(&lines, k);
    now[k] = (char)(line == TEXT_GONE ? '-' : 'a' + (char)line);
  }
  assert_string_equal(now, expected);
  text_lines_free(&lines);
  text_free(&from);
  text_free(&to);
}

static void lines_that_stay_are_found_again(void **state) {
  (void)state;
  expect_lines("a\nb\nc\n", "a\nb\nc\n", "abcd");
  expect_lines("a\nb\nc\n", "x\na\nb\nc\n", "bcde");
  expect_lines("a\nb\nc\n", "a\nb\nx\nc\n", "abde");
  expect_lines("a\nb\nc\n", "a\nc\n", "a-bc");
  expect_lines("a\nb\nc\n", "a\nbx\nc\n", "a-cd");
  expect_lines("a\n  b\n", "a\n  x\n  b\n",
               "acd"); // by whole lines, though "  " is a shorter difference
  expect_lines("a\nfoo\n", "a\nxfoo\n", "a-c");
  expect_lines("a\nb", "", "--");
  expect_lines("", "a\n", "b");
  expect_lines("a\nb\n", "a\nb", "a--");
  expect_lines("a\r\nb\r\n", "x\r\na\r\nb\r\n", "bcd");
}

static void lines_of_no_text_stay(void **state) {
  (void)state;
  assert_int_equal(text_lines_now(&(text_lines){0}, 7), 7);
  assert_int_equal(text_lines_now(&(text_lines){0}, SIZE_MAX), TEXT_GONE);
}

static void expect_path(const char *uri, const char *path) {
  char *found = uri_path(uri);
  if (path)
    assert_string_equal(found, path);
  else
    assert_null(found);
  free(found);
}

static void uris_name_paths(void **state) {
  (void)state;
  expect_path("file:///a/b.cu", "/a/b.cu");
  expect_path("FILE://localhost/a%20b%C3%a9%25.cu", "/a b\xc3\xa9%.cu");
  expect_path("file:/a", "/a");
  expect_path("file:///a%", "/a%");
  expect_path("file:///a%4", "/a%4");
  expect_path("file:///a%zz#part", "/a%zz");
  expect_path("file:///a%00b", NULL);
  expect_path("file://host/a", NULL);
  expect_path("untitled:Untitled-1", NULL);
  expect_path("", NULL);
}

static void every_path_has_a_uri_that_names_it(void **state) {
  (void)state;
  char path[257] = "/";
  for (int k = 1; k < 256; ++k)
    path[k] = (char)k;
  char *uri = uri_of_path(path), *back = uri_path(uri);
  assert_string_equal(back, path);
  for (const char *at = uri; *at; ++at)
    assert_true(*at > ' ' && *at <= '~');
  free(uri);
  free(back);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(positions_count_units_of_the_encoding),
      cmocka_unit_test(lines_end_in_three_ways),
      cmocka_unit_test(positions_and_offsets_agree_on_any_bytes),
      cmocka_unit_test(replacing_makes_the_text_that_editors_have),
      cmocka_unit_test(lines_that_stay_are_found_again),
      cmocka_unit_test(lines_of_no_text_stay),
      cmocka_unit_test(uris_name_paths),
      cmocka_unit_test(every_path_has_a_uri_that_names_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
