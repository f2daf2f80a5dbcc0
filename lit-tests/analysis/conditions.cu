// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a verdict rests on goes with the values that owe it theirs, through branches and loops too.
//
// RUN: %verdicts | FileCheck %s --match-full-lines

#pragma divcost launch(block=(32,8))
// CHECK-LABEL: kernel through_a_branch 32x8x1 (pragma)
__global__ void through_a_branch(float *out) {
  int n = 3;
  if (threadIdx.y > 2)
    n = 5;
  out[threadIdx.x] = 0;
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, threadIdx.y < 3 ? 3 : 5 (blocks of 32x8x1)
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}

#pragma divcost launch(block=(32,8))
// CHECK-LABEL: kernel read_in_a_branch 32x8x1 (pragma)
__global__ void read_in_a_branch(float *out, const int *in) {
  if (threadIdx.y > 2) {
    int n = *in;
    // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, max(in[...], 0) (blocks of 32x8x1)
    for (int i = 0; i < n; ++i)
      out[i] += 1;
  }
  out[9] = 0;
}

#pragma divcost launch(block=(32,8))
// CHECK-LABEL: kernel read_after_the_branch 32x8x1 (pragma)
__global__ void read_after_the_branch(float *out, const int *in) {
  if (threadIdx.y > 2)
    out[1] = 3;
  __syncthreads();
  int n = *in;
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, max(in[...], 0)
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}

#pragma divcost launch(block=(32,8))
// CHECK-LABEL: kernel nothing_of_it 32x8x1 (pragma)
__global__ void nothing_of_it(float *out, int n) {
  if (threadIdx.y > 2)
    // CHECK-NEXT: [[#@LINE+1]]: uniform, max(n, 0)
    for (int i = 0; i < n; ++i)
      out[i] += 1;
}

#pragma divcost launch(block=(16,16))
// CHECK-LABEL: kernel in_another_shape 16x16x1 (pragma)
__global__ void in_another_shape(float *out) {
  int n = 3;
  if (threadIdx.y > 2)
    n = 5;
  out[threadIdx.x] = 0;
  // CHECK-NEXT: [[#@LINE+1]]: lane-affine, threadIdx.y < 3 ? 3 : 5
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}

#pragma divcost launch(block=(16,16))
// CHECK-LABEL: kernel evaluated 16x16x1 (pragma)
__global__ void evaluated(float *out) {
  // CHECK-NEXT: [[#@LINE+1]]: uniform, ceil((64 - threadIdx.x) / blockDim.x) (blocks of 16x16x1)
  for (int i = threadIdx.x; i < 64; i += blockDim.x)
    out[i] += 1;
}

#pragma divcost launch(block=(48,2))
// CHECK-LABEL: kernel evaluated_and_different 48x2x1 (pragma)
__global__ void evaluated_and_different(float *out) {
  // CHECK-NEXT: [[#@LINE+1]]: strided, ceil((64 - threadIdx.x) / blockDim.x)
  for (int i = threadIdx.x; i < 64; i += blockDim.x)
    out[i] += 1;
}
