// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bars for the terminal: Unicode's blocks, in eighths of a character, where the locale has them.
#include "command.h"
#include "model/model.h"

#include <stdio.h>
#include <string.h>

static void draw_bar(unsigned eighths, bool utf8, bool colour) {
  if (!utf8)
    eighths = (eighths + 4) / 8 * 8;
  if (eighths == 0)
    return;
  fputs(colour ? "  \033[36m" : "  ", stdout);
  static const char *const parts[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  for (unsigned i = 0; i < eighths / 8; ++i)
    fputs(utf8 ? "█" : "#", stdout);
  fputs(parts[eighths % 8], stdout);
  fputs(colour ? "\033[0m" : "", stdout);
}

void model_draw(const model_row *rows, size_t count) {
  unsigned columns = command_columns(), label = 0;
  double largest = 0;
  for (size_t i = 0; i < count; ++i) {
    unsigned length = (unsigned)strlen(rows[i].label);
    label = length > label ? length : label;
    largest = rows[i].share > largest ? rows[i].share : largest;
  }
  unsigned used = 2 + label + 2 + 6 + 2; // indent, label, gap, percentage, gap
  unsigned width = columns > used + 10 ? columns - used : 10;
  width = width > 100 ? 100 : width;
  bool colour = command_colour(), utf8 = command_utf8();
  for (size_t i = 0; i < count; ++i) {
    printf("  %*s  %5.1f%%", (int)label, rows[i].label, 100 * rows[i].share);
    draw_bar(largest > 0 ? (unsigned)(8 * width * (rows[i].share / largest) + 0.5) : 0, utf8,
             colour);
    fputs("\n", stdout);
  }
}
