// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Triangles of a graph: each item is an edge, and looks for the neighbours of one of its nodes in
// the sorted ones of the other, by halving. The block adds its triangles up.

__global__ void triangle_counts(const int *__restrict__ order, const int *__restrict__ begin,
                                const int *__restrict__ others, const int *__restrict__ neighbours,
                                int *__restrict__ out, unsigned *__restrict__ total, int n) {
  __shared__ unsigned sums[1024];
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int item = order[t];
  int end = begin[item + 1], other = others[item], count = 0;
  int first = begin[other], last = begin[other + 1];
  for (int k = begin[item]; k < end; ++k) { // loop: neighbours
    int one = neighbours[k], low = first, high = last;
    while (low < high) { // loop: halves
      int middle = (low + high) >> 1;
      if (neighbours[middle] < one)
        low = middle + 1;
      else
        high = middle;
    }
    count += low < last && neighbours[low] == one;
  }
  if (t < n)
    out[item] = count;
  sums[threadIdx.x] = (unsigned)count;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if ((int)threadIdx.x < half)
      sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    atomicAdd(total, sums[0]);
}
