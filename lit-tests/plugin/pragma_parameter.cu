// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch pragma names a parameter that the kernel doesn't have.
//
// RUN: not %clang %cuda -fsyntax-only %s 2>&1 | FileCheck --implicit-check-not=error: %s

// CHECK: [[# @LINE + 1]]:29: error: '#pragma divcost': kernel 'kernel' has no parameter 'm' that is a number; possible: block, grid, n, width
#pragma divcost launch(n=3, m=4)
template <class T> __global__ void kernel(T *out, int n, unsigned width) { out[n] = width; }
template __global__ void kernel(int *, int, unsigned);
template __global__ void kernel(float *, int, unsigned);

// CHECK: [[# @LINE + 1]]:24: error: '#pragma divcost': 3000000000 does not fit the parameter 'n', whose type is 'int'
#pragma divcost launch(n=3000000000, wide=3000000000)
__global__ void ranges(int n, long wide) {}
// CHECK: [[# @LINE + 1]]:29: error: '#pragma divcost': -1 does not fit the parameter 'm', whose type is 'unsigned char'
#pragma divcost launch(n=1, m=-1, flag=1)
__global__ void more_ranges(int n, unsigned char m, bool flag) {}
// CHECK: [[# @LINE + 1]]:24: error: '#pragma divcost': kernel 'no_number' has no parameter 'x' that is a number; possible: block, grid
#pragma divcost launch(x=3)
__global__ void no_number(float *x) {}

#pragma divcost launch(x=3, y=3000000000)
__global__ void floating_point(float x, const double y) {}
