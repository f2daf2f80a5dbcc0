// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions on which the lanes of a warp are expected to agree, though nothing proves it. Neither
// other threads' data nor a hash of the thread's index goes into them, but
// - how often a lane has counted: the row of a front, how much of a buffer of the thread's own is
//   full. It starts from values that all lanes share, and steps by such; the thread's index only
//   goes into whether it steps;
// - floating-point functions of the index, if asked for: where a ray through a pixel hits a sphere.
//   Neighbours compute nearly the same number, and ask whether it is below the same one.
#include "analysis/analysis.h"

#include <stdlib.h>

#define VISITS_MAX 400    // ways to values that are looked at for one condition
#define STEPS_MAX 1000000 // in a function
#define FACTOR_MAX 65536  // by more a hash or a random number multiplies
#define CYCLE_MIN 32      // a remainder by less parts the lanes of a warp
#define DEPTH_MAX 6       // of a condition
#define SUM_DEPTH 8       // of the sums of an address
#define BYTES_MAX 16      // of a lane in one access

// How a value goes into the condition: with each of its bits, by deciding on branches before, or as
// a number of which neighbours have nearly the same.
typedef enum way { DIRECTLY = 1, BY_CONTROL = 2, SMOOTHLY = 4 } way;

struct dcp_agreement {
  const dcp_analysis *analysis;
  uint32_t *stores; // to variables of the thread's own
  uint32_t n_stores;
  uint8_t *escapes; // of each such variable: others may write it, too
  uint8_t *seen;    // of each value: ways
  uint32_t queue[VISITS_MAX];
  uint8_t how[VISITS_MAX];
  uint32_t head, tail, steps;
  bool smooth; // functions of the index count, too
  bool failed; // more was found than counts, or too much
};

// Where in a variable of the thread's own an address is.
typedef struct place {
  uint32_t variable; // DC_NONE: it is none, or nobody knows
  int64_t offset;
  bool fixed; // the offset is a number
} place;

static bool is_sum(const ssa_value *v) { return v->op == SSA_EXPR && v->expr == DC_OP_ADD; }

static place place_of(const ssa_function *f, uint32_t address) {
  place at = {DC_NONE, 0, true};
  for (unsigned depth = 0; depth < SUM_DEPTH; ++depth) {
    const ssa_value *v = &f->values[address];
    if (!is_sum(v)) {
      at.variable = v->op == SSA_LOCAL ? address : DC_NONE;
      break;
    }
    const ssa_value *step = &f->values[ssa_operand(f, v, 1)];
    at.fixed &= step->op == SSA_CONST;
    at.offset += step->op == SSA_CONST ? step->i : 0;
    address = ssa_operand(f, v, 0);
  }
  return at;
}

// Notes the stores to the thread's own variables, and which of these are more than read and
// written.
static void note_variables(dcp_agreement *c) {
  const ssa_function *f = c->analysis->function;
  for (uint32_t n = 0; n < f->n_values; ++n) {
    const ssa_value *v = &f->values[n];
    c->escapes[n] |= v->op == SSA_LOCAL && v->i;
    bool goes_there = v->op == SSA_LOAD || v->op == SSA_STORE || is_sum(v);
    for (uint32_t k = 0; k < v->n_operands; ++k) {
      uint32_t variable = place_of(f, ssa_operand(f, v, k)).variable;
      if (variable == DC_NONE)
        continue;
      if (v->op == SSA_STORE && k == 0)
        c->stores[c->n_stores++] = n;
      c->escapes[variable] |= k > 0 || !goes_there;
    }
  }
}

static dcp_agreement *make(const dcp_analysis *analysis) {
  size_t n = (size_t)analysis->function->n_values + 1;
  dcp_agreement *c = calloc(1, sizeof *c);
  if (!c)
    return NULL;
  c->analysis = analysis;
  c->stores = malloc(n * sizeof *c->stores);
  c->escapes = calloc(n, 1);
  c->seen = calloc(n, 1);
  if (c->stores && c->escapes && c->seen) {
    note_variables(c);
    return c;
  }
  dcp_agreement_free(c);
  return NULL;
}

void dcp_agreement_free(dcp_agreement *agreement) {
  if (!agreement)
    return;
  free(agreement->stores);
  free(agreement->escapes);
  free(agreement->seen);
  free(agreement);
}

static bool take_step(dcp_agreement *c) {
  c->failed |= ++c->steps > STEPS_MAX;
  return !c->failed;
}

static void follow(dcp_agreement *c, uint32_t value, way how) {
  if (value == DC_NONE || (c->seen[value] & how))
    return;
  if (c->tail == VISITS_MAX)
    c->failed = true;
  if (c->failed)
    return;
  c->seen[value] |= (uint8_t)how;
  c->queue[c->tail] = value;
  c->how[c->tail++] = (uint8_t)how;
}

static void follow_branch(dcp_agreement *c, uint32_t block) {
  if (c->analysis->branch_level[block] >= DC_DIVERGENT)
    follow(c, c->analysis->function->blocks[block].condition, BY_CONTROL);
}

// What decides whether lanes come to a block, of those that come to `from`, which dominates it.
static void follow_control(dcp_agreement *c, uint32_t block, uint32_t from) {
  const ssa_block *blocks = c->analysis->function->blocks;
  for (; block != DC_NONE && block != from && take_step(c); block = blocks[block].dominator)
    follow_branch(c, block);
  if (block != DC_NONE)
    follow_branch(c, block);
}

// Where lanes leave the loops around a value before they come to its user.
static void follow_time(dcp_agreement *c, uint32_t value, uint32_t block) {
  const dcp_analysis *a = c->analysis;
  const ssa_function *f = a->function;
  uint32_t defined = f->values[value].block;
  if (defined == DC_NONE || block == DC_NONE)
    return;
  for (uint32_t loop = f->blocks[defined].loop;
       loop != DC_NONE && !ssa_loop_contains(f, loop, f->blocks[block].loop);
       loop = f->loops[loop].parent)
    for (uint32_t k = 0; k < a->n_exits && take_step(c); ++k)
      if (a->exits[k].loop == loop && a->exits[k].level >= DC_DIVERGENT)
        follow(c, dcp_deciding_value(a, &a->exits[k]), BY_CONTROL);
}

static void follow_operand(dcp_agreement *c, uint32_t value, uint32_t block, way how) {
  follow_time(c, value, block);
  if (c->analysis->value_level[value] >= DC_DIVERGENT)
    follow(c, value, how);
}

static void follow_phi(dcp_agreement *c, uint32_t phi, way how) {
  const ssa_function *f = c->analysis->function;
  const ssa_value *v = &f->values[phi];
  uint32_t loop = f->blocks[v->block].loop;
  bool counts = loop != DC_NONE && ssa_is_counter(f, loop, phi);
  for (uint32_t k = 0; k < v->n_operands; ++k) {
    uint32_t from = f->incoming[v->first_operand + k];
    follow_operand(c, ssa_operand(f, v, k), from, how);
    if (!counts)
      follow_control(c, from, f->blocks[v->block].dominator);
  }
}

// The first block above `block` that comes before `other`, too.
static uint32_t common(const dcp_analysis *a, uint32_t block, uint32_t other) {
  while (block != DC_NONE && !dcp_dominates(a->function, block, other))
    block = a->function->blocks[block].dominator;
  return block;
}

// How many bytes a load or store is to, at the most.
static int64_t bytes_of(const ssa_function *f, const ssa_value *v) {
  if (v->op == SSA_STORE && v->n_operands < 2)
    return v->i;
  unsigned bits = v->op == SSA_STORE ? f->values[ssa_operand(f, v, 1)].bits : v->bits;
  return bits ? bits / 8 : BYTES_MAX;
}

// Whether a store may be to what is loaded. What is of another size is taken for another member
// where its place isn't known.
static bool may_be_of(const ssa_function *f, uint32_t load, uint32_t store) {
  const ssa_value *from = &f->values[load], *to = &f->values[store];
  place read = place_of(f, ssa_operand(f, from, 0)), written = place_of(f, ssa_operand(f, to, 0));
  int64_t of_load = bytes_of(f, from), of_store = bytes_of(f, to);
  if (read.variable != written.variable)
    return false;
  if (!read.fixed || !written.fixed)
    return to->n_operands < 2 || of_load == of_store;
  return read.offset < written.offset + of_store && written.offset < read.offset + of_load;
}

static void follow_load(dcp_agreement *c, uint32_t load, way how) {
  const ssa_function *f = c->analysis->function;
  const ssa_value *v = &f->values[load];
  uint32_t variable = place_of(f, ssa_operand(f, v, 0)).variable;
  c->failed |= variable == DC_NONE || c->escapes[variable];
  bool written = false;
  follow_operand(c, ssa_operand(f, v, 0), v->block, how);
  for (uint32_t n = 0; n < c->n_stores && take_step(c); ++n) {
    const ssa_value *store = &f->values[c->stores[n]];
    if (!may_be_of(f, load, c->stores[n]))
      continue;
    written = true;
    c->failed |= store->n_operands < 2; // a copy of whatever
    if (c->failed)
      return;
    follow_operand(c, ssa_operand(f, store, 1), store->block, how);
    follow_control(c, store->block, common(c->analysis, store->block, v->block));
  }
  c->failed |= !written;
}

// Whether a value is made of floating-point numbers.
static bool is_of_reals(const ssa_function *f, const ssa_value *v) {
  for (uint32_t k = 0; k < v->n_operands; ++k)
    if (f->values[ssa_operand(f, v, k)].real)
      return true;
  return false;
}

// Whether neighbouring values make neighbouring ones: not as random numbers and hashes do.
static bool is_smooth(const ssa_function *f, const ssa_value *v) {
  if (v->op == SSA_PURE || v->real || is_of_reals(f, v))
    return v->real || is_of_reals(f, v);
  const ssa_value *by = v->n_operands < 2 ? v : &f->values[ssa_operand(f, v, 1)];
  switch ((dc_expr_op)v->expr) {
  case DC_OP_AND:
  case DC_OP_OR:
  case DC_OP_XOR:
    return v->bits == 1;
  case DC_OP_UREM:
  case DC_OP_SREM:
    return by->op != SSA_CONST || by->i >= CYCLE_MIN;
  case DC_OP_SHL:
  case DC_OP_LSHR:
  case DC_OP_ASHR:
  case DC_OP_MUL:
    return by->op != SSA_CONST || (by->i > -FACTOR_MAX && by->i < FACTOR_MAX);
  default:
    return true;
  }
}

static void expand(dcp_agreement *c, uint32_t value, way how) {
  const ssa_function *f = c->analysis->function;
  const ssa_value *v = &f->values[value];
  if (v->op == SSA_LOAD && v->space != SSA_PRIVATE &&
      c->analysis->value_level[ssa_operand(f, v, 0)] < DC_DIVERGENT)
    return; // the same place for all
  switch ((ssa_op)v->op) {
  case SSA_SREG:
    c->failed |= how == DIRECTLY;
    return;
  case SSA_CONST:
  case SSA_CONSTANT:
  case SSA_LOCAL:
    return;
  case SSA_EXPR:
  case SSA_PURE:
    if (how == DIRECTLY && c->smooth && is_of_reals(f, v) && v->expr != DC_OP_FEQ)
      how = SMOOTHLY;
    else if (!is_smooth(f, v))
      how = DIRECTLY;
    for (uint32_t k = 0; k < v->n_operands; ++k)
      follow_operand(c, ssa_operand(f, v, k), v->block, how);
    return;
  case SSA_PHI:
    follow_phi(c, value, how);
    return;
  case SSA_LOAD:
    follow_load(c, value, how);
    return;
  default:
    c->failed = true;
  }
}

static bool lanes_agree(dcp_agreement *c, uint32_t value, uint32_t block) {
  c->head = c->tail = 0;
  c->failed = false;
  follow_operand(c, value, block, DIRECTLY);
  while (c->head < c->tail && !c->failed) {
    uint32_t next = c->queue[c->head];
    expand(c, next, (way)c->how[c->head++]);
  }
  for (uint32_t n = 0; n < c->tail; ++n)
    c->seen[c->queue[n]] = 0;
  return !c->failed;
}

// Whether the launch tells who goes which way, as far as what all lanes share does. Of reals it
// tells too little.
static bool is_known(const dcp_analysis *analysis, uint32_t condition, bool smooth) {
  const ssa_function *f = analysis->function;
  dc_expr e = analysis->exprs[condition];
  return e != DC_NO_EXPR && dcp_known_lane_function(analysis, e) &&
         !(smooth && is_of_reals(f, &f->values[condition]));
}

// Of a && b, or a || b, each part that the launch doesn't tell.
static bool parts_agree(dcp_agreement *c, uint32_t condition, uint32_t block, unsigned depth) {
  const ssa_function *f = c->analysis->function;
  const ssa_value *v = &f->values[condition];
  bool joined = v->op == SSA_EXPR && v->bits == 1 &&
                (v->expr == DC_OP_AND || v->expr == DC_OP_OR || v->expr == DC_OP_SELECT);
  if (!joined || depth == 0)
    return is_known(c->analysis, condition, c->smooth) || lanes_agree(c, condition, block);
  for (uint32_t k = 0; k < v->n_operands; ++k)
    if (!parts_agree(c, ssa_operand(f, v, k), block, depth - 1))
      return false;
  return true;
}

bool dcp_lanes_agree(dcp_analysis *analysis, uint32_t condition, uint32_t block, bool smooth) {
  if (is_known(analysis, condition, smooth))
    return false;
  if (!analysis->agreement)
    analysis->agreement = make(analysis);
  analysis->out_of_memory |= !analysis->agreement;
  if (!analysis->agreement)
    return false;
  analysis->agreement->smooth = smooth;
  return parts_agree(analysis->agreement, condition, block, DEPTH_MAX);
}
