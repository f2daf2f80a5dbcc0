// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `divcost check --print-config`: what counts for the files, and who says so.
#ifndef DIVCOST_TOOLS_CHECK_PRINT_CONFIG_H
#define DIVCOST_TOOLS_CHECK_PRINT_CONFIG_H

#include "check/unit.h"

// Prints each configuration once, with the files that it is for. The exit status.
int check_print_config(const check_options *options, const check_units *units);

#endif
