// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// '#pragma divcost': trips(DISTRIBUTION) and ignore("REASON") before a loop, launch(...) before a
// kernel; one or more in a pragma. A pragma leaves no trace in the syntax tree, so it remembers the
// tokens that come after it, and the tree's locations are compared with these: exact through
// macros, templates, _Pragma and method bodies that are parsed late. Macros in the pragma are not
// expanded, since -E would not expand them either.
#include "clang/pragmas.h"

#include "divcost/files.h"
#include "divcost/histogram.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticFrontend.h"
#include "clang/Lex/LiteralSupport.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/Support/Path.h"

using namespace clang;
using namespace divcost;

namespace {

constexpr char Possible[] =
    "possible: trips(DISTRIBUTION) and ignore(\"REASON\") before a loop, "
    "launch(block=..., grid=..., PARAMETER=..., extent(PARAMETER, ELEMENTS), "
    "l2=warm) before a kernel";

// Tokens of a pragma, read one after the other.
class Reader {
public:
  Reader(Preprocessor &PP, Token Start) : PP(PP) {
    Token Tok;
    do {
      PP.LexUnexpandedToken(Tok);
      Tokens.push_back(Tok);
    } while (Tok.isNot(tok::eod));
    if (Tokens.front().is(tok::eod)) // point at 'divcost' rather than at the end of the line
      Tokens.front().setLocation(Start.getLocation());
  }
  const Token &peek() const { return Tokens[Next]; }
  const Token &take() { return Tokens[peek().is(tok::eod) ? Next : Next++]; }
  bool takeIf(tok::TokenKind Kind) {
    if (peek().isNot(Kind))
      return false;
    ++Next;
    return true;
  }
  std::string spelling(const Token &Tok) const {
    return Tok.is(tok::eod) ? "the end of the line" : "'" + PP.getSpelling(Tok) + "'";
  }
  bool fail(SourceLocation Place, const std::string &Text) {
    PP.getDiagnostics().Report(Place, diag::err_fe_backend_plugin) << "'#pragma divcost': " + Text;
    return false;
  }
  bool expect(tok::TokenKind Kind, const char *What) {
    if (takeIf(Kind))
      return true;
    return fail(peek().getLocation(),
                std::string("expected ") + What + " instead of " + spelling(peek()));
  }

  Preprocessor &PP;

private:
  SmallVector<Token, 16> Tokens;
  size_t Next = 0;
};

// The text up to the parenthesis that closes the clause.
ClauseText takeText(Reader &In) {
  ClauseText Out;
  unsigned Depth = 0;
  while (In.peek().isNot(tok::eod)) {
    if (In.peek().is(tok::r_paren) && Depth-- == 0)
      break;
    const Token &Tok = In.take();
    Depth += Tok.is(tok::l_paren);
    Out.add(Tok.hasLeadingSpace(), In.PP.getSpelling(Tok), Tok.getLocation());
  }
  Out.add(false, "", In.peek().getLocation());
  return Out;
}

// Of the file that a place is in, as the compiler was told it: histograms are relative to it.
std::string folderOf(Reader &In, SourceLocation Place) {
  SourceManager &Sources = In.PP.getSourceManager();
  StringRef File = Sources.getFilename(Sources.getExpansionLoc(Place));
  return llvm::sys::path::parent_path(File).str();
}

bool readTrips(Reader &In, LoopPragma &Out) {
  ClauseText Text = takeText(In);
  dc_error Error;
  char *Checked = nullptr;
  if (dc_trips_text(Text.text(), folderOf(In, Out.Place).c_str(), &Checked, &Out.Correlation,
                    &Error) != DC_OK)
    return In.fail(Text.placeOf(Error.offset), Error.text);
  Out.Text = Checked;
  free(Checked);
  return In.expect(tok::r_paren, "')'");
}

// A reason is a string, or several that stand side by side.
bool readIgnore(Reader &In, LoopPragma &Out) {
  SourceLocation Place = In.peek().getLocation();
  SmallVector<Token, 2> Strings;
  while (In.peek().is(tok::string_literal))
    Strings.push_back(In.take());
  if (Strings.empty())
    return In.fail(Place, "expected a reason in quotes instead of " + In.spelling(In.peek()));
  StringLiteralParser Literal(Strings, In.PP);
  if (Literal.hadError)
    return false;
  Out.Text = Literal.GetString().str();
  if (StringRef(Out.Text).trim().empty())
    return In.fail(Place, "the reason of ignore is empty");
  return In.expect(tok::r_paren, "')'");
}

bool readLaunch(Reader &In, LaunchPragma &Out) {
  Out.Text = takeText(In);
  Out.Told = {new dcp_told_launch, [](dcp_told_launch *Told) {
                dcp_told_launch_free(Told);
                delete Told;
              }};
  dc_error Error;
  if (dcp_launch_text(Out.Text.text(), Out.Told.get(), &Error) != DC_OK)
    return In.fail(Out.Text.placeOf(Error.offset), Error.text);
  return In.expect(tok::r_paren, "')'");
}

// Gives the tokens after a pragma to it.
class Watcher {
public:
  explicit Watcher(std::shared_ptr<Pragmas> Found, DiagnosticsEngine &Diags)
      : Found(std::move(Found)), Diags(Diags) {}
  void expectLoop() { Loops = true; }
  void expectKernel() { Kernel = true, Depth = 0; }

  void operator()(const Token &Tok) {
    if ((!Loops && !Kernel) || Tok.isAnnotation())
      return;
    if (Loops)
      giveToLoops(Tok);
    if (Kernel)
      giveToKernel(Tok);
  }

private:
  // Attributes may stand between; otherwise a loop's keyword comes next.
  void giveToLoops(const Token &Tok) {
    if (Tok.is(tok::l_square) || Brackets) {
      Brackets += Tok.is(tok::l_square);
      Brackets -= Tok.is(tok::r_square);
      return;
    }
    Loops = false;
    bool IsLoop = Tok.isOneOf(tok::kw_for, tok::kw_while, tok::kw_do);
    for (LoopPragma &P : llvm::reverse(Found->Loops)) {
      if (P.Next.isValid() || P.Used)
        break;
      if (IsLoop)
        P.Next = Tok.getLocation();
      else
        P.Used = true;
      if (!IsLoop)
        Diags.Report(P.Place, diag::warn_fe_backend_plugin)
            << P.name() + " is not followed by a loop";
    }
  }

  // A kernel's name is among the identifiers before the first ';' or '{'.
  void giveToKernel(const Token &Tok) {
    Depth += Tok.isOneOf(tok::l_paren, tok::l_square);
    Depth -= Tok.isOneOf(tok::r_paren, tok::r_square);
    if (Tok.is(tok::identifier))
      Found->Launches.back().Names.push_back(Tok.getLocation());
    if (Depth <= 0 && Tok.isOneOf(tok::semi, tok::l_brace, tok::r_brace, tok::eof))
      Kernel = false;
  }

  std::shared_ptr<Pragmas> Found;
  DiagnosticsEngine &Diags;
  bool Loops = false, Kernel = false;
  int Brackets = 0, Depth = 0;
};

class Handler : public PragmaHandler {
public:
  explicit Handler(std::shared_ptr<Pragmas> Found)
      : PragmaHandler("divcost"), Found(std::move(Found)) {}

  void HandlePragma(Preprocessor &PP, PragmaIntroducer, Token &Start) override {
    Reader In(PP, Start);
    if (!Found)
      return;
    if (!Watch) {
      Watch = std::make_shared<Watcher>(Found, PP.getDiagnostics());
      PP.setTokenWatcher([Watch = Watch](const Token &Tok) { (*Watch)(Tok); });
    }
    Pragmas Clauses;
    do
      if (!readClause(In, Clauses))
        return;
    while (In.peek().isNot(tok::eod));
    if (!Clauses.Launches.empty() && !Clauses.Loops.empty()) {
      In.fail(Clauses.Launches.front().Place, "launch stands before a kernel, trips and ignore "
                                              "before a loop: not in one pragma");
      return;
    }
    if (!Clauses.Loops.empty())
      Watch->expectLoop();
    if (!Clauses.Launches.empty())
      Watch->expectKernel();
    llvm::append_range(Found->Loops, Clauses.Loops);
    llvm::append_range(Found->Launches, Clauses.Launches);
  }

private:
  static bool readClause(Reader &In, Pragmas &Clauses) {
    Token Clause = In.take();
    StringRef Name = Clause.getIdentifierInfo() ? Clause.getIdentifierInfo()->getName() : "";
    SourceLocation Place = Clause.getLocation();
    if (Name != "trips" && Name != "ignore" && Name != "launch")
      return In.fail(Place, (Clause.is(tok::eod) ? "expected a clause"
                                                 : "unknown clause " + In.spelling(Clause)) +
                                "; " + Possible);
    if (!In.expect(tok::l_paren, "'('"))
      return false;
    if (Name == "launch") {
      if (!Clauses.Launches.empty())
        return In.fail(Place, "'launch' is given twice");
      Clauses.Launches.emplace_back();
      Clauses.Launches.back().Place = Place;
      return readLaunch(In, Clauses.Launches.back());
    }
    LoopPragma Read;
    Read.Clause = Name == "trips" ? LoopPragma::Trips : LoopPragma::Ignore;
    Read.Place = Place;
    if (llvm::any_of(Clauses.Loops, [&](auto &P) { return P.Clause == Read.Clause; }))
      return In.fail(Place, "'" + Name.str() + "' is given twice");
    if (Read.Clause == LoopPragma::Trips ? !readTrips(In, Read) : !readIgnore(In, Read))
      return false;
    Clauses.Loops.push_back(std::move(Read));
    return true;
  }

  std::shared_ptr<Pragmas> Found;
  std::shared_ptr<Watcher> Watch;
};

} // namespace

void ClauseText::add(bool Space, const std::string &Spelling, SourceLocation Place) {
  if (!Text.empty() && Space)
    Text += ' ';
  Pieces.push_back({static_cast<unsigned>(Text.size()), Place});
  Text += Spelling;
}

SourceLocation ClauseText::placeOf(unsigned Offset) const {
  auto Piece = llvm::partition_point(Pieces, [&](auto &P) { return P.first <= Offset; });
  if (Piece == Pieces.begin())
    return Pieces.front().second;
  --Piece;
  return Piece->second.getLocWithOffset(static_cast<int>(Offset - Piece->first));
}

void divcost::addPragmaHandler(Preprocessor &PP, std::shared_ptr<Pragmas> Found) {
  PP.AddPragmaHandler(new Handler(std::move(Found))); // the preprocessor's from here on
}
