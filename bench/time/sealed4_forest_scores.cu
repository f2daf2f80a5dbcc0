// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scores of documents by a forest of decision trees. A document leaves as soon as it can't come to
// the top any more, so that it goes through some of the trees. A node has the feature that it asks
// for in its lowest four bits, and above them the first of its two children; leaves have none.

__global__ void forest_scores(const int *__restrict__ order, const int *__restrict__ trees,
                              const float *__restrict__ features, const int *__restrict__ roots,
                              const unsigned *__restrict__ nodes, const float *__restrict__ values,
                              float *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int count = trees[item];
  const float *own = features + 16 * item;
  float score = 0.0f;
  for (int k = 0; k < count; ++k) { // loop: trees
    unsigned at = roots[k], node = nodes[at];
    while (node >> 4) { // loop: levels
      at = (node >> 4) + (own[node & 15] >= values[at] ? 1 : 0);
      node = nodes[at];
    }
    score += values[at];
  }
  out[item] = score;
}
