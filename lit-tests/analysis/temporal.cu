// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values carried round a loop that other lanes leave earlier.
//
// RUN: %verdicts | FileCheck %s --match-full-lines

// CHECK-LABEL: kernel counted_in_a_divergent_loop 256x1x1 (assumed)
__global__ void counted_in_a_divergent_loop(float *out, const int *in) {
  int count = 0;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(in[...], 0)
  for (int i = 0; i < in[threadIdx.x]; ++i) {
    out[i] += 1;
    ++count;
  }
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, ?
  for (int k = 0; k < count; ++k)
    out[k] += 1;
}

// CHECK-LABEL: kernel counted_in_a_uniform_loop 256x1x1 (assumed)
__global__ void counted_in_a_uniform_loop(float *out, int n) {
  int count = 0;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(n, 0)
  for (int i = 0; i < n; ++i) {
    if (out[3] > 1)
      count += 2;
    out[i] += 1;
  }
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, max(?, 0)
  for (int k = 0; k < count; ++k)
    out[k] += 1;
}

// CHECK-LABEL: kernel found_at 256x1x1 (assumed)
__global__ void found_at(float *out, const float *in, int n) {
  int i = 0;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, min(max(n, 0), ?), 1 of 2 exits divergent
  while (i < n && in[i * 32 + threadIdx.x] < 0)
    ++i;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(n - ?, 0)
  for (int k = i; k < n; ++k)
    out[k] += 1;
}

// CHECK-LABEL: kernel inside_the_loop_it_is_the_same 256x1x1 (assumed)
__global__ void inside_the_loop_it_is_the_same(float *out, const int *in) {
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(in[...], 0)
  for (int i = 0; i < in[threadIdx.x]; ++i)
    // CHECK-NEXT: [[#@LINE+1]]: uniform, i0
    for (int k = 0; k < i; ++k)
      out[k] += 1;
}

// CHECK-LABEL: kernel through_two_loops 256x1x1 (assumed)
__global__ void through_two_loops(float *out, const int *in, int n) {
  int last = 0;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(n, 0)
  for (int r = 0; r < n; ++r) {
    int i = 0;
    // CHECK-NEXT: [[#@LINE+1]]: data-dependent, -
    while (in[i * 32 + threadIdx.x] > r)
      ++i;
    last = i;
    out[r] += 1;
  }
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, ?
  for (int k = 0; k < last; ++k)
    out[k] += 1;
}

// CHECK-LABEL: kernel leaves_two_loops 256x1x1 (assumed)
__global__ void leaves_two_loops(float *out, const int *in, int n) {
  int i, j = 0;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, min(max(n, 0), ?), 1 of 2 exits divergent
  for (i = 0; i < n; ++i)
    // CHECK-NEXT: [[#@LINE+1]]: data-dependent, min(max(n, 0), ?), 1 of 2 exits divergent
    for (j = 0; j < n; ++j) {
      out[j] += 1;
      if (in[j * 32 + threadIdx.x] == i)
        goto done;
    }
done:
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, ?
  for (int k = 0; k < i; ++k)
    out[k] += 1;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(?, 0)
  for (int k = 0; k < j; ++k)
    out[k] += 1;
}

// CHECK-LABEL: kernel by_a_uniform_way 256x1x1 (assumed)
__global__ void by_a_uniform_way(float *out, const int *in, int n) {
  int i = 0;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, min(max(n, 0), ?), 1 of 2 exits divergent
  for (; i < n; ++i) {
    out[i] += 1;
    if (in[threadIdx.x + i] > 3)
      return;
  }
  // CHECK-NEXT: [[#@LINE+1]]: uniform, ?
  for (int k = 0; k < i; ++k)
    out[k] += 1;
}

// CHECK-LABEL: kernel invariant_in_the_loop 256x1x1 (assumed)
__global__ void invariant_in_the_loop(float *out, const int *in, int n) {
  int m = 0;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(in[...], 0)
  for (int i = 0; i < in[threadIdx.x]; ++i) {
    out[i] += 1;
    m = n * 2;
  }
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(?, 0)
  for (int k = 0; k < m; ++k)
    out[k] += 1;
}

// CHECK-LABEL: kernel the_parity_of_it 256x1x1 (assumed)
__global__ void the_parity_of_it(float *out, const int *in) {
  bool odd = false;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(in[...], 0)
  for (int i = 0; i < in[threadIdx.x]; ++i) {
    out[i] += 1;
    odd = !odd;
  }
  int m = odd ? 5 : 3;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, ? ? 5 : 3
  for (int k = 0; k < m; ++k)
    out[k] += 1;
}
