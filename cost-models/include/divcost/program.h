// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs for the warp emulator: a flat array of instructions, made from a kernel skeleton, or
// from a small textual assembly (docs/emulator.md has its grammar).
//
// From a skeleton: a block is one instruction, which stands for all of the block's and decides
// where its lanes go. Where lanes can part (branches of level divergent), regions are placed as a
// compiler places SSY or BSSY: a region ends at the branch's immediate post-dominator, and is
// opened before the branch, or, where the branch is in loops that the post-dominator is not in,
// before the outermost of these. Branches that end at the same place share an open region. Blocks
// are in reverse postorder, with the blocks of a loop side by side.
#ifndef DIVCOST_PROGRAM_H
#define DIVCOST_PROGRAM_H

#include "divcost/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  DC_REGISTERS = 32, // R0 .. R31
  DC_PREDICATES = 7, // P0 .. P6
  DC_GUARD_NONE = 7, // PT
};

typedef enum dc_opcode {
  // managing divergence
  DC_OPCODE_OPEN,  // SSY, BSSY: `region` is opened; its lanes meet at `target`
  DC_OPCODE_CLOSE, // BSYNC, and where a skeleton's region ends
  DC_OPCODE_BREAK, // leave the innermost barrier
  DC_OPCODE_NOP,
  // control flow
  DC_OPCODE_BLOCK, // a block of a skeleton: `region` is its number
  DC_OPCODE_BRA,
  DC_OPCODE_CAL,
  DC_OPCODE_RET,
  DC_OPCODE_EXIT,
  DC_OPCODE_WARPSYNC, // a: mask
  // data: d = a op b, 32 bits, wrapping
  DC_OPCODE_LANE,  // S2R d, SR_LANEID
  DC_OPCODE_CLOCK, // CS2R d, SR_CLOCKLO
  DC_OPCODE_MOV,
  DC_OPCODE_IADD,
  DC_OPCODE_ISUB,
  DC_OPCODE_IMUL,
  DC_OPCODE_IMIN,
  DC_OPCODE_IMAX,
  DC_OPCODE_AND,
  DC_OPCODE_OR,
  DC_OPCODE_XOR,
  DC_OPCODE_SHL,
  DC_OPCODE_SHR,
  DC_OPCODE_LT, // ISETP.LT predicate d, a, b ...
  DC_OPCODE_LE,
  DC_OPCODE_GT,
  DC_OPCODE_GE,
  DC_OPCODE_EQ,
  DC_OPCODE_NE,
  DC_OPCODE_LD,    // d = array `region`[a]
  DC_OPCODE_ST,    // array `region`[a] = b; of several lanes the last wins
  DC_OPCODE_FLOAT, // FADD, FMUL, FFMA: time, no value
  DC_OPCODE_COUNT
} dc_opcode;

typedef enum dc_operand_kind {
  DC_OPERAND_VALUE,
  DC_OPERAND_REGISTER,
  DC_OPERAND_PARAM
} dc_operand_kind;

typedef struct dc_operand {
  uint8_t kind;  // dc_operand_kind
  int32_t value; // a number, or that of a register or parameter
} dc_operand;

typedef struct dc_instruction {
  uint8_t opcode;
  uint8_t guard;   // predicate that lanes must have, or DC_GUARD_NONE
  bool guard_not;  // ... must not have
  bool pop;        // .S: closes the innermost region afterwards
  bool placed;     // OPEN, CLOSE of a skeleton: nothing, if the region is (is not) the innermost
  bool exits;      // BRA: one of its ways leaves a loop
  bool predicated; // BLOCK: its branch is; the targets are single blocks
  uint8_t mix;     // dc_mix, for the issue cycles
  uint8_t d;       // register or predicate
  dc_operand a, b;
  uint32_t target; // pc
  uint32_t region; // region, barrier register, block or array
  uint32_t block;  // of a skeleton: where it stands
  uint32_t loop;   // OPEN: the loop that has the region, or DC_NONE
  uint32_t line;   // of the text, from 1; and where in the text the instruction stands
  uint32_t first_byte, n_bytes;
} dc_instruction;

// An edge between blocks of a skeleton; as kernel->successors.
typedef struct dc_program_edge {
  uint32_t target;  // pc
  uint32_t back;    // loop whose next iteration it begins, or DC_NONE
  uint32_t entered; // innermost loop that it enters, or DC_NONE
  uint32_t around;  // innermost loop around both of its ends, or DC_NONE
  bool leaves;      // the innermost loop around its beginning is another
} dc_program_edge;

typedef struct dc_program_array {
  char name[24];
  uint32_t first, count; // in words
} dc_program_array;

typedef struct dc_program_param {
  char name[24];
  int32_t value;
} dc_program_param;

typedef struct dc_program {
  dc_instruction *code;
  uint32_t length;
  uint32_t *skip; // of each instruction: where the loop ends that it begins, or 0
  bool has_calls;
  // of a skeleton
  const dc_kernel *kernel; // or NULL
  dc_program_edge *edges;  // of each of kernel->successors
  uint32_t *block_pc;      // of each block, or DC_NONE (not reached)
  // of assembly
  const char *text; // or NULL
  int32_t *words;   // initial contents of the arrays
  uint32_t n_words;
  dc_program_array *arrays;
  uint32_t n_arrays;
  dc_program_param *params;
  uint32_t n_params;
} dc_program;

// Makes a program from a valid kernel, which must outlive it. Errors: DC_ERROR_MEMORY,
// DC_ERROR_ARGUMENT for a kernel without blocks. On success the caller releases it with
// dc_program_free. O(blocks * depth of nesting).
dc_status dc_program_from_kernel(const dc_kernel *kernel, dc_program *program, dc_error *error);

// Assembles a text, which must outlive the program. Errors: DC_ERROR_SYNTAX, naming the line;
// DC_ERROR_MEMORY. O(length * labels).
dc_status dc_program_assemble(const char *text, dc_program *program, dc_error *error);

void dc_program_free(dc_program *program);

// The parameter of that name, or -1.
int dc_program_find_param(const dc_program *program, const char *name);

// Writes an instruction as text: the line of an assembly, "block 3" of a skeleton. As snprintf.
size_t dc_program_print(const dc_program *program, uint32_t pc, char *text, size_t size);

// Where a message is about: "line 3" or "block 3". As snprintf.
size_t dc_program_where(const dc_program *program, uint32_t pc, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
