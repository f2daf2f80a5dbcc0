// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The clang side of the plugin: one Compilation for a device compilation, and the parts that fill
// it. Pragmas come while the source is read (pragmas.cpp), facts of the source when it has been
// parsed (ast.cpp), a private module to analyse when there is code (private_module.cpp), and
// diagnostics last (diagnose.cpp).
#ifndef DIVCOST_PASS_CLANG_PLUGIN_H
#define DIVCOST_PASS_CLANG_PLUGIN_H

#include "analysis/source.h"
#include "divcost/ptxas.h"
#include "divcost/unit.h"
#include "findings/annotations.h"
#include "findings/options.h"
#include "findings/session.h"
#include "profile/block_numbers.h"
#include "profile/profile.h"
#include "clang/locations.h"
#include "clang/pragmas.h"

#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace clang {
class ASTConsumer;
class ASTContext;
class CompilerInstance;
} // namespace clang
namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace divcost {

// One device compilation.
// While recording: what tells how many registers a kernel may have.
struct RegisterNeed {
  unsigned live;    // at once; 0: not known
  unsigned arrays;  // that its own arrays may take, too
  uint64_t threads; // of the largest block that it is launched with; 0: not known
  bool together;    // copies of functions are counted together
};

class Compilation {
public:
  explicit Compilation(clang::CompilerInstance &Instance);
  ~Compilation();
  Compilation(const Compilation &) = delete;
  Compilation &operator=(const Compilation &) = delete;

  // Reads the plugin's arguments, and looks at the files they name; both report what is wrong.
  bool readOptions(const std::vector<std::string> &Arguments);
  bool generatesProfile() const { return Options.profile_generate != nullptr; }
  // What stands before the source.
  std::string predefines() const;
  bool checkFiles();
  // On the host's side: takes what the device's compilations left, to put it into the object.
  void collectReport();
  bool embeds() const { return Options.embed; }
  // The consumer that reads the syntax tree and, where the pipeline gives no chance to, generates a
  // module of its own.
  static std::unique_ptr<clang::ASTConsumer> consumer(std::shared_ptr<Compilation> Self);
  // The consumer that warns of what a precompiled header loses.
  static std::unique_ptr<clang::ASTConsumer>
  precompilingConsumer(std::shared_ptr<Compilation> Self);
  // The consumer that puts the collected report into the host's code.
  static std::unique_ptr<clang::ASTConsumer> embeddingConsumer(std::shared_ptr<Compilation> Self);
  // Makes the pipeline hand its module over.
  static void followPipeline(std::shared_ptr<Compilation> Self);
  // The same on the host's side, where profiles need it.
  static void followHostPipeline(clang::CompilerInstance &Instance);

  bool hasErrors() const;
  void readSyntaxTree(clang::ASTContext &Context);
  // A copy of the module for the analysis, of the kernels of which something may be said.
  std::unique_ptr<llvm::Module> copy(const llvm::Module &M);
  // Where the module has many instances of templates: reports on a few of each, and says nothing.
  void reportFirst(const llvm::Module &M);
  // Analyses and reports. Private, which no pass has seen, is changed; remarks go
  // to Real, if there is one.
  void examine(llvm::Module &Private, llvm::Module *Real);
  // Counts the trips of loops of the module, and, at the end of the pipeline, says where.
  void instrument(llvm::Module &M);
  void finishInstrumentation(llvm::Module &M);

  clang::CompilerInstance &Instance;
  std::shared_ptr<Pragmas> Found = std::make_shared<Pragmas>();

private:
  void reportError(const char *Text);
  bool onlyWarns(const llvm::Module &M) const;
  bool isInLibrary(const llvm::Function &F);
  bool hasPartWarps(const llvm::Function &Kernel) const;
  bool needsSession(const dc_unit &Unit) const;
  bool writesObject() const;
  void checkEmbedding(dcp_session *Session);
  bool isLost(const dc_unit &Unit, const dcp_loop_statement &Loop) const;
  std::string mainFile() const;
  void markLibraries(dc_unit &Unit);
  bool findArch(dc_arch &Arch) const;
  void chooseBlocks(dc_unit &Unit, const std::deque<KernelBlocks> &Blocks);
  void applyProfile(dc_unit &Unit, const std::deque<KernelBlocks> &Blocks);
  void inlineAsAnalysed(llvm::Module &M);
  bool applyProfileTo(dc_unit_kernel &Of, dcp_kernel_blocks Names, const dc_arch *Arch);
  void sayStale(const dc_kernel &Kernel, const char *Function, const std::string &Lost);
  void applyMeasured(dc_unit &Unit);
  void applyPtxas(dc_unit &Unit, unsigned Sm);
  void diagnose(dc_unit &Unit, dcp_session *Session);
  bool silence(dc_unit &Unit);
  void remark(const dc_unit &Unit);

  dcp_options Options;
  dcp_annotations Annotations = {};
  std::vector<std::string> OfEntries; // warnings about those of kernels
  dcp_source Source = {};
  dc_measured Measured = {};
  dc_ptxas Ptxas = {};
  dc_profile Profile = {}; // to use
  uint64_t UnitHash = 0;   // of code and data
  dc_profile Planned = {}; // what is to be counted of each kernel
  dc_profile Claims = {};  // the levels of the loops that were analysed, where counts are wanted
  // The blocks that are to be counted: symbol of the function, hash of its code, number.
  std::set<std::tuple<std::string, uint64_t, uint32_t>> CountedBlocks;
  std::set<FunctionPlace> Inlined;        // the functions that the analysis has inlined
  std::set<std::string> CalledAsAnalysed; // symbols of those that it hasn't, and that are counted
  std::map<std::string, RegisterNeed> RegistersExpected; // for kernels by their symbols
  bool GaveUp = false;                                   // not every kernel could be analysed
  std::string Assembly;                                  // of the report, on the host's side
  std::unique_ptr<SourceLocations> Where;
};

} // namespace divcost

#endif
