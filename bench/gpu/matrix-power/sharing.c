// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Time goes by in steps, in which the mean b is what it was at the begin. Within a step
// each multiprocessor goes from one warp's end to the next, exactly: all its warps do the same work
// in the same time, so that the lanes whose work is done on the way follow by division.
#include "sharing.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// Steps in an iteration of a full multiprocessor.
enum { STEPS = 4 };

typedef struct warp {
  double done;                        // work, in iterations
  double goal[SHARING_LANES];         // work until the lane's end, ascending
  double at[SHARING_LANES];           // when: by place in goal
  unsigned char group[SHARING_LANES]; // likewise
  double start;                       // when its clocks started; setup must be done
  bool started;
  unsigned lanes, next; // next: of the lanes that aren't done, the first in goal
} warp;

typedef struct multiprocessor {
  warp *warps;     // those of the first block's place, then of the next one's
  unsigned *left;  // by place: warps that have work left
  unsigned active; // all of them
} multiprocessor;

typedef struct simulation {
  const sharing *how;
  const int *counts;
  size_t blocks, next; // next: the first that hasn't been placed
  unsigned warps;      // of a block
  multiprocessor *all;
  double now, end;
  double x, longest, total;
  size_t groups;
} simulation;

// --- blocks come and go --------------------------------------------------------------------------

typedef struct lane {
  int count;
  unsigned group;
} lane;

static int by_count(const void *a, const void *b) {
  const lane *left = a, *right = b;
  return (left->count > right->count) - (left->count < right->count);
}

// What has to be done until each lane is done: iterations with as many lanes as have work left.
static void begin_warp(const simulation *of, warp *w, const int *counts, unsigned lanes) {
  lane sorted[SHARING_LANES];
  for (unsigned i = 0; i < lanes; ++i)
    sorted[i] = (lane){counts[i], i / of->how->lanes};
  qsort(sorted, lanes, sizeof *sorted, by_count);
  double work = of->how->setup;
  int before = 0;
  for (unsigned i = 0; i < lanes; ++i) {
    if (before == 0 && sorted[i].count > 0)
      work += of->how->first;
    work += (sorted[i].count - before) * of->how->work[lanes - i];
    before = sorted[i].count;
    w->goal[i] = work;
    w->group[i] = (unsigned char)sorted[i].group;
  }
  w->done = 0;
  w->next = 0;
  w->lanes = lanes;
  w->started = false;
}

static void begin_block(simulation *of, multiprocessor *m, unsigned place) {
  const sharing *how = of->how;
  const int *counts = &of->counts[of->next++ * how->block];
  for (unsigned i = 0; i < of->warps; ++i) {
    unsigned first = i * SHARING_LANES, left = how->block - first;
    begin_warp(of, &m->warps[place * of->warps + i], counts + first,
               left < SHARING_LANES ? left : SHARING_LANES);
  }
  m->left[place] = of->warps;
  m->active += of->warps;
}

// The times of a warp that is done, by group.
static void tally(simulation *of, const warp *w) {
  double longest[SHARING_LANES] = {0}, total[SHARING_LANES] = {0};
  unsigned groups = w->lanes / of->how->lanes;
  for (unsigned i = 0; i < w->lanes; ++i) {
    double time = w->at[i] - w->start + of->how->entry;
    longest[w->group[i]] = time; // they come in ascending order
    total[w->group[i]] += time;
  }
  for (unsigned g = 0; g < groups; ++g) {
    of->x += total[g] > 0 ? of->how->lanes * longest[g] / total[g] : 1;
    of->longest += longest[g];
    of->total += total[g];
  }
  of->groups += groups;
}

// --- time goes by --------------------------------------------------------------------------------

// The warp does `work` from the time `from` on, at `cycles` for each unit; whether it is done then.
static bool advance_warp(const simulation *of, warp *w, double work, double from, double cycles) {
  double until = w->done + work;
  if (!w->started && of->how->setup <= until) {
    w->start = from + (of->how->setup - w->done) * cycles;
    w->started = true;
  }
  for (; w->next < w->lanes && w->goal[w->next] <= until; ++w->next)
    w->at[w->next] = from + (w->goal[w->next] - w->done) * cycles;
  w->done = until;
  return w->next == w->lanes;
}

static double least_left(const simulation *of, const multiprocessor *m) {
  double least = -1;
  for (unsigned i = 0; i < of->how->resident * of->warps; ++i) {
    const warp *w = &m->warps[i];
    if (w->next == w->lanes)
      continue;
    double left = w->goal[w->lanes - 1] - w->done;
    if (least < 0 || left < least)
      least = left;
  }
  return least;
}

static void advance_warps(simulation *of, multiprocessor *m, double work, double from,
                          double cycles) {
  for (unsigned i = 0; i < of->how->resident * of->warps; ++i) {
    warp *w = &m->warps[i];
    if (w->next < w->lanes && advance_warp(of, w, work, from, cycles)) {
      tally(of, w);
      --m->left[i / of->warps];
      --m->active;
    }
  }
  for (unsigned place = 0; place < of->how->resident; ++place)
    if (m->left[place] == 0 && of->next < of->blocks)
      begin_block(of, m, place);
}

static void advance(simulation *of, multiprocessor *m, const double *cycles, double step) {
  double from = of->now, until = from + step;
  while (m->active > 0 && from < until) {
    double each = cycles[m->active], least = least_left(of, m);
    // One warp's end may be a hair off by rounding: a little more gets it done.
    double work = least + 1e-12 * (1 + least);
    if (work * each > until - from)
      work = (until - from) / each;
    advance_warps(of, m, work, from, each);
    from += work * each;
    if (m->active == 0 && from > of->end)
      of->end = from;
  }
}

// What iterations take, by active warps, with all multiprocessors as busy as they are now.
static void choose_row(const simulation *of, double row[SHARING_WARPS + 1]) {
  const sharing *how = of->how;
  double active = 0;
  for (unsigned m = 0; m < how->multiprocessors; ++m)
    active += of->all[m].active;
  active /= how->multiprocessors;
  unsigned below = (unsigned)active, above = below < SHARING_WARPS ? below + 1 : below;
  for (unsigned w = 0; w <= SHARING_WARPS; ++w)
    row[w] =
        how->cycles[below][w] + (active - below) * (how->cycles[above][w] - how->cycles[below][w]);
}

static void simulate(simulation *of) {
  unsigned full = of->how->resident * of->warps;
  double step = of->how->cycles[full][full] / STEPS, row[SHARING_WARPS + 1];
  for (unsigned p = 0; p < of->how->resident; ++p)
    for (unsigned m = 0; m < of->how->multiprocessors; ++m)
      if (of->next < of->blocks)
        begin_block(of, &of->all[m], p);
  for (bool busy = true; busy; of->now += step) {
    busy = false;
    choose_row(of, row);
    for (unsigned m = 0; m < of->how->multiprocessors; ++m) {
      advance(of, &of->all[m], row, step);
      busy = busy || of->all[m].active > 0;
    }
  }
}

// --- the call ------------------------------------------------------------------------------------

static dc_status check(const sharing *how, const int *counts, size_t threads, dc_error *error) {
  unsigned warps = (how->block + SHARING_LANES - 1) / SHARING_LANES;
  if (how->multiprocessors == 0 || how->resident == 0 || how->block == 0 ||
      (size_t)how->resident * warps > SHARING_WARPS)
    return dc_fail(error, DC_ERROR_ARGUMENT,
                   "%u blocks of %u threads on %u multiprocessors: 1 .. %d warps on each",
                   how->resident, how->block, how->multiprocessors, SHARING_WARPS);
  if (how->lanes == 0 || SHARING_LANES % how->lanes != 0 || how->block % how->lanes != 0)
    return dc_fail(error, DC_ERROR_ARGUMENT, "groups of %u lanes don't fill blocks of %u threads",
                   how->lanes, how->block);
  if (threads == 0 || threads % how->block != 0)
    return dc_fail(error, DC_ERROR_ARGUMENT, "%zu threads aren't blocks of %u", threads,
                   how->block);
  for (unsigned b = 0; b <= SHARING_WARPS; ++b)
    for (unsigned w = 1; w <= how->resident * warps; ++w)
      if (!(how->cycles[b][w] > 0))
        return dc_fail(error, DC_ERROR_ARGUMENT,
                       "cycles of an iteration, %u warps among %u: %g, not positive", w, b,
                       how->cycles[b][w]);
  for (size_t i = 0; i < threads; ++i)
    if (counts[i] < 0)
      return dc_fail(error, DC_ERROR_ARGUMENT, "count %zu is %d, below 0", i, counts[i]);
  return DC_OK;
}

dc_status sharing_simulate(const sharing *how, const int *counts, size_t threads,
                           shared_time *result, dc_error *error) {
  dc_status status = check(how, counts, threads, error);
  if (status != DC_OK)
    return status;
  unsigned warps = (how->block + SHARING_LANES - 1) / SHARING_LANES;
  simulation of = {.how = how, .counts = counts, .blocks = threads / how->block, .warps = warps};
  size_t places = (size_t)how->multiprocessors * how->resident;
  of.all = calloc(how->multiprocessors, sizeof *of.all);
  warp *all_warps = calloc(places ? places : 1, warps * sizeof *all_warps);
  unsigned *left = calloc(places ? places : 1, sizeof *left);
  if (of.all && all_warps && left) {
    for (unsigned m = 0; m < how->multiprocessors; ++m)
      of.all[m] = (multiprocessor){all_warps + (size_t)m * how->resident * warps,
                                   left + (size_t)m * how->resident, 0};
    simulate(&of);
    *result = (shared_time){.expected = of.x / (double)of.groups,
                            .aggregate = of.total > 0 ? how->lanes * of.longest / of.total : 1,
                            .lane = of.total / (double)threads,
                            .cycles = of.end};
  } else
    status = dc_fail(error, DC_ERROR_MEMORY, "out of memory");
  free(of.all);
  free(all_warps);
  free(left);
  return status;
}
