// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the fuzz targets share: what has to hold whatever the input is.
#ifndef DIVCOST_FUZZ_H
#define DIVCOST_FUZZ_H

#include <stdio.h>
#include <stdlib.h>

#define REQUIRE(condition)                                                                         \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fprintf(stderr, "does not hold: %s\n", #condition);                                          \
      abort();                                                                                     \
    }                                                                                              \
  } while (0)

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

#endif
