// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _XOPEN_SOURCE 700 // strdup, realpath

#include "divcost/config.h"

#include "json/json_internal.h"

#include "divcost/edit_distance.h"
#include "divcost/input.h"
#include "divcost/path.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define VERSION 1

typedef struct loader {
  dc_json_reader reader;
  dc_config *config;
  bool no_memory;
} loader;

// ---- members ------------------------------------------------------------------------------------

static const char *const members[] = {
    DC_CONFIG_VERSION_KEY, "threshold", "rules", "header-filter", "arch", "baseline",
    "annotations",         "kernels",   "loops", "$schema"}; // by which editors know the schema

// The one of some names that may be meant; NULL: none.
static const char *nearest_of(const char *typed, const char *const *names, size_t count) {
  uint32_t least = dc_edits_allowed(typed) + 1;
  const char *nearest = NULL;
  for (size_t k = 0; k < count; ++k) {
    uint32_t edits = dc_edit_distance(typed, names[k]);
    if (edits < least) {
      least = edits;
      nearest = names[k];
    }
  }
  return nearest;
}

static void fail_unknown(loader *l, const dc_json_place *place, const char *const *names,
                         size_t count) {
  const char *nearest = nearest_of(place->name, names, count);
  if (nearest)
    dc__json_fail(&l->reader, place, "is not known; did you mean '%s'?", nearest);
  else
    dc__json_fail(&l->reader, place, "is not known; docs/configuration.md has all there is");
}

static void check_members(loader *l, const dc_json_place *root) {
  const size_t count = sizeof members / sizeof *members;
  const char *name;
  json_t *value;
  json_object_foreach((json_t *)root->value, name, value) {
    dc_json_place place = {root, name, 0, value};
    bool known = false;
    for (size_t k = 0; k < count; ++k)
      known |= !strcmp(name, members[k]);
    if (!known)
      fail_unknown(l, &place, members, count);
  }
}

static char *copy(loader *l, const char *text) {
  char *out = strdup(text);
  l->no_memory |= !out;
  return out;
}

static char *path_from_config(loader *l, const char *name) {
  const char *path = l->config->path;
  char *folder = strndup(path, (size_t)(dc_base_name(path) - path));
  char *out = folder ? dc_path_join(folder, name) : NULL;
  free(folder);
  l->no_memory |= !out;
  return out;
}

// A text that isn't empty; NULL: it isn't there.
static const char *read_text(loader *l, const dc_json_place *root, const char *name) {
  dc_json_place place = dc__json_member(root, name);
  const char *text = dc__json_string(&l->reader, &place, DC_JSON_OPTIONAL);
  if (place.value && !*text)
    dc__json_fail(&l->reader, &place, "must not be empty");
  return place.value ? text : NULL;
}

static void read_threshold(loader *l, const dc_json_place *root) {
  dc_json_place place = dc__json_member(root, "threshold");
  l->config->threshold = -1;
  if (!place.value)
    return;
  double share = json_number_value(place.value);
  if (!json_is_number(place.value) || !(share >= 0 && share <= 1))
    dc__json_fail(&l->reader, &place, "must be a share, a number from 0 to 1");
  l->config->threshold = share;
}

static void read_rules(loader *l, const dc_json_place *root) {
  dc_json_place rules = dc__json_member(root, "rules");
  const char *name;
  json_t *value;
  if (!rules.value || !dc__json_is_object(&l->reader, &rules))
    return;
  json_object_foreach((json_t *)rules.value, name, value) {
    dc_json_place place = {&rules, name, 0, value};
    int rule = dc_rule_parse(name);
    bool on = dc__json_boolean(&l->reader, &place, DC_JSON_REQUIRED);
    const char *names[DC_RULE_COUNT];
    for (int k = 0; k < DC_RULE_COUNT; ++k)
      names[k] = dc_rule_name((dc_rule)k);
    if (rule < 0)
      fail_unknown(l, &place, names, DC_RULE_COUNT);
    else
      l->config->rules[rule] = on ? DC_CONFIG_ON : DC_CONFIG_OFF;
  }
}

static void read_filter(loader *l, const dc_json_place *root) {
  dc_json_place place = dc__json_member(root, "header-filter");
  dc_error reason;
  const char *text = read_text(l, root, "header-filter");
  if (!text)
    return;
  l->config->header_filter = copy(l, text);
  if (*text && dc_config_check_filter(text, &reason) != DC_OK)
    dc__json_fail(&l->reader, &place, "%s", reason.text);
}

// A list of names as the text that options take.
static void read_architectures(loader *l, const dc_json_place *root) {
  dc_json_place list = dc__json_member(root, "arch");
  size_t count = dc__json_count(&l->reader, &list, DC_JSON_OPTIONAL), size = 1, used = 0;
  if (list.value && count == 0)
    dc__json_fail(&l->reader, &list, "must not be empty: [\"sm_80\", \"sm_90\"]");
  for (size_t k = 0; k < count; ++k) {
    dc_json_place place = dc__json_element(&list, k);
    const char *name = dc__json_string(&l->reader, &place, DC_JSON_REQUIRED);
    if (strncmp(name, "sm_", 3) != 0 || strchr(name, ','))
      dc__json_fail(&l->reader, &place, "must be an architecture such as sm_90");
    size += strlen(name) + 1;
  }
  char *text = count && l->reader.status == DC_OK ? calloc(size, 1) : NULL;
  l->no_memory |= count && !text;
  for (size_t k = 0; text && k < count; ++k)
    used += (size_t)snprintf(text + used, size - used, "%s%s", k ? "," : "",
                             json_string_value(json_array_get(list.value, k)));
  l->config->architectures = text;
}

// Annotations stand in the configuration itself, or in a file that it names.
static void read_annotations(loader *l, const dc_json_place *root) {
  dc_json_place kernels = dc__json_member(root, "kernels"), loops = dc__json_member(root, "loops");
  dc_json_place named = dc__json_member(root, "annotations");
  const char *name = read_text(l, root, "annotations");
  l->config->n_kernels = (uint32_t)dc__json_count(&l->reader, &kernels, DC_JSON_OPTIONAL);
  l->config->n_loops = (uint32_t)dc__json_count(&l->reader, &loops, DC_JSON_OPTIONAL);
  if (name && (kernels.value || loops.value))
    dc__json_fail(&l->reader, &named,
                  "names a file, and there are 'kernels' or 'loops', too; say them in one place");
  else if (name)
    l->config->annotations = path_from_config(l, name);
  else if (kernels.value || loops.value)
    l->config->annotations = copy(l, l->config->path);
}

static void read_root(loader *l, const json_t *value) {
  dc_json_place root = {NULL, NULL, 0, value};
  dc_json_place version = dc__json_member(&root, DC_CONFIG_VERSION_KEY);
  if (!json_is_object(value) || !version.value) {
    dc__json_fail(&l->reader, &root,
                  "it is no configuration: it has no \"" DC_CONFIG_VERSION_KEY "\": 1");
    return;
  }
  dc__json_integer(&l->reader, &version, VERSION, VERSION, DC_JSON_REQUIRED);
  check_members(l, &root);
  read_threshold(l, &root);
  read_rules(l, &root);
  read_filter(l, &root);
  read_architectures(l, &root);
  read_annotations(l, &root);
  const char *baseline = read_text(l, &root, "baseline");
  if (baseline)
    l->config->baseline = path_from_config(l, baseline);
}

// ---- the file -----------------------------------------------------------------------------------

static dc_status read_file(FILE *file, dc_config *config, dc_error *error) {
  json_t *root;
  loader l = {.reader = {.error = error}, .config = config};
  dc_status status = dc_input_json(file, DC_INPUT_TEXT_MOST, JSON_REJECT_DUPLICATES, &root, error);
  if (status != DC_OK)
    return status;
  read_root(&l, root);
  json_decref(root);
  if (l.reader.status == DC_OK && l.no_memory)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory");
  return l.reader.status;
}

dc_status dc_config_load(const char *path, dc_config *config, dc_error *error) {
  *config = (dc_config){.path = strdup(path)};
  FILE *file = dc_input_open(path, error);
  dc_status status = DC_ERROR_FILE;
  if (file && !config->path)
    status = dc_fail(error, DC_ERROR_MEMORY, "out of memory");
  else if (file)
    status = read_file(file, config, error);
  if (file)
    fclose(file);
  if (status != DC_OK)
    dc_config_free(config);
  return status;
}

void dc_config_free(dc_config *config) {
  free(config->path);
  free(config->header_filter);
  free(config->architectures);
  free(config->baseline);
  free(config->annotations);
  *config = (dc_config){0};
}

dc_status dc_config_check_filter(const char *expression, dc_error *error) {
  regex_t compiled;
  char reason[100];
  int wrong = regcomp(&compiled, expression, REG_EXTENDED | REG_NOSUB);
  if (wrong) {
    regerror(wrong, &compiled, reason, sizeof reason);
    return dc_fail(error, wrong == REG_ESPACE ? DC_ERROR_MEMORY : DC_ERROR_SYNTAX,
                   "is no regular expression: %s", reason);
  }
  regfree(&compiled);
  return DC_OK;
}

static bool is_file(const char *path) {
  struct stat facts;
  return stat(path, &facts) == 0 && S_ISREG(facts.st_mode);
}

// The folder of a file as an absolute path, with room for `room` more bytes; NULL: there is none.
static char *folder_of(const char *file, size_t room) {
  const char *name = dc_base_name(file);
  char *named = name == file ? strdup(".") : strndup(file, (size_t)(name - file));
  char *real = named ? realpath(named, NULL) : NULL;
  free(named);
  char *folder = real ? realloc(real, strlen(real) + room) : NULL;
  if (!folder)
    free(real);
  return folder;
}

char *dc_config_nearest(const char *file) {
  char *path = folder_of(file, sizeof "/" DC_CONFIG_NAME);
  size_t length = path ? strlen(path) : 0;
  if (length == 1) // "/"
    length = 0;
  while (path) {
    strcpy(path + length, "/" DC_CONFIG_NAME);
    if (is_file(path))
      return path;
    if (length == 0)
      break;
    do
      --length;
    while (path[length] != '/');
  }
  free(path);
  return NULL;
}
