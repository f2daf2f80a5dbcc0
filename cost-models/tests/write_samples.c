// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// write_samples DIRECTORY: writes the units of sample_unit.h as JSON files, for tests that look at
// files: sample.json, sample_80.json, sample_90.json, not_analysed.json,
// random_1.json ... random_40.json.
#include "sample_unit.h"

#include "divcost/report.h"

#include <stdio.h>

// Writes a unit, and releases it.
static int write_unit(const char *directory, const char *name, dc_unit *unit) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s.json", directory, name);
  FILE *stream = fopen(path, "w");
  dc_error error = {.text = "cannot be opened"};
  bool good = stream && dc_unit_write(unit, &dc_format_json, NULL, stream, &error) == DC_OK;
  if (stream)
    fclose(stream);
  if (!good)
    fprintf(stderr, "%s: %s\n", path, error.text);
  dc_unit_free(unit);
  return good ? 0 : 1;
}

int main(int count, char **arguments) {
  if (count != 2)
    return 2;
  dc_unit unit;
  sample_unit(&unit);
  int failed = write_unit(arguments[1], "sample", &unit);
  sample_part(&unit, 80);
  failed += write_unit(arguments[1], "sample_80", &unit);
  sample_part(&unit, 90);
  failed += write_unit(arguments[1], "sample_90", &unit);
  sample_not_analysed(&unit);
  failed += write_unit(arguments[1], "not_analysed", &unit);
  for (unsigned seed = 1; seed <= 40; ++seed) {
    char name[32];
    snprintf(name, sizeof name, "random_%u", seed);
    random_unit(&unit, seed);
    failed += write_unit(arguments[1], name, &unit);
  }
  return failed != 0;
}
