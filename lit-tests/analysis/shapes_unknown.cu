// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Without a known shape a verdict holds for every shape; what whole rows would change is a condition.
//
// RUN: %verdicts | FileCheck %s --match-full-lines

// CHECK-LABEL: kernel y 16x16x1 (assumed)
__global__ void y(float *out) {
  // CHECK-NEXT: [[#@LINE+1]]: lane-affine, threadIdx.y (warp-uniform if blockDim.x is a multiple of 32)
  for (unsigned i = 0; i < threadIdx.y; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel warp_of_x 256x1x1 (assumed)
__global__ void warp_of_x(float *out) {
  // CHECK-NEXT: [[#@LINE+1]]: lane-affine, threadIdx.x >> 5 (warp-uniform if blockDim.x is a multiple of 32)
  for (unsigned i = 0; i < threadIdx.x / 32; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel warp_of_the_linear_index 8x8x4 (assumed)
__global__ void warp_of_the_linear_index(float *out) {
  unsigned linear = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x >> 5
  for (unsigned i = 0; i < linear / 32; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel half_warp_of_the_linear_index 8x8x4 (assumed)
__global__ void half_warp_of_the_linear_index(float *out) {
  unsigned linear = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  // CHECK-NEXT: [[#@LINE+1]]: strided, (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x >> 4
  for (unsigned i = 0; i < linear / 16; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel warp_of_a_plane 16x16x1 (assumed)
__global__ void warp_of_a_plane(float *out) {
  unsigned linear = threadIdx.y * blockDim.x + threadIdx.x;
  // CHECK-NEXT: [[#@LINE+1]]: strided, threadIdx.y * blockDim.x + threadIdx.x >> 5 (if no warp lies in two rows of the block; warp-uniform if blockDim.x is a multiple of 32)
  for (unsigned i = 0; i < linear / 32; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel warp_in_the_grid 256x1x1 (assumed)
__global__ void warp_in_the_grid(float *out) {
  unsigned index = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK-NEXT: [[#@LINE+1]]: strided, blockIdx.x * blockDim.x + threadIdx.x >> 5 (if no warp lies in two rows of the block; warp-uniform if blockDim.x is a multiple of 32)
  for (unsigned i = 0; i < index / 32; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel signed_warp_in_the_grid 256x1x1 (assumed)
__global__ void signed_warp_in_the_grid(float *out) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK-NEXT: [[#@LINE+1]]: strided, max((blockIdx.x * blockDim.x + threadIdx.x) / 32, 0) (if no warp lies in two rows of the block; warp-uniform if the thread's index in the grid fits its type and blockDim.x is a multiple of 32)
  for (int i = 0; i < index / 32; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel first_warp 256x1x1 (assumed)
__global__ void first_warp(float *out, const int *in) {
  // CHECK-NEXT: [[#@LINE+1]]: branch threadIdx.x < 32
  if (threadIdx.x < 32) {
    int n = *in;
    // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(in[...], 0) (warp-uniform if blockDim.x is a multiple of 32)
    for (int i = 0; i < n; ++i)
      out[i] += 1;
  }
  out[9] = 0;
}

// CHECK-LABEL: kernel x 256x1x1 (assumed)
__global__ void x(float *out) {
  // CHECK-NEXT: [[#@LINE+1]]: lane-affine, threadIdx.x
  for (unsigned i = 0; i < threadIdx.x; ++i)
    out[i] += 1;
}
