// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the analysis found, as the kernel skeleton of divcost/kernel.h: the expressions that are
// needed, copied with their final levels; blocks with their mix; branches, barriers, loops with
// class, exits and reasons.
#include "analysis/analysis.h"
#include "analysis/barriers.h"
#include "analysis/source.h"

#include "divcost/assumed.h"
#include "divcost/hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct builder {
  dcp_analysis *analysis;
  const dcp_analysis *rows; // of the same function where rows are whole warps, or NULL
  dc_kernel *kernel;
  uint32_t first_block, first_loop; // of this function in the kernel
  dc_expr *copies; // of each node of the analysis's pool; DC_NO_EXPR: not copied yet
  uint32_t n_copies;
  uint32_t *names; // of each value: number of its name in the kernel, or DC_NONE
  bool failed;
} builder;

// Notes that something is the same among more lanes where rows are whole warps.
static void add_row_level(builder *b, dc_row_part of, uint32_t index, uint8_t level,
                          uint8_t loop_class) {
  uint32_t at = dc_kernel_add_row_level(b->kernel);
  b->failed |= at == DC_NONE;
  if (at != DC_NONE)
    b->kernel->row_levels[at] =
        (dc_row_level){.of = (uint8_t)of, .level = level, .loop_class = loop_class, .index = index};
}

static uint32_t name_load(builder *b, uint32_t value) {
  if (b->names[value] == DC_NONE) {
    const ssa_function *f = b->analysis->function;
    const char *array = f->texts[f->values[value].text];
    char text[200];
    snprintf(text, sizeof text, *array ? "%.180s[...]" : "*(...)%s", array);
    b->names[value] = dc_kernel_add_load_name(b->kernel, text);
  }
  return b->names[value];
}

static uint32_t name_opaque(builder *b, uint32_t value) {
  if (b->names[value] == DC_NONE) {
    const ssa_function *f = b->analysis->function;
    const ssa_value *v = &f->values[value];
    b->names[value] =
        dc_kernel_add_opaque_name(b->kernel, v->op == SSA_CONSTANT ? f->texts[v->text] : "?");
  }
  return b->names[value];
}

static dc_expr copy(builder *b, dc_expr e);

static dc_expr copy_plainly(builder *b, dc_expr e) {
  const dc_expr_node node = b->analysis->pool.nodes[e];
  dc_uniformity level = (dc_uniformity)b->analysis->node_level[e];
  dc_expr_pool *pool = &b->kernel->pool;
  switch ((dc_expr_op)node.op) {
  case DC_OP_OPAQUE:
    return dc_expr_leaf(pool, DC_OP_OPAQUE, node.bits, level, name_opaque(b, (uint32_t)node.i));
  case DC_OP_IV:
  case DC_OP_CARRIED:
  case DC_OP_ICARRIED:
    return dc_expr_leaf(pool, (dc_expr_op)node.op, node.bits, level, node.i + b->first_loop);
  case DC_OP_LOAD:
    return dc_expr_apply(pool, DC_OP_LOAD, node.bits, level, copy(b, node.a), DC_NO_EXPR,
                         DC_NO_EXPR, name_load(b, (uint32_t)node.i));
  default:
    break;
  }
  if (node.a == DC_NO_EXPR)
    return dc_expr_leaf(pool, (dc_expr_op)node.op, node.bits, level, node.i);
  dc_expr operand_a = copy(b, node.a);
  dc_expr operand_b = node.b == DC_NO_EXPR ? DC_NO_EXPR : copy(b, node.b);
  dc_expr operand_c = node.c == DC_NO_EXPR ? DC_NO_EXPR : copy(b, node.c);
  bool search = dc_expr_op_is_search((dc_expr_op)node.op);
  int64_t immediate = search ? node.i + b->first_loop : node.op == DC_OP_FUNCTION ? node.i : 0;
  return dc_expr_apply(pool, (dc_expr_op)node.op, node.bits, DC_UNIFORM, operand_a, operand_b,
                       operand_c, immediate);
}

static dc_expr copy_node(builder *b, dc_expr e) {
  const dc_expr_node *node = &b->analysis->pool.nodes[e];
  dc_expr made = copy_plainly(b, e);
  bool value = b->rows && (node->op == DC_OP_LOAD || node->op == DC_OP_OPAQUE);
  if (value && made != DC_NO_EXPR &&
      b->rows->value_level[node->i] < b->kernel->pool.nodes[made].level)
    add_row_level(b, DC_ROWS_NODE, made, b->rows->value_level[node->i], 0);
  return made;
}

static dc_expr copy(builder *b, dc_expr e) {
  if (e == DC_NO_EXPR)
    return DC_NO_EXPR;
  if (b->copies[e] == DC_NO_EXPR) {
    b->copies[e] = copy_node(b, e);
    b->failed |= b->copies[e] == DC_NO_EXPR;
  }
  return b->copies[e];
}

// Of the same function under other hypotheses, whose pool has other numbers.
static dc_expr copy_of(builder *b, dcp_analysis *of, dc_expr e) {
  builder other = *b;
  if (of == b->analysis)
    return copy(b, e);
  other.analysis = of;
  other.rows = NULL;
  other.copies = malloc(of->pool.count * sizeof *other.copies);
  if (other.copies)
    memset(other.copies, 0xff, of->pool.count * sizeof *other.copies);
  dc_expr made = other.copies ? copy(&other, e) : DC_NO_EXPR;
  free(other.copies);
  b->failed |= made == DC_NO_EXPR;
  return made;
}

static uint32_t cut(uint64_t count) { return count < UINT32_MAX ? (uint32_t)count : UINT32_MAX; }

static void add_to_mix(dc_block *to, uint8_t mix, uint32_t count) {
  if (mix == 0)
    return;
  to->mix[mix - 1] = cut((uint64_t)to->mix[mix - 1] + count);
}

static void count_contended(const dcp_analysis *analysis, const ssa_value *value, dc_block *to) {
  uint32_t address = analysis->function->operands[value->first_operand];
  bool one = analysis->value_level[address] < DC_DIVERGENT;
  uint16_t *count = one ? &to->contended_one : &to->contended;
  *count += *count < UINT16_MAX;
}

// Whether lanes of a block may have other operands than others.
static bool may_differ(const dcp_analysis *analysis, const ssa_value *value) {
  bool differ = false;
  for (uint32_t o = 0; o < value->n_operands; ++o)
    differ |= analysis->value_level[ssa_operand(analysis->function, value, o)] > DC_BLOCK_UNIFORM;
  return differ;
}

static void count_instructions(const dcp_analysis *analysis, const ssa_block *from, dc_block *to) {
  const ssa_function *f = analysis->function;
  uint64_t machine = 0, slow = 0, slow_alike = 0;
  for (uint32_t n = 0; n < from->n_values; ++n) {
    const ssa_value *value = &f->values[f->block_values[from->first_value + n]];
    add_to_mix(to, value->mix, 1u + value->mix_more);
    add_to_mix(to, value->rest, value->rests);
    machine += value->machine;
    slow += value->slow;
    slow_alike += may_differ(analysis, value) ? 0 : value->slow;
    if (value->retries)
      count_contended(analysis, value, to);
  }
  to->counted = true;
  to->machine = cut(machine);
  to->slow = cut(slow);
  to->slow_alike = cut(slow_alike);
}

static bool is_dead_end(const ssa_function *f, const ssa_block *from, uint32_t s) {
  return f->blocks[f->edges[from->first_successor + s]].dead_end;
}

// How many edges of a block the programs that go on take: none to a dead end (a failed assertion),
// unless there is no other.
static uint32_t count_ways(const ssa_function *f, const ssa_block *from) {
  uint32_t ways = 0;
  for (uint32_t s = 0; s < from->n_successors; ++s)
    ways += !is_dead_end(f, from, s);
  return ways ? ways : from->n_successors;
}

static void build_blocks(builder *b) {
  const ssa_function *f = b->analysis->function;
  for (uint32_t k = 0; k < f->n_blocks && !b->failed; ++k)
    b->failed |= dc_kernel_add_block(b->kernel) == DC_NONE;
  for (uint32_t k = 0; k < f->n_blocks && !b->failed; ++k) {
    const ssa_block *from = &f->blocks[k];
    uint32_t at = b->first_block + k;
    bool all = count_ways(f, from) == from->n_successors;
    for (uint32_t s = 0; s < from->n_successors && !b->failed; ++s) {
      if (!all && is_dead_end(f, from, s))
        continue;
      uint32_t edge = dc_kernel_add_successor(b->kernel, at);
      b->failed |= edge == DC_NONE;
      if (!b->failed)
        b->kernel->successors[edge] = b->first_block + f->edges[from->first_successor + s];
    }
    dc_block *to = &b->kernel->blocks[at];
    to->loop = from->loop == DC_NONE ? DC_NONE : b->first_loop + from->loop;
    to->post_dominator =
        from->post_dominator == DC_NONE ? DC_NONE : b->first_block + from->post_dominator;
    to->branch = DC_NONE;
    to->control = b->analysis->control[k];
    count_instructions(b->analysis, from, to);
  }
}

// A condition that threadIdx decides, or one side of a conjunction of which it does.
static bool is_known_in_part(const dcp_analysis *analysis, dc_expr condition) {
  if (dcp_known_lane_function(analysis, condition))
    return true;
  if (condition == DC_NO_EXPR)
    return false;
  const dc_expr_node *node = &analysis->pool.nodes[condition];
  bool joins = node->bits == 1 &&
               (node->op == DC_OP_AND || node->op == DC_OP_OR || node->op == DC_OP_SELECT);
  return joins &&
         (dcp_known_lane_function(analysis, node->a) || dcp_known_lane_function(analysis, node->b));
}

// Where lanes diverge, what is known in part; elsewhere, what follows from the launch: the rest
// would bloat the skeleton.
static bool is_worth_keeping(const dcp_analysis *analysis, uint8_t level, dc_expr condition) {
  return is_known_in_part(analysis, condition) &&
         (level == DC_DIVERGENT ||
          (!dc_expr_mentions(&analysis->pool, condition, DC_OP_LOAD, -1) &&
           !dc_expr_mentions(&analysis->pool, condition, DC_OP_OPAQUE, -1)));
}

static void build_branches(builder *b) {
  const ssa_function *f = b->analysis->function;
  for (uint32_t k = 0; k < f->n_in_order && !b->failed; ++k) {
    uint32_t block = f->in_order[k];
    const ssa_block *from = &f->blocks[block];
    if (from->condition == DC_NONE || count_ways(f, from) < 2)
      continue;
    dc_branch branch = {.block = b->first_block + block, .condition = DC_NO_EXPR, .exits = DC_NONE};
    branch.level = b->analysis->branch_level[block];
    branch.location = dcp_written_at(b->kernel, from->location);
    branch.taken = from->taken;
    branch.alike = branch.level == DC_DIVERGENT && !from->is_switch &&
                   dcp_lanes_agree(b->analysis, from->condition, block, true);
    if (!from->is_switch &&
        is_worth_keeping(b->analysis, branch.level, b->analysis->exprs[from->condition]))
      branch.condition = copy(b, b->analysis->exprs[from->condition]);
    for (uint32_t e = b->analysis->block_exit[block];
         e < b->analysis->n_exits && b->analysis->exits[e].block == block; ++e)
      branch.exits = b->first_loop + b->analysis->exits[e].loop; // the last is the outermost
    uint32_t at = dc_kernel_add_branch(b->kernel);
    if ((b->failed |= at == DC_NONE))
      return;
    b->kernel->branches[at] = branch;
    if (b->rows && b->rows->branch_level[block] < branch.level)
      add_row_level(b, DC_ROWS_BRANCH, at, b->rows->branch_level[block], 0);
    b->kernel->blocks[branch.block].branch = at;
  }
}

static void describe_block_dims(const dcp_analysis *analysis, char *text, size_t size) {
  const dcp_block_dims *dims = &analysis->dims;
  size_t length = (size_t)snprintf(text, size, "blocks of ");
  for (uint32_t k = 0; k < dims->n && length < size; ++k)
    length +=
        (size_t)snprintf(text + length, size - length, "%s%" PRIu32 "x%" PRIu32 "x%" PRIu32,
                         k ? " or " : "", dims->block[k][0], dims->block[k][1], dims->block[k][2]);
}

// "step >= 31", "|k| <= 33".
static void describe_need(builder *b, dcp_analysis *of, const dcp_stride_need *need, char *text,
                          size_t size) {
  char product[120];
  dc_expr e = copy_of(b, of, need->product);
  if (e == DC_NO_EXPR)
    return;
  dc_kernel_print_expr(b->kernel, e, product, sizeof product);
  bool is_signed = of->pool.nodes[need->product].op != DC_OP_CTAID;
  if (need->least || !is_signed)
    snprintf(text, size, "%s %s %" PRId64, product,
             need->least ? ">=" : "<=", need->least ? need->least : need->most);
  else
    snprintf(text, size, "|%s| <= %" PRId64, product, need->most);
}

static void append(char *text, size_t size, const char *separator, const char *more) {
  size_t length = strlen(text);
  if (length + 4 < size)
    snprintf(text + length, size - length, "%s%s", length ? separator : "", more);
}

// Whether less is known of a loop without the block dimensions.
static bool rests_on_dims(const builder *b, uint32_t loop, const dcp_verdict *verdict,
                          const dcp_analysis *other, const dcp_verdict *without) {
  static const uint8_t rank[] = {
      [DC_CLASS_UNIFORM] = 0, [DC_CLASS_BLOCK_UNIFORM] = 1, [DC_CLASS_WARP_UNIFORM] = 2,
      [DC_CLASS_STRIDED] = 3, [DC_CLASS_LANE_AFFINE] = 4,   [DC_CLASS_DATA_DEPENDENT] = 5,
      [DC_CLASS_UNKNOWN] = 6,
  };
  const dcp_analysis *analysis = b->analysis;
  if (!analysis->dims.known || !other)
    return analysis->dims.known;
  for (uint32_t k = 0; k < analysis->n_exits; ++k)
    if (analysis->exits[k].loop == loop && analysis->exits[k].level < other->exits[k].level)
      return true;
  const dcp_stride_need *need = &verdict->need, *more = &without->need;
  bool needs_more =
      more->product != DC_NO_EXPR &&
      (need->product == DC_NO_EXPR || need->least != more->least || need->most != more->most);
  return rank[without->loop_class] > rank[verdict->loop_class] ||
         (without->loop_class == verdict->loop_class &&
          ((without->assumes & ~verdict->assumes) != 0 || needs_more));
}

static void append_dims(const dcp_analysis *analysis, char *text, size_t size) {
  char part[200];
  describe_block_dims(analysis, part, sizeof part);
  append(text, size, "; ", part);
  if (analysis->dims.of_launches)
    append(text, size, "; ", "if launched only with these dimensions");
}

// What a verdict assumes, each after `lead`, beside what the reader knows of already.
static void append_assumed(builder *b, dcp_analysis *of, const dcp_verdict *verdict, uint8_t known,
                           const char *separator, const char *lead, char *text, size_t size) {
  static const struct {
    uint8_t assumes;
    const char *text;
  } phrases[] = {{DCP_ASSUMES_NO_OVERFLOW, "the thread's index in the grid fits its type"},
                 {DCP_ASSUMES_ROW_WARPS, NULL},
                 {DCP_ASSUMES_BOUND, "neither the loop's start nor its bound wraps"},
                 {DCP_ASSUMES_COUNTER, "the loop's counter does not wrap"}};
  char part[200], phrase[240];
  for (unsigned k = 0; k < sizeof phrases / sizeof *phrases; ++k) {
    if (!(verdict->assumes & ~known & phrases[k].assumes))
      continue;
    if (phrases[k].text) {
      snprintf(part, sizeof part, "%s", phrases[k].text);
    } else {
      dc_expr e = copy_of(b, of, of->row_warps);
      if (e == DC_NO_EXPR)
        return;
      dc_kernel_print_expr(b->kernel, e, part, sizeof part - 8);
      snprintf(part + strlen(part), 8, " >= 0");
    }
    snprintf(phrase, sizeof phrase, "%s%s", lead, part);
    append(text, size, separator, phrase);
  }
  if (verdict->loop_class == DC_CLASS_STRIDED && verdict->need.product != DC_NO_EXPR) {
    describe_need(b, of, &verdict->need, part, sizeof part);
    snprintf(phrase, sizeof phrase, "%s%s", lead, part);
    append(text, size, separator, phrase);
  }
}

// "strided if |k| <= 33 and blockDim.x is a multiple of 32": what it would be if rows were whole
// warps.
static void append_by_rows(builder *b, const dcp_verdict *verdict, dcp_analysis *of,
                           const dcp_verdict *rows, char *text, size_t size) {
  char part[300];
  snprintf(part, sizeof part, "%s if ", dc_class_name((dc_class)rows->loop_class));
  size_t length = strlen(part);
  append_assumed(b, of, rows, verdict->assumes, " and ", "", part + length, sizeof part - length);
  append(part + length, sizeof part - length, " and ", "blockDim.x is a multiple of 32");
  append(text, size, "; ", part);
}

// What the class depends on, and what it would be if rows were whole warps.
static void build_condition(builder *b, uint32_t loop, dc_loop *out, const dcp_verdict *verdict,
                            dcp_analysis *other) {
  char text[600] = "";
  dcp_verdict without;
  if (other)
    without = dcp_classify(other, loop);
  if (rests_on_dims(b, loop, verdict, other, other ? &without : NULL))
    append_dims(b->analysis, text, sizeof text);
  append_assumed(b, b->analysis, verdict, 0, "; ", "if ", text, sizeof text);
  if (verdict->loop_class == DC_CLASS_STRIDED && (verdict->assumes & DCP_ASSUMES_ROWS))
    append(text, sizeof text, "; ", "if no warp lies in two rows of the block");
  const dcp_verdict *rows = b->rows && other ? &without : NULL;
  bool better = rows && (rows->level < verdict->level || rows->loop_class == DC_CLASS_STRIDED);
  if (better && rows->loop_class != verdict->loop_class) {
    append_by_rows(b, verdict, other, rows, text, sizeof text);
    add_row_level(b, DC_ROWS_LOOP, b->first_loop + loop, rows->level, rows->loop_class);
  }
  out->condition = dc_kernel_add_text(b->kernel, text);
}

static const char *function_of(const builder *b, uint32_t loop) {
  uint32_t place = b->analysis->function->loops[loop].location;
  return place == DC_NONE ? "" : dc_kernel_text(b->kernel, b->kernel->locations[place].function);
}

// How many loops before this one could be taken for it: in the same loop, of the same function and
// text.
static uint32_t ordinal_of(const builder *b, uint32_t loop) {
  const ssa_loop *loops = b->analysis->function->loops;
  uint32_t ordinal = 0;
  for (uint32_t other = 0; other < loop; ++other)
    ordinal += loops[other].parent == loops[loop].parent && loops[other].text == loops[loop].text &&
               strcmp(function_of(b, other), function_of(b, loop)) == 0;
  return ordinal;
}

// Functions that are called may have loops that are in the kernel already: inlined on another way.
static bool is_taken(const builder *b, uint64_t id) {
  for (uint32_t loop = 0; loop < b->first_loop; ++loop)
    if (b->kernel->loops[loop].id == id)
      return true;
  return false;
}

// The kernel, and from the loop outwards the function and text of each: what is edited elsewhere,
// another loop of the same function included, doesn't matter.
static uint64_t loop_id(const builder *b, uint32_t loop) {
  const char *symbol = dc_kernel_text(b->kernel, b->kernel->symbol);
  char part[48];
  uint64_t hash = dc_hash_bytes(DC_HASH_BEGIN, symbol, dcp_symbol_length(symbol));
  for (uint32_t at = loop; at != DC_NONE; at = b->analysis->function->loops[at].parent) {
    snprintf(part, sizeof part, "/%016" PRIx64 "/%" PRIu32, b->analysis->function->loops[at].text,
             ordinal_of(b, at));
    hash = dc_hash_text(hash, function_of(b, at));
    hash = dc_hash_text(hash, part);
  }
  while (is_taken(b, hash))
    hash = dc_hash_text(hash, "/called");
  return hash;
}

static void build_exits(builder *b, uint32_t loop, dc_loop *out) {
  const dcp_analysis *analysis = b->analysis;
  out->first_exit = b->kernel->n_exits;
  for (uint32_t k = 0; k < analysis->n_exits; ++k) {
    const dcp_exit *exit = &analysis->exits[k];
    if (exit->loop != loop)
      continue;
    dc_expr trips = copy(b, exit->trips);
    uint32_t at = dc_kernel_add_exit(b->kernel);
    if ((b->failed |= at == DC_NONE))
      return;
    b->kernel->exits[at] = (dc_exit){
        .block = b->first_block + exit->block,
        .location = dcp_written_at(b->kernel, analysis->function->blocks[exit->block].location),
        .level = exit->level,
        .trips = trips};
    if (b->rows && b->rows->exits[k].level < exit->level)
      add_row_level(b, DC_ROWS_EXIT, at, b->rows->exits[k].level, 0);
    ++out->n_exits;
  }
}

static void build_unknown(builder *b, dc_loop *loop, const dcp_verdict *verdict) {
  const ssa_function *f = b->analysis->function;
  const char *text = "control flow with several entries";
  if (loop->loop_class != DC_CLASS_UNKNOWN)
    return;
  if (verdict->unknown_value != DC_NONE) {
    const ssa_value *v = &f->values[verdict->unknown_value];
    text = v->op == SSA_ARGUMENT ? "the arguments of a function that is not inlined"
                                 : f->texts[v->text];
  }
  loop->unknown = dc_kernel_add_text(b->kernel, text);
}

// The pool of the analysis grows with each trip count that is combined; the copies must keep up.
static bool grow_copies(builder *b) {
  uint32_t count = b->analysis->pool.count;
  if (count <= b->n_copies)
    return true;
  dc_expr *grown = realloc(b->copies, count * sizeof *grown);
  if (!grown)
    return false;
  memset(grown + b->n_copies, 0xff, (count - b->n_copies) * sizeof *grown);
  b->copies = grown;
  b->n_copies = count;
  return true;
}

// Of a loop that data end: what the code tells of its trip counts all the same.
static void expect_trips(builder *b, uint32_t loop, const dcp_verdict *verdict, dc_loop *out) {
  char alike[32];
  const char *distribution, *since;
  int64_t trips;
  dcp_bisection bisects = dcp_bisects(b->analysis, &b->analysis->exits[verdict->exit]);
  if (bisects != DCP_NO_BISECTION) {
    // The counts of one interval differ by one at most; how large they are is its logarithm.
    bool one = bisects == DCP_ONE_INTERVAL;
    distribution = one ? "uniform(16,17)" : "uniform(15,17)";
    since = one ? "it bisects an interval of 2^16" : "it bisects intervals of 2^15 to 2^17";
  } else {
    switch (dcp_expect_end(b->analysis, loop, &trips)) {
    case DCP_ENDS_AT_ONCE: // 31 of 32 lanes, each time
      distribution = "geometric(0.96875)";
      since = "it goes on only while values are equal";
      break;
    case DCP_ENDS_ALIKE:
      snprintf(alike, sizeof alike, "const(%" PRId64 ")", trips ? trips : dc_trips_assumed(-1));
      distribution = alike;
      since = "next to no lane leaves it alone";
      break;
    default:
      return;
    }
  }
  out->distribution = dc_kernel_add_text(b->kernel, distribution);
  out->distribution_at = dc_kernel_add_text(b->kernel, since);
  out->trips_from = DC_FROM_ASSUMED;
}

static uint8_t swaps_of(const dcp_analysis *analysis, uint32_t loop) {
  const ssa_function *f = analysis->function;
  for (uint32_t k = 0; k < analysis->n_exits; ++k) {
    uint32_t swap = f->blocks[analysis->exits[k].block].swap;
    if (analysis->exits[k].loop == loop && swap != DC_NONE)
      return analysis->value_level[ssa_operand(f, &f->values[swap], 0)] < DC_DIVERGENT
                 ? DC_SWAPS_ONE
                 : DC_SWAPS_OWN;
  }
  return DC_SWAPS_NONE;
}

static void build_loop(builder *b, uint32_t loop, dcp_analysis *other) {
  const ssa_loop *from = &b->analysis->function->loops[loop];
  dcp_verdict verdict = dcp_classify(b->analysis, loop);
  dc_loop out = {.header = b->first_block + from->header,
                 .parent = from->parent == DC_NONE ? DC_NONE : b->first_loop + from->parent,
                 .depth = from->depth,
                 .location = from->location,
                 .loop_class = verdict.loop_class,
                 .level = verdict.level,
                 .irreducible = from->irreducible,
                 .swaps = swaps_of(b->analysis, loop),
                 .unroll = from->unroll,
                 .trips_from = from->distribution_from,
                 .correlation = from->correlation};
  b->failed |= b->analysis->out_of_memory || !grow_copies(b);
  if (b->failed)
    return;
  out.trips = copy(b, verdict.trips);
  build_exits(b, loop, &out);
  dcp_explain_loop(b->analysis, &verdict, &out.first_reason, &out.n_reasons);
  if (from->distribution) {
    out.distribution = dc_kernel_add_text(b->kernel, from->distribution);
    out.distribution_at = dc_kernel_add_text(b->kernel, from->distribution_at);
  } else if (verdict.exit != DC_NONE && verdict.loop_class == DC_CLASS_DATA_DEPENDENT) {
    expect_trips(b, loop, &verdict, &out);
  }
  out.ignored = dc_kernel_add_text(b->kernel, from->ignored ? from->ignored : "");
  out.ignored_at = dc_kernel_add_text(b->kernel, from->ignored_at ? from->ignored_at : "");
  build_condition(b, loop, &out, &verdict, other);
  build_unknown(b, &out, &verdict);
  out.id = loop_id(b, loop);
  b->kernel->loops[b->first_loop + loop] = out;
}

static void build_accesses(builder *b) {
  const ssa_function *f = b->analysis->function;
  for (uint32_t k = 0; k < f->n_accesses && !b->failed; ++k) {
    ssa_access joined;
    const ssa_access *from = &joined;
    if (!dcp_expected_access(b->analysis, &k, &joined))
      continue;
    const ssa_value *value = &f->values[from->value];
    uint32_t address = f->operands[value->first_operand];
    dc_access access = {.block = b->first_block + value->block,
                        .location = dcp_written_at(b->kernel, value->location),
                        .address = copy(b, b->analysis->exprs[address]),
                        .root = from->root == DC_NONE ? DC_NO_EXPR
                                                      : copy(b, b->analysis->exprs[from->root]),
                        .name = dc_kernel_add_text(b->kernel, f->texts[value->text]),
                        .alignment = from->alignment,
                        .space = from->space,
                        .kind = value->op == SSA_STORE    ? DC_ACCESS_STORE
                                : value->op == SSA_ATOMIC ? DC_ACCESS_ATOMIC
                                                          : DC_ACCESS_LOAD,
                        .bytes = from->bytes,
                        .level = b->analysis->value_level[address],
                        .descends = dcp_descends(b->analysis, from->value)};
    if (access.address == DC_NO_EXPR ||
        dc_expr_mentions(&b->kernel->pool, access.address, DC_OP_OPAQUE, -1))
      access.advance = dcp_cursor_moves(f, from->value);
    uint32_t at = dc_kernel_add_access(b->kernel);
    b->failed |= at == DC_NONE;
    if (at != DC_NONE)
      b->kernel->accesses[at] = access;
  }
}

static void predict_predication(builder *b) {
  for (uint32_t k = 0; k < b->kernel->n_branches; ++k) {
    dc_branch *branch = &b->kernel->branches[k];
    if (branch->block < b->first_block || branch->exits != DC_NONE)
      continue;
    uint32_t loop = b->kernel->blocks[branch->block].loop;
    bool unrolled = loop != DC_NONE && b->kernel->loops[loop].unroll_expected > 1;
    branch->predication = dcp_expected_predication(
        b->analysis->function, branch->block - b->first_block, unrolled, &branch->close);
  }
}

static bool init_builder(builder *b, dcp_analysis *analysis) {
  const ssa_function *f = analysis->function;
  *b = (builder){.analysis = analysis,
                 .kernel = analysis->kernel,
                 .first_block = analysis->kernel->n_blocks,
                 .first_loop = analysis->kernel->n_loops};
  b->names = malloc((f->n_values + 1) * sizeof *b->names);
  if (!b->names || !grow_copies(b))
    return false;
  memset(b->names, 0xff, (f->n_values + 1) * sizeof *b->names);
  return true;
}

bool dcp_build_skeleton(dcp_analysis *analysis, dcp_analysis *other, dcp_analysis *kind) {
  builder b;
  bool done = init_builder(&b, analysis);
  if (done) {
    b.rows = other && !analysis->dims.known ? other : NULL;
    build_blocks(&b);
    build_branches(&b);
    b.failed = b.failed || !dcp_build_barriers(kind ? kind : analysis, b.first_block);
    for (uint32_t loop = 0; loop < analysis->function->n_loops && !b.failed; ++loop)
      b.failed |= dc_kernel_add_loop(b.kernel) == DC_NONE;
    for (uint32_t loop = 0; loop < analysis->function->n_loops && !b.failed; ++loop)
      build_loop(&b, loop, other);
    b.failed = b.failed || !dcp_expect_unrolling(analysis, b.first_loop);
    predict_predication(&b);
    build_accesses(&b);
    done = !b.failed && !analysis->out_of_memory;
  }
  free(b.copies);
  free(b.names);
  return done;
}
