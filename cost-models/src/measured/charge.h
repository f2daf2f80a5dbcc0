// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the lanes left that idle in machine code.
#ifndef DIVCOST_CHARGE_H
#define DIVCOST_CHARGE_H

#include "measured/code_graph.h"

#include "divcost/measured.h"

// A place that lanes leave at, and the jumps that make it: jumps[first_jump] to
// jumps[first_jump + n_jumps - 1], instructions.
typedef struct dc_charged_site {
  dc_site site;   // without lines
  uint32_t block; // of the branch, or the loop's header; DC_CODE_NONE for the start
  uint32_t first_jump, n_jumps;
} dc_charged_site;

typedef struct dc_charges {
  dc_charged_site *sites; // sites[0] is the start
  uint32_t n_sites;
  uint32_t *jumps, n_jumps;
  double untold; // lane-slots that idle, and the code doesn't tell by what
} dc_charges;

// Charges every idle lane-slot, 32 * warps - lanes of each instruction of a graph, to one site, if
// the code tells which. False: out of memory. dc__charges_free in any case.
bool dc__charge(const dc_code_graph *graph, dc_charges *charges);

void dc__charges_free(dc_charges *charges);

#endif
