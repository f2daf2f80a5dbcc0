// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel in the report for people: what is lost, for each architecture and launch; then why, loop
// by loop (text_loops.c). Every figure stands with where it comes from.
#include "report/text_internal.h"

#include "divcost/path.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LABEL = 14 }; // columns of a label: "divergence"

const char *dc__report_text(const dc_report *r, dc_text text) {
  return dc_kernel_text(&r->of->kernel, text);
}

void dc__report_location(const dc_report *r, uint32_t location, const char *same, char *text,
                         size_t size) {
  *text = 0;
  if (location == DC_NONE)
    return;
  const dc_location *at = &r->of->kernel.locations[location];
  const char *file = dc__report_text(r, at->file);
  if (same && strcmp(file, same) == 0)
    file = dc_base_name(file);
  else if (r->root_size && strncmp(file, r->root, r->root_size) == 0)
    file += r->root_size;
  else
    file = dc_path_below(r->options->directory, file);
  if (at->line && at->column)
    snprintf(text, size, "%s:%u:%u", file, at->line, at->column);
  else if (at->line)
    snprintf(text, size, "%s:%u", file, at->line);
  else
    snprintf(text, size, "%s", file);
}

const char *dc__report_file(const dc_report *r, uint32_t location) {
  return location == DC_NONE ? "" : dc__report_text(r, r->of->kernel.locations[location].file);
}

static void label(dc_report *r, unsigned indent, const char *text) {
  dc__page_column(&r->page, indent);
  dc__page_text(&r->page, DC_STYLE_QUIET, text);
  dc__page_column(&r->page, indent + LABEL);
}

void dc__report_labelled(dc_report *r, unsigned indent, const char *name, const char *words) {
  label(r, indent, name);
  dc__page_wrap(&r->page, DC_STYLE_PLAIN, indent + LABEL, words);
  dc__page_line(&r->page);
}

void dc__report_source_line(dc_report *r, unsigned indent, uint32_t location) {
  char text[DC_REPORT_TEXT];
  if (location == DC_NONE || !r->options->read_line)
    return;
  const dc_location *at = &r->of->kernel.locations[location];
  if (!at->line || !r->options->read_line(r->options->context, dc__report_text(r, at->file),
                                          at->line, text, sizeof text))
    return;
  char *begin = text + strspn(text, " \t");
  size_t most = DC_REPORT_WIDTH - indent, size = strcspn(begin, "\r\n");
  while (size && (begin[size - 1] == ' ' || begin[size - 1] == '\t'))
    --size;
  begin[size] = 0;
  if (size > most)
    strcpy(begin + most - 3, "...");
  dc__page_column(&r->page, indent);
  dc__page_text(&r->page, DC_STYLE_QUIET, begin);
  dc__page_line(&r->page);
}

void dc__report_expression(const dc_report *r, dc_expr e, char *text, size_t size) {
  *text = 0;
  if (e != DC_NO_EXPR && dc_kernel_print_expr(&r->of->kernel, e, text, size) >= size)
    strcpy(text + size - 4, "...");
}

// ---- a kernel ----------------------------------------------------------------------------------

static void block_from(dc_report *r, const char *label, const dc_launch *launch) {
  char at[DC_REPORT_TEXT], words[100], text[2 * DC_REPORT_TEXT];
  bool known = launch->location != DC_NONE && launch->location < r->of->kernel.n_locations;
  dc__report_location(r, known ? launch->location : DC_NONE,
                      dc__report_file(r, r->of->kernel.location), at, sizeof at);
  dc_launch_words(launch, words, sizeof words);
  snprintf(text, sizeof text, "%s%s%s", words, *at ? " at " : "", at);
  dc__report_labelled(r, 2, label, text);
}

// Columns in which the numbers of the table of estimates end.
enum { CYCLES_END = 34, LOST_END = 44, IMBALANCE_END = 55, RECONVERGENCE_END = 69 };

void dc__report_share(dc_report *r, unsigned end, dc_interval share, bool coloured) {
  dc__page_right(&r->page, coloured ? dc__share_style(share) : DC_STYLE_PLAIN, end,
                 share.low < 0 ? "-" : dc_number_percent(share).text);
}

static void estimate_row(dc_report *r, const dc_estimate *estimate) {
  char text[64];
  snprintf(text, sizeof text, "sm_%u", estimate->sm);
  dc__page_column(&r->page, 2);
  dc__page_text(&r->page, DC_STYLE_PLAIN, text);
  dc_block_words(&estimate->launch, text, sizeof text);
  dc__page_column(&r->page, 10);
  dc__page_text(&r->page, DC_STYLE_PLAIN, text);
  dc__page_right(&r->page, DC_STYLE_PLAIN, CYCLES_END, dc_number_count(estimate->cycles).text);
  dc__report_share(r, LOST_END, estimate->share, true);
  dc__report_share(r, IMBALANCE_END, dc_imbalance_share(estimate), false);
  dc__report_share(r, RECONVERGENCE_END, dc_reconvergence_share(estimate), false);
  dc__report_share(r, DC_REPORT_WIDTH, estimate->efficiency, false);
  dc__page_line(&r->page);
}

static void estimates(dc_report *r) {
  if (r->of->n_estimates == 0)
    return;
  dc__page_column(&r->page, 2);
  dc__page_text(&r->page, DC_STYLE_QUIET, "arch    block");
  dc__page_right(&r->page, DC_STYLE_QUIET, CYCLES_END, "issue cycles");
  dc__page_right(&r->page, DC_STYLE_QUIET, LOST_END, "lost");
  dc__page_right(&r->page, DC_STYLE_QUIET, IMBALANCE_END, "imbalance");
  dc__page_right(&r->page, DC_STYLE_QUIET, RECONVERGENCE_END, "reconvergence");
  dc__page_right(&r->page, DC_STYLE_QUIET, DC_REPORT_WIDTH, "efficiency");
  dc__page_line(&r->page);
  for (uint32_t k = 0; k < r->of->n_estimates; ++k)
    estimate_row(r, &r->of->estimates[k]);
}

void dc__report_provenance(dc_report *r, const char *label, const dc_arch *arch,
                           const dc_kernel *kernel) {
  char words[400];
  dc_costs_words(arch, kernel, !kernel, words, sizeof words);
  dc__report_labelled(r, 2, label, words);
}

// Divergent branches that leave no loop.
static void branches(dc_report *r) {
  enum { MOST = 8 };
  if (!r->estimate || !dc_branches_matter(r->estimate))
    return;
  const dc_kernel *kernel = &r->of->kernel;
  uint32_t shown = 0, more = 0;
  char text[DC_REPORT_TEXT];
  for (uint32_t k = 0; k < kernel->n_branches; ++k) {
    const dc_branch *branch = &kernel->branches[k];
    if (branch->level != DC_DIVERGENT || branch->exits != DC_NONE ||
        branch->predication == DC_PREDICATION_LIKELY)
      continue;
    if (shown == MOST) {
      ++more;
      continue;
    }
    if (shown++ == 0)
      dc__page_line(&r->page);
    dc__report_location(r, branch->location, NULL, text, sizeof text);
    dc__page_column(&r->page, 2);
    dc__page_text(&r->page, DC_STYLE_PLAIN, *text ? text : "(no location)");
    dc__page_wrap(&r->page, DC_STYLE_PLAIN, 6, "  divergent branch");
    if (dc_idle_words(r->estimate, k, text, sizeof text)) {
      dc__page_wrap(&r->page, DC_STYLE_PLAIN, 6, ", ");
      dc__page_wrap(&r->page, DC_STYLE_PLAIN, 6, text);
    }
    if (dc_time_part_words(&r->estimate->time, DC_NONE, k, text, sizeof text)) {
      dc__page_wrap(&r->page, DC_STYLE_PLAIN, 6, ", which costs ");
      dc__page_wrap(&r->page, DC_STYLE_PLAIN, 6, text);
    }
    dc__report_expression(r, branch->condition, text, sizeof text);
    dc__page_wrap(&r->page, DC_STYLE_PLAIN, 6, *text ? ": " : "");
    dc__page_wrap(&r->page, DC_STYLE_PLAIN, 6, text);
    dc__page_line(&r->page);
    dc__report_source_line(r, 6, branch->location);
  }
  if (more) {
    snprintf(text, sizeof text, "and %u more", more);
    dc__page_column(&r->page, 2);
    dc__page_text(&r->page, DC_STYLE_PLAIN, text);
    dc__page_line(&r->page);
  }
}

// Accesses to memory that take more than they need: the worst.
static void accesses(dc_report *r) {
  enum { MOST = 5 };
  char words[DC_WORDS], text[DC_REPORT_TEXT];
  const dc_kernel *kernel = &r->of->kernel;
  uint32_t last = DC_NONE;
  for (unsigned shown = 0; r->estimate && shown < MOST; ++shown) {
    last = dc_next_access(r->estimate, last);
    if (last == DC_NONE || !dc_access_words(kernel, r->estimate, last, words, sizeof words))
      return;
    if (shown == 0)
      dc__page_line(&r->page);
    dc__report_location(r, kernel->accesses[last].location, NULL, text, sizeof text);
    dc__page_column(&r->page, 2);
    dc__page_text(&r->page, DC_STYLE_PLAIN, *text ? text : "(no location)");
    dc__page_wrap(&r->page, DC_STYLE_PLAIN, 6, "  ");
    dc__page_wrap(&r->page, DC_STYLE_PLAIN, 6, words);
    dc__page_line(&r->page);
    dc__report_source_line(r, 6, kernel->accesses[last].location);
  }
}

// Findings that no loop's entry shows.
static void findings(dc_report *r) {
  char at[DC_REPORT_TEXT], words[2 * DC_REPORT_TEXT];
  for (uint32_t k = 0; k < r->of->n_findings; ++k) {
    const dc_finding *finding = &r->of->findings[k];
    if (dc_rule_about(finding->rule)->of_cost && finding->loop != DC_NONE)
      continue;
    dc__report_location(r, finding->location, NULL, at, sizeof at);
    char others[60] = "";
    if (finding->others.count)
      snprintf(others, sizeof others, " (and in %u other instance%s)", finding->others.count,
               finding->others.count == 1 ? "" : "s");
    snprintf(words, sizeof words, "%s%s%s [divcost-%s]%s%s", at, *at ? ": " : "",
             finding->message ? finding->message : "", dc_rule_name(finding->rule),
             finding->suppressed ? " (suppressed)" : "", others);
    dc__page_line(&r->page);
    dc__page_column(&r->page, 2);
    dc__page_wrap(&r->page, finding->suppressed ? DC_STYLE_QUIET : DC_STYLE_BAD, 4, words);
    dc__page_line(&r->page);
  }
}

// Of each launch on the architecture that the report is of, where there are several.
static void times(dc_report *r) {
  char words[DC_WORDS + 100];
  const char *label = "time";
  unsigned known = 0;
  for (uint32_t k = 0; k < r->of->n_estimates; ++k)
    known += r->of->estimates[k].sm == r->estimate->sm && r->of->estimates[k].time.known;
  if (known < 2) {
    if (dc_time_words(r->estimate, words, sizeof words))
      dc__report_labelled(r, 2, label, words);
    return;
  }
  for (uint32_t k = 0; k < r->of->n_estimates; ++k) {
    const dc_estimate *of = &r->of->estimates[k];
    if (of->sm != r->estimate->sm || !of->time.known)
      continue;
    size_t used = dc_grid_words(&of->launch, words, sizeof words);
    snprintf(words + used, sizeof words - used, ": ");
    dc_time_words(of, words + used + 2, sizeof words - used - 2);
    dc__report_labelled(r, 2, label, words);
    label = "";
  }
}

// Those that the kernel stands for.
static void instances(dc_report *r) {
  const dc_name_list *names = &r->of->instances;
  char others[DC_WORDS], words[DC_WORDS + 100];
  if (names->count == 0)
    return;
  dc_instances_words(names, others, sizeof others);
  snprintf(words, sizeof words, "the worst of %u; the others: %s", names->count + 1, others);
  dc__report_labelled(r, 2, "instances", words);
}

// What holds for the whole kernel: its launches, and what it costs and loses.
static void totals(dc_report *r) {
  const dc_kernel *kernel = &r->of->kernel;
  char at[DC_REPORT_TEXT], words[DC_WORDS];
  dc__page_wrap(&r->page, DC_STYLE_TITLE, 4, dc__report_text(r, kernel->name));
  dc__page_line(&r->page);
  dc__report_location(r, kernel->location, NULL, at, sizeof at);
  if (*at)
    dc__report_labelled(r, 2, "at", at);
  instances(r);
  if (kernel->not_analysed)
    dc__report_labelled(r, 2, "not analysed", dc__report_text(r, kernel->not_analysed));
  for (uint32_t k = 0; k < kernel->n_launches; ++k)
    block_from(r, k ? "" : "block", &kernel->launches[k]);
  if (dc_values_words(kernel, words, sizeof words))
    dc__report_labelled(r, 2, "values", words);
  if (dc_measured_words(r->of, words, sizeof words))
    dc__report_labelled(r, 2, "measured", words);
  if (dc_waits_words(&r->of->measured, words, sizeof words))
    dc__report_labelled(r, 2, "waits", words);
  if (r->estimate && dc_efficiency_words(r->estimate, words, sizeof words))
    dc__report_labelled(r, 2, "efficiency", words);
  if (r->estimate && dc_branches_words(r->estimate, words, sizeof words))
    dc__report_labelled(r, 2, "branches", words);
  if (r->estimate && dc_memory_words(kernel, r->estimate, words, sizeof words))
    dc__report_labelled(r, 2, "memory", words);
  if (r->estimate && dc_occupancy_words(r->estimate, words, sizeof words))
    dc__report_labelled(r, 2, "occupancy", words);
  if (r->estimate)
    times(r);
  if (dc_calls_words(kernel, words, sizeof words))
    dc__report_labelled(r, 2, "calls", words);
  dc_arch arch;
  for (uint32_t k = 0; k < r->of->n_estimates; ++k)
    if ((k == 0 || r->of->estimates[k - 1].sm != r->of->estimates[k].sm) &&
        dc_estimate_arch(&r->of->estimates[k], &arch))
      dc__report_provenance(r, k ? "" : "costs", &arch, kernel);
  dc__page_line(&r->page);
  estimates(r);
}

void dc__report_kernel_alone(dc_report *r) {
  totals(r);
  branches(r);
  accesses(r);
  findings(r);
}

bool dc__report_kernel(dc_report *r) {
  dc__page_line(&r->page);
  totals(r);
  if (r->of->n_estimates > 1 && r->of->kernel.n_loops) {
    char dims[40], words[DC_WORDS];
    dc_block_words(&r->estimate->launch, dims, sizeof dims);
    snprintf(words, sizeof words, "Loops, for sm_%u and blocks of %s:", r->estimate->sm, dims);
    dc__page_line(&r->page);
    dc__page_column(&r->page, 2);
    dc__page_text(&r->page, DC_STYLE_QUIET, words);
    dc__page_line(&r->page);
  }
  bool good = dc__report_loops(r);
  branches(r);
  accesses(r);
  findings(r);
  return good;
}
