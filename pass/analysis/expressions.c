// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The symbolic expression of every number and pointer of a function, built once per value in
// reverse post-order. A value carried round a loop is expressed by the iteration where each
// iteration changes it alike: by an invariant sum (init + step * iv), or by a shift (init >> iv).
// LLVM's scalar evolution isn't used: it gives up on steps that may wrap, which is half of the
// strided loops of real code, and costs more than all of this.
//
// Not handled, and opaque: values changed conditionally or multiplied each time, floating-point
// numbers that iterations carry on (but see carried.c), vectors.
#include "analysis/analysis.h"

#include <stdlib.h>

enum { JOINED_NODES = 100 }; // of what ways that meet have made

static const ssa_value *value_of(const dcp_analysis *analysis, uint32_t value) {
  return &analysis->function->values[value];
}

static uint32_t operand(const dcp_analysis *analysis, const ssa_value *value, uint32_t k) {
  return ssa_operand(analysis->function, value, k);
}

static bool block_in_loop(const ssa_function *function, uint32_t block, uint32_t loop) {
  return block != DC_NONE && ssa_loop_contains(function, loop, function->blocks[block].loop);
}

static bool is_invariant_value(const dcp_analysis *analysis, uint32_t value, uint32_t loop,
                               unsigned depth) {
  const ssa_value *v = value_of(analysis, value);
  if (!block_in_loop(analysis->function, v->block, loop))
    return true;
  if ((v->op != SSA_EXPR && v->op != SSA_PURE && v->op != SSA_SREG) || depth == 0)
    return false;
  for (uint32_t k = 0; k < v->n_operands; ++k)
    if (!is_invariant_value(analysis, operand(analysis, v, k), loop, depth - 1))
      return false;
  return true;
}

bool dcp_is_invariant_value(const dcp_analysis *analysis, uint32_t value, uint32_t loop) {
  return is_invariant_value(analysis, value, loop, 8);
}

// A recurrence: what one iteration does to the value of a phi.
typedef struct recurrence {
  dc_expr_op op; // DC_OP_ADD, DC_OP_SUB, or a shift; DC_OP_COUNT: none of these
  uint32_t step; // value
} recurrence;

static int64_t constant_operand(const dcp_analysis *analysis, const ssa_value *v, uint32_t k) {
  const ssa_value *of = value_of(analysis, operand(analysis, v, k));
  return of->op == SSA_CONST ? of->i : -1;
}

// Whether a value keeps these low bits of its first operand alone.
static bool keeps_low_bits(const dcp_analysis *analysis, const ssa_value *v, unsigned bits) {
  if (v->op != SSA_EXPR)
    return false;
  switch ((dc_expr_op)v->expr) {
  case DC_OP_TRUNC:
    return v->bits <= bits;
  case DC_OP_SHL:
    return constant_operand(analysis, v, 1) >= (int64_t)v->bits - (int64_t)bits;
  case DC_OP_AND: {
    int64_t mask = constant_operand(analysis, v, 1);
    return mask >= 0 && mask >> bits == 0;
  }
  default:
    return false;
  }
}

// Whether its low bits are made of its operands' alone.
static bool is_sum(const ssa_value *v) {
  return v->op == SSA_EXPR &&
         (v->expr == DC_OP_ADD || v->expr == DC_OP_SUB || v->expr == DC_OP_MUL ||
          v->expr == DC_OP_SEXT || v->expr == DC_OP_ZEXT);
}

// Whether nothing sees what stands above these bits of a counter, or of a sum with it. O(values of
// the function), for each sum.
static bool is_used_in_low_bits(const dcp_analysis *analysis, uint32_t value, uint32_t counter,
                                unsigned bits, unsigned depth) {
  const ssa_function *f = analysis->function;
  for (uint32_t n = 0; n < f->n_values; ++n) {
    const ssa_value *v = &f->values[n];
    for (uint32_t k = 0; k < v->n_operands; ++k) {
      if (operand(analysis, v, k) != value || n == counter ||
          (k == 0 && keeps_low_bits(analysis, v, bits)))
        continue;
      if (!is_sum(v) || depth == 0 || !is_used_in_low_bits(analysis, n, counter, bits, depth - 1))
        return false;
    }
  }
  return true;
}

// Looks through what narrows a 64-bit counter to int and back; such a counter doesn't leave int.
// One that is narrowed to less comes round: then it must be less that is used of it.
static uint32_t without_narrowing(const dcp_analysis *analysis, uint32_t value) {
  unsigned bits;
  uint32_t of = ssa_narrowed(analysis->function, value, &bits);
  bool whole = of != DC_NONE && (bits >= 32 || is_used_in_low_bits(analysis, of, of, bits, 2));
  return whole ? of : value;
}

// What `next` does to `phi`. A counter of int that is kept in 64 bits or stepped in 64 bits is
// followed through its casts.
static recurrence find_recurrence(const dcp_analysis *analysis, uint32_t phi, uint32_t next,
                                  uint32_t loop) {
  const recurrence none = {DC_OP_COUNT, DC_NONE};
  const ssa_value *v = value_of(analysis, next);
  if (v->op == SSA_EXPR && v->expr == DC_OP_TRUNC) {
    // trunc(sext(phi) + step): the step is cut instead; the caller's expression has the phi's width
    const ssa_value *wide = value_of(analysis, operand(analysis, v, 0));
    if (wide->op == SSA_EXPR && wide->expr == DC_OP_ADD)
      for (uint32_t k = 0; k < 2; ++k) {
        const ssa_value *cast = value_of(analysis, operand(analysis, wide, k));
        if (cast->op == SSA_EXPR && (cast->expr == DC_OP_SEXT || cast->expr == DC_OP_ZEXT) &&
            operand(analysis, cast, 0) == phi &&
            is_invariant_value(analysis, operand(analysis, wide, 1 - k), loop, 8))
          return (recurrence){DC_OP_ADD, operand(analysis, wide, 1 - k)};
      }
    return none;
  }
  if (v->op != SSA_EXPR || v->n_operands != 2)
    return none;
  dc_expr_op op = (dc_expr_op)v->expr;
  bool sum = op == DC_OP_ADD || op == DC_OP_SUB;
  if (!sum && op != DC_OP_SHL && op != DC_OP_LSHR && op != DC_OP_ASHR && op != DC_OP_SDIV &&
      op != DC_OP_UDIV)
    return none;
  for (uint32_t k = 0; k < (op == DC_OP_ADD ? 2u : 1u); ++k) {
    uint32_t step = operand(analysis, v, 1 - k);
    // What is narrowed in each iteration may as well be so at the end, unless high bits come down.
    uint32_t from =
        sum ? without_narrowing(analysis, operand(analysis, v, k)) : operand(analysis, v, k);
    if (from == phi && is_invariant_value(analysis, step, loop, 8))
      return (recurrence){op, step};
  }
  return none;
}

bool dcp_is_own_leaf(const dcp_analysis *analysis, uint32_t value) {
  dc_expr e = analysis->exprs[value];
  if (e == DC_NO_EXPR)
    return true;
  const dc_expr_node *node = &analysis->pool.nodes[e];
  return (node->op == DC_OP_LOAD || node->op == DC_OP_OPAQUE) && node->i == value;
}

static dc_expr leaf(dcp_analysis *analysis, dc_expr_op op, unsigned bits, int64_t i) {
  return dc_expr_leaf(&analysis->pool, op, bits, DC_UNIFORM, i);
}

static dc_expr opaque(dcp_analysis *analysis, uint32_t value) {
  return leaf(analysis, DC_OP_OPAQUE, value_of(analysis, value)->bits, value);
}

static dc_expr expr_of(dcp_analysis *analysis, uint32_t value);

// A number cut or widened to the width that is wanted.
static dc_expr at_width(dcp_analysis *analysis, dc_expr e, unsigned bits) {
  if (e == DC_NO_EXPR || analysis->pool.nodes[e].bits == bits)
    return e;
  return dc_expr_cast(&analysis->pool,
                      analysis->pool.nodes[e].bits < bits ? DC_OP_SEXT : DC_OP_TRUNC, bits, e);
}

// Shifted again and again, or divided by two, which is divided by a power of two. An iteration
// of 8 bits is 0 again after 256 of them, when sums are the same again and shifts aren't.
static dc_expr shifted_expr(dcp_analysis *analysis, dc_expr_op op, dc_expr start, dc_expr step,
                            unsigned bits, uint32_t loop) {
  dc_expr_pool *pool = &analysis->pool;
  unsigned wide = bits < 32 ? 32 : bits;
  dc_expr_op cast = op == DC_OP_ASHR || op == DC_OP_SDIV ? DC_OP_SEXT : DC_OP_ZEXT;
  dc_expr iteration = leaf(analysis, DC_OP_IV, wide, loop), by;
  if (start == DC_NO_EXPR || step == DC_NO_EXPR)
    return DC_NO_EXPR;
  if (op == DC_OP_UDIV || op == DC_OP_SDIV) {
    if (pool->nodes[step].op != DC_OP_CONST || pool->nodes[step].i != 2)
      return DC_NO_EXPR;
    by = dc_expr_binary(pool, DC_OP_SHL, dc_expr_constant(pool, wide, 1), iteration);
  } else {
    by = dc_expr_binary(pool, DC_OP_MUL, iteration, dc_expr_cast(pool, DC_OP_ZEXT, wide, step));
  }
  dc_expr shifted = dc_expr_binary(pool, op, dc_expr_cast(pool, cast, wide, start), by);
  return bits == wide ? shifted : dc_expr_cast(pool, DC_OP_TRUNC, bits, shifted);
}

static dc_expr recurrence_expr(dcp_analysis *analysis, uint32_t phi, recurrence r, uint32_t init,
                               uint32_t loop) {
  dc_expr_pool *pool = &analysis->pool;
  unsigned bits = value_of(analysis, phi)->bits;
  dc_expr start = at_width(analysis, expr_of(analysis, init), bits);
  dc_expr step = at_width(analysis, expr_of(analysis, r.step), bits);
  if (r.op != DC_OP_ADD && r.op != DC_OP_SUB)
    return shifted_expr(analysis, r.op, start, step, bits, loop);
  dc_expr iteration = leaf(analysis, DC_OP_IV, bits, loop);
  return dc_expr_binary(pool, r.op, start, dc_expr_binary(pool, DC_OP_MUL, iteration, step));
}

// start + iteration * what an iteration adds, in several sums or in inner loops.
static dc_expr summed_expr(dcp_analysis *analysis, uint32_t phi, uint32_t init, uint32_t loop) {
  dc_expr_pool *pool = &analysis->pool;
  dc_expr step = dcp_steps_of_iteration(analysis, phi, loop);
  if (step == DC_NO_EXPR)
    return DC_NO_EXPR;
  dc_expr iteration = leaf(analysis, DC_OP_IV, pool->nodes[step].bits, loop);
  return dc_expr_binary(pool, DC_OP_ADD, expr_of(analysis, init),
                        dc_expr_binary(pool, DC_OP_MUL, iteration, step));
}

// One value in the first iteration and another, always the same, in the others: what instcombine
// makes of a counter that can pass its bound but once.
static dc_expr first_or_later(dcp_analysis *analysis, uint32_t phi, uint32_t init, uint32_t later,
                              uint32_t loop) {
  dc_expr_pool *pool = &analysis->pool;
  analysis->exprs[phi] = opaque(analysis, phi);
  dc_expr a = expr_of(analysis, init), b = expr_of(analysis, later);
  if (a == DC_NO_EXPR || b == DC_NO_EXPR)
    return opaque(analysis, phi);
  // A flag that isn't a constant says more by itself.
  bool flag = value_of(analysis, phi)->bits == 1;
  if (flag && (pool->nodes[a].op != DC_OP_CONST || pool->nodes[b].op != DC_OP_CONST))
    return opaque(analysis, phi);
  dc_expr first = dc_expr_binary(pool, DC_OP_EQ, leaf(analysis, DC_OP_IV, 32, loop),
                                 dc_expr_constant(pool, 32, 0));
  dc_expr e =
      dc_expr_apply(pool, DC_OP_SELECT, value_of(analysis, phi)->bits, DC_UNIFORM, first, a, b, 0);
  return e == DC_NO_EXPR ? opaque(analysis, phi) : e;
}

// Whether an expression is made of the launch, parameters and iterations, and short: its nodes as a
// tree are taken from *left.
static bool is_short_and_known(const dc_expr_pool *pool, dc_expr e, unsigned *left) {
  if (e == DC_NO_EXPR || *left == 0)
    return false;
  --*left;
  const dc_expr_node *node = &pool->nodes[e];
  const dc_expr operands[] = {node->a, node->b, node->c};
  if (node->op == DC_OP_LOAD || node->op == DC_OP_OPAQUE)
    return false;
  for (unsigned k = 0; k < 3; ++k)
    if (operands[k] != DC_NO_EXPR && !is_short_and_known(pool, operands[k], left))
      return false;
  return true;
}

// Which successor of a branch an edge into a join comes from; DC_NONE: not from one alone.
static uint32_t side_of(const ssa_function *f, uint32_t branch, uint32_t from, uint32_t join) {
  const ssa_block *b = &f->blocks[branch];
  uint32_t side = DC_NONE;
  for (uint32_t s = 0; s < b->n_successors; ++s) {
    uint32_t to = f->edges[b->first_successor + s];
    bool by_it = from == branch ? to == join
                                : to != join && f->blocks[to].n_predecessors == 1 &&
                                      dcp_dominates(f, to, from);
    if (by_it && side != DC_NONE)
      return DC_NONE;
    side = by_it ? s : side;
  }
  return side;
}

// What has one value behind one side of a branch and another behind the other.
static dc_expr joined_expr(dcp_analysis *analysis, uint32_t value) {
  const ssa_function *f = analysis->function;
  const ssa_value *v = value_of(analysis, value);
  uint32_t branch = f->blocks[v->block].dominator;
  if (v->n_operands != 2 || branch == DC_NONE ||
      f->blocks[branch].loop != f->blocks[v->block].loop ||
      f->blocks[branch].condition == DC_NONE || f->blocks[branch].is_switch)
    return DC_NO_EXPR;
  uint32_t side = side_of(f, branch, f->incoming[v->first_operand], v->block);
  uint32_t other = side_of(f, branch, f->incoming[v->first_operand + 1], v->block);
  if (side == DC_NONE || other == DC_NONE || side == other)
    return DC_NO_EXPR;
  dc_expr condition = expr_of(analysis, f->blocks[branch].condition);
  dc_expr of_true = expr_of(analysis, operand(analysis, v, side == 0 ? 0 : 1));
  dc_expr of_false = expr_of(analysis, operand(analysis, v, side == 0 ? 1 : 0));
  unsigned left = JOINED_NODES;
  if (!is_short_and_known(&analysis->pool, condition, &left) ||
      !is_short_and_known(&analysis->pool, of_true, &left) ||
      !is_short_and_known(&analysis->pool, of_false, &left))
    return DC_NO_EXPR;
  return dc_expr_apply(&analysis->pool, DC_OP_SELECT, v->bits, DC_UNIFORM, condition, of_true,
                       of_false, 0);
}

static dc_expr phi_expr(dcp_analysis *analysis, uint32_t value) {
  const ssa_function *f = analysis->function;
  const ssa_value *v = value_of(analysis, value);
  uint32_t loop = f->blocks[v->block].loop;
  if (v->n_operands == 1) { // what a loop leaves behind: expressible if it doesn't change there
    dc_expr e = expr_of(analysis, operand(analysis, v, 0));
    uint32_t from = f->blocks[f->incoming[v->first_operand]].loop;
    while (from != DC_NONE && !ssa_loop_contains(f, from, loop)) {
      if (e != DC_NO_EXPR && !dcp_is_invariant(analysis, e, from))
        return opaque(analysis, value);
      from = f->loops[from].parent;
    }
    return e;
  }
  bool header = loop != DC_NONE && f->loops[loop].header == v->block && !f->loops[loop].irreducible;
  if (!header && !v->real) {
    dc_expr e = joined_expr(analysis, value);
    return e == DC_NO_EXPR ? opaque(analysis, value) : e;
  }
  if (!header || v->n_operands != 2 || v->real)
    return opaque(analysis, value);
  uint32_t back = block_in_loop(f, f->incoming[v->first_operand], loop) ? 0 : 1;
  if (block_in_loop(f, f->incoming[v->first_operand + 1 - back], loop))
    return opaque(analysis, value);
  uint32_t next = operand(analysis, v, back), init = operand(analysis, v, 1 - back);
  if (is_invariant_value(analysis, next, loop, 0))
    return first_or_later(analysis, value, init, next, loop);
  recurrence r = find_recurrence(analysis, value, next, loop);
  // While the start and the step are looked at, the phi stands for itself.
  analysis->exprs[value] = opaque(analysis, value);
  dc_expr e = r.op == DC_OP_COUNT ? summed_expr(analysis, value, init, loop)
                                  : recurrence_expr(analysis, value, r, init, loop);
  return e == DC_NO_EXPR ? opaque(analysis, value) : e;
}

// sext(a + b) is sext(a) + sext(b) where the sum can't wrap: then what two ends share can cancel.
static dc_expr widen(dcp_analysis *analysis, const ssa_value *v) {
  dc_expr_pool *pool = &analysis->pool;
  dc_expr_op op = (dc_expr_op)v->expr;
  const ssa_value *inner = value_of(analysis, operand(analysis, v, 0));
  unsigned flag = op == DC_OP_SEXT ? SSA_NO_SIGNED_WRAP : SSA_NO_UNSIGNED_WRAP;
  bool splits = inner->op == SSA_EXPR && (inner->no_wrap & flag) &&
                (inner->expr == DC_OP_ADD || inner->expr == DC_OP_SUB || inner->expr == DC_OP_MUL);
  if (!splits)
    return dc_expr_cast(pool, op, v->bits, expr_of(analysis, operand(analysis, v, 0)));
  dc_expr a = dc_expr_cast(pool, op, v->bits, expr_of(analysis, operand(analysis, inner, 0)));
  dc_expr b = dc_expr_cast(pool, op, v->bits, expr_of(analysis, operand(analysis, inner, 1)));
  return dc_expr_binary(pool, (dc_expr_op)inner->expr, a, b);
}

static dc_expr arithmetic(dcp_analysis *analysis, uint32_t value) {
  const ssa_value *v = value_of(analysis, value);
  if ((v->expr == DC_OP_SEXT || v->expr == DC_OP_ZEXT) &&
      value_of(analysis, operand(analysis, v, 0))->bits < v->bits)
    return widen(analysis, v);
  dc_expr operands[3] = {DC_NO_EXPR, DC_NO_EXPR, DC_NO_EXPR};
  for (uint32_t k = 0; k < v->n_operands && k < 3; ++k)
    if ((operands[k] = expr_of(analysis, operand(analysis, v, k))) == DC_NO_EXPR)
      return DC_NO_EXPR;
  if ((v->expr == DC_OP_ZEXT || v->expr == DC_OP_TRUNC) &&
      analysis->pool.nodes[operands[0]].bits == v->bits)
    return operands[0]; // a copy
  return dc_expr_apply(&analysis->pool, (dc_expr_op)v->expr, v->bits, DC_UNIFORM, operands[0],
                       operands[1], operands[2], 0);
}

// A floating-point number that is some function of others: nobody evaluates it, but it differs
// between lanes only as far as these do.
static dc_expr function_expr(dcp_analysis *analysis, uint32_t value) {
  const ssa_value *v = value_of(analysis, value);
  dc_expr e = DC_NO_EXPR;
  for (uint32_t k = 0; k < v->n_operands; ++k) {
    dc_expr next = expr_of(analysis, operand(analysis, v, k));
    if (next == DC_NO_EXPR)
      return DC_NO_EXPR;
    e = dc_expr_apply(&analysis->pool, DC_OP_FUNCTION, v->bits, DC_UNIFORM,
                      e == DC_NO_EXPR ? next : e, next, DC_NO_EXPR, value);
  }
  return e;
}

static dc_expr build(dcp_analysis *analysis, uint32_t value) {
  const ssa_value *v = value_of(analysis, value);
  switch ((ssa_op)v->op) {
  case SSA_CONST:
    return dc_expr_constant(&analysis->pool, v->bits, v->i);
  case SSA_ARGUMENT:
    return analysis->function->is_kernel ? leaf(analysis, DC_OP_PARAM, v->bits, v->i)
                                         : opaque(analysis, value);
  case SSA_SREG:
    return leaf(analysis, (dc_expr_op)v->expr, v->bits, v->i);
  case SSA_PHI:
    return phi_expr(analysis, value);
  case SSA_LOAD: {
    dc_expr address = expr_of(analysis, operand(analysis, v, 0));
    return dc_expr_apply(&analysis->pool, DC_OP_LOAD, v->bits, DC_UNIFORM, address, DC_NO_EXPR,
                         DC_NO_EXPR, value);
  }
  case SSA_EXPR: {
    dc_expr e = arithmetic(analysis, value);
    return e == DC_NO_EXPR ? opaque(analysis, value) : e;
  }
  case SSA_PURE: {
    dc_expr e = v->real ? function_expr(analysis, value) : DC_NO_EXPR;
    return e == DC_NO_EXPR ? opaque(analysis, value) : e;
  }
  case SSA_CONSTANT:
  case SSA_FETCH:
  case SSA_SOURCE:
  case SSA_STORE:
  case SSA_ATOMIC:
  case SSA_LOCAL:
  case SSA_VOTE:
  case SSA_SHUFFLE:
  case SSA_ALIKE:
  case SSA_ACTIVEMASK:
  case SSA_BARRIER:
  case SSA_WARPSYNC:
  case SSA_UNKNOWN:
  case SSA_EFFECT:
    return opaque(analysis, value);
  }
  return DC_NO_EXPR;
}

static dc_expr expr_of(dcp_analysis *analysis, uint32_t value) {
  if (analysis->exprs[value] == DC_NO_EXPR && value_of(analysis, value)->bits > 0) {
    analysis->exprs[value] = build(analysis, value);
    if (analysis->exprs[value] == DC_NO_EXPR)
      analysis->out_of_memory = true;
  }
  return analysis->exprs[value];
}

dc_expr dcp_expr_of(dcp_analysis *analysis, uint32_t value) { return expr_of(analysis, value); }

void dcp_build_expressions(dcp_analysis *analysis) {
  const ssa_function *f = analysis->function;
  for (uint32_t value = 0; value < f->n_values; ++value)
    if (f->values[value].block == DC_NONE)
      expr_of(analysis, value);
  // Operands come first in reverse post-order, so the recursion only goes deep at back edges.
  for (uint32_t k = 0; k < f->n_in_order; ++k) {
    const ssa_block *block = &f->blocks[f->in_order[k]];
    for (uint32_t n = 0; n < block->n_values; ++n) {
      uint32_t value = f->block_values[block->first_value + n];
      expr_of(analysis, value);
      analysis->node_end[value] = analysis->pool.count;
    }
  }
}

// Where the loop form is kept (LCSSA), the loops that an expression's leaves change in are nested
// in each other: the deepest says it all.
static uint32_t deeper(const ssa_function *f, uint32_t a, uint32_t b) {
  if (a == DC_NONE || (b != DC_NONE && f->loops[b].depth > f->loops[a].depth))
    return b;
  return a;
}

static uint32_t loop_of_node(const dcp_analysis *analysis, const dc_expr_node *node) {
  const ssa_function *f = analysis->function;
  uint32_t loop = DC_NONE;
  const dc_expr operands[] = {node->a, node->b, node->c};
  for (unsigned k = 0; k < 3; ++k)
    if (operands[k] != DC_NO_EXPR)
      loop = deeper(f, loop, analysis->node_loop[operands[k]]);
  if (node->op == DC_OP_IV || dc_expr_op_is_carried((dc_expr_op)node->op))
    loop = (uint32_t)node->i;
  // What is read from memory that doesn't change is the same as long as the address is.
  bool fixed = node->op == DC_OP_LOAD && node->a != DC_NO_EXPR &&
               f->values[node->i].space == SSA_READONLY && !f->values[node->i].changing;
  if ((node->op == DC_OP_LOAD || node->op == DC_OP_OPAQUE) && !fixed &&
      f->values[node->i].block != DC_NONE)
    loop = deeper(f, loop, f->blocks[f->values[node->i].block].loop);
  bool search = dc_expr_op_is_search((dc_expr_op)node->op);
  if (search && loop != DC_NONE && ssa_loop_contains(f, (uint32_t)node->i, loop))
    loop = f->loops[node->i].parent; // it binds the iteration of its own loop
  return loop;
}

bool dcp_is_invariant(dcp_analysis *analysis, dc_expr e, uint32_t loop) {
  if (e == DC_NO_EXPR)
    return false;
  if (analysis->n_node_loops <= e) {
    uint32_t count = analysis->pool.count;
    uint32_t *grown = realloc(analysis->node_loop, count * sizeof *grown);
    if (!grown) {
      analysis->out_of_memory = true;
      return false;
    }
    analysis->node_loop = grown;
    for (; analysis->n_node_loops < count; ++analysis->n_node_loops)
      grown[analysis->n_node_loops] =
          loop_of_node(analysis, &analysis->pool.nodes[analysis->n_node_loops]);
  }
  uint32_t changes_in = analysis->node_loop[e];
  return changes_in == DC_NONE || !ssa_loop_contains(analysis->function, loop, changes_in);
}
