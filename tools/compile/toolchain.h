// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the compiler and the plugin are.
#ifndef DIVCOST_TOOLS_COMPILE_TOOLCHAIN_H
#define DIVCOST_TOOLS_COMPILE_TOOLCHAIN_H

#include "divcost/error.h"

// Absolute paths, owned.
typedef struct toolchain {
  char *clang;
  char *plugin;
} toolchain;

void toolchain_free(toolchain *tools);

// Finds both. The compiler: `clang` (a path, or a name to look for in PATH; may be NULL), else the
// environment's DIVCOST_CLANG, else that of the LLVM divcost was built for. The plugin: `plugin`
// (may be NULL), else the one that was built or installed together with this command. Errors:
// DC_ERROR_FILE, with where was looked.
dc_status toolchain_find(const char *clang, const char *plugin, toolchain *tools, dc_error *error);

// The absolute path of a program, with the links that are in it: clang goes by its name. A name
// without a slash is looked for in PATH. Owned by the caller; NULL: there is none, or no memory.
char *toolchain_program(const char *name);

// The absolute path of a page of the documentation, "warnings.md", that was built or installed
// together with this command. Owned by the caller; NULL: it isn't there, or no memory.
char *toolchain_page(const char *name);

#endif
