// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The most trips that a loop can have: interval arithmetic over its expressions. An interval is of
// the signed values that a node of its width can take; whatever may wrap has all of them. Loads and
// opaque values have their width only, so that it is minima, masks, divisions and extensions of
// narrow types that bound anything.
#include "divcost/kernel.h"

#include "expr/expr_internal.h"

#define NODES_MAX 2000 // visited for one loop
#define DEPTH_MAX 64

typedef struct interval {
  int64_t low, high;
} interval;

typedef struct search {
  const dc_kernel *kernel;
  unsigned left; // nodes that may still be visited
  bool alone;    // what is bounded is the loop's only way out: it happens
} search;

static interval all_of(unsigned bits) {
  int64_t high = (int64_t)((UINT64_C(1) << ((bits - 1) & 63)) - 1);
  return (interval){-high - 1, high};
}

// The values of an unsigned number, where these fit the sign.
static interval unsigned_of(unsigned bits) {
  return bits >= 64 ? all_of(64) : (interval){0, (int64_t)((UINT64_C(1) << bits) - 1)};
}

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

static interval within(interval x, unsigned bits) {
  interval all = all_of(bits);
  return x.low < all.low || x.high > all.high ? all : x;
}

static bool adds(int64_t a, int64_t b) { return b >= 0 ? a <= INT64_MAX - b : a >= INT64_MIN - b; }

static interval add(interval a, interval b, unsigned bits) {
  if (!adds(a.low, b.low) || !adds(a.high, b.high))
    return all_of(bits);
  return within((interval){a.low + b.low, a.high + b.high}, bits);
}

static interval subtract(interval a, interval b, unsigned bits) {
  if (b.low == INT64_MIN)
    return all_of(bits);
  return add(a, (interval){-b.high, -b.low}, bits);
}

// Products of numbers of 31 bits; larger ones are not looked at.
static interval multiply(interval a, interval b, unsigned bits) {
  const int64_t small = INT64_C(1) << 31;
  if (a.low < -small || a.high > small || b.low < -small || b.high > small)
    return all_of(bits);
  int64_t p = a.low * b.low, q = a.low * b.high, r = a.high * b.low, s = a.high * b.high;
  return within(
      (interval){smaller(smaller(p, q), smaller(r, s)), larger(larger(p, q), larger(r, s))}, bits);
}

static interval divide(interval a, interval b, bool is_signed, unsigned bits) {
  if (b.low < 1)
    return all_of(bits);
  if (a.low >= 0)
    return (interval){a.low / b.high, a.high / b.low};
  if (is_signed)
    return (interval){a.low / b.low, a.high < 0 ? a.high / b.high : a.high / b.low};
  uint64_t most = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
  return b.low < 2 ? all_of(bits) : (interval){0, (int64_t)(most / (uint64_t)b.low)};
}

static interval remainder_of(interval a, interval b, bool is_signed, unsigned bits) {
  if (b.low < 1)
    return all_of(bits);
  interval rest = {0, b.high - 1};
  if (a.low >= 0)
    return (interval){0, smaller(a.high, rest.high)};
  if (is_signed)
    rest.low = larger(a.low, -rest.high);
  return rest;
}

// Shifts to the right, by what is in range.
static interval shift_right(interval a, interval by, bool is_signed, unsigned bits) {
  if (by.low < 0 || by.high >= bits)
    return all_of(bits);
  if (a.low >= 0)
    return (interval){a.low >> by.high, a.high >> by.low};
  if (!is_signed && by.low > 0)
    return (interval){
        0, (int64_t)((bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1) >> (unsigned)by.low)};
  return is_signed ? (interval){a.low, larger(a.high, 0)} : all_of(bits);
}

static interval shift_left(interval a, interval by, unsigned bits) {
  if (by.low != by.high || by.low < 0 || by.low > 30)
    return all_of(bits);
  int64_t factor = INT64_C(1) << by.low;
  return multiply(a, (interval){factor, factor}, bits);
}

static interval mask(interval a, interval b, unsigned bits) {
  if (a.low < 0 && b.low < 0)
    return all_of(bits);
  if (a.low < 0 || b.low < 0)
    return (interval){0, a.low < 0 ? b.high : a.high};
  return (interval){0, smaller(a.high, b.high)};
}

// Of or and xor.
static interval join_bits(interval a, interval b, unsigned bits) {
  if (a.low < 0 || b.low < 0)
    return all_of(bits);
  uint64_t most = (uint64_t)(a.high | b.high), ones = 0;
  while (ones < most)
    ones = 2 * ones + 1;
  return (interval){0, (int64_t)ones};
}

// A number with its sign is the least where it is the only one that isn't huge when taken without.
static interval unsigned_minimum(interval a, interval b, unsigned bits) {
  if (a.low < 0 && b.low < 0)
    return all_of(bits);
  if (a.low < 0 || b.low < 0)
    return (interval){0, a.low < 0 ? b.high : a.high};
  return (interval){smaller(a.low, b.low), smaller(a.high, b.high)};
}

static interval steps(interval distance, interval length, unsigned bits) {
  if (length.low < 1)
    return all_of(bits);
  interval result = {0, 0};
  if (distance.low > 0)
    result.low = (distance.low - 1) / length.high + 1;
  if (distance.high > 0)
    result.high = (distance.high - 1) / length.low + 1;
  return result;
}

static int64_t most_trips(search *s, uint32_t loop, unsigned depth);

static interval leaf(search *s, const dc_expr_node *node, unsigned depth) {
  const dc_kernel *kernel = s->kernel;
  interval all = all_of(node->bits);
  int64_t most;
  switch ((dc_expr_op)node->op) {
  case DC_OP_CONST:
    return (interval){node->i, node->i};
  case DC_OP_PARAM:
    if (node->i < 0 || node->i >= (int64_t)kernel->n_params || !kernel->params[node->i].known)
      return all;
    most = dc__sign_extend((uint64_t)kernel->params[node->i].value, node->bits);
    return (interval){most, most};
  case DC_OP_TID:
    return within((interval){0, node->i == 2 ? 63 : 1023}, node->bits);
  case DC_OP_NTID:
    return within((interval){1, node->i == 2 ? 64 : 1024}, node->bits);
  case DC_OP_CTAID:
    return within((interval){0, INT32_MAX - 1}, node->bits);
  case DC_OP_NCTAID:
    return within((interval){1, INT32_MAX}, node->bits);
  case DC_OP_LANE:
    return within((interval){0, 31}, node->bits);
  case DC_OP_IV: // of a loop around; of another one, the loop's own among them, nothing is known
    most = node->i >= 0 && node->i < (int64_t)kernel->n_loops
               ? most_trips(s, (uint32_t)node->i, depth)
               : -1;
    return most < 1 ? all : within((interval){0, most}, node->bits);
  default:
    return all;
  }
}

// Whether a condition follows from the iteration by shifts alone, which have nothing left to move
// after as many iterations as the widest of them has bits: then it doesn't change any more.
static bool only_shifts(search *s, dc_expr e, int64_t loop, unsigned depth, unsigned *bits) {
  const dc_expr_node *nodes = s->kernel->pool.nodes, *node = &nodes[e];
  if (node->op == DC_OP_IV)
    return node->i != loop;
  if (node->op <= DC_OP_OPAQUE)
    return true;
  if (depth > DEPTH_MAX || s->left == 0 || node->op >= DC_OP_FIRST)
    return false;
  --s->left;
  bool shifts = node->op == DC_OP_SHL || node->op == DC_OP_LSHR || node->op == DC_OP_ASHR;
  if (shifts && nodes[node->b].op == DC_OP_IV && nodes[node->b].i == loop) {
    *bits = node->bits > *bits ? node->bits : *bits;
    return only_shifts(s, node->a, loop, depth + 1, bits);
  }
  const dc_expr operands[] = {node->a, node->b, node->c};
  for (unsigned k = 0; k < 3; ++k)
    if (operands[k] != DC_NO_EXPR && !only_shifts(s, operands[k], loop, depth + 1, bits))
      return false;
  return true;
}

static interval bound(search *s, dc_expr e, unsigned depth);

// What is shifted until nothing is left has as many bits as its greatest value. Another condition
// that shifts alone decide about may never hold, where the loop can be left otherwise.
static interval first(search *s, const dc_expr_node *node, unsigned depth) {
  const dc_expr_node *nodes = s->kernel->pool.nodes, *holds = &nodes[node->a];
  unsigned bits = 0;
  if (!only_shifts(s, node->a, node->i, depth, &bits) || bits == 0)
    return all_of(node->bits);
  const dc_expr_node *shifted = holds->op == DC_OP_EQ ? &nodes[holds->a] : holds;
  bool holds_at_last = holds->op == DC_OP_EQ && shifted->op == DC_OP_LSHR &&
                       nodes[shifted->b].op == DC_OP_IV && nodes[holds->b].op == DC_OP_CONST &&
                       nodes[holds->b].i == 0;
  if (!holds_at_last && !s->alone)
    return all_of(node->bits);
  if (holds_at_last) {
    interval range = bound(s, shifted->a, depth + 1);
    for (unsigned least = 0; range.low >= 0 && least < bits; ++least)
      if (range.high >> least == 0)
        bits = least;
  }
  return (interval){0, bits};
}

static interval bound(search *s, dc_expr e, unsigned depth) {
  const dc_expr_pool *pool = &s->kernel->pool;
  const dc_expr_node *node = &pool->nodes[e];
  unsigned bits = node->bits;
  if (depth > DEPTH_MAX || s->left == 0)
    return all_of(bits);
  --s->left;
  if (node->op <= DC_OP_OPAQUE)
    return leaf(s, node, depth + 1);
  if (node->op == DC_OP_FIRST)
    return first(s, node, depth);
  if ((node->op >= DC_OP_EQ && node->op <= DC_OP_SLE) || node->op >= DC_OP_IRUN)
    return all_of(bits);
  dc_expr minuend = dc_expr_minuend(pool, e);
  if (minuend != DC_NO_EXPR) {
    interval from = bound(s, minuend, depth + 1), less = bound(s, node->b, depth + 1);
    if (from.low >= 0 && less.low >= 0)
      return (interval){larger(0, from.low - less.high), larger(0, from.high - less.low)};
  }
  s->alone &= node->op != DC_OP_UMIN;
  interval a = bound(s, node->a, depth + 1), b = {0, 0};
  unsigned narrow = pool->nodes[node->a].bits;
  if (node->b != DC_NO_EXPR)
    b = bound(s, node->b, depth + 1);
  switch ((dc_expr_op)node->op) {
  case DC_OP_ADD:
    return add(a, b, bits);
  case DC_OP_SUB:
    return subtract(a, b, bits);
  case DC_OP_MUL:
    return multiply(a, b, bits);
  case DC_OP_UDIV:
  case DC_OP_SDIV:
    return divide(a, b, node->op == DC_OP_SDIV, bits);
  case DC_OP_UREM:
  case DC_OP_SREM:
    return remainder_of(a, b, node->op == DC_OP_SREM, bits);
  case DC_OP_SHL:
    return shift_left(a, b, bits);
  case DC_OP_LSHR:
  case DC_OP_ASHR:
    return shift_right(a, b, node->op == DC_OP_ASHR, bits);
  case DC_OP_AND:
    return mask(a, b, bits);
  case DC_OP_OR:
  case DC_OP_XOR:
    return join_bits(a, b, bits);
  case DC_OP_SMIN:
    return (interval){smaller(a.low, b.low), smaller(a.high, b.high)};
  case DC_OP_SMAX:
    return (interval){larger(a.low, b.low), larger(a.high, b.high)};
  case DC_OP_UMIN:
    return unsigned_minimum(a, b, bits);
  case DC_OP_UMAX:
    return a.low < 0 || b.low < 0 ? all_of(bits)
                                  : (interval){larger(a.low, b.low), larger(a.high, b.high)};
  case DC_OP_SELECT:
    a = bound(s, node->c, depth + 1);
    return (interval){smaller(a.low, b.low), larger(a.high, b.high)};
  case DC_OP_ZEXT:
    return a.low < 0 ? unsigned_of(narrow) : a;
  case DC_OP_SEXT:
    return a;
  case DC_OP_TRUNC:
    return within(a, bits);
  case DC_OP_STEPS:
    return steps(a, b, bits);
  case DC_OP_USTEPS:
    return a.low < 0 ? all_of(bits) : steps(a, b, bits);
  default:
    return all_of(bits);
  }
}

// The high end of what bounds a count, or INT64_MAX. Counts of 64 bits have no sign: what may be
// below 0 is a distance modulo 2^64.
static int64_t most_of(search *s, dc_expr trips, unsigned depth) {
  interval range = bound(s, trips, depth);
  bool modular = s->kernel->pool.nodes[trips].bits == 64 && range.low < 0;
  return modular ? INT64_MAX : range.high;
}

static int64_t most_trips(search *s, uint32_t loop, unsigned depth) {
  const dc_kernel *kernel = s->kernel;
  const dc_loop *data = &kernel->loops[loop];
  int64_t most = INT64_MAX;
  if (depth > DEPTH_MAX)
    return -1;
  bool outer = s->alone, alone = data->n_exits == 1;
  s->alone = alone;
  if (data->trips != DC_NO_EXPR)
    most = most_of(s, data->trips, depth);
  for (uint32_t k = 0; k < data->n_exits; ++k) {
    dc_expr trips = kernel->exits[data->first_exit + k].trips;
    s->alone = alone;
    if (trips != DC_NO_EXPR)
      most = smaller(most, most_of(s, trips, depth));
  }
  s->alone = outer;
  return most < 0 || most >= DC_MOST_TRIPS ? -1 : most;
}

int64_t dc_most_trips(const dc_kernel *kernel, uint32_t loop) {
  search s = {kernel, NODES_MAX, false};
  return most_trips(&s, loop, 0);
}
