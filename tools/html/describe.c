// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels as the page shows them. The words are libdivcost's (divcost/words.h).
#include "html/describe.h"

#include "divcost/words.h"

#include <inttypes.h>

static const char *text_of(const dc_kernel *kernel, dc_text text) {
  return dc_kernel_text(kernel, text);
}

static void words(json_text *json, const char *key, const char *text) {
  if (*text)
    json_string(json, key, text);
}

static void span(json_text *json, const char *key, dc_span value) {
  json_open(json, key, '[');
  json_real(json, NULL, value.low);
  json_real(json, NULL, value.high);
  json_close(json, ']');
}

void describe_place(json_text *json, const char *key, const dc_kernel *kernel, uint32_t location) {
  if (location == DC_NONE)
    return;
  const dc_location *at = &kernel->locations[location];
  json_open(json, key, '[');
  json_string(json, NULL, text_of(kernel, at->file));
  json_whole(json, NULL, at->line);
  json_whole(json, NULL, at->column);
  json_close(json, ']');
}

// ---- the kernel --------------------------------------------------------------------------------

static void launches(json_text *json, const dc_kernel *kernel) {
  char text[DC_WORDS];
  json_open(json, "launches", '[');
  for (uint32_t k = 0; k < kernel->n_launches; ++k) {
    const dc_launch *launch = &kernel->launches[k];
    dc_launch_words(launch, text, sizeof text);
    json_open(json, NULL, '{');
    json_string(json, "words", text);
    json_open(json, "block", '[');
    for (unsigned axis = 0; axis < 3; ++axis)
      json_whole(json, NULL, launch->block[axis]);
    json_close(json, ']');
    describe_place(json, "at", kernel, launch->location);
    json_close(json, '}');
  }
  json_close(json, ']');
}

// Whether any expression has the parameter in it.
static bool is_asked(const dc_pool *pool, uint32_t param) {
  for (uint32_t k = 0; k < pool->count; ++k)
    if (pool->nodes[k].op == DC_OP_PARAM && pool->nodes[k].i == param)
      return true;
  return false;
}

// Values as text: a number of JavaScript doesn't hold all of them.
static void params(json_text *json, const dc_kernel *kernel) {
  char text[24];
  json_open(json, "params", '[');
  for (uint32_t k = 0; k < kernel->n_params; ++k) {
    const dc_param *param = &kernel->params[k];
    snprintf(text, sizeof text, "%" PRId64, param->value);
    json_open(json, NULL, '[');
    json_string(json, NULL, text_of(kernel, param->name));
    json_string(json, NULL, param->known ? text : "");
    json_truth(json, NULL, is_asked(&kernel->pool, k));
    json_close(json, ']');
  }
  json_close(json, ']');
}

static void costs(json_text *json, const dc_unit_kernel *kernel) {
  char text[DC_WORDS];
  dc_arch arch;
  json_open(json, "costs", '[');
  for (uint32_t k = 0; k < kernel->n_estimates; ++k) {
    if ((k && kernel->estimates[k - 1].sm == kernel->estimates[k].sm) ||
        !dc_estimate_arch(&kernel->estimates[k], &arch))
      continue;
    dc_costs_words(&arch, true, text, sizeof text);
    json_string(json, NULL, text);
  }
  json_close(json, ']');
}

static void share_words(json_text *json, const char *key, dc_span share) {
  json_string(json, key, share.low < 0 ? "-" : dc_number_percent(share).text);
}

static void estimate(json_text *json, const dc_estimate *e) {
  char block[40];
  dc_span lost = dc_lost_share(e);
  dc_block_words(&e->launch, block, sizeof block);
  json_open(json, NULL, '{');
  json_whole(json, "sm", e->sm);
  json_string(json, "block", block);
  json_string(json, "cycles", dc_number_count(e->cycles).text);
  share_words(json, "lost", lost);
  share_words(json, "imbalance", dc_part_of(e->imbalance, e->cycles));
  share_words(json, "reconvergence", dc_part_of(e->reconvergence, e->cycles));
  share_words(json, "efficiency", e->efficiency);
  json_whole(json, "severity", dc_share_severity(lost));
  json_open(json, "spans", '{');
  span(json, "lost", lost);
  span(json, "cycles", e->cycles);
  span(json, "imbalance", e->imbalance);
  span(json, "reconvergence", e->reconvergence);
  span(json, "instructions", e->instructions);
  span(json, "efficiency", e->efficiency);
  span(json, "divergent_branches", e->divergent_branches);
  json_close(json, '}');
  json_close(json, '}');
}

// ---- loops -------------------------------------------------------------------------------------

unsigned describe_laws(const dc_kernel *kernel, uint32_t index, const dc_loop_estimate *figures,
                       dc_assumed_laws *assumed, const char *laws[2]) {
  const dc_loop *loop = &kernel->loops[index];
  if (!figures || figures->from == DC_FROM_DERIVED || loop->level < DC_DIVERGENT)
    return 0;
  if (loop->distribution) {
    laws[0] = text_of(kernel, loop->distribution);
    return 1;
  }
  if (loop->loop_class < DC_CLASS_DATA_DEPENDENT)
    return 0;
  *assumed = dc_laws_assumed(figures->from == DC_FROM_RANGE ? dc_most_trips(kernel, index) : -1);
  laws[0] = assumed->low;
  laws[1] = assumed->high;
  return 2;
}

static void figures_of(json_text *json, const dc_kernel *kernel, uint32_t loop,
                       const dc_loop_estimate *figures) {
  char text[DC_WORDS];
  json_open(json, "figures", '[');
  for (unsigned k = 0; k < DC_FIGURE_COUNT; ++k) {
    if (!dc_figure_words(kernel, loop, figures, k, text, sizeof text))
      continue;
    json_open(json, NULL, '[');
    json_string(json, NULL, dc_figure_label(k));
    json_string(json, NULL, text);
    json_close(json, ']');
  }
  json_close(json, ']');
}

static void spans_of(json_text *json, const dc_loop_estimate *f) {
  json_open(json, "spans", '{');
  span(json, "share", f->share);
  span(json, "entries", f->entries);
  span(json, "mean", f->mean_trips);
  span(json, "expected", f->expected);
  span(json, "aggregate", f->aggregate);
  span(json, "efficiency", f->efficiency);
  span(json, "divergent_exits", f->divergent_exits);
  span(json, "stack_depth", f->stack_depth);
  span(json, "body", f->body);
  span(json, "imbalance", f->imbalance);
  span(json, "reconvergence", f->reconvergence);
  json_close(json, '}');
}

// The calls through which the loop came into the kernel.
static void path(json_text *json, const dc_kernel *kernel, uint32_t location) {
  json_open(json, "path", '[');
  while (location != DC_NONE && kernel->locations[location].inlined_at != DC_NONE) {
    const char *function = text_of(kernel, kernel->locations[location].function);
    location = kernel->locations[location].inlined_at;
    json_open(json, NULL, '{');
    json_string(json, "text", *function ? function : "a function");
    describe_place(json, "at", kernel, location);
    json_close(json, '}');
  }
  json_close(json, ']');
}

static void reasons(json_text *json, const dc_kernel *kernel, const dc_loop *loop) {
  json_open(json, "reasons", '[');
  for (uint32_t k = 0; k < loop->n_reasons; ++k) {
    const dc_reason *reason = &kernel->reasons[loop->first_reason + k];
    json_open(json, NULL, '{');
    json_string(json, "text", text_of(kernel, reason->text));
    describe_place(json, "at", kernel, reason->location);
    json_close(json, '}');
  }
  json_close(json, ']');
}

static void laws_of(json_text *json, const dc_kernel *kernel, uint32_t loop,
                    const dc_loop_estimate *figures) {
  dc_assumed_laws assumed;
  const char *laws[2];
  unsigned count = describe_laws(kernel, loop, figures, &assumed, laws);
  json_open(json, "laws", '[');
  for (unsigned k = 0; k < count; ++k)
    json_string(json, NULL, laws[k]);
  json_close(json, ']');
}

static void one_loop(json_text *json, const dc_kernel *kernel, uint32_t index,
                     const dc_estimate *e) {
  const dc_loop *loop = &kernel->loops[index];
  const dc_loop_estimate *figures = e ? &e->loops[index] : NULL;
  char text[DC_WORDS];
  json_open(json, NULL, '{');
  json_whole(json, "parent", loop->parent == DC_NONE ? -1 : (long long)loop->parent);
  json_whole(json, "depth", loop->depth);
  describe_place(json, "at", kernel, loop->location);
  json_string(json, "class", dc_class_name(loop->loop_class));
  dc_loop_words(kernel, index, e, text, sizeof text);
  json_string(json, "words", text);
  json_truth(json, "full", dc_loop_is_worth_reading(loop, figures));
  if (figures) {
    json_string(json, "from", dc_from_name(figures->from));
    json_string(json, "lost", dc_number_percent(figures->share).text);
    json_whole(json, "severity", dc_share_severity(figures->share));
    spans_of(json, figures);
  }
  figures_of(json, kernel, index, figures);
  laws_of(json, kernel, index, figures);
  path(json, kernel, loop->location);
  reasons(json, kernel, loop);
  words(json, "provided", text_of(kernel, loop->condition));
  words(json, "unknown", text_of(kernel, loop->unknown));
  words(json, "ignored", text_of(kernel, loop->ignored));
  words(json, "ignored_at", text_of(kernel, loop->ignored_at));
  json_close(json, '}');
}

// ---- branches ----------------------------------------------------------------------------------

static void forks(json_text *json, const dc_kernel *kernel, const dc_estimate *e) {
  char text[DC_WORDS];
  json_open(json, "forks", '[');
  for (uint32_t k = 0; e && dc_branches_matter(e) && k < kernel->n_branches; ++k) {
    const dc_branch *branch = &kernel->branches[k];
    if (branch->level != DC_DIVERGENT || branch->exits != DC_NONE ||
        branch->predication == DC_PREDICATION_LIKELY)
      continue;
    *text = 0;
    if (branch->condition != DC_NO_EXPR)
      dc_kernel_print_expr(kernel, branch->condition, text, sizeof text);
    json_open(json, NULL, '{');
    describe_place(json, "at", kernel, branch->location);
    words(json, "text", text);
    json_close(json, '}');
  }
  json_close(json, ']');
}

void describe_kernel(json_text *json, const dc_unit_kernel *of) {
  const dc_kernel *kernel = &of->kernel;
  const dc_estimate *worst = dc_worst_estimate(of);
  char text[DC_WORDS];
  json_open(json, NULL, '{');
  json_string(json, "name", text_of(kernel, kernel->name));
  json_string(json, "symbol", text_of(kernel, kernel->symbol));
  describe_place(json, "at", kernel, kernel->location);
  launches(json, kernel);
  params(json, kernel);
  if (dc_values_words(kernel, text, sizeof text))
    json_string(json, "values", text);
  if (worst && dc_branches_words(worst, text, sizeof text))
    json_string(json, "branches", text);
  costs(json, of);
  json_open(json, "estimates", '[');
  for (uint32_t k = 0; k < of->n_estimates; ++k)
    estimate(json, &of->estimates[k]);
  json_close(json, ']');
  json_whole(json, "shown", worst ? worst - of->estimates : -1);
  json_open(json, "loops", '[');
  for (uint32_t k = 0; k < kernel->n_loops; ++k)
    one_loop(json, kernel, k, worst);
  json_close(json, ']');
  forks(json, kernel, worst);
  json_close(json, '}');
}
