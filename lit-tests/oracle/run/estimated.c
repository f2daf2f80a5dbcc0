// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "estimated.h"

#include "divcost/estimate.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { SM = 90 };

static bool is_known(const dc_kernel *kernel, dc_expr e) {
  return e != DC_NO_EXPR && !dc_expr_mentions(&kernel->pool, e, DC_OP_LOAD, -1) &&
         !dc_expr_mentions(&kernel->pool, e, DC_OP_OPAQUE, -1) &&
         !dc_expr_mentions(&kernel->pool, e, DC_OP_FUNCTION, -1);
}

// Whether all that decides the lanes' ways follows from the launch and its parameters.
static bool follows_from_launch(const dc_kernel *kernel) {
  for (uint32_t k = 0; k < kernel->n_loops; ++k)
    if (!is_known(kernel, kernel->loops[k].trips))
      return false;
  for (uint32_t k = 0; k < kernel->n_branches; ++k)
    if (kernel->branches[k].exits == DC_NONE && !is_known(kernel, kernel->branches[k].condition))
      return false;
  return true;
}

static uint32_t line_of(const dc_kernel *kernel, uint32_t location) {
  return location == DC_NONE ? 0 : kernel->locations[location].line;
}

// Of several exits of a loop the estimate doesn't know which ends it; and a loop that stands behind
// the only one, in the body, is entered once less than it says.
static bool has_plain_exits(const dc_kernel *kernel) {
  for (uint32_t k = 0; k < kernel->n_loops; ++k) {
    const dc_loop *loop = &kernel->loops[k];
    if (loop->n_exits != 1)
      return false;
    uint32_t exit = kernel->exits[loop->first_exit].location;
    for (uint32_t inner = 0; inner < kernel->n_loops; ++inner)
      if (kernel->loops[inner].parent == k &&
          line_of(kernel, exit) != line_of(kernel, loop->location))
        return false;
  }
  return true;
}

// Marks the blocks that the kernel's entry leads to: the others are of functions that are called.
static void mark_reached(const dc_kernel *kernel, bool *reached) {
  bool more = kernel->n_blocks > 0;
  for (reached[0] = more; more;) {
    more = false;
    for (uint32_t k = 0; k < kernel->n_blocks; ++k)
      for (uint32_t s = 0; reached[k] && s < kernel->blocks[k].n_successors; ++s) {
        uint32_t to = kernel->successors[kernel->blocks[k].first_successor + s];
        more |= !reached[to];
        reached[to] = true;
      }
  }
}

void find_estimable(claims *of) {
  const dc_kernel *kernel = of->kernel;
  if (kernel->n_params > MOST_PARAMS || !follows_from_launch(kernel) || !has_plain_exits(kernel))
    return;
  bool *reached = calloc(kernel->n_blocks + 1, sizeof *reached);
  if (!reached)
    abort();
  mark_reached(kernel, reached);
  for (uint32_t k = 0; k < of->n; ++k) {
    claim *one = &of->list[k];
    one->estimable = !one->ambiguous && one->line != 0 && reached[kernel->loops[one->loop].header];
    of->any_estimable |= one->estimable;
  }
  free(reached);
}

// The launch's estimate. False: it isn't one of known values alone, or there is none.
static bool estimate_launch(const check *c, const launch *l, dc_estimate *out) {
  dc_kernel kernel = *c->claims->kernel;
  dc_param params[MOST_PARAMS];
  dc_arch arch;
  dc_error error;
  if (dc_arch_find_sm(SM, &arch, &error) != DC_OK)
    return false;
  for (uint32_t p = 0; p < kernel.n_params; ++p) {
    params[p] = kernel.params[p];
    params[p].known = c->program->params[p].kind == PROBE_NUMBER;
    params[p].value = l->arguments[p];
  }
  kernel.params = params;
  dc_launch as = {.block = {l->block_dim.x, l->block_dim.y, l->block_dim.z},
                  .grid = {l->grid_dim.x, l->grid_dim.y, l->grid_dim.z},
                  .from = DC_BLOCK_LAUNCH,
                  .location = DC_NONE};
  if (dc_estimate_kernel(&kernel, &arch, &as, NULL, out, &error) != DC_OK)
    return false;
  bool known = out->emulated && !out->sampled;
  for (uint32_t k = 0; known && k < out->n_loops; ++k)
    known = out->loops[k].from <= DC_FROM_DERIVED;
  if (!known)
    dc_estimate_free(out);
  return known;
}

static void compare(check *c, uint32_t line, const char *what, dc_interval said, double measured) {
  if (said.low < 0)
    return;
  ++c->counts.estimates;
  double slack = 1e-9 * (1 + fabs(measured));
  if (said.low > measured + slack || said.high < measured - slack)
    violate(c, "estimate", line, "%s %.9g, %.9g in the estimate", what, measured, said.low);
}

void check_estimate(check *c, const launch *l) {
  uint64_t blocks = (uint64_t)l->grid_dim.x * l->grid_dim.y * l->grid_dim.z;
  uint32_t threads = l->block_dim.x * l->block_dim.y * l->block_dim.z;
  uint64_t warps = blocks * ((threads + 31) / 32);
  dc_estimate estimate;
  if (!c->claims->any_estimable || c->uncounted || blocks != l->n_blocks ||
      !estimate_launch(c, l, &estimate))
    return;
  for (uint32_t k = 0; k < c->claims->n; ++k) {
    const claim *of = &c->claims->list[k];
    const dc_loop_estimate *said = &estimate.loops[of->loop];
    const loop_count *m = &c->loops[k];
    if (!of->estimable)
      continue;
    compare(c, of->line, "entries by a warp", said->entries, (double)m->warps / (double)warps);
    if (m->lanes == 0)
      continue;
    compare(c, of->line, "mean trips", said->mean_trips, (double)m->trips / (double)m->lanes);
    if (m->issued > 0)
      compare(c, of->line, "lanes that iterate", said->efficiency,
              (double)m->trips / (32 * (double)m->issued));
  }
  dc_estimate_free(&estimate);
}
