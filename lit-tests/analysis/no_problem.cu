// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Guards at the top, loops that a pragma unrolls, and loops that no lane leaves early.
//
// RUN: %verdicts | FileCheck %s --match-full-lines

// CHECK-LABEL: kernel guard 256x1x1 (assumed)
__global__ void guard(float *out, const int *count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK-NEXT: [[#@LINE+1]]: branch blockIdx.x * blockDim.x + threadIdx.x < n
  if (i >= n)
    return;
  int m = count[blockIdx.x];
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, max(count[...], 0)
  for (int k = 0; k < m; ++k)
    out[i] += k;
}

// CHECK-LABEL: kernel guard_around 256x1x1 (assumed)
__global__ void guard_around(float *out, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK-NEXT: [[#@LINE+1]]: branch blockIdx.x * blockDim.x + threadIdx.x < n
  if (i < n)
    // CHECK-NEXT: [[#@LINE+1]]: uniform, max(m, 0)
    for (int k = 0; k < m; ++k)
      out[i] += k;
}

// CHECK-LABEL: kernel guard_with_an_array 256x1x1 (assumed)
__global__ void guard_with_an_array(float *out, int n, int k) {
  int mine[8];
  // CHECK-NEXT: [[#@LINE+1]]: uniform, 8
  for (int j = 0; j < 8; ++j)
    mine[j] = out[j];
  // CHECK-NEXT: [[#@LINE+1]]: branch threadIdx.x < n
  if (threadIdx.x >= n)
    return;
  int m = *(volatile int *)&k;
  __syncthreads();
  out[threadIdx.x] = mine[m & 7];
}

// CHECK-LABEL: kernel two_guards 16x16x1 (assumed)
__global__ void two_guards(float *out, const int *count, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  // CHECK-NEXT: [[#@LINE+1]]: branch n <= blockIdx.x * blockDim.x + threadIdx.x || n <= blockIdx.y * blockDim.y + threadIdx.y || blockIdx.x * blockDim.x + threadIdx.x == blockIdx.y * blockDim.y + threadIdx.y
  if (x >= n || y >= n)
    return;
  if (x == y)
    return;
  int m = count[blockIdx.x];
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, max(count[...], 0)
  for (int k = 0; k < m; ++k)
    out[y * n + x] += k;
}

// CHECK-LABEL: kernel unrolled 256x1x1 (assumed)
__global__ void unrolled(float *out, const float *in) {
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 8; ++k)
    sum += in[k];
  out[threadIdx.x] = sum;
}

// CHECK-LABEL: kernel constant_count 256x1x1 (assumed)
__global__ void constant_count(float *out, const float *in) {
  // CHECK-NEXT: [[#@LINE+1]]: uniform, 8
  for (int k = 0; k < 8; ++k)
    out[threadIdx.x] += in[k];
}

// CHECK-LABEL: kernel unrolled_in_part 256x1x1 (assumed)
__global__ void unrolled_in_part(float *out, const float *in, int n) {
#pragma unroll 4
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(n, 0)
  for (int k = 0; k < n; ++k)
    out[threadIdx.x] += in[k];
}

// CHECK-LABEL: kernel constants_from_the_index 256x1x1 (assumed)
__global__ void constants_from_the_index(float *out) {
  // CHECK-NEXT: [[#@LINE+1]]: uniform, 5
  for (int k = 0; k < 5 + (int)(threadIdx.x & 0); ++k)
    out[k] += 1;
}

// CHECK-LABEL: kernel continue_for_some 256x1x1 (assumed)
__global__ void continue_for_some(float *out, const float *in, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(n, 0)
  for (int k = 0; k < n; ++k) {
    // CHECK-NEXT: [[#@LINE+1]]: branch -
    if (in[threadIdx.x + k] < 0)
      continue;
    out[k] += 1;
  }
}

// CHECK-LABEL: kernel trap_for_some 256x1x1 (assumed)
__global__ void trap_for_some(float *out, const float *in, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(n, 0)
  for (int k = 0; k < n; ++k) {
    if (in[threadIdx.x + k] < 0) // no lane that goes on comes this way
      __trap();
    out[k] += 1;
  }
}
