// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pool of expressions: hash consing over an open-addressing table, so that a node exists once
// and its operands always stand before it; checked construction; questions that walk a node's
// operands. Simplification is in simplify.c, evaluation in evaluate.c.
#include "expr/expr_internal.h"

#include <stdlib.h>
#include <string.h>

static const struct {
  const char *name;
  uint8_t operands;
} operators[DC_OP_COUNT] = {
    [DC_OP_CONST] = {"const", 0},     [DC_OP_PARAM] = {"param", 0},
    [DC_OP_TID] = {"tid", 0},         [DC_OP_NTID] = {"ntid", 0},
    [DC_OP_CTAID] = {"ctaid", 0},     [DC_OP_NCTAID] = {"nctaid", 0},
    [DC_OP_LANE] = {"lane", 0},       [DC_OP_IV] = {"iv", 0},
    [DC_OP_LOAD] = {"load", 0},       [DC_OP_OPAQUE] = {"opaque", 0},
    [DC_OP_ADD] = {"add", 2},         [DC_OP_SUB] = {"sub", 2},
    [DC_OP_MUL] = {"mul", 2},         [DC_OP_UDIV] = {"udiv", 2},
    [DC_OP_SDIV] = {"sdiv", 2},       [DC_OP_UREM] = {"urem", 2},
    [DC_OP_SREM] = {"srem", 2},       [DC_OP_SHL] = {"shl", 2},
    [DC_OP_LSHR] = {"lshr", 2},       [DC_OP_ASHR] = {"ashr", 2},
    [DC_OP_AND] = {"and", 2},         [DC_OP_OR] = {"or", 2},
    [DC_OP_XOR] = {"xor", 2},         [DC_OP_SMIN] = {"smin", 2},
    [DC_OP_SMAX] = {"smax", 2},       [DC_OP_UMIN] = {"umin", 2},
    [DC_OP_UMAX] = {"umax", 2},       [DC_OP_EQ] = {"eq", 2},
    [DC_OP_NE] = {"ne", 2},           [DC_OP_ULT] = {"ult", 2},
    [DC_OP_ULE] = {"ule", 2},         [DC_OP_SLT] = {"slt", 2},
    [DC_OP_SLE] = {"sle", 2},         [DC_OP_SELECT] = {"select", 3},
    [DC_OP_ZEXT] = {"zext", 1},       [DC_OP_SEXT] = {"sext", 1},
    [DC_OP_TRUNC] = {"trunc", 1},     [DC_OP_STEPS] = {"steps", 2},
    [DC_OP_USTEPS] = {"usteps", 2},   [DC_OP_FIRST] = {"first", 1},
    [DC_OP_CARRIED] = {"carried", 0}, [DC_OP_ICARRIED] = {"icarried", 0},
    [DC_OP_IRUN] = {"irun", 3},       [DC_OP_RUN] = {"run", 3},
    [DC_OP_FADD] = {"fadd", 2},       [DC_OP_FSUB] = {"fsub", 2},
    [DC_OP_FMUL] = {"fmul", 2},       [DC_OP_FPRODUCT] = {"fproduct", 2},
    [DC_OP_FDIV] = {"fdiv", 2},       [DC_OP_FMIN] = {"fmin", 2},
    [DC_OP_FMAX] = {"fmax", 2},       [DC_OP_FNEG] = {"fneg", 1},
    [DC_OP_FFLOOR] = {"ffloor", 1},   [DC_OP_FCEIL] = {"fceil", 1},
    [DC_OP_FTRUNC] = {"ftrunc", 1},   [DC_OP_FRINT] = {"frint", 1},
    [DC_OP_FCAST] = {"fcast", 1},     [DC_OP_SITOFP] = {"sitofp", 1},
    [DC_OP_UITOFP] = {"uitofp", 1},   [DC_OP_FUNCTION] = {"function", 2},
    [DC_OP_FEQ] = {"feq", 2},         [DC_OP_FLT] = {"flt", 2},
    [DC_OP_FLE] = {"fle", 2},         [DC_OP_FPTOSI] = {"fptosi", 1},
    [DC_OP_FPTOUI] = {"fptoui", 1},
};

bool dc_expr_op_is_real(dc_expr_op op) {
  return op == DC_OP_CARRIED || (op >= DC_OP_FADD && op <= DC_OP_FUNCTION);
}

bool dc_expr_op_takes_reals(dc_expr_op op) {
  return (op >= DC_OP_FADD && op < DC_OP_SITOFP) || (op >= DC_OP_FEQ && op <= DC_OP_FPTOUI);
}

bool dc_expr_op_is_search(dc_expr_op op) { return op >= DC_OP_FIRST && op <= DC_OP_RUN; }

bool dc_expr_op_is_carried(dc_expr_op op) { return op == DC_OP_CARRIED || op == DC_OP_ICARRIED; }

unsigned dc_expr_op_operands(dc_expr_op op) {
  return op < DC_OP_COUNT ? operators[op].operands : 0;
}

const char *dc_expr_op_name(dc_expr_op op) { return op < DC_OP_COUNT ? operators[op].name : "?"; }

int dc_expr_op_parse(const char *name) {
  for (int op = 0; op < DC_OP_COUNT; ++op)
    if (strcmp(operators[op].name, name) == 0)
      return op;
  return -1;
}

void dc_expr_pool_free(dc_expr_pool *pool) {
  free(pool->nodes);
  free(pool->index);
  *pool = (dc_expr_pool){0};
}

size_t dc_expr_pool_bytes(const dc_expr_pool *pool) {
  return pool->capacity * sizeof *pool->nodes + pool->index_size * sizeof *pool->index;
}

static uint32_t hash_node(const dc_expr_node *node) {
  uint64_t hash = (uint64_t)node->op | (uint64_t)node->bits << 8 | (uint64_t)node->level << 16;
  const uint64_t parts[] = {node->a, node->b, node->c, (uint64_t)node->i};
  for (unsigned k = 0; k < 4; ++k) {
    hash = (hash ^ parts[k]) * UINT64_C(0x9E3779B97F4A7C15);
    hash ^= hash >> 29;
  }
  return (uint32_t)(hash ^ hash >> 32);
}

static bool nodes_equal(const dc_expr_node *x, const dc_expr_node *y) {
  return x->op == y->op && x->bits == y->bits && x->level == y->level && x->a == y->a &&
         x->b == y->b && x->c == y->c && x->i == y->i;
}

// The place in the index of an equal node, or the free place where it belongs.
static uint32_t find_slot(const dc_expr_pool *pool, const dc_expr_node *node) {
  uint32_t mask = pool->index_size - 1, slot = hash_node(node) & mask;
  while (pool->index[slot] != DC_NO_EXPR && !nodes_equal(&pool->nodes[pool->index[slot]], node))
    slot = (slot + 1) & mask;
  return slot;
}

// Makes room for one more node, with the index at most two thirds full.
static bool reserve(dc_expr_pool *pool) {
  if (pool->count >= UINT32_C(1) << 29)
    return false;
  if (pool->count >= pool->capacity) {
    uint32_t capacity = pool->capacity < 32 ? 64 : 2 * pool->capacity;
    dc_expr_node *nodes = realloc(pool->nodes, capacity * sizeof *nodes);
    if (!nodes)
      return false;
    pool->nodes = nodes;
    pool->capacity = capacity;
  }
  uint32_t size = pool->index_size ? pool->index_size : 128;
  while ((uint64_t)(pool->count + 1) * 3 > (uint64_t)size * 2)
    size *= 2;
  if (size == pool->index_size)
    return true;
  uint32_t *index = malloc(size * sizeof *index);
  if (!index)
    return false;
  free(pool->index);
  pool->index = index;
  pool->index_size = size;
  memset(index, 0xff, size * sizeof *index);
  for (uint32_t k = 0; k < pool->count; ++k)
    index[find_slot(pool, &pool->nodes[k])] = k;
  return true;
}

dc_expr dc__expr_insert(dc_expr_pool *pool, dc_expr_op op, unsigned bits, dc_uniformity level,
                        dc_expr a, dc_expr b, dc_expr c, int64_t i) {
  if (!reserve(pool)) {
    pool->out_of_memory = true;
    return DC_NO_EXPR;
  }
  dc_expr_node node = {(uint8_t)op, (uint8_t)bits, (uint8_t)level, 0, a, b, c, i};
  uint32_t slot = find_slot(pool, &node);
  if (pool->index[slot] != DC_NO_EXPR)
    return pool->index[slot];
  if (dc__expr_op_is_commutative(op)) { // the order first written is kept
    dc_expr_node swapped = node;
    swapped.a = b;
    swapped.b = a;
    uint32_t other = pool->index[find_slot(pool, &swapped)];
    if (other != DC_NO_EXPR)
      return other;
  }
  pool->nodes[pool->count] = node;
  pool->index[slot] = pool->count;
  return pool->count++;
}

dc_expr dc_expr_leaf(dc_expr_pool *pool, dc_expr_op op, unsigned bits, dc_uniformity level,
                     int64_t i) {
  if (!dc__expr_op_is_leaf(op) || bits < 1 || bits > 64 || level > DC_DIVERGENT)
    return DC_NO_EXPR;
  if (op == DC_OP_CONST) {
    level = DC_UNIFORM;
    i = dc__sign_extend((uint64_t)i, bits);
  }
  return dc__expr_insert(pool, op, bits, level, DC_NO_EXPR, DC_NO_EXPR, DC_NO_EXPR, i);
}

dc_expr dc_expr_constant(dc_expr_pool *pool, unsigned bits, int64_t value) {
  return dc_expr_leaf(pool, DC_OP_CONST, bits, DC_UNIFORM, value);
}

static bool is_real_width(unsigned bits) { return bits == 32 || bits == 64; }

static bool real_widths_fit(dc_expr_op op, unsigned bits, unsigned a, unsigned b, unsigned c) {
  if (dc_expr_op_takes_reals(op) && !is_real_width(a))
    return false;
  switch (op) {
  case DC_OP_RUN:
    return a == 1 && is_real_width(b) && b == c;
  case DC_OP_FCAST:
    return is_real_width(bits) && a != bits;
  case DC_OP_SITOFP:
  case DC_OP_UITOFP:
  case DC_OP_FUNCTION:
    return is_real_width(bits);
  case DC_OP_FPTOSI:
  case DC_OP_FPTOUI:
    return true;
  default:
    return a == bits && (b == bits || dc_expr_op_operands(op) == 1);
  }
}

bool dc__expr_widths_fit(dc_expr_op op, unsigned bits, unsigned a, unsigned b, unsigned c) {
  if (dc__expr_op_is_leaf(op))
    return true;
  if (dc__expr_op_is_compare(op) && (bits != 1 || a != b))
    return false;
  if (op >= DC_OP_RUN)
    return real_widths_fit(op, dc__expr_op_is_compare(op) ? a : bits, a, b, c);
  switch (op) {
  case DC_OP_SELECT:
    return a == 1 && b == bits && c == bits;
  case DC_OP_ZEXT:
  case DC_OP_SEXT:
    return a <= bits;
  case DC_OP_TRUNC:
    return a >= bits;
  case DC_OP_FIRST:
    return a == 1;
  case DC_OP_IRUN:
    return a == 1 && b == c;
  default:
    return dc__expr_op_is_compare(op) || (a == bits && b == bits);
  }
}

static unsigned bits_of(const dc_expr_pool *pool, dc_expr e) {
  return e == DC_NO_EXPR ? 0 : pool->nodes[e].bits;
}

dc_expr dc_expr_apply(dc_expr_pool *pool, dc_expr_op op, unsigned bits, dc_uniformity at_least,
                      dc_expr a, dc_expr b, dc_expr c, int64_t i) {
  if (op < DC_OP_LOAD || op == DC_OP_OPAQUE || op >= DC_OP_COUNT || bits < 1 || bits > 64 ||
      at_least > DC_DIVERGENT)
    return DC_NO_EXPR;
  const dc_expr operands[] = {a, b, c};
  unsigned n = op == DC_OP_LOAD ? a != DC_NO_EXPR : dc_expr_op_operands(op);
  dc_uniformity level = at_least;
  for (unsigned k = 0; k < 3; ++k) {
    if (k >= n ? operands[k] != DC_NO_EXPR : operands[k] >= pool->count)
      return DC_NO_EXPR;
    if (k < n && pool->nodes[operands[k]].level > level)
      level = pool->nodes[operands[k]].level;
  }
  if (!dc__expr_widths_fit(op, bits, bits_of(pool, a), bits_of(pool, b), bits_of(pool, c)))
    return DC_NO_EXPR;
  if (op != DC_OP_LOAD) {
    dc_expr simple = dc__expr_simplify(pool, op, bits, a, b, c);
    // A level that was raised is a claim about the value that must not get lost.
    if (simple != DC_NO_EXPR &&
        (pool->nodes[simple].op == DC_OP_CONST || pool->nodes[simple].level >= at_least))
      return simple;
  }
  return dc__expr_insert(pool, op, bits, level, a, b, c,
                         op == DC_OP_LOAD || op == DC_OP_FUNCTION || dc_expr_op_is_search(op) ? i
                                                                                              : 0);
}

dc_expr dc_expr_binary(dc_expr_pool *pool, dc_expr_op op, dc_expr a, dc_expr b) {
  if (a >= pool->count)
    return DC_NO_EXPR;
  unsigned bits = dc__expr_op_is_compare(op) ? 1 : pool->nodes[a].bits;
  return dc_expr_apply(pool, op, bits, DC_UNIFORM, a, b, DC_NO_EXPR, 0);
}

dc_expr dc_expr_cast(dc_expr_pool *pool, dc_expr_op op, unsigned bits, dc_expr a) {
  return dc_expr_apply(pool, op, bits, DC_UNIFORM, a, DC_NO_EXPR, DC_NO_EXPR, 0);
}

dc_uniformity dc_expr_uniformity(const dc_expr_pool *pool, dc_expr e) {
  return e < pool->count ? (dc_uniformity)pool->nodes[e].level : DC_DIVERGENT;
}

dc_expr dc_expr_minuend(const dc_expr_pool *pool, dc_expr e) {
  const dc_expr_node *node = &pool->nodes[e];
  if (node->op != DC_OP_SUB || pool->nodes[node->a].op != DC_OP_UMAX)
    return DC_NO_EXPR;
  const dc_expr_node *larger = &pool->nodes[node->a];
  return larger->b == node->b ? larger->a : larger->a == node->b ? larger->b : DC_NO_EXPR;
}

bool dc_expr_is_next(const dc_expr_pool *pool, dc_expr e) {
  const dc_expr_node *node = &pool->nodes[e];
  if (node->op != DC_OP_UMAX || pool->nodes[node->a].op != DC_OP_ADD)
    return false;
  const dc_expr_node *next = &pool->nodes[node->a], *one = &pool->nodes[next->b];
  return next->a == node->b && one->op == DC_OP_CONST && one->i == 1;
}

static unsigned highest_bit(uint64_t set) {
#if defined(__GNUC__)
  return 63 - (unsigned)__builtin_clzll(set);
#else
  unsigned bit = 0;
  while (set >>= 1)
    ++bit;
  return bit;
#endif
}

bool dc_expr_mentions(const dc_expr_pool *pool, dc_expr e, dc_expr_op op, int64_t i) {
  if (e >= pool->count)
    return false;
  // Operands stand before what they are operands of: one pass down over a set of marks.
  uint64_t few[64] = {0}, *marks = few;
  if (e >= 64 * 64 && !(marks = calloc(e / 64 + 1, sizeof *marks)))
    return true; // memory is out: the careful answer
  marks[e / 64] |= UINT64_C(1) << e % 64;
  bool found = false;
  for (uint32_t word = e / 64 + 1; word-- > 0 && !found;)
    while (marks[word] && !found) {
      unsigned bit = highest_bit(marks[word]);
      marks[word] ^= UINT64_C(1) << bit;
      const dc_expr_node *node = &pool->nodes[word * 64 + bit];
      found = node->op == op && (i < 0 || node->i == i);
      const dc_expr operands[] = {node->a, node->b, node->c};
      for (unsigned k = 0; k < 3; ++k)
        if (operands[k] != DC_NO_EXPR)
          marks[operands[k] / 64] |= UINT64_C(1) << operands[k] % 64;
    }
  if (marks != few)
    free(marks);
  return found;
}
