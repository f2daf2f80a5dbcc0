// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is assumed of a trip count that nobody knows.
#ifndef DIVCOST_ASSUMED_H
#define DIVCOST_ASSUMED_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The documented family for a data-dependent loop of which nothing is known but that it runs `most`
// times at most (negative: not even that): distributions with the same mean, from narrow to
// heavy-tailed, in the textual form of distributions.
#define DC_ASSUMED_TEXT 64
typedef struct dc_assumed_distributions {
  char low[DC_ASSUMED_TEXT], high[DC_ASSUMED_TEXT];
  char heavy[DC_ASSUMED_TEXT]; // a power law, of another mean: degrees of vertices, lengths of rows
} dc_assumed_distributions;
dc_assumed_distributions dc_distributions_assumed(int64_t most);

// Trips of a loop of which nothing else is known, where one number is assumed: their mean, rounded
// up.
int64_t dc_trips_assumed(int64_t most);

#ifdef __cplusplus
}
#endif

#endif
