// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names that relocatable device code gives to internal kernels are those the tables use: the
// launch is found, and people read the name that they gave.
//
// RUN: %clang %cuda -fgpu-rdc -fsyntax-only -w %s -fplugin-arg-divcost-report=%t.txt
// RUN: FileCheck %s < %t.txt
// CHECK: kernel(int*, int const*){{$}}
// CHECK: 96 threads, from the launch at

static __global__ void kernel(int *out, const int *bound) {
  for (int i = 0; i < bound[threadIdx.x]; ++i)
    out[i] += i;
}
void run(int *out) { kernel<<<1, 96>>>(out, out); }
