// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The findings of a unit as SARIF 2.1.0 (OASIS Standard, 2020), for what shows the results of
// static analysis: code hosts, editors. A finding is a result, one for all instances of a place;
// what it depends on, a code flow from the loop's bound back to where the difference comes from.
#include "divcost/report.h"
#include "divcost/version.h"

#include "report/places.h"
#include "report/sarif_result.h"

#include <stdio.h>
#include <string.h>

// What GitHub's code scanning sorts and filters by.
static json_t *properties(const dc_rule_info *about) {
  json_t *tags = json_pack(about->of_cost ? "[s,s]" : "[s]", "cuda", "performance");
  return json_pack("{s:s,s:s,s:o}", "precision", about->precision, "problem.severity",
                   about->warns ? "warning" : "recommendation", "tags", tags);
}

static json_t *rules(dc_json_writer *writer) {
  json_t *list = json_array();
  for (int rule = 0; rule < DC_RULE_COUNT; ++rule) {
    const dc_rule_info *about = dc_rule_about((dc_rule)rule);
    json_t *object = json_object();
    dc__json_put(writer, object, "id", json_string(about->name));
    dc__json_put(writer, object, "shortDescription", dc__sarif_message(about->title));
    dc__json_put(writer, object, "fullDescription", dc__sarif_message(about->help));
    dc__json_put(writer, object, "help", dc__sarif_message(about->help));
    dc__json_put(writer, object, "defaultConfiguration",
                 json_pack("{s:s}", "level", dc__sarif_level((dc_rule)rule)));
    dc__json_put(writer, object, "properties", properties(about));
    dc__json_append(writer, list, object);
  }
  return list;
}

// Where the results have got to: a place, an entry of the baseline.
typedef struct progress {
  const dc_kernels *kernels;
  const dc_report_options *options; // or NULL
  const dc_baseline *baseline;      // or NULL
  dc_source_files sources;
  dc_places places;
  uint32_t place, absent;
} progress;

static dc_status next_absent(progress *at, json_t **element, dc_error *error) {
  dc_json_writer writer = {false, NULL};
  dc_absent_finding entry;
  if (!at->baseline || !at->baseline->absent(at->baseline->context, at->absent, &entry))
    return DC_OK;
  ++at->absent;
  *element = dc__sarif_absent(&writer, &entry);
  return dc__json_check(&writer, *element, "SARIF of a finding", error);
}

static dc_status next_result(void *context, json_t **element, dc_error *error) {
  progress *at = context;
  dc_sarif_maker m = {.options = at->options, .sources = &at->sources};
  *element = NULL;
  if (at->place == at->places.n_findings)
    return next_absent(at, element, error);
  const dc_placed_finding *placed = &at->places.findings[at->place++];
  const dc_unit_kernel *kernel;
  dc_status status = at->kernels->get(at->kernels->context, placed->kernel, &kernel, error);
  if (status != DC_OK)
    return status;
  const dc_finding *finding = &kernel->findings[placed->finding];
  json_t *result = dc__sarif_result(&m, kernel, finding);
  const char *state =
      at->baseline ? at->baseline->state(at->baseline->context, kernel, finding) : NULL;
  if (state)
    dc__json_put(&m.writer, result, "baselineState", json_string(placed->is_new ? "new" : state));
  if (placed->instances > 1)
    dc__json_put(&m.writer, result, "properties",
                 json_pack("{s:i}", "instances", placed->instances));
  *element = result;
  return dc__json_check(&m.writer, result, "SARIF of a finding", error);
}

static dc_status write_sarif(const dc_kernels *kernels, const dc_report_options *options,
                             FILE *stream, dc_error *error) {
  dc_json_writer writer = {false, NULL};
  progress at = {
      .kernels = kernels, .options = options, .baseline = options ? options->baseline : NULL};
  dc_status status = dc__places_find(kernels, at.baseline, &at.places, error);
  if (status == DC_OK) {
    json_t *results = json_array();
    json_t *root = json_pack("{s:s,s:s,s:[{s:{s:{s:s,s:s,s:o}},s:s,s:o}]}", "$schema",
                             "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
                             "sarif-schema-2.1.0.json",
                             "version", "2.1.0", "runs", "tool", "driver", "name", "divcost",
                             "semanticVersion", dc_version(), "rules", rules(&writer), "columnKind",
                             "unicodeCodePoints", "results", results);
    dc_json_elements elements = {results, next_result, &at};
    status = dc__json_finish(&writer, root, &elements, "SARIF", stream, error);
  }
  dc__places_free(&at.places);
  dc__source_files_free(&at.sources);
  return status;
}

const dc_report_format dc_format_sarif = {
    "sarif", "prints the findings alone, as SARIF 2.1.0, for code hosts and editors", false,
    write_sarif};
