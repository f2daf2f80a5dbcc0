// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quotients by what a loop doubles or halves: LLVM shifts by the number of zeros at its end instead.
//
// RUN: %verdicts | FileCheck %s --match-full-lines

// CHECK-LABEL: kernel merge 256x1x1 (assumed)
__global__ void merge(int *out, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: uniform, {{.*}}
  for (int width = 2; width < n; width *= 2) {
    int first = threadIdx.x / width * width;
    // CHECK-NEXT: [[#@LINE+1]]: lane-affine, threadIdx.x / ({{2 << i0|1 << i0 \+ 1}})
    for (unsigned k = 0; k < threadIdx.x / width; ++k)
      out[first + k] += width;
  }
}
