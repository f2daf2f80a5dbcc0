// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIVCOST_TOOLS_DEMANGLE_H
#define DIVCOST_TOOLS_DEMANGLE_H

// A kernel's name as people know it, "spmv<float>" of "_Z4spmvIfEvPKfi": without parameters, and
// without "void". A symbol that isn't mangled stays as it is. The caller frees it; NULL: out of
// memory. O(length).
char *demangled_name(const char *symbol);

#endif
