// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A translation unit's findings: what the plugin hands to reports and what reports read back.
// Reading and writing JSON is libdivcost-json's (it needs jansson); the schema is
// docs/json-schema.md.
#ifndef DIVCOST_UNIT_H
#define DIVCOST_UNIT_H

#include "divcost/estimate.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dc_finding {
  dc_rule rule;
  uint32_t loop;        // in the kernel, or DC_NONE
  uint32_t location;    // in the kernel, or DC_NONE
  char *message;        // owned; one sentence
  uint64_t fingerprint; // stable under edits elsewhere: rule and loop id or function
  bool suppressed;
} dc_finding;

// Why a finding is suppressed: the reason that an annotation of its loop gives, "" where none does.
// Annotations are about what a loop costs, so rules barrier and gave-up don't heed them.
const char *dc_finding_reason(const dc_kernel *kernel, const dc_finding *finding);

typedef struct dc_unit_kernel {
  dc_kernel kernel;
  dc_estimate *estimates; // for each architecture and launch: first arch all launches, worst first
  uint32_t n_estimates;
  dc_finding *findings;
  uint32_t n_findings;
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
// its cycles. Errors: those of dc_estimate_kernel; the kernel is then unchanged.
dc_status dc_unit_estimate(dc_unit_kernel *kernel, const dc_arch *archs, uint32_t n_archs,
                           dc_error *error);

// The same for the architectures that the kernel has estimates for, with the costs that these rest
// on; where it has none, for sms[n_sms] (ascending). Errors: also those of dc_arch_find_sm.
dc_status dc_unit_estimate_again(dc_unit_kernel *kernel, const unsigned *sms, uint32_t n_sms,
                                 dc_error *error);

// Share of the kernel's cycles that is lost to imbalance and reconvergence: exact where all figures
// are, else bounds (the sums of the loops' least and largest shares). Negative: not known.
dc_span dc_lost_share(const dc_estimate *estimate);

// The estimate of a kernel that loses most: what the kernel is ranked by. NULL: it has none.
const dc_estimate *dc_worst_estimate(const dc_unit_kernel *kernel);

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

// order[n_kernels] becomes the indices of the kernels, worst first: by the least share that is
// certainly lost, then by the greatest. Errors: DC_ERROR_MEMORY, or what get met. Each kernel is
// looked at once. O(n log n).
dc_status dc_worst_first(const dc_kernels *kernels, uint32_t *order, dc_error *error);

typedef struct dc_text_options {
  bool colour;  // ANSI escapes
  uint32_t top; // only the worst kernels, so many; 0: all
  // Stores the text of a source line, cut to size - 1 bytes, without its end; false: not available.
  // The library opens no files. NULL: none is.
  bool (*read_line)(void *context, const char *file, uint32_t line, char *text, size_t size);
  void *context; // handed to read_line
} dc_text_options;

// Writes the report for people, 80 columns wide, in ASCII but for what it quotes: kernels worst
// first, with cycles and losses for each architecture and launch; their loops worst first, nested
// ones indented, with source line, class, distribution and where it comes from, imbalance,
// efficiency, depth, cycles and reasons. options may be NULL: no colour, no source lines. Errors:
// DC_ERROR_FILE, DC_ERROR_MEMORY, or what getting a kernel met. Each kernel is looked at three
// times.
dc_status dc_kernels_write_text(const dc_kernels *kernels, FILE *stream,
                                const dc_text_options *options, dc_error *error);
dc_status dc_unit_write_text(const dc_unit *unit, FILE *stream, const dc_text_options *options,
                             dc_error *error);

// Parts of that report, for who shows one thing at a time: what it says of a kernel apart from its
// loops, and of one loop, which here begins with what it loses (not with its place) at the margin,
// and is told in full though it lose nothing. `kernel` and `loop` are indices into the unit and the
// kernel. Errors as above.
dc_status dc_unit_write_kernel_text(const dc_unit *unit, uint32_t kernel, FILE *stream,
                                    const dc_text_options *options, dc_error *error);
dc_status dc_unit_write_loop_text(const dc_unit *unit, uint32_t kernel, uint32_t loop, FILE *stream,
                                  const dc_text_options *options, dc_error *error);

// JSON, schema version 1, ending with a newline; in libdivcost-json. Writing what was read gives
// the same bytes. Reading takes the skeletons, estimates and findings (the other members follow
// from them) and checks everything, dc_kernel_validate included: the error names the place
// ("kernels[2].skeleton.loops[0].parent: ..."), and *unit stays empty.
dc_status dc_kernels_write_json(const dc_kernels *kernels, FILE *stream, dc_error *error);
dc_status dc_unit_write_json(const dc_unit *unit, FILE *stream, dc_error *error);
dc_status dc_unit_read_json(FILE *stream, dc_unit *unit, dc_error *error);

// The figures as JSON lines, flat rows of a table: for each estimate of each kernel a row of the
// kernel and one of each loop (docs/divcost-rows-1.schema.json). In libdivcost-json. Errors as
// above.
dc_status dc_kernels_write_rows(const dc_kernels *kernels, FILE *stream, dc_error *error);

// A finding of a baseline that isn't there any more.
typedef struct dc_sarif_absent {
  dc_rule rule;
  uint64_t fingerprint;
  const char *file, *kernel, *message; // file and kernel may be empty
} dc_sarif_absent;

// What a baseline says of the findings, for SARIF.
typedef struct dc_sarif_baseline {
  // "new", "unchanged" or "updated"; NULL: nothing.
  const char *(*state)(void *context, const dc_unit_kernel *kernel, const dc_finding *finding);
  // Entry `index` of those that are gone; false: there are no more.
  bool (*absent)(void *context, uint32_t index, dc_sarif_absent *finding);
  void *context; // handed to both
} dc_sarif_baseline;

// The findings as SARIF 2.1.0, of divcost in this (semantic) version: a result for each, with the
// loop's reasons as a code flow, its fingerprint as "divcost/v1", what an annotation ignores as
// suppressed, and its state where there is a baseline (may be NULL). Relative paths stay relative.
// In libdivcost-json. Errors: DC_ERROR_FILE, DC_ERROR_MEMORY, or what getting a kernel met.
dc_status dc_kernels_write_sarif(const dc_kernels *kernels, const char *version,
                                 const dc_sarif_baseline *baseline, FILE *stream, dc_error *error);

#ifdef __cplusplus
}
#endif

#endif
