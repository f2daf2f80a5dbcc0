// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All lanes of a warp have the same after each has been added to those whose numbers differ from
// its own in one bit, for all five bits, whatever their order.
//
// RUN: %verdicts | FileCheck %s --match-full-lines

template <typename T> __device__ T sum(T value) {
  for (int mask = 16; mask > 0; mask /= 2)
    value += __shfl_xor_sync(0xffffffff, value, mask);
  return value;
}

// CHECK-LABEL: kernel halves 256x1x1 (assumed)
__global__ void halves(float *out, const int *in) {
  // CHECK-NEXT: in sum<int>: uniform, 5
  int n = sum(in[threadIdx.x]);
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, max(?, 0)
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel reals 256x1x1 (assumed)
__global__ void reals(float *out) {
  // CHECK-NEXT: in sum<float>: uniform, 5
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, -
  while (sum(out[threadIdx.x]) > 0)
    out[threadIdx.x] -= 1;
}

// CHECK-LABEL: kernel largest 256x1x1 (assumed)
__global__ void largest(float *out, const int *in) {
  int n = in[threadIdx.x];
  // CHECK-NEXT: [[#@LINE+1]]: uniform, 5
  for (int mask = 1; mask < warpSize; mask <<= 1)
    n = max(n, __shfl_xor_sync(~0u, n, mask));
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, max(?, 0)
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel by_number 256x1x1 (assumed)
__global__ void by_number(float *out, const int *in) {
  int n = in[threadIdx.x], bit = 0;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, 5
  do
    n |= __shfl_xor_sync(~0u, n, 1 << bit);
  while (++bit < 5);
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, max(?, 0)
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel written_out 256x1x1 (assumed)
__global__ void written_out(float *out, const int *in) {
  int n = in[threadIdx.x];
  n += __shfl_xor_sync(~0u, n, 4);
  n += __shfl_xor_sync(~0u, n, 16);
  n += __shfl_xor_sync(~0u, n, 8);
  n += __shfl_xor_sync(~0u, n, 1);
  int of_pairs = n;
  n += __shfl_xor_sync(~0u, n, 2);
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, max(?, 0)
  for (int i = 0; i < n; ++i)
    out[i] += 1;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(in[...] + ? + ? + ? + ?, 0)
  for (int i = 0; i < of_pairs; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel differences 256x1x1 (assumed)
__global__ void differences(float *out, const int *in) {
  int n = in[threadIdx.x];
  // CHECK-NEXT: [[#@LINE+1]]: uniform, 5
  for (int mask = 16; mask > 0; mask /= 2)
    n -= __shfl_xor_sync(~0u, n, mask);
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(?, 0)
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}

// The larger of x and no number is one or the other, by which is first.
// CHECK-LABEL: kernel selected 256x1x1 (assumed)
__global__ void selected(float *out, const float *in) {
  float x = in[threadIdx.x];
  // CHECK-NEXT: [[#@LINE+1]]: uniform, 5
  for (int mask = 16; mask > 0; mask /= 2) {
    float other = __shfl_xor_sync(~0u, x, mask);
    x = x > other ? x : other;
  }
  int n = __float_as_int(x);
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(?, 0)
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel two_bits 256x1x1 (assumed)
__global__ void two_bits(float *out, const int *in) {
  int n = in[threadIdx.x];
  // CHECK-NEXT: [[#@LINE+1]]: uniform, 5
  for (int mask = 31; mask > 0; mask /= 2)
    n += __shfl_xor_sync(~0u, n, mask);
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(?, 0)
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel half_a_warp 256x1x1 (assumed)
__global__ void half_a_warp(float *out, const int *in) {
  int n = in[threadIdx.x], m = n;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, 4
  for (int mask = 8; mask > 0; mask /= 2)
    n += __shfl_xor_sync(~0u, n, mask);
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(?, 0)
  for (int i = 0; i < n; ++i)
    out[i] += 1;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, 5
  for (int mask = 16; mask > 0; mask /= 2)
    m += __shfl_xor_sync(~0u, m, mask, 16);
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(?, 0)
  for (int i = 0; i < m; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel more_is_added 256x1x1 (assumed)
__global__ void more_is_added(float *out, const int *in) {
  int n = in[threadIdx.x];
  // CHECK-NEXT: [[#@LINE+1]]: uniform, 5
  for (int mask = 16; mask > 0; mask /= 2)
    n += __shfl_xor_sync(~0u, n, mask) + threadIdx.x;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(?, 0)
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}

// How far the loop goes isn't known.
// CHECK-LABEL: kernel some_steps 256x1x1 (assumed)
__global__ void some_steps(float *out, const int *in, int from) {
  int n = in[threadIdx.x];
  // CHECK-NEXT: [[#@LINE+1]]: uniform, {{.*}}
  for (int mask = from; mask > 0; mask /= 2)
    n += __shfl_xor_sync(~0u, n, mask);
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(?, 0)
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}

// Some lanes make no steps.
// CHECK-LABEL: kernel apart 256x1x1 (assumed)
__global__ void apart(float *out, const int *in) {
  int n = in[threadIdx.x];
  if (threadIdx.x % 2) {
    // CHECK-NEXT: in sum<int>: uniform, 5
    // CHECK-NEXT: [[#@LINE-2]]: branch (threadIdx.x & 1) == 0
    n = sum(n);
    // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(?, 0)
    for (int i = 0; i < n; ++i)
      out[i] += 1;
  }
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(?, 0)
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}

// Some lanes of a warp are gone, and nobody knows what others have from them; a warp may go as a
// whole.
// CHECK-LABEL: kernel gone 256x1x1 (assumed)
__global__ void gone(float *out, const int *in, int end) {
  // CHECK-NEXT: in sum<int>: uniform, 5
  // CHECK-NEXT: [[#@LINE+1]]: branch threadIdx.x < end
  if (threadIdx.x >= end)
    return;
  int n = sum(in[threadIdx.x]);
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(?, 0)
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel a_row_each 256x1x1 (assumed)
__global__ void a_row_each(float *out, const int *in, int rows) {
  // CHECK-NEXT: in sum<int>: uniform, 5
  // CHECK-NEXT: [[#@LINE+1]]: branch threadIdx.x >> 5 < rows
  if (threadIdx.x / 32 >= rows)
    return;
  int n = sum(in[threadIdx.x]);
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(?, 0) (warp-uniform if blockDim.x is a multiple of 32)
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}

// In the second round some are.
// CHECK-LABEL: kernel gone_later 256x1x1 (assumed)
__global__ void gone_later(float *out, const int *in) {
  // CHECK-NEXT: in sum<int>: uniform, 5
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, min(?, 9), 1 of 2 exits divergent
  for (int k = 0; k < 9; ++k) {
    int n = sum(in[threadIdx.x + k]);
    // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(?, 0)
    for (int i = 0; i < n; ++i)
      out[i] += 1;
    if (in[threadIdx.x * 3 + k] == 7)
      return;
  }
}
