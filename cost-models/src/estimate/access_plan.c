// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of a kernel's accesses before its warps are walked: which stand in a block, which
// branch is issued with all lanes before it, and which loops' iterations they go by.
#include "estimate/accesses.h"
#include "kernel/predication.h"

#include <stdlib.h>
#include <string.h>

static bool steps_on(const dc_expr_pool *pool, dc_expr e, unsigned *left) {
  if (e == DC_NO_EXPR || *left == 0)
    return false;
  --*left;
  const dc_expr_node *node = &pool->nodes[e];
  if (node->op == DC_OP_IV)
    return true;
  return node->op != DC_OP_LOAD && (steps_on(pool, node->a, left) ||
                                    steps_on(pool, node->b, left) || steps_on(pool, node->c, left));
}

static void order_accesses(dc_reader *reader) {
  const dc_kernel *kernel = reader->kernel;
  for (uint32_t k = 0; k < kernel->n_accesses; ++k)
    ++reader->first[kernel->accesses[k].block + 1];
  for (uint32_t block = 0; block < kernel->n_blocks; ++block)
    reader->first[block + 1] += reader->first[block];
  for (uint32_t k = kernel->n_accesses; k-- > 0;) // filled from the end, so that first[] ends low
    reader->ordered[--reader->first[kernel->accesses[k].block + 1]] = k;
  memmove(reader->first, reader->first + 1, kernel->n_blocks * sizeof *reader->first);
  reader->first[kernel->n_blocks] = kernel->n_accesses;
}

static void find_guards(dc_reader *reader) {
  const dc_kernel *kernel = reader->kernel;
  for (uint32_t block = 0; block < kernel->n_blocks; ++block)
    reader->guards[block] = (guard){DC_NONE, 0, 0};
  for (uint32_t block = 0; block < kernel->n_blocks; ++block)
    for (uint32_t k = 0; k < kernel->blocks[block].n_successors; ++k)
      ++reader->guards[kernel->successors[kernel->blocks[block].first_successor + k]].ways;
  for (uint32_t block = 0; block < kernel->n_blocks; ++block) {
    const dc_block *data = &kernel->blocks[block];
    if (!dc__is_predicated(kernel, data))
      continue;
    for (unsigned k = 0; k < data->n_successors; ++k) {
      uint32_t target = kernel->successors[data->first_successor + k];
      if (target != data->post_dominator && reader->guards[target].ways == 1) {
        reader->guards[target].branch = data->branch;
        reader->guards[target].target = k;
      }
    }
  }
}

bool dc__goes_by(const dc_expr_pool *pool, dc_expr e, uint32_t loop, unsigned *left) {
  if (e == DC_NO_EXPR || *left == 0)
    return false;
  --*left;
  const dc_expr_node *node = &pool->nodes[e];
  switch ((dc_expr_op)node->op) {
  case DC_OP_IV:
    return false;
  case DC_OP_ADD:
  case DC_OP_SUB:
  case DC_OP_ZEXT:
  case DC_OP_SEXT:
  case DC_OP_TRUNC:
    return dc__goes_by(pool, node->a, loop, left) || dc__goes_by(pool, node->b, loop, left);
  case DC_OP_MUL:
  case DC_OP_SHL:
    if (pool->nodes[node->b].op == DC_OP_CONST)
      return dc__goes_by(pool, node->a, loop, left);
    break;
  case DC_OP_LOAD:
    return false;
  default:
    break;
  }
  return dc_expr_mentions(pool, e, DC_OP_IV, loop);
}

static void find_iterations(dc_reader *reader) {
  const dc_kernel *kernel = reader->kernel;
  for (uint32_t k = 0; k < kernel->n_accesses; ++k) {
    const dc_access *access = &kernel->accesses[k];
    uint32_t loop = kernel->blocks[access->block].loop,
             branch = reader->guards[access->block].branch;
    unsigned left = NODES_MAX;
    if (loop == DC_NONE)
      continue;
    dc_expr condition = branch == DC_NONE ? DC_NO_EXPR : kernel->branches[branch].condition;
    reader->by_iteration[loop] |=
        dc__goes_by(&kernel->pool, access->address, loop, &left) ||
        (condition != DC_NO_EXPR && dc_expr_mentions(&kernel->pool, condition, DC_OP_IV, loop));
  }
}

// Of a block whose dimensions are assumed, how threads lie that have more than threadIdx.x.
static bool is_shaped(const dc_kernel *kernel, const dc_launch *launch, dc_expr address) {
  return launch->from >= DC_BLOCK_LAUNCH_BOUNDS && address != DC_NO_EXPR &&
         (dc_expr_mentions(&kernel->pool, address, DC_OP_TID, 1) ||
          dc_expr_mentions(&kernel->pool, address, DC_OP_TID, 2));
}

dc_status dc__reader_begin(const dc_kernel *kernel, const dc_launch *launch, dc_reader **out,
                           dc_error *error) {
  *out = NULL;
  if (kernel->n_accesses == 0)
    return DC_OK;
  dc_reader *reader = calloc(1, sizeof *reader);
  if (reader) {
    reader->kernel = kernel;
    memcpy(reader->block, launch->block, sizeof reader->block);
    reader->first = calloc(kernel->n_blocks + 2u, sizeof *reader->first);
    reader->ordered = calloc(kernel->n_accesses, sizeof *reader->ordered);
    reader->states = calloc(kernel->n_accesses, sizeof *reader->states);
    reader->guards = calloc(kernel->n_blocks + 1u, sizeof *reader->guards);
    reader->by_iteration = calloc(kernel->n_loops + 1u, sizeof *reader->by_iteration);
    reader->no_iteration = malloc((kernel->n_loops + 1u) * sizeof *reader->no_iteration);
    reader->seen = malloc((kernel->n_loops + 1u) * sizeof *reader->seen);
  }
  if (!reader || !reader->first || !reader->ordered || !reader->states || !reader->guards ||
      !reader->by_iteration || !reader->seen || !reader->no_iteration) {
    dc__reader_free(reader);
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory for %u accesses",
                   (unsigned)kernel->n_accesses);
  }
  for (uint32_t loop = 0; loop < kernel->n_loops; ++loop)
    reader->no_iteration[loop] = -1;
  for (uint32_t k = 0; k < kernel->n_accesses; ++k) {
    unsigned left = NODES_MAX;
    reader->states[k].walks = kernel->accesses[k].advance > 0 ||
                              steps_on(&kernel->pool, kernel->accesses[k].address, &left);
    reader->states[k].shaped = is_shaped(kernel, launch, kernel->accesses[k].address);
  }
  order_accesses(reader);
  find_guards(reader);
  find_iterations(reader);
  dc__reader_restart(reader);
  *out = reader;
  return DC_OK;
}

void dc__reader_restart(dc_reader *reader) {
  reader->left = EVALUATIONS_MAX;
  reader->operations = GUARD_OPERATIONS;
  reader->warps = 0;
  for (uint32_t loop = 0; loop < reader->kernel->n_loops; ++loop)
    reader->seen[loop] = -1;
  for (uint32_t k = 0; k < reader->kernel->n_accesses; ++k)
    reader->states[k] =
        (access_state){.walks = reader->states[k].walks, .shaped = reader->states[k].shaped};
}

void dc__reader_free(dc_reader *reader) {
  if (!reader)
    return;
  free(reader->first);
  free(reader->ordered);
  free(reader->states);
  free(reader->guards);
  free(reader->by_iteration);
  free(reader->seen);
  free(reader->no_iteration);
  free(reader);
}
