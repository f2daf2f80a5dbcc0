// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pragma that belongs to nothing is a warning of clang's group for plugins.
//
// RUN: %clang %cuda -fsyntax-only -fplugin-arg-divcost-threshold=1 %s 2>&1 | FileCheck --implicit-check-not=warning: %s
// RUN: %clang %cuda -fsyntax-only -Wno-backend-plugin -Werror %s

__global__ void kernel(int *out, const int *bound) {
// CHECK: [[# @LINE + 1]]:17: warning: '#pragma divcost trips' is not followed by a loop [-Wbackend-plugin]
#pragma divcost trips(poisson(3))
  if (out[0])
    out[1] = 0;

// CHECK: [[# @LINE + 1]]:17: warning: '#pragma divcost trips' is overruled by another one before the same loop
#pragma divcost trips(poisson(4))
#pragma divcost trips(poisson(3))
  while (out[2])
    --out[2];

// Attributes and other pragmas may stand between.
#pragma divcost trips(poisson(3))
#pragma unroll 2
  [[clang::nomerge]] for (int i = 0; i < bound[threadIdx.x] / 64; ++i)
    out[i] += i;
}

// CHECK: [[# @LINE + 1]]:17: warning: '#pragma divcost launch' is not followed by a kernel [-Wbackend-plugin]
#pragma divcost launch(block=64)
__device__ void function(int n);

#pragma divcost launch(block=64)
extern "C" __global__ void __launch_bounds__(128, 2) other(int *out);
__global__ void other(int *out) { out[0] = 1; }
