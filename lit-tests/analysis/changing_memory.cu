// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that other threads may write: one value for lanes that read it in one go, and no longer.
//
// RUN: %verdicts | FileCheck %s --match-full-lines

__device__ int flag;
__device__ volatile int volatile_flag;

// CHECK-LABEL: kernel plain 256x1x1 (assumed)
__global__ void plain(float *out, const int *count) {
  int n = *count;
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, max(count[...], 0)
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel plain_of_the_block 256x1x1 (assumed)
__global__ void plain_of_the_block(float *out, const int *count) {
  int n = count[blockIdx.x];
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, max(count[...], 0)
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel read_again_in_each_iteration 256x1x1 (assumed)
__global__ void read_again_in_each_iteration(float *out, const int *count) {
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, max(count[...], 0)
  for (int i = 0; i < *count; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel read_apart 256x1x1 (assumed)
__global__ void read_apart(float *out, const int *count) {
  // CHECK-NEXT: [[#@LINE+1]]: branch (threadIdx.x & 1) == 0
  if (threadIdx.x & 1) {
    int n = *count;
    // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(count[...], 0)
    for (int i = 0; i < n; ++i)
      out[i] += 1;
  }
  out[9] = 0;
}

// CHECK-LABEL: kernel read_before_parting 256x1x1 (assumed)
__global__ void read_before_parting(float *out, const int *count) {
  int n = *count;
  // CHECK-NEXT: [[#@LINE+1]]: branch (threadIdx.x & 1) == 0
  if (threadIdx.x & 1)
    // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, max(count[...], 0)
    for (int i = 0; i < n; ++i)
      out[i] += 1;
  out[9] = 0;
}

// CHECK-LABEL: kernel volatile_read 256x1x1 (assumed)
__global__ void volatile_read(float *out, const volatile int *count) {
  int n = *count;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(count[...], 0)
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel atomic_read 256x1x1 (assumed)
__global__ void atomic_read(float *out, int *count) {
  int n = __atomic_load_n(count, __ATOMIC_RELAXED);
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(count[...], 0)
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel wait_for_another_block 256x1x1 (assumed)
__global__ void wait_for_another_block(float *out) {
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, -
  while (volatile_flag == 0)
    ;
  out[threadIdx.x] = 1;
}

// CHECK-LABEL: kernel wait_with_an_atomic 256x1x1 (assumed)
__global__ void wait_with_an_atomic(float *out) {
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, -
  while (atomicAdd(&flag, 0) == 0)
    ;
  out[threadIdx.x] = 1;
}

// CHECK-LABEL: kernel one_lane_waits_for_its_block 256x1x1 (assumed)
__global__ void one_lane_waits_for_its_block(float *out) {
  // CHECK-NEXT: [[#@LINE+1]]: branch threadIdx.x == 0
  if (threadIdx.x == 0)
    // CHECK-NEXT: [[#@LINE+1]]: data-dependent, -
    while (volatile_flag == 0)
      ;
  __syncthreads();
  out[threadIdx.x] = 1;
}

// CHECK-LABEL: kernel while_the_flag_is_set 256x1x1 (assumed)
__global__ void while_the_flag_is_set(float *out, const int *in) {
  int k = 0;
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, -
  while (flag != 0) {
    out[k] += in[k];
    __threadfence();
    ++k;
  }
}

// CHECK-LABEL: kernel where_others_have_left 256x1x1 (assumed)
__global__ void where_others_have_left(float *out, const int *in) {
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, -
  for (int k = 0; k < in[threadIdx.x]; ++k) {
    __threadfence();
    int n = flag;
    // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(flag[...], 0)
    for (int i = 0; i < n; ++i)
      out[i] += 1;
  }
  out[9] = 0;
}

// CHECK-LABEL: kernel where_others_have_returned 256x1x1 (assumed)
__global__ void where_others_have_returned(float *out, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: branch threadIdx.x < n
  if (threadIdx.x >= n)
    return;
  int m = flag;
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, max(flag[...], 0)
  for (int i = 0; i < m; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel read_after_parting_again 256x1x1 (assumed)
__global__ void read_after_parting_again(float *out, const int *in) {
  // CHECK-NEXT: [[#@LINE+1]]: branch -
  if (in[threadIdx.x] > 0)
    out[1] = 5;
  __syncwarp();
  int m = flag;
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, max(flag[...], 0)
  for (int i = 0; i < m; ++i)
    out[i] += 1;
}
