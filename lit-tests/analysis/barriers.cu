// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers need control flow that all threads of the block, or of the warp, go through alike.
//
// RUN: %verdicts | FileCheck %s --match-full-lines

__shared__ float s[256];

// CHECK-LABEL: kernel in_a_divergent_branch 256x1x1 (assumed)
__global__ void in_a_divergent_branch(float *out) {
  s[threadIdx.x] = out[threadIdx.x];
  // CHECK-NEXT: [[#@LINE+1]]: branch threadIdx.x < 16
  if (threadIdx.x < 16) {
    // CHECK-NEXT: [[#@LINE+1]]: barrier
    __syncthreads();
    out[threadIdx.x] = s[255 - threadIdx.x];
  }
  out[threadIdx.x + 256] = s[3];
}

// CHECK-LABEL: kernel in_a_branch_of_the_warp 8x8x4 (assumed)
__global__ void in_a_branch_of_the_warp(float *out) {
  s[threadIdx.x] = out[threadIdx.x];
  if ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x < 64) {
    // CHECK-NEXT: [[#@LINE+1]]: barrier
    __syncthreads();
    out[threadIdx.x] = s[255 - threadIdx.x];
  }
  out[threadIdx.x + 256] = s[3];
}

// CHECK-LABEL: kernel in_a_branch_of_the_block 256x1x1 (assumed)
__global__ void in_a_branch_of_the_block(float *out) {
  s[threadIdx.x] = out[threadIdx.x];
  if (blockIdx.x < 16) {
    __syncthreads();
    out[threadIdx.x] = s[255 - threadIdx.x];
  }
  out[threadIdx.x + 256] = s[3];
}

// CHECK-LABEL: kernel on_both_ways 256x1x1 (assumed)
__global__ void on_both_ways(float *out) {
  s[threadIdx.x] = out[threadIdx.x];
  // CHECK-NEXT: [[#@LINE+1]]: branch threadIdx.x < 16
  if (threadIdx.x < 16) {
    // CHECK-NEXT: [[#@LINE+1]]: barrier
    __syncthreads();
    out[threadIdx.x] = s[255 - threadIdx.x];
  } else {
    // CHECK-NEXT: [[#@LINE+1]]: coalescing
    out[2 * threadIdx.x] = 3;
    // CHECK-NEXT: [[#@LINE+1]]: barrier
    __syncthreads();
    out[threadIdx.x] = s[254 - threadIdx.x] + 1;
  }
  out[threadIdx.x + 256] = 3;
}

// CHECK-LABEL: kernel in_a_divergent_loop 256x1x1 (assumed)
__global__ void in_a_divergent_loop(float *out, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: strided, ceil((n - threadIdx.x) / blockDim.x)
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    s[threadIdx.x] = out[i];
    // CHECK-NEXT: [[#@LINE+1]]: barrier
    __syncthreads();
    out[i] = s[0];
  }
  out[n] = 3;
}

// CHECK-LABEL: kernel in_a_uniform_loop 256x1x1 (assumed)
__global__ void in_a_uniform_loop(float *out, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(n, 0)
  for (int i = 0; i < n; ++i) {
    s[threadIdx.x] = out[i + threadIdx.x];
    __syncthreads();
    out[i + threadIdx.x] = s[i];
    __syncthreads();
  }
}

// CHECK-LABEL: kernel in_a_loop_of_the_block 256x1x1 (assumed)
__global__ void in_a_loop_of_the_block(float *out, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: block-uniform, ceil((n - blockIdx.x) / gridDim.x)
  for (int base = blockIdx.x; base < n; base += gridDim.x) {
    s[threadIdx.x] = out[base + threadIdx.x];
    __syncthreads();
    out[base + threadIdx.x] = s[0];
    __syncthreads();
  }
}

// CHECK-LABEL: kernel where_some_have_left_the_loop 256x1x1 (assumed)
__global__ void where_some_have_left_the_loop(float *out, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, min(max(n, 0), ?), 1 of 2 exits divergent
  for (int i = 0; i < n; ++i) {
    if (out[threadIdx.x + i] > 3)
      break;
    // CHECK-NEXT: [[#@LINE+1]]: barrier
    __syncthreads();
    out[i] = s[i];
  }
  out[threadIdx.x] = 2;
}

// CHECK-LABEL: kernel after_a_divergent_loop 256x1x1 (assumed)
__global__ void after_a_divergent_loop(float *out, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: lane-affine, threadIdx.x
  for (int i = 0; i < threadIdx.x; ++i)
    out[i] += 1;
  __syncthreads();
  out[threadIdx.x] = s[0];
}

// CHECK-LABEL: kernel after_a_return 256x1x1 (assumed)
__global__ void after_a_return(float *out, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: branch threadIdx.x < n
  if (threadIdx.x >= n)
    return;
  // CHECK-NEXT: [[#@LINE+1]]: barrier-exited
  __syncthreads();
  out[threadIdx.x] = s[0];
}

// CHECK-LABEL: kernel in_the_last_branch 256x1x1 (assumed)
__global__ void in_the_last_branch(float *out) {
  // CHECK-NEXT: [[#@LINE+1]]: branch threadIdx.x < 16
  if (threadIdx.x < 16) {
    // CHECK-NEXT: [[#@LINE+1]]: barrier-exited
    __syncthreads();
    out[threadIdx.x] = s[255 - threadIdx.x];
  }
}

// CHECK-LABEL: kernel while_the_block_votes 256x1x1 (assumed)
__global__ void while_the_block_votes(float *out) {
  // CHECK-NEXT: [[#@LINE+1]]: block-uniform, -
  while (__syncthreads_or(out[threadIdx.x] > 1)) {
    out[threadIdx.x] /= 2;
    __syncthreads();
  }
}

// CHECK-LABEL: kernel counted_in_a_divergent_branch 256x1x1 (assumed)
__global__ void counted_in_a_divergent_branch(float *out) {
  int n = 0;
  // CHECK-NEXT: [[#@LINE+1]]: branch (threadIdx.x & 1) == 0
  if (threadIdx.x & 1)
    // CHECK-NEXT: [[#@LINE+1]]: barrier
    n = __syncthreads_count(out[threadIdx.x] > 1);
  out[threadIdx.x] = n;
}

// CHECK-LABEL: kernel in_a_case 256x1x1 (assumed)
__global__ void in_a_case(float *out, int k) {
  // CHECK-NEXT: [[#@LINE+1]]: branch -
  switch (threadIdx.x & 3) {
  case 0:
    // CHECK-NEXT: [[#@LINE+1]]: barrier
    __syncthreads();
    break;
  case 2:
    out[3] = 1;
    break;
  }
  out[threadIdx.x] = s[0];
}

// CHECK-LABEL: kernel in_a_uniform_case 256x1x1 (assumed)
__global__ void in_a_uniform_case(float *out, int k) {
  switch (k) {
  case 0:
    __syncthreads();
    break;
  case 2:
    out[3] = 1;
    break;
  }
  out[threadIdx.x] = s[0];
}

__device__ void wait() { __syncthreads(); }
// CHECK-LABEL: kernel inlined 256x1x1 (assumed)
// CHECK-NEXT: in wait: barrier
__global__ void inlined(float *out) {
  s[threadIdx.x] = 1;
  wait();
  // CHECK-NEXT: [[#@LINE+1]]: branch -
  if (out[threadIdx.x + (int)s[3]] > 0)
    wait();
  out[threadIdx.x] = s[0];
}

// Nothing ends this loop: who doesn't come goes round for ever.
// CHECK-LABEL: kernel endless 256x1x1 (assumed)
__global__ void endless(int *out, int n) {
  for (;;) {
    // CHECK: {{.*}}: barrier
    for (int i = 0; i < blockIdx.x + threadIdx.x; i += 3)
      __syncthreads();
  }
}
