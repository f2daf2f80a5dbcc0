// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each node adds up the weights of the edges that its neighbours have. The inner loop is as long as
// a neighbour's row, which is another one in each lane and each time.

__global__ void two_hop(const int *__restrict__ order, const int *__restrict__ begin,
                        const int *__restrict__ columns, const float *__restrict__ weights,
                        float *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  float sum = 0.0f;
  for (int j = begin[item]; j < begin[item + 1]; ++j) { // loop: neighbours
    int node = columns[j];
    int end = begin[node + 1];
    for (int i = begin[node]; i < end; ++i) // loop: edges
      sum += weights[i];
  }
  out[item] = sum;
}
