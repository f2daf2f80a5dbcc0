// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a file of cost-models/data says of an architecture. The build turns the files into a table
// of these (json/generate_archs.c), since the library reads no files.
#ifndef DIVCOST_ARCH_INTERNAL_H
#define DIVCOST_ARCH_INTERNAL_H

#include "divcost/arch.h"

#define DC_ARCH_SMS_MAX 16

typedef struct dc_arch_data {
  char name[24];
  unsigned sm[DC_ARCH_SMS_MAX]; // whose it is
  unsigned n_sm;
  dc_rules rules;
  bool has_cycles;
  double divergent_branch, divergent_exit, displaced, spill; // cycles
  unsigned predicated;
  unsigned stack_entries, spill_entries;
  double issue[DC_MIX_COUNT]; // cycles of a warp instruction on its scheduler; 0: not measured
  dc_reload reload;
  char label[128];     // provenance, for its own sm_NN
  char elsewhere[128]; // and for those that take its costs
  dc_machine machine;  // not known: the file has none
} dc_arch_data;

// Puts what the data say into an architecture; own: it is theirs, and not a neighbour's.
void dc__arch_apply(dc_arch *arch, const dc_arch_data *data, bool own);

// The machine that stands for a compute capability: measured, published, or not known. Arrays of
// files and of products are short.
void dc__machine_of(unsigned sm, dc_machine *machine);

// Generated.
extern const dc_arch_data dc__arch_table[];
extern const unsigned dc__arch_table_count;

#endif
