// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIVCOST_SRC_NAMES_H
#define DIVCOST_SRC_NAMES_H

#include <stddef.h>

// Bytes of a kernel's name before its template arguments and parameters, as dc_name_length.
size_t dc__bare_length(const char *name);

#endif
