// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A cudaLaunchConfig_t is understood if it is a local variable of which nothing is done but to set
// fields and to launch with it. Its block is then one of those that it is ever given, wherever that
// stands. One that it begins with by default has one thread, or none: no lanes that could differ.
#include "clang/kernel_uses.h"

#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;
using namespace divcost;

static bool isKernel(const Decl *D) { return isa<FunctionDecl>(D) && D->hasAttr<CUDAGlobalAttr>(); }

static bool isConfiguration(const Decl *D) {
  auto *V = dyn_cast<VarDecl>(D);
  auto *Record = V ? V->getType().getNonReferenceType()->getAsCXXRecordDecl() : nullptr;
  return Record && Record->getDeclName().isIdentifier() &&
         Record->getName() == "cudaLaunchConfig_st";
}

// The declaration that an expression names, maybe by its address; null: it is another one.
static const DeclRefExpr *reference(const Expr *E) {
  E = E->IgnoreParenCasts();
  auto *Address = dyn_cast<UnaryOperator>(E);
  if (Address && Address->getOpcode() == UO_AddrOf)
    E = Address->getSubExpr()->IgnoreParenCasts();
  return dyn_cast<DeclRefExpr>(E);
}

static const FunctionDecl *kernelOf(const DeclRefExpr *E) {
  return E && isKernel(E->getDecl()) ? cast<FunctionDecl>(E->getDecl()) : nullptr;
}

static const VarDecl *variableOf(const DeclRefExpr *E) {
  return E && isConfiguration(E->getDecl()) ? cast<VarDecl>(E->getDecl()) : nullptr;
}

// The name of a function of CUDA's runtime; with a default stream for each thread its functions
// have others.
static StringRef runtimeName(const CallExpr *E) {
  const FunctionDecl *Callee = E->getDirectCallee();
  if (!Callee || !Callee->getDeclName().isIdentifier() ||
      !Callee->getDeclContext()->getRedeclContext()->isTranslationUnit())
    return "";
  StringRef Name = Callee->getName();
  Name.consume_back("_ptsz");
  return Name.starts_with("cuda") ? Name : "";
}

void KernelUses::noteReference(const DeclRefExpr *E) {
  if (isKernel(E->getDecl()))
    Kernels.push_back(E);
  else if (isConfiguration(E->getDecl()))
    Variables.push_back(E);
}

void KernelUses::noteMember(const MemberExpr *E) {
  const DeclRefExpr *Base = E->isArrow() ? nullptr : reference(E->getBase());
  auto *Field = dyn_cast<FieldDecl>(E->getMemberDecl());
  if (variableOf(Base) && Field && Field->getName() != "gridDim" && Field->getName() != "blockDim")
    Understood.insert(Base);
}

void KernelUses::noteCall(const CallExpr *E) {
  bool Known = !E->isInstantiationDependent();
  if (auto *Launch = dyn_cast<CUDAKernelCallExpr>(E)) {
    const CallExpr *Given = Launch->getConfig();
    const FunctionDecl *F = Launch->getDirectCallee();
    if (const DeclRefExpr *Callee = reference(E->getCallee()))
      Understood.insert(Callee);
    Known &= Given && Given->getNumArgs() >= 2;
    if (F)
      Launches.push_back({F, Known ? Given->getArg(0) : nullptr, Known ? Given->getArg(1) : nullptr,
                          E->getBeginLoc(), Launch,
                          Known && Given->getNumArgs() > 2 ? Given->getArg(2) : nullptr});
    return;
  }
  if (auto *Operator = dyn_cast<CXXOperatorCallExpr>(E);
      Operator && Operator->getOperator() == OO_Equal) {
    auto *Member = dyn_cast<MemberExpr>(E->getArg(0)->IgnoreParens());
    const DeclRefExpr *Base = Member && !Member->isArrow() ? reference(Member->getBase()) : nullptr;
    if (const VarDecl *V = variableOf(Base)) {
      bool IsGrid = Member->getMemberDecl()->getName() == "gridDim";
      (IsGrid ? Assigned[V].Grids : Assigned[V].Blocks).push_back(E->getArg(1));
      Understood.insert(Base);
    }
    return;
  }
  StringRef Name = Known ? runtimeName(E) : "";
  if (Name.starts_with("cudaFuncGet") || Name.starts_with("cudaFuncSet") ||
      Name.starts_with("cudaOccupancy")) {
    for (const Expr *Argument : E->arguments())
      if (const DeclRefExpr *Kernel = reference(Argument); kernelOf(Kernel))
        Understood.insert(Kernel);
  } else if ((Name == "cudaLaunchKernel" || Name == "cudaLaunchCooperativeKernel") &&
             E->getNumArgs() > 2) {
    const DeclRefExpr *Kernel = reference(E->getArg(0));
    if (kernelOf(Kernel)) {
      Launches.push_back({kernelOf(Kernel), E->getArg(1), E->getArg(2), E->getBeginLoc(), nullptr,
                          E->getNumArgs() > 4 ? E->getArg(4) : nullptr});
      Understood.insert(Kernel);
    }
  } else if ((Name == "cudaLaunchKernelEx" || Name == "cudaLaunchKernelExC") &&
             E->getNumArgs() > 1) {
    const DeclRefExpr *Kernel = reference(E->getArg(1)), *Given = reference(E->getArg(0));
    if (variableOf(Given))
      Understood.insert(Given);
    if (kernelOf(Kernel) && variableOf(Given)) {
      ConfiguredLaunches.push_back(
          {variableOf(Given), {kernelOf(Kernel), nullptr, nullptr, E->getBeginLoc()}});
      Understood.insert(Kernel);
    }
  }
}

void KernelUses::noteTemplate(const OverloadExpr *E) {
  for (const NamedDecl *D : E->decls())
    if (auto *Template = dyn_cast<FunctionTemplateDecl>(D->getUnderlyingDecl()))
      Templates.insert(Template->getCanonicalDecl());
}

bool KernelUses::isTemplateUsed(const FunctionDecl *Kernel) const {
  const FunctionTemplateDecl *Template = Kernel->getPrimaryTemplate();
  return Template && Templates.contains(Template->getCanonicalDecl());
}

KernelUses::Configuration KernelUses::configurationOf(const VarDecl *V) const {
  Configuration All = Assigned.lookup(V);
  const Expr *Initial = V->getInit();
  if (auto *Full = dyn_cast_or_null<FullExpr>(Initial))
    Initial = Full->getSubExpr();
  auto *List = dyn_cast_or_null<InitListExpr>(Initial);
  auto *Construct = dyn_cast_or_null<CXXConstructExpr>(Initial);
  All.Understood = V->isLocalVarDecl() && !V->getType()->isReferenceType() &&
                   (!Initial || List || (Construct && Construct->getNumArgs() == 0));
  for (const DeclRefExpr *E : Variables)
    All.Understood &= E->getDecl() != V || Understood.contains(E);
  if (List && List->isSyntacticForm() && List->getSemanticForm())
    List = List->getSemanticForm();
  for (const FieldDecl *Field :
       V->getType().getNonReferenceType()->getAsCXXRecordDecl()->fields()) {
    if (!List || Field->getFieldIndex() >= List->getNumInits())
      break;
    const Expr *Value = List->getInit(Field->getFieldIndex());
    auto *Made = dyn_cast<CXXConstructExpr>(Value->IgnoreImplicit());
    bool ByDefault = isa<ImplicitValueInitExpr>(Value) ||
                     (Made && llvm::all_of(Made->arguments(), [](const Expr *Argument) {
                        return isa<CXXDefaultArgExpr>(Argument);
                      }));
    if (!ByDefault && Field->getName() == "gridDim")
      All.Grids.push_back(Value);
    else if (!ByDefault && Field->getName() == "blockDim")
      All.Blocks.push_back(Value);
  }
  return All;
}

void KernelUses::forEach(llvm::function_ref<void(const Use &)> Visit) const {
  for (const Use &Launch : Launches)
    Visit(Launch);
  for (const ConfiguredLaunch &Launch : ConfiguredLaunches) {
    Configuration Given = configurationOf(Launch.Configuration);
    Use One = Launch.Launch;
    One.Grid = Given.Grids.size() == 1 ? Given.Grids.front() : nullptr;
    if (!Given.Understood || Given.Blocks.empty())
      Visit(One);
    for (const Expr *Block : Given.Blocks) {
      One.Block = Given.Understood ? Block : nullptr;
      Visit(One);
    }
  }
  for (const DeclRefExpr *E : Kernels)
    if (!Understood.contains(E))
      Visit({kernelOf(E), nullptr, nullptr, E->getBeginLoc()});
}
