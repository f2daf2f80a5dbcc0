// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replicas of a queue at a counter: customers come and are served at random (exponential times),
// and each waits for those before it (Lindley). How long they wait in sum, and the longest.

__global__ void queue_replicas(const int *__restrict__ order, const int *__restrict__ customers,
                               const unsigned *__restrict__ seeds, float *__restrict__ waited,
                               float *__restrict__ longest, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int count = customers[item];
  unsigned state = seeds[item];
  float wait = 0.0f, sum = 0.0f, most = 0.0f;
  for (int k = 0; k < count; ++k) { // loop: customers
    state = state * 1664525u + 1013904223u;
    float coming = (float)((state >> 8) + 1) * (1.0f / 16777216.0f);
    state = state * 1664525u + 1013904223u;
    float service = (float)((state >> 8) + 1) * (1.0f / 16777216.0f);
    wait = fmaxf(wait - 0.8f * __logf(service) + __logf(coming), 0.0f);
    sum += wait;
    most = fmaxf(most, wait);
  }
  waited[item] = sum;
  longest[item] = most;
}
