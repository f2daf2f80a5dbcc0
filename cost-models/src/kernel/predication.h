// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which branches of a skeleton are none when it runs: those whose targets are issued under a
// predicate, and those that leave by a return.
#ifndef DIVCOST_SRC_PREDICATION_H
#define DIVCOST_SRC_PREDICATION_H

#include "divcost/kernel.h"

// Whether each target of a block's branch is a block of its own, which leads to where they meet, or
// nothing.
bool dc__has_simple_targets(const dc_kernel *kernel, const dc_block *block);

// Whether the block ends in a branch that is expected to be predicated, and can be.
bool dc__is_predicated(const dc_kernel *kernel, const dc_block *block);

// Whether a block has no instructions but jumps and returns.
bool dc__is_empty(const dc_block *block);

// Whether a block does nothing but return: lanes that go there leave without a branch.
bool dc__is_bare_return(const dc_kernel *kernel, uint32_t block);

// Whether one target of the block's branch is that, and no loop is left for it.
bool dc__has_bare_return(const dc_kernel *kernel, const dc_block *block);

#endif
