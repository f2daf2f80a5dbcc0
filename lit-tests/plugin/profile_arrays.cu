// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A short loop over a thread's array is unrolled in the analysis, and what is left of it is executed as
// often as the block around it: by a quarter of the lanes, not once for each round.
//
// DEFINE: %{level} =
// DEFINE: %{run} = %clang %cuda -w %{level} -S -emit-llvm arrays.cu -o device.ll \
// DEFINE:     -fplugin-arg-divcost-profile-generate \
// DEFINE:   && %python %S/Inputs/one_lane.py device.ll > host.ll \
// DEFINE:   && %plain-clang -w -O0 -DONE_WARP -x ir host.ll -x c %S/Inputs/one_lane.c \
// DEFINE:     -x c %S/Inputs/one_warp.c -x none %profile-library -o run \
// DEFINE:   && rm -f counts.divprof && ./run counts.divprof \
// DEFINE:   && %divcost profile show --json counts.divprof > shown.json \
// DEFINE:   && %python %S/Inputs/block_lanes.py shown.json
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s arrays.cu
// REDEFINE: %{level} = -O2
// RUN: %{run} | FileCheck %s
//
// 8 launches of 32 lanes.
// CHECK: kernel: 64 256
//
// RUN: %python %S/Inputs/add_launches.py %repo/tools/tests counts.divprof _Z6kernelPi 32 8
// RUN: %clang %cuda -w -O2 -S -o /dev/null arrays.cu -fplugin-arg-divcost-profile-use=counts.divprof \
// RUN:   -fplugin-arg-divcost-report=unit.json
// RUN: grep -q '"by": "recorder"' unit.json

__global__ void kernel(int *out) {
  int lane = threadIdx.x, mine[4];
  for (int k = 0; k < 4; ++k)
    mine[k] = out[lane] + k;
  if (lane % 4 == 0) {
    int by = out[lane ^ 1] & 7 | 1;
    for (int k = 0; k < 4; ++k)
      mine[k] = mine[k] / (out[lane ^ k] & 7 | by);
  }
  out[lane] = mine[0] + mine[1] * mine[2] - mine[3];
}
