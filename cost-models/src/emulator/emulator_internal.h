// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the parts of the emulator share:
//   begin.c     memory, and what is in it at the beginning
//   emulator.c  the loop over steps, the figures
//   lanes.c     data instructions of assembly
//   decide.c    which way each lane of a skeleton's block goes
//   draw.c      trip counts and conditions that nobody knows
//   stack.c, barriers.c, masks.c   the rules
#ifndef DIVCOST_EMULATOR_INTERNAL_H
#define DIVCOST_EMULATOR_INTERNAL_H

#include "divcost/emulator.h"

#include "base/lanes.h"

#define DC_LANES DC_EMULATOR_LANES_MAX

// A way that lanes take from a branch.
typedef struct dc_way {
  uint64_t lanes;
  uint32_t target; // pc
  uint32_t edge;   // of a skeleton
  bool stays;      // in a loop that compilers' code tests at the end of an iteration
} dc_way;

// The rules. Each function is called with emulator->active at emulator->pc, and leaves both as they
// are to be next; a failure goes to dc__emulator_fail.
typedef struct dc_rule_set {
  bool predicated;                             // nothing is managed: open, close, pop are none
  uint32_t (*innermost)(const dc_emulator *e); // `target` of the region these lanes are in
  void (*open)(dc_emulator *e, const dc_instruction *in);
  void (*close)(dc_emulator *e, const dc_instruction *in); // `in` closes, or has the pop bit
  void (*leave)(dc_emulator *e, const dc_instruction *in); // BREAK
  void (*go)(dc_emulator *e, uint32_t pc);
  void (*part)(dc_emulator *e, const dc_way *ways, unsigned n); // n >= 2; the first goes on
  void (*call)(dc_emulator *e, uint32_t pc);
  void (*ret)(dc_emulator *e, uint64_t lanes); // the others go on, as in exit
  void (*exit)(dc_emulator *e, uint64_t lanes);
  void (*warpsync)(dc_emulator *e, uint64_t lanes);
  void (*show)(const dc_emulator *e, dc_step *step); // tokens and depths
} dc_rule_set;

extern const dc_rule_set dc__rules_stack, dc__rules_barriers, dc__rules_masks;

// How deep the stack gets in a loop that has a region of its own.
typedef struct dc_loop_depth {
  uint32_t base, peak; // of the entry that goes on: before it, and the most since
  uint64_t sum;        // of peak - base over the entries that are over
  uint64_t entries;
} dc_loop_depth;

// A barrier that is open, or a call: a chain from the innermost outwards. Several groups of lanes
// may share the outer parts of theirs.
typedef struct dc_link {
  uint64_t lanes;   // that it waits for, or that are in the call
  uint64_t arrived; // of these
  uint32_t target;  // where they go on
  uint32_t region;  // barrier register, or DC_NONE
  uint32_t outer;   // link, or DC_NONE; of a free one: the next free one
  uint16_t depth;   // barriers from here outwards
  uint16_t calls;   // calls from here outwards
  bool call;
} dc_link;

// Lanes that are executed together.
typedef struct dc_group {
  uint64_t lanes;
  uint64_t waits_for; // WARPSYNC: its mask
  uint32_t pc, link;
  double cost;    // of going on with them
  bool parted;    // they diverged from others, and have waited for their turn since
  bool displaced; // lanes diverged after that
} dc_group;

// What is called, of the rules that have a stack of calls for the whole warp.
typedef struct dc_frame {
  uint64_t lanes; // stack: that have returned; none: that are in it
  uint32_t return_pc;
} dc_frame;

// The lanes' trip counts by an exit, in this entry of its loop.
typedef struct dc_exit_trips {
  uint64_t evaluated; // lanes; the others have not been at the exit yet
  uint64_t known;     // of these, the lanes that have a value
  int64_t of[DC_LANES];
} dc_exit_trips;

enum { DC_NOT_DRAWN = -1 };

// What there is memory for.
typedef struct dc_room {
  uint32_t lanes, tokens, call_depth;
} dc_room;

struct dc_emulator {
  const dc_program *program;
  const dc_arch *arch;
  dc_emulator_options options;
  dc_room room;
  const dc_rule_set *rules;
  dc_error *error;
  dc_status status;

  uint64_t live;   // lanes that have not exited
  uint64_t active; // that execute pc
  uint32_t pc;
  uint64_t steps;
  double clock, managing; // cycles; of these, of managing divergence
  dc_emulation counts;    // what is counted as it happens
  dc_emulated *at;        // of each instruction
  double *cycles;         // of each instruction
  dc_token *shown;        // for traces

  // stack
  dc_token *tokens;
  uint32_t *anchors; // of each token: the uppermost one up to it that is no DIV, or DC_NONE
  uint32_t n_tokens, on_chip;
  dc_frame *frames; // none, too
  uint32_t n_frames;

  // barriers
  dc_link *links;
  uint32_t n_links, links_max, free_link;
  uint32_t link; // of the active lanes
  dc_group ready[DC_LANES], waiting[DC_LANES];
  uint32_t n_ready, n_waiting;

  // none
  uint32_t lane_pc[DC_LANES];
  bool left_call; // into one or out of one: where the sweep stood means nothing

  // assembly
  int32_t (*registers)[DC_LANES];
  uint64_t predicates[DC_PREDICATES];
  int32_t *words;
  int32_t *values; // of the parameters

  // skeletons
  dc_expr_environment *environments; // of each lane
  int64_t *iv;                       // of each lane and loop
  int64_t *params;
  bool *params_known;
  int64_t *params_assumed;
  dc_exit_trips *trips;  // of each exit
  int64_t *drawn;        // trip count of each loop and lane in this entry, or DC_NOT_DRAWN
  uint32_t *entries;     // of each loop and lane, so far
  uint32_t *visits;      // of each block and lane, so far
  dc_loop_depth *depths; // of each loop
  uint32_t *header_exit; // of each block: of the loop it is the header of, see dc__guarded_exit
  uint32_t *block_exit;  // of each block: its exit of the loop around it, or DC_NONE
  bool *several;         // of each exit, then each branch: depends on several unknown values, or,
                         // a branch, on whether one is equal to something
};

// Keeps the first failure; the text is prefixed with where the warp stands.
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
void dc__emulator_fail(dc_emulator *e, dc_status status, const char *format, ...);

// In lanes.c: executes a data instruction in these lanes.
void dc__lanes_execute(dc_emulator *e, const dc_instruction *in, uint64_t lanes);
int32_t dc__lanes_operand(const dc_emulator *e, const dc_operand *operand, unsigned lane);

// In decide.c: the ways from a block with several successors, each with some lanes, in the
// order in which they are taken; ways has room for DC_LANES. *exits: lanes that diverge here part
// at an exit of a loop. And what an edge does to the loops.
unsigned dc__decide(dc_emulator *e, uint32_t block, dc_way *ways, bool *exits);
void dc__follow(dc_emulator *e, uint32_t edge, uint64_t lanes);
// A loop with its test at the end: the exit by which lanes with 0 trips leave before it, or
// DC_NONE; and these lanes let go, if there are any, at the loop's header.
uint32_t dc__guarded_exit(const dc_kernel *kernel, uint32_t loop);
bool dc__pass_guard(dc_emulator *e, uint32_t block);
void dc__begin_in_loops(dc_emulator *e); // those that the entry block is in

// In begin.c: whether a condition depends on several values that nobody knows, or on whether one
// is equal to something.
bool dc__emulator_asks_too_much(const dc_kernel *kernel, dc_expr condition);

// In draw.c: uniform in [0, 1), a function of seed, warp and arguments alone; and the trip
// count of this entry of a loop where no expression tells.
double dc__emulator_draw(const dc_emulator *e, uint32_t lane, uint32_t site, uint32_t entry);
int64_t dc__drawn_trips(dc_emulator *e, uint32_t loop, unsigned lane);

// Trips of a loop that all lanes run alike, but nobody knows how often: as for an estimate.
int64_t dc__alike_trips(const dc_emulator *e, uint32_t loop);

#endif
