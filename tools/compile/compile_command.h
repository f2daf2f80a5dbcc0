// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a build compiles a source file, and where that is written: a compilation database
// (compile_commands.json, which CMake, Ninja, Bear, Bazel ... make), read through libclang, or the
// flags that a user gives.
#ifndef DIVCOST_TOOLS_COMPILE_COMPILE_COMMAND_H
#define DIVCOST_TOOLS_COMPILE_COMPILE_COMMAND_H

#include "compile/arguments.h"
#include "divcost/error.h"

// Strings are owned.
typedef struct compile_command {
  char *directory; // that the command runs in; absolute
  char *file;      // as the database or the user names it: absolute, or from directory
  arguments words; // the compiler, then its arguments, `file` among them
} compile_command;

void compile_command_free(compile_command *command);

// Errors: DC_ERROR_MEMORY; *copy is then empty.
dc_status compile_command_copy(const compile_command *command, compile_command *copy,
                               dc_error *error);

// The file's path without links (those of its folder, if there is no such file); owned by the
// caller, NULL if memory ran out.
char *compile_command_path(const compile_command *command);

// Whether the command compiles CUDA code: by its -x, else by the name of its file (.cu, .cuh).
bool compile_command_is_cuda(const compile_command *command);

// The command `clang++ -O2 FLAGS FILE` in the current directory. Errors: DC_ERROR_MEMORY,
// DC_ERROR_FILE (there is no current directory).
dc_status compile_command_of_flags(const char *file, char *const *flags, size_t count,
                                   compile_command *command, dc_error *error);

// All zeroes is the empty database.
typedef struct compile_database {
  compile_command *commands; // in the order of the file
  size_t count;
} compile_database;

void compile_database_free(compile_database *database);

// Reads a database: `path` is a compile_commands.json or the folder that it is in. Launchers in
// front of compilers (ccache, distcc ...) are left out, response files are read. Errors:
// DC_ERROR_FILE (no such file, or libclang is not installed), DC_ERROR_SYNTAX (it isn't understood,
// or has no entry), DC_ERROR_MEMORY.
dc_status compile_database_read(const char *path, compile_database *database, dc_error *error);

// The folder of the nearest compile_commands.json for a file: in its folder or one above, or in a
// folder `build` in one of these. Owned by the caller; NULL: none.
char *compile_database_nearest(const char *file);

// The first command of a file (a path from the current directory), or NULL. O(count).
const compile_command *compile_database_find(const compile_database *database, const char *file);

// A command for a file that the database doesn't list, a header say: that of the CUDA file with the
// most in common (its name without the ending, then its folders), with this file instead. Guesses
// of libclang's aren't used: they lose the second word of nvcc's `-gencode arch=...`. Errors:
// DC_ERROR_ARGUMENT (no CUDA file in the database), DC_ERROR_MEMORY. O(count * length of the path).
dc_status compile_database_guess(const compile_database *database, const char *file,
                                 compile_command *command, dc_error *error);

// Whether options of clang name a GPU's architecture; and what to add where they don't: clang's own
// default, sm_52, is old.
bool compile_names_architecture(char *const *words, size_t count);
#define COMPILE_ARCHITECTURE "--cuda-gpu-arch=sm_90"

#endif
