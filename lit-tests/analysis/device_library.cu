// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the device library whose instructions were counted stay calls, which compute from
// their operands: their loops are none of the kernel's. What wasn't counted, writes through pointers
// or is short is inlined as any function. The bodies here are not the library's.
//
// RUN: %verdicts | FileCheck %s --match-full-lines

extern "C" __device__ float __nv_fmodf(float x, float y) { // counted
  float scaled = y;
  if (!(y > 0) || !(x > 0))
    return x * 0.5f - y * 0.25f + 1;
  while (scaled * 2 <= x)
    scaled = scaled * 2 + 1;
  while (scaled >= y) {
    if (x >= scaled)
      x -= scaled;
    scaled = scaled * 0.5f - 1;
  }
  return x + 0.125f;
}

extern "C" __device__ float __nv_roundf(float x) { // counted, but short
  while (x > 1)
    x -= 1;
  return x;
}

extern "C" __device__ float __nv_ynf(int n, float x) { // not counted
  float a = x, b = 1 / x;
  for (int k = 0; k < n; ++k) {
    float next = b * (2 * k + 1) / x - a;
    a = b * 0.5f + 1;
    b = next;
  }
  return a + b * x - a * b * 3 + x * x * x * 5;
}

extern "C" __device__ float __nv_modff(float x, float *whole) { // through a pointer
  *whole = 0;
  while (x > 1) {
    x -= 1;
    *whole += 1;
  }
  return x;
}

// CHECK-LABEL: kernel counted 256x1x1 (assumed)
__global__ void counted(float *out, const float *in, float n) {
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(?, 0)
  for (int i = 0; i < (int)__nv_fmodf(n, 100); ++i)
    out[threadIdx.x] += 1;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, -
  for (int i = 0; i < (int)__nv_fmodf(in[threadIdx.x], 100); ++i)
    out[threadIdx.x] += 1;
}

// CHECK-LABEL: kernel short_one 256x1x1 (assumed)
__global__ void short_one(float *out, const float *in) {
  // CHECK-NEXT: in __nv_roundf: data-dependent, -
  out[threadIdx.x] = __nv_roundf(in[threadIdx.x]);
}

// CHECK-LABEL: kernel not_counted 256x1x1 (assumed)
__global__ void not_counted(float *out, int n) {
  // CHECK-NEXT: in __nv_ynf: uniform, max(n, 0)
  out[threadIdx.x] = __nv_ynf(n, out[threadIdx.x]);
}

// CHECK-LABEL: kernel through_a_pointer 256x1x1 (assumed)
__global__ void through_a_pointer(float *out, float n) {
  float whole;
  // CHECK-NEXT: in __nv_modff: uniform, -
  float part = __nv_modff(n, &whole);
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(?, 0)
  for (int i = 0; i < (int)whole; ++i)
    out[threadIdx.x] += part;
}
