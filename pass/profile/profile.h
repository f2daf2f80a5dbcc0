// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Profiles in the compiler, the C part: how a loop is called in a profile, what the analysis claims
// of it, and how measured trip counts become the loop's distribution. docs/profile.md.
#ifndef DIVCOST_PASS_PROFILE_PROFILE_H
#define DIVCOST_PASS_PROFILE_PROFILE_H

#include "analysis/source.h"
#include "divcost/block_counts.h"
#include "divcost/profile.h"
#include "divcost/unit.h"

#ifdef __cplusplus
extern "C" {
#endif

// A place in the source, in the function of that (unqualified) name.
typedef struct dcp_source_location {
  const char *file, *function;
  uint32_t line, column;
} dcp_source_location;

// The calls through which chain[0] came to chain[count - 1], innermost first, as profiles write
// them: "name:line:column" of each, the line counted from the function's first, with blanks
// between. NULL: out of memory; else the caller's to free.
char *dcp_profile_path(const dcp_source *source, const dcp_source_location *chain, uint32_t count);

// Fills the key and the place of *loop: a loop statement at chain[0], in a function that was called
// at chain[1], and so on up to chain[count - 1], which is in the function with the symbol `kernel`.
// False where the source has no such statement, its function's text isn't known, or memory is out.
// The texts are the caller's to free with dcp_profile_clear.
bool dcp_profile_name(const dcp_source *source, const char *kernel,
                      const dcp_source_location *chain, uint32_t count, dc_profile_loop *loop);
void dcp_profile_clear(dc_profile_loop *loop);

// The same for a loop of the analysis.
bool dcp_profile_name_loop(const dc_kernel *kernel, uint32_t index, const dcp_source *source,
                           dc_profile_loop *loop);

// All loops of the unit's kernels with their levels, as a profile without counts. Loops that can't
// be named are left out.
dc_status dcp_profile_claims(const dc_unit *unit, const dcp_source *source, dc_profile *claims,
                             dc_error *error);

// How a block is known in a profile, by the function that it is in and the calls through which that
// came into the kernel, or into a function that the kernel calls, `root`. function is NULL where
// that isn't known.
typedef struct dcp_block_name {
  const char *root; // symbol
  const char *function, *path;
  uint64_t hash;
  uint32_t number;
} dcp_block_name;

// A slow path, which has a name like a block's, and where it stands, in a function's source.
typedef struct dcp_slow_path {
  dcp_block_name name;
  dc_slow_path path;
  dcp_source_location at; // line 0: not known
} dcp_slow_path;

// Of a kernel: names of all blocks, for each loop the block that its body begins with, or DC_NONE,
// for each block whether lanes that part at its end stay apart where its ways meet
// (ir/reconvergence.h), and slow paths; a hash of all code and data of its unit; and whether
// another kernel that ran calls functions that it calls.
typedef struct dcp_kernel_blocks {
  const dcp_block_name *names;
  const uint32_t *bodies;
  const uint8_t *apart;
  const dcp_slow_path *slow;
  uint32_t n_slow;
  uint64_t unit;
  bool shared;
} dcp_kernel_blocks;

// Plans how each block of the kernel is counted, plan[n_blocks] (divcost/block_counts.h), where
// loops whose lanes may diverge are. Errors: DC_ERROR_MEMORY.
dc_status dcp_profile_plan(const dc_kernel *kernel, const dcp_kernel_blocks *blocks,
                           const dcp_source *source, dc_block_plan *plan, dc_error *error);

// Where nothing tells how the kernel is launched, its launches become the recorded ones: the
// DCP_LAUNCHES configurations with most threads in all.
#define DCP_LAUNCHES 4
void dcp_profile_launches(const dc_profile *profile, dc_kernel *kernel);

// The function without blocks that stands in a profile for the names of a kernel's parameters, so
// that values aren't taken for those of others; {0} without a kernel. Its texts are those of
// `symbol`, or constants. O(parameters).
dc_profile_body dcp_profile_parameters(const dcp_source *source, const char *symbol);

// The function without blocks that stands in a profile for what was to be counted of a kernel: the
// blocks whose counts the plan asks for, in a unit of that code. Where a profile has it, and not
// one of these, the optimiser has seen that no lane comes there. Its texts are the kernel's, or
// constants. O(blocks).
dc_profile_body dcp_profile_planned(const dc_kernel *kernel, const dcp_kernel_blocks *blocks,
                                    const dc_block_plan *plan);

// Gives the kernel's parameters, as far as nothing else tells, the values that they had in all
// recorded launches, and the extents of the arrays that they pointed to. Not where the kernel has
// other parameters now. O(params log functions).
void dcp_profile_values(const dc_profile *profile, const dcp_source *source, dc_kernel *kernel);

// Gives the kernel what the profile counted of its blocks (dc_unit_count). Where it was counted
// before a function's code changed, *stale names that function; else it is NULL. Errors:
// DC_ERROR_MEMORY.
dc_status dcp_profile_count(const dc_profile *profile, const dcp_kernel_blocks *blocks,
                            const dcp_source *source, dc_unit_kernel *kernel, const char **stale,
                            dc_error *error);

// Gives measured distributions to the loops of a kernel that have none but an assumption, such that
// the estimate for `arch` (NULL: none) and the first launch has the SIMT efficiency that was
// measured. Of the profile's loops with the same function, number and hash the first of these that
// there are count: those of the same kernel and path; of the same kernel; all. *n_stale is how many
// loops the profile knows only with another hash; *stale names the function of the first. Errors:
// DC_ERROR_MEMORY; DC_ERROR_LIMIT for counts of several loops that add up to too many.
dc_status dcp_profile_apply(const dc_profile *profile, const char *path, const dcp_source *source,
                            const dc_arch *arch, dc_kernel *kernel, uint32_t *n_stale,
                            const char **stale, dc_error *error);

#ifdef __cplusplus
}
#endif

#endif
