// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sets of lanes: bit k is lane k.
#ifndef DIVCOST_LANES_H
#define DIVCOST_LANES_H

#include <stdint.h>

#define DC_WARP 32 // lanes of a warp

// Bits in parallel: compilers make one instruction of it where there is one.
static inline unsigned dc__lanes_count(uint64_t lanes) {
  lanes -= lanes >> 1 & UINT64_C(0x5555555555555555);
  lanes = (lanes & UINT64_C(0x3333333333333333)) + (lanes >> 2 & UINT64_C(0x3333333333333333));
  lanes = (lanes + (lanes >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
  return (unsigned)((lanes * UINT64_C(0x0101010101010101)) >> 56);
}

// The lowest lane of a set that isn't empty: the bits below it, counted.
static inline unsigned dc__first_lane(uint64_t lanes) {
#if defined(__GNUC__)
  return (unsigned)__builtin_ctzll(lanes);
#else
  return dc__lanes_count((lanes & (~lanes + 1)) - 1);
#endif
}

static inline uint64_t dc__all_lanes(unsigned lanes) {
  return lanes == 64 ? UINT64_MAX : (UINT64_C(1) << lanes) - 1;
}

#endif
