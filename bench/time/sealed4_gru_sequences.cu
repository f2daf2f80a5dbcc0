// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A small recurrent network (a GRU of four cells) over series of any length. The block keeps its
// weights in shared memory: for each gate and cell one for the input, a bias, and one for each
// cell.

__device__ float gru_sigmoid(float x) { return __fdividef(1.0f, 1.0f + __expf(-x)); }

__global__ void gru_sequences(const int *__restrict__ order, const int *__restrict__ begin,
                              const float *__restrict__ series, const float *__restrict__ weights,
                              float4 *__restrict__ out, int n) {
  __shared__ float w[72];
  if (threadIdx.x < 64) {
    w[threadIdx.x] = weights[threadIdx.x];
    if (threadIdx.x < 8)
      w[64 + threadIdx.x] = weights[64 + threadIdx.x];
  }
  __syncthreads();
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int end = begin[item + 1];
  float cell[4] = {0.0f, 0.0f, 0.0f, 0.0f};
  for (int k = begin[item]; k < end; ++k) { // loop: steps
    float x = series[k], reset[4], next[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const float *row = w + 6 * i;
      float sum = row[0] * x + row[1];
#pragma unroll
      for (int j = 0; j < 4; ++j)
        sum += row[2 + j] * cell[j];
      reset[i] = gru_sigmoid(sum) * cell[i];
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const float *row = w + 24 + 6 * i, *other = w + 48 + 6 * i;
      float sum = row[0] * x + row[1], fresh = other[0] * x + other[1];
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        sum += row[2 + j] * cell[j];
        fresh += other[2 + j] * reset[j];
      }
      float update = gru_sigmoid(sum);
      next[i] = update * cell[i] + (1.0f - update) * (2.0f * gru_sigmoid(2.0f * fresh) - 1.0f);
    }
#pragma unroll
    for (int i = 0; i < 4; ++i)
      cell[i] = next[i];
  }
  out[item] = make_float4(cell[0], cell[1], cell[2], cell[3]);
}
