// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With separate compilation clang 22 leaves it to the linker to gather kernels for CUDA; the recorder
// is told of them when the program starts, so it knows whose launches it hears of.
//
// REQUIRES: llvm-22
// RUN: %clang %cuda-any --cuda-host-only -w -O2 -S -emit-llvm -fgpu-rdc -cuid=7 -Xclang -target-sdk-version=12.0 %s -o %t.ll -fplugin-arg-divcost-profile-generate=%t.divprof
// RUN: FileCheck %s < %t.ll

// What each parameter is: pointers, and an integer of 4 bytes; of others it isn't told.
// CHECK-DAG: @.divcost.parameters = {{.*}} c"pp4--\00"
// CHECK-DAG: @llvm.global_ctors = {{.*}}@__divcost_kernels
// CHECK: define internal void @__divcost_kernels()
// CHECK-NEXT: call void @dc_profile_register_stub(ptr {{.*}}@_ZL14__divcost_unit, ptr {{.*}}@_Z21__device_stub__kernelPiPKiif4Pair, ptr {{.*}}, ptr {{.*}}@.divcost.parameters)
struct Pair {
  int a, b;
};
__global__ void kernel(int *out, const int *bound, int n, float, Pair) {
  for (int i = 0; i < bound[threadIdx.x]; ++i)
    out[i] += n;
}
