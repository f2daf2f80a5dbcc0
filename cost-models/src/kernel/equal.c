// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether two kernel skeletons say the same: all fields, in the same order, texts by their letters
// (not by their place in the string table).
#include "kernel/equal.h"

#include <string.h>

static bool text_equal(const dc_kernel *x, dc_text a, const dc_kernel *y, dc_text b) {
  return strcmp(dc_kernel_text(x, a), dc_kernel_text(y, b)) == 0;
}

// Chains are compared wherever they stand: reading puts those of loops before those of barriers.
static bool reasons_equal(const dc_kernel *x, uint32_t a, uint32_t n_a, const dc_kernel *y,
                          uint32_t b, uint32_t n_b) {
  if (n_a != n_b)
    return false;
  for (uint32_t k = 0; k < n_a; ++k) {
    const dc_reason *p = &x->reasons[a + k], *q = &y->reasons[b + k];
    if (p->location != q->location || !text_equal(x, p->text, y, q->text))
      return false;
  }
  return true;
}

static bool pools_equal(const dc_expr_pool *x, const dc_expr_pool *y) {
  if (x->count != y->count)
    return false;
  for (uint32_t k = 0; k < x->count; ++k) {
    const dc_expr_node *p = &x->nodes[k], *q = &y->nodes[k];
    if (p->op != q->op || p->bits != q->bits || p->level != q->level || p->a != q->a ||
        p->b != q->b || p->c != q->c || p->i != q->i)
      return false;
  }
  return true;
}

static bool blocks_equal(const dc_kernel *x, const dc_kernel *y) {
  if (x->n_blocks != y->n_blocks || x->n_successors != y->n_successors ||
      x->n_branches != y->n_branches || x->n_barriers != y->n_barriers)
    return false;
  for (uint32_t k = 0; k < x->n_blocks; ++k) {
    const dc_block *p = &x->blocks[k], *q = &y->blocks[k];
    if (p->first_successor != q->first_successor || p->n_successors != q->n_successors ||
        p->loop != q->loop || p->branch != q->branch || p->post_dominator != q->post_dominator ||
        p->control != q->control || p->counted != q->counted || p->machine != q->machine ||
        p->contended_one != q->contended_one || p->contended != q->contended ||
        p->stages != q->stages || p->chain != q->chain || p->slow != q->slow ||
        p->slow_alike != q->slow_alike || memcmp(p->mix, q->mix, sizeof p->mix) != 0)
      return false;
  }
  for (uint32_t k = 0; k < x->n_successors; ++k)
    if (x->successors[k] != y->successors[k])
      return false;
  for (uint32_t k = 0; k < x->n_branches; ++k) {
    const dc_branch *p = &x->branches[k], *q = &y->branches[k];
    if (p->block != q->block || p->condition != q->condition || p->level != q->level ||
        p->predication != q->predication || p->exits != q->exits || p->location != q->location ||
        p->taken != q->taken || p->alike != q->alike || p->close != q->close)
      return false;
  }
  for (uint32_t k = 0; k < x->n_barriers; ++k) {
    const dc_barrier *p = &x->barriers[k], *q = &y->barriers[k];
    if (p->block != q->block || p->location != q->location || p->level != q->level ||
        p->left != q->left || p->warp != q->warp ||
        !reasons_equal(x, p->first_reason, p->n_reasons, y, q->first_reason, q->n_reasons))
      return false;
  }
  return true;
}

static bool rows_equal(const dc_kernel *x, const dc_kernel *y) {
  if (x->n_row_levels != y->n_row_levels)
    return false;
  for (uint32_t k = 0; k < x->n_row_levels; ++k) {
    const dc_row_level *p = &x->row_levels[k], *q = &y->row_levels[k];
    if (p->of != q->of || p->level != q->level || p->loop_class != q->loop_class ||
        p->index != q->index)
      return false;
  }
  return true;
}

static bool accesses_equal(const dc_kernel *x, const dc_kernel *y) {
  if (x->n_accesses != y->n_accesses)
    return false;
  for (uint32_t k = 0; k < x->n_accesses; ++k) {
    const dc_access *p = &x->accesses[k], *q = &y->accesses[k];
    if (p->block != q->block || p->location != q->location || p->address != q->address ||
        p->root != q->root || p->alignment != q->alignment || p->space != q->space ||
        p->kind != q->kind || p->bytes != q->bytes || p->stage != q->stage ||
        p->carried != q->carried || p->advance != q->advance || p->descends != q->descends ||
        p->level != q->level || !text_equal(x, p->name, y, q->name))
      return false;
  }
  return true;
}

static bool loops_equal(const dc_kernel *x, const dc_kernel *y) {
  if (x->n_loops != y->n_loops || x->n_exits != y->n_exits || x->n_reasons != y->n_reasons)
    return false;
  for (uint32_t k = 0; k < x->n_loops; ++k) {
    const dc_loop *p = &x->loops[k], *q = &y->loops[k];
    if (p->header != q->header || p->parent != q->parent || p->depth != q->depth ||
        p->location != q->location || p->first_exit != q->first_exit || p->n_exits != q->n_exits ||
        !reasons_equal(x, p->first_reason, p->n_reasons, y, q->first_reason, q->n_reasons) ||
        p->loop_class != q->loop_class || p->level != q->level ||
        p->irreducible != q->irreducible || p->trips_from != q->trips_from ||
        p->swaps != q->swaps || p->unroll != q->unroll ||
        p->unroll_expected != q->unroll_expected || p->unroll_llvm != q->unroll_llvm ||
        p->unroll_shared != q->unroll_shared || p->unroll_once != q->unroll_once ||
        p->unroll_setup != q->unroll_setup || p->carried != q->carried || p->trips != q->trips ||
        p->id != q->id || p->correlation != q->correlation ||
        !text_equal(x, p->ignored, y, q->ignored) ||
        !text_equal(x, p->ignored_at, y, q->ignored_at) ||
        !text_equal(x, p->distribution, y, q->distribution) ||
        !text_equal(x, p->distribution_at, y, q->distribution_at) ||
        !text_equal(x, p->condition, y, q->condition) || !text_equal(x, p->unknown, y, q->unknown))
      return false;
  }
  for (uint32_t k = 0; k < x->n_exits; ++k) {
    const dc_exit *p = &x->exits[k], *q = &y->exits[k];
    if (p->block != q->block || p->location != q->location || p->level != q->level ||
        p->trips != q->trips)
      return false;
  }
  return true;
}

static bool names_equal(const dc_kernel *x, const dc_text *a, uint32_t n_a, const dc_kernel *y,
                        const dc_text *b, uint32_t n_b) {
  if (n_a != n_b)
    return false;
  for (uint32_t k = 0; k < n_a; ++k)
    if (!text_equal(x, a[k], y, b[k]))
      return false;
  return true;
}

// What ptxas says is of an architecture: kernels that only differ there are one.
static bool resources_equal(const dc_resources *x, const dc_resources *y) {
  return x->known == y->known && x->live_known == y->live_known && x->live == y->live &&
         x->arrays == y->arrays && x->max_threads == y->max_threads &&
         x->min_blocks == y->min_blocks && x->max_registers == y->max_registers &&
         x->shared == y->shared && x->dynamic_shared == y->dynamic_shared;
}

static bool surroundings_equal(const dc_kernel *x, const dc_kernel *y) {
  if (x->l2 != y->l2 || x->n_locations != y->n_locations || x->n_params != y->n_params ||
      x->n_launches != y->n_launches || x->n_calls != y->n_calls || x->location != y->location ||
      x->machine_code != y->machine_code || !resources_equal(&x->resources, &y->resources) ||
      !text_equal(x, x->name, y, y->name) || !text_equal(x, x->symbol, y, y->symbol) ||
      !text_equal(x, x->not_analysed, y, y->not_analysed))
    return false;
  for (uint32_t k = 0; k < x->n_locations; ++k) {
    const dc_location *p = &x->locations[k], *q = &y->locations[k];
    if (p->line != q->line || p->column != q->column || p->inlined_at != q->inlined_at ||
        !text_equal(x, p->file, y, q->file) || !text_equal(x, p->function, y, q->function))
      return false;
  }
  for (uint32_t k = 0; k < x->n_params; ++k) {
    const dc_param *p = &x->params[k], *q = &y->params[k];
    if (p->known != q->known || (p->known && p->value != q->value) || p->extent != q->extent ||
        !text_equal(x, p->name, y, q->name))
      return false;
  }
  for (uint32_t k = 0; k < x->n_launches; ++k) {
    const dc_launch *p = &x->launches[k], *q = &y->launches[k];
    if (memcmp(p->block, q->block, sizeof p->block) != 0 ||
        memcmp(p->grid, q->grid, sizeof p->grid) != 0 || p->from != q->from ||
        p->location != q->location || p->shared_known != q->shared_known || p->shared != q->shared)
      return false;
  }
  for (uint32_t k = 0; k < x->n_calls; ++k)
    if (x->calls[k].kind != y->calls[k].kind ||
        !text_equal(x, x->calls[k].function, y, y->calls[k].function))
      return false;
  return names_equal(x, x->load_names, x->n_load_names, y, y->load_names, y->n_load_names) &&
         names_equal(x, x->opaque_names, x->n_opaque_names, y, y->opaque_names, y->n_opaque_names);
}

bool dc__kernels_equal(const dc_kernel *x, const dc_kernel *y) {
  return surroundings_equal(x, y) && loops_equal(x, y) && rows_equal(x, y) &&
         accesses_equal(x, y) && blocks_equal(x, y) && pools_equal(&x->pool, &y->pool);
}
