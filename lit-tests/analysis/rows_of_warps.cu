// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several warps for each row: as many as a parameter says, or a constant.
//
// RUN: %verdicts | FileCheck %s --match-full-lines

// CHECK-LABEL: kernel known_blocks 256x1x1 (pragma)
#pragma divcost launch(block = 256)
__global__ void known_blocks(float *out, const int *__restrict__ start, int log_warps) {
  const unsigned row = (blockIdx.x * blockDim.x + threadIdx.x) >> (5 + log_warps);
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, max(start[...] - start[...], 0) (blocks of 256x1x1; if log_warps >= 0)
  for (int i = start[row]; i < start[row + 1]; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel any_blocks 256x1x1 (assumed)
__global__ void any_blocks(float *out, const int *__restrict__ start, int log_warps) {
  const unsigned row = (blockIdx.x * blockDim.x + threadIdx.x) >> (5 + log_warps);
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(start[...] - start[...], 0) (warp-uniform if log_warps >= 0 and blockDim.x is a multiple of 32)
  for (int i = start[row]; i < start[row + 1]; ++i)
    out[i] += 1;
}

// With 4 + k a row may be half a warp; with k alone less.
// CHECK-LABEL: kernel narrow_rows 256x1x1 (pragma)
#pragma divcost launch(block = 256)
__global__ void narrow_rows(float *out, const int *__restrict__ start, int log_warps) {
  const unsigned index = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(9 - start[...], 0)
  for (int i = start[index >> (4 + log_warps)]; i < 9; ++i)
    out[i] += 1;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(9 - start[...], 0)
  for (int i = start[index >> log_warps]; i < 9; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel quotients 256x1x1 (assumed)
__global__ void quotients(float *out, const int *__restrict__ start) {
  const unsigned index = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(9 - start[...], 0) (warp-uniform if blockDim.x is a multiple of 32)
  for (int i = start[index / 96]; i < 9; ++i)
    out[i] += 1;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(9 - start[...], 0) (warp-uniform if blockDim.x is a multiple of 32)
  for (int i = start[index / 64]; i < 9; ++i)
    out[i] += 1;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(9 - start[...], 0)
  for (int i = start[index / 48]; i < 9; ++i)
    out[i] += 1;
}
