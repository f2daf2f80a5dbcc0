// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bisection: every way through an iteration leaves half of the interval, but for one. Lanes that start alike then
// differ by one trip at most, and by few otherwise; what only looks like it is as any other data-dependent loop.
//
// RUN: %clang %cuda -O2 -w -S -o /dev/null %s -fplugin-arg-divcost-report=%t.txt
// RUN: FileCheck %s < %t.txt

#include "Inputs/library.h"

extern "C" {
__global__ void is_middle_of_ends(int *a, const int *b, int n) {
  int low = 0, high = n;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (b[middle] < a[threadIdx.x])
      low = middle + 1;
    else
      high = middle;
  }
  a[threadIdx.x] = low;
}

__global__ void is_half_of_a_length(int *a, const int *b, int n) {
  int first = 0;
  while (n > 0) {
    int half = n >> 1;
    if (b[first + half] < a[threadIdx.x]) {
      first += half + 1;
      n -= half + 1;
    } else
      n = half;
  }
  a[threadIdx.x] = first;
}

__global__ void is_left_early(int *a, const int *b, int n) {
  int low = 0, high = n - 1;
  while (low <= high) {
    int middle = (low + high) / 2;
    if (b[middle] == a[threadIdx.x]) {
      a[threadIdx.x] = middle;
      return;
    }
    if (b[middle] < a[threadIdx.x])
      low = middle + 1;
    else
      high = middle - 1;
  }
}

__global__ void is_rounded_up(int *a, const int *b, unsigned n) {
  unsigned low = 0, high = n;
  while (low < high) {
    unsigned middle = (low + high + 1) >> 1;
    if (b[middle] < a[threadIdx.x])
      low = middle;
    else
      high = middle - 1;
  }
  a[threadIdx.x] = low;
}

__device__ void search(int *a, const int *b, int low, int high) {
  while (low < high) {
    int middle = (low + high) / 2;
    if (b[middle] < a[threadIdx.x])
      low = middle + 1;
    else
      high = middle;
  }
  a[threadIdx.x] = low;
}

// Lanes that begin with parts of an array that follow from their index differ by as little.
__global__ void is_of_parts(int *a, const int *b, int part, int n) {
  int low = threadIdx.x * part, high = min(low + part, n);
  search(a, b, low, high);
}

// Where each reads its own ends, their logarithms differ.
__global__ void is_of_rows(int *a, const int *b, const int *row) {
  int low = row[threadIdx.x], high = row[threadIdx.x + 1];
  search(a, b, low, high);
}

// The middle is handed on to the next iteration.
__global__ void is_middle_handed_on(int *a, const int *b, int part) {
  int low = threadIdx.x * part, high = low + part - 1, middle = (low + high) / 2;
  while (low < high) {
    bool below = a[threadIdx.x] <= b[middle];
    low = below ? low : middle + 1;
    high = below ? middle : high;
    middle = (low + high) / 2;
  }
  a[threadIdx.x] = middle;
}

// One way makes it longer.
__global__ void not_three_halves(int *a, const int *b, int n) {
  int c = 0;
  while (n > 1) {
    n = b[threadIdx.x + n] ? (3 * n + 1) / 2 : n / 2;
    a[c++] += 1;
  }
}

__global__ void not_a_half_more(int *a, const int *b, unsigned n) {
  while (n > 1) {
    n = b[threadIdx.x + n] ? n / 2 : n + n / 2;
    a[n] += 1;
  }
}

// One way keeps both ends.
__global__ void not_always(int *a, const int *b, int n) {
  int low = 0, high = n;
  while (low < high) {
    int middle = (low + high) >> 1;
    if (b[middle + threadIdx.x])
      high = middle;
    else if (b[threadIdx.x] > a[middle])
      low = middle + 1;
    a[middle] += 1;
  }
}
}

// The report has them by what they lose.
// CHECK-NOT: bisects
// CHECK-DAG: {{^not_three_halves$}}
// CHECK-DAG: {{^not_a_half_more$}}
// CHECK-DAG: {{^not_always$}}
// CHECK: {{^is_of_rows$}}
// CHECK: it bisects intervals of 2^15 to
// CHECK: {{^is_}}
// CHECK-COUNT-6: it bisects an interval of 2^16
// CHECK-NOT: bisects
