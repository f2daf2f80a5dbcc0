// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A shuffle is warp-uniform if it has width 32 and all lanes read the same lane.
//
// RUN: %verdicts | FileCheck %s --match-full-lines

// CHECK-LABEL: kernel broadcast 256x1x1 (assumed)
__global__ void broadcast(float *out, const int *in) {
  int n = __shfl_sync(~0u, in[threadIdx.x], 0);
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, max(?, 0)
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel broadcast_in_eights 256x1x1 (assumed)
__global__ void broadcast_in_eights(float *out, const int *in) {
  int n = __shfl_sync(~0u, in[threadIdx.x], 0, 8);
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(?, 0)
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel lane_from_the_launch 256x1x1 (assumed)
__global__ void lane_from_the_launch(float *out, const int *in, int from, int width) {
  int n = __shfl_sync(~0u, in[threadIdx.x], from);
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, max(?, 0)
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel width_from_the_launch 256x1x1 (assumed)
__global__ void width_from_the_launch(float *out, const int *in, int from, int width) {
  int n = __shfl_sync(~0u, in[threadIdx.x], from, width);
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(?, 0)
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel lane_from_memory 256x1x1 (assumed)
__global__ void lane_from_memory(float *out, const int *in) {
  int n = __shfl_sync(~0u, in[threadIdx.x], in[threadIdx.x + 32]);
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(?, 0)
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel lane_of_a_vote 256x1x1 (assumed)
__global__ void lane_of_a_vote(float *out, const int *in) {
  int leader = __ffs(__ballot_sync(~0u, in[threadIdx.x] > 0)) - 1;
  int n = __shfl_sync(~0u, in[threadIdx.x], leader);
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, max(?, 0)
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel mask_that_differs 256x1x1 (assumed)
__global__ void mask_that_differs(float *out, const int *in) {
  unsigned half = threadIdx.x % 32 < 16 ? 0xffffu : 0xffff0000u;
  int n = __shfl_sync(half, in[threadIdx.x], 0);
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(?, 0)
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel up 256x1x1 (assumed)
__global__ void up(float *out, const int *in) {
  int n = __shfl_up_sync(~0u, in[threadIdx.x], 1);
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(?, 0)
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel down 256x1x1 (assumed)
__global__ void down(float *out, const int *in) {
  int n = __shfl_down_sync(~0u, in[threadIdx.x], 1);
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(?, 0)
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel across 256x1x1 (assumed)
__global__ void across(float *out, const int *in) {
  int n = __shfl_xor_sync(~0u, in[threadIdx.x], 16);
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(?, 0)
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel long_long_broadcast 256x1x1 (assumed)
__global__ void long_long_broadcast(float *out, const long long *in) {
  long long n = __shfl_sync(~0u, in[threadIdx.x], 3);
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, max((? << 32) + ?, 0)
  for (long long i = 0; i < n; ++i)
    out[i] += 1;
}
