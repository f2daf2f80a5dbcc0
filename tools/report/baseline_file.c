// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// {"divcost-baseline": 1, "findings": [{...}, ...]}, a finding a line.
#define _XOPEN_SOURCE 700 // realpath

#include "report/baseline_file.h"

#include "command.h"
#include "divcost/input.h"
#include "divcost/replace.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int baseline_compare(const baseline_entry *x, const baseline_entry *y) {
  int order = strcmp(x->file, y->file);
  if (order == 0)
    order = strcmp(x->rule, y->rule);
  if (order == 0)
    order = (x->fingerprint > y->fingerprint) - (x->fingerprint < y->fingerprint);
  if (order == 0)
    order = strcmp(x->kernel, y->kernel);
  return order ? order : strcmp(x->message, y->message);
}

static int compare(const void *x, const void *y) { return baseline_compare(x, y); }

void baseline_free(baseline *baseline) {
  for (uint32_t k = 0; k < baseline->count; ++k) {
    free(baseline->entries[k].rule);
    free(baseline->entries[k].file);
    free(baseline->entries[k].kernel);
    free(baseline->entries[k].message);
  }
  free(baseline->entries);
  baseline->entries = NULL;
  baseline->count = 0;
}

// ---- reading -----------------------------------------------------------------------------------

// A member that is a string, copied; a missing one is empty where it may be.
static char *text_of(const json_t *object, const char *name, bool required) {
  const json_t *value = json_object_get(object, name);
  if (!value && !required)
    return strdup("");
  return json_is_string(value) && (!required || *json_string_value(value))
             ? strdup(json_string_value(value))
             : NULL;
}

static bool read_fingerprint(const json_t *value, uint64_t *fingerprint) {
  const char *text = json_string_value(value);
  if (!text || strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16)
    return false;
  *fingerprint = strtoull(text, NULL, 16);
  return true;
}

static bool read_entry(const json_t *object, baseline_entry *entry) {
  entry->rule = text_of(object, "rule", true);
  entry->file = text_of(object, "file", false);
  entry->kernel = text_of(object, "kernel", false);
  entry->message = text_of(object, "message", false);
  return entry->rule && entry->file && entry->kernel && entry->message &&
         read_fingerprint(json_object_get(object, "fingerprint"), &entry->fingerprint);
}

static int read_entries(const char *path, const json_t *root, baseline *to) {
  const json_t *version = json_object_get(root, "divcost-baseline");
  const json_t *findings = json_object_get(root, "findings");
  if (!json_is_integer(version) || json_integer_value(version) != 1)
    return command_fail(path, version ? "divcost-baseline: must be 1, the only version known here"
                                      : "is no baseline: it has no member divcost-baseline; "
                                        "--write-baseline makes one");
  if (!json_is_array(findings))
    return command_fail(path, "findings: must be an array");
  size_t count = json_array_size(findings);
  to->entries = calloc(count + 1, sizeof *to->entries);
  if (!to->entries)
    return command_fail(path, "out of memory");
  for (size_t k = 0; k < count; ++k)
    if (!read_entry(json_array_get(findings, k), &to->entries[to->count++])) {
      char text[160];
      snprintf(text, sizeof text,
               "findings[%zu]: needs the strings rule and fingerprint (16 hexadecimal digits), "
               "and may have file, kernel and message",
               k);
      return command_fail(path, text);
    }
  qsort(to->entries, to->count, sizeof *to->entries, compare);
  return 0;
}

int baseline_read(const char *path, baseline *to) {
  *to = (baseline){NULL, 0};
  dc_error error;
  FILE *stream = dc_input_open_stream(path, &error);
  if (!stream)
    return command_fail(path, access(path, F_OK) != 0 && errno == ENOENT
                                  ? "no such file; --write-baseline makes one"
                                  : error.text);
  json_t *root;
  dc_status read = dc_input_json(stream, DC_INPUT_DATA_MOST, JSON_REJECT_DUPLICATES, &root, &error);
  fclose(stream);
  if (read != DC_OK)
    return command_fail(path, error.text);
  int status = read_entries(path, root, to);
  json_decref(root);
  if (status != 0)
    baseline_free(to);
  return status;
}

// ---- writing -----------------------------------------------------------------------------------

// Texts come from reports, whose readers and writers see to it that they are UTF-8.
static bool write_entry(const baseline_entry *entry, FILE *stream) {
  char fingerprint[17];
  snprintf(fingerprint, sizeof fingerprint, "%016" PRIx64, entry->fingerprint);
  json_t *object =
      json_pack("{s:s, s:s, s:s, s:s, s:s}", "file", entry->file, "rule", entry->rule,
                "fingerprint", fingerprint, "kernel", entry->kernel, "message", entry->message);
  bool good = object && json_dumpf(object, stream, 0) == 0;
  json_decref(object);
  return good;
}

int baseline_write(const char *path, const baseline *from) {
  dc_replacement to;
  int failed = dc_replace_begin(path, &to);
  if (failed)
    return command_fail(path, strerror(failed));
  bool good = fputs("{\"divcost-baseline\": 1, \"findings\": [", to.file) >= 0;
  for (uint32_t k = 0; good && k < from->count; ++k)
    good = fputs(k ? ",\n" : "\n", to.file) >= 0 && write_entry(&from->entries[k], to.file);
  good = good && fputs("\n]}\n", to.file) >= 0;
  failed = dc_replace_end(&to, good);
  if (good && !failed)
    return 0;
  return command_fail(path, strerror(failed ? failed : ENOMEM));
}

// ---- paths -------------------------------------------------------------------------------------

char *baseline_folder(const char *path) {
  const char *slash = strrchr(path, '/');
  char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
  char *whole = folder ? realpath(folder, NULL) : NULL;
  free(folder);
  return whole;
}
