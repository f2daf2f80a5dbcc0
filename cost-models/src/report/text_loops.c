// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loops of a kernel, for the report for people: worst first, nested ones indented, each with
// its line of source, what it costs, where its trip count comes from, and why it diverges. A loop
// that loses nothing gets one line, and its condition.
#include "report/text_internal.h"

#include "divcost/path.h"

#include <stdlib.h>
#include <string.h>

enum {
  DEEPEST = 6, // nested loops are indented up to here
  CALM = 3     // loops beside each other that lose nothing: more share a line
};

static unsigned indent_of(uint32_t depth) {
  return 2 + 2 * ((depth < DEEPEST ? depth : DEEPEST) - 1);
}

// Loops by parent, within it by the share that they and the loops inside them lose.
static dc_rank *rank_loops(const dc_report *r) {
  const dc_kernel *kernel = &r->of->kernel;
  dc_rank *ranks = calloc((size_t)kernel->n_loops + 1, sizeof *ranks);
  if (!ranks)
    return NULL;
  for (uint32_t k = kernel->n_loops; k-- > 0;) {
    uint32_t parent = kernel->loops[k].parent;
    dc_interval own = r->estimate ? r->estimate->loops[k].share : (dc_interval){-1, -1};
    ranks[k].index = k;
    ranks[k].parent = parent == DC_NONE ? 0 : parent + 1;
    ranks[k].share.low += own.low > 0 ? own.low : 0; // inner loops' shares are there already
    ranks[k].share.high += own.high > 0 ? own.high : 0;
    if (parent != DC_NONE) {
      ranks[parent].share.low += ranks[k].share.low;
      ranks[parent].share.high += ranks[k].share.high;
    }
  }
  qsort(ranks, kernel->n_loops, sizeof *ranks, dc__compare_ranks);
  return ranks;
}

// ---- a loop ------------------------------------------------------------------------------------

static void all_figures(dc_report *r, unsigned indent, uint32_t loop,
                        const dc_loop_estimate *figures) {
  char words[2 * DC_REPORT_TEXT];
  const char *told = "";
  for (unsigned k = 0; k < DC_FIGURE_COUNT; ++k) {
    if (!dc_figure_words(&r->of->kernel, loop, figures, k, words, sizeof words))
      continue;
    const char *label = dc_figure_label(k);
    dc__report_labelled(r, indent, strcmp(label, told) == 0 ? "" : label, words);
    told = label;
  }
}

// The calls through which the loop came into the kernel.
static void call_path(dc_report *r, unsigned indent, uint32_t location) {
  const dc_kernel *kernel = &r->of->kernel;
  const char *same = dc__report_file(r, location), *name = "in";
  char at[DC_REPORT_TEXT], words[2 * DC_REPORT_TEXT];
  while (location != DC_NONE && kernel->locations[location].inlined_at != DC_NONE) {
    const char *function = dc__report_text(r, kernel->locations[location].function);
    location = kernel->locations[location].inlined_at;
    dc__report_location(r, location, same, at, sizeof at);
    snprintf(words, sizeof words, "%s, called at %s", *function ? function : "a function", at);
    dc__report_labelled(r, indent, name, words);
    name = "";
  }
}

static void reasons(dc_report *r, unsigned indent, const dc_loop *loop) {
  const dc_kernel *kernel = &r->of->kernel;
  const char *same = dc__report_file(r, loop->location);
  char at[DC_REPORT_TEXT], words[2 * DC_REPORT_TEXT];
  for (uint32_t k = 0; k < loop->n_reasons; ++k) {
    const dc_reason *reason = &kernel->reasons[loop->first_reason + k];
    dc__report_location(r, reason->location, same, at, sizeof at);
    snprintf(words, sizeof words, "%s%s%s", at, *at ? ": " : "", dc__report_text(r, reason->text));
    dc__report_labelled(r, indent, k ? "" : "because", words);
  }
  if (*dc__report_text(r, loop->condition))
    dc__report_labelled(r, indent, "condition", dc__report_text(r, loop->condition));
  if (*dc__report_text(r, loop->unknown))
    dc__report_labelled(r, indent, "unknown", dc__report_text(r, loop->unknown));
  if (*dc__report_text(r, loop->ignored)) {
    const char *by = dc__report_text(r, loop->ignored_at);
    snprintf(words, sizeof words, "%s%s%s%s", dc__report_text(r, loop->ignored), *by ? " (" : "",
             dc_base_name(by), *by ? ")" : "");
    dc__report_labelled(r, indent, "ignored", words);
  }
}

static void place(dc_report *r, unsigned indent, const dc_loop *loop, bool full) {
  char text[DC_REPORT_TEXT];
  dc__report_location(r, loop->location, NULL, text, sizeof text);
  dc__page_column(&r->page, indent);
  dc__page_text(&r->page, full ? DC_STYLE_TITLE : DC_STYLE_PLAIN, *text ? text : "(no location)");
  dc__page_text(&r->page, DC_STYLE_PLAIN, "  ");
}

// What a loop is, and how much it costs.
static void headline(dc_report *r, unsigned indent, uint32_t loop, const dc_loop_estimate *figures,
                     bool full) {
  char text[2 * DC_REPORT_TEXT];
  bool priced = full && figures && r->estimate->cycles.low > 0;
  dc_loop_words(&r->of->kernel, loop, r->estimate, text, sizeof text);
  dc__page_wrap(&r->page, priced ? dc__share_style(figures->share) : DC_STYLE_PLAIN, indent + 4,
                text);
  dc__page_line(&r->page);
}

static void details(dc_report *r, unsigned indent, uint32_t index,
                    const dc_loop_estimate *figures) {
  const dc_loop *loop = &r->of->kernel.loops[index];
  char words[DC_REPORT_TEXT], cost[100];
  dc__report_source_line(r, indent + 4, loop->location);
  dc__report_labelled(r, indent + 2, "class", dc_class_name(loop->loop_class));
  call_path(r, indent + 2, loop->location);
  all_figures(r, indent + 2, index, figures);
  if (r->estimate && dc_time_part_words(&r->estimate->time, index, DC_NONE, cost, sizeof cost)) {
    snprintf(words, sizeof words, "divergence here costs %s", cost);
    dc__report_labelled(r, indent + 2, "time", words);
  }
  reasons(r, indent + 2, loop);
}

// Returns whether all of the loop was told.
static bool one_loop(dc_report *r, uint32_t index, bool after_full) {
  const dc_loop *loop = &r->of->kernel.loops[index];
  const dc_loop_estimate *figures = r->estimate ? &r->estimate->loops[index] : NULL;
  unsigned indent = indent_of(loop->depth);
  bool full = dc_loop_is_worth_reading(loop, figures);
  if (full || after_full)
    dc__page_line(&r->page);
  place(r, indent, loop, full);
  headline(r, indent, index, figures, full);
  if (full)
    details(r, indent, index, figures);
  else if (*dc__report_text(r, loop->condition)) // what is said in one line holds under it, too
    dc__report_labelled(r, indent + 2, "condition", dc__report_text(r, loop->condition));
  return full;
}

void dc__report_loop(dc_report *r, uint32_t index) {
  const dc_loop_estimate *figures = r->estimate ? &r->estimate->loops[index] : NULL;
  headline(r, 0, index, figures, dc_loop_is_worth_reading(&r->of->kernel.loops[index], figures));
  details(r, 0, index, figures);
}

// ---- all loops ---------------------------------------------------------------------------------

// What is to be written: a loop, or a line for several that lose nothing.
typedef struct step {
  uint32_t loop, depth;
  uint32_t calm; // so many, or 0
} step;

typedef struct forest {
  dc_rank *ranks;
  uint32_t *first; // of each parent, in ranks: none is 0
  uint32_t *calm;  // of each loop: how many it is, with those inside it, of which none has more to
                   // say than one line; else 0
  step *stack;
  uint32_t height;
} forest;

static void free_forest(forest *of) {
  free(of->ranks);
  free(of->first);
  free(of->calm);
  free(of->stack);
}

// False: out of memory.
static bool make_forest(const dc_report *r, forest *out) {
  const dc_kernel *kernel = &r->of->kernel;
  uint32_t n = kernel->n_loops;
  *out = (forest){.ranks = rank_loops(r),
                  .first = calloc((size_t)n + 2, sizeof *out->first),
                  .calm = calloc((size_t)n + 1, sizeof *out->calm),
                  .stack = malloc((2 * (size_t)n + 1) * sizeof *out->stack)};
  if (!out->ranks || !out->first || !out->calm || !out->stack)
    return false;
  for (uint32_t k = 0; k < n; ++k)
    ++out->first[out->ranks[k].parent + 1];
  for (uint32_t k = 1; k <= n + 1; ++k)
    out->first[k] += out->first[k - 1];
  for (uint32_t loop = n; loop-- > 0;) { // inner ones come behind
    const dc_loop *of = &kernel->loops[loop];
    const dc_loop_estimate *figures = r->estimate ? &r->estimate->loops[loop] : NULL;
    bool tells =
        !figures || dc_loop_is_worth_reading(of, figures) || *dc__report_text(r, of->condition);
    uint32_t count = tells ? 0 : 1;
    for (uint32_t k = out->first[loop + 1]; k < out->first[loop + 2] && count; ++k) {
      uint32_t inner = out->calm[out->ranks[k].index];
      count = inner ? count + inner : 0;
    }
    out->calm[loop] = count;
  }
  return true;
}

// Puts the loops of a parent (0: the kernel) on the stack, the first one on top.
static void push(forest *of, uint32_t parent, uint32_t depth) {
  uint32_t from = of->first[parent], to = of->first[parent + 1], calm = 0, all = 0;
  for (uint32_t k = from; k < to; ++k) {
    calm += of->calm[of->ranks[k].index] > 0;
    all += of->calm[of->ranks[k].index];
  }
  bool together = calm > CALM;
  if (together)
    of->stack[of->height++] = (step){DC_NONE, depth, all};
  for (uint32_t k = to; k-- > from;)
    if (!together || of->calm[of->ranks[k].index] == 0)
      of->stack[of->height++] = (step){of->ranks[k].index, depth, 0};
}

static void calm_loops(dc_report *r, const step *of, bool after_full, bool only) {
  char words[60];
  if (after_full)
    dc__page_line(&r->page);
  snprintf(words, sizeof words, "%s%u%s loops that lose nothing", only ? "" : "and ",
           (unsigned)of->calm, only ? "" : " more");
  dc__page_column(&r->page, indent_of(of->depth));
  dc__page_text(&r->page, DC_STYLE_QUIET, words);
  dc__page_line(&r->page);
}

// Walks the forest in the order of the ranks, without recursion: a file may nest deep.
bool dc__report_loops(dc_report *r) {
  forest of;
  bool good = make_forest(r, &of), full = true;
  if (good)
    push(&of, 0, 1);
  bool only = good && of.height == 1;
  while (good && of.height) {
    step next = of.stack[--of.height];
    if (next.calm) {
      calm_loops(r, &next, full, only);
      full = false;
      continue;
    }
    full = one_loop(r, next.loop, full);
    push(&of, next.loop + 1, next.depth + 1);
  }
  free_forest(&of);
  return good;
}
