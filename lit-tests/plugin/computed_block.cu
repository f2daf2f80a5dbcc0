// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where threads in a block are computed, the number of blocks may still be there to read; of one
// kernel it is known where all of its launches have the same, and nobody else may launch it.
//
// RUN: %clang %cuda -fsyntax-only %s -fplugin-arg-divcost-report=%t.json
// RUN: %python -c "import json; [print(k['symbol'], k['skeleton']['launches']) \
// RUN:   for k in json.load(open('%t.json'))['kernels']]" | FileCheck %s

// CHECK: one{{.*}} [{'block': [256, 1, 1], 'grid': [1, 1, 1], 'from': 'computed'}]
__global__ void one(float *x) { x[threadIdx.x] += 1; }

// CHECK: bounded{{.*}} [{'block': [128, 1, 1], 'grid': [4, 2, 1], 'from': 'launch_bounds'}]
__global__ void __launch_bounds__(128) bounded(float *x) { x[threadIdx.x] += 1; }

// CHECK: different{{.*}} [{'block': [256, 1, 1], 'from': 'computed'}]
__global__ void different(float *x) { x[threadIdx.x] += 1; }

// CHECK: given_away{{.*}} [{'block': [256, 1, 1], 'from': 'computed'}]
__global__ void given_away(float *x) { x[threadIdx.x] += 1; }

// Shapes that are assumed are of as many blocks.
// CHECK: rows{{.*}} [{'block': [16, 16, 1], 'grid': [5, 1, 1], 'from': 'computed'}, {'block': [32, 8, 1], 'grid': [5, 1, 1], 'from': 'computed'}]
__global__ void rows(float *x, const int *n) {
  for (int k = 0; k < n[threadIdx.y]; ++k)
    x[threadIdx.x] += k;
}

// What all launches say of a block's dimensions is known, and the others fill it up.
// CHECK: column{{.*}} [{'block': [1, 256, 1], 'from': 'computed'}]
__global__ void column(float *x) { x[threadIdx.y] += 1; }

// CHECK: layers{{.*}} [{'block': [4, 8, 8], 'from': 'computed'}]
__global__ void layers(float *x) { x[threadIdx.x + threadIdx.z] += 1; }

// CHECK: deep{{.*}} [{'block': [1, 1, 64], 'from': 'computed'}]
__global__ void deep(float *x) { x[threadIdx.z] += 1; }

// CHECK: widths{{.*}} [{'block': [256, 1, 1], 'from': 'computed'}]
__global__ void widths(float *x) { x[threadIdx.x] += 1; }

void run(float *x, const int *n, int threads) {
  column<<<threads, dim3(1, threads)>>>(x);
  column<<<threads, dim3(1, 2 * threads)>>>(x);
  layers<<<threads, dim3(4, threads, threads)>>>(x);
  deep<<<threads, dim3(1, 1, threads)>>>(x);
  widths<<<threads, dim3(8, threads)>>>(x);
  widths<<<threads, dim3(threads, 1)>>>(x);
  rows<<<5, dim3(threads, threads)>>>(x, n);
  one<<<1, threads>>>(x);
  one<<<1, 2 * threads>>>(x);
  bounded<<<dim3(4, 2), threads>>>(x);
  different<<<1, threads>>>(x);
  different<<<2, threads>>>(x);
  given_away<<<1, threads>>>(x);
  void (*elsewhere)(float *) = given_away;
  elsewhere<<<7, threads>>>(x);
}
