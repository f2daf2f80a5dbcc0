// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sets as bitmaps: adds up the weights of what is in each set, from set bit to set bit. The block
// keeps the weights in shared memory.

__global__ void bitmap_weights(const int *__restrict__ order, const int *__restrict__ begin,
                               const unsigned *__restrict__ bitmap,
                               const unsigned *__restrict__ weights, unsigned *__restrict__ out,
                               int n) {
  __shared__ unsigned weight[1024];
  for (int k = threadIdx.x; k < 1024; k += blockDim.x)
    weight[k] = weights[k];
  __syncthreads();
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int from = begin[item], end = begin[item + 1];
  unsigned sum = 0;
  for (int k = from; k < end; ++k) { // loop: words
    unsigned word = bitmap[k];
    int first = (k - from) * 32;
    while (word != 0) { // loop: bits
      int bit = __ffs(word) - 1;
      sum += weight[(first + bit) & 1023];
      word &= word - 1;
    }
  }
  out[item] = sum;
}
