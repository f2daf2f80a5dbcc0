// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A warp over two rows of an array whose length isn't known: what it needs is no more than what it
// takes, at either end. And a grid in two dimensions whose blocks are numbered through: they cover
// the number of items together, as the blocks of one dimension do. And an array that a launch
// passes from its fourth element on, which then doesn't begin where cudaMalloc's do.
//
// RUN: %clang %cuda -fsyntax-only -w %s -fplugin-arg-divcost-report=%t.json
// RUN: %python %S/Inputs/accesses.py %t.json | FileCheck %s
// CHECK: grid_of_two(int, float*) load p: 1 requests, 5 sectors, 4 needed
// CHECK: moved(float*, float const*) load in: 1 requests, 4..5 sectors, 4 needed
// CHECK: moved(float*, float const*) store out: 1 requests, 4 sectors, 4 needed
// CHECK: one_word(float*, float const*, int) load words: 1 requests, 1..2 sectors, 1..2 needed
// CHECK: row(float*, float const*, int) load rows: 1 requests, 2..6 sectors, 2..4 needed

__global__ void one_word(float *out, const float *words, int pitch) {
  out[threadIdx.y * 16 + threadIdx.x] = words[pitch * threadIdx.y];
}

__global__ void row(float *out, const float *rows, int pitch) {
  out[threadIdx.y * 16 + threadIdx.x] = rows[pitch * threadIdx.y + threadIdx.x];
}

__global__ void grid_of_two(int n, float *p) {
  int block = blockIdx.x + gridDim.x * blockIdx.y;
  int i = blockDim.x * block + threadIdx.x;
  if (i < n)
    p[i] = p[i + 1] * 2.0f;
}

__global__ void moved(float *out, const float *in) { out[threadIdx.x] = in[threadIdx.x]; }

void launch(float *p, int n) {
  moved<<<1, 256>>>(p, p + 4);
  one_word<<<1, dim3(16, 16)>>>(p, p, n);
  row<<<1, dim3(16, 16)>>>(p, p, n);
  grid_of_two<<<dim3(n, n), 512>>>(n, p);
}
