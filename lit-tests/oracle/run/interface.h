/* Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What passes between the programs of the oracle, as compiled for the host, and what runs them. */
#ifndef DIVCOST_ORACLE_INTERFACE_H
#define DIVCOST_ORACLE_INTERFACE_H

#include "types.h"

#include <stdint.h>

/* A loop that a lane is in, or a call; they form a stack. */
typedef struct probe_frame {
  struct probe_frame *outer;
  u64 calls; /* hash of the lines of the calls around it: tells instances of a function apart */
  u64 way;   /* hash of these lines and of the iterations: equal where lanes are there together */
  u32 line;  /* of the loop, or of the call */
  u32 trips; /* begun so far; 0 for a call */
  u32 left;  /* line of the exit that was taken last */
  u32 wraps; /* that the lane had seen when the loop began */
  i32 claim; /* what the report says of this loop, an index; negative: nothing */
  u32 is_call;
} probe_frame;

typedef struct probe_dim3 {
  u32 x, y, z;
} probe_dim3;

/* What a program may ask of its lane and launch. */
typedef struct probe_state {
  probe_dim3 thread, block, block_dim, grid_dim;
  i64 fuel;  /* iterations that are left */
  u32 wraps; /* values that were cut or wrapped so far */
  u32 call_line;
  probe_frame *top;
} probe_state;

extern probe_state *probe_self;

/* Each is defined in run/probe.c, the last four in run/schedule.c. */
probe_frame *probe_open(probe_frame *frame, u32 line);
void probe_close(probe_frame *frame);
void probe_enter(probe_frame *frame);
void probe_return(probe_frame *frame);
void probe_leave(u32 loops, u32 line);
void probe_exhausted(void);
i64 probe_warp(u32 operation, u32 mask, i64 value, i32 other, i32 width, u32 line);
i32 probe_block(u32 operation, i32 predicate, u32 line);
u32 probe_active(u32 line);
u32 probe_lane(void);

enum {
  PROBE_SYNC,
  PROBE_SHUFFLE,
  PROBE_SHUFFLE_UP,
  PROBE_SHUFFLE_DOWN,
  PROBE_SHUFFLE_XOR,
  PROBE_ALL,
  PROBE_ANY,
  PROBE_BALLOT,
  PROBE_ADD,
  PROBE_MIN,
  PROBE_MAX,
  PROBE_MATCH,
  PROBE_ACTIVE,
  PROBE_BARRIER,
  PROBE_BARRIER_AND,
  PROBE_BARRIER_OR,
  PROBE_BARRIER_COUNT
};

/* A parameter: a number of so many bits, or memory with elements of so many. */
typedef struct probe_param {
  const char *name;
  u32 bits, is_signed;
  enum { PROBE_NUMBER, PROBE_READ, PROBE_WRITE } kind;
} probe_param;

typedef struct probe_program {
  const char *kernel;
  void (*run)(const int64_t *arguments);
  const probe_param *params;
  u32 n_params;
  u32 most_threads; /* of a block */
  u32 block[3];     /* dimensions that it must have; 0: any */
  u32 synchronises; /* lanes wait for each other */
} probe_program;

#endif
