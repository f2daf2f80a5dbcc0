// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What becomes of functions and calls as one is put in the place of another.
//
// RUN: %verdicts -fgpu-rdc | FileCheck %s --match-full-lines
// RUN: cd %S && %clang %cuda -fgpu-rdc -O2 -S -o /dev/null -w inlined.cu -fplugin-arg-divcost-report=%t.txt
// RUN: FileCheck --check-prefix=TEXT %s < %t.txt

// The call through the pointer turns out to be of a function that is looked at later, and is its
// only call.
// CHECK: kernel through_pointer 256x1x1 (assumed)
__device__ int later(int x);
__device__ int apply(int (*function)(int), int x) { return function(x); }
__global__ void through_pointer(int *p) { p[threadIdx.x] = apply(later, p[threadIdx.x]); }
__device__ int later(int x) {
  int sum = 0;
  // CHECK-NEXT: in later: data-dependent, max(p[...], 0)
  for (int i = 0; i < x; ++i)
    sum += i ^ x;
  return sum;
}

// Two functions that call each other, one of them through a pointer: no end to inlining.
// CHECK: kernel by_turns 256x1x1 (assumed)
__device__ int odd(int x);
__device__ int even(int x) { return x > 0 ? apply(odd, x - 1) : 0; }
__device__ int odd(int x) { return even(x) + 1; }
__global__ void by_turns(int *p) { p[threadIdx.x] = even(p[0]); }

// What is called may write the caller's variable, whatever it could do where it was.
// CHECK: kernel bound_is_written 256x1x1 (assumed)
__device__ void write(int *p);
__device__ int again(int *p, int n) {
  if (n == 0)
    return *p;
  write(p);
  return again(p, n - 1);
}
__global__ void bound_is_written(int *out, int n) {
  int bound = 5, sum = 0;
  // CHECK: [[#@LINE+1]]: uniform, max(n, 0)
  for (int j = 0; j < n; ++j) {
    sum += again(&bound, 1);
    // CHECK: [[#@LINE+1]]: data-dependent, {{.*}}
    for (int i = 0; i < bound; ++i)
      sum += out[i * 3 + j];
  }
  out[threadIdx.x] = sum;
}

// An element that is read in three places is read once in each iteration, and with the one that
// follows and that of the thread's own.
// TEXT: read_thrice(
// TEXT: memory {{ *}}416 sectors of 32 bytes per warp, 416 needed
struct Row {
  float *data;
  int n;
};
__device__ float element(const Row &row, int i) { return i < row.n ? row.data[i] : 0; }
__global__ void read_thrice(Row row, float *__restrict__ out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int j = 0; j < row.n; ++j) {
    sum += element(row, j) * element(row, i) + element(row, j + 1) + element(row, j);
    out[j] = sum;
    sum += element(row, j);
  }
}
