// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIVCOST_JSON_READ_ARCH_H
#define DIVCOST_JSON_READ_ARCH_H

#include "arch/arch_internal.h"

#include <stdio.h>

// Reads one file, checking every field. Errors: DC_ERROR_SYNTAX, naming the
// field ("stack.entries.value: is 0, must be in 1 .. 1024"), DC_ERROR_FILE, DC_ERROR_MEMORY.
dc_status dc__arch_read_json(FILE *stream, dc_arch_data *data, dc_error *error);

#endif
