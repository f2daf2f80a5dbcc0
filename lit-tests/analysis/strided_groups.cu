// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Strided loops over cooperative groups.
//
// RUN: %verdicts | FileCheck %s --match-full-lines

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// CHECK-LABEL: kernel grid 8x8x4 (assumed)
__global__ void grid(float *out, size_t n) {
  cg::grid_group all = cg::this_grid();
  // CHECK-NEXT: [[#@LINE+1]]: strided, ceil((n - (((blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x) * (blockDim.x * blockDim.y * blockDim.z) + (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x)) / (gridDim.z * (blockDim.z * (blockDim.x * blockDim.y * (gridDim.x * gridDim.y)))))
  for (size_t i = all.thread_rank(); i < n; i += all.size())
    out[i] += 1;
}

// CHECK-LABEL: kernel block 8x8x4 (assumed)
__global__ void block(float *out, unsigned n) {
  cg::thread_block block = cg::this_thread_block();
  // CHECK-NEXT: [[#@LINE+1]]: strided, ceil((n - threadIdx.z * (blockDim.y * blockDim.x) - threadIdx.y * blockDim.x - threadIdx.x) / (blockDim.x * blockDim.y * blockDim.z))
  for (unsigned i = block.thread_rank(); i < n; i += block.size())
    out[i] += 1;
}

// CHECK-LABEL: kernel tile 8x8x4 (assumed)
__global__ void tile(float *out, unsigned n) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  // CHECK-NEXT: [[#@LINE+1]]: strided, ceil((n - ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x & 31)) / 32)
  for (unsigned i = tile.thread_rank(); i < n; i += tile.size())
    out[i] += 1;
}

// CHECK-LABEL: kernel tile_of_the_block 8x8x4 (assumed)
__global__ void tile_of_the_block(float *out) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x >> 5
  for (unsigned i = 0; i < tile.meta_group_rank(); ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel shuffled_in_a_tile 256x1x1 (assumed)
__global__ void shuffled_in_a_tile(float *out, const int *in) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  int n = tile.shfl(in[threadIdx.x], 0);
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, max(?, 0)
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel rank_is_the_bound 8x8x4 (assumed)
__global__ void rank_is_the_bound(float *out) {
  // CHECK-NEXT: [[#@LINE+1]]: lane-affine, threadIdx.z * (blockDim.y * blockDim.x) + threadIdx.y * blockDim.x + threadIdx.x
  for (unsigned i = 0; i < cg::this_thread_block().thread_rank(); ++i)
    out[i] += 1;
}
