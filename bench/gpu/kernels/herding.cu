// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Branch herding (Sartori and Kumar, "Branch and data herding", IEEE Transactions on Multimedia 15,
// 2013): a branch where lanes would part goes the way that most of them want, after a vote. Here
// the exits of the loop that counts the iterations of a point until it escapes. A thread is a
// pixel, a block is one warp. All arithmetic is written as fused multiply-adds and exact
// operations, so that the host computes the same bits (herding.c).
//
// cycles, by block: what its warp took; NULL if not wanted. told: for the kernel `told`, by pixel
// how many iterations its warp does.

#include "herding_choices.h"
#include "herding_window.h"

enum Exit {
  PLAIN,    // each lane for itself
  MAJORITY, // a strict majority of the active lanes stays, or all of these leave
  FULL,     // the same, where all 32 lanes are known to be active
  ANY       // all lanes stay while any wants to; which of them count is predicated: no error
};

template <Exit way> static __device__ __forceinline__ bool stays(bool wanted) {
  if (way == MAJORITY) {
    unsigned active = __activemask();
    return 2 * __popc(__ballot_sync(active, wanted)) > __popc(active);
  }
  if (way == FULL)
    return __popc(__ballot_sync(0xffffffffu, wanted)) > 16;
  if (way == ANY)
    return __any_sync(0xffffffffu, wanted);
  return wanted;
}

struct Point {
  float x, y, real, imaginary;

  __device__ __forceinline__ bool inside() const { return fmaf(x, x, y * y) <= 4.0f; }
  __device__ __forceinline__ void advance() {
    float next = fmaf(x, x, fmaf(-y, y, real));
    y = fmaf(x + x, y, imaginary);
    x = next;
  }
};

static __device__ __forceinline__ unsigned pixel(herding_window window, Point *point) {
  unsigned across_log2 = window.width_log2 - window.warp_width_log2;
  unsigned column = threadIdx.x & ((1u << window.warp_width_log2) - 1);
  unsigned row = threadIdx.x >> window.warp_width_log2;
  column += (blockIdx.x & ((1u << across_log2) - 1)) << window.warp_width_log2;
  row += (blockIdx.x >> across_log2) * (32 >> window.warp_width_log2);
  float x = fmaf((float)column, window.step, window.left);
  float y = fmaf(-(float)row, window.step, window.top);
  *point = window.julia ? Point{x, y, window.real, window.imaginary} : Point{0.0f, 0.0f, x, y};
  return (row << window.width_log2) + column;
}

#define KERNEL(name, COUNT)                                                                        \
  extern "C" __global__ void name(herding_window window, unsigned char *__restrict__ image,        \
                                  long long *__restrict__ cycles,                                  \
                                  const unsigned char *__restrict__ told) {                        \
    Point point;                                                                                   \
    unsigned at = pixel(window, &point);                                                           \
    (void)told;                                                                                    \
    long long start = clock64();                                                                   \
    unsigned n = COUNT;                                                                            \
    if (cycles) {                                                                                  \
      __syncwarp();                                                                                \
      cycles[blockIdx.x] = clock64() - start;                                                      \
    }                                                                                              \
    image[at] = (unsigned char)n;                                                                  \
  }

// --- the loop as written -------------------------------------------------------------------------

template <Exit way> static __device__ __forceinline__ unsigned count(Point point, unsigned limit) {
  unsigned n = 0, counted = 0;
#pragma unroll 1
  for (; n < limit; ++n) {
    bool inside = point.inside();
    if (!stays<way>(inside))
      break;
    point.advance();
    counted += inside;
  }
  return way == ANY ? counted : n;
}

// A vote that costs nothing: the warp is told its result, never more than the limit. No compiler
// knows that, so all of them keep the arithmetic and the test, on which the result seems to depend.
static __device__ __forceinline__ unsigned count_told(Point point, unsigned iterations,
                                                      unsigned limit) {
  bool escaped = false;
#pragma unroll 1
  for (unsigned n = 0; n < iterations; ++n) {
    escaped |= !point.inside();
    point.advance();
  }
  return escaped && iterations > limit ? limit : iterations;
}

KERNEL(plain, count<PLAIN>(point, window.limit))
KERNEL(majority, count<MAJORITY>(point, window.limit))
KERNEL(full, count<FULL>(point, window.limit))
KERNEL(any, count<ANY>(point, window.limit))
KERNEL(told, count_told(point, told[at], window.limit))

// --- unrolled ten times, some of the branches forced ---------------------------------------------

template <unsigned forced>
static __device__ __forceinline__ unsigned some(Point point, unsigned limit) {
  unsigned n = 0;
#pragma unroll 1
  for (; n < limit; n += HERDING_BRANCHES) {
#define BRANCH(k)                                                                                  \
  if (!stays<(forced >> k & 1) ? MAJORITY : PLAIN>(point.inside()))                                \
    return n + k;                                                                                  \
  point.advance();
    BRANCH(0)
    BRANCH(1) BRANCH(2) BRANCH(3) BRANCH(4) BRANCH(5) BRANCH(6) BRANCH(7) BRANCH(8) BRANCH(9)
  }
  return n;
}

#define FORCED(share, choice, bits)                                                                \
  KERNEL(forced_##share##_##choice, some<bits>(point, window.limit))
HERDING_CHOICES(FORCED)
