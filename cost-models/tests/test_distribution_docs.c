// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// docs/distributions.md: the means and variances that it shows are those of its distributions,
// every distribution of the table is shown, and its grammar is that of distribution.h, which has
// every distribution, too.
#include "support.h"

#include "distribution/distribution_internal.h"

// Rows "| `DISTRIBUTION` | MEAN | VARIANCE | ...".
static void the_figures_are_those_of_the_distributions(void **state) {
  (void)state;
  char *page = read_page(DIVCOST_DOCS "/distributions.md");
  bool shown[DC_DISTRIBUTION_KINDS] = {0};
  for (char *row = strstr(page, "\n| `"); row; row = strstr(row + 1, "\n| `")) {
    char text[200], mean[32], variance[32], wanted[80], got[80];
    if (sscanf(row, "\n| `%199[^`]` | %31[0-9.e+] | %31[0-9.e+] |", text, mean, variance) != 3)
      continue; // a row of another table
    made m = make(text, NULL);
    shown[m.spec->kind] = true;
    snprintf(wanted, sizeof wanted, "%.6g | %.6g", dc_distribution_mean(&m.distribution),
             dc_distribution_variance(&m.distribution));
    snprintf(got, sizeof got, "%s | %s", mean, variance);
    if (strcmp(got, wanted) != 0)
      fail_msg("%s: the page says %s, but it is %s", text, got, wanted);
    release(&m);
  }
  for (int kind = 0; kind < DC_DISTRIBUTION_KINDS; ++kind)
    if (!shown[kind])
      fail_msg("the page shows no %s",
               dc__distribution_rules[kind].name ? dc__distribution_rules[kind].name : "mixture");
  free(page);
}

static void the_grammar_is_that_of_the_header(void **state) {
  (void)state;
  char *page = read_page(DIVCOST_DOCS "/distributions.md"),
       *header = read_page(DIVCOST_HEADERS "/distribution.h");
  char *block = strstr(page, "```ebnf\n"), *end = block ? strstr(block, "\n```\n") : NULL;
  assert_non_null(end);
  *end = 0;
  unsigned lines = 0;
  for (char *line = strtok(block + strlen("```ebnf\n"), "\n"); line; line = strtok(NULL, "\n")) {
    char wanted[200];
    snprintf(wanted, sizeof wanted, "\n//     %s\n", line);
    if (!strstr(header, wanted))
      fail_msg("the header has no line \"%s\"", line);
    ++lines;
  }
  assert_true(lines > 20);
  for (int kind = 0; kind < DC_DISTRIBUTION_KINDS; ++kind) {
    char wanted[60];
    snprintf(wanted, sizeof wanted, "//           | \"%s\" \"(\"",
             dc__distribution_rules[kind].name ? dc__distribution_rules[kind].name : "");
    if (dc__distribution_rules[kind].name && !strstr(header, wanted))
      fail_msg("the grammar of the header has no %s", dc__distribution_rules[kind].name);
  }
  free(page);
  free(header);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_figures_are_those_of_the_distributions),
      cmocka_unit_test(the_grammar_is_that_of_the_header),
  };
  return cmocka_run_group_tests_name("distribution_docs", tests, NULL, NULL);
}
