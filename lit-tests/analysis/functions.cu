// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The verdict belongs to the path of calls: inlined, kept out, recursive, through a pointer.
//
// RUN: %verdicts | FileCheck %s --match-full-lines
//
// What happens in functions that stay calls is in no figure, and the report says so.
// RUN: cd %S && %clang %cuda -fsyntax-only -w functions.cu -fplugin-arg-divcost-report=%t.txt
// RUN: FileCheck --check-prefix=TEXT %s < %t.txt
// TEXT: tail_recursion(int*, int const*){{$}}
// TEXT-NOT: calls
// TEXT: lost
// TEXT: loses {{[1-9].*}}% of the kernel
// TEXT: recursion(int*, int const*, int const*, float*){{$}}
// TEXT: efficiency    3.1..{{[0-9.]+}}% expected
// TEXT: calls of functions that aren't inlined
// TEXT: in a function that is called, in none

__device__ void fill(float *out, int n) {
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel uniform_call 256x1x1 (assumed)
// CHECK-NEXT: in fill: uniform, max(n, 0)
__global__ void uniform_call(float *out, int n) { fill(out, n); }

// CHECK-LABEL: kernel divergent_call 256x1x1 (assumed)
// CHECK-NEXT: in fill: lane-affine, threadIdx.x
__global__ void divergent_call(float *out) { fill(out, threadIdx.x); }

// CHECK-LABEL: kernel both_calls 256x1x1 (assumed)
// CHECK-NEXT: in fill: lane-affine, threadIdx.x * 2
// CHECK-NEXT: in fill: uniform, max(n, 0)
__global__ void both_calls(float *out, int n) {
  fill(out, n);
  fill(out, threadIdx.x * 2);
}

__device__ __noinline__ void fill_apart(float *out, int n) {
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel uniform_call_of_noinline 256x1x1 (assumed)
// CHECK-NEXT: in fill_apart: uniform, max(n, 0)
__global__ void uniform_call_of_noinline(float *out, int n) { fill_apart(out, n); }

// CHECK-LABEL: kernel divergent_call_of_noinline 256x1x1 (assumed)
// CHECK-NEXT: in fill_apart: lane-affine, threadIdx.x
__global__ void divergent_call_of_noinline(float *out) { fill_apart(out, threadIdx.x); }

__device__ int depth(const int *next, int at, int count) {
  return at < 0 ? count : depth(next, next[at], count + 1);
}

// CHECK-LABEL: kernel tail_recursion 256x1x1 (assumed)
// CHECK-NEXT: in depth: data-dependent, -
__global__ void tail_recursion(int *out, const int *next) {
  out[threadIdx.x] = depth(next, threadIdx.x, 0);
}

__device__ float sum(const float *values, int n, float so_far) {
  return n == 0 ? so_far : sum(values, n - 1, so_far + values[n]);
}

// What is a loop can be inlined: its bound is the caller's.
// CHECK-LABEL: kernel tail_recursion_so_often 256x1x1 (assumed)
// CHECK-NEXT: in sum: uniform, n
__global__ void tail_recursion_so_often(float *out, const float *values, int n) {
  out[threadIdx.x] = sum(values, n, threadIdx.x);
}

__device__ int constant_flag;
__device__ int both_ways(const int *left, const int *right, int at, float *out) {
  if (at < 0)
    return 0;
  int n = constant_flag;
  for (int i = 0; i < n; ++i)
    out[i] += 1;
  return 1 + both_ways(left, right, left[at], out) + both_ways(left, right, right[at], out);
}

// CHECK-LABEL: kernel recursion 256x1x1 (assumed)
// CHECK-NEXT: calls both_ways(int const*, int const*, int, float*) (not-inlined)
// CHECK-NEXT: in both_ways: data-dependent, -
// CHECK-NEXT: in both_ways: data-dependent, max(constant_flag[...], 0)
__global__ void recursion(int *out, const int *left, const int *right, float *f) {
  out[threadIdx.x] = both_ways(left, right, threadIdx.x, f);
}

__device__ int one(int n) { return n; }
__device__ int two(int n) { return n * 2; }
// CHECK-LABEL: kernel through_a_pointer 256x1x1 (assumed)
// CHECK-DAG: calls one(int) (pointer)
// CHECK-DAG: calls two(int) (pointer)
__global__ void through_a_pointer(float *out, int n, int k) {
  int (*f)(int) = k ? one : two;
  int (*volatile g)(int) = f;
  int m = g(n);
  // CHECK-NEXT: [[#@LINE+1]]: unknown, max(?, 0)
  for (int i = 0; i < m; ++i)
    out[i] += 1;
}

__device__ int elsewhere(int n);
// CHECK-LABEL: kernel defined_elsewhere 256x1x1 (assumed)
// CHECK-NEXT: calls elsewhere(int) (elsewhere)
__global__ void defined_elsewhere(float *out, int n) {
  int m = elsewhere(n);
  // CHECK-NEXT: [[#@LINE+1]]: unknown, max(?, 0)
  for (int i = 0; i < m; ++i)
    out[i] += 1;
}

__device__ int rows_of(int n) {
  if (n < 4)
    return 4;
  for (int k = 1;; k *= 2)
    if (k > n)
      return k;
}
// CHECK-LABEL: kernel uniform_result 256x1x1 (assumed)
// CHECK-NEXT: in rows_of: uniform, (first i1 with n < 1 << i1) + 1
__global__ void uniform_result(float *out, int n) {
  int m = rows_of(n);
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(?, 0)
  for (int i = 0; i < m; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel divergent_result 256x1x1 (assumed)
// CHECK-NEXT: in rows_of: branch threadIdx.x < 4
// CHECK-NEXT: in rows_of: lane-affine, (first i1 with threadIdx.x < 1 << i1) + 1
__global__ void divergent_result(float *out) {
  int m = rows_of(threadIdx.x);
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(?, 0)
  for (int i = 0; i < m; ++i)
    out[i] += 1;
}

struct shape {
  __device__ virtual int sides() const { return 0; }
};
struct square : shape {
  __device__ int sides() const override { return 4; }
};
// CHECK-LABEL: kernel virtual_call 256x1x1 (assumed)
// No object of these classes is made here, so there is no table of their functions.
// CHECK-NEXT: calls others (pointer)
__global__ void virtual_call(float *out, const shape *s) {
  int n = s->sides();
  // CHECK-NEXT: [[#@LINE+1]]: unknown, max(?, 0)
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}
