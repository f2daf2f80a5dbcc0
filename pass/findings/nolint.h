// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NOLINT comments, as clang-tidy has them: of a line, of the next one (NOLINTNEXTLINE), or of all
// lines between NOLINTBEGIN and NOLINTEND; of everything, or of what a list in parentheses names:
// NOLINT(divcost-branch, bugprone-*).
#ifndef DIVCOST_PASS_FINDINGS_NOLINT_H
#define DIVCOST_PASS_FINDINGS_NOLINT_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dcp_nolint {
  bool silences;
  const char *unknown; // in the text: a name divcost-... of a list of that line which is no rule;
  size_t length;       // NULL: there is none
} dcp_nolint;

// What the comments in a source text say of the line at an offset below `size`, as to a rule
// ("branch"; NULL: to something of divcost's that isn't a rule, for which any name of divcost's
// does). O(offset + length of the line).
dcp_nolint dcp_nolint_of(const char *text, size_t size, size_t offset, const char *rule);

#ifdef __cplusplus
}
#endif

#endif
