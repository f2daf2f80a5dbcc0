// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A barrier that is missed only by threads that have left the kernel is a remark, a warning where
// that is asked for by name, and before sm_70 a warning anyway.
//
// DEFINE: %{for} = %clang %cuda-any --cuda-device-only -S -o /dev/null %s
// RUN: %{for} --cuda-gpu-arch=sm_70 2>&1 | FileCheck --allow-empty --implicit-check-not=barrier %s --check-prefix=NONE
// RUN: %{for} --cuda-gpu-arch=sm_70 -fplugin-arg-divcost-warn=barrier-exited 2>&1 | FileCheck %s --check-prefixes=EXITED,WARN
// RUN: %{for} --cuda-gpu-arch=sm_70 -Rpass-analysis=divcost 2>&1 | FileCheck %s --check-prefixes=EXITED,REMARK
// RUN: %{for} --cuda-gpu-arch=sm_60 2>&1 | FileCheck %s --check-prefix=OLD

__shared__ int s[256];

__global__ void guarded(int *out, int n) {
  if (threadIdx.x >= n)
    return;
  s[threadIdx.x] = out[threadIdx.x];
  // WARN: [[# @LINE + 3]]:3: warning: __syncthreads() comes after a return that some threads of the block may take; from sm_70 on threads that have left the kernel count as arrived [divcost-barrier-exited]
  // REMARK: [[# @LINE + 2]]:3: remark: __syncthreads() comes after a return {{.*}}count as arrived
  // OLD: [[# @LINE + 1]]:3: warning: __syncthreads() comes after a return {{.*}} [divcost-barrier]
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x ^ 1];
}

__global__ void silenced(int *out, int n) {
  if (threadIdx.x >= n)
    return;
  s[threadIdx.x] = out[threadIdx.x];
  // WARN-NOT: [[# @LINE + 1]]:3: warning
  __syncthreads(); // NOLINT(divcost-barrier-exited)
  out[threadIdx.x] = s[threadIdx.x ^ 1];
}

// NONE-NOT: warning
// EXITED-NOT: [divcost-barrier]
// EXITED: {{warning|remark}}
