// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/limits.h"

#define VALUE(name, value) .name = (value),
static const dcp_limits limits = {DCP_LIMITS(VALUE)};
#undef VALUE

const dcp_limits *const dcp_limit = &limits;
