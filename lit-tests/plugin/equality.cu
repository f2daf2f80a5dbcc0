// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What comparisons for equality tell of how long loops run that data end.
//
// RUN: %clang %cuda -fsyntax-only -w %s -fplugin-arg-divcost-report=%t.json
// RUN: cd %S && %divcost report %t.json > %t.txt
// RUN: FileCheck %s --check-prefix=ONCE < %t.txt
// RUN: FileCheck %s --check-prefix=ALIKE < %t.txt
// RUN: %clang %cuda -fsyntax-only %s 2>&1 | FileCheck --implicit-check-not=warning: %s

__device__ unsigned hashed(unsigned x) {
  for (int k = 0; k < 64; ++k)
    x = x * 1664525 + 1013904223;
  return x;
}

__device__ bool is_wanted(const unsigned *digest, const unsigned *wanted, int n) {
  // ONCE: equality.cu:[[# @LINE + 3]]:3 loses
  // ONCE: assumed: geometric(0.96875), since it goes on only while
  // ONCE-NEXT: values are equal; mean 1.03
  for (int k = 0; k < n; ++k)
    if (digest[k] != wanted[k])
      return false;
  return true;
}

// A digest is hardly ever the one that is wanted.
__global__ void search(const unsigned *wanted, int n, int *found) {
  unsigned digest[8];
  unsigned seed = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 8; ++k)
    digest[k] = seed = hashed(seed);
  if (is_wanted(digest, wanted, n))
    *found = seed;
}

// Nor does a lane leave the loop around for that, or for the flag, which all lanes read.
__global__ void search_range(const unsigned *wanted, volatile int *found, int range) {
  unsigned digest[8];
  unsigned first = (blockIdx.x * blockDim.x + threadIdx.x) * range;
  // ALIKE: equality.cu:[[# @LINE + 2]]:3 loses 0% of the kernel
  // ALIKE: assumed: const(64), since next to no lane leaves it alone;
  for (unsigned seed = first; seed < first + range; ++seed) {
    if (*found != -1)
      return;
    unsigned value = seed;
    for (int k = 0; k < 8; ++k)
      digest[k] = value = hashed(value);
    if (is_wanted(digest, wanted, 8)) {
      *found = seed;
      return;
    }
  }
}

// Where a value is found, nobody knows.
__global__ void look_up(const int *keys, const int *wanted, int *at, int n) {
  int key = wanted[threadIdx.x], k = 0;
  // CHECK: equality.cu:[[# @LINE + 1]]:3: warning: loop may run a different number of iterations in each lane, by data: {{.*}} (assumed: trip counts from poisson(64) to geometric(0.015625))
  while (k < n && keys[k] != key)
    ++k;
  at[threadIdx.x] = k;
}

// Elements of one array may be sorted: rows of a matrix as coordinates.
__global__ void run_of_rows(const int *row, const float *value, float *out, int n) {
  int k = threadIdx.x * 64;
  float sum = 0;
  // CHECK: equality.cu:[[# @LINE + 1]]:3: warning: loop may run a different number of iterations in each lane, by data: {{.*}} (assumed: trip counts from poisson(64) to geometric(0.015625))
  for (int end = k + 1; end < n && row[end] == row[end - 1]; ++end)
    sum += value[end];
  out[threadIdx.x] = sum;
}

// What all lanes read at one address is taken to be the same, though they read it while they run apart.
struct layer {
  int rows, columns;
  float *weights;
};

__global__ void forward(layer *layers, const float *in, float *out, int n) {
  for (int l = 0; l < n; ++l) {
    if (threadIdx.x < layers[l].rows) {
      float sum = 0;
      for (int k = 0; k < layers[l].columns; ++k) {
        sum += layers[l].weights[k * layers[l].rows + threadIdx.x] * in[k];
        out[k] = sum;
      }
      out[threadIdx.x] = sum;
    }
    __syncthreads();
  }
}

// A flag of all doesn't make rows alike that end by themselves.
__global__ void rows(const int *row, const float *value, float *out, volatile int *stop) {
  float sum = 0;
  // CHECK: equality.cu:[[# @LINE + 1]]:3: warning: loop may run a different number of iterations in each lane, by data: {{.*}} (assumed: trip counts from poisson(64) to geometric(0.015625))
  for (int k = row[threadIdx.x]; k < row[threadIdx.x + 1]; ++k) {
    if (*stop)
      break;
    sum += value[k];
  }
  out[threadIdx.x] = sum;
}

// A counter that a loop has left in different iterations, by the lane's index, isn't alike.
__global__ void powers(float *out, const float *in, float n) {
  float x = 1;
  int k = 0;
  while (x < n) {
    x *= threadIdx.x + 2;
    ++k;
  }
  // CHECK: equality.cu:[[# @LINE + 2]]:3: warning: loop may run a different number of iterations in each lane, by data: {{.*}} (assumed: trip counts from poisson(64) to geometric(0.015625))
#pragma unroll 1
  for (int j = 0; j < k; ++j)
    out[j * 32 + threadIdx.x] += hashed(j);
}
