// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// generate_machine_code OUTPUT.c FILE.json ...: checks files of machine code and writes them as the
// table of arch/machine_code.h. A file that is wrong stops the build, with its name and the field.
#define _POSIX_C_SOURCE 200809L // open_memstream

#include "arch/machine_code.h"
#include "divcost/input.h"
#include "json/generate.h"
#include "json/json_internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SMS_MAX = 16, INSTRUCTIONS_MAX = 1000000 };

static uint32_t number(dc_json_reader *reader, const dc_json_place *object, const char *name) {
  dc_json_place place = dc__json_member(object, name);
  return (uint32_t)dc__json_integer(reader, &place, 0, INSTRUCTIONS_MAX, DC_JSON_REQUIRED);
}

static void write_member(dc_json_reader *reader, const dc_json_place *object, const char *name,
                         FILE *out) {
  dc_json_place place = dc__json_member(object, name);
  const char *text = dc__json_string(reader, &place, DC_JSON_REQUIRED);
  fprintf(out, "     .%s = ", name);
  dc__generate_text(out, text);
  fprintf(out, ",\n");
}

static int compare_counts(const void *x, const void *y) {
  return strcmp(((const dc_operation_count *)x)->name, ((const dc_operation_count *)y)->name);
}

// Of those that are of one pipe; 0: not listed.
static uint32_t number_or_none(dc_json_reader *reader, const dc_json_place *object,
                               const char *name) {
  dc_json_place place = dc__json_member(object, name);
  return place.value ? number(reader, object, name) : 0;
}

// The counts, sorted; returns how many.
static size_t write_counts(dc_json_reader *reader, const dc_json_place *instructions,
                           unsigned index, FILE *out) {
  const dc_json_place all = dc__json_member(instructions, "counts"), *counts = &all,
                      fp64 = dc__json_member(instructions, "fp64"),
                      special = dc__json_member(instructions, "special"),
                      slow = dc__json_member(instructions, "slow");
  if (!dc__json_is_object(reader, counts))
    return 0;
  size_t n = 0;
  dc_operation_count *sorted = calloc(json_object_size(counts->value) + 1, sizeof *sorted);
  const char *name;
  json_t *value;
  json_object_foreach((json_t *)counts->value, name, value) if (sorted) {
    sorted[n++] = (dc_operation_count){
        name, number(reader, counts, name), number_or_none(reader, &fp64, name),
        number_or_none(reader, &special, name), number_or_none(reader, &slow, name)};
  }
  if (!sorted || n == 0)
    dc__json_fail(reader, counts, "has no counts");
  else
    qsort(sorted, n, sizeof *sorted, compare_counts);
  fprintf(out, "static const dc_operation_count counts_%u[] = {\n", index);
  for (size_t k = 0; k < n; ++k) {
    fprintf(out, "    {");
    dc__generate_text(out, sorted[k].name);
    fprintf(out, ", %u, %u, %u, %u},\n", (unsigned)sorted[k].instructions, (unsigned)sorted[k].fp64,
            (unsigned)sorted[k].special, (unsigned)sorted[k].slow);
  }
  fprintf(out, "};\n");
  free(sorted);
  return n;
}

// Into `tables` what the entry in `list` points to.
static void write_file(dc_json_reader *reader, const dc_json_place *root, unsigned index,
                       FILE *tables, FILE *list) {
  dc_json_place version = dc__json_member(root, "divcost_machine_code"),
                sms = dc__json_member(root, "sm"), unrolling = dc__json_member(root, "unrolling"),
                predication = dc__json_member(root, "predication"),
                instructions = dc__json_member(root, "instructions");
  dc__json_integer(reader, &version, 1, 1, DC_JSON_REQUIRED);
  size_t n_sm = dc__json_count(reader, &sms, DC_JSON_REQUIRED);
  if (n_sm < 1 || n_sm > SMS_MAX)
    dc__json_fail(reader, &sms, "has %zu numbers, must have 1 to %d", n_sm, SMS_MAX);
  fprintf(tables, "static const unsigned sm_%u[] = {", index);
  for (size_t k = 0; k < n_sm; ++k) {
    dc_json_place sm = dc__json_element(&sms, k);
    fprintf(tables, "%s%u", k ? ", " : "",
            (unsigned)dc__json_integer(reader, &sm, 20, 999, DC_JSON_REQUIRED));
  }
  fprintf(tables, "};\n");
  fprintf(list, "    {.sm = sm_%u,\n     .n_sm = %zu,\n", index, n_sm);
  write_member(reader, root, "label", list);
  write_member(reader, root, "elsewhere", list);
  if (dc__json_is_object(reader, &unrolling))
    fprintf(list, "     .unrolling = {%u, %u, %u, %u},\n", number(reader, &unrolling, "copies"),
            number(reader, &unrolling, "instructions"), number(reader, &unrolling, "with_loads"),
            number(reader, &unrolling, "predicated"));
  if (dc__json_is_object(reader, &predication))
    fprintf(list, "     .predication = {%u, %u},\n", number(reader, &predication, "instructions"),
            number(reader, &predication, "with_loads"));
  fprintf(list, "     .counts = counts_%u,\n     .n_counts = %zu},\n", index,
          write_counts(reader, &instructions, index, tables));
}

static int add_file(const char *path, unsigned index, FILE *tables, FILE *list) {
  dc_error error;
  json_t *root;
  FILE *stream = fopen(path, "r");
  if (!stream) {
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
    return 1;
  }
  dc_json_reader reader = {&error, DC_OK};
  reader.status = dc_input_json(stream, DC_INPUT_TEXT_MOST, JSON_REJECT_DUPLICATES, &root, &error);
  if (reader.status == DC_OK) {
    dc_json_place place = {NULL, NULL, 0, root};
    write_file(&reader, &place, index, tables, list);
    json_decref(root);
  }
  fclose(stream);
  if (reader.status != DC_OK)
    fprintf(stderr, "%s: %s\n", path, error.text);
  return reader.status != DC_OK;
}

int main(int count, char **arguments) {
  if (count < 3) {
    fprintf(stderr, "usage: generate_machine_code OUTPUT.c FILE.json [FILE.json ...]\n");
    return 2;
  }
  char *entries = NULL;
  size_t size = 0;
  FILE *list = open_memstream(&entries, &size), *out = list ? fopen(arguments[1], "w") : NULL;
  if (!out) {
    fprintf(stderr, "%s: %s\n", arguments[1], strerror(errno));
    if (list)
      fclose(list);
    free(entries);
    return 1;
  }
  fprintf(out, "// Made by generate_machine_code from cost-models/data.\n"
               "#include \"arch/machine_code.h\"\n\n");
  int failed = 0;
  for (int k = 2; k < count; ++k)
    failed |= add_file(arguments[k], (unsigned)(k - 2), out, list);
  failed |= fclose(list) != 0;
  fprintf(out,
          "const dc_machine_code dc__machine_code_table[] = {\n%s};\n"
          "const unsigned dc__machine_code_table_count = %d;\n",
          entries ? entries : "", count - 2);
  failed |= fclose(out) != 0;
  free(entries);
  if (failed)
    remove(arguments[1]); // else the next build would take it
  return failed;
}
