// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the files of libdivcost-json share. The format is described in docs/json-schema.md.
#ifndef DIVCOST_JSON_INTERNAL_H
#define DIVCOST_JSON_INTERNAL_H

#include "divcost/unit.h"

#include <jansson.h>

// Integers beyond this are written as decimal strings: other readers have doubles.
#define DC_JSON_INTEGER_MAX ((int64_t)1 << 53)

// ---- writing -----------------------------------------------------------------------------------

// Failures stick, so that a tree can be built without a check at each step.
typedef struct dc_json_writer {
  bool out_of_memory;
  const char *not_finite; // name of the first member that is no finite number, or NULL
} dc_json_writer;

// Adds a member or element and takes it over. NULL: memory is out.
void dc__json_put(dc_json_writer *writer, json_t *object, const char *key, json_t *value);
void dc__json_append(dc_json_writer *writer, json_t *array, json_t *value);

// Adds a string, bytes that are not UTF-8 replaced by U+FFFD; nothing if it is empty.
void dc__json_put_text(dc_json_writer *writer, json_t *object, const char *key, const char *text);
json_t *dc__json_text(const char *text);
void dc__json_put_hex(dc_json_writer *writer, json_t *object, const char *key, uint64_t value);
json_t *dc__json_int64(int64_t value);

// A figure with the nine digits that are written; whole numbers stay.
double dc__json_rounded(double value);

// Adds a figure, to nine digits: a number, or low and high where they differ; nothing if it is
// negative, which is "not known".
void dc__json_put_real(dc_json_writer *writer, json_t *object, const char *key, double value);
void dc__json_put_interval(dc_json_writer *writer, json_t *object, const char *key,
                           dc_interval interval);
// Of a share that may be negative.
void dc__json_put_share(dc_json_writer *writer, json_t *object, const char *key, double share);

// The key of what a launch's time is lost to, in its time.
const char *dc__json_loss(dc_time_loss loss);

// Adds the dimensions of a block or grid; nothing if none of it is known.
void dc__json_put_dims(dc_json_writer *writer, json_t *object, const char *key,
                       const uint32_t dims[3]);

json_t *dc__json_skeleton(dc_json_writer *writer, const dc_kernel *kernel);

// Adds figures of an access to an object.
void dc__json_put_access(dc_json_writer *writer, json_t *object, const dc_access *access,
                         const dc_access_estimate *figures);
json_t *dc__json_estimate(dc_json_writer *writer, const dc_kernel *kernel,
                          const dc_estimate *estimate);

// Adds the figures of one loop: imbalance ... share.
void dc__json_put_figures(dc_json_writer *writer, json_t *object, const dc_loop_estimate *figures);

// Adds where something stands: file, line, column, function; and, as key, "file:line".
void dc__json_put_location(dc_json_writer *writer, json_t *object, const dc_kernel *kernel,
                           uint32_t location);
void dc__json_put_at(dc_json_writer *writer, json_t *object, const char *key,
                     const dc_kernel *kernel, uint32_t location);

// Adds "counted", the kinds of memory whose traffic is known.
void dc__json_put_counted(dc_json_writer *writer, json_t *object,
                          const bool known[DC_TRAFFIC_COUNT]);

// Elements of an array that are made one at a time, while it is written.
typedef struct dc_json_elements {
  json_t *array; // in the tree, empty
  // Makes the next one; NULL in *element: there is none any more. On error *element is NULL, or
  // something to be released.
  dc_status (*next)(void *context, json_t **element, dc_error *error);
  void *context; // handed to next
} dc_json_elements;

// What went wrong in building a part of a tree; `format` is its name.
dc_status dc__json_check(const dc_json_writer *writer, const json_t *value, const char *format,
                         dc_error *error);

// Writes the tree of a unit, with elements (may be NULL) and with what fits on a line of 100
// characters on one line, and releases it: or the error that building or writing it met. NULL:
// memory was out.
dc_status dc__json_finish(const dc_json_writer *writer, json_t *root, dc_json_elements *elements,
                          const char *format, FILE *stream, dc_error *error);

// ---- reading -----------------------------------------------------------------------------------

// A value and how it was reached, for messages: "kernels[2].skeleton.loops[0].parent".
typedef struct dc_json_place {
  const struct dc_json_place *up; // NULL: the root
  const char *name;               // of the member; NULL: an element
  size_t index;                   // of the element
  const json_t *value;            // NULL: absent
} dc_json_place;

typedef struct dc_json_reader {
  dc_error *error;
  dc_status status; // of the first failure; DC_OK so far
} dc_json_reader;

dc_json_place dc__json_member(const dc_json_place *object, const char *name);
dc_json_place dc__json_element(const dc_json_place *array, size_t index);

// Fails, if nothing failed before, with the place before the text.
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
void dc__json_fail(dc_json_reader *reader, const dc_json_place *place, const char *format, ...);

// What follows returns the typed value at a place. On failure the reader keeps the message, and
// what is returned is harmless: 0, "", "none", an interval that isn't known. Optional values may be
// absent.
typedef enum dc_json_need { DC_JSON_REQUIRED, DC_JSON_OPTIONAL } dc_json_need;

bool dc__json_is_object(dc_json_reader *reader, const dc_json_place *place);
size_t dc__json_count(dc_json_reader *reader, const dc_json_place *array, dc_json_need need);
const char *dc__json_string(dc_json_reader *reader, const dc_json_place *place, dc_json_need need);
int64_t dc__json_integer(dc_json_reader *reader, const dc_json_place *place, int64_t low,
                         int64_t high, dc_json_need need); // absent: low
int64_t dc__json_read_int64(dc_json_reader *reader, const dc_json_place *place);
uint64_t dc__json_read_hex(dc_json_reader *reader, const dc_json_place *place);
bool dc__json_boolean(dc_json_reader *reader, const dc_json_place *place, dc_json_need need);
double dc__json_read_real(dc_json_reader *reader, const dc_json_place *place);   // absent: -1
double dc__json_read_cycles(dc_json_reader *reader, const dc_json_place *place); // required
double dc__json_read_share(dc_json_reader *reader, const dc_json_place *place); // required, -1 to 1
double dc__json_read_machine(dc_json_reader *reader, const dc_json_place *place,
                             const dc_machine_field *field); // required, in the field's range
dc_interval dc__json_read_interval(dc_json_reader *reader, const dc_json_place *place);

// An index into `count` things; for an optional one, -1 and absent are DC_NONE.
uint32_t dc__json_index(dc_json_reader *reader, const dc_json_place *place, size_t count,
                        const char *things, dc_json_need need);

// One of a set of names, by its parser.
uint8_t dc__json_enum(dc_json_reader *reader, const dc_json_place *place,
                      int (*parse)(const char *));

// Reads what dc__json_put_counted adds; the kinds that it doesn't name stay as they are.
void dc__json_read_counted(dc_json_reader *reader, const dc_json_place *object, dc_json_need need,
                           bool known[DC_TRAFFIC_COUNT]);

// "sm_90" as 90.
unsigned dc__json_read_sm(dc_json_reader *reader, const dc_json_place *place);

// Block or grid: three numbers; zeroes if absent.
void dc__json_read_dims(dc_json_reader *reader, const dc_json_place *place, uint32_t dims[3],
                        dc_json_need need);

// A launch's member "shared", which may be absent.
void dc__json_read_shared(dc_json_reader *reader, const dc_json_place *object, dc_launch *launch);

// Fills an empty kernel from a skeleton and checks it.
void dc__json_read_skeleton(dc_json_reader *reader, const dc_json_place *place, dc_kernel *kernel);

#endif
