// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints the verdicts of a unit in a form that stays the same, for opt -passes='divcost<print>' and
// the tests that read it:
//
//   kernel NAME block 256x1x1 (assumed)
//     loop LINE:COLUMN depth D class CLASS trips EXPR exit LEVEL ... condition (TEXT)
//       reason LINE:COLUMN TEXT
//     branch LINE:COLUMN LEVEL EXPR
//     barrier LINE:COLUMN LEVEL[ left LEVEL]
//     RULE LINE:COLUMN MESSAGE
//
// A place or an expression that isn't known is a single "-".
#ifndef DIVCOST_PASS_ANALYSIS_PRINT_H
#define DIVCOST_PASS_ANALYSIS_PRINT_H

#include "divcost/unit.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

void dcp_print_unit(const dc_unit *unit, FILE *stream);

#ifdef __cplusplus
}
#endif

#endif
