// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is certain of kernels whose warps all go the same way: all lanes are there, but where some may take the slow
// path of a division or a function, by operands of their own. What is expected leaves these out.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang %cuda -w -O2 -S -o code.s -fplugin-arg-divcost-block=256 -fplugin-arg-divcost-report=r.json %s
// RUN: %python %S/Inputs/certain.py r.json | FileCheck %s

extern "C" __device__ float __nv_cosf(float), __nv_expf(float), __nv_fast_fdividef(float, float);
extern "C" __device__ double __nv_sqrt(double), __nv_log(double);

// CHECK: divides: expected 1, certain from less to 1
__global__ void divides(float *out, const float *a, const float *b) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  out[t] = a[t] / b[t];
}

// CHECK-NEXT: divides_alike: expected 1, certain 1
__global__ void divides_alike(float *__restrict__ out, const float *__restrict__ a, const float *__restrict__ b) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  out[t] = a[blockIdx.x] / b[blockIdx.x];
}

// CHECK-NEXT: divides_fast: expected 1, certain 1
__global__ void divides_fast(float *out, const float *a, const float *b) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  out[t] = __nv_fast_fdividef(a[t], b[t]);
}

// CHECK-NEXT: divides_long: expected 1, certain from less to 1
__global__ void divides_long(long long *out, const long long *a, long long b) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  out[t] = a[t] / b;
}

// CHECK-NEXT: cosine: expected 1, certain from less to 1
__global__ void cosine(float *out, const float *a) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  out[t] = __nv_cosf(a[t]);
}

// It has no branch.
// CHECK-NEXT: power: expected 1, certain 1
__global__ void power(float *out, const float *a) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  out[t] = __nv_expf(a[t]);
}

// CHECK-NEXT: root: expected 1, certain from less to 1
__global__ void root(double *out, const double *a) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  out[t] = __nv_sqrt(a[t]);
}

// Most of it is skipped where all lanes can.
// CHECK-NEXT: logarithm: expected 1, certain from less to 1
__global__ void logarithm(double *out, const double *a) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  out[t] = __nv_log(a[t]);
}
