// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where lanes that may part are made to meet again.
#ifndef DIVCOST_SRC_REGIONS_H
#define DIVCOST_SRC_REGIONS_H

#include "divcost/kernel.h"

// Whether lanes that diverge at a branch have to be managed: not where it is predicated, an exit
// (that is its loop's matter), all its targets go to one place, or one target just returns.
bool dc__parts_lanes(const dc_kernel *kernel, uint32_t branch);

// Instructions of each block for lanes to meet again, regions[n_blocks], which is added to: one
// before and one behind (BSSY, BSYNC), of a branch in its block, of a loop in those that enter it.
// A branch on the way of another one, whose lanes meet in the same place, has none of its own.
// O(branches * blocks on their ways).
void dc__count_regions(const dc_kernel *kernel, uint16_t *regions);

#endif
