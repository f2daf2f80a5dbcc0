// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch of more blocks than there is room for, in the warps' own time, on a few SMs that stand
// for all. An SM takes blocks whenever one of its own ends: as many as find room for their warps,
// where warps of other blocks have ended, too, which it doesn't look at before
// (docs/lab/time.md#when-blocks-start). They begin some time later, and one after the other on the
// whole GPU. While blocks wait, what the warps ask for is the mean; then they end one by one.
#include "time/time_internal.h"

#include "divcost/random.h"

#include <math.h>
#include <stdlib.h>

#define SMS 4   // that stand for all
#define WAVES 8 // that are scheduled; of longer launches the rest is more of the same
#define SEED 0x77617665u

// By their cycles; share: of the warps that take no more.
typedef struct duration {
  double cycles, share;
} duration;

typedef struct ending {
  double at;
  unsigned sm;
} ending;

typedef struct heap { // the earliest first
  ending *of;
  uint32_t n;
} heap;

typedef struct schedule {
  const dc__launch *launch;
  const duration *list;
  double last;          // cycles by which a block's last warp ends after the longest
  uint32_t sms, blocks; // blocks: all
  uint32_t next;        // block that waits
  uint32_t early;       // a block, in the first wave where there are WAVES
  double began;         // of that block
  double begin;         // of the last block: till then warps are replaced
  double each;          // cycles from one block's begin to the next one's, at the least
  double cycles;        // of all warps
  heap ends;            // of blocks
  heap *warps;          // of each SM: those that run, and those that ended unnoticed
  unsigned *held;       // of each SM: blocks
  ending *room;         // of all heaps of warps
} schedule;

// ---- blocks -------------------------------------------------------------------------------------

static int compare_durations(const void *x, const void *y) {
  const duration *a = x, *b = y;
  return a->cycles < b->cycles ? -1 : a->cycles > b->cycles;
}

static void list_durations(const dc__launch *launch, duration *list) {
  double share = 0;
  for (uint32_t k = 0; k < launch->n_warps; ++k)
    list[k] = (duration){dc__warp_total(launch, k).cycles, launch->warps[k].weight};
  qsort(list, launch->n_warps, sizeof *list, compare_durations);
  for (uint32_t k = 0; k < launch->n_warps; ++k)
    list[k].share = share += list[k].share;
}

// `at`: the share of the warps that take no more.
static double warp_cycles(const schedule *s, double at) {
  uint32_t low = 0, high = s->launch->n_warps - 1;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (s->list[middle].share < at)
      low = middle + 1;
    else
      high = middle;
  }
  return s->list[low].cycles;
}

// The share of the warps that take no more than the longest of a block that so many blocks take no
// more than. In order, its warps take equally long.
static double longest_of(const schedule *s, double at) {
  return s->launch->grid->longest_first ? at : pow(at, 1.0 / s->launch->grid->warps);
}

// Numbers that fill 0 to 1 evenly: in no order, or from 1 down.
static double evenly(const dc__launch *launch, uint32_t k, uint32_t n) {
  double turns = (k + 0.5) * 0.6180339887498949;
  return launch->grid->longest_first ? 1 - (k + 0.5) / n : turns - floor(turns);
}

// ---- heaps --------------------------------------------------------------------------------------

static void push(heap *of, ending new) {
  uint32_t at = of->n++;
  for (; at > 0 && of->of[(at - 1) / 2].at > new.at; at = (at - 1) / 2)
    of->of[at] = of->of[(at - 1) / 2];
  of->of[at] = new;
}

static ending pop(heap *of) {
  ending first = of->of[0], moved = of->of[--of->n];
  uint32_t at = 0, child;
  while ((child = 2 * at + 1) < of->n) {
    child += child + 1 < of->n && of->of[child + 1].at < of->of[child].at;
    if (of->of[child].at >= moved.at)
      break;
    of->of[at] = of->of[child];
    at = child;
  }
  of->of[at] = moved;
  return first;
}

// ---- the schedule -------------------------------------------------------------------------------

static void start_block(schedule *s, unsigned sm, double asks) {
  const dc_time_grid *grid = s->launch->grid;
  double now = s->next > 0 ? fmax(asks, s->begin + s->each) : asks;
  uint32_t block = s->next++;
  double longest = longest_of(s, evenly(s->launch, block, s->blocks)), end = now;
  for (unsigned warp = 0; warp < grid->warps; ++warp) {
    double below = warp == 0 || grid->longest_first
                       ? 1
                       : dc_random_unit(SEED, (uint32_t[4]){block, warp, 0, 0});
    double cycles = warp_cycles(s, longest * below) + (warp == 0 ? s->last : 0);
    end = fmax(end, now + cycles);
    s->cycles += cycles;
    push(&s->warps[sm], (ending){now + cycles, sm});
  }
  push(&s->ends, (ending){end, sm});
  ++s->held[sm];
  s->begin = now;
  if (block == s->early)
    s->began = now;
}

// Blocks that find room when one has ended.
static void fill(schedule *s, unsigned sm, double now) {
  const dc_time_grid *grid = s->launch->grid;
  const dc_machine *machine = s->launch->machine;
  double later = machine->block_start + machine->block_start_warp * grid->warps;
  heap *warps = &s->warps[sm];
  while (warps->n > 0 && warps->of[0].at <= now)
    pop(warps);
  while (s->next < s->blocks && s->held[sm] < grid->most &&
         warps->n + grid->warps <= grid->resident * grid->warps)
    start_block(s, sm, now + later);
}

static void run(schedule *s) {
  for (unsigned k = 0; k < s->launch->grid->resident; ++k)
    for (unsigned sm = 0; sm < s->sms; ++sm)
      if (s->next < s->blocks)
        start_block(s, sm, 0);
  while (s->next < s->blocks) {
    ending block = pop(&s->ends);
    --s->held[block.sm];
    fill(s, block.sm, block.at);
  }
}

// ---- what they ask for --------------------------------------------------------------------------

// So many warps on an SM, of the launch's mean.
static void ask(const dc__launch *launch, double warps, double asked[DC_USE_COUNT]) {
  double blocks = warps * launch->machine->sms / launch->grid->warps;
  for (unsigned use = 0; use < DC_USE_COUNT; ++use)
    asked[use] = launch->mean.cycles > 0 ? launch->mean.use[use] / launch->mean.cycles *
                                               dc__warps_asking(launch, (dc_use)use, warps, blocks)
                                         : 0;
}

// Blocks as long as few are, of which the scheduled ones have none: of `all`, some that are begun
// at any time while blocks wait; the last of them ends then.
static double end_of_rare(const schedule *s, double begin, double all) {
  double end = 0, of_them = all / s->blocks / 2;
  while (of_them >= 0.5) {
    double cycles = warp_cycles(s, longest_of(s, 1 - of_them / all)) + s->last;
    end = fmax(end, begin * of_them / (of_them + 1) + cycles);
    of_them /= 2;
  }
  return end;
}

static int compare_endings(const void *x, const void *y) {
  const ending *a = x, *b = y;
  return a->at < b->at ? -1 : a->at > b->at;
}

// `more`: of the waves, those that aren't scheduled.
static void pass(schedule *s, double more, double waves, dc_time *out) {
  const dc__launch *launch = s->launch;
  double asked[DC_USE_COUNT], after = 0;
  heap *left = &s->warps[0];
  for (unsigned sm = 1; sm < s->sms; ++sm)
    for (uint32_t k = 0; k < s->warps[sm].n; ++k)
      left->of[left->n++] = s->warps[sm].of[k];
  for (uint32_t k = 0; k < left->n; ++k)
    after += fmax(left->of[k].at - s->begin, 0);
  double share = s->begin > 0 ? fmax(s->cycles - after, 0) / s->begin / s->sms : 0;
  double length = s->begin + more * (s->begin - s->began) / (WAVES - 1);
  ask(launch, share, asked);
  dc__pass_time(length, asked, DC_BOUND_LATENCY, out);
  double middle = out->cycles;
  qsort(left->of, left->n, sizeof *left->of, compare_endings);
  double now = s->begin;
  for (uint32_t k = 0; k < left->n; ++k) {
    if (left->of[k].at <= now)
      continue;
    ask(launch, (double)(left->n - k) / s->sms, asked);
    dc__pass_time(left->of[k].at - now, asked, DC_BOUND_TAIL, out);
    now = left->of[k].at;
  }
  double rare = end_of_rare(s, length, waves * launch->grid->resident * launch->machine->sms);
  const double nothing[DC_USE_COUNT] = {0};
  dc__pass_time(fmax(rare - (length + now - s->begin), 0), nothing, DC_BOUND_TAIL, out);
  // In the middle some places are empty, too, till their blocks begin.
  out->full =
      share > 0 ? fmin(middle * (1 + after / share / s->sms / length), out->cycles) : out->cycles;
}

// The first SM's heap has room for the warps of all, in the end.
static bool make_room(schedule *s) {
  const dc_time_grid *grid = s->launch->grid;
  size_t warps = (size_t)grid->resident * grid->warps;
  s->ends.of = malloc((size_t)s->sms * grid->most * sizeof *s->ends.of);
  s->held = calloc(s->sms, sizeof *s->held);
  s->warps = calloc(s->sms, sizeof *s->warps);
  s->room = malloc(2 * (size_t)s->sms * warps * sizeof *s->room);
  if (!s->ends.of || !s->held || !s->warps || !s->room)
    return false;
  for (unsigned sm = 0; sm < s->sms; ++sm)
    s->warps[sm].of = s->room + (sm ? (s->sms + sm - 1) * warps : 0);
  return true;
}

dc_status dc__time_in_waves(const dc__launch *launch, dc_time *out, dc_error *error) {
  unsigned sms = launch->machine->sms < SMS ? launch->machine->sms : SMS;
  double places = (double)launch->grid->resident * launch->machine->sms;
  double waves = (double)launch->grid->blocks / places;
  double scheduled = waves > WAVES ? WAVES + waves - floor(waves) : waves;
  duration *list = malloc((launch->n_warps + 1u) * sizeof *list);
  schedule s = {.launch = launch, .list = list, .sms = sms};
  s.each = launch->machine->block_each * launch->machine->sms / sms;
  s.blocks = (uint32_t)ceil(scheduled * launch->grid->resident * sms - 1e-6);
  s.early = (uint32_t)fmax(s.blocks - 1.0 - (WAVES - 1.0) * launch->grid->resident * sms, 0);
  s.last = dc__last_of(launch, launch->grid->warps);
  dc_status status = DC_OK;
  if (make_room(&s) && list) {
    list_durations(launch, list);
    run(&s);
    pass(&s, waves - scheduled, waves, out);
  } else {
    status = dc_fail(error, DC_ERROR_MEMORY, "out of memory for a launch's time");
  }
  free(list);
  free(s.ends.of);
  free(s.held);
  free(s.warps);
  free(s.room);
  return status;
}
