// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A failed assertion ends the program: figures are of the lanes that go on, and a kernel that makes sure
// of something costs its comparison more than one that doesn't.
//
// RUN: %clang %cuda -fsyntax-only -w %s -fplugin-arg-divcost-report=%t.json
// RUN: FileCheck %s < %t.json

// CHECK-LABEL: "name": "traps(float*, int const*)"
// CHECK: "expected_efficiency": 1,
// CHECK: "divergent_branches": 0,
// CHECK: "branches": []
__global__ void traps(float *out, const int *in) {
  int i = in[threadIdx.x];
  if (i < 0)
    __trap();
  out[threadIdx.x] = out[i] * 5;
}

// What stands behind it is entered by all warps, and by all their lanes.
// CHECK-LABEL: "name": "around(float*, int const*, int)"
// CHECK: "line": [[# @LINE + 8]],
// CHECK: "entries": 1,
// CHECK: "efficiency": 1,
__global__ void around(float *out, const int *in, int n) {
  if (n > 5) {
    if (in[threadIdx.x] < 0)
      __trap();
  }
  for (int k = 0; k < 50; ++k)
    out[k + threadIdx.x] *= 5;
}

// Threads that end are no failure.
// CHECK-LABEL: "name": "ends(float*, int const*)"
// CHECK: "expected_efficiency": {"low": 0.
__global__ void ends(float *out, const int *in) {
  if (in[threadIdx.x] < 0) {
    __nvvm_exit();
    __builtin_unreachable();
  }
  for (int k = 0; k < 50; ++k)
    out[k + threadIdx.x] *= 5;
}
