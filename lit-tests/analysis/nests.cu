// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops in loops.
//
// RUN: %verdicts | FileCheck %s --match-full-lines

// CHECK-LABEL: kernel uniform_in_divergent 256x1x1 (assumed)
__global__ void uniform_in_divergent(float *out, const int *in, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(in[...], 0)
  for (int i = 0; i < in[threadIdx.x]; ++i)
    // CHECK-NEXT: [[#@LINE+1]]: uniform, max(n, 0)
    for (int j = 0; j < n; ++j)
      out[j] += i;
}

// CHECK-LABEL: kernel divergent_in_uniform 256x1x1 (assumed)
__global__ void divergent_in_uniform(float *out, const int *in, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(n, 0)
  for (int i = 0; i < n; ++i)
    // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(in[...], 0)
    for (int j = 0; j < in[threadIdx.x]; ++j)
      out[j] += i;
}

// CHECK-LABEL: kernel triangle_of_the_outer 256x1x1 (assumed)
__global__ void triangle_of_the_outer(float *out, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(n, 0)
  for (int i = 0; i < n; ++i)
    // CHECK-NEXT: [[#@LINE+1]]: uniform, i0
    for (int j = 0; j < i; ++j)
      out[j] += i;
}

// CHECK-LABEL: kernel rest_of_the_outer 256x1x1 (assumed)
__global__ void rest_of_the_outer(float *out, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(n, 0)
  for (int i = 0; i < n; ++i)
    // CHECK-NEXT: [[#@LINE+1]]: uniform, max(n - i0 - 1, 0)
    for (int j = i + 1; j < n; ++j)
      out[j] += i;
}

// CHECK-LABEL: kernel outer_value_that_differs 256x1x1 (assumed)
__global__ void outer_value_that_differs(float *out, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: strided, ceil((n - threadIdx.x) / blockDim.x)
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    // CHECK-NEXT: [[#@LINE+1]]: lane-affine, max(threadIdx.x + i0 * blockDim.x, 0)
    for (int j = 0; j < i; ++j)
      out[j] += i;
}

// CHECK-LABEL: kernel two_ends_of_the_outer 256x1x1 (assumed)
__global__ void two_ends_of_the_outer(float *out, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: strided, ceil((n - threadIdx.x) / blockDim.x)
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    // CHECK-NEXT: [[#@LINE+1]]: uniform, 5
    for (int j = i; j < i + 5; ++j)
      out[j] += i;
}

// CHECK-LABEL: kernel read_in_the_outer 256x1x1 (assumed)
__global__ void read_in_the_outer(float *out, const int *length, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(n, 0)
  for (int i = 0; i < n; ++i) {
    int m = length[i];
    // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, max(length[...], 0)
    for (int j = 0; j < m; ++j)
      out[j] += i;
  }
}

// CHECK-LABEL: kernel read_where_lanes_have_left 256x1x1 (assumed)
__global__ void read_where_lanes_have_left(float *out, const int *length, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: strided, ceil((n - threadIdx.x) / blockDim.x)
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    int m = *length;
    // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(length[...], 0)
    for (int j = 0; j < m; ++j)
      out[j] += i;
    __threadfence();
  }
  out[0] = 1;
}

// CHECK-LABEL: kernel three 256x1x1 (assumed)
__global__ void three(float *out, const int *in, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(n, 0)
  for (int i = 0; i < n; ++i)
    // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(in[...], 0)
    for (int j = 0; j < in[threadIdx.x + i]; ++j)
      // CHECK-NEXT: [[#@LINE+1]]: uniform, i0
      for (int k = 0; k < i; ++k)
        out[k] += j;
}

// CHECK-LABEL: kernel after_a_divergent_inner 256x1x1 (assumed)
__global__ void after_a_divergent_inner(float *out, const int *in, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(n, 0)
  for (int i = 0; i < n; ++i) {
    // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(in[...], 0)
    for (int j = 0; j < in[threadIdx.x + i]; ++j)
      out[j] += 1;
    int m = in[i];
    // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, max(in[...], 0)
    for (int k = 0; k < m; ++k)
      out[k] += 1;
  }
}

// CHECK-LABEL: kernel inner_leaves_the_outer 256x1x1 (assumed)
__global__ void inner_leaves_the_outer(float *out, const float *in, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, min(max(n, 0), ?), 1 of 2 exits divergent
  for (int i = 0; i < n; ++i)
    // CHECK-NEXT: [[#@LINE+1]]: data-dependent, min(max(n, 0), ?), 1 of 2 exits divergent
    for (int j = 0; j < n; ++j) {
      out[j] += 1;
      if (in[threadIdx.x + j] > 3)
        goto done;
    }
done:
  out[3] = 1;
}

// CHECK-LABEL: kernel all_leave_the_outer_together 256x1x1 (assumed)
__global__ void all_leave_the_outer_together(float *out, int n, int m) {
  // CHECK-NEXT: [[#@LINE+1]]: uniform, min(max(n, 0), ?)
  for (int i = 0; i < n; ++i)
    // CHECK-NEXT: [[#@LINE+1]]: uniform, min(max(n, 0), m - i0 * n + 1)
    for (int j = 0; j < n; ++j) {
      out[j] += 1;
      if (i * n + j == m)
        goto done;
    }
done:
  out[3] = 1;
}

// CHECK-LABEL: kernel bound_from_the_inner 256x1x1 (assumed)
__global__ void bound_from_the_inner(float *out, const int *in, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, -
  for (int i = 0; i < n;) {
    int j = 0;
    // CHECK-NEXT: [[#@LINE+1]]: data-dependent, -
    while (in[threadIdx.x + j] > i)
      ++j;
    out[j] += 1;
    i += j;
  }
}
