// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an instruction of SASS does with the control flow.
#ifndef DIVCOST_SASS_H
#define DIVCOST_SASS_H

#include <stdbool.h>
#include <stdint.h>

typedef enum dc_sass_flow {
  DC_SASS_NEXT,
  DC_SASS_BRANCH,   // to the target
  DC_SASS_INDIRECT, // to where a register says
  DC_SASS_EXIT,     // of the kernel
  DC_SASS_RETURN,   // of a function
  DC_SASS_CALL,     // of the function at the target, and on behind it
} dc_sass_flow;

typedef struct dc_sass {
  uint8_t flow;    // dc_sass_flow
  bool predicated; // some lanes may go on behind it all the same
  bool joins;      // waits for lanes that diverged: counted once for each group of them
  uint64_t target; // address; 0: none, or not known
} dc_sass;

// Takes an instruction's text apart: "@!P0 BRA 0x7f51ab7ac770". What isn't known goes on behind.
dc_sass dc__sass_read(const char *text);

#endif
