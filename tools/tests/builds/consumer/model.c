// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints the names of the kernels of a report.

#include "divcost/files.h"
#include <divcost/unit.h>

#include <stdio.h>

int main(int count, char **arguments) {
  dc_unit unit = {0};
  dc_error error;
  FILE *file = count == 2 ? fopen(arguments[1], "r") : NULL;
  if (!file || dc_unit_read_json(file, &unit, &error) != DC_OK)
    return 1;
  for (uint32_t k = 0; k < unit.n_kernels; ++k)
    puts(dc_kernel_text(&unit.kernels[k].kernel, unit.kernels[k].kernel.name));
  dc_unit_free(&unit);
  fclose(file);
  return 0;
}
