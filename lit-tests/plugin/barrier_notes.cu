// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Notes name the condition that parts the threads, not a loop around the barrier that all of them
// run alike; that they differ is said where it was shown for the launch.
//
// RUN: %clang %cuda -O2 -S -o /dev/null -fno-caret-diagnostics %s 2>&1 \
// RUN:   -fplugin-arg-divcost-no-warn=imbalance,branch | FileCheck %s --implicit-check-not=note:

__shared__ int s[256];

__global__ void a_branch_in_a_uniform_loop(const int *in, int *out, int n) {
  for (int k = 0; k < n; ++k) {
    if (in[threadIdx.x] > k)
      // CHECK: [[# @LINE + 3]]:7: warning: __syncthreads() is in control flow that may not be {{.*}} [divcost-barrier]
      // CHECK-NEXT: [[# @LINE - 2]]:{{.*}} note: threads may take this branch differently
      // CHECK-NEXT: [[# @LINE - 3]]:{{.*}} note: 'in' is read here at an address that differs between lanes
      __syncthreads();
    // CHECK-NEXT: note: threadIdx.x is read here
    out[threadIdx.x + k] = s[threadIdx.x ^ 1];
  }
}

#pragma divcost launch(block=256)
__global__ void shown_for_the_launch(int *out) {
  // CHECK: [[# @LINE + 4]]:5: warning: __syncthreads()
  // CHECK-NEXT: [[# @LINE + 2]]:{{.*}} note: threads take this branch differently
  // CHECK-NEXT: [[# @LINE + 1]]:{{.*}} note: threadIdx.x is read here
  if (threadIdx.x < 16)
    __syncthreads();
  out[threadIdx.x] = s[threadIdx.x ^ 1];
}

// It isn't known which threads come to the branch.
#pragma divcost launch(block=256)
__global__ void after_some_have_gone(int *out) {
  if (out[threadIdx.x] < 3)
    return;
  // CHECK: [[# @LINE + 4]]:5: warning: __syncthreads()
  // CHECK-NEXT: [[# @LINE + 2]]:{{.*}} note: threads may take this branch differently
  // CHECK-NEXT: note: threadIdx.x is read here
  if (threadIdx.x < 16)
    __syncthreads();
  out[threadIdx.x] = s[threadIdx.x ^ 1];
}

__global__ void both_sides(int *out, int n) {
  if (threadIdx.x < n) {
    __syncthreads();
    out[threadIdx.x] = s[9];
  } else {
    out[threadIdx.x] = 2;
    // CHECK: [[# @LINE + 4]]:5: warning: __syncthreads()
    // CHECK-NEXT: [[# @LINE - 6]]:{{.*}} note: threads may take this branch differently
    // CHECK-NEXT: [[# @LINE - 7]]:{{.*}} note: threadIdx.x is read here
    // CHECK-NEXT: [[# @LINE - 7]]:5: note: those that don't come may wait here meanwhile
    __syncthreads();
    // CHECK-NEXT: [[# @LINE - 9]]:5: warning: __syncthreads()
    // CHECK-NEXT: [[# @LINE - 11]]:{{.*}} note: threads may take this branch differently
    // CHECK-NEXT: [[# @LINE - 12]]:{{.*}} note: threadIdx.x is read here
    // CHECK-NEXT: [[# @LINE - 4]]:5: note: those that don't come may wait here meanwhile
    out[threadIdx.x] = s[10];
  }
}

// What differs is what each warp's vote gives, not the mask.
__global__ void a_vote_of_each_warp(const int *in, int *out) {
  // CHECK: [[# @LINE + 3]]:5: warning: __syncthreads()
  // CHECK-NEXT: [[# @LINE + 1]]:{{.*}} note: threads may take this branch differently
  if (__all_sync(0xffffffff, in[threadIdx.x] > 0))
    __syncthreads();
  // CHECK-NEXT: [[# @LINE - 2]]:{{.*}} note: this vote gives each warp a result of its own
  out[threadIdx.x] = s[threadIdx.x ^ 1];
}
