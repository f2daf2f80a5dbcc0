// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why a loop's lanes diverge, and why threads miss a barrier: the shortest chain from the condition
// that ends the loop, or that parts the threads, back to where the difference comes from
// (threadIdx, a read from memory, an atomic ...), along operands that differ, branches whose ways
// meet, and loops that lanes leave in different iterations. Each step is a sentence at its own
// place.
#include "analysis/barriers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_SIZE = 400 };

// One step back: from a value to the value that it owes its difference to, and in which way.
typedef enum via { VIA_OPERAND, VIA_JOIN, VIA_TIME, VIA_CONTROL } via;

typedef struct search {
  dcp_analysis *analysis;
  uint8_t level;  // the difference that is looked for
  uint32_t *from; // of each value: the value before it on the chain, or DC_NONE
  uint8_t *how;   // via
  uint8_t *seen;
  uint32_t *queue;
  uint32_t head, tail;
} search;

static bool is_source(const dcp_analysis *analysis, uint32_t value) {
  switch ((ssa_op)analysis->function->values[value].op) {
  case SSA_SREG:
  case SSA_LOAD:
  case SSA_FETCH:
  case SSA_ATOMIC:
  case SSA_SOURCE:
  case SSA_SHUFFLE:
  case SSA_VOTE:
  case SSA_ACTIVEMASK:
  case SSA_UNKNOWN:
  case SSA_ARGUMENT:
  case SSA_BARRIER:
    return true;
  default:
    return false;
  }
}

static void follow(search *s, uint32_t from, uint32_t to, via how) {
  if (to == DC_NONE || s->seen[to])
    return;
  s->seen[to] = 1;
  s->from[to] = from;
  s->how[to] = (uint8_t)how;
  s->queue[s->tail++] = to;
}

static uint32_t condition_of(const search *s, uint32_t block) {
  return block == DC_NONE ? DC_NONE : s->analysis->function->blocks[block].condition;
}

// Where lanes leave one of the loops between a value and its user.
static void follow_time(search *s, uint32_t user, uint32_t value) {
  const dcp_analysis *analysis = s->analysis;
  const ssa_function *f = analysis->function;
  uint32_t block = f->values[user].block, defined = f->values[value].block;
  if (defined == DC_NONE || block == DC_NONE)
    return;
  for (uint32_t loop = f->blocks[defined].loop;
       loop != DC_NONE && !ssa_loop_contains(f, loop, f->blocks[block].loop);
       loop = f->loops[loop].parent)
    for (uint32_t k = 0; k < analysis->n_exits; ++k)
      if (analysis->exits[k].loop == loop && analysis->exits[k].level >= s->level)
        follow(s, user, dcp_deciding_value(analysis, &analysis->exits[k]), VIA_TIME);
}

static void expand(search *s, uint32_t value) {
  const ssa_function *f = s->analysis->function;
  const ssa_value *v = &f->values[value];
  for (uint32_t k = 0; k < v->n_operands; ++k)
    if (s->analysis->value_level[ssa_operand(f, v, k)] >= s->level)
      follow(s, value, ssa_operand(f, v, k), VIA_OPERAND);
  if (v->op != SSA_PHI)
    return;
  if (s->analysis->join[v->block] >= s->level)
    follow(s, value, condition_of(s, s->analysis->join_from[v->block]), VIA_JOIN);
  for (uint32_t k = 0; k < v->n_operands; ++k)
    follow_time(s, value, ssa_operand(f, v, k));
}

static uint32_t find_source(search *s, uint32_t start) {
  follow(s, DC_NONE, start, VIA_OPERAND);
  while (s->head < s->tail) {
    uint32_t value = s->queue[s->head++];
    if (is_source(s->analysis, value))
      return value;
    expand(s, value);
  }
  return DC_NONE;
}

static const char *name_of(const dcp_analysis *analysis, const ssa_value *v) {
  return analysis->function->texts[v->text];
}

static void describe_load(const dcp_analysis *analysis, uint32_t value, char *text) {
  const ssa_value *v = &analysis->function->values[value];
  const char *name = name_of(analysis, v);
  uint32_t address = analysis->function->operands[v->first_operand];
  bool apart = analysis->value_level[address] == DC_DIVERGENT;
  char what[200];
  snprintf(what, sizeof what, *name ? "'%.150s' is read" : "memory is read", name);
  if (v->changing)
    snprintf(text, TEXT_SIZE, "%s here as volatile or atomic: each lane may see another value",
             what);
  else if (v->space == SSA_PRIVATE)
    snprintf(text, TEXT_SIZE, "%s here from the thread's own memory", what);
  else if (apart)
    snprintf(text, TEXT_SIZE, "%s here at an address that differs between lanes", what);
  else if (analysis->control[v->block] == DC_DIVERGENT)
    snprintf(text, TEXT_SIZE,
             "%s here while the lanes run apart: the value may change between their reads", what);
  else
    snprintf(text, TEXT_SIZE, "%s here, which other threads may change meanwhile", what);
}

static const char *register_name(const ssa_value *v, char *buffer, size_t size) {
  static const char *const names[] = {[DC_OP_TID] = "threadIdx",
                                      [DC_OP_NTID] = "blockDim",
                                      [DC_OP_CTAID] = "blockIdx",
                                      [DC_OP_NCTAID] = "gridDim"};
  if (v->expr == DC_OP_LANE)
    return "the lane index";
  snprintf(buffer, size, "%s.%c", names[v->expr], "xyz"[v->i]);
  return buffer;
}

static bool mask_differs(const dcp_analysis *analysis, const ssa_value *vote) {
  return vote->n_operands > 0 &&
         dcp_use_level(analysis, analysis->function->operands[vote->first_operand], vote->block) >
             DC_WARP_UNIFORM;
}

static void describe_source(const dcp_analysis *analysis, uint32_t value, char *text) {
  const ssa_value *v = &analysis->function->values[value];
  const char *name = name_of(analysis, v);
  char buffer[32];
  switch ((ssa_op)v->op) {
  case SSA_SREG:
    snprintf(text, TEXT_SIZE, "%s is read here", register_name(v, buffer, sizeof buffer));
    return;
  case SSA_LOAD:
    describe_load(analysis, value, text);
    return;
  case SSA_FETCH:
    snprintf(text, TEXT_SIZE, "a texture is read at coordinates that differ between lanes");
    return;
  case SSA_ATOMIC:
    snprintf(text, TEXT_SIZE,
             *name ? "an atomic operation on '%s' gives each lane its own value"
                   : "an atomic operation gives each lane its own value%s",
             name);
    return;
  case SSA_SOURCE:
    snprintf(text, TEXT_SIZE, "%s is read here", name);
    return;
  case SSA_SHUFFLE:
    snprintf(text, TEXT_SIZE, "this shuffle may give lanes different values");
    return;
  case SSA_VOTE:
    snprintf(text, TEXT_SIZE,
             mask_differs(analysis, v)
                 ? "this vote is taken under a member mask that may differ between lanes"
             : analysis->value_level[value] < DC_DIVERGENT
                 ? "this vote gives each warp a result of its own"
                 : "this vote is taken by the lanes that run, and these run apart");
    return;
  case SSA_ACTIVEMASK:
    snprintf(text, TEXT_SIZE, "the active lanes are asked for where the lanes run apart");
    return;
  case SSA_ARGUMENT:
    snprintf(text, TEXT_SIZE,
             "an argument of a function that is called recursively or through a pointer");
    return;
  case SSA_BARRIER:
    snprintf(text, TEXT_SIZE, "this barrier's result is the same only within a block");
    return;
  default:
    snprintf(text, TEXT_SIZE, "nothing is known of %s", *name ? name : "this value");
  }
}

// Who the difference is between.
static const char *who_differ(uint8_t level) {
  return level == DC_BLOCK_UNIFORM ? "blocks" : level == DC_WARP_UNIFORM ? "warps" : "lanes";
}

static void describe_step(const search *s, uint32_t value, via how, char *text) {
  const dcp_analysis *analysis = s->analysis;
  const char *who = who_differ(s->level);
  const ssa_value *v = &analysis->function->values[value];
  const ssa_function *f = analysis->function;
  bool header = v->block != DC_NONE && f->blocks[v->block].loop != DC_NONE &&
                f->loops[f->blocks[v->block].loop].header == v->block;
  *text = 0;
  if (how == VIA_TIME)
    snprintf(text, TEXT_SIZE,
             "%s leave this loop in different iterations, so what it computed differs", who);
  else if (how == VIA_JOIN)
    snprintf(text, TEXT_SIZE, "%s take this branch differently", who);
  else if (v->op == SSA_PHI && header && dcp_is_own_leaf(analysis, value))
    snprintf(text, TEXT_SIZE, "each iteration changes this value, which differs between %s", who);
}

static bool has_line(const dc_kernel *kernel, uint32_t place) {
  return place != DC_NONE && kernel->locations[place].line != 0;
}

uint32_t dcp_written_at(const dc_kernel *kernel, uint32_t place) {
  while (place != DC_NONE && kernel->locations[place].inlined_at != DC_NONE &&
         strncmp(dc_kernel_text(kernel, kernel->locations[place].function), "__", 2) == 0)
    place = kernel->locations[place].inlined_at;
  return place;
}

static uint32_t place_of(const dcp_analysis *analysis, uint32_t value) {
  const dc_kernel *kernel = analysis->kernel;
  const ssa_value *v = &analysis->function->values[value];
  uint32_t place = v->location;
  // A phi stands nowhere; what it is given at the end of an iteration, or first, does.
  for (uint32_t k = v->n_operands; v->op == SSA_PHI && k-- > 0 && !has_line(kernel, place);)
    place = analysis->function->values[ssa_operand(analysis->function, v, k)].location;
  return dcp_written_at(kernel, place);
}

static void add_reason(dcp_analysis *analysis, uint32_t place, const char *text, uint32_t *first,
                       uint32_t *count) {
  dc_kernel *kernel = analysis->kernel;
  if (!has_line(kernel, place))
    place = DC_NONE;
  if (*count > 0 && kernel->reasons[*first + *count - 1].location == place &&
      strcmp(dc_kernel_text(kernel, kernel->reasons[*first + *count - 1].text), text) == 0)
    return;
  uint32_t reason = dc_kernel_add_reason(kernel, place, text);
  if (reason == DC_NONE) {
    analysis->out_of_memory = true;
    return;
  }
  if (*count == 0)
    *first = reason;
  ++*count;
}

static void add_chain(search *s, uint32_t source, uint32_t *first, uint32_t *count) {
  uint32_t chain[64], length = 0;
  for (uint32_t value = source; value != DC_NONE && length < 64; value = s->from[value])
    chain[length++] = value;
  for (uint32_t k = length; k-- > 1 && *count < dcp_limit->reasons;) {
    char text[TEXT_SIZE];
    describe_step(s, chain[k], (via)s->how[chain[k]], text);
    if (*text)
      add_reason(s->analysis, place_of(s->analysis, chain[k]), text, first, count);
  }
  char text[TEXT_SIZE];
  describe_source(s->analysis, source, text);
  add_reason(s->analysis, place_of(s->analysis, source), text, first, count);
}

// The address of a read is part of the reason: what it depends on is the last step.
static uint32_t source_of_address(search *s, uint32_t load) {
  const ssa_function *f = s->analysis->function;
  uint32_t address = f->operands[f->values[load].first_operand];
  if (s->analysis->value_level[address] < s->level || s->seen[address])
    return DC_NONE;
  follow(s, DC_NONE, address, VIA_OPERAND);
  s->head = s->tail - 1;
  while (s->head < s->tail) {
    uint32_t value = s->queue[s->head++];
    if (f->values[value].op == SSA_SREG)
      return value;
    expand(s, value);
  }
  return DC_NONE;
}

static bool begin_search(search *s, dcp_analysis *analysis, uint8_t level) {
  uint32_t n_values = analysis->function->n_values;
  *s = (search){.analysis = analysis, .level = level};
  s->from = malloc((n_values + 1) * sizeof *s->from);
  s->how = calloc(n_values + 1, 1);
  s->seen = calloc(n_values + 1, 1);
  s->queue = malloc((2 * (size_t)n_values + 2) * sizeof *s->queue);
  return s->from && s->how && s->seen && s->queue;
}

static void end_search(search *s) {
  free(s->from);
  free(s->how);
  free(s->seen);
  free(s->queue);
}

// The chain from a value that differs back to its source.
static void explain_value(search *s, uint32_t value, uint32_t *first, uint32_t *count) {
  const ssa_function *f = s->analysis->function;
  uint32_t source = find_source(s, value);
  if (source == DC_NONE)
    return;
  add_chain(s, source, first, count);
  bool read = f->values[source].op == SSA_LOAD && !f->values[source].changing;
  uint32_t index = read ? source_of_address(s, source) : DC_NONE;
  if (index == DC_NONE)
    return;
  char text[TEXT_SIZE];
  describe_source(s->analysis, index, text);
  add_reason(s->analysis, place_of(s->analysis, index), text, first, count);
}

// Where a block's condition is written, else where it branches.
static uint32_t place_of_branch(const dcp_analysis *analysis, uint32_t block) {
  const ssa_block *b = &analysis->function->blocks[block];
  uint32_t place = b->condition == DC_NONE ? DC_NONE : place_of(analysis, b->condition);
  return has_line(analysis->kernel, place) ? place : b->location;
}

void dcp_explain_loop(dcp_analysis *analysis, const dcp_verdict *verdict, uint32_t *first,
                      uint32_t *count) {
  const ssa_function *f = analysis->function;
  *first = analysis->kernel->n_reasons;
  *count = 0;
  if (verdict->exit == DC_NONE || verdict->level == DC_UNIFORM)
    return;
  const dcp_exit *exit = &analysis->exits[verdict->exit];
  uint32_t start = dcp_deciding_value(analysis, exit);
  search s;
  if (begin_search(&s, analysis, verdict->level) && start != DC_NONE) {
    bool by_control = f->blocks[exit->block].condition != start;
    const char *who = who_differ(verdict->level);
    char text[TEXT_SIZE];
    snprintf(text, sizeof text,
             by_control ? "the loop is left here, which only some of the %s reach"
                        : "%s leave the loop by this condition, in different iterations",
             who);
    add_reason(analysis, place_of_branch(analysis, exit->block), text, first, count);
    if (by_control) {
      snprintf(text, sizeof text, "%s take this branch differently", who);
      add_reason(analysis, place_of(analysis, start), text, first, count);
    }
    explain_value(&s, start, first, count);
  }
  end_search(&s);
}

// Whether a branch parts the threads of every block that comes to it: all threads come, and for all
// dimensions that the kernel is launched with its condition was evaluated and came out in both
// ways.
static bool parts_every_block(const dcp_analysis *analysis, uint32_t block) {
  const ssa_function *f = analysis->function;
  const ssa_block *b = &f->blocks[block];
  dc_expr condition = b->is_switch ? DC_NO_EXPR : analysis->exprs[b->condition];
  bool parts = condition != DC_NO_EXPR && analysis->dims.known;
  for (uint32_t d = b->dominator; parts && d != DC_NONE; d = f->blocks[d].dominator)
    parts = analysis->branch_level[d] <= DC_BLOCK_UNIFORM || dcp_post_dominates(f, block, d);
  for (uint32_t s = 0; parts && s < analysis->dims.n; ++s)
    parts = dcp_parts_block(analysis, condition, analysis->dims.block[s]);
  return parts;
}

void dcp_explain_barrier(dcp_analysis *analysis, const dcp_missing *missing, uint32_t *first,
                         uint32_t *count) {
  const ssa_function *f = analysis->function;
  *first = analysis->kernel->n_reasons;
  *count = 0;
  uint32_t condition = f->blocks[missing->branch].condition;
  bool leaves = analysis->block_exit[missing->branch] != DC_NONE;
  bool differs = parts_every_block(analysis, missing->branch);
  search s;
  if (begin_search(&s, analysis, analysis->branch_level[missing->branch])) {
    char text[TEXT_SIZE];
    snprintf(text, sizeof text,
             leaves ? "threads %sleave the loop by this condition in different iterations"
                    : "threads %stake this branch differently",
             differs ? "" : "may ");
    add_reason(analysis, place_of_branch(analysis, missing->branch), text, first, count);
    explain_value(&s, condition, first, count);
    if (missing->elsewhere != DC_NONE)
      add_reason(analysis, dcp_written_at(analysis->kernel, missing->elsewhere),
                 "those that don't come may wait here meanwhile", first, count);
  }
  end_search(&s);
}
