// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop in a cycle that no loop is, since it is entered in two ways, is left again and again: what
// was handed over is gone. 8 launches of 32 lanes, in each of which the loop is entered 4 times for 5
// rounds, of which one goes another way.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s reentered.cu
// RUN: %clang %cuda -w -O2 -S -emit-llvm reentered.cu -o device.ll -fplugin-arg-divcost-profile-generate
// RUN: %opt -passes=verify -disable-output device.ll
// RUN: %python %S/Inputs/one_lane.py device.ll > host.ll
// RUN: %plain-clang -w -O0 -DONE_WARP -x ir host.ll -x c %S/Inputs/one_lane.c -x c %S/Inputs/one_warp.c -x none %profile-library -o run
// RUN: rm -f counts.divprof && ./run counts.divprof
// RUN: %divcost profile show --json counts.divprof > shown.json
// RUN: %python %S/Inputs/block_lanes.py shown.json warps | FileCheck %s
// CHECK: kernel: {{.*}}32/1024 {{.*}}128/4096 160/5120{{$}}

__global__ void kernel(int *out) {
  int i = 0, lane = threadIdx.x;
  long zero = (long)out >> 59, two = zero + 2;
  if (two == 5)
    goto second;
first:
  asm volatile("" ::: "memory");
  out[lane] += 1;
#pragma unroll 1
  for (int k = 0; k < 3 + two; ++k) {
    asm volatile("" ::: "memory");
    if (k == two)
      out[lane] = out[lane] / (k + 3);
    else
      out[lane] = out[lane] % (k + 3);
  }
  if (i++ > two)
    return;
second:
  asm volatile("" ::: "memory");
  out[lane] += 7;
  if (i + zero == 9)
    return;
  asm volatile("" ::: "memory");
  goto first;
}
