// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that lanes come to again and again, in a loop around, are counted to the digit: where each
// lane leaves as it did the last time, and where not; with few trips and with many; where some lanes
// aren't there, and where they leave in parts, for others may wait for them.
//
// DEFINE: %{level} =
// DEFINE: %{build} = %clang %cuda -w %{level} -S -emit-llvm nested.cu -o device.ll \
// DEFINE:     -fplugin-arg-divcost-profile-generate \
// DEFINE:   && %opt -passes=verify -disable-output device.ll \
// DEFINE:   && %python %S/Inputs/one_lane.py device.ll > host.ll \
// DEFINE:   && %plain-clang -w -O0 -DONE_WARP -x ir host.ll -x c %S/Inputs/one_lane.c \
// DEFINE:     -x c %S/Inputs/one_warp.c -x none %profile-library -o run \
// DEFINE:   && rm -f counts.divprof && ./run counts.divprof \
// DEFINE:   && %divcost profile show --json counts.divprof > counts.json \
// DEFINE:   && %python %S/Inputs/nested_counts.py counts.json
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s nested.cu
// REDEFINE: %{level} = -O0
// RUN: %{build} | FileCheck %s
// REDEFINE: %{level} = -O2
// RUN: %{build} | FileCheck %s
// CHECK: 4 loops as counted by hand
//
// Lanes that end in a function that is called would lose what they repeated.
// RUN: grep -q 'call .*__divcost_repeat' device.ll
//
// ptxas isn't to see that all lanes which vote have the mask from one question.
// RUN: grep -q 'call .*nvvm.read.ptx.sreg.lanemask.ge' device.ll
//
// RUN: %clang %cuda -w -O2 -S -emit-llvm -DENDS nested.cu -o device.ll -fplugin-arg-divcost-profile-generate
// RUN: not grep -q 'call .*__divcost_repeat' device.ll

#ifdef ENDS
__attribute__((device, noinline)) void end(int lane) {
  if (lane == 5)
    __nvvm_exit();
}
#endif

__global__ void kernel(int *out) {
  int lane = threadIdx.x;
  for (int round = 0; round < 140; ++round)
    for (int k = 0; k < (lane + round) % 5 + (out[lane] == 123456789); ++k)
      out[lane] ^= k + round;
  for (int round = 0; round < 40; ++round)
    for (int k = 0; k < round / 10 * 40 + lane % 9 + (out[lane] == 123456789); ++k)
      out[lane] ^= k + round;
  for (int round = 0; round < 12; ++round)
    for (int k = 0; k < (round % 4 == 3 ? 250 + lane % 14 : lane * 7) + (out[lane] == 123456789); ++k)
      out[lane] ^= k + round;
  for (int round = 0; round < 30; ++round)
    if ((lane + round) % 3)
      for (int k = 0; k < lane % 4 + round / 9 + (out[lane] == 123456789); ++k)
        __sync_fetch_and_add(&out[lane], k);
#ifdef ENDS
  end(out[lane]);
#endif
}
