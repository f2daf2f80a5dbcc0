// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A barrier behind a return that some threads take: before sm_70 it waits for them. What counts is
// the architecture that is compiled for, unless an option names another.
//
// DEFINE: %{for} = %clang %cuda-any --cuda-device-only -S -o /dev/null %s
// RUN: %{for} --cuda-gpu-arch=sm_60 2>&1 | FileCheck %s
// RUN: %{for} --cuda-gpu-arch=sm_70 -fplugin-arg-divcost-arch=sm_60 2>&1 | FileCheck %s
// RUN: %{for} --cuda-gpu-arch=sm_70 2>&1 | FileCheck --allow-empty --check-prefix=NONE %s
// RUN: %{for} --cuda-gpu-arch=sm_60 -fplugin-arg-divcost-arch=sm_70 2>&1 | FileCheck --allow-empty --check-prefix=NONE %s

#include "Inputs/library.h"

__global__ void guarded(float *p, int n) {
  if (threadIdx.x >= n)
    return;
  // CHECK: [[# @LINE + 1]]:3: warning: __syncthreads() comes after a return that some threads of the block may take; before sm_70 they must all arrive [divcost-barrier]
  __syncthreads();
  p[threadIdx.x] = 1;
}
// NONE-NOT: warning
