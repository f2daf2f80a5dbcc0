// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The 16 best of each list of scores: a heap in a column of shared memory, whose root is the least
// of those that are kept. What is better than it takes its place and sinks.

__global__ void heap_topk(const int *__restrict__ order, const int *__restrict__ begin,
                          const float *__restrict__ scores, float *__restrict__ out, int n) {
  __shared__ float heap[16 * 128];
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int end = begin[item + 1], width = blockDim.x;
  float *column = heap + threadIdx.x;
  for (int k = 0; k < 16; ++k)
    column[k * width] = 0.0f;
  for (int k = begin[item]; k < end; ++k) { // loop: scores
    float score = scores[k];
    if (score > column[0]) { // branch: better
      int at = 0, child = column[2 * width] < column[width] ? 2 : 1;
      while (child < 16 && column[child * width] < score) { // loop: sinks
        column[at * width] = column[child * width];
        at = child;
        child = 2 * child + 1;
        if (child < 15 && column[(child + 1) * width] < column[child * width])
          ++child;
      }
      column[at * width] = score;
    }
  }
  float sum = 0.0f;
  for (int k = 0; k < 16; ++k)
    sum += column[k * width];
  out[item] = sum;
}
