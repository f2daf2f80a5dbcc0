// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches are drawn: dimensions, parameters and memory. Most parameters are small, so that loops
// are short; some lie at the ends of their type, or several of them together around one large
// number, which makes loops short whose ends wrap.
#ifndef DIVCOST_ORACLE_LAUNCH_H
#define DIVCOST_ORACLE_LAUNCH_H

#include "interface.h"

#include "divcost/kernel.h"

#include <stdbool.h>
#include <stdint.h>

enum { MOST_PARAMS = 16, MOST_BLOCKS = 3 };

// Programs read elements below 80 of memory that they only read, and of other memory write and read
// their own slot, one of these, of at most 64 bits.
enum { READ_ELEMENTS = 80, WRITE_SLOTS = 1 << 12 };

typedef struct launch {
  probe_dim3 block_dim, grid_dim;
  probe_dim3 blocks[MOST_BLOCKS]; // indices of those that are run
  uint32_t n_blocks;
  int64_t arguments[MOST_PARAMS];
} launch;

// Allocates memory for the parameters of programs, once.
void make_memory(void);

// Draws a launch of a program; the kernel has the dimensions that it is known to be launched with.
// `wild`: parameters may be large. `too_long`: so many launches before this had loops that were too
// long: parameters are the smaller. `whole_grid`: the blocks that are run are all that there are.
void draw_launch(launch *l, const probe_program *program, const dc_kernel *kernel, bool wild,
                 uint32_t too_long, bool whole_grid, uint64_t *random);

// What the kernel wrote is as it was before.
void restore_memory(const probe_program *program);

// Reads memory that no program writes. False: it isn't such memory.
bool read_unwritten(uint64_t address, unsigned bits, int64_t *value);

#endif
