// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The value of an expression in a condition as its reader takes it: in the integers, each name with
// the value that it has in the source.
#ifndef DIVCOST_ORACLE_PRODUCT_H
#define DIVCOST_ORACLE_PRODUCT_H

#include "interface.h"

#include <stdbool.h>
#include <stdint.h>

// False where it is about what isn't known before the launch: loads, iterations, "?".
__extension__ bool evaluate_product(const char *text, const probe_state *lane,
                                    const probe_program *program, const int64_t *arguments,
                                    __int128 *value);

#endif
