// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fields of a line of tab-separated values. A number is nothing but the number, as printf
// writes it in decimal.
#ifndef DIVCOST_BENCH_FIELDS_H
#define DIVCOST_BENCH_FIELDS_H

#include <stdbool.h>

// Cuts a line into as many fields, without its end; false if it has more or fewer.
bool fields_split(char *line, char *fields[], unsigned count);

// false: no number, or one that the type doesn't hold; *value is then undefined.
bool field_int(const char *text, int *value);
bool field_unsigned(const char *text, unsigned *value);
bool field_double(const char *text, double *value); // finite

#endif
