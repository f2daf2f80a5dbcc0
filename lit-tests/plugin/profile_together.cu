// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a kernel has more than 128 blocks to count, those of all copies of a function are counted
// together: the efficiency of the kernel is as if each were counted.
//
// DEFINE: %{calls} =
// DEFINE: %{run} = seq %{calls} | sed 's/.*/sum += odd(lane, out);/' > calls.inc \
// DEFINE:   && %clang %cuda -w -O1 -S -emit-llvm together.cu -o device.ll \
// DEFINE:     -fplugin-arg-divcost-profile-generate \
// DEFINE:   && %opt -passes=verify -disable-output device.ll \
// DEFINE:   && %python %S/Inputs/one_lane.py device.ll > host.ll \
// DEFINE:   && %plain-clang -w -O0 -DONE_WARP -x ir host.ll -x c %S/Inputs/one_lane.c \
// DEFINE:     -x c %S/Inputs/one_warp.c -x none %profile-library -o run \
// DEFINE:   && rm -f counts.divprof && ./run counts.divprof \
// DEFINE:   && %divcost profile show --json counts.divprof > shown.json \
// DEFINE:   && %python %S/Inputs/block_lanes.py shown.json > said.txt \
// DEFINE:   && %python %S/Inputs/add_launches.py %repo/tools/tests counts.divprof _Z6kernelPi 32 8 \
// DEFINE:   && %clang %cuda -fsyntax-only together.cu \
// DEFINE:     -fplugin-arg-divcost-profile-use=counts.divprof 2>> said.txt
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s together.cu
// REDEFINE: %{calls} = 20
// RUN: %{run} && FileCheck --check-prefix=FEW %s < said.txt
// FEW-COUNT-20: odd by kernel:{{[0-9]+}}:8: 128 128 256
// FEW: warning: 48% of the lane-slots of kernel 'kernel(int*)' idle, {{.*}} (recorded: SIMT efficiency 52%, in 8 launches)
// REDEFINE: %{calls} = 100
// RUN: %{run} && FileCheck --check-prefix=MANY %s < said.txt
// MANY: odd: 12800 12800 25600
// MANY-NEXT: warning: 48% of the lane-slots of kernel 'kernel(int*)' idle, {{.*}} (recorded: SIMT efficiency 52%, in 8 launches)

__device__ int odd(int k, int *out) {
  if (k % 2) {
    out[k & 31] = out[k + 1 & 31] / (k & 7 | 1) + 3;
    return out[k + 2 & 31] * 3;
  }
  out[k & 31] = out[k + 7 & 31] % (k & 15 | 1);
  return out[k + 3 & 31] / 7;
}

__global__ void kernel(int *out) {
  int lane = threadIdx.x, sum = 0;
#include "calls.inc"
  out[lane] = sum;
}
