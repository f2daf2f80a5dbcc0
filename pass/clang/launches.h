// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The configurations that kernels are launched with, where they fold to constants: literals and
// constant expressions, dim3 objects made of such, and variables that keep the value they are
// initialised with.
#ifndef DIVCOST_PASS_CLANG_LAUNCHES_H
#define DIVCOST_PASS_CLANG_LAUNCHES_H

#include "llvm/ADT/DenseMap.h"

#include <cstdint>

namespace clang {
class ASTContext;
class DeclRefExpr;
class Expr;
class ImplicitCastExpr;
class VarDecl;
} // namespace clang

namespace divcost {

class LaunchConfigurations {
public:
  explicit LaunchConfigurations(clang::ASTContext &Context) : Context(Context) {}
  // To be told of every use of a variable, and of every cast, before the first fold: a variable all
  // of whose uses only read it keeps its value.
  void noteUse(const clang::DeclRefExpr *E);
  void noteRead(const clang::ImplicitCastExpr *E);
  // False: not all of them are known; those that aren't are 0.
  bool fold(const clang::Expr *E, uint32_t (&Dimensions)[3]) const;
  // A whole number that a kernel is given.
  bool fold(const clang::Expr *E, int64_t &Value) const;

private:
  bool foldDimensions(const clang::Expr *E, uint32_t (&Dimensions)[3], unsigned Depth) const;
  bool foldNumber(const clang::Expr *E, int64_t &Value, unsigned Depth) const;
  const clang::Expr *valueOf(const clang::Expr *E) const;
  clang::ASTContext &Context;
  mutable unsigned Budget = 0; // steps that a fold may still take: variables can refer to each
                               // other exponentially often
  llvm::DenseMap<const clang::VarDecl *, int> UsesThatMayWrite;
};

} // namespace divcost

#endif
