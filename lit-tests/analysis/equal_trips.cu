// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Equal trip counts between ends that differ: exact for numbers that don't wrap, a condition for others.
//
// RUN: %verdicts | FileCheck %s --match-full-lines

// CHECK-LABEL: kernel signed_ends 256x1x1 (assumed)
__global__ void signed_ends(float *out, int n) {
  int start = threadIdx.x * n;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(n, 0)
  for (int i = start; i < start + n; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel signed_ends_as_products 256x1x1 (assumed)
__global__ void signed_ends_as_products(float *out, int n) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(n, 0)
  for (int i = index * n; i < (index + 1) * n; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel unsigned_ends 256x1x1 (assumed)
__global__ void unsigned_ends(float *out, unsigned n) {
  unsigned start = threadIdx.x * n;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, n (if neither the loop's start nor its bound wraps)
  for (unsigned i = start; i < start + n; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel unsigned_ends_until_equal 256x1x1 (assumed)
__global__ void unsigned_ends_until_equal(float *out, unsigned n) {
  unsigned start = threadIdx.x * n;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, n
  for (unsigned i = start; i != start + n; ++i)
    out[i] += 1;
}

// threadIdx.x << 28 + n passes the largest int in some lanes.
// CHECK-LABEL: kernel unsigned_sum_of_signed_ends 256x1x1 (assumed)
__global__ void unsigned_sum_of_signed_ends(float *out, unsigned n) {
  unsigned start = threadIdx.x << 28;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(n, 0) (if neither the loop's start nor its bound wraps)
  for (int i = (int)start; i < (int)(start + n); ++i)
    out[i & 63] += 1;
}

// CHECK-LABEL: kernel wide_ends 256x1x1 (assumed)
__global__ void wide_ends(float *out, long n) {
  long start = threadIdx.x * n;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(n, 0)
  for (long i = start; i < start + n; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel widened_ends 256x1x1 (assumed)
__global__ void widened_ends(float *out, int n) {
  long start = threadIdx.x;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(n, 0)
  for (long i = start * n; i < start * n + n; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel pointers 256x1x1 (assumed)
__global__ void pointers(float *out, int n) {
  float *end = out + threadIdx.x * n + n;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(n, 0)
  for (float *p = out + threadIdx.x * n; p < end; ++p)
    *p += 1;
}

// CHECK-LABEL: kernel window 256x1x1 (assumed)
__global__ void window(float *out, const float *in) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, 7
  for (int i = at - 3; i <= at + 3; ++i)
    out[at] += in[i];
}

// CHECK-LABEL: kernel in_steps 256x1x1 (assumed)
__global__ void in_steps(float *out, int n) {
  int at = threadIdx.x;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, ceil(n / 2)
  for (int i = at; i < at + n; i += 2)
    out[i] += 1;
}

// CHECK-LABEL: kernel downwards 256x1x1 (assumed)
__global__ void downwards(float *out, int n) {
  int at = threadIdx.x + 100;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(n, 0)
  for (int i = at; i > at - n; --i)
    out[i] += 1;
}

// CHECK-LABEL: kernel from_memory 256x1x1 (assumed)
__global__ void from_memory(float *out, const int *first, int n) {
  int start = first[threadIdx.x];
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(n, 0)
  for (int i = start; i < start + n; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel length_from_memory 256x1x1 (assumed)
__global__ void length_from_memory(float *out, const int *length) {
  int start = threadIdx.x;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(length[...], 0)
  for (int i = start; i < start + length[threadIdx.x]; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel step_that_differs 256x1x1 (assumed)
__global__ void step_that_differs(float *out, int n) {
  int start = threadIdx.x;
  // CHECK-NEXT: [[#@LINE+1]]: lane-affine, ceil(n / ((threadIdx.x & 1) + 1))
  for (int i = start; i < start + n; i += 1 + (start & 1))
    out[i] += 1;
}

// CHECK-LABEL: kernel one_end_twice 256x1x1 (assumed)
__global__ void one_end_twice(float *out, int n) {
  int start = threadIdx.x;
  // CHECK-NEXT: [[#@LINE+1]]: lane-affine, max(threadIdx.x + n, 0)
  for (int i = start; i < 2 * start + n; ++i)
    out[i] += 1;
}

// What follows from such a loop rests on the same.
// CHECK-LABEL: kernel condition_goes_on 256x1x1 (assumed)
__global__ void condition_goes_on(float *out, unsigned n) {
  unsigned start = threadIdx.x * n, count = 0;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, n (if neither the loop's start nor its bound wraps)
  for (unsigned i = start; i < start + n; ++i) {
    out[i] = 0;
    count += 3;
  }
  // CHECK-NEXT: [[#@LINE+1]]: uniform, ? (if neither the loop's start nor its bound wraps)
  for (unsigned k = 0; k < count; ++k)
    out[k] += 1;
}

// So does what lanes read in one go while they stay in one, wherever it is tested.
// CHECK-LABEL: kernel condition_goes_in 256x1x1 (assumed)
__global__ void condition_goes_in(int *out, const int *count, unsigned n) {
  unsigned i = threadIdx.x * n, end = i + n;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, {{.*}} (if neither the loop's start nor its bound wraps)
  do {
    int m = *count;
    // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, max(count[...], 0) (if neither the loop's start nor its bound wraps)
    for (int j = 0; j < m; ++j)
      out[i] += j;
  } while (++i < end);
}
