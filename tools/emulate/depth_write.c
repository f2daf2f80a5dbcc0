// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How deep the reconvergence stack is over a warp's run (with convergence barriers: how many are
// open around the lanes that are executed): written step by step, or drawn.
#include "emulate/emulate.h"

#include <inttypes.h>
#include <string.h>

#define COLUMNS 72
#define ROWS 16

static uint32_t greater(uint32_t a, uint32_t b) { return a > b ? a : b; }

static uint32_t greatest(const dc_depth_history *history) {
  uint32_t most = 0;
  for (size_t k = 0; k < history->count; ++k)
    most = greater(most, history->depths[k]);
  return most;
}

void depth_write_csv_head(FILE *stream) {
  fprintf(stream, "step,pc,active,depth,on_chip,cycles\n");
}

void depth_write_csv(void *context, const dc_step *step) {
  fprintf(context, "%" PRIu64 ",%u,0x%" PRIx64 ",%u,%u,%.12g\n", step->number, (unsigned)step->pc,
          step->active, (unsigned)step->depth, (unsigned)step->on_chip, step->clock);
}

// Each column stands for equally many steps, and shows the greatest depth in them.
void depth_write_text(const dc_depth_history *history, const dc_arch *arch, FILE *stream) {
  uint32_t most = greatest(history), heights[COLUMNS] = {0};
  size_t columns = history->count < COLUMNS ? history->count : COLUMNS;
  if (most == 0)
    return;
  for (size_t k = 0; k < history->count; ++k) {
    uint32_t *height = &heights[k * columns / history->count];
    *height = greater(*height, history->depths[k]);
  }
  uint32_t per_row = (most + ROWS - 1) / ROWS;
  fprintf(stream, "\ndepth over %" PRIu64 " steps%s\n", history->steps,
          arch->rules == DC_RULES_STACK ? " (o: beyond what is on chip)" : "");
  for (uint32_t row = (most + per_row - 1) / per_row; row > 0; --row) {
    uint32_t level = row * per_row; // the row's upper end
    char line[COLUMNS + 1];
    for (size_t k = 0; k < columns; ++k)
      line[k] = heights[k] <= level - per_row                        ? ' '
                : arch->stack_entries && level > arch->stack_entries ? 'o'
                                                                     : '#';
    size_t length = columns;
    while (length && line[length - 1] == ' ')
      --length;
    fprintf(stream, "%5u %.*s\n", (unsigned)level, (int)length, line);
  }
}

static void write_escaped(const char *text, FILE *stream) {
  for (; *text; ++text)
    switch (*text) {
    case '<':
      fputs("&lt;", stream);
      break;
    case '>':
      fputs("&gt;", stream);
      break;
    case '&':
      fputs("&amp;", stream);
      break;
    default:
      fputc(*text, stream);
    }
}

enum { WIDTH = 760, HEIGHT = 300, LEFT = 50, TOP = 40, PLOT_WIDTH = 690, PLOT_HEIGHT = 210 };

static double x_of(const dc_depth_history *history, size_t k) {
  return LEFT + PLOT_WIDTH * (double)k * (double)history->every / (double)history->steps;
}

static double y_of(uint32_t depth, uint32_t most) {
  return TOP + PLOT_HEIGHT * (1 - (double)depth / most);
}

static void write_axes(const dc_depth_history *history, uint32_t most, FILE *stream) {
  uint32_t step = most <= 10 ? 1 : most <= 24 ? 4 : most <= 48 ? 8 : (most + 79) / 80 * 16;
  for (uint32_t depth = 0; depth <= most; depth += step) {
    double y = y_of(depth, most);
    fprintf(stream,
            "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#ddd\"/>\n"
            "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%u</text>\n",
            LEFT, y, LEFT + PLOT_WIDTH, y, LEFT - 6, y + 4, (unsigned)depth);
  }
  for (unsigned k = 0; k <= 4; ++k)
    fprintf(stream, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%" PRIu64 "</text>\n",
            (int)(LEFT + PLOT_WIDTH * k / 4), TOP + PLOT_HEIGHT + 18, history->steps * k / 4);
  fprintf(stream,
          "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">step</text>\n"
          "<text x=\"14\" y=\"%d\" text-anchor=\"middle\" transform=\"rotate(-90 14 %d)\">"
          "depth</text>\n",
          LEFT + PLOT_WIDTH / 2, TOP + PLOT_HEIGHT + 36, TOP + PLOT_HEIGHT / 2,
          TOP + PLOT_HEIGHT / 2);
}

void depth_write_svg(const dc_depth_history *history, const emulation *run, FILE *stream) {
  uint32_t most = greatest(history), capacity = run->arch.stack_entries;
  most = most ? most : 1;
  fprintf(stream,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
          "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">\n"
          "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n<text x=\"%d\" y=\"20\">",
          WIDTH, HEIGHT, WIDTH, HEIGHT, LEFT);
  write_escaped(run->kernel ? run->kernel : run->path, stream);
  fprintf(stream, ", sm_%u, %s</text>\n", run->arch.sm, dc_rules_name(run->arch.rules));
  write_axes(history, most, stream);
  if (capacity && capacity < most)
    fprintf(stream,
            "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#c33\" "
            "stroke-dasharray=\"4 3\"/>\n"
            "<text x=\"%d\" y=\"20\" fill=\"#c33\" text-anchor=\"end\">on chip: %u</text>\n",
            LEFT, y_of(capacity, most), LEFT + PLOT_WIDTH, y_of(capacity, most), LEFT + PLOT_WIDTH,
            capacity);
  fprintf(stream, "<path fill=\"none\" stroke=\"#246\" stroke-width=\"1.2\" d=\"");
  for (size_t k = 0; k < history->count; ++k) {
    uint32_t depth = history->depths[k];
    if (k == 0)
      fprintf(stream, "M%.2f %.1f", x_of(history, 0), y_of(depth, most));
    else if (depth != history->depths[k - 1])
      fprintf(stream, "H%.2fV%.1f", x_of(history, k), y_of(depth, most));
  }
  fprintf(stream, "H%d\"/>\n</svg>\n", LEFT + PLOT_WIDTH);
}
