// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A step of breadth-first search from below: nodes that weren't reached go through their neighbours
// until one of these is in the front, which are those that are nearer than a bound.

__global__ void bfs_parents(const int *__restrict__ order, const int *__restrict__ begin,
                            const int *__restrict__ neighbours, const float *__restrict__ reached,
                            int *__restrict__ parents, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int end = begin[item + 1], parent = -1;
  for (int k = begin[item]; k < end; ++k) { // loop: scanned
    int other = neighbours[k];
    if (reached[other] < 0.125f) {
      parent = other;
      break;
    }
  }
  parents[item] = parent;
}
