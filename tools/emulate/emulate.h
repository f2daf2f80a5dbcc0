// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the parts of `divcost emulate` share.
#ifndef DIVCOST_TOOLS_EMULATE_H
#define DIVCOST_TOOLS_EMULATE_H

#include "command.h"

#include "divcost/emulator.h"
#include "divcost/unit.h"

#include <stdio.h>

// What is emulated, and what came out of it. A block's warps are added up.
typedef struct emulation {
  const char *path, *kernel; // kernel: its name, or NULL for assembly
  dc_program program;
  dc_arch arch;
  dc_emulator_options options;
  uint32_t first_warp, n_warps; // of the block
  dc_emulator *emulator;        // of the last warp
  dc_emulation total;
  dc_emulated *at;      // of each instruction
  const int32_t *words; // of the last warp's arrays
} emulation;

// In depth_write.c: a trace callback that writes a line of CSV (the context is a FILE, which has
// the head already), and drawings of a history, in text and as SVG.
void depth_write_csv_head(FILE *stream);
void depth_write_csv(void *context, const dc_step *step);
void depth_write_text(const dc_depth_history *history, const dc_arch *arch, FILE *stream);
void depth_write_svg(const dc_depth_history *history, const emulation *run, FILE *stream);

// In emulate_print.c.
void emulate_write_text(const emulation *run, const dc_depth_history *history, FILE *stream);
bool emulate_write_json(const emulation *run, FILE *stream);

#endif
