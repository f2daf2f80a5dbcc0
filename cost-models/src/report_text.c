// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The report for people: what is lost, kernel by kernel, worst first; then why, loop by loop
// (report_loops.c). Every figure stands with where it comes from.
#include "report_internal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LABEL = 14 }; // columns of a label: "divergence"

const char *dc_report_text(const dc_report *r, dc_text text) {
  return dc_kernel_text(&r->of->kernel, text);
}

const char *dc_base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

void dc_report_location(const dc_report *r, uint32_t location, const char *same, char *text,
                        size_t size) {
  *text = 0;
  if (location == DC_NONE)
    return;
  const dc_location *at = &r->of->kernel.locations[location];
  const char *file = dc_report_text(r, at->file);
  if (same && strcmp(file, same) == 0)
    file = dc_base_name(file);
  else if (r->root_size && strncmp(file, r->root, r->root_size) == 0)
    file += r->root_size;
  if (at->line && at->column)
    snprintf(text, size, "%s:%u:%u", file, at->line, at->column);
  else if (at->line)
    snprintf(text, size, "%s:%u", file, at->line);
  else
    snprintf(text, size, "%s", file);
}

const char *dc_report_file(const dc_report *r, uint32_t location) {
  return location == DC_NONE ? "" : dc_report_text(r, r->of->kernel.locations[location].file);
}

static void label(dc_report *r, unsigned indent, const char *text) {
  dc_page_column(&r->page, indent);
  dc_page_text(&r->page, DC_STYLE_QUIET, text);
  dc_page_column(&r->page, indent + LABEL);
}

void dc_report_labelled(dc_report *r, unsigned indent, const char *name, const char *words) {
  label(r, indent, name);
  dc_page_wrap(&r->page, DC_STYLE_PLAIN, indent + LABEL, words);
  dc_page_line(&r->page);
}

void dc_report_source_line(dc_report *r, unsigned indent, uint32_t location) {
  char text[DC_REPORT_TEXT];
  if (location == DC_NONE || !r->options->read_line)
    return;
  const dc_location *at = &r->of->kernel.locations[location];
  if (!at->line || !r->options->read_line(r->options->context, dc_report_text(r, at->file),
                                          at->line, text, sizeof text))
    return;
  char *begin = text + strspn(text, " \t");
  size_t most = DC_REPORT_WIDTH - indent, size = strcspn(begin, "\r\n");
  while (size && (begin[size - 1] == ' ' || begin[size - 1] == '\t'))
    --size;
  begin[size] = 0;
  if (size > most)
    strcpy(begin + most - 3, "...");
  dc_page_column(&r->page, indent);
  dc_page_text(&r->page, DC_STYLE_QUIET, begin);
  dc_page_line(&r->page);
}

void dc_report_expression(const dc_report *r, dc_expr e, char *text, size_t size) {
  *text = 0;
  if (e != DC_NO_EXPR && dc_kernel_print_expr(&r->of->kernel, e, text, size) >= size)
    strcpy(text + size - 4, "...");
}

static dc_rank *rank_kernels(const dc_unit *unit) {
  dc_rank *ranks = calloc((size_t)unit->n_kernels + 1, sizeof *ranks);
  for (uint32_t k = 0; ranks && k < unit->n_kernels; ++k) {
    const dc_estimate *worst = dc_unit_worst_estimate(&unit->kernels[k]);
    ranks[k] = (dc_rank){k, 0, worst ? dc_lost_share(worst) : (dc_span){-1, -1}};
  }
  if (ranks)
    qsort(ranks, unit->n_kernels, sizeof *ranks, dc_compare_ranks);
  return ranks;
}

// ---- a kernel ----------------------------------------------------------------------------------

static void block_text(const dc_launch *launch, char *text, size_t size) {
  const uint32_t *block = launch->block;
  if (block[2] > 1)
    snprintf(text, size, "%ux%ux%u", block[0], block[1], block[2]);
  else if (block[1] > 1)
    snprintf(text, size, "%ux%u", block[0], block[1]);
  else
    snprintf(text, size, "%u", block[0]);
}

static void block_from(dc_report *r, const char *label, const dc_launch *launch) {
  static const char *const words[] = {[DC_BLOCK_OPTION] = "from the option",
                                      [DC_BLOCK_PRAGMA] = "from the pragma",
                                      [DC_BLOCK_REQNTID] = "required by the kernel",
                                      [DC_BLOCK_LAUNCH] = "from the launch",
                                      [DC_BLOCK_LAUNCH_BOUNDS] =
                                          "assumed, within __launch_bounds__",
                                      [DC_BLOCK_ASSUMED] = "assumed"};
  char at[DC_REPORT_TEXT], shape[40], text[2 * DC_REPORT_TEXT];
  bool known = launch->location != DC_NONE && launch->location < r->of->kernel.n_locations;
  dc_report_location(r, known ? launch->location : DC_NONE,
                     dc_report_file(r, r->of->kernel.location), at, sizeof at);
  block_text(launch, shape, sizeof shape);
  snprintf(text, sizeof text, "%s threads, %s%s%s", shape,
           launch->from <= DC_BLOCK_ASSUMED ? words[launch->from] : "", *at ? " at " : "", at);
  dc_report_labelled(r, 2, label, text);
}

// Values of parameters, which only a launch pragma gives.
static void values(dc_report *r) {
  const dc_kernel *kernel = &r->of->kernel;
  char text[2 * DC_REPORT_TEXT] = "";
  size_t used = 0;
  for (uint32_t k = 0; k < kernel->n_params && used < sizeof text; ++k)
    if (kernel->params[k].known)
      used += (size_t)snprintf(text + used, sizeof text - used, "%s = %" PRId64 ", ",
                               dc_report_text(r, kernel->params[k].name), kernel->params[k].value);
  if (used > 0 && used + sizeof "from the pragma" <= sizeof text) {
    strcpy(text + used, "from the pragma");
    dc_report_labelled(r, 2, "values", text);
  }
}

// Columns in which the numbers of the table of estimates end.
enum { CYCLES_END = 34, LOST_END = 44, IMBALANCE_END = 55, RECONVERGENCE_END = 69 };

static dc_span part_of(dc_span part, dc_span whole) {
  bool known = part.low >= 0 && whole.low > 0 && part.low == part.high && whole.low == whole.high;
  return known ? (dc_span){part.low / whole.low, part.low / whole.low} : (dc_span){-1, -1};
}

static void share_of(dc_report *r, unsigned end, dc_span share, bool coloured) {
  dc_page_right(&r->page, coloured ? dc_share_style(share) : DC_STYLE_PLAIN, end,
                share.low < 0 ? "-" : dc_number_percent(share).text);
}

static void estimate_row(dc_report *r, const dc_estimate *estimate) {
  char text[64];
  snprintf(text, sizeof text, "sm_%u", estimate->sm);
  dc_page_column(&r->page, 2);
  dc_page_text(&r->page, DC_STYLE_PLAIN, text);
  block_text(&estimate->launch, text, sizeof text);
  dc_page_column(&r->page, 10);
  dc_page_text(&r->page, DC_STYLE_PLAIN, text);
  dc_page_right(&r->page, DC_STYLE_PLAIN, CYCLES_END, dc_number_count(estimate->cycles).text);
  share_of(r, LOST_END, dc_lost_share(estimate), true);
  share_of(r, IMBALANCE_END, part_of(estimate->imbalance, estimate->cycles), false);
  share_of(r, RECONVERGENCE_END, part_of(estimate->reconvergence, estimate->cycles), false);
  share_of(r, DC_REPORT_WIDTH, estimate->efficiency, false);
  dc_page_line(&r->page);
}

static void estimates(dc_report *r) {
  if (r->of->n_estimates == 0)
    return;
  dc_page_column(&r->page, 2);
  dc_page_text(&r->page, DC_STYLE_QUIET, "arch    block");
  dc_page_right(&r->page, DC_STYLE_QUIET, CYCLES_END, "cycles/warp");
  dc_page_right(&r->page, DC_STYLE_QUIET, LOST_END, "lost");
  dc_page_right(&r->page, DC_STYLE_QUIET, IMBALANCE_END, "imbalance");
  dc_page_right(&r->page, DC_STYLE_QUIET, RECONVERGENCE_END, "reconvergence");
  dc_page_right(&r->page, DC_STYLE_QUIET, DC_REPORT_WIDTH, "efficiency");
  dc_page_line(&r->page);
  for (uint32_t k = 0; k < r->of->n_estimates; ++k)
    estimate_row(r, &r->of->estimates[k]);
}

// Where an architecture's costs come from: in short what a kernel's figures rest on, in full once.
static void provenance(dc_report *r, const char *label, const dc_arch *arch, bool full) {
  char words[400];
  bool told = full || strstr(arch->issue_provenance, "assumed");
  snprintf(words, sizeof words, "sm_%u: reconvergence %s%s%s", arch->sm, arch->provenance,
           told ? "; instructions " : "", told ? arch->issue_provenance : "");
  dc_report_labelled(r, 2, label, words);
}

// All that figures for an architecture rest on: several, where reports were merged that were made
// with other architecture files.
static void provenances(dc_report *r, const char *label, const dc_unit *unit, unsigned sm) {
  dc_arch arch, told = {0};
  for (uint32_t k = 0; k < unit->n_kernels; ++k)
    for (uint32_t e = 0; e < unit->kernels[k].n_estimates; ++e) {
      const dc_estimate *estimate = &unit->kernels[k].estimates[e];
      if (estimate->sm != sm || !dc_estimate_arch(estimate, &arch) ||
          (told.sm && strcmp(told.provenance, arch.provenance) == 0 &&
           strcmp(told.issue_provenance, arch.issue_provenance) == 0))
        continue;
      provenance(r, told.sm ? "" : label, &arch, true);
      told = arch;
    }
  if (!told.sm && dc_arch_find_sm(sm, &arch, NULL) == DC_OK)
    provenance(r, label, &arch, true);
}

// Whether reconvergence costs a noteworthy share, 1%, apart from the loops' exits.
static bool branches_matter(const dc_report *r) {
  if (!r->estimate || r->estimate->cycles.high <= 0)
    return false;
  double cost = r->estimate->reconvergence.high;
  for (uint32_t k = 0; k < r->estimate->n_loops; ++k)
    if (r->estimate->loops[k].reconvergence.high > 0)
      cost -= r->estimate->loops[k].reconvergence.high;
  return cost >= 0.01 * r->estimate->cycles.high;
}

// Divergent branches that leave no loop.
static void branches(dc_report *r) {
  enum { MOST = 8 };
  if (!branches_matter(r))
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
      dc_page_line(&r->page);
    dc_report_location(r, branch->location, NULL, text, sizeof text);
    dc_page_column(&r->page, 2);
    dc_page_text(&r->page, DC_STYLE_PLAIN, *text ? text : "(no location)");
    dc_page_wrap(&r->page, DC_STYLE_PLAIN, 6, "  divergent branch");
    dc_report_expression(r, branch->condition, text, sizeof text);
    dc_page_wrap(&r->page, DC_STYLE_PLAIN, 6, *text ? ": " : "");
    dc_page_wrap(&r->page, DC_STYLE_PLAIN, 6, text);
    dc_page_line(&r->page);
    dc_report_source_line(r, 6, branch->location);
  }
  if (more) {
    snprintf(text, sizeof text, "and %u more", more);
    dc_page_column(&r->page, 2);
    dc_page_text(&r->page, DC_STYLE_PLAIN, text);
    dc_page_line(&r->page);
  }
}

// Findings that no loop's entry shows.
static void findings(dc_report *r) {
  char at[DC_REPORT_TEXT], words[2 * DC_REPORT_TEXT];
  for (uint32_t k = 0; k < r->of->n_findings; ++k) {
    const dc_finding *finding = &r->of->findings[k];
    if (finding->rule == DC_RULE_IMBALANCE || finding->rule == DC_RULE_DATA_DEPENDENT)
      continue;
    dc_report_location(r, finding->location, NULL, at, sizeof at);
    snprintf(words, sizeof words, "%s%s%s [divcost-%s]%s", at, *at ? ": " : "",
             finding->message ? finding->message : "", dc_rule_name(finding->rule),
             finding->suppressed ? " (suppressed)" : "");
    dc_page_line(&r->page);
    dc_page_column(&r->page, 2);
    dc_page_wrap(&r->page, finding->suppressed ? DC_STYLE_QUIET : DC_STYLE_BAD, 4, words);
    dc_page_line(&r->page);
  }
}

// What holds for the whole kernel: its launches, and what it costs and loses.
static void kernel_totals(dc_report *r) {
  const dc_kernel *kernel = &r->of->kernel;
  char at[DC_REPORT_TEXT], words[200];
  dc_page_wrap(&r->page, DC_STYLE_TITLE, 4, dc_report_text(r, kernel->name));
  dc_page_line(&r->page);
  dc_report_location(r, kernel->location, NULL, at, sizeof at);
  if (*at)
    dc_report_labelled(r, 2, "at", at);
  for (uint32_t k = 0; k < kernel->n_launches; ++k)
    block_from(r, k ? "" : "block", &kernel->launches[k]);
  values(r);
  if (r->estimate && r->estimate->divergent_branches.low >= 0) {
    snprintf(words, sizeof words, "%s diverge per warp, loop exits included%s",
             dc_number_count(r->estimate->divergent_branches).text,
             r->estimate->emulated ? " (emulated)" : "");
    dc_report_labelled(r, 2, "branches", words);
  }
  dc_arch arch;
  for (uint32_t k = 0; k < r->of->n_estimates; ++k)
    if ((k == 0 || r->of->estimates[k - 1].sm != r->of->estimates[k].sm) &&
        dc_estimate_arch(&r->of->estimates[k], &arch))
      provenance(r, k ? "" : "costs", &arch, false);
  dc_page_line(&r->page);
  estimates(r);
}

static bool one_kernel(dc_report *r) {
  const dc_kernel *kernel = &r->of->kernel;
  dc_page_line(&r->page);
  kernel_totals(r);
  if (r->of->n_estimates > 1 && kernel->n_loops) {
    char shape[40], words[200];
    block_text(&r->estimate->launch, shape, sizeof shape);
    snprintf(words, sizeof words, "Loops, for sm_%u and blocks of %s:", r->estimate->sm, shape);
    dc_page_line(&r->page);
    dc_page_column(&r->page, 2);
    dc_page_text(&r->page, DC_STYLE_QUIET, words);
    dc_page_line(&r->page);
  }
  bool good = dc_report_loops(r);
  branches(r);
  findings(r);
  return good;
}

// ---- the unit ----------------------------------------------------------------------------------

// The next path of a list "a.cu, b.cu", and its size; NULL at the end.
static const char *next_path(const char *list, size_t *size) {
  const char *end = list ? strstr(list, ", ") : NULL;
  *size = end ? (size_t)(end - list) : list ? strlen(list) : 0;
  return end ? end + 2 : NULL;
}

// Compilers name files in full; a reader knows them as the unit's path begins. What comes before it
// in the name of the unit's own file is left out.
static void find_root(dc_report *r, const dc_unit *unit) {
  for (uint32_t k = 0; k < unit->n_kernels; ++k) {
    r->of = &unit->kernels[k];
    const char *file = dc_report_file(r, r->of->kernel.location);
    size_t whole = strlen(file), size;
    for (const char *path = unit->path, *next; path; path = next) {
      next = next_path(path, &size);
      if (size && whole > size && file[whole - size - 1] == '/' &&
          strncmp(file + whole - size, path, size) == 0) {
        r->root = file;
        r->root_size = whole - size;
        return;
      }
    }
  }
}

static void header(dc_report *r, const dc_unit *unit) {
  char text[40];
  dc_page_text(&r->page, DC_STYLE_TITLE, "divcost");
  dc_page_text(&r->page, DC_STYLE_PLAIN, "  ");
  unsigned count = 0;
  size_t size;
  for (const char *path = unit->path; path; ++count)
    path = next_path(path, &size);
  snprintf(text, sizeof text, "%u files", count);
  dc_page_wrap(&r->page, DC_STYLE_PLAIN, 9, count > 4 ? text : unit->path ? unit->path : "");
  for (uint32_t k = 0; k < unit->n_archs; ++k) {
    snprintf(text, sizeof text, "%s sm_%u", k ? "," : ", for", unit->archs[k]);
    dc_page_wrap(&r->page, DC_STYLE_PLAIN, 9, text);
  }
  if (unit->n_kernels == 0)
    dc_page_wrap(&r->page, DC_STYLE_PLAIN, 9, ": no kernels");
  dc_page_line(&r->page);
}

// How to read the figures, and what they rest on: the same for all kernels, so said once.
static void footer(dc_report *r, const dc_unit *unit) {
  static const char *const words[][2] = {
      {"cycles", "in which one warp issues"},
      {"lost", "share of the kernel's cycles: those that lanes idle (imbalance), and those that "
               "the hardware takes to manage divergence (reconvergence)"},
      {"imbalance", "slots issued over slots used: 1 is none, 32 the worst"},
      {"efficiency",
       "lanes that work in each issued cycle; where divergent branches are not emulated, their "
       "sides count as full, so this is what loops leave of it"},
      {"low..high", "rests on an assumption, and lies between its ends"}};
  dc_page_line(&r->page);
  dc_page_text(&r->page, DC_STYLE_TITLE, "How to read this");
  dc_page_line(&r->page);
  for (unsigned k = 0; k < sizeof words / sizeof *words; ++k)
    dc_report_labelled(r, 2, words[k][0], words[k][1]);
  for (uint32_t k = 0; k < unit->n_archs; ++k)
    provenances(r, k ? "" : "costs", unit, unit->archs[k]);
}

// One line for each kernel, where there are several.
static void summary(dc_report *r, const dc_unit *unit, const dc_rank *ranks) {
  if (unit->n_kernels < 2)
    return;
  dc_page_line(&r->page);
  dc_page_right(&r->page, DC_STYLE_QUIET, 9, "lost");
  dc_page_right(&r->page, DC_STYLE_QUIET, 22, "efficiency");
  dc_page_right(&r->page, DC_STYLE_QUIET, 40, "cycles/warp");
  dc_page_text(&r->page, DC_STYLE_QUIET, "   kernel");
  dc_page_line(&r->page);
  for (uint32_t k = 0; k < unit->n_kernels; ++k) {
    r->of = &unit->kernels[ranks[k].index];
    const dc_estimate *worst = dc_unit_worst_estimate(r->of);
    dc_span none = {-1, -1};
    share_of(r, 9, ranks[k].share, true);
    share_of(r, 22, worst ? worst->efficiency : none, false);
    dc_page_right(&r->page, DC_STYLE_PLAIN, 40,
                  worst && worst->cycles.low >= 0 ? dc_number_count(worst->cycles).text : "-");
    dc_page_text(&r->page, DC_STYLE_PLAIN, "   ");
    char name[DC_REPORT_WIDTH];
    const char *whole = dc_report_text(r, r->of->kernel.name);
    size_t size = strcspn(whole, "("), most = DC_REPORT_WIDTH - 43;
    bool cut = size > most;
    snprintf(name, sizeof name, "%.*s%s", (int)(cut ? most - 3 : size), whole, cut ? "..." : "");
    dc_page_text(&r->page, DC_STYLE_PLAIN, name);
    dc_page_line(&r->page);
  }
}

static dc_report begin_report(const dc_unit *unit, FILE *stream, const dc_text_options *options) {
  static const dc_text_options plain = {false, NULL, NULL};
  dc_report r = {.options = options ? options : &plain};
  r.page = (dc_page){stream, r.options->colour, 0};
  find_root(&r, unit);
  errno = 0;
  return r;
}

static void show_kernel(dc_report *r, const dc_unit *unit, uint32_t kernel) {
  r->of = &unit->kernels[kernel];
  r->estimate = dc_unit_worst_estimate(r->of);
}

static dc_status end_report(FILE *stream, dc_error *error) {
  if (fflush(stream) != 0 || ferror(stream))
    return dc_fail(error, DC_ERROR_FILE, "cannot write the report: %s",
                   errno ? strerror(errno) : "the stream has failed");
  return DC_OK;
}

dc_status dc_unit_write_text(const dc_unit *unit, FILE *stream, const dc_text_options *options,
                             dc_error *error) {
  dc_report r = begin_report(unit, stream, options);
  dc_rank *ranks = rank_kernels(unit);
  bool good = ranks != NULL;
  if (good) {
    header(&r, unit);
    summary(&r, unit, ranks);
  }
  for (uint32_t k = 0; good && k < unit->n_kernels; ++k) {
    show_kernel(&r, unit, ranks[k].index);
    good = one_kernel(&r);
  }
  if (good && unit->n_kernels)
    footer(&r, unit);
  free(ranks);
  if (!good)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory for the report");
  return end_report(stream, error);
}

dc_status dc_unit_write_kernel_text(const dc_unit *unit, uint32_t kernel, FILE *stream,
                                    const dc_text_options *options, dc_error *error) {
  dc_report r = begin_report(unit, stream, options);
  show_kernel(&r, unit, kernel);
  kernel_totals(&r);
  branches(&r);
  findings(&r);
  return end_report(stream, error);
}

dc_status dc_unit_write_loop_text(const dc_unit *unit, uint32_t kernel, uint32_t loop, FILE *stream,
                                  const dc_text_options *options, dc_error *error) {
  dc_report r = begin_report(unit, stream, options);
  show_kernel(&r, unit, kernel);
  dc_report_loop(&r, loop);
  return end_report(stream, error);
}
