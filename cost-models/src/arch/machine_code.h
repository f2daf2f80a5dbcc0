// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIVCOST_ARCH_MACHINE_CODE_H
#define DIVCOST_ARCH_MACHINE_CODE_H

#include "divcost/machine_code.h"

// Generated from cost-models/data/*.machine.json; one at least.
extern const dc_machine_code dc__machine_code_table[];
extern const unsigned dc__machine_code_table_count;

#endif
