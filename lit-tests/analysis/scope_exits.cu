// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ways out of scopes: clang writes those out of scopes with variables as a number, and a switch on it
// where all of them meet. A barrier behind is missed by nobody whom the source leads to it.
//
// RUN: %verdicts | FileCheck %s --match-full-lines

// CHECK-LABEL: kernel breaks 256x1x1 (assumed)
__global__ void breaks(const int *in, int *out, int *q, int cap, int n) {
  __shared__ int flag;
  // CHECK-NEXT: [[#@LINE+1]]: block-uniform, {{.*}}
  for (int off = blockIdx.x * blockDim.x; off < n; off += blockDim.x * gridDim.x) {
    int i = off + threadIdx.x;
    int s = -1;
    // CHECK-NEXT: [[#@LINE+1]]: branch {{.*}}
    if (i < n) {
      int t = in[i];
      // CHECK-NEXT: [[#@LINE+1]]: branch {{.*}}
      if (t < cap)
        s = q[t];
    }
    int pruned = s == -1;
    __syncthreads();
    // CHECK-NEXT: [[#@LINE+1]]: branch {{.*}}
    if (threadIdx.x == blockDim.x - 1)
      flag = atomicAdd(q, 1);
    __syncthreads();
    if (flag == cap)
      break;
    // CHECK-NEXT: [[#@LINE+1]]: branch {{.*}}
    if (!pruned)
      out[i] = flag;
  }
}

// CHECK-LABEL: kernel goes_on 256x1x1 (assumed)
__global__ void goes_on(const int *in, int *out, int *q, int cap, const int *end, int lanes) {
  __shared__ int flag;
  // CHECK-NEXT: [[#@LINE+1]]: block-uniform, {{.*}}
  for (int l = blockIdx.y; l < lanes; l += gridDim.y) {
    int n = end[l];
    // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, {{.*}}
    for (int off = blockIdx.x * blockDim.x; off < n; off += blockDim.x * gridDim.x) {
      int i = off + threadIdx.x, d = 0;
      // CHECK-NEXT: [[#@LINE+1]]: branch {{.*}}
      if (i < n)
        d = in[i];
      __syncthreads();
      // CHECK-NEXT: [[#@LINE+1]]: branch {{.*}}
      if (threadIdx.x == blockDim.x - 1)
        flag = atomicAdd(q, d);
      __syncthreads();
      if (flag == cap)
        goto end_lane;
      // CHECK-NEXT: [[#@LINE+1]]: branch {{.*}}
      if (d)
        out[i] = flag + d;
    }
  end_lane:;
  }
}

// The last block to finish. Two branches on threadIdx.x must not be taken together, past one on gridDim.x.
// CHECK-LABEL: kernel last_block 256x1x1 (assumed)
__global__ void last_block(float *out, unsigned *count) {
  __shared__ bool last;
  // CHECK-NEXT: [[#@LINE+1]]: branch {{.*}}
  if (threadIdx.x == 0)
    out[blockIdx.x] = 1.0f;
  if (gridDim.x > 1) {
    __threadfence();
    // CHECK-NEXT: [[#@LINE+1]]: branch {{.*}}
    if (threadIdx.x == 0)
      last = atomicInc(count, gridDim.x) == gridDim.x - 1;
    __syncthreads();
    if (last)
      out[threadIdx.x] += 2.0f;
  }
}
// CHECK-NOT: barrier
