// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who comes first is right: the pragma, then the entries of the file in their order. A pragma that
// names no parameter is an error. An entry may name several kernels (overloads, instances), and be
// written for another version of the source: of a number in it that none of them can have there is
// a warning, and nothing else comes of it.
#include "clang/told_launch.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticFrontend.h"

#include <algorithm>
#include <cstring>
#include <optional>

using namespace clang;
using namespace divcost;

namespace {

// Of these, values are whole numbers, too.
bool isReal(QualType Type) {
  return Type->isSpecificBuiltinType(BuiltinType::Float) ||
         Type->isSpecificBuiltinType(BuiltinType::Double);
}

bool isNumber(QualType Type) { return Type->isIntegralOrEnumerationType() || isReal(Type); }

std::string nameOfEntry(uint32_t Entry) { return "kernels[" + std::to_string(Entry) + "]"; }

bool isPointer(QualType Type) { return Type->isPointerType(); }

} // namespace

bool divcost::fitsType(const ASTContext &Context, QualType Type, int64_t Number) {
  unsigned Bits = Context.getIntWidth(Type);
  return Type->isSignedIntegerOrEnumerationType()
             ? llvm::isIntN(Bits, Number)
             : Number >= 0 && (Bits >= 64 || llvm::isUIntN(Bits, Number));
}

// What is told of one kernel, by one after the other.
class ToldLaunches::Teller {
public:
  static constexpr uint32_t ByPragma = UINT32_MAX;

  Teller(const ASTContext &Context, const FunctionDecl *F, dcp_kernel_source &Kernel)
      : Context(Context), F(F), Kernel(Kernel) {}

  // Calls Result for each number of Told, with what is wrong with it; an empty text: nothing.
  void give(const dcp_told_launch &Told, uint32_t By,
            llvm::function_ref<void(const dcp_told_number &, const std::string &)> Result) {
    Who = By;
    Clash.reset();
    if (Told.l2 && isNew("l2"))
      Kernel.l2 = Told.l2;
    for (uint32_t V = 0; V < Told.n_values; ++V)
      Result(Told.values[V], giveValue(Told.values[V]));
    for (uint32_t E = 0; E < Told.n_extents; ++E)
      Result(Told.extents[E], giveExtent(Told.extents[E]));
  }

  // The launch that it is to be estimated for; its place is left to the caller. Null: none is said,
  // or somebody has said one before.
  dcp_launch *giveBlock(const dcp_told_launch &Told, dc_block_from From) {
    if (!Told.block[0] || !isNew("the block"))
      return nullptr;
    dcp_launch *Launch = dcp_kernel_add_launch(&Kernel);
    if (!Launch)
      return nullptr;
    memcpy(Launch->block, Told.block, sizeof Told.block);
    memcpy(Launch->grid, Told.grid, sizeof Told.grid);
    Launch->from = static_cast<uint8_t>(From);
    return Launch;
  }

  // What the one who gave last said in vain, and the entry that had said it.
  struct Said {
    std::string What;
    uint32_t Before;
  };
  std::optional<Said> Clash;

  std::string name() const { return F->getNameAsString(); }

private:
  // Whether nobody has said it yet; from now on somebody has.
  bool isNew(const std::string &What) {
    auto [Known, New] = SaidBy.try_emplace(What, Who);
    if (!New && Known->second != ByPragma && Known->second != Who && !Clash)
      Clash = {What, Known->second};
    return New;
  }

  // The parameter of that name, if it is of a kind; otherwise Names has those that are.
  std::optional<uint32_t> find(const char *Name, bool (*IsOfKind)(QualType),
                               std::string &Names) const {
    for (uint32_t P = 0; P < Kernel.n_parameters; ++P) {
      if (!IsOfKind(F->getParamDecl(P)->getType()))
        continue;
      if (!strcmp(Kernel.parameters[P].name, Name))
        return P;
      Names += (Names.empty() ? "" : ", ") + std::string(Kernel.parameters[P].name);
    }
    return std::nullopt;
  }

  std::string none(const dcp_told_number &Number, const char *Kind, const std::string &Names) {
    return "kernel '" + name() + "' has no parameter '" + Number.name + "' that is a " + Kind +
           (Names.empty() ? "" : "; possible: " + Names);
  }

  std::string giveValue(const dcp_told_number &Value) {
    std::string Names = "block, grid";
    std::optional<uint32_t> P = find(Value.name, isNumber, Names);
    if (!P)
      return none(Value, "number", Names);
    QualType Type = F->getParamDecl(*P)->getType();
    if (!isReal(Type) && !fitsType(Context, Type, Value.number))
      return std::to_string(Value.number) + " does not fit the parameter '" + Value.name +
             "', whose type is '" + Type.getAsString(Context.getPrintingPolicy()) + "'";
    if (isNew("the value of '" + std::string(Value.name) + "'")) {
      Kernel.parameters[*P].known = true;
      Kernel.parameters[*P].value = Value.number;
    }
    return "";
  }

  std::string giveExtent(const dcp_told_number &Extent) {
    std::string Names;
    std::optional<uint32_t> P = find(Extent.name, isPointer, Names);
    if (!P)
      return none(Extent, "pointer", Names);
    if (!isNew("the extent of '" + std::string(Extent.name) + "'"))
      return "";
    QualType Element = F->getParamDecl(*P)->getType()->getPointeeType();
    uint64_t Size = Element->isIncompleteType() || Element->isDependentType()
                        ? 1
                        : Context.getTypeSizeInChars(Element).getQuantity();
    Size = std::max<uint64_t>(Size, 1);
    // Beyond what numbers of a report hold, it is as large as anything.
    uint64_t Most = uint64_t{1} << 50;
    Kernel.parameters[*P].extent =
        std::min(static_cast<uint64_t>(Extent.number), Most / Size) * Size;
    return "";
  }

  const ASTContext &Context;
  const FunctionDecl *F;
  dcp_kernel_source &Kernel;
  uint32_t Who = ByPragma;
  std::map<std::string, uint32_t> SaidBy;
};

void ToldLaunches::noteKernel(const FunctionDecl *F, dcp_source &Source) {
  std::string File;
  uint32_t Line = 0, Column = 0;
  bool Template = F->isTemplateInstantiation(); // its pattern is noted, too
  if (!Annotations.n_kernels || Template || !Where.find(F->getLocation(), File, Line, Column))
    return;
  std::string Name = F->getQualifiedNameAsString();
  if (dcp_kernel_name *Out = dcp_source_add_kernel_name(&Source))
    *Out = {strdup(Name.c_str()), strdup(File.c_str()), Line};
  for (uint32_t E = 0; E < Annotations.n_kernels; ++E)
    if (dcp_annotation_names(&Annotations.kernels[E], File.c_str(), Name.c_str()))
      Annotations.kernels[E].used = true;
}

void ToldLaunches::tell(const FunctionDecl *F, const LaunchPragma *Pragma,
                        dcp_kernel_source &Kernel) {
  Teller To(Context, F, Kernel);
  if (Pragma)
    tellPragma(*Pragma, To);
  std::string Name = F->getQualifiedNameAsString();
  for (uint32_t E = 0; E < Annotations.n_kernels; ++E)
    if (dcp_annotation_names(&Annotations.kernels[E], Kernel.file, Name.c_str()))
      tellEntry(E, To);
}

void ToldLaunches::tellPragma(const LaunchPragma &Pragma, Teller &To) {
  To.give(*Pragma.Told, Teller::ByPragma,
          [&](const dcp_told_number &Number, const std::string &Text) {
            SourceLocation Place = Pragma.Text.placeOf(Number.offset);
            if (!Text.empty() && Reported.insert(Place.getRawEncoding()).second)
              Context.getDiagnostics().Report(Place, diag::err_fe_backend_plugin)
                  << "'#pragma divcost': " + Text;
          });
  std::string File;
  if (dcp_launch *Launch = To.giveBlock(*Pragma.Told, DC_BLOCK_PRAGMA))
    if (Where.find(Pragma.Place, File, Launch->line, Launch->column))
      Launch->file = strdup(File.c_str());
}

void ToldLaunches::tellEntry(uint32_t Entry, Teller &To) {
  std::string File = "'" + std::string(Annotations.path) + "'", Name = nameOfEntry(Entry);
  const dcp_kernel_annotation &By = Annotations.kernels[Entry];
  To.give(By.launch, Entry, [&](const dcp_told_number &Given, const std::string &Text) {
    Fault &Of = Faults[{Entry, Given.offset}];
    Of.Taken |= Text.empty();
    if (Of.Text.empty())
      Of.Text = File + ", line " + std::to_string(By.line) + ", column " +
                std::to_string(Given.column) + ": " + Name + ".launch: " + Text;
  });
  if (dcp_launch *Launch = To.giveBlock(By.launch, DC_BLOCK_ANNOTATIONS)) {
    Launch->file = strdup(Where.path(Annotations.path).c_str());
    Launch->line = By.line;
    Launch->column = By.column;
  }
  if (!To.Clash)
    return;
  std::string Before = nameOfEntry(To.Clash->Before);
  Overruled.try_emplace(Entry, File + ": " + Before + " and " + Name + " both say " +
                                   To.Clash->What + " of the kernel '" + To.name() + "'; what " +
                                   Before + " says counts, remove the other");
}

std::vector<std::string> ToldLaunches::warnings() const {
  std::vector<std::string> Out;
  for (const auto &[Place, Of] : Faults)
    if (!Of.Taken)
      Out.push_back(Of.Text);
  for (const auto &[Entry, Text] : Overruled)
    Out.push_back(Text);
  return Out;
}
