// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/libclang.h"

#include <dlfcn.h>
#include <string.h>

// DIVCOST_LIBCLANG is where CMake found it.
static void *open_library(void) {
  const char *name = strrchr(DIVCOST_LIBCLANG, '/') + 1;
  void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL); // where the system has it now
  return library ? library : dlopen(DIVCOST_LIBCLANG, RTLD_LAZY | RTLD_LOCAL);
}

dc_status libclang_open(libclang *library, dc_error *error) {
  void *opened = open_library();
  if (!opened)
    return dc_fail(error, DC_ERROR_FILE,
                   "compilation databases need libclang (Debian: libclang1-%s): %s", DIVCOST_LLVM,
                   dlerror());
#define FIND(name, symbol, result, parameters)                                                     \
  {                                                                                                \
    void *address = dlsym(opened, symbol);                                                         \
    if (!address)                                                                                  \
      return dc_fail(error, DC_ERROR_FILE, "%s has no %s", DIVCOST_LIBCLANG, symbol);              \
    memcpy(&library->name, &address, sizeof address);                                              \
  }
  LIBCLANG_FUNCTIONS(FIND)
#undef FIND
  return DC_OK;
}
