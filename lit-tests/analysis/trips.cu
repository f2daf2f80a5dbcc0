// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How often the body begins: counted by hand.
//
// RUN: %verdicts | FileCheck %s --match-full-lines

// CHECK-LABEL: kernel counts 256x1x1 (assumed)
__global__ void counts(float *out, int n, unsigned u, int step) {
  // CHECK-NEXT: [[#@LINE+1]]: uniform, 5
  for (int i = 0; i < 5; ++i) // 0 1 2 3 4
    out[i] += 1;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, 6
  for (int i = 0; i <= 5; ++i) // and 5
    out[i] += 2;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, 5
  for (int i = 5; i > 0; --i)
    out[i] += 3;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, 6
  for (int i = 5; i >= 0; --i)
    out[i] += 4;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, 5
  for (int i = 5; i-- > 0;) // 4 3 2 1 0
    out[i] += 5;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, 3
  for (int i = 3; i < 11; i += 3) // 3 6 9
    out[i] += 6;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, 3
  for (int i = 3; i != 12; i += 3)
    out[i] += 7;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, 3
  for (int i = 10; i > 0; i -= 4) // 10 6 2
    out[i] += 8;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, 7
  for (unsigned i = 100; i > 0; i /= 2) // 100 50 25 12 6 3 1
    out[i] += 9;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, 7
  for (int i = 1; i < 100; i *= 2) // 1 2 4 8 16 32 64
    out[i] += 10;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(n, 0)
  for (int i = 0; i < n; ++i)
    out[i] += 11;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, ceil(n / step)
  for (int i = 0; i < n; i += step)
    out[i] += 12;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, ceil(u / 7)
  for (unsigned i = 0; i < u; i += 7)
    out[i] += 13;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, first i10 with n >> i10 <= 0
  for (int i = n; i > 0; i >>= 1)
    out[i] += 14;

  int k = 0;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, 5
  do { // 0 1 2 3 4
    out[k] += 15;
  } while (++k < 5);
  k = 7;
  do { // once: 8 is more than 5
    out[k] += 16;
  } while (++k < 5);
  k = 0;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(n - 1, 0) + 1
  do {
    out[k] += 17;
  } while (++k < n);
  k = 0;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(n, 0)
  while (k < n)
    out[k++] += 18;
  k = 0;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, 4
  while (++k < 5) // 1 2 3 4
    out[k] += 19;

  // CHECK-NEXT: [[#@LINE+1]]: uniform, min(max(n, 0), 8)
  for (int i = 0; i < n; ++i) { // a break ends an iteration that counts
    out[i] += 20;
    if (i == 7)
      break;
    out[i] /= 2;
  }
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(n, 0) + 1
  for (int i = 0;; ++i) { // the break stands first, and counts all the same
    if (i >= n)
      break;
    out[i] += 21;
  }
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(n - ? + 1, 0) + 1
  while (true) {
    out[k] += 22;
    if (k > n)
      break;
    ++k;
  }
  // CHECK-NEXT: [[#@LINE+1]]: uniform, {{max\(min\(n, 100\), 0\)|min\(max\(n, 0\), 100\)|first .* with !\(.* < n && .* < 100\)}}
  for (int i = 0; i < n && i < 100; ++i)
    out[i] += 23;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(n, 0)
  for (int i = 0; i < n; ++i) {
    if (out[i] < 0)
      continue;
    out[i] += 24;
  }
  // CHECK-NEXT: [[#@LINE+1]]: uniform, first i0 with i0 * 2 != n
  for (int i = 0; i == n; i += 2) // no count of steps: it goes on while they are equal
    out[i] += 25;
}

// In a macro all places are the same.
#define FOR(i, n) for (int i = 0; i < (n); ++i) out[i] += 1
#define DO(i, n) do { out[i] += 1; } while (++i < (n))
// CHECK-LABEL: kernel macros 256x1x1 (assumed)
__global__ void macros(float *out, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(n, 0)
  FOR(i, n);
  int k = 0;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(n - 1, 0) + 1
  DO(k, n);
}

struct range {
  const int *first, *last;
  __device__ const int *begin() const { return first; }
  __device__ const int *end() const { return last; }
};
// CHECK-LABEL: kernel range_for 256x1x1 (assumed)
__global__ void range_for(float *out, const int *list, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(n, 0)
  for (int i : range{list, list + n})
    out[i] += 1;
}

// CHECK-LABEL: kernel lambda 256x1x1 (assumed)
// CHECK-NEXT: in operator(): uniform, max(n + 1, 0)
// CHECK-NEXT: in operator(): uniform, max(n, 0)
__global__ void lambda(float *out, int n) {
  auto each = [&](int m) {
    for (int i = 0; i < m; ++i)
      out[i] += 1;
  };
  each(n);
  each(n + 1);
}

// A count beside a condition on data is a bound: the body runs once more than what is counted from behind it.
// CHECK-LABEL: kernel bound_beside_data 256x1x1 (assumed)
__global__ void bound_beside_data(float *out, const float *__restrict__ in) {
  int t = 0;
  float error = in[threadIdx.x], e = error;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, min(?, 50)
  while (error <= e && t < 50) {
    e = error;
    error = in[threadIdx.x + ++t];
  }
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, min(?, 49), 1 of 2 exits divergent
  for (t = 1; t < 50; ++t) {
    if (error > e)
      break;
    e = error;
    error = in[threadIdx.x + t];
  }
  out[threadIdx.x] = error;
}
