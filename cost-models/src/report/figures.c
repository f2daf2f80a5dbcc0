// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "divcost/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Three digits; from 1000 whole numbers with commas, from 10^7 three digits and a unit.
static dc_number count_text(double value) {
  dc_number number;
  static const char *const units[] = {"M", "G", "T", "P", "E"};
  if (value < 999.5) {
    snprintf(number.text, sizeof number.text, "%.3g", value);
  } else if (value < 9999999.5) {
    unsigned whole = (unsigned)lround(value);
    if (whole < 1000000)
      snprintf(number.text, sizeof number.text, "%u,%03u", whole / 1000, whole % 1000);
    else
      snprintf(number.text, sizeof number.text, "%u,%03u,%03u", whole / 1000000,
               whole / 1000 % 1000, whole % 1000);
  } else {
    unsigned unit = 0;
    value /= 1e6;
    while (value >= 999.5 && unit < 4) {
      value /= 1e3;
      ++unit;
    }
    snprintf(number.text, sizeof number.text, "%.3g%s", value, units[unit]);
  }
  return number;
}

// Without the sign, which stands once behind an interval.
static dc_number percent_text(double value) {
  dc_number number;
  double percent = 100 * value;
  if (percent > 0 && percent < 0.1)
    snprintf(number.text, sizeof number.text, "<0.1");
  else
    snprintf(number.text, sizeof number.text, percent > 0 && percent < 9.95 ? "%.1f" : "%.0f",
             percent);
  return number;
}

static dc_number interval_text(dc_interval interval, dc_number (*print)(double value),
                               const char *unit) {
  dc_number number = {"not known"};
  if (interval.low < 0 || interval.high < 0)
    return number;
  dc_number low = print(interval.low), high = print(interval.high);
  bool same = strcmp(low.text, high.text) == 0;
  snprintf(number.text, sizeof number.text, "%.20s%s%.20s%s", low.text, same ? "" : "..",
           same ? "" : high.text, unit);
  return number;
}

dc_number dc_number_count(dc_interval interval) { return interval_text(interval, count_text, ""); }
dc_number dc_number_percent(dc_interval interval) {
  return interval_text(interval, percent_text, "%");
}
