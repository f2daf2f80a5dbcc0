// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __syncwarp() under a mask of the whole warp needs the whole warp.
//
// RUN: %verdicts | FileCheck %s --match-full-lines

// CHECK-LABEL: kernel together 256x1x1 (assumed)
__global__ void together(float *out) {
  out[0] = 1;
  __syncwarp();
  out[1] = 2;
}

// CHECK-LABEL: kernel in_a_divergent_branch 256x1x1 (assumed)
__global__ void in_a_divergent_branch(float *out) {
  // CHECK-NEXT: [[#@LINE+1]]: branch (threadIdx.x & 1) == 0
  if (threadIdx.x & 1) {
    out[0] = 1;
    // CHECK-NEXT: [[#@LINE+1]]: barrier
    __syncwarp();
    out[1] = 2;
  }
  out[threadIdx.x] = 7;
}

// CHECK-LABEL: kernel of_the_lanes_that_are_there 256x1x1 (assumed)
__global__ void of_the_lanes_that_are_there(float *out) {
  // CHECK-NEXT: [[#@LINE+1]]: branch (threadIdx.x & 1) == 0
  if (threadIdx.x & 1) {
    out[0] = 1;
    __syncwarp(0xaaaaaaaa);
    out[1] = 2;
  }
  out[threadIdx.x] = 7;
}

// CHECK-LABEL: kernel of_those_that_said_so 256x1x1 (assumed)
__global__ void of_those_that_said_so(float *out) {
  unsigned mask = __ballot_sync(~0u, out[threadIdx.x] > 0);
  // CHECK-NEXT: [[#@LINE+1]]: branch -
  if (out[threadIdx.x] > 0) {
    out[0] = 1;
    __syncwarp(mask);
    out[1] = 2;
  }
  out[threadIdx.x] = 7;
}

// CHECK-LABEL: kernel in_the_first_warp 256x1x1 (assumed)
__global__ void in_the_first_warp(float *out) {
  // CHECK-NEXT: [[#@LINE+1]]: branch threadIdx.x < 32
  if (threadIdx.x < 32) {
    out[0] = 1;
    __syncwarp();
    out[1] = 2;
  }
  out[threadIdx.x] = 7;
}

// CHECK-LABEL: kernel in_a_divergent_loop 256x1x1 (assumed)
__global__ void in_a_divergent_loop(float *out, const int *in) {
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, -
  for (int i = 0; i < in[threadIdx.x]; ++i) {
    out[i] += 1;
    // CHECK-NEXT: [[#@LINE+1]]: barrier
    __syncwarp();
  }
  out[0] = 7;
}
