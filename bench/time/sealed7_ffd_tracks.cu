// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fibres through tissue that was deformed: along each of them samples are moved by cubic splines
// between points of a lattice of 32 by 32, of which the block keeps a copy in shared memory, beside
// the weights for 64 places between two points. Adds up how far samples are moved.

__global__ void ffd_tracks(const int *__restrict__ order, const int *__restrict__ samples,
                           const uint4 *__restrict__ fibres, const float2 *__restrict__ lattice,
                           const float4 *__restrict__ splines, float *__restrict__ out, int n) {
  __shared__ float2 points[32 * 32];
  __shared__ float4 weights[64];
  for (int k = threadIdx.x; k < 32 * 32; k += blockDim.x)
    points[k] = lattice[k];
  for (int k = threadIdx.x; k < 64; k += blockDim.x)
    weights[k] = splines[k];
  __syncthreads();
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int count = samples[item];
  uint4 fibre = fibres[item]; // where it begins and where it goes, in 2^-16 of a cell
  float sum = 0.0f;
  for (int k = 0; k < count; ++k) { // loop: samples
    float4 across = weights[fibre.x >> 10 & 63], down = weights[fibre.y >> 10 & 63];
    unsigned x = fibre.x >> 16, y = fibre.y >> 16;
    float right = 0.0f, up = 0.0f;
#pragma unroll
    for (unsigned j = 0; j < 4; ++j) {
      const float2 *row = points + 32 * (y + j & 31);
      float2 a = row[x & 31], b = row[x + 1 & 31], c = row[x + 2 & 31], d = row[x + 3 & 31];
      float by = j == 0 ? down.x : j == 1 ? down.y : j == 2 ? down.z : down.w;
      right += by * (across.x * a.x + across.y * b.x + across.z * c.x + across.w * d.x);
      up += by * (across.x * a.y + across.y * b.y + across.z * c.y + across.w * d.y);
    }
    sum += right * right + up * up;
    fibre.x += fibre.z;
    fibre.y += fibre.w;
  }
  out[item] = sum;
}
