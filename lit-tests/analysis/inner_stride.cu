// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counters that an inner loop advances by as much in each iteration of the outer one.
//
// RUN: %verdicts | FileCheck %s --match-full-lines

// CHECK-LABEL: kernel grid_of_eight 256x1x1 (assumed)
__global__ void grid_of_eight(const float *x, float *y, int n) {
  float s = 0;
  // CHECK-NEXT: [[#@LINE+1]]: strided, ceil((n - threadIdx.x) / (blockDim.x * 8))
  for (int i = threadIdx.x; i < n;)
    // CHECK-NEXT: [[#@LINE+2]]: uniform, 8
    // CHECK-NEXT: [[#@LINE+2]]: branch threadIdx.x + i0 * (blockDim.x * 8) + i1 * blockDim.x < n
    for (int j = 0; j < 8; ++j) {
      s += i < n ? x[blockIdx.x * n + i] : 0;
      i += blockDim.x;
    }
  y[blockIdx.x * blockDim.x + threadIdx.x] = s;
}

// CHECK-LABEL: kernel tests_last 256x1x1 (assumed)
__global__ void tests_last(float *y, int n) {
  int i = threadIdx.x;
  // CHECK-NEXT: [[#@LINE+1]]: strided, ceil((n - threadIdx.x) / (blockDim.x * 8))
  while (i < n) {
    int j = 0;
    // CHECK-NEXT: [[#@LINE+1]]: uniform, 8
    do {
      y[i] += 1;
      i += blockDim.x;
    } while (++j < 8);
  }
}

// The last of the inner iterations ends before it adds.
// CHECK-LABEL: kernel adds_behind_the_test 256x1x1 (assumed)
__global__ void adds_behind_the_test(float *y, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: strided, ceil((n - threadIdx.x) / (blockDim.x * 7))
  for (int i = threadIdx.x; i < n;)
    // CHECK-NEXT: [[#@LINE+1]]: uniform, 8
    for (int j = 1;; ++j) {
      y[i] += 1;
      if (j >= 8)
        break;
      i += blockDim.x;
    }
}

// CHECK-LABEL: kernel two_deep 256x1x1 (assumed)
__global__ void two_deep(float *y, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: strided, ceil((n - threadIdx.x) / (blockDim.x * 12))
  for (int i = threadIdx.x; i < n;)
    // CHECK-NEXT: [[#@LINE+1]]: uniform, 3
    for (int k = 0; k < 3; ++k)
      // CHECK-NEXT: [[#@LINE+1]]: uniform, 4
      for (int j = 0; j < 4; ++j) {
        y[i] += 1;
        i += blockDim.x;
      }
}

// CHECK-LABEL: kernel increments_at_each_level 256x1x1 (assumed)
__global__ void increments_at_each_level(float *y, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: strided, ceil((n - threadIdx.x) / (blockDim.x * 15 + 2))
  for (int i = threadIdx.x; i < n; i += 2)
    // CHECK-NEXT: [[#@LINE+1]]: uniform, 3
    for (int k = 0; k < 3; ++k) {
      // CHECK-NEXT: [[#@LINE+1]]: uniform, 4
      for (int j = 0; j < 4; ++j) {
        y[i] += 1;
        i += blockDim.x;
      }
      i += blockDim.x;
    }
}

// Two inner loops, one after the other.
// CHECK-LABEL: kernel one_after_the_other 256x1x1 (assumed)
__global__ void one_after_the_other(float *y, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: strided, ceil((n - threadIdx.x) / (blockDim.x * 5))
  for (int i = threadIdx.x; i < n;) {
    // CHECK-NEXT: [[#@LINE+1]]: uniform, 2
    for (int j = 0; j < 2; ++j, i += blockDim.x)
      y[i] += 1;
    // CHECK-NEXT: [[#@LINE+1]]: uniform, 3
    for (int j = 0; j < 3; ++j, i += blockDim.x)
      y[i] += 2;
  }
}

// Down, and without a sign.
// CHECK-LABEL: kernel down 256x1x1 (assumed)
__global__ void down(float *y, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: strided, ceil((n - threadIdx.x) / (blockDim.x * 8)) (if neither the loop's start nor its bound wraps)
  for (int i = n - threadIdx.x; i > 0;)
    // CHECK-NEXT: [[#@LINE+1]]: uniform, 8
    for (int j = 0; j < 8; ++j, i -= blockDim.x)
      y[i] += 1;
}

// How often the inner loop adds is the launch's to say: often enough, and the counter wraps.
// CHECK-LABEL: kernel as_often_as_launched 256x1x1 (assumed)
__global__ void as_often_as_launched(float *y, unsigned n, int m) {
  // CHECK-NEXT: [[#@LINE+1]]: strided, ceil((n - threadIdx.x) / (blockDim.x * (int)max(m, 0))) (if the loop's counter does not wrap)
  for (unsigned i = threadIdx.x; i < n;)
    // CHECK-NEXT: [[#@LINE+1]]: uniform, max(m, 0)
    for (int j = 0; j < m; ++j, i += blockDim.x)
      y[i] += 1;
}

// In an int it doesn't.
// CHECK-LABEL: kernel as_often_in_int 256x1x1 (assumed)
__global__ void as_often_in_int(float *y, int n, int m) {
  // CHECK-NEXT: [[#@LINE+1]]: strided, ceil((n - threadIdx.x) / ((int)max(m, 0) * 2)) (if max(m, 0) >= 16; if no warp lies in two rows of the block)
  for (int i = threadIdx.x; i < n;)
    // CHECK-NEXT: [[#@LINE+1]]: uniform, max(m, 0)
    for (int j = 0; j < m; ++j, i += 2)
      y[i] += 1;
}

// CHECK-LABEL: kernel trips_of_the_lane 256x1x1 (assumed)
__global__ void trips_of_the_lane(float *y, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: lane-affine, ceil((n - threadIdx.x) / (blockDim.x * (int)(threadIdx.x & 3))) (if the loop's counter does not wrap)
  for (int i = threadIdx.x; i < n;)
    // CHECK-NEXT: [[#@LINE+1]]: lane-affine, threadIdx.x & 3
    for (int j = 0; j < (threadIdx.x & 3); ++j, i += blockDim.x)
      y[i] += 1;
}

// What the inner loop adds depends on data, or changes from one iteration of the outer loop to the next.
// CHECK-LABEL: kernel break_on_data 256x1x1 (assumed)
__global__ void break_on_data(float *y, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, -
  for (int i = threadIdx.x; i < n;)
    // CHECK-NEXT: [[#@LINE+1]]: data-dependent, min(?, 8), 1 of 2 exits divergent
    for (int j = 0; j < 8; ++j) {
      i += blockDim.x;
      if (y[i]++ > 1)
        break;
    }
}

// CHECK-LABEL: kernel under_a_condition 256x1x1 (assumed)
__global__ void under_a_condition(float *y, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, -
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    // CHECK-NEXT: [[#@LINE+1]]: uniform, 8
    for (int j = 0; j < 8; ++j)
      if (y[i]++ > 1)
        i += blockDim.x;
}

// CHECK-LABEL: kernel step_of_the_outer_loop 256x1x1 (assumed)
__global__ void step_of_the_outer_loop(float *y, int n) {
  int step = 1;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, -
  for (int i = threadIdx.x; i < n; step *= 3)
    // CHECK-NEXT: [[#@LINE+1]]: uniform, 8
    for (int j = 0; j < 8; ++j, i += step)
      y[i] += 1;
}

// CHECK-LABEL: kernel trips_of_the_outer_loop 256x1x1 (assumed)
__global__ void trips_of_the_outer_loop(float *y, int n) {
  int m = 1;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, -
  for (int i = threadIdx.x; i < n; ++m)
    // CHECK-NEXT: [[#@LINE+1]]: uniform, i0 + 1
    for (int j = 0; j < m; ++j, i += blockDim.x)
      y[i] += 1;
}

// The inner loop ends where the outer one does, so that the last of its runs is shorter.
// CHECK-LABEL: kernel tests_the_counter 256x1x1 (assumed)
__global__ void tests_the_counter(float *y, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, -
  for (int i = threadIdx.x; i < n;)
    // CHECK-NEXT: [[#@LINE+1]]: data-dependent, min(ceil((n - ?) / blockDim.x), 8)
    for (int j = 0; j < 8 && i < n; ++j, i += blockDim.x)
      y[i] += 1;
}

// Each way through an iteration adds as much.
// CHECK-LABEL: kernel on_both_ways 256x1x1 (assumed)
__global__ void on_both_ways(float *y, const float *x, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: strided, ceil((n - threadIdx.x) / blockDim.x)
  for (int i = threadIdx.x; i < n;) {
    // CHECK-NEXT: [[#@LINE+1]]: branch {{.*}}
    if (x[i] < 0) {
      y[i] = 1;
      i += blockDim.x;
      continue;
    }
    y[i] = x[i];
    i += blockDim.x;
  }
}

// One way adds nothing.
// CHECK-LABEL: kernel on_one_way 256x1x1 (assumed)
__global__ void on_one_way(float *y, const float *x, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, -
  for (int i = threadIdx.x; i < n;) {
    y[i] = x[i];
    if (x[i] >= 0)
      i += blockDim.x;
  }
}
