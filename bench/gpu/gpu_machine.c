// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures on device 0 what a machine's numbers are fitted to (divcost/machine.h).
#include <string.h>

#include "gpu_program.h"
#include "machine_measure.h"
#include "results.h"

static const char help[] =
    "usage: gpu-machine [--out DIR]\n"
    "Measures on GPU 0 latencies and throughputs of instructions, caches, memory and atomics, and\n"
    "what launches take, and writes DIR/machine.tsv and DIR/placement.tsv, where and when blocks\n"
    "run, in nanoseconds (DIR: . if not given). `divcost calibrate --from DIR` reads the first.\n";

static void show(const char *test, unsigned done) {
  static char last[32];
  if (strcmp(test, last) != 0)
    fprintf(stderr, "machine: %s (after %u cases)\n", test, done);
  snprintf(last, sizeof last, "%s", test);
}

static dc_status open_in(const char *folder, const char *name, FILE **file, dc_error *error) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  *file = fopen(path, "w");
  return *file ? DC_OK : dc_fail(error, DC_ERROR_FILE, "cannot write '%.200s'", path);
}

static dc_status close_it(FILE *file, const char *name, dc_status status, dc_error *error) {
  if (fclose(file) != 0 && status == DC_OK)
    return dc_fail(error, DC_ERROR_FILE, "cannot write %s", name);
  return status;
}

static dc_status write_machine(gpu *device, const char *folder, const char *origin,
                               dc_error *error) {
  machine_results all = {0};
  FILE *file;
  dc_status status = open_in(folder, "machine.tsv", &file, error);
  if (status != DC_OK)
    return status;
  status = machine_measure(device, &all, show, error);
  machine_results_begin(file, origin);
  for (unsigned k = 0; k < all.count; ++k) // after an error, what there is
    machine_results_write(file, &all.items[k]);
  machine_results_free(&all);
  return close_it(file, "machine.tsv", status, error);
}

static dc_status write_placement(gpu *device, const char *folder, const char *origin,
                                 dc_error *error) {
  FILE *file;
  dc_status status = open_in(folder, "placement.tsv", &file, error);
  if (status != DC_OK)
    return status;
  fprintf(file, "# %s\n", origin);
  status = machine_place_blocks(device, file, error);
  return close_it(file, "placement.tsv", status, error);
}

static dc_status measure_to(gpu *device, const char *folder, dc_error *error) {
  char origin[512];
  results_origin(device, origin, sizeof origin);
  dc_status status = write_machine(device, folder, origin, error);
  return status == DC_OK ? write_placement(device, folder, origin, error) : status;
}

int main(int count, char **arguments) {
  return gpu_program_main(&(gpu_program){"gpu-machine", help, measure_to}, count, arguments);
}
