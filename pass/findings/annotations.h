// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Annotations from a file, for sources that cannot be edited; docs/annotations.md explains
// them, docs/divcost-annotations-1.schema.json has the format.
//
//   {"divcost-annotations": 1, "loops": [
//     {"file": "spmv.cu", "line": 12, "trips": "poisson(30), per_warp_correlated(0.5)"},
//     {"function": "spmv", "line": 20, "ignore": "only for tests"},
//     {"id": "0123456789abcdef", "trips": "histogram(\"rows.txt\")"}],
//    "kernels": [
//     {"function": "spmv", "launch": "block=128, grid=782, rows=100000, l2=warm"}]}
//
// Entries by line are matched with the loop statements of the source before the analysis; entries
// by id with the loops of the kernels, whose ids the analysis finds. Of several that name a loop
// the first counts, and one by line before one by id; what a pragma says counts before all of them.
// Entries of kernels need the syntax tree, since only that has the types of parameters
// (clang/told_launch.cpp); the same order holds for each thing that they say.
#ifndef DIVCOST_PASS_FINDINGS_ANNOTATIONS_H
#define DIVCOST_PASS_FINDINGS_ANNOTATIONS_H

#include "analysis/source.h"
#include "divcost/unit.h"
#include "findings/launch_text.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dcp_annotation {
  // What it names. With an id the rest only helps to say what is near where nothing has that id.
  char *file, *function; // a file matches at the end of a path, a function by its qualified name or
                         // the last part of it; NULL: not given
  uint32_t line;         // 0: not given
  bool has_id;
  uint64_t id;
  // What it says.
  char *distribution; // with the points of the histograms that it names; NULL: nothing
  double correlation;
  char *ignored; // NULL: nothing
  bool used;     // some loop is what it names
  // What another entry has said before, of the first loop of which both say it; NULL: nothing.
  char *overruled; // "'notes.json': loops[1] and loops[3] both ..."
} dcp_annotation;

typedef struct dcp_kernel_annotation {
  char *file, *function; // as a loop's entry has them; the function is always given
  dcp_told_launch launch;
  uint32_t line, column; // of the launch's text
  bool used;             // some kernel is what it names
} dcp_kernel_annotation;

typedef struct dcp_annotations {
  char *path;
  dcp_annotation *entries; // of loops
  uint32_t n_entries;
  dcp_kernel_annotation *kernels;
  uint32_t n_kernels;
} dcp_annotations;

// Reads and checks a file. A histogram's relative path starts from its folder. The error names file
// and place; *annotations is then empty. In annotation_file.c.
dc_status dcp_annotation_file(const char *path, dcp_annotations *annotations, dc_error *error);
void dcp_annotations_free(dcp_annotations *annotations);

// Gives what the entries by line say to the loop statements that they name, and what those by id
// say to the loops of the kernels, where nothing is said of these yet; marks the entries that were
// used, if only by a loop that had everything, and says of those that another one overruled, by
// which. Errors: DC_ERROR_MEMORY.
dc_status dcp_annotations_apply(dcp_annotations *annotations, dcp_source *source, dc_error *error);
dc_status dcp_annotations_apply_ids(dcp_annotations *annotations, dc_unit *unit, dc_error *error);

// Describes an entry for the warning that nothing matches it, with the loop that is nearest: by the
// name of the file, then of the function (by edit distance), then by the line; or by the id, where
// that is nearly it. O(loops * lengths of the names).
void dcp_annotation_describe(const dcp_annotations *annotations, uint32_t index,
                             const dcp_source *source, const dc_unit *unit, char *text,
                             size_t size);

// Whether an entry names the kernel with that qualified name that is defined in a file.
bool dcp_annotation_names(const dcp_kernel_annotation *entry, const char *file,
                          const char *function);

// Describes an entry that names no kernel of the table, with the nearest, as above.
void dcp_kernel_annotation_describe(const dcp_annotations *annotations, uint32_t index,
                                    const dcp_source *source, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
