// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The single loop with many warps on each multiprocessor, so that one warp's divergence can hide
// behind the others' work. spans: by warp its multiprocessor, the clock at its start and at its
// end, of the last of `runs` runs.

struct Span {
  long long multiprocessor, start, end;
};

template <int chain>
static __device__ __forceinline__ void loop(const int *limits, float *sums, Span *spans, int runs) {
  int limit = limits[threadIdx.x % 32];
  float sum = 0.0f;
#pragma unroll 1
  for (int run = 0; run < runs; ++run) {
    __syncthreads();
    long long start = clock64();
#pragma unroll 1
    for (int i = 0; i < limit; ++i) {
#pragma unroll
      for (int k = 0; k < chain; ++k)
        sum = sum * 0.5f + 1.0f;
    }
    __syncwarp();
    long long end = clock64();
    if (threadIdx.x % 32 == 0) {
      unsigned id;
      asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
      spans[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = {id, start, end};
    }
  }
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

#define BUSY(name, chain)                                                                          \
  extern "C" __global__ void name(const int *__restrict__ limits, float *__restrict__ sums,        \
                                  Span *__restrict__ spans, int runs) {                            \
    loop<chain>(limits, sums, spans, runs);                                                        \
  }
BUSY(busy_1, 1)
BUSY(busy_8, 8)
BUSY(busy_64, 64)
