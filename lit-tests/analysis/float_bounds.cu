// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops whose bounds, counters and conditions are floating-point numbers that follow from threadIdx
// and parameters: lane-affine, with a trip count that can be evaluated. What comes from memory is
// data.
//
// RUN: %verdicts | FileCheck %s --match-full-lines

// CHECK-LABEL: kernel float_bounds 256x1x1 (assumed)
__global__ void float_bounds(float *out, int n, float scale) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float c = (i + 0.5f) * scale;
  int a = max(0, (int)(c - scale)), e = min(n, (int)(c + scale + 1));
  float s = 0;
  // CHECK-NEXT: [[#@LINE+1]]: lane-affine, max(min({{(n, )?}}(int)(((float)(blockIdx.x * blockDim.x + threadIdx.x) + 0.5) * scale + scale + 1.0){{(, n)?}}) - max((int)(((float)(blockIdx.x * blockDim.x + threadIdx.x) + 0.5) * scale - scale), 0), 0)
  for (int k = a; k < e; ++k)
    s += out[k];
  out[n + i] = s;
}

// CHECK-LABEL: kernel float_counter 256x1x1 (assumed)
__global__ void float_counter(float *out, float end, float dx) {
  // CHECK-NEXT: [[#@LINE+1]]: lane-affine, first i0 with !(x0 < end) where x0 begins as {{dx \* \(float\)threadIdx.x|\(float\)threadIdx.x \* dx}} and goes on as x0 + dx
  for (float x = threadIdx.x * dx; x < end; x += dx)
    out[threadIdx.x] += x;
}

// CHECK-LABEL: kernel double_counter 256x1x1 (assumed)
__global__ void double_counter(double *out, double end) {
  double x = threadIdx.x + 1.0;
  // CHECK-NEXT: [[#@LINE+1]]: lane-affine, (first i0 with !(x0 * 1.1 < end) where x0 begins as (double)(threadIdx.x + 1) and goes on as x0 * 1.1) + 1
  do {
    out[threadIdx.x] += x;
    x *= 1.1;
  } while (x < end);
}

// CHECK-LABEL: kernel uniform_counter 256x1x1 (assumed)
__global__ void uniform_counter(float *out, float end, float dx) {
  // CHECK-NEXT: [[#@LINE+1]]: uniform, first i0 with !(x0 < end) where x0 begins as 0.0 and goes on as x0 + dx
  for (float x = 0; x < end; x += dx)
    out[threadIdx.x] += x;
}

// What the inner loop adds to the outer one's counter is asked before there is an expression of the
// number that the inner loop carries on.
// CHECK-LABEL: kernel counts_over_numbers 256x1x1 (assumed)
__global__ void counts_over_numbers(float *out, float r, int n) {
  float sum = 0;
  int k = threadIdx.x;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, first i0 with !(x0 <= r) where x0 begins as -r and goes on as x0 + 1.0
  for (float y = -r; y <= r; ++y)
    // CHECK-NEXT: [[#@LINE+1]]: uniform, first i1 with !(x1 <= r) where x1 begins as -r and goes on as x1 + 1.0
    for (float x = -r; x <= r; ++x)
      sum += out[k++];
  out[n] = sum;
}

// Counters of both kinds, and ends of both kinds.
// CHECK-LABEL: kernel int_counter 256x1x1 (assumed)
__global__ void int_counter(float *out, float end, float dx) {
  // CHECK-NEXT: [[#@LINE+1]]: lane-affine, first i0 with !({{dx \* \(float\)\(threadIdx.x \+ i0\)|\(float\)\(threadIdx.x \+ i0\) \* dx}} < end)
  for (int k = threadIdx.x; k * dx < end; ++k)
    out[k] += 1;
}

// CHECK-LABEL: kernel also_counted 256x1x1 (assumed)
__global__ void also_counted(float *out, float dx) {
  float x = threadIdx.x;
  // CHECK-NEXT: [[#@LINE+1]]: lane-affine, min(first i0 with !(x0 < 1000000.0) where x0 begins as (float)threadIdx.x and goes on as x0 * dx, 100)
  for (int k = 0; k < 100 && x < 1e6f; ++k, x *= dx)
    out[k] += x;
}

// Functions that are known exactly; a fused product; conversions of CUDA's.
// CHECK-LABEL: kernel functions 256x1x1 (assumed)
__global__ void functions(float *out, float scale) {
  float x = __builtin_floorf(threadIdx.x * 0.1f);
  float y = __builtin_fmaf(x, scale, 3.0f);
  float z = __builtin_fminf(__builtin_fabsf(y), 100.0f);
  // CHECK-NEXT: [[#@LINE+1]]: lane-affine, max((int)min(max(floor((float)threadIdx.x * 0.1) * scale + 3.0, -(floor((float)threadIdx.x * 0.1) * scale + 3.0)), 100.0), 0)
  for (int k = 0; k < (int)z; ++k)
    out[k] += 1;
}

// What one evaluates to is tried for known blocks: these windows are as long as each other.
// CHECK-LABEL: kernel windows 64x1x1 (pragma)
#pragma divcost launch(block=64)
__global__ void windows(float *out) {
  float c = (threadIdx.x + 0.5f) * 4.0f;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, {{.*}} (blocks of 64x1x1)
  for (int k = (int)(c - 2.0f); k < (int)(c + 2.0f); ++k)
    out[k] += 1;
}

// From memory: data, as before.
// CHECK-LABEL: kernel from_memory 256x1x1 (assumed)
__global__ void from_memory(float *__restrict__ out, const float *__restrict__ limit) {
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, -
  for (float x = 0; x < limit[threadIdx.x]; x += 0.5f)
    out[threadIdx.x] += x;
}

// CHECK-LABEL: kernel newton 256x1x1 (assumed)
__global__ void newton(float *y, const float *x) {
  float a = x[threadIdx.x], r = a;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, min(?, 50), 1 of 2 exits divergent
  for (int k = 0; k < 50; ++k) {
    float n = 0.5f * (r + a / r);
    if (__builtin_fabsf(n - r) < 1e-6f)
      break;
    r = n;
  }
  y[threadIdx.x] = r;
}

// Two numbers that depend on each other aren't followed.
// CHECK-LABEL: kernel mandelbrot 256x1x1 (assumed)
__global__ void mandelbrot(int *out, float cx, float cy) {
  float x = 0, y = 0, u = cx + threadIdx.x;
  int k = 0;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, min(?, 100), 1 of 2 exits divergent
  while (k < 100 && x * x + y * y < 4) {
    float t = x * x - y * y + u;
    y = 2 * x * y + cy;
    x = t;
    ++k;
  }
  out[threadIdx.x] = k;
}
