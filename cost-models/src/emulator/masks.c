// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No reconvergence at all: predication. The code is swept from top to bottom; at each instruction
// the lanes are active whose pc it is, which may be none. At the end of a loop it goes back if some
// lane did; a loop that no lane is in is left out. A call is swept by itself, with the lanes that
// made it.
#include "emulator/emulator_internal.h"

static uint64_t swept_lanes(const dc_emulator *e) {
  return e->n_frames ? e->frames[e->n_frames - 1].lanes & e->live : e->live;
}

static uint64_t lanes_at(const dc_emulator *e, uint64_t lanes, uint32_t pc) {
  uint64_t at = 0;
  for (; lanes; lanes &= lanes - 1) {
    unsigned lane = dc__first_lane(lanes);
    if (e->lane_pc[lane] == pc)
      at |= UINT64_C(1) << lane;
  }
  return at;
}

// Where lanes stand: the next ones ahead of pc (pc included), and the last ones behind it.
typedef struct around {
  uint32_t ahead, behind; // DC_NONE: none
} around;

static around look_around(const dc_emulator *e, uint64_t lanes, uint32_t pc) {
  around found = {DC_NONE, DC_NONE};
  for (; lanes; lanes &= lanes - 1) {
    uint32_t at = e->lane_pc[dc__first_lane(lanes)];
    if (at >= pc && at < found.ahead)
      found.ahead = at;
    if (at < pc && (found.behind == DC_NONE || at > found.behind))
      found.behind = at;
  }
  return found;
}

// Where the sweep goes on: back to the innermost loop that lanes wait to begin again, at its end;
// else on, past loops that nobody is in.
static uint32_t next_of(const dc_emulator *e, uint64_t lanes) {
  const uint32_t *skip = e->program->skip;
  if (e->left_call)
    return look_around(e, lanes, 0).ahead;
  for (uint32_t next = e->pc + 1;; next = skip[next]) {
    around found = look_around(e, lanes, next);
    bool at_end = found.behind != DC_NONE && skip[found.behind] <= next;
    if (at_end || next >= e->program->length)
      return found.behind == DC_NONE ? next : found.behind;
    if (!skip[next] || found.ahead < skip[next])
      return next;
  }
}

// After an instruction: the lanes' pcs are set.
static void sweep(dc_emulator *e) {
  uint64_t lanes = swept_lanes(e);
  while (e->n_frames && !lanes) { // all have returned or exited
    --e->n_frames;
    lanes = swept_lanes(e);
  }
  e->active = 0;
  if (!lanes)
    return;
  e->pc = next_of(e, lanes);
  e->left_call = false;
  e->active = lanes_at(e, lanes, e->pc);
}

static void set_pc(dc_emulator *e, uint64_t lanes, uint32_t pc) {
  for (; lanes; lanes &= lanes - 1)
    e->lane_pc[dc__first_lane(lanes)] = pc;
}

static void go(dc_emulator *e, uint32_t pc) {
  set_pc(e, e->active, pc);
  sweep(e);
}

static void part(dc_emulator *e, const dc_way *ways, unsigned n) {
  for (unsigned k = 0; k < n; ++k)
    set_pc(e, ways[k].lanes, ways[k].target);
  sweep(e);
}

static void call(dc_emulator *e, uint32_t pc) {
  if (!e->active) {
    sweep(e);
    return;
  }
  if (e->n_frames == e->options.call_depth) {
    dc__emulator_fail(e, DC_ERROR_LIMIT, "more than %u calls within calls",
                      (unsigned)e->options.call_depth);
    return;
  }
  e->frames[e->n_frames++] = (dc_frame){e->active, e->pc + 1};
  e->left_call = true;
  go(e, pc);
}

static void drop(dc_emulator *e, uint64_t lanes) {
  uint64_t rest = e->active & ~lanes;
  set_pc(e, rest, e->pc + 1);
  sweep(e);
}

static void ret(dc_emulator *e, uint64_t lanes) {
  if (e->n_frames == 0) {
    dc__emulator_fail(e, DC_ERROR_ARGUMENT, "RET outside of a call");
    return;
  }
  dc_frame *frame = &e->frames[e->n_frames - 1];
  frame->lanes &= ~lanes;
  set_pc(e, lanes, frame->return_pc);
  e->left_call = !(frame->lanes & e->live);
  drop(e, lanes);
}

static void quit(dc_emulator *e, uint64_t lanes) {
  e->live &= ~lanes;
  e->left_call = e->n_frames && !swept_lanes(e);
  drop(e, lanes);
}

static void warpsync(dc_emulator *e, uint64_t lanes) {
  (void)lanes;
  go(e, e->pc + 1);
}

static void show(const dc_emulator *e, dc_step *step) {
  uint64_t lanes = e->live & ~e->active;
  step->depth = step->n_tokens = 0;
  while (lanes) {
    uint32_t pc = e->lane_pc[dc__first_lane(lanes)];
    uint64_t there = lanes_at(e, lanes, pc);
    e->shown[step->n_tokens++] = (dc_token){there, pc, DC_TOKEN_AT};
    lanes &= ~there;
  }
  step->tokens = e->shown;
}

const dc_rule_set dc__rules_masks = {.predicated = true,
                                     .go = go,
                                     .part = part,
                                     .call = call,
                                     .ret = ret,
                                     .exit = quit,
                                     .warpsync = warpsync,
                                     .show = show};
