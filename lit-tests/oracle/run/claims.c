// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "claims.h"

#include "hash.h"

#include <stdlib.h>
#include <string.h>

static uint64_t place_of(const dc_kernel *kernel, uint32_t location) {
  uint32_t lines[64], n = 0;
  uint64_t hash = 0;
  const dc_location *at = &kernel->locations[location];
  uint32_t line = at->line;
  for (uint32_t call = at->inlined_at; call != DC_NONE && n < 64;
       call = kernel->locations[call].inlined_at)
    lines[n++] = kernel->locations[call].line;
  while (n > 0)
    hash = mix(hash, lines[--n]);
  return mix(mix(hash, 0), line);
}

static uint32_t find(const claims *c, uint64_t place) {
  for (uint64_t slot = place;; ++slot) {
    uint32_t index = c->table[slot & (c->table_size - 1)];
    if (index == 0 || c->list[index - 1].place == place)
      return index;
  }
}

static void insert(claims *c, uint32_t index) {
  claim *one = &c->list[index];
  uint32_t have = find(c, one->place);
  if (have) {
    one->ambiguous = c->list[have - 1].ambiguous = true;
    return;
  }
  uint64_t slot = one->place;
  while (c->table[slot & (c->table_size - 1)])
    ++slot;
  c->table[slot & (c->table_size - 1)] = index + 1;
}

static uint32_t line_of_exit(const dc_kernel *kernel, const dc_exit *exit) {
  return exit->location == DC_NONE ? 0 : kernel->locations[exit->location].line;
}

// What can be said of single exits, where probes tell no more than lines.
static void look_at_exits(const dc_kernel *kernel, claim *of) {
  const dc_loop *loop = &kernel->loops[of->loop];
  const dc_exit *exits = &kernel->exits[loop->first_exit];
  for (uint32_t k = 0; k < loop->n_exits && k < 64; ++k) {
    uint32_t line = line_of_exit(kernel, &exits[k]);
    bool alone = line != 0, together = line != 0;
    for (uint32_t other = 0; other < loop->n_exits; ++other)
      if (line_of_exit(kernel, &exits[other]) == line) {
        alone &= other == k;
        together &= exits[other].level < DC_DIVERGENT;
      }
    of->alone |= alone ? UINT64_C(1) << k : 0;
    of->together |= together ? UINT64_C(1) << k : 0;
  }
}

// Whether a count has a step that limits.md doesn't take to be small.
static bool has_any_step(const dc_expr_pool *pool, dc_expr e, unsigned depth) {
  if (e == DC_NO_EXPR || depth == 0)
    return false;
  const dc_expr_node *node = &pool->nodes[e];
  if ((node->op == DC_OP_STEPS || node->op == DC_OP_USTEPS) &&
      (dc_expr_mentions(pool, node->b, DC_OP_PARAM, -1) ||
       dc_expr_mentions(pool, node->b, DC_OP_LOAD, -1)))
    return true;
  return has_any_step(pool, node->a, depth - 1) || has_any_step(pool, node->b, depth - 1) ||
         has_any_step(pool, node->c, depth - 1);
}

bool collect_claims(const dc_unit_kernel *unit_kernel, claims *out, const char **unknown) {
  const dc_kernel *kernel = &unit_kernel->kernel;
  *out = (claims){.unit_kernel = unit_kernel, .kernel = kernel, .n = kernel->n_loops};
  out->table_size = 16;
  while (out->table_size < 2 * out->n)
    out->table_size *= 2;
  out->list = calloc(out->n + 1, sizeof *out->list);
  out->table = calloc(out->table_size, sizeof *out->table);
  if (!out->list || !out->table)
    abort();
  for (uint32_t k = 0; k < out->n; ++k) {
    const dc_loop *loop = &kernel->loops[k];
    claim *one = &out->list[k];
    one->loop = k;
    one->most = dc_most_trips(kernel, k);
    one->any_step = has_any_step(&kernel->pool, loop->trips, 12);
    look_at_exits(kernel, one);
    if (loop->location != DC_NONE) {
      one->place = place_of(kernel, loop->location);
      one->line = kernel->locations[loop->location].line;
      insert(out, k);
    }
    if (!parse_condition(dc_kernel_text(kernel, loop->condition), &one->condition, unknown))
      return false;
  }
  return true;
}

void free_claims(claims *c) {
  free(c->list);
  free(c->table);
  *c = (claims){0};
}

int32_t claim_at(const claims *c, const uint32_t *calls, uint32_t n, uint32_t line) {
  for (uint32_t from = 0; from <= n; ++from) {
    uint64_t hash = 0;
    for (uint32_t k = from; k < n; ++k)
      hash = mix(hash, calls[k]);
    uint32_t index = find(c, mix(mix(hash, 0), line));
    if (index)
      return (int32_t)index - 1;
  }
  return -1;
}

bool has_finding(const claims *c, dc_rule rule, uint32_t line) {
  const dc_unit_kernel *k = c->unit_kernel;
  for (uint32_t f = 0; f < k->n_findings; ++f)
    if (k->findings[f].rule == rule && k->findings[f].location != DC_NONE &&
        c->kernel->locations[k->findings[f].location].line == line)
      return true;
  return false;
}
