// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The source side of instrumentation: the recorder's text, and marks where loops' bodies begin.
// Only the syntax tree knows exactly where that is: in the IR, a condition of several blocks looks
// like a body. A mark is a call at the loop's own location, so that a mark whose loop has no way
// back isn't taken for the next loop's.
#include "profile/instrument.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

// The bytes of runtime/src/device_recorder.h, with a 0 behind.
extern "C" const char dcp_device_recorder[];

std::string divcost::recorderText(llvm::StringRef File, bool Check) {
  std::string Text = "# 1 \"<divcost>\" 1 3\n#define __DIVCOST_PROFILE \"";
  for (char Character : File) {
    if (Character == '"' || Character == '\\')
      Text += '\\';
    Text += Character;
  }
  Text += "\"\n";
  if (Check)
    Text += "#define __DIVCOST_CHECK 1\n";
  return Text + dcp_device_recorder + "\n# 1 \"<built-in>\" 2\n";
}

namespace {

class Marker : public RecursiveASTVisitor<Marker> {
public:
  explicit Marker(ASTContext &Context) : Context(Context), SM(Context.getSourceManager()) {
    for (NamedDecl *Found :
         Context.getTranslationUnitDecl()->lookup(&Context.Idents.get("__divcost_iteration")))
      Mark = dyn_cast<FunctionDecl>(Found);
  }

  bool shouldVisitTemplateInstantiations() const { return true; }

  bool TraverseDecl(Decl *D) {
    if (!D || !Mark || (D->getLocation().isValid() && SM.isInSystemHeader(D->getLocation())))
      return true;
    auto *F = dyn_cast<FunctionDecl>(D);
    bool Outer = InDevice;
    if (F)
      InDevice = !F->isDependentContext() &&
                 (F->hasAttr<CUDADeviceAttr>() || F->hasAttr<CUDAGlobalAttr>());
    bool Result = RecursiveASTVisitor::TraverseDecl(D);
    InDevice = Outer;
    return Result;
  }

  bool VisitForStmt(ForStmt *S) { return mark(S); }
  bool VisitWhileStmt(WhileStmt *S) { return mark(S); }
  bool VisitDoStmt(DoStmt *S) { return mark(S); }
  bool VisitCXXForRangeStmt(CXXForRangeStmt *S) { return mark(S); }

private:
  // As CallExpr::Create wants it: a call of Mark that seems to stand at Place.
  Expr *call(SourceLocation Place) {
    Expr *Name = DeclRefExpr::Create(Context, NestedNameSpecifierLoc(), SourceLocation(), Mark,
                                     false, Place, Mark->getType(), VK_LValue);
    Expr *Callee = ImplicitCastExpr::Create(Context, Context.getPointerType(Mark->getType()),
                                            CK_FunctionToPointerDecay, Name, nullptr, VK_PRValue,
                                            FPOptionsOverride());
    return CallExpr::Create(Context, Callee, {}, Mark->getReturnType(), VK_PRValue, Place,
                            FPOptionsOverride());
  }

  bool isMarked(const Stmt *Body) const {
    auto *Block = dyn_cast<CompoundStmt>(Body);
    auto *First =
        Block && !Block->body_empty() ? dyn_cast<CallExpr>(*Block->body_begin()) : nullptr;
    return First && First->getDirectCallee() == Mark;
  }

  template <typename Loop> bool mark(Loop *S) {
    Stmt *Body = S->getBody();
    if (!InDevice || isMarked(Body))
      return true;
    Stmt *Parts[] = {call(S->getBeginLoc()), Body};
    S->setBody(CompoundStmt::Create(Context, Parts, FPOptionsOverride(), Body->getBeginLoc(),
                                    Body->getEndLoc()));
    return true;
  }

  ASTContext &Context;
  SourceManager &SM;
  FunctionDecl *Mark = nullptr;
  bool InDevice = false;
};

} // namespace

void divcost::markLoops(ASTContext &Context, Decl *D) { Marker(Context).TraverseDecl(D); }
