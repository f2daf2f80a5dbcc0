// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where an operation for all lanes stands in a branch, ptxas doesn't have lanes come together behind
// it. So the recorder counts what follows by itself, and asks there who is first.
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
//
// Of other lanes, or in a branch of its own there.
// REDEFINE: %{operation} = out[1] = __shfl_sync(mask, out[2], 3)
// RUN: %{run} && FileCheck --check-prefixes=SIDE,TOGETHER %s < device.ll
// REDEFINE: %{operation} = if (mask > 3) __syncthreads()
// RUN: %{run} && FileCheck --check-prefixes=NESTED,TOGETHER %s < device.ll
//
// SIDE-LABEL: define {{.*}}@_Z6kernelPij(
// SIDE: br i1
// SIDE: call i32 @llvm.nvvm.activemask()
// SIDE: store i32 17,
// NESTED-LABEL: define {{.*}}@_Z6kernelPij(
// NESTED: store i32 17,
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
