// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Merges go on until both runs are at their ends: as many times as these have items together, whatever data decide.
//
// RUN: %clang %cuda -O2 -w -S -o /dev/null %s -fplugin-arg-divcost-report=%t.json
// RUN: %python %S/Inputs/merges.py %t.json | FileCheck %s

extern "C" {
// CHECK: of_parts alike
__global__ void of_parts(const int *a, int *b, int width, int n) {
  int start = (blockIdx.x * blockDim.x + threadIdx.x) * width, middle = min(start + width / 2, n),
      end = min(start + width, n);
  int i = start, j = middle, k = start;
  while (i < middle || j < end) {
    if (j == end)
      b[k] = a[i++];
    else if (i == middle)
      b[k] = a[j++];
    else if (a[i] < a[j])
      b[k] = a[i++];
    else
      b[k] = a[j++];
    ++k;
  }
}

// CHECK: in_one_condition alike
__global__ void in_one_condition(const int *a, int *b, unsigned width) {
  unsigned start = threadIdx.x * width, middle = start + width / 2, end = start + width;
  unsigned i = start, j = middle;
  for (unsigned k = start; i < middle || j < end; ++k)
    if (j >= end || (i < middle && a[i] <= a[j]))
      b[k] = a[i++];
    else
      b[k] = a[j++];
}

// Runs whose ends are data may have any length.
// CHECK: of_data data
__global__ void of_data(const int *a, int *b, const int *row) {
  int i = row[2 * threadIdx.x], middle = row[2 * threadIdx.x + 1], j = middle, end = row[2 * threadIdx.x + 2];
  for (int k = i; i < middle || j < end; ++k)
    if (j >= end || (i < middle && a[i] <= a[j]))
      b[k] = a[i++];
    else
      b[k] = a[j++];
}

// Where one of the runs ends is data.
// CHECK: until_one data
__global__ void until_one(const int *a, int *b, int width) {
  int start = threadIdx.x * width, middle = start + width / 2, end = start + width;
  int i = start, j = middle;
  for (int k = start; i < middle && j < end; ++k)
    if (a[i] <= a[j])
      b[k] = a[i++];
    else
      b[k] = a[j++];
}

// An intersection moves both at times.
// CHECK: both_at_times data
__global__ void both_at_times(const int *a, int *count, int width) {
  int start = threadIdx.x * width, middle = start + width / 2, end = start + width, found = 0;
  int i = start, j = middle;
  while (i < middle || j < end) {
    int x = a[i], y = a[j];
    found += x == y;
    i += x <= y;
    j += y <= x;
  }
  count[threadIdx.x] = found;
}
}
