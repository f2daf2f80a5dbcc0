// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What nvcc's LLVM and ptxas do otherwise than clang's: the machine instructions of each block,
// behind the number of its innermost loop (0: none), and by how much loops are unrolled.
//
// RUN: %clang %cuda -O3 -fsyntax-only -w %s -fplugin-arg-divcost-report=%t.json -fplugin-arg-divcost-compiler=nvcc
// RUN: %python -c "import json, sys; [print(k['name'].split('(')[0], *[f'{b[1] + 1}:{b[6]}' for b in k['skeleton']['blocks']], *[l['unroll_expected'] for l in k['loops']]) for k in json.load(open(sys.argv[1]))['kernels']]" %t.json | FileCheck %s

// A remainder by what a loop doubles is divided for, 17 instructions and the difference that clang
// would mask with.
// CHECK: halves 0:{{[0-9]+}} 1:2 1:21 1:{{[0-9]+}} 1:{{[0-9]+}} 0:1 1
__global__ void halves(float *at, int n) {
  for (int s = 1; s < n; s *= 2) {
    if (threadIdx.x % (2 * s) == 0)
      at[threadIdx.x] += at[threadIdx.x + s];
    __syncthreads();
  }
}

// CHECK-NEXT: masks 0:{{[0-9]+}} 1:2 1:4 1:{{[0-9]+}} 1:{{[0-9]+}} 0:1 1
__global__ void masks(float *at, int n) {
  for (int s = 1; s < n; s *= 2) {
    if ((threadIdx.x & (2 * s - 1)) == 0)
      at[threadIdx.x] += at[threadIdx.x + s];
    __syncthreads();
  }
}

// Four copies by LLVM, four of these by ptxas, but not where 64 bits count from a constant, and of
// steps of an unsigned counter LLVM makes none.
// CHECK-NEXT: words {{.*}} 16
__global__ void words(float *out, const float *in, const int *n) {
  float sum = 0;
  for (int k = 0; k < n[threadIdx.x]; ++k)
    sum += in[k];
  out[threadIdx.x] = sum;
}

// CHECK-NEXT: long_words {{.*}} 4
__global__ void long_words(float *out, const float *in, const long *n) {
  float sum = 0;
  for (long k = 0; k < n[threadIdx.x]; ++k)
    sum += in[k];
  out[threadIdx.x] = sum;
}

// Nor where an index steps beside the counter: it may wrap between LLVM's copies.
// CHECK-NEXT: unsigned_columns {{.*}} 4
__global__ void unsigned_columns(float *out, const float *in, unsigned rows, const int *n) {
  float sum = 0;
  for (unsigned k = 0; k < n[threadIdx.x]; ++k)
    sum += in[k * rows + threadIdx.x];
  out[threadIdx.x] = sum;
}

// CHECK-NEXT: columns {{.*}} 16
__global__ void columns(float *out, const float *in, int rows, const int *n) {
  float sum = 0;
  int row = threadIdx.x;
  for (int k = 0; k < n[threadIdx.x]; ++k)
    sum += in[k * rows + row];
  out[threadIdx.x] = sum;
}

// CHECK-NEXT: from_lane {{.*}} 16
__global__ void from_lane(float *out, const float *in, const int *n) {
  float sum = 0;
  int row = threadIdx.x;
  for (int k = 0; k < n[threadIdx.x]; ++k)
    sum += in[k + row];
  out[threadIdx.x] = sum;
}

// CHECK-NEXT: columns_of_64 {{.*}} 4
__global__ void columns_of_64(float *out, const float *in, const int *n) {
  float sum = 0;
  int row = threadIdx.x;
  for (int k = 0; k < n[threadIdx.x]; ++k)
    sum += in[k * 64 + row];
  out[threadIdx.x] = sum;
}

// CHECK-NEXT: strides {{.*}} 16
__global__ void strides(float *out, const float *in, int n) {
  float sum = 0;
  for (int k = threadIdx.x; k < n; k += 32)
    sum += in[k];
  out[threadIdx.x] = sum;
}

// CHECK-NEXT: unsigned_strides {{.*}} 4
__global__ void unsigned_strides(float *out, const float *in, unsigned n) {
  float sum = 0;
  for (unsigned k = threadIdx.x; k < n; k += 32)
    sum += in[k];
  out[threadIdx.x] = sum;
}

// What every iteration reads at one address is read in front of the loop: the test (2), and the
// element, its address that advances, the sum and the step.
struct array {
  float *data;
};
// CHECK-NEXT: in_front 0:{{[0-9]+}} 1:2 1:5 0:{{[0-9]+}}
__global__ void in_front(float *out, const array *of, int n) {
  float sum = 0;
  for (int k = threadIdx.x; k < n; ++k)
    sum += of->data[k];
  out[threadIdx.x] = sum;
}

// CHECK-NEXT: behind_a_store 0:{{[0-9]+}} 1:2 1:7 0:1
__global__ void behind_a_store(float *out, const array *of, int n) {
  for (int k = threadIdx.x; k < n; ++k)
    out[k] = of->data[k];
}
