// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What L2 holds of what L1 misses, and where it keeps it.
#include "estimate/timing_misses.h"

#include <math.h>
#include <stdlib.h>

#define FETCH 64.0 // bytes that L2 reads from DRAM at once (bench/results/h200/time/traffic.tsv)
// Of which the near latency of L2 was measured, and the far one (bench/results/h200/machine.tsv).
#define NEAR_BYTES 1048576.0
#define FAR_BYTES 8388608.0

// What is asked of L2 of one array, or by one access whose array isn't known.
typedef struct array {
  double bytes, asked, lost; // lost: of what was there, the share that isn't any more
  double sweeps;             // how often all of it is gone over
  uint32_t access;           // one that goes to it
} array;

// Bytes of the arrays that were asked for in so long a time, in launches, where each sector is as
// likely as any other of its array.
static double seen_in(const array *arrays, uint32_t n, double time) {
  double bytes = 0;
  for (uint32_t k = 0; k < n; ++k)
    bytes -= arrays[k].bytes * expm1(-time * arrays[k].asked * SECTOR / arrays[k].bytes);
  return bytes;
}

// L2 has what was asked for last: of each array what it was asked for in the time in which it is
// asked for as much as it holds, its characteristic time (H. Che, Y. Tung, Z. Wang, Hierarchical
// Web Caching Systems, IEEE JSAC 20(7), 2002).
static void share_l2(const dc__setting *setting, array *arrays, uint32_t n) {
  enum { HALVINGS = 50 };
  double room = (double)setting->machine->l2_bytes, low = 0, high = 1;
  double all = 0;
  for (uint32_t k = 0; k < n; ++k)
    all += arrays[k].asked > 0 ? arrays[k].bytes : 0;
  while (all > room && seen_in(arrays, n, high) < room && high < 1e9)
    high *= 2;
  for (unsigned k = 0; k < HALVINGS && all > room; ++k) {
    double middle = (low + high) / 2;
    if (seen_in(arrays, n, middle) < room)
      low = middle;
    else
      high = middle;
  }
  for (uint32_t k = 0; k < n && all > room; ++k)
    arrays[k].lost = exp(-low * arrays[k].asked * SECTOR / arrays[k].bytes);
}

// Small arrays are in both halves of L2.
static double l2_latency(const dc_machine *machine, double bytes) {
  double far = log2(fmax(bytes / NEAR_BYTES, 1)) / log2(FAR_BYTES / NEAR_BYTES);
  return machine->l2 + fmin(far, 1) * (machine->l2_far - machine->l2);
}

static uint32_t list_arrays(const dc__touches *m, const dc__misses *misses, array *arrays) {
  uint32_t n = 0;
  for (uint32_t k = 0; k < m->kernel->n_accesses; ++k) {
    if (!m->of[k].asks)
      continue;
    uint32_t at = 0;
    while (at < n && !dc__same_array(m->kernel, arrays[at].access, k))
      ++at;
    if (at == n)
      arrays[n++] = (array){.access = k};
    arrays[at].bytes = fmax(arrays[at].bytes, fmax(m->of[k].bytes, 1));
    arrays[at].sweeps = fmax(arrays[at].sweeps, m->of[k].again);
    arrays[at].asked += dc__sectors_asked(m, k, misses[k].l1);
  }
  return n;
}

// What is read in order is soon asked for again or not at all, in each sweep over it; and so are
// members of a structure.
static bool goes_in_order(const dc__touches *m, uint32_t k) {
  const dc__touch *of = &m->of[k];
  return !of->by_data && (m->kernel->accesses[k].kind != DC_ACCESS_ATOMIC || of->near.count > 1);
}

// Where lanes walk on in more lines than L2 has, of those that they come back to some are gone.
static double walks_past_l2(const dc__touches *m, uint32_t k) {
  uint32_t loop = dc__loop_around(m, k);
  if (loop == DC_NONE)
    return 0;
  double warps = dc__sms_at_work(m) * dc__resident_blocks(m->setting) * m->setting->grid.warps;
  double needed = fmin(m->walkers[loop].walks * DC_WARP * warps * LINE, m->walkers[loop].bytes);
  return fmax(1 - (double)m->setting->machine->l2_bytes / needed, 0);
}

// Of what a walk asks of L2: what it comes to first, which is there where it is since the last
// walk, and what it comes back to.
static double walk_misses_l2(const dc__touches *m, uint32_t k, const array *of, double l1) {
  bool reads = m->kernel->accesses[k].kind == DC_ACCESS_LOAD;
  double sectors = dc__units_of_walk(m, k, SECTOR),
         asked = dc__trips_of_walk(m, k) * m->of[k].near.count;
  double first = dc__units_of_walk(m, k, reads ? FETCH : SECTOR) / fmax(asked * l1, sectors);
  double lost = m->setting->warm ? of->lost : of->lost + (1 - of->lost) / of->sweeps;
  first = fmin(first, 1);
  return first * lost + (1 - first) * walks_past_l2(m, k);
}

static bool is_read(const dc__touches *m, uint32_t array) {
  for (uint32_t k = 0; k < m->kernel->n_accesses; ++k)
    if (m->of[k].asks && m->kernel->accesses[k].kind == DC_ACCESS_LOAD &&
        dc__same_array(m->kernel, array, k))
      return true;
  return false;
}

// Whether of the sectors that it writes others write nothing, and that nobody has read: what goes
// on in order is written by and by.
bool dc__writes_parts(const dc__touches *m, uint32_t k) {
  const dc__touch *of = &m->of[k];
  return m->kernel->accesses[k].kind != DC_ACCESS_LOAD && of->scatters && of->near.bytes < SECTOR &&
         !is_read(m, k);
}

static void miss_l2(const dc__touches *m, const array *of, dc__misses *misses) {
  double asked = of->asked * SECTOR, first = asked > 0 ? fmin(of->bytes / asked, 1) : 1;
  for (uint32_t k = 0; k < m->kernel->n_accesses; ++k) {
    if (!m->of[k].asks || (k != of->access && !dc__same_array(m->kernel, of->access, k)))
      continue;
    double lost = of->lost * (goes_in_order(m, k) ? fmin(1, first * of->sweeps) : 1);
    if (misses[k].descent > 0 && misses[k].l1 > 0) {
      double sectors = (double)m->setting->machine->l2_bytes / SECTOR;
      lost *= fmin(dc__share_below(m, k, sectors) / misses[k].l1, 1);
    }
    // Members that are asked for together come from memory once; what is read, to L1 already.
    if (m->of[k].scatters && m->kernel->accesses[k].kind != DC_ACCESS_LOAD)
      lost *= dc__share_of_neighbours(m, k);
    misses[k].l2_latency = l2_latency(m->setting->machine, of->bytes);
    misses[k].l2 = dc__walks(m, k)    ? walk_misses_l2(m, k, of, misses[k].l1)
                   : m->setting->warm ? lost
                                      : first + (1 - first) * lost;
  }
}

dc_status dc__miss_l2(const dc__touches *m, dc__misses *misses, dc_error *error) {
  array *arrays = malloc((m->kernel->n_accesses + 1u) * sizeof *arrays);
  if (!arrays)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory for %u accesses",
                   (unsigned)m->kernel->n_accesses);
  uint32_t n = list_arrays(m, misses, arrays);
  share_l2(m->setting, arrays, n);
  for (uint32_t at = 0; at < n; ++at)
    miss_l2(m, &arrays[at], misses);
  free(arrays);
  return DC_OK;
}
