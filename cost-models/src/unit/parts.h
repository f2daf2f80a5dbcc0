// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIVCOST_UNIT_PARTS_H
#define DIVCOST_UNIT_PARTS_H

#include "divcost/unit.h"

// Sorts the parts of what was measured, worst first; equal ones by loop, branch and location.
void dc__sort_parts(dc_unit_measured *measured);

// Likewise its accesses; equal ones by kind and location.
void dc__sort_accesses(dc_unit_measured *measured);

#endif
