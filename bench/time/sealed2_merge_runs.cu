// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pass of a merge sort, whose runs are of any length: each item merges two of them.

__global__ void merge_runs(const int *__restrict__ order, const int *__restrict__ begin,
                           const int *__restrict__ keys, int *__restrict__ merged, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int from = begin[item], end = begin[item + 1];
  int middle = from + (end - from) / 2, left = from, right = middle;
  for (int k = from; k < end; ++k) {                                  // loop: entries
    if (left < middle && (right >= end || keys[left] <= keys[right])) // branch: left
      merged[k] = keys[left++];
    else
      merged[k] = keys[right++];
  }
}
