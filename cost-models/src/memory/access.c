// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/access.h"

#include "base/lanes.h"

#include <math.h>

// Arrays whose address the launch gives begin at multiples of this: what cudaMalloc gives (CUDA C++
// Programming Guide, "Device Memory Accesses", "Size and Alignment Requirement").
enum { LAUNCHED_ALIGNMENT = 256, NODES_MAX = 400 };

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

void dc__taken_join(dc__taken *a, const dc__taken *b) {
  a->low = fmin(a->low, b->low);
  a->high = fmax(a->high, b->high);
  a->ideal_low = fmin(a->ideal_low, b->ideal_low);
  a->ideal_high = fmax(a->ideal_high, b->ideal_high);
}

// Multiples of this, added to all addresses, make no difference: other banks are as good.
static uint64_t period_of(const dc_access *access) {
  return access->space == DC_SPACE_CONSTANT ? 1 : access->space == DC_SPACE_SHARED ? 4 : DC_SECTOR;
}

bool dc__access_may_shift(const dc_access *access, uint64_t by) {
  return by % period_of(access) == 0 && by % access->bytes == 0;
}

// The step between multiples of `of` that differ in this period.
static uint64_t step_of(uint64_t of, uint64_t period) {
  uint64_t step = period;
  while (of % step)
    step /= 2;
  return step;
}

// Hardware reads nothing that isn't aligned to its own size: the places at which all lanes are lie
// as far above its multiples as *above. False: nowhere.
static bool find_aligned(const dc_access *access, const int64_t *address, uint32_t lanes,
                         uint64_t *above) {
  uint64_t rest = (uint64_t)address[dc__first_lane(lanes)] % access->bytes;
  *above = rest ? access->bytes - rest : 0;
  for (; lanes; lanes &= lanes - 1)
    if ((uint64_t)address[dc__first_lane(lanes)] % access->bytes != rest)
      return false;
  return true;
}

// The sectors that lanes touch if so much is added to all addresses, which are aligned then: from
// one lane to the next, in order, it is another sector at `apart` of DC_SECTOR places, those at
// which the next one is less than that above a boundary.
static void count_sectors(const int64_t *address, uint32_t lanes, unsigned sectors[DC_SECTOR]) {
  int64_t in_order[DC_LANES];
  unsigned n = 0, always = 1;
  int change[DC_SECTOR + 1] = {0};
  for (; lanes; lanes &= lanes - 1, ++n) {
    int64_t next = address[dc__first_lane(lanes)];
    unsigned at = n;
    for (; at > 0 && in_order[at - 1] > next; --at)
      in_order[at] = in_order[at - 1];
    in_order[at] = next;
  }
  for (unsigned k = 1; k < n; ++k) {
    uint64_t apart = (uint64_t)in_order[k] - (uint64_t)in_order[k - 1];
    unsigned from = (unsigned)-(uint64_t)in_order[k] % DC_SECTOR, to = from + (unsigned)apart;
    if (apart >= DC_SECTOR) {
      ++always;
    } else if (apart > 0) {
      ++change[from];
      --change[to <= DC_SECTOR ? to : DC_SECTOR];
      change[0] += to > DC_SECTOR;
      change[to > DC_SECTOR ? to - DC_SECTOR : DC_SECTOR] -= to > DC_SECTOR;
    }
  }
  for (unsigned place = 0, more = 0; place < DC_SECTOR; ++place) {
    more += (unsigned)change[place];
    sectors[place] = always + more;
  }
}

static figure of_sectors(const dc_access *access, uint32_t lanes, unsigned sectors) {
  return (figure){sectors, dc_request_ideal_sectors(lanes, access->bytes, sectors)};
}

static figure at_place(const dc_access *access, const dc__lane_values *values, uint32_t lanes,
                       uint64_t place) {
  int64_t address[DC_LANES];
  for (unsigned lane = 0; lane < DC_LANES; ++lane)
    address[lane] = (int64_t)((uint64_t)values->apart[lane] + place);
  return of_lanes(access, address, lanes);
}

unsigned dc__access_places(const dc_access *access, const dc__lane_values *values, uint32_t lanes,
                           dc__taken *out, uint64_t *worst) {
  uint64_t period = period_of(access), step = step_of(values->common, period), above;
  bool in_sectors = period == DC_SECTOR && access->bytes <= DC_SECTOR &&
                    (access->bytes & (access->bytes - 1)) == 0;
  unsigned places = 0, sectors[DC_SECTOR];
  *worst = 0;
  if (!lanes || !find_aligned(access, values->apart, lanes, &above))
    return 0;
  if (in_sectors)
    count_sectors(values->apart, lanes, sectors);
  for (uint64_t place = 0; place < period; place += step) {
    if (place % access->bytes != above)
      continue;
    figure here = in_sectors ? of_sectors(access, lanes, sectors[place])
                             : at_place(access, values, lanes, place);
    if (places == 0 || here.taken > out->high)
      *worst = place;
    widen(out, here, places == 0);
    ++places;
  }
  return places;
}

static bool of_places(const dc_access *access, const dc__lane_values *values, uint32_t lanes,
                      dc__taken *out) {
  uint64_t worst;
  return dc__access_places(access, values, lanes, out, &worst) > 0;
}

// ---- what isn't known ---------------------------------------------------------------------------

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

// Lanes of the same multiple of the stride lie as they are known to; of one such group to another
// nothing is: it takes the greatest of them at the least, and all of them at the most.
static dc__taken of_strides(const dc_access *access, const dc__lane_values *values,
                            uint32_t lanes) {
  dc__taken all = of_any(access, lanes), out = {0, 0, 0, 0};
  dc__lane_values group = *values;
  group.common = 1;
  for (uint32_t rest = lanes; rest;) {
    uint32_t alike = 0;
    dc__taken one;
    for (uint32_t k = rest; k; k &= k - 1)
      if (values->times[dc__first_lane(k)] == values->times[dc__first_lane(rest)])
        alike |= k & (~k + 1);
    if (!of_places(access, &group, alike, &one))
      return all;
    out.low = fmax(out.low, one.low);
    out.high += one.high;
    rest &= ~alike;
  }
  out.high = fmin(out.high, all.high);
  out.ideal_low = fmin(out.low, all.ideal_high);
  out.ideal_high = fmin(out.high, all.ideal_high);
  return out;
}

// Lanes of one word may take turns or, if they all add 1 and don't ask what came out, not
// (ATOMS.POPC.INC).
static void join_counting(const dc_access *access, const dc__lane_values *values, uint32_t lanes,
                          dc__taken *out) {
  dc_access counting = *access;
  dc__taken together;
  counting.kind = DC_ACCESS_STORE;
  if (of_places(&counting, values, lanes, &together))
    dc__taken_join(out, &together);
}

dc__taken dc__access_taken(const dc_access *access, const dc__lane_values *address, uint32_t lanes,
                           bool some) {
  static const int64_t anywhere[DC_LANES];
  dc__taken out;
  if (address->form == DC_LANES_STRIDED)
    out = of_strides(access, address, lanes);
  else if (address->form != DC_LANES_APART || !of_places(access, address, lanes, &out))
    out = of_any(access, lanes);
  else if (access->kind == DC_ACCESS_ATOMIC && access->space == DC_SPACE_SHARED)
    join_counting(access, address, lanes, &out);
  if (address->clamped) { // some lanes, or all, may be at the bound
    widen(&out, of_lanes(access, anywhere, lanes), false);
    out.high = fmin(out.high + 1, of_any(access, lanes).high);
  }
  if (some)
    widen(&out, of_lanes(access, anywhere, 1), false);
  return out;
}

// ---- addresses ----------------------------------------------------------------------------------

void dc__access_address(const dc_kernel *kernel, uint32_t access, dc_expr_environment *environments,
                        uint32_t lanes, dc__lane_memo *memo, dc__lane_values *out) {
  const dc_access *data = &kernel->accesses[access];
  dc__lanes_known known = {.pool = &kernel->pool,
                           .environments = environments,
                           .lanes = lanes,
                           .root = data->root,
                           .alignment = data->alignment ? data->alignment : LAUNCHED_ALIGNMENT,
                           .memo = memo};
  unsigned budget = NODES_MAX;
  *out = (dc__lane_values){.form = DC_LANES_ANY};
  if (data->address != DC_NO_EXPR && lanes)
    dc__lane_values_of(&known, data->address, &budget, out);
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
    unsigned lane = dc__first_lane(rest);
    int64_t apart = lane - before;
    int64_t next = (int64_t)((uint64_t)address->apart[lane] - (uint64_t)address->apart[before]);
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
