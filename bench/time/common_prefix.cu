// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many characters two strings have in common before they differ.

__global__ void common_prefix(const int *__restrict__ order, const int *__restrict__ begin,
                              const char *__restrict__ left, const char *__restrict__ right,
                              int *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int from = begin[item], to = begin[item + 1], k = from;
  while (k < to && left[k] == right[k]) // loop: same
    ++k;
  out[item] = k - from;
}
