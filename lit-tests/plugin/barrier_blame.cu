// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of two branches that decide about a barrier the notes name the one at which threads part, not one before a
// barrier that all of them pass.
//
// RUN: %clang %cuda -O2 -S -o /dev/null %s 2>&1 | FileCheck %s

__global__ void k(const int *state, int *out, int cap) {
  __shared__ int chosen;
  if (state[blockIdx.x] == 0 && threadIdx.x == 0)
    out[blockIdx.x] = 1;
  else if (state[blockIdx.x] == cap)
    return;
  chosen = 0;
  __syncthreads();
  int s = state[blockIdx.x + 1];
  if (threadIdx.x == 0) {
    chosen = s;
    // CHECK: [[#@LINE+1]]:5: warning: __syncthreads() is in control flow that may not be the same for all threads
    __syncthreads();
    // CHECK: [[#@LINE-4]]:{{[0-9]+}}: note: threads may take this branch differently
    // CHECK-NOT: meanwhile
  }
  if (threadIdx.x == 0 && s > 3)
    out[blockIdx.x + cap] = chosen;
}
