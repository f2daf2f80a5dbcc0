// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What users say of kernels' launches, in pragmas and in the annotation file, becomes part of the
// table of kernels: only the syntax tree knows whether a kernel has such parameters, and what fits
// their types.
#ifndef DIVCOST_PASS_CLANG_TOLD_LAUNCH_H
#define DIVCOST_PASS_CLANG_TOLD_LAUNCH_H

#include "findings/annotations.h"
#include "clang/AST/ASTFwd.h"
#include "clang/locations.h"
#include "clang/pragmas.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class QualType;
} // namespace clang

namespace divcost {

// Whether a parameter of an integral type can have a value.
bool fitsType(const clang::ASTContext &Context, clang::QualType Type, int64_t Number);

class ToldLaunches {
public:
  ToldLaunches(clang::ASTContext &Context, SourceLocations &Where, dcp_annotations &Annotations)
      : Context(Context), Where(Where), Annotations(Annotations) {}

  // Notes a definition of a kernel, of a template, too: entries that name it are used. Its name
  // goes into the table.
  void noteKernel(const clang::FunctionDecl *F, dcp_source &Source);
  // Gives a kernel what the pragma says of it (null: there is none), then what the entries of the
  // file do that name it, each thing once. What is wrong with a pragma is an error.
  void tell(const clang::FunctionDecl *F, const LaunchPragma *Pragma, dcp_kernel_source &Kernel);
  // What is wrong with the entries, once all kernels were told.
  std::vector<std::string> warnings() const;

private:
  class Teller;
  // Of one number of an entry: none, as soon as one of the kernels that the entry names can have
  // it.
  struct Fault {
    bool Taken = false;
    std::string Text;
  };
  void tellPragma(const LaunchPragma &Pragma, Teller &To);
  void tellEntry(uint32_t Entry, Teller &To);

  clang::ASTContext &Context;
  SourceLocations &Where;
  dcp_annotations &Annotations;
  llvm::DenseSet<unsigned> Reported;                     // places in pragmas
  std::map<std::pair<uint32_t, unsigned>, Fault> Faults; // by entry, and offset in its text
  std::map<uint32_t, std::string> Overruled;             // entries, and what by
};

} // namespace divcost

#endif
