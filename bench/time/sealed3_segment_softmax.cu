// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Softmax of segments, as for the edges of each node of a graph: the greatest score, the sum of
// the exponentials, and then the shares.

__global__ void segment_softmax(const int *__restrict__ order, const int *__restrict__ begin,
                                const float *__restrict__ scores, float *__restrict__ shares,
                                int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int from = begin[item], end = begin[item + 1];
  float greatest = -1e30f, sum = 0.0f;
  for (int k = from; k < end; ++k) // loop: greatest
    greatest = fmaxf(greatest, scores[k]);
  for (int k = from; k < end; ++k) // loop: sum
    sum += __expf(scores[k] - greatest);
  float scale = 1.0f / sum;
  for (int k = from; k < end; ++k) // loop: shares
    shares[k] = __expf(scores[k] - greatest) * scale;
}
