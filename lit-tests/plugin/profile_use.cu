// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The estimate has the efficiency that was measured (here: made up, Inputs/pretend.py), whether lanes
// are independent, alike, or stay away; in nests too. What was annotated stays; without counts
// nothing changes.
//
// DEFINE: %{kind} =
// DEFINE: %{use} = %python %S/Inputs/pretend.py write device.ll %{kind}.divprof %{kind} \
// DEFINE:   && %clang %cuda -fsyntax-only use.cu -fplugin-arg-divcost-no-warn=all \
// DEFINE:     -fplugin-arg-divcost-profile-use=%{kind}.divprof -fplugin-arg-divcost-report=unit.json \
// DEFINE:   && %python %S/Inputs/pretend.py compare %{kind}.divprof unit.json
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s use.cu
// RUN: %clang %cuda -w -O2 -S -emit-llvm use.cu -o device.ll -fplugin-arg-divcost-profile-generate
// REDEFINE: %{kind} = independent
// RUN: %{use} | FileCheck %s
// REDEFINE: %{kind} = alike
// RUN: %{use} | FileCheck %s
// REDEFINE: %{kind} = parts
// RUN: %{use} | FileCheck %s
// REDEFINE: %{kind} = few
// RUN: %{use} | FileCheck %s
// CHECK-DAG: rows:{{[0-9]+}} profile: estimate near
// CHECK-DAG: rows:{{[0-9]+}} annotated: estimate
// CHECK-DAG: inner:{{[0-9]+}} profile: estimate near
// CHECK-DAG: guarded:{{[0-9]+}} profile: estimate near
//
// Lanes that are less alike than independent ones are taken as independent: the documented limit.
// REDEFINE: %{kind} = hub
// RUN: %{use} | FileCheck --check-prefix=HUB %s
// HUB-DAG: rows:{{[0-9]+}} profile: estimate 0.061, measured 0.039
//
// An empty profile is none.
// RUN: %python -c "import sys; sys.path.insert(0, '%repo/tools/tests'); import divprof; divprof.write('none.divprof', [])"
// RUN: %clang %cuda -w -fsyntax-only use.cu -fplugin-arg-divcost-profile-use=none.divprof -fplugin-arg-divcost-report=with.json
// RUN: %clang %cuda -w -fsyntax-only use.cu -fplugin-arg-divcost-report=without.json
// RUN: cmp with.json without.json

__device__ int inner(const int *p, int n) {
  int sum = 0;
  for (int k = 0; k < n; ++k)
    sum += p[k];
  return sum;
}

__global__ void rows(int *out, const int *begin) {
  for (int j = begin[threadIdx.x]; j < begin[threadIdx.x + 1]; ++j)
    out[threadIdx.x] += j;
#pragma divcost trips(poisson(30))
  for (int j = 0; j < begin[threadIdx.x]; ++j)
    out[j] += 3;
}

__global__ void nest(int *out, const int *p) {
  out[threadIdx.x] = inner(p, p[threadIdx.x]);
}

__global__ void guarded(int *out, const int *p) {
  if (p[threadIdx.x] == 3)
    for (int j = 0; j < p[threadIdx.x + 64]; ++j)
      out[threadIdx.x] += p[j];
}
