// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `divcost model` as text. Every figure says what it is of, and expected and aggregate imbalance
// are told apart wherever they show.
#include "command.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = MODEL_ROWS, LABEL = 28 };

static void heading(const char *text) {
  bool colour = command_colour();
  printf("\n%s%s%s\n", colour ? "\033[1m" : "", text, colour ? "\033[0m" : "");
}

// Four digits, and no exponent where a plain number is as short.
static const char *number(double x, char text[32]) {
  snprintf(text, 32, fabs(x) >= 1000 && fabs(x) < 1e9 ? "%.0f" : "%.4g", x);
  return text;
}

static void line(const char *label, double x, const char *what) {
  char text[32];
  printf("  %-*s %9s  %s\n", LABEL, label, number(x, text), what);
}

static void percent(const char *label, double x, const char *what) {
  printf("  %-*s %8.2f%%  %s\n", LABEL, label, 100 * x, what);
}

// ---- bars --------------------------------------------------------------------------------------

// The last value with no more than a thousandth of the mass above it.
static size_t end_of_bars(const dc_distribution *d) {
  double above = 0;
  size_t i = d->count;
  while (i > 1 && above + d->points[i - 1].mass < 0.001)
    above += d->points[--i].mass;
  return i;
}

static void draw_trips(const dc_distribution *d) {
  size_t end = end_of_bars(d), count = 0;
  int64_t first = d->points[0].value, range = d->points[end - 1].value - first + 1;
  int64_t width = (range + ROWS - 1) / ROWS;
  model_row rows[ROWS + 1] = {0};
  for (int64_t low = first; low < first + range; low += width, ++count) {
    int64_t high = low + width < first + range ? low + width - 1 : first + range - 1;
    snprintf(rows[count].label, sizeof rows->label, high > low ? "%lld - %lld" : "%lld",
             (long long)low, (long long)high);
  }
  if (end < d->count)
    snprintf(rows[count++].label, sizeof rows->label, "above");
  for (size_t i = 0; i < d->count; ++i)
    rows[i < end ? (size_t)((d->points[i].value - first) / width) : count - 1].share +=
        d->points[i].mass;
  model_draw(rows, count);
}

static void draw_ratios(const model_ratios *r) {
  model_row rows[MODEL_ROWS + 1] = {0};
  size_t count = r->rows;
  int digits = r->width < 1 && r->width > 0 ? (int)ceil(-log10(r->width) - 1e-9) : 0;
  for (size_t i = 0; i < count; ++i) {
    double from = r->low + (double)i * r->width; // no X is below 1
    snprintf(rows[i].label, sizeof rows->label, r->width > 0 ? "%.*f to %.*f" : "%.*f", digits,
             fmax(from, 1), digits, from + r->width);
    rows[i].share = r->share[i];
  }
  if (r->share[count] > 0) {
    snprintf(rows[count].label, sizeof rows->label, "above");
    rows[count].share = r->share[count];
    ++count;
  }
  model_draw(rows, count);
}

// ---- sections ----------------------------------------------------------------------------------

static void print_trips(const model_request *request, const model_figures *f) {
  char distribution[DC_DISTRIBUTION_SHOWN + 1], mean[32], deviation[32];
  bool whole =
      dc_distribution_print(f->spec, distribution, sizeof distribution) < sizeof distribution;
  printf("%s%s, %u lanes%s\n", distribution, whole ? "" : "...", request->lanes,
         request->per_warp ? ", each warp of one component of the mixture" : "");
  heading("trip count of a lane");
  printf("  mean %s, standard deviation %s, from %lld to %lld",
         number(dc_distribution_mean(&f->trips), mean),
         number(sqrt(dc_distribution_variance(&f->trips)), deviation),
         (long long)dc_distribution_min(&f->trips), (long long)dc_distribution_max(&f->trips));
  if (f->trips.cut > 0)
    printf(" (a tail of %.2g was cut)", f->trips.cut);
  printf("\n");
  draw_trips(&f->trips);
}

static void print_imbalance(const model_request *request, const model_figures *f) {
  heading("imbalance: lane slots that a warp takes over those that do work");
  line("aggregate", f->loss.aggregate, "total slots over total work: what a kernel loses");
  percent("SIMT efficiency", f->loss.efficiency, "1 / aggregate: active lanes per iteration");
  line("expected", f->loss.expected, "mean over warps, short and long ones alike");
  line("standard deviation", sqrt(f->x.variance), "from warp to warp");
  line("worst possible", f->worst, "one lane has the most trips, the others the fewest");
  line("longest lane", f->maximum, "iterations of a warp, in the mean");
  printf("\n  distribution from warp to warp (%s)\n", f->ratios.from);
  draw_ratios(&f->ratios);
  printf("  quantiles");
  char text[32];
  for (size_t i = 0; i < MODEL_QUANTILES; ++i)
    printf("%s %g%%: %s", i ? "," : "", 100 * model_quantiles[i],
           number(f->ratios.quantile[i], text));
  printf("\n");
  heading("reconvergence of the loop");
  line("distinct trip counts", f->distinct, "in a warp, in the mean");
  line("divergent exits", f->divergent_exits, "at which some lanes leave and some stay");
  line("stack depth", f->depth, "tokens, on GPUs that have a stack (before Volta)");
  if (f->has_depth && request->lanes >= 16)
    percent("P(stack depth > 16)", f->depth_exceeds[16], "warps that spill the stack");
}

static void print_cost(const model_figures *f) {
  heading("with the cost of an iteration by active lanes");
  line("cycles of a warp", f->cost.cycles, "in the mean");
  line("ideal", f->cost.ideal, "the same work with all lanes active throughout");
  line("lost to imbalance", f->cost.lost, "cycles of a warp, in the mean");
  line("aggregate", f->cost.aggregate, "cycles over ideal: what a kernel loses");
  percent("efficiency", f->cost.efficiency, "1 / aggregate");
  line("expected", f->cost.expected, "cycles over ideal, mean over warps");
}

static void print_block(const model_request *request, const model_figures *f) {
  char text[80];
  snprintf(text, sizeof text, "a block of %u warps that meet at a barrier", request->warps);
  heading(text);
  line("iterations of the block", f->block.iterations, "its longest lane, in the mean");
  line("waiting at the barrier", f->block.waiting, "iterations of a warp, in the mean");
  line("aggregate imbalance", f->block.aggregate, "lane slots of the block over its work");
  percent("efficiency", f->block.efficiency, "1 / aggregate");
}

static void print_grid(const model_request *request, const model_figures *f) {
  char text[120], low[32], high[32], bounds[80];
  snprintf(text, sizeof text, "a grid of %llu blocks on %u x %u slots",
           (unsigned long long)request->blocks, request->multiprocessors, request->slots);
  heading(text);
  snprintf(bounds, sizeof bounds, "between %s and %s", number(f->grid.low, low),
           number(f->grid.high, high));
  line("iterations until the last", f->grid.iterations,
       f->grid.exact ? "in the mean, exactly" : "in the mean, an approximation");
  if (!f->grid.exact)
    printf("  %-*s %9s  %s\n", LABEL, "", "", bounds);
  line("tail", f->grid.tail, "iterations that a slot idles at the end");
  percent("efficiency", f->grid.efficiency, "active lanes over those there is room for");
}

static void print_what_if(const model_figures *f) {
  heading("what if                           aggregate  efficiency   expected");
  for (size_t i = 0; i < f->n_what_if; ++i) {
    const model_what_if *w = &f->what_if[i];
    char name[64] = "today", aggregate[32], expected[32];
    unsigned long long amount = w->amount;
    switch (w->change) {
    case MODEL_TODAY:
      break;
    case MODEL_SHARED:
      snprintf(name, sizeof name, "%llu lanes share an item", amount);
      break;
    case MODEL_BINNED:
      snprintf(name, sizeof name, "binned into %llu classes", amount);
      break;
    case MODEL_SORTED:
      snprintf(name, sizeof name, "sorted over %llu warps", amount);
      break;
    }
    printf("  %-*s %12s %10.2f%%", LABEL, name, number(w->loss.aggregate, aggregate),
           100 * w->loss.efficiency);
    if (w->change != MODEL_SORTED)
      printf(" %10s", number(w->loss.expected, expected));
    printf("\n");
  }
}

static void print_sampled(const char *label, dc_sampled s, const char *what) {
  char value[32], error[32];
  printf("  %-*s %9s  +- %s%s%s\n", LABEL, label, number(s.value, value), number(s.error, error),
         *what ? ", " : "", what);
}

static void print_simulated(const model_request *request, const dc_simulated *s) {
  char text[120];
  snprintf(text, sizeof text, "simulated: %llu %s, seed %llu; +- one standard error",
           (unsigned long long)s->replications,
           request->blocks  ? "grids"
           : request->warps ? "blocks"
                            : "warps",
           (unsigned long long)request->seed);
  heading(text);
  print_sampled("aggregate", s->aggregate, "");
  print_sampled("expected", s->expected, "");
  if (!request->warps && !request->blocks)
    print_sampled("variance", s->variance, "of the imbalance");
  print_sampled("longest lane", s->maximum, "");
  if (request->has_cost) {
    print_sampled("cycles of a warp", s->cycles, "");
    print_sampled("aggregate with cost", s->cost_aggregate, "");
    print_sampled("expected with cost", s->cost_expected, "");
  }
  const char *unit = request->has_cost ? "cycles" : "iterations";
  if (request->warps)
    print_sampled("block", s->block, unit);
  if (request->blocks) {
    print_sampled("grid", s->makespan, unit);
    print_sampled("efficiency of the grid", s->grid_efficiency, "");
  }
}

void model_print_text(const model_request *request, const model_figures *figures) {
  print_trips(request, figures);
  print_imbalance(request, figures);
  if (request->has_cost)
    print_cost(figures);
  if (figures->has_block)
    print_block(request, figures);
  if (figures->has_grid)
    print_grid(request, figures);
  print_what_if(figures);
  if (request->simulate)
    print_simulated(request, &figures->simulated);
}
