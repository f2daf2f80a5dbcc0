// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From an instruction up through what controls it, branch after branch and loop after loop, the
// lanes become more, as counted: what each step adds idles by that step. What is missing at a
// function's start is charged to whoever calls it, and at the kernel's to the start. Instructions
// that wait for lanes are counted once for each group that comes: what they have less than the
// instruction behind them is charged to where the groups parted.
#include "measured/charge.h"

#include "measured/sass.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NONE DC_CODE_NONE
#define LANES 32.0

typedef struct counts {
  double warps, lanes;
} counts;

typedef struct charging {
  const dc_code_graph *graph;
  uint32_t *control_of_block, *control_of_loop; // the branch (a block), in the loop around, that
                                                // decides who comes; or NONE
  uint32_t *parted, *left;                      // the last branch and the last loop whose lanes
                                                // meet again in this block, or NONE
  counts *entering;                             // a loop
  uint32_t *site_of_branch, *site_of_loop;      // or NONE
  dc_charged_site *sites;
  uint32_t n_sites;
  uint32_t *jumps, n_jumps; // of the sites
  double untold;
  double *left_to_callers; // lane-slots, of each block that a function begins with
} charging;

static double mean_lanes(counts c) { return c.warps > 0 ? c.lanes / c.warps : 0; }

static counts counts_of(const dc_code_instruction *i) {
  return (counts){(double)i->warps, (double)i->lanes};
}

static counts at_end(const dc_code_graph *g, uint32_t block) {
  return counts_of(&g->code[g->blocks[block].last]);
}

static counts at_begin(const dc_code_graph *g, uint32_t block) {
  return counts_of(&g->code[g->blocks[block].first]);
}

static uint32_t ways(const dc_code_edges *edges, uint32_t node) {
  return edges->first[node + 1] - edges->first[node];
}

// ---- control ------------------------------------------------------------------------------------

// Whether a block's branch leaves a loop: its lanes are the loop's.
static bool leaves_loop(const dc_code_graph *g, uint32_t block) {
  uint32_t loop = g->blocks[block].loop;
  bool leaves = false;
  for (uint32_t e = g->out.first[block]; loop != NONE && e < g->out.first[block + 1]; ++e)
    leaves |= !dc__graph_in_loop(g, g->out.to[e], loop);
  return leaves;
}

// What a branch decides about: all between it and its post-dominator.
static void mark_ways(charging *c, uint32_t branch, uint32_t *mark, uint32_t *stack) {
  const dc_code_graph *g = c->graph;
  const dc_code_block *from = &g->blocks[branch];
  uint32_t height = 0, at = branch;
  for (;;) {
    for (uint32_t e = g->out.first[at]; e < g->out.first[at + 1]; ++e) {
      uint32_t to = g->out.to[e];
      if (to == g->n_blocks || to == from->post_dominator || mark[to] == branch ||
          g->blocks[to].order <= from->order)
        continue;
      mark[to] = branch;
      stack[height++] = to;
      uint32_t in = g->blocks[to].loop;
      if (in == from->loop)
        c->control_of_block[to] = branch;
      else if (in != NONE && g->loops[in].parent == from->loop && g->loops[in].header == to)
        c->control_of_loop[in] = branch;
    }
    if (height == 0)
      return;
    at = stack[--height];
  }
}

// Later branches have the last word: they are nearer to what they decide about.
static bool find_control(charging *c) {
  const dc_code_graph *g = c->graph;
  uint32_t *mark = malloc((size_t)g->n_blocks * sizeof *mark);
  uint32_t *stack = malloc((size_t)g->n_blocks * sizeof *stack);
  bool good = mark && stack;
  for (uint32_t b = 0; good && b < g->n_blocks; ++b)
    mark[b] = NONE;
  for (uint32_t k = 0; good && k < g->n_reached; ++k) {
    uint32_t b = g->reached[k], meets = g->blocks[b].post_dominator;
    if (ways(&g->out, b) < 2)
      continue;
    if (!leaves_loop(g, b)) {
      mark_ways(c, b, mark, stack);
      if (meets != NONE)
        c->parted[meets] = b;
      continue;
    }
    for (uint32_t e = g->out.first[b]; e < g->out.first[b + 1]; ++e)
      if (!dc__graph_in_loop(g, g->out.to[e], g->blocks[b].loop))
        c->left[g->out.to[e]] = g->blocks[b].loop;
  }
  free(mark);
  free(stack);
  return good;
}

// What goes along an edge, as far as the counts of blocks tell: at most what they let go there.
static counts along(const dc_code_graph *g, uint32_t from, uint32_t to) {
  counts all = at_end(g, from);
  if (ways(&g->out, from) == 1)
    return all;
  counts there = at_begin(g, to);
  if (ways(&g->in, to) == 1)
    return there;
  for (uint32_t e = g->out.first[from]; e < g->out.first[from + 1]; ++e) {
    uint32_t other = g->out.to[e];
    if (other != to && other != g->n_blocks && ways(&g->in, other) == 1)
      all.lanes -= at_begin(g, other).lanes;
  }
  all.warps = all.warps < there.warps ? all.warps : there.warps;
  all.lanes = all.lanes > 0 ? fmin(all.lanes, LANES * all.warps) : 0;
  return all;
}

static void count_entering(charging *c) {
  const dc_code_graph *g = c->graph;
  for (uint32_t l = 0; l < g->n_loops; ++l) {
    uint32_t header = g->loops[l].header;
    for (uint32_t k = 0; k < g->n_calls; ++k) {
      if (g->calls[k].to != header || g->calls[k].kind == DC_CALL_ANY)
        continue;
      counts call = at_end(g, g->calls[k].from); // the function begins with the loop
      c->entering[l].lanes += call.lanes;
      c->entering[l].warps += call.warps;
    }
    for (uint32_t e = g->in.first[header]; e < g->in.first[header + 1]; ++e) {
      uint32_t from = g->in.to[e];
      if (dc__graph_in_loop(g, from, l))
        continue;
      counts here = along(g, from, header);
      c->entering[l].lanes += here.lanes;
      c->entering[l].warps += here.warps;
    }
  }
}

// ---- charges ------------------------------------------------------------------------------------

// Where a way up is: what it has to pass next.
typedef struct place {
  uint32_t branch, loop, block; // NONE: none; block: in whose function
} place;

static place place_of(const charging *c, uint32_t block) {
  return (place){c->control_of_block[block], c->graph->blocks[block].loop, block};
}

// The next site on the way up within a function, a branch or a loop, the lanes of a warp that came
// there, and the place behind it. False: the function's start.
static bool step(const charging *c, place *at, uint32_t *branch, uint32_t *loop, double *lanes) {
  const dc_code_graph *g = c->graph;
  *branch = at->branch;
  *loop = at->branch == NONE ? at->loop : NONE;
  if (*branch != NONE) {
    *lanes = mean_lanes(at_end(g, *branch));
    at->branch = c->control_of_block[*branch];
  } else if (*loop != NONE) {
    *lanes = mean_lanes(c->entering[*loop]);
    *at = (place){c->control_of_loop[*loop], g->loops[*loop].parent, at->block};
  }
  return *branch != NONE || *loop != NONE;
}

// ---- sites --------------------------------------------------------------------------------------

static void add_branch(charging *c, uint32_t block) {
  counts come = at_end(c->graph, block);
  c->site_of_branch[block] = c->n_sites;
  c->sites[c->n_sites++] =
      (dc_charged_site){.site = {.kind = DC_SITE_BRANCH, .warps = come.warps, .lanes = come.lanes},
                        .block = block,
                        .n_jumps = 1,
                        .first_jump = c->n_jumps};
  c->jumps[c->n_jumps++] = c->graph->blocks[block].last;
}

// Whether a block is in a loop and ends with a jump out of it, or back to its header.
static bool makes_loop(const dc_code_graph *g, uint32_t block, uint32_t loop) {
  bool makes = false;
  for (uint32_t e = g->out.first[block]; e < g->out.first[block + 1]; ++e)
    makes |= g->out.to[e] == g->loops[loop].header || !dc__graph_in_loop(g, g->out.to[e], loop);
  return makes && dc__graph_in_loop(g, block, loop);
}

static void add_loop(charging *c, uint32_t loop) {
  const dc_code_graph *g = c->graph;
  counts round = at_begin(g, g->loops[loop].header);
  dc_charged_site *out = &c->sites[c->n_sites];
  c->site_of_loop[loop] = c->n_sites++;
  *out = (dc_charged_site){.site = {.kind = DC_SITE_LOOP,
                                    .warps = c->entering[loop].warps,
                                    .lanes = c->entering[loop].lanes,
                                    .iterations = round.warps,
                                    .lane_iterations = round.lanes},
                           .block = g->loops[loop].header,
                           .first_jump = c->n_jumps};
  for (uint32_t k = 0; k < g->n_reached; ++k) {
    uint32_t b = g->reached[k];
    if (!makes_loop(g, b, loop))
      continue;
    // The one that most warps execute comes first.
    uint32_t *first = &c->jumps[out->first_jump], jump = g->blocks[b].last;
    c->jumps[c->n_jumps++] = jump;
    if (out->n_jumps++ && g->code[jump].warps > g->code[*first].warps) {
      c->jumps[c->n_jumps - 1] = *first;
      *first = jump;
    }
  }
}

// The site that a way up meets first, by the callers of functions.
static uint32_t first_site(const charging *c, place at) {
  uint32_t branch, loop, caller;
  double lanes;
  for (;;) {
    if (step(c, &at, &branch, &loop, &lanes))
      return branch != NONE ? c->site_of_branch[branch] : c->site_of_loop[loop];
    caller = c->graph->blocks[c->graph->blocks[at.block].function].caller;
    if (caller == NONE)
      return 0;
    if (c->site_of_branch[caller] != NONE)
      return c->site_of_branch[caller];
    at = place_of(c, caller);
  }
}

// Places a site in another one; in the start, where that is in it: functions may share code.
static void place_site(charging *c, uint32_t site, uint32_t parent) {
  uint32_t at = parent;
  while (at != site && at != 0)
    at = c->sites[at].site.parent;
  c->sites[site].site.parent = at == site ? 0 : parent;
}

static void make_sites(charging *c) {
  const dc_code_graph *g = c->graph;
  counts begin = counts_of(g->code);
  c->sites[c->n_sites++] = (dc_charged_site){
      .site = {.kind = DC_SITE_START, .warps = begin.warps, .lanes = begin.lanes}, .block = NONE};
  for (uint32_t l = 0; l < g->n_loops; ++l)
    add_loop(c, l);
  for (uint32_t k = 0; k < g->n_reached; ++k)
    if (dc__graph_calls_any(g, g->reached[k]) ||
        (ways(&g->out, g->reached[k]) > 1 && !leaves_loop(g, g->reached[k])))
      add_branch(c, g->reached[k]);
  c->sites[0].site.parent = DC_SITE_NONE;
  for (uint32_t l = 0; l < g->n_loops; ++l) {
    place around = {c->control_of_loop[l], g->loops[l].parent, g->loops[l].header};
    place_site(c, c->site_of_loop[l], first_site(c, around));
  }
  for (uint32_t b = 0; b < g->n_blocks; ++b)
    if (c->site_of_branch[b] != NONE)
      place_site(c, c->site_of_branch[b], first_site(c, place_of(c, b)));
}

// ---- charges ------------------------------------------------------------------------------------

// Where lanes parted that should have met in a block: the loop or branch whose ways end there, or
// in a block that dominates it; NONE where there is none.
static uint32_t parted_before(const charging *c, uint32_t block) {
  for (; block != NONE; block = c->graph->blocks[block].dominator) {
    if (c->left[block] != NONE)
      return c->site_of_loop[c->left[block]];
    if (c->parted[block] != NONE)
      return c->site_of_branch[c->parted[block]];
  }
  return NONE;
}

static void idle_at(charging *c, uint32_t site, double lane_slots) {
  *(site == NONE ? &c->untold : &c->sites[site].site.idle) += lane_slots;
}

// The lanes of a warp that a function begins with. One that begins with a loop is entered by its
// calls; its first instruction is executed in each iteration.
static double begin_of(const charging *c, uint32_t start) {
  const dc_code_graph *g = c->graph;
  uint32_t loop = g->blocks[start].loop;
  bool entered = loop != NONE && c->entering[loop].warps > 0;
  return mean_lanes(entered ? c->entering[loop] : at_begin(g, start));
}

// Charges what idles in instructions of a block that so many warps execute, each with so many
// lanes, up to the lanes that the block's function begins with. Where nothing is passed that lanes
// can have left at, and they are fewer all the same, they haven't met again. Returns the lanes that
// it got to.
static double charge_in_function(charging *c, uint32_t block, double warps, double lanes) {
  const dc_code_graph *g = c->graph;
  double begin = begin_of(c, g->blocks[block].function), came;
  uint32_t branch, loop;
  place at = place_of(c, block);
  while (step(c, &at, &branch, &loop, &came)) {
    came = fmin(came, begin);
    if (came <= lanes)
      continue;
    idle_at(c, branch != NONE ? c->site_of_branch[branch] : c->site_of_loop[loop],
            warps * (came - lanes));
    lanes = came;
  }
  if (begin > lanes)
    idle_at(c, parted_before(c, block), warps * (begin - lanes));
  return fmax(lanes, begin);
}

// The same, and leaves what the function begins without to its callers.
static void charge(charging *c, uint32_t block, double warps, double lanes) {
  uint32_t start = c->graph->blocks[block].function;
  c->left_to_callers[start] += warps * (LANES - charge_in_function(c, block, warps, lanes));
}

static void charge_instruction(charging *c, uint32_t k) {
  const dc_code_graph *g = c->graph;
  uint32_t b = g->block_of[k];
  counts here = counts_of(&g->code[k]);
  double lanes = mean_lanes(here), warps = here.warps * g->code[k].stands_for;
  if (warps <= 0)
    return;
  if (g->code[k].joins && k + 1 < g->n && (c->left[b] != NONE || c->parted[b] != NONE)) {
    double behind = mean_lanes(counts_of(&g->code[k + 1]));
    if (behind > lanes) {
      idle_at(c, parted_before(c, b), warps * (behind - lanes));
      lanes = behind;
    }
  }
  charge(c, b, warps, lanes);
}

// ---- calls --------------------------------------------------------------------------------------

// How often a function is called from elsewhere.
static double outer_calls(const dc_code_graph *g, uint32_t function) {
  double warps = 0;
  for (uint32_t k = 0; k < g->n_calls; ++k)
    if (g->calls[k].to == function && g->calls[k].kind < DC_CALL_SELF)
      warps += at_end(g, g->calls[k].from).warps;
  return warps;
}

// What a call answers for of the lanes that a warp begins the function without: all that aren't
// there, or, of a call of itself, those that the first one had.
static double lacking(const dc_code_graph *g, const dc_code_call *call, double begin) {
  double lanes = mean_lanes(at_end(g, call->from));
  if (call->kind == DC_CALL_SELF)
    return fmax(begin - lanes, 0);
  // Lanes that call different functions part at the call.
  return LANES - (call->kind == DC_CALL_ANY ? fmin(lanes, begin) : lanes);
}

static void charge_call(charging *c, const dc_code_call *call, double warps, double begin) {
  double lanes = mean_lanes(at_end(c->graph, call->from));
  if (call->kind == DC_CALL_SELF) {
    if (lanes < begin)
      charge_in_function(c, call->from, warps, lanes);
    return;
  }
  if (call->kind == DC_CALL_ANY && lanes > begin)
    idle_at(c, c->site_of_branch[call->from], warps * (lanes - begin));
  charge(c, call->from, warps, lanes);
}

// A function begins with the lanes of its calls, mixed as they are executed; what these lack is
// charged where they stand. Each round of a recursion leads to others, so that it counts by how
// many there are for each call from elsewhere.
static void charge_callers(charging *c, uint32_t function) {
  const dc_code_graph *g = c->graph;
  double begin = begin_of(c, function), slots = c->left_to_callers[function];
  double outer = outer_calls(g, function), told = 0;
  if (slots <= 0)
    return;
  if (outer <= 0 || begin >= LANES) {
    idle_at(c, NONE, slots);
    return;
  }
  for (uint32_t k = 0; k < g->n_calls; ++k)
    if (g->calls[k].to == function && g->calls[k].kind != DC_CALL_BACK)
      told += at_end(g, g->calls[k].from).warps / outer * lacking(g, &g->calls[k], begin);
  // Counts that don't add up: of fewer lanes than are missing, the rest isn't told.
  double missing = LANES - begin, scale = told > missing ? missing / told : 1;
  double warps = slots / missing; // of the function's, for all of its instructions
  idle_at(c, NONE, warps * fmax(missing - told, 0));
  for (uint32_t k = 0; k < g->n_calls; ++k)
    if (g->calls[k].to == function && g->calls[k].kind != DC_CALL_BACK)
      charge_call(c, &g->calls[k], scale * warps * at_end(g, g->calls[k].from).warps / outer,
                  begin);
}

static void charge_functions(charging *c) {
  const dc_code_graph *g = c->graph;
  for (uint32_t k = 0; k + 1 < g->n_functions; ++k) {
    charge_callers(c, g->functions[k]);
    c->left_to_callers[g->functions[k]] = 0;
  }
  idle_at(c, 0, c->left_to_callers[0]);
  for (uint32_t b = 1; b < g->n_blocks; ++b)
    idle_at(c, NONE, c->left_to_callers[b]);
}

// ---- the whole ----------------------------------------------------------------------------------

static uint32_t *none(uint32_t n) {
  uint32_t *row = malloc(((size_t)n + 1) * sizeof *row);
  if (row)
    memset(row, 0xff, ((size_t)n + 1) * sizeof *row);
  return row;
}

static bool begin(charging *c) {
  const dc_code_graph *g = c->graph;
  size_t n_jumps = g->n_blocks; // of branches; and of loops, each block for all around it
  for (uint32_t b = 0; b < g->n_blocks; ++b)
    for (uint32_t l = g->blocks[b].loop; l != NONE; l = g->loops[l].parent)
      ++n_jumps;
  c->control_of_block = none(g->n_blocks);
  c->control_of_loop = none(g->n_loops);
  c->parted = none(g->n_blocks);
  c->left = none(g->n_blocks);
  c->site_of_branch = none(g->n_blocks);
  c->site_of_loop = none(g->n_loops);
  c->left_to_callers = calloc((size_t)g->n_blocks + 1, sizeof *c->left_to_callers);
  c->entering = calloc((size_t)g->n_loops + 1, sizeof *c->entering);
  c->sites = calloc((size_t)g->n_blocks + g->n_loops + 1, sizeof *c->sites);
  c->jumps = n_jumps < UINT32_MAX ? malloc((n_jumps + 1) * sizeof *c->jumps) : NULL;
  return c->control_of_block && c->control_of_loop && c->parted && c->left && c->site_of_branch &&
         c->site_of_loop && c->left_to_callers && c->entering && c->sites && c->jumps;
}

static void end(charging *c) {
  free(c->control_of_block);
  free(c->control_of_loop);
  free(c->parted);
  free(c->left);
  free(c->site_of_branch);
  free(c->site_of_loop);
  free(c->left_to_callers);
  free(c->entering);
}

bool dc__charge(const dc_code_graph *graph, dc_charges *charges) {
  charging c = {.graph = graph};
  bool good = begin(&c) && find_control(&c);
  if (good) {
    count_entering(&c);
    make_sites(&c);
    for (uint32_t k = 0; k < graph->n; ++k)
      charge_instruction(&c, k);
    charge_functions(&c);
  }
  end(&c);
  *charges = (dc_charges){c.sites, c.n_sites, c.jumps, c.n_jumps, c.untold};
  return good;
}

void dc__charges_free(dc_charges *charges) {
  free(charges->sites);
  free(charges->jumps);
  *charges = (dc_charges){0};
}
