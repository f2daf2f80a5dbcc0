// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels with many registers, much static shared memory, and launch bounds, for occupancy.cu.

// So many values stay alive over the barrier.
template <int Values, int Bytes> __device__ void work(float *p) {
  __shared__ char room[Bytes];
  float values[Values];
#pragma unroll
  for (int k = 0; k < Values; ++k)
    values[k] = p[k * blockDim.x + threadIdx.x];
  for (int k = threadIdx.x; k < Bytes; k += blockDim.x)
    room[k] = (char)k;
  __syncthreads();
#pragma unroll
  for (int k = 0; k < Values; ++k)
    p[k * blockDim.x + threadIdx.x] = values[k] * room[(k * 7 + threadIdx.x) % Bytes];
}

#define MADE(values, bytes)                                                                        \
  __global__ void made_##values##_##bytes(float *p) { work<values, bytes>(p); }
#define BOUNDED(values, threads, blocks)                                                           \
  __global__ void __launch_bounds__(threads, blocks)                                               \
      bounded_##values##_##threads##_##blocks(float *p) {                                          \
    work<values, 64>(p);                                                                           \
  }

MADE(8, 1)
MADE(8, 129)
MADE(8, 5000)
MADE(8, 16384)
MADE(8, 49152)
MADE(24, 1)
MADE(32, 1)
MADE(40, 3000)
MADE(56, 1)
MADE(72, 1)
MADE(96, 1)
MADE(128, 10000)
MADE(160, 1)
MADE(200, 1)
MADE(240, 1)
BOUNDED(64, 1024, 1)
BOUNDED(64, 256, 8)
BOUNDED(128, 512, 2)
