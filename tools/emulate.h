// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the parts of `divcost emulate` share.
#ifndef DIVCOST_TOOLS_EMULATE_H
#define DIVCOST_TOOLS_EMULATE_H

#include "command.h"

#include "divcost/emulator.h"
#include "divcost/unit.h"

// What is emulated, and what came out of it. A block's warps are added up.
typedef struct emulation {
  const char *path, *kernel; // kernel: its name, or NULL for assembly
  dc_program program;
  dc_arch arch;
  dc_emulator_options options;
  uint32_t first_warp, n_warps; // of the block
  dc_emulation total;
  dc_emulated *at;      // of each instruction
  const int32_t *words; // of the last warp's arrays
} emulation;

// One step of a warp, for the history of the depth.
typedef struct depth_point {
  uint64_t step, active;
  double clock;
  uint32_t pc, depth, on_chip;
} depth_point;

typedef struct depth_history {
  depth_point *points;
  size_t count, capacity;
  bool out_of_memory;
} depth_history;

// In emulate_laws.c: the loops' distributions, ready to be drawn from; the last is the assumed one.
typedef struct emulate_laws {
  dc_sampler *samplers;
  void **memory;
  uint32_t count;
} emulate_laws;

dc_status emulate_laws_build(const dc_kernel *kernel, const char *assumed, emulate_laws *laws,
                             dc_error *error);
void emulate_laws_free(emulate_laws *laws);

// In depth_history.c: the recorder, a trace callback with a depth_history as its context, and the
// history as CSV (a line for each step), as a drawing in text, and as SVG.
void depth_record(void *context, const dc_step *step);
void depth_write_csv(const depth_history *history, FILE *stream);
void depth_write_text(const depth_history *history, const dc_arch *arch, FILE *stream);
void depth_write_svg(const depth_history *history, const emulation *run, FILE *stream);

// In emulate_print.c.
void emulate_write_text(const emulation *run, const depth_history *history, FILE *stream);
bool emulate_write_json(const emulation *run, FILE *stream);

#endif
