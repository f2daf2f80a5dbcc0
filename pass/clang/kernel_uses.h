// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who launches a kernel: kernel<<<grid, block>>>, calls of CUDA's runtime that get its address
// (cudaLaunchKernel and its kin), and every other use of its address, which may launch it in any
// way.
#ifndef DIVCOST_PASS_CLANG_KERNEL_USES_H
#define DIVCOST_PASS_CLANG_KERNEL_USES_H

#include "clang/AST/ASTFwd.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <vector>

namespace divcost {

class KernelUses {
public:
  // To be told of everything that isn't in a pattern whose instances are walked.
  void noteReference(const clang::DeclRefExpr *E);
  void noteMember(const clang::MemberExpr *E);
  void noteCall(const clang::CallExpr *E); // launches are calls, too
  void noteTemplate(const clang::OverloadExpr *E);

  // A launch, or, without a block, a use of which nothing more is known. No grid, no bytes of
  // dynamic shared memory: not known. The call with the kernel's arguments, if there is one.
  struct Use {
    const clang::FunctionDecl *Kernel;
    const clang::Expr *Grid, *Block;
    clang::SourceLocation Place;
    const clang::CUDAKernelCallExpr *Call = nullptr;
    const clang::Expr *Shared = nullptr;
  };
  // Calls Visit with each of them, once all are noted.
  void forEach(llvm::function_ref<void(const Use &)> Visit) const;
  // Whether some instance of the kernel's template is used that isn't known.
  bool isTemplateUsed(const clang::FunctionDecl *Kernel) const;

private:
  // What the fields of a cudaLaunchConfig_t are given.
  struct Configuration {
    llvm::SmallVector<const clang::Expr *, 2> Grids, Blocks;
    bool Understood = true;
  };
  // A launch with one.
  struct ConfiguredLaunch {
    const clang::VarDecl *Configuration;
    Use Launch;
  };
  Configuration configurationOf(const clang::VarDecl *V) const;

  std::vector<const clang::DeclRefExpr *> Kernels, Variables;
  llvm::DenseSet<const clang::DeclRefExpr *> Understood; // of these
  std::vector<Use> Launches;
  std::vector<ConfiguredLaunch> ConfiguredLaunches;
  llvm::DenseMap<const clang::VarDecl *, Configuration> Assigned;
  llvm::DenseSet<const clang::Decl *> Templates;
};

} // namespace divcost

#endif
