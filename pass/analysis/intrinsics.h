// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What NVPTX's intrinsics, libdevice's functions and inline PTX mean for divergence. Intrinsics are
// known by name, so that one table serves every LLVM version; a name that isn't here is unknown,
// never taken as uniform by accident.
#ifndef DIVCOST_PASS_ANALYSIS_INTRINSICS_H
#define DIVCOST_PASS_ANALYSIS_INTRINSICS_H

#include "analysis/ssa.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dcp_meaning {
  uint8_t op;       // ssa_op
  uint8_t expr;     // dc_expr_op, for SSA_SREG
  uint8_t level;    // for SSA_SOURCE
  uint8_t mix;      // dc_mix + 1, or 0; 0 for SSA_PURE of the table: by the type of the value
  int8_t mask;      // argument that holds the member mask; -1: none (all lanes that run)
  int64_t i;        // for SSA_SREG: the dimension; for SSA_BARRIER: 1 for one that is aligned
  const char *text; // for SSA_SOURCE and SSA_UNKNOWN; static
} dcp_meaning;

// By full name ("llvm.nvvm.read.ptx.sreg.tid.x"). False: not in the table. O(table).
bool dcp_intrinsic(const char *name, dcp_meaning *meaning);

// The rows of the table, for its tests: the pattern of one, NULL behind the last; and the first row
// that matches a name, or how many rows there are. O(1), O(table).
const char *dcp_intrinsic_pattern(size_t row);
size_t dcp_intrinsic_row(const char *name);

// inline_ptx.c
// Inline PTX ("volatile" or not, which changes no value). Always gives a meaning: SSA_PURE where
// every instruction is known to compute from its operands alone, SSA_FETCH for one that reads a
// texture, SSA_UNKNOWN for what isn't known.
void dcp_inline_assembly(const char *text, dcp_meaning *meaning);

#ifdef __cplusplus
}
#endif

#endif
