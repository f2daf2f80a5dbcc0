// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What unit.c and its helpers share.
#ifndef DIVCOST_UNIT_INTERNAL_H
#define DIVCOST_UNIT_INTERNAL_H

#include "divcost/unit.h"

// Whether two valid skeletons have the same contents. O(size).
bool dc_kernels_equal(const dc_kernel *x, const dc_kernel *y);

#endif
