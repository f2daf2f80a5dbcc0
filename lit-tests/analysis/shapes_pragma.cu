// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same from a pragma; __launch_bounds__ and assumptions give no shape.
//
// RUN: %verdicts | FileCheck %s --match-full-lines

#pragma divcost launch(block=(32,8))
// CHECK-LABEL: kernel y_in_32x8 32x8x1 (pragma)
__global__ void y_in_32x8(float *out) {
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, threadIdx.y (blocks of 32x8x1)
  for (unsigned i = 0; i < threadIdx.y; ++i)
    out[i] += 1;
}

#pragma divcost launch(block=(16,16))
// CHECK-LABEL: kernel y_in_16x16 16x16x1 (pragma)
__global__ void y_in_16x16(float *out) {
  // CHECK-NEXT: [[#@LINE+1]]: strided, threadIdx.y
  for (unsigned i = 0; i < threadIdx.y; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel bounded 16x2x1 (launch_bounds)
__global__ void __launch_bounds__(32) bounded(float *out) {
  // CHECK-NEXT: [[#@LINE+1]]: lane-affine, threadIdx.y (warp-uniform if blockDim.x is a multiple of 32)
  for (unsigned i = 0; i < threadIdx.y; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel assumed 16x16x1 (assumed)
__global__ void assumed(float *out) {
  // CHECK-NEXT: [[#@LINE+1]]: lane-affine, threadIdx.y (warp-uniform if blockDim.x is a multiple of 32)
  for (unsigned i = 0; i < threadIdx.y; ++i)
    out[i] += 1;
}
