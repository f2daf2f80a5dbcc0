// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Findings as clang's diagnostics, with the built-in ids for plugins (group -Wbackend-plugin),
// which obey -Werror=, -Wno- and '#pragma clang diagnostic'. A loop is shown at its keyword as the
// syntax tree has it, so macros explain themselves; everything else at the place that debug info
// names, and what is in a system header where users call it. Nothing is said of lines with NOLINT,
// nor of code in system headers that no user calls.
#include "analysis/barriers.h"
#include "findings/findings.h"
#include "findings/messages.h"
#include "findings/nolint.h"
#include "findings/places.h"
#include "findings/session.h"
#include "ir/remarks.h"
#include "clang/plugin.h"

#include "clang/Basic/CodeGenOptions.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticFrontend.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/StringSet.h"

#include <regex.h>

using namespace clang;
using namespace divcost;

namespace {

class Speaker {
public:
  Speaker(DiagnosticsEngine &Diags, SourceLocations &Where, const dcp_source &Source,
          const dcp_options &Options, dcp_session &Session)
      : Diags(Diags), SM(Diags.getSourceManager()), Where(Where), Source(Source), Options(Options),
        Session(Session) {
    HasFilter =
        Options.header_filter && !regcomp(&Filter, Options.header_filter, REG_EXTENDED | REG_NOSUB);
  }
  ~Speaker() {
    if (HasFilter)
      regfree(&Filter);
  }

  // A finding that is not to be shown is marked as suppressed. What a comment says of it.
  dcp_nolint silence(dc_finding &Finding, SourceLocation Place) {
    dcp_nolint Comment = {};
    if (Place.isValid())
      Comment = nolintAt(Place, dc_rule_name(Finding.rule));
    bool OutOfSight = Place.isValid() && (SM.isInSystemHeader(Place) || isFilteredOut(Place));
    if (Comment.silences)
      dcp_suppress(&Finding, DC_BY_SOURCE);
    if (OutOfSight || dcp_options_silence(&Options, Finding.rule))
      dcp_suppress(&Finding, DC_BY_OPTIONS);
    return Comment;
  }

  void say(const dc_unit_kernel &Kernel, dc_finding &Finding) {
    const dc_kernel &K = Kernel.kernel;
    SourceLocation Place = placeOfFinding(K, Finding);
    dcp_nolint Comment = silence(Finding, Place);
    Finding.switched_on = Options.warn[Finding.rule] && !dc_rule_about(Finding.rule)->warns;
    if (Finding.suppressed || !Options.warn[Finding.rule] || !isFirst(K, Finding))
      return;
    Diags.Report(Place, diag::warn_fe_backend_plugin)
        << std::string(Finding.message) + " [divcost-" + dc_rule_name(Finding.rule) + "]";
    if (Options.verbosity == 0)
      return;
    if (Comment.unknown)
      sayUnknown(Place, Comment);
    if (Finding.loop != DC_NONE && Finding.barrier == DC_NONE &&
        Finding.location != K.loops[Finding.loop].location)
      note(placeOf(K, K.loops[Finding.loop].location, true), "this is the loop");
    sayCallers(K, Finding.location);
    sayReasons(K, Finding, Place);
    if (dc_rule_about(Finding.rule)->of_cost && Kernel.n_estimates && !Kernel.measured.launches)
      sayLaunch(Kernel, Finding.loop == DC_NONE ? dcp_least_efficient(&Kernel)
                                                : dcp_deciding_estimate(&Kernel, Finding.loop));
  }

  // Moves the findings about barriers to where users can do something about them.
  bool moveBarriers(dc_unit_kernel &Kernel) {
    for (uint32_t F = 0; F < Kernel.n_findings; ++F)
      if (dc_finding &Finding = Kernel.findings[F]; Finding.barrier != DC_NONE)
        Finding.location = placeOfBarrier(Kernel.kernel, Kernel.kernel.barriers[Finding.barrier]);
    return dcp_identify_barriers(&Kernel, nullptr) == DC_OK;
  }

  // An annotation whose loop was compiled, but isn't there when the analysis comes.
  void sayLost(const dcp_loop_statement &Loop) {
    SourceLocation Place = SourceLocation::getFromRawEncoding(Loop.raw_location);
    std::string At = Loop.distribution_at ? Loop.distribution_at
                     : Loop.ignored_at    ? Loop.ignored_at
                                          : "";
    if ((Place.isValid() && nolintAt(Place, nullptr).silences) ||
        !dcp_session_first(&Session, ("lost " + At).c_str()))
      return;
    Diags.Report(Place, diag::warn_fe_backend_plugin)
        << "the annotation of this loop is lost: the optimiser removed the loop, unrolled it "
           "completely or merged it with another one";
  }

  // What is wrong with the annotation file: for all architectures once.
  void sayOfFile(const std::string &Text) {
    if (dcp_session_first(&Session, Text.c_str()))
      Diags.Report(diag::warn_fe_backend_plugin) << "divcost: " + Text;
  }

  SourceLocation placeOfFinding(const dc_kernel &K, const dc_finding &Finding) {
    return placeOf(K, Finding.location, Finding.loop != DC_NONE);
  }

  // Where a location is, as near as the source that the user wrote has it.
  SourceLocation placeOf(const dc_kernel &K, uint32_t Location, bool IsLoop) {
    if (Location == DC_NONE)
      return {};
    const dc_location &Place = K.locations[Location];
    const char *File = dc_kernel_text(&K, Place.file);
    if (IsLoop)
      if (auto *Loop = dcp_source_find_loop(&Source, File, Place.line, Place.column))
        return SourceLocation::getFromRawEncoding(Loop->raw_location);
    return Where.translate(File, Place.line, Place.column);
  }

private:
  // Whether threads part in the user's own code on the way to a barrier.
  bool isUsersFault(const dc_kernel &K, const dc_barrier &Barrier) {
    for (uint32_t B = 0; B < K.n_branches; ++B)
      if (K.branches[B].level > (Barrier.warp ? DC_WARP_UNIFORM : DC_BLOCK_UNIFORM) &&
          !dcp_is_library(&K, K.branches[B].location) && dcp_decides(&K, B, Barrier.block))
        return true;
    return false;
  }

  // Where a barrier is told: one of a library (block.sync()) where the user calls that, if it is
  // the user's branch that not all threads take.
  uint32_t placeOfBarrier(const dc_kernel &K, const dc_barrier &Barrier) {
    uint32_t Outer = dcp_users_location(&K, Barrier.location);
    if (Outer == Barrier.location)
      return Barrier.location;
    return isUsersFault(K, Barrier) ? Outer : Barrier.location;
  }

  void note(SourceLocation Place, const std::string &Text) {
    Diags.Report(Place, diag::note_fe_backend_plugin) << Text;
  }

  void sayCallers(const dc_kernel &K, uint32_t Location) {
    while (Location != DC_NONE && K.locations[Location].inlined_at != DC_NONE) {
      uint32_t Call = K.locations[Location].inlined_at;
      note(placeOf(K, Call, false),
           std::string("in '") + dc_kernel_text(&K, K.locations[Location].function) +
               "', inlined into '" + dc_kernel_text(&K, K.locations[Call].function) + "' here");
      Location = Call;
    }
  }

  // A step in a system header (the definition of threadIdx.x) is shown where it was called from; a
  // first step at the loop's keyword would only repeat the warning's place.
  void sayReasons(const dc_kernel &K, const dc_finding &Finding, SourceLocation Warned) {
    uint32_t First, Count = dc_finding_chain(&K, &Finding, &First);
    for (uint32_t R = 0; R < Count; ++R) {
      const dc_reason &Reason = K.reasons[First + R];
      uint32_t Location = Reason.location;
      SourceLocation Place = placeOf(K, Location, false);
      while (Location != DC_NONE && (Place.isInvalid() || SM.isInSystemHeader(Place))) {
        Location = K.locations[Location].inlined_at;
        Place = placeOf(K, Location, false);
      }
      if (R > 0 || Place != Warned)
        note(Place, dc_kernel_text(&K, Reason.text));
    }
  }

  void sayLaunch(const dc_unit_kernel &Kernel, uint32_t Number) {
    const dc_estimate &Estimate = Kernel.estimates[Number];
    char Text[512];
    dcp_word_launch(&Kernel.kernel, &Estimate, Text, sizeof Text);
    SourceLocation Place = placeOf(Kernel.kernel, Estimate.launch.location, false);
    note(Place.isValid() ? Place : placeOf(Kernel.kernel, Kernel.kernel.location, false), Text);
  }

  bool isFirst(const dc_kernel &K, const dc_finding &Finding) {
    std::string Key = dc_rule_name(Finding.rule);
    if (Finding.location == DC_NONE) {
      Key += std::string(" ") + dc_kernel_text(&K, K.symbol);
    } else {
      const dc_location &Place = K.locations[Finding.location];
      Key += std::string(" ") + dc_kernel_text(&K, Place.file) + ":" + std::to_string(Place.line) +
             ":" + std::to_string(Place.column);
    }
    return Said.insert(Key).second && dcp_session_first(&Session, Key.c_str());
  }

  // What the comments at a place say of a rule; nullptr: of what is no rule's.
  dcp_nolint nolintAt(SourceLocation Place, const char *Rule) {
    auto [File, Offset] = SM.getDecomposedLoc(SM.getExpansionLoc(Place));
    bool Invalid = false;
    StringRef Buffer = SM.getBufferData(File, &Invalid);
    return Invalid || Offset >= Buffer.size()
               ? dcp_nolint{}
               : dcp_nolint_of(Buffer.data(), Buffer.size(), Offset, Rule);
  }

  // A rule that a comment names and that there isn't: it silences nothing.
  void sayUnknown(SourceLocation Place, const dcp_nolint &Comment) {
    char Rules[256];
    dc_rule_names(Rules, sizeof Rules);
    note(Place, ("the comment here names '" + StringRef(Comment.unknown, Comment.length) +
                 "', which is no rule; rules are, behind 'divcost-': " + Rules)
                    .str());
  }

  // Whether a place is in a header in which the user wants no warnings.
  bool isFilteredOut(SourceLocation Place) {
    std::string File;
    uint32_t Line, Column;
    return HasFilter && !SM.isInMainFile(SM.getExpansionLoc(Place)) &&
           Where.find(Place, File, Line, Column) && regexec(&Filter, File.c_str(), 0, nullptr, 0);
  }

  DiagnosticsEngine &Diags;
  SourceManager &SM;
  SourceLocations &Where;
  const dcp_source &Source;
  const dcp_options &Options;
  dcp_session &Session;
  bool HasFilter; // of headers
  regex_t Filter;
  llvm::StringSet<> Said;
};

} // namespace

// What is to be said of the entries of the annotation file. Where they are for all files of a
// project, one that names nothing here is of another.
static void forEachWarning(const dcp_annotations &Annotations, bool OfProject,
                           const dcp_source &Source, const dc_unit &Unit,
                           llvm::function_ref<void(const char *)> Say) {
  char Text[768];
  for (uint32_t E = 0; E < Annotations.n_entries; ++E) {
    if (!Annotations.entries[E].used && !OfProject) {
      dcp_annotation_describe(&Annotations, E, &Source, &Unit, Text, sizeof Text);
      Say(Text);
    }
    if (Annotations.entries[E].overruled)
      Say(Annotations.entries[E].overruled);
  }
  for (uint32_t E = 0; E < Annotations.n_kernels && !OfProject; ++E)
    if (!Annotations.kernels[E].used) {
      dcp_kernel_annotation_describe(&Annotations, E, &Source, Text, sizeof Text);
      Say(Text);
    }
}

void Compilation::diagnose(dc_unit &Unit, dcp_session *Session) {
  Speaker Speak(Instance.getDiagnostics(), *Where, Source, Options, *Session);
  dcp_session_begin(Session);
  for (uint32_t K = 0; K < Unit.n_kernels; ++K) {
    if (!Speak.moveBarriers(Unit.kernels[K]))
      reportError("out of memory");
    for (uint32_t F = 0; F < Unit.kernels[K].n_findings; ++F)
      Speak.say(Unit.kernels[K], Unit.kernels[K].findings[F]);
  }
  for (uint32_t L = 0; L < Source.n_loops; ++L)
    if (isLost(Unit, Source.loops[L]))
      Speak.sayLost(Source.loops[L]);
  forEachWarning(Annotations, Options.annotations_of_project, Source, Unit,
                 [&](const char *Text) { Speak.sayOfFile(Text); });
  for (const std::string &Text : OfEntries)
    Speak.sayOfFile(Text);
  dcp_session_end(Session);
}

// As diagnose, but says nothing.
bool Compilation::silence(dc_unit &Unit) {
  dcp_session Alone = DCP_ALONE;
  Speaker Speak(Instance.getDiagnostics(), *Where, Source, Options, Alone);
  for (uint32_t K = 0; K < Unit.n_kernels; ++K) {
    dc_unit_kernel &Kernel = Unit.kernels[K];
    if (!Speak.moveBarriers(Kernel))
      return false;
    for (uint32_t F = 0; F < Kernel.n_findings; ++F)
      Speak.silence(Kernel.findings[F], Speak.placeOfFinding(Kernel.kernel, Kernel.findings[F]));
  }
  return true;
}

// Whether the analysis saw nothing of an annotated loop. Of a function that it gave up it saw none.
bool Compilation::isLost(const dc_unit &Unit, const dcp_loop_statement &Loop) const {
  if (!dcp_is_annotated(&Loop) || !Loop.compiled || Loop.kept)
    return false;
  for (uint32_t K = 0; K < Unit.n_kernels; ++K)
    for (uint32_t F = 0; F < Unit.kernels[K].n_findings; ++F)
      if (Unit.kernels[K].findings[F].rule == DC_RULE_GAVE_UP)
        return false;
  return true;
}

// LLVM's remarks, through clang's own id for them: at the places that clang knows, which debug info
// may not lead back to (macros, preprocessed sources), and also where no pipeline runs.
void Compilation::remark(const dc_unit &Unit) {
  if (!Instance.getCodeGenOpts().OptimizationRemarkAnalysis.patternMatches("divcost"))
    return;
  DiagnosticsEngine &Diags = Instance.getDiagnostics();
  dcp_session Alone = DCP_ALONE;
  Speaker Speak(Diags, *Where, Source, Options, Alone);
  forEachRemark(
      Unit, Options,
      [&](const dc_unit_kernel &Kernel, StringRef, uint32_t Location, const std::string &Text) {
        Diags.Report(Speak.placeOf(Kernel.kernel, Location, true),
                     diag::remark_fe_backend_optimization_remark_analysis)
            << AddFlagValue("divcost") << Text;
      });
}
