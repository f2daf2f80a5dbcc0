// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels stand by the time that divergence costs, where that is known: a large launch that loses
// little of its issue cycles before a small one that loses most. Then those whose time isn't known;
// last those that lose nothing.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang %cuda-any --cuda-device-only --cuda-gpu-arch=sm_90 -fsyntax-only -w %s -fplugin-arg-divcost-report=unit.json
// RUN: %divcost report unit.json | FileCheck %s
// CHECK:      {{^}} time lost lost efficiency issue cycles kernel
// CHECK-NEXT: {{^ [0-9.]+ us .* large$}}
// CHECK-NEXT: {{^ [0-9.]+ us .* small$}}
// CHECK-NEXT: {{^ - .* unknown$}}
// CHECK-NEXT: {{^ 0 0% .* nothing$}}
// CHECK-NEXT: {{^ - 0% .* nothing_unknown$}}
// CHECK: {{^}}large(int const*, float*)
// CHECK: {{^}}small(int const*, float*)
// CHECK: {{^}}unknown(int const*, float*)
//
// The page has the same order:
// RUN: %divcost report --html unit.json > page.html
// RUN: %python %repo/tools/tests/html/page_block.py page.html index | FileCheck --check-prefix=PAGE %s
// PAGE: "kernels":{{\[\["large\(.*\["small\(.*\["unknown\(.*\["nothing\(.*\["nothing_unknown\(}}

#define BODY                                                                                       \
  for (int j = 0; j < length[blockIdx.x * blockDim.x + threadIdx.x]; ++j)                          \
    out[blockIdx.x * blockDim.x + threadIdx.x] = out[blockIdx.x * blockDim.x + threadIdx.x] * 3 + 1;

#pragma divcost launch(block=256, grid=100000, l2=warm)
__global__ void large(const int *__restrict__ length, float *__restrict__ out) {
#pragma divcost trips(uniform(30, 50))
  BODY
}
#pragma divcost launch(block=256, grid=5000, l2=warm)
__global__ void small(const int *__restrict__ length, float *__restrict__ out) {
#pragma divcost trips(geometric(0.02))
  BODY
}
#pragma divcost launch(block=256)
__global__ void unknown(const int *__restrict__ length, float *__restrict__ out) {
#pragma divcost trips(geometric(0.02))
  BODY
}
#pragma divcost launch(block=256, grid=100, l2=warm)
__global__ void nothing(const int *__restrict__ length, float *__restrict__ out) { out[0] = 1; }
#pragma divcost launch(block=256)
__global__ void nothing_unknown(const int *__restrict__ length, float *__restrict__ out) { out[0] = 1; }
