// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch of more blocks than there is room for. Places on the SMs take the next block as soon as
// theirs ends: list scheduling, in the blocks' own time, of a sample of places. While blocks wait
// all places are taken, and what the warps ask for is the mean; then they end one after the other.
#include "time/time_internal.h"

#include <math.h>
#include <stdlib.h>

#define PLACES 256 // that stand for all
#define WAVES 16   // that are scheduled; of longer launches the rest is more of the same

// By their cycles; share: of the warps that take no more.
typedef struct duration {
  double cycles, share;
} duration;

static int compare_durations(const void *x, const void *y) {
  const duration *a = x, *b = y;
  return a->cycles < b->cycles ? -1 : a->cycles > b->cycles;
}

static int compare_ends(const void *x, const void *y) {
  const double *a = x, *b = y;
  return *a < *b ? -1 : *a > *b;
}

static void list_durations(const dc__launch *launch, duration *list) {
  double share = 0;
  for (uint32_t k = 0; k < launch->n_warps; ++k)
    list[k] = (duration){dc__warp_total(launch, k).cycles, launch->warps[k].weight};
  qsort(list, launch->n_warps, sizeof *list, compare_durations);
  for (uint32_t k = 0; k < launch->n_warps; ++k)
    list[k].share = share += list[k].share;
}

// A block takes as long as its longest warp; `at`: the share of the blocks that take no more. In
// order, its warps take equally long.
static double block_cycles(const dc__launch *launch, const duration *list, double at) {
  double share = launch->grid->longest_first ? at : pow(at, 1.0 / launch->grid->warps);
  uint32_t low = 0, high = launch->n_warps - 1;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (list[middle].share < share)
      low = middle + 1;
    else
      high = middle;
  }
  return list[low].cycles;
}

// The place that is free first takes a block.
static void sift(double *heap, uint32_t n) {
  double top = heap[0];
  uint32_t at = 0, child;
  while ((child = 2 * at + 1) < n) {
    child += child + 1 < n && heap[child + 1] < heap[child];
    if (heap[child] >= top)
      break;
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = top;
}

typedef struct schedule {
  double begin;  // of the last block: till then all places are taken
  double *ends;  // of each place, in order
  uint32_t n;    // places
  double cycles; // of a block, mean
} schedule;

// Numbers that fill 0 to 1 evenly: in no order, or from 1 down.
static double evenly(const dc__launch *launch, uint32_t k, uint32_t n) {
  double turns = (k + 0.5) * 0.6180339887498949;
  return launch->grid->longest_first ? 1 - (k + 0.5) / n : turns - floor(turns);
}

static void assign(const dc__launch *launch, const duration *list, double waves, schedule *out) {
  uint32_t blocks = (uint32_t)(waves * out->n + 0.5);
  double sum = 0, last = dc__last_of(launch, launch->grid->warps);
  for (uint32_t k = 0; k < blocks; ++k) {
    double cycles = block_cycles(launch, list, evenly(launch, k, blocks)) + last;
    sum += cycles;
    if (k < out->n) { // a heap is wanted when all have one
      out->ends[k] = cycles;
      if (k + 1 == out->n)
        qsort(out->ends, out->n, sizeof *out->ends, compare_ends);
    } else {
      out->begin = out->ends[0];
      out->ends[0] += cycles;
      sift(out->ends, out->n);
    }
  }
  out->cycles = sum / blocks;
  qsort(out->ends, out->n, sizeof *out->ends, compare_ends);
}

static void ask(const dc__launch *launch, double places, double share, double block,
                double asked[DC_USE_COUNT]) {
  double warps = share * launch->grid->resident * launch->grid->warps;
  for (unsigned use = 0; use < DC_USE_COUNT; ++use)
    asked[use] = block > 0 ? launch->mean.use[use] / block *
                                 dc__warps_asking(launch, (dc_use)use, warps, share * places)
                           : 0;
}

static void pass(const dc__launch *launch, const schedule *plan, double more, dc_time *out) {
  double places = (double)launch->grid->resident * launch->machine->sms, asked[DC_USE_COUNT];
  ask(launch, places, 1, plan->cycles, asked);
  dc__pass_time(plan->begin + more, asked, DC_BOUND_LATENCY, out);
  double now = plan->begin;
  for (uint32_t k = 0; k < plan->n; ++k) {
    if (plan->ends[k] <= now)
      continue;
    ask(launch, places, (double)(plan->n - k) / plan->n, plan->cycles, asked);
    dc__pass_time(plan->ends[k] - now, asked, DC_BOUND_TAIL, out);
    now = plan->ends[k];
  }
}

dc_status dc__time_in_waves(const dc__launch *launch, dc_time *out, dc_error *error) {
  double places = (double)launch->grid->resident * launch->machine->sms;
  double waves = (double)launch->grid->blocks / places;
  double scheduled = waves > WAVES ? WAVES + waves - floor(waves) : waves;
  duration *list = malloc((launch->n_warps + 1u) * sizeof *list);
  schedule plan = {.ends = calloc(PLACES, sizeof *plan.ends),
                   .n = places < PLACES ? (uint32_t)places : PLACES};
  dc_status status = DC_OK;
  if (list && plan.ends) {
    list_durations(launch, list);
    assign(launch, list, scheduled, &plan);
    pass(launch, &plan, (waves - scheduled) * plan.cycles, out);
  } else {
    status = dc_fail(error, DC_ERROR_MEMORY, "out of memory for a launch's time");
  }
  free(list);
  free(plan.ends);
  return status;
}
