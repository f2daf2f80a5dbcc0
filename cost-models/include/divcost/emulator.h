// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The warp emulator: one warp of 1 to 64 lanes through a program, under the reconvergence rules of
// an architecture, counting what the hardware would do. Programs (divcost/program.h) are made from
// kernel skeletons or from a small textual assembly. What the rules do:
//
// - stack (up to sm_62): Bialas and Strzelecki, "Benchmarking the cost of thread divergence in
//   CUDA", algorithms 1 and 2. SSY pushes a SYNC token (active lanes, where they meet). A branch at
//   which lanes diverge pushes a DIV token with those that don't take it, and the others go on. The
//   pop bit (.S) pops: the lanes of the token go on where it says. (Algorithm 2 as printed never
//   pushes the SYNC token; it must.) CAL pushes a token that RET pops. Some entries are on chip;
//   beyond, the oldest are spilled, a chunk at a time. Popping a DIV token costs what the
//   architecture says of a divergent branch; a spill costs itself and its reload.
// - barriers (from sm_70): BSSY makes a barrier of the active lanes; BSYNC waits until all of them
//   are there, or have left (EXIT, RET, BREAK). Where lanes diverge, the fewer go on and the others
//   wait for their turn, the last come first; those that wait at one place while lanes diverge
//   again go on together. WARPSYNC waits for all lanes of its mask that have not exited. Barriers
//   nest: BSYNC and BREAK are for the innermost one that is open. Going on with lanes that waited
//   for their turn costs. Measured on Hopper (docs/lab/hopper.md), taken for all of these
//   architectures.
// - none (predication): everything is executed in the order of the code, with the lanes that are
//   there, if any; only loops go back, while some lane does, and are left out if no lane enters.
//   Nothing costs but the instructions.
//
// Managing instructions (SSY, BSSY, BSYNC, BREAK, NOP with a pop bit) are counted, but have no
// issue cycles: what managing costs was measured with them.
#ifndef DIVCOST_EMULATOR_H
#define DIVCOST_EMULATOR_H

#include "divcost/arch.h"
#include "divcost/program.h"
#include "divcost/sampler.h"

#ifdef __cplusplus
extern "C" {
#endif

#define DC_EMULATOR_LANES_MAX 64u

typedef enum dc_token_kind {
  DC_TOKEN_SYNC,    // stack: where the lanes of a region meet
  DC_TOKEN_DIV,     // stack: lanes that didn't take a branch
  DC_TOKEN_CALL,    // stack: where a call returns to
  DC_TOKEN_BARRIER, // barriers: an open barrier, and the lanes it waits for
  DC_TOKEN_READY,   // barriers: lanes that wait for their turn
  DC_TOKEN_AT,      // none: lanes that are to go on elsewhere
} dc_token_kind;

// An entry of the stack. The hardware's has 64 bits: 32 of mask, and kind and pc. For barriers and
// none: what there is in its place, for traces.
typedef struct dc_token {
  uint64_t mask;
  uint32_t pc; // where its lanes go on
  uint32_t kind;
} dc_token;

// What is to be executed next.
typedef struct dc_step {
  uint64_t number; // from 0
  uint32_t pc;
  uint64_t active;        // bit per lane
  uint32_t depth;         // stack: tokens; barriers: open barriers around these lanes
  uint32_t on_chip;       // stack: of these, on chip
  const dc_token *tokens; // oldest first
  uint32_t n_tokens;
  double clock; // cycles so far
  const int64_t
      *iv; // skeletons: iterations of loop l that lane k has completed: iv[k * n_loops + l]
} dc_step;

typedef struct dc_emulator_options {
  unsigned lanes;      // 1 .. DC_EMULATOR_LANES_MAX
  uint64_t present;    // those that begin, a bit each; 0: all
  uint64_t steps;      // most steps; 0: 10^9
  uint64_t operations; // skeletons: most operations of expressions; 0: 10^11
  uint32_t call_depth; // most calls within calls; 0: 256
  uint32_t tokens;     // most tokens on the stack, or open barriers; 0: 4096
  uint64_t seed;       // of the draws: each is a function of (seed, warp, lane, site, entry) alone
  uint32_t warp;
  uint32_t block[3];   // skeletons: block dimensions; zeroes: lanes in a row
  uint32_t grid[3];    // skeletons: of the grid; 0: not known
  uint32_t ctaid[3];   // skeletons: the warp's block
  uint32_t first_lane; // skeletons: number of lane 0 in its block, threadIdx.x fastest
  int64_t assumed;     // skeletons: taken for uniform values that are not known; 0: 65536
  const dc_sampler
      *distributions; // skeletons: of each loop's trips; empty: not known; NULL: none is
  const dc_sampler *assumed_distribution; // skeletons: for data-dependent loops of which nothing is
                                          // known; NULL: dc_trips_assumed
  const dc_sampler *assumed_within; // skeletons: likewise, of each loop with a proven bound; empty,
                                    // NULL: assumed_distribution
  const int32_t *values;            // assembly: of the program's parameters; NULL: their own
  bool exact;                       // skeletons: what would have to be drawn is an error
  // Called before each step; NULL: nobody looks.
  void (*trace)(void *context, const dc_step *step);
  void *context;
} dc_emulator_options;

typedef struct dc_emulation {
  uint64_t pushes, pops;       // tokens; barriers: made, and completed
  uint64_t spills, reloads;    // chunks
  uint32_t max_depth;          // see dc_step.depth
  uint64_t divergent_branches; // executions of a branch at which lanes diverge: ways taken - 1
  uint64_t divergent_exits;    // of these, at branches that leave a loop, but for its guard: lanes
                               // of a skeleton that leave at the header without an iteration
  uint64_t waits;              // barriers: BSYNC executed by lanes that had to wait for others
  uint64_t instructions;       // issued by the warp
  uint64_t lane_instructions;  // times the lanes that were active
  uint64_t steps;              // a skeleton's block is one step
  uint64_t operations;         // of expressions, in all lanes
  double efficiency;           // lane_instructions / instructions / lanes of a full warp (32 or 64)
  double issue;                // cycles; 0 if the architecture has none
  double reconvergence;        // cycles of managing divergence
  double cycles;               // both
  bool uses_assumed;           // skeletons: a value, distribution or probability was assumed
} dc_emulation;

// What one instruction of the program did.
typedef struct dc_emulated {
  uint64_t executions;      // by the warp
  uint64_t lane_executions; // by its lanes
  uint64_t divergent;       // as dc_emulation.divergent_branches
  uint64_t divergent_exits; // and .divergent_exits
  uint64_t spills;          // of tokens that it pushed
} dc_emulated;

typedef struct dc_emulator dc_emulator;

// Prepares a run; program, architecture, options and what they point to must stay until it is done.
// Rules are the architecture's. Errors, *emulator then being NULL: DC_ERROR_ARGUMENT for lanes, an
// instruction that the rules don't have; DC_ERROR_MEMORY. O(length of the program, tokens).
dc_status dc_emulator_create(const dc_program *program, const dc_arch *arch,
                             const dc_emulator_options *options, dc_emulator **emulator,
                             dc_error *error);

// Prepares another run of the same program: as a new one, without allocation. Errors:
// DC_ERROR_ARGUMENT, also for more lanes, tokens or call_depth than it was created with.
dc_status dc_emulator_restart(dc_emulator *emulator, const dc_emulator_options *options,
                              dc_error *error);

void dc_emulator_free(dc_emulator *emulator); // NULL is nothing

// Runs until all lanes have exited. Errors: DC_ERROR_LIMIT for too many steps, operations, calls or
// tokens; DC_ERROR_ARGUMENT for a draw in an exact run, a program that pops an empty stack, closes
// a barrier that is not open, reads beyond an array, or whose lanes wait for each other; the text
// names the line or block. No allocation; O(lanes) for each step, O(lanes * operations) where
// expressions are evaluated.
dc_status dc_emulator_run(dc_emulator *emulator, dc_error *error);

// The figures so far. O(length of the program).
dc_emulation dc_emulator_result(const dc_emulator *emulator);

// Figures of one instruction, and the SIMT efficiency of one (0 where it wasn't executed).
dc_emulated dc_emulator_at(const dc_emulator *emulator, uint32_t pc);
double dc_emulator_efficiency_at(const dc_emulator *emulator, uint32_t pc);

// Stack rules, skeletons: the greatest depth in a loop that has a region of its own, over what it
// was before, inner loops included: the sum over its entries, and how many these were. O(1).
uint64_t dc_emulator_loop_depths(const dc_emulator *emulator, uint32_t loop, uint64_t *entries);

// The words of an assembly program's arrays, as the run left them: program->words of them.
const int32_t *dc_emulator_words(const dc_emulator *emulator);

// Writes one line for a step, "  3   2  ...1  BRA loop  SYNC(1111, 7) DIV(1000, 5)", without its
// end: number, pc, active lanes (the last lane first), instruction, tokens. As snprintf. O(length).
size_t dc_step_print(const dc_program *program, const dc_step *step, unsigned lanes, char *text,
                     size_t size);

// "SYNC", "DIV" ...
const char *dc_token_name(dc_token_kind kind);

// ---- what an emulation needs beside it ----------------------------------------------------------

// Of a skeleton's loops, ready to be drawn from: for dc_emulator_options.distributions, of[0 ..
// n_loops - 1], the distributions of their trip counts; then the one that is assumed of loops of
// which nothing is known; then for each loop what is assumed within its proven bound, if it has
// one.
typedef struct dc_samplers {
  dc_sampler *of; // 2 n_loops + 1; empty: none
  dc_distribution *distributions;
  uint32_t count;
} dc_samplers;

// `assumed` is what is assumed of all loops of which nothing is known, as a text, also of those
// with a bound; NULL: dc_distributions_assumed. Errors: those of dc_distribution_parse and
// dc_distribution_build, DC_ERROR_MEMORY; *all is then empty. O(points).
dc_status dc_samplers_build(const dc_kernel *kernel, const char *assumed, dc_samplers *all,
                            dc_error *error);
void dc_samplers_free(dc_samplers *all);

// How deep the stack is (barriers: how many are open) over a warp's run, for drawings: the greatest
// depth in each `every` steps. A run that is longer than there is room for has twice as many steps
// to an entry.
enum { DC_DEPTHS_MAX = 1 << 14 };

typedef struct dc_depth_history {
  uint64_t steps, every; // every: a power of 2, 1 to begin with
  size_t count;
  uint32_t depths[DC_DEPTHS_MAX];
} dc_depth_history;

// A dc_emulator_options.trace, the context being a dc_depth_history. Amortised O(1).
void dc_depth_record(void *context, const dc_step *step);

#ifdef __cplusplus
}
#endif

#endif
