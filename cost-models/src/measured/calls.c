// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who calls whom in machine code.
#include "measured/code_graph.h"

#include "measured/sass.h"

#include <stdlib.h>
#include <string.h>

#define NONE DC_CODE_NONE

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
  for (uint32_t b = 0; good && b < g->n_blocks; ++b)
    for (uint32_t to = 1; good && warps_at(g, b) && dc__graph_calls_any(g, b) && to < g->n_blocks;
         ++to)
      if (g->blocks[to].starts && !named[to] && g->code[g->blocks[to].first].warps)
        good = add_call(g, &capacity, b, to, DC_CALL_ANY);
  return good;
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
