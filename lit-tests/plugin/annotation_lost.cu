// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An annotation whose loop is gone before the analysis comes is a warning at the loop; one in code
// that no kernel needs is none. With several architectures, one.
//
// RUN: %clang %cuda -O2 -S -o %t.s %s 2>&1 | FileCheck --implicit-check-not=warning: %s
// RUN: %clang %cuda -O0 -S -o %t.s %s 2>&1 | FileCheck --implicit-check-not=warning: %s
// RUN: %clang %cuda -fsyntax-only %s 2>&1 | FileCheck --implicit-check-not=warning: %s
// RUN: mkdir -p %t.folder && cd %t.folder
// RUN: %clang %cuda-any --cuda-gpu-arch=sm_80 --cuda-gpu-arch=sm_90 --cuda-device-only -S %s 2>&1 \
// RUN:   | FileCheck --implicit-check-not='loop is lost' %s
// RUN: %clang %cuda -fsyntax-only -Wno-backend-plugin -Werror %s

__global__ void kernel(int *out, const int *n, int m) {
#pragma divcost ignore("never needed")
  // CHECK-DAG: annotation_lost.cu:[[# @LINE + 1]]:3: warning: the annotation of this loop is lost: the optimiser removed the loop, unrolled it completely or merged it with another one [-Wbackend-plugin]
  for (int i = 0; i < n[threadIdx.x]; ++i)
    m += i;

#pragma divcost ignore("silenced")
  for (int i = 0; i < n[threadIdx.x]; ++i) // NOLINT
    m += i;
}

// The analysis comes before loops are unrolled.
__global__ void kept(int *out, const int *n) {
#pragma divcost trips(const(4))
#pragma unroll
  for (int i = 0; i < 4; ++i)
    out[i] += n[i];
}
__device__ void not_called(int *out, const int *n) {
#pragma divcost trips(const(4))
  for (int i = 0; i < n[0]; ++i)
    out[i] += n[i];
}
template <class T> __global__ void not_instantiated(T *out, const int *n) {
#pragma divcost trips(const(4))
  for (int i = 0; i < n[0]; ++i)
    out[i] += n[i];
}

// Loops that come out of one macro can't be told apart.
#define TWO_LOOPS(out, n)                                                                          \
  _Pragma("divcost trips(const(3))") for (int i = 0; i < n[threadIdx.x]; ++i) for (int j = 0;     \
                                                                                   j < n[i]; ++j) \
      out[j] += i
#define ONE_LOOP _Pragma("divcost trips(const(2))") for (int i = 0; i < n[threadIdx.x]; ++i)
__global__ void in_macros(int *out, const int *n) {
  // CHECK-DAG: annotation_lost.cu:[[# @LINE + 1]]:3: warning: the annotation of this loop counts for all loops of the macro it is in, which have one source location
  TWO_LOOPS(out, n);
  ONE_LOOP out[i] += 2;
  ONE_LOOP out[i] += 3;
}
