// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A step of shortest paths: nodes relax their edges, of which each is a target and a length.

__global__ void relax_edges(const int *__restrict__ order, const int *__restrict__ begin,
                            const uint2 *__restrict__ edges, const unsigned *__restrict__ from,
                            unsigned *__restrict__ distance, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int end = begin[item + 1];
  unsigned here = from[item];
  for (int j = begin[item]; j < end; ++j) { // loop: edges
    uint2 edge = edges[j];
    atomicMin(&distance[edge.x], here + edge.y);
  }
}
