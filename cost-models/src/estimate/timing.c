// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a launch takes in time, as it is and without what it loses to divergence, coalescing,
// occupancy and its tail, over all that nobody told of caches and arrays.
#include "estimate/timing.h"

#include <math.h>
#include <string.h>

// What the model is off by where all is told, as a factor: of the time, and of the ratio of two.
#define TIME_FACTOR 2.0
#define RATIO_FACTOR 1.25

#define EVALUATIONS 2000000 // operations of expressions, over all lanes
#define L1_LEAST 8192       // bytes that shared memory always leaves to L1
#define EQUAL 1e-9 // times of launches that don't differ, in which order ever they are added up

static const char *const names[] = {"code", "machine", "grid", "trips"};

const char *dc_time_unknown_name(dc_time_unknown unknown) { return names[unknown]; }

int dc_time_unknown_parse(const char *name) {
  for (int k = DC_TIME_CODE; k <= DC_TIME_TRIPS; ++k)
    if (strcmp(names[k], name) == 0)
      return k;
  return -1;
}

// Launches, each with warps that go this way; COALESCED ones are walked beside those that are as
// they are, LONGEST are those that are ALIKE in an order, and OCCUPIED as many blocks at a time as
// there would be if registers and shared memory limited none. Each of PARTS is alike at one loop or
// branch, and is compared with a FEW that are as they are.
enum { AS_IS, COALESCED, ALIKE, LONGEST, OCCUPIED, FEW, PARTS };
#define LAUNCHES (PARTS + DC_TIME_PARTS)

typedef struct timing {
  dc__plan *plan;
  dc_walk *walk;
  dc_clock clock, coalesced;
  dc__warps warps[LAUNCHES];
  bool coalesces;                   // else those are as they are
  bool has_parts;                   // that are told apart
  dc_flow flow[DC_CHOICE_COUNT][2]; // as it is, and with the items alike; sides are drawn
  bool first;
  dc_time_estimate *out;
} timing;

// ---- what is known ------------------------------------------------------------------------------

// Whether enough is known; else *unknown says what isn't.
static bool is_known(const dc__plan *p, const dc_walk *walk, const dc_estimate *of,
                     dc_time_unknown *unknown) {
  bool machine = p->arch->machine.known && of->occupancy.known && of->occupancy.high.blocks > 0;
  bool grid = p->launch->grid[0] != 0;
  bool trips = !walk->used_assumed && !walk->used_distribution && !walk->used_length;
  *unknown = !machine ? DC_TIME_MACHINE : !grid ? DC_TIME_GRID : DC_TIME_TRIPS;
  return machine && grid && trips;
}

// ---- launches -----------------------------------------------------------------------------------

static void widen(dc_interval *interval, double low, double high, bool first) {
  interval->low = first ? low : fmin(interval->low, low);
  interval->high = first ? high : fmax(interval->high, high);
}

// Of what a launch takes, in cycles, the share that is saved if it takes `other`.
static void add_saving(const timing *t, double cycles, double other, dc_time_saving *out) {
  // Where nothing differs there is nothing to be off by.
  bool equal = fabs(cycles - other) <= EQUAL * cycles;
  double ratio = equal ? 1 : cycles / other, factor = equal ? 1 : RATIO_FACTOR;
  for (unsigned k = 0; k < 2; ++k) {
    double of = k ? ratio * factor : ratio / factor, saved = of > 1 ? 1 - 1 / of : of - 1;
    out->low = t->first && k == 0 ? saved : fmin(out->low, saved);
    out->high = t->first && k == 0 ? saved : fmax(out->high, saved);
  }
}

static void add_bounds(const dc_time *of, double launching, dc_time_estimate *out) {
  for (unsigned k = 0; k < DC_BOUND_COUNT; ++k) {
    double more = k == DC_BOUND_LAUNCH ? launching : 0;
    out->bounds[k] = (of->bounds[k] + more) / (of->cycles + launching);
    out->bound = out->bounds[k] > out->bounds[out->bound] ? (uint8_t)k : out->bound;
  }
}

static void add_case(timing *t, const dc_machine *machine, const dc_time times[LAUNCHES]) {
  dc_time_estimate *out = t->out;
  dc_interval *const intervals[LAUNCHES] = {
      [AS_IS] = &out->seconds, [ALIKE] = &out->alike, [LONGEST] = &out->longest};
  const double without[DC_LOSS_COUNT] = {[DC_LOSS_DIVERGENCE] = times[ALIKE].cycles,
                                         [DC_LOSS_COALESCING] = times[COALESCED].cycles,
                                         [DC_LOSS_OCCUPANCY] = times[OCCUPIED].cycles,
                                         [DC_LOSS_TAIL] = times[AS_IS].full};
  double low = machine->launch_low, high = machine->launch_high, launching = high * machine->clock;
  for (unsigned k = 0; k < LAUNCHES; ++k) {
    double seconds = times[k].cycles / machine->clock;
    if (intervals[k])
      widen(intervals[k], (seconds + low) / TIME_FACTOR, (seconds + high) * TIME_FACTOR, t->first);
  }
  for (unsigned loss = 0; loss < DC_LOSS_COUNT; ++loss)
    add_saving(t, times[AS_IS].cycles + launching, without[loss] + launching, &out->lost[loss]);
  for (uint32_t k = 0; k < out->n_parts && t->has_parts; ++k)
    add_saving(t, times[FEW].cycles + launching, times[PARTS + k].cycles + launching,
               &out->parts[k].lost);
  if (t->first)
    add_bounds(&times[AS_IS], low * machine->clock, out);
  t->first = false;
}

// Whether warps that go this way aren't as they are.
static bool differs(const timing *t, unsigned way) {
  if (way == COALESCED)
    return t->coalesces;
  return way == ALIKE || (way >= FEW && t->has_parts && way < PARTS + t->out->n_parts);
}

static dc_status walk_way(timing *t, unsigned way, dc_choice choice, const dc_estimate *of,
                          dc_error *error) {
  dc__way going = {{way == ALIKE, DC_NONE, DC_NO_EXPR}, choice, way >= FEW};
  if (way >= PARTS)
    going.alike = dc__part_alike(t->plan->kernel, &t->out->parts[way - PARTS]);
  dc__clock_forget(&t->clock); // bodies are a flow's
  if (way == AS_IS)
    dc__clock_coalesce(&t->clock, &t->coalesced);
  dc_status status = dc__warps_walk(t->plan, t->walk, &t->clock, of, &t->flow[choice][way == ALIKE],
                                    &going, &t->warps[way], error);
  if (way == AS_IS)
    t->coalesces = t->clock.also != NULL;
  return status;
}

// The warps of a launch under a setting, each way.
static dc_status walk_warps(timing *t, const dc__setting *setting, dc_choice choice,
                            const dc_estimate *of, dc_error *error) {
  dc_status status = dc__clock_set(&t->clock, setting, of, error);
  if (status == DC_OK)
    status = walk_way(t, AS_IS, choice, of, error);
  for (unsigned way = ALIKE; way < LAUNCHES && status == DC_OK; ++way)
    if (differs(t, way))
      status = walk_way(t, way, choice, of, error);
  return status;
}

// Cycles in which atomics of one address for the whole launch come one after the other, each of a
// warp's lanes together, as compilers make them.
static double atomics_in_a_row(const dc__plan *p, const dc_estimate *of,
                               const dc__setting *setting) {
  double most = 0, warps = (double)setting->grid.blocks * setting->grid.warps;
  for (uint32_t k = 0; k < p->kernel->n_accesses; ++k) {
    const dc_access *access = &p->kernel->accesses[k];
    bool alone = access->kind == DC_ACCESS_ATOMIC && access->space != DC_SPACE_SHARED &&
                 access->space != DC_SPACE_LOCAL && access->address != DC_NO_EXPR &&
                 access->level == DC_UNIFORM;
    if (alone && !dc_expr_mentions(&p->kernel->pool, access->address, DC_OP_LOAD, -1))
      most = fmax(most, of->accesses[k].requests * warps * setting->machine->same_address);
  }
  return most;
}

// However few of their warps are left: by shared memory, and the number of blocks.
static unsigned most_blocks(const dc__plan *p, const dc_occupancy *of) {
  dc_sm_limits limits;
  if ((of->limits & DC_LIMIT_SHARED) || !dc_sm_limits_find(p->arch->sm, &limits))
    return of->blocks;
  uint64_t shared = (uint64_t)p->kernel->resources.shared + p->launch->shared;
  unsigned most = dc_occupancy_of(&limits, DC_WARP, 0, shared).blocks;
  return most > of->blocks ? most : of->blocks;
}

// If registers and shared memory limited none. Whether blocks wait because they do.
static bool occupy(const dc__plan *p, dc_time_grid *grid) {
  dc_sm_limits limits;
  bool waits = grid->blocks > (uint64_t)grid->resident * p->arch->machine.sms;
  if (!waits || !dc_sm_limits_find(p->arch->sm, &limits))
    return false;
  unsigned blocks = dc_occupancy_of(&limits, grid->warps * DC_WARP, 0, 0).blocks,
           most = dc_occupancy_of(&limits, DC_WARP, 0, 0).blocks;
  if (blocks <= grid->resident)
    return false;
  grid->resident = blocks;
  grid->most = most > blocks ? most : blocks;
  return true;
}

// One of the launches; at the least it takes `in_a_row` cycles.
static dc_status time_launch(const timing *t, const dc__setting *setting, dc_time_grid grid,
                             unsigned launch, double in_a_row, dc_time *out, dc_error *error) {
  bool occupied = launch == OCCUPIED && occupy(t->plan, &grid);
  if (launch != AS_IS && launch != LONGEST && !occupied && !differs(t, launch))
    return DC_OK;
  unsigned way = launch == LONGEST ? ALIKE : launch == OCCUPIED ? AS_IS : launch;
  const dc__warps *warps = &t->warps[way];
  grid.longest_first = launch == LONGEST;
  dc_status status = dc_time_of_launch(setting->machine, &grid, warps->warps, warps->n_warps,
                                       warps->demands, out, error);
  double wait = fmax(in_a_row - out->cycles, 0);
  out->bounds[DC_BOUND_L2] += wait;
  out->cycles += wait;
  out->full = fmax(out->full, in_a_row);
  return status;
}

// The same warps in as many blocks at a time as an SM holds, at the most and at the least.
static dc_status time_setting(timing *t, const dc__setting *setting, dc_choice choice,
                              const dc_estimate *of, dc_error *error) {
  const dc_occupancy *const occupancies[] = {&of->occupancy.high, &of->occupancy.low};
  double in_a_row = atomics_in_a_row(t->plan, of, setting);
  dc_status status = walk_warps(t, setting, choice, of, error);
  for (unsigned k = 0; k < 2 && status == DC_OK; ++k) {
    dc_time times[LAUNCHES] = {{0}};
    dc_time_grid grid = setting->grid;
    grid.resident = occupancies[k]->blocks;
    if (k > 0 && (grid.resident == occupancies[0]->blocks || grid.resident == 0))
      break;
    grid.most = most_blocks(t->plan, occupancies[k]);
    for (unsigned launch = 0; launch < LAUNCHES && status == DC_OK; ++launch) {
      times[launch] = times[AS_IS]; // what doesn't differ
      status = time_launch(t, setting, grid, launch, in_a_row, &times[launch], error);
    }
    if (status == DC_OK)
      add_case(t, setting->machine, times);
  }
  return status;
}

// Of a grid; UINT64_MAX where there are more.
static uint64_t count_blocks(const uint32_t grid[3]) {
  uint64_t plane = (uint64_t)grid[0] * grid[1];
  return grid[2] > UINT64_MAX / plane ? UINT64_MAX : plane * grid[2];
}

static dc__setting setting_of(const dc__plan *p, const dc_estimate *of, bool worse) {
  const uint32_t *block = p->launch->block;
  unsigned resident = of->occupancy.high.blocks;
  uint64_t shared = (uint64_t)resident * (p->kernel->resources.shared + p->launch->shared);
  uint64_t l1 = p->arch->machine.l1_bytes, least = l1 < L1_LEAST ? l1 : L1_LEAST;
  return (dc__setting){
      .machine = &p->arch->machine,
      .grid = {count_blocks(p->launch->grid),
               (block[0] * block[1] * block[2] + DC_WARP - 1) / DC_WARP, resident, resident, false},
      .block = block,
      .l1_bytes = shared < l1 - least ? l1 - shared : least,
      .warm = of->time.assumed_l2 ? !worse : p->kernel->l2 == DC_L2_WARM,
      .footprint = worse && of->time.assumed_extents ? DC_FOOTPRINT_LARGE : DC_FOOTPRINT_SMALL};
}

static dc_status build_flows(timing *t, dc_choice choice, dc_error *error) {
  const dc__plan *p = t->plan;
  dc_status status = DC_OK;
  for (unsigned alike = 0; alike < 2 && status == DC_OK; ++alike) {
    dc_ways ways = {choice, alike ? DC_CHOICE_ALIKE : choice, true};
    status = dc__flow_build(p->kernel, p->facts, p->arch, ways, &t->flow[choice][alike], error);
  }
  return status;
}

static dc_status time_all(timing *t, dc_estimate *of, dc_error *error) {
  const dc__plan *p = t->plan;
  of->time.assumed_extents = dc__misses_rest_on_extents(p->kernel, of);
  of->time.assumed_l2 = p->kernel->l2 == DC_L2_ANY;
  bool several = of->time.assumed_l2 || of->time.assumed_extents;
  dc_status status = build_flows(t, DC_CHOICE_EVEN, error);
  t->has_parts = status == DC_OK && dc__parts_find(p, &t->flow[DC_CHOICE_EVEN][0], of);
  if (status == DC_OK && p->used_choice)
    status = build_flows(t, DC_CHOICE_RARE, error);
  for (unsigned worse = 0; worse <= several && status == DC_OK; ++worse) {
    dc__setting setting = setting_of(p, of, worse);
    status = time_setting(t, &setting, DC_CHOICE_EVEN, of, error);
    if (status == DC_OK && p->used_choice)
      status = time_setting(t, &setting, DC_CHOICE_RARE, of, error);
  }
  if (!t->has_parts && of->time.n_parts > 0)
    of->time.parts[0].lost = of->time.lost[DC_LOSS_DIVERGENCE];
  return status;
}

dc_status dc__estimate_time(dc__plan *p, dc_walk *walk, dc_estimate *out, dc_error *error) {
  timing t = {.plan = p, .walk = walk, .first = true, .out = &out->time};
  dc_time_unknown unknown;
  out->time.known = is_known(p, walk, out, &unknown);
  if (!out->time.known) {
    out->time.unknown = (uint8_t)unknown;
    return DC_OK;
  }
  walk->used_assumed = walk->used_distribution = walk->used_length = false;
  walk->operations = EVALUATIONS;
  dc__draws_find(p, out);
  dc_status status = dc__clock_begin(p->kernel, p->arch, &t.clock, error);
  if (status == DC_OK)
    status = dc__clock_begin(p->kernel, p->arch, &t.coalesced, error);
  if (status == DC_OK)
    status = time_all(&t, out, error);
  // What there was no room to evaluate is assumed.
  if (walk->used_assumed || walk->used_distribution || walk->used_length)
    out->time = (dc_time_estimate){.unknown = DC_TIME_TRIPS};
  for (unsigned k = 0; k < 2 * DC_CHOICE_COUNT; ++k)
    dc__flow_free(&t.flow[k / 2][k % 2]);
  dc__clock_free(&t.clock);
  dc__clock_free(&t.coalesced);
  for (unsigned way = 0; way < LAUNCHES; ++way)
    dc__warps_free(&t.warps[way]);
  return status;
}
