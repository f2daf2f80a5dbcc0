// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A warp for each row: in blocks whose rows are whole warps the lanes of a warp differ by one
// iteration, and blocks that nobody told the dimensions of are taken for such. What a price follows
// from is the class under the condition, in each spelling; what-if asks for other blocks.
//
// RUN: %clang %cuda -fsyntax-only -Werror %s -fplugin-arg-divcost-report=%t.json
// RUN: %clang %cuda -fsyntax-only -Werror %s
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: %divcost report --fail-on lost=0.1 %t.json
// RUN: %divcost what-if --block 48 %t.json | FileCheck %s --check-prefix=WHAT

// JSON: "name": "divided(
// JSON: "block": [256, 1, 1]
// JSON: "class": "data-dependent"
// JSON: "condition": "strided if blockDim.x is a multiple of 32"
__global__ void divided(const int *b, const float *v, float *y, int rows) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows)
    return;
  float s = 0;
  for (int j = b[row] + lane; j < b[row + 1]; j += 32)
    s += v[j];
  y[row * 32 + lane] = s;
}

__global__ void __launch_bounds__(256) bounded(const int *b, const float *v, float *y, int rows) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, lane = threadIdx.x & 31;
  if (row >= rows)
    return;
  float s = 0;
  for (int j = b[row] + lane; j < b[row + 1]; j += 32)
    s += v[j];
  y[row * 32 + lane] = s;
}

// A row of the block for each row: 16 x 16 and 32 x 8 are both assumed, and decided by the milder.
// JSON: "name": "rows_of_block(
// JSON: "block": [16, 16, 1]
// JSON: "block": [32, 8, 1]
__global__ void rows_of_block(const int *b, const float *v, float *y, int rows) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows)
    return;
  float s = 0;
  for (int j = b[row] + threadIdx.x; j < b[row + 1]; j += blockDim.x)
    s += v[j];
  y[row * 32 + threadIdx.x] = s;
}

// WHAT: divided(
// WHAT: data-dependent loop
// WHAT-NEXT: imbalance 1.01 1.{{[0-9]+}}..{{[0-9.]+}}
// WHAT: loses of kernel 1.8% {{[0-9]+}}..{{[0-9]+}}%
