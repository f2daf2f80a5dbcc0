// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the addresses of accesses go on: from one iteration of a loop to the next, and from one
// access of a block to another.
#include "estimate/timing.h"
#include "expr/expr_internal.h"

#include <math.h>

#define SECTOR ((double)DC_SECTOR)
#define LINE 128.0

// ---- from iteration to iteration ----------------------------------------------------------------

// What an address moves along: iterations of a loop, or threads of a dimension.
typedef struct along {
  dc_expr_op op; // DC_OP_IV or DC_OP_TID
  int64_t which;
} along;

static bool moves(const dc_kernel *kernel, dc_expr e, along by) {
  return dc_expr_mentions(&kernel->pool, e, by.op, by.which);
}

static bool mentions_iteration(const dc_kernel *kernel, dc_expr e, uint32_t loop) {
  return moves(kernel, e, (along){DC_OP_IV, loop});
}

static dc__step multiply(const dc_kernel *kernel, dc__step step, dc_expr by) {
  const dc_expr_node *factor = dc__expr_without_casts(&kernel->pool, by);
  if (factor->op == DC_OP_CONST)
    step.bytes *= (double)factor->i;
  else if (factor->op == DC_OP_PARAM && factor->i < kernel->n_params &&
           kernel->params[factor->i].known)
    step.bytes *= (double)kernel->params[factor->i].value;
  else
    step.known = false;
  return step;
}

// By what a shift or a division does to it.
static dc__step scale(const dc_kernel *kernel, dc__step step, const dc_expr_node *node) {
  const dc_expr_node *by = &kernel->pool.nodes[node->b];
  bool divides = node->op == DC_OP_UDIV || node->op == DC_OP_SDIV;
  double factor = divides ? (double)by->i : pow(2, (double)by->i);
  step.known &= by->op == DC_OP_CONST && factor > 0;
  if (step.known)
    step.bytes *= node->op == DC_OP_SHL ? factor : 1 / factor;
  return step;
}

// What one more iteration, or thread, adds to an expression. At most *left nodes are looked at.
static dc__step step_of(const dc_kernel *kernel, dc_expr e, along by, unsigned *left) {
  const dc__step none = {.even = true, .known = true}, unknown = {0};
  const dc_expr_node *node = &kernel->pool.nodes[e];
  if (!moves(kernel, e, by))
    return none;
  if (*left == 0)
    return unknown;
  --*left;
  bool first = node->a != DC_NO_EXPR && moves(kernel, node->a, by);
  bool second = node->b != DC_NO_EXPR && moves(kernel, node->b, by);
  switch (node->op) {
  case DC_OP_IV:
  case DC_OP_TID:
    return (dc__step){.even = true, .known = true, .bytes = 1};
  case DC_OP_ZEXT:
  case DC_OP_SEXT:
  case DC_OP_TRUNC:
    return step_of(kernel, node->a, by, left);
  case DC_OP_UREM: // but where it goes round
  case DC_OP_SREM:
  case DC_OP_AND:
  case DC_OP_SMIN: // and where it stays
  case DC_OP_SMAX:
  case DC_OP_UMIN:
  case DC_OP_UMAX:
    return !second ? step_of(kernel, node->a, by, left) : unknown;
  case DC_OP_ADD:
  case DC_OP_SUB: {
    dc__step a = step_of(kernel, node->a, by, left), b = step_of(kernel, node->b, by, left);
    return (dc__step){.even = a.even && b.even,
                      .known = a.known && b.known,
                      .bytes = node->op == DC_OP_ADD ? a.bytes + b.bytes : a.bytes - b.bytes};
  }
  case DC_OP_MUL:
    return first && second ? unknown
                           : multiply(kernel, step_of(kernel, first ? node->a : node->b, by, left),
                                      first ? node->b : node->a);
  case DC_OP_SHL:
  case DC_OP_LSHR:
  case DC_OP_ASHR:
  case DC_OP_UDIV:
  case DC_OP_SDIV:
    return second ? unknown : scale(kernel, step_of(kernel, node->a, by, left), node);
  default:
    return unknown;
  }
}

dc__step dc__step_of(const dc_kernel *kernel, const dc_access *access) {
  uint32_t loop = kernel->blocks[access->block].loop;
  unsigned left = 64;
  dc__step step = {0};
  if (loop == DC_NONE)
    return step;
  if (access->advance > 0)
    return (dc__step){.even = true, .known = true, .bytes = access->advance};
  if (access->address != DC_NO_EXPR)
    step = step_of(kernel, access->address, (along){DC_OP_IV, loop}, &left);
  step.bytes = fabs(step.bytes);
  step.known &= step.even && step.bytes > 0;
  return step;
}

dc__step dc__step_along_threads(const dc_kernel *kernel, const dc_access *access,
                                unsigned dimension) {
  unsigned left = 64;
  dc__step step = {0};
  if (access->address != DC_NO_EXPR)
    step = step_of(kernel, access->address, (along){DC_OP_TID, dimension}, &left);
  step.bytes = fabs(step.bytes);
  return step;
}

// At most *left nodes are looked at.
static bool is_fixed(const dc_expr_pool *pool, dc_expr e, uint32_t around, unsigned *left) {
  if (e == DC_NO_EXPR)
    return true;
  if (*left == 0)
    return false;
  --*left;
  const dc_expr_node *node = &pool->nodes[e];
  if (node->op == DC_OP_OPAQUE || dc_expr_op_is_carried((dc_expr_op)node->op))
    return false;
  if (node->op == DC_OP_LOAD &&
      (node->a == DC_NO_EXPR ||
       (around != DC_NONE && dc_expr_mentions(pool, node->a, DC_OP_IV, around))))
    return false;
  return is_fixed(pool, node->a, around, left) && is_fixed(pool, node->b, around, left) &&
         is_fixed(pool, node->c, around, left);
}

bool dc__is_fixed(const dc_kernel *kernel, dc_expr e, uint32_t around) {
  unsigned left = 64;
  return e != DC_NO_EXPR && is_fixed(&kernel->pool, e, around, &left);
}

double dc__repeats(const dc_kernel *kernel, const dc_estimate *estimate, const dc_access *access) {
  double times = 1;
  if (!dc__is_fixed(kernel, access->address, DC_NONE))
    return times;
  for (uint32_t loop = kernel->blocks[access->block].loop; loop != DC_NONE;
       loop = kernel->loops[loop].parent) {
    double trips = estimate->loops[loop].mean_trips.low;
    if (!mentions_iteration(kernel, access->address, loop) && trips > 1)
      times *= trips;
  }
  return times;
}

// ---- from access to access ----------------------------------------------------------------------

// Whether two addresses are always as far apart, and how far. At most *left nodes are looked at.
static bool are_apart(const dc_expr_pool *pool, dc_expr a, dc_expr b, unsigned *left, double *by) {
  *by = 0;
  if (a == b)
    return true;
  if (*left == 0)
    return false;
  --*left;
  const dc_expr_node *x = &pool->nodes[a], *y = &pool->nodes[b];
  bool x_moves = x->op == DC_OP_ADD && pool->nodes[x->b].op == DC_OP_CONST;
  bool y_moves = y->op == DC_OP_ADD && pool->nodes[y->b].op == DC_OP_CONST;
  double more = 0;
  if (x_moves || y_moves) {
    double of =
        (y_moves ? (double)pool->nodes[y->b].i : 0) - (x_moves ? (double)pool->nodes[x->b].i : 0);
    bool apart = are_apart(pool, x_moves ? x->a : a, y_moves ? y->a : b, left, by);
    return *by += of, apart;
  }
  if (x->op != y->op)
    return false;
  switch (x->op) {
  case DC_OP_ZEXT:
  case DC_OP_SEXT:
  case DC_OP_TRUNC:
    return are_apart(pool, x->a, y->a, left, by);
  case DC_OP_MUL: {
    bool same = x->b == y->b && pool->nodes[x->b].op == DC_OP_CONST;
    bool apart = same && are_apart(pool, x->a, y->a, left, by);
    return *by *= same ? (double)pool->nodes[x->b].i : 1, apart;
  }
  case DC_OP_ADD:
    if (!are_apart(pool, x->a, y->a, left, by) || !are_apart(pool, x->b, y->b, left, &more))
      return false;
    return *by += more, true;
  default:
    return false;
  }
}

static bool is_near(const dc_kernel *kernel, const dc_access *a, const dc_access *b, double *by) {
  unsigned left = 40;
  return a->address != DC_NO_EXPR && b->address != DC_NO_EXPR &&
         are_apart(&kernel->pool, a->address, b->address, &left, by) && fabs(*by) < LINE;
}

bool dc__comes_after_near(const dc_kernel *kernel, const dc_estimate *estimate, uint32_t index) {
  const dc_access *access = &kernel->accesses[index];
  for (uint32_t k = 0; k < index; ++k) {
    const dc_access *other = &kernel->accesses[k];
    double by = 0;
    if (kernel->blocks[other->block].loop == kernel->blocks[access->block].loop &&
        other->kind == access->kind && other->space == access->space &&
        estimate->accesses[k].requests > 0 && is_near(kernel, access, other, &by))
      return true;
  }
  return false;
}

dc__neighbours dc__neighbours_of(const dc_kernel *kernel, const dc_estimate *estimate,
                                 uint32_t index) {
  const dc_access *access = &kernel->accesses[index];
  dc__neighbours of = {.count = 1};
  double first = 0, last = access->bytes;
  for (uint32_t k = 0; k < kernel->n_accesses; ++k) {
    const dc_access *other = &kernel->accesses[k];
    double by = 0;
    if (k == index || other->block != access->block || other->kind != access->kind ||
        !(estimate->accesses[k].requests > 0) || !is_near(kernel, access, other, &by))
      continue;
    ++of.count;
    first = fmin(first, by);
    last = fmax(last, by + other->bytes);
  }
  of.bytes = last - first;
  return of;
}
