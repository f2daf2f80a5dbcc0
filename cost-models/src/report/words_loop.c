// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words of reports, second half: loops, each figure with where it comes from.
#include "divcost/path.h"
#include "divcost/words.h"

#include "divcost/distribution.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { EXPRESSION = 600 }; // bytes of an expression after which nobody reads on

static const char *from_words(dc_from from) {
  switch (from) {
  case DC_FROM_DERIVED:
    return "derived from the code for this launch";
  case DC_FROM_ANNOTATED:
    return "annotated";
  case DC_FROM_PROFILE:
    return "measured";
  case DC_FROM_RANGE:
    return "known range";
  case DC_FROM_ASSUMED:
    return "assumed";
  }
  return "";
}

bool dc_depends_on_assumption(const dc_loop_estimate *figures) {
  return figures->from == DC_FROM_ASSUMED || figures->from == DC_FROM_RANGE;
}

bool dc_loop_is_worth_reading(const dc_loop *loop, const dc_loop_estimate *figures) {
  if (figures && figures->share.high >= 0.001)
    return true;
  bool parts = loop->loop_class == DC_CLASS_LANE_AFFINE ||
               loop->loop_class == DC_CLASS_DATA_DEPENDENT || loop->loop_class == DC_CLASS_UNKNOWN;
  return parts;
}

size_t dc_loop_words(const dc_kernel *kernel, uint32_t index, const dc_estimate *estimate,
                     char *words, size_t size) {
  const dc_loop *loop = &kernel->loops[index];
  const dc_loop_estimate *figures = estimate ? &estimate->loops[index] : NULL;
  bool full = dc_loop_is_worth_reading(loop, figures);
  int written;
  if (full && figures && figures->entries.high < 0)
    written =
        snprintf(words, size, "in a function that is called, in none of the kernel's figures");
  else if (full && figures && estimate->cycles.low > 0)
    written =
        snprintf(words, size, "loses %s of the kernel%s", dc_number_percent(figures->share).text,
                 dc_depends_on_assumption(figures) ? " (assumed)" : "");
  else
    written = snprintf(words, size, "%s loop%s", dc_class_name(loop->loop_class),
                       !full && figures ? ", nothing lost" : "");
  return written > 0 ? (size_t)written : 0;
}

// ---- where trip counts come from ---------------------------------------------------------------

static const char *correlation_words(const dc_loop *loop, char *words, size_t size) {
  *words = 0;
  if (loop->correlation > 0)
    snprintf(words, size, ", lanes of a warp correlated by %.3g", loop->correlation);
  return words;
}

// What is assumed within a proven bound.
static int range_words(const dc_kernel *kernel, const dc_loop *loop, char *words, size_t size) {
  int64_t most = dc_most_trips(kernel, (uint32_t)(loop - kernel->loops));
  dc_assumed_distributions distributions = dc_distributions_assumed(most);
  if (most < 0) // a file of somebody else's
    return snprintf(words, size, "%s", from_words(DC_FROM_RANGE));
  if (loop->level < DC_DIVERGENT || loop->loop_class == DC_CLASS_STRIDED)
    return snprintf(words, size, "known range, %" PRId64 " at most; %" PRId64 " assumed", most,
                    dc_trips_assumed(most));
  return snprintf(words, size, "known range, %" PRId64 " at most; assumed: from %s to %s", most,
                  distributions.low, distributions.high);
}

static int assumed_words(const dc_kernel *kernel, const dc_loop *loop, char *words, size_t size) {
  dc_assumed_distributions distributions = dc_distributions_assumed(-1);
  if (loop->distribution && loop->trips_from == DC_FROM_ASSUMED)
    return snprintf(words, size, "assumed: %s, since %s",
                    dc_kernel_text(kernel, loop->distribution),
                    dc_kernel_text(kernel, loop->distribution_at));
  if (loop->trips != DC_NO_EXPR && loop->loop_class < DC_CLASS_DATA_DEPENDENT)
    return snprintf(words, size, "assumed, for values that only the launch knows");
  if (loop->swaps)
    return snprintf(words, size, "assumed: %s",
                    loop->swaps == DC_SWAPS_ONE
                        ? "lanes take turns to swap at one address"
                        : "lanes take turns to swap where they have one address");
  return snprintf(words, size, "assumed: from %s to %s", distributions.low, distributions.high);
}

// Where the trip count comes from, and what gave it.
static int source_words(const dc_kernel *kernel, const dc_loop *loop, dc_from from, char *words,
                        size_t size) {
  const char *distribution = dc_kernel_text(kernel, loop->distribution),
             *at = dc_kernel_text(kernel, loop->distribution_at);
  char correlation[64];
  if (from == DC_FROM_ASSUMED)
    return assumed_words(kernel, loop, words, size);
  if (*distribution && from != DC_FROM_DERIVED)
    return snprintf(words, size, "%.*s%s%s, %s%s%s", DC_DISTRIBUTION_SHOWN, distribution,
                    strlen(distribution) > DC_DISTRIBUTION_SHOWN ? "..." : "",
                    correlation_words(loop, correlation, sizeof correlation), from_words(from),
                    *at ? " at " : "", dc_base_name(at));
  if (from == DC_FROM_RANGE)
    return range_words(kernel, loop, words, size);
  return snprintf(words, size, "%s", from_words(from));
}

static int origin_words(const dc_kernel *kernel, const dc_loop *loop,
                        const dc_loop_estimate *figures, char *words, size_t size) {
  if (!figures && !loop->distribution)
    return 0;
  dc_from from = figures ? figures->from : (dc_from)loop->trips_from;
  int used = source_words(kernel, loop, from, words, size);
  if (figures && figures->mean_trips.low >= 0 && used >= 0 && (size_t)used < size)
    used += snprintf(words + used, size - (size_t)used, "; mean %s",
                     dc_number_count(figures->mean_trips).text);
  return used;
}

static int trips_words(const dc_kernel *kernel, const dc_loop *loop, char *words, size_t size) {
  size_t most = size < EXPRESSION ? size : EXPRESSION;
  if (loop->trips == DC_NO_EXPR)
    return 0;
  if (dc_kernel_print_expr(kernel, loop->trips, words, most) >= most && most > 4)
    strcpy(words + most - 4, "...");
  return (int)strlen(words);
}

// ---- what loops lose ---------------------------------------------------------------------------

static const char *assumed(const dc_loop_estimate *figures) {
  return dc_depends_on_assumption(figures) ? " (assumed)" : "";
}

static int imbalance_words(const dc_loop_estimate *figures, char *words, size_t size) {
  if (figures->aggregate.low < 0)
    return 0;
  dc_number aggregate = dc_number_count(figures->aggregate);
  dc_number expected = dc_number_count(figures->expected);
  dc_number worst = dc_number_count((dc_interval){figures->worst, figures->worst});
  bool same = strcmp(aggregate.text, expected.text) == 0;
  return snprintf(words, size, "%s%s%s%s%s%s%s", aggregate.text, same ? "" : " in aggregate, ",
                  same ? "" : expected.text, same ? "" : " expected", assumed(figures),
                  figures->worst < 0 ? "" : "; at worst ", figures->worst < 0 ? "" : worst.text);
}

static int efficiency_words(const dc_loop_estimate *figures, char *words, size_t size) {
  if (figures->efficiency.low < 0)
    return 0;
  return snprintf(words, size, "%s of the lanes work%s",
                  dc_number_percent(figures->efficiency).text, assumed(figures));
}

static int divergence_words(const dc_loop_estimate *figures, char *words, size_t size) {
  bool stack = figures->stack_depth.low >= 0;
  if (figures->divergent_exits.low < 0)
    return 0;
  return snprintf(words, size, "%s divergent exits%s%s per entry%s",
                  dc_number_count(figures->divergent_exits).text, stack ? ", stack depth " : "",
                  stack ? dc_number_count(figures->stack_depth).text : "", assumed(figures));
}

static int cycles_words(const dc_loop_estimate *figures, char *words, size_t size) {
  bool idle = figures->imbalance.low >= 0, managed = figures->reconvergence.low >= 0;
  if (figures->body.low < 0)
    return 0;
  return snprintf(words, size, "%s per warp%s%s%s%s%s%s", dc_number_count(figures->body).text,
                  idle ? ", " : "", idle ? dc_number_count(figures->imbalance).text : "",
                  idle ? " of them idle" : "", managed ? "; reconvergence " : "",
                  managed ? dc_number_count(figures->reconvergence).text : "", assumed(figures));
}

// What the compilers are expected to make of the loop.
static int unrolled_words(const dc_loop *loop, char *words, size_t size) {
  if (loop->unroll_expected < 2)
    return 0;
  return snprintf(words, size, "x%u, expected", (unsigned)loop->unroll_expected);
}

const char *dc_figure_label(dc_figure figure) {
  static const char *const labels[] = {
      [DC_FIGURE_TRIPS] = "trips",           [DC_FIGURE_ORIGIN] = "trips",
      [DC_FIGURE_UNROLLED] = "unrolled",     [DC_FIGURE_IMBALANCE] = "imbalance",
      [DC_FIGURE_EFFICIENCY] = "efficiency", [DC_FIGURE_DIVERGENCE] = "divergence",
      [DC_FIGURE_CYCLES] = "issue cycles"};
  return figure < DC_FIGURE_COUNT ? labels[figure] : "";
}

size_t dc_figure_words(const dc_kernel *kernel, uint32_t index, const dc_loop_estimate *figures,
                       dc_figure figure, char *words, size_t size) {
  const dc_loop *loop = &kernel->loops[index];
  int written = 0;
  if (size)
    *words = 0;
  if (figure == DC_FIGURE_TRIPS)
    written = trips_words(kernel, loop, words, size);
  else if (figure == DC_FIGURE_ORIGIN)
    written = origin_words(kernel, loop, figures, words, size);
  else if (figure == DC_FIGURE_UNROLLED)
    written = unrolled_words(loop, words, size);
  else if (!figures)
    written = 0;
  else if (figure == DC_FIGURE_IMBALANCE)
    written = imbalance_words(figures, words, size);
  else if (figure == DC_FIGURE_EFFICIENCY)
    written = efficiency_words(figures, words, size);
  else if (figure == DC_FIGURE_DIVERGENCE)
    written = divergence_words(figures, words, size);
  else if (figure == DC_FIGURE_CYCLES)
    written = cycles_words(figures, words, size);
  return written > 0 ? (size_t)written : 0;
}
