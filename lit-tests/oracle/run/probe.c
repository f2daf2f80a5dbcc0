// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program's probes do, and what the sanitizer calls where a value is lost.
#include "check.h"
#include "hash.h"
#include "machine.h"
#include "tape.h"

probe_frame *probe_open(probe_frame *frame, u32 line) {
  probe_frame *outer = probe_self->top;
  frame->outer = outer;
  frame->line = line;
  frame->left = line;
  frame->trips = 0;
  frame->is_call = 0;
  frame->wraps = probe_self->wraps;
  frame->calls = outer ? outer->calls : 0;
  frame->way = outer ? mix(outer->way, outer->trips) : 0;
  frame->way = mix(frame->way, line);
  frame->claim = find_claim(frame);
  probe_self->top = frame;
  return frame;
}

void probe_close(probe_frame *frame) {
  probe_self->top = frame->outer;
  tape_loop(frame->line, frame->trips);
  check_entry(frame);
}

void probe_enter(probe_frame *frame) {
  probe_frame *outer = probe_self->top;
  u32 line = probe_self->call_line;
  *frame = (probe_frame){.outer = outer, .line = line, .claim = -1, .is_call = 1};
  frame->calls = mix(outer ? outer->calls : 0, line);
  frame->way = mix(outer ? mix(outer->way, outer->trips) : 0, line);
  probe_self->top = frame;
}

void probe_return(probe_frame *frame) { probe_self->top = frame->outer; }

void probe_leave(u32 loops, u32 line) {
  for (probe_frame *f = probe_self->top; f && !f->is_call && loops > 0; f = f->outer, --loops)
    f->left = line;
}

void probe_exhausted(void) { stop_block(TOO_LONG, "too many iterations"); }

// ---- the sanitizer's minimal runtime ------------------------------------------------------------

// What may be done and loses bits.
#define WRAPS(name)                                                                                \
  void __ubsan_handle_##name##_minimal(void);                                                      \
  void __ubsan_handle_##name##_minimal(void) { ++probe_self->wraps; }
WRAPS(add_overflow)
WRAPS(sub_overflow)
WRAPS(mul_overflow)
WRAPS(negate_overflow)
WRAPS(shift_out_of_bounds)
WRAPS(implicit_conversion)

// What may not be done.
#define STOPS(name)                                                                                \
  void __ubsan_handle_##name##_minimal_abort(void);                                                \
  void __ubsan_handle_##name##_minimal_abort(void) { stop_block(UNDEFINED, #name); }
STOPS(add_overflow)
STOPS(sub_overflow)
STOPS(mul_overflow)
STOPS(negate_overflow)
STOPS(divrem_overflow)
STOPS(shift_out_of_bounds)
STOPS(out_of_bounds)
STOPS(builtin_unreachable)
