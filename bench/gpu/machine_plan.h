// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is measured of a machine, and what it should take: the tests, each a kernel of
// kernels/machine.cu over some numbers of SMs, warps and places in memory.
#ifndef DIVCOST_BENCH_MACHINE_PLAN_H
#define DIVCOST_BENCH_MACHINE_PLAN_H

#include "divcost/machine.h"

// One launch. A step is what the kernel repeats: a request, an instruction, an iteration.
typedef struct machine_case {
  const char *test; // its name
  const char *kernel;
  unsigned sms;   // at work
  unsigned warps; // on each
  unsigned n;     // what a warp asks for at a time: places, lanes, or a degree of conflict
  uint64_t bytes; // of memory that is walked through; 0: none
  unsigned steps;
  unsigned unit_log2;                // memory is walked in places of so many bytes
  unsigned lane_stride, warp_stride; // of atomics, in bytes
  bool is_clock;                     // what is asked for is the clock, not the cycles
} machine_case;

// The most memory that a test walks through.
#define MACHINE_BYTES_MAX ((uint64_t)2 << 30)

// What a GPU has, which cases must do with.
typedef struct machine_room {
  unsigned sms, warps; // warps: of an SM
  uint64_t bytes;      // of memory
} machine_room;

// Calls `take` for each case that there is room for, until it returns false. Cases with the same
// memory come one after the other.
void machine_plan(const machine_room *room, bool (*take)(void *context, const machine_case *item),
                  void *context);

// What is known of the cases of a test: kernel, unit, strides; false: there is no such test.
bool machine_plan_find(const char *test, machine_case *item);

// Whether a test launches a kernel of that name.
bool machine_plan_launches(const char *kernel);

// The cycles that an SM should take for a step of all its warps; negative: not known.
double machine_predict(const dc_machine *machine, const machine_case *item);

// Cycles from a walk's load to the next that aren't the load's: two additions make its address.
#define MACHINE_ADDRESS 10

// Up to so much data, and from so much on, L2 is as near, and as far, as it gets.
#define MACHINE_NEAR ((uint64_t)1 << 20)
#define MACHINE_FAR ((uint64_t)8 << 20)

// Instructions that the mix takes for each of its steps: its loop has 3 more for 64.
#define MACHINE_MIX (67.0 / 64)

#endif
