// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between clang's source locations and those of debug info.
#ifndef DIVCOST_PASS_CLANG_LOCATIONS_H
#define DIVCOST_PASS_CLANG_LOCATIONS_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace clang {
class CodeGenOptions;
class SourceManager;
namespace SrcMgr {
class SLocEntry;
}
} // namespace clang

namespace divcost {

// Locations in the source as debug info names them: presumed, the path absolute, prefixes mapped.
class SourceLocations {
public:
  SourceLocations(const clang::SourceManager &SM, const clang::CodeGenOptions &Options,
                  std::string Directory)
      : SM(SM), Options(Options), Directory(std::move(Directory)) {}
  // False for a location without a file.
  bool find(clang::SourceLocation Location, std::string &File, uint32_t &Line, uint32_t &Column);
  // The way back; invalid where the file is not part of the compilation. The first call goes
  // through all files; the first with a name that only #line gives, through all lines of those.
  clang::SourceLocation translate(llvm::StringRef File, uint32_t Line, uint32_t Column);
  // A file's name as above.
  std::string path(const char *Name);

private:
  void listFiles();
  void listFile(const clang::SrcMgr::SLocEntry &Entry);
  void listLines();
  const clang::SourceManager &SM;
  const clang::CodeGenOptions &Options;
  std::string Directory;
  llvm::DenseMap<const char *, std::string> Paths;
  bool FilesListed = false, LinesListed = false;
  llvm::StringMap<clang::SourceLocation> Files;      // where each starts
  std::vector<clang::SourceLocation> WithDirectives; // the same, of those with #line and the like
  llvm::StringMap<llvm::DenseMap<uint32_t, clang::SourceLocation>> Lines; // of these, as renamed
};

} // namespace divcost

#endif
