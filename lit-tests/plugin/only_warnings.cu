// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where only warnings are wanted, less is examined: of the instances of a kernel template eight,
// and no kernel that can't get a warning. What is said of the rest is the same.
//
// RUN: %clang %cuda -fsyntax-only %s 2>&1 | FileCheck --check-prefixes=ALWAYS,FEW %s
// RUN: %clang %cuda -O2 -S -o /dev/null %s 2>&1 | FileCheck --check-prefixes=ALWAYS,FEW %s
// RUN: %clang %cuda -O2 -S -o /dev/null %s -fplugin-arg-divcost-report=%t.json 2>&1 \
// RUN:   | FileCheck --check-prefixes=ALWAYS,ALL %s
//
// A loop of an instance that isn't examined has not lost its annotation.
// FEW-NOT: was lost
//
// RUN: %clang %cuda -w -Wbackend-plugin -fsyntax-only -fno-caret-diagnostics %repo/bench/kernels/hash_probe.cu 2> %t.without
// RUN: %clang %cuda -w -Wbackend-plugin -fsyntax-only -fno-caret-diagnostics %repo/bench/kernels/hash_probe.cu 2> %t.with -fplugin-arg-divcost-report=%t.json
// RUN: cmp %t.without %t.with

template <int N> __global__ void rows(int *out, const int *begin) {
  // FEW-DAG: only_warnings.cu:[[# @LINE + 2]]:3: warning: {{.*}} in the worst of 4 instances examined
  // ALL-DAG: only_warnings.cu:[[# @LINE + 1]]:3: warning: {{.*}} in the worst of 10 instances examined
  for (int k = 0; k < threadIdx.x * N; ++k)
    out[k] += begin[k];
  if (N == 3) // not one of the four
#pragma divcost trips(poisson(30))
    for (int k = begin[threadIdx.x]; k < begin[threadIdx.x + 1]; ++k)
      out[k] *= begin[k];
}

template __global__ void rows<1>(int *, const int *);
template __global__ void rows<2>(int *, const int *);
template __global__ void rows<3>(int *, const int *);
template __global__ void rows<4>(int *, const int *);
template __global__ void rows<5>(int *, const int *);
template __global__ void rows<6>(int *, const int *);
template __global__ void rows<7>(int *, const int *);
template __global__ void rows<8>(int *, const int *);
template __global__ void rows<9>(int *, const int *);
template __global__ void rows<10>(int *, const int *);

__global__ void no_loop(int *out) {
  // ALWAYS-DAG: only_warnings.cu:[[# @LINE + 2]]:5: warning: {{.*}}[divcost-barrier]
  if (threadIdx.x < 7)
    __syncthreads();
  out[threadIdx.x] = 1;
}

__device__ int depth(const int *next, int at) { return at < 0 ? 0 : 1 + depth(next, next[at]); }

// A recursion is a loop, too.
__global__ void recursive(int *out, const int *next) {
  out[threadIdx.x] = depth(next, threadIdx.x);
}
