// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A load of memory that nobody writes gives what its address does: cuda_fp16.h writes __ldg of a half in assembly.
//
// RUN: %verdicts | FileCheck %s --match-full-lines

static __device__ short load_nc(const short *at) {
  short value;
  asm("ld.global.nc.b16 %0, [%1];" : "=h"(value) : "l"(at));
  return value;
}

static __device__ short load(const short *at) {
  short value;
  asm("ld.global.b16 %0, [%1];" : "=h"(value) : "l"(at));
  return value;
}

// CHECK-LABEL: kernel lengths 256x1x1 (assumed)
__global__ void lengths(const short *length, float *out) {
  // CHECK-NEXT: [[#@LINE+1]]: block-uniform, {{.*}}
  for (int i = 0; i < load_nc(length + blockIdx.x); ++i)
    out[i] = 1;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, {{.*}}
  for (int i = 0; i < load_nc(length + threadIdx.x); ++i)
    out[i] = 1;
  // CHECK-NEXT: [[#@LINE+1]]: unknown, {{.*}}
  for (int i = 0; i < load(length + blockIdx.x); ++i)
    out[i] = 1;
}
