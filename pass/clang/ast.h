// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIVCOST_PASS_CLANG_AST_H
#define DIVCOST_PASS_CLANG_AST_H

#include "analysis/source.h"
#include "findings/annotations.h"
#include "clang/locations.h"
#include "clang/pragmas.h"

#include <string>
#include <vector>

namespace clang {
class ASTContext;
}

namespace divcost {

// Fills Source from the syntax tree and, for kernels, from the annotation file's entries, which it
// marks as used, and reports pragmas that belong to nothing. Returns warnings about the entries.
std::vector<std::string> readSource(clang::ASTContext &Context, SourceLocations &Where,
                                    Pragmas &Found, dcp_annotations &Annotations,
                                    dcp_source &Source);

} // namespace divcost

#endif
