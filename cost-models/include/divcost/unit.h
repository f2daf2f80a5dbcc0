// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A translation unit's findings: what the plugin hands to reports (divcost/report.h) and what
// divcost/files.h reads back.
#ifndef DIVCOST_UNIT_H
#define DIVCOST_UNIT_H

#include "divcost/estimate.h"
#include "divcost/measured.h"
#include "divcost/name_list.h"
#include "divcost/rules.h"

#ifdef __cplusplus
extern "C" {
#endif

// Who suppresses a finding.
typedef enum dc_suppressor {
  DC_BY_SOURCE,  // a comment or an annotation there
  DC_BY_OPTIONS, // of the compiler, or a project's .divcost: rules, headers
  DC_BY_LIBRARY, // what data decide in a library's code is not for its users to change
} dc_suppressor;

// "source", "options", "library"; the value of such a name, -1 for any other.
const char *dc_suppressor_name(dc_suppressor by);
int dc_suppressor_parse(const char *name);

// A message of a rule.
typedef struct dc_finding {
  dc_rule rule;
  uint32_t loop;        // in the kernel, or DC_NONE
  uint32_t barrier;     // that it is about, in the kernel, or DC_NONE
  uint32_t location;    // in the kernel, or DC_NONE
  char *message;        // owned; one sentence
  uint64_t fingerprint; // stable under edits elsewhere: rule and loop id, function or barrier
  bool suppressed;
  dc_suppressor by; // where it is suppressed
  bool switched_on; // its rule doesn't warn from the start, and an option or .divcost has it warn
  dc_name_list others; // kernels that have it, too, where reports have only the worst instance of a
                       // template (divcost/instances.h)
} dc_finding;

// Whether it is a warning, and no remark that nobody asked for. O(1).
bool dc_finding_warns(const dc_finding *finding);

// The chain of reasons behind a finding, in kernel->reasons: its barrier's, else its loop's.
// Returns how many there are.
uint32_t dc_finding_chain(const dc_kernel *kernel, const dc_finding *finding, uint32_t *first);

// Why a finding is suppressed: the reason that an annotation of its loop gives, "" where none does.
// Only findings of what a loop costs heed annotations (dc_rule_info.of_cost).
const char *dc_finding_reason(const dc_kernel *kernel, const dc_finding *finding);

// A place in a kernel at which lanes leave, as a profiler counted it.
typedef struct dc_measured_part {
  double share;      // of the kernel's lane-slots, which idle by it
  uint32_t loop;     // in the kernel, or DC_NONE
  uint32_t branch;   // in the kernel, or DC_NONE
  uint32_t location; // in the kernel; both DC_NONE: a line on which the kernel has neither; all
                     // DC_NONE: the kernel's start
} dc_measured_part;

// A line whose accesses take more than they need, as a profiler counted it.
typedef struct dc_measured_access {
  uint8_t kind; // dc_traffic_kind
  double share; // of what all of the kernel's accesses to such memory take, what isn't needed
  double taken, ideal; // of an access of a warp, mean; 0: not known
  uint32_t access;     // the only one of such memory on the line, or DC_NONE
  uint32_t location;   // in the kernel; DC_NONE: in none of the user's lines
} dc_measured_access;

// Who counted what was measured.
typedef enum dc_measured_by {
  DC_MEASURED_PROFILER, // of the machine code (divcost/measured.h)
  DC_MEASURED_RECORDER, // of the blocks of the source's code (divcost/block_counts.h), of which
                        // each stands for the machine instructions that it is expected to become
} dc_measured_by;

// "profiler", "recorder"; and back, or -1.
const char *dc_measured_by_name(dc_measured_by by);
int dc_measured_by_parse(const char *name);

// What was measured of a kernel.
typedef struct dc_unit_measured {
  uint8_t by;              // dc_measured_by
  uint64_t launches;       // 0: nothing
  double seconds;          // of all launches; negative: not known
  double time_share;       // of the program's; negative: not known
  double efficiency;       // SIMT efficiency
  double of_blocks;        // the same without what machine code is expected to have beside the
                           // blocks' instructions; negative: a profiler counts both
  double untold;           // share of the lane-slots that idle nobody knows where
  dc_measured_part *parts; // worst first; with untold, 1 - efficiency in all
  uint32_t n_parts;
  double samples;                       // of warps; 0: nobody looked what they wait for
  double waits[DC_WAIT_COUNT];          // shares of these
  double unlisted;                      // share of these at code that the profiler doesn't list
  bool traffic_known[DC_TRAFFIC_COUNT]; // what accesses take was counted
  dc_measured_access *accesses;         // worst first
  uint32_t n_accesses;
} dc_unit_measured;

void dc_unit_measured_free(dc_unit_measured *measured);

typedef struct dc_unit_kernel {
  dc_kernel kernel;
  dc_estimate *estimates; // for each architecture and launch: first arch all launches, worst first
  uint32_t n_estimates;
  dc_finding *findings;
  uint32_t n_findings;
  dc_unit_measured measured;
  dc_name_list instances; // of its template, which it stands for (divcost/instances.h)
  bool library;           // all of its code is in system headers
} dc_unit_kernel;

typedef struct dc_unit {
  char *path;      // of the main file; owned
  unsigned *archs; // sm numbers, ascending
  uint32_t n_archs;
  dc_unit_kernel *kernels;
  uint32_t n_kernels;
} dc_unit;

// All zeroes is the empty unit, and the empty kernel of one.
void dc_unit_free(dc_unit *unit);
void dc_unit_kernel_free(dc_unit_kernel *kernel);

// Moves the kernels of `from` into `into`, which then has the architectures and paths of both;
// `from` is empty afterwards, or unchanged on error (DC_ERROR_MEMORY). Kernels are one kernel if
// symbol and file of the declaration agree: its estimates for an architecture that both have are
// those of `from`. Where the skeletons are equal, as they are if the code does not ask for its
// architecture, there is one dc_unit_kernel, with the findings of both (one for each rule,
// fingerprint and loop); else there is one for each skeleton. Kernels are then in the order of
// file, line, symbol and architecture, so that it matters not in which order units with different
// architectures are merged. O(size * kernels of one name).
dc_status dc_unit_merge(dc_unit *into, dc_unit *from, dc_error *error);

// Replaces the estimates of a kernel by new ones for these architectures (by ascending sm numbers)
// and each of its launches, worst launch first: the one that certainly loses the greatest share of
// its cycles. cache: or NULL. Errors: those of dc_estimate_kernel; the kernel is then unchanged.
dc_status dc_unit_estimate(dc_unit_kernel *kernel, const dc_arch *archs, uint32_t n_archs,
                           dc_estimate_cache *cache, dc_error *error);

// The same for the architectures that the kernel has estimates for, with the costs that these rest
// on; where it has none, for sms[n_sms] (ascending). Errors: also those of dc_arch_find_sm.
dc_status dc_unit_estimate_again(dc_unit_kernel *kernel, const unsigned *sms, uint32_t n_sms,
                                 dc_error *error);

// Whether an estimate of the kernel decides about findings and conditions. Launches that are known
// happen, so that each does; of block dimensions that are assumed one holds, and nothing is certain
// but what the mildest says, the last of an architecture (dc_unit_estimate sorts them). O(1).
bool dc_estimate_decides(const dc_unit_kernel *kernel, uint32_t estimate);

// The estimate of a kernel that loses the greatest share of its issue cycles. NULL: it has none.
const dc_estimate *dc_worst_estimate(const dc_unit_kernel *kernel);

// Seconds of one launch that divergence costs, about: the middle of the launch's time, times the
// middle of the share of it that divergence costs, 0 if that is below 1%; of several estimates of
// the kernel whose times are known, the greatest. Negative: no estimate's time is known.
double dc_time_lost(const dc_unit_kernel *kernel);

// Reads a file of the source, as dc_input_text does.
typedef struct dc_text_source {
  char *(*read)(void *context, const char *path, size_t *length);
  void *context;
} dc_text_source;

// Gives a kernel what was measured of it: the sites of its machine code become parts at its loops
// and branches, by their lines; lines without either become new locations. Where nothing was
// measured, the kernel stays as it is; likewise where a line at which lanes leave isn't in the
// source any more as it was then, which is *changed (else NULL): comments, blanks and other lines
// may have come or gone. Errors: DC_ERROR_MEMORY, after which the kernel can only be freed. O(size
// of the files + sites * (loops + branches) * lines of a site).
dc_status dc_unit_measure(dc_unit_kernel *kernel, const dc_measured *measured,
                          const dc_text_source *source, const dc_measured_line **changed,
                          dc_error *error);

// Kernels to report on, looked at one at a time: those of a unit, or of a build that memory has no
// room for.
typedef struct dc_kernels {
  const char *path;      // of the main files, as in a merged unit; or NULL
  const unsigned *archs; // sm numbers, ascending
  uint32_t n_archs, n_kernels;
  // Gives kernel `index`, 0 .. n_kernels - 1 in the order of dc_unit_merge, valid until the next
  // call. An error is handed on by whoever asked for the kernel.
  dc_status (*get)(void *context, uint32_t index, const dc_unit_kernel **kernel, dc_error *error);
  void *context; // handed to get
} dc_kernels;

// The kernels of a unit, which must outlive the result.
dc_kernels dc_unit_kernels(const dc_unit *unit);

// order[n_kernels] becomes the indices of the kernels, worst first: measured ones by the share of
// the program's time whose lane-slots idle; then those of which divergence costs time
// (dc_time_lost), by that; then those whose time isn't known; last those that lose nothing or of
// which divergence costs no time. What is alike so far stands by the least share of issue cycles
// that is lost, then by the greatest. Errors: DC_ERROR_MEMORY, or what get met. Each kernel is
// looked at once. O(n log n).
dc_status dc_worst_first(const dc_kernels *kernels, uint32_t *order, dc_error *error);

#ifdef __cplusplus
}
#endif

#endif
