// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tree reduction with sequential addressing: at stride s the first s threads add. To be found: the
// loop is uniform, and its branch on `tid < stride` splits a warp only in the last five rounds, in
// the first warp; before that whole warps are idle, which costs nothing in divergence.

__global__ void reduce_sequential(const float *__restrict__ input, float *__restrict__ sums,
                                  unsigned n) {
  extern __shared__ float partial[];
  unsigned tid = threadIdx.x;
  unsigned i = blockIdx.x * blockDim.x + tid;
  partial[tid] = i < n ? input[i] : 0.0f;
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) { // expect: class=uniform
    if (tid < stride)
      partial[tid] += partial[tid + stride];
    __syncthreads();
  }
  if (tid == 0)
    sums[blockIdx.x] = partial[0];
}

cudaError_t run_reduce_sequential(const float *input, float *sums, unsigned n) {
  unsigned block = 256;
  reduce_sequential<<<(n + block - 1) / block, block, block * sizeof(float)>>>(input, sums, n);
  return cudaDeviceSynchronize();
}
