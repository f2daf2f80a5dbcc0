// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How often the blocks of a kernel were executed, and what that says: which lane-slots idle, and by
// what. The recorder counts as few blocks as it can; those of all others follow from them.
#ifndef DIVCOST_BLOCK_COUNTS_H
#define DIVCOST_BLOCK_COUNTS_H

#include "divcost/profile.h"
#include "divcost/unit.h"

#ifdef __cplusplus
extern "C" {
#endif

// Where the counts of a block come from.
typedef enum dc_counted_by {
  DC_COUNTED_HERE,    // it is counted
  DC_COUNTED_AS,      // those of block `of`, which comes with it each time
  DC_COUNTED_WITH,    // those of block `of`, by whose branch it is expected to be predicated
  DC_COUNTED_LOOP,    // the iterations of loop `of`, whose body it begins
  DC_COUNTED_ENTRIES, // the entries of loop `of`, which is entered by it alone
  DC_COUNTED_TIMES, // those of block `of`, `times` as often: it leads into a loop of so many trips
  DC_COUNTED_WAYS,  // the sum of the blocks that lead to it, and nowhere else
  DC_COUNTED_REST,  // those of the loop header `of`, to which it leads, without its own rounds
  DC_COUNTED_NEVER, // no way leads to it from an entry
  DC_COUNTED_NOT,   // it has no instructions, nor has what always comes with it
} dc_counted_by;

typedef struct dc_block_plan {
  uint8_t by; // dc_counted_by
  uint32_t of, times;
} dc_block_plan;

// Plans how each of the kernel's blocks is counted, plan[n_blocks]. bodies[n_loops]: the block that
// a loop's body begins with, or DC_NONE; recorded[n_loops]: whether the profile has its trips.
// countable[n_blocks] tells the blocks that can be counted; apart[n_blocks], or NULL, those behind
// whose branch lanes don't come together where its ways do, so that no block in the same loop
// before it is executed as one behind it. Where a block can't, nor any that
// always comes with it, nor is it the way into a loop, it is planned to be counted all the same,
// and nobody knows its counts, but for a test that was split off the one before: it is executed
// whenever that is. The targets of branches that are expected to be predicated
// (dc_arch_predicate) are executed whenever the branch is, by all of its lanes, and so is a bare
// return. A kernel without blocks has no plan. Errors: DC_ERROR_MEMORY. O(blocks * depth of
// nesting).
dc_status dc_plan_blocks(const dc_kernel *kernel, const uint32_t *bodies, const bool *recorded,
                         const bool *countable, const uint8_t *apart, dc_block_plan *plan,
                         dc_error *error);

// Whether each function that a kernel calls may stand in it, so that it can be counted: none is of
// another unit, or one of which nothing is known. O(calls).
bool dc_can_count_calls(const dc_kernel *kernel);

// Executions of a block.
typedef struct dc_block_count {
  bool known;
  uint64_t warps, lanes; // warps <= lanes <= 32 * warps
  bool together;         // of copies counted together, an equal part: right in sum, not in each
} dc_block_count;

// An operation that is a branch in machine code: lanes whose operands ask for it execute a slow
// path and, in place of a part of what else is there, that. Or an atomic that lanes of one address
// try until they are alone with it: its executions are the tries in vain.
typedef struct dc_slow_path {
  uint32_t location;     // in the kernel, or DC_NONE
  uint32_t instructions; // of the slow path
  uint32_t instead;      // of the part that a lane on it doesn't execute
  bool tried;            // an atomic; it needs no instructions
  uint32_t block;        // in which it is
  dc_block_count count;  // executions of the slow path; not known: as if there were none
} dc_slow_path;

// Gives a kernel what was counted of it in so many launches: counts[n_blocks] are those of the
// blocks that the plan counts, here or by their loops, and become those of all blocks;
// trips[n_loops] are those of its loops, NULL where they aren't known; slow[n_slow] are its slow
// paths. *all_known where
// - all are known but those of blocks that can change the efficiency by 5 points at most, which
//   count as never executed; one side of a branch that isn't counted is known by the other: its
//   lanes, and its warps more or less, which can change it by no more than that, too,
// - the lanes that come to blocks are those that go on from them, to one in a thousand,
// - and atomics that lanes try again can change the efficiency by 5 points at most.
// Then, and where there are launches, kernel->measured, which must be empty, is made of them: each
// block stands for the machine instructions that it is expected to become, with those that make
// lanes meet again and guard unrolled loops, and lanes that idle are charged as divcost/measured.h
// says; what idles in a slow path, to its location. Errors: DC_ERROR_MEMORY, after which the kernel
// can only be freed. O(blocks * (depth of nesting + sides known one by another) + loops * bins +
// slow paths).
dc_status dc_unit_count(dc_unit_kernel *kernel, const dc_block_plan *plan, dc_block_count *counts,
                        const dc_profile_counts *const *trips, const dc_slow_path *slow,
                        uint32_t n_slow, uint64_t launches, bool *all_known, dc_error *error);

#ifdef __cplusplus
}
#endif

#endif
