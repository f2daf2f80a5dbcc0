// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "calibration.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "predict.h"

// --- the measurements ----------------------------------------------------------------------------

static bool is_of(const result *item, const char *build, const char *kernel) {
  return strcmp(item->build, build) == 0 && strcmp(item->kernel, kernel) == 0;
}

static dc_status check_quiet(const results *measured, const char *build, dc_error *error) {
  unsigned cases = 0, disturbed = 0;
  const result *worst = NULL;
  double most = 0;
  for (unsigned i = 0; i < measured->count; ++i) {
    const result *item = &measured->items[i];
    if (strcmp(item->build, build) != 0 || item->warps > 1)
      continue;
    double spread = (item->cycles.greatest - item->cycles.least) / item->cycles.median;
    ++cases;
    disturbed += spread > 0.02;
    if (spread > most) {
      most = spread;
      worst = item;
    }
  }
  if (!worst || disturbed * 100 <= cases)
    return DC_OK;
  return dc_fail(error, DC_ERROR_ARGUMENT,
                 "the GPU was disturbed: %u of %u cases differ by more than 2%% from launch to "
                 "launch (%s, %s %u: by %.0f%%); measure again with the GPU to yourself",
                 disturbed, cases, worst->kernel, pattern_name(worst->lanes), worst->parameter,
                 100 * most);
}

static dc_status begin_arch(const results *measured, dc_arch *arch, dc_error *error) {
  char name[16];
  const char *at = strstr(measured->origin, "(sm_");
  size_t digits = at ? strspn(at + 4, "0123456789") : 0;
  if (digits == 0)
    return dc_fail(error, DC_ERROR_ARGUMENT, "the results don't say which GPU they are from");
  snprintf(name, sizeof name, "%.*s", (int)(3 + digits), at + 1);
  return dc_arch_find(name, arch, error);
}

// --- the fit -------------------------------------------------------------------------------------

enum { POINTS = 16, UNKNOWNS = 4 };

// The rules with one cost at 1 and the others at 0: the emulator then counts how often it occurs.
static dc_arch with_unit_cost(const dc_arch *rules, unsigned cost) {
  dc_arch arch = *rules;
  arch.has_cycles = true;
  arch.divergent_branch = cost == 0;
  arch.divergent_exit = cost == (rules->rules == DC_RULES_STACK ? 0 : 1);
  arch.displaced = cost == 2 && rules->rules == DC_RULES_BARRIERS;
  arch.spill = cost == 2 && rules->rules == DC_RULES_STACK;
  return arch;
}

// Unknowns: what the loop takes without divergence, then the three costs.
static dc_status fit_points(const results *measured, const char *build, const dc_arch *rules,
                            unsigned points, fit *result, dc_error *error) {
  double rows[LANES][UNKNOWNS], y[LANES];
  dc_status status = DC_OK;
  for (unsigned n = 0; status == DC_OK && n < points; ++n) {
    int lanes[LANES];
    const struct result *point = results_find(measured, build, "single_loop", PATTERN_PAPER, n, 0);
    if (!point)
      return dc_fail(error, DC_ERROR_ARGUMENT,
                     "the results of %s have no single_loop, paper %u: measure the loops", build,
                     n);
    status = pattern_lanes(PATTERN_PAPER, n, lanes, error);
    y[n] = point->cycles.median;
    rows[n][0] = 1;
    for (unsigned cost = 0; status == DC_OK && cost < 3; ++cost) {
      dc_arch arch = with_unit_cost(rules, cost);
      status = predict_managing(SHAPE_SINGLE_LOOP, &arch, lanes, &rows[n][cost + 1], error);
    }
  }
  return status == DC_OK ? fit_least_squares(&rows[0][0], y, points, UNKNOWNS, result, error)
                         : status;
}

static dc_status fit_barriers(const results *measured, const char *build, fit *result,
                              calibration *to, dc_error *error) {
  dc_status status = fit_points(measured, build, &to->arch, POINTS, result, error);
  to->branch = result->unknowns[1];
  to->exit = result->unknowns[2];
  to->displaced = result->unknowns[3];
  return status;
}

// The stack's size shows only where it overflows: all 32 points, and the size that fits them best.
static dc_status fit_stack(const results *measured, const char *build, fit *result, calibration *to,
                           dc_error *error) {
  dc_arch rules = to->arch;
  double best = INFINITY;
  dc_status status = DC_OK;
  for (rules.stack_entries = 4; status == DC_OK && rules.stack_entries <= 34; ++rules.stack_entries)
    for (rules.spill_entries = 1; status == DC_OK && rules.spill_entries <= 8;
         rules.spill_entries *= 2) {
      fit tried = {.worst = 0};
      if (rules.spill_entries > rules.stack_entries)
        break;
      status = fit_points(measured, build, &rules, LANES, &tried, error);
      if (status != DC_OK || tried.worst > best - 1e-9)
        continue;
      best = tried.worst;
      *result = tried;
      to->arch.stack_entries = rules.stack_entries;
      to->arch.spill_entries = rules.spill_entries;
    }
  to->branch = to->exit = result->unknowns[1];
  to->spill = result->unknowns[3];
  return status;
}

static dc_status fit_costs(const results *measured, const char *build, calibration *to,
                           dc_error *error) {
  fit result = {.worst = 0};
  dc_status status = to->arch.rules == DC_RULES_STACK
                         ? fit_stack(measured, build, &result, to, error)
                         : fit_barriers(measured, build, &result, to, error);
  if (status != DC_OK)
    return status;
  to->worst = result.worst;
  if (result.worst > 0.01 * result.unknowns[0].value)
    return dc_fail(error, DC_ERROR_ARGUMENT,
                   "the single loop doesn't follow the rules '%s': the best fit is off by %.0f of "
                   "%.0f cycles; no costs are made of that",
                   dc_rules_name(to->arch.rules), result.worst, result.unknowns[0].value);
  to->arch.has_cycles = true;
  to->arch.divergent_branch = to->branch.value;
  to->arch.divergent_exit = to->exit.value;
  to->arch.displaced = to->displaced.value;
  to->arch.spill = to->spill.value;
  return DC_OK;
}

// --- predictions ---------------------------------------------------------------------------------

static int most_of(const int lanes[LANES]) {
  int most = 0;
  for (int lane = 0; lane < LANES; ++lane)
    most = lanes[lane] > most ? lanes[lane] : most;
  return most;
}

// What a case would take without divergence: measured, with all lanes as the longest one. Both
// sides of an if-else are there: its second one is the difference from an empty one. NULL if it
// wasn't measured, or is the case itself.
static const result *uniform_of(const results *measured, const result *item, shape which,
                                const int lanes[LANES]) {
  const result *base = which == SHAPE_IF
                           ? results_find(measured, item->build, item->kernel, PATTERN_SKIP, 0, 0)
                           : results_find(measured, item->build, item->kernel, PATTERN_UNIFORM,
                                          (unsigned)most_of(lanes), 0);
  if (!base && item->lanes == PATTERN_PAPER)
    base = results_find(measured, item->build, item->kernel, PATTERN_PAPER, 0, 0);
  return base == item ? NULL : base;
}

static double middle(double *values, unsigned count) {
  return count ? sample_of(values, count).median : 0;
}

dc_status calibration_predict(const results *measured, const dc_arch *arch, const result *item,
                              double *cycles, bool *known, dc_error *error) {
  int lanes[LANES];
  double managing;
  shape which = predict_shape(item->kernel);
  *known = false;
  if (which == SHAPE_COUNT || which == SHAPE_IF_ELSE || item->row != 0)
    return DC_OK;
  dc_status status = pattern_lanes(item->lanes, item->parameter, lanes, error);
  if (status != DC_OK)
    return status;
  const result *base = uniform_of(measured, item, which, lanes);
  if (!base || (which == SHAPE_IF && most_of(lanes) == 0))
    return DC_OK;
  status = predict_managing(which, arch, lanes, &managing, error);
  *cycles = base->cycles.median + managing;
  *known = status == DC_OK;
  return status;
}

// One kernel and pattern: all its parameters that can be predicted.
static dc_status check(const results *measured, const result *first, const dc_arch *arch,
                       calibration_check *made, dc_error *error) {
  static double errors[4096];
  *made = (calibration_check){.lanes = first->lanes};
  memcpy(made->kernel, first->kernel, sizeof made->kernel);
  for (const result *item = first; item < measured->items + measured->count; ++item) {
    double cycles;
    bool known;
    if (item->lanes != first->lanes || !is_of(item, first->build, first->kernel) ||
        made->points == 4096)
      continue;
    dc_status status = calibration_predict(measured, arch, item, &cycles, &known, error);
    if (status != DC_OK)
      return status;
    if (!known)
      continue;
    double off = fabs(item->cycles.median - cycles);
    made->worst_cycles = fmax(made->worst_cycles, off);
    made->worst = fmax(made->worst, off / item->cycles.median);
    errors[made->points++] = off / item->cycles.median;
  }
  made->median = middle(errors, made->points);
  return DC_OK;
}

// Ifs that became predicated take the same time whoever skips them, and nothing is managed.
static bool is_predicated(const results *measured, const result *item) {
  const result *none = results_find(measured, item->build, item->kernel, PATTERN_SKIP, 0, 0);
  const result *all = results_find(measured, item->build, item->kernel, PATTERN_SKIP, LANES, 0);
  return none && all && none->cycles.median == all->cycles.median;
}

static dc_status check_all(const results *measured, const char *build, calibration *to,
                           dc_error *error) {
  dc_status status = DC_OK;
  for (unsigned i = 0; status == DC_OK && i < measured->count; ++i) {
    const result *item = &measured->items[i];
    shape which = predict_shape(item->kernel);
    bool begins =
        i == 0 || item->lanes != item[-1].lanes || !is_of(item, item[-1].build, item[-1].kernel);
    if (!begins || strcmp(item->build, build) != 0 || which == SHAPE_COUNT ||
        which == SHAPE_IF_ELSE || item->lanes == PATTERN_UNIFORM ||
        (which == SHAPE_IF && is_predicated(measured, item)) ||
        to->n_checks == CALIBRATION_CHECKS_MAX)
      continue;
    status = check(measured, item, &to->arch, &to->checks[to->n_checks], error);
    to->n_checks += to->checks[to->n_checks].points > 0;
  }
  return status;
}

// --- predication ---------------------------------------------------------------------------------

// Whether an if over so many additions takes the same time whoever skips them; not measured: no.
static bool takes_the_same(const results *measured, const char *build, unsigned length,
                           bool *known) {
  char name[32];
  snprintf(name, sizeof name, "if_%u", length);
  const result *first = results_find(measured, build, name, PATTERN_SKIP, 0, 0);
  *known = first != NULL;
  for (unsigned n = 1; first && n <= LANES; ++n) {
    const result *other = results_find(measured, build, name, PATTERN_SKIP, n, 0);
    if (!other || other->cycles.median != first->cycles.median)
      return false;
  }
  return first != NULL;
}

// Up to the shortest if at which lanes part; where none does, how far it goes isn't known.
static void take_predication(const results *measured, const char *build, calibration *to) {
  unsigned last = 0;
  for (unsigned length = 1; length <= 1000; ++length) {
    bool known, same = takes_the_same(measured, build, length, &known);
    if (known && !same) {
      to->predicated = last;
      to->parted = length;
      return;
    }
    last = same ? length : last;
  }
}

// --- instructions --------------------------------------------------------------------------------

// Their argument is how many rounds they run; without any they measure nothing.
static const result *find_instructions(const results *measured, const char *build,
                                       const char *kernel, const char *kind) {
  char name[64];
  snprintf(name, sizeof name, "%s_%s", kernel, kind);
  const result *found = results_find(measured, build, name, PATTERN_UNIFORM, 0, 0);
  return found && found->argument > 0 ? found : NULL;
}

// Of a step in a chain, in one warp: a round with 16 of them against one with 8.
static fit_unknown latency_of(const results *measured, const char *build, const char *kernel) {
  const result *few = find_instructions(measured, build, kernel, "latency_8"),
               *many = find_instructions(measured, build, kernel, "latency_16");
  if (!few || !many)
    return (fit_unknown){0, 0, false};
  double steps = 8.0 * few->argument;
  double spread =
      few->cycles.greatest - few->cycles.least + many->cycles.greatest - many->cycles.least;
  return (fit_unknown){(many->cycles.median - few->cycles.median) / steps, spread / steps, true};
}

// Of a step on its scheduler, where eight warps wait to be served: a round with 4 or 8 in each of
// four chains, the cheaper one, without the empty round. Their difference is the uncertainty.
static fit_unknown issue_of(const results *measured, const char *build, const char *kernel) {
  enum { CHAINS = 4, WARPS = 8 };
  const result *few = find_instructions(measured, build, kernel, "issue_4"),
               *many = find_instructions(measured, build, kernel, "issue_8"),
               *none = find_instructions(measured, build, "empty", "issue");
  if (!few || !many || !none)
    return (fit_unknown){0, 0, false};
  double steps = 4.0 * CHAINS * WARPS * few->argument;
  double with_few = (few->cycles.median - none->cycles.median) / steps;
  double with_many = (many->cycles.median - none->cycles.median) / (2 * steps);
  return (fit_unknown){fmin(with_few, with_many), fabs(with_few - with_many), true};
}

static void take_instructions(const results *measured, const char *build, calibration *to) {
  static const struct {
    dc_mix mix;
    const char *kernel;
    double instructions; // of a step
  } classes[] = {
      {DC_MIX_INTEGER, "integer", 2}, {DC_MIX_FP32, "fp32", 1},     {DC_MIX_FP64, "fp64", 1},
      {DC_MIX_SPECIAL, "special", 1}, {DC_MIX_GLOBAL, "global", 1}, {DC_MIX_SHARED, "shared", 1},
      {DC_MIX_ATOMIC, "atomic", 1},   {DC_MIX_WARP, "shuffle", 1},  {DC_MIX_BARRIER, "barrier", 1}};
  for (size_t k = 0; k < sizeof classes / sizeof *classes; ++k) {
    fit_unknown *both[] = {&to->issue[classes[k].mix], &to->latency[classes[k].mix]};
    *both[0] = issue_of(measured, build, classes[k].kernel);
    *both[1] = latency_of(measured, build, classes[k].kernel);
    for (unsigned b = 0; b < 2; ++b) {
      both[b]->value /= classes[k].instructions;
      both[b]->error /= classes[k].instructions;
    }
  }
  to->vote = issue_of(measured, build, "vote");
  to->vote_latency = latency_of(measured, build, "vote");
}

dc_status calibration_fit(const results *measured, const char *build, calibration *result,
                          dc_error *error) {
  memset(result, 0, offsetof(calibration, machine));
  dc_status status = check_quiet(measured, build, error);
  if (status == DC_OK)
    status = begin_arch(measured, &result->arch, error);
  if (status == DC_OK)
    status = fit_costs(measured, build, result, error);
  if (status == DC_OK)
    status = check_all(measured, build, result, error);
  if (status == DC_OK) {
    take_predication(measured, build, result);
    take_instructions(measured, build, result);
  }
  return status;
}

void calibration_fit_machine(const machine_results *measured, calibration *result) {
  dc_error error;
  if (machine_costs_fit(measured, &result->machine, &error) != DC_OK) {
    result->machine.machine.known = false;
    snprintf(result->no_machine, sizeof result->no_machine, "%.150s", error.text);
  }
}
