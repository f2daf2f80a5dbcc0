// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What was measured, for people: kernels by the time in which their lanes idle or their accesses
// take more than they need, and in each the places.
#include "profile/measured_print.h"

#include "profile/profile.h"

#include "command.h"
#include "profile/demangle.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define SHOWN 0.01        // share of a kernel's lane-slots
#define SHOWN_EXCESS 0.05 // and of what its accesses take

typedef struct ranked {
  uint32_t number;
  double weight;
} ranked;

static int by_weight(const void *x, const void *y) {
  const ranked *a = x, *b = y;
  if (a->weight != b->weight)
    return a->weight > b->weight ? -1 : 1;
  return a->number < b->number ? -1 : 1;
}

static const char *plural(double count) { return count == 1 ? "" : "s"; }

static void print_time(double seconds) {
  if (seconds >= 1)
    printf("%.3g s", seconds);
  else if (seconds >= 1e-3)
    printf("%.3g ms", 1e3 * seconds);
  else
    printf("%.3g us", 1e6 * seconds);
}

double per(double part, double all) { return all > 0 ? part / all : 0; }

// A line of the source, and the worst site at it.
typedef struct line_sum {
  double idle;
  uint32_t site, n_sites;
} line_sum;

// The line that a site stands at, innermost of the calls; n_lines: it has none.
static uint32_t line_of(const dc_measured *measured, const dc_measured_kernel *kernel,
                        const dc_site *site) {
  return site->n_main_lines ? kernel->site_lines[site->first_line + site->n_main_lines - 1]
                            : measured->n_lines;
}

static void sum_lines(const dc_measured *measured, const dc_measured_kernel *kernel,
                      line_sum *sums) {
  for (uint32_t k = 1; k < kernel->n_sites; ++k) {
    const dc_site *site = &kernel->sites[k];
    line_sum *sum = &sums[line_of(measured, kernel, site)];
    if (site->idle <= 0)
      continue;
    if (sum->n_sites++ == 0 || site->idle > kernel->sites[sum->site].idle)
      sum->site = k;
    sum->idle += site->idle;
  }
}

// Files may have anything in them; a terminal gets no control characters.
static void print_plain(const char *text) {
  for (; *text; ++text)
    putchar((unsigned char)*text < 0x20 || *text == 0x7f ? '?' : *text);
}

void print_line(const dc_measured_line *line) {
  print_plain(path_from_here(line->file));
  printf(":%" PRIu32 "%s", line->line, *line->text ? ": " : "");
  print_plain(line->text);
  putchar('\n');
}

// What the worst of the machine's jumps there is, and which calls lead to it.
static void print_site(const dc_measured *measured, const dc_measured_kernel *kernel,
                       const line_sum *sum) {
  const dc_site *site = &kernel->sites[sum->site];
  for (uint32_t k = site->n_main_lines; k-- > 1;) {
    printf("         in ");
    print_line(&measured->lines[kernel->site_lines[site->first_line + k - 1]]);
  }
  printf("         ");
  if (sum->n_sites > 1)
    printf("%" PRIu32 " jumps of the machine code, the worst is ", sum->n_sites);
  if (site->kind == DC_SITE_LOOP)
    printf(
        "a loop: %.0f warps enter it with %.1f lanes, and repeat it %.1f times with %.1f lanes\n",
        site->warps, per(site->lanes, site->warps), per(site->iterations, site->warps),
        per(site->lane_iterations, site->iterations));
  else
    printf("a branch: %.0f warp%s to it with %.1f lanes\n", site->warps,
           site->warps == 1 ? " comes" : "s come", per(site->lanes, site->warps));
}

static double print_share(const dc_measured_kernel *kernel, double idle, const char *words) {
  double share = dc_measured_share(kernel, idle);
  if (share < SHOWN)
    return share;
  printf("  %5.1f%%  %s", 100 * share, words);
  return 0;
}

static bool print_sites(const dc_measured *measured, const dc_measured_kernel *kernel) {
  line_sum *sums = calloc((size_t)measured->n_lines + 1, sizeof *sums);
  ranked *order = malloc(((size_t)measured->n_lines + 1) * sizeof *order);
  bool good = sums && order;
  uint32_t n = 0;
  double rest = 0;
  if (good) {
    sum_lines(measured, kernel, sums);
    for (uint32_t k = 0; k <= measured->n_lines; ++k)
      if (sums[k].idle > 0)
        order[n++] = (ranked){k, sums[k].idle};
    qsort(order, n, sizeof *order, by_weight);
  }
  for (uint32_t k = 0; good && k < n; ++k) {
    uint32_t line = order[k].number;
    double left = print_share(kernel, order[k].weight, "");
    rest += left;
    if (left > 0)
      continue;
    if (line < measured->n_lines)
      print_line(&measured->lines[line]);
    else
      puts("in code without lines");
    print_site(measured, kernel, &sums[line]);
  }
  if (good) {
    rest += print_share(kernel, kernel->sites[0].idle,
                        "from the kernel's start: warps that aren't full\n");
    rest += print_share(kernel, kernel->untold,
                        "where the machine code doesn't tell at what the lanes left\n");
    if (rest >= SHOWN / 10)
      printf("  %5.1f%%  in places with less than %.0f%% each\n", 100 * rest, 100 * SHOWN);
  }
  free(sums);
  free(order);
  return good;
}

static bool print_name(const dc_measured_kernel *kernel) {
  char *name = demangled_name(kernel->symbol);
  if (name)
    print_plain(name);
  free(name);
  return name;
}

static bool print_kernel(const dc_measured *measured, const dc_measured_kernel *kernel,
                         double seconds) {
  putchar('\n');
  if (!print_name(kernel))
    return false;
  printf("\n  %" PRIu64 " launch%s", kernel->launches, kernel->launches == 1 ? "" : "es");
  if (kernel->seconds >= 0) {
    printf(", ");
    print_time(kernel->seconds);
    printf(", %.1f%% of the time", 100 * per(kernel->seconds, seconds));
  }
  printf("; %.1f%% of the lane-slots idle (SIMT efficiency %.1f%%)\n",
         100 * (1 - dc_measured_efficiency(kernel)), 100 * dc_measured_efficiency(kernel));
  return print_sites(measured, kernel) && print_uses(measured, kernel);
}

// A kernel that loses next to nothing: a line.
static bool print_harmless(const dc_measured_kernel *kernel, double seconds) {
  if (seconds > 0 && kernel->seconds >= 0)
    printf("  %5.1f%% of the time  ", 100 * per(kernel->seconds, seconds));
  else
    printf("  ");
  bool good = print_name(kernel);
  dc_instruction_use use = dc_measured_use(kernel);
  dc_wait wait = main_wait(&use);
  if (wait != DC_WAIT_SELECTED)
    printf(", its warps wait most for %s (%s, %.0f%%)", dc_wait_words(wait), dc_wait_name(wait),
           100 * use.samples[wait] / dc_instruction_samples(&use));
  putchar('\n');
  return good;
}

// The largest share of anything that a kernel loses.
static double lost_share(const dc_measured_kernel *kernel) {
  double lanes = 1 - dc_measured_efficiency(kernel);
  double excess =
      fmax(excess_share(kernel, DC_TRAFFIC_GLOBAL), excess_share(kernel, DC_TRAFFIC_SHARED));
  return fmax(lanes >= SHOWN ? lanes : 0, excess >= SHOWN_EXCESS ? excess : 0);
}

// Those that lose something, then, by their time, those that don't.
static void rank(const dc_measured *measured, ranked *order, uint32_t *n_losing) {
  uint32_t n = 0;
  for (int harmless = 0; harmless < 2; ++harmless) {
    uint32_t first = n;
    for (uint32_t k = 0; k < measured->n_kernels; ++k) {
      const dc_measured_kernel *kernel = &measured->kernels[k];
      double time = measured->seconds > 0 ? kernel->seconds : kernel->warps;
      double lost = lost_share(kernel);
      if ((lost == 0) == harmless)
        order[n++] = (ranked){k, fmax(time, 0) * (harmless ? 1 : lost)};
    }
    qsort(order + first, n - first, sizeof *order, by_weight);
    if (!harmless)
      *n_losing = n;
  }
}

static void print_heading(const dc_measured *measured) {
  printf("%" PRIu32 " kernel%s", measured->n_kernels, plural(measured->n_kernels));
  if (measured->seconds > 0) {
    printf(", ");
    print_time(measured->seconds);
  }
  putchar('\n');
}

int measured_show_text(const dc_measured *measured) {
  ranked *order = malloc(((size_t)measured->n_kernels + 1) * sizeof *order);
  uint32_t n = measured->n_kernels, n_losing = 0;
  bool good = order;
  if (good) {
    rank(measured, order, &n_losing);
    print_heading(measured);
  }
  for (uint32_t k = 0; good && k < n_losing; ++k)
    good = print_kernel(measured, &measured->kernels[order[k].number], measured->seconds);
  if (good && n_losing < n)
    printf("\n%" PRIu32
           " kernel%s that lose%s next to nothing (less than %.0f%% of the lane-slots idle)\n",
           n - n_losing, plural(n - n_losing), n - n_losing == 1 ? "s" : "", 100 * SHOWN);
  for (uint32_t k = n_losing; good && k < n; ++k)
    good = print_harmless(&measured->kernels[order[k].number], measured->seconds);
  free(order);
  return good ? 0 : command_fail(NULL, "out of memory");
}
