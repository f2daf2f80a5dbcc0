// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A convolution of a scan whose voxels are mostly empty: each voxel has a list of its neighbours
// that aren't, with where each lies of 27 places, and for each place there is a matrix of eight by
// eight, which the block keeps in shared memory. A neighbour is its place in the lowest five bits
// and its number above.

__global__ void sparse_conv(const int *__restrict__ order, const int *__restrict__ begin,
                            const int *__restrict__ neighbours, const float4 *__restrict__ features,
                            const float4 *__restrict__ weights, float4 *__restrict__ out, int n) {
  __shared__ float4 matrix[27 * 17]; // a row more, for the banks' sake
  for (int k = threadIdx.x; k < 27 * 16; k += blockDim.x)
    matrix[k / 16 * 17 + k % 16] = weights[k];
  __syncthreads();
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int end = begin[item + 1];
  float4 low = make_float4(0.0f, 0.0f, 0.0f, 0.0f), high = low;
  for (int k = begin[item]; k < end; ++k) { // loop: neighbours
    int packed = neighbours[k], which = packed >> 5;
    const float4 *rows = matrix + (packed & 31) * 17;
    float4 a = features[2 * which], b = features[2 * which + 1];
    float inputs[8] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      float4 left = rows[2 * j], right = rows[2 * j + 1];
      low.x += inputs[j] * left.x;
      low.y += inputs[j] * left.y;
      low.z += inputs[j] * left.z;
      low.w += inputs[j] * left.w;
      high.x += inputs[j] * right.x;
      high.y += inputs[j] * right.y;
      high.z += inputs[j] * right.z;
      high.w += inputs[j] * right.w;
    }
  }
  out[2 * item] =
      make_float4(fmaxf(low.x, 0.0f), fmaxf(low.y, 0.0f), fmaxf(low.z, 0.0f), fmaxf(low.w, 0.0f));
  out[2 * item + 1] = make_float4(fmaxf(high.x, 0.0f), fmaxf(high.y, 0.0f), fmaxf(high.z, 0.0f),
                                  fmaxf(high.w, 0.0f));
}
