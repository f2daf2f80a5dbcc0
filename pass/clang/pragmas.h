// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// '#pragma divcost': what stands before loops and kernels.
#ifndef DIVCOST_PASS_CLANG_PRAGMAS_H
#define DIVCOST_PASS_CLANG_PRAGMAS_H

#include "divcost/kernel.h"

#include "clang/Basic/SourceLocation.h"

#include <memory>
#include <string>
#include <vector>

namespace clang {
class Preprocessor;
}

namespace divcost {

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
  struct Value {
    std::string Name;
    clang::SourceLocation Place;
    int64_t Number;
  };
  clang::SourceLocation Place;
  std::vector<clang::SourceLocation> Names; // identifiers of the declaration after it
  uint32_t Block[3] = {0, 0, 0}, Grid[3] = {0, 0, 0};
  std::vector<Value> Values, Extents; // of the latter, Number counts elements
  uint8_t L2 = DC_L2_ANY;
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
