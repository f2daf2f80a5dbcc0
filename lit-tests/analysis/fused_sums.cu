// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A product and a sum are one instruction where compilers fuse them, and so is fmaf(): both loops
// cost the same. A change of sign is part of what reads it.
//
// RUN: %clang %cuda -fsyntax-only -w %s -fplugin-arg-divcost-report=%t.json
// RUN: FileCheck %s < %t.json

// CHECK: "name": "written_out(
// CHECK: "fp32": 4,
__global__ void written_out(float *o, const int *n, float x) {
  float a = x;
  for (int i = 0; i < n[threadIdx.x]; ++i) {
    a = a * x + 1.0f;
    a = a * x - 2.0f;
    a = -a * x + 3.0f;
    a = fabsf(a) * x + 4.0f;
  }
  o[threadIdx.x] = a;
}

// CHECK: "name": "by_name(
// CHECK: "fp32": 4,
__global__ void by_name(float *o, const int *n, float x) {
  float a = x;
  for (int i = 0; i < n[threadIdx.x]; ++i) {
    a = fmaf(a, x, 1.0f);
    a = fmaf(a, x, -2.0f);
    a = fmaf(-a, x, 3.0f);
    a = fmaf(fabsf(a), x, 4.0f);
  }
  o[threadIdx.x] = a;
}
