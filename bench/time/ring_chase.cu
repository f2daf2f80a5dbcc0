// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows a chain of pointers from each item's place, as far as the item goes.

__global__ void ring_chase(const int *__restrict__ order, const int *__restrict__ steps,
                           const int *__restrict__ start, const int *__restrict__ next,
                           int *__restrict__ out, int n) {
  int stride = gridDim.x * blockDim.x;
  for (int t = blockIdx.x * blockDim.x + threadIdx.x; t < n; t += stride) {
    int item = order[t];
    int count = steps[item], place = start[item];
    for (int k = 0; k < count; ++k) // loop: steps
      place = next[place];
    out[item] = place;
  }
}
