// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// words rules|distributions: the names of a table as entries of a dictionary, for -dict=.
#include "divcost/distribution.h"
#include "divcost/rules.h"

#include <stdio.h>
#include <string.h>

static void print_rules(void) {
  for (int rule = 0; rule < DC_RULE_COUNT; ++rule)
    printf("\"\\\"%s\\\"\"\n", dc_rule_name((dc_rule)rule));
}

// "uniform(": a usage up to its parenthesis, which mixtures don't have.
static void print_distributions(void) {
  char usage[80];
  for (unsigned kind = 0; dc_distribution_usage(kind, usage, sizeof usage); ++kind)
    if (strchr(usage, '('))
      printf("\"%.*s(\"\n", (int)strcspn(usage, "("), usage);
}

int main(int count, char **arguments) {
  const char *table = count == 2 ? arguments[1] : "";
  if (strcmp(table, "rules") == 0)
    print_rules();
  else if (strcmp(table, "distributions") == 0)
    print_distributions();
  else
    return 1;
  return 0;
}
