// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of libclang that reads compilation databases. It is opened when a database is read, not
// linked: linking it costs every start of `divcost` 22 ms (LLVM's constructors and relocations;
// without it a start takes 1 ms), and would make LLVM a need of commands that have nothing to do
// with it.
#ifndef DIVCOST_TOOLS_COMPILE_LIBCLANG_H
#define DIVCOST_TOOLS_COMPILE_LIBCLANG_H

#include "divcost/error.h"

#include <clang-c/CXCompilationDatabase.h>

#define LIBCLANG_FUNCTIONS(X)                                                                      \
  X(open, "clang_CompilationDatabase_fromDirectory", CXCompilationDatabase,                        \
    (const char *, CXCompilationDatabase_Error *))                                                 \
  X(close, "clang_CompilationDatabase_dispose", void, (CXCompilationDatabase))                     \
  X(commands, "clang_CompilationDatabase_getAllCompileCommands", CXCompileCommands,                \
    (CXCompilationDatabase))                                                                       \
  X(free_commands, "clang_CompileCommands_dispose", void, (CXCompileCommands))                     \
  X(count, "clang_CompileCommands_getSize", unsigned, (CXCompileCommands))                         \
  X(command, "clang_CompileCommands_getCommand", CXCompileCommand, (CXCompileCommands, unsigned))  \
  X(directory, "clang_CompileCommand_getDirectory", CXString, (CXCompileCommand))                  \
  X(file, "clang_CompileCommand_getFilename", CXString, (CXCompileCommand))                        \
  X(words, "clang_CompileCommand_getNumArgs", unsigned, (CXCompileCommand))                        \
  X(word, "clang_CompileCommand_getArg", CXString, (CXCompileCommand, unsigned))                   \
  X(text, "clang_getCString", const char *, (CXString))                                            \
  X(free_text, "clang_disposeString", void, (CXString))

typedef struct libclang {
// NOLINTNEXTLINE(bugprone-macro-parentheses): a result, a declarator and parameters
#define DECLARE(name, symbol, result, parameters) result(*name) parameters;
  LIBCLANG_FUNCTIONS(DECLARE)
#undef DECLARE
} libclang;

// Opens libclang of the LLVM that divcost was built for; it stays open. Errors: DC_ERROR_FILE.
dc_status libclang_open(libclang *library, dc_error *error);

#endif
