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
// CHECK: "condition": "threadIdx.x <= i0 && i0 < x[...]"
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

// Of 256 warps four have 100 items, and one of these has four. That is where lanes idle, if little
// beside what the others do, who find that they have none.
// CHECK-LABEL: "name": "few(float*, int)"
// CHECK: "expected_efficiency": {"low": 0.996{{[0-9]*}}, "high": 1}
__global__ void few(float *x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    x[i] *= 2;
}

// The same in two dimensions, where the items end in the fourth column of blocks, at four lanes, and
// in the seventh row.
// CHECK-LABEL: "name": "step(float*, int)"
// CHECK: "expected_efficiency": {"low": 0.99{{[0-9]*}}, "high": 1}
__global__ void step(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  for (; i < n; i += gridDim.x * blockDim.x)
    for (int k = j; k < n; k += gridDim.y * blockDim.y)
      x[k * n + i] *= 2;
}

// One of the columns: some warp has one lane that is in it, and the others have none.
// CHECK-LABEL: "name": "column(float*, int, int)"
// CHECK: "expected_efficiency": {"low": 0.9{{[0-9]*}}, "high": 1}
__global__ void column(float *x, int n, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n && j < n && i == k)
    x[i * n + j] /= x[j * n + j];
}

void run(float *x, int n) {
  few<<<32, 256>>>(x, n);
  step<<<dim3(32, 32), dim3(32, 16)>>>(x, n);
}

// A few lanes go for sure, data decide of the others: of those of all other warps.
// CHECK-LABEL: "name": "either(float const*, int*)"
// CHECK: "expected_efficiency": {"low": 0.05{{[0-9]*}}, "high": 1}
__global__ void either(const float *x, int *out) {
  if (x[threadIdx.x] > 0.5f || threadIdx.x < 5)
    for (int j = 0; j < 100; ++j)
      out[j] = out[j + 1] / (j + 7);
}
