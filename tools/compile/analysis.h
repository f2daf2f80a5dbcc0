// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command that analyses a source file: clang with the plugin, device side only and no further
// than the syntax tree (the plugin makes its own code from that: reports are those of a whole
// compilation). It is made from the command that compiles the file, of clang or of nvcc.
#ifndef DIVCOST_TOOLS_COMPILE_ANALYSIS_H
#define DIVCOST_TOOLS_COMPILE_ANALYSIS_H

#include "compile/compile_command.h"

// Paths are absolute: the command runs in the directory of the compile command.
typedef struct analysis_request {
  const char *clang;        // the compiler, see compile/toolchain.h
  const char *plugin;       // divcost.so
  const char *report;       // where the report goes (.json), written under a private name and
                            // renamed; NULL: there is none
  const char *first_report; // NULL, or where the one of a few instances of each template goes
  const char *dependencies; // NULL, or a new file: gets the names of all headers that are read, one
                            // a line, once for each architecture, as clang opens them
  const char *buffer;       // NULL, or a file whose text is taken for that of the source file
  const char *ptxas;        // NULL, or a file with what ptxas said of kernels
  const char *config;       // NULL, or a project's configuration
  const char *annotations;  // NULL, or a file of annotations
  const char *measured;     // NULL, or a file of divcost profile import-ncu
  const char *architectures; // NULL: those of the command; or "sm_80,sm_90"
  char *const *flags;        // more options of clang, behind those of the command
  size_t n_flags;
} analysis_request;

// Appends the analysing command to `words`, and to `unknown` what of an nvcc command line isn't
// known and left out. Output files, dependency files, warnings other than the plugin's, and -Werror
// for the plugin's are left out. Errors: DC_ERROR_ARGUMENT (the command is none: it has no
// compiler), DC_ERROR_FILE (a file of --options-file can't be read), DC_ERROR_MEMORY.
dc_status analysis_arguments(const compile_command *command, const analysis_request *request,
                             arguments *words, arguments *unknown, dc_error *error);

// Where the compiler stands among the command's words: behind launchers and the variables that
// `env` sets; and whether it is nvcc. False: there is none.
bool compile_find_compiler(const compile_command *command, size_t *compiler, bool *nvcc);

// Adds clang's option for each of a list such as "sm_80,sm_90".
void compile_add_architectures(const char *list, arguments *words);

#endif
