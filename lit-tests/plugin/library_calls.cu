// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a library's code loses by what it is called with is told where users call it, once for each call;
// what data decide there isn't.
//
// RUN: %clang %cuda -fsyntax-only %s -fplugin-arg-divcost-report=%t.json 2>&1 \
// RUN:   | FileCheck --implicit-check-not=warning: %s
// RUN: %python -c "import json; print(sorted((f['line'], f['rule'][:4], f['suppressed']) \
// RUN:   for k in json.load(open('%t.json'))['kernels'] for f in k['findings']))" | FileCheck --check-prefix=JSON %s
// JSON: [(13, 'imba', True), (36, 'imba', False), (39, 'imba', True), (42, 'data', True)]
# 12 "library.h" 1 3
__device__ inline void add_up(int *out, int n) {
  for (int i = 0; i < n; ++i)
    out[i] += i;
}
__device__ inline void add_all(int *out, int n) {
  add_up(out, n + 1);
}
__global__ void own_kernel(int *out) {
  add_all(out, threadIdx.x);
}
# 33 "library_calls.cu" 2
// CHECK: library_calls.cu:36:3: warning: in 'add_all', called here: loop runs {{.*}} [divcost-imbalance]
// CHECK: library.h:13:3: note: this is the loop
__global__ void user(int *out) {
  add_all(out, threadIdx.x);
}
__global__ void silent(int *out) {
  add_all(out, threadIdx.x + 1); // NOLINT
}
__global__ void by_data(int *out, const int *bound) {
  add_all(out, bound[threadIdx.x]);
}
