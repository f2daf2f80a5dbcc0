// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An architecture file: docs/divcost-arch-1.schema.json. Every figure is an object of its value,
// its provenance, and other values that a source gives and that are not used.
#include "json/read_arch.h"
#include "divcost/input.h"
#include "json/json_internal.h"

#include <string.h>

static int parse_rules(const char *name) {
  static const char *const names[] = {"stack", "barriers"};
  for (int k = 0; k < 2; ++k)
    if (strcmp(name, names[k]) == 0)
      return k;
  return -1;
}

static int parse_reload(const char *name) {
  return strcmp(name, "lazy") == 0    ? DC_RELOAD_LAZY
         : strcmp(name, "eager") == 0 ? DC_RELOAD_EAGER
                                      : -1;
}

// What isn't a member of the format is a mistake: a figure under a wrong name would be no figure.
static void allow_only(dc_json_reader *reader, const dc_json_place *object,
                       const char *const *names) {
  const char *key;
  json_t *value;
  json_object_foreach((json_t *)object->value, key, value) {
    size_t k = 0;
    while (names[k] && strcmp(names[k], key) != 0)
      ++k;
    dc_json_place member = dc__json_member(object, key);
    if (!names[k])
      dc__json_fail(reader, &member, "is no member that is known here");
  }
}

static void read_text(dc_json_reader *reader, const dc_json_place *object, const char *name,
                      char *text, size_t size) {
  dc_json_place place = dc__json_member(object, name);
  const char *value = dc__json_string(reader, &place, DC_JSON_REQUIRED);
  if (!*value || strlen(value) >= size)
    dc__json_fail(reader, &place, "has %zu bytes, must have 1 to %zu", strlen(value), size - 1);
  snprintf(text, size, "%s", value);
}

// Checks what goes with a value, and gives the place of the value.
static dc_json_place read_figure(dc_json_reader *reader, const dc_json_place *place) {
  static const char *const members[] = {"value", "uncertainty", "provenance", "others", NULL};
  static const char *const of_others[] = {"value", "provenance", NULL};
  char text[400];
  if (dc__json_is_object(reader, place)) {
    allow_only(reader, place, members);
    read_text(reader, place, "provenance", text, sizeof text);
    dc_json_place uncertainty = dc__json_member(place, "uncertainty");
    if (uncertainty.value && dc__json_read_real(reader, &uncertainty) < 0)
      dc__json_fail(reader, &uncertainty, "must not be negative");
    dc_json_place others = dc__json_member(place, "others");
    size_t count = dc__json_count(reader, &others, DC_JSON_OPTIONAL);
    for (size_t k = 0; k < count; ++k) {
      dc_json_place other = dc__json_element(&others, k);
      if (!dc__json_is_object(reader, &other))
        continue;
      dc_json_place value = dc__json_member(&other, "value");
      allow_only(reader, &other, of_others);
      read_text(reader, &other, "provenance", text, sizeof text);
      if (!value.value)
        dc__json_fail(reader, &value, "is missing");
    }
  }
  return dc__json_member(place, "value");
}

static double read_cycles(dc_json_reader *reader, const dc_json_place *object, const char *name) {
  dc_json_place place = dc__json_member(object, name);
  dc_json_place value = read_figure(reader, &place);
  return dc__json_read_cycles(reader, &value);
}

static unsigned read_entries(dc_json_reader *reader, const dc_json_place *object, const char *name,
                             unsigned most) {
  dc_json_place place = dc__json_member(object, name);
  dc_json_place value = read_figure(reader, &place);
  return (unsigned)dc__json_integer(reader, &value, 1, most, DC_JSON_REQUIRED);
}

static void read_stack(dc_json_reader *reader, const dc_json_place *object, dc_arch_data *data) {
  static const char *const members[] = {"entries", "chunk", "reload", NULL};
  if (!dc__json_is_object(reader, object))
    return;
  allow_only(reader, object, members);
  data->stack_entries = read_entries(reader, object, "entries", 1024);
  data->spill_entries = read_entries(reader, object, "chunk", data->stack_entries);
  dc_json_place place = dc__json_member(object, "reload");
  dc_json_place value = read_figure(reader, &place);
  data->reload = (dc_reload)dc__json_enum(reader, &value, parse_reload);
}

static void read_sms(dc_json_reader *reader, const dc_json_place *list, dc_arch_data *data) {
  size_t count = dc__json_count(reader, list, DC_JSON_REQUIRED);
  if (count < 1 || count > DC_ARCH_SMS_MAX)
    dc__json_fail(reader, list, "has %zu numbers, must have 1 to %d", count, DC_ARCH_SMS_MAX);
  for (size_t k = 0; k < count && k < DC_ARCH_SMS_MAX; ++k) {
    dc_json_place sm = dc__json_element(list, k);
    unsigned least = k ? data->sm[k - 1] + 1 : 20;
    data->sm[data->n_sm++] = (unsigned)dc__json_integer(reader, &sm, least, 999, DC_JSON_REQUIRED);
  }
}

// Cycles that only barriers with measured costs have; else, and where the file has none, `absent`.
static double read_of_barriers(dc_json_reader *reader, const dc_json_place *root, const char *name,
                               const dc_arch_data *data, double absent) {
  dc_json_place place = dc__json_member(root, name);
  if (!place.value)
    return absent;
  if (data->rules == DC_RULES_BARRIERS && data->has_cycles)
    return read_cycles(reader, root, name);
  dc__json_fail(reader, &place, "is for the rules 'barriers', with divergent_branch");
  return absent;
}

// Cycles by class of instructions. Classes that nobody measured are left as they are.
static void read_classes(dc_json_reader *reader, const dc_json_place *root, const char *name,
                         double cycles[DC_MIX_COUNT]) {
  const char *class;
  json_t *value;
  dc_json_place object = dc__json_member(root, name);
  if (!object.value || !dc__json_is_object(reader, &object))
    return;
  json_object_foreach((json_t *)object.value, class, value) {
    int mix = dc_mix_parse(class);
    dc_json_place member = dc__json_member(&object, class);
    if (mix < 0)
      dc__json_fail(reader, &member, "is no class of instructions");
    else
      cycles[mix] = read_cycles(reader, &object, class);
  }
}

// What a calibration says of itself. It isn't used; but a file with mistakes isn't trusted.
static void read_checks(dc_json_reader *reader, const dc_json_place *list) {
  static const char *const members[] = {"kernel", "lanes",  "points", "median",
                                        "worst",  "cycles", NULL};
  size_t count = dc__json_count(reader, list, DC_JSON_OPTIONAL);
  for (size_t k = 0; k < count; ++k) {
    dc_json_place check = dc__json_element(list, k);
    if (dc__json_is_object(reader, &check))
      allow_only(reader, &check, members);
  }
}

// The same of hardware counters.
static void read_counters(dc_json_reader *reader, const dc_json_place *object) {
  static const char *const members[] = {"launches", "not_measured", NULL};
  static const char *const of_launches[] = {"kernel",
                                            "lanes",
                                            "parameter",
                                            "divergent_branches",
                                            "predicted_branches",
                                            "active_threads",
                                            "predicted_threads",
                                            NULL};
  if (!object->value || !dc__json_is_object(reader, object))
    return;
  allow_only(reader, object, members);
  dc_json_place list = dc__json_member(object, "launches");
  size_t count = dc__json_count(reader, &list, DC_JSON_OPTIONAL);
  for (size_t k = 0; k < count; ++k) {
    dc_json_place launch = dc__json_element(&list, k);
    if (dc__json_is_object(reader, &launch))
      allow_only(reader, &launch, of_launches);
  }
}

static void read_extras(dc_json_reader *reader, const dc_json_place *root, dc_arch_data *data) {
  double latency[DC_MIX_COUNT];
  dc_json_place vote = dc__json_member(root, "vote"), checks = dc__json_member(root, "checks"),
                counters = dc__json_member(root, "counters");
  read_classes(reader, root, "issue", data->issue);
  read_classes(reader, root, "latency", latency);
  if (vote.value)
    read_cycles(reader, root, "vote");
  read_checks(reader, &checks);
  read_counters(reader, &counters);
}

// A number of a machine: all of them are there, or the file has no machine.
static void read_machine_number(dc_json_reader *reader, const dc_json_place *object, unsigned field,
                                dc_machine *machine) {
  const dc_machine_field *which = &dc_machine_fields[field];
  dc_json_place place = dc__json_member(object, which->name);
  dc_json_place value = read_figure(reader, &place);
  dc_machine_set(machine, field, dc__json_read_machine(reader, &value, which));
}

static void read_machine(dc_json_reader *reader, const dc_json_place *object, dc_machine *machine) {
  const char *members[DC_MACHINE_FIELDS + 3] = {"device", "label"};
  if (!object->value || !dc__json_is_object(reader, object))
    return;
  for (unsigned k = 0; k < DC_MACHINE_FIELDS; ++k)
    members[k + 2] = dc_machine_fields[k].name;
  allow_only(reader, object, members);
  read_text(reader, object, "device", machine->device, sizeof machine->device);
  read_text(reader, object, "label", machine->provenance, sizeof machine->provenance);
  for (unsigned k = 0; k < DC_MACHINE_FIELDS; ++k)
    read_machine_number(reader, object, k, machine);
  machine->known = true;
}

static void read_arch(dc_json_reader *reader, const dc_json_place *root, dc_arch_data *data) {
  static const char *const members[] = {
      "divcost_arch",     "name",           "sm",         "rules",   "label", "elsewhere", "stack",
      "divergent_branch", "divergent_exit", "displaced",  "spill",   "issue", "latency",   "vote",
      "checks",           "counters",       "predicated", "machine", NULL};
  if (!dc__json_is_object(reader, root))
    return;
  allow_only(reader, root, members);
  dc_json_place version = dc__json_member(root, "divcost_arch"), sm = dc__json_member(root, "sm"),
                rules = dc__json_member(root, "rules"), stack = dc__json_member(root, "stack"),
                branch = dc__json_member(root, "divergent_branch"),
                spill = dc__json_member(root, "spill"),
                predicated = dc__json_member(root, "predicated"),
                machine = dc__json_member(root, "machine");
  dc__json_integer(reader, &version, 1, 1, DC_JSON_REQUIRED);
  read_text(reader, root, "name", data->name, sizeof data->name);
  read_text(reader, root, "label", data->label, sizeof data->label);
  read_text(reader, root, "elsewhere", data->elsewhere, sizeof data->elsewhere);
  read_sms(reader, &sm, data);
  data->rules = (dc_rules)dc__json_enum(reader, &rules, parse_rules);
  read_extras(reader, root, data);
  bool is_stack = data->rules == DC_RULES_STACK;
  data->has_cycles = branch.value != NULL;
  if (is_stack)
    read_stack(reader, &stack, data);
  else if (stack.value)
    dc__json_fail(reader, &stack, "is for the rules 'stack' only");
  if (data->has_cycles)
    data->divergent_branch = read_cycles(reader, root, "divergent_branch");
  data->divergent_exit =
      read_of_barriers(reader, root, "divergent_exit", data, data->divergent_branch);
  data->displaced = read_of_barriers(reader, root, "displaced", data, 0);
  if (predicated.value)
    data->predicated = read_entries(reader, root, "predicated", 1000);
  read_machine(reader, &machine, &data->machine);
  if (is_stack && data->has_cycles)
    data->spill = read_cycles(reader, root, "spill");
  else if (spill.value)
    dc__json_fail(reader, &spill, "is for the rules 'stack', with divergent_branch");
}

dc_status dc__arch_read_json(FILE *stream, dc_arch_data *data, dc_error *error) {
  *data = (dc_arch_data){0};
  json_t *root;
  dc_status status =
      dc_input_json(stream, DC_INPUT_TEXT_MOST, JSON_REJECT_DUPLICATES, &root, error);
  if (status != DC_OK)
    return status;
  dc_json_reader reader = {error, DC_OK};
  dc_json_place place = {NULL, NULL, 0, root};
  read_arch(&reader, &place, data);
  json_decref(root);
  if (reader.status != DC_OK)
    *data = (dc_arch_data){0};
  return reader.status;
}
