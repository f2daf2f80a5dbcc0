// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sum of the values that a bitmap selects, a word of 32 bits per thread and round. To be found: the
// outer loop is grid-strided; the inner one makes a round for each bit that is set in a loaded
// word. What helps: a lane per bit instead of a lane per word.

__global__ void sum_selected(const unsigned *__restrict__ bitmap, const int *__restrict__ values,
                             int words, int *sum) {
  int total = 0;
  int first = blockIdx.x * blockDim.x + threadIdx.x;
  for (int w = first; w < words; w += gridDim.x * blockDim.x) { // expect: class=strided
    unsigned bits = bitmap[w];
    while (bits != 0) { // expect: class=data-dependent warn=data-dependent
      total += values[w * 32 + __ffs(bits) - 1];
      bits &= bits - 1;
    }
  }
  atomicAdd(sum, total);
}

cudaError_t run_sum_selected(const unsigned *bitmap, const int *values, int words, int *sum) {
  sum_selected<<<128, 256>>>(bitmap, values, words, sum);
  return cudaDeviceSynchronize();
}
