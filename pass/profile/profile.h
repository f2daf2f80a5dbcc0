// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Profiles in the compiler, the C part: how a loop is called in a profile, what the analysis claims
// of it, and how measured trip counts become the loop's distribution. docs/profile.md.
#ifndef DIVCOST_PASS_PROFILE_PROFILE_H
#define DIVCOST_PASS_PROFILE_PROFILE_H

#include "analysis/source.h"
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
