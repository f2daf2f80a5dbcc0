// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// generate_archs OUTPUT.c FILE.json ...: checks architecture files and writes them as the table of
// arch_internal.h. A file that is wrong stops the build, with its name and the field.
#include "json/generate.h"
#include "json/read_arch.h"

#include <errno.h>
#include <string.h>

static void write_machine(FILE *out, const dc_machine *machine) {
  if (!machine->known)
    return;
  fprintf(out, ",\n     .machine = {.known = true, .device = ");
  dc__generate_text(out, machine->device);
  fprintf(out, ", .provenance = ");
  dc__generate_text(out, machine->provenance);
  for (unsigned k = 0; k < DC_MACHINE_FIELDS; ++k)
    fprintf(out, ",\n       .%s = %.17g", dc_machine_fields[k].name, dc_machine_get(machine, k));
  fprintf(out, "}");
}

static void write_arch(FILE *out, const dc_arch_data *data) {
  fprintf(out, "    {.name = ");
  dc__generate_text(out, data->name);
  fprintf(out, ",\n     .sm = {");
  for (unsigned k = 0; k < data->n_sm; ++k)
    fprintf(out, "%s%u", k ? ", " : "", data->sm[k]);
  fprintf(
      out,
      "},\n     .n_sm = %u,\n     .rules = %s,\n     .has_cycles = %s,\n"
      "     .divergent_branch = %.17g,\n     .divergent_exit = %.17g,\n     .displaced = %.17g,\n"
      "     .spill = %.17g,\n     .stack_entries = %u,\n"
      "     .spill_entries = %u,\n     .predicated = %u,\n     .reload = %s,\n     .issue = {",
      data->n_sm, data->rules == DC_RULES_STACK ? "DC_RULES_STACK" : "DC_RULES_BARRIERS",
      data->has_cycles ? "true" : "false", data->divergent_branch, data->divergent_exit,
      data->displaced, data->spill, data->stack_entries, data->spill_entries, data->predicated,
      data->reload == DC_RELOAD_LAZY ? "DC_RELOAD_LAZY" : "DC_RELOAD_EAGER");
  for (unsigned mix = 0; mix < DC_MIX_COUNT; ++mix)
    fprintf(out, "%s%.17g", mix ? ", " : "", data->issue[mix]);
  fprintf(out, "},\n     .label = ");
  dc__generate_text(out, data->label);
  fprintf(out, ",\n     .elsewhere = ");
  dc__generate_text(out, data->elsewhere);
  write_machine(out, &data->machine);
  fprintf(out, "},\n");
}

static int add_file(FILE *out, const char *path) {
  dc_arch_data data;
  dc_error error;
  FILE *stream = fopen(path, "r");
  if (!stream) {
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
    return 1;
  }
  dc_status status = dc__arch_read_json(stream, &data, &error);
  fclose(stream);
  if (status != DC_OK)
    fprintf(stderr, "%s: %s\n", path, error.text);
  else if (out)
    write_arch(out, &data);
  return status != DC_OK;
}

int main(int count, char **arguments) {
  if (count < 3) {
    fprintf(stderr, "usage: generate_archs OUTPUT.c FILE.json [FILE.json ...]\n");
    return 2;
  }
  int failed = 0;
  for (int k = 2; k < count; ++k)
    failed |= add_file(NULL, arguments[k]);
  if (failed)
    return 1;
  FILE *out = fopen(arguments[1], "w");
  if (!out) {
    fprintf(stderr, "%s: %s\n", arguments[1], strerror(errno));
    return 1;
  }
  fprintf(out, "// Made by generate_archs from the files of cost-models/data.\n"
               "#include \"arch/arch_internal.h\"\n\nconst dc_arch_data dc__arch_table[] = {\n");
  for (int k = 2; k < count; ++k)
    failed |= add_file(out, arguments[k]);
  fprintf(out, "};\nconst unsigned dc__arch_table_count = %d;\n", count - 2);
  if (fclose(out) != 0) {
    fprintf(stderr, "%s: %s\n", arguments[1], strerror(errno));
    failed = 1;
  }
  return failed;
}
