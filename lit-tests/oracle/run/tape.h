// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches written down, so that a GPU can repeat them (on_gpu/replay.cu, which has the format),
// and what the lanes did in them. Only launches that every block finished, inside of the conditions
// of all loops: a GPU's recorder knows no conditions.
#ifndef DIVCOST_ORACLE_TAPE_H
#define DIVCOST_ORACLE_TAPE_H

#include "launch.h"

#include <stdio.h>

// A launch begins: what its lanes do is counted anew.
void tape_begin(void);

// A lane has left the loop in a line.
void tape_loop(uint32_t line, uint32_t trips);

// Writes the launch, and what became of it: hashes of the memory that it wrote, and the lanes'
// entries and iterations of each loop.
void tape_write(FILE *tape, const probe_program *program, const launch *l);

#endif
