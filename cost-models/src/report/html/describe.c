// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels as the page shows them. The words are libdivcost's (divcost/words.h).
#include "report/html/describe.h"

#include "divcost/words.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *text_of(const dc_kernel *kernel, dc_text text) {
  return dc_kernel_text(kernel, text);
}

static void words(html_json *json, const char *key, const char *text) {
  if (*text)
    dc__html_string(json, key, text);
}

static void interval(html_json *json, const char *key, dc_interval value) {
  dc__html_open(json, key, '[');
  dc__html_real(json, NULL, value.low);
  dc__html_real(json, NULL, value.high);
  dc__html_close(json, ']');
}

void dc__describe_place(html_json *json, const char *key, const dc_kernel *kernel,
                        uint32_t location) {
  if (location == DC_NONE)
    return;
  const dc_location *at = &kernel->locations[location];
  dc__html_open(json, key, '[');
  dc__html_string(json, NULL, text_of(kernel, at->file));
  dc__html_whole(json, NULL, at->line);
  dc__html_whole(json, NULL, at->column);
  dc__html_close(json, ']');
}

// ---- the kernel --------------------------------------------------------------------------------

static void launches(html_json *json, const dc_kernel *kernel) {
  char text[DC_WORDS];
  dc__html_open(json, "launches", '[');
  for (uint32_t k = 0; k < kernel->n_launches; ++k) {
    const dc_launch *launch = &kernel->launches[k];
    dc_launch_words(launch, text, sizeof text);
    dc__html_open(json, NULL, '{');
    dc__html_string(json, "words", text);
    dc__html_open(json, "block", '[');
    for (unsigned axis = 0; axis < 3; ++axis)
      dc__html_whole(json, NULL, launch->block[axis]);
    dc__html_close(json, ']');
    dc__describe_place(json, "at", kernel, launch->location);
    dc__html_close(json, '}');
  }
  dc__html_close(json, ']');
}

// Marks the parameters that a trip count or a condition depends on, other than through memory.
// Operands stand before their use.
static void mark_asked(const dc_kernel *kernel, bool *asked) {
  const dc_expr_pool *pool = &kernel->pool;
  bool *reached = calloc((size_t)pool->count + 1, sizeof *reached);
  for (uint32_t k = 0; reached && k < kernel->n_loops; ++k)
    if (kernel->loops[k].trips != DC_NO_EXPR)
      reached[kernel->loops[k].trips] = true;
  for (uint32_t k = 0; reached && k < kernel->n_branches; ++k)
    if (kernel->branches[k].condition != DC_NO_EXPR)
      reached[kernel->branches[k].condition] = true;
  for (uint32_t k = pool->count; reached && k-- > 0;) {
    const dc_expr_node *node = &pool->nodes[k];
    const dc_expr operands[] = {node->a, node->b, node->c};
    if (!reached[k] || node->op == DC_OP_LOAD)
      continue;
    if (node->op == DC_OP_PARAM)
      asked[node->i] = true;
    for (unsigned operand = 0; operand < 3; ++operand)
      if (operands[operand] != DC_NO_EXPR)
        reached[operands[operand]] = true;
  }
  free(reached);
}

// Values as text: a number of JavaScript doesn't hold all of them.
static void params(html_json *json, const dc_kernel *kernel) {
  char text[24];
  bool *asked = calloc((size_t)kernel->n_params + 1, sizeof *asked);
  if (asked)
    mark_asked(kernel, asked);
  dc__html_open(json, "params", '[');
  for (uint32_t k = 0; k < kernel->n_params; ++k) {
    const dc_param *param = &kernel->params[k];
    snprintf(text, sizeof text, "%" PRId64, param->value);
    dc__html_open(json, NULL, '[');
    dc__html_string(json, NULL, text_of(kernel, param->name));
    dc__html_string(json, NULL, param->known ? text : "");
    dc__html_truth(json, NULL, asked && asked[k]);
    dc__html_close(json, ']');
  }
  dc__html_close(json, ']');
  free(asked);
}

static void costs(html_json *json, const dc_unit_kernel *kernel) {
  char text[DC_WORDS];
  dc_arch arch;
  dc__html_open(json, "costs", '[');
  for (uint32_t k = 0; k < kernel->n_estimates; ++k) {
    if ((k && kernel->estimates[k - 1].sm == kernel->estimates[k].sm) ||
        !dc_estimate_arch(&kernel->estimates[k], &arch))
      continue;
    dc_costs_words(&arch, &kernel->kernel, true, text, sizeof text);
    dc__html_string(json, NULL, text);
  }
  dc__html_close(json, ']');
}

static void share_words(html_json *json, const char *key, dc_interval share) {
  dc__html_string(json, key, dc_number_percent(share).text);
}

static void estimate(html_json *json, const dc_estimate *e) {
  char block[40];
  dc_interval lost = e->share;
  dc_block_words(&e->launch, block, sizeof block);
  dc__html_open(json, NULL, '{');
  dc__html_whole(json, "sm", e->sm);
  dc__html_string(json, "block", block);
  dc__html_string(json, "cycles", dc_number_count(e->cycles).text);
  share_words(json, "lost", lost);
  share_words(json, "imbalance", dc_imbalance_share(e));
  share_words(json, "reconvergence", dc_reconvergence_share(e));
  share_words(json, "efficiency", e->efficiency);
  dc__html_whole(json, "severity", dc_share_severity(lost));
  dc__html_open(json, "intervals", '{');
  interval(json, "lost", lost);
  interval(json, "cycles", e->cycles);
  interval(json, "imbalance", e->imbalance);
  interval(json, "reconvergence", e->reconvergence);
  interval(json, "instructions", e->instructions);
  interval(json, "efficiency", e->efficiency);
  interval(json, "divergent_branches", e->divergent_branches);
  dc__html_close(json, '}');
  dc__html_close(json, '}');
}

// ---- loops -------------------------------------------------------------------------------------

unsigned dc__describe_distributions(const dc_kernel *kernel, uint32_t index,
                                    const dc_loop_estimate *figures,
                                    dc_assumed_distributions *assumed,
                                    const char *distributions[2]) {
  const dc_loop *loop = &kernel->loops[index];
  if (!figures || figures->from == DC_FROM_DERIVED || loop->level < DC_DIVERGENT)
    return 0;
  if (loop->distribution) {
    distributions[0] = text_of(kernel, loop->distribution);
    return 1;
  }
  if (loop->loop_class < DC_CLASS_DATA_DEPENDENT || loop->swaps)
    return 0;
  *assumed =
      dc_distributions_assumed(figures->from == DC_FROM_RANGE ? dc_most_trips(kernel, index) : -1);
  distributions[0] = assumed->low;
  distributions[1] = assumed->high;
  return 2;
}

static void figures_of(html_json *json, const dc_kernel *kernel, uint32_t loop,
                       const dc_loop_estimate *figures) {
  char text[DC_WORDS];
  dc__html_open(json, "figures", '[');
  for (unsigned k = 0; k < DC_FIGURE_COUNT; ++k) {
    if (!dc_figure_words(kernel, loop, figures, k, text, sizeof text))
      continue;
    dc__html_open(json, NULL, '[');
    dc__html_string(json, NULL, dc_figure_label(k));
    dc__html_string(json, NULL, text);
    dc__html_truth(json, NULL, k == DC_FIGURE_TRIPS);
    dc__html_close(json, ']');
  }
  dc__html_close(json, ']');
}

static void intervals_of(html_json *json, const dc_loop_estimate *f) {
  dc__html_open(json, "intervals", '{');
  interval(json, "share", f->share);
  interval(json, "entries", f->entries);
  interval(json, "mean", f->mean_trips);
  interval(json, "expected", f->expected);
  interval(json, "aggregate", f->aggregate);
  interval(json, "efficiency", f->efficiency);
  interval(json, "divergent_exits", f->divergent_exits);
  interval(json, "stack_depth", f->stack_depth);
  interval(json, "body", f->body);
  interval(json, "imbalance", f->imbalance);
  interval(json, "reconvergence", f->reconvergence);
  dc__html_close(json, '}');
}

// The calls through which the loop came into the kernel.
static void path(html_json *json, const dc_kernel *kernel, uint32_t location) {
  dc__html_open(json, "path", '[');
  while (location != DC_NONE && kernel->locations[location].inlined_at != DC_NONE) {
    const char *function = text_of(kernel, kernel->locations[location].function);
    location = kernel->locations[location].inlined_at;
    dc__html_open(json, NULL, '{');
    dc__html_string(json, "text", *function ? function : "a function");
    dc__describe_place(json, "at", kernel, location);
    dc__html_close(json, '}');
  }
  dc__html_close(json, ']');
}

static void reasons(html_json *json, const dc_kernel *kernel, const dc_loop *loop) {
  dc__html_open(json, "reasons", '[');
  for (uint32_t k = 0; k < loop->n_reasons; ++k) {
    const dc_reason *reason = &kernel->reasons[loop->first_reason + k];
    dc__html_open(json, NULL, '{');
    dc__html_string(json, "text", text_of(kernel, reason->text));
    dc__describe_place(json, "at", kernel, reason->location);
    dc__html_close(json, '}');
  }
  dc__html_close(json, ']');
}

static void distributions_of(html_json *json, const dc_kernel *kernel, uint32_t loop,
                             const dc_loop_estimate *figures) {
  dc_assumed_distributions assumed;
  const char *distributions[2];
  unsigned count = dc__describe_distributions(kernel, loop, figures, &assumed, distributions);
  dc__html_open(json, "distributions", '[');
  for (unsigned k = 0; k < count; ++k)
    dc__html_string(json, NULL, distributions[k]);
  dc__html_close(json, ']');
}

static void one_loop(html_json *json, const dc_kernel *kernel, uint32_t index,
                     const dc_estimate *e) {
  const dc_loop *loop = &kernel->loops[index];
  const dc_loop_estimate *figures = e ? &e->loops[index] : NULL;
  char text[DC_WORDS];
  dc__html_open(json, NULL, '{');
  dc__html_whole(json, "parent", loop->parent == DC_NONE ? -1 : (long long)loop->parent);
  dc__html_whole(json, "depth", loop->depth);
  dc__describe_place(json, "at", kernel, loop->location);
  dc__html_string(json, "class", dc_class_name(loop->loop_class));
  dc_loop_words(kernel, index, e, text, sizeof text);
  dc__html_string(json, "words", text);
  dc__html_truth(json, "full", dc_loop_is_worth_reading(loop, figures));
  if (figures) {
    dc__html_string(json, "from", dc_from_name(figures->from));
    dc__html_string(json, "lost", dc_number_percent(figures->share).text);
    dc__html_whole(json, "severity", dc_share_severity(figures->share));
    dc__html_string(json, "aggregate", dc_number_count(figures->aggregate).text);
    intervals_of(json, figures);
  }
  figures_of(json, kernel, index, figures);
  distributions_of(json, kernel, index, figures);
  path(json, kernel, loop->location);
  reasons(json, kernel, loop);
  words(json, "condition", text_of(kernel, loop->condition));
  words(json, "unknown", text_of(kernel, loop->unknown));
  words(json, "ignored", text_of(kernel, loop->ignored));
  words(json, "ignored_at", text_of(kernel, loop->ignored_at));
  dc__html_close(json, '}');
}

// ---- branches ----------------------------------------------------------------------------------

static void forks(html_json *json, const dc_kernel *kernel, const dc_estimate *e) {
  char text[DC_WORDS];
  dc__html_open(json, "forks", '[');
  for (uint32_t k = 0; e && dc_branches_matter(e) && k < kernel->n_branches; ++k) {
    const dc_branch *branch = &kernel->branches[k];
    if (branch->level != DC_DIVERGENT || branch->exits != DC_NONE ||
        branch->predication == DC_PREDICATION_LIKELY)
      continue;
    *text = 0;
    if (branch->condition != DC_NO_EXPR)
      dc_kernel_print_expr(kernel, branch->condition, text, sizeof text);
    dc__html_open(json, NULL, '{');
    dc__describe_place(json, "at", kernel, branch->location);
    words(json, "text", text);
    if (dc_idle_words(e, k, text, sizeof text)) {
      dc__html_string(json, "idle", text);
      dc__html_string(json, "slots", dc_number_percent(e->branches[k].idle).text);
      dc__html_whole(json, "severity", dc_share_severity(e->branches[k].idle));
    }
    dc__html_close(json, '}');
  }
  dc__html_close(json, ']');
}

// Those that take more than they need, the worst first.
static void accesses(html_json *json, const dc_kernel *kernel, const dc_estimate *e) {
  enum { MOST = 20 };
  char text[DC_WORDS];
  uint32_t access = DC_NONE;
  dc__html_open(json, "accesses", '[');
  for (unsigned shown = 0; e && shown < MOST; ++shown) {
    access = dc_next_access(e, access);
    if (access == DC_NONE)
      break;
    dc_access_words(kernel, e, access, text, sizeof text);
    dc__html_open(json, NULL, '{');
    dc__html_whole(json, "access", access);
    dc__describe_place(json, "at", kernel, kernel->accesses[access].location);
    words(json, "text", text);
    dc__html_close(json, '}');
  }
  dc__html_close(json, ']');
}

// ---- accesses, line by line --------------------------------------------------------------------

enum { UNITS = 3 };

// An access that is made, where it stands. Of a line, the worst comes first.
typedef struct placed {
  const char *file;
  uint32_t line, access;
  double excess; // that it takes, at the most
} placed;

static int by_place(const void *a, const void *b) {
  const placed *x = a, *y = b;
  int files = x->file == y->file ? 0 : strcmp(x->file, y->file);
  if (files)
    return files;
  if (x->line != y->line)
    return x->line < y->line ? -1 : 1;
  if (x->excess != y->excess)
    return x->excess > y->excess ? -1 : 1;
  return x->access < y->access ? -1 : x->access > y->access;
}

static bool same_line(const placed *a, const placed *b) {
  return a->line == b->line && (a->file == b->file || strcmp(a->file, b->file) == 0);
}

static void add_requests(dc_interval *sum, double requests, dc_interval each) {
  sum->low += requests * each.low;
  sum->high += requests * each.high;
}

// What a line takes too much is looked at as what a loop loses: as a share of the kernel's.
static dc_severity severity_of(dc_interval taken, dc_interval ideal, dc_interval all) {
  double low = taken.low - ideal.low, high = taken.high - ideal.high;
  double least = all.low > 0 ? low / all.low : 0, most = all.high > 0 ? high / all.high : 0;
  return dc_share_severity((dc_interval){least < most ? least : most, least < most ? most : least});
}

static void line_sums(html_json *json, const dc_kernel *kernel, const dc_estimate *e,
                      const placed *own, size_t n) {
  static const char *const units[UNITS] = {"sectors", "passes", "addresses"};
  dc_interval taken[UNITS] = {{0, 0}}, ideal[UNITS] = {{0, 0}}, ignored;
  dc_severity worst = DC_SEVERITY_NONE;
  for (size_t k = 0; k < n; ++k) {
    const dc_access_estimate *figures = &e->accesses[own[k].access];
    dc_memory_unit unit = dc_memory_unit_of((dc_space)kernel->accesses[own[k].access].space);
    add_requests(&taken[unit], figures->requests, figures->taken);
    add_requests(&ideal[unit], figures->requests, figures->ideal);
  }
  dc__html_open(json, "sums", '[');
  for (unsigned unit = 0; unit < UNITS; ++unit) {
    if (!(taken[unit].high > 0))
      continue;
    dc_severity severity = severity_of(taken[unit], ideal[unit],
                                       dc_memory_taken(kernel, e, (dc_memory_unit)unit, &ignored));
    worst = severity > worst ? severity : worst;
    dc__html_open(json, NULL, '[');
    dc__html_string(json, NULL, units[unit]);
    dc__html_string(json, NULL, dc_number_count(taken[unit]).text);
    dc__html_string(json, NULL, dc_number_count(ideal[unit]).text);
    dc__html_close(json, ']');
  }
  dc__html_close(json, ']');
  dc__html_whole(json, "severity", worst);
}

static void one_line(html_json *json, const dc_kernel *kernel, const dc_estimate *e,
                     const placed *own, size_t n) {
  char text[DC_WORDS];
  dc__html_open(json, NULL, '{');
  dc__describe_place(json, "at", kernel, kernel->accesses[own->access].location);
  line_sums(json, kernel, e, own, n);
  dc__html_open(json, "accesses", '[');
  for (size_t k = 0; k < n; ++k) {
    dc_access_words(kernel, e, own[k].access, text, sizeof text);
    dc__html_open(json, NULL, '[');
    dc__html_whole(json, NULL, own[k].access);
    dc__html_string(json, NULL, text);
    dc__html_close(json, ']');
  }
  dc__html_close(json, ']');
  dc__html_close(json, '}');
}

static void lines(html_json *json, const dc_kernel *kernel, const dc_estimate *e) {
  placed *all = calloc((size_t)kernel->n_accesses + 1, sizeof *all);
  size_t n = 0, next;
  for (uint32_t k = 0; all && e && k < kernel->n_accesses && k < e->n_accesses; ++k) {
    uint32_t at = kernel->accesses[k].location;
    const dc_access_estimate *figures = &e->accesses[k];
    if (at == DC_NONE || !kernel->locations[at].line || !(figures->requests > 0))
      continue;
    all[n++] = (placed){text_of(kernel, kernel->locations[at].file), kernel->locations[at].line, k,
                        figures->requests * (figures->taken.high - figures->ideal.high)};
  }
  if (n)
    qsort(all, n, sizeof *all, by_place);
  dc__html_open(json, "lines", '[');
  for (size_t k = 0; k < n; k = next) {
    for (next = k + 1; next < n && same_line(&all[k], &all[next]);)
      ++next;
    one_line(json, kernel, e, &all[k], next - k);
  }
  dc__html_close(json, ']');
  free(all);
}

void dc__describe_kernel(html_json *json, const dc_unit_kernel *of) {
  const dc_kernel *kernel = &of->kernel;
  const dc_estimate *worst = dc_worst_estimate(of);
  char text[DC_WORDS];
  dc__html_open(json, NULL, '{');
  dc__html_string(json, "name", text_of(kernel, kernel->name));
  dc__html_string(json, "symbol", text_of(kernel, kernel->symbol));
  dc__describe_place(json, "at", kernel, kernel->location);
  words(json, "not_analysed", text_of(kernel, kernel->not_analysed));
  launches(json, kernel);
  params(json, kernel);
  if (dc_values_words(kernel, text, sizeof text))
    dc__html_string(json, "values", text);
  if (dc_measured_words(of, text, sizeof text))
    dc__html_string(json, "measured", text);
  if (dc_waits_words(&of->measured, text, sizeof text))
    dc__html_string(json, "waits", text);
  if (worst && dc_branches_words(worst, text, sizeof text))
    dc__html_string(json, "branches", text);
  if (worst && dc_memory_words(kernel, worst, text, sizeof text))
    dc__html_string(json, "memory", text);
  if (worst && dc_occupancy_words(worst, text, sizeof text))
    dc__html_string(json, "occupancy", text);
  if (worst && dc_time_words(worst, text, sizeof text))
    dc__html_string(json, "time", text);
  if (dc_calls_words(kernel, text, sizeof text))
    dc__html_string(json, "calls", text);
  costs(json, of);
  dc__html_open(json, "estimates", '[');
  for (uint32_t k = 0; k < of->n_estimates; ++k)
    estimate(json, &of->estimates[k]);
  dc__html_close(json, ']');
  dc__html_whole(json, "shown", worst ? worst - of->estimates : -1);
  dc__html_open(json, "loops", '[');
  for (uint32_t k = 0; k < kernel->n_loops; ++k)
    one_loop(json, kernel, k, worst);
  dc__html_close(json, ']');
  forks(json, kernel, worst);
  accesses(json, kernel, worst);
  lines(json, kernel, worst);
  dc__html_close(json, '}');
}
