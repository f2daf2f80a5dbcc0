// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compilers test at the end of an iteration, for a "for" as for a "do": lanes that leave cost as much
// in both. Thread 31 has no iteration of the "for", and leaves at the guard before it.
//
// RUN: %clang %cuda -fsyntax-only -w %s -fplugin-arg-divcost-report=%t.json
// RUN: %divcost emulate %t.json --kernel test_last --arch sm_90 --warp 0 --param n=32 | FileCheck %s
// RUN: %divcost emulate %t.json --kernel test_first --arch sm_90 --warp 0 --param n=32 | FileCheck %s --check-prefix=FIRST
//
// CHECK: 31 divergent branches, 31 of them exits of loops
// CHECK: 403 of managing divergence
// FIRST: 31 divergent branches
// FIRST: 406 of managing divergence

__global__ void test_last(float *o, int n, float x) {
  int t = threadIdx.x, m = t < n ? 32 - t : 32, i = 0;
  float a = x;
  do {
    a = a * x + 1.0f;
  } while (++i < m);
  o[t] = a;
}

__global__ void test_first(float *o, int n, float x) {
  int t = threadIdx.x, m = t < n ? 31 - t : 32;
  float a = x;
  for (int i = 0; i < m; ++i)
    a = a * x + 1.0f;
  o[t] = a;
}
