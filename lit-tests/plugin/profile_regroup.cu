// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A GPU may let lanes go on that wait for others behind a loop, and join lanes that came to the same
// place in different ways: in the recorder's functions, lanes that enter different loops, and in a
// loop, lanes at different iterations of the loop around. None of this is taken for an entry of one
// loop, and all is counted.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s regroup.cu
// RUN: %clang %cuda -w -O2 -S -emit-llvm regroup.cu -o device.ll -fplugin-arg-divcost-profile-check
// RUN: %python %S/Inputs/one_lane.py device.ll > host.ll
// RUN: %plain-clang -w -O0 -DONE_WARP -x ir host.ll -x c %S/Inputs/one_lane.c \
// RUN:     -x c %S/Inputs/one_warp.c -x none %profile-library -o run
// RUN: ./run counts.divprof 2>&1 | count 0
// RUN: %divcost profile show --json counts.divprof \
// RUN:   | %python -c "import json, sys; [print(l['level'], l['lanes'], l['iterations'], 'parted' if l['parted'] else 'alike') for l in json.load(sys.stdin)['loops']]" \
// RUN:   | FileCheck %s
// 8 launches of 32 lanes:
// CHECK: divergent 256.0 3968.0 parted
// CHECK-NEXT: uniform 3968.0 43648.0 alike
// CHECK-NEXT: uniform 256.0 1280.0 alike
// CHECK-NEXT: uniform 256.0 1536.0 alike
// CHECK-NEXT: divergent 1536.0 2304.0 parted
// CHECK-NEXT: uniform 1536.0 19200.0 alike

__global__ void kernel(int *out) {
  int lane = threadIdx.x;
  for (int row = lane + 1; row < 32; ++row) {
    for (int k = lane; k < row; ++k)
      out[lane] += k;
  }
  for (int row = 0; row < 5; ++row)
    out[lane] ^= row;
  for (int k = 0; k < 6; ++k) {
    for (int j = 0; j < lane % 4; ++j) // from here on, lanes are at different k
      out[lane] += j;
    for (int j = 0; j < 5 * k; ++j)
      out[lane] -= j;
  }
}
