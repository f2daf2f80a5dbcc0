// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the device library whose instructions were counted stay calls, which compute from
// their operands: their loops are none of the kernel's. What wasn't counted, writes through
// pointers, is a few instructions, or does more than compute is inlined as any function. The bodies
// here are not the library's.
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

__device__ const float coefficients[] = {0.5f, 0.25f, 0.125f};

extern "C" __device__ float __nv_erff(float x) { // counted, with a table and a variable of its own
  float powers[3] = {x, x * x, x * x * x}, sum = 0;
  for (int k = 0; k < 3 + (x > 1); ++k)
    sum += coefficients[k % 3] * powers[k % 3];
  return sum;
}

extern "C" __device__ float __nv_sinf(float x) { // somebody else's: knows who calls it
  for (int k = 0; k < threadIdx.x; ++k)
    x += 0.5f;
  return x;
}

__device__ int calls;

extern "C" __device__ float __nv_cosf(float x) { // writes memory
  for (int k = 0; k < 100 && x < 1000; ++k)
    x *= 1.5f;
  calls = 1;
  return x;
}

__device__ __noinline__ void store(int *at) { *at = 1; }

extern "C" __device__ float __nv_expf(float x) { // so does what it calls
  for (int k = 0; k < 100 && x < 1000; ++k)
    x *= 1.5f;
  store(&calls);
  return x;
}

extern "C" __device__ float __nv_tanf(float x) { // waits for others
  for (int k = 0; k < 100 && x < 1000; ++k)
    x *= 1.5f;
  __syncthreads();
  return x;
}

extern "C" __device__ float __nv_logf(float x) { // reads a special register
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  for (int k = 0; k < 100 && x < 1000; ++k)
    x *= 1.5f;
  return x + lane;
}

extern "C" __device__ float __nv_log2f(float x) { // asks who is there
  unsigned here;
  asm("activemask.b32 %0;" : "=r"(here));
  for (int k = 0; k < 100 && x < 1000; ++k)
    x *= 1.5f;
  return x + here;
}

extern "C" __device__ float __nv_remainderf(float x,
                                            float y) { // of a function that is counted, too
  for (int k = 0; k < 100 && x < 1000; ++k)
    x *= 1.5f;
  return __nv_fmodf(x, y);
}

extern "C" __device__ float __nv_powif(); // not the library's, which has operands

extern "C" __device__ float __nv_roundf(float x) { // counted, but one instruction
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
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max((int)?, 0)
  for (int i = 0; i < (int)__nv_fmodf(n, 100); ++i)
    out[threadIdx.x] += 1;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, -
  for (int i = 0; i < (int)__nv_fmodf(in[threadIdx.x], 100); ++i)
    out[threadIdx.x] += 1;
}

// CHECK-LABEL: kernel own_memory 256x1x1 (assumed)
__global__ void own_memory(float *out, float n) {
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max((int)(? + ?), 0)
  for (int i = 0; i < (int)(__nv_erff(n) + __nv_remainderf(n, 3)); ++i)
    out[threadIdx.x] += 1;
}

// CHECK-LABEL: kernel does_more 256x1x1 (assumed)
__global__ void does_more(float *out, float n) {
  // CHECK-NEXT: in __nv_sinf: lane-affine, threadIdx.x
  // CHECK-NEXT: in __nv_cosf: uniform, min(first i[[#]] with !(x[[#]] < 1000.0) where x[[#]] begins as n and goes on as x[[#]] * 1.5, 100)
  // CHECK-NEXT: in __nv_expf: uniform, min(first i[[#]] with !(x[[#]] < 1000.0) where x[[#]] begins as n and goes on as x[[#]] * 1.5, 100)
  // CHECK-NEXT: in __nv_tanf: uniform, min(first i[[#]] with !(x[[#]] < 1000.0) where x[[#]] begins as n and goes on as x[[#]] * 1.5, 100)
  // CHECK-NEXT: in __nv_logf: uniform, min(first i[[#]] with !(x[[#]] < 1000.0) where x[[#]] begins as n and goes on as x[[#]] * 1.5, 100)
  // CHECK-NEXT: in __nv_log2f: uniform, min(first i[[#]] with !(x[[#]] < 1000.0) where x[[#]] begins as n and goes on as x[[#]] * 1.5, 100)
  float first = __nv_sinf(n), last = __nv_logf(n);
  float x = __nv_cosf(n) + __nv_expf(n) + __nv_tanf(n) + __nv_log2f(n);
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max((int)?, 0)
  for (int i = 0; i < (int)first; ++i)
    out[threadIdx.x] += x;
  // CHECK-NEXT: [[#@LINE+1]]: lane-affine, max((int)(? + (float)lane), 0)
  for (int i = 0; i < (int)last; ++i)
    out[threadIdx.x] += x;
  out[threadIdx.x] += __nv_powif();
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
  // CHECK-NEXT: in __nv_modff: uniform, first i[[#]] with !(1.0 < x[[#]]) where x[[#]] begins as n and goes on as x[[#]] - 1.0
  float part = __nv_modff(n, &whole);
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max((int)?, 0)
  for (int i = 0; i < (int)whole; ++i)
    out[threadIdx.x] += part;
}

extern "C" __device__ int __nv_min(int, int), __nv_clz(int), __nv_popcll(long long);
extern "C" __device__ int __nv_max(int);

// Without the library's code what is another name for an intrinsic is one.
// CHECK-LABEL: kernel intrinsics 256x1x1 (assumed)
__global__ void intrinsics(int *out, int n, int m) {
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(min(n, m), 0)
  for (int i = 0; i < __nv_min(n, m); ++i)
    out[threadIdx.x] += 1;
  // CHECK-NEXT: [[#@LINE+1]]: lane-affine, max(min(n, threadIdx.x), 0)
  for (int i = 0; i < __nv_min(n, threadIdx.x); ++i)
    out[threadIdx.x] += 1;
  out[threadIdx.x] += __nv_clz(n) + __nv_popcll(n) + __nv_max(n);
}

// A kernel of such a name is none of the library.
// CHECK-LABEL: kernel __nv_kernel 256x1x1 (assumed)
extern "C" __global__ void __nv_kernel(float *out) {
  // CHECK-NEXT: [[#@LINE+1]]: lane-affine, threadIdx.x
  for (int i = 0; i < threadIdx.x; ++i)
    out[threadIdx.x] += 1;
}
