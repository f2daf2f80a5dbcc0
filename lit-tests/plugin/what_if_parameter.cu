// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What if a parameter had a value: a number's changes what depends on it, a pointer has none.
//
// RUN: %clang %cuda -fsyntax-only -w %s -fplugin-arg-divcost-report=%t.json
// RUN: %divcost what-if --param n=64 %t.json | FileCheck %s
// CHECK: what if: n = 64
// CHECK: rows(
// RUN: not %divcost what-if --param x=64 %t.json 2>&1 | FileCheck --check-prefix=POINTER %s
// POINTER: divcost: --param x: is the address of an array, and takes no number
// RUN: not %divcost what-if --param unused=64 %t.json 2>&1 | FileCheck --check-prefix=UNUSED %s
// UNUSED: divcost: --param unused: no trip count, condition or address depends on this parameter
__global__ void rows(int *x, int n, int unused) {
  for (int i = threadIdx.x; i < n; ++i)
    x[i] += 1;
}
