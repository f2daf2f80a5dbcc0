// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Symbolic expressions over the launch and the lane: what a kernel's trip counts, branch conditions
// and addresses are made of. Expressions live in a pool, refer to each other by index, and equal
// expressions have the same index (hash consing), so "same value" is "same number" and a pool can
// be copied or written to a file as it is.
//
// Values are integers of 1 to 64 bits in two's complement, with the wrapping arithmetic of LLVM IR,
// and IEEE's floating-point numbers of 32 and 64 bits. Which of the two a leaf or a select stands
// for follows from the operator that it is an operand of; nothing reads the bits of one as the
// other.
//
// What compilers may do to floating-point arithmetic (fuse a product and a sum, flush what is too
// small for a normal number) isn't known, so such a value is evaluated as the interval of all that
// may come out. An integer or a truth value that isn't the same over the interval is not known:
// what is evaluated is right.
#ifndef DIVCOST_EXPR_H
#define DIVCOST_EXPR_H

#include "divcost/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Among whom a value is the same, from the weakest claim on the lane to the strongest variation.
// The join of two levels is their maximum.
typedef enum dc_uniformity {
  DC_UNIFORM,       // one value in the whole grid
  DC_BLOCK_UNIFORM, // one value in each block
  DC_WARP_UNIFORM,  // one value in each warp
  DC_DIVERGENT,     // may differ between the lanes of a warp
} dc_uniformity;

typedef uint32_t dc_expr; // index into dc_expr_pool.nodes
#define DC_NO_EXPR UINT32_MAX

// Operators. The comment gives the operands: a, b, c are expressions, i is the node's immediate.
typedef enum dc_expr_op {
  // leaves
  DC_OP_CONST,    // i: the value, sign-extended from `bits`
  DC_OP_PARAM,    // kernel parameter; i: its position
  DC_OP_TID,      // threadIdx; i: 0, 1, 2 for x, y, z
  DC_OP_NTID,     // blockDim; i as above
  DC_OP_CTAID,    // blockIdx; i as above
  DC_OP_NCTAID,   // gridDim; i as above
  DC_OP_LANE,     // lane index, 0 to 31
  DC_OP_IV,       // iterations completed since loop i was entered: 0, 1, 2 ...
  DC_OP_CARRIED,  // floating-point number that loop i carries on, under a RUN of that loop
  DC_OP_ICARRIED, // integer that loop i carries on, under an IRUN of that loop
  DC_OP_LOAD,     // memory read; a: address (or DC_NO_EXPR), i: number that tells reads apart
  DC_OP_OPAQUE,   // not expressible; i: number that tells values apart
  // two's complement arithmetic at `bits` on a and b
  DC_OP_ADD,
  DC_OP_SUB,
  DC_OP_MUL,
  DC_OP_UDIV,
  DC_OP_SDIV,
  DC_OP_UREM,
  DC_OP_SREM,
  DC_OP_SHL,
  DC_OP_LSHR,
  DC_OP_ASHR,
  DC_OP_AND,
  DC_OP_OR,
  DC_OP_XOR,
  DC_OP_SMIN,
  DC_OP_SMAX,
  DC_OP_UMIN,
  DC_OP_UMAX,
  // comparisons of a and b; the result has 1 bit
  DC_OP_EQ,
  DC_OP_NE,
  DC_OP_ULT,
  DC_OP_ULE,
  DC_OP_SLT,
  DC_OP_SLE,
  // the rest
  DC_OP_SELECT, // a (1 bit) ? b : c
  DC_OP_ZEXT,   // a widened to `bits`
  DC_OP_SEXT,   // likewise, with its sign
  DC_OP_TRUNC,  // a cut to `bits`
  DC_OP_STEPS,  // steps of length b to cover the distance a, both signed and unwrapped:
                // 0 if a <= 0, else ceil(a / b); unknown for b <= 0
  DC_OP_USTEPS, // likewise, with a distance a that has no sign
  DC_OP_FIRST,  // smallest k >= 0 for which a (1 bit) holds with IV of loop i set to k
  DC_OP_IRUN,   // likewise, with ICARRIED of loop i set to b at first and to c after each iteration
  DC_OP_RUN,    // likewise, with CARRIED
  // floating-point arithmetic at `bits`, 32 or 64, on a and b, rounded to nearest
  DC_OP_FADD,
  DC_OP_FSUB,
  DC_OP_FMUL,
  DC_OP_FPRODUCT, // a * b, rounded or not: of a sum that it may be fused with
  DC_OP_FDIV,
  DC_OP_FMIN,
  DC_OP_FMAX,
  DC_OP_FNEG, // of a alone, from here on
  DC_OP_FFLOOR,
  DC_OP_FCEIL,
  DC_OP_FTRUNC,   // towards zero
  DC_OP_FRINT,    // to nearest, halves to even
  DC_OP_FCAST,    // a, which has the other width
  DC_OP_SITOFP,   // of an integer with its sign
  DC_OP_UITOFP,   // of one without
  DC_OP_FUNCTION, // some function of a and b, of any kind, that has no value here; i: number that
                  // tells functions apart
  // comparisons of floating-point numbers, false for those that aren't numbers; 1 bit
  DC_OP_FEQ,
  DC_OP_FLT,
  DC_OP_FLE,
  // integers of `bits` from floating-point numbers, towards zero; unknown out of range
  DC_OP_FPTOSI,
  DC_OP_FPTOUI,
  DC_OP_COUNT // number of operators
} dc_expr_op;

typedef struct dc_expr_node {
  uint8_t op;    // dc_expr_op
  uint8_t bits;  // width of the value, 1 to 64
  uint8_t level; // dc_uniformity that was shown for the value; for leaves given, else joined
  uint8_t spare; // 0
  dc_expr a, b, c;
  int64_t i;
} dc_expr_node;

typedef struct dc_expr_pool {
  dc_expr_node *nodes;
  uint32_t count, capacity;
  uint32_t *index; // open-addressing table of node numbers, a power of two long
  uint32_t index_size;
  bool out_of_memory; // set where an expression could not be added; never cleared by the library
} dc_expr_pool;

// Whether an operator's result is a floating-point number, and whether its operands are.
bool dc_expr_op_is_real(dc_expr_op op);
bool dc_expr_op_takes_reals(dc_expr_op op);

// Whether an operator searches for an iteration: DC_OP_FIRST, DC_OP_IRUN, or DC_OP_RUN.
bool dc_expr_op_is_search(dc_expr_op op);

// Whether an operator is a number that a loop carries on: DC_OP_CARRIED, or DC_OP_ICARRIED.
bool dc_expr_op_is_carried(dc_expr_op op);

// Operands that an operator needs: 0 to 3 (LOAD: 0, its address may be absent); and its fixed name,
// "add", "steps" ..., and back: the operator, or -1.
unsigned dc_expr_op_operands(dc_expr_op op);
const char *dc_expr_op_name(dc_expr_op op);
int dc_expr_op_parse(const char *name);

// An empty pool is all zeroes. A pool whose nodes were put there by other means (a file that was
// read) may leave index and index_size zero: they are made on the next insertion. dc_expr_pool_free
// releases what it grew to and makes it empty again.
void dc_expr_pool_free(dc_expr_pool *pool);

// Bytes that the pool holds now, nodes and index. O(1).
size_t dc_expr_pool_bytes(const dc_expr_pool *pool);

// A leaf without operands: DC_OP_CONST, DC_OP_PARAM ... DC_OP_OPAQUE. DC_NO_EXPR when memory is
// out (pool->out_of_memory is then set). Amortised O(1).
dc_expr dc_expr_leaf(dc_expr_pool *pool, dc_expr_op op, unsigned bits, dc_uniformity level,
                     int64_t i);
dc_expr dc_expr_constant(dc_expr_pool *pool, unsigned bits, int64_t value);

// An operation. Operands that op does not use are DC_NO_EXPR; i is used by LOAD, FIRST, RUN,
// FUNCTION only. The level is the join of the operands' (`at_least` raises it: a load may vary more
// than its address). Simplified on the way: constants fold (where the result is defined), and the
// identities of x + 0, x - x, x * 1, x / 1, min(x, x), equal arms of a select, casts of casts, and
// so on. Widths must fit: operands of arithmetic have `bits`, compared values have one width, casts
// widen or cut. Returns DC_NO_EXPR where they don't, when an operand is DC_NO_EXPR where one is
// needed, or when memory is out. Only the last sets pool->out_of_memory, so that a caller may build
// a whole tree and ask once, at its end.
dc_expr dc_expr_apply(dc_expr_pool *pool, dc_expr_op op, unsigned bits, dc_uniformity at_least,
                      dc_expr a, dc_expr b, dc_expr c, int64_t i);

// Shorthands for the commonest forms of dc_expr_apply; the result of dc_expr_binary has the width
// of a, or 1 bit for comparisons. O(1).
dc_expr dc_expr_binary(dc_expr_pool *pool, dc_expr_op op, dc_expr a, dc_expr b);
dc_expr dc_expr_cast(dc_expr_pool *pool, dc_expr_op op, unsigned bits, dc_expr a);

dc_uniformity dc_expr_uniformity(const dc_expr_pool *pool, dc_expr e);

// True where op occurs in e, with that immediate unless i < 0. O(nodes under e).
bool dc_expr_mentions(const dc_expr_pool *pool, dc_expr e, dc_expr_op op, int64_t i);

// Where e is max(a, b) - b without a sign, which is a - b or, with b > a, 0: that a, with e's
// second operand as b; else DC_NO_EXPR. O(1).
dc_expr dc_expr_minuend(const dc_expr_pool *pool, dc_expr e);

// Whether e is max(a + 1, a) without a sign, which is a + 1 or, where that wraps, a. O(1).
bool dc_expr_is_next(const dc_expr_pool *pool, dc_expr e);

// The operands of x && y, or of x || y where `any`, of 1 bit, which may stand as x ? y : false and
// x ? true : y. False, and nothing that has a meaning in `operands`, for all else. O(1).
bool dc_expr_split_joined(const dc_expr_pool *pool, dc_expr e, bool any, dc_expr operands[2]);

// What is known when an expression is evaluated: one lane of one warp of one launch.
typedef struct dc_expr_environment {
  int64_t ntid[3], nctaid[3];    // dimensions of block and grid; 0: not known
  int64_t ctaid[3], tid[3];      // negative: not known
  int64_t lane;                  // likewise
  const int64_t *params;         // values of the kernel's parameters
  const bool *params_known;      // which of them are known; both NULL: none
  const int64_t *params_assumed; // of those that aren't, taken in place of `assumed`, which see;
                                 // 0, or NULL: `assumed` is
  uint32_t n_params;
  const int64_t *iv; // completed iterations of each loop; -1: not known
  uint32_t n_iv;
  uint64_t budget; // operations that may still be executed; counts down
  int64_t assumed; // taken for every leaf that is not known and whose level is below divergent; 0:
                   // such leaves are not known
  unsigned assumed_shift; // leaf number i is taken as assumed >> assumed_shift * (i % 4), so that
                          // several unknown values are not all the same
  bool uses_assumed;      // set where `assumed` was taken; never cleared
} dc_expr_environment;

// Evaluates e for one lane. Returns true and the value, sign-extended from the width of e, or false
// where it depends on something not known, is undefined (division by zero, a shift too far), or the
// budget is spent (DC_OP_FIRST, DC_OP_IRUN and DC_OP_RUN search: the budget bounds them, and the
// other operand of a DC_OP_UMIN that it is an operand of), or e is nested more than 512 deep. A
// floating-point number has no value here, what is made of it does; the value of a parameter that
// is one is a whole number, and what is assumed of such a value 1/1024 of what is assumed of an
// integer. O(nodes of e as a tree), times the iterations searched under FIRST, IRUN and RUN. Does
// not allocate.
bool dc_expr_evaluate(const dc_expr_pool *pool, dc_expr e, dc_expr_environment *environment,
                      int64_t *value);

// Names for printing; any may be NULL.
typedef struct dc_expr_names {
  const char *const *params; // by position
  uint32_t n_params;
  const char *const *loads; // by the immediate of DC_OP_LOAD: a source text such as "row[r + 1]"
  uint32_t n_loads;
  const char *const *opaques; // by the immediate of DC_OP_OPAQUE
  uint32_t n_opaques;
} dc_expr_names;

// Writes e as people write it: "ceil((n - (blockIdx.x * blockDim.x + threadIdx.x)) / 256)", with as
// few parentheses as C needs, casts left out where they keep the value, opaque values as "?".
// Writes at most size bytes with the terminating 0 and returns the length of the whole text, as
// snprintf does. What is nested or repeated beyond reading (64 deep, 1000 operators) is "...".
// O(length).
size_t dc_expr_print(const dc_expr_pool *pool, dc_expr e, const dc_expr_names *names, char *text,
                     size_t size);

#ifdef __cplusplus
}
#endif

#endif
