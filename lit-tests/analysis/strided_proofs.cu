// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Strided is a proof: the lanes' starts lie within one step whatever the launch and the values are, or under the
// condition that is said; else the loop is lane-affine.
//
// RUN: %verdicts | FileCheck %s --match-full-lines

// CHECK-LABEL: kernel scaled_by_a_parameter 256x1x1 (assumed)
__global__ void scaled_by_a_parameter(float *a, int n, int k) {
  int first = (int)threadIdx.x * k;
  // CHECK-NEXT: [[#@LINE+1]]: strided, ceil((n - threadIdx.x * k) / 1024) (if |k| <= 33; if no warp lies in two rows of the block)
  for (int i = first; i < n; i += 1024)
    a[i] += 1;
}

// CHECK-LABEL: kernel scaled_like_its_step 256x1x1 (assumed)
__global__ void scaled_like_its_step(float *a, int n, int k) {
  int first = (int)threadIdx.x * k, step = (int)blockDim.x * k;
  // CHECK-NEXT: [[#@LINE+1]]: strided, ceil((n - threadIdx.x * k) / (blockDim.x * k))
  for (int i = first; i < n; i += step)
    a[i] += 1;
}

// CHECK-LABEL: kernel scaled_by_the_block 256x1x1 (assumed)
__global__ void scaled_by_the_block(float *a, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: strided, ceil((n - threadIdx.x * blockIdx.x) / 32768) (if blockIdx.x <= 1057; if no warp lies in two rows of the block)
  for (int i = threadIdx.x * blockIdx.x; i < n; i += 32768)
    a[i] += 1;
}

// CHECK-LABEL: kernel scaled_by_the_grid 256x1x1 (assumed)
__global__ void scaled_by_the_grid(float *a, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: lane-affine, ceil((n - threadIdx.x * gridDim.x) / blockDim.x)
  for (int i = threadIdx.x * gridDim.x; i < n; i += blockDim.x)
    a[i] += 1;
}

// CHECK-LABEL: kernel scaled_by_what_is_read 256x1x1 (assumed)
__global__ void scaled_by_what_is_read(float *a, const int *__restrict__ w, int n) {
  int first = (int)threadIdx.x * w[0];
  // CHECK-NEXT: [[#@LINE+1]]: strided, ceil((n - threadIdx.x * w[...]) / 4096) (if |w[...]| <= 132; if no warp lies in two rows of the block)
  for (int i = first; i < n; i += 4096)
    a[i] += 1;
}

// CHECK-LABEL: kernel one_lane_far_away 8x8x4 (assumed)
__global__ void one_lane_far_away(float *a, int n) {
  int first = threadIdx.x + (threadIdx.z == 40 ? 1000000 : 0);
  // CHECK-NEXT: [[#@LINE+1]]: lane-affine, ceil((n - threadIdx.x - (threadIdx.z == 40 ? 1000000 : 0)) / 64) (strided if blockDim.x is a multiple of 32)
  for (int i = first; i < n; i += 64)
    a[i] += 1;
}

// CHECK-LABEL: kernel warps_of_the_grid 256x1x1 (assumed)
__global__ void warps_of_the_grid(float *a, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: strided, ceil((n - threadIdx.x) / (gridDim.x * 32)) (if no warp lies in two rows of the block)
  for (int i = threadIdx.x; i < n; i += 32 * gridDim.x)
    a[i] += 1;
}

// A start that is unsigned may wrap for some of the lanes.
// CHECK-LABEL: kernel unsigned_offset 256x1x1 (assumed)
__global__ void unsigned_offset(float *a, unsigned n, unsigned k) {
  // CHECK-NEXT: [[#@LINE+1]]: strided, ceil((n - (threadIdx.x + k)) / 1024) (if neither the loop's start nor its bound wraps)
  for (unsigned i = threadIdx.x + k; i < n; i += 1024)
    a[i] += 1;
}

// CHECK-LABEL: kernel around_the_thread 256x1x1 (assumed)
__global__ void around_the_thread(float *a, unsigned n) {
  // CHECK-NEXT: [[#@LINE+1]]: uniform, n + 8 (if neither the loop's start nor its bound wraps)
  for (unsigned i = threadIdx.x - 8; i < threadIdx.x + n; ++i)
    a[i] += 1;
}

// Unless 3 divides the distance, the counter goes all the way round.
// CHECK-LABEL: kernel until_equal 256x1x1 (assumed)
__global__ void until_equal(float *a, unsigned n) {
  // CHECK-NEXT: [[#@LINE+1]]: lane-affine, first i0 with threadIdx.x + i0 * 3 == n
  for (unsigned i = threadIdx.x; i != n; i += 3)
    a[i] += 1;
}

// 510, which the threads of a warp lie apart at most, times 2^56 has no place in 64 bits.
// CHECK-LABEL: kernel narrowed_bound 256x1x1 (assumed)
__global__ void narrowed_bound(float *a) {
  // CHECK-NEXT: [[#@LINE+1]]: lane-affine, {{.*}}
  for (long long i = gridDim.x; i < (signed char)(blockIdx.x * blockDim.x + threadIdx.x + 9); ++i)
    a[i] += 1;
}
