// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What comes out of a precompiled header is what its text comes to: reports, comments of NOLINT,
// what a system header is, annotations in the file itself. Pragmas would be lost, and making the
// header warns of it, where users can do something about it.
//
// RUN: rm -rf %t && split-file %s %t && cp %S/Inputs/library.h %t/
// RUN: cd %t && %clang %cuda -fsyntax-only -I%repo/runtime/include -fplugin-arg-divcost-report=text.json file.cu \
// RUN:   2>&1 | FileCheck --implicit-check-not=warning: %t/file.cu
// RUN: cd %t && %clang %cuda -fsyntax-only -I%repo/runtime/include -Werror=backend-plugin -Xclang -emit-pch \
// RUN:   -Xclang -o -Xclang file.pch before.cu
// RUN: cd %t && %clang %cuda -fsyntax-only -I%repo/runtime/include -fplugin-arg-divcost-report=pch.json \
// RUN:   -Xclang -include-pch -Xclang file.pch -Xclang -preamble-bytes=60,1 file.cu \
// RUN:   2>&1 | FileCheck --implicit-check-not=warning: file.cu
// RUN: cmp %t/text.json %t/pch.json
// RUN: FileCheck --check-prefix=NAME --input-file=%t/pch.json %s
// NAME: "apply<(lambda at /{{.*}}precompiled.cu.tmp/rows.h:[[#]]:[[#]])>"
//
// RUN: cd %t && %clang %cuda -fsyntax-only -Xclang -emit-pch -Xclang -o -Xclang lost.pch lost.cu 2>&1 \
// RUN:   | FileCheck --check-prefix=LOST --implicit-check-not=warning: %s
// LOST: lost.cu:2:17: warning: '#pragma divcost launch' is lost in a precompiled header: clang doesn't keep it for those who use that; leave the header with this pragma out of it [-Wbackend-plugin]
// RUN: cd %t && not %clang %cuda -fsyntax-only -Werror=backend-plugin -Xclang -emit-pch \
// RUN:   -Xclang -o -Xclang system.pch system.cu 2>&1 | FileCheck --check-prefix=SYSTEM %s
// SYSTEM: system.cu:1:10: error: '#pragma divcost trips' is lost
// RUN: not ls %t/system.pch

//--- before.cu
#include "rows.h"
#include "library.h"
#include <divcost.h>

//--- file.cu
#include "rows.h"
#include "library.h"
#include <divcost.h>

// CHECK-DAG: rows.h:14:3: warning: loop may run
// CHECK-DAG: file.cu:[[# @LINE + 6]]:{{.*}} warning: __syncthreads() is in control flow
// CHECK-DAG: file.cu:[[# @LINE + 9]]:{{.*}} warning: loop runs a different number
__global__ void rows(const int *begin, const float *x, float *y) {
  int row = threadIdx.x + blockIdx.x * blockDim.x;
  library::Block block;
  if (threadIdx.x < 7)
    block.sync();
  y[row] = sum(begin, x, row);
  y[row] += last(y, row);
  DIVCOST_TRIPS(geometric(0.1))
  for (int j = begin[row]; j < begin[row + 1]; ++j)
    y[row] += x[j];
}

//--- rows.h
#pragma once
__device__ float sum(const int *begin, const float *x, int row) {
  float all = 0;
  for (int j = begin[row]; j < begin[row + 1]; ++j)
    all += x[j];
  return all;
}
__device__ float last(const float *x, int row) {
  if (row % 2)
    __syncthreads(); // NOLINT: all rows are even
  return x[row];
}
template <int N> __global__ void instance(const int *begin, float *y) {
  for (int j = 0; j < begin[threadIdx.x / N]; ++j)
    y[j] += N;
}
template __global__ void instance<4>(const int *, float *);
static inline void launch(const int *begin, float *y) { instance<8><<<1, 64>>>(begin, y); }
// Its name has that of the file.
template <class F> __global__ void apply(F f, float *y) { y[threadIdx.x] = f(y[0]); }
static inline void clear(float *y) { apply<<<1, 64>>>([] __device__(float x) { return x; }, y); }

//--- lost.cu
#include "rows.h"
#pragma divcost launch(block=64)
__global__ void one(float *y) { y[threadIdx.x] = 0; }
#pragma divcost launch(block=32)
__global__ void two(float *y) { y[threadIdx.x] = 0; }

//--- system.cu
#include "system.h"

//--- system.h
#pragma GCC system_header
__device__ void clear(float *x, int n) {
#pragma divcost trips(const(3))
  for (int j = 0; j < n; ++j)
    x[j] = 0;
}
