// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tree reduction with interleaved addressing, the classic slow one: at stride s every 2s-th thread
// adds. To be found: the loop is uniform, but its branch on `tid % (2 * stride)` splits every warp
// until the stride passes 32, with 16, 8, 4, 2 and 1 lanes active.

__global__ void reduce_interleaved(const float *__restrict__ input, float *__restrict__ sums,
                                   unsigned n) {
  extern __shared__ float partial[];
  unsigned tid = threadIdx.x;
  unsigned i = blockIdx.x * blockDim.x + tid;
  partial[tid] = i < n ? input[i] : 0.0f;
  __syncthreads();
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) { // expect: class=uniform
    if (tid % (2 * stride) == 0)
      partial[tid] += partial[tid + stride];
    __syncthreads();
  }
  if (tid == 0)
    sums[blockIdx.x] = partial[0];
}

cudaError_t run_reduce_interleaved(const float *input, float *sums, unsigned n) {
  unsigned block = 256;
  reduce_interleaved<<<(n + block - 1) / block, block, block * sizeof(float)>>>(input, sums, n);
  return cudaDeviceSynchronize();
}
