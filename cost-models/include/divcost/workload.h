// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Workloads whose lanes are not iid: every lane's count is known, or the items were sorted or
// binned before the lanes took them, or the lanes of a warp have something in common, or several
// lanes share one item. Each against the iid lanes of imbalance.h, whose terms are used here, is an
// answer to "what if".
//
// A group is `lanes` lanes that wait for each other, as in imbalance.h (a warp: 32).
#ifndef DIVCOST_WORKLOAD_H
#define DIVCOST_WORKLOAD_H

#include "divcost/distribution.h"
#include "divcost/error.h"
#include "divcost/imbalance.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The most groups that affine counts and sorting take.
#define DC_GROUPS_MAX ((uint64_t)1 << 31)

// What the groups of a workload lose. A kernel's loss is the aggregate.
typedef struct dc_loss {
  double expected;   // mean of X over the groups, each counted alike
  double aggregate;  // lane slots in total over work in total
  double efficiency; // SIMT efficiency: 1 / aggregate
} dc_loss;

// ---- counts that are known ---------------------------------------------------------------------

// A count for each lane: the groups are runs of `lanes` neighbours in counts[count]. Where the last
// is shorter, the lanes that it lacks idle. A group without work has X = 1; if no group has any,
// the aggregate is 1. Exact but for the rounding of the sums. Errors: DC_ERROR_ARGUMENT for a count
// outside 0 .. DC_TRIPS_MAX (names the lane), count 0, or lanes. O(count).
dc_status dc_listed_loss(const int64_t *counts, size_t count, unsigned lanes, dc_loss *result,
                         dc_error *error);

// Lane-affine counts: lane i of the whole grid (i = 0 .. groups * lanes - 1) runs max(0, base +
// stride * i) times, as in a triangular loop. base and stride in -DC_TRIPS_MAX ..
// DC_TRIPS_MAX, and no lane above DC_TRIPS_MAX; groups in 1 .. DC_GROUPS_MAX; else
// DC_ERROR_ARGUMENT. O(groups).
dc_status dc_affine_loss(int64_t base, int64_t stride, unsigned lanes, uint64_t groups,
                         dc_loss *result, dc_error *error);

// ---- counts that are correlated within a group -------------------------------------------------

// A kind of group: which share of the groups are of it, and the distribution from which all of its
// lanes draw, independently. (As a mixture per lane, types would mix within groups, and lose more.)
typedef struct dc_group_type {
  double weight; // not negative, finite; relative: 3 and 1 is 0.75 and 0.25
  dc_distribution distribution;
} dc_group_type;

// expected = sum of weight * E[X of the type]; aggregate = sum of weight * E[max] over sum of
// weight
// * E[W]. Accuracy as dc_expected_imbalance. Errors: DC_ERROR_ARGUMENT, as imbalance.h's, or for
// count 0, or weights that are negative or all 0. O(the sum over the types of
// dc_expected_imbalance).
dc_status dc_typed_loss(const dc_group_type *types, size_t count, unsigned lanes, dc_loss *result,
                        dc_error *error);

// ---- items that were arranged ------------------------------------------------------------------

// Sorted: groups * lanes items are drawn from the distribution, sorted, and each group takes the
// next `lanes`: consecutive order statistics. The aggregate imbalance:
//     E[sum of the groups' maxima] = sum over k >= 1 of E[ceil(A_k / lanes)],
//     A_k ~ Binomial(groups * lanes, P(W >= k)),
// since the items that reach k fill that many groups from the top. Relative error about 1e-13:
// where the standard deviation of A_k is above 2.3 lanes, A_k modulo lanes is uniform to 1e-17, and
// the term is (E[A_k] + (lanes - 1) / 2) / lanes. Tends to 1 as groups grow many. (The expected
// imbalance of sorted items has no such form: dc_simulate in simulate.h estimates it.)
// groups in 1 .. DC_GROUPS_MAX, else DC_ERROR_ARGUMENT. O(count * lanes).
dc_status dc_sorted_aggregate(const dc_distribution *distribution, unsigned lanes, uint64_t groups,
                              double *result, dc_error *error);

// Binned: the distribution's share number index of `classes` equal ones, by quantile: W given that
// it lies between the quantiles index / classes and (index + 1) / classes. A value at the border
// belongs to both, with the mass that falls in each. Groups that take items of one class only are
// groups of `classes` types with equal weights: dc_typed_loss. *result owns its points:
// dc_distribution_free. Errors: DC_ERROR_ARGUMENT for index or classes outside 0 .. classes - 1,
// 1 .. 1000000; DC_ERROR_MEMORY. O(count).
dc_status dc_class_build(const dc_distribution *distribution, size_t index, size_t classes,
                         dc_distribution *result, dc_error *error);

// What binning into `classes` classes makes of iid lanes. In
// the limit of many items, where no class leaves a group half empty. Errors as above. O(classes *
// dc_expected_imbalance).
dc_status dc_binned_loss(const dc_distribution *distribution, size_t classes, unsigned lanes,
                         dc_loss *result, dc_error *error);

// ---- lanes that share an item ------------------------------------------------------------------

// Granularity: lanes_per_item lanes work together on an item of W iterations, each on ceil(W /
// lanes_per_item) of them, and a group takes lanes / lanes_per_item items. The work is still W, so
// lanes that find nothing in the last round count as idle: aggregate = lanes_per_item *
// E[max of lanes / lanes_per_item of ceil(W / lanes_per_item)] / E[W]. With lanes_per_item = 1,
// today's. What splitting costs otherwise (a reduction at the end, say) isn't in it. lanes_per_item
// must divide lanes, else DC_ERROR_ARGUMENT. Relative error below 1e-12. O(nodes * count), nodes as
// in dc_expected_imbalance.
dc_status dc_shared_item_loss(const dc_distribution *distribution, unsigned lanes,
                              unsigned lanes_per_item, dc_loss *result, dc_error *error);

#ifdef __cplusplus
}
#endif

#endif
