// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// More than 128 blocks of a kernel's own aren't counted, for registers don't hold their counters; its loops are.
//
// DEFINE: %{times} =
// DEFINE: %{run} = %clang %cuda -w -O1 -S -emit-llvm %s -o %t.ll -DTIMES=%{times} -fplugin-arg-divcost-profile-generate
// REDEFINE: %{times} = TEN
// RUN: %{run} && FileCheck --check-prefixes=LOOP,BLOCKS %s < %t.ll
// REDEFINE: %{times} = MANY
// RUN: %{run} && FileCheck --check-prefixes=LOOP,NONE %s < %t.ll
//
// LOOP-LABEL: define {{.*}}@_Z6kernelPi(
// LOOP: call {{.*}}@{{.*}}__divcost_meet
// BLOCKS-COUNT-10: call void @{{.*}}__divcost_visits
// NONE-NOT: __divcost_visits
// LOOP: ret void

#define TEN(x) x x x x x x x x x x
#define MANY(x) TEN(TEN(x)) TEN(x) TEN(x) TEN(x)

__global__ void kernel(int *out) {
  for (int i = 0; i < out[threadIdx.x]; ++i) {
    TIMES(if (out[i + threadIdx.x] > 3) {
      out[i] = out[i + 1] / out[i + 2] + out[i + 3] % out[i + 4] + i;
      out[i + 5] /= out[i + 6];
    })
  }
}
