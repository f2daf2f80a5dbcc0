// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of rules has all that is said of a rule, and docs/warnings.md lists the same ones.
#include "support.h"

#include "divcost/rules.h"

#include <ctype.h>

static void every_rule_is_described(void **state) {
  (void)state;
  for (int rule = 0; rule < DC_RULE_COUNT; ++rule) {
    const dc_rule_info *about = dc_rule_about((dc_rule)rule);
    if (!about->name || !about->title || !about->help)
      fail_msg("rule %d has no row, or a part of one", rule);
    if (strspn(about->name, "abcdefghijklmnopqrstuvwxyz-") != strlen(about->name))
      fail_msg("%s is no name for options, only letters and - are", about->name);
    if (!isupper((unsigned char)*about->title) || about->title[strlen(about->title) - 1] == '.')
      fail_msg("the title of %s is no headline", about->name);
    if (about->help[strlen(about->help) - 1] != '.')
      fail_msg("the help of %s doesn't end as a sentence", about->name);
  }
}

static void names_go_both_ways(void **state) {
  (void)state;
  for (int rule = 0; rule < DC_RULE_COUNT; ++rule)
    assert_int_equal(dc_rule_parse(dc_rule_name((dc_rule)rule)), rule);
  assert_string_equal(dc_rule_name(DC_RULE_GAVE_UP), "gave-up");
  assert_string_equal(dc_rule_name(DC_RULE_COUNT), "?");
  assert_int_equal(dc_rule_parse("Barrier"), -1);
}

static void names_are_listed_and_cut_to_fit(void **state) {
  (void)state;
  char text[400], cut[12];
  const char first[] = "imbalance, data-dependent, barrier, gave-up, barrier-exited";
  size_t length = dc_rule_names(text, sizeof text);
  assert_int_equal(length, strlen(text));
  assert_memory_equal(text, first, strlen(first));
  assert_int_equal(dc_rule_names(cut, sizeof cut), length);
  assert_string_equal(cut, "imbalance, ");
  assert_int_equal(dc_rule_names(NULL, 0), length);
}

// Rows "| [`NAME`](#SECTION) | a warning | ..."; of those that don't warn, "a remark".
static void the_manual_lists_the_same_rules(void **state) {
  (void)state;
  char *page = read_page(DIVCOST_DOCS "/warnings.md"), wanted[120];
  for (int rule = 0; rule < DC_RULE_COUNT; ++rule) {
    const dc_rule_info *about = dc_rule_about((dc_rule)rule);
    snprintf(wanted, sizeof wanted, "\n| [`%s`](#", about->name);
    const char *row = strstr(page, wanted), *kind = row ? strstr(row, ") | ") : NULL;
    if (!row)
      fail_msg("docs/warnings.md: the table has no row of %s", about->name);
    const char *said = about->warns ? ") | a warning |" : ") | a remark |";
    if (!kind || strncmp(kind, said, strlen(said)) != 0)
      fail_msg("docs/warnings.md: from the start %s is %s", about->name,
               about->warns ? "a warning" : "a remark");
    snprintf(wanted, sizeof wanted, "`[divcost-%s]`\n", about->name);
    if (!strstr(page, wanted))
      fail_msg("docs/warnings.md: no section is called %s", about->name);
  }
  for (const char *row = strstr(page, "\n| [`"); row; row = strstr(row + 1, "\n| [`")) {
    char name[40] = "";
    if (sscanf(row, "\n| [`%39[^`]`](#", name) != 1 || dc_rule_parse(name) < 0)
      fail_msg("docs/warnings.md: there is no rule %s", name);
  }
  free(page);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_rule_is_described),
      cmocka_unit_test(names_go_both_ways),
      cmocka_unit_test(names_are_listed_and_cut_to_fit),
      cmocka_unit_test(the_manual_lists_the_same_rules),
  };
  return cmocka_run_group_tests_name("rules", tests, NULL, NULL);
}
