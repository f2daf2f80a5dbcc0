// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Annotations from a file: distributions of trip counts for loops of sources that cannot be edited.
//
//   {"divcost-annotations": 1, "loops": [
//     {"file": "spmv.cu", "line": 12, "trips": "poisson(30)"},
//     {"function": "spmv", "line": 20, "trips": "geometric(0.1)"},
//     {"file": "spmv.cu", "line": 31, "trips": "histogram(\"rows.txt\")"}]}
//
// A histogram's relative path starts from the folder of the annotation file.
#ifndef DIVCOST_PASS_ANNOTATIONS_H
#define DIVCOST_PASS_ANNOTATIONS_H

#include "source.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dcp_annotation {
  char *file, *function; // one or both; a file matches at the end of a path, a function by its
                         // qualified name or the last part of it
  uint32_t line;
  char *distribution; // with the points of the histograms that it names
  bool used;
} dcp_annotation;

typedef struct dcp_annotations {
  dcp_annotation *entries;
  uint32_t n_entries;
} dcp_annotations;

// Reads and checks a file. The error names file and place; *annotations is then empty.
dc_status dcp_annotations_read(const char *path, dcp_annotations *annotations, dc_error *error);
void dcp_annotations_free(dcp_annotations *annotations);

// Gives the distributions to the loops that they name and that have none yet, and marks the entries
// that were used, if only by a loop that had one.
dc_status dcp_annotations_apply(dcp_annotations *annotations, const char *path, dcp_source *source,
                                dc_error *error);

// Describes an entry for the warning that nothing matches it.
void dcp_annotation_describe(const dcp_annotation *annotation, const char *path, char *text,
                             size_t size);

#ifdef __cplusplus
}
#endif

#endif
