// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loops of Bialas and Strzelecki, "Benchmarking the cost of thread divergence in CUDA": each
// lane of a warp goes round as often as its limit says. Everything is run `runs` times, the last
// one counts: the ones before it fetch the code. cycles: by lane, of the last run.

// One iteration: an addition that waits for the one before it.
#define BODY(sum) sum = sum * 0.5f + 1.0f

#define MEASURED(name, LOOPS)                                                                      \
  extern "C" __global__ void name(const int *__restrict__ limits, float *__restrict__ sums,        \
                                  long long *__restrict__ cycles, int runs) {                      \
    int lane = blockIdx.x * blockDim.x + threadIdx.x;                                              \
    int limit = limits[lane];                                                                      \
    float sum = 0.0f;                                                                              \
    long long elapsed = 0;                                                                         \
    _Pragma("unroll 1") for (int run = 0; run < runs; ++run) {                                     \
      long long start = clock64();                                                                 \
      LOOPS                                                                                        \
      elapsed = clock64() - start;                                                                 \
    }                                                                                              \
    cycles[lane] = elapsed;                                                                        \
    sums[lane] = sum;                                                                              \
  }

// clang-format off
MEASURED(single_loop,
  _Pragma("unroll 1") for (int i = 0; i < limit; ++i)
    BODY(sum);
)
MEASURED(double_loop,
  _Pragma("unroll 1") for (int i = 0; i < limit; ++i)
    _Pragma("unroll 1") for (int j = 0; j < limit; ++j)
      BODY(sum);
)
// As the compiler likes them.
MEASURED(single_loop_unrolled,
  for (int i = 0; i < limit; ++i)
    BODY(sum);
)
MEASURED(double_loop_unrolled,
  for (int i = 0; i < limit; ++i)
    for (int j = 0; j < limit; ++j)
      BODY(sum);
)
// A longer iteration.
MEASURED(single_loop_long,
  _Pragma("unroll 1") for (int i = 0; i < limit; ++i) {
    _Pragma("unroll") for (int k = 0; k < 16; ++k)
      BODY(sum);
  }
)
// clang-format on

// The clock after each iteration of each lane, times[i * lanes + lane]: in which iteration, and in
// which lanes, the cycles are.
extern "C" __global__ void single_loop_precise(const int *__restrict__ limits,
                                               float *__restrict__ sums,
                                               long long *__restrict__ cycles, int runs) {
  __shared__ int times[33 * 32];
  int lane = threadIdx.x;
  int limit = limits[lane];
  float sum = 0.0f;
#pragma unroll 1
  for (int run = 0; run < runs; ++run) {
    int start = (int)clock64();
#pragma unroll 1
    for (int i = 0; i < limit; ++i) {
      BODY(sum);
      times[i * 32 + lane] = (int)clock64() - start;
    }
    times[32 * 32 + lane] = (int)clock64() - start;
  }
  for (int i = 0; i < 33; ++i)
    cycles[i * 32 + lane] = i < limit || i == 32 ? times[i * 32 + lane] : -1;
  sums[lane] = sum;
}
