// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random numbers without state: every draw is a pure function of a seed and of four counters that
// say what is drawn for (which group, lane, ...). So draws can be made in any order and by any
// number of threads, and each can be made again.
//
// The generator is Philox4x32-10: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as
// 1, 2, 3" (SC 2011), section 3.2. It is a bijection of the 128 bits of the counters for each of
// 2^64 keys, and passes TestU01's BigCrush.
//
// No allocation, no state; all functions may be called from several threads at once.
#ifndef DIVCOST_RANDOM_H
#define DIVCOST_RANDOM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The generator itself: 128 random bits for a counter and a key, ten rounds. O(1), about 10 ns.
void dc_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t result[4]);

// Two independent numbers, uniform on the multiples of 2^-53 in [0, 1): from the first and the last
// 64 bits of dc_philox, the key being the low, then the high half of the seed. O(1).
void dc_random_pair(uint64_t seed, const uint32_t counter[4], double result[2]);

// The first of them. O(1).
double dc_random_unit(uint64_t seed, const uint32_t counter[4]);

#ifdef __cplusplus
}
#endif

#endif
