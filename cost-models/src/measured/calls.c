// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who calls whom in machine code.
#include "measured/code_graph.h"

#include "measured/sass.h"

#include <stdlib.h>
#include <string.h>

#define NONE DC_CODE_NONE
#define PAIRS_MAX 10000 // of calls of any function, and such functions

uint32_t dc__graph_callee(const dc_code_graph *g, uint32_t block) {
  const dc_code_instruction *call = &g->code[g->blocks[block].last];
  return call->flow == DC_SASS_CALL && call->target != NONE ? g->block_of[call->target] : NONE;
}

bool dc__graph_calls_any(const dc_code_graph *g, uint32_t block) {
  const dc_code_instruction *call = &g->code[g->blocks[block].last];
  return call->flow == DC_SASS_CALL && call->target == NONE;
}

static uint64_t warps_at(const dc_code_graph *g, uint32_t block) {
  return block == NONE ? 0 : g->code[g->blocks[block].last].warps;
}

// ---- the list -----------------------------------------------------------------------------------

static bool add_call(dc_code_graph *g, uint32_t *capacity, uint32_t from, uint32_t to,
                     dc_code_call_kind kind) {
  if (g->n_calls == *capacity) {
    *capacity = *capacity ? 2 * *capacity : 64;
    dc_code_call *more = realloc(g->calls, *capacity * sizeof *more);
    if (!more)
      return false;
    g->calls = more;
  }
  uint32_t in = g->blocks[from].function;
  g->calls[g->n_calls++] = (dc_code_call){from, in, to, (uint8_t)(in == to ? DC_CALL_SELF : kind)};
  return true;
}

static bool is_unnamed(const dc_code_graph *g, const bool *named, uint32_t block) {
  return block > 0 && g->blocks[block].starts && !named[block] &&
         g->code[g->blocks[block].first].warps;
}

// Calls of any function, of every one that isn't named; where these are very many, only from where
// most warps call so.
static bool list_other_calls(dc_code_graph *g, const bool *named, uint32_t *capacity) {
  uint64_t calls = 0, functions = 0;
  uint32_t most = NONE;
  for (uint32_t b = 0; b < g->n_blocks; ++b) {
    functions += is_unnamed(g, named, b);
    if (!dc__graph_calls_any(g, b) || !warps_at(g, b))
      continue;
    ++calls;
    most = most == NONE || warps_at(g, b) > warps_at(g, most) ? b : most;
  }
  bool good = true, few = calls * functions <= PAIRS_MAX;
  for (uint32_t b = 0; good && b < g->n_blocks; ++b) {
    if (few ? !dc__graph_calls_any(g, b) || !warps_at(g, b) : b != most)
      continue;
    for (uint32_t to = 1; good && to < g->n_blocks; ++to)
      if (is_unnamed(g, named, to))
        good = add_call(g, capacity, b, to, DC_CALL_ANY);
  }
  return good;
}

static bool list_calls(dc_code_graph *g, bool *named) {
  uint32_t capacity = 0;
  bool good = true;
  for (uint32_t b = 0; good && b < g->n_blocks; ++b) {
    uint32_t to = dc__graph_callee(g, b);
    if (to == NONE)
      continue;
    named[to] = true;
    good = warps_at(g, b) == 0 || add_call(g, &capacity, b, to, DC_CALL_DIRECT);
  }
  return good && list_other_calls(g, named, &capacity);
}

// ---- their order --------------------------------------------------------------------------------

typedef enum state { NEW, OPEN, DONE } state;

// Depth first from the kernel, over calls that go forward.
static void order_functions(dc_code_graph *g, uint8_t *states, uint32_t *next, uint32_t *stack) {
  uint32_t height = 0;
  stack[height++] = 0;
  states[0] = OPEN;
  while (height) {
    uint32_t function = stack[height - 1];
    if (next[function] == g->n_calls) {
      states[function] = DONE;
      g->functions[g->n_functions++] = function;
      --height;
      continue;
    }
    dc_code_call *call = &g->calls[next[function]++];
    if (call->in != function || call->kind == DC_CALL_SELF)
      continue;
    if (states[call->to] == OPEN)
      call->kind = DC_CALL_BACK;
    if (states[call->to] != NEW)
      continue;
    states[call->to] = OPEN;
    stack[height++] = call->to;
  }
}

static void find_callers(dc_code_graph *g, const uint8_t *states) {
  for (uint32_t k = 0; k < g->n_calls; ++k) {
    const dc_code_call *call = &g->calls[k];
    uint32_t *caller = &g->blocks[call->to].caller;
    bool forward = call->kind == DC_CALL_DIRECT || call->kind == DC_CALL_ANY;
    if (forward && call->to != 0 && states[call->in] == DONE &&
        (*caller == NONE || warps_at(g, call->from) > warps_at(g, *caller)))
      *caller = call->from;
  }
}

bool dc__graph_find_calls(dc_code_graph *g) {
  uint32_t n = g->n_blocks;
  bool *named = calloc(n, sizeof *named);
  uint8_t *states = calloc(n, sizeof *states);
  uint32_t *next = calloc(n, sizeof *next), *stack = calloc(n, sizeof *stack);
  g->functions = calloc(n, sizeof *g->functions);
  bool good = named && states && next && stack && g->functions && list_calls(g, named);
  if (good) {
    order_functions(g, states, next, stack);
    find_callers(g, states);
  }
  free(named);
  free(states);
  free(next);
  free(stack);
  return good;
}
