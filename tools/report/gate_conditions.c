// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The conditions of --fail-on: reading them, and whether a finding or a kernel meets one.
#include "report/gate.h"

#include "command.h"

#include <stdlib.h>
#include <string.h>

// "2.0", "0.1" or "10%" within low .. high; negative: it is none of these.
static double read_number(const char *text, size_t length, double low, double high) {
  char copy[32];
  if (length == 0 || length >= sizeof copy || strspn(text, "0123456789.%") < length)
    return -1;
  memcpy(copy, text, length);
  copy[length] = 0;
  char *end;
  double value = strtod(copy, &end);
  if (strcmp(end, "%") == 0 && high <= 1)
    value /= 100;
  else if (*end)
    return -1;
  return value >= low && value <= high ? value : -1;
}

static int refuse(const char *written, size_t length) {
  char text[80], rules[160], words[300];
  snprintf(text, sizeof text, "%.*s", (int)(length < sizeof text ? length : sizeof text - 1),
           written);
  dc_rule_names(rules, sizeof rules);
  snprintf(words, sizeof words,
           "--fail-on takes any, %s, imbalance=1..32 and lost=0..1 (or a percentage), separated by "
           "commas, not",
           rules);
  return command_misuse(words, text);
}

static bool is_word(const char *text, size_t length, const char *word) {
  return strlen(word) == length && memcmp(text, word, length) == 0;
}

static bool read_condition(const char *text, size_t length, gate_condition *condition) {
  static const char imbalance[] = "imbalance=", lost[] = "lost=";
  *condition = (gate_condition){.written = text, .length = (int)length};
  if (length > strlen(imbalance) && memcmp(text, imbalance, strlen(imbalance)) == 0) {
    condition->measure = GATE_IMBALANCE;
    condition->least = read_number(text + strlen(imbalance), length - strlen(imbalance), 1, 32);
    return condition->least >= 0;
  }
  if (length > strlen(lost) && memcmp(text, lost, strlen(lost)) == 0) {
    condition->measure = GATE_LOST;
    condition->least = read_number(text + strlen(lost), length - strlen(lost), 0, 1);
    return condition->least >= 0;
  }
  if (is_word(text, length, "any"))
    return true;
  condition->measure = GATE_RULE;
  for (int rule = 0; rule < DC_RULE_COUNT; ++rule)
    if (is_word(text, length, dc_rule_name((dc_rule)rule))) {
      condition->rule = (dc_rule)rule;
      return true;
    }
  return false;
}

int gate_read_conditions(gate_options *options, const char *text) {
  for (const char *at = text;; ++at) {
    size_t length = strcspn(at, ",");
    if (options->n_conditions == GATE_CONDITIONS)
      return command_misuse("--fail-on has more than 16 conditions", "");
    if (length == 0)
      return command_misuse("--fail-on has a comma with no condition at one side:", text);
    if (!read_condition(at, length, &options->conditions[options->n_conditions]))
      return refuse(at, length);
    ++options->n_conditions;
    at += length;
    if (!*at)
      return 0;
  }
}

// The aggregate imbalance of a loop that is certain, in its worst launch; negative: not known.
static double certain_imbalance(const dc_unit_kernel *kernel, uint32_t loop) {
  double most = -1;
  for (uint32_t e = 0; loop != DC_NONE && e < kernel->n_estimates; ++e)
    if (dc_estimate_decides(kernel, e) && kernel->estimates[e].loops[loop].aggregate.low > most)
      most = kernel->estimates[e].loops[loop].aggregate.low;
  return most;
}

const gate_condition *gate_finding_fails(const gate_options *options, const dc_unit_kernel *kernel,
                                         const dc_finding *finding) {
  for (unsigned k = 0; k < options->n_conditions; ++k) {
    const gate_condition *condition = &options->conditions[k];
    bool met = false;
    switch (condition->measure) {
    case GATE_ANY:
      met = true;
      break;
    case GATE_RULE:
      met = finding->rule == condition->rule;
      break;
    case GATE_IMBALANCE:
      met = finding->rule == DC_RULE_IMBALANCE &&
            certain_imbalance(kernel, finding->loop) >= condition->least;
      break;
    case GATE_LOST:
      break;
    }
    if (met)
      return condition;
  }
  return NULL;
}

// What a kernel loses, but for its loops that are ignored: in the launch that certainly loses most.
static dc_interval lost_unless_ignored(const dc_unit_kernel *kernel) {
  dc_interval worst = {-1, -1};
  for (uint32_t e = 0; e < kernel->n_estimates; ++e) {
    dc_interval lost = kernel->estimates[e].share;
    for (uint32_t l = 0; lost.low >= 0 && l < kernel->kernel.n_loops; ++l) {
      dc_interval share = dc_loop_share(&kernel->estimates[e], l);
      if (!kernel->kernel.loops[l].ignored)
        continue;
      lost.low = lost.low > share.low ? lost.low - share.low : 0;
      lost.high = lost.high > share.high ? lost.high - share.high : 0;
    }
    if (dc_estimate_decides(kernel, e) &&
        (lost.low > worst.low || (lost.low == worst.low && lost.high > worst.high)))
      worst = lost;
  }
  return worst;
}

const gate_condition *gate_kernel_fails(const gate_options *options, const dc_unit_kernel *kernel,
                                        dc_interval *lost) {
  const gate_condition *fails = NULL;
  for (unsigned k = 0; k < options->n_conditions && !fails; ++k)
    if (options->conditions[k].measure == GATE_LOST) {
      *lost = lost_unless_ignored(kernel);
      fails = lost->low >= options->conditions[k].least ? &options->conditions[k] : NULL;
    }
  return fails;
}
