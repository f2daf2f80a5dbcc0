// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that may lose nearly all of its lanes in several places, none of which is worth a warning
// by itself. The same is said with a report and without.
//
// RUN: %clang %cuda -fsyntax-only %s 2>&1 | FileCheck --implicit-check-not=warning: %s
// RUN: %clang %cuda -fsyntax-only %s -fplugin-arg-divcost-report=%t.json 2>&1 \
// RUN:   | FileCheck --implicit-check-not=warning: %s
// RUN: %clang %cuda -fsyntax-only -Werror %s -fplugin-arg-divcost-no-warn=efficiency
// RUN: %clang %cuda -fsyntax-only -Werror %s -fplugin-arg-divcost-threshold=0.99

__device__ float grown(float x) {
  for (int k = 0; k < 20; ++k)
    x = x * x + 0.5f;
  return x;
}

// Items of eight kinds, each with code of its own.
// CHECK: spread.cu:[[# @LINE + 1]]:{{[0-9]+}}: warning: lanes of kernel 'of_kinds(int const*, float*)' may part in several places, by data: up to {{9[0-9]}}% of them idle if each decides for itself, 0% if they are alike; most in lines 27, 29 and 31 (assumed: what data decide) [divcost-efficiency]
__global__ void of_kinds(const int *kind, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int *own = kind + 8 * i;
  float x = out[i];
  if (own[0] > 3)
    x = grown(x);
  if (own[1] > 3)
    x = grown(x + 1);
  if (own[2] > 3)
    x = grown(x + 2);
  if (own[3] > 3)
    x = grown(x + 3);
  if (own[4] > 3)
    x = grown(x + 4);
  if (own[5] > 3)
    x = grown(x + 5);
  if (own[6] > 3)
    x = grown(x + 6);
  if (own[7] > 3)
    x = grown(x + 7);
  out[i] = x;
}
