// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The findings of a unit as SARIF 2.1.0 (OASIS Standard, 2020), for what shows the results of
// static analysis: code hosts, editors. A finding is a result, one for all instances of a place;
// what it depends on, a code flow from the loop's bound back to where the difference comes from.
#include "divcost/report.h"
#include "divcost/version.h"

#include "report/places.h"
#include "json/json_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A rule that warns is a warning, one that doesn't a note.
static const char *level_of(dc_rule rule) {
  return dc_rule_about(rule)->warns ? "warning" : "note";
}

// A path as the reference of a URI: absolute ones with their scheme, what isn't unreserved escaped.
static json_t *uri(const char *path) {
  static const char unreserved[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                   "-._~/";
  size_t size = 3 * strlen(path) + sizeof "file://";
  char *text = malloc(size), *to = text;
  if (!text)
    return NULL;
  to += sprintf(to, "%s", *path == '/' ? "file://" : "");
  for (; *path; ++path)
    if (strchr(unreserved, *path))
      *to++ = *path;
    else
      to += sprintf(to, "%%%02X", (unsigned)(unsigned char)*path);
  *to = 0;
  json_t *value = json_string(text);
  free(text);
  return value;
}

static json_t *message(const char *text) { return json_pack("{s:o}", "text", dc__json_text(text)); }

// A place in a file, with its own words where there are some.
static json_t *place(dc_json_writer *writer, const dc_kernel *kernel, uint32_t location,
                     const char *words) {
  const dc_location *at = &kernel->locations[location];
  json_t *object = json_object(), *physical = json_object(), *region = json_object();
  dc__json_put(writer, physical, "artifactLocation",
               json_pack("{s:o}", "uri", uri(dc_kernel_text(kernel, at->file))));
  if (at->line) {
    dc__json_put(writer, region, "startLine", json_integer(at->line));
    if (at->column)
      dc__json_put(writer, region, "startColumn", json_integer(at->column));
    dc__json_put(writer, physical, "region", region);
  } else {
    json_decref(region);
  }
  dc__json_put(writer, object, "physicalLocation", physical);
  if (words)
    dc__json_put(writer, object, "message", message(words));
  return object;
}

static bool has_file(const dc_kernel *kernel, uint32_t location) {
  return location != DC_NONE && *dc_kernel_text(kernel, kernel->locations[location].file);
}

// The chain of reasons; NULL: there is none with a place.
static json_t *code_flow(dc_json_writer *writer, const dc_kernel *kernel,
                         const dc_finding *finding) {
  json_t *steps = json_array();
  uint32_t first, count = dc_finding_chain(kernel, finding, &first);
  for (uint32_t k = 0; k < count; ++k) {
    const dc_reason *reason = &kernel->reasons[first + k];
    if (has_file(kernel, reason->location))
      dc__json_append(
          writer, steps,
          json_pack("{s:o}", "location",
                    place(writer, kernel, reason->location, dc_kernel_text(kernel, reason->text))));
  }
  if (json_array_size(steps) == 0) {
    json_decref(steps);
    return NULL;
  }
  return json_pack("[{s:[{s:o}]}]", "threadFlows", "locations", steps);
}

static void put_suppression(dc_json_writer *writer, json_t *result, const char *reason) {
  json_t *suppression = json_pack("{s:s}", "kind", "inSource");
  dc__json_put_text(writer, suppression, "justification", reason);
  dc__json_put(writer, result, "suppressions", json_pack("[o]", suppression));
}

static void put_rule(dc_json_writer *writer, json_t *result, dc_rule rule) {
  dc__json_put(writer, result, "ruleId", json_string(dc_rule_name(rule)));
  dc__json_put(writer, result, "ruleIndex", json_integer((json_int_t)rule));
  dc__json_put(writer, result, "level", json_string(level_of(rule)));
}

static void put_function(dc_json_writer *writer, json_t *location, const char *name) {
  dc__json_put(
      writer, location, "logicalLocations",
      json_pack("[{s:o,s:s}]", "fullyQualifiedName", dc__json_text(name), "kind", "function"));
}

static void put_fingerprint(dc_json_writer *writer, json_t *result, uint64_t fingerprint) {
  char text[17];
  snprintf(text, sizeof text, "%016" PRIx64, fingerprint);
  dc__json_put(writer, result, "partialFingerprints", json_pack("{s:s}", "divcost/v1", text));
}

static json_t *result_of(dc_json_writer *writer, const dc_unit_kernel *of,
                         const dc_finding *finding) {
  const dc_kernel *kernel = &of->kernel;
  json_t *result = json_object(), *location = json_object();
  put_rule(writer, result, finding->rule);
  dc__json_put(writer, result, "message", message(finding->message ? finding->message : ""));
  if (has_file(kernel, finding->location))
    json_object_update_new(location, place(writer, kernel, finding->location, NULL));
  put_function(writer, location, dc_kernel_text(kernel, kernel->name));
  dc__json_put(writer, result, "locations", json_pack("[o]", location));
  put_fingerprint(writer, result, finding->fingerprint);
  json_t *flow = code_flow(writer, kernel, finding);
  if (flow)
    dc__json_put(writer, result, "codeFlows", flow);
  if (finding->suppressed)
    put_suppression(writer, result, dc_finding_reason(kernel, finding));
  return result;
}

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
    dc__json_put(writer, object, "shortDescription", message(about->title));
    dc__json_put(writer, object, "fullDescription", message(about->help));
    dc__json_put(writer, object, "help", message(about->help));
    dc__json_put(writer, object, "defaultConfiguration",
                 json_pack("{s:s}", "level", level_of((dc_rule)rule)));
    dc__json_put(writer, object, "properties", properties(about));
    dc__json_append(writer, list, object);
  }
  return list;
}

// Where the results have got to: a place, an entry of the baseline.
typedef struct progress {
  const dc_kernels *kernels;
  const dc_baseline *baseline; // or NULL
  dc_places places;
  uint32_t place, absent;
} progress;

// A result that was: its place is what the baseline knows of it.
static json_t *absent_result(dc_json_writer *writer, const dc_absent_finding *entry) {
  json_t *result = json_object(), *location = json_object();
  put_rule(writer, result, entry->rule);
  dc__json_put(writer, result, "message", message(entry->message));
  if (*entry->file)
    dc__json_put(writer, location, "physicalLocation",
                 json_pack("{s:{s:o}}", "artifactLocation", "uri", uri(entry->file)));
  put_function(writer, location, entry->kernel);
  dc__json_put(writer, result, "locations", json_pack("[o]", location));
  put_fingerprint(writer, result, entry->fingerprint);
  dc__json_put(writer, result, "baselineState", json_string("absent"));
  return result;
}

static dc_status next_absent(progress *at, json_t **element, dc_error *error) {
  dc_json_writer writer = {false, NULL};
  dc_absent_finding entry;
  if (!at->baseline || !at->baseline->absent(at->baseline->context, at->absent, &entry))
    return DC_OK;
  ++at->absent;
  *element = absent_result(&writer, &entry);
  return dc__json_check(&writer, *element, "SARIF of a finding", error);
}

static dc_status next_result(void *context, json_t **element, dc_error *error) {
  progress *at = context;
  dc_json_writer writer = {false, NULL};
  *element = NULL;
  if (at->place == at->places.n_findings)
    return next_absent(at, element, error);
  const dc_placed_finding *placed = &at->places.findings[at->place++];
  const dc_unit_kernel *kernel;
  dc_status status = at->kernels->get(at->kernels->context, placed->kernel, &kernel, error);
  if (status != DC_OK)
    return status;
  const dc_finding *finding = &kernel->findings[placed->finding];
  json_t *result = result_of(&writer, kernel, finding);
  const char *state =
      at->baseline ? at->baseline->state(at->baseline->context, kernel, finding) : NULL;
  if (state)
    dc__json_put(&writer, result, "baselineState", json_string(placed->is_new ? "new" : state));
  if (placed->instances > 1)
    dc__json_put(&writer, result, "properties", json_pack("{s:i}", "instances", placed->instances));
  *element = result;
  return dc__json_check(&writer, result, "SARIF of a finding", error);
}

static dc_status write_sarif(const dc_kernels *kernels, const dc_report_options *options,
                             FILE *stream, dc_error *error) {
  dc_json_writer writer = {false, NULL};
  progress at = {.kernels = kernels, .baseline = options ? options->baseline : NULL};
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
  return status;
}

const dc_report_format dc_format_sarif = {
    "sarif", "prints the findings alone, as SARIF 2.1.0, for code hosts and editors", false,
    write_sarif};
