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

// How deep the stack is over a warp's run, for drawings: the greatest depth in each `every` steps.
// A run that is longer than there is room for has twice as many steps to an entry.
enum { DEPTHS_MAX = 1 << 14 };

typedef struct depth_history {
  uint64_t steps, every; // every: a power of 2
  size_t count;
  uint32_t depths[DEPTHS_MAX];
} depth_history;

// In emulate_laws.c: ready to be drawn from, the loops' distributions; the law that is assumed of
// loops of which nothing is known; and for each loop what is assumed within its proven bound, if it
// has one and nobody asked for another law.
typedef struct emulate_laws {
  dc_sampler *samplers;
  void **memory;
  uint32_t count;
} emulate_laws;

dc_status emulate_laws_build(const dc_kernel *kernel, const char *assumed, emulate_laws *laws,
                             dc_error *error);
void emulate_laws_free(emulate_laws *laws);

// In depth_history.c: two trace callbacks, one that records for a drawing (the context is a
// depth_history with every = 1), and one that writes a line of CSV (a FILE, which has the head
// already); and the drawings, in text and as SVG.
void depth_record(void *context, const dc_step *step);
void depth_write_csv_head(FILE *stream);
void depth_write_csv(void *context, const dc_step *step);
void depth_write_text(const depth_history *history, const dc_arch *arch, FILE *stream);
void depth_write_svg(const depth_history *history, const emulation *run, FILE *stream);

// In emulate_print.c.
void emulate_write_text(const emulation *run, const depth_history *history, FILE *stream);
bool emulate_write_json(const emulation *run, FILE *stream);

#endif
