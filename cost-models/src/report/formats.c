// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All formats of reports. A new one is a file beside this one, and a line here.
#include "divcost/report.h"

#include <string.h>

static const dc_report_format *const formats[] = {
    &dc_format_text, &dc_format_json, &dc_format_json_lines, &dc_format_sarif, &dc_format_html};
enum { FORMATS = sizeof formats / sizeof *formats };

const dc_report_format *dc_format_at(unsigned index) {
  return index < FORMATS ? formats[index] : NULL;
}

const dc_report_format *dc_format_find(const char *name) {
  for (unsigned k = 0; k < FORMATS; ++k)
    if (strcmp(formats[k]->name, name) == 0)
      return formats[k];
  return NULL;
}
