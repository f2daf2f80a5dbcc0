// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the model knows of a GPU architecture: its reconvergence rules, what managing divergence
// costs, and what instructions cost. Every sm_NN has an entry; what nobody measured is taken from
// the nearest measured architecture with the same rules and says so. What was measured stands in
// the files of cost-models/data, which the build makes a table of.
#ifndef DIVCOST_ARCH_H
#define DIVCOST_ARCH_H

#include "divcost/kernel.h"
#include "divcost/machine.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dc_rules {
  DC_RULES_STACK,    // reconvergence stack: up to sm_62
  DC_RULES_BARRIERS, // convergence barriers: from sm_70
  DC_RULES_NONE      // predication only: no GPU's, for comparison
} dc_rules;

// When spilled tokens come back: a chunk at a time, when a token is popped and none is on chip
// (lazy, as the paper has it); or as soon as a chunk has room (eager).
typedef enum dc_reload { DC_RELOAD_LAZY, DC_RELOAD_EAGER } dc_reload;

typedef struct dc_arch {
  unsigned sm; // 90 for sm_90
  dc_rules rules;
  bool has_cycles; // false: nobody measured an architecture with these rules and generation; counts
                   // only
  double divergent_branch; // cycles for each branch at which lanes diverge. Stack: when the token
                           // is popped; barriers: when a group waits and one that diverged goes on
  double divergent_exit;   // the same where the group that goes on stays in a loop that others
                           // left; stack: equal
  double displaced;        // barriers: more, where lanes diverged again before that group went on
  unsigned stack_entries;  // stack: entries on chip; 0 for barriers
  unsigned spill_entries;  // stack: entries moved at a time
  dc_reload reload;        // stack
  double spill;            // stack: cycles for a spill and its reload
  unsigned predicated; // instructions of a branch's target, without the branch at its end, up to
                       // which the compiler issues it under a predicate instead; 0: not known
  double issue[DC_MIX_COUNT]; // issue cycles of one warp instruction on its scheduler
  char provenance[128]; // where the reconvergence costs come from, e.g. "measured on sm_90 (H200)"
                        // or "assumed (from sm_90)"
  char issue_provenance[128]; // where the issue costs come from
  dc_machine
      machine;  // one GPU of this compute capability: what its memory, clock and launches take
  bool of_file; // the costs are an architecture file's: what depends on them carries them along
} dc_arch;

// The architecture named "sm_NN" (a suffix a or f is allowed); "fermi", "kepler", "maxwell" and
// "hopper", the names of what was measured, are the first sm_NN of these. Unknown names are
// DC_ERROR_ARGUMENT with the list of known ones. O(1), no files.
dc_status dc_arch_find(const char *name, dc_arch *arch, dc_error *error);

// The same by number, 90 for sm_90.
dc_status dc_arch_find_sm(unsigned sm, dc_arch *arch, dc_error *error);

// Marks the divergent branches that compilers for arch are expected to make none of, where nothing
// is known of their predication: each target is one block of arch->predicated instructions at most,
// of the machine where these are known, or nothing, without calls, barriers, atomics and operations
// across the warp, and the targets meet right after, where the same isn't asked again (LLVM's
// JumpThreading makes one stretch of the two targets then). Others with targets like these are
// marked unlikely. Does nothing where that number isn't known. O(branches).
void dc_arch_predicate(const dc_arch *arch, dc_kernel *kernel);

// The known names, separated by ", ".
const char *dc_arch_names(void);

// The names: "stack", "barriers", "none"; "lazy", "eager"; and back: the enumerator, or -1.
const char *dc_rules_name(dc_rules rules);
int dc_rules_parse(const char *name);
const char *dc_reload_name(dc_reload reload);
int dc_reload_parse(const char *name);

#ifdef __cplusplus
}
#endif

#endif
