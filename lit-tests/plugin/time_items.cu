// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What belongs to an item is alike in a warp with the items alike, however many items a lane has; what is
// drawn anew within an item stays as it is; and where nothing can diverge, nothing is lost.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang %cuda -fsyntax-only -w %s -fplugin-arg-divcost-arch=sm_90 -fplugin-arg-divcost-report=unit.json
// RUN: %divcost report --json unit.json | FileCheck %s

// CHECK-LABEL: "name": "few(
// CHECK: "lost": {"low": 0.{{[3-6]}}
// CHECK-LABEL: "name": "many(
// CHECK: "lost": {"low": 0.{{[3-6]}}
// CHECK-LABEL: "name": "together(
// CHECK: "lost": {"low": 0.{{[3-6]}}
// CHECK-LABEL: "name": "within(
// CHECK: "lost": {"low": 0, "high": 0}
// CHECK-LABEL: "name": "plain(
// CHECK: "lost": {"low": 0, "high": 0}
// A million warps add to one place: 0.7 ms at the least, which the middle of the interval is.
// CHECK-LABEL: "name": "count(
// CHECK: "seconds": {"low": 0.000{{[3-9][0-9]*}}, "high": 0.00{{[1-9]}}

#define LOOP(bound)                                                                                                     \
  _Pragma("divcost trips(geometric(0.01))") for (int k = 0; k < (bound); ++k) x = x * x + 0.25f

#pragma divcost launch(block=128, grid=132, n=500000, l2=warm)
__global__ void few(const int *length, float *out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float x = 0.5f;
    LOOP(length[i]);
    out[i] = x;
  }
}

#pragma divcost launch(block=128, grid=132, n=4000000, l2=warm)
__global__ void many(const int *length, float *out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float x = 0.5f;
    LOOP(length[i]);
    out[i] = x;
  }
}

// All threads of a block go on to the next items.
#pragma divcost launch(block=128, grid=132, n=506880, l2=warm)
__global__ void together(const int *length, float *out, int n) {
  for (int base = blockIdx.x * 128; base < n; base += gridDim.x * 128) {
    float x = 0.5f;
    LOOP(length[base + threadIdx.x]);
    out[base + threadIdx.x] = x;
  }
}

#pragma divcost launch(block=128, grid=1320, l2=warm)
__global__ void within(const int *length, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = 0.5f;
  for (int part = 0; part < 8; ++part) {
    LOOP(length[8 * i + part]);
  }
  out[i] = x;
}

#pragma divcost launch(block=256, grid=10000)
__global__ void plain(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}

#pragma divcost launch(block=256, grid=131072, l2=warm)
__global__ void count(unsigned *total) { atomicAdd(total, 1u); }
