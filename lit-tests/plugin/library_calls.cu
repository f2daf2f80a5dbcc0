// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a library's code loses is told where users call it, once for each call.
//
// RUN: %clang %cuda -fsyntax-only %s -fplugin-arg-divcost-report=%t.json 2>&1 \
// RUN:   | FileCheck --implicit-check-not=warning: %s
// RUN: %python -c "import json; print([(f['line'], f['suppressed']) \
// RUN:   for k in json.load(open('%t.json'))['kernels'] for f in k['findings']])" | FileCheck --check-prefix=JSON %s
// JSON: [(12, True), (35, False), (39, True)]
# 11 "library.h" 1 3
__device__ inline void add_up(int *out, int n) {
  for (int i = 0; i < n; ++i)
    out[i] += i;
}
__device__ inline void add_all(int *out, const int *bound, int i) {
  int n = bound[i];
  add_up(out, n);
}
__global__ void own_kernel(int *out, const int *bound) {
  add_all(out, bound, threadIdx.x);
}
# 32 "library_calls.cu" 2
// CHECK: library_calls.cu:35:3: warning: in 'add_all', called here: loop may run {{.*}} [divcost-data-dependent]
// CHECK: library.h:12:3: note: this is the loop
__global__ void user(int *out, const int *bound) {
  add_all(out, bound, threadIdx.x);
}

__global__ void silent(int *out, const int *bound) {
  add_all(out, bound, threadIdx.x + 1); // NOLINT
}
