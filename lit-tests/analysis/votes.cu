// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Votes, reductions and matches are warp-uniform under a mask that is; the mask may be a part of the warp.
//
// RUN: %verdicts | FileCheck %s --match-full-lines

// CHECK-LABEL: kernel whole_warp 256x1x1 (assumed)
__global__ void whole_warp(float *out, const int *in) {
  unsigned mask = __ballot_sync(~0u, in[threadIdx.x] > 0);
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, ?
  for (unsigned i = 0; i < mask; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel while_any 256x1x1 (assumed)
__global__ void while_any(float *out, int *in) {
  int mine = in[threadIdx.x];
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, -
  while (__any_sync(~0u, mine > 0)) {
    out[threadIdx.x] += 1;
    mine /= 3;
  }
}

// CHECK-LABEL: kernel until_all 256x1x1 (assumed)
__global__ void until_all(float *out, int *in) {
  int mine = in[threadIdx.x];
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, -
  do {
    out[threadIdx.x] += 1;
    mine /= 3;
  } while (!__all_sync(~0u, mine == 0));
}

// CHECK-LABEL: kernel without_the_vote 256x1x1 (assumed)
__global__ void without_the_vote(float *out, int *in) {
  int mine = in[threadIdx.x];
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, -
  do {
    out[threadIdx.x] += 1;
    mine /= 3;
  } while (mine != 0);
}

// CHECK-LABEL: kernel half_a_warp 256x1x1 (assumed)
__global__ void half_a_warp(float *out, const int *in) {
  // CHECK-NEXT: [[#@LINE+1]]: branch (threadIdx.x & 16) == 0
  if (threadIdx.x % 32 < 16) {
    int n = __popc(__ballot_sync(0xffffu, in[threadIdx.x] > 0));
    // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, ?
    for (int i = 0; i < n; ++i)
      out[i] += 1;
  }
}

// CHECK-LABEL: kernel half_a_warp_seen_by_all 256x1x1 (assumed)
__global__ void half_a_warp_seen_by_all(float *out, const int *in) {
  int n = 3;
  // CHECK-NEXT: [[#@LINE+1]]: branch (threadIdx.x & 16) == 0
  if (threadIdx.x % 32 < 16)
    n = __popc(__ballot_sync(0xffffu, in[threadIdx.x] > 0));
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, ?
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel each_half_its_own 256x1x1 (assumed)
__global__ void each_half_its_own(float *out, const int *in) {
  unsigned half = threadIdx.x % 32 < 16 ? 0xffffu : 0xffff0000u;
  int n = __popc(__ballot_sync(half, in[threadIdx.x] > 0));
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, ?
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel mask_of_a_vote 256x1x1 (assumed)
__global__ void mask_of_a_vote(float *out, const int *in) {
  unsigned active = __ballot_sync(~0u, in[threadIdx.x] > 0);
  // CHECK-NEXT: [[#@LINE+1]]: branch -
  if (in[threadIdx.x] > 0) {
    int any = __any_sync(active, in[threadIdx.x] > 9);
    // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, -
    for (int i = 0; i < any; ++i)
      out[i] += 1;
  }
}

// CHECK-LABEL: kernel reduction 256x1x1 (assumed)
__global__ void reduction(float *out, const int *in) {
  int n = __reduce_max_sync(~0u, in[threadIdx.x]);
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, max(?, 0)
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel reduction_of_parts 256x1x1 (assumed)
__global__ void reduction_of_parts(float *out, const int *in) {
  int n = __reduce_max_sync(255u << (threadIdx.x & 24), in[threadIdx.x]);
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(?, 0)
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel match_all 256x1x1 (assumed)
__global__ void match_all(float *out, const int *in) {
  int same;
  unsigned mask = __match_all_sync(~0u, in[threadIdx.x], &same);
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, ?
  for (unsigned i = 0; i < mask; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel match_any 256x1x1 (assumed)
__global__ void match_any(float *out, const int *in) {
  unsigned mask = __match_any_sync(~0u, in[threadIdx.x]);
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, ?
  for (unsigned i = 0; i < mask; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel whole_block 256x1x1 (assumed)
__global__ void whole_block(float *out, const int *in) {
  int n = __syncthreads_count(in[threadIdx.x] > 0);
  // CHECK-NEXT: [[#@LINE+1]]: block-uniform, max(?, 0)
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel block_agrees 256x1x1 (assumed)
__global__ void block_agrees(float *out, int *in) {
  int mine = in[threadIdx.x];
  // CHECK-NEXT: [[#@LINE+1]]: block-uniform, -
  while (__syncthreads_or(mine > 0)) {
    out[threadIdx.x] += 1;
    mine /= 3;
  }
}
