// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What users say of a kernel's launch, in a pragma or an annotation file:
//
//     launch = item { "," item }
//     item   = "block" "=" dims | "grid" "=" dims | PARAMETER "=" number
//            | "extent" "(" PARAMETER "," number ")" | "l2" "=" ( "warm" | "cold" )
//     dims   = number | "(" number [ "," number [ "," number ] ] ")"
//
// Numbers are whole ones, written as in C. Whether the kernel has such parameters only the syntax
// tree knows (clang/told_launch.cpp).
#ifndef DIVCOST_PASS_FINDINGS_LAUNCH_TEXT_H
#define DIVCOST_PASS_FINDINGS_LAUNCH_TEXT_H

#include "divcost/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dcp_told_number {
  char *name; // of a parameter
  int64_t number;
  unsigned offset; // of the name, in the text
  uint32_t column; // of the name, in the annotation file; 0: in a pragma
} dcp_told_number;

typedef struct dcp_told_launch {
  uint32_t block[3], grid[3]; // 0: nothing is said
  dcp_told_number *values;
  uint32_t n_values;
  dcp_told_number *extents; // numbers of elements
  uint32_t n_extents;
  uint8_t l2; // dc_l2_state
} dcp_told_launch;

// Nothing is said twice, and a grid only with a block. Errors: DC_ERROR_SYNTAX, with the offset of
// the text at fault; DC_ERROR_MEMORY; *launch is then empty.
dc_status dcp_launch_text(const char *text, dcp_told_launch *launch, dc_error *error);
void dcp_told_launch_free(dcp_told_launch *launch);

#ifdef __cplusplus
}
#endif

#endif
