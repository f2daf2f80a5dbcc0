// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Command lines of nvcc as clang's. What each option becomes is one table, nvcc_options.c; what
// nvcc knows and clang needn't is in it as well, so that an unknown option is one that nobody
// thought of.
#ifndef DIVCOST_TOOLS_COMPILE_NVCC_H
#define DIVCOST_TOOLS_COMPILE_NVCC_H

#include "compile/arguments.h"
#include "compile/compile_command.h"

typedef enum nvcc_action {
  NVCC_DROP,          // says nothing about the code that is analysed
  NVCC_OUTPUT,        // likewise, and names outputs or other files that are written, or a phase
  NVCC_PASS,          // becomes clang's option `clang`, with the value, if any, right behind it
  NVCC_PASS_EACH,     // the same for each item of a list
  NVCC_PASS_PAIR,     // the same, as two words
  NVCC_IF_TRUE,       // becomes `clang` if the value is true
  NVCC_IF_FALSE,      // becomes `clang` if the value is false
  NVCC_ARCHITECTURE,  // -arch
  NVCC_CODE,          // -code
  NVCC_GENERATE_CODE, // -gencode
  NVCC_HOST,          // options for the host's compiler
  NVCC_FORWARD,       // what isn't known is for the host's compiler
  NVCC_OPTIONS_FILE,  // more options are in files
} nvcc_action;

typedef enum nvcc_value {
  NVCC_NONE,   // no value
  NVCC_VALUE,  // a value: behind '=', or the next word
  NVCC_JOINED, // the same, or right behind the name: -Idir
} nvcc_value;

// The long name follows two dashes and the short one a single dash; where nothing is joined to it,
// one dash or two makes no difference here.
typedef struct nvcc_option {
  const char *name;  // the long one, without dashes
  const char *brief; // the short one; the same if there is none
  nvcc_value value;
  nvcc_action action;
  const char *clang; // NULL where the action needs none
} nvcc_option;

// The option that a word names, or NULL. *value: what the word itself gives as its value, or NULL.
const nvcc_option *nvcc_option_find(const char *word, const char **value);

// All options; *count of them.
const nvcc_option *nvcc_options(size_t *count);

// Appends to `architectures` the sm_NN, each once, that -arch and -code, or a -gencode, ask for.
// Virtual ones become the real ones of the same number.
void nvcc_add_architectures(arguments *architectures, const char *arch, const char *code);
void nvcc_add_generated(arguments *architectures, const char *specification);

// Appends to `words` clang's options in place of those of nvcc (`command`, whose compiler is its
// word `compiler`), without the input; to `architectures` the sm_NN that it compiles for, at least
// one; to `unknown` the options that aren't known. Errors: DC_ERROR_FILE (an options file),
// DC_ERROR_MEMORY.
dc_status nvcc_translate(const compile_command *command, size_t compiler, arguments *words,
                         arguments *architectures, arguments *unknown, dc_error *error);

#endif
