// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a verdict rests on goes with the values that owe it theirs, through branches and loops too.
//
// RUN: %verdicts | FileCheck %s --match-full-lines

#pragma divcost launch(block=(32,8))
__global__ void through_a_branch(float *out) {
  int n = 3;
  if (threadIdx.y > 2)
    n = 5;
  out[threadIdx.x] = 0;
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}

#pragma divcost launch(block=(32,8))
__global__ void read_in_a_branch(float *out, const int *in) {
  if (threadIdx.y > 2) {
    int n = *in;
    for (int i = 0; i < n; ++i)
      out[i] += 1;
  }
  out[9] = 0;
}

#pragma divcost launch(block=(32,8))
__global__ void read_after_the_branch(float *out, const int *in) {
  if (threadIdx.y > 2)
    out[1] = 3;
  __syncthreads();
  int n = *in;
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}

#pragma divcost launch(block=(32,8))
__global__ void nothing_of_it(float *out, int n) {
  if (threadIdx.y > 2)
    for (int i = 0; i < n; ++i)
      out[i] += 1;
}

#pragma divcost launch(block=(16,16))
__global__ void in_another_shape(float *out) {
  int n = 3;
  if (threadIdx.y > 2)
    n = 5;
  out[threadIdx.x] = 0;
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}

#pragma divcost launch(block=(16,16))
__global__ void evaluated(float *out) {
  for (int i = threadIdx.x; i < 64; i += blockDim.x)
    out[i] += 1;
}

#pragma divcost launch(block=(48,2))
__global__ void evaluated_and_different(float *out) {
  for (int i = threadIdx.x; i < 64; i += blockDim.x)
    out[i] += 1;
}
