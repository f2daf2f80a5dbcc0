// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Genes along a chromosome: a binary search finds the first one that begins in a range, and the
// scores of those in the range are added up.

__global__ void range_scores(const int *__restrict__ order, const int2 *__restrict__ ranges,
                             const int *__restrict__ starts, const float *__restrict__ scores,
                             float *__restrict__ out, int size, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int2 range = ranges[item];
  int at = 0;
  for (int step = size / 2; step > 0; step /= 2) // loop: search
    if (starts[at + step - 1] < range.x)
      at += step;
  float sum = 0.0f;
  while (starts[at] <= range.y) { // loop: hits
    sum += scores[at];
    ++at;
  }
  out[item] = sum;
}
