// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions of which a part is known, and comparisons with values that aren't.
//
// RUN: %clang %cuda -fsyntax-only -w %s -fplugin-arg-divcost-report=%t.json
// RUN: FileCheck %s < %t.json

// A front that moves over the lanes, 1 to 32 of them: data decide of those that it has passed, and none of
// the others goes on. Lanes idle there though all that may decide do alike.
// CHECK-LABEL: "name": "front(int*, int const*)"
// CHECK: "efficiency": {"low": 0.2{{[0-9]*}}, "high": 0.5
// CHECK: "condition": "threadIdx.x <= i0 ? i0 < x[...] : false"
__global__ void __launch_bounds__(32) front(int *out, const int *x) {
  int v = x[threadIdx.x];
  for (int i = 0; i < blockDim.x; ++i)
    if (threadIdx.x <= i && v > i) {
      out[i] = v * v / (v + i) * v / (v + i + 1);
      out[2 * i] = v * v / (v + i + 2) * v / (v + i + 3);
    }
}

// Which of the two is larger nobody knows, but lanes side by side do alike.
// CHECK-LABEL: "name": "difference(int*, int, int)"
// CHECK: "efficiency": 1,
// CHECK: "line": [[# @LINE + 5]],
// CHECK: "efficiency": 1,
__global__ void difference(int *out, int n, int m) {
  if (blockIdx.x * blockDim.x + threadIdx.x + 2 * m < n) {
    out[n] = m;
    for (int k = 0; k < 64; ++k)
      out[k] = out[k + 1] * 5;
  }
}

// Items begin at a few, of as many as there are threads: those of the last warp are fewer than lanes.
// CHECK-LABEL: "name": "begins(int*, int, int)"
// CHECK: "efficiency": {"low": 0.997{{[0-9]*}}, "high": 1}
__global__ void begins(int *out, int n, int start) {
  int i = blockIdx.x * blockDim.x + threadIdx.x + start;
  if (i >= n)
    return;
  for (int k = 0; k < 64; ++k)
    out[i + k] = out[i + k + 1] * 5;
}

// As many items as there are threads, and not as many squared: with 100 of them, 25 of 32 lanes.
// CHECK-LABEL: "name": "product(int*, int, int)"
// CHECK: "expected_efficiency": {"low": 0.78{{[0-9]*}}, "high": 1}
__global__ void product(int *out, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n * m)
    for (int k = 0; k < 64; ++k)
      out[i + k] = out[i + k + 1] * 5;
}
