// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How often warps come to a loop, in launches of which everything is known. What each kernel shows
// was once wrong, and found by the SIMT oracle.
//
// RUN: %clang %cuda -fsyntax-only -w %s -fplugin-arg-divcost-report=%t.json
// RUN: FileCheck %s < %t.json

// The return is on one of two ways to the loop, and not on the one that is taken.
// CHECK-LABEL: "name": "on_one_way(int, int*)"
// CHECK: "efficiency": 1,
// CHECK: "line": [[# @LINE + 8]],
// CHECK: "entries": 1,
__global__ void on_one_way(int n, int *out) {
  if (gridDim.x > 32) {
    __syncthreads();
    if (n)
      return;
  }
  for (int i = 0; i < gridDim.x; ++i)
    out[i] = out[i + 1] * 5;
}

// Of two ways round the loop inside, one is for all lanes but the first.
// CHECK-LABEL: "name": "on_both_ways(int, int*)"
// CHECK: "line": [[# @LINE + 11]],
// CHECK: "entries": 4,
// CHECK-NEXT: "imbalance":
// CHECK: "efficiency": 0.03125,
__global__ void on_both_ways(int n, int *out) {
  for (int k = 0; k < 4; ++k) {
    if (n) {
      out[k] = n;
      if (threadIdx.x)
        continue;
    }
    for (int i = 0; i < blockDim.x; ++i)
      out[i + k] = out[i] * 5;
  }
}

// What is known of a parameter is known of it as an int, too.
// CHECK-LABEL: "name": "as_an_int(int, short, int*)"
// CHECK: "line": [[# @LINE + 7]],
// CHECK: "entries": 1,
__global__ void as_an_int(int n, short m, int *out) {
  if ((n >> 3) < m) {
    out[threadIdx.x] = 1;
    return;
  }
  for (int i = 0; i < n; ++i)
    out[i] = out[i + 1] * 5;
}

__device__ int twice(int k) { return 2 * k; }
__device__ int once(int k) { return k; }
__device__ int (*const table[])(int) = {twice, once};

// A function that is called has blocks of its own, which may be the first.
// CHECK-LABEL: "name": "with_a_call(int, int*)"
// CHECK: "line": [[# @LINE + 3]],
// CHECK: "entries": 1,
__global__ void with_a_call(int n, int *out) {
  for (int i = 0; i < n; ++i)
    out[i] = out[i + 1] * 5;
  out[n] = table[n & 1](n);
}

// Of a block's warps that are too much to be walked, the first may be the only one with work.
// CHECK-LABEL: "name": "first_warp(unsigned char, unsigned int*)"
// CHECK: "entries": 0.5,
__global__ void first_warp(unsigned char n, unsigned *out) {
  if (threadIdx.x)
    return;
  unsigned sum = 0;
  for (unsigned k = n; (k & 255) && threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); ++k)
    sum = (sum ^ k) * 5 + 1;
  out[threadIdx.y] = sum;
}

void launch(int *out, unsigned *sums) {
  on_one_way<<<1, 64>>>(4, out);
  on_both_ways<<<2, 32>>>(7, out);
  as_an_int<<<3, 96>>>(64, -13, out);
  with_a_call<<<1, 64>>>(6, out);
  first_warp<<<1, dim3(5, 7)>>>(38, sums);
}
