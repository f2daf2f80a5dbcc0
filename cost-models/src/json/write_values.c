// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values as JSON: texts, integers, figures. A figure below 1e8 is cut to nine
// digits before it is stored, whole numbers become integers, and both are stable: what was read is
// written with the same letters.
#include "json/json_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void dc__json_put(dc_json_writer *writer, json_t *object, const char *key, json_t *value) {
  if (json_object_set_new(object, key, value) != 0)
    writer->out_of_memory = true;
}

void dc__json_append(dc_json_writer *writer, json_t *array, json_t *value) {
  if (json_array_append_new(array, value) != 0)
    writer->out_of_memory = true;
}

// Length of the UTF-8 sequence at text, or 0 where there is none (overlong forms, surrogates).
static size_t sequence_length(const unsigned char *text) {
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (text[0] < 0x80)
    return 1;
  size_t length = text[0] >= 0xf0 ? 4 : text[0] >= 0xe0 ? 3 : 2;
  if (text[0] < 0xc2 || text[0] > 0xf4)
    return 0;
  uint32_t code = text[0] & (0xffu >> (length + 1));
  for (size_t k = 1; k < length; ++k) {
    if ((text[k] & 0xc0) != 0x80)
      return 0;
    code = code << 6 | (text[k] & 0x3fu);
  }
  bool valid = code >= least[length] && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return valid ? length : 0;
}

json_t *dc__json_text(const char *text) {
  char *repaired = malloc(3 * strlen(text) + 1), *end = repaired;
  if (!repaired)
    return NULL;
  while (*text) {
    size_t length = sequence_length((const unsigned char *)text);
    const char *from = length ? text : "\xef\xbf\xbd";
    size_t size = length ? length : 3;
    memcpy(end, from, size);
    end += size;
    text += length ? length : 1;
  }
  json_t *value = json_stringn(repaired, (size_t)(end - repaired));
  free(repaired);
  return value;
}

void dc__json_put_text(dc_json_writer *writer, json_t *object, const char *key, const char *text) {
  if (*text)
    dc__json_put(writer, object, key, dc__json_text(text));
}

void dc__json_put_hex(dc_json_writer *writer, json_t *object, const char *key, uint64_t value) {
  char text[17];
  snprintf(text, sizeof text, "%016llx", (unsigned long long)value);
  dc__json_put(writer, object, key, json_string(text));
}

json_t *dc__json_int64(int64_t value) {
  if (value >= -DC_JSON_INTEGER_MAX && value <= DC_JSON_INTEGER_MAX)
    return json_integer(value);
  char text[24];
  snprintf(text, sizeof text, "%lld", (long long)value);
  return json_string(text);
}

// Whole numbers that a double holds exactly are written without a point.
static bool is_whole(double value) {
  return fabs(value) <= (double)DC_JSON_INTEGER_MAX && value == floor(value);
}

// To nine digits, or to a whole number where that has more: whole numbers keep all of theirs, and
// what is larger than one of them must not come out smaller.
double dc__json_rounded(double value) {
  if (!isfinite(value) || is_whole(value))
    return value;
  if (fabs(value) >= 1e8)
    return round(value);
  char text[40];
  snprintf(text, sizeof text, "%.9g", value);
  return strtod(text, NULL);
}

static json_t *real(dc_json_writer *writer, const char *key, double value) {
  if (!isfinite(value)) {
    if (!writer->not_finite)
      writer->not_finite = key;
    return json_integer(0);
  }
  value = dc__json_rounded(value);
  return is_whole(value) ? json_integer((json_int_t)value) : json_real(value);
}

void dc__json_put_real(dc_json_writer *writer, json_t *object, const char *key, double value) {
  if (!(value < 0))
    dc__json_put(writer, object, key, real(writer, key, value));
}

void dc__json_put_share(dc_json_writer *writer, json_t *object, const char *key, double share) {
  dc__json_put(writer, object, key, real(writer, key, share));
}

void dc__json_put_interval(dc_json_writer *writer, json_t *object, const char *key,
                           dc_interval interval) {
  if (interval.low < 0)
    return;
  json_t *low = real(writer, key, interval.low), *high = real(writer, key, interval.high);
  if (low && high && json_equal(low, high)) {
    json_decref(high);
    dc__json_put(writer, object, key, low);
    return;
  }
  json_t *both = json_object();
  dc__json_put(writer, both, "low", low);
  dc__json_put(writer, both, "high", high);
  dc__json_put(writer, object, key, both);
}
