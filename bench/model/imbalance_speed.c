// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How fast the library computes the imbalance of a warp, and how exactly, beside the paper's
// algorithm written plainly and compiled alike; and how the time grows with the support.
#include "divcost/imbalance_pmf.h"
#include "plain_imbalance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LANES 32u

static void check(dc_status status, const dc_error *error) {
  if (status == DC_OK)
    return;
  fprintf(stderr, "imbalance-speed: %s\n", error->text);
  exit(1);
}

static dc_distribution make(const char *text, double cut) {
  dc_error error;
  const dc_distribution_options options = {.cut = cut};
  dc_distribution distribution;
  check(dc_distribution_from_text(text, &options, &distribution, &error), &error);
  return distribution;
}

// ---- what is measured --------------------------------------------------------------------------

typedef struct question {
  const dc_distribution *distribution;
  dc_pmf_method method;
  double mean;
  dc_moments moments;
  dc_imbalance_pmf pmf;
} question;

static void ask_mean(question *q) {
  dc_error error;
  check(dc_expected_imbalance(q->distribution, LANES, &q->mean, &error), &error);
}

static void ask_moments(question *q) {
  dc_error error;
  check(dc_imbalance_moments(q->distribution, LANES, &q->moments, &error), &error);
}

static void ask_pmf(question *q) {
  dc_error error;
  dc_imbalance_pmf_free(&q->pmf);
  check(dc_imbalance_pmf_build(q->distribution, LANES, q->method, &q->pmf, &error), &error);
}

// Seconds for one call: the best of five runs of about patience seconds together.
static double time_of(void (*ask)(question *), question *q, double patience) {
  double best = HUGE_VAL;
  unsigned calls = 1;
  for (int run = 0; run < 5;) {
    double start = seconds_now();
    for (unsigned i = 0; i < calls; ++i)
      ask(q);
    double passed = seconds_now() - start;
    if (passed < patience / 5 && calls < 1u << 30) { // so that looking at the clock is nothing
      calls *= 2;
      continue;
    }
    best = fmin(best, passed / calls);
    ++run;
  }
  return best;
}

// The best of at most five runs that together take about as long as patience says.
static plain_result plain_of(const dc_distribution *d, double patience) {
  double start = seconds_now();
  plain_result best = plain_imbalance(d, LANES);
  for (int run = 1; run < 5 && seconds_now() - start < patience; ++run) {
    plain_result result = plain_imbalance(d, LANES);
    best.mean_seconds = fmin(best.mean_seconds, result.mean_seconds);
    best.whole_seconds = fmin(best.whole_seconds, result.whole_seconds);
  }
  return best;
}

// The moments with the digits of the method that has only positive terms.
static dc_moments exact_moments(const dc_distribution *d) {
  question q = {.distribution = d, .method = DC_PMF_POWERS};
  ask_pmf(&q);
  dc_moments m = dc_imbalance_pmf_moments(&q.pmf);
  dc_imbalance_pmf_free(&q.pmf);
  return m;
}

// ---- against the plain algorithm ---------------------------------------------------------------

static void compare(const char *text, double patience) {
  dc_distribution made = make(text, DC_CUT_PAPER);
  const dc_distribution *d = &made;
  question q = {.distribution = d};
  double mean = time_of(ask_mean, &q, patience), both = time_of(ask_moments, &q, patience);
  double whole = time_of(ask_pmf, &q, patience);
  dc_moments exact = exact_moments(d);
  plain_result plain = plain_of(d, patience);
  printf("%-17s %5zu  %10.4g %10.3g %10.3g %9.3g   %8.1e %8.1e   %10.4g %10.3g %9.3g\n", text,
         d->count, plain.mean_seconds, mean, both, plain.mean_seconds / mean,
         fabs(q.mean / exact.mean - 1), fabs(q.moments.square / exact.square - 1),
         plain.whole_seconds, whole, plain.whole_seconds / whole);
  fflush(stdout);
  if (fabs(plain.mean / exact.mean - 1) > 1e-11 || fabs(plain.total - 1) > 1e-9 ||
      fabs(q.mean / exact.mean - 1) > 1e-12 || fabs(q.moments.square / exact.square - 1) > 1e-12) {
    fprintf(stderr, "imbalance-speed: the results for %s differ\n", text);
    exit(1);
  }
  dc_imbalance_pmf_free(&q.pmf);
  dc_distribution_free(&made);
}

static void compare_all(bool smoke) {
  printf("%u lanes, cut at 1e-6 as in the paper. Times in seconds of one processor. Error of the "
         "mean and of\n"
         "E[(X-1)^2]: relative, against the exact pmf by the method of powers.\n\n"
         "                  values  plain mean       mean  + E[(X-1)^2]  ratio    error of each   "
         "  plain pmf        pmf     ratio\n",
         LANES);
  static const char *const texts[] = {"uniform(20,40)", "binomial(40,0.5)", "poisson(30)",
                                      "negbin(5,0.3)",  "geometric(0.05)",  "uniform(1,1000)"};
  for (size_t i = 0; i < (smoke ? 1 : 6); ++i)
    compare(texts[i], smoke ? 0.001 : 0.2);
}

// ---- growth ------------------------------------------------------------------------------------

#define PLOT_ROWS 20
#define PLOT_COLUMNS 61

// Times over values, both on a logarithmic scale: 10 to 10^6 values, 10^-7 to 10^3 s.
typedef struct plot {
  char mark[PLOT_ROWS][PLOT_COLUMNS + 1];
} plot;

static void plot_add(plot *p, double values, double seconds, char mark) {
  int column = (int)lround((log10(values) - 1) * (PLOT_COLUMNS - 1) / 5);
  int row = (int)lround((3 - log10(seconds)) * (PLOT_ROWS - 1) / 10);
  if (row >= 0 && row < PLOT_ROWS && column >= 0 && column < PLOT_COLUMNS)
    p->mark[row][column] = mark;
}

static void plot_print(const plot *p) {
  printf("\n  time [s]: m mean, v mean and E[(X-1)^2], p whole pmf, # the plain algorithm\n");
  for (int row = 0; row < PLOT_ROWS; ++row) {
    double power = 3 - row * 10.0 / (PLOT_ROWS - 1);
    bool label = row % 4 == 0 || row == PLOT_ROWS - 1;
    if (label)
      printf("  1e%+05.1f |%s\n", power, p->mark[row]);
    else
      printf("          |%s\n", p->mark[row]);
  }
  printf("          +");
  for (int column = 0; column < PLOT_COLUMNS; ++column)
    putchar(column % 12 == 0 ? '+' : '-');
  printf("\n           10          100         1000        10^4        10^5        10^6  values\n");
}

static void growth(bool smoke) {
  static const int values[] = {10,   20,    50,    100,   200,    500,    1000,   2000,
                               5000, 10000, 20000, 50000, 100000, 200000, 500000, 1000000};
  plot p;
  memset(&p, ' ', sizeof p);
  for (int row = 0; row < PLOT_ROWS; ++row)
    p.mark[row][PLOT_COLUMNS] = 0;
  printf(
      "\nGrowth with the support, uniform(1,M):\n\n"
      "       M     mean [s]  ns a value   moments [s]  ns a value      pmf [s]  ns a cell  plain "
      "mean [s]\n");
  for (size_t i = 0; i < (smoke ? 3 : sizeof values / sizeof *values); ++i) {
    int m = values[i];
    char text[64];
    snprintf(text, sizeof text, "uniform(1,%d)", m);
    dc_distribution made = make(text, DC_CUT_DEFAULT);
    question q = {.distribution = &made};
    double patience = smoke ? 0.001 : 0.05, mean = time_of(ask_mean, &q, patience);
    double both = time_of(ask_moments, &q, patience);
    plot_add(&p, m, mean, 'm');
    plot_add(&p, m, both, 'v');
    printf("%8d  %11.3g %11.3g %13.3g %11.3g", m, mean, mean / m * 1e9, both, both / m * 1e9);
    if (m <= 2000) {
      double whole = time_of(ask_pmf, &q, patience);
      plot_add(&p, m, whole, 'p');
      printf(" %12.3g %10.3g", whole, whole / (double)q.pmf.row[q.pmf.rows].begin * 1e9);
      dc_imbalance_pmf_free(&q.pmf);
    }
    if (m <= 200) {
      double plain = plain_of(&made, patience).mean_seconds;
      plot_add(&p, m, plain, '#');
      printf(" %16.3g", plain);
    }
    putchar('\n');
    fflush(stdout);
    dc_distribution_free(&made);
  }
  plot_print(&p);
}

static const char help[] =
    "usage: imbalance-speed [--compare | --growth | --smoke]\n"
    "\n"
    "Measures how fast libdivcost computes the imbalance of a warp's 32 lanes.\n"
    "  --compare  against the paper's algorithm written plainly: about a minute\n"
    "  --growth   how the time grows with the number of values: a table and a plot\n"
    "  --smoke    the smallest cases of both, to see that they work\n"
    "Without an option, --compare and --growth.\n";

int main(int argc, char **argv) {
  const char *option = argc > 1 ? argv[1] : "";
  bool compared = strcmp(option, "--compare") == 0, grown = strcmp(option, "--growth") == 0;
  bool smoke = strcmp(option, "--smoke") == 0;
  if (argc > 2 || (argc == 2 && !compared && !grown && !smoke)) {
    bool asked = strcmp(option, "--help") == 0;
    fputs(help, asked ? stdout : stderr);
    return asked ? 0 : 2;
  }
  if (!grown)
    compare_all(smoke);
  if (!compared)
    growth(smoke);
  return 0;
}
