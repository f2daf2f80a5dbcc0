// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bitonic sort in shared memory, one element per thread, blockDim.x a power of two. To be found:
// both loops are uniform; the branch that picks the lower partner of a pair splits every warp while
// the stride is below 32, and the exchange depends on the data.

__global__ void bitonic_sort(float *data) {
  extern __shared__ float values[];
  unsigned tid = threadIdx.x;
  values[tid] = data[blockIdx.x * blockDim.x + tid];
  __syncthreads();
  for (unsigned size = 2; size <= blockDim.x; size *= 2) { // expect: class=uniform
    for (unsigned stride = size / 2; stride > 0; stride /= 2) { // expect: class=uniform
      unsigned partner = tid ^ stride;
      if (partner > tid) {
        bool ascending = (tid & size) == 0;
        float mine = values[tid];
        float other = values[partner];
        if ((mine > other) == ascending) {
          values[tid] = other;
          values[partner] = mine;
        }
      }
      __syncthreads();
    }
  }
  data[blockIdx.x * blockDim.x + tid] = values[tid];
}

// Sorts each piece of 512 elements by itself.
cudaError_t run_bitonic_sort(float *data, int pieces) {
  const int block = 512;
  bitonic_sort<<<pieces, block, block * sizeof(float)>>>(data);
  return cudaDeviceSynchronize();
}
