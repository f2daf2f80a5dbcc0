// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where an operation for all lanes stands in a branch, lanes don't come together behind it. So the recorder counts what follows by itself, and asks there who is first.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// DEFINE: %{operation} =
// DEFINE: %{run} = %clang %cuda -w -O1 -S -emit-llvm %s -o device.ll -DOPERATION="%{operation}" \
// DEFINE:     -fplugin-arg-divcost-profile-generate
//
// REDEFINE: %{operation} = __syncthreads()
// RUN: %{run} && FileCheck --check-prefixes=SIDE,APART %s < device.ll
// REDEFINE: %{operation} = __syncwarp()
// RUN: %{run} && FileCheck --check-prefixes=SIDE,APART %s < device.ll
// REDEFINE: %{operation} = out[1] = __shfl_sync(0xffffffff, out[2], 3)
// RUN: %{run} && FileCheck --check-prefixes=SIDE,APART %s < device.ll
// REDEFINE: %{operation} = for (int k = 0; k < mask; ++k) if (out[k]) __syncthreads()
// RUN: %{run} && FileCheck --check-prefix=APART %s < device.ll
//
// It has a mask of lanes.
// REDEFINE: %{operation} = out[1] = __shfl_sync(mask, out[2], 3)
// RUN: %{run} && FileCheck --check-prefixes=SIDE,TOGETHER %s < device.ll
//
// SIDE-LABEL: define {{.*}}@_Z6kernelPij(
// SIDE: br i1
// SIDE: call i32 @llvm.nvvm.activemask()
// TOGETHER: store i32 17,
// APART: store i32 17,
// APART: call i32 @llvm.nvvm.activemask()
// APART: red.global.add
// APART: store i32 23,
// TOGETHER-NOT: call i32 @llvm.nvvm.activemask()
// TOGETHER: store i32 23,

__global__ void kernel(int *out, unsigned mask) {
  int lane = threadIdx.x;
  if (out[lane] > 5) {
    out[lane + 100] = out[lane + 7] / (out[lane + 9] | 1);
    OPERATION;
    out[lane + 200] = 17;
  }
  out[lane + 300] = 23;
}
