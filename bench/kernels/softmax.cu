// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Softmax of the rows of a matrix, a block per row. To be found: three loops with the block's
// stride, which differ by one round at most; a tree reduction in a function that is called twice,
// uniform both times.

__device__ float reduce_block(float *partial, float value, bool want_max) {
  unsigned tid = threadIdx.x;
  __syncthreads();
  partial[tid] = value;
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) { // expect: class=uniform
    if (tid < stride) {
      float other = partial[tid + stride];
      partial[tid] = want_max ? fmaxf(partial[tid], other) : partial[tid] + other;
    }
    __syncthreads();
  }
  return partial[0];
}

__global__ void softmax(const float *__restrict__ input, float *__restrict__ output, int columns) {
  extern __shared__ float partial[];
  const float *row = input + (size_t)blockIdx.x * columns;
  float *result = output + (size_t)blockIdx.x * columns;
  float greatest = -3.402823466e38f;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) { // expect: class=strided
    greatest = fmaxf(greatest, row[c]);
  }
  greatest = reduce_block(partial, greatest, true);
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) { // expect: class=strided
    float value = expf(row[c] - greatest);
    result[c] = value;
    sum += value;
  }
  sum = reduce_block(partial, sum, false);
  for (int c = threadIdx.x; c < columns; c += blockDim.x) { // expect: class=strided
    result[c] /= sum;
  }
}

cudaError_t run_softmax(const float *input, float *output, int rows, int columns) {
  const int block = 256;
  softmax<<<rows, block, block * sizeof(float)>>>(input, output, columns);
  return cudaDeviceSynchronize();
}
