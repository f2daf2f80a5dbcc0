// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a source file begins with: comments and the preprocessor's directives, headers above all.
#ifndef DIVCOST_TOOLS_LSP_PREAMBLE_H
#define DIVCOST_TOOLS_LSP_PREAMBLE_H

#include <stddef.h>

// The bytes of it, whole lines; 0: it includes nothing. No conditional is open behind it, and
// compiled by itself it leaves what follows in the state that it would be in within one file: it
// ends before directives that clang keeps nowhere but in that file (#line, pragmas). O(size).
size_t preamble_size(const char *bytes, size_t size);

#endif
