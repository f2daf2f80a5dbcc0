// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop that is left in two ways, each with a branch of its own, hands over what its blocks
// counted behind both: 8 launches of 32 lanes begin 1272 iterations, of which all but 184 come to
// the step.
//
// DEFINE: %{level} =
// DEFINE: %{run} = %clang %cuda -w %{level} -S -emit-llvm ways.cu -o device.ll \
// DEFINE:     -fplugin-arg-divcost-profile-generate \
// DEFINE:   && %opt -passes=verify -disable-output device.ll \
// DEFINE:   && %python %S/Inputs/one_lane.py device.ll > host.ll \
// DEFINE:   && %plain-clang -w -O0 -DONE_WARP -x ir host.ll -x c %S/Inputs/one_lane.c \
// DEFINE:     -x c %S/Inputs/one_warp.c -x none %profile-library -o run \
// DEFINE:   && rm -f counts.divprof && ./run counts.divprof \
// DEFINE:   && %divcost profile show --json counts.divprof > shown.json \
// DEFINE:   && %python %S/Inputs/block_lanes.py shown.json
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s ways.cu
// REDEFINE: %{level} = -O0
// RUN: %{run} | FileCheck %s
// REDEFINE: %{level} = -O2
// RUN: %{run} | FileCheck %s
// CHECK: kernel: {{.*}}1088

__global__ void kernel(int *out) {
  int lane = threadIdx.x, k = lane & 3;
  do {
    if ((k * 7 + lane) % 11 == 5) {
      if (out[lane] & 1) {
        out[k] = out[k + 1] / 3;
        out[k + 1] = 5 / (out[k + 2] | 1);
      }
      goto done;
    }
    ++k;
  } while (k < 9);
  if (out[(lane + 7) & 31] & 1) {
    out[k & 31] = out[(k + 5) & 31] / 3;
    out[(k + 9) & 31] = 5 / (out[k] | 1);
  }
done:
  out[lane] += k;
}
