// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "math/decimal.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What the locale puts between whole and fraction ("." or "," or more bytes).
static void decimal_point(char point[16]) {
  char sample[16];
  int length = snprintf(sample, sizeof sample, "%.1f", 0.5); // "0.5"
  size_t width = length > 2 ? (size_t)length - 2 : 1;
  memcpy(point, sample + 1, width);
  point[width] = 0;
}

double dc__number_read(const char *text, size_t length) {
  char point[16], copy[DC_NUMBER_MAX + 16];
  decimal_point(point);
  size_t used = 0;
  for (size_t i = 0; i < length; ++i) {
    if (text[i] != '.') {
      copy[used++] = text[i];
      continue;
    }
    memcpy(copy + used, point, strlen(point));
    used += strlen(point);
  }
  copy[used] = 0;
  return strtod(copy, NULL) + 0.0; // -0 becomes 0
}

void dc__number_write(double value, char text[40]) {
  char number[40];
  for (int digits = 15; digits <= 17; ++digits) {
    snprintf(number, sizeof number, "%.*g", digits, value);
    if (strtod(number, NULL) == value)
      break;
  }
  char point[16];
  decimal_point(point);
  const char *at = strstr(number, point);
  int whole = at ? (int)(at - number) : (int)strlen(number);
  snprintf(text, 40, "%.*s%s%s", whole, number, at ? "." : "", at ? at + strlen(point) : "");
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

size_t dc__number_length(const char *at) {
  const char *c = at;
  if (*c == '+' || *c == '-')
    ++c;
  const char *whole = c;
  while (is_digit(*c))
    ++c;
  size_t digits = (size_t)(c - whole);
  if (*c == '.') {
    const char *fraction = ++c;
    while (is_digit(*c))
      ++c;
    digits += (size_t)(c - fraction);
  }
  if (digits == 0)
    return 0;
  if (*c == 'e' || *c == 'E') {
    const char *power = c + 1;
    if (*power == '+' || *power == '-')
      ++power;
    if (is_digit(*power)) {
      while (is_digit(*power))
        ++power;
      c = power;
    }
  }
  return (size_t)(c - at);
}
