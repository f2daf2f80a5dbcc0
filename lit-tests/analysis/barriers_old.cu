// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before sm_70 lanes that have returned count too.
//
// RUN: %clang %cuda -O2 -w -S -o /dev/null -fplugin-arg-divcost-report=%t.json \
// RUN:   -fplugin-arg-divcost-arch=sm_60 %s
// RUN: %python %S/Inputs/verdicts.py %t.json | FileCheck %s --match-full-lines

__shared__ float s[256];

// CHECK-LABEL: kernel after_a_return 256x1x1 (assumed)
__global__ void after_a_return(float *out, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: branch threadIdx.x < n
  if (threadIdx.x >= n)
    return;
  // CHECK-NEXT: [[#@LINE+1]]: barrier
  __syncthreads();
  out[threadIdx.x] = s[0];
}

// CHECK-LABEL: kernel after_a_return_of_the_block 256x1x1 (assumed)
__global__ void after_a_return_of_the_block(float *out, int n) {
  if (blockIdx.x >= n)
    return;
  __syncthreads();
  out[threadIdx.x] = s[0];
}

// CHECK-LABEL: kernel in_the_last_branch 256x1x1 (assumed)
__global__ void in_the_last_branch(float *out) {
  // CHECK-NEXT: [[#@LINE+1]]: branch threadIdx.x < 16
  if (threadIdx.x < 16) {
    // CHECK-NEXT: [[#@LINE+1]]: barrier
    __syncthreads();
    out[threadIdx.x] = s[255 - threadIdx.x];
  }
}

// CHECK-LABEL: kernel before_the_return 256x1x1 (assumed)
__global__ void before_the_return(float *out, int n) {
  __syncthreads();
  // CHECK-NEXT: [[#@LINE+1]]: branch threadIdx.x < n
  if (threadIdx.x >= n)
    return;
  out[threadIdx.x] = s[0];
}
