// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Erroneous code gets clang's errors and nothing else, on both ways to a module.
//
// RUN: not %clang %cuda -O2 -S -o /dev/null %s 2>&1 | FileCheck %s
// RUN: not %clang %cuda -fsyntax-only %s 2>&1 | FileCheck %s
// CHECK-NOT: warning:
// CHECK: error: use of undeclared identifier 'missing'
// CHECK-NOT: warning:
// CHECK: error: no matching function for call to 'host'
// CHECK-NOT: {{warning:|PLEASE submit}}
// CHECK: errors generated

__global__ void first(int *out, const int *bound) {
  for (int i = 0; i < bound[threadIdx.x]; ++i)
    out[i] += i;
}
struct Incomplete;
template <class T> struct Holder {
  T *value;
  __device__ auto get() { return missing(value); }
};
__device__ int use(Holder<Incomplete> *h) { return h->get(); }
void host();
__global__ void second() { host(); }
