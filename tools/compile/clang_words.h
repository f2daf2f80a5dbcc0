// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What of clang's command line an analysis takes over.
#ifndef DIVCOST_TOOLS_COMPILE_CLANG_WORDS_H
#define DIVCOST_TOOLS_COMPILE_CLANG_WORDS_H

#include "compile/compile_command.h"

// Appends to `words` those of the command after its word `compiler`, but for the source file and
// what names outputs, phases, sides, dependency files, or a divcost plugin and its report; and
// without architectures if others are wanted.
void clang_add_words(const compile_command *command, size_t compiler, bool architectures,
                     arguments *words);

#endif
