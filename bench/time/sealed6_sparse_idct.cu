// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks of 8 by 8 pixels of a JPEG, from those coefficients that aren't 0: each adds its wave, a
// row of a table in shared memory, to all pixels. A coefficient is its number in the lowest bits
// and its value above.

__global__ void sparse_idct(const int *__restrict__ order, const int *__restrict__ begin,
                            const int *__restrict__ coefficients, const int4 *__restrict__ waves,
                            unsigned *__restrict__ out, int n) {
  __shared__ int4 wave[64 * 17]; // rows are 16 and one more, for the banks' sake
  for (int k = threadIdx.x; k < 64 * 16; k += blockDim.x)
    wave[k / 16 * 17 + k % 16] = waves[k];
  __syncthreads();
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int end = begin[item + 1];
  int4 pixels[16];
#pragma unroll
  for (int j = 0; j < 16; ++j)
    pixels[j] = make_int4(131072, 131072, 131072, 131072);
  for (int k = begin[item]; k < end; ++k) { // loop: coefficients
    int packed = coefficients[k], value = packed >> 6;
    const int4 *row = wave + (packed & 63) * 17;
#pragma unroll
    for (int j = 0; j < 16; ++j) {
      int4 four = row[j];
      pixels[j].x += value * four.x;
      pixels[j].y += value * four.y;
      pixels[j].z += value * four.z;
      pixels[j].w += value * four.w;
    }
  }
#pragma unroll
  for (int j = 0; j < 16; ++j) {
    unsigned x = (unsigned)min(max(pixels[j].x >> 10, 0), 255);
    unsigned y = (unsigned)min(max(pixels[j].y >> 10, 0), 255);
    unsigned z = (unsigned)min(max(pixels[j].z >> 10, 0), 255);
    unsigned w = (unsigned)min(max(pixels[j].w >> 10, 0), 255);
    out[16 * item + j] = x | y << 8 | z << 16 | w << 24;
  }
}
