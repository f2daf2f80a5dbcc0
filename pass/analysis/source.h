// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What only the source knows, as plain C tables: loop statements with their annotations, and
// kernels with the names of their parameters and their launches. clang's syntax
// tree fills them (clang/ast.cpp); under opt, or for another front end, they are empty and the
// analysis does without.
#ifndef DIVCOST_PASS_ANALYSIS_SOURCE_H
#define DIVCOST_PASS_ANALYSIS_SOURCE_H

#include "divcost/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dcp_statement { DCP_FOR, DCP_WHILE, DCP_DO, DCP_RANGE_FOR } dcp_statement;

// A loop statement of the source, at the presumed location of its first token: what debug locations
// name too. Strings are owned by the table.
typedef struct dcp_loop_statement {
  char *file; // absolute path
  uint32_t line, column;
  bool parsed;                   // from the syntax tree, not told by the IR alone
  uint32_t end_line, end_column; // of its last token; 0: not in the same file
  uint8_t statement;             // dcp_statement
  uint8_t has_condition;         // a condition other than a true constant
  uint32_t raw_location;         // clang's SourceLocation of the keyword, raw encoding; 0: none
  char *function;        // qualified name of the function around it, without template arguments
  char *distribution;    // distribution of trips(...), checked; NULL: none
  char *distribution_at; // "file:line", or file and entry, of the annotation; NULL: none
  double correlation;    // of two lanes of a warp, with a distribution
  char *ignored;         // reason of ignore(...); NULL: none
  char *ignored_at;      // as distribution_at
  uint64_t text;         // hash of the statement without its body and blanks; 0: not known
  bool compiled;         // a kernel reaches it, before the optimiser comes
  bool kept;             // a loop that the analysis saw comes from it
  uint32_t number;       // in its function, from 0, in the order in which they begin
  uint64_t hash;         // of its function's text, comments and blanks left out; 0: not known
} dcp_loop_statement;

// A function's definition (a template's pattern), which calls are counted from.
typedef struct dcp_function_source {
  char *file; // absolute path
  uint32_t line, column, end_line, end_column;
} dcp_function_source;

// A launch of a kernel, from the source.
typedef struct dcp_launch {
  uint32_t block[3], grid[3]; // a grid of 0: not constant
  uint32_t shared;            // bytes of dynamic shared memory, where known
  bool shared_known;
  uint8_t from; // dc_block_from: pragma, reqntid or launch
  char *file;
  uint32_t line, column;
} dcp_launch;

typedef struct dcp_parameter {
  char *name;
  bool known; // a launch pragma gives its value, an annotation file or all launches
  int64_t value;
  uint64_t extent;        // bytes that it points to, as somebody says; 0: nobody does
  bool displaced;         // some launch passes an address with an offset: p + 1, &p[1]
  uint8_t unsigned_bytes; // of an unsigned integer, its size; else 0
} dcp_parameter;

typedef struct dcp_kernel_source {
  char *symbol; // mangled name
  char *file;   // absolute path of the declaration
  uint32_t line, column;
  dcp_parameter *parameters;
  uint32_t n_parameters;
  dcp_launch *launches; // those with constant dimensions
  uint32_t n_launches;
  uint32_t launches_not_known; // those whose block dimensions did not fold to constants, and other
                               // uses of the kernel's address, which may launch it anyhow
  uint32_t launches_computed;  // of these, the former
  uint32_t computed_grid[3];   // of all that are not known, where it is the same; 0: it isn't
  uint32_t computed_block[3];  // likewise, each dimension of its own
  uint8_t l2;                  // dc_l2_state, as somebody says
  bool only_here;              // no other unit can launch it, or have it launched otherwise
} dcp_kernel_source;

// A kernel as users name it: a template once, with instances or without.
typedef struct dcp_kernel_name {
  char *function; // qualified, without template arguments
  char *file;     // absolute path of the definition
  uint32_t line;
} dcp_kernel_name;

// Whose machine code is foreseen.
typedef enum dcp_compiler { DCP_CLANG_O2, DCP_CLANG_O3, DCP_NVCC } dcp_compiler;

typedef struct dcp_source {
  dcp_loop_statement *loops; // sorted by file, line, column once dcp_source_seal was called
  uint32_t n_loops;
  dcp_kernel_source *kernels;
  uint32_t n_kernels;
  dcp_function_source *functions;
  uint32_t n_functions;
  dcp_kernel_name *kernel_names;
  uint32_t n_kernel_names;
  dcp_compiler compiler;
} dcp_source;

// Elements are added zeroed; the pointer is valid until the next add. NULL when memory is out.
dcp_loop_statement *dcp_source_add_loop(dcp_source *source);
dcp_kernel_source *dcp_source_add_kernel(dcp_source *source);
dcp_function_source *dcp_source_add_function(dcp_source *source);
dcp_kernel_name *dcp_source_add_kernel_name(dcp_source *source);
dcp_launch *dcp_kernel_add_launch(dcp_kernel_source *kernel);
dcp_parameter *dcp_kernel_add_parameter(dcp_kernel_source *kernel);

// Sorts the loops; call once when all are there.
void dcp_source_seal(dcp_source *source);

// The loop statement at a location, or NULL. O(log loops).
const dcp_loop_statement *dcp_source_find_loop(const dcp_source *source, const char *file,
                                               uint32_t line, uint32_t column);
// The innermost loop statement around a location, or NULL. O(loops of the table before it).
const dcp_loop_statement *dcp_source_enclosing_loop(const dcp_source *source, const char *file,
                                                    uint32_t line, uint32_t column);
// The line on which the innermost function around a location begins, or 0. O(functions).
uint32_t dcp_source_function_line(const dcp_source *source, const char *file, uint32_t line,
                                  uint32_t column);
const dcp_kernel_source *dcp_source_find_kernel(const dcp_source *source, const char *symbol);

// How much of a kernel's symbol stays the same when the command line changes: all but the suffix
// that internal kernels get in relocatable device code. Identities are made of this.
size_t dcp_symbol_length(const char *symbol);

// Whether somebody said something of a loop.
static inline bool dcp_is_annotated(const dcp_loop_statement *loop) {
  return loop->distribution || loop->ignored;
}

void dcp_source_free(dcp_source *source);

#ifdef __cplusplus
}
#endif

#endif
