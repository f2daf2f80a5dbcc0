// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kinds of passes in which the machine does the iterations of an unrolled loop (dc_loop): first
// whole ones, of as many iterations as a pass has; then, one by one, what is left of the copies
// that LLVM has made; and of ptxas' passes of those what is left, by halves, each done or not. A
// kind is for floor(trips / divisor) passes, modulo `modulus` if it isn't 0, of so many iterations.
#ifndef DIVCOST_SRC_KERNEL_PASSES_H
#define DIVCOST_SRC_KERNEL_PASSES_H

#include "divcost/kernel.h"

enum { DC_PASSES_MAX = 64 }; // those of an entry that aren't whole are fewer

typedef struct dc_passes {
  unsigned iterations, divisor, modulus;
} dc_passes;

// The copies that LLVM has in passes of so many iterations; 1: none, or so many (for a pragma) that
// what is left of them is taken for done in halves, too.
unsigned dc__passes_llvm(const dc_loop *loop, unsigned factor);

// The whole ones of that many iterations.
dc_passes dc__passes_whole(unsigned factor);

// The kind after *kind, of passes of `factor` iterations with so many copies by LLVM. False: there
// is none.
bool dc__passes_next(unsigned factor, unsigned llvm, dc_passes *kind);

// How many of a kind a lane with so many trips does.
double dc__passes_of(dc_passes kind, double trips);

#endif
