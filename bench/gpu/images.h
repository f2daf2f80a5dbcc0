// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of bench/gpu/kernels as PTX that clang made, in the program.
#ifndef DIVCOST_BENCH_IMAGES_H
#define DIVCOST_BENCH_IMAGES_H

// The PTX of kernels/NAME.cu, or NULL.
const char *image_find(const char *name);

#endif
