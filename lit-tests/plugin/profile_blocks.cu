// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks are counted as often as lanes execute them, however lanes are scheduled, at every -O, and
// by the calls through which they came into the kernel. What was counted says how many lane-slots
// idle, and by which loop or branch.
//
// DEFINE: %{level} =
// DEFINE: %{run} = %clang %cuda -w %{level} -S -emit-llvm blocks.cu -o device.ll \
// DEFINE:     -fplugin-arg-divcost-profile-generate \
// DEFINE:   && %opt -passes=verify -disable-output device.ll \
// DEFINE:   && %python %S/Inputs/one_lane.py device.ll > host.ll \
// DEFINE:   && %plain-clang -w -O0 -DONE_WARP -x ir host.ll -x c %S/Inputs/one_lane.c \
// DEFINE:     -x c %S/Inputs/one_warp.c -x none %profile-library -o run \
// DEFINE:   && rm -f counts.divprof && ./run counts.divprof \
// DEFINE:   && %divcost profile show --json counts.divprof > shown.json \
// DEFINE:   && %python %S/Inputs/block_lanes.py shown.json
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s blocks.cu
// REDEFINE: %{level} = -O1
// RUN: %{run} | FileCheck %s
// REDEFINE: %{level} = -O3 -g
// RUN: %{run} | FileCheck %s
//
// 8 launches of 32 lanes. The kernel's start; thirds of the lanes; of 5 rounds of all lanes each
// fourth that goes another way, but not the rounds; and the sides in what is inlined twice, whose
// start follows from the trips of the loops around.
// CHECK: kernel: 88 168 256 320{{$}}
// CHECK-NEXT: odd by kernel:{{[0-9]+}}:{{[0-9]+}}: 1920 2048{{$}}
// CHECK-NEXT: odd by kernel:{{[0-9]+}}:{{[0-9]+}}: 512 512{{$}}
//
// Used: what idled, and how the kernel was launched.
// RUN: %python %S/Inputs/add_launches.py %repo/tools/tests counts.divprof _Z6kernelPi 32 8
// RUN: %clang %cuda -fsyntax-only blocks.cu -fplugin-arg-divcost-profile-use=counts.divprof \
// RUN:   -fplugin-arg-divcost-report=unit.json 2>&1 | FileCheck --check-prefix=USE %s
// USE: blocks.cu:[[# @LINE + 34]]:3: warning: loop runs a different number of iterations in each lane: {{[0-9]+}}% of the kernel's lane-slots idle (recorded: SIMT efficiency {{[0-9]+}}%, in 8 launches) [divcost-imbalance]
// USE-NOT: warning:
// RUN: grep -q '"by": "recorder"' unit.json && grep -q '"block_from": "profile"' unit.json
//
// Not used: the code of a function is another one now; or it is what it was, and its text moved.
// RUN: sed 's/ \* 3;/ * 4;/' blocks.cu > changed.cu
// RUN: %clang %cuda -fsyntax-only changed.cu -fplugin-arg-divcost-profile-use=counts.divprof 2>&1 | FileCheck --check-prefix=STALE %s
// STALE: warning: divcost: profile 'counts.divprof' is stale for kernel 'kernel(int*)': function 'odd(int, int*)' has changed since, so what idles in it is estimated; profile again
// STALE-NOT: (recorded:
// RUN: sed '1s/^/\n/' blocks.cu > moved.cu
// RUN: %clang %cuda -fsyntax-only moved.cu -fplugin-arg-divcost-profile-use=counts.divprof 2>&1 | FileCheck --check-prefix=MOVED %s
// MOVED-NOT: stale
// MOVED: (recorded: SIMT efficiency

__device__ int odd(int k, int *out) {
  if (k % 2) {
    out[k] = out[k + 1] / (k + 3);
    return out[k + 2] * 3;
  }
  out[k] = out[k + 7] % (k + 5);
  return out[k + 3] / 7;
}

__global__ void kernel(int *out) {
  int lane = threadIdx.x;
  if (lane % 3 == 0)
    out[lane] = out[lane + 1] / (out[lane] & 7 | 1);
  else
    out[lane] = out[lane + 2] % (out[lane] & 15 | 1);
  for (int k = 0; k < 5; ++k) {
    out[lane] ^= k;
    if ((lane + k) % 4 == 0)
      out[lane] = out[lane & 3] / (out[lane] & 7 | 1) + out[lane & 5] % (out[lane] & 3 | 1);
  }
  for (int k = 0; k < lane; ++k)
    out[lane] += odd(k & 31, out);
  for (int k = 0; k < 4; ++k)
    out[lane] += odd(lane, out);
}
