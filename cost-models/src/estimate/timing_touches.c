// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How accesses go about their arrays: in order, by walking on or at random, over how many bytes,
// and next to which others.
#include "estimate/timing_misses.h"

#include <math.h>

#define LEVELS_MOST 64.0 // of a descent
#define SMALL_L1 0.5     // of L1: an array that nobody told the size of, small
#define LARGE_L2 4.0     // times L2: the same, large

// The innermost one around an access, or DC_NONE.
uint32_t dc__loop_around(const dc__touches *m, uint32_t index) {
  return m->kernel->blocks[m->kernel->accesses[index].block].loop;
}

bool dc__is_cached(const dc_access *access) {
  return access->space == DC_SPACE_GLOBAL || access->space == DC_SPACE_GENERIC;
}

bool dc__mentions_op(const dc_kernel *kernel, dc_expr e, dc_expr_op op) {
  return e != DC_NO_EXPR && dc_expr_mentions(&kernel->pool, e, op, -1);
}

static bool goes_by_data(const dc_kernel *kernel, const dc_access *access) {
  return access->address == DC_NO_EXPR || dc__mentions_op(kernel, access->address, DC_OP_LOAD) ||
         dc__mentions_op(kernel, access->address, DC_OP_OPAQUE);
}

bool dc__scatters(const dc_kernel *kernel, const dc_estimate *estimate, uint32_t index) {
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
double dc__told_extent(const dc_kernel *kernel, const dc_access *access) {
  uint32_t parameter = parameter_of(kernel, access);
  if (parameter != DC_NONE)
    return (double)kernel->params[parameter].extent;
  return access->root == DC_NO_EXPR ? other_extent(kernel) : 0;
}

double dc__distinct(double places, double n) {
  return places > 1 ? places * -expm1(n * log1p(-1 / places)) : 1;
}

// Bytes that a lane moves on in each iteration. Where it goes on evenly, but nobody knows how far,
// all lanes go over the array once, side by side, as they do over rows of one after the other; else
// it is to another sector. Outside of loops it is what is read.
static double step_of(const dc_kernel *kernel, const dc_access *access, const dc__touch *of) {
  if (of->moves.known)
    return of->moves.bytes;
  if (kernel->blocks[access->block].loop == DC_NONE)
    return access->bytes;
  return of->moves.even && of->extent > 0 && of->touches > 0
             ? fmin(of->extent / of->touches, SECTOR)
             : SECTOR;
}

static double bytes_of_gather(const dc__setting *setting, dc__touch *of) {
  if (of->extent == 0)
    of->extent = setting->footprint == DC_FOOTPRINT_SMALL
                     ? SMALL_L1 * L1_OF_SECTORS * (double)setting->l1_bytes
                     : LARGE_L2 * (double)setting->machine->l2_bytes;
  return SECTOR * dc__distinct(of->extent / SECTOR, of->touches);
}

static double bytes_of(const dc__touches *m, uint32_t index, dc__touch *of) {
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

static void describe(const dc__touches *m, uint32_t index) {
  const dc_access *access = &m->kernel->accesses[index];
  const dc_access_estimate *figures = &m->estimate->accesses[index];
  dc__touch *of = &m->of[index];
  *of = (dc__touch){.asks = dc__is_cached(access) && figures->requests > 0};
  if (!of->asks)
    return;
  of->by_data = goes_by_data(m->kernel, access);
  of->by_block = of->by_data || dc__mentions_op(m->kernel, access->address, DC_OP_CTAID);
  of->by_thread = of->by_data || dc__mentions_op(m->kernel, access->address, DC_OP_TID) ||
                  dc__mentions_op(m->kernel, access->address, DC_OP_LANE);
  of->scatters = dc__scatters(m->kernel, m->estimate, index);
  of->touches =
      figures->requests * figures->lanes * (double)m->setting->grid.blocks * m->setting->grid.warps;
  of->extent = dc__told_extent(m->kernel, access);
  of->moves = dc__step_of(m->kernel, access);
  of->step = step_of(m->kernel, access, of);
  of->again = dc__repeats(m->kernel, m->estimate, access);
  of->near = dc__neighbours_of(m->kernel, m->estimate, index);
  double bytes = bytes_of(m, index, of);
  of->bytes = of->extent > 0 ? fmin(bytes, of->extent) : bytes;
}

bool dc__same_array(const dc_kernel *kernel, uint32_t a, uint32_t b) {
  return kernel->accesses[a].root != DC_NO_EXPR &&
         kernel->accesses[a].root == kernel->accesses[b].root;
}

bool dc__walks(const dc__touches *m, uint32_t index) {
  return m->of[index].asks && !m->of[index].scatters &&
         m->estimate->accesses[index].access_class == DC_ACCESS_WALK;
}

// Whether one before walks through the same array in the same loop.
static bool is_walked(const dc__touches *m, uint32_t index) {
  const dc_kernel *kernel = m->kernel;
  for (uint32_t k = 0; k < index; ++k)
    if (dc__walks(m, k) && dc__same_array(kernel, k, index) &&
        dc__loop_around(m, k) == dc__loop_around(m, index))
      return true;
  return false;
}

static void add_walker(const dc__touches *m, uint32_t index) {
  const dc_access *access = &m->kernel->accesses[index];
  uint32_t loop = dc__loop_around(m, index);
  const dc__touch *of = &m->of[index];
  bool goes_on = dc__walks(m, index);
  if (!of->asks || loop == DC_NONE || !(goes_on || of->scatters) ||
      dc__comes_after_near(m->kernel, m->estimate, index))
    return;
  m->walkers[loop].lines += access->kind != DC_ACCESS_ATOMIC ? DC_WARP : 0;
  m->walkers[loop].walks += goes_on;
  m->walkers[loop].bytes += goes_on && !is_walked(m, index) ? of->bytes : 0;
}

double dc__sectors_asked(const dc__touches *m, uint32_t k, double missed) {
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
double dc__together(double bytes, double count, double each) {
  return fmin(fmax(each, bytes / SECTOR) / (count * each), 1);
}

double dc__share_of_neighbours(const dc__touches *m, uint32_t index) {
  const dc_access_estimate *figures = &m->estimate->accesses[index];
  const dc__neighbours *near = &m->of[index].near;
  bool side_by_side =
      figures->access_class == DC_ACCESS_ROW ||
      (figures->access_class == DC_ACCESS_STRIDED && fabs((double)figures->stride) < SECTOR);
  double each = side_by_side ? figures->taken.high : 1;
  return dc__together(near->bytes + (each - 1) * SECTOR, near->count, each);
}

double dc__resident_blocks(const dc__setting *setting) {
  double blocks = (double)setting->grid.blocks / setting->machine->sms;
  return fmax(fmin(blocks, setting->grid.resident), 1);
}

double dc__sms_at_work(const dc__touches *m) {
  return fmin(m->setting->machine->sms, (double)m->setting->grid.blocks);
}

// Iterations in which a walk goes on: where nobody sees where a loop has it begin, it goes on
// through those around, as cursors do.
double dc__trips_of_walk(const dc__touches *m, uint32_t index) {
  const dc_access *access = &m->kernel->accesses[index];
  bool hidden = access->advance > 0 || dc__mentions_op(m->kernel, access->address, DC_OP_OPAQUE) ||
                dc__mentions_op(m->kernel, access->address, DC_OP_CARRIED) ||
                dc__mentions_op(m->kernel, access->address, DC_OP_ICARRIED);
  double trips = 1;
  for (uint32_t loop = dc__loop_around(m, index); loop != DC_NONE;
       loop = hidden ? m->kernel->loops[loop].parent : DC_NONE)
    trips *= fmax(1, m->estimate->loops[loop].mean_trips.low);
  return trips;
}

// Units of so many bytes that a lane's walk goes through, by its neighbours, too: it may begin
// anywhere in one.
double dc__units_of_walk(const dc__touches *m, uint32_t index, double unit) {
  const dc__touch *of = &m->of[index];
  double trips = dc__trips_of_walk(m, index), bytes = m->kernel->accesses[index].bytes;
  double width = fmax(of->near.bytes, bytes);
  if (of->step > unit)
    return trips * (1 + (width - bytes) / unit);
  return 1 + ((trips - 1) * of->step + width - bytes) / unit;
}

// ---- descents -----------------------------------------------------------------------------------

// Levels of a descent, 0: it is none.
double dc__levels_of_descent(const dc__touches *m, uint32_t index) {
  const dc_access *access = &m->kernel->accesses[index];
  uint32_t loop = dc__loop_around(m, index);
  return access->descends && m->of[index].scatters && loop != DC_NONE
             ? fmin(fmax(1, m->estimate->loops[loop].mean_trips.low), LEVELS_MOST)
             : 0;
}

// Of what a descent asks for, the share on levels that so many sectors don't hold: each level has
// twice as many places as the one before.
double dc__share_below(const dc__touches *m, uint32_t index, double sectors) {
  double levels = dc__levels_of_descent(m, index), held = log2(fmax(sectors, 1)), all = 0,
         below = 0;
  double lanes = m->estimate->accesses[index].lanes;
  for (unsigned level = 0; level < levels; ++level) {
    double asked = dc__distinct(exp2(level), lanes) * fmin(levels - level, 1);
    all += asked;
    below += asked * fmin(fmax(level + 1 - held, 0), 1);
  }
  return all > 0 ? below / all : 1;
}

// ---- all of it ----------------------------------------------------------------------------------

void dc__touches_find(const dc__touches *m) {
  for (uint32_t k = 0; k < m->kernel->n_accesses; ++k)
    describe(m, k);
  for (uint32_t k = 0; k < m->kernel->n_accesses; ++k)
    add_walker(m, k);
}
