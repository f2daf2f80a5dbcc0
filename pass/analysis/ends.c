// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/ends.h"

#define DEPTH_MAX 12 // of sums in sums that are taken apart

typedef struct ends {
  dcp_analysis *analysis;
  uint32_t loop;
  bool assume;
  bool in_sum;     // that may wrap, or is cut
  bool ambiguous;  // nothing tells whether what was cut inside of a sum has a sign
  unsigned narrow; // bits that are looked at further out: what stands above them may be anything
  bool signed_sums, sums_may_wrap, counter_may_wrap;
} ends;

static bool integers(ends *s, uint32_t value, dc_expr_op cast, unsigned depth, dcp_polynomial *out);

static const ssa_value *value_at(const ends *s, uint32_t value) {
  return &s->analysis->function->values[value];
}

static unsigned flag_of(dc_expr_op cast) {
  return cast == DC_OP_ZEXT ? SSA_NO_UNSIGNED_WRAP : SSA_NO_SIGNED_WRAP;
}

static dc_expr_op other_cast(dc_expr_op cast) {
  return cast == DC_OP_ZEXT ? DC_OP_SEXT : DC_OP_ZEXT;
}

static dcp_polynomial nothing(void) { return (dcp_polynomial){.bits = 64}; }

// A value of which both readings are the same.
static bool has_no_sign(const dc_expr_node *node) {
  return node->op == DC_OP_TID || node->op == DC_OP_NTID || node->op == DC_OP_CTAID ||
         node->op == DC_OP_NCTAID || node->op == DC_OP_LANE || node->op == DC_OP_IV;
}

// Whether LLVM may have cut a value so that nothing tells which sign the program reads it with.
static bool is_cut(const dc_expr_pool *pool, dc_expr e, unsigned depth) {
  const dc_expr_node *node = &pool->nodes[e];
  switch ((dc_expr_op)node->op) {
  case DC_OP_TRUNC:
    return true;
  case DC_OP_SELECT:
    return depth == 0 || is_cut(pool, node->b, depth - 1) || is_cut(pool, node->c, depth - 1);
  case DC_OP_AND:
    if (pool->nodes[node->b].op == DC_OP_CONST && pool->nodes[node->b].i >= 0)
      return false;
    return depth == 0 || is_cut(pool, node->a, depth - 1) || is_cut(pool, node->b, depth - 1);
  case DC_OP_OR:
  case DC_OP_XOR:
    return depth == 0 || is_cut(pool, node->a, depth - 1) || is_cut(pool, node->b, depth - 1);
  default:
    return false;
  }
}

// One factor, widened; constants are numbers.
static bool factor(ends *s, dc_expr e, dc_expr_op cast, dcp_polynomial *out) {
  dc_expr_pool *pool = &s->analysis->pool;
  if (e == DC_NO_EXPR)
    return false;
  const dc_expr_node *node = &pool->nodes[e];
  bool cut = s->narrow && s->narrow < node->bits && node->op > DC_OP_OPAQUE;
  s->ambiguous |= s->in_sum && (cut || is_cut(pool, e, DEPTH_MAX));
  if (cut)
    e = dc_expr_cast(pool, DC_OP_TRUNC, s->narrow, e);
  else if (has_no_sign(node))
    cast = DC_OP_ZEXT;
  else if (s->narrow && s->narrow < node->bits)
    cast = DC_OP_SEXT; // where nothing wraps, it is a number near 0, on either side
  dc_expr wide = dc_expr_cast(pool, cast, 64, e);
  if (wide == DC_NO_EXPR)
    return false;
  node = &pool->nodes[wide];
  if (node->op == DC_OP_CONST)
    dcp_polynomial_constant(node->i, out);
  else
    dcp_polynomial_factor(wide, out);
  return true;
}

// x - 1 is x + -1, whatever the sign of x, and LLVM keeps no more of -1 than is looked at.
static int64_t small_constant(const ends *s, const ssa_value *v) {
  return dcp_wrap(v->i, s->narrow && s->narrow < v->bits ? s->narrow : v->bits);
}

// An operand of a sum or product.
static bool operand(ends *s, uint32_t value, dc_expr_op cast, bool fits, unsigned depth,
                    dcp_polynomial *out) {
  const ssa_value *v = value_at(s, value);
  if (v->op != SSA_CONST || (fits && !s->narrow))
    return integers(s, value, cast, depth - 1, out);
  dcp_polynomial_constant(small_constant(s, v), out);
  return true;
}

static bool operands_of(ends *s, const ssa_value *v, dc_expr_op cast, bool fits, unsigned depth,
                        dcp_polynomial *a, dcp_polynomial *b) {
  const uint32_t *operands = s->analysis->function->operands + v->first_operand;
  const ssa_value *right = value_at(s, operands[1]);
  if (v->expr == DC_OP_SHL) {
    if (right->op != SSA_CONST || right->i < 0 || right->i >= v->bits - 1)
      return false;
    dcp_polynomial_constant((int64_t)(UINT64_C(1) << right->i), b);
  } else if (!operand(s, operands[1], cast, fits, depth, b)) {
    return false;
  }
  if (v->expr == DC_OP_SUB) // 0xffffffff - x is one of a large number
    return integers(s, operands[0], cast, depth - 1, a);
  return operand(s, operands[0], cast, fits, depth, a);
}

// A sum is made of what its operands are if it doesn't wrap. Where only the other reading of its
// bits says so, that is the one that the program means: `cast` then changes a number's sign.
static bool operation(ends *s, uint32_t value, dc_expr_op cast, unsigned depth,
                      dcp_polynomial *out) {
  const ssa_value *v = value_at(s, value);
  bool fits = v->no_wrap & flag_of(cast), before = s->in_sum;
  bool fits_otherwise = !fits && (v->no_wrap & flag_of(other_cast(cast)));
  dcp_polynomial a = nothing(), b = nothing();
  if (!fits && !s->assume)
    return false;
  s->sums_may_wrap |= !fits;
  s->signed_sums |= fits_otherwise && cast == DC_OP_ZEXT;
  s->ambiguous |= !fits && v->bits < 32; // C computes in 32 bits at least, with signs LLVM has cut
  s->in_sum |= (!fits && !fits_otherwise) || s->narrow;
  bool found = operands_of(s, v, fits_otherwise ? other_cast(cast) : cast, fits, depth, &a, &b);
  s->in_sum = before;
  if (!found)
    return false;
  if (v->expr == DC_OP_MUL || v->expr == DC_OP_SHL)
    return dcp_polynomial_multiply(&a, &b, out);
  *out = nothing();
  return dcp_polynomial_add(out, &a, 1) &&
         dcp_polynomial_add(out, &b, v->expr == DC_OP_SUB ? -1 : 1);
}

// What is narrowed is taken to fit.
static bool narrowed(ends *s, uint32_t value, unsigned bits, dc_expr_op cast, unsigned depth,
                     dcp_polynomial *out) {
  unsigned before = s->narrow;
  s->narrow = before && before < bits ? before : bits;
  s->sums_may_wrap = true;
  s->ambiguous |= s->in_sum;
  bool found = s->assume && integers(s, value, cast, depth - 1, out);
  s->narrow = before;
  return found;
}

static bool conversion(ends *s, uint32_t value, dc_expr_op cast, unsigned depth,
                       dcp_polynomial *out) {
  const ssa_value *v = value_at(s, value);
  uint32_t inner = s->analysis->function->operands[v->first_operand];
  if (v->expr == DC_OP_TRUNC)
    return v->no_wrap & flag_of(cast) ? integers(s, inner, cast, depth - 1, out)
                                      : narrowed(s, inner, v->bits, cast, depth, out);
  bool widens = value_at(s, inner)->bits < v->bits;
  if (widens && s->narrow && s->narrow <= value_at(s, inner)->bits)
    return integers(s, inner, cast, depth - 1, out);
  bool fits = v->expr != DC_OP_SEXT || cast == DC_OP_SEXT; // a negative number loses its sign
  if (!widens || (!fits && !s->assume))
    return false;
  s->sums_may_wrap |= !fits;
  return integers(s, inner, (dc_expr_op)v->expr, depth - 1, out);
}

// Narrowed and widened again, as instcombine writes it: x << 16 >> 16, and x & 0xffff.
static bool mask(ends *s, uint32_t value, dc_expr_op cast, unsigned depth, dcp_polynomial *out) {
  const ssa_function *f = s->analysis->function;
  const ssa_value *v = value_at(s, value), *by = value_at(s, f->operands[v->first_operand + 1]);
  uint32_t inner = f->operands[v->first_operand];
  const ssa_value *shifted = value_at(s, inner);
  if (by->op != SSA_CONST)
    return false;
  if (v->expr == DC_OP_AND)
    return (by->i == 0xff || by->i == 0xffff) &&
           narrowed(s, inner, by->i == 0xff ? 8 : 16, cast, depth, out);
  return by->i > 0 && shifted->op == SSA_EXPR && shifted->expr == DC_OP_SHL &&
         value_at(s, f->operands[shifted->first_operand + 1])->op == SSA_CONST &&
         value_at(s, f->operands[shifted->first_operand + 1])->i == by->i &&
         narrowed(s, f->operands[shifted->first_operand], v->bits - (unsigned)by->i, DC_OP_SEXT,
                  depth, out);
}

// The step of a counter, which is a number, or one value that is added or subtracted; with its
// sign, whatever the counter is read as. False: it is made of both.
static bool widen_step(ends *s, const dcp_polynomial *step, dcp_polynomial *out) {
  dcp_polynomial size = *step;
  bool negative = step->terms[0].coefficient < 0;
  *out = nothing();
  for (uint32_t t = 0; t < step->n_terms; ++t)
    if ((step->terms[t].coefficient < 0) != negative)
      return false;
  if (step->bits == 64 || (step->n_terms == 1 && step->terms[0].n_factors == 0))
    return dcp_polynomial_add(out, step, 1);
  size.n_terms = 0;
  dcp_polynomial widened = nothing();
  return dcp_polynomial_add(&size, step, negative ? -1 : 1) &&
         factor(s, dcp_polynomial_expr(&s->analysis->pool, &size, DC_OP_SEXT), DC_OP_SEXT,
                &widened) &&
         dcp_polynomial_add(out, &widened, negative ? -1 : 1);
}

// Adds iteration * step.
static bool add_iterations(ends *s, uint32_t loop, unsigned bits, const dcp_polynomial *step,
                           dcp_polynomial *out) {
  dc_expr_pool *pool = &s->analysis->pool;
  dcp_polynomial iteration = nothing(), wide, product = nothing();
  dc_expr leaf = dc_expr_leaf(pool, DC_OP_IV, bits, DC_UNIFORM, loop);
  dcp_polynomial_factor(dc_expr_cast(pool, DC_OP_ZEXT, 64, leaf), &iteration);
  return widen_step(s, step, &wide) && dcp_polynomial_multiply(&iteration, &wide, &product) &&
         dcp_polynomial_add(out, &product, 1);
}

// start + iteration * step, of this loop or of one around it. `outermost`: it is compared as it is,
// in its own width.
static bool counter(ends *s, uint32_t phi, dc_expr_op cast, bool outermost, unsigned depth,
                    dcp_polynomial *out) {
  dcp_analysis *analysis = s->analysis;
  const ssa_function *f = analysis->function;
  uint32_t loop = f->blocks[f->values[phi].block].loop;
  dcp_polynomial narrow, step;
  if (loop == DC_NONE || !ssa_is_counter(f, loop, phi) || dcp_is_own_leaf(analysis, phi))
    return false;
  dcp_polynomial_of(&analysis->pool, analysis->exprs[phi], false, &narrow);
  if (!dcp_split_off_iteration(analysis, loop, &narrow, &step) || step.n_terms == 0)
    return false;
  bool own = loop == s->loop, compared = own && outermost;
  const ssa_value *next = value_at(s, ssa_value_carried(f, loop, phi));
  uint8_t no_wrap =
      next->op == SSA_EXPR ? next->no_wrap : dcp_no_wrap_of_iteration(analysis, phi, loop);
  bool fits = no_wrap & flag_of(cast);
  if (!fits && !compared && !s->assume)
    return false;
  s->counter_may_wrap |= !fits && own;
  s->sums_may_wrap |= !fits && !compared;
  return integers(s, ssa_value_before(f, loop, phi), cast, depth - 1, out) &&
         add_iterations(s, loop, own ? 64 : narrow.bits, &step, out);
}

static bool integers(ends *s, uint32_t value, dc_expr_op cast, unsigned depth,
                     dcp_polynomial *out) {
  const ssa_value *v = value_at(s, value);
  ends before = *s;
  bool done = false;
  *out = nothing();
  if (depth > 0 && v->op == SSA_PHI)
    done = counter(s, value, cast, depth == DEPTH_MAX, depth, out);
  else if (depth > 0 && v->op == SSA_EXPR)
    switch ((dc_expr_op)v->expr) {
    case DC_OP_ADD:
    case DC_OP_SUB:
    case DC_OP_MUL:
    case DC_OP_SHL:
      done = operation(s, value, cast, depth, out);
      break;
    case DC_OP_ZEXT:
    case DC_OP_SEXT:
    case DC_OP_TRUNC:
      done = conversion(s, value, cast, depth, out);
      break;
    case DC_OP_ASHR:
    case DC_OP_AND:
      done = mask(s, value, cast, depth, out);
      break;
    default:
      break;
    }
  if (done)
    return true;
  *s = before;
  *out = nothing();
  return factor(s, s->analysis->exprs[value], cast, out);
}

// What is compared may be any sum with the counter: as much as the expression tells.
static bool whole(ends *s, dc_expr e, dc_expr_op cast, dcp_polynomial *out) {
  dcp_analysis *analysis = s->analysis;
  dc_expr_pool *pool = &analysis->pool;
  dcp_polynomial narrow, step;
  dcp_polynomial_of(pool, e, false, &narrow);
  if (!dcp_split_off_iteration(analysis, s->loop, &narrow, &step))
    return false;
  s->counter_may_wrap |= step.n_terms > 0;
  *out = nothing();
  return factor(s, dcp_polynomial_expr(pool, &narrow, cast), cast, out) &&
         (step.n_terms == 0 || add_iterations(s, s->loop, 64, &step, out));
}

static bool is_split(dcp_analysis *analysis, uint32_t loop, const dcp_polynomial *sum) {
  dcp_polynomial rest = *sum, step;
  return dcp_split_off_iteration(analysis, loop, &rest, &step);
}

bool dcp_find_end(dcp_analysis *analysis, uint32_t loop, uint32_t value, dc_expr e, dc_expr_op cast,
                  bool assume, dcp_end *out) {
  ends s = {.analysis = analysis, .loop = loop, .assume = assume};
  bool found = value != DC_NONE && integers(&s, value, cast, DEPTH_MAX, &out->sum) &&
               !s.ambiguous && is_split(analysis, loop, &out->sum);
  if (!found) {
    s = (ends){.analysis = analysis, .loop = loop};
    found = whole(&s, e, cast, &out->sum);
  }
  out->signed_sums = s.signed_sums;
  out->sums_may_wrap = s.sums_may_wrap;
  out->counter_may_wrap = s.counter_may_wrap;
  return found;
}

bool dcp_split_off_iteration(dcp_analysis *analysis, uint32_t loop, dcp_polynomial *sum,
                             dcp_polynomial *step) {
  dcp_polynomial rest = *sum;
  rest.n_terms = 0;
  *step = rest;
  for (uint32_t k = 0; k < sum->n_terms; ++k) {
    dcp_term term = sum->terms[k];
    bool moving = false;
    for (uint32_t n = 0; n < term.n_factors; ++n) {
      const dc_expr_node *at = &analysis->pool.nodes[term.factors[n]];
      if (at->op == DC_OP_IV && at->i == loop && !moving) {
        for (uint32_t m = n + 1; m < term.n_factors; ++m)
          term.factors[m - 1] = term.factors[m];
        --term.n_factors;
        --n;
        moving = true;
      } else if (!dcp_is_invariant(analysis, term.factors[n], loop)) {
        return false;
      }
    }
    dcp_polynomial *to = moving ? step : &rest;
    to->terms[to->n_terms++] = term;
  }
  *sum = rest;
  return true;
}
