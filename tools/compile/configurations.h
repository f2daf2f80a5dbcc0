// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The configurations (divcost/config.h) of the files of a run, each read once.
#ifndef DIVCOST_TOOLS_COMPILE_CONFIGURATIONS_H
#define DIVCOST_TOOLS_COMPILE_CONFIGURATIONS_H

#include "divcost/config.h"

#include <stddef.h>

// All zeroes: none so far.
typedef struct configurations {
  dc_config **items;
  size_t count;
} configurations;

// The configuration that counts for a file: that of the nearest folder. *config belongs to
// `known`; NULL: there is none. Errors: those of dc_config_load, naming the configuration.
// O(folders + configurations).
dc_status configurations_find(configurations *known, const char *file, const dc_config **config,
                              dc_error *error);

void configurations_free(configurations *known);

#endif
