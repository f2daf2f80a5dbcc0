// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which blocks of a kernel have to be counted. Blocks in one loop of which one comes to the other,
// always, and only by it, are executed alike: of such a class one block does. A loop's header is
// executed when it is entered, and when its rounds end.
#include "unit/kernel_graph.h"

#include "divcost/block_counts.h"

#include "kernel/instructions.h"
#include "kernel/predication.h"

#include <stdlib.h>
#include <string.h>

#define OF_TEST 8 // instructions, at most

typedef struct planner {
  const dc_kernel *kernel;
  const dc_code_graph *graph;
  const uint32_t *bodies;
  const bool *recorded, *countable;
  const uint8_t *apart;
  dc_block_plan *plan;
} planner;

// ---- classes ------------------------------------------------------------------------------------

static bool comes_after(const dc_code_graph *g, uint32_t block, uint32_t of) {
  while (of != DC_NONE && of != block)
    of = g->blocks[of].post_dominator;
  return of == block;
}

static uint32_t only_way_to(const dc_code_graph *g, uint32_t block) {
  uint32_t first = g->in.first[block];
  return g->in.first[block + 1] - first == 1 ? g->in.to[first] : DC_NONE;
}

static bool diverges(const dc_kernel *kernel, uint32_t block) {
  uint32_t branch = kernel->blocks[block].branch;
  return branch == DC_NONE || kernel->branches[branch].level >= DC_DIVERGENT;
}

// Whether lanes that come to a block together may have parted since they were in one before it, at
// a branch behind which they stay apart.
static bool parted_since(const planner *p, uint32_t block, uint32_t before) {
  const dc_code_graph *g = p->graph;
  uint32_t at = block;
  bool parted = false;
  while (p->apart && !parted && at != before) {
    at = g->blocks[at].dominator;
    parted = p->apart[at] && diverges(p->kernel, at) && comes_after(g, block, at);
  }
  return parted;
}

// How a block is executed if it is as one before it, by itself otherwise.
static dc_block_plan executed_as(const planner *p, uint32_t block) {
  const dc_code_graph *g = p->graph;
  uint32_t before = g->blocks[block].dominator, way = only_way_to(g, block);
  while (before != DC_NONE && g->blocks[before].loop != g->blocks[block].loop)
    before = g->blocks[before].dominator;
  if (before != DC_NONE && comes_after(g, block, before) && !parted_since(p, block, before))
    return (dc_block_plan){.by = DC_COUNTED_AS, .of = before};
  if (way != DC_NONE && dc__is_predicated(p->kernel, &p->kernel->blocks[way]))
    return (dc_block_plan){.by = DC_COUNTED_WITH, .of = way};
  if (dc__is_bare_return(p->kernel, block) && g->blocks[block].dominator != DC_NONE)
    return (dc_block_plan){.by = DC_COUNTED_WITH, .of = g->blocks[block].dominator};
  return (dc_block_plan){.by = DC_COUNTED_HERE, .of = block};
}

static uint32_t class_of(const planner *p, uint32_t block) {
  while (p->plan[block].by == DC_COUNTED_AS || p->plan[block].by == DC_COUNTED_WITH)
    block = p->plan[block].of;
  return block;
}

static void find_classes(planner *p) {
  const dc_code_graph *g = p->graph;
  for (uint32_t b = 0; b < g->n_blocks; ++b)
    p->plan[b] = (dc_block_plan){.by = DC_COUNTED_NEVER, .of = DC_NONE};
  for (uint32_t k = 0; k < g->n_reached; ++k) {
    uint32_t block = g->reached[k];
    p->plan[block] = executed_as(p, block);
    if (p->plan[block].by != DC_COUNTED_HERE)
      p->plan[block].of = class_of(p, p->plan[block].of);
  }
}

// ---- loops --------------------------------------------------------------------------------------

static bool can_be_counted(const planner *p, uint32_t of) {
  bool can = p->plan[of].by != DC_COUNTED_HERE;
  for (uint32_t b = 0; b < p->graph->n_blocks && !can; ++b)
    can = p->countable[b] && p->plan[b].by != DC_COUNTED_NEVER && class_of(p, b) == of &&
          p->plan[b].by != DC_COUNTED_WITH;
  return can;
}

// The header that a block leads to, which alone leads there from outside of the loop; or DC_NONE.
static uint32_t enters(const dc_code_graph *g, uint32_t block) {
  uint32_t first = g->out.first[block], to = g->out.to[first];
  if (g->out.first[block + 1] - first != 1 || to == g->n_blocks || g->blocks[to].loop == DC_NONE ||
      g->loops[g->blocks[to].loop].header != to)
    return DC_NONE;
  for (uint32_t e = g->in.first[to]; e < g->in.first[to + 1]; ++e)
    if (g->in.to[e] != block && !dc__graph_in_loop(g, g->in.to[e], g->blocks[to].loop))
      return DC_NONE;
  return dc__graph_in_loop(g, block, g->blocks[to].loop) ? DC_NONE : to;
}

// The block that alone leads to a loop's header from outside, and nowhere else; or DC_NONE.
static uint32_t way_into(const dc_code_graph *g, uint32_t header) {
  uint32_t way = DC_NONE;
  for (uint32_t e = g->in.first[header]; e < g->in.first[header + 1] && way == DC_NONE; ++e)
    way = enters(g, g->in.to[e]) == header ? g->in.to[e] : DC_NONE;
  return way;
}

// Whether lanes leave a loop in one way, and are together in it until then.
static bool is_left_once(const planner *p, uint32_t loop) {
  const dc_code_graph *g = p->graph;
  uint32_t ways = 0;
  for (uint32_t b = 0; b < g->n_blocks; ++b) {
    if (g->blocks[b].order == DC_CODE_NONE || !dc__graph_in_loop(g, b, loop))
      continue;
    for (uint32_t e = g->out.first[b]; e < g->out.first[b + 1]; ++e)
      ways += g->out.to[e] == g->n_blocks || !dc__graph_in_loop(g, g->out.to[e], loop);
    ways += p->apart && p->apart[b] && diverges(p->kernel, b) ? 2 : 0;
  }
  return ways == 1;
}

// The trips of a loop if they are constant, and no lane leaves it before; else 0.
static uint32_t constant_trips(const planner *p, uint32_t loop) {
  const dc_loop *data = &p->kernel->loops[loop];
  if (data->trips == DC_NO_EXPR || !is_left_once(p, p->graph->blocks[data->header].loop))
    return 0;
  const dc_expr_node *trips = &p->kernel->pool.nodes[data->trips];
  bool known = trips->op == DC_OP_CONST && trips->i > 0 && trips->i <= UINT32_MAX;
  return known ? (uint32_t)trips->i : 0;
}

static void use_trips_of(planner *p, uint32_t loop) {
  uint32_t times = constant_trips(p, loop), of = class_of(p, p->bodies[loop]),
           way = times ? way_into(p->graph, p->kernel->loops[loop].header) : DC_NONE;
  if (p->graph->blocks[of].loop != p->graph->blocks[p->bodies[loop]].loop)
    return;
  if (way != DC_NONE && can_be_counted(p, class_of(p, way)))
    p->plan[of] = (dc_block_plan){DC_COUNTED_TIMES, way, times};
  else if (p->recorded[loop])
    p->plan[of] = (dc_block_plan){.by = DC_COUNTED_LOOP, .of = loop};
}

static void use_trips(planner *p) {
  for (uint32_t l = 0; l < p->kernel->n_loops; ++l)
    if (p->bodies[l] != DC_NONE && p->plan[p->bodies[l]].by != DC_COUNTED_NEVER)
      use_trips_of(p, l);
}

// Whether all that leads to a block leads nowhere else, isn't counted by the block itself, and, if
// it comes round its loop, can be counted.
static bool sums_up(const planner *p, uint32_t block) {
  const dc_code_graph *g = p->graph;
  for (uint32_t e = g->in.first[block]; e < g->in.first[block + 1]; ++e) {
    uint32_t from = g->in.to[e];
    if (g->out.first[from + 1] - g->out.first[from] != 1 || class_of(p, from) == block ||
        (dc__graph_in_loop(g, from, g->blocks[block].loop) &&
         !can_be_counted(p, class_of(p, from))))
      return false;
  }
  return true;
}

static void sum_headers(planner *p) {
  for (uint32_t l = 0; l < p->graph->n_loops; ++l) {
    uint32_t header = p->graph->loops[l].header;
    if (header != 0 && p->plan[header].by == DC_COUNTED_HERE && sums_up(p, header))
      p->plan[header] = (dc_block_plan){.by = DC_COUNTED_WAYS, .of = DC_NONE};
  }
}

// The loop of the skeleton with that header whose trips are recorded, or DC_NONE.
static uint32_t recorded_loop(const planner *p, uint32_t header) {
  for (uint32_t l = 0; l < p->kernel->n_loops; ++l)
    if (p->kernel->loops[l].header == header && p->bodies[l] != DC_NONE && p->recorded[l])
      return l;
  return DC_NONE;
}

// Passes put blocks in front of loops, which have no counterpart in the source.
static void use_entries(planner *p) {
  const dc_code_graph *g = p->graph;
  for (uint32_t k = 0; k < g->n_reached; ++k) {
    uint32_t block = g->reached[k], of = class_of(p, block), header = enters(g, block);
    if (p->plan[block].by == DC_COUNTED_NEVER || p->plan[of].by != DC_COUNTED_HERE ||
        p->countable[of] || header == DC_NONE || g->blocks[of].loop != g->blocks[block].loop)
      continue;
    uint32_t loop = recorded_loop(p, header);
    if (loop != DC_NONE) {
      p->plan[of] = (dc_block_plan){.by = DC_COUNTED_ENTRIES, .of = loop};
    } else if (p->countable[header] && p->plan[header].by == DC_COUNTED_WAYS) {
      p->plan[header] = (dc_block_plan){.by = DC_COUNTED_HERE, .of = header};
      p->plan[of] = (dc_block_plan){.by = DC_COUNTED_REST, .of = header};
    }
  }
}

// Whether nothing is known by a block: it has no instructions, nor does it lead to a loop's header,
// of which it counts the entries or the rounds.
static bool is_nothing(const planner *p, uint32_t block) {
  const dc_code_graph *g = p->graph;
  bool nothing = dc__block_instructions(&p->kernel->blocks[block]) == 0;
  for (uint32_t e = g->out.first[block]; e < g->out.first[block + 1]; ++e) {
    uint32_t to = g->out.to[e], loop = g->blocks[to].loop;
    nothing &= loop == DC_CODE_NONE || g->loops[loop].header != to ||
               (dc__graph_in_loop(g, block, loop) && p->plan[to].by != DC_COUNTED_WAYS);
  }
  return nothing;
}

static void leave_out(planner *p, bool *something) {
  const dc_code_graph *g = p->graph;
  for (uint32_t k = 0; k < g->n_reached; ++k)
    something[class_of(p, g->reached[k])] |= !is_nothing(p, g->reached[k]);
  for (uint32_t b = 0; b < g->n_blocks; ++b)
    if (p->plan[b].by == DC_COUNTED_HERE && !something[b])
      p->plan[b] = (dc_block_plan){.by = DC_COUNTED_NOT, .of = DC_NONE};
}

// Whether a block is but a test that was split off the one before it: both may lead to one place.
static bool is_split_test(const planner *p, uint32_t block, uint32_t before) {
  const dc_code_graph *g = p->graph;
  bool shared = false;
  for (uint32_t e = g->out.first[block]; e < g->out.first[block + 1]; ++e)
    for (uint32_t f = g->out.first[before]; f < g->out.first[before + 1]; ++f)
      shared |= g->out.to[e] == g->out.to[f] && g->out.to[e] != g->n_blocks;
  return shared && g->blocks[block].loop == g->blocks[before].loop &&
         dc__block_instructions(&p->kernel->blocks[block]) <= OF_TEST;
}

// It has no counterpart in the source. Others test all at once.
static void join_split_tests(planner *p) {
  for (uint32_t k = 0; k < p->graph->n_reached; ++k) {
    uint32_t block = p->graph->reached[k], before = only_way_to(p->graph, block);
    if (p->plan[block].by == DC_COUNTED_HERE && before != DC_NONE && !can_be_counted(p, block) &&
        is_split_test(p, block, before))
      p->plan[block] = (dc_block_plan){.by = DC_COUNTED_WITH, .of = class_of(p, before)};
  }
}

// ---- the plan -----------------------------------------------------------------------------------

// Of a class whose first block can't be counted, another one is, the first that can.
static void choose_countable(planner *p) {
  const dc_code_graph *g = p->graph;
  for (uint32_t k = 0; k < g->n_reached; ++k) {
    uint32_t block = g->reached[k], of = p->plan[block].of;
    if (p->plan[block].by != DC_COUNTED_AS || !p->countable[block])
      continue;
    if (p->plan[of].by == DC_COUNTED_HERE && !p->countable[of]) {
      p->plan[of] = (dc_block_plan){.by = DC_COUNTED_AS, .of = block};
      p->plan[block] = (dc_block_plan){.by = DC_COUNTED_HERE, .of = block};
    }
  }
}

bool dc_can_count_calls(const dc_kernel *kernel) {
  for (uint32_t k = 0; k < kernel->n_calls; ++k)
    if (kernel->calls[k].kind == DC_CALL_ELSEWHERE || !kernel->calls[k].function)
      return false;
  return true;
}

dc_status dc_plan_blocks(const dc_kernel *kernel, const uint32_t *bodies, const bool *recorded,
                         const bool *countable, const uint8_t *apart, dc_block_plan *plan,
                         dc_error *error) {
  dc_code_graph graph = {0};
  planner p = {kernel, &graph, bodies, recorded, countable, apart, plan};
  dc_code_instruction *code = calloc((size_t)kernel->n_blocks + 1, sizeof *code);
  bool *something = calloc((size_t)kernel->n_blocks + 1, sizeof *something);
  bool good = code && something && kernel->n_blocks > 0 && dc__kernel_graph(kernel, code, &graph);
  if (good) {
    find_classes(&p);
    use_trips(&p);
    sum_headers(&p);
    leave_out(&p, something);
    choose_countable(&p);
    use_entries(&p);
    join_split_tests(&p);
  }
  dc__graph_free(&graph);
  good = (good || kernel->n_blocks == 0) && code && something;
  free(code);
  free(something);
  return good ? DC_OK : dc_fail(error, DC_ERROR_MEMORY, "out of memory for a kernel's blocks");
}
