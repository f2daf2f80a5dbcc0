// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// '#pragma divcost': what stands before loops and kernels.
#ifndef DIVCOST_PASS_CLANG_PRAGMAS_H
#define DIVCOST_PASS_CLANG_PRAGMAS_H

#include "findings/launch_text.h"

#include "clang/Basic/SourceLocation.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace clang {
class Preprocessor;
}

namespace divcost {

// What stands between the parentheses of a clause.
class ClauseText {
public:
  void add(bool Space, const std::string &Spelling, clang::SourceLocation Place);
  const char *text() const { return Text.c_str(); }
  // Where a byte of the text stands in the source; once anything was added.
  clang::SourceLocation placeOf(unsigned Offset) const;

private:
  std::string Text;
  std::vector<std::pair<unsigned, clang::SourceLocation>> Pieces; // where each token begins
};

// A clause that stands before a loop: trips(DISTRIBUTION) or ignore("REASON").
struct LoopPragma {
  enum { Trips, Ignore } Clause = Trips;
  clang::SourceLocation Place;
  clang::SourceLocation Next; // the first token after it: a loop's keyword
  std::string Text;           // distribution or reason
  double Correlation = 0;
  bool Used = false;

  std::string name() const {
    return std::string("'#pragma divcost ") + (Clause == Trips ? "trips'" : "ignore'");
  }
};

// '#pragma divcost launch(block=(16,16), grid=64, n=1000)'.
struct LaunchPragma {
  clang::SourceLocation Place;
  std::vector<clang::SourceLocation> Names; // identifiers of the declaration after it
  ClauseText Text;
  std::shared_ptr<dcp_told_launch> Told; // by the text
  bool Used = false;
};

struct Pragmas {
  std::vector<LoopPragma> Loops;
  std::vector<LaunchPragma> Launches;
};

// Reads '#pragma divcost' into Found from now on; Found null: accepts it without a word.
void addPragmaHandler(clang::Preprocessor &PP, std::shared_ptr<Pragmas> Found);

} // namespace divcost

#endif
