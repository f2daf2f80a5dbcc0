// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loops of a kernel, for the report for people: worst first, nested ones indented, each with
// its line of source, what it costs, where its trip count comes from, and why it diverges. A loop
// that loses nothing gets one line.
#include "report_internal.h"

#include "divcost/distribution.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 6 }; // nested loops are indented up to here

// Loops by parent, within it by the share that they and the loops inside them lose.
static dc_rank *rank_loops(const dc_report *r) {
  const dc_kernel *kernel = &r->of->kernel;
  dc_rank *ranks = calloc((size_t)kernel->n_loops + 1, sizeof *ranks);
  if (!ranks)
    return NULL;
  for (uint32_t k = kernel->n_loops; k-- > 0;) {
    uint32_t parent = kernel->loops[k].parent;
    dc_span own = r->estimate ? r->estimate->loops[k].share : (dc_span){-1, -1};
    ranks[k].index = k;
    ranks[k].parent = parent == DC_NONE ? 0 : parent + 1;
    ranks[k].share.low += own.low > 0 ? own.low : 0; // inner loops' shares are there already
    ranks[k].share.high += own.high > 0 ? own.high : 0;
    if (parent != DC_NONE) {
      ranks[parent].share.low += ranks[k].share.low;
      ranks[parent].share.high += ranks[k].share.high;
    }
  }
  qsort(ranks, kernel->n_loops, sizeof *ranks, dc_compare_ranks);
  return ranks;
}

// ---- a loop ------------------------------------------------------------------------------------

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

// Within a range too, a law is assumed.
static bool rests_on_assumption(const dc_loop_estimate *figures) {
  return figures->from == DC_FROM_ASSUMED || figures->from == DC_FROM_RANGE;
}

static const char *correlation_words(const dc_loop *loop, char *words, size_t size) {
  *words = 0;
  if (loop->correlation > 0)
    snprintf(words, size, ", lanes of a warp correlated by %.3g", loop->correlation);
  return words;
}

// What is assumed within a proven bound.
static int range_words(const dc_report *r, const dc_loop *loop, char *words, size_t size) {
  int64_t most = dc_most_trips(&r->of->kernel, (uint32_t)(loop - r->of->kernel.loops));
  dc_assumed_laws laws = dc_laws_assumed(most);
  if (most < 0) // a file of somebody else's
    return snprintf(words, size, "%s", from_words(DC_FROM_RANGE));
  if (loop->level < DC_DIVERGENT || loop->loop_class == DC_CLASS_STRIDED)
    return snprintf(words, size, "known range, %" PRId64 " at most; %" PRId64 " assumed", most,
                    dc_trips_assumed(most));
  return snprintf(words, size, "known range, %" PRId64 " at most; assumed: from %s to %s", most,
                  laws.low, laws.high);
}

static int assumed_words(const dc_report *r, const dc_loop *loop, bool has_trips, char *words,
                         size_t size) {
  dc_assumed_laws laws = dc_laws_assumed(-1);
  if (loop->distribution && loop->trips_from == DC_FROM_ASSUMED)
    return snprintf(words, size, "assumed: %s, since %s", dc_report_text(r, loop->distribution),
                    dc_report_text(r, loop->distribution_at));
  if (has_trips && loop->loop_class < DC_CLASS_DATA_DEPENDENT)
    return snprintf(words, size, "assumed, for values that only the launch knows");
  return snprintf(words, size, "assumed: from %s to %s", laws.low, laws.high);
}

// Where the trip count comes from, and what gave it.
static int origin_words(const dc_report *r, const dc_loop *loop, dc_from from, bool has_trips,
                        char *words, size_t size) {
  const char *distribution = dc_report_text(r, loop->distribution),
             *at = dc_report_text(r, loop->distribution_at);
  char correlation[64];
  if (from == DC_FROM_ASSUMED)
    return assumed_words(r, loop, has_trips, words, size);
  if (*distribution && from != DC_FROM_DERIVED)
    return snprintf(words, size, "%.*s%s%s, %s%s%s", DC_LAW_SHOWN, distribution,
                    strlen(distribution) > DC_LAW_SHOWN ? "..." : "",
                    correlation_words(loop, correlation, sizeof correlation), from_words(from),
                    *at ? " at " : "", dc_base_name(at));
  if (from == DC_FROM_RANGE)
    return range_words(r, loop, words, size);
  return snprintf(words, size, "%s", from_words(from));
}

static void trips(dc_report *r, unsigned indent, const dc_loop *loop,
                  const dc_loop_estimate *figures) {
  char text[DC_REPORT_TEXT], words[2 * DC_REPORT_TEXT];
  dc_report_expression(r, loop->trips, text, sizeof text);
  if (*text)
    dc_report_labelled(r, indent, "trips", text);
  if (!figures && !loop->distribution)
    return;
  dc_from from = figures ? figures->from : (dc_from)loop->trips_from;
  int used = origin_words(r, loop, from, *text, words, sizeof words);
  if (figures && figures->mean_trips.low >= 0 && used >= 0 && (size_t)used < sizeof words)
    snprintf(words + used, sizeof words - (size_t)used, "; mean %s",
             dc_number_count(figures->mean_trips).text);
  dc_report_labelled(r, indent, *text ? "" : "trips", words);
}

static void losses(dc_report *r, unsigned indent, const dc_loop_estimate *figures) {
  char words[300];
  const char *assumed = rests_on_assumption(figures) ? " (assumed)" : "";
  dc_number worst = dc_number_count((dc_span){figures->worst, figures->worst});
  if (figures->aggregate.low >= 0) {
    dc_number aggregate = dc_number_count(figures->aggregate);
    dc_number expected = dc_number_count(figures->expected);
    bool same = strcmp(aggregate.text, expected.text) == 0;
    snprintf(words, sizeof words, "%s%s%s%s%s%s%s", aggregate.text, same ? "" : " in aggregate, ",
             same ? "" : expected.text, same ? "" : " expected", assumed,
             figures->worst < 0 ? "" : "; at worst ", figures->worst < 0 ? "" : worst.text);
    dc_report_labelled(r, indent, "imbalance", words);
  }
  if (figures->efficiency.low >= 0) {
    snprintf(words, sizeof words, "%s of the lanes work%s",
             dc_number_percent(figures->efficiency).text, assumed);
    dc_report_labelled(r, indent, "efficiency", words);
  }
  if (figures->divergent_exits.low >= 0) {
    bool stack = figures->stack_depth.low >= 0;
    snprintf(words, sizeof words, "%s divergent exits%s%s per entry%s",
             dc_number_count(figures->divergent_exits).text, stack ? ", stack depth " : "",
             stack ? dc_number_count(figures->stack_depth).text : "", assumed);
    dc_report_labelled(r, indent, "divergence", words);
  }
  if (figures->body.low >= 0) {
    bool idle = figures->imbalance.low >= 0, managed = figures->reconvergence.low >= 0;
    snprintf(words, sizeof words, "%s per warp%s%s%s%s%s%s", dc_number_count(figures->body).text,
             idle ? ", " : "", idle ? dc_number_count(figures->imbalance).text : "",
             idle ? " of them idle" : "", managed ? "; reconvergence " : "",
             managed ? dc_number_count(figures->reconvergence).text : "", assumed);
    dc_report_labelled(r, indent, "cycles", words);
  }
}

// What the compilers are expected to make of the loop.
static void unrolling(dc_report *r, unsigned indent, const dc_loop *loop) {
  char words[96];
  if (loop->unroll_expected < 2)
    return;
  snprintf(words, sizeof words, "by %u, expected; lanes part between such passes",
           (unsigned)loop->unroll_expected);
  dc_report_labelled(r, indent, "unrolled", words);
}

// The calls through which the loop came into the kernel.
static void call_path(dc_report *r, unsigned indent, uint32_t location) {
  const dc_kernel *kernel = &r->of->kernel;
  const char *same = dc_report_file(r, location), *name = "in";
  char at[DC_REPORT_TEXT], words[2 * DC_REPORT_TEXT];
  while (location != DC_NONE && kernel->locations[location].inlined_at != DC_NONE) {
    const char *function = dc_report_text(r, kernel->locations[location].function);
    location = kernel->locations[location].inlined_at;
    dc_report_location(r, location, same, at, sizeof at);
    snprintf(words, sizeof words, "%s, called at %s", *function ? function : "a function", at);
    dc_report_labelled(r, indent, name, words);
    name = "";
  }
}

static void reasons(dc_report *r, unsigned indent, const dc_loop *loop) {
  const dc_kernel *kernel = &r->of->kernel;
  const char *same = dc_report_file(r, loop->location);
  char at[DC_REPORT_TEXT], words[2 * DC_REPORT_TEXT];
  for (uint32_t k = 0; k < loop->n_reasons; ++k) {
    const dc_reason *reason = &kernel->reasons[loop->first_reason + k];
    dc_report_location(r, reason->location, same, at, sizeof at);
    snprintf(words, sizeof words, "%s%s%s", at, *at ? ": " : "", dc_report_text(r, reason->text));
    dc_report_labelled(r, indent, k ? "" : "because", words);
  }
  if (*dc_report_text(r, loop->condition))
    dc_report_labelled(r, indent, "provided", dc_report_text(r, loop->condition));
  if (*dc_report_text(r, loop->unknown))
    dc_report_labelled(r, indent, "unknown", dc_report_text(r, loop->unknown));
  if (*dc_report_text(r, loop->ignored)) {
    const char *by = dc_report_text(r, loop->ignored_at);
    snprintf(words, sizeof words, "%s%s%s%s", dc_report_text(r, loop->ignored), *by ? " (" : "",
             dc_base_name(by), *by ? ")" : "");
    dc_report_labelled(r, indent, "ignored", words);
  }
}

// Whether a loop is worth more than a line: it may lose something, or nobody knows.
static bool is_worth_reading(const dc_loop *loop, const dc_loop_estimate *figures) {
  if (figures && figures->share.high >= 0.001)
    return true;
  bool parts = loop->loop_class == DC_CLASS_LANE_AFFINE ||
               loop->loop_class == DC_CLASS_DATA_DEPENDENT || loop->loop_class == DC_CLASS_UNKNOWN;
  return parts;
}

// What a loop loses, or what it is, behind its place on its first line.
static void headline(dc_report *r, unsigned indent, const dc_loop *loop,
                     const dc_loop_estimate *figures, bool full) {
  char text[2 * DC_REPORT_TEXT];
  bool priced = full && figures && r->estimate->cycles.low > 0;
  if (priced)
    snprintf(text, sizeof text, "loses %s of the kernel%s", dc_number_percent(figures->share).text,
             rests_on_assumption(figures) ? " (assumed)" : "");
  else
    snprintf(text, sizeof text, "%s loop%s", dc_class_name(loop->loop_class),
             !full && figures ? ", nothing lost" : "");
  dc_page_wrap(&r->page, priced ? dc_share_style(figures->share) : DC_STYLE_PLAIN, indent + 4,
               text);
  dc_page_line(&r->page);
}

static void place(dc_report *r, unsigned indent, const dc_loop *loop, bool full) {
  char text[DC_REPORT_TEXT];
  dc_report_location(r, loop->location, NULL, text, sizeof text);
  dc_page_column(&r->page, indent);
  dc_page_text(&r->page, full ? DC_STYLE_TITLE : DC_STYLE_PLAIN, *text ? text : "(no location)");
  dc_page_text(&r->page, DC_STYLE_PLAIN, "  ");
}

// What follows the first line.
static void details(dc_report *r, unsigned indent, const dc_loop *loop,
                    const dc_loop_estimate *figures) {
  dc_report_source_line(r, indent + 4, loop->location);
  dc_report_labelled(r, indent + 2, "class", dc_class_name(loop->loop_class));
  call_path(r, indent + 2, loop->location);
  trips(r, indent + 2, loop, figures);
  unrolling(r, indent + 2, loop);
  if (figures)
    losses(r, indent + 2, figures);
  reasons(r, indent + 2, loop);
}

// Returns whether the loop took more than a line.
static bool one_loop(dc_report *r, uint32_t index, bool after_full) {
  const dc_loop *loop = &r->of->kernel.loops[index];
  const dc_loop_estimate *figures = r->estimate ? &r->estimate->loops[index] : NULL;
  unsigned indent = 2 + 2 * ((loop->depth < DEEPEST ? loop->depth : DEEPEST) - 1);
  bool full = is_worth_reading(loop, figures);
  if (full || after_full)
    dc_page_line(&r->page);
  place(r, indent, loop, full);
  headline(r, indent, loop, figures, full);
  if (full)
    details(r, indent, loop, figures);
  return full;
}

void dc_report_loop(dc_report *r, uint32_t index) {
  const dc_loop *loop = &r->of->kernel.loops[index];
  const dc_loop_estimate *figures = r->estimate ? &r->estimate->loops[index] : NULL;
  headline(r, 0, loop, figures, true);
  details(r, 0, loop, figures);
}

// Walks the forest in the order of the ranks, without recursion: a file may nest deep.
bool dc_report_loops(dc_report *r) {
  const dc_kernel *kernel = &r->of->kernel;
  uint32_t n = kernel->n_loops;
  dc_rank *ranks = rank_loops(r);
  uint32_t *first = calloc((size_t)n + 2, sizeof *first); // of each parent, in ranks
  uint32_t *stack = malloc(((size_t)n + 1) * sizeof *stack), depth = 0;
  if (ranks && first && stack) {
    for (uint32_t k = 0; k < n; ++k)
      ++first[ranks[k].parent + 1];
    for (uint32_t k = 1; k <= n + 1; ++k)
      first[k] += first[k - 1];
    for (uint32_t k = first[1]; k-- > first[0];)
      stack[depth++] = ranks[k].index;
    bool full = true;
    while (depth) {
      uint32_t loop = stack[--depth];
      full = one_loop(r, loop, full);
      for (uint32_t k = first[loop + 2]; k-- > first[loop + 1];)
        stack[depth++] = ranks[k].index;
    }
  }
  bool good = ranks && first && stack;
  free(ranks);
  free(first);
  free(stack);
  return good;
}
