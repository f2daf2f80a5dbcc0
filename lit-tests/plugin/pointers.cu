// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that only a table leads to get the warnings that hold whatever their arguments are,
// where warnings are all that is wanted and where a report is, too.
//
// RUN: %clang %cuda -O2 -S -o /dev/null %s 2> %t.without
// RUN: FileCheck %s < %t.without
// RUN: %clang %cuda -O2 -S -o /dev/null %s -fplugin-arg-divcost-report=%t.json 2> %t.with
// RUN: diff %t.without %t.with
// RUN: %clang %cuda -fsyntax-only %s 2>&1 | FileCheck %s
//
// RUN: %clang %cuda -fsyntax-only -Rpass-analysis=divcost %s 2>&1 | FileCheck --check-prefix=REMARK %s
// REMARK: pointers.cu:[[# @LINE + 31]]:17: remark: kernel 'run(int*)', calls of functions that aren't inlined (through a pointer: by_argument(int*, int), by_thread(int*, int)): what happens in them is in none of the kernel's figures [-Rpass-analysis=divcost]
//
// An annotation in such a function is used.
// CHECK-NOT: annotation
// CHECK-NOT: warning
// CHECK: pointers.cu:[[# @LINE + 19]]:5: warning: __syncthreads() {{.*}} [divcost-barrier]
// CHECK-NOT: warning: {{.*}}divcost

typedef void (*step)(int *, int);

// Callers may well give all threads the same number.
__device__ __noinline__ void by_argument(int *at, int n) {
  if (n > 3) {
    at[threadIdx.x] = 1;
    __syncthreads();
  }
#pragma divcost trips(poisson(30))
  for (int k = 0; k < at[threadIdx.x]; ++k)
    at[k] += at[n];
}

__device__ __noinline__ void by_thread(int *at, int n) {
  if (threadIdx.x > 3) {
    at[threadIdx.x] = n;
    __syncthreads();
  }
  at[n] = 1;
}

__device__ step const steps[2] = {by_argument, by_thread};

__global__ void run(int *at) { steps[at[0] & 1](at, 3); }
