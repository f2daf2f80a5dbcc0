// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where clang makes a precompiled header there is nothing to analyse yet: who uses it has the
// syntax tree that it holds. Pragmas aren't in that tree, so they are lost.
#include "clang/plugin.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticFrontend.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"

using namespace clang;
using namespace divcost;

namespace {

class PrecompilingConsumer : public ASTConsumer {
public:
  explicit PrecompilingConsumer(std::shared_ptr<Compilation> Self) : Self(std::move(Self)) {}
  void HandleTranslationUnit(ASTContext &Context) override {
    const SourceManager &SM = Context.getSourceManager();
    SourceLocation First;
    std::string Name;
    auto Note = [&](SourceLocation Place, const std::string &Its) {
      if (First.isValid() && !SM.isBeforeInTranslationUnit(Place, First))
        return;
      First = Place;
      Name = Its;
    };
    for (const LoopPragma &P : Self->Found->Loops)
      Note(P.Place, P.name());
    for (const LaunchPragma &P : Self->Found->Launches)
      Note(P.Place, "'#pragma divcost launch'");
    if (First.isValid())
      Context.getDiagnostics().Report(usersPlace(SM, First), diag::warn_fe_backend_plugin)
          << Name + " is lost in a precompiled header: clang doesn't keep it for those who use "
                    "that; leave the header with this pragma out of it";
  }

private:
  // In system headers, nothing would be said of it.
  static SourceLocation usersPlace(const SourceManager &SM, SourceLocation Place) {
    Place = SM.getExpansionLoc(Place);
    while (SM.isInSystemHeader(Place)) {
      SourceLocation Includer = SM.getIncludeLoc(SM.getFileID(Place));
      if (Includer.isInvalid())
        break;
      Place = SM.getExpansionLoc(Includer);
    }
    return Place;
  }

  std::shared_ptr<Compilation> Self;
};

} // namespace

std::unique_ptr<ASTConsumer> Compilation::precompilingConsumer(std::shared_ptr<Compilation> Self) {
  return std::make_unique<PrecompilingConsumer>(std::move(Self));
}
