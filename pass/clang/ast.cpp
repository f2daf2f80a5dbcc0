// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From clang's syntax tree to analysis/source.h: loop statements (of templates, in their patterns),
// kernels with the names of their parameters, who launches them (kernel_uses.cpp), and the
// configurations that they are launched with, where these fold to constants (launches.cpp). One
// walk over everything outside system headers. The bodies of instantiated device functions are left
// out: their loops are those of the pattern.
#include "clang/ast.h"

#include "clang/kernel_uses.h"
#include "clang/launches.h"
#include "clang/told_launch.h"

#include "divcost/hash.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/CharInfo.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticFrontend.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/DenseSet.h"

#include <cstring>
#include <optional>

using namespace clang;
using namespace divcost;

namespace {

char *copyOf(const std::string &Text) { return strdup(Text.c_str()); }

// A hash of the tokens from one location of a file to another, as they are written: comments and
// blanks don't matter. 0 where the two are in different files.
uint64_t hashTokens(const SourceManager &SM, const LangOptions &Language, SourceLocation Begin,
                    SourceLocation End) {
  auto [File, Offset] = SM.getDecomposedLoc(Begin);
  auto [EndFile, EndOffset] = SM.getDecomposedLoc(End);
  llvm::StringRef Text = SM.getBufferData(File);
  if (File != EndFile || EndOffset >= Text.size())
    return 0;
  Lexer Tokens(SM.getLocForStartOfFile(File), Language, Text.begin(), Text.begin() + Offset,
               Text.end());
  uint64_t Hash = DC_HASH_BEGIN;
  for (Token Tok; !Tokens.LexFromRawLexer(Tok) || Tok.isNot(tok::eof);) {
    unsigned At = SM.getFileOffset(Tok.getLocation());
    if (At > EndOffset || Tok.is(tok::eof))
      break;
    llvm::StringRef Written = Text.substr(At, Tok.getLength());
    Hash = dc_hash_bytes(Hash, Written.data(), Written.size());
    Hash = dc_hash_bytes(Hash, "", 1); // its end
  }
  return Hash;
}

class Walk : public RecursiveASTVisitor<Walk> {
public:
  Walk(ASTContext &Context, SourceLocations &Where, Pragmas &Found, dcp_annotations &Annotations,
       dcp_source &Source)
      : Context(Context), SM(Context.getSourceManager()), Diags(Context.getDiagnostics()),
        Where(Where), Found(Found), Source(Source), Mangler(Context.createMangleContext()),
        Told(Context, Where, Annotations) {
    for (LoopPragma &P : Found.Loops)
      if (P.Next.isValid())
        LoopAt[P.Clause][P.Next.getRawEncoding()] = &P;
    for (LaunchPragma &P : Found.Launches)
      for (SourceLocation Name : P.Names)
        LaunchAt[Name.getRawEncoding()] = &P;
  }

  bool shouldVisitTemplateInstantiations() const { return true; }

  bool TraverseDecl(Decl *D) {
    if (!D || (D->getLocation().isValid() && SM.isInSystemHeader(D->getLocation())))
      return true;
    auto *F = dyn_cast<FunctionDecl>(D);
    if (!F)
      return RecursiveASTVisitor::TraverseDecl(D);
    if (F->isTemplateInstantiation() && !F->hasAttr<CUDAHostAttr>() &&
        (F->hasAttr<CUDADeviceAttr>() || F->hasAttr<CUDAGlobalAttr>()))
      return VisitFunctionDecl(F);
    Definition Outer = Around;
    Around = {F, 0, 0};
    if (F->doesThisDeclarationHaveABody())
      addFunction(F);
    bool Result = RecursiveASTVisitor::TraverseDecl(D);
    Around = Outer;
    return Result;
  }

  bool VisitFunctionDecl(FunctionDecl *F) {
    if (F->hasAttr<CUDAGlobalAttr>()) {
      LaunchPragma *Pragma = findPragma(F);
      if (Pragma)
        Pragma->Used = true;
      if (F->isThisDeclarationADefinition())
        Told.noteKernel(F, Source);
      if (!F->isDependentContext() && F->isThisDeclarationADefinition())
        addKernel(F, Pragma);
    }
    return true;
  }

  bool VisitForStmt(ForStmt *S) { return addLoop(S, DCP_FOR, S->getCond(), S->getBody()); }
  bool VisitWhileStmt(WhileStmt *S) { return addLoop(S, DCP_WHILE, S->getCond(), S->getBody()); }
  bool VisitDoStmt(DoStmt *S) { return addLoop(S, DCP_DO, S->getCond(), S->getBody()); }
  bool VisitCXXForRangeStmt(CXXForRangeStmt *S) {
    return addLoop(S, DCP_RANGE_FOR, nullptr, S->getBody());
  }

  bool VisitDeclRefExpr(DeclRefExpr *E) {
    Configurations.noteUse(E);
    if (!isInPattern())
      Uses.noteReference(E);
    return true;
  }
  bool VisitMemberExpr(MemberExpr *E) {
    if (!isInPattern())
      Uses.noteMember(E);
    return true;
  }
  bool VisitImplicitCastExpr(ImplicitCastExpr *E) {
    Configurations.noteRead(E);
    return true;
  }
  bool VisitCallExpr(CallExpr *E) {
    Configurations.noteCall(E);
    if (!isInPattern() || (isa<CUDAKernelCallExpr>(E) && !E->isInstantiationDependent()))
      Uses.noteCall(E);
    return true;
  }
  bool VisitOverloadExpr(OverloadExpr *E) {
    Configurations.noteOverload(E);
    if (Around.Function && !isInPattern())
      Uses.noteTemplate(E);
    return true;
  }

  void finish() {
    Uses.forEach([this](const KernelUses::Use &Use) { addUse(Use); });
    for (auto [F, K] : KernelOf) {
      bool AnyInstance = Uses.isTemplateUsed(F);
      Source.kernels[K].launches_not_known += AnyInstance;
      if (!AnyInstance)
        setArguments(F, Source.kernels[K]);
    }
    for (const LoopPragma &P : Found.Loops)
      if (!P.Used && !SM.isInSystemHeader(P.Place))
        Diags.Report(P.Place, diag::warn_fe_backend_plugin)
            << P.name() + (LoopAt[P.Clause].lookup(P.Next.getRawEncoding()) == &P
                               ? " is not followed by a loop"
                               : " is overruled by another one before the same loop");
    for (const LaunchPragma &P : Found.Launches)
      if (!P.Used && !SM.isInSystemHeader(P.Place))
        Diags.Report(P.Place, diag::warn_fe_backend_plugin)
            << "'#pragma divcost launch' is not followed by a kernel";
  }

  std::vector<std::string> warningsOfEntries() const { return Told.warnings(); }

  // Loops of one macro have one source location, so one annotation counts for all of them.
  void warnOfOnePlace() {
    for (uint32_t L = 0; L + 1 < Source.n_loops; ++L) {
      const dcp_loop_statement &First = Source.loops[L], &Second = Source.loops[L + 1];
      if (dcp_is_annotated(&First) && First.line == Second.line && First.column == Second.column &&
          First.raw_location != Second.raw_location && !strcmp(First.file, Second.file))
        Diags.Report(SourceLocation::getFromRawEncoding(First.raw_location),
                     diag::warn_fe_backend_plugin)
            << "the annotation of this loop counts for all loops of the macro it is in, which "
               "have one source location";
    }
  }

private:
  // Whether what is walked will be walked again, in the instances of its template.
  bool isInPattern() const {
    const FunctionDecl *F = Around.Function;
    bool Device = F && !F->hasAttr<CUDAHostAttr>() &&
                  (F->hasAttr<CUDADeviceAttr>() || F->hasAttr<CUDAGlobalAttr>());
    return F && F->isDependentContext() && !Device;
  }

  bool isTrue(const Expr *Condition) {
    bool Value;
    return !Condition->isValueDependent() &&
           Condition->EvaluateAsBooleanCondition(Value, Context) && Value;
  }

  bool addLoop(const Stmt *S, dcp_statement Kind, const Expr *Condition, const Stmt *Body) {
    if (!SeenLoops.insert(S->getBeginLoc().getRawEncoding()).second)
      return true;
    // A macro's argument is where it is used or where it was written, depending on the version.
    SourceLocation Place = S->getBeginLoc(), Written = SM.getFileLoc(Place);
    addLoopAt(Place, S, Kind, Condition, Body);
    if (SM.getExpansionLoc(Place) != Written)
      addLoopAt(Written, S, Kind, Condition, Body);
    ++Around.Loops;
    return true;
  }

  void addFunction(const FunctionDecl *F) {
    std::string File, EndFile;
    uint32_t Line, Column, EndLine, EndColumn;
    SourceLocation Begin = SM.getFileLoc(F->getBeginLoc()), End = SM.getFileLoc(F->getEndLoc());
    if (!Where.find(Begin, File, Line, Column) || !Where.find(End, EndFile, EndLine, EndColumn))
      return;
    dcp_function_source *Out = dcp_source_add_function(&Source);
    if (Out)
      *Out = {copyOf(File), Line, Column, EndLine, EndColumn};
  }

  // Of the function around, whose tokens are read once it has a loop; 0: there is none.
  uint64_t hashAround() {
    if (const FunctionDecl *F = Around.Function; F && !Around.Hash)
      Around.Hash = hashTokens(SM, Context.getLangOpts(), SM.getFileLoc(F->getBeginLoc()),
                               SM.getFileLoc(F->getEndLoc()));
    return Around.Hash;
  }

  // A hash of what stands before the body and behind it, without blanks, as it was written.
  uint64_t textOf(const Stmt *S, const Stmt *Body) {
    uint64_t Hash = DC_HASH_BEGIN;
    auto Add = [&](SourceLocation Begin, SourceLocation End) {
      auto [File, First] = SM.getDecomposedLoc(SM.getFileLoc(Begin));
      auto [EndFile, Last] = SM.getDecomposedLoc(SM.getFileLoc(End));
      bool Invalid = false;
      StringRef Buffer = SM.getBufferData(File, &Invalid);
      if (Invalid || File != EndFile)
        return;
      for (char C : Buffer.slice(First, Last))
        if (!isWhitespace(C))
          Hash = dc_hash_bytes(Hash, &C, 1);
    };
    Add(S->getBeginLoc(), Body->getBeginLoc());
    Add(Body->getEndLoc(), S->getEndLoc());
    return Hash;
  }

  void addLoopAt(SourceLocation Place, const Stmt *S, dcp_statement Kind, const Expr *Condition,
                 const Stmt *Body) {
    std::string File;
    uint32_t Line, Column;
    if (!Where.find(Place, File, Line, Column))
      return;
    dcp_loop_statement *Loop = dcp_source_add_loop(&Source);
    if (!Loop)
      return;
    Loop->file = copyOf(File);
    Loop->line = Line;
    Loop->column = Column;
    Loop->parsed = true;
    std::string EndFile;
    if (!Where.find(S->getEndLoc(), EndFile, Loop->end_line, Loop->end_column) || EndFile != File)
      Loop->end_line = Loop->end_column = 0;
    Loop->text = textOf(S, Body);
    Loop->statement = static_cast<uint8_t>(Kind);
    Loop->has_condition = Kind == DCP_RANGE_FOR || (Condition && !isTrue(Condition));
    Loop->raw_location = S->getBeginLoc().getRawEncoding();
    if (Around.Function)
      Loop->function = copyOf(Around.Function->getQualifiedNameAsString());
    Loop->number = Around.Loops;
    Loop->hash = hashAround();
    if (LoopPragma *Trips = LoopAt[LoopPragma::Trips].lookup(Loop->raw_location)) {
      Loop->distribution = copyOf(Trips->Text);
      Loop->correlation = Trips->Correlation;
      Loop->distribution_at = placeOf(*Trips);
    }
    if (LoopPragma *Ignore = LoopAt[LoopPragma::Ignore].lookup(Loop->raw_location)) {
      Loop->ignored = copyOf(Ignore->Text);
      Loop->ignored_at = placeOf(*Ignore);
    }
  }

  // "file:line", owned by the caller; NULL where it has none. A pragma that is asked for is used.
  char *placeOf(LoopPragma &Pragma) {
    std::string File;
    uint32_t Line, Column;
    Pragma.Used = true;
    return Where.find(Pragma.Place, File, Line, Column) ? copyOf(File + ":" + std::to_string(Line))
                                                        : nullptr;
  }

  // The launch pragma before any declaration of a kernel, or of the template it comes from.
  LaunchPragma *findPragma(const FunctionDecl *F) {
    if (LaunchAt.empty())
      return nullptr;
    if (const FunctionDecl *Pattern = F->getTemplateInstantiationPattern())
      F = Pattern;
    for (const FunctionDecl *Declaration : F->redecls())
      if (LaunchPragma *Pragma = LaunchAt.lookup(Declaration->getLocation().getRawEncoding()))
        return Pragma;
    return nullptr;
  }

  std::string symbolOf(const FunctionDecl *F) {
    std::string Name;
    llvm::raw_string_ostream Out(Name);
    if (Mangler->shouldMangleDeclName(F))
      Mangler->mangleName(GlobalDecl(F), Out);
    else
      Out << F->getName();
    // As CodeGenModule names internal kernels of relocatable device code.
    if (Context.getLangOpts().GPURelocatableDeviceCode && Context.shouldExternalize(F) &&
        !Context.getLangOpts().CUID.empty())
      Out << "__intern__" << Context.getCUIDHash();
    return Out.str();
  }

  void addKernel(const FunctionDecl *F, const LaunchPragma *Pragma) {
    if (!KernelOf.try_emplace(F->getCanonicalDecl(), Source.n_kernels).second)
      return;
    std::string File;
    uint32_t Line = 0, Column = 0;
    Where.find(F->getLocation(), File, Line, Column);
    dcp_kernel_source *Kernel = dcp_source_add_kernel(&Source);
    if (!Kernel)
      return;
    Kernel->symbol = copyOf(symbolOf(F));
    Kernel->file = copyOf(File);
    Kernel->line = Line;
    Kernel->column = Column;
    Kernel->only_here = !F->isExternallyVisible();
    for (const ParmVarDecl *P : F->parameters())
      if (dcp_parameter *Parameter = dcp_kernel_add_parameter(Kernel)) {
        Parameter->name = copyOf(P->getNameAsString());
        if (P->getType()->isUnsignedIntegerOrEnumerationType())
          Parameter->unsigned_bytes =
              static_cast<uint8_t>(Context.getTypeSizeInChars(P->getType()).getQuantity());
      }
    Told.tell(F, Pragma, *Kernel);
  }

  // Launches that only differ in their shared memory are one, of which that isn't known.
  void addLaunch(dcp_kernel_source &Kernel, const uint32_t (&Block)[3], const uint32_t (&Grid)[3],
                 std::optional<uint32_t> Shared, SourceLocation Place) {
    for (uint32_t S = 0; S < Kernel.n_launches; ++S)
      if (dcp_launch &Other = Kernel.launches[S]; Other.from == DC_BLOCK_LAUNCH &&
                                                  !memcmp(Other.block, Block, sizeof Block) &&
                                                  !memcmp(Other.grid, Grid, sizeof Grid)) {
        Other.shared_known = Other.shared_known && Shared && Other.shared == *Shared;
        return;
      }
    std::string File;
    uint32_t Line = 0, Column = 0;
    Where.find(Place, File, Line, Column);
    dcp_launch *Launch = dcp_kernel_add_launch(&Kernel);
    if (!Launch)
      return;
    memcpy(Launch->block, Block, sizeof Block);
    memcpy(Launch->grid, Grid, sizeof Grid);
    Launch->shared_known = Shared.has_value();
    Launch->shared = Shared.value_or(0);
    Launch->from = DC_BLOCK_LAUNCH;
    Launch->file = copyOf(File);
    Launch->line = Line;
    Launch->column = Column;
  }

  // Whether an argument is an address that is computed from another one, as it stands.
  static bool isDisplaced(const Expr *Argument) {
    const Expr *E = Argument->IgnoreParenCasts();
    if (!Argument->getType()->isPointerType())
      return false;
    if (auto *Sum = dyn_cast<BinaryOperator>(E))
      return Sum->isAdditiveOp();
    auto *Address = dyn_cast<UnaryOperator>(E);
    return Address && Address->getOpcode() == UO_AddrOf &&
           isa<ArraySubscriptExpr>(Address->getSubExpr()->IgnoreParenCasts());
  }

  void noteDisplaced(const KernelUses::Use &Use, dcp_kernel_source &To) {
    for (unsigned P = 0; Use.Call && P < Use.Call->getNumArgs() && P < To.n_parameters; ++P)
      To.parameters[P].displaced |= isDisplaced(Use.Call->getArg(P));
  }

  // What a kernel is given in all of its launches: nothing, where these differ, or one isn't known.
  void noteArguments(const KernelUses::Use &Use, dcp_kernel_source &To) {
    const FunctionDecl *Kernel = Use.Kernel->getCanonicalDecl();
    auto [Known, First] = ArgumentsOf.try_emplace(Kernel);
    Arguments &Given = Known->second;
    Given.resize(Use.Kernel->getNumParams());
    for (unsigned P = 0; P < Given.size(); ++P) {
      std::optional<int64_t> Value;
      if (int64_t Number; Use.Call && P < Use.Call->getNumArgs() &&
                          Configurations.fold(Use.Call->getArg(P), Number)) {
        Value = Number;
        To.only_here &= !Configurations.assumedCallers();
      }
      if (First)
        Given[P] = Value;
      else if (Given[P] != Value)
        Given[P].reset();
    }
  }

  void setArguments(const FunctionDecl *Kernel, dcp_kernel_source &To) {
    const Arguments &Given = ArgumentsOf.lookup(Kernel->getCanonicalDecl());
    for (uint32_t P = 0; P < To.n_parameters && P < Given.size(); ++P) {
      QualType Type = Kernel->getParamDecl(P)->getType();
      dcp_parameter &Parameter = To.parameters[P];
      if (!Given[P] || Parameter.known || !Type->isIntegralOrEnumerationType() ||
          !fitsType(Context, Type, *Given[P]))
        continue;
      Parameter.known = true;
      Parameter.value = *Given[P];
    }
  }

  void addUse(const KernelUses::Use &Use) {
    auto Known = KernelOf.find(Use.Kernel->getCanonicalDecl());
    if (Known == KernelOf.end())
      return;
    dcp_kernel_source &Kernel = Source.kernels[Known->second];
    noteArguments(Use, Kernel);
    noteDisplaced(Use, Kernel);
    uint32_t Block[3] = {0, 0, 0}, Grid[3] = {0, 0, 0};
    if (!Use.Grid || !Configurations.fold(Use.Grid, Grid))
      memset(Grid, 0, sizeof Grid);
    else
      Kernel.only_here &= !Configurations.assumedCallers();
    if (!Use.Block || !Configurations.fold(Use.Block, Block)) {
      if (Kernel.launches_not_known == 0)
        memcpy(Kernel.computed_grid, Grid, sizeof Grid);
      else if (memcmp(Kernel.computed_grid, Grid, sizeof Grid) != 0)
        memset(Kernel.computed_grid, 0, sizeof Kernel.computed_grid);
      for (unsigned D = 0; D < 3; ++D) {
        uint32_t &Common = Kernel.computed_block[D];
        Common = Kernel.launches_not_known == 0 || Common == Block[D] ? Block[D] : 0;
      }
      ++Kernel.launches_not_known;
      Kernel.launches_computed += Use.Block != nullptr;
      return;
    }
    Kernel.only_here &= !Configurations.assumedCallers();
    std::optional<uint32_t> Shared;
    if (int64_t Bytes;
        Use.Shared && Configurations.fold(Use.Shared, Bytes) && Bytes >= 0 && Bytes <= UINT32_MAX)
      Shared = static_cast<uint32_t>(Bytes);
    addLaunch(Kernel, Block, Grid, Shared, Use.Place);
  }

  ASTContext &Context;
  SourceManager &SM;
  DiagnosticsEngine &Diags;
  SourceLocations &Where;
  Pragmas &Found;
  dcp_source &Source;
  std::unique_ptr<MangleContext> Mangler;
  ToldLaunches Told;
  LaunchConfigurations Configurations{Context};
  struct Definition {
    const FunctionDecl *Function = nullptr;
    uint32_t Loops = 0; // so far
    uint64_t Hash = 0;
  };
  Definition Around;
  llvm::DenseSet<unsigned> SeenLoops;
  llvm::DenseMap<unsigned, LoopPragma *> LoopAt[2]; // by clause
  llvm::DenseMap<unsigned, LaunchPragma *> LaunchAt;
  llvm::DenseMap<const FunctionDecl *, uint32_t> KernelOf;
  using Arguments = llvm::SmallVector<std::optional<int64_t>, 8>;
  llvm::DenseMap<const FunctionDecl *, Arguments> ArgumentsOf;
  KernelUses Uses;
};

} // namespace

std::vector<std::string> divcost::readSource(ASTContext &Context, SourceLocations &Where,
                                             Pragmas &Found, dcp_annotations &Annotations,
                                             dcp_source &Source) {
  Walk W(Context, Where, Found, Annotations, Source);
  W.TraverseDecl(Context.getTranslationUnitDecl());
  W.finish();
  dcp_source_seal(&Source);
  W.warnOfOnePlace();
  return W.warningsOfEntries();
}
