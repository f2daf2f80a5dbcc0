// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _XOPEN_SOURCE 700

#include "check/record.h"

#include "divcost/replace.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT_VERSION 1

typedef char hash_text[17];

static const char *format_hash(uint64_t hash, hash_text text) {
  snprintf(text, sizeof(hash_text), "%016" PRIx64, hash);
  return text;
}

static bool is_hash(const json_t *value, uint64_t hash) {
  hash_text text;
  const char *written = json_string_value(value);
  return written && hash && !strcmp(written, format_hash(hash, text));
}

// --- reading -------------------------------------------------------------------------------------

static bool inputs_hold(const json_t *list, contents *table, const char *directory) {
  if (!json_is_array(list) || json_array_size(list) == 0)
    return false;
  for (size_t k = 0; k < json_array_size(list); ++k) {
    const json_t *entry = json_array_get(list, k);
    const char *path = json_string_value(json_array_get(entry, 0));
    if (!path || !is_hash(json_array_get(entry, 1), contents_of_file(table, directory, path)))
      return false;
  }
  return true;
}

// A report is read anew and not through the table: this run may replace it.
static uint64_t hash_report(const char *report) {
  contents once = {0};
  uint64_t hash = contents_of_file(&once, "", report);
  contents_free(&once);
  return hash;
}

bool record_holds(const char *path, const char *report, contents *table, check_unit *unit) {
  json_t *record = json_load_file(path, 0, NULL);
  const char *messages = json_string_value(json_object_get(record, "messages"));
  bool holds = json_integer_value(json_object_get(record, "divcost-check")) == FORMAT_VERSION &&
               messages && is_hash(json_object_get(record, "command"), unit->hash) &&
               inputs_hold(json_object_get(record, "inputs"), table, unit->command.directory) &&
               is_hash(json_object_get(record, "report"), hash_report(report));
  if (holds) {
    unit->messages = strdup(messages);
    holds = unit->messages != NULL;
  }
  json_decref(record);
  return holds;
}

// --- writing -------------------------------------------------------------------------------------

typedef struct gathering {
  json_t *list;
  contents *table;
  dc_string_set seen;
  const char *directory;
  struct timespec started;
  bool changed; // some input may have, while the compiler ran
  bool failed;  // memory ran out
} gathering;

static void gather(gathering *g, const char *path) {
  bool added;
  if (dc_string_set_add(&g->seen, path, strlen(path), &added) == UINT32_MAX) {
    g->failed = true;
    return;
  }
  if (!added)
    return;
  hash_text text;
  uint64_t hash = contents_of_file(g->table, g->directory, path);
  g->changed |= !hash || contents_changed_since(g->directory, path, g->started);
  // A path that isn't UTF-8 can't be kept: the unit is then analysed each time.
  json_t *entry = json_pack("[s, s]", path, format_hash(hash, text));
  g->changed |= !entry;
  g->failed |= entry && json_array_append_new(g->list, entry) != 0;
}

static void gather_headers(gathering *g, const char *headers) {
  FILE *file = fopen(headers, "re");
  if (!file)
    return; // no header was read
  char *line = NULL;
  size_t capacity = 0;
  while (getline(&line, &capacity, file) > 0) {
    line[strcspn(line, "\n")] = 0;
    gather(g, line);
  }
  g->changed |= ferror(file) != 0;
  free(line);
  fclose(file);
}

static dc_status write_json(const char *path, const json_t *record, dc_error *error) {
  dc_replacement to;
  int reason = dc_replace_begin(path, &to);
  if (!reason) {
    bool good = json_dumpf(record, to.file, JSON_INDENT(1)) == 0;
    reason = dc_replace_end(&to, good);
    if (!good && !reason)
      reason = ENOMEM;
  }
  return reason ? dc_fail(error, DC_ERROR_FILE, "cannot write '%.200s': %s", path, strerror(reason))
                : DC_OK;
}

dc_status record_write(const char *path, const char *report, const char *headers, contents *table,
                       struct timespec started, const check_unit *unit, dc_error *error) {
  gathering g = {.list = json_array(),
                 .table = table,
                 .directory = unit->command.directory,
                 .started = started};
  gather(&g, unit->command.file);
  gather_headers(&g, headers);
  for (size_t k = 0; k < unit->named.count; ++k)
    gather(&g, unit->named.words[k]);
  dc_string_set_free(&g.seen);
  hash_text command, contents;
  json_t *record = json_pack("{s:i, s:s, s:s, s:s, s:s, s:o}", "divcost-check", FORMAT_VERSION,
                             "file", unit->name, "command", format_hash(unit->hash, command),
                             "report", format_hash(hash_report(report), contents), "messages",
                             unit->messages ? unit->messages : "", "inputs", g.list);
  dc_status status = DC_OK;
  if (g.failed)
    status = dc_fail(error, DC_ERROR_MEMORY, "out of memory for the files that were read");
  else if (record && !g.changed) // without a record the unit is analysed again next time
    status = write_json(path, record, error);
  json_decref(record);
  return status;
}
