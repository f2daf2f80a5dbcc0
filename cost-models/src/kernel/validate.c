// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The check that stands between a file that anybody may have written and the code that follows
// indices: every index, enumerator, width and text offset of a kernel, and that operands, loops,
// inlining chains and post-dominators have no cycles. It doesn't check that the skeleton makes
// sense as a program (that a loop's header is reached by a back edge, say).
#include "expr/expr_internal.h"

#include "divcost/kernel.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

// Where the check stands, for the message; and whether it has failed.
typedef struct check {
  const dc_kernel *kernel;
  dc_error *error;
  const char *array; // "" for the kernel's own fields
  uint32_t element;
  bool failed;
} check;

#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
static void complain(check *c, const char *field, const char *format, ...) {
  char detail[160];
  va_list arguments;
  if (c->failed)
    return;
  c->failed = true;
  va_start(arguments, format);
  vsnprintf(detail, sizeof detail, format, arguments);
  va_end(arguments);
  if (c->array[0])
    dc_fail(c->error, DC_ERROR_ARGUMENT, "%s[%" PRIu32 "].%s %s", c->array, c->element, field,
            detail);
  else
    dc_fail(c->error, DC_ERROR_ARGUMENT, "%s %s", field, detail);
}

static void check_index(check *c, const char *field, uint32_t index, uint32_t count,
                        const char *what) {
  if (index >= count)
    complain(c, field, "is %" PRIu32 ", but there are %" PRIu32 " %s", index, count, what);
}

static void check_optional(check *c, const char *field, uint32_t index, uint32_t count,
                           const char *what) {
  if (index != DC_NONE)
    check_index(c, field, index, count, what);
}

static void check_range(check *c, const char *field, uint32_t first, uint32_t n, uint32_t count,
                        const char *what) {
  if ((uint64_t)first + n > count)
    complain(c, field, "and the %" PRIu32 " that follow leave the %" PRIu32 " %s", n, count, what);
}

static void check_enum(check *c, const char *field, unsigned value, unsigned last) {
  if (value > last)
    complain(c, field, "is %u, the largest value is %u", value, last);
}

static void check_text(check *c, const char *field, dc_text text) {
  if (text != 0 && text >= c->kernel->text_size)
    complain(c, field, "is at offset %" PRIu32 ", but the text has %" PRIu32 " bytes", text,
             c->kernel->text_size);
}

static void check_expr(check *c, const char *field, dc_expr e) {
  check_optional(c, field, e, c->kernel->pool.count, "expressions");
}

static void check_location(check *c, uint32_t location) {
  check_optional(c, "location", location, c->kernel->n_locations, "locations");
}

// ---- expressions --------------------------------------------------------------------------------

static void check_immediate(check *c, const dc_expr_node *node) {
  const dc_kernel *kernel = c->kernel;
  int64_t end = INT64_MAX;
  switch ((dc_expr_op)node->op) {
  case DC_OP_CONST:
    if (node->i != dc__sign_extend((uint64_t)node->i, node->bits))
      complain(c, "i", "doesn't fit into %u bits", (unsigned)node->bits);
    return;
  case DC_OP_PARAM:
    end = kernel->n_params;
    break;
  case DC_OP_TID:
  case DC_OP_NTID:
  case DC_OP_CTAID:
  case DC_OP_NCTAID:
    end = 3;
    break;
  case DC_OP_IV:
  case DC_OP_CARRIED:
  case DC_OP_ICARRIED:
  case DC_OP_FIRST:
  case DC_OP_IRUN:
  case DC_OP_RUN:
    end = kernel->n_loops;
    break;
  default:
    break;
  }
  if (node->i < 0 || node->i >= end)
    complain(c, "i", "is %" PRId64 ", it must be in 0 .. %" PRId64, node->i, end - 1);
}

static bool widths_agree(const dc_expr_node *nodes, const dc_expr_node *node) {
  return dc__expr_widths_fit((dc_expr_op)node->op, node->bits,
                             node->a == DC_NO_EXPR ? 0 : nodes[node->a].bits,
                             node->b == DC_NO_EXPR ? 0 : nodes[node->b].bits,
                             node->c == DC_NO_EXPR ? 0 : nodes[node->c].bits);
}

static void check_pool(check *c) {
  const dc_expr_pool *pool = &c->kernel->pool;
  c->array = "";
  if (pool->count > pool->capacity || (pool->count && !pool->nodes))
    complain(c, "pool.count", "is %" PRIu32 ", more than there is room for", pool->count);
  c->array = "pool.nodes";
  for (uint32_t k = 0; k < pool->count && !c->failed; ++k) {
    const dc_expr_node *node = &pool->nodes[k];
    c->element = k;
    check_enum(c, "op", node->op, DC_OP_COUNT - 1);
    if (node->bits < 1 || node->bits > 64)
      complain(c, "bits", "is %u, it must be in 1 .. 64", (unsigned)node->bits);
    check_enum(c, "level", node->level, DC_DIVERGENT);
    if (node->spare)
      complain(c, "spare", "is %u, it must be 0", (unsigned)node->spare);
    unsigned n = dc_expr_op_operands((dc_expr_op)node->op);
    if (node->op == DC_OP_LOAD && node->a != DC_NO_EXPR)
      n = 1;
    static const char *const fields[] = {"a", "b", "c"};
    const dc_expr operands[] = {node->a, node->b, node->c};
    for (unsigned operand = 0; operand < 3; ++operand) {
      if (operand >= n && operands[operand] != DC_NO_EXPR)
        complain(c, fields[operand], "is given, but the operator doesn't use it");
      else if (operand < n && operands[operand] >= k)
        complain(c, fields[operand], "is %" PRIu32 ", operands must stand before their use",
                 operands[operand]);
    }
    if (c->failed)
      return;
    if (!widths_agree(pool->nodes, node))
      complain(c, "bits", "is %u, which doesn't fit the operands", (unsigned)node->bits);
    check_immediate(c, node);
  }
}

// ---- control flow -------------------------------------------------------------------------------

// Whether following next[] from every element ends: each element is coloured with the walk that met
// it first, so all walks together are linear. `next` reads element k's successor.
static void check_acyclic(check *c, const char *array, const char *field, uint32_t count,
                          uint32_t (*next)(const dc_kernel *kernel, uint32_t k)) {
  c->array = array;
  if (c->failed || count == 0)
    return;
  uint32_t *walk = calloc(count, sizeof *walk);
  if (!walk) {
    c->failed = true;
    dc_fail(c->error, DC_ERROR_MEMORY, "out of memory while checking %s", array);
    return;
  }
  for (uint32_t start = 0; start < count && !c->failed; ++start) {
    uint32_t at = start;
    while (at != DC_NONE && walk[at] == 0) {
      walk[at] = start + 1;
      at = next(c->kernel, at);
    }
    c->element = start;
    if (at != DC_NONE && walk[at] == start + 1)
      complain(c, field, "leads back to where it came from");
  }
  free(walk);
}

static uint32_t next_post_dominator(const dc_kernel *kernel, uint32_t k) {
  return kernel->blocks[k].post_dominator;
}

static uint32_t next_inlined(const dc_kernel *kernel, uint32_t k) {
  return kernel->locations[k].inlined_at;
}

static void check_blocks(check *c) {
  const dc_kernel *kernel = c->kernel;
  c->array = "blocks";
  for (c->element = 0; c->element < kernel->n_blocks && !c->failed; ++c->element) {
    const dc_block *block = &kernel->blocks[c->element];
    check_range(c, "first_successor", block->first_successor, block->n_successors,
                kernel->n_successors, "successors");
    check_optional(c, "loop", block->loop, kernel->n_loops, "loops");
    check_optional(c, "branch", block->branch, kernel->n_branches, "branches");
    check_optional(c, "post_dominator", block->post_dominator, kernel->n_blocks, "blocks");
    if (block->slow_alike > block->slow)
      complain(c, "slow_alike", "is more than slow");
    check_enum(c, "control", block->control, DC_DIVERGENT);
    if (!c->failed && block->branch != DC_NONE &&
        kernel->branches[block->branch].block != c->element)
      complain(c, "branch", "is %" PRIu32 ", which is the branch of block %" PRIu32, block->branch,
               kernel->branches[block->branch].block);
  }
  c->array = "successors";
  for (c->element = 0; c->element < kernel->n_successors && !c->failed; ++c->element)
    check_index(c, "block", kernel->successors[c->element], kernel->n_blocks, "blocks");
  check_acyclic(c, "blocks", "post_dominator", kernel->n_blocks, next_post_dominator);
}

static void check_branches(check *c) {
  const dc_kernel *kernel = c->kernel;
  c->array = "branches";
  for (c->element = 0; c->element < kernel->n_branches && !c->failed; ++c->element) {
    const dc_branch *branch = &kernel->branches[c->element];
    check_index(c, "block", branch->block, kernel->n_blocks, "blocks");
    check_expr(c, "condition", branch->condition);
    check_enum(c, "level", branch->level, DC_DIVERGENT);
    check_enum(c, "predication", branch->predication, DC_PREDICATION_UNLIKELY);
    check_optional(c, "exits", branch->exits, kernel->n_loops, "loops");
    check_location(c, branch->location);
    if (!c->failed && branch->taken >= DC_CHANCE)
      complain(c, "taken", "is %u, but must be below %u", (unsigned)branch->taken,
               (unsigned)DC_CHANCE);
    if (!c->failed && branch->condition != DC_NO_EXPR &&
        kernel->pool.nodes[branch->condition].bits != 1)
      complain(c, "condition", "has %u bits, a condition has 1",
               (unsigned)kernel->pool.nodes[branch->condition].bits);
  }
}

static void check_loops(check *c) {
  const dc_kernel *kernel = c->kernel;
  c->array = "loops";
  for (c->element = 0; c->element < kernel->n_loops && !c->failed; ++c->element) {
    const dc_loop *loop = &kernel->loops[c->element];
    check_index(c, "header", loop->header, kernel->n_blocks, "blocks");
    if (loop->parent != DC_NONE && loop->parent >= c->element)
      complain(c, "parent", "is %" PRIu32 ", outer loops must stand before inner ones",
               loop->parent);
    if (c->failed)
      return;
    uint32_t depth = loop->parent == DC_NONE ? 1 : kernel->loops[loop->parent].depth + 1;
    if (loop->depth != depth)
      complain(c, "depth", "is %" PRIu32 ", its parents make it %" PRIu32, loop->depth, depth);
    check_location(c, loop->location);
    check_range(c, "first_exit", loop->first_exit, loop->n_exits, kernel->n_exits, "exits");
    check_range(c, "first_reason", loop->first_reason, loop->n_reasons, kernel->n_reasons,
                "reasons");
    check_enum(c, "loop_class", loop->loop_class, DC_CLASS_UNKNOWN);
    check_enum(c, "level", loop->level, DC_DIVERGENT);
    check_enum(c, "irreducible", loop->irreducible, 1);
    check_enum(c, "trips_from", loop->trips_from, DC_FROM_ASSUMED);
    check_enum(c, "swaps", loop->swaps, DC_SWAPS_ONE);
    check_expr(c, "trips", loop->trips);
    check_text(c, "distribution", loop->distribution);
    check_text(c, "distribution_at", loop->distribution_at);
    if (!(loop->correlation >= 0 && loop->correlation <= 1))
      complain(c, "correlation", "is %g, must be from 0 to 1", loop->correlation);
    check_text(c, "condition", loop->condition);
    check_text(c, "unknown", loop->unknown);
    check_text(c, "ignored", loop->ignored);
    check_text(c, "ignored_at", loop->ignored_at);
  }
  c->array = "exits";
  for (c->element = 0; c->element < kernel->n_exits && !c->failed; ++c->element) {
    const dc_exit *way = &kernel->exits[c->element];
    check_index(c, "block", way->block, kernel->n_blocks, "blocks");
    check_location(c, way->location);
    check_enum(c, "level", way->level, DC_DIVERGENT);
    check_expr(c, "trips", way->trips);
  }
  c->array = "reasons";
  for (c->element = 0; c->element < kernel->n_reasons && !c->failed; ++c->element) {
    check_location(c, kernel->reasons[c->element].location);
    check_text(c, "text", kernel->reasons[c->element].text);
  }
  c->array = "barriers";
  for (c->element = 0; c->element < kernel->n_barriers && !c->failed; ++c->element) {
    check_index(c, "block", kernel->barriers[c->element].block, kernel->n_blocks, "blocks");
    check_location(c, kernel->barriers[c->element].location);
    check_enum(c, "level", kernel->barriers[c->element].level, DC_DIVERGENT);
    check_enum(c, "left", kernel->barriers[c->element].left, DC_DIVERGENT);
    check_range(c, "first_reason", kernel->barriers[c->element].first_reason,
                kernel->barriers[c->element].n_reasons, kernel->n_reasons, "reasons");
  }
}

static void check_rows(check *c) {
  const dc_kernel *kernel = c->kernel;
  const struct {
    uint32_t count;
    const char *array;
  } parts[] = {[DC_ROWS_NODE] = {kernel->pool.count, "nodes"},
               [DC_ROWS_BRANCH] = {kernel->n_branches, "branches"},
               [DC_ROWS_EXIT] = {kernel->n_exits, "exits"},
               [DC_ROWS_LOOP] = {kernel->n_loops, "loops"}};
  c->array = "row_levels";
  for (c->element = 0; c->element < kernel->n_row_levels && !c->failed; ++c->element) {
    const dc_row_level *row = &kernel->row_levels[c->element];
    check_enum(c, "of", row->of, DC_ROWS_LOOP);
    check_enum(c, "level", row->level, DC_DIVERGENT);
    check_enum(c, "loop_class", row->loop_class, DC_CLASS_UNKNOWN);
    if (!c->failed)
      check_index(c, "index", row->index, parts[row->of].count, parts[row->of].array);
  }
}

static void check_accesses(check *c) {
  const dc_kernel *kernel = c->kernel;
  c->array = "accesses";
  for (c->element = 0; c->element < kernel->n_accesses && !c->failed; ++c->element) {
    const dc_access *access = &kernel->accesses[c->element];
    check_index(c, "block", access->block, kernel->n_blocks, "blocks");
    check_location(c, access->location);
    check_expr(c, "address", access->address);
    check_expr(c, "root", access->root);
    check_text(c, "name", access->name);
    check_enum(c, "space", access->space, DC_SPACE_CONSTANT);
    check_enum(c, "kind", access->kind, DC_ACCESS_ATOMIC);
    check_enum(c, "level", access->level, DC_DIVERGENT);
    if (access->alignment & (access->alignment - 1))
      complain(c, "alignment", "is %" PRIu32 ", must be a power of two", access->alignment);
    if (access->bytes == 0 || access->bytes > 16 || access->bytes & (access->bytes - 1))
      complain(c, "bytes", "is %u, must be 1, 2, 4, 8 or 16", (unsigned)access->bytes);
  }
}

// ---- names, launches, the rest ------------------------------------------------------------------

static void check_launches(check *c) {
  const dc_kernel *kernel = c->kernel;
  c->array = "launches";
  for (c->element = 0; c->element < kernel->n_launches && !c->failed; ++c->element) {
    const dc_launch *launch = &kernel->launches[c->element];
    uint64_t threads = 1;
    for (unsigned axis = 0; axis < 3; ++axis)
      threads = threads > 1024 || launch->block[axis] > 1024 ? 0 : threads * launch->block[axis];
    if (threads < 1 || threads > 1024)
      complain(c, "block",
               "is %" PRIu32 " x %" PRIu32 " x %" PRIu32 ", a block has 1 to 1024 threads",
               launch->block[0], launch->block[1], launch->block[2]);
    check_enum(c, "from", launch->from, DC_BLOCK_COMPUTED);
    check_location(c, launch->location);
  }
}

static void check_resources(check *c) {
  enum { MOST = 1024 }; // registers of a thread; every architecture has fewer
  const dc_resources *r = &c->kernel->resources;
  c->array = "resources";
  if (r->n_ptxas > DC_PTXAS_ARCHS)
    complain(c, "ptxas", "has %" PRIu32 " architectures, must be at most %d", r->n_ptxas,
             DC_PTXAS_ARCHS);
  for (uint32_t k = 0; k < r->n_ptxas && !c->failed; ++k)
    if (r->ptxas[k].count < 1 || r->ptxas[k].count > MOST || r->ptxas[k].sm > 999)
      complain(c, "ptxas", "has %" PRIu32 " registers for sm_%" PRIu32 ", must be 1 to %d",
               r->ptxas[k].count, r->ptxas[k].sm, MOST);
  if (r->live && !r->live_known)
    complain(c, "live", "is %" PRIu32 ", which isn't known", r->live);
  c->array = "";
}

static void check_texts(check *c) {
  const dc_kernel *kernel = c->kernel;
  c->array = "";
  if (kernel->text_size && (kernel->text[0] || kernel->text[kernel->text_size - 1]))
    complain(c, "text", "doesn't begin and end with a zero");
  check_text(c, "name", kernel->name);
  check_text(c, "symbol", kernel->symbol);
  check_text(c, "not_analysed", kernel->not_analysed);
  if (kernel->machine_code > 999)
    complain(c, "machine_code", "is %" PRIu32 ", which is no sm number", kernel->machine_code);
  check_resources(c);
  check_location(c, kernel->location);
  c->array = "params";
  for (c->element = 0; c->element < kernel->n_params && !c->failed; ++c->element)
    check_text(c, "name", kernel->params[c->element].name);
  c->array = "calls";
  for (c->element = 0; c->element < kernel->n_calls && !c->failed; ++c->element) {
    check_text(c, "function", kernel->calls[c->element].function);
    check_enum(c, "kind", kernel->calls[c->element].kind, DC_CALL_ELSEWHERE);
  }
  c->array = "load_names";
  for (c->element = 0; c->element < kernel->n_load_names && !c->failed; ++c->element)
    check_text(c, "text", kernel->load_names[c->element]);
  c->array = "opaque_names";
  for (c->element = 0; c->element < kernel->n_opaque_names && !c->failed; ++c->element)
    check_text(c, "text", kernel->opaque_names[c->element]);
  c->array = "locations";
  for (c->element = 0; c->element < kernel->n_locations && !c->failed; ++c->element) {
    const dc_location *location = &kernel->locations[c->element];
    check_text(c, "file", location->file);
    check_text(c, "function", location->function);
    check_optional(c, "inlined_at", location->inlined_at, kernel->n_locations, "locations");
  }
  check_acyclic(c, "locations", "inlined_at", kernel->n_locations, next_inlined);
}

dc_status dc_kernel_validate(const dc_kernel *kernel, dc_error *error) {
  check c = {kernel, error, "", 0, false};
  dc_error own; // the status must be known even where nobody wants the text
  if (!error)
    c.error = &own;
  if (kernel->n_blocks == 0 && !kernel->not_analysed)
    complain(&c, "blocks", "is empty, a kernel that was analysed has an entry");
  if (kernel->n_launches == 0)
    complain(&c, "launches", "is empty, a kernel has at least one launch");
  check_texts(&c);
  check_pool(&c);
  check_branches(&c);
  check_blocks(&c);
  check_loops(&c);
  check_rows(&c);
  check_accesses(&c);
  check_launches(&c);
  return c.failed ? c.error->status : DC_OK;
}
