// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What lanes keep a tally of in registers is what they would hand over at once, to the digit: where
// a tally is full again and again, where trips leave its bins and come back, where they are too
// many for it, where lanes have different bins, where some of them aren't there, and where they
// leave in parts, for others may wait for them.
//
// DEFINE: %{level} =
// DEFINE: %{build} = %clang %cuda -w %{level} -S -emit-llvm tally.cu -o device.ll \
// DEFINE:     -fplugin-arg-divcost-profile-generate \
// DEFINE:   && %opt -passes=verify -disable-output device.ll \
// DEFINE:   && %python %S/Inputs/one_lane.py device.ll > host.ll \
// DEFINE:   && %plain-clang -w -O0 -DONE_WARP -x ir host.ll -x c %S/Inputs/one_lane.c \
// DEFINE:     -x c %S/Inputs/one_warp.c -x none %profile-library -o run \
// DEFINE:   && rm -f counts.divprof && ./run counts.divprof \
// DEFINE:   && %divcost profile show --json counts.divprof > counts.json \
// DEFINE:   && %python %S/Inputs/tallies.py counts.json
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s tally.cu
// REDEFINE: %{level} = -O0
// RUN: %{build} | FileCheck %s
// REDEFINE: %{level} = -O2
// RUN: %{build} | FileCheck %s
// RUN: grep -o 'call .*__divcost_share_[a-z]*' device.ll | grep -o 'share_[a-z]*' | sort | uniq -c | FileCheck --check-prefix=KEPT %s
// RUN: not grep -q alloca device.ll
// KEPT: 1 share_leave
// KEPT-NEXT: 3 share_rejoin
// CHECK: 4 loops as counted by hand

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
}
