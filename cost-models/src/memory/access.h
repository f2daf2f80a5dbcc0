// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a request of an access takes, as far as the lanes' addresses are known.
#ifndef DIVCOST_ACCESS_H
#define DIVCOST_ACCESS_H

#include "divcost/memory.h"
#include "memory/lane_values.h"

// Arrays whose address the launch gives begin at multiples of this: what cudaMalloc gives (CUDA C++
// Programming Guide, "Device Memory Accesses", "Size and Alignment Requirement").
#define DC_LAUNCHED_ALIGNMENT 256

// As of dc_access_estimate.
typedef struct dc__taken {
  double low, high, ideal_low, ideal_high;
} dc__taken;

// Of a request in which each of these lanes takes part with a chance, and one at least. Those of a
// chance below 1 are drawn, always alike. O(alignments that are possible * lanes log lanes): of 32
// bytes for sectors, of 128 for wavefronts.
dc__taken dc__access_taken(const dc_access *access, const dc__lane_values *address, uint32_t lanes,
                           double chance);

// How the lanes' addresses lie to each other, and the step between them where there is one, or 0.
// `walks`: what iterations add to the addresses is known.
dc_access_class dc__access_class_of(const dc_access *access, const dc__lane_values *address,
                                    uint32_t lanes, bool walks, int64_t *stride);

#endif
