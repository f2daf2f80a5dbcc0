// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/access.h"

#include "base/lanes.h"

#include <math.h>

// ---- one request --------------------------------------------------------------------------------

typedef struct figure {
  double taken, ideal;
} figure;

static figure of_lanes(const dc_access *access, const int64_t *address, uint32_t lanes) {
  unsigned taken;
  switch ((dc_space)access->space) {
  case DC_SPACE_SHARED:
    taken = dc_request_wavefronts(address, lanes, access->bytes, (dc_access_kind)access->kind);
    return (figure){taken, dc_request_ideal_wavefronts(lanes, access->bytes, taken)};
  case DC_SPACE_CONSTANT:
    return (figure){dc_request_addresses(address, lanes), 1};
  default:
    taken = dc_request_sectors(address, lanes, access->bytes);
    return (figure){taken, dc_request_ideal_sectors(lanes, access->bytes, taken)};
  }
}

// ---- alignments ---------------------------------------------------------------------------------

static void widen(dc__taken *out, figure one, bool first) {
  if (first) {
    *out = (dc__taken){one.taken, one.taken, one.ideal, one.ideal};
    return;
  }
  out->low = fmin(out->low, one.taken);
  out->high = fmax(out->high, one.taken);
  out->ideal_low = fmin(out->ideal_low, one.ideal);
  out->ideal_high = fmax(out->ideal_high, one.ideal);
}

// Multiples of this, added to all addresses, make no difference: other banks are as good.
static uint64_t period_of(const dc_access *access) {
  return access->space == DC_SPACE_CONSTANT ? 1 : access->space == DC_SPACE_SHARED ? 4 : DC_SECTOR;
}

// The step between multiples of `of` that differ in this period.
static uint64_t step_of(uint64_t of, uint64_t period) {
  uint64_t step = period;
  while (of % step)
    step /= 2;
  return step;
}

// Hardware reads nothing that isn't aligned to its own size.
static bool is_aligned(const dc_access *access, const int64_t *address, uint32_t lanes) {
  for (; lanes; lanes &= lanes - 1)
    if ((uint64_t)address[dc__first_lane(lanes)] % access->bytes)
      return false;
  return true;
}

// For one place of what is fixed: the mean over the places of what varies. False: there is none.
static bool of_place(const dc_access *access, const dc__lane_values *values, uint64_t fixed,
                     uint32_t lanes, figure *out) {
  uint64_t period = period_of(access), step = step_of(values->varying, period);
  unsigned places = 0;
  *out = (figure){0, 0};
  for (uint64_t varying = 0; varying < period; varying += step) {
    int64_t address[DC_LANES];
    for (unsigned lane = 0; lane < DC_LANES; ++lane)
      address[lane] = (int64_t)((uint64_t)values->apart[lane] + fixed + varying);
    if (!is_aligned(access, address, lanes))
      continue;
    figure one = of_lanes(access, address, lanes);
    out->taken += one.taken;
    out->ideal += one.ideal;
    ++places;
  }
  if (places) {
    out->taken /= places;
    out->ideal /= places;
  }
  return places > 0;
}

static bool of_places(const dc_access *access, const dc__lane_values *values, uint32_t lanes,
                      dc__taken *out) {
  uint64_t period = period_of(access), step = step_of(values->fixed, period);
  bool some = false;
  for (uint64_t fixed = 0; fixed < period; fixed += step) {
    figure one;
    if (!of_place(access, values, fixed, lanes, &one))
      continue;
    widen(out, one, !some);
    some = true;
  }
  return some;
}

// ---- what isn't known ---------------------------------------------------------------------------

// Strides that stand for all: none, small ones, one that keeps to a bank, and a large one; each
// from several places.
static dc__taken of_strides(const dc_access *access, const dc__lane_values *values,
                            uint32_t lanes) {
  static const int64_t strides[] = {0, 1, 2, 3, 8, 33, 1021, 1024};
  enum { PLACES = 8 };
  uint64_t period = period_of(access), step = step_of(values->fixed, period);
  dc__taken out;
  bool first = true;
  if (step < period / PLACES)
    step = period / PLACES < access->bytes ? access->bytes : period / PLACES;
  for (unsigned k = 0; k < sizeof strides / sizeof *strides; ++k)
    for (uint64_t place = 0; place < period; place += step) {
      int64_t address[DC_LANES], stride = strides[k] * (int64_t)values->stride_of;
      for (unsigned lane = 0; lane < DC_LANES; ++lane)
        address[lane] = values->apart[lane] + stride * values->times[lane] + (int64_t)place;
      if (!first && !is_aligned(access, address, lanes))
        continue;
      widen(&out, of_lanes(access, address, lanes), first);
      first = false;
    }
  return out;
}

// One address for all, to one each, in as many sectors, or rows of one bank.
static dc__taken of_any(const dc_access *access, uint32_t lanes) {
  int64_t same[DC_LANES] = {0}, apart[DC_LANES], row[DC_LANES];
  dc__taken out;
  for (unsigned lane = 0; lane < DC_LANES; ++lane) {
    apart[lane] = (int64_t)lane * DC_WAVEFRONT;
    row[lane] = (int64_t)lane * access->bytes;
  }
  widen(&out, of_lanes(access, same, lanes), true);
  widen(&out, of_lanes(access, row, lanes), false);
  widen(&out, of_lanes(access, apart, lanes), false);
  return out;
}

dc__taken dc__access_taken(const dc_access *access, const dc__lane_values *address, uint32_t lanes,
                           bool some) {
  static const int64_t anywhere[DC_LANES];
  dc__taken out;
  if (address->form == DC_LANES_STRIDED)
    out = of_strides(access, address, lanes);
  else if (address->form != DC_LANES_APART || !of_places(access, address, lanes, &out))
    out = of_any(access, lanes);
  if (some)
    widen(&out, of_lanes(access, anywhere, 1), false);
  return out;
}

void dc__taken_join(dc__taken *a, const dc__taken *b) {
  a->low = fmin(a->low, b->low);
  a->high = fmax(a->high, b->high);
  a->ideal_low = fmin(a->ideal_low, b->ideal_low);
  a->ideal_high = fmax(a->ideal_high, b->ideal_high);
}

// ---- classes ------------------------------------------------------------------------------------

dc_access_class dc__access_class_of(const dc_access *access, const dc__lane_values *address,
                                    uint32_t lanes, bool walks, int64_t *stride) {
  unsigned pairs = 0, side_by_side = 0, same = 0, alike = 0;
  int64_t step = 0;
  *stride = 0;
  if (address->form == DC_LANES_STRIDED)
    return DC_ACCESS_STRIDED;
  if (address->form == DC_LANES_ANY)
    return walks ? DC_ACCESS_WALK : DC_ACCESS_GATHER;
  unsigned before = lanes ? dc__first_lane(lanes) : 0;
  for (uint32_t rest = lanes & (lanes - 1); rest; rest &= rest - 1) {
    unsigned lane = dc__first_lane(rest), apart = lane - before;
    int64_t next = address->apart[lane] - address->apart[before];
    next = next % apart ? next : next / apart; // of lanes that others lie between
    step = pairs == 0 ? next : step;
    ++pairs;
    side_by_side += next == access->bytes;
    same += next == 0;
    alike += next == step;
    before = lane;
  }
  if (same == pairs)
    return DC_ACCESS_SAME;
  if (2 * side_by_side >= pairs)
    return DC_ACCESS_ROW;
  *stride = alike == pairs ? step : 0;
  return DC_ACCESS_STRIDED;
}
