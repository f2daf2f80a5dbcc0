// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the optimiser moves is told where it is written: a read that doesn't change in a loop, and the
// loop that clang makes of an array with a constructor, which is inlined into it.
//
// RUN: cd %S && %clang %cuda -fsyntax-only written_at.cu -fplugin-arg-divcost-report=%t.json 2>&1 | FileCheck %s
// CHECK: written_at.cu:[[@LINE+22]]:5: warning: loop may run
// CHECK: written_at.cu:[[@LINE+23]]:13: note: lanes leave the loop by this condition
// CHECK: written_at.cu:[[@LINE+23]]:11: note: 'bound' is read here at an address that differs between lanes
// CHECK: written_at.cu:[[@LINE+22]]:17: note: threadIdx.x is read here
// RUN: %divcost report %t.json | FileCheck --check-prefix=LOOP %s
// LOOP-LABEL: table(
// LOOP: written_at.cu:[[@LINE+28]]:8 {{.*}}uniform loop
struct half {
  unsigned short bits;
  __device__ half() { asm("mov.u16 %0, 1;" : "=h"(bits)); }
};
struct tile {
  half x[2];
};
__global__ void moved(int *__restrict__ x, const int *__restrict__ bound, int n) {
  int sum = 0;
  for (int r = 0; r < n;
       ++r) {
    x[r] = sum;

    // Its bound is read before the outer loop.

    for (int i = 0; i < n; ++i) {
      sum += x[i];
      if (i >
          bound[threadIdx.x * 2])
        break;
    }
  }
  x[0] = sum;
}

__global__ void table(int *y, int n) {

  tile t[40];
  for (int i = threadIdx.x; i < n; i += 32) {
    y[i] = t[i % 40].x[i & 1].bits;
    t[i % 40].x[i & 1].bits = 5;
  }
}
