// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "measured/code_graph.h"

#include "measured/sass.h"

#include <stdlib.h>
#include <string.h>

#define NONE DC_CODE_NONE

// ---- blocks -------------------------------------------------------------------------------------

// A block ends behind what may go elsewhere, and before where others come from or wait.
static void find_blocks(dc_code_graph *g) {
  const dc_code_instruction *code = g->code;
  for (uint32_t k = 0; k < g->n; ++k)
    g->block_of[k] =
        k == 0 || code[k - 1].flow != DC_SASS_NEXT || code[k - 1].ends || code[k].joins;
  for (uint32_t k = 0; k < g->n; ++k)
    if (code[k].target != NONE)
      g->block_of[code[k].target] = 1;
  for (uint32_t k = 0; k < g->n; ++k) {
    if (g->block_of[k])
      g->blocks[g->n_blocks++] = (dc_code_block){.first = k,
                                                 .order = NONE,
                                                 .dominator = NONE,
                                                 .post_dominator = NONE,
                                                 .loop = NONE,
                                                 .caller = NONE,
                                                 .starts = k == 0};
    g->block_of[k] = g->n_blocks - 1;
    g->blocks[g->n_blocks - 1].last = k;
  }
  g->blocks[g->n_blocks] = (dc_code_block){
      .first = NONE, .last = NONE, .dominator = NONE, .post_dominator = NONE, .loop = NONE};
}

static void find_starts(dc_code_graph *g) {
  for (uint32_t b = 0; b < g->n_blocks; ++b)
    if (dc__graph_callee(g, b) != NONE)
      g->blocks[dc__graph_callee(g, b)].starts = true;
}

// ---- edges --------------------------------------------------------------------------------------

typedef struct edge_list {
  uint32_t *from, *to, count, capacity;
  bool failed;
} edge_list;

static void add_edge(edge_list *edges, uint32_t from, uint32_t to) {
  if (edges->count == edges->capacity) {
    uint32_t capacity = edges->capacity ? 2 * edges->capacity : 256;
    uint32_t *more = realloc(edges->from, capacity * sizeof *more);
    edges->from = more ? more : edges->from;
    uint32_t *others = more ? realloc(edges->to, capacity * sizeof *more) : NULL;
    edges->to = others ? others : edges->to;
    edges->failed |= !others;
    if (edges->failed)
      return;
    edges->capacity = capacity;
  }
  edges->from[edges->count] = from;
  edges->to[edges->count++] = to;
}

static void add_edges_of(const dc_code_graph *g, uint32_t block, edge_list *edges) {
  const dc_code_instruction *last = &g->code[g->blocks[block].last];
  bool goes_on = last->flow == DC_SASS_NEXT || last->flow == DC_SASS_CALL || last->predicated;
  uint32_t next = last->ends ? g->n_blocks : block + 1;
  uint32_t away = last->flow == DC_SASS_NEXT || last->flow == DC_SASS_CALL ? NONE : g->n_blocks;
  if (last->flow == DC_SASS_BRANCH && last->target != NONE)
    away = g->block_of[last->target];
  if (last->flow == DC_SASS_INDIRECT)
    away = NONE;
  if (goes_on)
    add_edge(edges, block, next);
  if (away != NONE && !(goes_on && away == next))
    add_edge(edges, block, away);
}

// Where a register says: to the blocks behind it that nothing else leads to, as the cases of a
// switch are; to the exit where there are none.
static void add_indirect_edges(const dc_code_graph *g, edge_list *edges, uint32_t *has_way) {
  for (uint32_t e = 0; e < edges->count; ++e)
    has_way[edges->to[e]] = 1;
  uint32_t jump = NONE, ways = 0;
  for (uint32_t b = 0; b <= g->n_blocks; ++b) {
    bool ends = b == g->n_blocks || g->code[g->blocks[b].last].flow == DC_SASS_INDIRECT;
    if (jump != NONE && b < g->n_blocks && !has_way[b] && !g->blocks[b].starts) {
      add_edge(edges, jump, b);
      ++ways;
    }
    if (ends && jump != NONE && ways == 0)
      add_edge(edges, jump, g->n_blocks);
    if (ends)
      jump = b, ways = 0;
  }
}

static bool sort_edges(const uint32_t *from, const uint32_t *to, uint32_t n, uint32_t nodes,
                       dc_code_edges *edges) {
  edges->first = calloc((size_t)nodes + 2, sizeof *edges->first);
  edges->to = calloc((size_t)n + 1, sizeof *edges->to);
  if (!edges->first || !edges->to)
    return false;
  for (uint32_t e = 0; e < n; ++e)
    ++edges->first[from[e] + 2];
  for (uint32_t k = 2; k < nodes + 2; ++k)
    edges->first[k] += edges->first[k - 1];
  for (uint32_t e = 0; e < n; ++e)
    edges->to[edges->first[from[e] + 1]++] = to[e];
  return true;
}

// What no edge leads to is a function, too: one that is called by a pointer.
static void find_other_starts(dc_code_graph *g) {
  for (uint32_t b = 0; b < g->n_blocks; ++b)
    g->blocks[b].starts |= g->in.first[b] == g->in.first[b + 1];
}

static bool take_edges(dc_code_graph *g, const uint32_t *from, const uint32_t *to, uint32_t n) {
  uint32_t nodes = g->n_blocks + 1;
  bool good = sort_edges(from, to, n, nodes, &g->out) && sort_edges(to, from, n, nodes, &g->in);
  if (good)
    find_other_starts(g);
  return good;
}

static bool connect(dc_code_graph *g) {
  edge_list list = {0};
  uint32_t nodes = g->n_blocks + 1, *has_way = calloc(nodes, sizeof *has_way);
  for (uint32_t b = 0; b < g->n_blocks; ++b)
    add_edges_of(g, b, &list);
  if (has_way)
    add_indirect_edges(g, &list, has_way);
  bool good = has_way && !list.failed && take_edges(g, list.from, list.to, list.count);
  free(has_way);
  free(list.from);
  free(list.to);
  return good;
}

// ---- dominators ---------------------------------------------------------------------------------

// One direction of the graph: what to find of each node, and room to work in.
typedef struct walk {
  const dc_code_edges *out, *in;
  uint32_t nodes;
  uint32_t *order;    // of each node, or NONE
  uint32_t *sequence; // nodes in their order
  uint32_t count;     // of them
  uint32_t *nearest;  // immediate dominator of each node, or NONE
  uint32_t *known;    // whether nearest says something; 1 or NONE
  uint32_t *root;     // likewise
  uint32_t *stack, *next;
} walk;

static bool begin_walk(walk *w, const dc_code_edges *out, const dc_code_edges *in, uint32_t nodes) {
  *w = (walk){.out = out, .in = in, .nodes = nodes};
  uint32_t **rows[] = {&w->order, &w->sequence, &w->nearest, &w->known,
                       &w->root,  &w->stack,    &w->next};
  bool good = true;
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
    *rows[k] = malloc((size_t)nodes * sizeof **rows[k]);
    good &= *rows[k] != NULL;
    if (*rows[k])
      memset(*rows[k], 0xff, (size_t)nodes * sizeof **rows[k]);
  }
  w->count = nodes; // while sequence is filled from its end
  return good;
}

static void end_walk(walk *w) {
  free(w->order);
  free(w->sequence);
  free(w->nearest);
  free(w->known);
  free(w->root);
  free(w->stack);
  free(w->next);
}

// Depth first from a root; nodes that are done go in front of those that were before.
static void visit(walk *w, uint32_t root) {
  w->root[root] = w->known[root] = 1;
  if (w->order[root] != NONE)
    return;
  uint32_t height = 0;
  w->stack[height++] = root;
  w->order[root] = 0;
  w->next[root] = w->out->first[root];
  while (height) {
    uint32_t node = w->stack[height - 1];
    if (w->next[node] == w->out->first[node + 1]) {
      w->sequence[--w->count] = node;
      --height;
      continue;
    }
    uint32_t to = w->out->to[w->next[node]++];
    if (w->order[to] != NONE)
      continue;
    w->order[to] = 0;
    w->next[to] = w->out->first[to];
    w->stack[height++] = to;
  }
}

static void number(walk *w) {
  uint32_t unused = w->count;
  w->count = w->nodes - unused;
  memmove(w->sequence, w->sequence + unused, w->count * sizeof *w->sequence);
  for (uint32_t k = 0; k < w->count; ++k)
    w->order[w->sequence[k]] = k;
}

// The nearest node above two, or NONE.
static uint32_t meet(const walk *w, uint32_t a, uint32_t b) {
  while (a != b) {
    if (a == NONE || b == NONE)
      return NONE;
    if (w->order[a] > w->order[b])
      a = w->nearest[a];
    else
      b = w->nearest[b];
  }
  return a;
}

// Immediate dominators; roots have none. Cooper, Harvey and Kennedy, "A Simple, Fast Dominance
// Algorithm" (2001), figure 3.
static void find_nearest(walk *w) {
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t k = 0; k < w->count; ++k) {
      uint32_t node = w->sequence[k], found = NONE;
      bool any = false;
      if (w->root[node] == 1)
        continue;
      for (uint32_t e = w->in->first[node]; e < w->in->first[node + 1]; ++e) {
        uint32_t from = w->in->to[e];
        if (w->known[from] != 1)
          continue;
        found = any ? meet(w, found, from) : from;
        any = true;
      }
      changed |= any && (w->known[node] != 1 || found != w->nearest[node]);
      if (!any)
        continue;
      w->nearest[node] = found;
      w->known[node] = 1;
    }
  }
}

static bool find_dominators(dc_code_graph *g) {
  walk w;
  bool good = begin_walk(&w, &g->out, &g->in, g->n_blocks + 1);
  for (uint32_t b = g->n_blocks; good && b-- > 0;)
    if (g->blocks[b].starts)
      visit(&w, b);
  if (good) {
    number(&w);
    find_nearest(&w);
    for (uint32_t k = 0; k < w.count; ++k) {
      uint32_t b = w.sequence[k];
      g->blocks[b].order = k;
      g->blocks[b].dominator = w.nearest[b];
      if (b != g->n_blocks)
        g->reached[g->n_reached++] = b;
    }
  }
  end_walk(&w);
  return good;
}

// Blocks come after those that dominate them. What two functions share is in neither.
static void find_functions(dc_code_graph *g) {
  for (uint32_t b = 0; b < g->n_blocks; ++b)
    g->blocks[b].function = b;
  for (uint32_t k = 0; k < g->n_reached; ++k) {
    dc_code_block *block = &g->blocks[g->reached[k]];
    if (!block->starts && block->dominator != NONE)
      block->function = g->blocks[block->dominator].function;
  }
}

static bool find_post_dominators(dc_code_graph *g) {
  walk w;
  bool good = begin_walk(&w, &g->in, &g->out, g->n_blocks + 1);
  if (good) {
    visit(&w, g->n_blocks);
    number(&w);
    find_nearest(&w);
    for (uint32_t b = 0; b < g->n_blocks; ++b)
      g->blocks[b].post_dominator = w.nearest[b];
  }
  end_walk(&w);
  return good;
}

// ---- loops --------------------------------------------------------------------------------------

static bool dominates(const dc_code_graph *g, uint32_t a, uint32_t b) {
  while (b != NONE && b != a && g->blocks[b].order > g->blocks[a].order)
    b = g->blocks[b].dominator;
  return a == b;
}

// Marks the blocks of the natural loop of a header, if there is one: what leads back to it.
static bool mark_loop(const dc_code_graph *g, uint32_t header, uint32_t *mark, uint32_t *stack) {
  uint32_t height = 0;
  stack[height++] = header;
  mark[header] = header;
  bool found = false;
  while (height) {
    uint32_t to = stack[--height];
    for (uint32_t e = g->in.first[to]; e < g->in.first[to + 1]; ++e) {
      uint32_t from = g->in.to[e];
      if (g->blocks[from].order == NONE || !dominates(g, header, from))
        continue;
      found |= to == header;
      if (mark[from] != header)
        stack[height++] = from;
      mark[from] = header;
    }
  }
  return found;
}

// Headers in their order, so that inner loops come later and have the last word.
static bool find_loops(dc_code_graph *g) {
  uint32_t *stack = malloc((size_t)g->n_blocks * sizeof *stack);
  uint32_t *mark = malloc((size_t)g->n_blocks * sizeof *mark);
  for (uint32_t b = 0; mark && b < g->n_blocks; ++b)
    mark[b] = NONE;
  for (uint32_t k = 0; stack && mark && k < g->n_reached; ++k) {
    uint32_t header = g->reached[k], l = g->n_loops;
    if (!mark_loop(g, header, mark, stack))
      continue;
    g->loops[g->n_loops++] = (dc_code_loop){header, g->blocks[header].loop};
    for (uint32_t b = 0; b < g->n_blocks; ++b)
      if (mark[b] == header)
        g->blocks[b].loop = l;
  }
  bool good = stack && mark;
  free(stack);
  free(mark);
  return good;
}

bool dc__graph_in_loop(const dc_code_graph *g, uint32_t block, uint32_t loop) {
  uint32_t at = g->blocks[block].loop;
  while (at != NONE && at != loop)
    at = g->loops[at].parent;
  return at == loop;
}

// ---- the whole ----------------------------------------------------------------------------------

static bool begin(dc_code_graph *g, const dc_code_instruction *code, uint32_t n) {
  *g = (dc_code_graph){.code = code, .n = n};
  g->block_of = calloc(n, sizeof *g->block_of);
  g->blocks = calloc((size_t)n + 1, sizeof *g->blocks);
  g->reached = calloc((size_t)n + 1, sizeof *g->reached);
  g->loops = calloc(n, sizeof *g->loops);
  return g->block_of && g->blocks && g->reached && g->loops;
}

// What follows from blocks and edges.
static bool finish(dc_code_graph *g) {
  bool good = find_dominators(g);
  if (good)
    find_functions(g);
  return good && find_post_dominators(g) && find_loops(g) && dc__graph_find_calls(g);
}

bool dc__graph_build(dc_code_graph *g, const dc_code_instruction *code, uint32_t n) {
  if (!begin(g, code, n))
    return false;
  find_blocks(g);
  find_starts(g);
  return connect(g) && finish(g);
}

bool dc__graph_of_blocks(dc_code_graph *g, const dc_code_instruction *code, uint32_t n,
                         const uint32_t *from, const uint32_t *to, uint32_t n_edges) {
  if (!begin(g, code, n))
    return false;
  g->n_blocks = n;
  for (uint32_t b = 0; b <= g->n_blocks; ++b) {
    bool exit = b == g->n_blocks;
    g->blocks[b] = (dc_code_block){.first = exit ? NONE : b,
                                   .last = exit ? NONE : b,
                                   .order = NONE,
                                   .dominator = NONE,
                                   .post_dominator = NONE,
                                   .loop = NONE,
                                   .caller = NONE,
                                   .starts = b == 0};
    if (!exit)
      g->block_of[b] = b;
  }
  return take_edges(g, from, to, n_edges) && finish(g);
}

void dc__graph_free(dc_code_graph *g) {
  free(g->block_of);
  free(g->blocks);
  free(g->out.first);
  free(g->out.to);
  free(g->in.first);
  free(g->in.to);
  free(g->reached);
  free(g->loops);
  free(g->calls);
  free(g->functions);
  *g = (dc_code_graph){0};
}
