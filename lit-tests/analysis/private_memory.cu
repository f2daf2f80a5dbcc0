// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Local arrays are the thread's own, however uniform the address.
//
// RUN: %verdicts | FileCheck %s --match-full-lines

// CHECK-LABEL: kernel local_array 256x1x1 (assumed)
__global__ void local_array(float *out, const int *in, int k) {
  int mine[8];
  // CHECK-NEXT: [[#@LINE+1]]: uniform, 8
  for (int j = 0; j < 8; ++j)
    mine[j] = in[threadIdx.x + j];
  int n = mine[k];
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(*(...), 0)
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel unrolled_into_registers 256x1x1 (assumed)
__global__ void unrolled_into_registers(float *out, int n) {
  int mine[4];
#pragma unroll
  for (int j = 0; j < 4; ++j)
    mine[j] = n * j;
  int m = mine[2];
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(n * 2, 0)
  for (int i = 0; i < m; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel one_of_two_pointers 256x1x1 (assumed)
__global__ void one_of_two_pointers(float *out, const int *in, int own, int k) {
  int mine[8];
  // CHECK-NEXT: [[#@LINE+1]]: uniform, 8
  for (int j = 0; j < 8; ++j)
    mine[j] = in[threadIdx.x + j];
  const int *p = own ? &mine[k] : in;
  int n = *p;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(*(...), 0)
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel one_of_two_pointers_to_all 256x1x1 (assumed)
__global__ void one_of_two_pointers_to_all(float *out, const int *in, const int *more, int k) {
  const int *p = k ? more : in;
  int n = *p;
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, max(*(...), 0)
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel behind_a_number 256x1x1 (assumed)
__global__ void behind_a_number(float *out, const int *in, int k) {
  int mine[8];
  // CHECK-NEXT: [[#@LINE+1]]: uniform, 8
  for (int j = 0; j < 8; ++j)
    mine[j] = in[threadIdx.x + j];
  const int *p = (const int *)(((unsigned long long)mine + 7 + k) & ~7ull);
  int n = *p;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(*(...), 0)
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}

__device__ __noinline__ const int *pick(const int *a, int k, int depth) {
  return depth ? pick(pick(a + k, k, depth - 1), k, depth - 1) : a;
}
// CHECK-LABEL: kernel picked_by_a_function 256x1x1 (assumed)
// CHECK-NEXT: calls pick(int const*, int, int) (not-inlined)
// CHECK-NEXT: in pick: unknown, ?
__global__ void picked_by_a_function(float *out, const int *in, int k) {
  int mine[8];
  // CHECK-NEXT: [[#@LINE+1]]: uniform, 8
  for (int j = 0; j < 8; ++j)
    mine[j] = in[threadIdx.x + j];
  int n = *pick(mine, 1, k);
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(*(...), 0)
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel place_of_an_array 256x1x1 (assumed)
__global__ void place_of_an_array(float *out, int n) {
  char *a = (char *)__builtin_alloca(threadIdx.x + 1), *b = (char *)__builtin_alloca(n);
  a[n] = b[n] = 3;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(? - ?, 0)
  for (long i = 0; i < b - a; ++i)
    out[i] += a[n - 1] + b[n - 1];
}
