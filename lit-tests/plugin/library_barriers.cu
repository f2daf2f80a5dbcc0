// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A barrier of a library is told where the user calls it, if it is the user's branch that parts the
// threads; with a report and without.
//
// DEFINE: %{check} = FileCheck %s --implicit-check-not=warning:
// RUN: %clang %cuda -O2 -S -o /dev/null %s 2>&1 | %{check}
// RUN: %clang %cuda -O2 -S -o /dev/null %s 2>&1 -fplugin-arg-divcost-report=%t.json \
// RUN:   | %{check}
// RUN: %python %S/Inputs/findings.py %t.json | FileCheck --check-prefix=REPORT %s

#include "Inputs/library.h"

__global__ void by_a_method(int *out) {
  library::Block block;
  // CHECK: library_barriers.cu:[[# @LINE + 2]]:{{.*}} warning: __syncthreads() is in control flow {{.*}}[divcost-barrier]
  if (threadIdx.x < 7)
    block.sync();
  out[threadIdx.x] = 1;
}

__global__ void by_a_name_of_the_implementation(int *out) {
  // CHECK: library_barriers.cu:[[# @LINE + 2]]:{{.*}} warning: __syncthreads() is in control flow {{.*}}[divcost-barrier]
  if (threadIdx.x < 7)
    __library_barrier();
  out[threadIdx.x] = 1;
}

__global__ void told_once(int *out) {
  // CHECK: library_barriers.cu:[[# @LINE + 2]]:{{.*}} warning: __syncthreads() is in control flow {{.*}}[divcost-barrier]
  if (threadIdx.x < 7)
    library::Block().sync_twice();
  out[threadIdx.x] = 1;
}

__device__ void own(int *out) {
  // CHECK: library_barriers.cu:[[# @LINE + 1]]:{{.*}} warning: __syncthreads() is in control flow {{.*}}[divcost-barrier]
  library::Block().sync();
  out[threadIdx.x] = 2;
}

__global__ void from_further_away(int *out) {
  // CHECK: note: in 'own', inlined into 'from_further_away' here
  if (threadIdx.x < 7)
    own(out);
  out[threadIdx.x] = 1;
}

__global__ void all_threads(int *out, int n) {
  if (n > 7)
    library::Block().sync();
  out[threadIdx.x] = 1;
}

__global__ void of_the_librarys_own_making(int *out) {
  library::sync_some();
  out[threadIdx.x] = 1;
}

// REPORT-DAG: of_the_librarys_own_making {{.*}} barrier: suppressed
// REPORT-DAG: by_a_method {{.*}} barrier: said
// REPORT-DAG: by_a_name_of_the_implementation {{.*}} barrier: said
// REPORT-DAG: from_further_away {{.*}} barrier: said
