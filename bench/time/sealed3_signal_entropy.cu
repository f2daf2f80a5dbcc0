// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entropy of windows of a signal, of any width: each thread has a histogram of 32 bins in a column
// of shared memory.

__global__ void signal_entropy(const int *__restrict__ order, const int *__restrict__ width,
                               const int *__restrict__ first,
                               const unsigned char *__restrict__ signal, float *__restrict__ out,
                               int n) {
  __shared__ unsigned short counts[32 * 128];
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int samples = width[item], from = first[item];
  for (int bin = 0; bin < 32; ++bin)
    counts[bin * blockDim.x + threadIdx.x] = 0;
  for (int k = 0; k < samples; ++k) { // loop: window
    int bin = signal[from + k] >> 3;
    ++counts[bin * blockDim.x + threadIdx.x];
  }
  float sum = 0.0f;
  for (int bin = 0; bin < 32; ++bin) {
    float count = (float)counts[bin * blockDim.x + threadIdx.x];
    sum += count * __logf(fmaxf(count, 1.0f));
  }
  out[item] = __logf((float)samples) - sum / (float)samples;
}
