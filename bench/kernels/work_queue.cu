// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A queue of segments of unequal length, worked off by warps that stay: lane 0 fetches the next
// index, a shuffle hands it to the others. To be found: the atomic differs from lane to lane, but
// what comes out of the shuffle doesn't, so the outer loop and the bounds of the inner one are
// uniform in the warp, and the inner loop is strided.

__global__ void sum_segments(const int *__restrict__ begin, const float *__restrict__ values,
                             float *__restrict__ sums, int segments, int *head) {
  int lane = threadIdx.x % 32;
  while (true) { // expect: class=warp-uniform
    int segment = 0;
    if (lane == 0)
      segment = atomicAdd(head, 1);
    segment = __shfl_sync(0xffffffffu, segment, 0);
    if (segment >= segments)
      break;
    int end = begin[segment + 1];
    float sum = 0.0f;
    for (int j = begin[segment] + lane; j < end; j += 32) { // expect: class=strided
      sum += values[j];
    }
    for (int offset = 16; offset > 0; offset /= 2) { // expect: class=uniform
      sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    }
    if (lane == 0)
      sums[segment] = sum;
  }
}

// `head` is an integer of the device's, 0 at the start.
cudaError_t run_sum_segments(const int *begin, const float *values, float *sums, int segments,
                             int *head) {
  sum_segments<<<264, 128>>>(begin, values, sums, segments, head);
  return cudaDeviceSynchronize();
}
