// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers that iterations carry on without a closed form: the trip count is a run of the loop.
//
// RUN: %verdicts | FileCheck %s --match-full-lines

// CHECK-LABEL: kernel digits 256x1x1 (assumed)
__global__ void digits(unsigned *out, unsigned first) {
  unsigned n = first + threadIdx.x, sum = 0;
  // CHECK-NEXT: [[#@LINE+1]]: lane-affine, min(bit_width([[SUM:(first \+ threadIdx.x)|(threadIdx.x \+ first)]]), first i0 with x0 == 0 where x0 begins as [[SUM]] and goes on as x0 / 10)
  while (n > 0) {
    sum += n % 10;
    n /= 10;
  }
  out[threadIdx.x] = sum;
}

// Another counter may end it before.
// CHECK-LABEL: kernel word 256x1x1 (assumed)
__global__ void word(char *out, unsigned long long first, int length) {
  unsigned long long n = first + blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK-NEXT: [[#@LINE+1]]: lane-affine, min(max(length, 0), first i0 with x0 == 0 where x0 begins as {{.*first.*}} and goes on as x0 / 62)
  for (int i = length - 1; i >= 0 && n > 0; --i) {
    out[i * 256 + threadIdx.x] = n % 62;
    n /= 62;
  }
}

// CHECK-LABEL: kernel collatz 256x1x1 (assumed)
__global__ void collatz(int *out) {
  unsigned n = threadIdx.x + 1;
  int steps = 0;
  // CHECK-NEXT: [[#@LINE+1]]: lane-affine, first i0 with x0 == 1 where x0 begins as threadIdx.x + 1 and goes on as ((x0 & 1) == 0 ? x0 >> 1 : x0 * 3 + 1)
  while (n != 1) {
    n = n % 2 ? 3 * n + 1 : n / 2;
    ++steps;
  }
  out[threadIdx.x] = steps;
}

// CHECK-LABEL: kernel bits 256x1x1 (assumed)
__global__ void bits(int *out) {
  int count = 0;
  // CHECK-NEXT: [[#@LINE+1]]: lane-affine, min(bit_width(threadIdx.x), first i0 with x0 == 0 where x0 begins as threadIdx.x and goes on as x0 & x0 - 1)
  for (unsigned n = threadIdx.x; n; n &= n - 1)
    out[256 * count++ + threadIdx.x] = n;
}

// Where an iteration leaves the number as it is, the lanes differ by as much as they did.
// CHECK-LABEL: kernel at_times {{.*}}
__global__ void __launch_bounds__(32) at_times(int *out) {
  unsigned n = 1000 + threadIdx.x * 4000;
  int k = 0;
  // CHECK-NEXT: [[#@LINE+1]]: lane-affine, {{.*}}
  while (n != 0) {
    if (k & 1)
      n /= 3;
    out[++k * 64 + threadIdx.x] = k;
  }
}

// All lanes of a warp begin with the same number.
// CHECK-LABEL: kernel of_warps 256x1x1 (assumed)
__global__ void of_warps(int *out) {
  // CHECK-NEXT: [[#@LINE+1]]: lane-affine, min(bit_width(threadIdx.x >> 5), first i0 with x0 == 0 where x0 begins as threadIdx.x >> 5 and goes on as x0 / 3) (warp-uniform if blockDim.x is a multiple of 32)
  for (unsigned n = threadIdx.x / 32; n; n /= 3)
    out[threadIdx.x] += n;
}

// What each lane reads isn't run, nor are two numbers that depend on each other.
// CHECK-LABEL: kernel of_data 256x1x1 (assumed)
__global__ void of_data(int *out, const unsigned *in) {
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, min(bit_width(in[...]), ?)
  for (unsigned n = in[threadIdx.x]; n; n /= 3)
    out[threadIdx.x] += n;
}

// CHECK-LABEL: kernel divisor 256x1x1 (assumed)
__global__ void divisor(unsigned *out, unsigned n) {
  unsigned a = threadIdx.x, b = n;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, -
  while (b) {
    unsigned rest = a % b;
    a = b;
    b = rest;
  }
  out[threadIdx.x] = a;
}
