// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All formats of reports. A new one is a file beside this one, and a line here.
#include "divcost/report.h"

#include <string.h>

#define FORMATS(X) X(text) X(json) X(json_lines) X(sarif) X(html)
#define DECLARE(format) extern const dc_report_format dc_format_##format;
#define ADDRESS(format) &dc_format_##format,
FORMATS(DECLARE) // who uses one by name has a declaration in report.h

static const dc_report_format *const formats[] = {FORMATS(ADDRESS)};
enum { COUNT = sizeof formats / sizeof *formats };

const dc_report_format *dc_format_at(unsigned index) {
  return index < COUNT ? formats[index] : NULL;
}

const dc_report_format *dc_format_find(const char *name) {
  for (unsigned k = 0; k < COUNT; ++k)
    if (strcmp(formats[k]->name, name) == 0)
      return formats[k];
  return NULL;
}
