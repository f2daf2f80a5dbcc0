// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures on device 0 and writes a file of results for each group of benchmarks.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cubin.h"
#include "fields.h"
#include "images.h"
#include "plan.h"

static const char help[] =
    "usage: gpu-measure [--cubins DIR] [--out DIR] [--launches N] [GROUP ...]\n"
    "Measures what divergence costs on GPU 0 and writes DIR/GROUP.tsv (DIR: . if not given) for "
    "each\n"
    "group, all by default: loops, layouts, branches, instructions, throughput. The kernels were "
    "compiled "
    "by\n"
    "clang; with --cubins also those that nvcc made in DIR (cmake --build builds them as\n"
    "bench/gpu/*.cubin where nvcc is). --launches: fewer of each case, for a profiler.\n";

typedef struct request {
  const char *cubins, *out;
  unsigned launches;
  int first; // argument that names a group
} request;

static void take(void *context, const result *item) { results_write(context, item); }

static dc_status measure_series(gpu *device, const kernels *from, FILE *file, dc_error *error) {
  unsigned count;
  const series *items = plan_series(from->file, &count);
  dc_status status = DC_OK;
  for (unsigned s = 0; status == DC_OK && s < count; ++s) {
    fprintf(stderr, "%s, %s: %s, %s\n", from->file, from->build, items[s].kernel,
            pattern_name(items[s].lanes));
    status = plan_measure(device, from, &items[s], take, file, error);
  }
  return status;
}

static dc_status measure_builds(gpu *device, const char *group, const request *asked, FILE *file,
                                dc_error *error) {
  kernels from = {group, "clang", NULL, asked->launches};
  const char *image = image_find(group);
  char *cubin = NULL;
  if (!image)
    return dc_fail(error, DC_ERROR_FILE, "no clang was there to compile the kernels");
  dc_status status = gpu_load(device, group, image, &from.module, error);
  if (status == DC_OK)
    status = measure_series(device, &from, file, error);
  if (status != DC_OK || !asked->cubins)
    return status;
  status = cubin_read(asked->cubins, group, &cubin, error);
  if (status == DC_OK)
    status = gpu_load(device, group, cubin, &from.module, error);
  from.build = "nvcc";
  if (status == DC_OK)
    status = measure_series(device, &from, file, error);
  free(cubin);
  return status;
}

static dc_status measure_group(gpu *device, const char *group, const request *asked,
                               dc_error *error) {
  char path[1024], origin[512];
  snprintf(path, sizeof path, "%s/%s.tsv", asked->out, group);
  FILE *file = fopen(path, "w");
  if (!file)
    return dc_fail(error, DC_ERROR_FILE, "cannot write '%.200s'", path);
  results_origin(device, origin, sizeof origin);
  results_begin(file, origin);
  dc_status status = measure_builds(device, group, asked, file, error);
  if (fclose(file) != 0 && status == DC_OK)
    status = dc_fail(error, DC_ERROR_FILE, "cannot write '%.200s'", path);
  return status;
}

// The exit status of wrong usage, 0 if all is right, -1 if only help was asked for.
static int parse(int count, char **arguments, request *to) {
  const char *launches = NULL;
  int a = 1;
  for (; a < count && arguments[a][0] == '-'; a += 2) {
    const char **value = strcmp(arguments[a], "--cubins") == 0     ? &to->cubins
                         : strcmp(arguments[a], "--out") == 0      ? &to->out
                         : strcmp(arguments[a], "--launches") == 0 ? &launches
                                                                   : NULL;
    bool wants_help = strcmp(arguments[a], "--help") == 0;
    if (!value || a + 1 == count) {
      fputs(help, wants_help ? stdout : stderr);
      return wants_help ? -1 : 2;
    }
    *value = arguments[a + 1];
  }
  if (launches && (!field_unsigned(launches, &to->launches) || to->launches == 0)) {
    fprintf(stderr, "gpu-measure: --launches: '%s' is no number from 1 on\n", launches);
    return 2;
  }
  to->first = a;
  for (unsigned known; a < count; ++a)
    if (!plan_series(arguments[a], &known)) {
      fprintf(stderr, "gpu-measure: there is no group '%s'\n%s", arguments[a], help);
      return 2;
    }
  return 0;
}

int main(int count, char **arguments) {
  request asked = {.out = "."};
  dc_error error;
  gpu *device;
  int wrong = parse(count, arguments, &asked);
  if (wrong)
    return wrong < 0 ? 0 : wrong;
  dc_status status = gpu_open(&device, &error);
  if (status == DC_OK) {
    for (int g = asked.first; status == DC_OK && g < count; ++g)
      status = measure_group(device, arguments[g], &asked, &error);
    for (unsigned g = 0; status == DC_OK && asked.first == count && plan_groups[g]; ++g)
      status = measure_group(device, plan_groups[g], &asked, &error);
    gpu_close(device);
  }
  if (status != DC_OK)
    fprintf(stderr, "gpu-measure: %s\n", error.text);
  return status == DC_OK ? 0 : 1;
}
