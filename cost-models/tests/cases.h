// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many cases a test takes.
#ifndef DIVCOST_TESTS_CASES_H
#define DIVCOST_TESTS_CASES_H

#include <stddef.h>
#include <stdlib.h>

// Tests that only repeat themselves over more cases take fewer of them under valgrind, which takes
// some fifty times as long, and with sanitizers, which take some five times as long.
static inline size_t cases_of(size_t all, size_t under_valgrind) {
#ifdef __SANITIZE_ADDRESS__
  if (all / 4 > under_valgrind)
    all /= 4;
#endif
  return getenv("DIVCOST_TEST_UNDER_VALGRIND") ? under_valgrind : all;
}

#endif
