// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One block in some hundreds does far more than the others, and no warp that stands for the launch
// is of it: that is found by the trips, or by a condition in front of them. So is the end of a
// launch whose long blocks are in one row. Blocks that differ little need no such thing.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang %cuda-any --cuda-device-only --cuda-gpu-arch=sm_90 -fsyntax-only -w %s -fplugin-arg-divcost-report=unit.json
// RUN: %divcost report unit.json | tr -s ' \n' ' ' | sed 's/[a-z_]*([^)]*) at [^ ]* block /\n&/g' | FileCheck %s
// CHECK-DAG: {{^}}by_trips(unsigned int*, int, int, int) {{.*}} goes to empty block slots ({{9[0-9]|100}}%)
// CHECK-DAG: {{^}}by_condition(unsigned int*, int, int) {{.*}} goes to empty block slots ({{9[0-9]|100}}%)
// CHECK-DAG: {{^}}by_row(unsigned int*, int, int, int) {{.*}} goes to empty block slots ({{9[0-9]|100}}%)
// CHECK-DAG: {{^}}little(unsigned int*, int) {{.*}} goes to issue slots (9{{[0-9]}}%)

#define BODY                                                                                       \
  {                                                                                                \
    x ^= x >> 15;                                                                                  \
    x = x * 0x2c1b3c6du + 1u;                                                                      \
  }

#pragma divcost launch(block=128, grid=4224, every=1000, few=100, many=20000, l2=warm)
__global__ void by_trips(unsigned *__restrict__ out, int every, int few, int many) {
  unsigned x = threadIdx.x;
  int steps = blockIdx.x % every == every - 1 ? many : few;
  for (int k = 0; k < steps; ++k)
    BODY
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

#pragma divcost launch(block=128, grid=4224, at=2717, many=20000, l2=warm)
__global__ void by_condition(unsigned *__restrict__ out, int at, int many) {
  unsigned x = threadIdx.x;
  if (blockIdx.x == at)
    for (int k = 0; k < many; ++k)
      BODY
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

#pragma divcost launch(block=128, grid=(64, 64), at=37, few=100, many=20000, l2=warm)
__global__ void by_row(unsigned *__restrict__ out, int at, int few, int many) {
  unsigned x = threadIdx.x;
  int steps = blockIdx.y == at && blockIdx.x == 5 ? many : few;
  for (int k = 0; k < steps; ++k)
    BODY
  out[(blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x] = x;
}

#pragma divcost launch(block=128, grid=42240, steps=1000, l2=warm)
__global__ void little(unsigned *__restrict__ out, int steps) {
  unsigned x = threadIdx.x;
  for (int k = 0; k < steps + (int)(blockIdx.x % 100); ++k)
    BODY
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
