// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Folds launch configurations. A use of a variable only reads it where it is loaded, a member of it
// is loaded, or it is taken as a constant object (a copy); every other use (assignment, address, a
// reference bound to it, a member function that isn't const) counts as a write. Variables that
// other units can write must be const.
#include "clang/launches.h"

#include "analysis/limits.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;
using namespace divcost;

static bool isDim3(QualType Type) {
  auto *Record = Type.getNonReferenceType()->getAsCXXRecordDecl();
  return Record && Record->getDeclName().isIdentifier() && Record->getName() == "dim3";
}

static bool isOfInterest(QualType Type) {
  return Type->isIntegralOrEnumerationType() || isDim3(Type);
}

void LaunchConfigurations::noteUse(const DeclRefExpr *E) {
  auto *V = dyn_cast<VarDecl>(E->getDecl());
  if (V && isOfInterest(V->getType()))
    ++UsesThatMayWrite[V];
  if (auto *F = dyn_cast<FunctionDecl>(E->getDecl()))
    ++UsesThatAreNoCalls[F->getCanonicalDecl()];
}

void LaunchConfigurations::noteCall(const CallExpr *E) {
  auto *Callee = dyn_cast<DeclRefExpr>(E->getCallee()->IgnoreParenImpCasts());
  auto *F = Callee ? dyn_cast<FunctionDecl>(Callee->getDecl()) : nullptr;
  if (!F)
    return;
  --UsesThatAreNoCalls[F->getCanonicalDecl()];
  Calls[F->getCanonicalDecl()].push_back(E);
}

void LaunchConfigurations::noteOverload(const OverloadExpr *E) {
  for (const NamedDecl *D : E->decls())
    if (auto *F = dyn_cast<FunctionDecl>(D->getUnderlyingDecl()))
      ++UsesThatAreNoCalls[F->getCanonicalDecl()];
}

void LaunchConfigurations::noteRead(const ImplicitCastExpr *E) {
  bool Loads = E->getCastKind() == CK_LValueToRValue;
  bool IsConstant = E->getCastKind() == CK_NoOp && E->getType().isConstQualified();
  if (!Loads && !IsConstant)
    return;
  const Expr *Object = E->getSubExpr()->IgnoreParens();
  if (auto *Member = dyn_cast<MemberExpr>(Object); Member && !Member->isArrow())
    Object = Member->getBase()->IgnoreParens();
  auto *Use = dyn_cast<DeclRefExpr>(Object);
  auto *V = Use ? dyn_cast<VarDecl>(Use->getDecl()) : nullptr;
  if (V && isOfInterest(V->getType()))
    --UsesThatMayWrite[V];
}

// What a variable is initialised with, if it keeps that; else null.
const Expr *LaunchConfigurations::valueOf(const Expr *E) const {
  auto *Use = dyn_cast<DeclRefExpr>(E);
  auto *V = Use ? dyn_cast<VarDecl>(Use->getDecl()) : nullptr;
  if (!V || isa<ParmVarDecl>(V) || V->getType()->isReferenceType() || !V->getAnyInitializer() ||
      V->getInit() == nullptr || V->getInit()->isValueDependent())
    return nullptr;
  if (V->getType().isConstQualified())
    return V->getInit();
  bool Ours = V->isLocalVarDecl() || !V->isExternallyVisible();
  return Ours && UsesThatMayWrite.lookup(V) == 0 ? V->getInit() : nullptr;
}

// What a parameter that keeps its value is given in all calls of its function; empty: that isn't
// known.
LaunchConfigurations::Arguments LaunchConfigurations::argumentsOf(const Expr *E) const {
  auto *Use = dyn_cast<DeclRefExpr>(E);
  auto *P = Use ? dyn_cast<ParmVarDecl>(Use->getDecl()) : nullptr;
  auto *F = P ? dyn_cast<FunctionDecl>(P->getDeclContext()) : nullptr;
  if (!F || isa<CXXMethodDecl>(F) || P->getType()->isReferenceType() ||
      UsesThatMayWrite.lookup(P) != 0 || UsesThatAreNoCalls.lookup(F->getCanonicalDecl()) != 0)
    return {};
  Arguments Given;
  for (const CallExpr *Call : Calls.lookup(F->getCanonicalDecl())) {
    if (P->getFunctionScopeIndex() >= Call->getNumArgs())
      return {};
    Given.push_back(Call->getArg(P->getFunctionScopeIndex()));
  }
  AssumedCallers |= F->isExternallyVisible();
  return Given;
}

bool LaunchConfigurations::foldNumber(const Expr *E, int64_t &Value, unsigned Depth) const {
  if (Depth > dcp_limit->launch_depth || Budget == 0 || E->isValueDependent())
    return false;
  --Budget;
  E = E->IgnoreParens();
  Expr::EvalResult Result;
  if (E->getType()->isIntegralOrEnumerationType() && E->EvaluateAsInt(Result, Context)) {
    Value = Result.Val.getInt().getExtValue();
    return true;
  }
  if (auto *Cast = dyn_cast<CastExpr>(E)) // they are far from where a conversion would change them
    return Cast->getSubExpr()->getType()->isIntegralOrEnumerationType() &&
           foldNumber(Cast->getSubExpr(), Value, Depth + 1);
  if (const Expr *Initial = valueOf(E))
    return foldNumber(Initial, Value, Depth + 1);
  if (Arguments Given = argumentsOf(E); !Given.empty())
    return all_of(Given, [&](const Expr *&Argument) {
      int64_t Other = 0;
      bool Known =
          foldNumber(Argument, Other, Depth + 1) && (&Argument == Given.begin() || Other == Value);
      Value = Other;
      return Known;
    });
  if (auto *Member = dyn_cast<MemberExpr>(E)) {
    auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
    uint32_t Dimensions[3];
    if (!Field || !isDim3(Member->getBase()->getType()) || Field->getFieldIndex() > 2 ||
        !foldDimensions(Member->getBase(), Dimensions, Depth + 1))
      return false;
    Value = Dimensions[Field->getFieldIndex()];
    return true;
  }
  auto *Operation = dyn_cast<BinaryOperator>(E);
  int64_t Left, Right;
  if (!Operation || !foldNumber(Operation->getLHS(), Left, Depth + 1) ||
      !foldNumber(Operation->getRHS(), Right, Depth + 1))
    return false;
  constexpr int64_t Small = int64_t(1) << 31; // no operation below overflows
  if (Left < -Small || Left > Small || Right < -Small || Right > Small)
    return false;
  switch (Operation->getOpcode()) {
  case BO_Add:
    Value = Left + Right;
    return true;
  case BO_Sub:
    Value = Left - Right;
    return true;
  case BO_Mul:
    Value = Left * Right;
    return true;
  case BO_Div:
  case BO_Rem:
    if (Right == 0)
      return false;
    Value = Operation->getOpcode() == BO_Div ? Left / Right : Left % Right;
    return true;
  case BO_Shl:
  case BO_Shr:
    if (Left < 0 || Right < 0 || Right > 31)
      return false;
    Value = Operation->getOpcode() == BO_Shl ? Left << Right : Left >> Right;
    return true;
  default:
    return false;
  }
}

bool LaunchConfigurations::foldAll(const Arguments &Given, uint32_t (&Dimensions)[3],
                                   unsigned Depth) const {
  bool Known = foldDimensions(Given.front(), Dimensions, Depth + 1);
  for (const Expr *Argument : ArrayRef(Given).drop_front()) {
    uint32_t Other[3] = {0, 0, 0};
    foldDimensions(Argument, Other, Depth + 1);
    for (unsigned D = 0; D < 3; ++D)
      Dimensions[D] = Dimensions[D] == Other[D] ? Other[D] : 0;
  }
  return Known && Dimensions[0] && Dimensions[1] && Dimensions[2];
}

bool LaunchConfigurations::foldDimensions(const Expr *E, uint32_t (&Dimensions)[3],
                                          unsigned Depth) const {
  if (Depth > dcp_limit->launch_depth || Budget == 0)
    return false;
  --Budget;
  E = E->IgnoreParens();
  if (auto *Full = dyn_cast<FullExpr>(E))
    return foldDimensions(Full->getSubExpr(), Dimensions, Depth + 1);
  if (auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(E))
    return foldDimensions(Temporary->getSubExpr(), Dimensions, Depth + 1);
  if (auto *Bound = dyn_cast<CXXBindTemporaryExpr>(E))
    return foldDimensions(Bound->getSubExpr(), Dimensions, Depth + 1);
  if (auto *Default = dyn_cast<CXXDefaultArgExpr>(E))
    return foldDimensions(Default->getExpr(), Dimensions, Depth + 1);
  if (auto *Cast = dyn_cast<CastExpr>(E); Cast && isDim3(E->getType()))
    return foldDimensions(Cast->getSubExpr(), Dimensions, Depth + 1);
  if (const Expr *Initial = isDim3(E->getType()) ? valueOf(E) : nullptr)
    return foldDimensions(Initial, Dimensions, Depth + 1);
  if (Arguments Given = isDim3(E->getType()) ? argumentsOf(E) : Arguments(); !Given.empty())
    return foldAll(Given, Dimensions, Depth);

  ArrayRef<const Expr *> Numbers(E);
  if (auto *Construct = dyn_cast<CXXConstructExpr>(E)) {
    if (!isDim3(E->getType()))
      return false;
    if (Construct->getConstructor()->isCopyOrMoveConstructor())
      return foldDimensions(Construct->getArg(0), Dimensions, Depth + 1);
    Numbers = ArrayRef(Construct->getArgs(), Construct->getNumArgs());
  } else if (auto *List = dyn_cast<InitListExpr>(E)) {
    Numbers = ArrayRef(List->getInits(), List->getNumInits());
  }
  if (Numbers.size() > 3)
    return false;
  bool Known = true;
  Dimensions[0] = Dimensions[1] = Dimensions[2] = 1;
  for (size_t Dimension = 0; Dimension < Numbers.size(); ++Dimension) {
    const Expr *Number = Numbers[Dimension];
    if (auto *Default = dyn_cast<CXXDefaultArgExpr>(Number))
      Number = Default->getExpr();
    int64_t Value;
    if (!Number->getType()->isIntegralOrEnumerationType() ||
        !foldNumber(Number, Value, Depth + 1) || Value < 1 || Value > INT32_MAX)
      Value = 0;
    Dimensions[Dimension] = static_cast<uint32_t>(Value);
    Known &= Value != 0;
  }
  return Known;
}

bool LaunchConfigurations::fold(const Expr *E, uint32_t (&Dimensions)[3]) const {
  AssumedCallers = false;
  Budget = static_cast<unsigned>(dcp_limit->launch_steps);
  Dimensions[0] = Dimensions[1] = Dimensions[2] = 0;
  return foldDimensions(E, Dimensions, 0);
}

bool LaunchConfigurations::fold(const Expr *E, int64_t &Value) const {
  AssumedCallers = false;
  Budget = static_cast<unsigned>(dcp_limit->launch_steps);
  return E->getType()->isIntegralOrEnumerationType() && foldNumber(E, Value, 0);
}
