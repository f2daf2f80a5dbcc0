// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of which each iteration leaves half at most: bit_width of what there is bounds their trips.
//
// RUN: %verdicts | FileCheck %s --match-full-lines

// Two sorted lists are merged, each thread from its own diagonal on.
// CHECK-LABEL: kernel merge_path 256x1x1 (assumed)
__global__ void merge_path(int *out, const int *a, const int *b) {
  const int diagonal = threadIdx.x;
  int low = diagonal < 128 ? 0 : diagonal - 128, high = diagonal < 128 ? diagonal : 128;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, min(bit_width(max(min(threadIdx.x, 128) - (max(threadIdx.x, 128) - 128), 0)), ?)
  while (low < high) {
    const int middle = (low + high) >> 1;
    if (b[diagonal - 1 - middle] < a[middle])
      high = middle;
    else
      low = middle + 1;
  }
  out[threadIdx.x] = low;
}

// CHECK-LABEL: kernel rows 256x1x1 (assumed)
__global__ void rows(int *out, const int *start, const int *key, int wanted) {
  int low = start[threadIdx.x], high = start[threadIdx.x + 1];
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, min(bit_width(max(start[...] - start[...], 0)), ?)
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (key[middle] < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  low = start[threadIdx.x];
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, min(bit_width(max(? - start[...] - 1, 0)), ?)
  while (low + 1 < high) {
    const int middle = low + (high - low) / 2;
    if (key[middle] < wanted)
      low = middle;
    else
      high = middle;
  }
  high = start[threadIdx.x + 2];
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, min(bit_width(max(start[...] - ? + 1, 0)), ?)
  while (low <= high) {
    const int middle = low + (high - low) / 2;
    if (key[middle] < wanted)
      low = middle + 1;
    else
      high = middle - 1;
  }
  out[threadIdx.x] = low;
}

// A length beside where it begins.
// CHECK-LABEL: kernel length 256x1x1 (assumed)
__global__ void length(int *out, const int *start, const int *key, int wanted) {
  int first = start[threadIdx.x], left = start[threadIdx.x + 1] - first;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, min(bit_width(max(start[...] - start[...], 0)), ?)
  while (left > 0) {
    const int half = left / 2;
    if (key[first + half] < wanted) {
      first += half + 1;
      left -= half + 1;
    } else {
      left = half;
    }
  }
  out[threadIdx.x] = first;
}

// CHECK-LABEL: kernel numbers 256x1x1 (assumed)
__global__ void numbers(int *out, const unsigned *in, const unsigned long long *wide) {
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, bit_width(in[...])
  for (unsigned m = in[threadIdx.x]; m; m >>= 1)
    out[m] += 1;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, min(bit_width(in[...]), ?)
  for (unsigned m = in[threadIdx.x + 1]; m; m &= m - 1)
    out[m] += 2;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, min(bit_width(wide[...]), ?)
  for (unsigned long long m = wide[threadIdx.x]; m; m /= 10)
    out[m & 1] += 3;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, first i0 with in[...] >> i0 <= 0
  for (int m = in[threadIdx.x]; m > 0; m /= 2)
    out[m] += 4;
}

// None of these: (a + b) / 2 rounds up where it is negative; an end that stays; a number that
// doesn't become 0; more than half is left.
// CHECK-LABEL: kernel none 256x1x1 (assumed)
__global__ void none(int *out, const int *start, const int *key, int wanted) {
  int low = start[threadIdx.x], high = start[threadIdx.x + 1];
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, -
  while (low < high) {
    const int middle = (low + high) / 2;
    if (key[middle] < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  low = start[threadIdx.x];
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, -
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (key[middle] < wanted)
      low = middle;
    else
      high = middle;
  }
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, first i1 with key[...] >> i1 == 0
  for (int m = key[threadIdx.x]; m; m >>= 1)
    out[m] += 1;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, -
  for (unsigned m = key[threadIdx.x]; m > 1;) {
    out[m] += 2;
    m = key[m] ? m / 2 : m - m / 3;
  }
  out[threadIdx.x] = low;
}

// From 0 up to and with 2^63 - 1 are more numbers than 64 bits with a sign can count.
// CHECK-LABEL: kernel whole_range {{.*}}
__global__ void whole_range(unsigned long long n, int *out) {
  long long low = 0, high = n >> 1;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, min(bit_width(max(n >> 1, -1) + 1), first i0 with x0 <= -1 where x0 begins as n >> 1 and goes on as (x0 >> 1) - 1)
  while (low <= high) {
    long long middle = low + (high - low) / 2;
    out[middle & 63] += 1;
    high = middle - 1;
  }
}
