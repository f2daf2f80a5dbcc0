// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "calibration.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// The digits that mean something: thousandths of a cycle.
static json_t *number(double cycles) { return json_real(round(cycles * 1000) / 1000); }

static void put_figure(json_t *object, const char *name, const fit_unknown *figure,
                       const char *provenance) {
  if (figure->known)
    json_object_set_new(object, name,
                        json_pack("{s:o, s:o, s:s}", "value", number(fmax(figure->value, 0)),
                                  "uncertainty", number(figure->error), "provenance", provenance));
}

static void put_costs(json_t *root, const calibration *from, const char *where) {
  char text[400];
  const char *how = "the single loop for n = 0 .. 15, by least squares: the lanes that go on";
  bool stack = from->arch.rules == DC_RULES_STACK;
  snprintf(text, sizeof text, "%s; %s", where,
           stack ? "the single loop for n = 0 .. 31, by least squares" : how);
  put_figure(root, "divergent_branch", &from->branch, text);
  if (stack) {
    put_figure(root, "spill", &from->spill, text);
    json_object_set_new(root, "stack",
                        json_pack("{s:{s:i, s:s}, s:{s:i, s:s}, s:{s:s, s:s}}", "entries", "value",
                                  (int)from->arch.stack_entries, "provenance", text, "chunk",
                                  "value", (int)from->arch.spill_entries, "provenance", text,
                                  "reload", "value", "lazy", "provenance",
                                  "Bialas and Strzelecki"));
    return;
  }
  snprintf(text, sizeof text, "%s; %s stay in the loop", where, how);
  put_figure(root, "divergent_exit", &from->exit, text);
  snprintf(text, sizeof text, "%s; %s had waited while others parted", where, how);
  put_figure(root, "displaced", &from->displaced, text);
}

static void put_predication(json_t *root, const calibration *from, const char *where) {
  char text[400];
  if (!from->predicated)
    return;
  snprintf(text, sizeof text,
           "%s: an if over %u dependent additions takes the same time whoever skips them, over %u "
           "it doesn't",
           where, from->predicated, from->parted);
  json_object_set_new(root, "predicated",
                      json_pack("{s:i, s:s}", "value", (int)from->predicated, "provenance", text));
}

static void put_classes(json_t *root, const char *name, const fit_unknown figures[DC_MIX_COUNT],
                        const char *provenance) {
  json_t *object = json_object();
  for (unsigned mix = 0; mix < DC_MIX_COUNT; ++mix)
    put_figure(object, dc_mix_name((dc_mix)mix), &figures[mix], provenance);
  if (json_object_size(object))
    json_object_set(root, name, object);
  json_decref(object);
}

// Its numbers, with nine digits: some are seconds, some are bytes.
static void put_machine(json_t *root, const machine_costs *from, const char *where) {
  if (!from->machine.known)
    return;
  json_t *object =
      json_pack("{s:s, s:s}", "device", from->machine.device, "label", from->machine.provenance);
  for (unsigned k = 0; k < DC_MACHINE_FIELDS; ++k) {
    const dc_machine_field *field = &dc_machine_fields[k];
    char text[400], digits[32];
    double value = dc_machine_get(&from->machine, k);
    snprintf(text, sizeof text, "%s; %s", where, machine_costs_how(k));
    snprintf(digits, sizeof digits, "%.6g", value);
    json_t *number = field->kind == DC_MACHINE_REAL ? json_real(strtod(digits, NULL))
                                                    : json_integer((json_int_t)value);
    snprintf(digits, sizeof digits, "%.3g", from->figures[k].error);
    json_object_set_new(object, field->name,
                        json_pack("{s:o, s:f, s:s}", "value", number, "uncertainty",
                                  strtod(digits, NULL), "provenance", text));
  }
  json_object_set_new(root, "machine", object);
}

static void put_checks(json_t *root, const calibration *from) {
  json_t *list = json_array();
  for (unsigned k = 0; k < from->n_checks; ++k) {
    const calibration_check *check = &from->checks[k];
    json_array_append_new(
        list, json_pack("{s:s, s:s, s:i, s:f, s:f, s:o}", "kernel", check->kernel, "lanes",
                        pattern_name(check->lanes), "points", (int)check->points, "median",
                        round(check->median * 1e6) / 1e6, "worst", round(check->worst * 1e6) / 1e6,
                        "cycles", number(check->worst_cycles)));
  }
  json_object_set_new(root, "checks", list);
}

static json_t *counted_case(const counters_case *item) {
  return json_pack("{s:s, s:s, s:i, s:i, s:i, s:o, s:o}", "kernel", item->kernel, "lanes",
                   pattern_name(item->lanes), "parameter", (int)item->parameter,
                   "divergent_branches", (int)item->divergent, "predicted_branches",
                   (int)item->predicted_divergent, "active_threads", number(item->active),
                   "predicted_threads", number(item->predicted_active));
}

static void put_counters(json_t *root, const counters *from) {
  json_t *object = json_object(), *list = json_array();
  for (unsigned c = 0; c < from->count; ++c)
    json_array_append_new(list, counted_case(&from->cases[c]));
  if (from->why_not[0])
    json_object_set_new(object, "not_measured", json_string(from->why_not));
  else
    json_object_set(object, "launches", list);
  json_decref(list);
  json_object_set_new(root, "counters", object);
}

dc_status calibration_write(FILE *file, const calibration *result, const char *origin,
                            const char *command, dc_error *error) {
  char name[24], label[128], elsewhere[128], where[256], issue[320], latency[320];
  snprintf(name, sizeof name, "measured_sm_%u", result->arch.sm);
  snprintf(label, sizeof label, "measured on %.110s", origin);
  snprintf(elsewhere, sizeof elsewhere, "assumed (from sm_%u)", result->arch.sm);
  snprintf(where, sizeof where, "measured by %.40s, %.180s", command, origin);
  snprintf(issue, sizeof issue, "%s; 32 warps on a multiprocessor", where);
  snprintf(latency, sizeof latency, "%s; one warp, one chain", where);
  json_t *root = json_pack("{s:i, s:s, s:[i], s:s, s:s, s:s}", "divcost_arch", 1, "name", name,
                           "sm", (int)result->arch.sm, "rules", dc_rules_name(result->arch.rules),
                           "label", label, "elsewhere", elsewhere);
  if (!root)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory");
  put_costs(root, result, where);
  put_predication(root, result, where);
  put_classes(root, "issue", result->issue, issue);
  put_classes(root, "latency", result->latency, latency);
  put_figure(root, "vote", &result->vote, issue);
  put_machine(root, &result->machine, where);
  put_checks(root, result);
  put_counters(root, &result->counted);
  int failed = json_dumpf(root, file, JSON_INDENT(2) | JSON_REAL_PRECISION(10));
  json_decref(root);
  if (failed || fputc('\n', file) == EOF)
    return dc_fail(error, DC_ERROR_FILE, "cannot write the architecture file");
  return DC_OK;
}

// --- for people ----------------------------------------------------------------------------------

static void print_figure(FILE *file, const char *name, const fit_unknown *figure) {
  if (figure->known)
    fprintf(file, "  %-28s %8.3f +- %.3f\n", name, figure->value, figure->error);
  else
    fprintf(file, "  %-28s not measured\n", name);
}

static void print_classes(FILE *file, const calibration *result) {
  fprintf(file, "\nCycles of a warp instruction       issue   latency\n");
  for (unsigned mix = 0; mix < DC_MIX_COUNT; ++mix)
    if (result->issue[mix].known)
      fprintf(file, "  %-28s %8.2f  %8.2f\n", dc_mix_name((dc_mix)mix), result->issue[mix].value,
              result->latency[mix].value);
  if (result->vote.known)
    fprintf(file, "  %-28s %8.2f  %8.2f\n", "vote and its compare", result->vote.value,
            result->vote_latency.value);
}

void calibration_print(FILE *file, const calibration *result) {
  bool stack = result->arch.rules == DC_RULES_STACK;
  fprintf(file, "sm_%u, rules: %s. Cycles, fitted with a residual of at most %.3g:\n",
          result->arch.sm, dc_rules_name(result->arch.rules), result->worst);
  print_figure(file, "divergent branch", &result->branch);
  if (stack) {
    print_figure(file, "spill and reload", &result->spill);
    fprintf(file, "  %-28s %8u, %u at a time\n", "entries of the stack", result->arch.stack_entries,
            result->arch.spill_entries);
  } else {
    print_figure(file, "divergent exit of a loop", &result->exit);
    print_figure(file, "more, if displaced", &result->displaced);
  }
  if (result->predicated)
    fprintf(file, "  %-28s %8u at most, an if over %u isn't\n", "instructions predicated",
            result->predicated, result->parted);
  print_classes(file, result);
  fprintf(file, "\nPredicted with these                     points   median    worst  cycles\n");
  for (unsigned k = 0; k < result->n_checks; ++k) {
    const calibration_check *check = &result->checks[k];
    fprintf(file, "  %-22s %-14s %6u  %6.2f%%  %6.2f%%  %6.0f\n", check->kernel,
            pattern_name(check->lanes), check->points, 100 * check->median, 100 * check->worst,
            check->worst_cycles);
  }
  counters_print(file, &result->counted);
  if (result->machine.machine.known)
    machine_costs_print(file, &result->machine);
  else if (result->no_machine[0])
    fprintf(file, "\nThe machine: not known, %s\n", result->no_machine);
}
