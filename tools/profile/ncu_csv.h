// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What Nsight Compute exports as CSV: the source page (`--page source --print-source cuda,sass`),
// which has the instructions of each launch below the lines of the source, and the raw page
// (`--page raw`), which has a row for each launch. docs/measured.md has the commands.
#ifndef DIVCOST_TOOLS_NCU_CSV_H
#define DIVCOST_TOOLS_NCU_CSV_H

#include "divcost/measured.h"
#include "divcost/string_set.h"

#include <stdio.h>

// What the files said besides the counts; all zeroes at first.
typedef struct ncu_export {
  dc_string_set symbols; // of kernels
  struct ncu_kernel {
    uint64_t listed;      // launches that a source page has
    double listed_warps;  // instructions that warps executed in them
    uint64_t timed;       // launches that a raw page has
    uint64_t untimed;     // of these, which didn't end while they were profiled
    double counted_warps; // instructions of these, as far as the page has them; else 0
  } *kernels;             // of each symbol
  uint32_t capacity;
  dc_string_set without_lines; // kernels whose code has no lines, as the file names them
} ncu_export;

void ncu_export_free(ncu_export *out);

// Reads a file of either page to its end, and adds what it has to the counts. Errors, with "line N:
// " in front where a line is at fault: DC_ERROR_SYNTAX for what is no such page, is cut off, or
// lacks what is needed, and what to export instead; those of dc_counts_add_launch; DC_ERROR_FILE,
// DC_ERROR_MEMORY. O(size log size) for each launch.
dc_status ncu_csv_read(FILE *stream, dc_counts *counts, ncu_export *out, dc_error *error);

#endif
