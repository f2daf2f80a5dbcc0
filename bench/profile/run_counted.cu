// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bench/run_kernels.cu with counters written by hand in every loop: built with
// profile-generate, both count the same launches. Writes by_hand.txt.
#include "trips.h"

#define main run_all_kernels
#include "../run_kernels.cu"
#undef main

int main() {
  int wrong = run_all_kernels();
  FILE *out = fopen("by_hand.txt", "w");
  if (!out)
    return 255;
  hand::print(out);
  fclose(out);
  return wrong;
}
