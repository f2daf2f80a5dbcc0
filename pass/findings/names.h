// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names as people write them: a part for the whole.
#ifndef DIVCOST_PASS_FINDINGS_NAMES_H
#define DIVCOST_PASS_FINDINGS_NAMES_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

// Whether `part` is the end of `whole`, from the start or after `separator` on.
bool dcp_ends_with(const char *whole, const char *part, char separator);

// What stands behind the last separator; all of it if there is none.
const char *dcp_last_part(const char *whole, char separator);

#ifdef __cplusplus
}
#endif

#endif
