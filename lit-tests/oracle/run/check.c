// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check.h"

#include "evaluate.h"
#include "hash.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

check *probe_check;

enum { TABLE_SIZE = 1 << 16, MOST_EXITS = 12, ESTIMATED = 100 };

// Lanes that came to a loop together, of which the claim says that their trip counts are alike.
typedef struct party {
  uint64_t key;
  bool counted;    // for the estimate, whatever is claimed of them
  uint32_t launch; // that it is of: others are empty slots
  int32_t claim;
  uint32_t least, most;        // trips
  uint32_t of_least, of_most;  // lanes that had them
  dc_class loop_class;         // that is claimed for this launch
  uint32_t leaves[MOST_EXITS]; // the fewest trips with which a lane took each of the exits
} party;

static struct {
  party slots[TABLE_SIZE];
  uint32_t used[TABLE_SIZE / 2], n_used;
  uint32_t launch;
} parties;

void violate(check *c, const char *kind, uint32_t line, const char *format, ...) {
  for (uint32_t k = 0; k < c->n_violations; ++k)
    if (c->violations[k].line == line && !strcmp(c->violations[k].kind, kind))
      return;
  if (c->n_violations == MOST_VIOLATIONS)
    return;
  violation *v = &c->violations[c->n_violations++];
  v->kind = kind;
  v->line = line;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(v->text, sizeof v->text, format, arguments);
  va_end(arguments);
}

enum { MOST_CALLS = 64 };

// The lines of the calls that a lane is in, at the end of calls[MOST_CALLS]; returns how many.
static uint32_t calls_around(const probe_frame *inner, uint32_t *calls) {
  uint32_t n = 0;
  for (const probe_frame *f = inner; f && n < MOST_CALLS; f = f->outer)
    if (f->is_call)
      calls[MOST_CALLS - ++n] = f->line;
  return n;
}

int32_t find_claim(const probe_frame *frame) {
  uint32_t calls[MOST_CALLS], n = calls_around(frame->outer, calls);
  return claim_at(probe_check->claims, calls + MOST_CALLS - n, n, frame->line);
}

// ---- one lane -----------------------------------------------------------------------------------

static int64_t iteration_of(void *context, uint32_t loop) {
  for (const probe_frame *f = context; f; f = f->outer)
    if (f->claim >= 0 && !f->is_call) {
      const claim *of = &probe_check->claims->list[f->claim];
      if (of->loop == loop && !of->ambiguous)
        return (int64_t)f->trips - 1;
    }
  return -1;
}

static void print_trips(const check *c, dc_expr e, char *text, size_t size) {
  dc_kernel_print_expr(c->claims->kernel, e, text, size);
}

// An expression for the trip count against what it was. `taken`: the exit is the one that ended the
// loop, so that the count must be met.
static void check_expression(check *c, scene *s, dc_expr e, const char *kind, bool taken,
                             const probe_frame *frame, uint32_t line) {
  int64_t value;
  char text[300];
  s->steps = 40000;
  knowledge known = evaluate(s, e, &value);
  if (known == NOTHING)
    return;
  int64_t trips = frame->trips;
  bool fits = known == EXACTLY && taken ? value == trips : value < 0 || value >= trips;
  // Up to the sign bit these are counts without a sign.
  ++*(known == EXACTLY ? taken ? &c->counts.expressions : &c->counts.exits : &c->counts.bounds);
  if (fits)
    return;
  print_trips(c, e, text, sizeof text);
  violate(c, kind, line, "trips %s is %s%" PRId64 ", lane %" PRIu32 " ran %" PRId64, text,
          known == EXACTLY ? "" : "at most ", value, running_lane(), trips);
}

static void check_lane(check *c, const claim *of, const probe_frame *frame) {
  const dc_kernel *kernel = c->claims->kernel;
  const dc_loop *loop = &kernel->loops[of->loop];
  scene s = {.kernel = kernel,
             .lane = probe_self,
             .lane_index = running_lane() % 32,
             .arguments = c->arguments,
             .n_arguments = c->program->n_params,
             .iteration = iteration_of,
             .read = c->read,
             .context = frame->outer,
             .searched = (int64_t)frame->trips + 2};
  check_expression(c, &s, loop->trips, "trips", true, frame, of->line);
  for (uint32_t k = 0; k < loop->n_exits && k < 64; ++k) {
    const dc_exit *exit = &kernel->exits[loop->first_exit + k];
    bool taken = of->alone >> k & 1 && kernel->locations[exit->location].line == frame->left;
    check_expression(c, &s, exit->trips, "exit-trips", taken, frame, of->line);
  }
  if (of->most >= 0 && frame->trips > of->most)
    violate(c, "most", of->line, "%" PRId64 " trips at most, lane %" PRIu32 " ran %" PRIu32,
            of->most, running_lane(), frame->trips);
}

// ---- lanes that came together -------------------------------------------------------------------

static party *find_party(uint64_t key, int32_t claim) {
  for (uint64_t slot = key;; ++slot) {
    party *p = &parties.slots[slot % TABLE_SIZE];
    if (p->launch == parties.launch && p->key == key && p->claim == claim)
      return p;
    if (p->launch == parties.launch)
      continue;
    if (parties.n_used == TABLE_SIZE / 2)
      return NULL;
    parties.used[parties.n_used++] = (uint32_t)(slot % TABLE_SIZE);
    *p = (party){.key = key, .launch = parties.launch, .claim = claim, .least = UINT32_MAX};
    memset(p->leaves, 0xff, sizeof p->leaves);
    return p;
  }
}

static uint64_t group_of(const check *c, dc_class loop_class) {
  if (loop_class == DC_CLASS_UNIFORM)
    return 1;
  if (loop_class == DC_CLASS_BLOCK_UNIFORM)
    return mix(2, c->block_number);
  return mix(mix(3, c->block_number), running_lane() / 32);
}

static void join_party(check *c, const probe_frame *frame, dc_class loop_class, uint64_t group) {
  party *p = find_party(mix(frame->way, group), frame->claim);
  if (!p)
    return;
  p->loop_class = loop_class;
  ++c->counts.alike;
  if (frame->trips < p->least || p->least == UINT32_MAX) {
    p->least = frame->trips;
    p->of_least = running_lane();
  }
  if (frame->trips >= p->most) {
    p->most = frame->trips;
    p->of_most = running_lane();
  }
  const dc_kernel *kernel = c->claims->kernel;
  const claim *of = &c->claims->list[frame->claim];
  const dc_loop *loop = &kernel->loops[of->loop];
  for (uint32_t k = 0; k < loop->n_exits && k < MOST_EXITS; ++k) {
    const dc_exit *exit = &kernel->exits[loop->first_exit + k];
    if (of->together >> k & 1 && kernel->locations[exit->location].line == frame->left &&
        frame->trips < p->leaves[k])
      p->leaves[k] = frame->trips;
  }
}

// For estimates, whatever is claimed of the loop.
static void count_entry(check *c, const probe_frame *frame) {
  party *p =
      find_party(mix(frame->way, mix(group_of(c, DC_CLASS_STRIDED), ESTIMATED)), frame->claim);
  loop_count *n = &c->loops[frame->claim];
  ++n->lanes;
  n->trips += frame->trips;
  c->uncounted |= !p || probe_self->wraps > 0;
  if (!p)
    return;
  n->warps += !p->counted;
  n->issued += frame->trips > p->most ? frame->trips - p->most : 0;
  p->counted = true;
  p->most = frame->trips > p->most ? frame->trips : p->most;
}

void check_entry(const probe_frame *frame) {
  check *c = probe_check;
  ++c->counts.entries;
  if (frame->claim < 0) {
    ++c->counts.unclaimed;
    return;
  }
  const claim *of = &c->claims->list[frame->claim];
  if (of->ambiguous) {
    ++c->counts.ambiguous;
    return;
  }
  count_entry(c, frame);
  truth inside =
      decide_condition(&of->condition, probe_self, c->program, c->arguments, probe_self->wraps > 0);
  if (inside != HOLDS) {
    ++*(inside == FAILS ? &c->counts.outside : &c->counts.undecided);
    c->uncounted = true;
    return;
  }
  // That a loop's counter doesn't wrap is taken for granted for counts (limits.md), and for strided
  // loops where it steps by a number or by the launch's dimensions.
  bool counts = probe_self->wraps == frame->wraps;
  if (counts)
    check_lane(c, of, frame);
  dc_class loop_class =
      class_under(&of->condition, (dc_class)c->claims->kernel->loops[of->loop].loop_class,
                  probe_self, c->program, c->arguments, probe_self->wraps > 0);
  if (!counts && !of->any_step && loop_class == DC_CLASS_STRIDED)
    return;
  // Exits are claimed for the warp; the class maybe for more. Where a class has a condition that
  // holds for some lanes only, it is said of these.
  join_party(c, frame, loop_class, mix(group_of(c, DC_CLASS_STRIDED), loop_class));
  if (loop_class == DC_CLASS_UNIFORM || loop_class == DC_CLASS_BLOCK_UNIFORM)
    join_party(c, frame, loop_class, group_of(c, loop_class));
}

// Barriers have no condition of their own: what is said of them holds for the
// dimensions that the kernel is known to be launched with, if there are any.
static bool is_as_launched(const check *c, const probe_dim3 *block) {
  const dc_kernel *kernel = c->claims->kernel;
  bool any = false;
  for (uint32_t k = 0; k < kernel->n_launches; ++k) {
    const dc_launch *of = &kernel->launches[k];
    if (of->from >= DC_BLOCK_LAUNCH_BOUNDS)
      continue;
    if (of->block[0] == block->x && of->block[1] == block->y && of->block[2] == block->z)
      return true;
    any = true;
  }
  return !any;
}

static void check_party(check *c, const party *p) {
  if (p->counted)
    return;
  const claim *of = &c->claims->list[p->claim];
  const dc_kernel *kernel = c->claims->kernel;
  const dc_loop *loop = &kernel->loops[of->loop];
  dc_class loop_class = p->loop_class;
  uint32_t may_differ = loop_class == DC_CLASS_STRIDED        ? 1
                        : loop_class <= DC_CLASS_WARP_UNIFORM ? 0
                                                              : UINT32_MAX;
  if (p->most - p->least > may_differ)
    violate(c, dc_class_name(loop_class), of->line,
            "%s, but lane %" PRIu32 " ran %" PRIu32 " trips and lane %" PRIu32 " ran %" PRIu32,
            dc_class_name(loop_class), p->of_least, p->least, p->of_most, p->most);
  for (uint32_t k = 0; k < loop->n_exits && k < MOST_EXITS; ++k)
    if (p->leaves[k] < p->most) {
      uint32_t at = kernel->exits[loop->first_exit + k].location;
      violate(c, "exit", of->line,
              "lanes of a warp are said to leave together in line %" PRIu32 ", but one left after "
              "%" PRIu32 " trips and another stayed for %" PRIu32,
              kernel->locations[at].line, p->leaves[k], p->most);
    }
}

void begin_launch(check *c) {
  probe_check = c;
  c->n_violations = 0;
  c->uncounted = false;
  memset(c->loops, 0, (c->claims->n + 1) * sizeof *c->loops);
  parties.n_used = 0;
  ++parties.launch;
}

void end_launch(check *c) {
  for (uint32_t k = 0; k < parties.n_used; ++k)
    check_party(c, &parties.slots[parties.used[k]]);
}

// ---- barriers -----------------------------------------------------------------------------------

void check_barrier(check *c, const machine *m, const probe_dim3 *block) {
  // Rows count as whole warps, and that nothing wraps is taken for granted.
  if (block->x % 32 != 0 || m->diverged_wraps || !is_as_launched(c, block))
    return;
  for (uint32_t k = 0; k < m->n_diverged; ++k)
    if (has_finding(c->claims, DC_RULE_BARRIER, m->diverged_line[k]))
      return;
  violate(c, "barrier", m->diverged_line[0],
          "threads wait at a barrier that others don't come to, and no finding says so");
}
