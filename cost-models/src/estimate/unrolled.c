// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions and divergent branches of a loop that compilers unroll by a power of two, u: passes
// of u iterations as long as there are u. A lane with t trips does floor(t / u) of these. What is
// left is done in passes of u/2, u/4 ... 1 iterations: where ptxas alone unrolls, predicated, by
// all lanes that have iterations at all; where it unrolls what LLVM has unrolled by v, down to v,
// each by the lanes that need it, and t modulo v one by one. What the copies share
// (dc_loop.unroll_shared) serves a whole pass. Where u is all there are, no loop is left, and
// nothing is tested. That is for what the machine issues: imbalance, divergent exits and cycles are
// those of the loop as it was written.
#include "estimate/estimate_internal.h"
#include "kernel/instructions.h"
#include "kernel/passes.h"

#include <math.h>
#include <stdlib.h>

bool dc__is_counted(const dc_kernel *kernel) { // one that was given up has no blocks
  return kernel->n_blocks && kernel->blocks[0].counted;
}

bool dc__is_unrolled(const dc_walk *walk, uint32_t loop) {
  return walk->kernel->loops[loop].unroll_expected > 1 && dc__is_counted(walk->kernel) &&
         !walk->flow->sided[loop];
}

// The number of iterations that compilers know, or NULL.
static const dc_expr_node *known_trips(const dc_kernel *kernel, const dc_loop *loop) {
  const dc_expr_node *nodes = kernel->pool.nodes;
  bool known = loop->trips != DC_NO_EXPR && nodes[loop->trips].op == DC_OP_CONST;
  return known ? &nodes[loop->trips] : NULL;
}

bool dc__is_gone(const dc_walk *walk, uint32_t loop) {
  const dc_loop *data = &walk->kernel->loops[loop];
  const dc_expr_node *trips = known_trips(walk->kernel, data);
  return trips && trips->i == data->unroll_expected && data->n_exits == 1 &&
         dc__is_unrolled(walk, loop);
}

// Instructions that a pass of so many iterations has fewer than these.
static double saved_by_pass(const dc_walk *walk, uint32_t loop, double iterations) {
  const dc_loop *data = &walk->kernel->loops[loop];
  const dc_body *body = &walk->flow->bodies[DC_PART_ITERATION][loop];
  double shared = fmin(data->unroll_shared, body->lane_instructions),
         once = fmin(fmax(data->unroll_once, 0), shared);
  return iterations * shared - once;
}

static void add_issued(dc_walk *walk, uint32_t loop, double instructions,
                       double lane_instructions) {
  walk->executed.instructions += instructions;
  walk->executed.lane_instructions += lane_instructions;
  walk->passes[loop].instructions += instructions;
  walk->passes[loop].lane_instructions += lane_instructions;
}

// So many passes of so many iterations, by the lanes that take part.
static void account_passes(dc_walk *walk, uint32_t loop, const dc_active *here, double passes,
                           double iterations) {
  const dc_body *body = &walk->flow->bodies[DC_PART_ITERATION][loop];
  double saved = saved_by_pass(walk, loop, iterations), lanes = 0, instructions = 0;
  for (unsigned j = here->exact && here->size ? here->size : 1; j <= here->size; ++j) {
    double times = passes * here->at[0][j];
    instructions += times * (iterations * body->instructions[j] - saved);
    lanes += times * j;
  }
  add_issued(walk, loop, instructions, lanes * (iterations * body->lane_instructions - saved));
}

// The lanes that have iterations, where a guard before the loop keeps the others away.
static void find_entering(const dc_walk *walk, uint32_t loop, const dc_active *in,
                          const dc_trips *source, dc_active *out) {
  if (!walk->facts[loop].in_front) {
    *out = *in;
  } else if (source->distribution) {
    dc__active_thin(walk, in, dc__distribution_enter(source->distribution),
                    source->distribution->alike, out);
  } else {
    uint32_t members = 0;
    for (unsigned lane = 0; lane < DC_WARP; ++lane)
      if (in->set >> lane & 1 && source->count[lane] > 0)
        members |= UINT32_C(1) << lane;
    dc__active_keep(walk, in, members, out);
  }
}

static void account_instructions(dc_walk *walk, uint32_t loop, const dc_active *here,
                                 double instructions) {
  add_issued(walk, loop, instructions * dc__active_total(here, 0),
             instructions * dc__active_lanes(here));
}

// ---- evaluated trips ----------------------------------------------------------------------------

// How often lanes diverge where `a` of the set go one way and the others another.
static double parted_at(const dc_walk *walk, const dc_active *in, unsigned a) {
  unsigned b = in->size - a;
  if (in->exact)
    return a && b ? dc__active_total(in, 0) : 0;
  double sum = 0;
  for (unsigned j = 1; j <= in->size; ++j)
    sum += in->at[0][j] * dc__chance_to_part(walk, in->size, j, a, b);
  return sum;
}

// Passes of a kind that lanes do, each as many as it has to.
static void account_kind(dc_walk *walk, uint32_t loop, const dc_active *in, const dc_trips *source,
                         dc_passes kind) {
  dc_trips passes = *source;
  dc_segments parts;
  dc_active here;
  for (uint64_t rest = in->set; rest; rest &= rest - 1) {
    unsigned lane = dc__first_lane(rest);
    passes.count[lane] = dc__passes_of(kind, source->count[lane]);
  }
  dc__segments_find(in, &passes, &parts);
  double from = 0;
  for (unsigned k = 0; k < parts.n; ++k) {
    dc__active_restrict(walk, in, parts.members[k], parts.end[k] - from, &here);
    account_passes(walk, loop, &here, 1, kind.iterations);
    from = parts.end[k];
    dc__active_keep(walk, in, parts.members[k], &here);
    walk->sums[loop].parted += parted_at(walk, &here, dc__lanes_count(parts.members[k + 1]));
  }
  if (parts.n)
    walk->sums[loop].parted += parted_at(walk, in, dc__lanes_count(parts.members[0]));
}

// All lanes do as many iterations, in the mean.
static void account_alike(dc_walk *walk, uint32_t loop, const dc_active *in, double mean,
                          unsigned factor) {
  double left = mean == floor(mean) ? fmod(mean, factor) : (factor - 1) / 2.0;
  account_passes(walk, loop, in, fmax(mean - left, 0) / factor, factor);
}

// ---- trips with a distribution ------------------------------------------------------------------

// So many executions of a pass with n lanes for each row[n].
static void add_passes(const dc_walk *walk, uint32_t loop, const double *row, unsigned lanes,
                       double iterations, dc_unrolled_entry *out) {
  const dc_body *body = &walk->flow->bodies[DC_PART_ITERATION][loop];
  double saved = saved_by_pass(walk, loop, iterations), active = 0;
  for (unsigned n = 1; n <= lanes; ++n) {
    out->instructions += row[n] * (iterations * body->instructions[n] - saved);
    active += row[n] * n;
  }
  out->lane_instructions += active * (iterations * body->lane_instructions - saved);
}

// How often independent lanes diverge where each goes one way with this chance.
static double parted_by_chance(const dc_distribution_entry *distribution, unsigned lanes,
                               double share) {
  return (1 - distribution->alike) * (1 - pow(share, lanes) - pow(1 - share, lanes));
}

// Different numbers of whole passes among the lanes that have any, but the last.
static void find_exits_of_passes(const dc_distribution_entry *distribution, unsigned factor,
                                 double *exits) {
  const dc_distribution *d = &distribution->distribution;
  double mass = 0, none = 0;
  for (size_t k = 0; k < d->count; ++k) {
    int64_t passes = d->points[k].value / factor;
    mass += d->points[k].mass;
    if (k + 1 < d->count && d->points[k + 1].value / factor == passes)
      continue;
    double some = 0;
    for (unsigned n = 1; n <= DC_WARP && passes > 0; ++n)
      exits[n] += (1 - distribution->alike) * (some += mass * (1 - some));
    none += passes == 0 ? mass : 0;
    mass = 0;
  }
  for (unsigned n = 1; n <= DC_WARP; ++n)
    exits[n] = fmax(exits[n] - (1 - distribution->alike) * (1 - pow(none, n)), 0);
}

static double share_of_whole(const dc_distribution *d, unsigned factor) {
  double share = 0;
  for (size_t k = 0; k < d->count; ++k)
    share += d->points[k].value >= factor ? d->points[k].mass : 0;
  return fmin(share, 1);
}

// What doesn't depend on the loop, found once for a distribution and a factor; NULL: memory is out.
static dc_distribution_passes *passes_of_distribution(dc_distribution_entry *distribution,
                                                      unsigned factor) {
  unsigned log = dc__first_lane(factor);
  if (!distribution->passes[log] &&
      (distribution->passes[log] = calloc(1, sizeof *distribution->passes[log]))) {
    find_exits_of_passes(distribution, factor, distribution->passes[log]->exits);
    distribution->passes[log]->whole = share_of_whole(&distribution->distribution, factor);
  }
  return distribution->passes[log];
}

// The iterations that are the last of a pass: as many lanes do these as the pass.
static const double *whole_passes(const dc_distribution_entry *distribution,
                                  dc_distribution_passes *of, unsigned factor, unsigned lanes) {
  double *row = of->rows[lanes];
  for (uint32_t k = 0; k < distribution->n_steps && !(of->known >> lanes & 1); ++k) {
    const dc_distribution_step *step = &distribution->steps[k];
    double passes = floor((step->first + step->length) / factor) - floor(step->first / factor);
    if (passes > 0)
      dc__distribution_lanes(distribution, row, lanes, step->share, passes);
  }
  of->known |= UINT64_C(1) << lanes;
  return row;
}

// The share of lanes that do more than so many passes of a kind.
static double share_of_kind(const dc_distribution *d, dc_passes kind, unsigned passes) {
  double share = 0;
  for (size_t k = 0; k < d->count; ++k)
    share += dc__passes_of(kind, (double)d->points[k].value) > passes ? d->points[k].mass : 0;
  return fmin(share, 1);
}

// Those of a kind that aren't whole.
static void add_kind(const dc_walk *walk, uint32_t loop, const dc_distribution_entry *distribution,
                     dc_passes kind, const double *shares, unsigned lanes,
                     dc_unrolled_entry *entry) {
  for (unsigned k = 0; k + 1 < kind.modulus && shares[k] > 0; ++k) {
    double row[DC_WARP + 1] = {0};
    dc__distribution_lanes(distribution, row, lanes, shares[k], 1);
    add_passes(walk, loop, row, lanes, kind.iterations, entry);
    double before = k ? shares[k - 1] : 1; // of these, some go on and some don't
    entry->parted +=
        (1 - distribution->alike) * (1 - pow(1 - shares[k], lanes) -
                                     pow(1 - before + shares[k], lanes) + pow(1 - before, lanes));
  }
}

static dc_unrolled_entry find_entry(const dc_walk *walk, uint32_t loop,
                                    const dc_distribution_entry *distribution,
                                    dc_distribution_passes *of, unsigned factor, unsigned lanes) {
  const double *shares = walk->unrolled[loop].shares;
  unsigned llvm = dc__passes_llvm(&walk->kernel->loops[loop], factor);
  dc_unrolled_entry entry = {.parted = of->exits[lanes]};
  add_passes(walk, loop, whole_passes(distribution, of, factor, lanes), lanes, factor, &entry);
  entry.parted += parted_by_chance(distribution, lanes, of->whole);
  for (dc_passes kind = dc__passes_whole(factor); llvm > 1 && dc__passes_next(factor, llvm, &kind);
       shares += kind.modulus - 1)
    add_kind(walk, loop, distribution, kind, shares, lanes, &entry);
  return entry;
}

// Of each pass that isn't whole, the share of lanes that take part, where not all do.
static void find_shares(const dc_distribution *distribution, unsigned factor, unsigned llvm,
                        double *shares) {
  unsigned n = 0;
  for (dc_passes kind = dc__passes_whole(factor); llvm > 1 && dc__passes_next(factor, llvm, &kind);)
    for (unsigned k = 0; k + 1 < kind.modulus && n < DC_PASSES_MAX; ++k)
      shares[n++] = share_of_kind(distribution, kind, k);
}

static void account_passes_of_distribution(dc_walk *walk, uint32_t loop, const dc_active *in,
                                           dc_distribution_entry *distribution, unsigned factor) {
  dc_unrolled *entries = &walk->unrolled[loop];
  dc_distribution_passes *of = passes_of_distribution(distribution, factor);
  if (!entries->known)
    find_shares(&distribution->distribution, factor,
                dc__passes_llvm(&walk->kernel->loops[loop], factor), entries->shares);
  for (unsigned j = in->exact ? in->size : 1; of && j <= in->size; ++j) {
    double times = in->at[0][j];
    if (times == 0)
      continue;
    if (!(entries->known >> j & 1))
      entries->of[j] = find_entry(walk, loop, distribution, of, factor, j);
    entries->known |= UINT64_C(1) << j;
    add_issued(walk, loop, times * entries->of[j].instructions,
               times * entries->of[j].lane_instructions);
    walk->sums[loop].parted += times * entries->of[j].parted;
  }
}

// ---- all of it ----------------------------------------------------------------------------------

// What stands before the whole passes and behind them. Where ptxas alone unrolls all lanes that
// have iterations issue that; what lanes with a distribution do is
// account_passes_of_distribution's.
static void account_rests(dc_walk *walk, uint32_t loop, const dc_active *in,
                          const dc_active *entering, const dc_trips *source, unsigned factor) {
  unsigned llvm = dc__passes_llvm(&walk->kernel->loops[loop], factor);
  dc_passes kind = dc__passes_whole(factor);
  account_instructions(walk, loop, entering, DC_GUARD_INSTRUCTIONS);
  while (dc__passes_next(factor, llvm, &kind)) {
    account_instructions(walk, loop, entering, DC_GUARD_INSTRUCTIONS);
    if (llvm == 1)
      account_passes(walk, loop, entering, 1, kind.iterations);
    else if (!source->distribution)
      account_kind(walk, loop, in, source, kind);
  }
}

void dc__account_unrolled(dc_walk *walk, uint32_t loop, const dc_active *in,
                          const dc_trips *source) {
  const dc_loop *data = &walk->kernel->loops[loop];
  unsigned factor = data->unroll_expected;
  bool fixed = !source->distribution && known_trips(walk->kernel, data); // and what is left over
  while (!fixed && (factor & (factor - 1)))                              // that a pragma asks for
    factor &= factor - 1;
  if (source->distribution)
    account_passes_of_distribution(walk, loop, in, source->distribution, factor);
  else if (data->level < DC_DIVERGENT)
    account_alike(walk, loop, in, source->count[dc__first_lane(in->set)], factor);
  else
    account_kind(walk, loop, in, source, dc__passes_whole(factor));
  if (fixed) {
    double left = fmod(source->count[dc__first_lane(in->set)], factor);
    if (left > 0)
      account_passes(walk, loop, in, 1, left);
    return;
  }
  dc_active entering;
  find_entering(walk, loop, in, source, &entering);
  account_instructions(walk, loop, &entering, data->unroll_setup);
  account_rests(walk, loop, in, &entering, source, factor);
}
