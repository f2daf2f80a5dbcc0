// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIVCOST_PASS_CLANG_AST_H
#define DIVCOST_PASS_CLANG_AST_H

#include "analysis/source.h"
#include "clang/locations.h"
#include "clang/pragmas.h"

namespace clang {
class ASTContext;
}

namespace divcost {

// Fills Source from the syntax tree, and reports pragmas that belong to nothing.
void readSource(clang::ASTContext &Context, SourceLocations &Where, Pragmas &Found,
                dcp_source &Source);

} // namespace divcost

#endif
