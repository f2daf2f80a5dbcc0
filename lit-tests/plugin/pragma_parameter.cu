// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch pragma names a parameter that the kernel doesn't have.
//
// RUN: not %clang %cuda -fsyntax-only %s 2>&1 | FileCheck --implicit-check-not=error: %s

// CHECK: [[# @LINE + 1]]:29: error: '#pragma divcost': kernel 'kernel' has no integer parameter 'm'; possible: block, grid, n, width
#pragma divcost launch(n=3, m=4)
template <class T> __global__ void kernel(T *out, int n, unsigned width) { out[n] = width; }
template __global__ void kernel(int *, int, unsigned);
template __global__ void kernel(float *, int, unsigned);
