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
//     dc_sampler sampler;
//     dc_sampler_build(&distribution, memory, dc_sampler_bytes(&distribution), &sampler, &error);
//     int64_t trips = dc_draw(&sampler, seed, (uint32_t[4]){group, lane, 0, 0});
//
// No allocation, no state; all functions may be called from several threads at once.
#ifndef DIVCOST_RANDOM_H
#define DIVCOST_RANDOM_H

#include "divcost/distribution.h"
#include "divcost/error.h"

#include <stddef.h>
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

// One column of an alias table: the point of this index or another one.
typedef struct dc_alias {
  double threshold; // the share of the column that is its own point's
  uint32_t other;   // index of the point that has the rest
  uint32_t work;    // used while building
} dc_alias;

// Draws from a distribution in O(1) by Walker's alias method (ACM Transactions on Mathematical
// Software 3, 1977), as built by Vose (IEEE Transactions on Software Engineering 17, 1991).
typedef struct dc_sampler {
  const dc_point *points; // the distribution's: they must outlive the sampler
  const dc_alias *aliases;
  size_t count;
} dc_sampler;

// Bytes of memory that dc_sampler_build needs: 16 for each point. O(1).
size_t dc_sampler_bytes(const dc_distribution *distribution);

// Builds the table in memory, which must be aligned as malloc aligns it and outlive the sampler.
// Every point's probability is right to count * 2^-53, usually to far less. The distribution comes
// from dc_distribution_build or passed dc_distribution_check. Errors: DC_ERROR_ARGUMENT for a
// distribution without points or too little memory. O(count).
dc_status dc_sampler_build(const dc_distribution *distribution, void *memory, size_t bytes,
                           dc_sampler *sampler, dc_error *error);

// One value of the distribution: one call of dc_philox. O(1).
int64_t dc_draw(const dc_sampler *sampler, uint64_t seed, const uint32_t counter[4]);

#ifdef __cplusplus
}
#endif

#endif
