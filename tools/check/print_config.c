// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/print_config.h"

#include "command.h"

#include <stdio.h>
#include <string.h>

#define NOBODY "default"

static const char *plural(size_t count) { return count == 1 ? "" : "s"; }

// "threshold       0.1    default"
static void print_row(const char *name, const char *value, const char *from) {
  printf("  %-14s %-34s %s\n", name, value, from);
}

static void print_rules(const dc_config *config, const char *path) {
  for (int k = 0; k < DC_RULE_COUNT; ++k) {
    dc_config_switch said = config ? config->rules[k] : DC_CONFIG_UNSAID;
    bool warns = said == DC_CONFIG_UNSAID ? dc_rule_about((dc_rule)k)->warns : said == DC_CONFIG_ON;
    char row[60];
    snprintf(row, sizeof row, "%-18s %s", dc_rule_name((dc_rule)k), warns ? "on" : "off");
    print_row(k == 0 ? "rules" : "", row, said == DC_CONFIG_UNSAID ? NOBODY : path);
  }
}

// A value of the command line counts before the configuration's.
static void print_named(const char *name, const char *option, const char *by_option,
                        const char *by_config, const char *path, const char *otherwise) {
  const char *value = by_option ? by_option : by_config;
  print_row(name, value ? path_from_here(value) : otherwise,
            by_option   ? option
            : by_config ? path
                        : NOBODY);
}

static void print_annotations(const check_options *options, const dc_config *config,
                              const char *path) {
  bool own = config && config->annotations && !strcmp(config->annotations, config->path);
  char entries[80];
  if (own)
    snprintf(entries, sizeof entries, "%u kernel%s, %u loop%s", config->n_kernels,
             plural(config->n_kernels), config->n_loops, plural(config->n_loops));
  if (own && !options->annotations)
    print_row("annotations", entries, path);
  else
    print_named("annotations", "--annotations", options->annotations,
                config ? config->annotations : NULL, path, "none");
}

static void print_config(const check_options *options, const dc_config *config) {
  const char *path = config ? path_from_here(config->path) : NULL;
  char threshold[32];
  bool told = config && config->threshold >= 0;
  snprintf(threshold, sizeof threshold, "%g", told ? config->threshold : DC_DEFAULT_THRESHOLD);
  print_row("threshold", threshold, told ? path : NOBODY);
  print_rules(config, path);
  print_named("header-filter", "", NULL, config ? config->header_filter : NULL, path,
              "all but system headers");
  print_named("arch", "--arch", options->architectures, config ? config->architectures : NULL, path,
              "as each file is compiled");
  print_annotations(options, config, path);
  print_named("baseline", "--baseline", options->gate.baseline, config ? config->baseline : NULL,
              path, "none");
}

// The files of a configuration: by name, or, if there are many, by their number.
static void print_files(const check_units *units, const dc_config *config) {
  enum { NAMED = 4 };
  size_t count = 0;
  for (size_t k = 0; k < units->count; ++k)
    if (units->items[k].config == config && ++count <= NAMED)
      printf("%s%s", count > 1 ? ", " : "", units->items[k].name);
  if (count > NAMED)
    printf(" and %zu more file%s", count - NAMED, plural(count - NAMED));
  printf(":\n");
}

int check_print_config(const check_options *options, const check_units *units) {
  for (size_t k = 0; k < units->count; ++k) {
    const dc_config *config = units->items[k].config;
    size_t before = 0;
    while (units->items[before].config != config)
      ++before;
    if (before < k)
      continue;
    if (k > 0)
      putchar('\n');
    print_files(units, config);
    print_config(options, config);
  }
  return 0;
}
