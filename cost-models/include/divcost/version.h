// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIVCOST_VERSION_H
#define DIVCOST_VERSION_H

#ifdef __cplusplus
extern "C" {
#endif

// Of these headers. Semantic versioning, but for binaries: as long as the first number is 0, any
// release may change structures and signatures, so what uses the libraries is compiled again.
#define DIVCOST_VERSION_MAJOR 0
#define DIVCOST_VERSION_MINOR 1
#define DIVCOST_VERSION_PATCH 0
#define DIVCOST_VERSION "0.1.0"

// Of the library that is linked: DIVCOST_VERSION when it was compiled. O(1).
const char *dc_version(void);

#ifdef __cplusplus
}
#endif

#endif
