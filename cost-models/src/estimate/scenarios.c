// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The combinations of assumptions that a kernel is walked under. They vary together: one figure for
// every uniform value that isn't known, with one for the grid; one distribution for every loop of
// which nothing is known.
#include "estimate/estimate_internal.h"

#include <math.h>

// Assumed for a parameter, or a uniform value from memory; where there are figures to go by, at
// least one for each thread of a grid that is known: a launch that has nothing to do tells nothing
// of its loops. A grid that isn't covers the value.
static const int64_t assumed_values[DC_SCENARIOS_VALUES] = {1024, 65536, 1048576};

// What lanes do by data, in loops and at branches.
static const dc_scenario ways[DC_SCENARIOS_WAYS] = {
    {.spread = DC_SPREAD_NARROW, .choice = DC_CHOICE_EVEN},
    {.spread = DC_SPREAD_NARROW, .choice = DC_CHOICE_ALIKE},
    {.spread = DC_SPREAD_NARROW, .choice = DC_CHOICE_RARE},
    {.spread = DC_SPREAD_BROAD, .choice = DC_CHOICE_EVEN},
    {.spread = DC_SPREAD_BROAD, .choice = DC_CHOICE_ALIKE},
    {.spread = DC_SPREAD_BROAD, .choice = DC_CHOICE_RARE}};

// The ends of what can be expected, and no figures to go by: lanes that do alike in all loops, or
// by a power law; loops that are short, with numbers of items and of a block's threads that are no
// multiples of a warp; and long ones.
static const dc_scenario ends[DC_SCENARIOS_ENDS] = {
    {65536, DC_LENGTH_MEAN, DC_SPREAD_ALIKE, DC_CHOICE_ALIKE, false, false},
    {65536, DC_LENGTH_MEAN, DC_SPREAD_HEAVY, DC_CHOICE_EVEN, false, false},
    {65536, DC_LENGTH_MEAN, DC_SPREAD_HEAVY, DC_CHOICE_RARE, false, false},
    {100, DC_LENGTH_SHORT, DC_SPREAD_NARROW, DC_CHOICE_EVEN, false, true},
    {100, DC_LENGTH_SHORT, DC_SPREAD_ALIKE, DC_CHOICE_ALIKE, false, true},
    {1048576, DC_LENGTH_LONG, DC_SPREAD_NARROW, DC_CHOICE_EVEN, false, false},
    {1048576, DC_LENGTH_LONG, DC_SPREAD_ALIKE, DC_CHOICE_ALIKE, false, false}};

// Adds one if it differs from those listed in what matters.
static void add(dc_varied varied, dc_scenario next, dc_scenario *list, unsigned *n) {
  if (!varied.distributions)
    next.spread = DC_SPREAD_NARROW;
  if (!varied.choice)
    next.choice = DC_CHOICE_EVEN;
  if (!varied.lengths)
    next.length = DC_LENGTH_MEAN;
  if (!varied.values && !varied.lengths)
    next.value = assumed_values[0];
  next.odd_block &= varied.blocks;
  for (unsigned k = 0; k < *n; ++k)
    if (list[k].value == next.value && list[k].length == next.length &&
        list[k].spread == next.spread && list[k].choice == next.choice &&
        list[k].odd_block == next.odd_block)
      return;
  list[(*n)++] = next;
}

unsigned dc__scenarios_list(dc_varied varied, dc_scenario *list, unsigned *figures) {
  unsigned n = 0;
  for (unsigned value = 0; value < (varied.values ? DC_SCENARIOS_VALUES : 1); ++value)
    for (unsigned k = 0; k < DC_SCENARIOS_WAYS; ++k) {
      dc_scenario next = ways[k];
      next.value = assumed_values[value];
      next.length = DC_LENGTH_MEAN;
      next.of_figures = true;
      add(varied, next, list, &n);
    }
  *figures = n;
  for (unsigned k = 0; k < DC_SCENARIOS_ENDS; ++k)
    add(varied, ends[k], list, &n);
  return n;
}

// In the middle of those that they stand for, as a mean wants it; at the ends of what
// can be expected others, so that what comes and goes in between shows there: thirds of a golden
// section.
double dc__scenario_offset(dc_scenario of, unsigned sample) {
  double turns = 0.618034 * sample + 0.381966 * of.spread + 0.236068 * of.choice;
  return of.of_figures ? 0.5 : turns - floor(turns);
}
