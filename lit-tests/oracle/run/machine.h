// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block of threads, run one lane at a time on the CPU. A lane runs until it ends or waits for
// others: at a barrier, or at an operation of the warp. Programs have no races, so the order of the
// lanes in between doesn't matter; it is drawn anew for each launch.
//
// Where convergence matters (__activemask), warps reconverge as structured code allows: of the
// lanes that wait, those at the first place in the order of the source go on, later iterations
// behind earlier ones. Each lane that will come to a place is then there before any goes on from
// it. Hardware needn't do so: in launches with `parts`, __activemask() has some of the lanes that
// are there alone, unless all are that haven't ended.
#ifndef DIVCOST_ORACLE_MACHINE_H
#define DIVCOST_ORACLE_MACHINE_H

#include "interface.h"

#include <stdbool.h>
#include <stdint.h>

enum { MOST_THREADS = 256, MOST_DEPTH = 40 };

// How the run of a block ended.
typedef enum outcome {
  FINISHED,
  TOO_LONG,  // a lane had more iterations than it may
  UNDEFINED, // a lane did what CUDA leaves undefined
  DIVERGED,  // threads wait for others that don't come, one of them at a barrier
} outcome;

// What a lane waits at, and where that is: lines of calls and loops, with the iteration of these.
typedef struct place {
  uint32_t line[MOST_DEPTH], trip[MOST_DEPTH], depth;
} place;

typedef struct machine {
  const probe_program *program;
  const int64_t *arguments;
  uint32_t n_threads;
  int64_t fuel;     // iterations that each lane may begin
  uint64_t random;  // state of what draws the order of lanes
  uint64_t parting; // ... and of what draws which of them go on
  bool parts;
  uint32_t diverged_line[8]; // DIVERGED: lines of barriers at which threads wait
  uint32_t n_diverged;
  bool diverged_wraps; // DIVERGED: values have lost bits in some thread
  const char *why;     // UNDEFINED: what
} machine;

// Runs one block; dimensions and indices are those of `at`, its thread aside.
outcome run_block(machine *m, const probe_state *at);

// The number of the running lane in its block.
uint32_t running_lane(void);

// Ends the run of the block: called by a lane.
_Noreturn void stop_block(outcome why, const char *what);

// A number below `most`, from a state that moves on.
uint64_t draw(uint64_t *state, uint64_t most);

#endif
