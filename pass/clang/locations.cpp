// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between clang's source locations and the file, line and column that debug info holds: the
// presumed location, the path made absolute with the compilation directory and mapped by
// -ffile-prefix-map, as CGDebugInfo::createFile does it. The way back goes through the files of the
// compilation, and where #line (also in preprocessed sources) renames them, through their lines.
#include "clang/locations.h"

#include "ir/module_facts.h"

#include "clang/Basic/CodeGenOptions.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/Support/Path.h"

#include <algorithm>

using namespace clang;
using namespace divcost;

static void mapPrefix(const CodeGenOptions &Options, SmallVectorImpl<char> &Path) {
  for (auto &[From, To] : llvm::reverse(Options.DebugPrefixMap))
    if (llvm::sys::path::replace_path_prefix(Path, From, To))
      return;
}

std::string SourceLocations::path(const char *Name) {
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
  return Paths[Name] = plainPath(Path.str().str());
}

bool SourceLocations::find(SourceLocation Location, std::string &File, uint32_t &Line,
                           uint32_t &Column) {
  PresumedLoc Presumed = SM.getPresumedLoc(Location);
  if (Presumed.isInvalid())
    return false;
  File = path(Presumed.getFilename());
  Line = Presumed.getLine();
  Column = Presumed.getColumn();
  return true;
}

// By the names that presumed locations would have; asking for one would count the lines of every
// header, and a search for the file id of each costs as much.
// Those of a precompiled header were read before all others, the last one first in its list.
void SourceLocations::listFiles() {
  FilesListed = true;
  for (unsigned Left = SM.loaded_sloc_entry_size(); Left > 0; --Left)
    listFile(SM.getLoadedSLocEntry(Left - 1));
  for (unsigned Index = 0; Index < SM.local_sloc_entry_size(); ++Index)
    listFile(SM.getLocalSLocEntry(Index));
}

void SourceLocations::listFile(const SrcMgr::SLocEntry &Entry) {
  if (!Entry.isFile())
    return;
  SourceLocation Start = SourceLocation::getFromRawEncoding(Entry.getOffset());
  if (OptionalFileEntryRef Opened = Entry.getFile().getContentCache().OrigEntry)
    Files.try_emplace(path(Opened->getName().data()), Start);
  if (Entry.getFile().hasLineDirectives())
    WithDirectives.push_back(Start);
}

// A line that occurs several times is the first one's, but directives, those of #line itself among
// them, give way to the source: in a preprocessed file they take numbers of lines nearby.
void SourceLocations::listLines() {
  auto IsDirective = [this](SourceLocation Place) { return *SM.getCharacterData(Place) == '#'; };
  LinesListed = true;
  for (SourceLocation Start : WithDirectives) {
    FileID File = SM.getFileID(Start);
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
      auto [Entry, New] = Known->try_emplace(Presumed.getLine(), Place);
      if (!New && IsDirective(Entry->second) && !IsDirective(Place))
        Entry->second = Place;
    }
  }
}

// Most files with a directive have but "#pragma system_header", and are called what they are.
SourceLocation SourceLocations::translate(StringRef File, uint32_t Line, uint32_t Column) {
  if (!Line)
    return {};
  if (!FilesListed)
    listFiles();
  if (auto Plain = Files.find(File); Plain != Files.end()) {
    SourceLocation Place =
        SM.translateLineCol(SM.getFileID(Plain->second), Line, std::max(Column, 1u));
    PresumedLoc Presumed = SM.getPresumedLoc(Place);
    if (Presumed.isValid() && Presumed.getLine() == Line && path(Presumed.getFilename()) == File)
      return Place;
  }
  if (!LinesListed)
    listLines();
  auto Mapped = Lines.find(File);
  if (Mapped == Lines.end())
    return {};
  SourceLocation Start = Mapped->second.lookup(Line);
  if (Start.isInvalid())
    return {};
  return SM.translateLineCol(SM.getFileID(Start), SM.getSpellingLineNumber(Start),
                             std::max(Column, 1u));
}
