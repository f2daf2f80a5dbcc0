// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decodes images that are packed by run lengths, a row for each item: so many pixels of one value,
// then so many of another.

__global__ void run_lengths(const int *__restrict__ order, const int *__restrict__ begin,
                            const int *__restrict__ place,
                            const unsigned char *__restrict__ lengths,
                            const unsigned char *__restrict__ values,
                            unsigned char *__restrict__ pixels, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int end = begin[item + 1], at = place[item];
  for (int run = begin[item]; run < end; ++run) { // loop: runs
    int length = lengths[run];
    unsigned char value = values[run];
    for (int k = 0; k < length; ++k) // loop: pixels
      pixels[at++] = value;
  }
}
