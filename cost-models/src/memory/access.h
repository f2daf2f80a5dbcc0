// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a request of an access takes, as far as the lanes' addresses are known.
#ifndef DIVCOST_ACCESS_H
#define DIVCOST_ACCESS_H

#include "divcost/memory.h"
#include "memory/lane_values.h"

// As of dc_access_estimate.
typedef struct dc__taken {
  double low, high, ideal_low, ideal_high;
} dc__taken;

// Of a request in which these lanes take part, or, where `some` is set, one of them to all.
// O(lanes), or lanes^2 where they aren't in order, for each alignment that is possible, 32 at most.
dc__taken dc__access_taken(const dc_access *access, const dc__lane_values *address, uint32_t lanes,
                           bool some);

// The same of lanes whose addresses to each other are known, wherever what is common to them lies;
// returns how many places there are that may differ, 0: nowhere are the lanes aligned. *worst,
// added to all, is one of those at which most is taken.
unsigned dc__access_places(const dc_access *access, const dc__lane_values *values, uint32_t lanes,
                           dc__taken *out, uint64_t *worst);

// What is smaller or greater in either.
void dc__taken_join(dc__taken *a, const dc__taken *b);

// The addresses of these lanes, each in its environment, of which ctaid and iv may be unknown.
// O(nodes of the address as a tree, * 32), 400 at most: then each lane may hold anything.
// memo: of these environments and lanes, or NULL.
void dc__access_address(const dc_kernel *kernel, uint32_t access, dc_expr_environment *environments,
                        uint32_t lanes, dc__lane_memo *memo, dc__lane_values *out);

// Those of a warp of a block of these dimensions, in these iterations of the loops (n_iv 0: in none
// in particular); returns its lanes. The kernel's parameters that are known aren't.
uint32_t dc__warp_environments(const uint32_t block[3], uint32_t warp, const int64_t *iv,
                               uint32_t n_iv, dc_expr_environment environments[DC_LANES]);

// The addresses of the lanes of such a warp, which are returned.
uint32_t dc__access_of_warp(const dc_kernel *kernel, uint32_t access, const uint32_t block[3],
                            uint32_t warp, const int64_t *iv, uint32_t n_iv, dc__lane_values *out);

// Whether so much, added to all addresses, makes no difference to what they take.
bool dc__access_may_shift(const dc_access *access, uint64_t by);

// How the lanes' addresses lie to each other, and the step between them where there is one, or 0.
// `walks`: what iterations add to the addresses is known.
dc_access_class dc__access_class_of(const dc_access *access, const dc__lane_values *address,
                                    uint32_t lanes, bool walks, int64_t *stride);

#endif
