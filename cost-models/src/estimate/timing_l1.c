// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What L1 holds of what the accesses touch.
#include "estimate/timing_misses.h"

#include <math.h>

// Of the sectors of an access in order the share that its last iteration hasn't touched: where it
// moves on by less than a warp's lanes are wide, as windows do.
static double fresh(const dc__touches *m, uint32_t index) {
  const dc_access_estimate *figures = &m->estimate->accesses[index];
  const dc__step *moves = &m->of[index].moves;
  double step = moves->bytes / SECTOR, taken = figures->taken.high;
  if (!moves->known || step >= taken ||
      (figures->access_class != DC_ACCESS_ROW && figures->access_class != DC_ACCESS_STRIDED))
    return 1;
  double trips = fmax(1, m->estimate->loops[dc__loop_around(m, index)].mean_trips.low);
  return (taken + (trips - 1) * step) / (taken * trips);
}

// Warps of a block that are one above the other, in its second dimension.
static double warps_above(const uint32_t block[3]) {
  return block[0] < DC_WARP ? fmax(1, (double)block[0] * block[1] / DC_WARP) : block[1];
}

// What warps above each other read together, at about the same time: the same row; or, where each
// lane reads in a line of its own down a column, the rest of its sector, as far as L1 holds the
// lines. The share of the sectors that is asked for first.
static double share_of_warps_above(const dc__touches *m, uint32_t index) {
  const dc_access_estimate *figures = &m->estimate->accesses[index];
  const uint32_t *block = m->setting->block;
  dc__step next = dc__step_along_threads(m->kernel, &m->kernel->accesses[index], 1);
  double lines = dc__resident_blocks(m->setting) * block[0] * LINE;
  bool apart = figures->access_class == DC_ACCESS_STRIDED && block[0] >= DC_WARP &&
               fabs((double)figures->stride) >= SECTOR;
  if (m->of[index].by_data || lines > (double)m->setting->l1_bytes || !next.known ||
      next.bytes >= (apart ? SECTOR : 1))
    return 1;
  return fmax(next.bytes / SECTOR, 1 / warps_above(block));
}

// Lanes that walk on each in a line of their own keep it until the next step, as far as L1 holds as
// many; and all that they went over until they come again, if it holds that. Lines of lanes that
// are done stay as long as others.
static double walking_misses(const dc__touches *m, uint32_t index) {
  uint32_t loop = dc__loop_around(m, index);
  const dc__touch *of = &m->of[index];
  const dc__neighbours *near = &of->near;
  double room = (double)m->setting->l1_bytes, blocks = dc__resident_blocks(m->setting);
  double gone_over = of->bytes / (double)m->setting->grid.blocks * blocks;
  double trips = dc__trips_of_walk(m, index);
  double held = fmin(dc__units_of_walk(m, index, SECTOR) / (trips * near->count), 1);
  if (loop == DC_NONE)
    return held;
  if (of->again > 1 && gone_over <= room)
    return held / of->again;
  unsigned unrolled = m->kernel->loops[loop].unroll_expected;
  double lost = dc__together(near->bytes, near->count, 1) / (unrolled > 1 ? unrolled : 1);
  double needed = m->walkers[loop].lines * blocks * m->setting->grid.warps * LINE;
  return held + fmax(lost - held, 0) * fmax(1 - room / needed, 0);
}

// All blocks of an SM find what one has brought of a small array, or of one that goes by none of
// their numbers: only first touches miss.
static double first_misses(const dc__touches *m, uint32_t index) {
  const dc__touch *of = &m->of[index];
  double room = (double)m->setting->l1_bytes,
         asked = dc__sectors_asked(m, index, 1) / dc__sms_at_work(m);
  double bytes = of->by_block || of->extent > 0 ? of->extent : of->bytes;
  bool stays = bytes > 0 && bytes <= room * L1_OF_SECTORS && asked > 0;
  return stays ? fmin(bytes / SECTOR / asked, 1) : 1;
}

static double l1_misses_of_reads(const dc__touches *m, uint32_t index) {
  const dc__touch *of = &m->of[index];
  const dc_access *access = &m->kernel->accesses[index];
  double sms = dc__sms_at_work(m), touches = of->touches / sms, room = (double)m->setting->l1_bytes;
  if (of->scatters) {
    double first = touches > 0 ? dc__distinct(of->extent / SECTOR, touches) / touches : 1;
    double missed = fmin(1, fmax(first, 1 - L1_OF_SECTORS * room / of->extent));
    return missed * dc__share_of_neighbours(m, index) *
           dc__share_below(m, index, L1_OF_SECTORS * room / SECTOR);
  }
  switch ((dc_access_class)m->estimate->accesses[index].access_class) {
  case DC_ACCESS_WALK:
    return walking_misses(m, index);
  case DC_ACCESS_SAME: // by iteration it walks on, too
    return fmin(1, access->bytes / SECTOR) / fmax(1, of->again);
  default: {
    double shared = of->by_block ? 1 : dc__resident_blocks(m->setting);
    bool holds = of->bytes / sms <= room;
    return fresh(m, index) * dc__share_of_neighbours(m, index) * share_of_warps_above(m, index) /
           fmax(1, (holds ? of->again : 1) * shared);
  }
  }
}

double dc__l1_misses(const dc__touches *m, uint32_t index) {
  if (m->kernel->accesses[index].kind != DC_ACCESS_LOAD) // written through
    return 1;
  return fmin(l1_misses_of_reads(m, index), first_misses(m, index));
}
