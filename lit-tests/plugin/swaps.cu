// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops in which lanes go round until they have compared and swapped: of the lanes that have one address, one succeeds
// in each iteration.
//
// RUN: %clang %cuda -O2 -S -o /dev/null %s -fplugin-arg-divcost-report=%t.json 2>&1 | FileCheck %s
// RUN: %python %S/Inputs/swaps.py %t.json | FileCheck %s --check-prefix=LOOPS

typedef unsigned long long word;

__device__ void add(double *to, double more) {
  word *at = (word *)to, now = *at, old;
  do {
    old = now;
    now = atomicCAS(at, old, __builtin_bit_cast(word, more + __builtin_bit_cast(double, old)));
  } while (now != old);
}

extern "C" {
// LOOPS: to_one one address, 16.5 trips
__global__ void to_one(double *sum, const double *in) {
  // CHECK: swaps.cu:14:3: warning: lanes go round until they have swapped at one address, one after the other: {{.*}}% of the kernel's issue cycles are lost (assumed: nobody else is faster); let one lane swap what all of the warp bring [divcost-data-dependent]
  add(sum, in[threadIdx.x]);
}

// Each has its own, or one of 256, or all have the same.
// LOOPS: to_any addresses, 1 to 16.5 trips
__global__ void to_any(double *bins, const int *bin, const double *in) { add(bins + bin[threadIdx.x], in[threadIdx.x]); }

// One lane is alone.
// LOOPS: by_one one address, 1 trips
__global__ void by_one(double *sum, const double *in) {
  if (threadIdx.x == 0)
    add(sum, in[0]);
}

// What is read again in each iteration, an integer, and another way to leave.
// LOOPS: least one address, 16.5 trips
__global__ void least(int *to, const int *in) {
  int own = in[threadIdx.x];
  // CHECK: swaps.cu:[[#@LINE+1]]:3: warning: lanes go round until they have swapped at one address, one after the other: {{.*}} [divcost-data-dependent]
  for (;;) {
    int now = *(volatile int *)to;
    if (now <= own || atomicCAS(to, now, own) == now)
      break;
  }
}

// As often as it may at most.
// LOOPS: four_times one address, 3.8125 trips
__global__ void four_times(int *to) {
  // CHECK: swaps.cu:[[#@LINE+2]]:3: warning: lanes go round until they have swapped at one address, one after the other: {{.*}} [divcost-data-dependent]
#pragma unroll 1
  for (int t = 0; t < 4; ++t) {
    int now = *(volatile int *)to;
    if (atomicCAS(to, now, now * 3 + 1) == now)
      break;
  }
}

// CHECK-NOT: have swapped
// A lock that lanes wait for, and a place that they look for, are something else.
// LOOPS: wait -
__global__ void wait(int *lock, int *out) {
  while (atomicCAS(lock, 0, 1) != 0)
    ;
  ++out[threadIdx.x];
}

// LOOPS: insert -
__global__ void insert(int *table, const int *keys) {
  int key = keys[threadIdx.x], at = key;
  while (atomicCAS(table + at, 0, key) != 0)
    at = (at + 1) & 1023;
}
}
