// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIVCOST_KERNEL_EQUAL_H
#define DIVCOST_KERNEL_EQUAL_H

#include "divcost/kernel.h"

// Whether two valid skeletons have the same contents. O(size).
bool dc__kernels_equal(const dc_kernel *x, const dc_kernel *y);

#endif
