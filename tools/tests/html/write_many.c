// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// write_many FILE.json KERNELS LOOPS: a report of many kernels with so many loops each, one after
// the other, with distributions and reasons, and a finding for each tenth: what a large project's
// page has to hold.
#define _POSIX_C_SOURCE 200809L

#include "skeleton.h"

#include "divcost/report.h"
#include "divcost/unit.h"

static uint32_t place(dc_kernel *kernel, uint32_t line) {
  uint32_t at = dc_kernel_add_location(kernel);
  kernel->locations[at] =
      (dc_location){dc_kernel_add_text(kernel, "src/many.cu"), line, 3, 0, DC_NONE, false};
  return at;
}

static dc_kernel make_kernel(unsigned number, unsigned loops) {
  char text[64];
  builder b = begin_kernel(64, 1, 1, 4);
  snprintf(text, sizeof text, "kernel_%u(int const*, float*)", number);
  b.kernel.name = dc_kernel_add_text(&b.kernel, text);
  snprintf(text, sizeof text, "_Z6kernel%u", number);
  b.kernel.symbol = dc_kernel_add_text(&b.kernel, text);
  b.kernel.location = place(&b.kernel, number * 10000 + 1);
  for (unsigned k = 0; k < loops; ++k) {
    uint32_t loop = begin_loop(&b, DC_NO_EXPR, DC_DIVERGENT, DC_CLASS_DATA_DEPENDENT, 1 + k % 7);
    b.kernel.loops[loop].location = place(&b.kernel, number * 10000 + 2 + 2 * k);
    b.kernel.loops[loop].first_reason =
        dc_kernel_add_reason(&b.kernel, place(&b.kernel, number * 10000 + 2 + 2 * k),
                             "lanes leave the loop by this condition, in different iterations");
    b.kernel.loops[loop].n_reasons = 1;
    snprintf(text, sizeof text, "poisson(%u)", 4 + (number + k) % 50);
    if (k % 3 == 0)
      set_distribution(&b, loop, text);
    end_loop(&b, 1);
  }
  return b.kernel;
}

static void add_findings(dc_unit_kernel *kernel) {
  kernel->findings = calloc(kernel->kernel.n_loops / 10 + 1, sizeof *kernel->findings);
  for (uint32_t k = 0; kernel->findings && k < kernel->kernel.n_loops; k += 10)
    kernel->findings[kernel->n_findings++] =
        (dc_finding){.rule = DC_RULE_IMBALANCE,
                     .loop = k,
                     .barrier = DC_NONE,
                     .location = kernel->kernel.loops[k].location,
                     .message = strdup("loop runs a different number of iterations in each lane"),
                     .fingerprint = k};
}

int main(int count, char **arguments) {
  if (count != 4)
    return 2;
  unsigned n_kernels = (unsigned)atoi(arguments[2]), loops = (unsigned)atoi(arguments[3]);
  dc_arch arch;
  dc_error error = {0};
  dc_unit unit = {.path = strdup("src/many.cu"), .archs = malloc(sizeof *unit.archs), .n_archs = 1};
  unit.kernels = calloc(n_kernels, sizeof *unit.kernels);
  unit.archs[0] = 90;
  dc_status status = dc_arch_find_sm(90, &arch, &error);
  for (unsigned k = 0; k < n_kernels && status == DC_OK; ++k, ++unit.n_kernels) {
    unit.kernels[k].kernel = make_kernel(k, loops);
    add_findings(&unit.kernels[k]);
    status = dc_unit_estimate(&unit.kernels[k], &arch, 1, NULL, &error);
  }
  FILE *file = fopen(arguments[1], "w");
  if (status == DC_OK && file)
    status = dc_unit_write(&unit, &dc_format_json, NULL, file, &error);
  dc_unit_free(&unit);
  if (!file || fclose(file) != 0 || status != DC_OK) {
    fprintf(stderr, "write_many: %s\n", error.text);
    return 1;
  }
  return 0;
}
