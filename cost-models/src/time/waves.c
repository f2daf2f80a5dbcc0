// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch of more blocks than there is room for, on a few SMs that stand for all. An SM takes
// blocks whenever one of its own ends: as many as find room for their warps, where warps of other
// blocks have ended, too, which it doesn't look at before (docs/lab/time.md#when-blocks-start).
// They begin some time later, and one after the other on the whole GPU. Warps that run are slowed
// alike by what all of them ask for; blocks' beginnings aren't.
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

typedef struct ending { // of a warp
  double at;            // in the warps' own time
  uint32_t block;
} ending;

typedef struct heap { // the earliest first
  ending *of;
  uint32_t n;
} heap;

typedef struct block {
  double begins;
  unsigned sm, left; // warps that run
} block;

typedef struct sm {
  unsigned blocks, runs; // warps that run, or will
  unsigned taken;        // places of warps: of those, and of those that ended unnoticed
} sm;

typedef struct progress {
  dc_time time;
  double own, work; // the warps' own time; what they did in it, all together
} progress;

typedef struct schedule {
  const dc__launch *launch;
  const duration *list;
  double last;     // cycles by which a block's last warp ends after the longest
  double later;    // cycles from when a block finds room to when it begins, at the least
  double each;     // from one block's beginning to the next one's, at the least
  uint32_t sms, n; // n: blocks
  uint32_t placed, coming, begun, ended; // coming: those that begin within `later`, and before
  double all;                            // of the warps that began, in their own time
  progress passed;
  block *blocks;
  sm *of_sm;
  heap warps; // that run
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

// The next block finds room.
static void place_block(schedule *s, unsigned sm, double later) {
  const unsigned warps = s->launch->grid->warps;
  uint32_t k = s->placed++;
  double begins = s->passed.time.cycles + later;
  s->blocks[k] = (block){k > 0 ? fmax(begins, s->blocks[k - 1].begins + s->each) : 0, sm, warps};
  ++s->of_sm[sm].blocks;
  s->of_sm[sm].runs += warps;
  s->of_sm[sm].taken += warps;
}

static void begin_block(schedule *s) {
  const dc_time_grid *grid = s->launch->grid;
  uint32_t k = s->begun++;
  double longest = longest_of(s, evenly(s->launch, k, s->n));
  for (unsigned warp = 0; warp < grid->warps; ++warp) {
    double below =
        warp == 0 || grid->longest_first ? 1 : dc_random_unit(SEED, (uint32_t[4]){k, warp, 0, 0});
    double cycles = warp_cycles(s, longest * below) + (warp == 0 ? s->last : 0);
    s->all += cycles;
    push(&s->warps, (ending){s->passed.own + cycles, k});
  }
}

// Blocks that find room when one has ended.
static void fill(schedule *s, unsigned at) {
  const dc_time_grid *grid = s->launch->grid;
  sm *of = &s->of_sm[at];
  of->taken = of->runs;
  while (s->placed < s->n && of->blocks < grid->most &&
         of->taken + grid->warps <= grid->resident * grid->warps)
    place_block(s, at, s->later);
}

static void end_warp(schedule *s) {
  block *of = &s->blocks[pop(&s->warps).block];
  --s->of_sm[of->sm].runs;
  if (--of->left > 0)
    return;
  ++s->ended;
  --s->of_sm[of->sm].blocks;
  fill(s, of->sm);
}

// So many warps on an SM, of the launch's mean.
static void ask(const dc__launch *launch, double warps, double asked[DC_USE_COUNT]) {
  double blocks = warps * launch->machine->sms / launch->grid->warps;
  for (unsigned use = 0; use < DC_USE_COUNT; ++use)
    asked[use] = launch->mean.cycles > 0 ? launch->mean.use[use] / launch->mean.cycles *
                                               dc__warps_asking(launch, (dc_use)use, warps, blocks)
                                         : 0;
}

// The share of a wait that places are to blame for which stand empty, not even for a block that is
// about to begin: all of it from half of them on.
static double blame_of_empty(schedule *s) {
  s->coming = s->coming > s->begun ? s->coming : s->begun;
  while (s->coming < s->placed && s->blocks[s->coming].begins <= s->passed.time.cycles + s->later)
    ++s->coming;
  double places = (double)s->launch->grid->resident * s->sms;
  return fmin(fmax(2 - 2 * (s->coming - s->ended) / places, 0), 1);
}

// Until the next block begins or the next warp ends.
static void pass(schedule *s) {
  double warps = s->warps.n, asked[DC_USE_COUNT];
  ask(s->launch, warps / s->sms, asked);
  double slowed = dc__slowdown(asked),
         length = s->warps.n > 0 ? s->warps.of[0].at - s->passed.own : INFINITY;
  bool begins =
      s->begun < s->placed && s->blocks[s->begun].begins <= s->passed.time.cycles + length * slowed;
  if (begins)
    length = fmax(s->blocks[s->begun].begins - s->passed.time.cycles, 0) / slowed;
  double empty = blame_of_empty(s);
  dc__pass_time(length * empty, asked, DC_BOUND_TAIL, &s->passed.time);
  dc__pass_time(length * (1 - empty), asked, DC_BOUND_LATENCY, &s->passed.time);
  s->passed.own += length;
  s->passed.work += length * warps;
  if (begins)
    begin_block(s);
  else
    end_warp(s);
}

// Till so many blocks have begun.
static void run_until(schedule *s, uint32_t begun) {
  while (s->begun < begun)
    pass(s);
}

// What passed from one moment to another, so many times more.
static void repeat(progress *of, const progress *from, const progress *to, double times) {
  of->own += (to->own - from->own) * times;
  of->work += (to->work - from->work) * times;
  of->time.cycles += (to->time.cycles - from->time.cycles) * times;
  for (unsigned k = 0; k < DC_BOUND_COUNT; ++k)
    of->time.bounds[k] += (to->time.bounds[k] - from->time.bounds[k]) * times;
}

// Blocks as long as few are, of which the scheduled ones have none: of `all`, some that are begun
// at any time while blocks wait, till `begin`; the last of them ends then.
static double end_of_rare(const schedule *s, double begin, double all) {
  double end = 0, of_them = all / s->n / 2;
  while (of_them >= 0.5) {
    double cycles = warp_cycles(s, longest_of(s, 1 - of_them / all)) + s->last;
    end = fmax(end, begin * of_them / (of_them + 1) + cycles);
    of_them /= 2;
  }
  return end;
}

// `more`: of the waves, those that aren't scheduled.
static void run(schedule *s, double more, dc_time *out) {
  const dc_time_grid *grid = s->launch->grid;
  const double nothing[DC_USE_COUNT] = {0}, wave = (double)grid->resident * s->sms;
  for (unsigned k = 0; k < grid->resident; ++k)
    for (unsigned sm = 0; sm < s->sms && s->placed < s->n; ++sm)
      place_block(s, sm, 0);
  run_until(s, (uint32_t)fmax(s->n - (WAVES - 1) * wave, 1));
  progress early = s->passed;
  run_until(s, s->n);
  progress waits = s->passed, middle = waits;
  while (s->warps.n > 0)
    pass(s);
  progress end = s->passed;
  repeat(&middle, &early, &waits, more / (WAVES - 1));
  repeat(&end, &early, &waits, more / (WAVES - 1));
  double rare = end_of_rare(s, middle.own, (double)grid->blocks);
  dc__pass_time(fmax(rare - end.own, 0), nothing, DC_BOUND_TAIL, &end.time);
  *out = end.time;
  // In the middle some places are empty, too, till their blocks begin.
  if (middle.work > 0)
    out->full = fmin(middle.time.cycles * (1 + (s->all - waits.work) / middle.work), out->cycles);
  else
    out->full = out->cycles;
}

static bool make_room(schedule *s) {
  const dc_time_grid *grid = s->launch->grid;
  s->warps.of = malloc((size_t)s->sms * grid->resident * grid->warps * sizeof *s->warps.of);
  s->blocks = malloc(s->n * sizeof *s->blocks);
  s->of_sm = calloc(s->sms, sizeof *s->of_sm);
  return s->warps.of && s->blocks && s->of_sm;
}

dc_status dc__time_in_waves(const dc__launch *launch, dc_time *out, dc_error *error) {
  unsigned sms = launch->machine->sms < SMS ? launch->machine->sms : SMS;
  double places = (double)launch->grid->resident * launch->machine->sms;
  double waves = (double)launch->grid->blocks / places;
  double scheduled = waves > WAVES ? WAVES + waves - floor(waves) : waves;
  duration *list = malloc((launch->n_warps + 1u) * sizeof *list);
  schedule s = {.launch = launch, .list = list, .sms = sms};
  s.later = launch->machine->block_start + launch->machine->block_start_warp * launch->grid->warps;
  s.each = launch->machine->block_each * launch->machine->sms / sms;
  s.n = (uint32_t)ceil(scheduled * launch->grid->resident * sms - 1e-6);
  s.last = dc__last_of(launch, launch->grid->warps);
  dc_status status = DC_OK;
  if (make_room(&s) && list) {
    list_durations(launch, list);
    run(&s, waves - scheduled, out);
  } else {
    status = dc_fail(error, DC_ERROR_MEMORY, "out of memory for a launch's time");
  }
  free(list);
  free(s.warps.of);
  free(s.blocks);
  free(s.of_sm);
  return status;
}
