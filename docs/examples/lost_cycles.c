// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// lost_cycles REPORT.json: the share of its issue cycles that each kernel of a report loses, worst
// first.
#include <divcost/files.h>
#include <divcost/input.h>
#include <divcost/unit.h>

#include <stdio.h>
#include <stdlib.h>

static void print_kernel(const dc_unit_kernel *kernel) {
  const dc_estimate *worst = dc_worst_estimate(kernel); // of the architectures and launches
  const char *name = dc_kernel_text(&kernel->kernel, kernel->kernel.name);
  if (worst && worst->share.low >= 0) // a figure that isn't known is negative
    printf("%4.1f%% to %4.1f%%  %s\n", 100 * worst->share.low, 100 * worst->share.high, name);
  else
    printf("     not known  %s\n", name);
}

static dc_status print_worst_first(const dc_unit *unit, dc_error *error) {
  uint32_t *order = calloc(unit->n_kernels + 1, sizeof *order);
  dc_kernels kernels = dc_unit_kernels(unit);
  if (!order)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory");
  dc_status status = dc_worst_first(&kernels, order, error);
  for (uint32_t k = 0; status == DC_OK && k < unit->n_kernels; ++k)
    print_kernel(&unit->kernels[order[k]]);
  free(order);
  return status;
}

int main(int count, char **arguments) {
  if (count != 2)
    return fputs("usage: lost_cycles REPORT.json\n", stderr), 2;
  dc_unit unit = {0};
  dc_error error;
  FILE *file = dc_input_open(arguments[1], &error);
  bool good = file && dc_unit_read_json(file, &unit, &error) == DC_OK &&
              print_worst_first(&unit, &error) == DC_OK;
  if (!good)
    fprintf(stderr, "%s: %s\n", arguments[1], error.text);
  dc_unit_free(&unit); // the empty unit, too
  if (file)
    fclose(file);
  return good ? 0 : 1;
}
