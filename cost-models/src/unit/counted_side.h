// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The side of a branch that nobody counted, where the other one is known: a pass made it of a part
// of a block, say, so it has no name.
#ifndef DIVCOST_SRC_COUNTED_SIDE_H
#define DIVCOST_SRC_COUNTED_SIDE_H

#include "measured/code_graph.h"

#include "divcost/block_counts.h"

// The block to whose branch a block is one of two sides that nobody comes to otherwise, and the
// other side; false where it isn't one. O(1).
bool dc__side_of(const dc_code_graph *graph, uint32_t block, uint32_t *branch, uint32_t *other);

// Executions of a side, from those of the branch and of the other side: by the lanes that don't go
// there. Its warps are between those that it takes without any that part, and those in which each
// lane that can does; half way, and *unsure as many more or fewer. Not known where more lanes go
// to the other side than come to the branch. O(1).
dc_block_count dc__count_side(const dc_block_count *branch, const dc_block_count *other,
                              uint64_t *unsure);

#endif
