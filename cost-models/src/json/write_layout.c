// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layout of a file: what fits on a line stands on one. One array of the tree may be made
// element by element, so that a report needs no more memory than its largest kernel.
#include "json/json_internal.h"

#include <errno.h>
#include <string.h>

enum { LINE = 100, FLAGS = JSON_ENCODE_ANY | JSON_REAL_PRECISION(9) };

typedef struct printer {
  FILE *stream;
  dc_json_elements *elements; // or NULL
  dc_status status;           // of making elements
  dc_error *error;
} printer;

// A value as it stands on one line.
typedef struct one_line {
  char text[LINE];
  size_t size;
  bool over;
} one_line;

static int add_to_line(const char *text, size_t size, void *context) {
  one_line *line = context;
  line->over |= size > sizeof line->text - line->size;
  if (line->over)
    return -1;
  memcpy(line->text + line->size, text, size);
  line->size += size;
  return 0;
}

// False: it is longer. No more of it is formatted than a line holds, so that a tree takes time by
// its size and not by its depth, too. jansson goes on where a key doesn't fit: hence `over`.
static bool fits_line(const json_t *value, one_line *line) {
  line->size = 0;
  line->over = false;
  return json_dump_callback(value, add_to_line, line, FLAGS) == 0 && !line->over;
}

static bool print_value(printer *to, const json_t *value, unsigned indent);

static bool print_element(printer *to, bool first, const json_t *element, unsigned indent) {
  return fprintf(to->stream, "%s\n%*s", first ? "" : ",", (int)indent, "") >= 0 &&
         print_value(to, element, indent);
}

static bool print_further_elements(printer *to, bool first, unsigned indent) {
  json_t *element;
  for (bool good;; first = false) {
    to->status = to->elements->next(to->elements->context, &element, to->error);
    if (to->status == DC_OK && !element)
      return true;
    good = to->status == DC_OK && print_element(to, first, element, indent);
    json_decref(element);
    if (!good)
      return false;
  }
}

static bool print_array(printer *to, const json_t *array, unsigned indent) {
  bool good = fputc('[', to->stream) != EOF;
  size_t count = json_array_size(array);
  for (size_t k = 0; good && k < count; ++k)
    good = print_element(to, k == 0, json_array_get(array, k), indent);
  if (good && to->elements && array == to->elements->array)
    good = print_further_elements(to, count == 0, indent);
  return good && fprintf(to->stream, "\n%*s]", (int)indent - 1, "") >= 0;
}

// Keys are plain names: nothing to escape.
static bool print_object(printer *to, json_t *object, unsigned indent) {
  bool good = fputc('{', to->stream) != EOF, first = true;
  for (void *member = json_object_iter(object); good && member;
       member = json_object_iter_next(object, member), first = false)
    good = fprintf(to->stream, "%s\n%*s\"%s\": ", first ? "" : ",", (int)indent, "",
                   json_object_iter_key(member)) >= 0 &&
           print_value(to, json_object_iter_value(member), indent);
  return good && fprintf(to->stream, "\n%*s}", (int)indent - 1, "") >= 0;
}

static bool print_value(printer *to, const json_t *value, unsigned indent) {
  one_line line;
  if (fits_line(value, &line) && line.size + indent <= sizeof line.text)
    return fwrite(line.text, 1, line.size, to->stream) == line.size;
  if (json_array_size(value) > 0)
    return print_array(to, value, indent + 1);
  if (json_object_size(value) > 0) // jansson's iterators don't take const, and change nothing
    return print_object(to, (json_t *)value, indent + 1);
  return json_dumpf(value, to->stream, FLAGS) == 0;
}

// Whether a line could hold the array: then it needs all of its elements before it is printed.
static bool may_fit(const json_t *array) {
  one_line line;
  return fits_line(array, &line);
}

static dc_status first_elements(dc_json_elements *elements, dc_error *error) {
  json_t *element;
  while (may_fit(elements->array)) {
    dc_status status = elements->next(elements->context, &element, error);
    if (status != DC_OK)
      json_decref(element);
    if (status != DC_OK || !element)
      return status;
    if (json_array_append_new(elements->array, element) != 0)
      return dc_fail(error, DC_ERROR_MEMORY, "out of memory");
  }
  return DC_OK;
}

dc_status dc__json_check(const dc_json_writer *writer, const json_t *value, const char *format,
                         dc_error *error) {
  if (!value || writer->out_of_memory)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory for the %s", format);
  if (writer->not_finite)
    return dc_fail(error, DC_ERROR_ARGUMENT, "an estimate's '%s' is no finite number",
                   writer->not_finite);
  return DC_OK;
}

dc_status dc__json_finish(const dc_json_writer *writer, json_t *root, dc_json_elements *elements,
                          const char *format, FILE *stream, dc_error *error) {
  printer to = {stream, elements, DC_OK, error};
  dc_status status = dc__json_check(writer, root, format, error);
  if (status == DC_OK && elements)
    status = first_elements(elements, error);
  errno = 0;
  if (status == DC_OK &&
      (!print_value(&to, root, 0) || fputc('\n', stream) == EOF || fflush(stream) != 0))
    status = to.status != DC_OK ? to.status
                                : dc_fail(error, DC_ERROR_FILE, "cannot write the %s: %s", format,
                                          errno ? strerror(errno) : "out of memory");
  json_decref(root);
  return status;
}
