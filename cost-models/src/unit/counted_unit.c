// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the counts of some blocks of a kernel to those of all, and to the lane-slots that idle: each
// block stands for the machine instructions that it is expected to become.
#include "kernel/instructions.h"
#include "kernel/regions.h"
#include "measured/charge.h"
#include "unit/counted_rest.h"
#include "unit/counted_side.h"
#include "unit/kernel_graph.h"
#include "unit/parts.h"

#include "divcost/block_counts.h"

#include <math.h>
#include <stdlib.h>

#define LANES 32.0
#define FOR_ALL 0.99
#define MAY_BE_OFF 0.05   // of efficiency, by blocks that have no counts
#define MAY_BE_TRIED 0.05 // of efficiency, by atomics of unknown addresses, more or less

// A lane's instructions in malloc, free or printf: on an H200 1000 to 9000 in malloc, where 256
// warps take 12, 260 or 5000 bytes a lane (bench/results/sm_90/slow_paths.tsv).
#define OF_RUNTIME 5000

typedef struct counting {
  dc_unit_kernel *of;
  const dc_block_plan *plan;
  dc_block_count *counts;
  const dc_profile_counts *const *trips; // of each loop, or NULL
  const dc_slow_path *slow;
  uint32_t n_slow;
  uint64_t *unsure;          // warps that may execute each block more, or fewer
  uint16_t *regions;         // instructions of each block for lanes to meet again
  dc_code_instruction *code; // of each block
  dc_code_graph graph;
} counting;

// ---- all blocks ---------------------------------------------------------------------------------

static void resolve(const counting *c, uint32_t block);

// Adds up what leads to a block.
static dc_block_count sum_of_ways(const counting *c, uint32_t block, uint64_t *unsure) {
  const dc_code_graph *g = &c->graph;
  dc_block_count sum = {.known = true};
  *unsure = 0;
  for (uint32_t e = g->in.first[block]; e < g->in.first[block + 1]; ++e) {
    const dc_block_count *way = &c->counts[g->in.to[e]];
    resolve(c, g->in.to[e]);
    sum.known &= way->known;
    sum.together |= way->together;
    sum.warps += way->warps;
    sum.lanes += way->lanes;
    *unsure += c->unsure[g->in.to[e]];
  }
  return sum;
}

// What a loop's header has but for the rounds of the loop; counts that don't fit leave nothing.
static dc_block_count rest_of(const counting *c, uint32_t header, uint64_t *unsure) {
  const dc_code_graph *g = &c->graph;
  dc_block_count rest = c->counts[header];
  *unsure = c->unsure[header];
  for (uint32_t e = g->in.first[header]; e < g->in.first[header + 1]; ++e) {
    const dc_block_count *way = &c->counts[g->in.to[e]];
    if (!dc__graph_in_loop(g, g->in.to[e], g->blocks[header].loop))
      continue;
    resolve(c, g->in.to[e]);
    rest.together |= way->together;
    rest.known &= way->known && way->warps <= rest.warps && way->lanes <= rest.lanes;
    rest.warps -= rest.known ? way->warps : 0;
    rest.lanes -= rest.known ? way->lanes : 0;
    *unsure += c->unsure[g->in.to[e]];
  }
  return rest;
}

static dc_block_count so_often(dc_block_count of, uint32_t times) {
  uint64_t most = UINT64_MAX / (times ? times : 1);
  return (dc_block_count){of.known && of.lanes <= most, of.warps * times, of.lanes * times,
                          of.together};
}

// As deep as loops are nested, and twice.
static void resolve(const counting *c, uint32_t block) {
  const dc_block_plan *plan = &c->plan[block];
  if (plan->by == DC_COUNTED_NEVER) {
    c->counts[block] = (dc_block_count){.known = true};
  } else if (plan->by == DC_COUNTED_AS || plan->by == DC_COUNTED_WITH) {
    resolve(c, plan->of);
    c->counts[block] = c->counts[plan->of];
    c->unsure[block] = c->unsure[plan->of];
  } else if (plan->by == DC_COUNTED_TIMES && !c->counts[block].known) {
    resolve(c, plan->of);
    c->counts[block] = so_often(c->counts[plan->of], plan->times);
    c->unsure[block] = c->unsure[plan->of] * plan->times;
  } else if (plan->by == DC_COUNTED_REST && !c->counts[block].known) {
    c->counts[block] = rest_of(c, plan->of, &c->unsure[block]);
  } else if (plan->by == DC_COUNTED_WAYS && !c->counts[block].known) {
    c->counts[block] = sum_of_ways(c, block, &c->unsure[block]);
  }
}

// Whether the lanes of a block are known, and not only expected.
static bool tells(const counting *c, uint32_t block) {
  return block != c->graph.n_blocks && c->counts[block].known && !c->counts[block].together &&
         c->plan[block].by != DC_COUNTED_WITH;
}

// Finds what nobody counted from what lanes do that don't come there. False where that is nothing.
static bool find_sides(const counting *c) {
  bool found = false;
  for (uint32_t b = 0; b < c->graph.n_blocks; ++b) {
    uint32_t branch, other;
    if (c->counts[b].known || c->plan[b].by != DC_COUNTED_HERE ||
        !dc__side_of(&c->graph, b, &branch, &other) || !tells(c, branch) || !tells(c, other))
      continue;
    c->counts[b] = dc__count_side(&c->counts[branch], &c->counts[other], &c->unsure[b]);
    c->unsure[b] += c->unsure[branch] + c->unsure[other];
    found |= c->counts[b].known;
  }
  return found;
}

// No warp has no lane, or more than 32.
static void drop_impossible(const counting *c) {
  for (uint32_t b = 0; b < c->of->kernel.n_blocks; ++b)
    c->counts[b].known &= c->counts[b].warps <= c->counts[b].lanes &&
                          c->counts[b].lanes <= LANES * (double)c->counts[b].warps;
}

static void resolve_all(const counting *c) {
  drop_impossible(c);
  do
    for (uint32_t b = 0; b < c->of->kernel.n_blocks; ++b)
      resolve(c, b);
  while (find_sides(c));
  drop_impossible(c);
}

// Whether as many lanes go from a block as go on the ways to its neighbours in one direction, where
// each of these has no other way in the opposite one; or nobody knows.
static bool flow_fits(const counting *c, uint32_t block, const dc_code_edges *ways,
                      const dc_code_edges *back) {
  uint32_t first = ways->first[block], end = ways->first[block + 1];
  double lanes = (double)c->counts[block].lanes, sum = 0;
  bool known = first < end;
  for (uint32_t e = first; e < end && tells(c, block); ++e) {
    uint32_t to = ways->to[e];
    bool alone = tells(c, to) && back->first[to + 1] - back->first[to] == 1;
    if (alone && (double)c->counts[to].lanes > lanes + lanes / 1000)
      return false;
    known &= alone;
    sum += alone ? (double)c->counts[to].lanes : 0;
  }
  return !known || !tells(c, block) || fabs(sum - lanes) <= lanes / 1000;
}

static bool flows_fit(const counting *c) {
  const dc_code_graph *g = &c->graph;
  bool fits = true;
  for (uint32_t b = 0; b < g->n_blocks; ++b)
    fits &= flow_fits(c, b, &g->out, &g->in) &&
            (g->blocks[b].starts || flow_fits(c, b, &g->in, &g->out));
  return fits;
}

// The block that dominates another one in its loop.
static uint32_t executed_before(const counting *c, uint32_t block) {
  const dc_code_block *blocks = c->graph.blocks;
  uint32_t at = blocks[block].dominator;
  while (at != DC_CODE_NONE && blocks[at].loop != blocks[block].loop)
    at = blocks[at].dominator;
  return at;
}

// How often warps execute a block at most: as often as all blocks that lead to it, and as lanes do,
// which execute it at most as often as a block that dominates it in its loop.
static double most_often(const counting *c, uint32_t block) {
  const dc_code_graph *g = &c->graph;
  uint32_t before = executed_before(c, block);
  double ways = 0;
  for (uint32_t e = g->in.first[block]; e < g->in.first[block + 1]; ++e)
    ways += c->counts[g->in.to[e]].known
                ? (double)(c->counts[g->in.to[e]].warps + c->unsure[g->in.to[e]])
                : INFINITY;
  while (before != DC_CODE_NONE && !c->counts[before].known)
    before = executed_before(c, before);
  return before == DC_CODE_NONE ? ways : fmin(ways, (double)c->counts[before].lanes);
}

// Functions that stay ones, and how often lanes begin them: NAN where nobody knows.
static uint32_t find_called(const counting *c, double *lanes) {
  uint32_t n = 0;
  *lanes = 0;
  for (uint32_t b = 1; c->of->kernel.n_calls > 0 && b < c->of->kernel.n_blocks; ++b) {
    if (!c->graph.blocks[b].starts)
      continue;
    *lanes += c->counts[b].known ? (double)c->counts[b].lanes : NAN;
    ++n;
  }
  return n;
}

// Instructions that warps and lanes execute in known blocks, and those that warps may at most in
// others, or in CUDA's runtime, where calls go that begin none of the kernel's functions; infinite
// where nobody knows, or others call these, too.
static void weigh(const counting *c, dc_counted_rest *known, double *unknown) {
  double called, calls = 0;
  uint32_t functions = find_called(c, &called);
  *known = (dc_counted_rest){0, 0};
  *unknown = 0;
  for (uint32_t b = 0; b < c->of->kernel.n_blocks; ++b) {
    double instructions = c->code[b].stands_for;
    if (!c->counts[b].known) {
      *unknown += instructions > 0 ? most_often(c, b) * instructions : 0;
      continue;
    }
    *unknown += (double)c->unsure[b] * instructions;
    known->warps += (double)c->counts[b].warps * instructions;
    known->lanes += (double)c->counts[b].lanes * instructions;
    calls += (double)c->counts[b].lanes * c->of->kernel.blocks[b].mix[DC_MIX_CALL];
  }
  bool ours =
      dc_can_count_calls(&c->of->kernel) && functions == c->of->kernel.n_calls && called <= calls;
  *unknown += ours ? fmax(0, calls - called) * OF_RUNTIME : INFINITY;
}

// How far from the efficiency of what is known that of all may be, where warps execute so many
// instructions more, by no lane or by all, or fewer.
static double most_off(const dc_counted_rest *known, double unknown) {
  double efficiency = known->lanes / (LANES * known->warps), least = known->warps - unknown;
  if (unknown <= 0)
    return 0;
  return least > 0 ? unknown / least * fmax(efficiency, 1 - efficiency) : INFINITY;
}

// Whether all lanes that do an iteration come to a block, as far as the mean of them says.
static bool is_for_all(const counting *c, uint32_t block, uint32_t loop, dc_counted_rest lanes) {
  uint32_t header = c->of->kernel.loops[loop].header;
  const dc_code_instruction *code = &c->code[block];
  return dc__graph_in_loop(&c->graph, block, c->graph.blocks[header].loop) && code->warps > 0 &&
         (double)code->lanes * lanes.warps >= FOR_ALL * lanes.lanes * (double)code->warps;
}

// What copies of an unrolled loop share are tests, steps and addresses, which aren't in its sides.
static void unroll(const counting *c, uint32_t loop) {
  const dc_kernel *kernel = &c->of->kernel;
  const dc_profile_counts *trips = c->trips ? c->trips[loop] : NULL;
  dc_counted_rest saved = dc__saved_by_unrolling(kernel, &c->graph, c->counts, loop, trips);
  double all = 0;
  for (uint32_t b = 0; saved.warps > 0 && b < kernel->n_blocks; ++b)
    if (is_for_all(c, b, loop, saved))
      all += (double)c->code[b].warps * c->code[b].stands_for;
  for (uint32_t b = 0; all > 0 && b < kernel->n_blocks; ++b)
    if (is_for_all(c, b, loop, saved))
      c->code[b].stands_for *= fmax(0, 1 - saved.warps / all);
}

// Whether the counts are known of all blocks whose instructions matter; others count as never
// executed. What happens in functions that are called isn't known.
static bool count_all(const counting *c) {
  const dc_kernel *kernel = &c->of->kernel;
  dc_counted_rest known;
  double unknown;
  resolve_all(c);
  for (uint32_t b = 0; b < kernel->n_blocks; ++b) {
    uint64_t instructions = dc__block_instructions(&kernel->blocks[b]);
    instructions += kernel->blocks[b].counted && c->counts[b].known ? c->regions[b] : 0;
    c->code[b].stands_for = (double)instructions;
    c->code[b].warps = c->counts[b].known ? c->counts[b].warps : 0;
    c->code[b].lanes = c->counts[b].known ? c->counts[b].lanes : 0;
  }
  for (uint32_t l = kernel->n_loops; l-- > 0;)
    unroll(c, l);
  weigh(c, &known, &unknown);
  return most_off(&known, unknown) <= MAY_BE_OFF && flows_fit(c);
}

// ---- parts --------------------------------------------------------------------------------------

static uint32_t loop_with_header(const dc_kernel *kernel, uint32_t block) {
  for (uint32_t l = 0; l < kernel->n_loops; ++l)
    if (kernel->loops[l].header == block)
      return l;
  return DC_NONE;
}

static dc_measured_part part_of(const dc_kernel *kernel, const dc_charged_site *from) {
  dc_measured_part part = {.loop = DC_NONE, .branch = DC_NONE, .location = DC_NONE};
  if (from->site.kind == DC_SITE_LOOP)
    part.loop = loop_with_header(kernel, from->block);
  else if (from->site.kind == DC_SITE_BRANCH)
    part.branch = kernel->blocks[from->block].branch;
  if (part.loop != DC_NONE)
    part.location = kernel->loops[part.loop].location;
  else if (part.branch != DC_NONE)
    part.location = kernel->branches[part.branch].location;
  return part;
}

static bool same_place(const dc_measured_part *a, const dc_measured_part *b) {
  bool line = a->loop == DC_NONE && a->branch == DC_NONE;
  return a->loop == b->loop && a->branch == b->branch && (!line || a->location == b->location);
}

static void add_part(dc_unit_measured *out, const dc_measured_part *part) {
  uint32_t at = 0;
  while (at < out->n_parts && !same_place(&out->parts[at], part))
    ++at;
  if (at < out->n_parts)
    out->parts[at].share = fmax(0, out->parts[at].share + part->share);
  else if (part->share > 0)
    out->parts[out->n_parts++] = *part;
}

static void add_rest(dc_unit_measured *out, const dc_counted_rest *rest, double slots,
                     dc_measured_part part) {
  part.share = (LANES * rest->warps - rest->lanes) / slots;
  add_part(out, &part);
}

// What a slow path has more than what its lanes don't execute instead; these are expected to be
// whole warps.
static dc_counted_rest rest_of_slow(const dc_slow_path *slow) {
  double warps = (double)slow->count.warps, lanes = (double)slow->count.lanes,
         more = slow->instructions - (double)slow->instead;
  if (!slow->count.known)
    return (dc_counted_rest){0, 0};
  if (slow->tried)
    return (dc_counted_rest){DC_TRY_INSTRUCTIONS * warps, DC_TRY_INSTRUCTIONS * lanes};
  return (dc_counted_rest){slow->instructions * warps - slow->instead * lanes / LANES,
                           more * lanes};
}

static bool make_parts(const counting *c, const dc_charges *charges, const dc_counted_rest *rests,
                       double slots) {
  const dc_kernel *kernel = &c->of->kernel;
  dc_unit_measured *out = &c->of->measured;
  size_t room = (size_t)charges->n_sites + kernel->n_loops + kernel->n_branches + c->n_slow + 1;
  out->parts = calloc(room, sizeof *out->parts);
  if (!out->parts)
    return false;
  out->untold = charges->untold / slots;
  for (uint32_t k = 0; k < charges->n_sites; ++k) {
    const dc_charged_site *site = &charges->sites[k];
    dc_measured_part part = part_of(kernel, site);
    part.share = site->site.idle / slots;
    bool named = site->site.kind == DC_SITE_START || part.loop != DC_NONE || part.branch != DC_NONE;
    if (!named)
      out->untold += part.share;
    else
      add_part(out, &part);
  }
  for (uint32_t l = 0; l < kernel->n_loops; ++l)
    add_rest(
        out, &rests[l], slots,
        (dc_measured_part){.loop = l, .branch = DC_NONE, .location = kernel->loops[l].location});
  for (uint32_t b = 0; b < kernel->n_branches; ++b)
    add_rest(
        out, &rests[kernel->n_loops + b], slots,
        (dc_measured_part){.loop = DC_NONE, .branch = b, .location = kernel->branches[b].location});
  for (uint32_t k = 0; k < c->n_slow; ++k) {
    dc_counted_rest rest = rest_of_slow(&c->slow[k]);
    add_rest(
        out, &rest, slots,
        (dc_measured_part){.loop = DC_NONE, .branch = DC_NONE, .location = c->slow[k].location});
  }
  dc__sort_parts(out);
  return true;
}

static double warp_instructions(const counting *c, uint32_t loop) {
  uint32_t header = c->of->kernel.loops[loop].header;
  double sum = 0;
  for (uint32_t b = 0; b < c->of->kernel.n_blocks; ++b)
    if (dc__graph_in_loop(&c->graph, b, c->graph.blocks[header].loop))
      sum += (double)c->code[b].warps * c->code[b].stands_for;
  return sum;
}

static dc_counted_rest rest_of_loop(const counting *c, uint32_t loop) {
  const dc_kernel *kernel = &c->of->kernel;
  const dc_loop *data = &kernel->loops[loop];
  const dc_profile_counts *trips = c->trips ? c->trips[loop] : NULL;
  if (!trips || trips->entries == 0 || data->level < DC_DIVERGENT)
    return (dc_counted_rest){0, 0};
  dc_together together = dc__lanes_together(trips);
  dc_counted_rest rest = dc__rest_of_loop(kernel, loop, &together);
  double more = dc__more_by_unrolling(data, &together);
  rest.warps += more > 0 ? more * warp_instructions(c, loop) : 0;
  rest.warps -= (1 + more) * dc__saved_by_warps(data, &c->graph, c->counts, &together);
  return rest;
}

// Of loops, then branches.
static dc_counted_rest *find_rests(const counting *c) {
  const dc_kernel *kernel = &c->of->kernel;
  dc_counted_rest *rests = calloc((size_t)kernel->n_loops + kernel->n_branches + 1, sizeof *rests);
  for (uint32_t l = 0; rests && l < kernel->n_loops; ++l)
    rests[l] = rest_of_loop(c, l);
  for (uint32_t b = 0; rests && b < kernel->n_branches; ++b)
    rests[kernel->n_loops + b] = dc__rest_of_branch(kernel, &c->graph, c->plan, c->counts, b);
  return rests;
}

static void add_to(dc_counted_rest *sum, dc_counted_rest more) {
  sum->warps += more.warps;
  sum->lanes += more.lanes;
}

static double efficiency_of(const dc_counted_rest *sum) {
  return sum->lanes / (LANES * sum->warps);
}

// What blocks stand for; `alone`: without what makes lanes meet again.
static dc_counted_rest sum_blocks(const counting *c, bool alone) {
  dc_counted_rest sum = {0, 0};
  for (uint32_t b = 0; b < c->of->kernel.n_blocks; ++b) {
    double instructions =
        alone ? (double)dc__block_instructions(&c->of->kernel.blocks[b]) : c->code[b].stands_for;
    add_to(&sum, (dc_counted_rest){(double)c->code[b].warps * instructions,
                                   (double)c->code[b].lanes * instructions});
  }
  return sum;
}

static dc_counted_rest sum_rests(const counting *c, const dc_counted_rest *rests) {
  dc_counted_rest sum = {0, 0};
  for (uint32_t k = 0; k < c->of->kernel.n_loops + c->of->kernel.n_branches; ++k)
    add_to(&sum, rests[k]);
  return sum;
}

static dc_counted_rest sum_slow(const counting *c) {
  dc_counted_rest sum = {0, 0};
  for (uint32_t k = 0; k < c->n_slow; ++k)
    add_to(&sum, rest_of_slow(&c->slow[k]));
  return sum;
}

// The block with only those atomics whose tries aren't counted.
static dc_block not_counted_in(const counting *c, uint32_t block) {
  dc_block left = c->of->kernel.blocks[block];
  for (uint32_t k = 0; k < c->n_slow; ++k)
    if (c->slow[k].tried && c->slow[k].block == block && c->slow[k].count.known) {
      uint16_t *of = left.contended ? &left.contended : &left.contended_one;
      *of -= *of > 0;
    }
  return left;
}

// What atomics are tried again, where all lanes have one address; `same`: as is known of them.
static dc_counted_rest sum_tries(const counting *c, bool same) {
  dc_counted_rest sum = {0, 0};
  for (uint32_t b = 0; b < c->of->kernel.n_blocks; ++b) {
    dc_block left = not_counted_in(c, b);
    add_to(&sum, dc__rest_of_tries(&left, &c->counts[b], same));
  }
  return sum;
}

// How much of what may be tried puts the efficiency halfway between that without and that with it:
// with rest R, tries T and a part p of these, (R.lanes + p T.lanes) / (R.warps + p T.warps) is the
// mean of the two where p is this, whatever the lanes.
static double half_way(const dc_counted_rest *without, const dc_counted_rest *tries) {
  return without->warps / (2 * without->warps + tries->warps);
}

static bool make_measured(const counting *c, uint64_t launches, bool *told) {
  dc_charges charges = {0};
  dc_counted_rest *rests = find_rests(c);
  if (!rests)
    return false;
  dc_counted_rest blocks = sum_blocks(c, true), all = sum_blocks(c, false),
                  tried = sum_tries(c, true), others = sum_tries(c, false), most;
  add_to(&all, sum_rests(c, rests));
  add_to(&all, sum_slow(c));
  add_to(&all, tried);
  most = all;
  add_to(&most, others);
  bool some = blocks.warps > 0 && all.warps > 0;
  *told = !some || fabs(efficiency_of(&all) - efficiency_of(&most)) <= 2 * MAY_BE_TRIED;
  if (some && *told) {
    double part = half_way(&all, &others);
    dc_counted_rest half = {part * others.warps, part * others.lanes};
    add_to(&all, half);
    add_to(&tried, half);
  }
  bool good = !some || !*told || dc__charge(&c->graph, &charges);
  if (good && some && *told) {
    c->of->measured = (dc_unit_measured){.by = DC_MEASURED_RECORDER,
                                         .launches = launches,
                                         .seconds = -1,
                                         .time_share = -1,
                                         .efficiency = efficiency_of(&all),
                                         .of_blocks = efficiency_of(&blocks)};
    good = make_parts(c, &charges, rests, LANES * all.warps);
    c->of->measured.untold += (LANES * tried.warps - tried.lanes) / (LANES * all.warps);
  }
  free(rests);
  dc__charges_free(&charges);
  return good;
}

dc_status dc_unit_count(dc_unit_kernel *kernel, const dc_block_plan *plan, dc_block_count *counts,
                        const dc_profile_counts *const *trips, const dc_slow_path *slow,
                        uint32_t n_slow, uint64_t launches, bool *all_known, dc_error *error) {
  dc_code_instruction *code = calloc((size_t)kernel->kernel.n_blocks + 1, sizeof *code);
  uint64_t *unsure = calloc((size_t)kernel->kernel.n_blocks + 1, sizeof *unsure);
  uint16_t *regions = calloc((size_t)kernel->kernel.n_blocks + 1, sizeof *regions);
  counting c = {kernel, plan, counts, trips, slow, n_slow, unsure, regions, code, {0}};
  bool good = code && unsure && regions && dc__kernel_graph(&kernel->kernel, code, &c.graph);
  if (good)
    dc__count_regions(&kernel->kernel, regions);
  if (good)
    *all_known = count_all(&c);
  if (good && *all_known && launches)
    good = make_measured(&c, launches, all_known);
  dc__graph_free(&c.graph);
  free(code);
  free(unsure);
  free(regions);
  return good ? DC_OK : dc_fail(error, DC_ERROR_MEMORY, "out of memory for a kernel's counts");
}
