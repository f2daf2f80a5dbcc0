// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// predict-results FILE.tsv ...: the cases of the files with what the calibration predicts for them,
// as tab-separated values, for plots and tables.
#include <stdio.h>
#include <string.h>

#include "calibration.h"

static dc_status print_build(const results *all, const char *build, dc_error *error) {
  static calibration costs;
  dc_status status = calibration_fit(all, build, &costs, error);
  for (unsigned i = 0; status == DC_OK && i < all->count; ++i) {
    const result *item = &all->items[i];
    double cycles;
    bool known;
    if (strcmp(item->build, build) != 0)
      continue;
    status = calibration_predict(all, &costs.arch, item, &cycles, &known, error);
    if (status == DC_OK && known)
      printf("%s\t%s\t%s\t%u\t%.10g\t%.10g\n", build, item->kernel, pattern_name(item->lanes),
             item->parameter, item->cycles.median, cycles);
  }
  return status;
}

int main(int count, char **arguments) {
  results all = {0};
  dc_error error;
  dc_status status = DC_OK;
  if (count < 2) {
    fprintf(stderr, "usage: predict-results FILE.tsv ...\n");
    return 2;
  }
  for (int k = 1; status == DC_OK && k < count; ++k)
    status = results_read(arguments[k], &all, &error);
  if (status == DC_OK) {
    printf("# %s\nbuild\tkernel\tpattern\tparameter\tmeasured\tpredicted\n", all.origin);
    status = print_build(&all, "clang", &error);
  }
  if (status == DC_OK)
    status = print_build(&all, "nvcc", &error);
  if (status != DC_OK)
    fprintf(stderr, "predict-results: %s\n", error.text);
  results_free(&all);
  return status == DC_OK ? 0 : 1;
}
