// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the programs that make C tables of data files share.
#ifndef DIVCOST_GENERATE_H
#define DIVCOST_GENERATE_H

#include <stdio.h>

// A text as a string literal of C.
static inline void dc__generate_text(FILE *out, const char *text) {
  fputc('"', out);
  for (; *text; ++text)
    fprintf(out, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
  fputc('"', out);
}

#endif
