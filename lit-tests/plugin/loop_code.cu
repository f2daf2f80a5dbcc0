// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What loops have in machine code besides what they compute (bench/results/sm_90/loop_code.tsv). The
// machine instructions of each block, behind the number of its innermost loop (0: none):
//
// RUN: %clang %cuda -fsyntax-only -w %s -fplugin-arg-divcost-report=%t.json
// RUN: %python -c "import json, sys; [print(k['name'].split('(')[0], *[f'{b[1] + 1}:{b[6]}' for b in k['skeleton']['blocks']]) for k in json.load(open(sys.argv[1]))['kernels']]" %t.json | FileCheck %s

// Of two addresses that advance, three of the four words are copied: a comparison and a branch; two
// loads, two additions of two words, the copies, a product and a sum in one, the step.
// CHECK: two_arrays 0:7 1:2 1:11 0:4
__global__ void two_arrays(float *out, const float *v, const float *x, int n) {
  float sum = 0;
  for (int k = threadIdx.x; k < n; ++k)
    sum += v[k] * x[k];
  out[threadIdx.x] = sum;
}

// The sign of an index is widened with its product in its block, and by an instruction for others,
// where it is a sum of two words.
// CHECK-NEXT: widened 0:9 0:5 0:1
__global__ void widened(int *out, const int *in, const int *start) {
  int at = start[0], first = in[at];
  if (first > 7)
    out[at] = first;
}

// What waits for another lane's swap lets it go on: an instruction in each iteration.
// CHECK-NEXT: retries 0:{{[0-9]+}} 1:8 1:0 0:1
__global__ void retries(int *at) {
  while (atomicCAS(at + threadIdx.x % 7, 0, 1) != 0)
    ;
}

// CHECK-NEXT: adds 0:{{[0-9]+}} 1:2 1:4 0:1
__global__ void adds(int *at, const int *next) {
  for (int k = threadIdx.x; k != 0; k = next[k])
    atomicAdd(at + k, 1);
}

// A loop that is left from its middle jumps back: the one lane that has something at its end, which
// is a side: where to, the address, the store, and the jump.
// CHECK-NEXT: queue 0:4 1:2 1:12 1:4 0:1 1:5 2:2 1:1 2:3 1:4 1:0
__global__ void queue(int *head, float *out, const float *in, int n) {
  while (true) {
    int at = 0;
    if (threadIdx.x == 0)
      at = atomicAdd(head, 1);
    at = __shfl_sync(~0u, at, 0);
    if (at >= n)
      break;
    float sum = in[at * 32 + threadIdx.x];
    for (int by = 16; by > 0; by /= 2)
      sum += __shfl_xor_sync(~0u, sum, by);
    if (threadIdx.x == 0)
      out[at] = sum;
  }
}

// Behind the last loop of a kernel lanes end. Where clang tests for the last iteration, or the loop
// has several blocks, they do so by an instruction of their own, in front of a jump; and both words
// of the one address that advances are copied: three more than where something is behind the loop.
// CHECK-NEXT: last 0:{{[0-9]+}} 1:2 1:9 0:1
__global__ void last(int *out, const int *__restrict__ at, const int *__restrict__ start) {
#pragma unroll 1
  for (int k = start[threadIdx.x]; k < start[threadIdx.x + 1]; ++k)
    out[at[k]] = 1;
}

// CHECK-NEXT: not_last 0:{{[0-9]+}} 1:2 1:6 0:{{[0-9]+}}
__global__ void not_last(int *out, const int *__restrict__ at, const int *__restrict__ start) {
#pragma unroll 1
  for (int k = start[threadIdx.x]; k < start[threadIdx.x + 1]; ++k)
    out[at[k]] = 1;
  out[threadIdx.x] = start[0];
}

// By other steps it tests for the bound, and lanes stay by the branch.
// CHECK-NEXT: by_steps 0:{{[0-9]+}} 1:2 1:10 0:1
__global__ void by_steps(int *out, const int *__restrict__ in, int n) {
#pragma unroll 1
  for (int k = threadIdx.x; k < n; k += 256)
    out[k] = in[k];
}
