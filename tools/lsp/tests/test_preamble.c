// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where preambles end: '|' in these texts, which isn't a part of them. Without one there is none.
#include "lsp/preamble.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void check(const char *marked) {
  const char *mark = strchr(marked, '|');
  size_t length = strlen(marked), expected = mark ? (size_t)(mark - marked) : 0;
  char *text = malloc(length + 1); // as large as it is: a sanitizer sees what reads on
  assert_non_null(text);
  size_t size = 0;
  for (size_t k = 0; k < length; ++k)
    if (marked[k] != '|')
      text[size++] = marked[k];
  char *exact = realloc(text, size ? size : 1);
  assert_non_null(exact);
  if (preamble_size(exact, size) != expected)
    fail_msg("%s: %zu", marked, preamble_size(exact, size));
  free(exact);
}

static void check_all(const char *const *marked) {
  for (; *marked; ++marked)
    check(*marked);
}

static void test_it_ends_before_code(void **state) {
  (void)state;
  static const char *const texts[] = {"#include <a>\n|int x;\n",
                                      "#include <a>\n\n  \t\n|__global__ void k();\n",
                                      "  #  include \"a\"\n|int x;\n",
                                      "#include_next <a>\n|x",
                                      "#include <a>\n#define A {\n#undef A\n#error no\n|{}",
                                      "#pragma once\n#include <a>\n|x",
                                      "#include <a>\r\n\r\n|int x;\r\n",
                                      "#include <a>\r#define A\r|int x;\r",
                                      "#include <a>\n#\n|int x;\n",
                                      NULL};
  check_all(texts);
}

static void test_there_may_be_none(void **state) {
  (void)state;
  static const char *const texts[] = {"",
                                      "\n",
                                      "int x;\n#include <a>\n",
                                      "#define A\n",
                                      "// #include <a>\nint x;\n",
                                      "\xef\xbb\xbf#include <a>\n",
                                      "#include <a>",
                                      "/* #include <a>\n",
                                      "#include <a> \\\n",
                                      NULL};
  check_all(texts);
}

static void test_comments(void **state) {
  (void)state;
  static const char *const texts[] = {"// one\n/* two\n#if\n*/\n#include <a> // three\n|int x;\n",
                                      "#include <a> /* begins\n ends */\n|int x;\n",
                                      "#include <a>\n|/* begins\n ends */ int x;\n",
                                      "#include <a>\n// goes on \\\nint y;\n|int x;\n",
                                      "#include <a>\n/**/ /***/ // \\ x\n|int x;\n",
                                      "#include <a>\n|/* no end",
                                      "#include <a>\n|/ x",
                                      "/* a */ # /* b */ include /* c */ <a>\n|x",
                                      "#include <a>\n/\\\n* *\\\r\n/\n|x",
                                      NULL};
  check_all(texts);
}

static void test_lines_that_go_on(void **state) {
  (void)state;
  static const char *const texts[] = {"#define A \\\n  int x;\n#include <a>\n|int x;\n",
                                      "#define A \\\r\n  int x;\r\n#include <a>\r\n|int x;\r\n",
                                      "#define A \\  \n  int x;\n#include <a>\n|int x;\n",
                                      "#inc\\\nlude <a>\n|int x;\n",
                                      "#include <a>\n|\\\nint x;\n",
                                      "#include <a>\n|#define A \\\n",
                                      NULL};
  check_all(texts);
}

static void test_conditionals_are_closed(void **state) {
  (void)state;
  static const char *const texts[] = {
      "#if A\n#include <a>\n#else\n#include <b>\n#endif\n|int x;\n",
      "#include <a>\n|#if A\n#include <b>\nint x;\n#endif\n",
      "#ifndef A\n#define A\n#include <a>\nint x;\n#endif\n",
      "#include <a>\n#ifdef A\n#if B\n#elif C\n#elifdef D\n#endif\n#endif\n|#ifndef B\nint x;\n",
      "#include <a>\n|#endif\n",
      "#include <a>\n|#else\n",
      NULL};
  check_all(texts);
}

// What clang keeps for the file in which it stands, and nobody else.
static void test_other_directives_end_it(void **state) {
  (void)state;
  static const char *const texts[] = {
      "#include <a>\n|#line 7\n",           "#include <a>\n|# 7 \"b\"\n",
      "#include <a>\n|#pragma pack(1)\n",   "#include <a>\n|#pragma divcost trips(const(3))\n",
      "#include <a>\n|#embed <b>\n",        "#include <a>\n|#pragma\n",
      "#include <a>\n|_Pragma(\"once\")\n", NULL};
  check_all(texts);
}

static void test_literals(void **state) {
  (void)state;
  static const char *const texts[] = {"#define A \"/*\"\n#include <a>\n|x",
                                      "#define A '\"' \"\\\"/*\" // \"\n#include <a>\n|x",
                                      "#error don't\n#include <a>\n|x",
                                      "#include <a>\n|#error don't /* or\n */\n",
                                      "#include <a>\n|#define A R\"(\n#include <b>\n)\"\n",
                                      "#define A 1'000\n#include <a>\n|x",
                                      NULL};
  check_all(texts);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_it_ends_before_code),
      cmocka_unit_test(test_there_may_be_none),
      cmocka_unit_test(test_comments),
      cmocka_unit_test(test_lines_that_go_on),
      cmocka_unit_test(test_conditionals_are_closed),
      cmocka_unit_test(test_other_directives_end_it),
      cmocka_unit_test(test_literals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
