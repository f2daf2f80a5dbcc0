// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an expression of the report is worth in one lane. This is written anew, after what
// divcost/expr.h says and not after the model's own evaluator, of which it is a test; and it can
// read the memory that a launch was given.
#ifndef DIVCOST_ORACLE_EVALUATE_H
#define DIVCOST_ORACLE_EVALUATE_H

#include "divcost/kernel.h"
#include "interface.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum knowledge {
  NOTHING, // it depends on what only the device knows
  AT_MOST, // the value, or less
  EXACTLY,
} knowledge;

typedef struct scene {
  const dc_kernel *kernel;
  const probe_state *lane;
  uint32_t lane_index;
  const int64_t *arguments;
  uint32_t n_arguments;
  // Iterations completed of a loop of the kernel, or -1.
  int64_t (*iteration)(void *context, uint32_t loop);
  // Reads memory that nobody writes; false: it isn't such memory.
  bool (*read)(uint64_t address, unsigned bits, int64_t *value);
  void *context;
  int64_t searched; // iterations up to which a search goes
  uint32_t steps;   // operations that may still be done
} scene;

// What a search comes out as that doesn't end in time.
#define ENDLESS (INT64_C(1) << 40)

knowledge evaluate(scene *s, dc_expr e, int64_t *value);

#endif
