// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIVCOST_SRC_UTF8_H
#define DIVCOST_SRC_UTF8_H

#include <stdbool.h>

// Whether a byte of UTF-8 is the first one of a character.
static inline bool dc__begins_character(char byte) { return ((unsigned char)byte & 0xc0) != 0x80; }

#endif
