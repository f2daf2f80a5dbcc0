// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decimal numbers in text, with a point in every locale.
#ifndef DIVCOST_MATH_DECIMAL_H
#define DIVCOST_MATH_DECIMAL_H

#include <stddef.h>

enum { DC_NUMBER_MAX = 128 }; // longest number that is read, in bytes

// The length of the number at a place, 0 if there is none.
size_t dc__number_length(const char *at);

// Reads length bytes, at most DC_NUMBER_MAX, that dc__number_length found; writes the shortest of
// 15 to 17 digits that reads back as the same number. Neither depends on the locale.
double dc__number_read(const char *text, size_t length);
void dc__number_write(double value, char text[40]);

#endif
