// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Machine code for the GPU from a file.
#ifndef DIVCOST_BENCH_CUBIN_H
#define DIVCOST_BENCH_CUBIN_H

#include "divcost/error.h"

// Reads folder/name.cubin; free() releases *image.
dc_status cubin_read(const char *folder, const char *name, char **image, dc_error *error);

#endif
