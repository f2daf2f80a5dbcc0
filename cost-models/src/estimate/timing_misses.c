// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What L1 and L2 hold of what the accesses touch: first touches miss, and later ones where more has
// been touched meanwhile than the cache has.
#include "estimate/timing.h"

#include <math.h>

#define SECTOR 32.0
#define LINE 128.0
// Single sectors take whole lines of L1, of which a third of the bytes is of use then: measured as
// the share of gathers that hit (bench/results/h200, prototype's fit on 20 pairs).
#define L1_OF_SECTORS (1 / 3.0)
#define L2_OF_DATA 0.75 // of L2, that one kernel's data may fill before it loses some
#define SMALL_L1 0.5    // of L1: an array that nobody told the size of, small
#define LARGE_L2 4.0    // times L2: the same, large

// How an access goes about its array.
typedef struct touch {
  bool by_block, by_thread, by_data; // its address differs between blocks, threads, by what is read
  double touches;                    // by lanes, in the whole launch
  double bytes;                      // that are touched at least once
  double extent;                     // of the array, where known or assumed; else 0
} touch;

static bool mentions(const dc_kernel *kernel, dc_expr e, dc_expr_op op) {
  return e != DC_NO_EXPR && dc_expr_mentions(&kernel->pool, e, op, -1);
}

// What is told of the array that an access goes to, or 0.
static double told_extent(const dc_kernel *kernel, const dc_access *access) {
  if (access->root == DC_NO_EXPR || kernel->pool.nodes[access->root].op != DC_OP_PARAM)
    return 0;
  int64_t parameter = kernel->pool.nodes[access->root].i;
  return parameter < kernel->n_params ? (double)kernel->params[parameter].extent : 0;
}

static bool is_cached(const dc_access *access) {
  return access->space == DC_SPACE_GLOBAL || access->space == DC_SPACE_GENERIC;
}

static bool scatters(const dc_access_estimate *figures) {
  return figures->access_class == DC_ACCESS_GATHER;
}

bool dc__misses_rest_on_extents(const dc_kernel *kernel, const dc_estimate *estimate) {
  for (uint32_t k = 0; k < kernel->n_accesses; ++k)
    if (is_cached(&kernel->accesses[k]) && estimate->accesses[k].requests > 0 &&
        scatters(&estimate->accesses[k]) && told_extent(kernel, &kernel->accesses[k]) == 0)
      return true;
  return false;
}

// Different numbers among n that are drawn from s.
static double distinct(double s, double n) { return s > 0 ? s * -expm1(-n / s) : 0; }

// Trips of the loops around an access that its address doesn't go by: it comes to the same place as
// often.
static double repeats(const dc_kernel *kernel, const dc_estimate *estimate,
                      const dc_access *access) {
  double times = 1;
  if (access->address == DC_NO_EXPR)
    return times;
  for (uint32_t loop = kernel->blocks[access->block].loop; loop != DC_NONE;
       loop = kernel->loops[loop].parent) {
    double trips = estimate->loops[loop].mean_trips.low;
    if (!dc_expr_mentions(&kernel->pool, access->address, DC_OP_IV, loop) && trips > 1)
      times *= trips;
  }
  return times;
}

static touch describe(const dc_kernel *kernel, const dc_estimate *estimate,
                      const dc__setting *setting, uint32_t index) {
  const dc_access *access = &kernel->accesses[index];
  const dc_access_estimate *figures = &estimate->accesses[index];
  touch of = {.by_data = access->address == DC_NO_EXPR ||
                         mentions(kernel, access->address, DC_OP_LOAD) ||
                         mentions(kernel, access->address, DC_OP_OPAQUE)};
  of.by_block = of.by_data || mentions(kernel, access->address, DC_OP_CTAID);
  of.by_thread = of.by_data || mentions(kernel, access->address, DC_OP_TID) ||
                 mentions(kernel, access->address, DC_OP_LANE);
  double warps = (double)setting->grid.blocks * setting->grid.warps;
  of.touches = figures->requests * figures->lanes * warps;
  of.extent = told_extent(kernel, access);
  double bytes = of.touches * access->bytes;
  if (!of.by_block)
    bytes /= (double)setting->grid.blocks;
  if (!of.by_thread)
    bytes /= figures->lanes * (of.by_block ? setting->grid.warps : 1);
  if (!of.by_data)
    bytes /= repeats(kernel, estimate, access);
  if (scatters(figures)) {
    if (of.extent == 0)
      of.extent = setting->footprint == DC_FOOTPRINT_SMALL
                      ? SMALL_L1 * L1_OF_SECTORS * (double)setting->l1_bytes
                      : LARGE_L2 * (double)setting->machine->l2_bytes;
    bytes = SECTOR * distinct(of.extent / SECTOR, of.touches);
  }
  of.bytes = of.extent > 0 ? fmin(bytes, of.extent) : bytes;
  return of;
}

// Of all arrays: the most that any access touches of each. Those without a name are one each.
static double touched_bytes(const dc_kernel *kernel, const dc_estimate *estimate,
                            const dc__setting *setting) {
  double sum = 0;
  for (uint32_t k = 0; k < kernel->n_accesses; ++k) {
    if (!is_cached(&kernel->accesses[k]) || !(estimate->accesses[k].requests > 0))
      continue;
    double most = describe(kernel, estimate, setting, k).bytes;
    bool first = true;
    for (uint32_t other = 0; other < kernel->n_accesses && first; ++other) {
      const dc_access *a = &kernel->accesses[k], *b = &kernel->accesses[other];
      if (other == k || a->root == DC_NO_EXPR || a->root != b->root ||
          !(estimate->accesses[other].requests > 0))
        continue;
      first = other > k;
      most = fmax(most, describe(kernel, estimate, setting, other).bytes);
    }
    sum += first ? most : 0;
  }
  return sum;
}

// Lanes that walk on each in a line of their own keep it until the next step, if L1 holds as many.
static double walking_misses(const dc_kernel *kernel, const dc_estimate *estimate,
                             const dc__setting *setting, uint32_t index) {
  const dc_access *access = &kernel->accesses[index];
  uint32_t loop = kernel->blocks[access->block].loop;
  double lines = 0;
  for (uint32_t k = 0; k < kernel->n_accesses; ++k)
    if (is_cached(&kernel->accesses[k]) && kernel->blocks[kernel->accesses[k].block].loop == loop &&
        (estimate->accesses[k].access_class == DC_ACCESS_WALK || scatters(&estimate->accesses[k])))
      lines += estimate->accesses[k].lanes;
  double resident = fmin((double)setting->grid.blocks / setting->machine->sms,
                         setting->grid.resident) *
                    setting->grid.warps;
  unsigned unrolled = loop == DC_NONE ? 1 : kernel->loops[loop].unroll_expected;
  double held = access->bytes / SECTOR, lost = 1.0 / (unrolled > 1 ? unrolled : 1);
  bool holds = lines * fmax(resident, 1) * LINE <= (double)setting->l1_bytes;
  return fmin(holds ? held : fmax(held, lost), 1);
}

static double l1_misses(const dc_kernel *kernel, const dc_estimate *estimate,
                        const dc__setting *setting, uint32_t index, const touch *of) {
  const dc_access_estimate *figures = &estimate->accesses[index];
  double sms = fmin(setting->machine->sms, (double)setting->grid.blocks);
  double touches = of->touches / sms, share = kernel->accesses[index].bytes / SECTOR;
  switch ((dc_access_class)figures->access_class) {
  case DC_ACCESS_GATHER: {
    double first = touches > 0 ? distinct(of->extent / SECTOR, touches) / touches : 1;
    return fmin(1, fmax(first, 1 - L1_OF_SECTORS * (double)setting->l1_bytes / of->extent));
  }
  case DC_ACCESS_WALK:
    return walking_misses(kernel, estimate, setting, index);
  case DC_ACCESS_SAME: // by iteration it walks on, too
    return fmin(1, share) /
           (of->by_data ? 1 : fmax(1, repeats(kernel, estimate, &kernel->accesses[index])));
  default: {
    double again = of->by_data ? 1 : repeats(kernel, estimate, &kernel->accesses[index]);
    double shared = of->by_block ? 1 : fmin(setting->grid.resident, (double)setting->grid.blocks);
    bool holds = of->bytes / sms <= (double)setting->l1_bytes;
    return 1 / fmax(1, (holds ? again : 1) * shared);
  }
  }
}

void dc__misses_find(const dc_kernel *kernel, const dc_estimate *estimate,
                     const dc__setting *setting, dc__misses *misses) {
  double all = touched_bytes(kernel, estimate, setting);
  double room = L2_OF_DATA * (double)setting->machine->l2_bytes;
  for (uint32_t k = 0; k < kernel->n_accesses; ++k) {
    misses[k] = (dc__misses){0, 0, 0};
    if (!is_cached(&kernel->accesses[k]) || !(estimate->accesses[k].requests > 0))
      continue;
    touch of = describe(kernel, estimate, setting, k);
    misses[k].l1 = l1_misses(kernel, estimate, setting, k, &of);
    misses[k].extent = scatters(&estimate->accesses[k]) ? of.extent : 0;
    const dc_access_estimate *figures = &estimate->accesses[k];
    double warps = (double)setting->grid.blocks * setting->grid.warps;
    double asked = figures->requests * figures->taken.high * warps * misses[k].l1 * SECTOR;
    double first = asked > 0 ? fmin(of.bytes / asked, 1) : 1;
    double lost = all > room ? 1 - room / all : 0; // of what was there
    misses[k].l2 = setting->warm ? lost : first + (1 - first) * lost;
  }
}
