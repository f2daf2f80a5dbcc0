// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "findings/names.h"

#include <string.h>

bool dcp_ends_with(const char *whole, const char *part, char separator) {
  size_t length = strlen(whole), part_length = strlen(part);
  return part_length <= length && !strcmp(whole + length - part_length, part) &&
         (part_length == length || *part == separator ||
          whole[length - part_length - 1] == separator);
}

const char *dcp_last_part(const char *whole, char separator) {
  const char *last = strrchr(whole, separator);
  return last ? last + 1 : whole;
}
