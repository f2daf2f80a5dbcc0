// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads annotation files (JSON, through jansson).
#define _XOPEN_SOURCE 700 // strdup, strndup

#include "findings/annotations.h"

#include "divcost/files.h"
#include "divcost/histogram.h"
#include "divcost/input.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static dc_status no_memory(dc_error *error) {
  return dc_fail(error, DC_ERROR_MEMORY, "out of memory");
}

static bool take_text(json_t *object, const char *key, char **out, bool *wrong) {
  json_t *value = json_object_get(object, key);
  *wrong = value && (!json_is_string(value) || !*json_string_value(value));
  if (!value || *wrong)
    return true;
  *out = strdup(json_string_value(value));
  return *out != NULL;
}

// Checks a distribution; histograms are relative to the file that names them.
static dc_status check_trips(const char *path, size_t index, dcp_annotation *entry,
                             dc_error *error) {
  const char *slash = strrchr(path, '/');
  char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(""), *distribution;
  if (!folder)
    return no_memory(error);
  dc_error reason;
  dc_status status =
      dc_trips_text(entry->distribution, folder, &distribution, &entry->correlation, &reason);
  free(folder);
  if (status != DC_OK)
    return dc_fail(error, DC_ERROR_SYNTAX, "'%s': loops[%zu].trips, character %u: %s", path, index,
                   reason.offset + 1, reason.text);
  free(entry->distribution);
  entry->distribution = distribution;
  return DC_OK;
}

// An entry is an object with members of a list: names that end with a 0, which `possible` tells.
static dc_status check_keys(const char *path, const char *list, size_t index, json_t *object,
                            const char *const *names, const char *possible, dc_error *error) {
  const char *key;
  json_t *value;
  if (!json_is_object(object))
    return dc_fail(error, DC_ERROR_SYNTAX, "'%s': %s[%zu] is no object", path, list, index);
  json_object_foreach(object, key, value) {
    const char *const *name = names;
    while (*name && strcmp(key, *name) != 0)
      ++name;
    if (!*name)
      return dc_fail(error, DC_ERROR_SYNTAX, "'%s': %s[%zu] has an unknown key '%s'; possible: %s",
                     path, list, index, key, possible);
  }
  return DC_OK;
}

// An id is 16 hexadecimal digits, as reports write it.
static dc_status read_id(const char *path, size_t index, json_t *object, dcp_annotation *entry,
                         dc_error *error) {
  json_t *value = json_object_get(object, "id");
  const char *text = json_string_value(value);
  if (!value)
    return DC_OK;
  if (!text || strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16)
    return dc_fail(error, DC_ERROR_SYNTAX,
                   "'%s': loops[%zu].id is no text of 16 hexadecimal digits, as a loop's id in a "
                   "JSON report",
                   path, index);
  entry->has_id = true;
  entry->id = strtoull(text, NULL, 16);
  return DC_OK;
}

static dc_status read_line(const char *path, size_t index, json_t *object, dcp_annotation *entry,
                           dc_error *error) {
  json_t *value = json_object_get(object, "line");
  json_int_t line = json_integer_value(value);
  if (value ? line < 1 || line > UINT32_MAX : !entry->has_id)
    return dc_fail(error, DC_ERROR_SYNTAX, "'%s': loops[%zu] needs a number 'line', from 1%s", path,
                   index, value ? "" : ", or an 'id'");
  entry->line = (uint32_t)line;
  return DC_OK;
}

static dc_status read_entry(const char *path, size_t index, json_t *object, dcp_annotation *entry,
                            dc_error *error) {
  static const char *const keys[] = {"file", "function", "line", "id", "trips", "ignore", NULL};
  dc_status status = check_keys(path, "loops", index, object, keys,
                                "file, function, line, id, trips, ignore", error);
  if (status != DC_OK)
    return status;
  bool wrong_file, wrong_function, wrong_trips, wrong_ignore;
  if (!take_text(object, "file", &entry->file, &wrong_file) ||
      !take_text(object, "function", &entry->function, &wrong_function) ||
      !take_text(object, "trips", &entry->distribution, &wrong_trips) ||
      !take_text(object, "ignore", &entry->ignored, &wrong_ignore))
    return no_memory(error);
  status = read_id(path, index, object, entry, error);
  if (status != DC_OK)
    return status;
  if (wrong_file || wrong_function || (!entry->file && !entry->function && !entry->has_id))
    return dc_fail(error, DC_ERROR_SYNTAX,
                   "'%s': loops[%zu] needs a text 'file' or 'function', or an 'id'", path, index);
  status = read_line(path, index, object, entry, error);
  if (status != DC_OK)
    return status;
  if (wrong_trips || wrong_ignore || (!entry->distribution && !entry->ignored))
    return dc_fail(error, DC_ERROR_SYNTAX,
                   "'%s': loops[%zu] needs a text 'trips', a distribution, or a text 'ignore', a "
                   "reason",
                   path, index);
  return entry->distribution ? check_trips(path, index, entry, error) : DC_OK;
}

static dc_status read_kernel(const char *path, size_t index, json_t *object,
                             dcp_kernel_annotation *entry, dc_error *error) {
  static const char *const keys[] = {"file", "function", "launch", NULL};
  dc_status status =
      check_keys(path, "kernels", index, object, keys, "file, function, launch", error);
  if (status != DC_OK)
    return status;
  bool wrong_file, wrong_function;
  if (!take_text(object, "file", &entry->file, &wrong_file) ||
      !take_text(object, "function", &entry->function, &wrong_function))
    return no_memory(error);
  if (wrong_file || !entry->function)
    return dc_fail(error, DC_ERROR_SYNTAX, "'%s': kernels[%zu] needs a text '%s'", path, index,
                   wrong_file ? "file" : "function");
  const char *launch = json_string_value(json_object_get(object, "launch"));
  if (!launch || !*launch)
    return dc_fail(error, DC_ERROR_SYNTAX,
                   "'%s': kernels[%zu] needs a text 'launch', as between the parentheses of "
                   "'#pragma divcost launch(...)'",
                   path, index);
  dc_error reason;
  status = dcp_launch_text(launch, &entry->launch, &reason);
  return status == DC_OK ? DC_OK
                         : dc_fail(error, status, "'%s': kernels[%zu].launch, character %u: %s",
                                   path, index, reason.offset + 1, reason.text);
}

// Room for the entries of a list; its length in *count. None is there: 0 of them.
static dc_status begin_list(const char *path, json_t *root, const char *list, size_t size,
                            void **entries, size_t *count, dc_error *error) {
  json_t *array = json_object_get(root, list);
  *count = json_array_size(array);
  if (array && !json_is_array(array))
    return dc_fail(error, DC_ERROR_SYNTAX, "'%s': '%s' is no array", path, list);
  *entries = calloc(*count ? *count : 1, size);
  return *entries ? DC_OK : no_memory(error);
}

static dc_status read_loops(const char *path, json_t *root, dcp_annotations *annotations,
                            dc_error *error) {
  size_t count;
  dc_status status = begin_list(path, root, "loops", sizeof *annotations->entries,
                                (void **)&annotations->entries, &count, error);
  json_t *loops = json_object_get(root, "loops");
  while (status == DC_OK && annotations->n_entries < count) {
    uint32_t index = annotations->n_entries++;
    status =
        read_entry(path, index, json_array_get(loops, index), &annotations->entries[index], error);
  }
  return status;
}

static dc_status read_kernels(const char *path, json_t *root, dcp_annotations *annotations,
                              dc_error *error) {
  size_t count;
  dc_status status = begin_list(path, root, "kernels", sizeof *annotations->kernels,
                                (void **)&annotations->kernels, &count, error);
  json_t *kernels = json_object_get(root, "kernels");
  while (status == DC_OK && annotations->n_kernels < count) {
    uint32_t index = annotations->n_kernels++;
    status = read_kernel(path, index, json_array_get(kernels, index), &annotations->kernels[index],
                         error);
  }
  return status;
}

static dc_status read_root(const char *path, json_t *root, dcp_annotations *annotations,
                           dc_error *error) {
  json_t *version = json_object_get(root, "divcost-annotations");
  if (!json_is_object(root) || !json_is_integer(version))
    return dc_fail(error, DC_ERROR_SYNTAX,
                   "'%s' is no annotation file: it has no \"divcost-annotations\": 1", path);
  if (json_integer_value(version) != 1)
    return dc_fail(error, DC_ERROR_SYNTAX,
                   "'%s' has version %" JSON_INTEGER_FORMAT "; this plugin reads version 1", path,
                   json_integer_value(version));
  if (!json_object_get(root, "loops") && !json_object_get(root, "kernels"))
    return dc_fail(error, DC_ERROR_SYNTAX, "'%s' has neither 'loops' nor 'kernels'", path);
  dc_status status = read_loops(path, root, annotations, error);
  return status == DC_OK ? read_kernels(path, root, annotations, error) : status;
}

static dc_status read_file(const char *path, dcp_annotations *annotations, dc_error *error) {
  dc_error reason;
  FILE *file = dc_input_open(path, &reason);
  if (!file)
    return dc_fail(error, DC_ERROR_FILE, "cannot read the annotations '%s': %s", path, reason.text);
  json_t *root;
  dc_status loaded =
      dc_input_json(file, DC_INPUT_TEXT_MOST, JSON_REJECT_DUPLICATES, &root, &reason);
  fclose(file);
  if (loaded != DC_OK)
    return dc_fail(error, loaded, "'%s', %s", path, reason.text);
  dc_status status = read_root(path, root, annotations, error);
  json_decref(root);
  return status;
}

dc_status dcp_annotation_file(const char *path, dcp_annotations *annotations, dc_error *error) {
  *annotations = (dcp_annotations){.path = strdup(path)};
  if (!annotations->path)
    return no_memory(error);
  dc_status status = read_file(path, annotations, error);
  if (status != DC_OK)
    dcp_annotations_free(annotations);
  return status;
}

void dcp_annotations_free(dcp_annotations *annotations) {
  for (uint32_t e = 0; e < annotations->n_entries; ++e) {
    free(annotations->entries[e].file);
    free(annotations->entries[e].function);
    free(annotations->entries[e].distribution);
    free(annotations->entries[e].ignored);
    free(annotations->entries[e].overruled);
  }
  for (uint32_t k = 0; k < annotations->n_kernels; ++k) {
    free(annotations->kernels[k].file);
    free(annotations->kernels[k].function);
    dcp_told_launch_free(&annotations->kernels[k].launch);
  }
  free(annotations->entries);
  free(annotations->kernels);
  free(annotations->path);
  *annotations = (dcp_annotations){.path = NULL};
}
