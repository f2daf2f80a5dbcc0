// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers of one kernel are told apart by their fingerprints, which stay when lines are added and
// when there is one more that is sound; a statement that is in a kernel twice is one barrier.
//
// RUN: %clang %cuda -O2 -S -o /dev/null %s -fplugin-arg-divcost-report=%t-a.json 2> %t-a.txt
// RUN: %clang %cuda -O2 -S -o /dev/null %s -DEDITED -fplugin-arg-divcost-report=%t-b.json \
// RUN:   2> %t-b.txt
// RUN: %python %S/Inputs/barrier_fingerprints.py %t-a.json %t-b.json | FileCheck %s

#include "Inputs/library.h"

// CHECK-DAG: two: 2 barriers, 2 fingerprints, the same after edits
__global__ void two(const int *in, int *out) {
#ifdef EDITED
  out[threadIdx.x] = 2;
  __syncthreads();
  out[threadIdx.x + 1] = 3;
#endif
  if (in[threadIdx.x] < 7)
    __syncthreads();
  out[threadIdx.x + 2] = 1;
  if (in[threadIdx.x + 1] < 7)
    __syncthreads();
  out[threadIdx.x + 3] = 1;
}

// CHECK-DAG: of_two_kinds: 2 barriers, 2 fingerprints, the same after edits
__global__ void of_two_kinds(int *out) {
  if (threadIdx.x < 7) {
    __syncthreads();
    out[threadIdx.x] = 1;
    __syncwarp();
  }
  out[threadIdx.x + 1] = 1;
}

__device__ void wait_and_write(int *out) {
  __syncthreads();
  out[threadIdx.x] = 1;
}

// CHECK-DAG: one_that_is_inlined_twice: 2 barriers, 1 fingerprints, the same after edits
__global__ void one_that_is_inlined_twice(const int *in, int *out) {
  if (in[threadIdx.x] < 7)
    wait_and_write(out);
  out[threadIdx.x + 2] = 1;
  if (in[threadIdx.x + 1] < 7)
    wait_and_write(out + 1);
  out[threadIdx.x + 3] = 1;
}

// CHECK-DAG: of_a_library: 2 barriers, 2 fingerprints, the same after edits
__global__ void of_a_library(const int *in, int *out) {
  library::Block block;
  if (in[threadIdx.x] < 7)
    block.sync();
  out[threadIdx.x + 2] = 1;
  if (in[threadIdx.x + 1] < 7)
    block.sync();
  out[threadIdx.x + 3] = 1;
}

// CHECK-DAG: another: 1 barriers, 1 fingerprints, the same after edits
__global__ void another(int *out) {
  if (threadIdx.x < 7)
    __syncthreads();
  out[threadIdx.x] = 1;
}

// CHECK: all kernels: 9 barriers, 8 fingerprints
