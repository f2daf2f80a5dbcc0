// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where only warnings are wanted, less is examined: of the instances of a kernel template at most
// four, of those that differ in constants alone at most two (of a large template one), and no kernel
// that can't get a warning. What is said of the rest is the same.
//
// DEFINE: %{check} = FileCheck %s --implicit-check-not='library.h:{{.*}}warning' --check-prefixes
// RUN: %clang %cuda -fsyntax-only %s 2>&1 | %{check} ALWAYS,FEW
// RUN: %clang %cuda -O2 -S -o /dev/null %s 2>&1 | %{check} ALWAYS,FEW
// RUN: %clang %cuda -O2 -S -o /dev/null %s -fplugin-arg-divcost-report=%t.json 2>&1 \
// RUN:   | %{check} ALWAYS,ALL
// RUN: %clang %cuda -DLARGE -O2 -S -o /dev/null %s 2> %t.large
// RUN: %{check} ALWAYS,ONE --input-file %t.large
// RUN: not grep "instances examined" %t.large
// RUN: %clang %cuda -DLARGE -O2 -S -o /dev/null %s -fplugin-arg-divcost-report=%t.json 2>&1 \
// RUN:   | %{check} ALWAYS,ALL
//
// A loop of an instance that isn't examined has not lost its annotation.
// FEW-NOT: was lost
//
// RUN: %clang %cuda -fsyntax-only -fno-caret-diagnostics %repo/bench/kernels/hash_probe.cu 2> %t.without
// RUN: %clang %cuda -fsyntax-only -fno-caret-diagnostics %repo/bench/kernels/hash_probe.cu 2> %t.with -fplugin-arg-divcost-report=%t.json
// RUN: grep -q "warning: .*divcost-" %t.with
// RUN: cmp %t.without %t.with

#include "Inputs/library.h"

#ifdef LARGE
#define MANY(of) of of of of of of of of
#define IN_FRONT MANY(MANY(out[threadIdx.x] = out[threadIdx.x] * 3 + begin[threadIdx.x];))
#else
#define IN_FRONT
#endif

template <int N> __global__ void rows(int *out, const int *begin) {
  IN_FRONT
  if (N == 7) // examined as the only one of its structure
    // ALWAYS-DAG: only_warnings.cu:[[# @LINE + 1]]:5: warning: {{.*}} [divcost-data-dependent]
    for (int k = begin[threadIdx.x]; k < begin[threadIdx.x + 1]; ++k)
      out[k] *= begin[k];
  else
    // ONE-DAG: only_warnings.cu:[[# @LINE + 3]]:5: warning: loop runs a different number of iterations in each lane
    // FEW-DAG: only_warnings.cu:[[# @LINE + 2]]:5: warning: {{.*}} in the worst of 2 instances examined
    // ALL-DAG: only_warnings.cu:[[# @LINE + 1]]:5: warning: {{.*}} in the worst of 9 instances examined
    for (int k = 0; k < threadIdx.x * N; ++k)
      out[k] += begin[k];
}

template __global__ void rows<2>(int *, const int *);
template __global__ void rows<3>(int *, const int *);
template __global__ void rows<4>(int *, const int *);
template __global__ void rows<5>(int *, const int *);
template __global__ void rows<6>(int *, const int *);
template __global__ void rows<7>(int *, const int *);
template __global__ void rows<8>(int *, const int *);
template __global__ void rows<9>(int *, const int *);
template __global__ void rows<10>(int *, const int *);
template __global__ void rows<11>(int *, const int *);

// The third and the fifth of six that are all different.
template <int N> __global__ void kinds(int *out, const int *begin) {
  if (N == 3)
#pragma divcost trips(poisson(30))
    for (int k = begin[threadIdx.x]; k < begin[threadIdx.x + 1]; ++k)
      out[k] *= begin[k];
  if (N > 1)
    out[1] = 1;
  if (N > 2)
    out[2] = 2;
  if (N > 4)
    out[3] = 3;
  if (N > 5)
    out[4] = 4;
  __syncthreads();
}

template __global__ void kinds<1>(int *, const int *);
template __global__ void kinds<2>(int *, const int *);
template __global__ void kinds<3>(int *, const int *);
template __global__ void kinds<4>(int *, const int *);
template __global__ void kinds<5>(int *, const int *);
template __global__ void kinds<6>(int *, const int *);

__global__ void no_loop(int *out) {
  // ALWAYS-DAG: only_warnings.cu:[[# @LINE + 2]]:5: warning: {{.*}}[divcost-barrier]
  if (threadIdx.x < 7)
    __syncthreads();
  out[threadIdx.x] = 1;
}

// A recursion is a loop, too.
// ALWAYS-DAG: only_warnings.cu:[[# @LINE + 1]]:{{.*}} warning: {{.*}} [divcost-data-dependent]
__device__ int depth(const int *next, int at) { return at < 0 ? 0 : 1 + depth(next, next[at]); }

__global__ void recursive(int *out, const int *next) {
  out[threadIdx.x] = depth(next, threadIdx.x);
}

struct Sum {
  __device__ void operator()(int *data, int n) const {
    // ALWAYS-DAG: only_warnings.cu:[[# @LINE + 1]]:5: warning: {{.*}} [divcost-data-dependent]
    for (int k = 0; k < data[threadIdx.x]; ++k)
      data[n] += k;
  }
};

// A loop of the user's in a kernel of a library, and kernels without one.
void launch(int *data) {
  library::for_each<<<4, 256>>>(data, 4, Sum());
  library::for_each<<<4, 256>>>(data, 4, [] __device__(int *at, int n) { at[n] = n; });
}

struct Fewer {
  __device__ int operator()(int *data, int n) const {
    return data[n] + library::rest(data, n - 1, *this);
  }
};

// A recursion through a library.
__global__ void recursive_by_library(int *data) { data[0] = Fewer()(data, threadIdx.x); }
