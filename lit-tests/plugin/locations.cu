// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A warning stands at the loop's own keyword: through macros, templates, lambdas, methods, range-for
// and inlining, without -g and with it, whatever the optimisation.
//
// RUN: %clang %cuda -O2 -S -o /dev/null %s 2>&1 | FileCheck --implicit-check-not=warning: %s
// RUN: %clang %cuda -O0 -S -o /dev/null %s 2>&1 | FileCheck --implicit-check-not=warning: %s
// RUN: %clang %cuda -O1 -g -S -o /dev/null %s 2>&1 | FileCheck --implicit-check-not=warning: %s
// RUN: %clang %cuda -O3 -S -o /dev/null %s 2>&1 | FileCheck --implicit-check-not=warning: %s
// RUN: %clang %cuda -fsyntax-only %s 2>&1 | FileCheck --implicit-check-not=warning: %s
// RUN: %clang %cuda -O2 -S -emit-llvm -Xclang -disable-llvm-passes -o /dev/null %s 2>&1 \
// RUN:   | FileCheck --implicit-check-not=warning: %s
//
// The order is that of the kernels in the module, which differs between -O0 and -O2 for templates:
// hence one kernel for each form, and CHECK-DAG.

#define LOOP(i, n) for (int i = 0; i < (n); ++i)
__global__ void macro(int *out, const int *bound) {
  // CHECK-DAG: locations.cu:[[# @LINE + 1]]:3: warning: loop may run a different number of iterations in each lane, by data: {{.*}} [divcost-data-dependent] [-Wbackend-plugin]
  LOOP(i, bound[threadIdx.x])
    out[i] += i;
}
// CHECK-DAG: locations.cu:[[# @LINE - 6]]:20: note: expanded from macro 'LOOP'

template <class T> __global__ void pattern(T *out, const int *bound) {
  // CHECK-DAG: locations.cu:[[# @LINE + 1]]:3: warning: {{.*}} in the worst of 2 instances examined {{.*}} [divcost-data-dependent]
  while (*out < bound[threadIdx.x])
    *out += 1;
}
template __global__ void pattern(int *, const int *);
template __global__ void pattern(double *, const int *);

__global__ void lambda(int *out, const int *bound) {
  auto body = [=](int lane) {
    // CHECK-DAG: locations.cu:[[# @LINE + 1]]:5: warning: {{.*}} [divcost-data-dependent]
    do
      ++out[lane];
    while (out[lane] < bound[lane]);
  };
  // CHECK-DAG: locations.cu:[[# @LINE + 1]]:3: note: in {{.*}}, inlined into 'lambda{{.*}}' here
  body(threadIdx.x);
}

struct Range {
  int *first, *last;
  __device__ int *begin() const { return first; }
  __device__ int *end() const { return last; }
};
__device__ int sum(Range range) {
  int total = 0;
  // CHECK-DAG: locations.cu:[[# @LINE + 1]]:3: warning: {{.*}} [divcost-data-dependent]
  for (int element : range)
    total += element;
  return total;
}
struct Method {
  // CHECK-DAG: locations.cu:[[# @LINE + 1]]:61: note: in 'sum{{.*}}', inlined into '{{.*}}run{{.*}}' here
  __device__ static int run(int *data, int length) { return sum({data, data + length}); }
};
__global__ void inlined(int *out, int *data, const int *length) {
  // CHECK-DAG: locations.cu:[[# @LINE + 1]]:22: note: in '{{.*}}run{{.*}}', inlined into 'inlined{{.*}}' here
  out[threadIdx.x] = Method::run(data, length[threadIdx.x]);
}
// CHECK: 4 warnings generated
