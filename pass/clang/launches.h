// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The configurations that kernels are launched with, where they fold to constants: literals and
// constant expressions, dim3 objects made of such, variables that keep the value they are
// initialised with, and parameters of functions that are given the same in all calls.
#ifndef DIVCOST_PASS_CLANG_LAUNCHES_H
#define DIVCOST_PASS_CLANG_LAUNCHES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace clang {
class ASTContext;
class CallExpr;
class DeclRefExpr;
class Expr;
class FunctionDecl;
class ImplicitCastExpr;
class OverloadExpr;
class ParmVarDecl;
class VarDecl;
} // namespace clang

namespace divcost {

class LaunchConfigurations {
public:
  explicit LaunchConfigurations(clang::ASTContext &Context) : Context(Context) {}
  // To be told of every use of a variable or function, every cast, call and name that isn't
  // resolved yet, before the first fold: a variable all of whose uses only read it keeps its value,
  // and a function all of whose uses are calls is given no other arguments.
  void noteUse(const clang::DeclRefExpr *E);
  void noteRead(const clang::ImplicitCastExpr *E);
  void noteCall(const clang::CallExpr *E);
  void noteOverload(const clang::OverloadExpr *E);
  // False: not all of them are known; those that aren't are 0.
  bool fold(const clang::Expr *E, uint32_t (&Dimensions)[3]) const;
  // A whole number that a kernel is given.
  bool fold(const clang::Expr *E, int64_t &Value) const;
  // Whether the last fold took it that no other unit calls a function which it could call.
  bool assumedCallers() const { return AssumedCallers; }

private:
  bool foldDimensions(const clang::Expr *E, uint32_t (&Dimensions)[3], unsigned Depth) const;
  bool foldAll(const llvm::SmallVector<const clang::Expr *, 4> &Given, uint32_t (&Dimensions)[3],
               unsigned Depth) const;
  bool foldNumber(const clang::Expr *E, int64_t &Value, unsigned Depth) const;
  const clang::Expr *valueOf(const clang::Expr *E) const;
  using Arguments = llvm::SmallVector<const clang::Expr *, 4>;
  Arguments argumentsOf(const clang::Expr *E) const;
  clang::ASTContext &Context;
  mutable unsigned Budget = 0; // steps that a fold may still take: variables can refer to each
                               // other exponentially often
  mutable bool AssumedCallers = false;
  llvm::DenseMap<const clang::VarDecl *, int> UsesThatMayWrite;
  llvm::DenseMap<const clang::FunctionDecl *, int> UsesThatAreNoCalls;
  llvm::DenseMap<const clang::FunctionDecl *, llvm::SmallVector<const clang::CallExpr *, 2>> Calls;
};

} // namespace divcost

#endif
