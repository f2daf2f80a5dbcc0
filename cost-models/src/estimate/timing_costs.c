// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an execution of a block asks of an SM. By itself a warp waits for its longest chain of
// instructions, or for their issue; for a compare and branch; and for one read of memory after the
// other, each as slow as the slowest of those that are asked for together, with some cycles more
// for each line. Iterations that compilers do several at once ask for their reads together, unless
// an address comes from the iteration before.
#include "estimate/timing.h"
#include "kernel/predication.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STAGES 8         // reads in a row that are told apart
#define LATCH 3          // instructions of an iteration that a pass of several has once
#define CHAIN_SHARE 0.6  // of a block's instructions, where nobody noted its chain
#define FP64_LATENCY 2.0 // times that of other instructions (bench/results/h200/instructions.tsv)
#define LINE_SECTORS 4.0
#define BANK 4.0 // bytes of a bank of shared memory

// ---- requests -----------------------------------------------------------------------------------

// By so many lanes.
typedef struct request {
  double lines, sectors;
  bool whole;        // lines
  dc__misses misses; // of these
  double passes;     // over the banks of L1, where it is known how lanes lie; else 0
} request;

// By as many lanes, the mean over the levels.
static request made_in_descent(const dc__misses *misses, double lanes) {
  double sectors = 0;
  for (unsigned level = 0; level < misses->descent; ++level)
    sectors += dc__distinct(exp2(level), lanes) * fmin(misses->descent - level, 1);
  sectors /= misses->descent;
  return (request){sectors, sectors, false, *misses, 0};
}

// L1 has the banks of shared memory: lanes that far apart meet in some of them
// (bench/results/h200/memory.tsv: 8 cycles for lanes 32 bytes apart, 31 for 128). Words of several
// banks take turns, with the same result.
static double passes_of(double lanes, double bytes_apart) {
  unsigned words = (unsigned)fmod(bytes_apart / BANK, DC_WARP), banks = DC_WARP;
  while (words % banks)
    banks /= 2;
  return fmax(1, lanes * banks / DC_WARP);
}

static request made(const dc_clock *clock, uint32_t index, double lanes) {
  const dc_access_estimate *figures = &clock->accesses[index];
  const dc__misses misses = clock->misses[index];
  double bytes = clock->kernel->accesses[index].bytes;
  double taken = (figures->taken.low + figures->taken.high) / 2;
  double of_lanes = fmax(1, taken * lanes / fmax(figures->lanes, 1));
  double own = lanes * fmax(1, bytes / DC_SECTOR);
  if (misses.descent > 0)
    return made_in_descent(&misses, lanes);
  switch ((dc_access_class)figures->access_class) {
  case DC_ACCESS_SAME:
    return (request){1, 1, false, misses, 0};
  case DC_ACCESS_ROW:
    return (request){fmax(1, of_lanes / LINE_SECTORS), of_lanes, true, misses,
                     passes_of(lanes, bytes)};
  case DC_ACCESS_STRIDED: {
    double stride = fabs((double)figures->stride);
    double lines = lanes * stride / (LINE_SECTORS * DC_SECTOR);
    return (request){fmin(of_lanes, stride > 0 ? fmax(1, lines) : of_lanes), of_lanes,
                     stride > 0 && stride <= DC_SECTOR, misses, passes_of(lanes, stride)};
  }
  case DC_ACCESS_WALK:
    return (request){lanes, own, false, misses, 0};
  default: {
    double extent = misses.extent;
    if (!(extent > 0))
      return (request){lanes, own, false, misses, 0};
    return (request){dc__distinct(extent / (LINE_SECTORS * DC_SECTOR), lanes),
                     dc__distinct(extent / DC_SECTOR, own), false, misses, 0};
  }
  }
}

// If the lanes' bytes stood side by side: what misses is the same sectors, as far as the request
// has as many.
static request coalesced(const dc_clock *clock, uint32_t index, double lanes, const request *of) {
  const dc_access_estimate *figures = &clock->accesses[index];
  double sectors = fmax(1, figures->ideal.high * lanes / fmax(figures->lanes, 1));
  double lines = fmax(1, sectors / LINE_SECTORS);
  if (sectors >= of->sectors && lines >= of->lines)
    return *of;
  request out = {fmin(lines, of->lines), fmin(sectors, of->sectors), true, of->misses,
                 passes_of(lanes, clock->kernel->accesses[index].bytes)};
  double l1 = of->sectors * of->misses.l1, l2 = l1 * of->misses.l2;
  out.misses.l1 = fmin(l1 / out.sectors, 1);
  out.misses.l2 = l1 > 0 ? fmin(l2 / (out.sectors * out.misses.l1), 1) : 0;
  return out;
}

static request request_of(const dc_clock *clock, uint32_t index, double lanes) {
  request of = made(clock, index, lanes);
  return clock->coalesced ? coalesced(clock, index, lanes, &of) : of;
}

static bool coalesces(const dc_clock *clock) {
  for (uint32_t k = 0; k < clock->kernel->n_accesses; ++k) {
    const dc_access *access = &clock->kernel->accesses[k];
    double lanes = clock->accesses[k].lanes;
    if (!(clock->accesses[k].requests > 0) || access->space == DC_SPACE_SHARED ||
        access->space == DC_SPACE_CONSTANT)
      continue;
    request of = made(clock, k, lanes), fewest = coalesced(clock, k, lanes, &of);
    if (fewest.sectors < of.sectors || fewest.lines < of.lines)
      return true;
  }
  return false;
}

static double any_of(double share, double n) { return share >= 1 ? 1 : -expm1(n * log1p(-share)); }

// What a doubling of the requests adds to the longest.
static double spread_of(const dc_clock *clock, uint32_t index, const request *of) {
  const dc_machine *machine = clock->setting->machine;
  const dc_access *access = &clock->kernel->accesses[index];
  const dc__misses *misses = &of->misses;
  if (access->space == DC_SPACE_SHARED || access->kind == DC_ACCESS_ATOMIC)
    return 0;
  double beyond = any_of(misses->l1, of->lines), far = any_of(misses->l1 * misses->l2, of->lines);
  return (1 - beyond) * machine->l1_more + (beyond - far) * machine->l2_more +
         far * machine->dram_more;
}

// Cycles until what is read is there, of `times` requests that are made together.
static double latency_of(const dc_clock *clock, uint32_t index, const request *of, double times) {
  const dc_machine *machine = clock->setting->machine;
  const dc_access *access = &clock->kernel->accesses[index];
  const dc__misses *misses = &of->misses;
  if (access->space == DC_SPACE_SHARED)
    return access->kind == DC_ACCESS_ATOMIC ? machine->shared_atomic : machine->shared;
  if (access->kind == DC_ACCESS_ATOMIC)
    return machine->atomic;
  double n = fmax(times * of->lines, 1), beyond = any_of(misses->l1, n),
         far = any_of(misses->l1 * misses->l2, n);
  double here = machine->l1 + machine->l1_more * log2(n);
  double l2 = misses->l2_latency + machine->l2_more * log2(fmax(n * misses->l1, 1));
  double dram = machine->dram + machine->dram_more * log2(fmax(n * misses->l1 * misses->l2, 1));
  return (1 - beyond) * here + (beyond - far) * l2 + far * dram;
}

// E[the most of n that are in one of m places], each in any, by Poisson's numbers for each place:
// 3.5 of 32 in 32 banks.
static double most_in_one(double n, double m) {
  double mean = n / m, term = exp(-mean), up_to = term, most = 1;
  for (unsigned k = 1; k < n && up_to < 1; ++k) {
    up_to += term *= mean / k;
    most += 1 - pow(up_to, m);
  }
  return most;
}

// Passes of so many lanes at random: wider words go by halves or quarters of the warp, to pairs or
// fours of banks.
static double random_passes(const dc_access *access, double lanes) {
  double turns = fmin(fmax(access->bytes / BANK, 1), 4);
  return turns * most_in_one(fmax(lanes / turns, 1), DC_WARP / turns);
}

static void use_shared(const dc_clock *clock, uint32_t index, double lanes, double times,
                       dc_demand *out) {
  const dc_machine *machine = clock->setting->machine;
  const dc_access_estimate *figures = &clock->accesses[index];
  double taken = (figures->taken.low + figures->taken.high) / 2;
  bool scattered =
      figures->access_class == DC_ACCESS_GATHER || figures->access_class == DC_ACCESS_WALK;
  double passes = scattered && figures->from != DC_FROM_DERIVED
                      ? random_passes(&clock->kernel->accesses[index], lanes)
                      : fmax(1, taken * lanes / fmax(figures->lanes, 1));
  out->use[DC_USE_L1] += times * passes * machine->shared_wavefront;
  out->cycles += times * (passes - 1) * machine->shared_more;
}

// Cycles of an SM for a sector.
typedef struct cost {
  double l2, dram;
} cost;

// partial: of a sector that is written, some bytes stay as they were, so that it is read before it
// goes back.
static cost cost_of(const dc_machine *m, const dc_access *access, bool whole, bool partial) {
  cost read =
      whole ? (cost){m->l2_line_sector, m->dram_line_sector} : (cost){m->l2_sector, m->dram_sector};
  cost write = whole ? (cost){m->l2_write_line_sector, m->dram_write_line_sector}
                     : (cost){m->l2_write_sector, m->dram_write_sector};
  if (access->kind == DC_ACCESS_LOAD)
    return read;
  write.dram += partial ? read.dram : 0;
  if (access->kind == DC_ACCESS_ATOMIC)
    write.l2 = access->stage > 0 ? m->atomic_sector : m->reduce_sector;
  return write;
}

static void use_memory(const dc_clock *clock, uint32_t index, const request *of, double times,
                       dc_demand *out) {
  const dc_machine *machine = clock->setting->machine;
  const dc_access *access = &clock->kernel->accesses[index];
  const dc__misses *misses = &of->misses;
  double missed = times * of->sectors * misses->l1;
  cost each = cost_of(machine, access, of->whole, misses->partial);
  out->use[DC_USE_L1] += times * fmax(machine->l1_request + of->lines * machine->l1_line,
                                      of->passes * machine->shared_wavefront);
  out->use[DC_USE_L2] += missed * each.l2;
  out->use[DC_USE_DRAM] += missed * misses->l2 * each.dram;
}

// ---- blocks -------------------------------------------------------------------------------------

static void add_accesses(const dc_clock *clock, uint32_t block, double lanes, double times,
                         double pass, dc_demand *out) {
  double stages[STAGES] = {0}, spreads[STAGES] = {0};
  double passing = clock->passing[block], any = any_of(passing, lanes);
  lanes *= passing / any;
  times *= any;
  for (uint32_t k = clock->first[block]; k < clock->first[block + 1]; ++k) {
    uint32_t index = clock->ordered[k];
    const dc_access *access = &clock->kernel->accesses[index];
    if (!(clock->accesses[index].requests > 0))
      continue;
    request of = request_of(clock, index, lanes);
    if (access->space == DC_SPACE_SHARED)
      use_shared(clock, index, lanes, times, out);
    else if (access->space != DC_SPACE_CONSTANT)
      use_memory(clock, index, &of, times, out);
    if (access->stage == 0)
      continue;
    double together = access->carried ? 1 : pass;
    unsigned at = access->stage <= STAGES ? access->stage - 1u : STAGES - 1;
    double *stage = &stages[at], *most = &spreads[at];
    *stage = fmax(*stage, latency_of(clock, index, &of, together) / together);
    double spread = spread_of(clock, index, &of);
    *most = fmax(*most, spread * spread / together);
  }
  for (unsigned k = 0; k < STAGES; ++k) {
    out->cycles += times * stages[k];
    out->spread += times * spreads[k];
  }
}

// How much longer than others the block's instructions take.
static double slowness(const dc_block *block) {
  double all = 0;
  for (unsigned mix = 0; mix < DC_MIX_COUNT; ++mix)
    all += block->mix[mix];
  return all > 0 ? 1 + (FP64_LATENCY - 1) * block->mix[DC_MIX_FP64] / all : 1;
}

// What one iteration hands on to the next is a chain, beside which other instructions and the
// branch are done: how much longer it takes than these, which take so many cycles.
static double wait_for_carried(const dc_clock *clock, uint32_t loop, dc_part part, double chains) {
  const dc_loop *data = &clock->kernel->loops[loop];
  double cycles =
      data->carried * slowness(&clock->kernel->blocks[data->header]) * clock->setting->machine->alu;
  return part == DC_PART_ITERATION ? fmax(cycles - chains, 0) : 0;
}

// `times` executions of a block with so many lanes, in passes of so many iterations; gives the
// cycles of its chain and branch.
static double add_block(const dc_clock *clock, const dc_flow *flow, uint32_t block, double lanes,
                        double times, double pass, dc_demand *out) {
  // Integers and single precision go to two pipes that take one a cycle together: issue says that.
  static const dc_use pipes[DC_MIX_COUNT] = {[DC_MIX_FP64] = DC_USE_FP64,
                                             [DC_MIX_SPECIAL] = DC_USE_SPECIAL};
  const dc_machine *machine = clock->setting->machine;
  const dc_block *data = &clock->kernel->blocks[block];
  double instructions = flow->costs[block].instructions;
  bool latch = data->branch != DC_NONE && clock->kernel->branches[data->branch].exits != DC_NONE;
  if (latch)
    instructions -= fmin(LATCH, instructions) * (1 - 1 / pass);
  double chain = (data->chain ? data->chain : CHAIN_SHARE * instructions) * slowness(data);
  double waits = fmax(fmax(1, chain / pass) * machine->alu, instructions * machine->issue);
  if (data->branch != DC_NONE && !flow->predicated[data->branch])
    waits += machine->branch / (latch ? pass : 1);
  out->cycles += times * waits;
  out->cycles += times * (data->mix[DC_MIX_WARP] * machine->shuffle +
                          data->mix[DC_MIX_BARRIER] * machine->barrier);
  out->use[DC_USE_ISSUE] += times * instructions * machine->issue / machine->schedulers;
  for (unsigned mix = 0; mix < DC_MIX_COUNT; ++mix)
    if (pipes[mix])
      out->use[pipes[mix]] +=
          times * data->mix[mix] * clock->arch->issue[mix] / machine->schedulers;
  add_accesses(clock, block, lanes, times, pass, out);
  return times * waits;
}

static double pass_of(const dc_clock *clock, const dc_walk *walk, uint32_t context, dc_part part) {
  bool several = context != DC_NONE && part == DC_PART_ITERATION && dc__is_unrolled(walk, context);
  return several ? clock->kernel->loops[context].unroll_expected : 1;
}

// ---- iterations ---------------------------------------------------------------------------------

// An execution of a part of a loop by so many lanes, each block with those that come there.
static void find_body(const dc_clock *clock, const dc_walk *walk, uint32_t room, dc_part part,
                      unsigned lanes, dc_demand *out) {
  const dc_flow *flow = walk->flow;
  uint32_t context = room == clock->kernel->n_loops ? DC_NONE : room;
  double pass = pass_of(clock, walk, context, part), chains = 0;
  memset(out, 0, sizeof *out);
  for (uint32_t k = flow->first_own[room]; k < flow->first_own[room + 1]; ++k) {
    uint32_t block = flow->own[k];
    double times = flow->times[part][block] * flow->frequency[block], chances[DC_WARP + 1];
    if (times == 0)
      continue;
    dc__some_chances(flow->lanes[block], lanes, chances);
    if (chances[lanes] > 0)
      chains += add_block(clock, flow, block, lanes * flow->lanes[block] / chances[lanes],
                          times * chances[lanes], pass, out);
  }
  out->cycles += wait_for_carried(clock, context, part, chains);
}

void dc__demand_add(dc_demand *to, const dc_demand *more, double times) {
  to->cycles += times * more->cycles;
  to->spread += times * more->spread;
  for (unsigned use = 0; use < DC_USE_COUNT; ++use)
    to->use[use] += times * more->use[use];
}

static unsigned region_of(const dc_kernel *kernel, uint32_t loop) {
  if (loop == DC_NONE)
    return 0;
  while (kernel->loops[loop].parent != DC_NONE)
    loop = kernel->loops[loop].parent;
  unsigned before = 0; // outer loops stand before inner ones
  for (uint32_t k = 0; k < loop; ++k)
    before += kernel->loops[k].parent == DC_NONE;
  return before + 1 < DC_REGIONS ? before + 1 : DC_REGIONS - 1;
}

static unsigned crowd_of(unsigned lanes) {
  static const unsigned least[DC_CROWDS] = {29, 21, 13, 7, 4, 2, 0};
  unsigned crowd = 0;
  while (lanes < least[crowd])
    ++crowd;
  return crowd;
}

static void add_sides(dc_clock *clock, const dc_walk *walk, uint32_t context, const dc_active *here,
                      dc_part part) {
  const dc_flow *flow = walk->flow;
  uint32_t room = context == DC_NONE ? clock->kernel->n_loops : context;
  double pass = pass_of(clock, walk, context, part), chains = 0;
  double all = dc__active_total(here, 0);
  if (!(all > 0))
    return;
  dc_demand *to = &clock->segments.of[region_of(clock->kernel, context)]
                                     [crowd_of((unsigned)(dc__active_lanes(here) / all + 0.5))];
  for (uint32_t k = flow->first_own[room]; k < flow->first_own[room + 1]; ++k) {
    uint32_t block = flow->own[k];
    dc_visits visits = dc__sides_visits(walk, here, block, walk->block_lanes[block], part);
    if (visits.executions != 0)
      chains += add_block(clock, flow, block, visits.lanes / visits.executions, visits.executions,
                          pass, to);
  }
  if (context != DC_NONE)
    to->cycles += all * wait_for_carried(clock, context, part, chains / all);
}

void dc__clock_add(dc_clock *clock, const dc_walk *walk, uint32_t context, const dc_active *here,
                   dc_part part) {
  if (clock->also)
    dc__clock_add(clock->also, walk, context, here, part);
  if (context == DC_NONE || walk->flow->sided[context]) {
    add_sides(clock, walk, context, here, part);
    return;
  }
  dc_demand *segments = clock->segments.of[region_of(clock->kernel, context)];
  size_t row = (size_t)context * DC_PART_COUNT + part;
  for (unsigned j = here->exact ? here->size : 1; j <= here->size; ++j) {
    if (here->at[0][j] == 0)
      continue;
    bool *known = &clock->known[row * (DC_WARP + 1) + j];
    if (!*known)
      find_body(clock, walk, context, part, j, &clock->bodies[row][j]);
    *known = true;
    dc__demand_add(&segments[crowd_of(j)], &clock->bodies[row][j], here->at[0][j]);
  }
}

void dc__clock_wait(dc_clock *clock, uint32_t loop, double cycles) {
  if (clock->also)
    dc__clock_wait(clock->also, loop, cycles);
  dc_demand *segments = clock->segments.of[region_of(clock->kernel, loop)];
  double all = 0;
  for (unsigned crowd = 0; crowd < DC_CROWDS; ++crowd)
    all += segments[crowd].cycles;
  for (unsigned crowd = 0; crowd < DC_CROWDS && all > 0; ++crowd)
    segments[crowd].cycles += cycles * segments[crowd].cycles / all;
}

// ---- all of it ----------------------------------------------------------------------------------

static void order_accesses(dc_clock *clock) {
  const dc_kernel *kernel = clock->kernel;
  for (uint32_t k = 0; k < kernel->n_accesses; ++k)
    ++clock->first[kernel->accesses[k].block + 1];
  for (uint32_t k = 0; k < kernel->n_blocks; ++k)
    clock->first[k + 1] += clock->first[k];
  for (uint32_t k = kernel->n_accesses; k-- > 0;) // first[block + 1] moves to where it begins
    clock->ordered[--clock->first[kernel->accesses[k].block + 1]] = k;
  memmove(clock->first, clock->first + 1, kernel->n_blocks * sizeof *clock->first);
  clock->first[kernel->n_blocks] = kernel->n_accesses;
}

// Of blocks that are issued with all lanes, of which those of the other side touch nothing.
static void find_passing(dc_clock *clock) {
  const dc_kernel *kernel = clock->kernel;
  for (uint32_t k = 0; k < kernel->n_blocks; ++k)
    clock->passing[k] = 1;
  for (uint32_t k = 0; k < kernel->n_blocks; ++k) {
    const dc_block *block = &kernel->blocks[k];
    if (!dc__is_predicated(kernel, block) || block->n_successors != 2)
      continue;
    const uint32_t *to = &kernel->successors[block->first_successor];
    double taken = kernel->branches[block->branch].taken / (double)DC_CHANCE;
    for (unsigned side = 0; side < 2 && taken > 0; ++side)
      if (to[side] != block->post_dominator)
        clock->passing[to[side]] = side == 0 ? taken : 1 - taken;
  }
}

dc_status dc__clock_begin(const dc_kernel *kernel, const dc_arch *arch, dc_clock *out,
                          dc_error *error) {
  size_t rows = (kernel->n_loops + 1u) * (size_t)DC_PART_COUNT;
  *out = (dc_clock){.kernel = kernel, .arch = arch};
  out->misses = calloc(kernel->n_accesses + 1u, sizeof *out->misses);
  out->first = calloc(kernel->n_blocks + 2u, sizeof *out->first);
  out->ordered = calloc(kernel->n_accesses + 1u, sizeof *out->ordered);
  out->passing = calloc(kernel->n_blocks + 1u, sizeof *out->passing);
  out->bodies = calloc(rows, sizeof *out->bodies);
  out->known = calloc(rows * (DC_WARP + 1), sizeof *out->known);
  if (!out->misses || !out->first || !out->ordered || !out->passing || !out->bodies || !out->known)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory for the time of a kernel");
  order_accesses(out);
  find_passing(out);
  return DC_OK;
}

void dc__clock_free(dc_clock *clock) {
  free(clock->misses);
  free(clock->first);
  free(clock->ordered);
  free(clock->passing);
  free(clock->bodies);
  free(clock->known);
}

static void forget_bodies(dc_clock *clock) {
  size_t rows = (clock->kernel->n_loops + 1u) * (size_t)DC_PART_COUNT;
  memset(clock->known, 0, rows * (DC_WARP + 1) * sizeof *clock->known);
}

void dc__clock_coalesce(dc_clock *clock, dc_clock *other) {
  clock->also = coalesces(clock) ? other : NULL;
  if (!clock->also)
    return;
  other->setting = clock->setting;
  other->accesses = clock->accesses;
  other->coalesced = true;
  memcpy(other->misses, clock->misses, clock->kernel->n_accesses * sizeof *other->misses);
  forget_bodies(other);
}

void dc__clock_forget(dc_clock *clock) {
  clock->also = NULL;
  forget_bodies(clock);
}

dc_status dc__clock_set(dc_clock *clock, const dc__setting *setting, const dc_estimate *estimate,
                        dc_error *error) {
  clock->setting = setting;
  clock->accesses = estimate->accesses;
  return dc__misses_find(clock->kernel, estimate, setting, clock->misses, error);
}
