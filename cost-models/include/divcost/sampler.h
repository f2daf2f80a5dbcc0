// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Draws from a distribution: a pure function of a seed and of four counters that say what is drawn
// for (which group, lane, ...; divcost/random.h).
//
//     dc_sampler sampler;
//     dc_sampler_build(&distribution, &sampler, &error);
//     int64_t trips = dc_draw(&sampler, seed, (uint32_t[4]){group, lane, 0, 0});
//     dc_sampler_free(&sampler);
//
// A sampler has no state: several threads may draw from one at once.
#ifndef DIVCOST_SAMPLER_H
#define DIVCOST_SAMPLER_H

#include "divcost/distribution.h"
#include "divcost/error.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

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
  dc_alias *aliases;      // owned
  size_t count;
} dc_sampler;

// Builds the table: 16 bytes for each point. Every point's probability is right to count * 2^-53,
// usually to far less. The distribution comes from dc_distribution_build or passed
// dc_distribution_check. Errors, *sampler then being empty: DC_ERROR_ARGUMENT for a distribution
// without points; DC_ERROR_MEMORY. O(count).
dc_status dc_sampler_build(const dc_distribution *distribution, dc_sampler *sampler,
                           dc_error *error);

void dc_sampler_free(dc_sampler *sampler);

// One value of the distribution: one call of dc_philox. O(1).
int64_t dc_draw(const dc_sampler *sampler, uint64_t seed, const uint32_t counter[4]);

#ifdef __cplusplus
}
#endif

#endif
