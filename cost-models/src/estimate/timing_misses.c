// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What L1 and L2 hold of what the accesses touch: first touches miss, and later ones where more has
// been touched meanwhile than the cache has.
#include "estimate/timing.h"

#include <math.h>
#include <stdlib.h>

#define SECTOR ((double)DC_SECTOR)
#define LINE 128.0
#define FETCH 64.0 // bytes that L2 reads from DRAM at once (bench/results/h200/time/traffic.tsv)
// Single sectors take whole lines of L1, of which a third of the bytes is of use then: measured as
// the share of gathers that hit (bench/results/h200, prototype's fit on 20 pairs).
#define L1_OF_SECTORS (1 / 3.0)
// Of which the near latency of L2 was measured, and the far one (bench/results/h200/machine.tsv).
#define NEAR_BYTES 1048576.0
#define FAR_BYTES 8388608.0
#define LEVELS_MOST 64.0 // of a descent
#define SMALL_L1 0.5     // of L1: an array that nobody told the size of, small
#define LARGE_L2 4.0     // times L2: the same, large

// How an access goes about its array.
typedef struct touch {
  bool asks;                         // for what caches may have
  bool by_block, by_thread, by_data; // its address differs between blocks, threads, by what is read
  bool scatters;                     // places that data decide anew each time, each lane or all
  double touches;                    // by lanes, in the whole launch
  double bytes;                      // that are touched at least once
  double extent;                     // of the array, where known or assumed; else 0
  dc__step moves;                    // of a lane, in an iteration
  double step;                       // bytes of it, known or not
  double again;                      // times that it comes to a place by loops it doesn't go by
  dc__neighbours near;
} touch;

// Accesses by which each lane goes to a line of its own, but for those that go to the line of
// another: reads, which take L1's lines, and all by which lanes walk on; and the bytes of the
// arrays that these go through.
typedef struct walkers {
  double lines, walks, bytes;
} walkers;

typedef struct missing {
  const dc_kernel *kernel;
  const dc_estimate *estimate;
  const dc__setting *setting;
  touch *touches;   // of each access
  walkers *walkers; // of each loop
} missing;

// The innermost one around an access, or DC_NONE.
static uint32_t loop_of(const missing *m, uint32_t index) {
  return m->kernel->blocks[m->kernel->accesses[index].block].loop;
}

static bool is_cached(const dc_access *access) {
  return access->space == DC_SPACE_GLOBAL || access->space == DC_SPACE_GENERIC;
}

static bool mentions(const dc_kernel *kernel, dc_expr e, dc_expr_op op) {
  return e != DC_NO_EXPR && dc_expr_mentions(&kernel->pool, e, op, -1);
}

static bool goes_by_data(const dc_kernel *kernel, const dc_access *access) {
  return access->address == DC_NO_EXPR || mentions(kernel, access->address, DC_OP_LOAD) ||
         mentions(kernel, access->address, DC_OP_OPAQUE);
}

static bool scatters(const dc_kernel *kernel, const dc_estimate *estimate, uint32_t index) {
  const dc_access *access = &kernel->accesses[index];
  uint8_t found = estimate->accesses[index].access_class;
  return access->descends || found == DC_ACCESS_GATHER ||
         (found == DC_ACCESS_SAME && goes_by_data(kernel, access) &&
          !dc__step_of(kernel, access).known);
}

// The parameter that points to an access's array, or DC_NONE.
static uint32_t parameter_of(const dc_kernel *kernel, const dc_access *access) {
  if (access->root == DC_NO_EXPR || kernel->pool.nodes[access->root].op != DC_OP_PARAM)
    return DC_NONE;
  int64_t parameter = kernel->pool.nodes[access->root].i;
  return parameter < kernel->n_params ? (uint32_t)parameter : DC_NONE;
}

// Of an access that may go to any array: the largest of those that no other access is known to go
// to.
static double other_extent(const dc_kernel *kernel) {
  uint64_t most = 0;
  for (uint32_t k = 0; k < kernel->n_params; ++k) {
    bool other = kernel->params[k].extent > most;
    for (uint32_t a = 0; a < kernel->n_accesses && other; ++a)
      other = parameter_of(kernel, &kernel->accesses[a]) != k;
    if (other)
      most = kernel->params[k].extent;
  }
  return (double)most;
}

// What is told of the array that an access goes to, or 0.
static double told_extent(const dc_kernel *kernel, const dc_access *access) {
  uint32_t parameter = parameter_of(kernel, access);
  if (parameter != DC_NONE)
    return (double)kernel->params[parameter].extent;
  return access->root == DC_NO_EXPR ? other_extent(kernel) : 0;
}

bool dc__misses_rest_on_extents(const dc_kernel *kernel, const dc_estimate *estimate) {
  for (uint32_t k = 0; k < kernel->n_accesses; ++k)
    if (is_cached(&kernel->accesses[k]) && estimate->accesses[k].requests > 0 &&
        scatters(kernel, estimate, k) && told_extent(kernel, &kernel->accesses[k]) == 0)
      return true;
  return false;
}

double dc__distinct(double places, double n) {
  return places > 1 ? places * -expm1(n * log1p(-1 / places)) : 1;
}

// Bytes that a lane moves on in each iteration. Where it goes on evenly, but nobody knows how far,
// all lanes go over the array once, side by side, as they do over rows of one after the other; else
// it is to another sector. Outside of loops it is what is read.
static double step_of(const dc_kernel *kernel, const dc_access *access, const touch *of) {
  if (of->moves.known)
    return of->moves.bytes;
  if (kernel->blocks[access->block].loop == DC_NONE)
    return access->bytes;
  return of->moves.even && of->extent > 0 && of->touches > 0
             ? fmin(of->extent / of->touches, SECTOR)
             : SECTOR;
}

static double bytes_of_gather(const dc__setting *setting, touch *of) {
  if (of->extent == 0)
    of->extent = setting->footprint == DC_FOOTPRINT_SMALL
                     ? SMALL_L1 * L1_OF_SECTORS * (double)setting->l1_bytes
                     : LARGE_L2 * (double)setting->machine->l2_bytes;
  return SECTOR * dc__distinct(of->extent / SECTOR, of->touches);
}

static double bytes_of(const missing *m, uint32_t index, touch *of) {
  const dc_access *access = &m->kernel->accesses[index];
  const dc_access_estimate *figures = &m->estimate->accesses[index];
  const dc_time_grid *grid = &m->setting->grid;
  double bytes = of->touches * access->bytes;
  if (of->scatters)
    return bytes_of_gather(m->setting, of);
  if (figures->access_class == DC_ACCESS_STRIDED) // whole sectors, of which others read the rest
    bytes = fmax(bytes, figures->requests * (double)grid->blocks * grid->warps *
                            figures->taken.high * SECTOR);
  if (figures->access_class == DC_ACCESS_WALK)
    bytes = of->touches * fmin(SECTOR, of->step);
  if (!of->by_block)
    bytes /= (double)grid->blocks;
  if (!of->by_thread)
    bytes /= figures->lanes * (of->by_block ? 1 : grid->warps);
  return bytes / of->again;
}

static void describe(const missing *m, uint32_t index) {
  const dc_access *access = &m->kernel->accesses[index];
  const dc_access_estimate *figures = &m->estimate->accesses[index];
  touch *of = &m->touches[index];
  *of = (touch){.asks = is_cached(access) && figures->requests > 0};
  if (!of->asks)
    return;
  of->by_data = goes_by_data(m->kernel, access);
  of->by_block = of->by_data || mentions(m->kernel, access->address, DC_OP_CTAID);
  of->by_thread = of->by_data || mentions(m->kernel, access->address, DC_OP_TID) ||
                  mentions(m->kernel, access->address, DC_OP_LANE);
  of->scatters = scatters(m->kernel, m->estimate, index);
  of->touches =
      figures->requests * figures->lanes * (double)m->setting->grid.blocks * m->setting->grid.warps;
  of->extent = told_extent(m->kernel, access);
  of->moves = dc__step_of(m->kernel, access);
  of->step = step_of(m->kernel, access, of);
  of->again = dc__repeats(m->kernel, m->estimate, access);
  of->near = dc__neighbours_of(m->kernel, m->estimate, index);
  double bytes = bytes_of(m, index, of);
  of->bytes = of->extent > 0 ? fmin(bytes, of->extent) : bytes;
}

static bool same_array(const dc_kernel *kernel, uint32_t a, uint32_t b) {
  return kernel->accesses[a].root != DC_NO_EXPR &&
         kernel->accesses[a].root == kernel->accesses[b].root;
}

static bool walks(const missing *m, uint32_t index) {
  return m->touches[index].asks && !m->touches[index].scatters &&
         m->estimate->accesses[index].access_class == DC_ACCESS_WALK;
}

// Whether one before walks through the same array in the same loop.
static bool is_walked(const missing *m, uint32_t index) {
  const dc_kernel *kernel = m->kernel;
  for (uint32_t k = 0; k < index; ++k)
    if (walks(m, k) && same_array(kernel, k, index) && loop_of(m, k) == loop_of(m, index))
      return true;
  return false;
}

static void add_walker(const missing *m, uint32_t index) {
  const dc_access *access = &m->kernel->accesses[index];
  uint32_t loop = loop_of(m, index);
  const touch *of = &m->touches[index];
  bool goes_on = walks(m, index);
  if (!of->asks || loop == DC_NONE || !(goes_on || of->scatters) ||
      dc__comes_after_near(m->kernel, m->estimate, index))
    return;
  m->walkers[loop].lines += access->kind != DC_ACCESS_ATOMIC ? DC_WARP : 0;
  m->walkers[loop].walks += goes_on;
  m->walkers[loop].bytes += goes_on && !is_walked(m, index) ? of->bytes : 0;
}

// Of the sectors of an access in order the share that its last iteration hasn't touched: where it
// moves on by less than a warp's lanes are wide, as windows do.
static double fresh(const missing *m, uint32_t index) {
  const dc_access_estimate *figures = &m->estimate->accesses[index];
  const dc__step *moves = &m->touches[index].moves;
  double step = moves->bytes / SECTOR, taken = figures->taken.high;
  if (!moves->known || step >= taken ||
      (figures->access_class != DC_ACCESS_ROW && figures->access_class != DC_ACCESS_STRIDED))
    return 1;
  double trips = fmax(1, m->estimate->loops[loop_of(m, index)].mean_trips.low);
  return (taken + (trips - 1) * step) / (taken * trips);
}

// ---- descents -----------------------------------------------------------------------------------

// Levels of a descent, 0: it is none.
static double levels_of(const missing *m, uint32_t index) {
  const dc_access *access = &m->kernel->accesses[index];
  uint32_t loop = loop_of(m, index);
  return access->descends && m->touches[index].scatters && loop != DC_NONE
             ? fmin(fmax(1, m->estimate->loops[loop].mean_trips.low), LEVELS_MOST)
             : 0;
}

// Of what a descent asks for, the share on levels that so many sectors don't hold: each level has
// twice as many places as the one before.
static double deeper(const missing *m, uint32_t index, double sectors) {
  double levels = levels_of(m, index), held = log2(fmax(sectors, 1)), all = 0, below = 0;
  double lanes = m->estimate->accesses[index].lanes;
  for (unsigned level = 0; level < levels; ++level) {
    double asked = dc__distinct(exp2(level), lanes) * fmin(levels - level, 1);
    all += asked;
    below += asked * fmin(fmax(level + 1 - held, 0), 1);
  }
  return all > 0 ? below / all : 1;
}

// ---- L1 -----------------------------------------------------------------------------------------

static double asked_of(const missing *m, uint32_t k, double missed) {
  const dc_access_estimate *figures = &m->estimate->accesses[k];
  double warps = (double)m->setting->grid.blocks * m->setting->grid.warps;
  double sectors =
      figures->access_class == DC_ACCESS_GATHER || figures->access_class == DC_ACCESS_WALK
          ? figures->lanes
          : figures->taken.high;
  return figures->requests * sectors * warps * missed;
}

// Members of a structure, neighbours in a row: of the sectors of the requests that go to the same
// ones together, the share that is there. `each`: sectors of one request that lie side by side.
static double together(double bytes, double count, double each) {
  return fmin(fmax(each, bytes / SECTOR) / (count * each), 1);
}

static double share_of_neighbours(const missing *m, uint32_t index) {
  const dc_access_estimate *figures = &m->estimate->accesses[index];
  const dc__neighbours *near = &m->touches[index].near;
  bool side_by_side =
      figures->access_class == DC_ACCESS_ROW ||
      (figures->access_class == DC_ACCESS_STRIDED && fabs((double)figures->stride) < SECTOR);
  double each = side_by_side ? figures->taken.high : 1;
  return together(near->bytes + (each - 1) * SECTOR, near->count, each);
}

static double resident_blocks(const dc__setting *setting) {
  double blocks = (double)setting->grid.blocks / setting->machine->sms;
  return fmax(fmin(blocks, setting->grid.resident), 1);
}

// Warps of a block that are one above the other, in its second dimension.
static double warps_above(const uint32_t block[3]) {
  return block[0] < DC_WARP ? fmax(1, (double)block[0] * block[1] / DC_WARP) : block[1];
}

// What warps above each other read together, at about the same time: the same row; or, where each
// lane reads in a line of its own down a column, the rest of its sector, as far as L1 holds the
// lines. The share of the sectors that is asked for first.
static double share_of_warps_above(const missing *m, uint32_t index) {
  const dc_access_estimate *figures = &m->estimate->accesses[index];
  const uint32_t *block = m->setting->block;
  dc__step next = dc__step_along_threads(m->kernel, &m->kernel->accesses[index], 1);
  double lines = resident_blocks(m->setting) * block[0] * LINE;
  bool apart = figures->access_class == DC_ACCESS_STRIDED && block[0] >= DC_WARP &&
               fabs((double)figures->stride) >= SECTOR;
  if (m->touches[index].by_data || lines > (double)m->setting->l1_bytes || !next.known ||
      next.bytes >= (apart ? SECTOR : 1))
    return 1;
  return fmax(next.bytes / SECTOR, 1 / warps_above(block));
}

// Iterations in which a walk goes on: where nobody sees where a loop has it begin, it goes on
// through those around, as cursors do.
static double trips_of(const missing *m, uint32_t index) {
  const dc_access *access = &m->kernel->accesses[index];
  bool hidden = access->advance > 0 || mentions(m->kernel, access->address, DC_OP_OPAQUE) ||
                mentions(m->kernel, access->address, DC_OP_CARRIED);
  double trips = 1;
  for (uint32_t loop = loop_of(m, index); loop != DC_NONE;
       loop = hidden ? m->kernel->loops[loop].parent : DC_NONE)
    trips *= fmax(1, m->estimate->loops[loop].mean_trips.low);
  return trips;
}

// Units of so many bytes that a lane's walk goes through, by its neighbours, too: it may begin
// anywhere in one.
static double units_of_walk(const missing *m, uint32_t index, double unit) {
  const touch *of = &m->touches[index];
  double trips = trips_of(m, index), bytes = m->kernel->accesses[index].bytes;
  double width = fmax(of->near.bytes, bytes);
  if (of->step > unit)
    return trips * (1 + (width - bytes) / unit);
  return 1 + ((trips - 1) * of->step + width - bytes) / unit;
}

// Lanes that walk on each in a line of their own keep it until the next step, as far as L1 holds as
// many; and all that they went over until they come again, if it holds that. Lines of lanes that
// are done stay as long as others.
static double walking_misses(const missing *m, uint32_t index) {
  uint32_t loop = loop_of(m, index);
  const touch *of = &m->touches[index];
  const dc__neighbours *near = &of->near;
  double room = (double)m->setting->l1_bytes, blocks = resident_blocks(m->setting);
  double gone_over = of->bytes / (double)m->setting->grid.blocks * blocks;
  double trips = trips_of(m, index);
  double held = fmin(units_of_walk(m, index, SECTOR) / (trips * near->count), 1);
  if (loop == DC_NONE)
    return held;
  if (of->again > 1 && gone_over <= room)
    return held / of->again;
  unsigned unrolled = m->kernel->loops[loop].unroll_expected;
  double lost = together(near->bytes, near->count, 1) / (unrolled > 1 ? unrolled : 1);
  double needed = m->walkers[loop].lines * blocks * m->setting->grid.warps * LINE;
  return held + fmax(lost - held, 0) * fmax(1 - room / needed, 0);
}

static double sms_of(const missing *m) {
  return fmin(m->setting->machine->sms, (double)m->setting->grid.blocks);
}

// All blocks of an SM find what one has brought of a small array, or of one that goes by none of
// their numbers: only first touches miss.
static double first_misses(const missing *m, uint32_t index) {
  const touch *of = &m->touches[index];
  double room = (double)m->setting->l1_bytes, asked = asked_of(m, index, 1) / sms_of(m);
  double bytes = of->by_block || of->extent > 0 ? of->extent : of->bytes;
  bool stays = bytes > 0 && bytes <= room * L1_OF_SECTORS && asked > 0;
  return stays ? fmin(bytes / SECTOR / asked, 1) : 1;
}

static double l1_misses_of_reads(const missing *m, uint32_t index) {
  const touch *of = &m->touches[index];
  const dc_access *access = &m->kernel->accesses[index];
  double sms = sms_of(m), touches = of->touches / sms, room = (double)m->setting->l1_bytes;
  if (of->scatters) {
    double first = touches > 0 ? dc__distinct(of->extent / SECTOR, touches) / touches : 1;
    double missed = fmin(1, fmax(first, 1 - L1_OF_SECTORS * room / of->extent));
    return missed * share_of_neighbours(m, index) * deeper(m, index, L1_OF_SECTORS * room / SECTOR);
  }
  switch ((dc_access_class)m->estimate->accesses[index].access_class) {
  case DC_ACCESS_WALK:
    return walking_misses(m, index);
  case DC_ACCESS_SAME: // by iteration it walks on, too
    return fmin(1, access->bytes / SECTOR) / fmax(1, of->again);
  default: {
    double shared = of->by_block ? 1 : resident_blocks(m->setting);
    bool holds = of->bytes / sms <= room;
    return fresh(m, index) * share_of_neighbours(m, index) * share_of_warps_above(m, index) /
           fmax(1, (holds ? of->again : 1) * shared);
  }
  }
}

static double l1_misses(const missing *m, uint32_t index) {
  if (m->kernel->accesses[index].kind != DC_ACCESS_LOAD) // written through
    return 1;
  return fmin(l1_misses_of_reads(m, index), first_misses(m, index));
}

// ---- L2 -----------------------------------------------------------------------------------------

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

static uint32_t list_arrays(const missing *m, const dc__misses *misses, array *arrays) {
  uint32_t n = 0;
  for (uint32_t k = 0; k < m->kernel->n_accesses; ++k) {
    if (!m->touches[k].asks)
      continue;
    uint32_t at = 0;
    while (at < n && !same_array(m->kernel, arrays[at].access, k))
      ++at;
    if (at == n)
      arrays[n++] = (array){.access = k};
    arrays[at].bytes = fmax(arrays[at].bytes, fmax(m->touches[k].bytes, 1));
    arrays[at].sweeps = fmax(arrays[at].sweeps, m->touches[k].again);
    arrays[at].asked += asked_of(m, k, misses[k].l1);
  }
  return n;
}

// What is read in order is soon asked for again or not at all, in each sweep over it; and so are
// members of a structure.
static bool goes_in_order(const missing *m, uint32_t k) {
  const touch *of = &m->touches[k];
  return !of->by_data && (m->kernel->accesses[k].kind != DC_ACCESS_ATOMIC || of->near.count > 1);
}

// Where lanes walk on in more lines than L2 has, of those that they come back to some are gone.
static double walks_past_l2(const missing *m, uint32_t k) {
  uint32_t loop = loop_of(m, k);
  if (loop == DC_NONE)
    return 0;
  double warps = sms_of(m) * resident_blocks(m->setting) * m->setting->grid.warps;
  double needed = fmin(m->walkers[loop].walks * DC_WARP * warps * LINE, m->walkers[loop].bytes);
  return fmax(1 - (double)m->setting->machine->l2_bytes / needed, 0);
}

// Of what a walk asks of L2: what it comes to first, which is there where it is since the last
// walk, and what it comes back to.
static double walk_misses_l2(const missing *m, uint32_t k, const array *of, double l1) {
  bool reads = m->kernel->accesses[k].kind == DC_ACCESS_LOAD;
  double sectors = units_of_walk(m, k, SECTOR), asked = trips_of(m, k) * m->touches[k].near.count;
  double first = units_of_walk(m, k, reads ? FETCH : SECTOR) / fmax(asked * l1, sectors);
  double lost = m->setting->warm ? of->lost : of->lost + (1 - of->lost) / of->sweeps;
  first = fmin(first, 1);
  return first * lost + (1 - first) * walks_past_l2(m, k);
}

static bool is_read(const missing *m, uint32_t array) {
  for (uint32_t k = 0; k < m->kernel->n_accesses; ++k)
    if (m->touches[k].asks && m->kernel->accesses[k].kind == DC_ACCESS_LOAD &&
        same_array(m->kernel, array, k))
      return true;
  return false;
}

// Whether of the sectors that it writes others write nothing, and that nobody has read: what goes
// on in order is written by and by.
static bool writes_parts(const missing *m, uint32_t k) {
  const touch *of = &m->touches[k];
  return m->kernel->accesses[k].kind != DC_ACCESS_LOAD && of->scatters && of->near.bytes < SECTOR &&
         !is_read(m, k);
}

static void miss_l2(const missing *m, const array *of, dc__misses *misses) {
  double asked = of->asked * SECTOR, first = asked > 0 ? fmin(of->bytes / asked, 1) : 1;
  for (uint32_t k = 0; k < m->kernel->n_accesses; ++k) {
    if (!m->touches[k].asks || (k != of->access && !same_array(m->kernel, of->access, k)))
      continue;
    double lost = of->lost * (goes_in_order(m, k) ? fmin(1, first * of->sweeps) : 1);
    if (misses[k].descent > 0 && misses[k].l1 > 0) {
      double sectors = (double)m->setting->machine->l2_bytes / SECTOR;
      lost *= fmin(deeper(m, k, sectors) / misses[k].l1, 1);
    }
    // Members that are asked for together come from memory once; what is read, to L1 already.
    if (m->touches[k].scatters && m->kernel->accesses[k].kind != DC_ACCESS_LOAD)
      lost *= share_of_neighbours(m, k);
    misses[k].l2_latency = l2_latency(m->setting->machine, of->bytes);
    misses[k].l2 = walks(m, k)        ? walk_misses_l2(m, k, of, misses[k].l1)
                   : m->setting->warm ? lost
                                      : first + (1 - first) * lost;
  }
}

static void miss(const missing *m, array *arrays, dc__misses *misses) {
  for (uint32_t k = 0; k < m->kernel->n_accesses; ++k)
    describe(m, k);
  for (uint32_t k = 0; k < m->kernel->n_accesses; ++k)
    add_walker(m, k);
  for (uint32_t k = 0; k < m->kernel->n_accesses; ++k) {
    misses[k] = (dc__misses){.l2_latency = m->setting->machine->l2};
    if (!m->touches[k].asks)
      continue;
    misses[k].l1 = l1_misses(m, k);
    misses[k].extent = m->touches[k].scatters ? m->touches[k].extent : 0;
    misses[k].partial = writes_parts(m, k);
    misses[k].descent = levels_of(m, k);
  }
  uint32_t n = list_arrays(m, misses, arrays);
  share_l2(m->setting, arrays, n);
  for (uint32_t at = 0; at < n; ++at)
    miss_l2(m, &arrays[at], misses);
}

dc_status dc__misses_find(const dc_kernel *kernel, const dc_estimate *estimate,
                          const dc__setting *setting, dc__misses *misses, dc_error *error) {
  missing m = {.kernel = kernel, .estimate = estimate, .setting = setting};
  array *arrays = malloc((kernel->n_accesses + 1u) * sizeof *arrays);
  m.touches = malloc((kernel->n_accesses + 1u) * sizeof *m.touches);
  m.walkers = calloc(kernel->n_loops + 1u, sizeof *m.walkers);
  dc_status status = DC_OK;
  if (arrays && m.touches && m.walkers)
    miss(&m, arrays, misses);
  else
    status = dc_fail(error, DC_ERROR_MEMORY, "out of memory for %u accesses",
                     (unsigned)kernel->n_accesses);
  free(arrays);
  free(m.touches);
  free(m.walkers);
  return status;
}
