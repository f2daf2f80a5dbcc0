// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where only warnings are wanted, of a large template one instance of those that differ in constants
// alone is examined; with a report all are. That of a structure of its own is examined, too.
//
// RUN: %clang %cuda -O2 -S -o /dev/null %s 2> %t.few
// RUN: FileCheck %s --check-prefixes ALWAYS,FEW --input-file %t.few
// RUN: not grep "instances examined" %t.few
// RUN: %clang %cuda -O2 -S -o /dev/null %s -fplugin-arg-divcost-report=%t.json 2>&1 \
// RUN:   | FileCheck %s --check-prefixes ALWAYS,ALL

#define ONCE out[threadIdx.x] = out[threadIdx.x] * 3 + begin[threadIdx.x];
#define MANY(of) of of of of of of of of

template <int N> __global__ void rows(int *out, const int *begin) {
  MANY(MANY(ONCE))
  MANY(ONCE)
  if (N == 7)
    // ALWAYS-DAG: only_warnings_large.cu:[[# @LINE + 1]]:5: warning: {{.*}} [divcost-data-dependent]
    for (int k = begin[threadIdx.x]; k < begin[threadIdx.x + 1]; ++k)
      out[k] *= begin[k];
  else
    // FEW-DAG: only_warnings_large.cu:[[# @LINE + 2]]:5: warning: loop runs a different number of iterations in each lane
    // ALL-DAG: only_warnings_large.cu:[[# @LINE + 1]]:5: warning: {{.*}} in the worst of 3 instances examined
    for (int k = 0; k < threadIdx.x * N; ++k)
      out[k] += begin[k];
}

template __global__ void rows<2>(int *, const int *);
template __global__ void rows<3>(int *, const int *);
template __global__ void rows<4>(int *, const int *);
template __global__ void rows<7>(int *, const int *);
