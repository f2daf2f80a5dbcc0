// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "evaluate.h"

// The iteration that a search is at, and what a run carries into it; these are nested.
typedef struct search {
  const struct search *outer;
  int64_t loop, k;
  bool carries;
  int64_t carried;
} search;

static int64_t sign_extend(uint64_t value, unsigned bits) {
  return (int64_t)(value << (64 - bits)) >> (64 - bits);
}

static uint64_t zero_extend(int64_t value, unsigned bits) {
  return (uint64_t)value << (64 - bits) >> (64 - bits);
}

static knowledge value_of(scene *s, dc_expr e, const search *in, int64_t *value);

static knowledge read_leaf(scene *s, const dc_expr_node *node, const search *in, int64_t *value) {
  const probe_dim3 *dims = NULL;
  int64_t found = -1;
  switch ((dc_expr_op)node->op) {
  case DC_OP_CONST:
    *value = node->i;
    return EXACTLY;
  case DC_OP_PARAM:
    if (node->i < 0 || node->i >= s->n_arguments)
      return NOTHING;
    *value = sign_extend((uint64_t)s->arguments[node->i], node->bits);
    return EXACTLY;
  case DC_OP_TID:
    dims = &s->lane->thread;
    break;
  case DC_OP_NTID:
    dims = &s->lane->block_dim;
    break;
  case DC_OP_CTAID:
    dims = &s->lane->block;
    break;
  case DC_OP_NCTAID:
    dims = &s->lane->grid_dim;
    break;
  case DC_OP_LANE:
    found = s->lane_index;
    break;
  case DC_OP_IV:
    while (in && in->loop != node->i)
      in = in->outer;
    found = in ? in->k : s->iteration(s->context, (uint32_t)node->i);
    break;
  case DC_OP_ICARRIED:
    while (in && (in->loop != node->i || !in->carries))
      in = in->outer;
    *value = in ? in->carried : 0;
    return in ? EXACTLY : NOTHING;
  default:
    return NOTHING;
  }
  if (dims)
    found = node->i == 0 ? dims->x : node->i == 1 ? dims->y : dims->z;
  *value = sign_extend((uint64_t)found, node->bits);
  return found >= 0 ? EXACTLY : NOTHING;
}

// The first iteration at which the condition holds.
static knowledge search_first(scene *s, const dc_expr_node *node, const search *in,
                              int64_t *value) {
  search here = {in, node->i, 0, node->op == DC_OP_IRUN, 0};
  if (here.carries && value_of(s, node->b, in, &here.carried) != EXACTLY)
    return NOTHING;
  for (; here.k < s->searched; ++here.k) {
    int64_t holds, next = 0;
    if (value_of(s, node->a, &here, &holds) != EXACTLY)
      return NOTHING;
    if (holds) {
      *value = here.k;
      return EXACTLY;
    }
    if (here.carries && value_of(s, node->c, &here, &next) != EXACTLY)
      return NOTHING;
    here.carried = next;
  }
  *value = ENDLESS;
  return EXACTLY;
}

static bool divide(const dc_expr_node *node, int64_t a, int64_t b, int64_t *value) {
  uint64_t ua = zero_extend(a, node->bits), ub = zero_extend(b, node->bits);
  if (b == 0 || (b == -1 && a == INT64_MIN))
    return false;
  switch ((dc_expr_op)node->op) {
  case DC_OP_UDIV:
    *value = (int64_t)(ua / ub);
    return true;
  case DC_OP_UREM:
    *value = (int64_t)(ua % ub);
    return true;
  case DC_OP_SDIV:
    *value = a / b;
    return true;
  default:
    *value = a % b;
    return true;
  }
}

static bool shift(const dc_expr_node *node, int64_t a, int64_t b, int64_t *value) {
  uint64_t by = zero_extend(b, node->bits);
  if (by >= node->bits)
    return false;
  if (node->op == DC_OP_SHL)
    *value = (int64_t)((uint64_t)a << by);
  else if (node->op == DC_OP_LSHR)
    *value = (int64_t)(zero_extend(a, node->bits) >> by);
  else
    *value = a >> by;
  return true;
}

// Of two operands, sign-extended from their width; the result may still need cutting.
static bool apply(const dc_expr_node *node, unsigned bits, int64_t a, int64_t b, int64_t *value) {
  uint64_t ua = zero_extend(a, bits), ub = zero_extend(b, bits);
  switch ((dc_expr_op)node->op) {
  case DC_OP_ADD:
    *value = (int64_t)((uint64_t)a + (uint64_t)b);
    return true;
  case DC_OP_SUB:
    *value = (int64_t)((uint64_t)a - (uint64_t)b);
    return true;
  case DC_OP_MUL:
    *value = (int64_t)((uint64_t)a * (uint64_t)b);
    return true;
  case DC_OP_UDIV:
  case DC_OP_SDIV:
  case DC_OP_UREM:
  case DC_OP_SREM:
    return divide(node, a, b, value);
  case DC_OP_SHL:
  case DC_OP_LSHR:
  case DC_OP_ASHR:
    return shift(node, a, b, value);
  case DC_OP_AND:
    *value = a & b;
    return true;
  case DC_OP_OR:
    *value = a | b;
    return true;
  case DC_OP_XOR:
    *value = a ^ b;
    return true;
  case DC_OP_SMIN:
    *value = a < b ? a : b;
    return true;
  case DC_OP_SMAX:
    *value = a > b ? a : b;
    return true;
  case DC_OP_UMIN:
    *value = ua < ub ? a : b;
    return true;
  case DC_OP_UMAX:
    *value = ua > ub ? a : b;
    return true;
  case DC_OP_EQ:
    *value = a == b;
    return true;
  case DC_OP_NE:
    *value = a != b;
    return true;
  case DC_OP_ULT:
    *value = ua < ub;
    return true;
  case DC_OP_ULE:
    *value = ua <= ub;
    return true;
  case DC_OP_SLT:
    *value = a < b;
    return true;
  case DC_OP_SLE:
    *value = a <= b;
    return true;
  case DC_OP_STEPS:
    *value = a <= 0 ? 0 : b > 0 ? (a - 1) / b + 1 : 0;
    return b > 0; // without a step of that sign nothing is said
  case DC_OP_USTEPS:
    if (b > 0)
      *value = (int64_t)(ua / ub + (ua % ub != 0));
    return b > 0;
  default:
    return false;
  }
}

// The least of two counts; one of them bounds it.
static knowledge least_of(scene *s, const dc_expr_node *node, const search *in, int64_t *value) {
  int64_t a = 0, b = 0;
  knowledge of_a = value_of(s, node->a, in, &a), of_b = value_of(s, node->b, in, &b);
  bool a_less = zero_extend(a, node->bits) < zero_extend(b, node->bits);
  if (of_a == NOTHING || of_b == NOTHING) {
    *value = of_a == NOTHING ? b : a;
    if (*value == 0 && (of_a == EXACTLY || of_b == EXACTLY))
      return EXACTLY;
    return of_a == of_b ? NOTHING : AT_MOST;
  }
  *value = a_less ? a : b;
  return of_a == EXACTLY && of_b == EXACTLY ? EXACTLY : AT_MOST;
}

// A sum as a number. Of one that has no place in 64 bits nothing is said (limits.md, "very long
// loops").
static knowledge distance_of(scene *s, dc_expr e, const search *in, int64_t *value) {
  const dc_expr_node *node = &s->kernel->pool.nodes[e];
  int64_t a, b;
  if (node->op != DC_OP_ADD && node->op != DC_OP_SUB && node->op != DC_OP_MUL)
    return value_of(s, e, in, value);
  if (distance_of(s, node->a, in, &a) != EXACTLY || distance_of(s, node->b, in, &b) != EXACTLY)
    return value_of(s, e, in, value) == AT_MOST ? AT_MOST : NOTHING;
  bool overflows = node->op == DC_OP_ADD   ? __builtin_add_overflow(a, b, value)
                   : node->op == DC_OP_SUB ? __builtin_sub_overflow(a, b, value)
                                           : __builtin_mul_overflow(a, b, value);
  return overflows ? NOTHING : EXACTLY;
}

// max(x + 1, x) where x is the largest number: a loop has no way past it (limits.md, "wrapping").
static bool passes_largest(const dc_expr_node *node, int64_t a, int64_t b) {
  return node->op == DC_OP_UMAX && node->bits == 64 && a == 0 && b == -1;
}

static knowledge operate(scene *s, const dc_expr_node *node, const search *in, int64_t *value) {
  int64_t a, b = 0;
  unsigned bits = s->kernel->pool.nodes[node->a].bits;
  knowledge of_a = node->op == DC_OP_STEPS && bits == 64 ? distance_of(s, node->a, in, &a)
                                                         : value_of(s, node->a, in, &a);
  knowledge of_b = node->b == DC_NO_EXPR ? EXACTLY : value_of(s, node->b, in, &b);
  if ((node->op == DC_OP_AND || node->op == DC_OP_OR) && of_a != of_b) {
    int64_t decides = node->op == DC_OP_AND ? 0 : -1; // whatever the other is
    *value = decides;
    return (of_a == EXACTLY && a == decides) || (of_b == EXACTLY && b == decides) ? EXACTLY
                                                                                  : NOTHING;
  }
  if (of_a == AT_MOST && of_b == EXACTLY && node->op == DC_OP_ADD && a >= 0 && b >= 0) {
    *value = a + b; // "and the iteration that is ended in its middle"
    return AT_MOST;
  }
  if (of_a != EXACTLY || of_b != EXACTLY || passes_largest(node, a, b))
    return NOTHING;
  if (node->op == DC_OP_ZEXT || node->op == DC_OP_TRUNC || node->op == DC_OP_SEXT)
    *value = node->op == DC_OP_ZEXT ? (int64_t)zero_extend(a, bits) : a;
  else if (!apply(node, bits, a, b, value))
    return NOTHING;
  *value = sign_extend((uint64_t)*value, node->bits);
  return EXACTLY;
}

static knowledge value_of(scene *s, dc_expr e, const search *in, int64_t *value) {
  if (s->steps == 0)
    return NOTHING;
  --s->steps;
  const dc_expr_node *node = &s->kernel->pool.nodes[e];
  int64_t a;
  switch ((dc_expr_op)node->op) {
  case DC_OP_CONST:
  case DC_OP_PARAM:
  case DC_OP_TID:
  case DC_OP_NTID:
  case DC_OP_CTAID:
  case DC_OP_NCTAID:
  case DC_OP_LANE:
  case DC_OP_IV:
  case DC_OP_CARRIED:
  case DC_OP_ICARRIED:
  case DC_OP_OPAQUE:
    return read_leaf(s, node, in, value);
  case DC_OP_LOAD:
    return node->a != DC_NO_EXPR && value_of(s, node->a, in, &a) == EXACTLY &&
                   s->read((uint64_t)a, node->bits, value)
               ? EXACTLY
               : NOTHING;
  case DC_OP_SELECT:
    if (value_of(s, node->a, in, &a) != EXACTLY)
      return NOTHING;
    return value_of(s, a ? node->b : node->c, in, value);
  case DC_OP_FIRST:
  case DC_OP_IRUN:
    return search_first(s, node, in, value);
  case DC_OP_UMIN:
    return least_of(s, node, in, value);
  default:
    return operate(s, node, in, value);
  }
}

knowledge evaluate(scene *s, dc_expr e, int64_t *value) {
  return e == DC_NO_EXPR ? NOTHING : value_of(s, e, NULL, value);
}
