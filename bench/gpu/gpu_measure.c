// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures on device 0 and writes a file of results for each group of benchmarks.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cubin.h"
#include "images.h"
#include "plan.h"

static const char help[] =
    "usage: gpu-measure [--cubins DIR] [--out DIR] [GROUP ...]\n"
    "Measures what divergence costs on GPU 0 and writes DIR/GROUP.tsv (DIR: . if not given) for "
    "each\n"
    "group, all by default: loops, branches, instructions, throughput. The kernels were compiled "
    "by\n"
    "clang; with --cubins also those that nvcc made in DIR (cmake --build builds them as\n"
    "bench/gpu/*.cubin where nvcc is).\n";

static void take(void *context, const result *item) { results_write(context, item); }

static dc_status measure_all(gpu *device, const char *group, const char *cubins, FILE *file,
                             dc_error *error) {
  unsigned count;
  const series *items = plan_series(group, &count);
  kernels builds[2] = {{group, "clang", NULL}, {group, "nvcc", NULL}};
  char *cubin = NULL;
  dc_status status = gpu_load(device, group, image_find(group), &builds[0].module, error);
  if (status == DC_OK && cubins) {
    status = cubin_read(cubins, group, &cubin, error);
    if (status == DC_OK)
      status = gpu_load(device, group, cubin, &builds[1].module, error);
  }
  for (unsigned b = 0; status == DC_OK && b < (cubins ? 2 : 1); ++b)
    for (unsigned s = 0; status == DC_OK && s < count; ++s) {
      fprintf(stderr, "%s, %s: %s, %s\n", group, builds[b].build, items[s].kernel,
              pattern_name(items[s].lanes));
      status = plan_measure(device, &builds[b], &items[s], take, file, error);
    }
  free(cubin);
  return status;
}

static dc_status measure_group(gpu *device, const char *group, const char *cubins, const char *out,
                               dc_error *error) {
  char path[1024], origin[512];
  snprintf(path, sizeof path, "%s/%s.tsv", out, group);
  FILE *file = fopen(path, "w");
  if (!file)
    return dc_fail(error, DC_ERROR_FILE, "cannot write '%.200s'", path);
  results_origin(device, origin, sizeof origin);
  results_begin(file, origin);
  dc_status status = measure_all(device, group, cubins, file, error);
  if (fclose(file) != 0 && status == DC_OK)
    status = dc_fail(error, DC_ERROR_FILE, "cannot write '%.200s'", path);
  return status;
}

int main(int count, char **arguments) {
  const char *cubins = NULL, *out = ".";
  int a = 1;
  for (; a < count && arguments[a][0] == '-'; a += 2) {
    const char **value = strcmp(arguments[a], "--cubins") == 0 ? &cubins
                         : strcmp(arguments[a], "--out") == 0  ? &out
                                                               : NULL;
    if (!value || a + 1 == count) {
      fputs(help, strcmp(arguments[a], "--help") == 0 ? stdout : stderr);
      return strcmp(arguments[a], "--help") == 0 ? 0 : 2;
    }
    *value = arguments[a + 1];
  }
  unsigned known;
  for (int g = a; g < count; ++g)
    if (!plan_series(arguments[g], &known)) {
      fprintf(stderr, "gpu-measure: there is no group '%s'\n%s", arguments[g], help);
      return 2;
    }
  dc_error error;
  gpu *device;
  dc_status status = gpu_open(&device, &error);
  if (status == DC_OK) {
    for (int g = a; status == DC_OK && g < count; ++g)
      status = measure_group(device, arguments[g], cubins, out, &error);
    for (unsigned g = 0; status == DC_OK && a == count && plan_groups[g]; ++g)
      status = measure_group(device, plan_groups[g], cubins, out, &error);
    gpu_close(device);
  }
  if (status != DC_OK)
    fprintf(stderr, "gpu-measure: %s\n", error.text);
  return status == DC_OK ? 0 : 1;
}
