// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command that lets ptxas say how many registers kernels take: the one that compiles a source
// file in its build, by nvcc or clang, with ptxas's -v and an object of ours.
#ifndef DIVCOST_TOOLS_COMPILE_PTXAS_COMMAND_H
#define DIVCOST_TOOLS_COMPILE_PTXAS_COMMAND_H

#include "compile/analysis.h"

// Appends the command to `words`. Of the request, clang (for commands that aren't nvcc's),
// architectures and flags are used; outputs, dependency files and phases of the command are left
// out. Errors: DC_ERROR_ARGUMENT (the command has no compiler, or nvcc's options are in a file),
// DC_ERROR_MEMORY.
dc_status ptxas_arguments(const compile_command *command, const analysis_request *request,
                          const char *object, arguments *words, dc_error *error);

#endif
