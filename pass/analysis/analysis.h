// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The divergence analysis of one device function, in the order in which it runs:
//   expressions.c             what each integer is, over the launch, the lane and the iteration
//   inner_steps.c             what inner loops add to a counter
//   exits.c                   how each loop ends: its exits and their trip counts
//   carried.c                 exits about a floating-point number that iterations carry on
//   counted.c                 trip counts of exits that compare two ends
//   uniformity.c              among whom each value, branch and block is the same: a fixed point
//   expression_uniformity.c   the same for expressions, from what block dimensions say of threadIdx
//   rounding.c                positions and bounds that are multiples of what a block covers
//   warps_alike.c             votes that come out the same in every warp of a block
//   bisection.c               loops that halve an interval: trip counts differ by at most one
//   agreement.c               conditions on which lanes are expected to agree
//   leaving.c                 what comparisons for equality tell of trip counts
//   strided.c                 trip counts that differ by at most one because lanes step together
//   classes.c                 the class of each loop, and what it depends on
//   provenance.c              the chain from a bound back to where the difference comes from
//   barriers.c                which barriers threads may miss, and what these do meanwhile
//   unrolling.c               by how much a loop is expected to be unrolled in machine code
//   predication.c             which branches that read memory are expected to be none there
//   dependence.c              what waits for what in a block
//   live_registers.c          how many registers the values take that are alive at once
//   cursors.c                 how far places move that a loop hands on
//   accesses.c                which accesses to memory are expected to be there
//   skeleton.c                all of it as a dc_kernel
// Each stage reads what the ones before it left in dcp_analysis.
#ifndef DIVCOST_PASS_ANALYSIS_ANALYSIS_H
#define DIVCOST_PASS_ANALYSIS_ANALYSIS_H

#include "analysis/limits.h"
#include "analysis/ssa.h"

#ifdef __cplusplus
extern "C" {
#endif

// What a verdict depends on beside the code.
enum {
  DCP_ASSUMES_NO_OVERFLOW = 1, // the thread's index in the grid fits its type
  DCP_ASSUMES_BOUND = 2,       // the sums in a loop's start and bound don't wrap
  DCP_ASSUMES_ROWS = 4,        // no warp lies in two rows of the block
  DCP_ASSUMES_COUNTER = 8,     // the loop's counter doesn't wrap
  DCP_ASSUMES_ROW_WARPS = 16,  // row_warps is not negative
};

// The block dimensions that a kernel is launched with. A verdict must hold for each of them, or for
// every legal one where they are not known.
typedef struct dcp_block_dims {
  bool known;
  bool of_launches; // known from launches in the unit, beside which others may have more
  bool whole_rows;  // hypothesis: blockDim.x is a multiple of 32
  uint32_t n;
  uint32_t block[DCP_MAX_BLOCK_DIMS][3];
} dcp_block_dims;

typedef struct dcp_agreement dcp_agreement;

// One edge that leaves a loop.
typedef struct dcp_exit {
  uint32_t loop;   // innermost loop that the edge leaves
  uint32_t block;  // where it starts
  uint32_t target; // where it leads
  dc_expr trips;   // trip count if this were the only exit; DC_NO_EXPR: no form was found
  bool exact;      // the exit's level is that of `trips`, not that of the condition
  bool loose; // `trips` looks through casts: true where no counter wraps; says nothing of the level
  bool modular; // `trips` may be 2^64 - 1
  bool rests_on_bound;
  bool ends_may_wrap;    // for some lanes: `trips` is strided only where they don't
  bool counter_may_wrap; // `trips` holds only where it doesn't
  bool may_pass_largest; // likewise, where it steps by 1 up to the last number of its type
  uint8_t level;         // among whom the exit is taken in the same iteration
} dcp_exit;

typedef struct dcp_analysis {
  const ssa_function *function;
  dc_kernel *kernel;
  dcp_block_dims dims;
  dc_expr_pool pool; // DC_OP_LOAD and DC_OP_OPAQUE name values of the function, DC_OP_IV its loops;
                     // levels are in node_level
  dc_expr *exprs;    // of each value; DC_NO_EXPR for what is no integer
  uint32_t *node_loop; // of each node of the pool: the deepest loop in which it changes, or DC_NONE
  uint32_t n_node_loops;
  dcp_exit *exits;
  uint32_t n_exits;
  uint32_t *block_exit; // of each block: its first exit, or DC_NONE; the others follow
  uint8_t *node_level, *node_assumes; // of each node of the pool
  uint8_t *node_lane; // likewise: differs between lanes by threadIdx alone, if at all
  uint32_t n_node_levels, next_node;
  uint32_t *node_end; // of each value: the nodes before this one were made before the next value's
  uint8_t *value_level, *value_rests; // of each value
  dc_expr row_warps;                  // the k of shifts by 5 + k, or DC_NO_EXPR
  uint8_t *control;                   // of each block: among whom it runs together
  uint8_t *control_rests;             // of each block: what that depends on
  uint8_t *join;                      // of each block: level of the divergence that ends here
  uint8_t *edge_join; // of each predecessor in function->edges: level of the divergence in which it
                      // is one of the ways
  uint32_t *join_from;      // of each block: the branch (block) that is to blame, or DC_NONE
  uint32_t *control_from;   // likewise for `control`
  uint8_t *branch_level;    // of each block: level of the choice of its successor
  uint8_t *loop_level;      // of each loop: among whom it ends in the same iteration
  uint8_t *loop_rejoin;     // likewise, only for exits whose lanes go on to meet the others again
  uint8_t *node_constant;   // of each trip count over the lane alone: 1 + its level over the known
                            // dims; 0: not looked at
  uint8_t *stable;          // of each load from shared memory: a barrier before it, no write since
  dcp_agreement *agreement; // NULL until agreement.c is asked
  uint64_t work;            // steps taken by uniformity.c
  bool still_memory;        // hypothesis: what the kernel reads, others don't change while it runs,
                            // and functions that are called get the same arguments everywhere
  bool out_of_memory, limit_reached;
} dcp_analysis;

// Allocates the tables; everything else follows from function, kernel and block dimensions. False:
// out of memory.
bool dcp_analysis_init(dcp_analysis *analysis);
void dcp_analysis_free(dcp_analysis *analysis);

// expressions.c
void dcp_build_expressions(dcp_analysis *analysis);
dc_expr dcp_expr_of(dcp_analysis *analysis, uint32_t value); // built now if it isn't there yet
bool dcp_is_own_leaf(const dcp_analysis *analysis,
                     uint32_t value); // has no expression but its own name
bool dcp_is_invariant(dcp_analysis *analysis, dc_expr e,
                      uint32_t loop); // same in all iterations of one entry
// Likewise, of a value: computed before the loop, or from such values by arithmetic alone.
bool dcp_is_invariant_value(const dcp_analysis *analysis, uint32_t value, uint32_t loop);

// inner_steps.c: what each iteration of a loop adds to its counter, where that takes several sums
// or inner loops; else DC_NO_EXPR.
dc_expr dcp_steps_of_iteration(dcp_analysis *analysis, uint32_t counter, uint32_t loop);

// inner_steps.c: the flags (SSA_NO_...) that all sums have with which an iteration advances its
// counter; 0 where these aren't found.
uint8_t dcp_no_wrap_of_iteration(dcp_analysis *analysis, uint32_t counter, uint32_t loop);

// inner_steps.c: whether a condition compares a counter of the loop that inner loops advance, so
// often that it could wrap between two iterations, as far as the flags of its sums tell.
bool dcp_inner_steps_may_wrap(dcp_analysis *analysis, uint32_t condition, uint32_t loop);

// exits.c
void dcp_find_exits(dcp_analysis *analysis);
// The block of the only edge out of a loop, or DC_NONE.
uint32_t dcp_only_exit(const ssa_function *function, uint32_t loop);
// How often the loop goes back to its header, if it ends by the exit in `block`, whose condition
// has an expression; DC_NO_EXPR: that isn't known, or rests on something.
dc_expr dcp_completed_iterations(dcp_analysis *analysis, uint32_t loop, uint32_t block);
bool dcp_dominates(const ssa_function *function, uint32_t a, uint32_t b);

// Whether an evaluator that knows the lane, and uniform values, can follow it from iteration to
// iteration.
bool dcp_can_be_followed(dcp_analysis *analysis, dc_expr e, uint32_t loop);

// carried.c: how many iterations are completed when the loop ends where `holds` does, as a run of
// it, where that is about one floating-point number that the loop carries on; else DC_NO_EXPR.
dc_expr dcp_run_until(dcp_analysis *analysis, dc_expr holds, uint32_t loop);

// expression_uniformity.c
// Gives node_level, node_assumes and node_lane to the nodes before `end` that had none since the
// last call with 0, from value_level and the block dimensions.
void dcp_level_nodes(dcp_analysis *analysis, uint32_t end);
void dcp_level_leaf(dcp_analysis *analysis, dc_expr e);
bool dcp_known_lane_function(const dcp_analysis *analysis,
                             dc_expr e); // differs between lanes by threadIdx alone
void dcp_set_thread(dc_expr_environment *environment, const uint32_t block[3],
                    uint32_t linear); // what is known of a thread of any such block
unsigned dcp_zeros_below(const dcp_analysis *analysis,
                         dc_expr e); // exponent of a power of two that divides it
// Whether a condition holds for some threads of such a block and not for others, by evaluating it
// for each.
bool dcp_parts_block(const dcp_analysis *analysis, dc_expr condition, const uint32_t block[3]);

// rounding.c: whether a node is at most block-uniform because it is rounded to, or ends at, a
// multiple of what the block covers; then its level, and what that rests on. O(threads of the block
// * terms).
bool dcp_is_rounded(const dcp_analysis *analysis, dc_expr e, uint8_t *level, uint8_t *assumes);

// classes.c: what it depends on that an exact exit's trip count is the same for all that it is said
// to be the same for.
uint8_t dcp_rests_of_trips(const dcp_analysis *analysis, const dcp_exit *exit);

// active_lanes.c: whether all lanes of a warp that come to a block or later ones are there at once,
// by the levels of branches that are known so far. O(divergent branches * edges).
bool dcp_all_are_active(const dcp_analysis *analysis, uint32_t block);

// Whether lanes of a warp may have returned, and others not, before a block. O(blocks).
bool dcp_any_has_returned(const dcp_analysis *analysis, uint32_t block);

// warps_alike.c: whether a vote comes out the same in every warp of the block.
bool dcp_votes_alike(const dcp_analysis *analysis, uint32_t vote);

// uniformity.c
void dcp_find_uniformity(dcp_analysis *analysis);
uint8_t dcp_use_level(const dcp_analysis *analysis, uint32_t value,
                      uint32_t block); // seen from a block
bool dcp_post_dominates(const ssa_function *function, uint32_t a, uint32_t b);

// strided.c: whether a trip count that follows from threadIdx and blockIdx differs by one at most
// between the lanes of a warp, and if so, under which assumptions, which are added to *stride.
// O(terms^2), and O(threads of the block * nodes) for known block dimensions.
typedef struct dcp_stride_need {
  dc_expr product; // of values that aren't known; DC_NO_EXPR: nothing is needed of them
  int64_t least;   // it must be this at least, or if that is 0
  int64_t most;    // its absolute value this at most
} dcp_stride_need;
typedef struct dcp_stride {
  uint8_t assumes;
  dcp_stride_need need;
} dcp_stride;
bool dcp_is_strided(dcp_analysis *analysis, dc_expr trips, dcp_stride *stride);

// classes.c
typedef struct dcp_verdict {
  uint8_t loop_class, level, assumes;
  dcp_stride_need need; // of DC_CLASS_STRIDED
  dc_expr trips;
  uint32_t exit;          // the exit that decides, or DC_NONE
  uint32_t unknown_value; // for DC_CLASS_UNKNOWN: the value to blame, or DC_NONE
} dcp_verdict;
dcp_verdict dcp_classify(dcp_analysis *analysis, uint32_t loop);

// What decides that an exit is taken in different iterations: its condition, or that of a branch
// before it.
uint32_t dcp_deciding_value(const dcp_analysis *analysis, const dcp_exit *exit);

// bisection.c: whether an exit's condition is about an interval that each iteration halves: one
// that lanes start alike, or that follows from their index; or one that each of them reads.
typedef enum dcp_bisection { DCP_NO_BISECTION, DCP_ONE_INTERVAL, DCP_OWN_INTERVALS } dcp_bisection;
dcp_bisection dcp_bisects(const dcp_analysis *analysis, const dcp_exit *exit);

// merges.c: whether an exit's condition is that two runs are at their ends of which each iteration
// takes one item, and where these begin and end follows from the lanes' index.
bool dcp_is_merge_of_parts(const dcp_analysis *analysis, const dcp_exit *exit);

// The most trips that an exit allows whose condition is that something of the loop is
// left, where each way through an iteration leaves half of it at most: an interval between two
// counters, or a number. It is std::bit_width of what there is when the loop begins. DC_NO_EXPR:
// the exit isn't of this kind. `stays_if_true`: the loop goes on where its condition holds.
dc_expr dcp_most_halvings(dcp_analysis *analysis, const dcp_exit *exit, bool stays_if_true);

// agreement.c: whether lanes of a warp are expected to agree on a condition, seen from a block,
// that the launch doesn't tell: on each part of it that the launch doesn't, for it is about nothing
// but how often the lane has counted, or, if `smooth`, a smooth function of its index. O(values on
// the way, of which it looks at 400).
bool dcp_lanes_agree(dcp_analysis *analysis, uint32_t condition, uint32_t block, bool smooth);
void dcp_agreement_free(dcp_agreement *agreement);

// leaving.c: what its comparisons tell of how a loop ends that has exits by data.
typedef enum dcp_expected_end {
  DCP_ENDS_BY_DATA, // nothing
  DCP_ENDS_AT_ONCE, // it goes on only while values are equal
  DCP_ENDS_ALIKE,   // lanes of a warp leave it together, but for next to none
} dcp_expected_end;
// *trips: of DCP_ENDS_ALIKE, how many iterations its other exits let it run; 0: not known.
dcp_expected_end dcp_expect_end(dcp_analysis *analysis, uint32_t loop, int64_t *trips);

// provenance.c: the place that the user wrote: helpers of headers with reserved names
// ("__shfl_sync",
// "__fetch_builtin_x") are passed over.
uint32_t dcp_written_at(const dc_kernel *kernel, uint32_t place);

// provenance.c: adds the chain of a loop's verdict to the kernel, and gives the range of it.
void dcp_explain_loop(dcp_analysis *analysis, const dcp_verdict *verdict, uint32_t *first,
                      uint32_t *count);

// dependence.c: notes in the function's blocks, of which the kernel's block `first_block` is the
// first, how long the longest chains are of instructions that wait for each other, and of its
// accesses, the first of which is `first_access`, how many reads are in a row up to each. False:
// out of memory. O(operands).
bool dcp_note_chains(dcp_analysis *analysis, uint32_t first_block, uint32_t first_access);
// Whether it reads memory, which takes longer than an instruction.
bool dcp_is_read(const ssa_value *value);

// recurrences.c: notes in the function's loops, of which the kernel's loop `first_loop` is the
// first, how long a chain each iteration hands on to the next, and of its accesses for which of
// them the next iteration waits. False: out of memory. O(operands).
bool dcp_note_recurrences(dcp_analysis *analysis, uint32_t first_loop, uint32_t first_access);

// descents.c: whether a load goes to places that are one place when the loop around it begins, in
// all lanes, and that only decisions of its iterations part. O(values between).
bool dcp_descends(const dcp_analysis *analysis, uint32_t access);

// cursors.c: by how many bytes an access's address moves on at the most from one execution to the
// next of the loop around it, where it is a place that the loop hands on and moves by constants; 0:
// it is nothing of the kind, or not known. O(values between).
uint16_t dcp_cursor_moves(const ssa_function *f, uint32_t access);

// live_registers.c: notes in the kernel's resources how many registers the values take that are
// alive at once, where nothing is called and dcp_limit allows. False: out of memory. O(blocks *
// values * depth of loops / 64).
bool dcp_note_live(const dcp_analysis *analysis);

// unrolling.c: how many iterations passes of the function's loops, from `first_loop` of the kernel,
// are expected to do in machine code, of the unit's compiler and ptxas (as many as it has where it
// is no loop any more; 1: it isn't unrolled), and what a pass has once. False: out of memory.
// O(values * loops).
bool dcp_expect_unrolling(const dcp_analysis *analysis, uint32_t first_loop);

// predication.c: whether the sides of a branch are expected to be issued under predicates; unknown
// where they can't be. `unrolled`: the loop around it is. `close`: it may as well be otherwise.
dc_predication dcp_expected_predication(const ssa_function *f, uint32_t block, bool unrolled,
                                        bool *close);

// accesses.c: the access number *index of the function with those behind it that are expected to
// become one with it, which it moves to the last of. False: none is expected there, or it is to
// constants that all lanes read alike. O(accesses that are joined).
bool dcp_expected_access(const dcp_analysis *analysis, uint32_t *index, ssa_access *out);

// skeleton.c: adds function's blocks, loops and branches to the kernel. `other` is the same
// analysis without the block dimensions, where these are known, and under the hypothesis of whole
// rows where they aren't: it tells conditions, and may be NULL. `kind` is it under every hypothesis
// there is, for barriers, or NULL. False: out of memory.
bool dcp_build_skeleton(dcp_analysis *analysis, dcp_analysis *other, dcp_analysis *kind);

#ifdef __cplusplus
}
#endif

#endif
