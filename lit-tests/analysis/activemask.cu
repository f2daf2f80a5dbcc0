// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __activemask() is warp-uniform where the lanes run together.
//
// RUN: %verdicts | FileCheck %s --match-full-lines

// CHECK-LABEL: kernel together 256x1x1 (assumed)
__global__ void together(float *out) {
  unsigned mask = __activemask();
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, ?
  for (unsigned i = 0; i < mask; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel in_a_branch 256x1x1 (assumed)
__global__ void in_a_branch(float *out) {
  // CHECK-NEXT: [[#@LINE+1]]: branch (threadIdx.x & 1) == 0
  if (threadIdx.x & 1) {
    unsigned mask = __activemask();
    // CHECK-NEXT: [[#@LINE+1]]: data-dependent, ?
    for (unsigned i = 0; i < mask; ++i)
      out[i] += 1;
  }
  out[9] = 0;
}

// CHECK-LABEL: kernel in_a_branch_of_the_block 256x1x1 (assumed)
__global__ void in_a_branch_of_the_block(float *out) {
  if (blockIdx.x & 1) {
    unsigned mask = __activemask();
    // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, ?
    for (unsigned i = 0; i < mask; ++i)
      out[i] += 1;
  }
  out[9] = 0;
}

// CHECK-LABEL: kernel in_a_case 256x1x1 (assumed)
__global__ void in_a_case(float *out) {
  // CHECK-NEXT: [[#@LINE+1]]: branch -
  switch (threadIdx.x & 3) {
  case 0:
    out[1] = 1;
  case 1: {
    unsigned mask = __activemask();
    // CHECK-NEXT: [[#@LINE+1]]: data-dependent, ?
    for (unsigned i = 0; i < mask; ++i)
      out[i] += 1;
    break;
  }
  case 2:
    out[1] = 5;
    break;
  }
  out[9] = 0;
}

// CHECK-LABEL: kernel after_a_guard 256x1x1 (assumed)
__global__ void after_a_guard(float *out, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: branch threadIdx.x < n
  if (threadIdx.x >= n)
    return;
  unsigned mask = __activemask();
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, ?
  for (unsigned i = 0; i < mask; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel in_a_divergent_loop 256x1x1 (assumed)
__global__ void in_a_divergent_loop(float *out, const int *in) {
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(in[...], 0)
  for (int k = 0; k < in[threadIdx.x]; ++k) {
    unsigned mask = __activemask();
    // CHECK-NEXT: [[#@LINE+1]]: data-dependent, ?
    for (unsigned i = 0; i < mask; ++i)
      out[i] += 1;
  }
  out[9] = 0;
}

// CHECK-LABEL: kernel in_a_uniform_loop 256x1x1 (assumed)
__global__ void in_a_uniform_loop(float *out, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(n, 0)
  for (int k = 0; k < n; ++k) {
    unsigned mask = __activemask();
    // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, ?
    for (unsigned i = 0; i < mask; ++i)
      out[i] += 1;
  }
  out[9] = 0;
}

// CHECK-LABEL: kernel after_the_branch 256x1x1 (assumed)
__global__ void after_the_branch(float *out) {
  // CHECK-NEXT: [[#@LINE+1]]: branch (threadIdx.x & 1) == 0
  if (threadIdx.x & 1)
    out[1] = 2;
  __syncwarp();
  unsigned mask = __activemask();
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, ?
  for (unsigned i = 0; i < mask; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel as_assembly 256x1x1 (assumed)
__global__ void as_assembly(float *out) {
  unsigned mask;
  asm volatile("activemask.b32 %0;" : "=r"(mask));
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, ?
  for (unsigned i = 0; i < mask; ++i)
    out[i] += 1;
  asm volatile("activemask.b32 %0; mov.u32 %0, %%laneid;" : "=r"(mask));
  // CHECK-NEXT: [[#@LINE+1]]: unknown, ?
  for (unsigned i = 0; i < mask; ++i)
    out[i] += 1;
}

// Lanes that wait at a barrier for other warps needn't be back where those who didn't are already.
// CHECK-LABEL: kernel behind_some_barrier {{.*}}
__global__ void behind_some_barrier(int n, unsigned *out) {
  // CHECK-NEXT: [[#@LINE+1]]: branch {{.*}}
  if (threadIdx.x == 0)
    // CHECK-NEXT: [[#@LINE+1]]: barrier
    __syncthreads();
  // CHECK-NEXT: [[#@LINE+1]]: uniform, {{.*}}
  for (int i = 0; i < n; ++i) {
    int active = __popc(__activemask());
    // CHECK-NEXT: [[#@LINE+1]]: data-dependent, ?
    for (int k = 0; k < active; ++k)
      out[k] = out[k] * 5 + 1;
  }
}
