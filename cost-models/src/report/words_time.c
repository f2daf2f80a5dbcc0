// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words about time.
#include "divcost/number.h"
#include "divcost/words.h"

#include <math.h>
#include <stdio.h>

#define LITTLE 0.02  // of a time
#define MATTERS 0.05 // of a time, from which what isn't asked for is told
#define NAMED 0.15   // of a time, from which what it goes to is named

static const char *const bounds[DC_BOUND_COUNT] = {[DC_BOUND_ISSUE] = "issue slots",
                                                   [DC_BOUND_PIPE] =
                                                       "double-precision and special units",
                                                   [DC_BOUND_L1] = "L1 and shared memory",
                                                   [DC_BOUND_L2] = "L2",
                                                   [DC_BOUND_DRAM] = "DRAM",
                                                   [DC_BOUND_LATENCY] = "latency",
                                                   [DC_BOUND_LONGEST] = "its longest warps",
                                                   [DC_BOUND_TAIL] = "empty block slots",
                                                   [DC_BOUND_LAUNCH] = "launching"};

const char *dc_bound_words(dc_bound bound) { return bounds[bound]; }

static const struct unit {
  double seconds;
  const char *name;
} units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}};

// In which a time, rounded to three digits, has one to three of them before the point.
static const struct unit *unit_of(double seconds) {
  unsigned k = 0;
  while (k < 2 && seconds < units[k].seconds * 0.9995)
    ++k;
  return &units[k];
}

// "0.2..0.9 us", "504 us..2.03 ms".
static int say_seconds(dc_interval seconds, char *words, size_t size) {
  const struct unit *low = unit_of(seconds.low), *high = unit_of(seconds.high);
  return snprintf(words, size, "%.3g%s%s..%.3g %s", seconds.low / low->seconds,
                  low == high ? "" : " ", low == high ? "" : low->name,
                  seconds.high / high->seconds, high->name);
}

size_t dc_seconds_words(double seconds, char *words, size_t size) {
  const struct unit *unit = unit_of(seconds);
  int length = seconds > 0 ? snprintf(words, size, "%.3g %s", seconds / unit->seconds, unit->name)
                           : snprintf(words, size, seconds < 0 ? "-" : "0");
  return length > 0 ? (size_t)length : 0;
}

// "none", "at most 9%", "22 to 49%", and what follows.
static size_t say_lost(dc_time_saving lost, const char *of, char *words, size_t size) {
  int length;
  if (lost.high < LITTLE)
    length = snprintf(words, size, "none%s", of);
  else if (lost.low < LITTLE)
    length = snprintf(words, size, "at most %.0f%%%s", 100 * lost.high, of);
  else
    length = snprintf(words, size, "%.0f to %.0f%%%s", 100 * lost.low, 100 * lost.high, of);
  return length > 0 ? (size_t)length : 0;
}

size_t dc_time_cost_words(const dc_time_estimate *time, char *words, size_t size) {
  *words = 0;
  return time->known
             ? say_lost(time->lost[DC_LOSS_DIVERGENCE], " of the kernel's time", words, size)
             : 0;
}

size_t dc_time_part_words(const dc_time_estimate *time, uint32_t loop, uint32_t branch, char *words,
                          size_t size) {
  *words = 0;
  for (uint32_t k = 0; k < time->n_parts && time->n_parts > 1; ++k)
    if (time->parts[k].loop == loop && time->parts[k].branch == branch)
      return say_lost(time->parts[k].lost, " of the kernel's time", words, size);
  return 0;
}

size_t dc_time_longest_words(const dc_time_estimate *time, char *words, size_t size) {
  double less =
      time->known && time->seconds.high > 0 ? 1 - time->longest.high / time->seconds.high : 0;
  *words = 0;
  if (less < MATTERS)
    return 0;
  size_t used = (size_t)snprintf(words, size, "%.0f%% less: ", 100 * less);
  return used + (used < size ? (size_t)say_seconds(time->longest, words + used, size - used) : 0);
}

// ", uncoalesced accesses 30 to 50%, the tail at most 29%".
static size_t say_losses(const dc_time_estimate *of, char *words, size_t size) {
  static const char *const names[DC_LOSS_COUNT] = {[DC_LOSS_COALESCING] = "uncoalesced accesses",
                                                   [DC_LOSS_OCCUPANCY] = "limited occupancy",
                                                   [DC_LOSS_TAIL] = "the tail"};
  size_t used = 0;
  for (unsigned loss = 0; loss < DC_LOSS_COUNT; ++loss) {
    dc_time_saving lost = of->lost[loss];
    if (!names[loss] || (lost.low + lost.high) / 2 < MATTERS || used >= size)
      continue;
    used += (size_t)snprintf(words + used, size - used, ", %s ", names[loss]);
    used += used < size ? say_lost(lost, "", words + used, size - used) : 0;
  }
  return used;
}

// "; goes to its longest warps (49%) and L1 and shared memory (30%)".
static size_t say_bounds(const dc_time_estimate *of, char *words, size_t size) {
  size_t used = 0;
  bool said[DC_BOUND_COUNT] = {false};
  for (unsigned n = 0; n < 3; ++n) {
    unsigned most = DC_BOUND_COUNT;
    for (unsigned k = 0; k < DC_BOUND_COUNT; ++k)
      if (!said[k] && (most == DC_BOUND_COUNT || of->bounds[k] > of->bounds[most]))
        most = k;
    if (used >= size || (n > 0 && of->bounds[most] < NAMED))
      break;
    said[most] = true;
    used += (size_t)snprintf(words + used, size - used, "%s%s (%.0f%%)", n ? ", " : "; goes to ",
                             bounds[most], 100 * of->bounds[most]);
  }
  return used;
}

static size_t say_unknown(dc_time_unknown unknown, char *words, size_t size) {
  static const char no_grid[] = "not known: how many blocks are launched isn't; "
                                "DIVCOST_LAUNCH(block=..., grid=...) says it";
  static const char *const reasons[] = {
      [DC_TIME_CODE] = "",
      [DC_TIME_MACHINE] = "not known: nobody measured such a GPU, or no block fits on it",
      [DC_TIME_GRID] = no_grid,
      [DC_TIME_TRIPS] = "not known: how often loops run is assumed"};
  return (size_t)snprintf(words, size, "%s", reasons[unknown]);
}

size_t dc_time_words(const dc_estimate *estimate, char *words, size_t size) {
  const dc_time_estimate *of = &estimate->time;
  *words = 0;
  if (!of->known)
    return say_unknown((dc_time_unknown)of->unknown, words, size);
  size_t used = (size_t)say_seconds(of->seconds, words, size);
  used += used < size ? say_bounds(of, words + used, size - used) : 0;
  if (used < size)
    used += (size_t)snprintf(words + used, size - used, "; divergence costs ");
  used += used < size ? dc_time_cost_words(of, words + used, size - used) : 0;
  used += used < size ? say_losses(of, words + used, size - used) : 0;
  if (used < size && (of->assumed_l2 || of->assumed_extents))
    used += (size_t)snprintf(words + used, size - used, " (assumed: %s%s%s)",
                             of->assumed_l2 ? "what L2 holds" : "",
                             of->assumed_l2 && of->assumed_extents ? ", " : "",
                             of->assumed_extents ? "how large arrays are" : "");
  return used;
}
