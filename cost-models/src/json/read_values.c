// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Typed values out of a tree that anybody may have written. Each carries how it was reached, so
// that a message names its place; the first failure is kept, and reading goes on with harmless
// values until the caller looks.
#include "json/json_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

dc_json_place dc__json_member(const dc_json_place *object, const char *name) {
  return (dc_json_place){object, name, 0, json_object_get(object->value, name)};
}

dc_json_place dc__json_element(const dc_json_place *array, size_t index) {
  return (dc_json_place){array, NULL, index, json_array_get(array->value, index)};
}

// Appends to a text that is cut where it doesn't fit. Returns the new length.
static size_t place_text(const dc_json_place *place, char *text, size_t size) {
  if (!place->up)
    return 0;
  size_t used = place_text(place->up, text, size);
  int more = place->name ? snprintf(text + used, size - used, "%s%s", used ? "." : "", place->name)
                         : snprintf(text + used, size - used, "[%zu]", place->index);
  used += more > 0 ? (size_t)more : 0;
  return used < size ? used : size - 1;
}

void dc__json_fail(dc_json_reader *reader, const dc_json_place *place, const char *format, ...) {
  if (reader->status != DC_OK)
    return;
  char where[120] = "", what[160];
  place_text(place, where, sizeof where);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  reader->status =
      dc_fail(reader->error, DC_ERROR_SYNTAX, "%s%s%s", where, *where ? ": " : "", what);
}

static const char *type_name(const json_t *value) {
  if (!value)
    return "missing";
  switch (json_typeof(value)) {
  case JSON_OBJECT:
    return "an object";
  case JSON_ARRAY:
    return "an array";
  case JSON_STRING:
    return "a string";
  case JSON_INTEGER:
    return "a whole number";
  case JSON_REAL:
    return "a number with a point";
  case JSON_TRUE:
  case JSON_FALSE:
    return "true or false";
  case JSON_NULL:
    return "null";
  }
  return "unknown";
}

static void fail_type(dc_json_reader *reader, const dc_json_place *place, const char *expected) {
  if (place->value)
    dc__json_fail(reader, place, "must be %s, not %s", expected, type_name(place->value));
  else
    dc__json_fail(reader, place, "is missing, must be %s", expected);
}

static bool is_absent(const dc_json_place *place, dc_json_need need) {
  return !place->value && need == DC_JSON_OPTIONAL;
}

bool dc__json_is_object(dc_json_reader *reader, const dc_json_place *place) {
  if (!json_is_object(place->value))
    fail_type(reader, place, "an object");
  return json_is_object(place->value);
}

size_t dc__json_count(dc_json_reader *reader, const dc_json_place *array, dc_json_need need) {
  if (!json_is_array(array->value) && !is_absent(array, need))
    fail_type(reader, array, "an array");
  return json_array_size(array->value);
}

const char *dc__json_string(dc_json_reader *reader, const dc_json_place *place, dc_json_need need) {
  if (json_is_string(place->value))
    return json_string_value(place->value);
  if (!is_absent(place, need))
    fail_type(reader, place, "a string");
  return "";
}

int64_t dc__json_integer(dc_json_reader *reader, const dc_json_place *place, int64_t low,
                         int64_t high, dc_json_need need) {
  if (is_absent(place, need))
    return low;
  if (!json_is_integer(place->value)) {
    fail_type(reader, place, "a whole number");
    return low;
  }
  int64_t value = json_integer_value(place->value);
  if (value >= low && value <= high)
    return value;
  dc__json_fail(reader, place, "is %" PRId64 ", must be in %" PRId64 " .. %" PRId64, value, low,
                high);
  return low;
}

int64_t dc__json_read_int64(dc_json_reader *reader, const dc_json_place *place) {
  if (json_is_integer(place->value))
    return json_integer_value(place->value);
  const char *text = json_string_value(place->value);
  long long value = text ? strtoll(text, NULL, 10) : 0;
  char again[24];
  snprintf(again, sizeof again, "%lld", value);
  if (!text || strcmp(text, again) != 0)
    dc__json_fail(reader, place, "must be a whole number of 64 bits, beyond 2^53 as a string");
  return value;
}

uint64_t dc__json_read_hex(dc_json_reader *reader, const dc_json_place *place) {
  const char *text = dc__json_string(reader, place, DC_JSON_REQUIRED);
  if (strlen(text) == 16 && strspn(text, "0123456789abcdef") == 16)
    return strtoull(text, NULL, 16);
  dc__json_fail(reader, place, "must be 16 hexadecimal digits in lower case");
  return 0;
}

bool dc__json_boolean(dc_json_reader *reader, const dc_json_place *place, dc_json_need need) {
  if (!json_is_boolean(place->value) && !is_absent(place, need))
    fail_type(reader, place, "true or false");
  return json_is_true(place->value);
}

static double number(dc_json_reader *reader, const dc_json_place *place) {
  double value = json_number_value(place->value); // 0 for anything else
  if (!json_is_number(place->value))
    fail_type(reader, place, "a number");
  else if (value < 0)
    dc__json_fail(reader, place, "is %g, must not be negative", value);
  return value;
}

double dc__json_read_real(dc_json_reader *reader, const dc_json_place *place) {
  return place->value ? number(reader, place) : -1;
}

double dc__json_read_cycles(dc_json_reader *reader, const dc_json_place *place) {
  double cycles = dc__json_read_real(reader, place);
  if (cycles < 0 || cycles > 1e6)
    dc__json_fail(reader, place, "%s",
                  place->value ? "must be from 0 to 1000000 cycles"
                               : "is missing, must be a number of cycles");
  return cycles;
}

double dc__json_read_share(dc_json_reader *reader, const dc_json_place *place) {
  double share = json_number_value(place->value);
  if (!json_is_number(place->value) || share < -1 || share > 1)
    dc__json_fail(reader, place, "must be a number from -1 to 1");
  return share;
}

double dc__json_read_machine(dc_json_reader *reader, const dc_json_place *place,
                             const dc_machine_field *field) {
  double value = dc__json_read_real(reader, place);
  const char *unit = field->unit;
  if (!place->value)
    dc__json_fail(reader, place, "is missing, must be a number");
  else if (!(value >= field->least && value <= field->most))
    dc__json_fail(reader, place, "is %.10g, must be from %g to %g%s%s", value, field->least,
                  field->most, *unit ? " " : "", unit);
  else if (field->kind != DC_MACHINE_REAL && value != floor(value))
    dc__json_fail(reader, place, "must be a whole number");
  else
    return value;
  return field->least;
}

dc_interval dc__json_read_interval(dc_json_reader *reader, const dc_json_place *place) {
  dc_interval none = {-1, -1};
  if (!place->value)
    return none;
  if (json_is_number(place->value)) {
    double value = number(reader, place);
    return (dc_interval){value, value};
  }
  if (!json_is_object(place->value)) {
    fail_type(reader, place, "a number, or an object with low and high");
    return none;
  }
  dc_json_place low = dc__json_member(place, "low"), high = dc__json_member(place, "high");
  dc_interval interval = {number(reader, &low), number(reader, &high)};
  if (interval.low > interval.high)
    dc__json_fail(reader, place, "low is %g, above high, %g", interval.low, interval.high);
  return reader->status == DC_OK ? interval : none;
}

uint32_t dc__json_index(dc_json_reader *reader, const dc_json_place *place, size_t count,
                        const char *things, dc_json_need need) {
  if (is_absent(place, need))
    return DC_NONE;
  if (!json_is_integer(place->value)) {
    fail_type(reader, place, "a whole number");
    return DC_NONE;
  }
  int64_t value = json_integer_value(place->value);
  if (value == -1 && need == DC_JSON_OPTIONAL)
    return DC_NONE;
  if (value >= 0 && (uint64_t)value < count && value < DC_NONE)
    return (uint32_t)value;
  dc__json_fail(reader, place, "is %" PRId64 ", but there are %zu %s", value, count, things);
  return DC_NONE;
}

uint8_t dc__json_enum(dc_json_reader *reader, const dc_json_place *place,
                      int (*parse)(const char *)) {
  const char *name = dc__json_string(reader, place, DC_JSON_REQUIRED);
  int value = parse(name);
  if (value < 0)
    dc__json_fail(reader, place, "'%.60s' is no name that is known here", name);
  return value < 0 ? 0 : (uint8_t)value;
}

unsigned dc__json_read_sm(dc_json_reader *reader, const dc_json_place *place) {
  const char *name = dc__json_string(reader, place, DC_JSON_REQUIRED);
  size_t digits = strncmp(name, "sm_", 3) == 0 ? strspn(name + 3, "0123456789") : 0;
  if (digits >= 1 && digits <= 4 && name[3] != '0' && !name[3 + digits])
    return (unsigned)strtoul(name + 3, NULL, 10);
  dc__json_fail(reader, place, "'%.60s' is no architecture, must be one such as sm_90", name);
  return 0;
}

void dc__json_read_dims(dc_json_reader *reader, const dc_json_place *place, uint32_t dims[3],
                        dc_json_need need) {
  size_t count = dc__json_count(reader, place, need);
  if (place->value && count != 3)
    dc__json_fail(reader, place, "has %zu numbers, must have 3", count);
  for (size_t axis = 0; axis < 3; ++axis) {
    dc_json_place size = dc__json_element(place, axis);
    dims[axis] = (uint32_t)dc__json_integer(reader, &size, 0, UINT32_MAX, DC_JSON_OPTIONAL);
  }
}

void dc__json_read_shared(dc_json_reader *reader, const dc_json_place *object, dc_launch *launch) {
  dc_json_place shared = dc__json_member(object, "shared");
  launch->shared_known = shared.value != NULL;
  launch->shared = (uint32_t)dc__json_integer(reader, &shared, 0, UINT32_MAX, DC_JSON_OPTIONAL);
}
