// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Branches that some lanes take: a lane's choice says which side. Everything is run `runs` times,
// the last one counts. cycles: by lane.

template <int length> static __device__ __forceinline__ float work(float sum, float term) {
#pragma unroll
  for (int k = 0; k < length; ++k)
    sum = sum * 0.5f + term;
  return sum;
}

template <int length> static __device__ __forceinline__ float other_work(float sum) {
#pragma unroll
  for (int k = 0; k < length; ++k)
    sum = sum + 1.5f;
  return sum;
}

#define MEASURED(name, STATEMENTS)                                                                 \
  extern "C" __global__ void name(const int *__restrict__ choices, float *__restrict__ sums,       \
                                  long long *__restrict__ cycles, int runs) {                      \
    int lane = threadIdx.x;                                                                        \
    int choice = choices[lane];                                                                    \
    float sum = 0.0f;                                                                              \
    long long elapsed = 0;                                                                         \
    _Pragma("unroll 1") for (int run = 0; run < runs; ++run) {                                     \
      long long start = clock64();                                                                 \
      STATEMENTS                                                                                   \
      elapsed = clock64() - start;                                                                 \
    }                                                                                              \
    cycles[lane] = elapsed;                                                                        \
    sums[lane] = sum;                                                                              \
  }

// clang-format off
#define IF(length)                                                                                 \
  MEASURED(if_##length, if (choice) sum = work<length>(sum, 1.0f);)                                \
  MEASURED(if_else_##length,                                                                       \
    if (choice) sum = work<length>(sum, 1.0f); else sum = other_work<length>(sum);)

IF(1) IF(2) IF(3) IF(4) IF(5) IF(6) IF(7) IF(8) IF(10) IF(12) IF(14) IF(16) IF(20) IF(24) IF(32)
IF(64) IF(128)

// choice: how many of the ifs a lane enters.
MEASURED(nested_2,
  if (choice > 0) {
    sum = work<32>(sum, 1.0f);
    if (choice > 1)
      sum = work<32>(sum, 2.0f);
    sum = work<32>(sum, 3.0f);
  }
)
MEASURED(nested_3,
  if (choice > 0) {
    sum = work<32>(sum, 1.0f);
    if (choice > 1) {
      sum = work<32>(sum, 2.0f);
      if (choice > 2)
        sum = work<32>(sum, 3.0f);
      sum = work<32>(sum, 4.0f);
    }
    sum = work<32>(sum, 5.0f);
  }
)

#define CASE(k) case k: sum = work<32>(sum, 1.0f + k); break;
#define CASES_8(k) CASE(k) CASE(k + 1) CASE(k + 2) CASE(k + 3) CASE(k + 4) CASE(k + 5) CASE(k + 6) CASE(k + 7)
MEASURED(switch_8, switch (choice) { CASES_8(0) default: break; })
MEASURED(switch_32, switch (choice) { CASES_8(0) CASES_8(8) CASES_8(16) CASES_8(24) default: break; })
    // clang-format on
