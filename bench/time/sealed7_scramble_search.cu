// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For whom a message of a mobile network is: its bits were scrambled by a Gold sequence (two shift
// registers of 31 bits) that begins with the number of who may read it. Four numbers are tried at
// once, 24 bits at a time, and the one is kept that leaves the fewest wrong bits of a known text.

__global__ void scramble_search(const int *__restrict__ order, const int *__restrict__ begin,
                                const unsigned *__restrict__ words,
                                const uint4 *__restrict__ numbers, int *__restrict__ which,
                                int *__restrict__ errors, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int end = begin[item + 1];
  uint4 number = numbers[item];
  unsigned states[4] = {number.x, number.y, number.z, number.w}, common = 1;
  int wrong[4] = {0, 0, 0, 0};
  for (int k = begin[item]; k < end; ++k) { // loop: words
    unsigned word = words[k] ^ common;
    common = common >> 24 | ((common ^ common >> 3) & 0xffffff) << 7;
#pragma unroll
    for (int one = 0; one < 4; ++one) {
      unsigned state = states[one];
      wrong[one] += __popc((word ^ state) & 0xffffff);
      state = state >> 24 | ((state ^ state >> 1 ^ state >> 2 ^ state >> 3) & 0xffffff) << 7;
      states[one] = state;
    }
  }
  int best = 0, least = wrong[0];
#pragma unroll
  for (int one = 1; one < 4; ++one)
    if (wrong[one] < least) {
      least = wrong[one];
      best = one;
    }
  which[item] = best;
  errors[item] = least;
}
