// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convergence barriers. Lanes are executed in groups; a group is at one pc and has a chain of
// barriers that it takes part in, innermost first. Calls are links of the same chain, so that a
// callee's barriers are its own and what a RET leaves behind is known. The group that was made last
// is executed first; every group comes to its turn, since all others end or wait some day.
//
// Where lanes diverge, the fewer go first (docs/lab/hopper.md): those that wait for their turn are
// kept where they are found at once, until lanes diverge again. After that they are displaced:
// going on with them costs more, and those that were displaced at one place go on together.
#include "emulator/emulator_internal.h"

// There is room for links of calls too, which barriers mustn't take.
static uint32_t new_link(dc_emulator *e, dc_link link) {
  unsigned depth = link.outer == DC_NONE ? 0 : e->links[link.outer].depth;
  unsigned calls = link.outer == DC_NONE ? 0 : e->links[link.outer].calls;
  uint32_t at = !link.call && depth == e->options.tokens ? DC_NONE : e->free_link;
  if (at == DC_NONE && depth + !link.call <= e->options.tokens &&
      e->n_links < e->links_max) // one that was never used
    at = e->n_links++;
  else if (at != DC_NONE)
    e->free_link = e->links[at].outer;
  if (at == DC_NONE) {
    dc__emulator_fail(e, DC_ERROR_LIMIT, "more than %u barriers are open",
                      (unsigned)e->options.tokens);
    return DC_NONE;
  }
  link.depth = (uint16_t)(depth + !link.call);
  link.calls = (uint16_t)(calls + link.call);
  e->links[at] = link;
  return at;
}

static void free_link(dc_emulator *e, uint32_t at) {
  e->links[at].outer = e->free_link;
  e->free_link = at;
}

static void make_ready(dc_emulator *e, uint64_t lanes, uint32_t pc, uint32_t link) {
  e->ready[e->n_ready++] = (dc_group){.lanes = lanes, .pc = pc, .link = link};
}

// Takes the other displaced groups at the place of this one.
static uint64_t take_displaced(dc_emulator *e, const dc_group *group) {
  uint64_t lanes = 0;
  uint32_t kept = 0;
  for (uint32_t k = 0; k < e->n_ready; ++k) {
    const dc_group *other = &e->ready[k];
    if (other->displaced && other->pc == group->pc && other->link == group->link)
      lanes |= other->lanes;
    else
      e->ready[kept++] = *other;
  }
  e->n_ready = kept;
  return lanes;
}

// Goes on with the group that was made last.
static void schedule(dc_emulator *e) {
  e->active = 0;
  if (!e->live)
    return;
  if (e->n_ready == 0) {
    dc__emulator_fail(e, DC_ERROR_ARGUMENT, "all lanes wait, for lanes that never come");
    return;
  }
  dc_group next = e->ready[--e->n_ready];
  if (next.displaced)
    next.lanes |= take_displaced(e, &next);
  e->managing += next.cost;
  e->clock += next.cost;
  e->active = next.lanes;
  e->pc = next.pc;
  e->link = next.link;
}

// ---- warp-synchronising -------------------------------------------------------------------------

// Lets the groups go on that wait for each other with this mask. Groups at one place become one.
static void release(dc_emulator *e, uint64_t mask) {
  uint32_t kept = 0, first_ready = e->n_ready;
  for (uint32_t k = 0; k < e->n_waiting; ++k) {
    dc_group group = e->waiting[k];
    if (group.waits_for != mask) {
      e->waiting[kept++] = group;
      continue;
    }
    uint32_t at = first_ready;
    while (at < e->n_ready && (e->ready[at].pc != group.pc || e->ready[at].link != group.link))
      ++at;
    if (at < e->n_ready)
      e->ready[at].lanes |= group.lanes;
    else
      make_ready(e, group.lanes, group.pc, group.link);
  }
  e->n_waiting = kept;
}

static void release_complete(dc_emulator *e) {
  for (uint32_t k = 0; k < e->n_waiting; ++k) {
    uint64_t mask = e->waiting[k].waits_for, there = 0;
    for (uint32_t j = 0; j < e->n_waiting; ++j)
      there |= e->waiting[j].waits_for == mask ? e->waiting[j].lanes : 0;
    if (mask & e->live & ~there)
      continue;
    release(e, mask);
    k = UINT32_MAX; // from the beginning
  }
}

static void warpsync(dc_emulator *e, uint64_t lanes) {
  e->waiting[e->n_waiting++] =
      (dc_group){.lanes = e->active, .waits_for = lanes, .pc = e->pc + 1, .link = e->link};
  release_complete(e);
  schedule(e);
}

// ---- barriers -----------------------------------------------------------------------------------

// Lanes leave a link; those that wait there may then be complete.
static void leave_link(dc_emulator *e, uint32_t at, uint64_t lanes) {
  dc_link *link = &e->links[at];
  link->lanes &= ~lanes;
  if (!link->call && link->lanes && link->arrived == link->lanes) {
    ++e->counts.pops;
    make_ready(e, link->lanes, link->target, link->outer);
    link->lanes = 0;
  }
  if (!link->lanes)
    free_link(e, at);
}

static uint32_t innermost(const dc_emulator *e) {
  return e->link == DC_NONE || e->links[e->link].call ? DC_NONE : e->links[e->link].target;
}

static void open(dc_emulator *e, const dc_instruction *in) {
  uint32_t at = new_link(
      e,
      (dc_link){.lanes = e->active, .target = in->target, .region = in->region, .outer = e->link});
  if (at == DC_NONE)
    return;
  e->link = at;
  ++e->counts.pushes;
  if (e->links[at].depth > e->counts.max_depth)
    e->counts.max_depth = e->links[at].depth;
  ++e->pc;
}

// The innermost barrier, if the instruction is for it; a pop bit is for any.
static dc_link *barrier_for(dc_emulator *e, const dc_instruction *in) {
  dc_link *link = innermost(e) == DC_NONE ? NULL : &e->links[e->link];
  if (!link)
    dc__emulator_fail(e, DC_ERROR_ARGUMENT, "no barrier is open");
  else if (!in->placed && !in->pop && link->region != in->region) {
    if (link->region == DC_NONE)
      dc__emulator_fail(e, DC_ERROR_ARGUMENT, "B%u is not open: an SSY is", (unsigned)in->region);
    else
      dc__emulator_fail(e, DC_ERROR_ARGUMENT, "B%u is not the innermost barrier: B%u is",
                        (unsigned)in->region, (unsigned)link->region);
    link = NULL;
  }
  return link;
}

static void close(dc_emulator *e, const dc_instruction *in) {
  dc_link *link = barrier_for(e, in);
  if (!link)
    return;
  link->arrived |= e->active;
  if (link->arrived != link->lanes) {
    ++e->counts.waits;
    schedule(e);
    return;
  }
  uint32_t at = e->link;
  ++e->counts.pops;
  e->active = link->lanes;
  e->pc = link->target;
  e->link = link->outer;
  free_link(e, at);
}

static void leave(dc_emulator *e, const dc_instruction *in) {
  if (!barrier_for(e, in))
    return;
  uint32_t at = e->link;
  e->link = e->links[at].outer;
  leave_link(e, at, e->active);
  ++e->pc;
}

static void go(dc_emulator *e, uint32_t pc) { e->pc = pc; }

static void displace(dc_emulator *e) {
  for (uint32_t k = 0; k < e->n_ready; ++k) {
    dc_group *group = &e->ready[k];
    if (group->parted && !group->displaced)
      group->cost += e->arch->displaced;
    group->displaced = group->parted;
  }
}

// Round a loop, and not into one.
static bool goes_back(const dc_emulator *e, const dc_way *way) {
  return way->stays || way->target <= e->pc;
}

// Lanes that wait for their turn to go this way.
static void park(dc_emulator *e, const dc_way *way) {
  displace(e);
  make_ready(e, way->lanes, way->target, e->link);
  dc_group *group = &e->ready[e->n_ready - 1];
  group->parted = true;
  bool stays = goes_back(e, way) && way->edge != DC_NONE; // DC_NONE: past a guard, into a loop
  group->cost = stays ? e->arch->divergent_exit : e->arch->divergent_branch;
}

// The way that goes first: of the fewest lanes; of as many, the one that goes on ahead.
static unsigned first_of(const dc_emulator *e, const dc_way *ways, unsigned n, uint64_t done) {
  unsigned first = n;
  for (unsigned k = 0; k < n; ++k) {
    if (ways[k].lanes & done)
      continue;
    unsigned count = dc__lanes_count(ways[k].lanes);
    unsigned least = first < n ? dc__lanes_count(ways[first].lanes) : DC_LANES + 1;
    if (count < least || (count == least && goes_back(e, &ways[first])))
      first = k;
  }
  return first;
}

static void part(dc_emulator *e, const dc_way *ways, unsigned n) {
  unsigned order[DC_LANES] = {0};
  uint64_t done = 0;
  for (unsigned k = 0; k < n; ++k) {
    order[k] = first_of(e, ways, n, done);
    done |= ways[order[k]].lanes;
  }
  for (unsigned k = n; k-- > 1;)
    park(e, &ways[order[k]]);
  e->active = ways[order[0]].lanes;
  e->pc = ways[order[0]].target;
}

static void call(dc_emulator *e, uint32_t pc) {
  unsigned calls = e->link == DC_NONE ? 0 : e->links[e->link].calls;
  if (calls == e->options.call_depth) {
    dc__emulator_fail(e, DC_ERROR_LIMIT, "more than %u calls within calls",
                      (unsigned)e->options.call_depth);
    return;
  }
  uint32_t at = new_link(e, (dc_link){.lanes = e->active,
                                      .target = e->pc + 1,
                                      .region = DC_NONE,
                                      .outer = e->link,
                                      .call = true});
  if (at == DC_NONE)
    return;
  e->link = at;
  e->pc = pc;
}

// The rest of the active lanes goes on, or else whoever is ready.
static void go_on_without(dc_emulator *e, uint64_t lanes) {
  e->active &= ~lanes;
  if (e->active)
    ++e->pc;
  else
    schedule(e);
}

static void ret(dc_emulator *e, uint64_t lanes) {
  uint32_t at = e->link, outer;
  while (at != DC_NONE && !e->links[at].call) {
    outer = e->links[at].outer;
    leave_link(e, at, lanes);
    at = outer;
  }
  if (at == DC_NONE) {
    dc__emulator_fail(e, DC_ERROR_ARGUMENT, "RET outside of a call");
    return;
  }
  dc_link link = e->links[at];
  leave_link(e, at, lanes);
  make_ready(e, lanes, link.target, link.outer);
  go_on_without(e, lanes);
}

static void quit(dc_emulator *e, uint64_t lanes) {
  uint32_t outer;
  e->live &= ~lanes;
  for (uint32_t at = e->link; at != DC_NONE; at = outer) {
    outer = e->links[at].outer;
    leave_link(e, at, lanes);
  }
  release_complete(e);
  go_on_without(e, lanes);
}

static void show(const dc_emulator *e, dc_step *step) {
  uint32_t n = 0;
  for (uint32_t at = e->link; at != DC_NONE && n < DC_LANES; at = e->links[at].outer)
    if (!e->links[at].call)
      ++n;
  step->depth = e->link == DC_NONE ? 0 : e->links[e->link].depth;
  step->n_tokens = n;
  for (uint32_t at = e->link; at != DC_NONE && n > 0; at = e->links[at].outer)
    if (!e->links[at].call)
      e->shown[--n] = (dc_token){e->links[at].lanes, e->links[at].target, DC_TOKEN_BARRIER};
  for (uint32_t k = 0; k < e->n_ready; ++k)
    e->shown[step->n_tokens++] = (dc_token){e->ready[k].lanes, e->ready[k].pc, DC_TOKEN_READY};
  step->tokens = e->shown;
}

const dc_rule_set dc__rules_barriers = {false, innermost, open, close, leave,    go,
                                        part,  call,      ret,  quit,  warpsync, show};
