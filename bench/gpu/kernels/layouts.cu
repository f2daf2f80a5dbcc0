// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The single loop at other addresses, and with other code around it: what of its cycles is due to
// where its instructions lie. Each form has `shift` instructions of 16 bytes before the clock.

// The result must be used, or ptxas drops the code; mad because it would make one add of many.
template <int shift> static __device__ __forceinline__ int move_code(int x) {
#pragma unroll
  for (int k = 0; k < shift; ++k)
    asm volatile("mad.lo.s32 %0, %0, %0, 1;" : "+r"(x));
  return x;
}

#define LOOP                                                                                       \
  _Pragma("unroll 1") for (int i = 0; i < limit; ++i) { sum = sum * 0.5f + 1.0f; }

#define KERNEL(name, MEASUREMENT)                                                                  \
  extern "C" __global__ void name(const int *__restrict__ limits, float *__restrict__ sums,        \
                                  long long *__restrict__ cycles, int runs) {                      \
    int lane = threadIdx.x;                                                                        \
    int limit = limits[lane];                                                                      \
    float sum = 0.0f;                                                                              \
    int moved = 0;                                                                                 \
    long long elapsed = 0;                                                                         \
    MEASUREMENT(void) runs;                                                                        \
    cycles[lane] = elapsed;                                                                        \
    sums[lane] = sum + moved;                                                                      \
  }

#define ONCE(shift)                                                                                \
  moved = move_code<shift>(lane);                                                                  \
  long long start = clock64();                                                                     \
  LOOP elapsed = clock64() - start;

// again: the code runs again and again. twice: it is there twice. once: it runs once.
#define FORMS(shift)                                                                               \
  KERNEL(again_##shift, _Pragma("unroll 1") for (int run = 0; run < runs; ++run){ONCE(shift)})     \
  KERNEL(twice_##shift, LOOP{ONCE(shift)})                                                         \
  KERNEL(once_##shift, ONCE(shift))

FORMS(0)
FORMS(1)
FORMS(2)
FORMS(3)
FORMS(4)
FORMS(5)
FORMS(6)
FORMS(7)
