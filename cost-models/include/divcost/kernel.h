// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel skeleton: what the model needs to know of a kernel, and all it knows. Blocks with
// their instruction mix, branches, the loop forest, and symbolic trip counts and conditions. Arrays
// refer to each other by index and to text by offset into one string table, so that a skeleton can
// be written to a file, read back, and asked again without the compiler.
//
// Device functions that the compiler could inline are part of the kernel, once per call path; those
// that stay calls (recursion, function pointers) are listed as its calls and have their own blocks,
// reached by no edge.
#ifndef DIVCOST_KERNEL_H
#define DIVCOST_KERNEL_H

#include "divcost/expr.h"

#ifdef __cplusplus
extern "C" {
#endif

#define DC_NONE UINT32_MAX // "no such index", for every index below
#define DC_PTXAS_ARCHS 32  // architectures of which the registers of a kernel are kept

typedef uint32_t dc_text; // offset into dc_kernel.text; 0 is the empty string

// Where something stands in the source. Line and column count from 1; line 0: not known.
typedef struct dc_location {
  dc_text file; // as the compiler names it
  uint32_t line, column;
  dc_text function;    // demangled name of the function whose source this is
  uint32_t inlined_at; // location of the call that was inlined, or DC_NONE
  bool library;        // in a system header, where the front end says so; in no report
} dc_location;

// Instructions of a block, counted by what they occupy.
typedef enum dc_mix {
  DC_MIX_INTEGER, // integer, logic, address, compare, select, conversion between integers
  DC_MIX_FP32,
  DC_MIX_FP64,
  DC_MIX_SPECIAL, // division, root, transcendental
  DC_MIX_GLOBAL,  // loads and stores, global or generic
  DC_MIX_SHARED,
  DC_MIX_LOCAL, // per-thread memory
  DC_MIX_CONSTANT,
  DC_MIX_ATOMIC,
  DC_MIX_WARP,    // shuffles, votes, matches, reductions across the warp
  DC_MIX_BARRIER, // __syncthreads and its kin
  DC_MIX_CONTROL, // branches, returns
  DC_MIX_CALL,    // calls that were not inlined
  DC_MIX_COUNT
} dc_mix;

typedef struct dc_block {
  uint32_t first_successor, n_successors; // in dc_kernel.successors
  uint32_t loop;                          // innermost loop around it, or DC_NONE
  uint32_t branch;                        // its conditional branch, or DC_NONE
  uint32_t post_dominator;                // immediate post-dominator, or DC_NONE (the exit)
  uint8_t control;                        // dc_uniformity: among whom this block runs together
  bool counted;                           // `machine` is known
  uint32_t machine; // machine instructions that it is expected to become; if not known, as in mix
  // Machine instructions that not all operands of its divisions and functions take: those of their
  // slow paths, and what of `machine` the shortest way through them doesn't have. And of these,
  // where all lanes of the block have the same operands.
  uint32_t slow, slow_alike;
  uint16_t contended_one; // atomics, of one address for all lanes, that lanes try again until they
  uint16_t contended;     // are alone with it; and of other addresses
  uint16_t stages; // reads of global or local memory, and atomics whose result is used, that wait
                   // for each other, at the most
  uint16_t chain;  // expected machine instructions of which each needs the one before, at the most
  uint32_t mix[DC_MIX_COUNT];
} dc_block;

// Whether the hardware is expected to execute a branch by predication.
typedef enum dc_predication {
  DC_PREDICATION_UNKNOWN,
  DC_PREDICATION_LIKELY,
  DC_PREDICATION_UNLIKELY
} dc_predication;

typedef struct dc_branch {
  uint32_t block;
  dc_expr condition; // taken to the first successor where it holds; DC_NO_EXPR for a switch
  uint8_t level;     // dc_uniformity of the condition
  uint8_t predication;
  uint32_t exits;    // outermost loop that one of its successors leaves, or DC_NONE
  uint32_t location; // or DC_NONE
  uint32_t taken;    // chance that a lane goes on to the first successor, as the source tells, in
                     // 1 / DC_CHANCE; 0: it doesn't
  bool alike;        // lanes of a warp are expected to agree on what the launch doesn't tell of the
                     // condition
  bool close;        // `predication` is a close decision: machine code may have it the other way
} dc_branch;

#define DC_CHANCE 65536

typedef enum dc_class {
  DC_CLASS_UNIFORM,
  DC_CLASS_BLOCK_UNIFORM,
  DC_CLASS_WARP_UNIFORM,
  DC_CLASS_LANE_AFFINE,
  DC_CLASS_STRIDED,
  DC_CLASS_DATA_DEPENDENT,
  DC_CLASS_UNKNOWN,
} dc_class;

// Where a distribution or a figure comes from.
typedef enum dc_from {
  DC_FROM_DERIVED,   // from the code and a known launch
  DC_FROM_ANNOTATED, // from a pragma or an annotation file
  DC_FROM_PROFILE,   // measured
  DC_FROM_RANGE,     // a bound that is known
  DC_FROM_ASSUMED,   // a documented assumption
} dc_from;

// One exit of a loop.
typedef struct dc_exit {
  uint32_t block;    // the exiting block
  uint32_t location; // of the branch, or DC_NONE
  uint8_t level;     // among whom the exit is taken together
  dc_expr trips;     // trip count if this were the only exit, or DC_NO_EXPR
} dc_exit;

// One step of the chain from a loop's bound to the source of divergence.
typedef struct dc_reason {
  uint32_t location; // or DC_NONE
  dc_text text;
} dc_reason;

// Loops in which lanes go round until they have swapped what they have read, or computed from it,
// with nobody else having been faster: `do old = now; while ((now = atomicCAS(p, old, f(old))) !=
// old)`. Of the lanes of a warp that have one address, one succeeds in each iteration.
typedef enum dc_swaps {
  DC_SWAPS_NONE, // another loop
  DC_SWAPS_OWN,  // lanes may have addresses of their own
  DC_SWAPS_ONE,  // the lanes of a warp have one address
} dc_swaps;

typedef struct dc_loop {
  uint32_t header;                  // block
  uint32_t parent;                  // loop, or DC_NONE
  uint32_t depth;                   // nesting, from 1
  uint32_t location;                // of the loop's keyword; its inlined_at chain is the call path
  uint32_t first_exit, n_exits;     // in dc_kernel.exits
  uint32_t first_reason, n_reasons; // in dc_kernel.reasons
  uint8_t loop_class;               // dc_class
  uint8_t level;                    // dc_uniformity of the trip count
  uint8_t irreducible;              // more than one entry
  uint8_t trips_from;               // dc_from of `distribution`; meaningless without one
  uint8_t swaps;                    // dc_swaps
  uint32_t unroll;                  // factor that a pragma asks for; 0: not known, 1: not unrolled
  uint32_t unroll_expected; // of the compilers: iterations in one pass of the machine's loop; all
                            // there are: no loop is left; 1: not unrolled; 0: nothing is known
  uint32_t unroll_llvm;   // copies of these that LLVM makes: what is left of so many is done one by
                          // one, and of ptxas' passes of them in halves; 0 and 1: none
  uint32_t unroll_shared; // machine instructions of an iteration that such a pass doesn't repeat
  double unroll_once; // how many of these a pass has: fewer where no loop is left, or where a loop
                      // around this one, unrolled too, has them once for all passes
  uint32_t unroll_setup; // those in front of the passes, for lanes that have iterations: the
                         // addresses that the first one begins with
  uint32_t carried; // machine instructions, each of which needs the one before, that an iteration
                    // adds to what it hands on to the next; 0: none, or not known
  dc_expr trips;    // trip count per lane and entry (docs/glossary.md), or DC_NO_EXPR
  dc_text distribution;    // of the trip count, in the textual form; empty: none was given
  dc_text distribution_at; // "file:line", or file and entry, that gave it
  double correlation;      // of two lanes of a warp under `distribution`, 0 (independent) to 1
  dc_text condition;       // what the class depends on, or would improve with; may be empty
  dc_text unknown;         // for DC_CLASS_UNKNOWN: why
  dc_text ignored;         // reason why nothing is to be said of the loop; empty: say it
  dc_text ignored_at;      // as distribution_at
  uint64_t id; // stable under edits elsewhere: hash of function, nesting path, loop text
} dc_loop;

typedef enum dc_block_from {
  DC_BLOCK_OPTION,
  DC_BLOCK_PRAGMA,
  DC_BLOCK_ANNOTATIONS, // an annotation file
  DC_BLOCK_REQNTID,
  DC_BLOCK_LAUNCH,
  DC_BLOCK_PROFILE, // recorded
  DC_BLOCK_LAUNCH_BOUNDS,
  DC_BLOCK_ASSUMED,
  DC_BLOCK_COMPUTED, // assumed, too: where the kernel is launched they are computed
} dc_block_from;

// One launch configuration to estimate for. A known one (those before DC_BLOCK_LAUNCH_BOUNDS) may
// also carry verdicts.
typedef struct dc_launch {
  uint32_t block[3];
  uint32_t grid[3];  // 0: not known
  uint8_t from;      // dc_block_from
  uint32_t location; // or DC_NONE
  uint32_t shared;   // bytes of dynamic shared memory, where known
  bool shared_known;
} dc_launch;

// What the code says of a parameter that isn't known.
typedef enum dc_param_small {
  DC_PARAM_ANY,
  DC_PARAM_SMALL,     // much less than sizes are: a radius, a pattern's length, a first index
  DC_PARAM_REMAINDER, // one of the remainders that it is compared with: a colour, a parity
  DC_PARAM_DISTANCE,  // a power of two, to the partner i ^ j of an index
} dc_param_small;

typedef struct dc_param {
  dc_text name; // empty: not known
  bool known;
  int64_t value;   // where known
  uint64_t extent; // bytes of the array that it points to; 0: not known
  uint8_t small;   // dc_param_small, in a view (dc_kernel_in_block)
} dc_param;

// Where rows of the block are whole warps and no other thread changes what the conditions read.
typedef struct dc_barrier {
  uint32_t block, location;
  uint8_t level; // dc_uniformity of the branches around it, of which those that don't come to it
                 // still run or wait elsewhere
  uint8_t left;  // likewise, where they can only have left the kernel
  bool warp;     // __syncwarp rather than __syncthreads
  uint32_t first_reason, n_reasons; // in dc_kernel.reasons: what parts the threads
} dc_barrier;

// What a dc_row_level speaks of: an element of pool.nodes, branches, exits or loops.
typedef enum dc_row_part {
  DC_ROWS_NODE, // a load or an opaque value; expressions with it follow
  DC_ROWS_BRANCH,
  DC_ROWS_EXIT,
  DC_ROWS_LOOP,
} dc_row_part;

// Where each row of the block is a number of whole warps (blockDim.x a multiple of 32), something
// is the same among more lanes than its own level says, or a loop has another class: a warp for
// each row of a matrix, (blockIdx.x * blockDim.x + threadIdx.x) / 32.
typedef struct dc_row_level {
  uint8_t of;         // dc_row_part
  uint8_t level;      // dc_uniformity
  uint8_t loop_class; // dc_class of a loop; else 0
  uint32_t index;
} dc_row_level;

// Which memory an access is to. What may lie in any is generic, local memory is a thread's own.
typedef enum dc_space {
  DC_SPACE_GENERIC,
  DC_SPACE_GLOBAL,
  DC_SPACE_SHARED,
  DC_SPACE_LOCAL,
  DC_SPACE_CONSTANT,
} dc_space;

typedef enum dc_access_kind { DC_ACCESS_LOAD, DC_ACCESS_STORE, DC_ACCESS_ATOMIC } dc_access_kind;

// An instruction that reads or writes memory.
typedef struct dc_access {
  uint32_t block, location;
  dc_expr address;    // in bytes, 64 bits; DC_NO_EXPR: not expressible
  dc_expr root;       // what in it is the address of an array, or DC_NO_EXPR
  dc_text name;       // of the array, or empty
  uint32_t alignment; // of the array, a power of two; 0: the launch gives its address
  uint8_t space;      // dc_space
  uint8_t kind;       // dc_access_kind
  uint8_t bytes;      // of a lane: 1, 2, 4, 8 or 16
  uint8_t stage;      // how many reads of memory wait for each other up to this one, itself
                      // included, in its block; 0: nobody waits for it, or not known
  uint8_t level;      // dc_uniformity of the address
  bool carried;       // the next iteration waits for it: it decides where that one reads, or
                      // whether there is one
  bool descends;      // where the loop around begins it goes to one place in all lanes, and from
                      // there on only conditions of the iterations part them
  uint16_t advance;   // bytes that the address moves on by at the most from one execution to the
                      // next, in the loop around, where the address doesn't say; 0: not known
} dc_access;

// Registers of a thread, as ptxas gave them for sm.
typedef struct dc_registers {
  uint32_t sm, count;
} dc_registers;

// What a kernel takes of a multiprocessor, beside its threads, and what it may take.
typedef struct dc_resources {
  bool known;                         // the rest is; else all zeroes
  dc_registers ptxas[DC_PTXAS_ARCHS]; // where it was asked
  uint32_t n_ptxas;
  bool live_known; // false: it calls functions, which take what they take
  uint32_t live;   // registers of 32 bits that the values which are alive at once take, at most
  uint32_t arrays; // registers that the thread's own arrays take, if the compiler unrolls the loops
                   // that index them; else they are in local memory
  uint32_t max_threads, min_blocks; // of __launch_bounds__; 0: not given
  uint32_t max_registers;           // of maxnreg; 0: not given
  uint32_t shared;                  // bytes of static shared memory, of a block
  bool dynamic_shared;              // it has an array in shared memory whose size the launch gives
} dc_resources;

// How a kernel comes to call a function that is no part of it.
typedef enum dc_call_kind {
  DC_CALL_NOT_INLINED, // by its name: it recurses, or is very large
  DC_CALL_POINTER,     // perhaps, through a pointer: tables, virtual functions
  DC_CALL_ELSEWHERE,   // by its name, which another unit defines
} dc_call_kind;

// Whether L2 holds what the kernel reads, as far as it can, when it starts.
typedef enum dc_l2_state { DC_L2_ANY, DC_L2_WARM, DC_L2_COLD } dc_l2_state;

// A function that the kernel calls and that is no part of it: what happens there is in none of the
// kernel's figures.
typedef struct dc_call {
  dc_text function; // demangled; empty: others, of which nothing is known
  uint8_t kind;     // dc_call_kind
} dc_call;

typedef struct dc_kernel {
  dc_text name, symbol; // demangled, mangled
  uint32_t location;    // of the kernel's declaration, or DC_NONE
  dc_text not_analysed; // why the analysis stopped at the kernel, which then has no blocks, or at a
                        // function that it calls; empty: all was analysed
  uint32_t machine_code; // sm number whose machine code the mixes and expected unrolling are of, 90
                         // for sm_90; 0: nobody says
  uint8_t l2;            // dc_l2_state
  dc_resources resources;
  dc_expr_pool pool;
  dc_block *blocks; // blocks[0] is the entry; none: the kernel was not analysed
  uint32_t n_blocks;
  uint32_t *successors;
  uint32_t n_successors;
  dc_branch *branches;
  uint32_t n_branches;
  dc_loop *loops; // outer loops before inner ones
  uint32_t n_loops;
  dc_exit *exits;
  uint32_t n_exits;
  dc_reason *reasons;
  uint32_t n_reasons;
  dc_barrier *barriers;
  uint32_t n_barriers;
  dc_row_level *row_levels;
  uint32_t n_row_levels;
  dc_access *accesses; // but those that are expected to become none; in no order
  uint32_t n_accesses;
  dc_location *locations;
  uint32_t n_locations;
  dc_param *params;
  uint32_t n_params;
  dc_launch *launches; // at least one
  uint32_t n_launches;
  dc_call *calls; // each function once
  uint32_t n_calls;
  dc_text *load_names, *opaque_names; // by the immediates of DC_OP_LOAD and DC_OP_OPAQUE
  uint32_t n_load_names, n_opaque_names;
  char *text; // the string table; text[0] is 0
  uint32_t text_size;
} dc_kernel;

// Releases every array of the kernel and makes it all zeroes, which is the empty kernel.
void dc_kernel_free(dc_kernel *kernel);

// Adds one zeroed element to an array of the kernel and gives its index, or DC_NONE when memory is
// out. Amortised O(1). Elements move: keep indices, not pointers. Arrays that are added to must
// have been made by these functions alone. A block's successors are best added one after the other.
uint32_t dc_kernel_add_block(dc_kernel *kernel);
uint32_t dc_kernel_add_successor(dc_kernel *kernel, uint32_t block);
uint32_t dc_kernel_add_branch(dc_kernel *kernel);
uint32_t dc_kernel_add_loop(dc_kernel *kernel);
uint32_t dc_kernel_add_exit(dc_kernel *kernel);
uint32_t dc_kernel_add_reason(dc_kernel *kernel, uint32_t location, const char *text);
uint32_t dc_kernel_add_barrier(dc_kernel *kernel);
uint32_t dc_kernel_add_row_level(dc_kernel *kernel);
uint32_t dc_kernel_add_access(dc_kernel *kernel);
uint32_t dc_kernel_add_location(dc_kernel *kernel);
uint32_t dc_kernel_add_param(dc_kernel *kernel);
uint32_t dc_kernel_add_launch(dc_kernel *kernel);
uint32_t dc_kernel_add_call(dc_kernel *kernel, dc_call_kind kind, const char *function);
uint32_t dc_kernel_add_load_name(dc_kernel *kernel, const char *text);
uint32_t dc_kernel_add_opaque_name(dc_kernel *kernel, const char *text);

// Puts a string into the table; equal strings share one place where that is cheap to see. 0 for ""
// and when memory is out.
dc_text dc_kernel_add_text(dc_kernel *kernel, const char *text);
const char *dc_kernel_text(const dc_kernel *kernel, dc_text text);

// Keeps the registers that ptxas gave a thread for sm; what was known of it before is replaced, and
// nothing is kept beyond DC_PTXAS_ARCHS. O(DC_PTXAS_ARCHS).
void dc_kernel_set_registers(dc_kernel *kernel, uint32_t sm, uint32_t count);

// Checks every index, enumerator and text offset, and that the loop forest and the pool are
// acyclic: a kernel that passes can be given to every function of the library. The error names
// array, element and field. O(size).
dc_status dc_kernel_validate(const dc_kernel *kernel, dc_error *error);

// The kernel as it is in blocks of these dimensions: with the levels and classes of row_levels,
// where rows are whole warps, else as it is; and with what is `small` of its parameters. The view
// shares all other arrays with the kernel, which must outlive it and stay as it is; release it with
// dc_kernel_leave_block and nothing else. For kernels that dc_kernel_validate passes. O(nodes +
// branches + exits + loops + parameters). DC_ERROR_MEMORY.
dc_status dc_kernel_in_block(const dc_kernel *kernel, const uint32_t block[3], dc_kernel *view,
                             dc_error *error);
void dc_kernel_leave_block(const dc_kernel *kernel, dc_kernel *view);

// The most trips that any lane can have in an entry of the loop, as far as its trip count, or that
// of any of its exits, shows: by a minimum, a mask, a division, a narrow type; parameters whose
// values are known count with these. Negative: nothing below DC_MOST_TRIPS is shown. O(nodes under
// these expressions), and at most 2000 of them.
#define DC_MOST_TRIPS 2048
int64_t dc_most_trips(const dc_kernel *kernel, uint32_t loop);

// Prints an expression with the kernel's own names. As dc_expr_print.
size_t dc_kernel_print_expr(const dc_kernel *kernel, dc_expr e, char *text, size_t size);

// The fixed names: "lane-affine", "assumed", "launch_bounds", "warp-uniform", "sfu" ...; and back:
// the enumerator, or -1.
const char *dc_class_name(dc_class loop_class);
const char *dc_from_name(dc_from from);
const char *dc_block_from_name(dc_block_from from);
const char *dc_uniformity_name(dc_uniformity level);
const char *dc_mix_name(dc_mix mix);
const char *dc_predication_name(dc_predication predication);
const char *dc_call_kind_name(dc_call_kind kind);
const char *dc_row_part_name(dc_row_part of);
const char *dc_space_name(dc_space space);
const char *dc_access_kind_name(dc_access_kind kind);
const char *dc_l2_state_name(dc_l2_state state);
int dc_class_parse(const char *name);
int dc_from_parse(const char *name);
int dc_block_from_parse(const char *name);
int dc_uniformity_parse(const char *name);
int dc_mix_parse(const char *name);
int dc_predication_parse(const char *name);
int dc_call_kind_parse(const char *name);
int dc_row_part_parse(const char *name);
int dc_space_parse(const char *name);
int dc_access_kind_parse(const char *name);
int dc_l2_state_parse(const char *name);

#ifdef __cplusplus
}
#endif

#endif
