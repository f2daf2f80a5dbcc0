// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Says what the workloads for the kernels of bench/kernels are (on any machine), or runs them once
// each on device 0, in a fixed order, so that a profiler's n-th launch is the n-th workload.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cubin.h"
#include "results.h"
#include "workload.h"

static const char help[] =
    "usage: gpu-workloads --describe DIR [NAME ...]\n"
    "       gpu-workloads --run FILE --cubins DIR [--repeats N] [NAME ...]\n"
    "A workload is a launch of one of the kernels in bench/kernels; all of them by default.\n"
    "--describe  needs no GPU: writes DIR/workloads.tsv, launches, parameters and what is known "
    "of\n"
    "            the loops' trip counts, and their histograms as DIR/NAME.LINE.histogram\n"
    "--run       launches each on GPU 0 with the kernels of DIR/*.cubin, and writes FILE: the "
    "order\n"
    "            of the launches and how long they took (median of N, 1 by default; each launch "
    "on\n"
    "            fresh data)\n";

typedef struct request {
  const char *describe, *run, *cubins;
  unsigned repeats;
  char **names;
  int n_names;
} request;

static bool wanted(const request *asked, const workload_case *item) {
  bool found = asked->n_names == 0;
  for (int k = 0; k < asked->n_names; ++k)
    found |= strcmp(asked->names[k], item->name) == 0;
  return found;
}

static dc_status open_file(const char *path, FILE **file, dc_error *error) {
  *file = fopen(path, "w");
  return *file ? DC_OK
               : dc_fail(error, DC_ERROR_FILE, "cannot write '%.200s': %s", path, strerror(errno));
}

static dc_status close_file(FILE *file, const char *path, dc_error *error) {
  bool bad = ferror(file) != 0;
  if (fclose(file) != 0 || bad)
    return dc_fail(error, DC_ERROR_FILE, "cannot write '%.200s'", path);
  return DC_OK;
}

// ---- describing ---------------------------------------------------------------------------------

static const char columns[] = "workload\tfile\tsymbol\tgrid\tblock\tparameters\tlaw\tline\tquality"
                              "\tlanes\thistogram\tentries\t"
                              "entering\ttrips\titerations\texits\tefficiency\n";

static void print_launch(FILE *file, const workload *w) {
  bool first = true;
  fprintf(file, "%s\t%s\t%s\t%u,%u\t%u,%u\t", w->of->name, w->of->file, w->of->symbol, w->grid[0],
          w->grid[1], w->block[0], w->block[1]);
  for (unsigned k = 0; k < w->n_arguments; ++k)
    if (w->arguments[k].kind == ARGUMENT_INTEGER) {
      fprintf(file, "%s%s=%d", first ? "" : ",", w->arguments[k].name, w->arguments[k].integer);
      first = false;
    }
  fprintf(file, "%s\t%s\t", first ? "-" : "", w->of->law ? w->of->law : "-");
}

static dc_status write_histogram(const char *folder, const workload *w, const tally *t,
                                 dc_error *error) {
  char path[1024];
  FILE *file;
  snprintf(path, sizeof path, "%s/%s.%u.histogram", folder, w->of->name, t->line);
  dc_status status = open_file(path, &file, error);
  if (status != DC_OK)
    return status;
  fprintf(file, "# %s, the loop in line %u of %s.cu: trips and how many lanes' entries have them\n",
          w->of->name, t->line, w->of->file);
  for (size_t value = 0; value < t->size; ++value)
    if (t->histogram[value] > 0)
      fprintf(file, "%zu %.0f\n", value, t->histogram[value]);
  return close_file(file, path, error);
}

static dc_status describe_one(const request *asked, FILE *file, const workload *w,
                              dc_error *error) {
  dc_status status = DC_OK;
  if (w->n_tallies == 0) {
    print_launch(file, w);
    fputs("-\t-\t-\t-\t-\t-\t-\t-\t-\t-\n", file);
  }
  for (unsigned k = 0; status == DC_OK && k < w->n_tallies; ++k) {
    const tally *t = &w->tallies[k];
    print_launch(file, w);
    fprintf(file, "%u\t%s\t%s\t%s.%u.histogram\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f\t%.9g\n", t->line,
            tally_quality_name(t->quality), t->dependent ? "dependent" : "independent", w->of->name,
            t->line, t->entries, t->lanes, t->trips, t->iterations, t->exits, tally_efficiency(t));
    status = write_histogram(asked->describe, w, t, error);
  }
  return status;
}

static dc_status describe(const request *asked, dc_error *error) {
  char path[1024];
  FILE *file;
  snprintf(path, sizeof path, "%s/workloads.tsv", asked->describe);
  dc_status status = open_file(path, &file, error);
  if (status != DC_OK)
    return status;
  fputs("# computed on the host by gpu-workloads --describe\n", file);
  fputs(columns, file);
  for (const workload_case *item = workload_cases; status == DC_OK && item->name; ++item) {
    if (!wanted(asked, item))
      continue;
    workload w;
    workload_make(item, &w);
    status = describe_one(asked, file, &w, error);
    workload_free(&w);
  }
  dc_status closed = close_file(file, path, status == DC_OK ? error : NULL);
  return status != DC_OK ? status : closed;
}

// ---- running ------------------------------------------------------------------------------------

static dc_status copy_arrays(gpu *device, const workload *w, const gpu_memory *arrays,
                             dc_error *error) {
  dc_status status = DC_OK;
  for (unsigned k = 0; status == DC_OK && k < w->n_arguments; ++k)
    if (w->arguments[k].kind == ARGUMENT_ARRAY && w->arguments[k].bytes > 0)
      status = gpu_write(device, arrays[k], w->arguments[k].data, w->arguments[k].bytes, error);
  return status;
}

static int compare_seconds(const void *a, const void *b) {
  const double *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

static dc_status launch(const request *asked, gpu *device, gpu_kernel kernel, workload *w,
                        gpu_memory *arrays, double *median, dc_error *error) {
  void *addresses[ARGUMENTS_MAX];
  double *seconds = workload_memory(asked->repeats, sizeof *seconds);
  const gpu_launch_dims shape = {.grid = w->grid[0],
                                 .block = w->block[0],
                                 .shared = w->shared,
                                 .grid_y = w->grid[1],
                                 .block_y = w->block[1]};
  dc_status status = DC_OK;
  for (unsigned k = 0; status == DC_OK && k < w->n_arguments; ++k) {
    argument *at = &w->arguments[k];
    addresses[k] = at->kind == ARGUMENT_ARRAY     ? (void *)&arrays[k]
                   : at->kind == ARGUMENT_INTEGER ? (void *)&at->integer
                                                  : (void *)&at->real;
    if (at->kind == ARGUMENT_ARRAY)
      status = gpu_allocate(device, at->bytes ? at->bytes : 1, &arrays[k], error);
  }
  for (unsigned r = 0; status == DC_OK && r < asked->repeats; ++r) {
    status = copy_arrays(device, w, arrays, error);
    if (status == DC_OK)
      status = gpu_launch(device, kernel, shape, addresses, &seconds[r], error);
  }
  if (status == DC_OK) {
    qsort(seconds, asked->repeats, sizeof *seconds, compare_seconds);
    *median = seconds[asked->repeats / 2];
  }
  free(seconds);
  return status;
}

static dc_status run_one(const request *asked, gpu *device, FILE *file, workload *w,
                         dc_error *error) {
  gpu_memory arrays[ARGUMENTS_MAX] = {0};
  char *image = NULL;
  gpu_module module;
  gpu_kernel kernel;
  double seconds = 0;
  dc_status status = cubin_read(asked->cubins, w->of->file, &image, error);
  if (status == DC_OK)
    status = gpu_load(device, w->of->file, image, &module, error);
  if (status == DC_OK)
    status = gpu_find(device, module, w->of->symbol, &kernel, error);
  if (status == DC_OK)
    status = launch(asked, device, kernel, w, arrays, &seconds, error);
  for (unsigned k = 0; k < w->n_arguments; ++k)
    if (arrays[k])
      gpu_free(device, arrays[k]);
  free(image);
  if (status == DC_OK)
    fprintf(file, "%s\t%u\t%.9g\n", w->of->name, asked->repeats, seconds);
  return status;
}

static dc_status run_all(const request *asked, gpu *device, FILE *file, dc_error *error) {
  char origin[512];
  dc_status status = DC_OK;
  results_origin(device, origin, sizeof origin);
  fprintf(file, "# %s, kernels from %s\nworkload\tlaunches\tseconds\n", origin, asked->cubins);
  for (const workload_case *item = workload_cases; status == DC_OK && item->name; ++item) {
    if (!wanted(asked, item))
      continue;
    workload w;
    fprintf(stderr, "%s\n", item->name);
    workload_make(item, &w);
    status = run_one(asked, device, file, &w, error);
    workload_free(&w);
  }
  return status;
}

static dc_status run(const request *asked, dc_error *error) {
  gpu *device;
  FILE *file;
  dc_status status = gpu_open(&device, error);
  if (status != DC_OK)
    return status;
  status = open_file(asked->run, &file, error);
  if (status == DC_OK) {
    status = run_all(asked, device, file, error);
    dc_status closed = close_file(file, asked->run, status == DC_OK ? error : NULL);
    status = status != DC_OK ? status : closed;
  }
  gpu_close(device);
  return status;
}

// ---- command line -------------------------------------------------------------------------------

static bool read_arguments(int count, char **arguments, request *asked) {
  *asked = (request){.repeats = 1};
  int a = 1;
  for (; a + 1 < count && strncmp(arguments[a], "--", 2) == 0; a += 2) {
    char *value = arguments[a + 1], *end = "";
    if (strcmp(arguments[a], "--describe") == 0)
      asked->describe = value;
    else if (strcmp(arguments[a], "--run") == 0)
      asked->run = value;
    else if (strcmp(arguments[a], "--cubins") == 0)
      asked->cubins = value;
    else if (strcmp(arguments[a], "--repeats") == 0)
      asked->repeats = (unsigned)strtoul(value, &end, 10);
    else
      return false;
    if (*end || asked->repeats == 0 || asked->repeats > 1000)
      return false;
  }
  asked->names = arguments + a;
  asked->n_names = count - a;
  for (int k = 0; k < asked->n_names; ++k) {
    const workload_case *item = workload_cases;
    while (item->name && strcmp(item->name, asked->names[k]) != 0)
      ++item;
    if (!item->name)
      return false;
  }
  return asked->describe ? !asked->run && !asked->cubins : asked->run && asked->cubins;
}

int main(int count, char **arguments) {
  request asked;
  if (count == 2 && strcmp(arguments[1], "--help") == 0) {
    fputs(help, stdout);
    return 0;
  }
  if (!read_arguments(count, arguments, &asked)) {
    fputs(help, stderr);
    return 2;
  }
  dc_error error;
  dc_status status = asked.describe ? describe(&asked, &error) : run(&asked, &error);
  if (status != DC_OK)
    fprintf(stderr, "gpu-workloads: %s\n", error.text);
  return status == DC_OK ? 0 : 1;
}
