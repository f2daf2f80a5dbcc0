// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plugin's options: a table of names, meanings and readers. The parser, the error that lists
// what is possible, and the help text come from the table, so they cannot disagree.
#include "findings/options.h"

#include "divcost/config.h"
#include "divcost/files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_THREADS_MAX 1024 // of every architecture that CUDA supports

static dc_status replace(char **text, const char *name, const char *value, dc_error *error) {
  if (!*value)
    return dc_fail(error, DC_ERROR_ARGUMENT, "option '%s' needs a file name", name);
  char *copy = malloc(strlen(value) + 1);
  if (!copy)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory");
  strcpy(copy, value);
  free(*text);
  *text = copy;
  return DC_OK;
}

static dc_status set_report(dcp_options *options, const char *value, dc_error *error) {
  return replace(&options->report, "report", value, error);
}

static dc_status set_first_report(dcp_options *options, const char *value, dc_error *error) {
  return replace(&options->first_report, "first-report", value, error);
}

static dc_status set_annotations(dcp_options *options, const char *value, dc_error *error) {
  options->annotations_of_project = false;
  return replace(&options->annotations, "annotations", value, error);
}

static dc_status set_profile_use(dcp_options *options, const char *value, dc_error *error) {
  return replace(&options->profile_use, "profile-use", value, error);
}

static dc_status set_measured(dcp_options *options, const char *value, dc_error *error) {
  return replace(&options->measured, "measured", value, error);
}

static dc_status set_ptxas(dcp_options *options, const char *value, dc_error *error) {
  return replace(&options->ptxas, "ptxas", value, error);
}

static dc_status set_profile_generate(dcp_options *options, const char *value, dc_error *error) {
  return replace(&options->profile_generate, "profile-generate",
                 *value ? value : DCP_DEFAULT_PROFILE, error);
}

static dc_status set_profile_check(dcp_options *options, const char *value, dc_error *error) {
  options->profile_check = true;
  return set_profile_generate(options, value, error);
}

static dc_status set_arch(dcp_options *options, const char *value, dc_error *error) {
  dc_arch arch;
  dc_error reason;
  dc_status status = dc_arch_load(value, &arch, &reason);
  if (status == DC_ERROR_ARGUMENT)
    return dc_fail(error, status,
                   "option 'arch': '%s' is none of %s, and no architecture file, whose name ends "
                   "in .json",
                   value, dc_arch_names());
  if (status == DC_ERROR_SYNTAX)
    return dc_fail(error, status, "option 'arch': '%s': %s", value, reason.text);
  if (status != DC_OK)
    return dc_fail(error, status, "option 'arch': %s", reason.text);
  options->arch = arch;
  free(options->arch_file);
  options->arch_file = NULL;
  return arch.of_file ? replace(&options->arch_file, "arch", value, error) : DC_OK;
}

// X[,Y[,Z]]; x separates too, for opt, whose pipeline text splits at commas.
static dc_status set_block(dcp_options *options, const char *value, dc_error *error) {
  uint32_t block[3] = {1, 1, 1};
  const char *next = value;
  unsigned dimensions = 0;
  bool good = true;
  for (;;) {
    uint32_t length = 0;
    good = *next >= '1' && *next <= '9';
    while (good && *next >= '0' && *next <= '9' && length <= BLOCK_THREADS_MAX)
      length = length * 10 + (uint32_t)(*next++ - '0');
    good = good && length <= BLOCK_THREADS_MAX;
    if (good)
      block[dimensions++] = length;
    if (!good || (*next != ',' && *next != 'x') || dimensions == 3)
      break;
    ++next;
  }
  if (!good || *next || block[0] * block[1] * block[2] > BLOCK_THREADS_MAX)
    return dc_fail(
        error, DC_ERROR_ARGUMENT,
        "option 'block': '%s' are no block dimensions; possible: X, X,Y or X,Y,Z with 1 to %d "
        "threads in all",
        value, BLOCK_THREADS_MAX);
  memcpy(options->block, block, sizeof block);
  return DC_OK;
}

static dc_status set_threshold(dcp_options *options, const char *value, dc_error *error) {
  char *end;
  errno = 0;
  double share = strtod(value, &end);
  if (end == value || *end || errno || !(share >= 0 && share <= 1))
    return dc_fail(error, DC_ERROR_ARGUMENT,
                   "option 'threshold': '%s' is no share; possible: a number from 0 to 1", value);
  options->threshold = share;
  return DC_OK;
}

static dc_status set_verbosity(dcp_options *options, const char *value, dc_error *error) {
  if (value[0] < '0' || value[0] > '2' || value[1])
    return dc_fail(error, DC_ERROR_ARGUMENT, "option 'verbosity': '%s' is none of 0, 1, 2", value);
  options->verbosity = (unsigned)(value[0] - '0');
  return DC_OK;
}

static dc_status fail_rule(const char *option, const char *name, int length, dc_error *error) {
  char names[160];
  dc_rule_names(names, sizeof names);
  return dc_fail(error, DC_ERROR_ARGUMENT, "option '%s': '%.*s' is none of all, %s", option, length,
                 name, names);
}

// A list of rule names, or all. A name may be written as warnings show it: divcost-imbalance.
static dc_status set_rules(dcp_options *options, const char *option, const char *value, bool on,
                           dc_error *error) {
  static const char prefix[] = "divcost-";
  bool warn[DC_RULE_COUNT];
  memcpy(warn, options->warn, sizeof warn);
  for (const char *name = value;; ++name) {
    int length = (int)strcspn(name, ",");
    const char *bare = strncmp(name, prefix, sizeof prefix - 1) ? name : name + sizeof prefix - 1;
    int bare_length = length - (int)(bare - name);
    bool known = false;
    for (int rule = 0; rule < DC_RULE_COUNT; ++rule) {
      const char *candidate = dc_rule_name((dc_rule)rule);
      bool all = length == 3 && !strncmp(name, "all", 3);
      if (all ||
          ((int)strlen(candidate) == bare_length && !strncmp(candidate, bare, strlen(candidate)))) {
        warn[rule] = on;
        known = true;
      }
    }
    if (!known)
      return fail_rule(option, name, length, error);
    name += length;
    if (!*name)
      break;
  }
  memcpy(options->warn, warn, sizeof warn);
  return DC_OK;
}

static dc_status set_warn(dcp_options *options, const char *value, dc_error *error) {
  return set_rules(options, "warn", value, true, error);
}

static dc_status set_no_warn(dcp_options *options, const char *value, dc_error *error) {
  return set_rules(options, "no-warn", value, false, error);
}

static dc_status set_header_filter(dcp_options *options, const char *value, dc_error *error) {
  dc_error reason;
  dc_status status = dc_config_check_filter(value, &reason);
  if (status != DC_OK)
    return dc_fail(error, status, "option 'header-filter': '%s' %s", value, reason.text);
  return replace(&options->header_filter, "header-filter", value, error);
}

// As if the options that the file has stood in its place.
static dc_status apply_config(dcp_options *options, const dc_config *config, dc_error *error) {
  dc_status status = DC_OK;
  if (config->threshold >= 0)
    options->threshold = config->threshold;
  for (int rule = 0; rule < DC_RULE_COUNT; ++rule)
    if (config->rules[rule] != DC_CONFIG_UNSAID)
      options->warn[rule] = config->rules[rule] == DC_CONFIG_ON;
  if (config->header_filter)
    status = replace(&options->header_filter, "header-filter", config->header_filter, error);
  if (status == DC_OK && config->annotations) {
    options->annotations_of_project = true;
    status = replace(&options->annotations, "annotations", config->annotations, error);
  }
  return status;
}

static dc_status set_config(dcp_options *options, const char *value, dc_error *error) {
  dc_config config;
  dc_error reason;
  dc_status status = dc_config_load(value, &config, &reason);
  if (status != DC_OK)
    return dc_fail(error, status, "option 'config': '%s': %s", value, reason.text);
  status = apply_config(options, &config, error);
  dc_config_free(&config);
  return status;
}

static dc_status set_compiler(dcp_options *options, const char *value, dc_error *error) {
  options->nvcc = !strcmp(value, "nvcc");
  if (options->nvcc || !strcmp(value, "clang"))
    return DC_OK;
  return dc_fail(error, DC_ERROR_ARGUMENT, "option 'compiler': '%s' is none of clang, nvcc", value);
}

static dc_status set_embed(dcp_options *options, const char *value, dc_error *error) {
  if (*value)
    return dc_fail(error, DC_ERROR_ARGUMENT, "option 'embed' takes no value");
  options->embed = true;
  return DC_OK;
}

static dc_status set_help(dcp_options *options, const char *value, dc_error *error) {
  if (*value)
    return dc_fail(error, DC_ERROR_ARGUMENT, "option 'help' takes no value");
  options->help = true;
  return DC_OK;
}

// X(name, how the value is written, meaning): one line of the help text each.
#define OPTIONS(X)                                                                                 \
  X(annotations, "annotations", "=FILE", "trip counts of loops, launches of kernels, as JSON")     \
  X(arch, "arch", "=sm_NN|FILE.json",                                                              \
    "architecture to estimate for, or a file of its costs that divcost calibrate wrote; default: " \
    "the one compiled for")                                                                        \
  X(block, "block", "=X[,Y[,Z]]", "block dimensions of every kernel")                              \
  X(compiler, "compiler", "=clang|nvcc",                                                           \
    "whose machine code estimates are of, as far as loops are unrolled; default: clang")           \
  X(config, "config", "=FILE",                                                                     \
    "what a project's .divcost says, as if its options stood here: rules, threshold, kernels")     \
  X(embed, "embed", "",                                                                            \
    "put the report into the host's object file, where divcost report finds it")                   \
  X(first_report, "first-report", "=FILE",                                                         \
    "with report: of a few instances of each template, as soon as there is that much")             \
  X(header_filter, "header-filter", "=REGEX",                                                      \
    "headers to warn in, by their absolute path; default: all but system headers")                 \
  X(help, "help", "", "print this text")                                                           \
  X(measured, "measured", "=FILE",                                                                 \
    "what Nsight Compute counted, as divcost profile import-ncu writes it: findings from that")    \
  X(no_warn, "no-warn", "=NAME[,NAME]", "switch warnings off, by name or all")                     \
  X(profile_check, "profile-check", "[=FILE]",                                                     \
    "as profile-generate, for every loop, and check that lanes diverge in divergent loops alone")  \
  X(profile_generate, "profile-generate", "[=FILE]",                                               \
    "count trips when the program runs, into FILE (" DCP_DEFAULT_PROFILE                           \
    "); link with -ldivcost-profile")                                                              \
  X(profile_use, "profile-use", "=FILE", "distributions from counted trips")                       \
  X(ptxas, "ptxas", "=FILE",                                                                       \
    "registers of kernels, as ptxas -v printed them, or a build's log with that in it")            \
  X(report, "report", "=FILE", "write a report: JSON if FILE ends in .json, else text")            \
  X(threshold, "threshold", "=SHARE",                                                              \
    "share of a kernel's issue cycles from which a loop's loss is warned about; default: 0.1")     \
  X(verbosity, "verbosity", "=0|1|2",                                                              \
    "0: warnings alone, 1: with the reasons (default), 2: also divergent branches as remarks")     \
  X(warn, "warn", "=NAME[,NAME]", "switch warnings on, by name or all")

static const struct option {
  const char *name, *value; // value: how it is written, "" for none
  dc_status (*set)(dcp_options *options, const char *value, dc_error *error);
} table[] = {
#define ENTRY(id, name, value, meaning) {name, value, set_##id},
    OPTIONS(ENTRY)
#undef ENTRY
};

void dcp_options_init(dcp_options *options) {
  memset(options, 0, sizeof *options);
  options->threshold = DC_DEFAULT_THRESHOLD;
  options->verbosity = 1;
  for (int rule = 0; rule < DC_RULE_COUNT; ++rule)
    options->warn[rule] = dc_rule_about((dc_rule)rule)->warns;
}

void dcp_options_free(dcp_options *options) {
  free(options->arch_file);
  free(options->report);
  free(options->first_report);
  free(options->annotations);
  free(options->header_filter);
  free(options->measured);
  free(options->ptxas);
  free(options->profile_use);
  free(options->profile_generate);
  memset(options, 0, sizeof *options);
}

dc_status dcp_options_set(dcp_options *options, const char *argument, dc_error *error) {
  size_t length = strcspn(argument, "=");
  for (size_t o = 0; o < sizeof table / sizeof table[0]; ++o) {
    if (strlen(table[o].name) != length || strncmp(table[o].name, argument, length))
      continue;
    if (!argument[length] && *table[o].value == '=')
      return dc_fail(error, DC_ERROR_ARGUMENT, "option '%s' needs a value: %s%s", table[o].name,
                     table[o].name, table[o].value);
    return table[o].set(options, argument + length + (argument[length] == '='), error);
  }
  char names[240] = "";
  for (size_t o = 0; o < sizeof table / sizeof table[0]; ++o) {
    size_t used = strlen(names);
    snprintf(names + used, sizeof names - used, "%s%s", o ? ", " : "", table[o].name);
  }
  return dc_fail(error, DC_ERROR_ARGUMENT, "unknown option '%.*s'; possible: %s",
                 length > 60 ? 60 : (int)length, argument, names);
}

dc_status dcp_options_arch(const dcp_options *options, unsigned compiled_for, dc_arch *arch,
                           dc_error *error) {
  if (!options->arch.sm)
    return dc_arch_find_sm(compiled_for, arch, error);
  *arch = options->arch;
  return DC_OK;
}

bool dcp_options_silence(const dcp_options *options, dc_rule rule) {
  return dc_rule_about(rule)->warns && !options->warn[rule];
}

bool dcp_options_foreign(const dcp_options *options, unsigned compiled_for, char *text,
                         size_t size) {
  if (!options->arch_file || !compiled_for || options->arch.sm == compiled_for)
    return false;
  snprintf(text, size,
           "architecture file '%s' is of sm_%u, and the code is compiled for sm_%u: all figures "
           "are for sm_%u",
           options->arch_file, options->arch.sm, compiled_for, options->arch.sm);
  return true;
}

const char *dcp_options_help(void) {
#define LINE(id, name, value, meaning) "  " name value "\n      " meaning "\n"
  return "divcost, the cost of thread divergence; options, each as "
         "-fplugin-arg-divcost-NAME=VALUE:\n" //
      OPTIONS(LINE);
#undef LINE
}
