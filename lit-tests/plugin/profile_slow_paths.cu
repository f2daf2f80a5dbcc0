// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A division is a branch in machine code: lanes with a numerator of zero, and those with integers of
// more than 32 bits, take a slow path. The recorder counts them, whatever the -O, and what idles
// meanwhile is charged to the division's line.
//
// DEFINE: %{level} =
// DEFINE: %{run} = %clang %cuda -w %{level} -S -emit-llvm slow.cu -o device.ll \
// DEFINE:     -fplugin-arg-divcost-profile-generate \
// DEFINE:   && %opt -passes=verify -disable-output device.ll \
// DEFINE:   && %python %S/Inputs/one_lane.py device.ll > host.ll \
// DEFINE:   && %plain-clang -w -O0 -DONE_WARP -x ir host.ll -x c %S/Inputs/one_lane.c \
// DEFINE:     -x c %S/Inputs/one_warp.c -x none %profile-library -o run \
// DEFINE:   && rm -f counts.divprof && ./run counts.divprof \
// DEFINE:   && %divcost profile show --json counts.divprof > shown.json \
// DEFINE:   && %python %S/Inputs/block_lanes.py shown.json
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s slow.cu
// REDEFINE: %{level} = -O1
// RUN: %{run} | FileCheck %s
// REDEFINE: %{level} = -O3
// RUN: %{run} | FileCheck %s
//
// 8 launches of 32 lanes: 5 lanes divide a double of zero; a quarter of all in each of 4 rounds a
// float; 16 lanes a number of 41 bits; 7 lanes a float that
// isn't normal, which counts as three, written as a division of doubles. And the start. 1 / x and x / 4 are no such divisions.
// CHECK: kernel: 40 128 168 256 256{{$}}
//
// RUN: %python %S/Inputs/add_launches.py %repo/tools/tests counts.divprof _Z6kernelPi 32 8
// RUN: %clang %cuda -fsyntax-only slow.cu -fplugin-arg-divcost-profile-use=counts.divprof \
// RUN:   -fplugin-arg-divcost-report=unit.json -fplugin-arg-divcost-threshold=0.05 2>&1 | FileCheck --check-prefix=USE %s
// USE: slow.cu:[[# @LINE + 10]]:{{[0-9]+}}: warning: {{.*}}(recorded: SIMT efficiency {{[0-9]+}}%, in 8 launches) [divcost-efficiency]
//

__global__ void kernel(int *out) {
  int lane = threadIdx.x;
  for (int k = 0; k < 4; ++k) {
    float real = (lane + k) % 4 ? lane + 1 : 0;
    out[lane] += real / (out[lane] & 1 | 2);
  }
  double real = lane < 5 ? 0 : lane;
  out[lane] += real / (out[lane] & 1 | 2);
  long long wide = (lane % 2 ? 1ll << 40 : 3) + (out[lane] >> 31);
  out[lane] += wide / (out[lane] >> 31 | 5);
  out[lane] += 1.0f / (out[lane] & 1 | 2) + real / 4;
  volatile float tiny = lane < 7 ? 1e-40f : lane; // as doubles these would take the fast path
  float narrow = (tiny - 0.0) / 100.0;
  out[lane] += narrow;
}
