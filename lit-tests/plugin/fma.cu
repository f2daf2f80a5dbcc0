// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the device library has a function for and the GPU an instruction costs as much as the
// operator: a * x + 1, fmaf(a, x, 1) and __fmaf_rn(a, x, 1) are one fused instruction.
//
// RUN: %clang %cuda -fsyntax-only -w %s -fplugin-arg-divcost-report=%t.json
// RUN: %python -c "import json; print({k['name'].split('(')[0]: k['estimates'][0]['cycles']['total'] \
// RUN:   for k in json.load(open('%t.json'))['kernels']})" | FileCheck %s
// CHECK: {'operators': [[CYCLES:[0-9.]+]], 'function': [[CYCLES]], 'rounded': [[CYCLES]]}

extern "C" __device__ float __nv_fmaf(float, float, float);
extern "C" __device__ float __nv_fmaf_rn(float, float, float);

__global__ void operators(float *out, float x) {
  float a = x;
#pragma unroll 1
  for (int i = 0; i < 100; ++i)
    a = (a * x + 1) * x + 2;
  out[threadIdx.x] = a;
}

__global__ void function(float *out, float x) {
  float a = x;
#pragma unroll 1
  for (int i = 0; i < 100; ++i)
    a = __nv_fmaf(__nv_fmaf(a, x, 1), x, 2);
  out[threadIdx.x] = a;
}

__global__ void rounded(float *out, float x) {
  float a = x;
#pragma unroll 1
  for (int i = 0; i < 100; ++i)
    a = __nv_fmaf_rn(__nv_fmaf_rn(a, x, 1), x, 2);
  out[threadIdx.x] = a;
}
