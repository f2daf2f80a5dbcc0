// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `divcost calibrate`: measures what divergence costs on the GPU at hand, or reads what was
// measured, and makes an architecture file of it.
#define _POSIX_C_SOURCE 200809L

#include "calibration.h"
#include "command.h"
#include "machine_measure.h"
#include "plan.h"

#include "divcost/replace.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "usage: divcost calibrate [--out FILE.json] [--from DIR [--build NAME]]\n"
    "Measures what divergence costs on GPU 0, half a minute of small kernels of one warp and of\n"
    "all warps, and what memory, instructions and launches take there, prints the costs with their "
    "uncertainty and how well they predict what was not "
    "used\n"
    "for them, and with --out writes an architecture file. Let nothing else run on the GPU: from\n"
    "noise no file is made. Where NVIDIA's ncu is in the PATH or in the CUDA Toolkit, and may "
    "read\n"
    "counters, divergent branches and active threads of a few launches are compared with the "
    "model's:\n"
    "where it counts other branches, no file is made either.\n"
    "  --out FILE.json  the architecture file, replaced when it is complete\n"
    "  --from DIR       instead of measuring, reads DIR/loops.tsv, branches.tsv, "
    "instructions.tsv,\n"
    "                   as gpu-measure writes them (bench/results/h200 holds those of an H200), "
    "and,\n"
    "                   where they are, machine.tsv, as gpu-machine writes it, and counters.csv: "
    "what\n"
    "                   ncu --csv --page raw prints of --for-ncu\n"
    "  --build NAME     with --from: what compiled the kernels that count, clang (default) or "
    "nvcc\n"
    "  --for-ncu        only makes the launches whose counters are compared\n"
    "Exit status: 0 done, 1 no GPU, or the measurements tell no costs, 2 wrong usage.\n";

static const char *const groups[] = {"loops", "branches", "instructions"};
enum { GROUPS = sizeof groups / sizeof *groups };

typedef struct request {
  const char *out, *from, *build;
  bool for_ncu;
} request;

// --- measuring -----------------------------------------------------------------------------------

typedef struct progress {
  results *all;
  dc_status status;
  dc_error *error;
} progress;

static void take(void *context, const result *item) {
  progress *p = context;
  if (p->status == DC_OK)
    p->status = results_add(p->all, item, p->error);
}

static void show(unsigned group, unsigned done, unsigned count, const char *kernel) {
  if (isatty(STDERR_FILENO))
    fprintf(stderr, "\r\033[Kmeasuring %s (%u of %u): %u of %u, %s", groups[group], group + 1,
            (unsigned)GROUPS, done + 1, count, kernel);
}

static dc_status measure_group(gpu *device, unsigned group, results *all, dc_error *error) {
  unsigned count;
  const series *items = plan_series(groups[group], &count);
  kernels from = {.launches = 0};
  progress p = {all, DC_OK, error};
  dc_status status = kernels_load(device, groups[group], &from, error);
  for (unsigned s = 0; status == DC_OK && s < count; ++s) {
    show(group, s, count, items[s].kernel);
    status = plan_measure(device, &from, &items[s], take, &p, error);
    if (status == DC_OK)
      status = p.status;
  }
  return status;
}

static void show_machine(const char *test, unsigned done) {
  if (isatty(STDERR_FILENO))
    fprintf(stderr, "\r\033[Kmeasuring the machine: %u, %s", done + 1, test);
}

// Without what it needs (memory, say) the other costs are still right.
static void measure_machine(gpu *device, const char *origin, calibration *costs) {
  machine_results all = {0};
  dc_error error;
  snprintf(all.origin, sizeof all.origin, "%s", origin);
  if (machine_measure(device, &all, show_machine, &error) == DC_OK)
    calibration_fit_machine(&all, costs);
  else
    snprintf(costs->no_machine, sizeof costs->no_machine, "%.150s", error.text);
  machine_results_free(&all);
}

static dc_status measure(results *all, calibration *costs, dc_error *error) {
  gpu *device;
  dc_status status = gpu_open(&device, error);
  if (status != DC_OK)
    return status;
  results_origin(device, all->origin, sizeof all->origin);
  for (unsigned g = 0; status == DC_OK && g < GROUPS; ++g)
    status = measure_group(device, g, all, error);
  if (status == DC_OK)
    measure_machine(device, all->origin, costs);
  if (isatty(STDERR_FILENO))
    fprintf(stderr, "\r\033[K");
  gpu_close(device);
  return status;
}

static dc_status launch_for_ncu(dc_error *error) {
  gpu *device;
  dc_status status = gpu_open(&device, error);
  if (status != DC_OK)
    return status;
  status = counters_launch(device, error);
  gpu_close(device);
  return status;
}

// Folders of before have none.
static dc_status read_machine(const char *folder, calibration *costs, dc_error *error) {
  char path[1024];
  machine_results all = {0};
  snprintf(path, sizeof path, "%s/machine.tsv", folder);
  if (access(path, F_OK) != 0)
    return DC_OK;
  dc_status status = machine_results_read(path, &all, error);
  if (status == DC_OK)
    calibration_fit_machine(&all, costs);
  machine_results_free(&all);
  return status;
}

static dc_status read_measured(const char *folder, results *all, calibration *costs,
                               dc_error *error) {
  dc_status status = DC_OK;
  for (unsigned g = 0; status == DC_OK && g < GROUPS; ++g) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.tsv", folder, groups[g]);
    status = results_read(path, all, error);
  }
  return status == DC_OK ? read_machine(folder, costs, error) : status;
}

// --- the counters --------------------------------------------------------------------------------

enum { NCU_SECONDS = 60 };

// The GPU is free again: ncu runs this program anew.
static void count(const char *folder, calibration *costs) {
  char path[1024];
  if (folder) {
    snprintf(path, sizeof path, "%s/counters.csv", folder);
    counters_read(path, &costs->arch, &costs->counted);
    return;
  }
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  path[length > 0 ? length : 0] = '\0';
  if (isatty(STDERR_FILENO))
    fprintf(stderr, "\r\033[Kcomparing hardware counters");
  counters_measure(path, &costs->arch, NCU_SECONDS, &costs->counted);
  if (isatty(STDERR_FILENO))
    fprintf(stderr, "\r\033[K");
}

static dc_status check_counted(const counters *counted, dc_error *error) {
  if (counted->branches_differ == 0)
    return DC_OK;
  return dc_fail(error, DC_ERROR_ARGUMENT,
                 "in %u of %u launches this GPU's counters have other divergent branches than the "
                 "model, so costs for each branch of the model mean nothing here; no costs are "
                 "made of that: please report the table above",
                 counted->branches_differ, counted->count);
}

// --- the file ------------------------------------------------------------------------------------

static int write_file(const char *path, const calibration *costs, const char *origin) {
  dc_replacement to;
  dc_error error;
  int reason = dc_replace_begin(path, &to);
  if (reason)
    return command_fail(path, strerror(reason));
  dc_status status = calibration_write(to.file, costs, origin, "divcost calibrate", &error);
  reason = dc_replace_end(&to, status == DC_OK);
  if (reason) // which the error depends on, if there is one
    return command_fail(path, strerror(reason));
  return status != DC_OK ? command_fail(path, error.text) : 0;
}

static int parse(int count, char **arguments, request *to) {
  to->for_ncu = count == 1 && strcmp(arguments[0], "--for-ncu") == 0;
  if (to->for_ncu)
    return 0;
  for (int k = 0; k < count; k += 2) {
    const char **value = strcmp(arguments[k], "--out") == 0     ? &to->out
                         : strcmp(arguments[k], "--from") == 0  ? &to->from
                         : strcmp(arguments[k], "--build") == 0 ? &to->build
                                                                : NULL;
    if (!value && arguments[k][0] == '-')
      return command_unknown_option(arguments[k]);
    if (!value)
      return command_misuse("unexpected argument", arguments[k]);
    if (k + 1 == count)
      return command_misuse("a value is missing after", arguments[k]);
    *value = arguments[k + 1];
  }
  if (to->build && !to->from)
    return command_misuse("--build goes with --from only", "");
  if (to->build && strcmp(to->build, "clang") != 0 && strcmp(to->build, "nvcc") != 0)
    return command_misuse("--build must be clang or nvcc, not", to->build);
  return 0;
}

// Measures or reads, fits, compares and prints.
static dc_status calibrate(const request *asked, results *all, calibration *costs,
                           dc_error *error) {
  dc_status status =
      asked->from ? read_measured(asked->from, all, costs, error) : measure(all, costs, error);
  if (status == DC_OK)
    status = calibration_fit(all, asked->build ? asked->build : "clang", costs, error);
  if (status != DC_OK)
    return status;
  count(asked->from, costs);
  printf("%s\n", all->origin);
  calibration_print(stdout, costs);
  return check_counted(&costs->counted, error);
}

int command_calibrate(int count, char **arguments) {
  static calibration costs;
  request asked = {0};
  if (count == 1 && strcmp(arguments[0], "--help") == 0)
    return command_print(help);
  int result = parse(count, arguments, &asked);
  if (result)
    return result;
  dc_error error;
  results all = {0};
  dc_status status =
      asked.for_ncu ? launch_for_ncu(&error) : calibrate(&asked, &all, &costs, &error);
  if (status != DC_OK) {
    result = command_fail(asked.from ? asked.from : "calibrate", error.text);
    if (!asked.from)
      fprintf(stderr, "divcost: costs that were measured elsewhere come with divcost: --arch "
                      "kepler, maxwell or hopper, or any sm_NN for the nearest of these\n");
  } else if (asked.out) {
    result = write_file(asked.out, &costs, all.origin);
  }
  results_free(&all);
  return result;
}
