// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 100 of 128 threads work, so that one warp of four has 4 lanes: what a loop has of it the kernel has,
// too, though the emulator has no room for all warps. All of it is constants.
//
// RUN: %clang %cuda -fsyntax-only -w %s -fplugin-arg-divcost-report=%t.json
// RUN: %divcost report %t.json | FileCheck %s
//
// CHECK: sm_{{[0-9]+}} {{.*}} 7{{[89]}}%
// CHECK-NOT: (emulated)

#pragma divcost launch(block=(128), grid=(10))
__global__ void rows(const float *x, float *y) {
  __shared__ float s[100];
  for (int r = 0; r < 64; ++r) {
    for (int t = threadIdx.x; t < 100; t += 128)
      s[t] = x[r * 100 + t];
    __syncthreads();
    for (int t = threadIdx.x; t < 100; t += 128) {
      float a = 0;
      for (int j = 0; j < 100; ++j)
        a += s[j] * s[t];
      y[t] += a;
    }
    __syncthreads();
  }
}
