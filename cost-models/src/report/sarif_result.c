// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _POSIX_C_SOURCE 200809L // open_memstream

#include "report/sarif_result.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *dc__sarif_level(dc_rule rule) {
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

json_t *dc__sarif_message(const char *text) {
  return json_pack("{s:o}", "text", dc__json_text(text));
}

static const dc_source_file *source_of(dc_sarif_maker *m, const dc_kernel *kernel,
                                       uint32_t location) {
  return dc__source_file(m->sources, m->options,
                         dc_kernel_text(kernel, kernel->locations[location].file));
}

// The word or sign at a place; where the source isn't at hand, the rest of the line, as SARIF has
// it where no column ends a region.
static json_t *region(dc_sarif_maker *m, const dc_kernel *kernel, uint32_t location) {
  const dc_location *at = &kernel->locations[location];
  const dc_source_file *source = source_of(m, kernel, location);
  json_t *object = json_object();
  uint32_t begin = at->column, end = 0;
  if (source && !dc__token_columns(source, at->line, at->column, &begin, &end))
    begin = at->column;
  dc__json_put(&m->writer, object, "startLine", json_integer(at->line));
  if (begin)
    dc__json_put(&m->writer, object, "startColumn", json_integer(begin));
  dc__json_put(&m->writer, object, "endLine", json_integer(at->line));
  if (end)
    dc__json_put(&m->writer, object, "endColumn", json_integer(end));
  return object;
}

// A place in a file, with its own words where there are some.
static json_t *place(dc_sarif_maker *m, const dc_kernel *kernel, uint32_t location,
                     const char *words) {
  const dc_location *at = &kernel->locations[location];
  dc_json_writer *writer = &m->writer;
  json_t *object = json_object(), *physical = json_object();
  dc__json_put(writer, physical, "artifactLocation",
               json_pack("{s:o}", "uri", uri(dc_kernel_text(kernel, at->file))));
  if (at->line)
    dc__json_put(writer, physical, "region", region(m, kernel, location));
  dc__json_put(writer, object, "physicalLocation", physical);
  if (words)
    dc__json_put(writer, object, "message", dc__sarif_message(words));
  return object;
}

static bool has_file(const dc_kernel *kernel, uint32_t location) {
  return location != DC_NONE && *dc_kernel_text(kernel, kernel->locations[location].file);
}

// ---- why ----------------------------------------------------------------------------------------

// The chain of reasons; NULL: there is none with a place.
static json_t *code_flow(dc_sarif_maker *m, const dc_kernel *kernel, const dc_finding *finding) {
  json_t *steps = json_array();
  uint32_t first, count = dc_finding_chain(kernel, finding, &first);
  for (uint32_t k = 0; k < count; ++k) {
    const dc_reason *reason = &kernel->reasons[first + k];
    if (has_file(kernel, reason->location))
      dc__json_append(
          &m->writer, steps,
          json_pack("{s:o}", "location",
                    place(m, kernel, reason->location, dc_kernel_text(kernel, reason->text))));
  }
  if (json_array_size(steps) == 0) {
    json_decref(steps);
    return NULL;
  }
  return json_pack("[{s:[{s:o}]}]", "threadFlows", "locations", steps);
}

// SARIF 3.11.6: in the text of a link, brackets have a backslash before them, as backslashes have.
static void put_link(FILE *to, const char *text, size_t id) {
  fputc('[', to);
  for (; *text; ++text)
    fprintf(to, "%s%c", strchr("[]\\", *text) ? "\\" : "", *text);
  fprintf(to, "](%zu)", id);
}

// A place that is not the result's own: it gets a number, by which the message links it.
static void relate(dc_sarif_maker *m, const dc_kernel *kernel, uint32_t location, const char *words,
                   json_t *related, FILE *text) {
  size_t id = json_array_size(related) + 1;
  json_t *object = place(m, kernel, location, words);
  dc__json_put(&m->writer, object, "id", json_integer((json_int_t)id));
  dc__json_append(&m->writer, related, object);
  fputs(id == 1 ? "; why: " : ", ", text);
  put_link(text, words, id);
}

// Where the code was inlined, from the inside out: a finding in a header says little without it.
static void relate_calls(dc_sarif_maker *m, const dc_kernel *kernel, const dc_finding *finding,
                         json_t *related, FILE *text) {
  uint32_t at = finding->location;
  while (at != DC_NONE && kernel->locations[at].inlined_at != DC_NONE) {
    char words[300];
    snprintf(words, sizeof words, "'%s' is called here",
             dc_kernel_text(kernel, kernel->locations[at].function));
    at = kernel->locations[at].inlined_at;
    if (has_file(kernel, at))
      relate(m, kernel, at, words, related, text);
  }
}

// The message, with links to the places that the finding depends on, which code hosts show beside
// it.
static void put_message(dc_sarif_maker *m, json_t *result, const dc_kernel *kernel,
                        const dc_finding *finding) {
  json_t *related = json_array();
  char *words = NULL;
  size_t size;
  FILE *text = open_memstream(&words, &size);
  uint32_t first, count = dc_finding_chain(kernel, finding, &first);
  if (text && finding->message)
    fputs(finding->message, text);
  for (uint32_t k = first; text && k < first + count; ++k)
    if (has_file(kernel, kernel->reasons[k].location))
      relate(m, kernel, kernel->reasons[k].location,
             dc_kernel_text(kernel, kernel->reasons[k].text), related, text);
  if (text)
    relate_calls(m, kernel, finding, related, text);
  bool good = text && fclose(text) == 0;
  m->writer.out_of_memory |= !good;
  dc__json_put(&m->writer, result, "message", dc__sarif_message(good ? words : ""));
  if (json_array_size(related) > 0)
    dc__json_put(&m->writer, result, "relatedLocations", related);
  else
    json_decref(related);
  free(words);
}

// ---- results ------------------------------------------------------------------------------------

static void put_suppression(dc_json_writer *writer, json_t *result, const dc_kernel *kernel,
                            const dc_finding *finding) {
  static const char *const reasons[] = {[DC_BY_SOURCE] = "",
                                        [DC_BY_OPTIONS] =
                                            "switched off by an option or a .divcost file",
                                        [DC_BY_LIBRARY] = "data decide there, in a library's code"};
  const char *kind = finding->by == DC_BY_SOURCE ? "inSource" : "external";
  const char *reason = dc_finding_reason(kernel, finding);
  json_t *suppression = json_pack("{s:s}", "kind", kind);
  dc__json_put_text(writer, suppression, "justification", *reason ? reason : reasons[finding->by]);
  dc__json_put(writer, result, "suppressions", json_pack("[o]", suppression));
}

static void put_rule(dc_json_writer *writer, json_t *result, dc_rule rule) {
  dc__json_put(writer, result, "ruleId", json_string(dc_rule_name(rule)));
  dc__json_put(writer, result, "ruleIndex", json_integer((json_int_t)rule));
}

static void put_function(dc_json_writer *writer, json_t *location, const char *name) {
  dc__json_put(
      writer, location, "logicalLocations",
      json_pack("[{s:o,s:s}]", "fullyQualifiedName", dc__json_text(name), "kind", "function"));
}

static json_t *fingerprint_of(uint64_t fingerprint) {
  char text[17];
  snprintf(text, sizeof text, "%016" PRIx64, fingerprint);
  return json_pack("{s:s}", "divcost/v1", text);
}

// By which GitHub knows an alert again; its own upload has the same, if it sees the source.
static void put_line_hash(dc_sarif_maker *m, json_t *fingerprints, const dc_kernel *kernel,
                          uint32_t location) {
  char text[40];
  const dc_source_file *source = source_of(m, kernel, location);
  uint32_t line = kernel->locations[location].line;
  if (!source || line == 0 || line > source->n_lines)
    return;
  const dc_line_hash *hash = &source->hashes[line - 1];
  snprintf(text, sizeof text, "%" PRIx64 ":%" PRIu32, hash->hash, hash->count);
  dc__json_put(&m->writer, fingerprints, "primaryLocationLineHash", json_string(text));
}

json_t *dc__sarif_result(dc_sarif_maker *m, const dc_unit_kernel *of, const dc_finding *finding) {
  const dc_kernel *kernel = &of->kernel;
  dc_json_writer *writer = &m->writer;
  json_t *result = json_object(), *location = json_object();
  json_t *fingerprints = fingerprint_of(finding->fingerprint);
  put_rule(writer, result, finding->rule);
  const char *level = dc_finding_warns(finding) ? "warning" : "note";
  dc__json_put(writer, result, "level", json_string(level));
  put_message(m, result, kernel, finding);
  if (has_file(kernel, finding->location)) {
    json_object_update_new(location, place(m, kernel, finding->location, NULL));
    put_line_hash(m, fingerprints, kernel, finding->location);
  }
  put_function(writer, location, dc_kernel_text(kernel, kernel->name));
  dc__json_put(writer, result, "locations", json_pack("[o]", location));
  dc__json_put(writer, result, "partialFingerprints", fingerprints);
  json_t *flow = code_flow(m, kernel, finding);
  if (flow)
    dc__json_put(writer, result, "codeFlows", flow);
  if (finding->suppressed)
    put_suppression(writer, result, kernel, finding);
  return result;
}

json_t *dc__sarif_absent(dc_json_writer *writer, const dc_absent_finding *entry) {
  json_t *result = json_object(), *location = json_object();
  put_rule(writer, result, entry->rule);
  dc__json_put(writer, result, "level", json_string(dc__sarif_level(entry->rule)));
  dc__json_put(writer, result, "message", dc__sarif_message(entry->message));
  if (*entry->file)
    dc__json_put(writer, location, "physicalLocation",
                 json_pack("{s:{s:o}}", "artifactLocation", "uri", uri(entry->file)));
  put_function(writer, location, entry->kernel);
  dc__json_put(writer, result, "locations", json_pack("[o]", location));
  dc__json_put(writer, result, "partialFingerprints", fingerprint_of(entry->fingerprint));
  dc__json_put(writer, result, "baselineState", json_string("absent"));
  return result;
}
