// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel skeleton as JSON: rows without names for what is numerous (nodes, blocks, locations),
// members with names for what is few (loops, launches). Exits, reasons and successors stand where
// they belong, so that a file has no ranges to get wrong. Texts are numbers of strings, which are
// in the order of their first use.
#include "json/json_internal.h"

#include <string.h>

typedef struct strings {
  json_t *list;   // the texts
  json_t *number; // text: its place in the list
} strings;

static json_t *index_or_none(uint32_t index) {
  return json_integer(index == DC_NONE ? -1 : (json_int_t)index);
}

// The number of a text, which may be new; -1 for the empty one.
static json_t *string_number(dc_json_writer *writer, strings *table, const char *text) {
  if (!*text)
    return json_integer(-1);
  json_t *value = dc__json_text(text);
  if (!value)
    return NULL;
  json_t *known = json_object_get(table->number, json_string_value(value));
  if (known) {
    json_decref(value);
    return json_incref(known);
  }
  json_t *number = json_integer((json_int_t)json_array_size(table->list));
  dc__json_put(writer, table->number, json_string_value(value), json_incref(number));
  dc__json_append(writer, table->list, value);
  return number;
}

static void append_text(dc_json_writer *writer, strings *table, json_t *row,
                        const dc_kernel *kernel, dc_text text) {
  dc__json_append(writer, row, string_number(writer, table, dc_kernel_text(kernel, text)));
}

static void put_text(dc_json_writer *writer, strings *table, json_t *object, const char *key,
                     const dc_kernel *kernel, dc_text text) {
  if (*dc_kernel_text(kernel, text))
    dc__json_put(writer, object, key, string_number(writer, table, dc_kernel_text(kernel, text)));
}

static void put_index(dc_json_writer *writer, json_t *object, const char *key, uint32_t index) {
  if (index != DC_NONE)
    dc__json_put(writer, object, key, json_integer(index));
}

static json_t *locations(dc_json_writer *writer, strings *table, const dc_kernel *kernel) {
  json_t *list = json_array();
  for (uint32_t k = 0; k < kernel->n_locations; ++k) {
    const dc_location *location = &kernel->locations[k];
    json_t *row = json_array();
    append_text(writer, table, row, kernel, location->file);
    dc__json_append(writer, row, json_integer(location->line));
    dc__json_append(writer, row, json_integer(location->column));
    append_text(writer, table, row, kernel, location->function);
    dc__json_append(writer, row, index_or_none(location->inlined_at));
    dc__json_append(writer, list, row);
  }
  return list;
}

static json_t *params(dc_json_writer *writer, strings *table, const dc_kernel *kernel) {
  json_t *list = json_array();
  for (uint32_t k = 0; k < kernel->n_params; ++k) {
    json_t *row = json_array();
    append_text(writer, table, row, kernel, kernel->params[k].name);
    if (kernel->params[k].known)
      dc__json_append(writer, row, dc__json_int64(kernel->params[k].value));
    dc__json_append(writer, list, row);
  }
  return list;
}

// [parameter, bytes] where these are known.
static json_t *extents(dc_json_writer *writer, const dc_kernel *kernel) {
  json_t *list = json_array();
  for (uint32_t k = 0; k < kernel->n_params; ++k) {
    if (!kernel->params[k].extent)
      continue;
    json_t *row = json_array();
    dc__json_append(writer, row, json_integer(k));
    dc__json_append(writer, row, json_integer((json_int_t)kernel->params[k].extent));
    dc__json_append(writer, list, row);
  }
  return list;
}

static json_t *names(dc_json_writer *writer, strings *table, const dc_kernel *kernel,
                     const dc_text *texts, uint32_t count) {
  json_t *list = json_array();
  for (uint32_t k = 0; k < count; ++k)
    append_text(writer, table, list, kernel, texts[k]);
  return list;
}

static json_t *launches(dc_json_writer *writer, const dc_kernel *kernel) {
  json_t *list = json_array();
  for (uint32_t k = 0; k < kernel->n_launches; ++k) {
    const dc_launch *launch = &kernel->launches[k];
    json_t *object = json_object();
    dc__json_put_dims(writer, object, "block", launch->block);
    dc__json_put_dims(writer, object, "grid", launch->grid);
    dc__json_put(writer, object, "from", json_string(dc_block_from_name(launch->from)));
    put_index(writer, object, "location", launch->location);
    if (launch->shared_known)
      dc__json_put(writer, object, "shared", json_integer(launch->shared));
    dc__json_append(writer, list, object);
  }
  return list;
}

// Those that are known, or given.
static json_t *resources(dc_json_writer *writer, const dc_resources *from) {
  json_t *object = json_object();
  const struct {
    const char *name;
    uint32_t value;
    bool there;
  } fields[] = {
      {"live", from->live, from->live_known},
      {"arrays", from->arrays, from->arrays > 0},
      {"max_threads", from->max_threads, from->max_threads > 0},
      {"min_blocks", from->min_blocks, from->min_blocks > 0},
      {"max_registers", from->max_registers, from->max_registers > 0},
      {"shared", from->shared, true},
  };
  for (unsigned k = 0; k < sizeof fields / sizeof *fields; ++k)
    if (fields[k].there)
      dc__json_put(writer, object, fields[k].name, json_integer(fields[k].value));
  json_t *registers = from->n_ptxas ? json_object() : NULL;
  for (uint32_t k = 0; k < from->n_ptxas; ++k) {
    char sm[24];
    snprintf(sm, sizeof sm, "sm_%u", (unsigned)from->ptxas[k].sm);
    dc__json_put(writer, registers, sm, json_integer(from->ptxas[k].count));
  }
  if (registers)
    dc__json_put(writer, object, "registers", registers);
  if (from->dynamic_shared)
    dc__json_put(writer, object, "dynamic_shared", json_true());
  return object;
}

// [operator, bits, level, immediate, operands ...], without the operands that are absent at the
// end.
static json_t *nodes(dc_json_writer *writer, const dc_expr_pool *pool) {
  json_t *list = json_array();
  for (uint32_t k = 0; k < pool->count; ++k) {
    const dc_expr_node *node = &pool->nodes[k];
    json_t *row = json_array();
    dc__json_append(writer, row, json_string(dc_expr_op_name(node->op)));
    dc__json_append(writer, row, json_integer(node->bits));
    dc__json_append(writer, row, json_integer(node->level));
    dc__json_append(writer, row, dc__json_int64(node->i));
    const dc_expr operands[] = {node->a, node->b, node->c};
    unsigned count = node->c != DC_NO_EXPR ? 3 : node->b != DC_NO_EXPR ? 2 : node->a != DC_NO_EXPR;
    for (unsigned o = 0; o < count; ++o)
      dc__json_append(writer, row, index_or_none(operands[o]));
    dc__json_append(writer, list, row);
  }
  return list;
}

// [successors, loop, branch, post-dominator, control, mix], and if they are counted machine
// instructions, contended atomics of one address and of others, stages, the longest chain, and what
// not all operands take, all in all and where they are alike, if that is something.
static json_t *blocks(dc_json_writer *writer, const dc_kernel *kernel) {
  json_t *list = json_array();
  for (uint32_t k = 0; k < kernel->n_blocks; ++k) {
    const dc_block *block = &kernel->blocks[k];
    json_t *row = json_array(), *successors = json_array(), *mix = json_object();
    for (uint32_t s = 0; s < block->n_successors; ++s)
      dc__json_append(writer, successors,
                      json_integer(kernel->successors[block->first_successor + s]));
    for (unsigned m = 0; m < DC_MIX_COUNT; ++m)
      if (block->mix[m])
        dc__json_put(writer, mix, dc_mix_name((dc_mix)m), json_integer(block->mix[m]));
    dc__json_append(writer, row, successors);
    dc__json_append(writer, row, index_or_none(block->loop));
    dc__json_append(writer, row, index_or_none(block->branch));
    dc__json_append(writer, row, index_or_none(block->post_dominator));
    dc__json_append(writer, row, json_integer(block->control));
    dc__json_append(writer, row, mix);
    const uint32_t counted[] = {block->machine,   block->contended_one, block->contended,
                                block->stages,    block->chain,         block->slow,
                                block->slow_alike};
    unsigned columns = sizeof counted / sizeof *counted - (block->slow ? 0 : 2);
    for (unsigned n = 0; block->counted && n < columns; ++n)
      dc__json_append(writer, row, json_integer(counted[n]));
    dc__json_append(writer, list, row);
  }
  return list;
}

// [block, condition, level, predication, exits, location, taken, alike, close]; the last three
// where they say something.
static json_t *branches(dc_json_writer *writer, const dc_kernel *kernel) {
  json_t *list = json_array();
  for (uint32_t k = 0; k < kernel->n_branches; ++k) {
    const dc_branch *branch = &kernel->branches[k];
    json_t *row = json_array();
    dc__json_append(writer, row, json_integer(branch->block));
    dc__json_append(writer, row, index_or_none(branch->condition));
    dc__json_append(writer, row, json_integer(branch->level));
    dc__json_append(writer, row, json_string(dc_predication_name(branch->predication)));
    dc__json_append(writer, row, index_or_none(branch->exits));
    dc__json_append(writer, row, index_or_none(branch->location));
    if (branch->taken || branch->alike || branch->close)
      dc__json_append(writer, row, json_integer(branch->taken));
    if (branch->alike || branch->close)
      dc__json_append(writer, row, json_boolean(branch->alike));
    if (branch->close)
      dc__json_append(writer, row, json_true());
    dc__json_append(writer, list, row);
  }
  return list;
}

// Rows [location, text].
static json_t *reasons(dc_json_writer *writer, strings *table, const dc_kernel *kernel,
                       uint32_t first, uint32_t count) {
  json_t *list = json_array();
  for (uint32_t k = 0; k < count; ++k) {
    const dc_reason *reason = &kernel->reasons[first + k];
    json_t *row = json_array();
    dc__json_append(writer, row, index_or_none(reason->location));
    append_text(writer, table, row, kernel, reason->text);
    dc__json_append(writer, list, row);
  }
  return list;
}

// [block, location, level, level where threads have left, whether __syncwarp], and reasons if there
// are any.
static json_t *barriers(dc_json_writer *writer, strings *table, const dc_kernel *kernel) {
  json_t *list = json_array();
  for (uint32_t k = 0; k < kernel->n_barriers; ++k) {
    const dc_barrier *barrier = &kernel->barriers[k];
    json_t *row = json_array();
    dc__json_append(writer, row, json_integer(barrier->block));
    dc__json_append(writer, row, index_or_none(barrier->location));
    dc__json_append(writer, row, json_integer(barrier->level));
    dc__json_append(writer, row, json_integer(barrier->left));
    dc__json_append(writer, row, json_boolean(barrier->warp));
    if (barrier->n_reasons)
      dc__json_append(writer, row,
                      reasons(writer, table, kernel, barrier->first_reason, barrier->n_reasons));
    dc__json_append(writer, list, row);
  }
  return list;
}

// [of what, index, level], and a loop's class.
static json_t *row_levels(dc_json_writer *writer, const dc_kernel *kernel) {
  json_t *list = json_array();
  for (uint32_t k = 0; k < kernel->n_row_levels; ++k) {
    const dc_row_level *level = &kernel->row_levels[k];
    json_t *row = json_array();
    dc__json_append(writer, row, json_string(dc_row_part_name((dc_row_part)level->of)));
    dc__json_append(writer, row, json_integer(level->index));
    dc__json_append(writer, row, json_integer(level->level));
    if (level->of == DC_ROWS_LOOP)
      dc__json_append(writer, row, json_string(dc_class_name((dc_class)level->loop_class)));
    dc__json_append(writer, list, row);
  }
  return list;
}

// [block, space, kind, bytes, level, address, location, root, alignment, text of the name, stage,
// carried, advance, descends].
static json_t *accesses(dc_json_writer *writer, strings *table, const dc_kernel *kernel) {
  json_t *list = json_array();
  for (uint32_t k = 0; k < kernel->n_accesses; ++k) {
    const dc_access *access = &kernel->accesses[k];
    json_t *row = json_array();
    dc__json_append(writer, row, json_integer(access->block));
    dc__json_append(writer, row, json_string(dc_space_name((dc_space)access->space)));
    dc__json_append(writer, row, json_string(dc_access_kind_name((dc_access_kind)access->kind)));
    dc__json_append(writer, row, json_integer(access->bytes));
    dc__json_append(writer, row, json_integer(access->level));
    dc__json_append(writer, row, index_or_none(access->address));
    dc__json_append(writer, row, index_or_none(access->location));
    dc__json_append(writer, row, index_or_none(access->root));
    dc__json_append(writer, row, json_integer(access->alignment));
    append_text(writer, table, row, kernel, access->name);
    dc__json_append(writer, row, json_integer(access->stage));
    dc__json_append(writer, row, json_integer(access->carried));
    dc__json_append(writer, row, json_integer(access->advance));
    dc__json_append(writer, row, json_integer(access->descends));
    dc__json_append(writer, list, row);
  }
  return list;
}

// [text of the function, kind].
static json_t *calls(dc_json_writer *writer, strings *table, const dc_kernel *kernel) {
  json_t *list = json_array();
  for (uint32_t k = 0; k < kernel->n_calls; ++k) {
    const dc_call *call = &kernel->calls[k];
    json_t *row = json_array();
    append_text(writer, table, row, kernel, call->function);
    dc__json_append(writer, row, json_string(dc_call_kind_name((dc_call_kind)call->kind)));
    dc__json_append(writer, list, row);
  }
  return list;
}

// Exits: [block, location, level, trips].
static void put_exits_and_reasons(dc_json_writer *writer, strings *table, json_t *object,
                                  const dc_kernel *kernel, const dc_loop *loop) {
  json_t *exits = json_array();
  for (uint32_t k = 0; k < loop->n_exits; ++k) {
    const dc_exit *way = &kernel->exits[loop->first_exit + k];
    json_t *row = json_array();
    dc__json_append(writer, row, json_integer(way->block));
    dc__json_append(writer, row, index_or_none(way->location));
    dc__json_append(writer, row, json_integer(way->level));
    dc__json_append(writer, row, index_or_none(way->trips));
    dc__json_append(writer, exits, row);
  }
  dc__json_put(writer, object, "exits", exits);
  dc__json_put(writer, object, "reasons",
               reasons(writer, table, kernel, loop->first_reason, loop->n_reasons));
}

static json_t *loops(dc_json_writer *writer, strings *table, const dc_kernel *kernel) {
  json_t *list = json_array();
  for (uint32_t k = 0; k < kernel->n_loops; ++k) {
    const dc_loop *loop = &kernel->loops[k];
    json_t *object = json_object();
    dc__json_put_hex(writer, object, "id", loop->id);
    dc__json_put(writer, object, "header", json_integer(loop->header));
    put_index(writer, object, "parent", loop->parent);
    dc__json_put(writer, object, "depth", json_integer(loop->depth));
    put_index(writer, object, "location", loop->location);
    dc__json_put(writer, object, "class", json_string(dc_class_name(loop->loop_class)));
    dc__json_put(writer, object, "level", json_integer(loop->level));
    if (loop->irreducible)
      dc__json_put(writer, object, "irreducible", json_true());
    if (loop->unroll)
      dc__json_put(writer, object, "unroll", json_integer(loop->unroll));
    if (loop->unroll_expected)
      dc__json_put(writer, object, "unroll_expected", json_integer(loop->unroll_expected));
    if (loop->unroll_expected > 1)
      dc__json_put(writer, object, "unroll_shared", json_integer(loop->unroll_shared));
    if (loop->unroll_llvm > 1)
      dc__json_put(writer, object, "unroll_llvm", json_integer(loop->unroll_llvm));
    if (loop->unroll_once != loop->unroll_shared)
      dc__json_put_real(writer, object, "unroll_once", loop->unroll_once);
    if (loop->unroll_setup)
      dc__json_put(writer, object, "unroll_setup", json_integer(loop->unroll_setup));
    if (loop->swaps)
      dc__json_put(writer, object, "swaps", json_integer(loop->swaps));
    if (loop->carried)
      dc__json_put(writer, object, "carried", json_integer(loop->carried));
    put_index(writer, object, "trips", loop->trips);
    put_text(writer, table, object, "distribution", kernel, loop->distribution);
    put_text(writer, table, object, "distribution_at", kernel, loop->distribution_at);
    if (*dc_kernel_text(kernel, loop->distribution))
      dc__json_put(writer, object, "from", json_string(dc_from_name(loop->trips_from)));
    if (loop->correlation > 0)
      dc__json_put_real(writer, object, "correlation", loop->correlation);
    put_text(writer, table, object, "condition", kernel, loop->condition);
    put_text(writer, table, object, "unknown", kernel, loop->unknown);
    put_text(writer, table, object, "ignored", kernel, loop->ignored);
    put_text(writer, table, object, "ignored_at", kernel, loop->ignored_at);
    put_exits_and_reasons(writer, table, object, kernel, loop);
    dc__json_append(writer, list, object);
  }
  return list;
}

json_t *dc__json_skeleton(dc_json_writer *writer, const dc_kernel *kernel) {
  json_t *skeleton = json_object();
  strings table = {json_array(), json_object()};
  put_text(writer, &table, skeleton, "name", kernel, kernel->name);
  put_text(writer, &table, skeleton, "symbol", kernel, kernel->symbol);
  put_index(writer, skeleton, "location", kernel->location);
  put_text(writer, &table, skeleton, "not_analysed", kernel, kernel->not_analysed);
  if (kernel->machine_code)
    dc__json_put(writer, skeleton, "machine_code", json_sprintf("sm_%u", kernel->machine_code));
  if (kernel->resources.known)
    dc__json_put(writer, skeleton, "resources", resources(writer, &kernel->resources));
  dc__json_put(writer, skeleton, "strings", json_incref(table.list));
  dc__json_put(writer, skeleton, "locations", locations(writer, &table, kernel));
  dc__json_put(writer, skeleton, "params", params(writer, &table, kernel));
  json_t *known = extents(writer, kernel);
  if (json_array_size(known))
    dc__json_put(writer, skeleton, "extents", json_incref(known));
  json_decref(known);
  if (kernel->l2)
    dc__json_put(writer, skeleton, "l2", json_string(dc_l2_state_name((dc_l2_state)kernel->l2)));
  dc__json_put(writer, skeleton, "launches", launches(writer, kernel));
  if (kernel->n_calls)
    dc__json_put(writer, skeleton, "calls", calls(writer, &table, kernel));
  dc__json_put(writer, skeleton, "load_names",
               names(writer, &table, kernel, kernel->load_names, kernel->n_load_names));
  dc__json_put(writer, skeleton, "opaque_names",
               names(writer, &table, kernel, kernel->opaque_names, kernel->n_opaque_names));
  dc__json_put(writer, skeleton, "nodes", nodes(writer, &kernel->pool));
  dc__json_put(writer, skeleton, "loops", loops(writer, &table, kernel));
  dc__json_put(writer, skeleton, "blocks", blocks(writer, kernel));
  dc__json_put(writer, skeleton, "branches", branches(writer, kernel));
  dc__json_put(writer, skeleton, "barriers", barriers(writer, &table, kernel));
  if (kernel->n_row_levels)
    dc__json_put(writer, skeleton, "row_levels", row_levels(writer, kernel));
  if (kernel->n_accesses)
    dc__json_put(writer, skeleton, "accesses", accesses(writer, &table, kernel));
  json_decref(table.list);
  json_decref(table.number);
  return skeleton;
}
