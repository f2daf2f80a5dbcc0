// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is the same among more lanes in blocks whose rows are whole warps.
#include "divcost/kernel.h"
#include "kernel/small_params.h"

#include <stdlib.h>
#include <string.h>

static void *copy_of(const void *array, uint32_t count, size_t size) {
  void *copy = malloc(((size_t)count + 1) * size);
  if (copy && count)
    memcpy(copy, array, count * size);
  return copy;
}

// A node varies as much as its operands do; a load or an opaque value as it was said.
static void settle_nodes(dc_kernel *view, const bool *said) {
  for (uint32_t k = 0; k < view->pool.count; ++k) {
    dc_expr_node *node = &view->pool.nodes[k];
    const dc_expr operands[] = {node->a, node->b, node->c};
    bool leaf = node->op <= DC_OP_OPAQUE;
    uint8_t level = DC_UNIFORM;
    for (unsigned n = 0; n < 3 && !leaf; ++n)
      if (operands[n] != DC_NO_EXPR && view->pool.nodes[operands[n]].level > level)
        level = view->pool.nodes[operands[n]].level;
    if (!leaf && !said[k] && level < node->level)
      node->level = level;
  }
}

static void apply(dc_kernel *view, const dc_row_level *row, bool *said) {
  switch ((dc_row_part)row->of) {
  case DC_ROWS_NODE:
    view->pool.nodes[row->index].level = row->level;
    said[row->index] = true;
    break;
  case DC_ROWS_BRANCH:
    view->branches[row->index].level = row->level;
    break;
  case DC_ROWS_EXIT:
    view->exits[row->index].level = row->level;
    break;
  case DC_ROWS_LOOP:
    view->loops[row->index].level = row->level;
    view->loops[row->index].loop_class = row->loop_class;
    break;
  }
}

dc_status dc_kernel_in_block(const dc_kernel *kernel, const uint32_t block[3], dc_kernel *view,
                             dc_error *error) {
  *view = *kernel;
  view->params = copy_of(kernel->params, kernel->n_params, sizeof *view->params);
  if (!view->params || !dc__mark_small_params(kernel, view->params)) {
    dc_kernel_leave_block(kernel, view);
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory for a kernel of %u parameters",
                   (unsigned)kernel->n_params);
  }
  if (kernel->n_row_levels == 0 || block[0] % 32 != 0)
    return DC_OK;
  view->pool.nodes = copy_of(kernel->pool.nodes, kernel->pool.count, sizeof *view->pool.nodes);
  view->branches = copy_of(kernel->branches, kernel->n_branches, sizeof *view->branches);
  view->exits = copy_of(kernel->exits, kernel->n_exits, sizeof *view->exits);
  view->loops = copy_of(kernel->loops, kernel->n_loops, sizeof *view->loops);
  bool *said = calloc((size_t)kernel->pool.count + 1, sizeof *said);
  bool done = view->pool.nodes && view->branches && view->exits && view->loops && said;
  for (uint32_t k = 0; done && k < kernel->n_row_levels; ++k)
    apply(view, &kernel->row_levels[k], said);
  if (done)
    settle_nodes(view, said);
  free(said);
  if (done)
    return DC_OK;
  dc_kernel_leave_block(kernel, view);
  return dc_fail(error, DC_ERROR_MEMORY, "out of memory for a kernel in blocks of %u threads in x",
                 (unsigned)block[0]);
}

void dc_kernel_leave_block(const dc_kernel *kernel, dc_kernel *view) {
  if (view->pool.nodes != kernel->pool.nodes)
    free(view->pool.nodes);
  if (view->branches != kernel->branches)
    free(view->branches);
  if (view->exits != kernel->exits)
    free(view->exits);
  if (view->loops != kernel->loops)
    free(view->loops);
  if (view->params != kernel->params)
    free(view->params);
  *view = (dc_kernel){0};
}
