// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Local alignment of two reads of DNA (Smith and Waterman) in a band of nine diagonals, a row of
// which is kept in registers. Reads are packed, 16 bases to a word.

__global__ void band_align(const int *__restrict__ order, const int *__restrict__ begin,
                           const unsigned *__restrict__ reads, const unsigned *__restrict__ targets,
                           int *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int from = begin[item], end = begin[item + 1], best = 0;
  const unsigned *target = targets + item; // a target has a word more than its read
  int score[10];
  for (int d = 0; d < 10; ++d)
    score[d] = 0;
  for (int word = from; word < end; ++word) { // loop: words
    unsigned read = reads[word];
    unsigned long long bases = target[word] | (unsigned long long)target[word + 1] << 32;
    for (int row = 0; row < 16; ++row) {
      unsigned window = (unsigned)(bases >> 2 * row), base = read >> 2 * row & 3;
      int left = 0;
#pragma unroll
      for (int d = 0; d < 9; ++d) {
        int along = score[d] + ((window >> 2 * d & 3) == base ? 2 : -1);
        int gap = max(score[d + 1], left) - 1;
        left = max(max(along, gap), 0);
        score[d] = left;
        best = max(best, left);
      }
    }
  }
  out[item] = best;
}
