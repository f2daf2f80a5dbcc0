// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between clang's source locations and the file, line and column that debug info holds: the
// presumed location, the path made absolute with the compilation directory and mapped by
// -ffile-prefix-map, as CGDebugInfo::createFile does it. The way back goes through the files of the
// compilation, and where there is #line (also in preprocessed sources), through their lines.
#include "plugin.h"

#include "clang/Basic/CodeGenOptions.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/Support/Path.h"

using namespace clang;
using namespace divcost;

static void mapPrefix(const CodeGenOptions &Options, SmallVectorImpl<char> &Path) {
  for (auto &[From, To] : llvm::reverse(Options.DebugPrefixMap))
    if (llvm::sys::path::replace_path_prefix(Path, From, To))
      return;
}

std::string Places::path(const char *Name) {
  auto Known = Paths.find(Name);
  if (Known != Paths.end())
    return Known->second;
  SmallString<256> Path(Name);
  mapPrefix(Options, Path);
  if (!llvm::sys::path::is_absolute(Path) && !llvm::sys::path::is_absolute(Name)) {
    SmallString<256> Whole(Options.DebugCompilationDir.empty() ? Directory
                                                               : Options.DebugCompilationDir);
    mapPrefix(Options, Whole);
    llvm::sys::path::append(Whole, Path);
    Path = Whole;
  }
  return Paths[Name] = Path.str().str();
}

bool Places::find(SourceLocation Location, std::string &File, uint32_t &Line, uint32_t &Column) {
  PresumedLoc Presumed = SM.getPresumedLoc(Location);
  if (Presumed.isInvalid())
    return false;
  File = path(Presumed.getFilename());
  Line = Presumed.getLine();
  Column = Presumed.getColumn();
  return true;
}

// All files; of those with #line, all lines. A line that occurs several times is the first one's.
void Places::listFiles() {
  Listed = true;
  for (unsigned Index = 0; Index < SM.local_sloc_entry_size(); ++Index) {
    const SrcMgr::SLocEntry &Entry = SM.getLocalSLocEntry(Index);
    if (!Entry.isFile())
      continue;
    SourceLocation Start = SourceLocation::getFromRawEncoding(Entry.getOffset());
    FileID File = SM.getFileID(Start);
    OptionalFileEntryRef Opened = SM.getFileEntryRefForID(File);
    if (File.isInvalid() || !Opened)
      continue;
    if (!Entry.getFile().hasLineDirectives()) {
      // The name that a presumed location would have; asking for one would count the lines of every
      // header.
      Files.try_emplace(path(Opened->getName().data()), File);
      continue;
    }
    unsigned Last = SM.getLineNumber(File, SM.getFileIDSize(File));
    const char *Name = nullptr;
    llvm::DenseMap<uint32_t, SourceLocation> *Known = nullptr;
    for (unsigned Line = 1; Line <= Last; ++Line) {
      SourceLocation Place = SM.translateLineCol(File, Line, 1);
      PresumedLoc Presumed = SM.getPresumedLoc(Place);
      if (Presumed.isInvalid())
        continue;
      if (Presumed.getFilename() != Name) {
        Name = Presumed.getFilename();
        Known = &Lines[path(Name)];
      }
      Known->try_emplace(Presumed.getLine(), Place);
    }
  }
}

SourceLocation Places::translate(StringRef File, uint32_t Line, uint32_t Column) {
  if (!Line)
    return {};
  if (!Listed)
    listFiles();
  FileID Found;
  unsigned Number = Line;
  if (auto Plain = Files.find(File); Plain != Files.end()) {
    Found = Plain->second;
  } else {
    auto Mapped = Lines.find(File);
    if (Mapped == Lines.end())
      return {};
    SourceLocation Start = Mapped->second.lookup(Line);
    if (Start.isInvalid())
      return {};
    Found = SM.getFileID(Start);
    Number = SM.getSpellingLineNumber(Start);
  }
  return SM.translateLineCol(Found, Number, Column ? Column : 1);
}
