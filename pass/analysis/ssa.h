// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A device function in SSA form, as plain C arrays: what ir/lower.h makes of LLVM IR and all that
// the analyses (expressions.c, exits.c, uniformity.c, ...) see of it. Integers, pointers and
// floating-point numbers keep their arithmetic, in the operators of dc_expr_op; everything else is
// reduced to what matters for divergence: which operands it follows, whether it touches memory, and
// whether it brings a difference between lanes in.
#ifndef DIVCOST_PASS_ANALYSIS_SSA_H
#define DIVCOST_PASS_ANALYSIS_SSA_H

#include "analysis/source.h"
#include "divcost/kernel.h"
#include "divcost/machine_code.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ssa_op {
  SSA_CONST,      // constant number; i: its value, or the bits of a floating-point number
  SSA_CONSTANT,   // any other constant: the same everywhere
  SSA_ARGUMENT,   // i: position
  SSA_EXPR,       // arithmetic: `expr` says which, operands as there
  SSA_PURE,       // a function of its operands and nothing else, not expressible; i: which one of
                  // the device library, or 0
  SSA_PHI,        // operands in the order of incoming[]
  SSA_SREG,       // special register that is a dc_expr leaf: `expr` and i as there
  SSA_SOURCE,     // brings in a value of level `level`; text: what it is
  SSA_LOAD,       // operand 0: the address
  SSA_FETCH,      // from a texture, which can't change; operands: all that say where
  SSA_STORE,      // operand 0: the address, 1: the value; without: i bytes at the most are filled
  SSA_ATOMIC,     // operand 0: the address; i: 1 if it leaves memory as it is
  SSA_LOCAL,      // address of per-thread memory; i: 1 if functions that are called may have it
  SSA_VOTE,       // result of a vote, match_all or reduction; operand 0: the member mask, 1: what
                  // each lane gives; without a mask there are none
  SSA_SHUFFLE,    // operand 0: mask, 1: value, 2: source lane; i: 1 if all lanes read the lane that
                  // operand 2 names
  SSA_ALIKE,      // operand 0, which is the same in all lanes of a warp that come here, if all do
  SSA_ACTIVEMASK, // the lanes that run together
  SSA_BARRIER,    // waits for the block; the value (of _or, _and, _count) is the same in the block;
                  // i: 0 if threads may wait at several such instructions for each other
  SSA_WARPSYNC,   // waits for the lanes of operand 0
  SSA_UNKNOWN,    // a value that nothing is known of; text: why
  SSA_EFFECT,     // no value, nothing to do with memory that lanes share
} ssa_op;

// What kind of memory an access touches.
typedef enum ssa_space {
  SSA_GENERIC, // could be any
  SSA_GLOBAL,
  SSA_SHARED,
  SSA_READONLY, // cannot change while the kernel runs
  SSA_PRIVATE,  // per-thread memory
} ssa_space;

enum { SSA_NO_SIGNED_WRAP = 1, SSA_NO_UNSIGNED_WRAP = 2 };

// How the program computes a sum that has neither flag.
typedef enum ssa_sum {
  SSA_SUM_OWN,    // in these bits
  SSA_SUM_SIGNED, // likewise, and such that it doesn't wrap with a sign
  SSA_SUM_CUT,    // in more bits perhaps, and LLVM has cut it
} ssa_sum;

typedef struct ssa_value {
  uint8_t op;                         // ssa_op
  uint8_t expr;                       // dc_expr_op, for SSA_EXPR and SSA_SREG
  uint8_t bits;                       // width of a number or pointer; 0: something else
  uint8_t real;                       // a floating-point number
  uint8_t pointer;                    // an address
  uint8_t level;                      // for SSA_SOURCE: dc_uniformity
  uint8_t space;                      // for memory accesses: ssa_space
  uint8_t object;                     // of shared memory: a variable of its own; 0: any of them
  uint8_t changing;                   // volatile or atomic load
  uint8_t no_wrap;                    // SSA_NO_SIGNED_WRAP, SSA_NO_UNSIGNED_WRAP
  uint8_t sum;                        // ssa_sum
  uint8_t mix;                        // dc_mix + 1; 0: costs nothing
  uint8_t mix_more;                   // of `machine`, how many more are of that mix
  uint8_t rest;                       // dc_mix + 1 of others of `machine`; 0: none
  uint8_t retries;                    // an atomic that lanes try until they are alone with it
  uint8_t loops;                      // of a call: 1: what it executes has a loop
  uint8_t expanded_late;              // one instruction of PTX, of which ptxas makes more at last
  uint8_t words;                      // registers of 32 bits that it takes; 0: none
  uint8_t size;                       // instructions of LLVM's, as its unrolling counts them
  uint16_t machine;                   // machine instructions that are expected of it
  uint16_t rests;                     // how many of these are of the rest
  uint16_t slow;                      // of it and beside it, at most, what not all operands take
  uint32_t block;                     // or DC_NONE for constants and arguments
  uint32_t first_operand, n_operands; // in ssa_function.operands
  uint32_t location;                  // in the kernel's locations, or DC_NONE
  uint32_t text; // in ssa_function.texts: name of the parameter, array or function; 0: none
  int64_t i;
} ssa_value;

// What a load, a store or an atomic accesses, where that may be memory that lanes share.
typedef struct ssa_access {
  uint32_t value;     // the instruction
  uint32_t root;      // value that is the array's address, or DC_NONE
  uint32_t alignment; // of the array; 0: the launch gives its address
  uint8_t space;      // dc_space
  uint8_t bytes;      // of a lane: 1, 2, 4, 8 or 16
  uint8_t aligned;    // the address is a multiple of this, 1 to 16
} ssa_access;

typedef struct ssa_block {
  uint32_t first_value, n_values; // in ssa_function.block_values: its instructions, in order
  uint32_t first_successor, n_successors, first_predecessor, n_predecessors;
  uint32_t condition; // value that chooses the successor (first where it holds), or DC_NONE
  uint32_t location;  // of the terminator
  uint32_t loop;      // innermost, or DC_NONE
  uint32_t order;     // position in a reverse post-order
  uint32_t dominator, post_dominator; // immediate ones, or DC_NONE
  uint32_t swap;  // value that swaps, where lanes go round until they have; else DC_NONE
  uint32_t taken; // chance of the first successor, in 1 / DC_CHANCE; 0: the source doesn't tell
  uint8_t is_switch;
  uint8_t just_returns; // nothing but the exit of the kernel
  uint8_t dead_end;     // traps or is never reached: no way that a program takes
} ssa_block;

typedef struct ssa_loop {
  uint32_t header, parent, depth;
  uint32_t first_block, n_blocks; // in ssa_function.loop_blocks, inner loops' blocks included
  uint32_t location;
  uint32_t unroll;
  uint8_t irreducible;
  uint8_t tests_first; // the source tests a condition before the first statement of the body
  uint8_t bodies;      // how many times there is a beginning of the body; 0: not known
  uint32_t body;       // the block in which it begins, where there is one
  const char *distribution, *distribution_at; // annotation, or NULL
  const char *ignored, *ignored_at;           // likewise
  double correlation;                         // of the lanes, with a distribution
  uint64_t text;                              // as dcp_loop_statement has it
  uint8_t distribution_from;
} ssa_loop;

typedef struct ssa_function {
  ssa_value *values;
  uint32_t n_values;
  uint32_t *operands;
  uint32_t *incoming; // for a phi: the block that operand k comes from; parallel to operands
  uint32_t n_operands;
  uint32_t *block_values;
  ssa_block *blocks; // blocks[0] is the entry
  uint32_t n_blocks;
  uint32_t *edges; // successors and predecessors
  uint32_t n_edges;
  uint32_t *in_order; // see ssa_order_blocks
  uint32_t n_in_order;
  ssa_loop *loops; // outer loops before inner ones
  uint32_t n_loops;
  uint32_t *loop_blocks;
  ssa_access *accesses; // in the order of their instructions in each block
  uint32_t n_accesses;
  const char **texts;
  uint32_t n_texts;
  bool is_kernel; // arguments are the same in the whole grid; otherwise nothing is known of them
  const dc_machine_code *machine_code;
  dcp_compiler compiler; // of the architecture that it is compiled for
} ssa_function;

static inline uint32_t ssa_operand(const ssa_function *function, const ssa_value *value,
                                   uint32_t k) {
  return function->operands[value->first_operand + k];
}

// What a value costs; DC_MIX_COUNT: nothing.
static inline dc_mix ssa_mix(const ssa_value *value) {
  return value->mix ? (dc_mix)(value->mix - 1) : DC_MIX_COUNT;
}

// True where loop `outer` is `inner` or around it. O(depth).
bool ssa_loop_contains(const ssa_function *function, uint32_t outer, uint32_t inner);

// The value of which this one is the low bits, widened to its width again: sext(trunc(x)), or the
// two shifts that instcombine writes for it; `bits`: how many. DC_NONE: it is nothing of the kind.
uint32_t ssa_narrowed(const ssa_function *function, uint32_t value, unsigned *bits);

// Whether a value is a phi of the loop's header with one way in and one back; then what it is when
// the loop begins, and what the iteration before left.
bool ssa_is_counter(const ssa_function *function, uint32_t loop, uint32_t value);
uint32_t ssa_value_before(const ssa_function *function, uint32_t loop, uint32_t counter);
uint32_t ssa_value_carried(const ssa_function *function, uint32_t loop, uint32_t counter);

// Fills in_order (room for n_blocks) and blocks[].order: topological but for back edges, with the
// blocks of each loop next to each other; unreachable blocks are left out. False: out of memory.
// O(edges * nesting).
bool ssa_order_blocks(ssa_function *function);

#ifdef __cplusplus
}
#endif

#endif
