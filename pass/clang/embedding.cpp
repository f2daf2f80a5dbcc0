// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The way of the report into the host's object: the device's compilations leave their parts in the
// session; the host's, which clang runs last, gives clang's code generator a statement
// asm("...") that the source doesn't have, with the report in a section of its own. Code stays what
// it is. Only on request, as the object does change.
#include "findings/embed.h"
#include "clang/plugin.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticFrontend.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendOptions.h"

#include <cstdlib>

using namespace clang;
using namespace divcost;

// Whether the compilation's output is, or becomes, an object.
bool Compilation::writesObject() const {
  switch (Instance.getFrontendOpts().ProgramAction) {
  case frontend::EmitAssembly:
  case frontend::EmitBC:
  case frontend::EmitLLVM:
  case frontend::EmitObj:
    return true;
  default:
    return false;
  }
}

static void warn(CompilerInstance &Instance, const char *Reason) {
  Instance.getDiagnostics().Report(diag::warn_fe_backend_plugin)
      << std::string("divcost: option 'embed': no report is embedded: ") + Reason;
}

// On the device's side: says so if there will be no object.
void Compilation::checkEmbedding(dcp_session *Session) {
  if (!writesObject() || dcp_session_has_host(Session))
    return;
  dcp_session_begin(Session);
  if (dcp_session_first(Session, "no host"))
    warn(Instance, "the command compiles for the device alone (--cuda-device-only), so there is no "
                   "object of the host; write a file with -fplugin-arg-divcost-report=FILE.json");
  dcp_session_end(Session);
}

void Compilation::collectReport() {
  if (!writesObject())
    return;
  if (!Instance.getTarget().getTriple().isOSBinFormatELF()) {
    warn(Instance, "the host's objects aren't ELF files");
    return;
  }
  dcp_session Session = DCP_ALONE;
  dc_error Error;
  char *Text = nullptr;
  dc_status Status = dcp_session_open(&Session, Instance.getLangOpts().CUID.c_str(), &Error);
  if (Status == DC_OK)
    Status = dcp_embed_text(&Session, &Text, &Error);
  dcp_session_close(&Session);
  if (Status != DC_OK)
    warn(Instance, Error.text);
  else if (!Text)
    warn(Instance, "no compilation for a device came before the host's in this command "
                   "(--cuda-host-only), or /proc, through which the two know of each other, isn't "
                   "there");
  else
    Assembly = Text;
  free(Text);
}

namespace {

class EmbeddingConsumer : public ASTConsumer {
public:
  EmbeddingConsumer(CompilerInstance &Instance, std::string Assembly)
      : Instance(Instance), Assembly(std::move(Assembly)) {}
  void HandleTranslationUnit(ASTContext &Context) override {
    QualType Type = Context.getStringLiteralArrayType(Context.CharTy, Assembly.size());
    StringLiteral *Text = StringLiteral::Create(Context, Assembly, StringLiteralKind::Ordinary,
                                                /*Pascal=*/false, Type, SourceLocation());
    Instance.getASTConsumer().HandleTopLevelDecl(DeclGroupRef(FileScopeAsmDecl::Create(
        Context, Context.getTranslationUnitDecl(), Text, SourceLocation(), SourceLocation())));
  }

private:
  CompilerInstance &Instance;
  std::string Assembly;
};

} // namespace

std::unique_ptr<ASTConsumer> Compilation::embeddingConsumer(std::shared_ptr<Compilation> Self) {
  if (Self->Assembly.empty())
    return std::make_unique<ASTConsumer>();
  return std::make_unique<EmbeddingConsumer>(Self->Instance, std::move(Self->Assembly));
}
