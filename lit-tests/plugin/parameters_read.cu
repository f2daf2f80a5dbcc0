// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A parameter is read where all that need it can have it, but in front of innermost loops, and
// addresses advance there. The machine instructions of each block, behind the number of its
// innermost loop (0: none):
//
// RUN: %clang %cuda -fsyntax-only -w %s -fplugin-arg-divcost-report=%t.json
// RUN: %python -c "import json, sys; [print(k['name'].split('(')[0], *[f'{b[1] + 1}:{b[6]}' for b in k['skeleton']['blocks']]) for k in json.load(open(sys.argv[1]))['kernels']]" %t.json | FileCheck %s

// The bound of the rows is read in each round (comparison, branch, and that), as is what the inner
// loop reads, in front of it; the one lane that stores reads where to (address, store, and that).
// Behind the step is a jump, for lanes exit in front of it.
// CHECK: in_side 0:{{[0-9]+}} 1:3 0:1 1:2 2:2 1:1 2:5 1:3 1:2
__global__ void in_side(float *out, const float *in, int rows) {
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    float sum = 0;
    for (int k = threadIdx.x; k < 777; k *= 3)
      sum += in[row * 777 + k];
    if (threadIdx.x == 0)
      out[row] = sum;
  }
}

// An address in global memory advances by two words: with the load, the addition and the step five
// instructions, and four in shared memory.
// CHECK-NEXT: advance 0:6 2:2 2:5 0:3 1:2 1:4 0:5
__global__ void advance(float *out, const float *in, int n) {
  __shared__ float row[1024];
  float sum = 0;
  for (int k = threadIdx.x; k < n; k += 32)
    sum += in[k];
  row[threadIdx.x] = sum;
  __syncthreads();
  for (int k = threadIdx.x; k < n; k += 64)
    sum += row[k];
  out[threadIdx.x] = sum;
}
