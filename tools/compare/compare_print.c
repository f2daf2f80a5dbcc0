// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A comparison side by side, for people and as JSON.
#include "compare/compare.h"

#include "command.h"
#include "divcost/number.h"

#include <stdlib.h>
#include <string.h>

enum { LABEL = 24, COLUMN = 20 };

// ---- for people --------------------------------------------------------------------------------

void compare_put(const char *text, FILE *to) {
  for (; *text; ++text)
    fputc((unsigned char)*text < 0x20 || *text == 0x7f ? ' ' : *text, to);
}

void compare_place(const dc_kernel *kernel, uint32_t location, char *text, size_t size) {
  *text = 0;
  if (location == DC_NONE)
    return;
  const dc_location *at = &kernel->locations[location];
  const char *file = path_from_here(dc_kernel_text(kernel, at->file));
  snprintf(text, size, at->line ? "%s:%u" : "%s", file, at->line);
}

static void row(const char *label, const char *before, const char *after, unsigned indent,
                FILE *to) {
  fprintf(to, "%*s%-*s", (int)indent, "", LABEL - (int)indent, label);
  compare_put(before, to);
  fprintf(to, "%*s", strlen(before) < COLUMN ? COLUMN - (int)strlen(before) : 2, "");
  compare_put(after, to);
  fputc('\n', to);
}

static void number(dc_interval interval, bool share, dc_number *text) {
  if (interval.low < 0)
    strcpy(text->text, "-");
  else
    *text = share ? dc_number_percent(interval) : dc_number_count(interval);
}

static void figure_row(const compare_figure *figure, const char *label, unsigned indent, FILE *to) {
  dc_number before, after;
  number(figure->before, figure->share, &before);
  number(figure->after, figure->share, &after);
  row(label ? label : figure->label, before.text, after.text, indent, to);
}

static void launch_text(const dc_estimate *estimate, char *text, size_t size) {
  const uint32_t *block = estimate ? estimate->launch.block : NULL;
  if (!block)
    snprintf(text, size, "-");
  else if (block[2] > 1)
    snprintf(text, size, "sm_%u, %ux%ux%u", estimate->sm, block[0], block[1], block[2]);
  else if (block[1] > 1)
    snprintf(text, size, "sm_%u, %ux%u", estimate->sm, block[0], block[1]);
  else
    snprintf(text, size, "sm_%u, %u", estimate->sm, block[0]);
}

static const char *distribution_of(const dc_unit_kernel *of, uint32_t loop) {
  const char *distribution = !of || loop == DC_NONE
                                 ? "-"
                                 : dc_kernel_text(&of->kernel, of->kernel.loops[loop].distribution);
  return *distribution ? distribution : "-";
}

static const char *class_of(const dc_unit_kernel *of, uint32_t loop) {
  return !of || loop == DC_NONE ? "-" : dc_class_name(of->kernel.loops[loop].loop_class);
}

// The distribution, or what is known without one: "derived", "assumed".
static const char *trips_of(const dc_unit_kernel *of, uint32_t loop) {
  const char *distribution = distribution_of(of, loop);
  const dc_estimate *worst = of && loop != DC_NONE ? dc_worst_estimate(of) : NULL;
  return strcmp(distribution, "-") == 0 && worst ? dc_from_name(worst->loops[loop].from)
                                                 : distribution;
}

static void print_loop(const comparison *of, const compare_loop *pair, FILE *to) {
  char at[600];
  compare_place(pair->kernel, pair->loop->location, at, sizeof at);
  fputs("  ", to);
  compare_put(*at ? at : "(no location)", to);
  fprintf(to, "  %s loop%s%s\n", dc_class_name(pair->loop->loop_class),
          pair->state == COMPARE_CHANGED ? "" : ", ",
          pair->state == COMPARE_CHANGED ? "" : compare_state_name(pair->state));
  const char *before = class_of(of->before, pair->before),
             *after = class_of(of->after, pair->after);
  if (pair->state == COMPARE_CHANGED && strcmp(before, after) != 0)
    row("class", before, after, 4, to);
  before = trips_of(of->before, pair->before);
  after = trips_of(of->after, pair->after);
  if (strcmp(before, after) != 0)
    row("trips", before, after, 4, to);
  for (unsigned k = 0; k < LOOP_FIGURES; ++k)
    if (pair->figures[k].differs)
      figure_row(&pair->figures[k], NULL, 4, to);
}

static void print_not_analysed(const char *side, const dc_unit_kernel *of, FILE *to) {
  const char *why = comparison_not_analysed(of);
  if (!*why)
    return;
  fprintf(to, "  %s: not analysed: ", side);
  compare_put(why, to);
  fputc('\n', to);
}

void compare_print(const comparison *comparison, const compare_words *words, FILE *to) {
  const dc_kernel *kernel = &(comparison->after ? comparison->after : comparison->before)->kernel;
  char at[600], before[64], after[64];
  fputc('\n', to);
  compare_put(dc_kernel_text(kernel, kernel->name), to);
  compare_place(kernel, kernel->location, at, sizeof at);
  fputs("\n  ", to);
  compare_put(*at ? at : "(no location)", to);
  fprintf(to, "%s%s\n", comparison->state == COMPARE_CHANGED ? "" : "  ",
          comparison->state == COMPARE_CHANGED ? "" : compare_state_name(comparison->state));
  row("", words->before, words->after, 2, to);
  launch_text(comparison->estimates[0], before, sizeof before);
  launch_text(comparison->estimates[1], after, sizeof after);
  row("arch, block", before, after, 2, to);
  print_not_analysed(words->before, comparison->before, to);
  print_not_analysed(words->after, comparison->after, to);
  for (unsigned k = 0; k < KERNEL_FIGURES; ++k)
    if (comparison->figures[k].differs || k < 2)
      figure_row(&comparison->figures[k], k == 0 ? words->cycles : NULL, 2, to);
  for (uint32_t k = 0; k < comparison->n_loops; ++k)
    if (comparison->loops[k].state == COMPARE_CHANGED ||
        (comparison->loops[k].state != COMPARE_SAME && comparison->state == COMPARE_CHANGED))
      print_loop(comparison, &comparison->loops[k], to);
}

// ---- as JSON -----------------------------------------------------------------------------------

static void put_interval(json_t *object, const char *name, dc_interval interval) {
  if (interval.low < 0)
    return;
  if (interval.low == interval.high)
    json_object_set_new(object, name, json_real(interval.low));
  else
    json_object_set_new(object, name,
                        json_pack("{s:f,s:f}", "low", interval.low, "high", interval.high));
}

static json_t *side_json(const compare_figure *figures, unsigned count, bool after) {
  json_t *object = json_object();
  for (unsigned k = 0; k < count; ++k)
    put_interval(object, figures[k].name, after ? figures[k].after : figures[k].before);
  return object;
}

static void put_place(json_t *object, const dc_kernel *kernel, uint32_t location) {
  if (location == DC_NONE)
    return;
  const dc_location *at = &kernel->locations[location];
  json_object_set_new(object, "file", json_string(dc_kernel_text(kernel, at->file)));
  if (at->line)
    json_object_set_new(object, "line", json_integer(at->line));
}

// Adds `side` of a loop: its class, its distribution if it has one, its figures.
static void put_loop_side(json_t *object, const char *side, const dc_unit_kernel *of, uint32_t loop,
                          const compare_loop *pair) {
  if (!of || loop == DC_NONE)
    return;
  json_t *figures = side_json(pair->figures, LOOP_FIGURES, *side == 'a');
  const char *distribution = distribution_of(of, loop);
  json_object_set_new(figures, "class", json_string(class_of(of, loop)));
  if (strcmp(distribution, "-") != 0)
    json_object_set_new(figures, "distribution", json_string(distribution));
  json_object_set_new(object, side, figures);
}

static json_t *loop_json(const comparison *of, const compare_loop *pair) {
  char id[17];
  snprintf(id, sizeof id, "%016llx", (unsigned long long)pair->loop->id);
  json_t *object = json_pack("{s:s,s:s}", "id", id, "state", compare_state_name(pair->state));
  put_place(object, pair->kernel, pair->loop->location);
  put_loop_side(object, "before", of->before, pair->before, pair);
  put_loop_side(object, "after", of->after, pair->after, pair);
  return object;
}

json_t *compare_json(const comparison *comparison) {
  const dc_kernel *kernel = &(comparison->after ? comparison->after : comparison->before)->kernel;
  json_t *loops = json_array();
  json_t *object = json_pack("{s:s,s:s,s:s}", "name", dc_kernel_text(kernel, kernel->name),
                             "symbol", dc_kernel_text(kernel, kernel->symbol), "state",
                             compare_state_name(comparison->state));
  put_place(object, kernel, kernel->location);
  for (unsigned side = 0; side < 2; ++side) {
    const dc_unit_kernel *of = side ? comparison->after : comparison->before;
    if (!of)
      continue;
    json_t *figures = side_json(comparison->figures, KERNEL_FIGURES, side);
    if (*comparison_not_analysed(of))
      json_object_set_new(figures, "not_analysed", json_string(comparison_not_analysed(of)));
    json_object_set_new(object, side ? "after" : "before", figures);
  }
  for (uint32_t k = 0; k < comparison->n_loops; ++k)
    if (comparison->loops[k].state != COMPARE_SAME)
      json_array_append_new(loops, loop_json(comparison, &comparison->loops[k]));
  json_object_set_new(object, "loops", loops);
  return object;
}
