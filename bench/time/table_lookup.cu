// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A table in shared memory, between whose entries is interpolated, at places that a generator of
// random numbers chooses. Each block copies the table first.

__global__ void table_lookup(const int *__restrict__ order, const int *__restrict__ samples,
                             const unsigned *__restrict__ seeds, const float *__restrict__ table,
                             float *__restrict__ out, int n) {
  __shared__ float values[2049];
  for (int k = threadIdx.x; k < 2049; k += blockDim.x)
    values[k] = table[k];
  __syncthreads();
  int stride = gridDim.x * blockDim.x;
  for (int t = blockIdx.x * blockDim.x + threadIdx.x; t < n; t += stride) {
    int item = order[t];
    int count = samples[item];
    unsigned state = seeds[item];
    float sum = 0.0f;
    for (int k = 0; k < count; ++k) { // loop: samples
      state = state * 1664525u + 1013904223u;
      int cell = state >> 21;
      float along = (float)(state >> 5 & 0xffff) * (1.0f / 65536.0f);
      float low = values[cell], high = values[cell + 1];
      sum += low + along * (high - low);
    }
    out[item] = sum;
  }
}
