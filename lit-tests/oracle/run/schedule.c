// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes with stacks of their own, and when those that wait go on.
#define _XOPEN_SOURCE 700 // contexts
#define _DEFAULT_SOURCE   // _setjmp

#include "machine.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

enum { STACK_SIZE = 256 * 1024 };

typedef enum activity { READY, AT_WARP, AT_BLOCK, ENDED } activity;

typedef struct lane {
  probe_state state;
  activity activity;
  uint32_t operation, mask; // what it waits at
  int64_t value;            // its operand there, then the result
  int32_t other, width;     // source lane or distance, and width of a shuffle
  place place;
  jmp_buf context;  // where it goes on
  bool has_context; // it has begun
  bool is_idle;     // its context is at the end of a program, and can run another
  ucontext_t start;
} lane;

probe_state *probe_self;

static struct {
  machine *m;
  lane lanes[MOST_THREADS];
  char *stacks;
  uint32_t running;
  jmp_buf scheduler; // where a lane that waits or ends goes back to
  jmp_buf stop;      // where a block that can't go on ends
  bool alone;        // lanes don't wait for each other: they need no stacks
} now;

uint64_t draw(uint64_t *state, uint64_t most) {
  uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15); // splitmix64
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return (x ^ x >> 31) % most;
}

uint32_t running_lane(void) { return now.running; }

u32 probe_lane(void) { return now.running % 32; }

_Noreturn void stop_block(outcome why, const char *what) {
  now.m->why = what;
  longjmp(now.stop, (int)why);
}

// ---- lanes --------------------------------------------------------------------------------------

// What runs on a lane's stack: the program, again in each launch.
static void run_lane(void) {
  for (;;) {
    now.m->program->run(now.m->arguments);
    lane *self = &now.lanes[now.running];
    self->activity = ENDED;
    self->is_idle = true;
    if (!_setjmp(self->context))
      _longjmp(now.scheduler, 1);
  }
}

static void make_context(uint32_t index) {
  lane *l = &now.lanes[index];
  l->has_context = false;
  if (!now.stacks)
    now.stacks = malloc((size_t)MOST_THREADS * STACK_SIZE);
  if (!now.stacks || getcontext(&l->start) != 0)
    abort();
  l->start.uc_stack.ss_sp = now.stacks + (size_t)index * STACK_SIZE;
  l->start.uc_stack.ss_size = STACK_SIZE;
  l->start.uc_link = NULL;
  makecontext(&l->start, run_lane, 0);
}

static void resume(uint32_t index) {
  lane *l = &now.lanes[index];
  now.running = index;
  probe_self = &l->state;
  if (now.alone) {
    now.m->program->run(now.m->arguments);
    l->activity = ENDED;
  } else if (!_setjmp(now.scheduler)) {
    l->is_idle = false;
    if (l->has_context)
      _longjmp(l->context, 1);
    l->has_context = true;
    setcontext(&l->start);
  }
}

// The lane stays here until the scheduler lets it go on.
static void wait_at(activity activity, uint32_t operation, uint32_t line) {
  lane *self = &now.lanes[now.running];
  if (now.alone)
    stop_block(UNDEFINED, "a program that is said not to synchronise does");
  self->activity = activity;
  self->operation = operation;
  uint32_t depth = 0;
  for (const probe_frame *f = self->state.top; f; f = f->outer)
    ++depth;
  if (depth + 1 > MOST_DEPTH)
    stop_block(TOO_LONG, "nested too deep");
  self->place.depth = depth + 1;
  self->place.line[depth] = line;
  self->place.trip[depth] = 0;
  for (const probe_frame *f = self->state.top; f; f = f->outer) {
    self->place.line[--depth] = f->line;
    self->place.trip[depth] = f->trips;
  }
  if (!_setjmp(self->context))
    _longjmp(now.scheduler, 1);
}

i64 probe_warp(u32 operation, u32 mask, i64 value, i32 other, i32 width, u32 line) {
  lane *self = &now.lanes[now.running];
  if (!(mask >> now.running % 32 & 1))
    stop_block(UNDEFINED, "a mask without the lane itself");
  self->mask = mask;
  self->value = value;
  self->other = other;
  self->width = width;
  wait_at(AT_WARP, operation, line);
  return self->value;
}

u32 probe_active(u32 line) {
  wait_at(AT_WARP, PROBE_ACTIVE, line);
  return (u32)now.lanes[now.running].value;
}

i32 probe_block(u32 operation, i32 predicate, u32 line) {
  lane *self = &now.lanes[now.running];
  self->value = predicate;
  wait_at(AT_BLOCK, operation, line);
  return (i32)self->value;
}

// ---- where they are -----------------------------------------------------------------------------

// Before (-1), at (0) or behind (1), in the order of the source.
static int compare_places(const place *a, const place *b) {
  for (uint32_t k = 0; k < a->depth && k < b->depth; ++k) {
    if (a->line[k] != b->line[k])
      return a->line[k] < b->line[k] ? -1 : 1;
    if (a->trip[k] != b->trip[k])
      return a->trip[k] < b->trip[k] ? -1 : 1;
  }
  return a->depth < b->depth ? -1 : a->depth > b->depth;
}

// The lanes of a warp that wait where the lane `at` does, at an operation of the warp and for the
// same lanes.
static uint32_t group_of(uint32_t first, uint32_t end, uint32_t at) {
  const lane *l = &now.lanes[at];
  uint32_t group = 0;
  for (uint32_t k = first; k < end; ++k) {
    const lane *other = &now.lanes[k];
    if (other->activity == AT_WARP && compare_places(&other->place, &l->place) == 0 &&
        (l->operation == PROBE_ACTIVE || other->mask == l->mask))
      group |= UINT32_C(1) << (k - first);
  }
  return group;
}

static uint32_t lanes_of(uint32_t first, uint32_t end) {
  return end - first < 32 ? (UINT32_C(1) << (end - first)) - 1 : UINT32_MAX;
}

static uint32_t lanes_that(uint32_t first, uint32_t end, activity activity) {
  uint32_t set = 0;
  for (uint32_t k = first; k < end; ++k)
    set |= now.lanes[k].activity == activity ? UINT32_C(1) << (k - first) : 0;
  return set;
}

// ---- operations of a warp -----------------------------------------------------------------------

// The lane that a shuffle reads from; one outside of the segment is itself.
static uint32_t source_lane(const lane *l, uint32_t self) {
  int32_t width = l->width, base = (int32_t)self / width * width, source;
  switch (l->operation) {
  case PROBE_SHUFFLE:
    return (uint32_t)(base + (int32_t)((uint32_t)l->other % (uint32_t)width));
  case PROBE_SHUFFLE_UP:
    source = (int32_t)self - l->other;
    return (uint32_t)(source < base ? (int32_t)self : source);
  case PROBE_SHUFFLE_DOWN:
    source = (int32_t)self + l->other;
    return (uint32_t)(source >= base + width ? (int32_t)self : source);
  default:
    source = (int32_t)self ^ l->other;
    return (uint32_t)(source >= base + width ? (int32_t)self : source);
  }
}

static int64_t combine(uint32_t operation, int64_t a, int64_t b) {
  switch (operation) {
  case PROBE_ADD:
    return (int64_t)((uint64_t)a + (uint64_t)b);
  case PROBE_MIN:
    return a < b ? a : b;
  case PROBE_MAX:
    return a > b ? a : b;
  case PROBE_ALL:
    return a && b;
  default:
    return a || b;
  }
}

// Gives each lane of the group its result: nothing is changed before all are known.
// Who takes part, and what others bring, may rest on what any lane of the warp has computed: where
// a value there has lost bits, so may have what these lanes get.
static void share_lost_bits(uint32_t first, uint32_t end, uint32_t group) {
  bool lost = false;
  for (uint32_t k = first; k < end; ++k)
    lost |= now.lanes[k].state.wraps > 0;
  for (uint32_t k = 0; k < 32 && lost; ++k)
    if (group >> k & 1 && now.lanes[first + k].state.wraps == 0)
      now.lanes[first + k].state.wraps = 1;
}

static void operate(uint32_t first, uint32_t end, uint32_t group) {
  share_lost_bits(first, end, group);
  int64_t results[32] = {0}, all = 0;
  bool any = false;
  uint32_t ballot = 0;
  for (uint32_t k = 0; k < 32; ++k) {
    if (!(group >> k & 1))
      continue;
    const lane *l = &now.lanes[first + k];
    all = any ? combine(l->operation, all, l->value) : l->value;
    ballot |= l->value ? UINT32_C(1) << k : 0;
    any = true;
  }
  for (uint32_t k = 0; k < 32; ++k) {
    if (!(group >> k & 1))
      continue;
    const lane *l = &now.lanes[first + k];
    results[k] = all;
    if (l->operation >= PROBE_SHUFFLE && l->operation <= PROBE_SHUFFLE_XOR) {
      uint32_t from = source_lane(l, k);
      if (!(group >> (from & 31) & 1))
        stop_block(UNDEFINED, "a shuffle from a lane that isn't there");
      results[k] = now.lanes[first + from].value;
    } else if (l->operation == PROBE_BALLOT) {
      results[k] = ballot;
    } else if (l->operation == PROBE_ACTIVE) {
      results[k] = group;
    } else if (l->operation == PROBE_MATCH) {
      results[k] = 0;
      for (uint32_t other = 0; other < 32; ++other)
        if (group >> other & 1 && now.lanes[first + other].value == l->value)
          results[k] |= INT64_C(1) << other;
    }
  }
  for (uint32_t k = 0; k < 32; ++k)
    if (group >> k & 1) {
      now.lanes[first + k].value = results[k];
      now.lanes[first + k].activity = READY;
    }
}

// Whether all that the lane's operation waits for are there. Lanes that have ended, or never were,
// aren't waited for.
static bool is_complete(uint32_t first, uint32_t end, uint32_t at, uint32_t group) {
  uint32_t ended = lanes_that(first, end, ENDED);
  return (now.lanes[at].mask & lanes_of(first, end) & ~ended & ~group) == 0;
}

// Those that hardware may let go on together where lanes have parted: some of the group.
static uint32_t part_of(uint32_t first, uint32_t end, uint32_t group) {
  if (!now.m->parts || group == (lanes_of(first, end) & ~lanes_that(first, end, ENDED)))
    return group;
  uint32_t part = group & (uint32_t)draw(&now.m->parting, UINT64_C(1) << 32);
  return part ? part : group;
}

// Lets the first lanes of a warp that can go on do so.
static bool release_warp(uint32_t first, uint32_t end) {
  uint32_t seen = 0, foremost = UINT32_MAX;
  for (uint32_t k = first; k < end; ++k) {
    lane *l = &now.lanes[k];
    if (l->activity != AT_WARP)
      continue;
    if (foremost == UINT32_MAX || compare_places(&l->place, &now.lanes[foremost].place) < 0)
      foremost = k;
    if (l->operation == PROBE_ACTIVE || seen >> (k - first) & 1)
      continue;
    uint32_t group = group_of(first, end, k);
    seen |= group;
    if (is_complete(first, end, k, group)) {
      operate(first, end, group);
      return true;
    }
  }
  // A barrier before that place holds its lanes back until the others come, if they do.
  if (foremost == UINT32_MAX || now.lanes[foremost].operation != PROBE_ACTIVE)
    return false;
  operate(first, end, part_of(first, end, group_of(first, end, foremost)));
  return true;
}

// ---- barriers of the block ----------------------------------------------------------------------

// Whether all threads wait at the same barrier: then they go on.
static bool release_block(uint32_t n) {
  const lane *one = NULL;
  int64_t all = 1, any = 0, count = 0;
  for (uint32_t k = 0; k < n; ++k) {
    const lane *l = &now.lanes[k];
    if (l->activity == ENDED)
      continue;
    if (l->activity != AT_BLOCK || (one && compare_places(&one->place, &l->place) != 0))
      return false;
    one = l;
    all = all && l->value;
    any = any || l->value;
    count += l->value != 0;
  }
  for (uint32_t k = 0; one && k < n; ++k) {
    lane *l = &now.lanes[k];
    if (l->activity == ENDED)
      continue;
    l->value = l->operation == PROBE_BARRIER_AND  ? all
               : l->operation == PROBE_BARRIER_OR ? any
                                                  : count;
    l->activity = READY;
  }
  return one != NULL;
}

// Nobody can go on: whose fault it is.
static void tell_deadlock(machine *m) {
  m->n_diverged = 0;
  m->diverged_wraps = false;
  for (uint32_t k = 0; k < m->n_threads; ++k) {
    const lane *l = &now.lanes[k];
    bool warp = l->activity == AT_WARP && l->operation == PROBE_SYNC;
    m->diverged_wraps |= l->state.wraps > 0;
    if (l->activity == AT_WARP && !warp)
      stop_block(UNDEFINED, "an operation of the warp waits for lanes that don't come");
    if (l->activity == ENDED)
      continue;
    uint32_t line = l->place.line[l->place.depth - 1];
    bool known = false;
    for (uint32_t d = 0; d < m->n_diverged; ++d)
      known |= m->diverged_line[d] == line;
    if (!known && m->n_diverged < 8)
      m->diverged_line[m->n_diverged++] = line;
  }
  stop_block(m->n_diverged ? DIVERGED : UNDEFINED, "lanes wait for others that don't come");
}

// ---- a block ------------------------------------------------------------------------------------

static void place_threads(machine *m, const probe_state *at) {
  for (uint32_t k = 0; k < m->n_threads; ++k) {
    lane *l = &now.lanes[k];
    l->state = *at;
    l->state.thread = (probe_dim3){k % at->block_dim.x, k / at->block_dim.x % at->block_dim.y,
                                   k / at->block_dim.x / at->block_dim.y};
    l->state.fuel = m->fuel;
    l->state.wraps = 0;
    l->state.top = NULL;
    if (!now.alone && !l->is_idle)
      make_context(k); // the last launch was stopped in the middle of this lane
    l->activity = READY;
  }
}

// Runs the lanes that can, each until it waits; in an order that is drawn.
static bool run_ready(machine *m) {
  bool any = false;
  uint32_t turn = (uint32_t)draw(&m->random, m->n_threads);
  bool backwards = draw(&m->random, 2);
  for (uint32_t k = 0; k < m->n_threads; ++k) {
    uint32_t at = (turn + (backwards ? m->n_threads - k : k)) % m->n_threads;
    if (now.lanes[at].activity != READY)
      continue;
    any = true;
    resume(at);
  }
  return any;
}

static bool release(const machine *m) {
  bool any = false;
  for (uint32_t first = 0; first < m->n_threads; first += 32)
    any |= release_warp(first, first + 32 < m->n_threads ? first + 32 : m->n_threads);
  return any || release_block(m->n_threads);
}

static bool all_ended(const machine *m) {
  for (uint32_t k = 0; k < m->n_threads; ++k)
    if (now.lanes[k].activity != ENDED)
      return false;
  return true;
}

outcome run_block(machine *m, const probe_state *at) {
  now.m = m;
  now.alone = !m->program->synchronises;
  m->n_threads = at->block_dim.x * at->block_dim.y * at->block_dim.z;
  place_threads(m, at);
  int stopped = setjmp(now.stop);
  if (stopped)
    return (outcome)stopped;
  while (run_ready(m), !all_ended(m))
    if (!release(m))
      tell_deadlock(m);
  return FINISHED;
}
