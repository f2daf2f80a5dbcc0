// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reconvergence stack: Bialas and Strzelecki, algorithms 1 (branches) and 2 (SSY and the pop
// bit; the SYNC token is pushed, which the paper's print leaves out), with a limited number of
// entries on chip. Lanes that returned or exited stay in the masks of the tokens below; they are
// taken off when a token is popped.
#include "emulator/emulator_internal.h"

static void spill(dc_emulator *e) {
  ++e->counts.spills;
  ++e->at[e->pc].spills;
  e->on_chip -= e->arch->spill_entries;
  e->managing += e->arch->spill;
  e->clock += e->arch->spill;
}

static void reload(dc_emulator *e) {
  ++e->counts.reloads;
  e->on_chip += e->arch->spill_entries;
}

// An entry of the loop begins: the one before is over.
static void begin_depth(dc_emulator *e, uint32_t loop) {
  dc_loop_depth *depth = &e->depths[loop];
  depth->sum += depth->peak - depth->base;
  depth->base = depth->peak = e->n_tokens;
  ++depth->entries;
}

static void note_depth(dc_emulator *e) {
  const dc_kernel *kernel = e->program->kernel;
  if (e->n_tokens > e->counts.max_depth)
    e->counts.max_depth = e->n_tokens;
  if (!kernel)
    return;
  for (uint32_t loop = kernel->blocks[e->program->code[e->pc].block].loop; loop != DC_NONE;
       loop = kernel->loops[loop].parent)
    if (e->n_tokens > e->depths[loop].peak)
      e->depths[loop].peak = e->n_tokens;
}

static bool push(dc_emulator *e, dc_token_kind kind, uint64_t lanes, uint32_t pc) {
  if (e->n_tokens == e->options.tokens) {
    dc__emulator_fail(e, DC_ERROR_LIMIT, "the stack would hold more than %u tokens",
                      (unsigned)e->options.tokens);
    return false;
  }
  if (e->arch->stack_entries && e->on_chip == e->arch->stack_entries)
    spill(e);
  uint32_t at = e->n_tokens++;
  e->tokens[at] = (dc_token){lanes, pc, kind};
  e->anchors[at] = kind != DC_TOKEN_DIV ? at : at > 0 ? e->anchors[at - 1] : DC_NONE;
  ++e->on_chip;
  ++e->counts.pushes;
  note_depth(e);
  return true;
}

static dc_token take(dc_emulator *e) {
  if (e->on_chip == 0)
    reload(e);
  --e->on_chip;
  ++e->counts.pops;
  dc_token token = e->tokens[--e->n_tokens];
  if (e->arch->reload == DC_RELOAD_EAGER && e->n_tokens > e->on_chip &&
      e->on_chip + e->arch->spill_entries <= e->arch->stack_entries)
    reload(e);
  return token;
}

// Pops until there are lanes to go on with.
static void pop(dc_emulator *e) {
  e->active = 0;
  while (e->live && !e->active) {
    if (e->n_tokens == 0) {
      dc__emulator_fail(e, DC_ERROR_ARGUMENT, "the stack is empty when it is popped");
      return;
    }
    dc_token token = take(e);
    if (token.kind == DC_TOKEN_CALL)
      --e->n_frames;
    uint64_t returned = e->n_frames ? e->frames[e->n_frames - 1].lanes : 0;
    if (token.kind == DC_TOKEN_DIV) {
      e->managing += e->arch->divergent_branch;
      e->clock += e->arch->divergent_branch;
    }
    e->active = token.mask & e->live & ~returned;
    e->pc = token.pc;
  }
}

static uint32_t innermost(const dc_emulator *e) {
  uint32_t anchor = e->n_tokens ? e->anchors[e->n_tokens - 1] : DC_NONE;
  return anchor == DC_NONE || e->tokens[anchor].kind == DC_TOKEN_CALL ? DC_NONE
                                                                      : e->tokens[anchor].pc;
}

static void open(dc_emulator *e, const dc_instruction *in) {
  if (in->placed && in->loop != DC_NONE)
    begin_depth(e, in->loop);
  push(e, DC_TOKEN_SYNC, e->active, in->target);
  ++e->pc;
}

static void close(dc_emulator *e, const dc_instruction *in) {
  (void)in;
  if (e->n_tokens && e->tokens[e->n_tokens - 1].kind == DC_TOKEN_CALL)
    dc__emulator_fail(e, DC_ERROR_ARGUMENT, "the stack is popped, but a call's token is on top");
  else
    pop(e);
}

static void leave(dc_emulator *e, const dc_instruction *in) {
  (void)in;
  dc__emulator_fail(e, DC_ERROR_ARGUMENT, "the stack has no BREAK");
}

static void go(dc_emulator *e, uint32_t pc) { e->pc = pc; }

static void part(dc_emulator *e, const dc_way *ways, unsigned n) {
  for (unsigned k = n; k-- > 1;)
    if (!push(e, DC_TOKEN_DIV, ways[k].lanes, ways[k].target))
      return;
  e->active = ways[0].lanes;
  e->pc = ways[0].target;
}

static void call(dc_emulator *e, uint32_t pc) {
  if (e->n_frames == e->options.call_depth) {
    dc__emulator_fail(e, DC_ERROR_LIMIT, "more than %u calls within calls",
                      (unsigned)e->options.call_depth);
    return;
  }
  if (!push(e, DC_TOKEN_CALL, e->active, e->pc + 1))
    return;
  e->frames[e->n_frames++] = (dc_frame){0, e->pc + 1};
  e->pc = pc;
}

static void drop(dc_emulator *e, uint64_t lanes) {
  e->active &= ~lanes;
  if (e->active)
    ++e->pc;
  else
    pop(e);
}

static void ret(dc_emulator *e, uint64_t lanes) {
  if (e->n_frames == 0) {
    dc__emulator_fail(e, DC_ERROR_ARGUMENT, "RET outside of a call");
    return;
  }
  e->frames[e->n_frames - 1].lanes |= lanes;
  drop(e, lanes);
}

static void quit(dc_emulator *e, uint64_t lanes) {
  e->live &= ~lanes;
  drop(e, lanes);
}

// Such GPUs keep the warp together; there is nothing to wait for.
static void warpsync(dc_emulator *e, uint64_t lanes) {
  (void)lanes;
  ++e->pc;
}

static void show(const dc_emulator *e, dc_step *step) {
  step->tokens = e->tokens;
  step->n_tokens = step->depth = e->n_tokens;
  step->on_chip = e->on_chip;
}

const dc_rule_set dc__rules_stack = {false, innermost, open, close, leave,    go,
                                     part,  call,      ret,  quit,  warpsync, show};
