// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The control-flow graph of machine code, or of a kernel's skeleton: basic blocks, who dominates
// whom, natural loops. Functions that aren't inlined are parts of it that no edge leads to; a call
// goes on behind itself.
#ifndef DIVCOST_CODE_GRAPH_H
#define DIVCOST_CODE_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#define DC_CODE_NONE UINT32_MAX

// An instruction; the first one is the kernel's.
typedef struct dc_code_instruction {
  uint64_t warps, lanes; // that executed it
  double stands_for;     // so many instructions
  uint32_t target;       // instruction, or DC_CODE_NONE
  uint8_t flow;          // dc_sass_flow
  bool predicated, joins;
  bool ends; // nothing is known of what stands behind it
} dc_code_instruction;

typedef struct dc_code_block {
  uint32_t first, last;               // instructions
  uint32_t order;                     // in a reverse post-order from the starts; NONE: not reached
  uint32_t dominator, post_dominator; // immediate, or NONE
  uint32_t loop;                      // innermost, or NONE
  uint32_t function;                  // the first block of the one that it is in
  uint32_t caller;                    // block that calls the function that starts here, or NONE
  bool starts;                        // the kernel, or a function that is called
} dc_code_block;

// Edges from each node: to[first[node]] to to[first[node + 1] - 1].
typedef struct dc_code_edges {
  uint32_t *first, *to;
} dc_code_edges;

typedef struct dc_code_loop {
  uint32_t header; // block
  uint32_t parent; // loop, which comes before, or NONE
} dc_code_loop;

typedef enum dc_code_call_kind {
  DC_CALL_DIRECT,
  DC_CALL_ANY,  // of what a register names: of every function that no instruction names
  DC_CALL_SELF, // of the function that it is in
  DC_CALL_BACK, // of a function that has, perhaps by others, called the one that it is in
} dc_code_call_kind;

typedef struct dc_code_call {
  uint32_t from, in, to; // block; the first block of its function, and of the one that it calls
  uint8_t kind;          // dc_code_call_kind
} dc_code_call;

typedef struct dc_code_graph {
  const dc_code_instruction *code;
  uint32_t n;
  uint32_t *block_of;    // of each instruction
  dc_code_block *blocks; // one more than there are: the exit
  uint32_t n_blocks;
  dc_code_edges out, in; // of blocks and the exit, which is number n_blocks
  uint32_t *reached;     // blocks in their order
  uint32_t n_reached;
  dc_code_loop *loops; // outer ones before inner ones
  uint32_t n_loops;
  dc_code_call *calls; // that are executed
  uint32_t n_calls;
  uint32_t *functions; // their first blocks; a function comes after those that it calls, calls back
  uint32_t n_functions; // aside. The last one is the kernel; those that nothing calls aren't there
} dc_code_graph;

// Builds the graph of code[n], n > 0, which must outlive it. False: out of memory.
// dc__graph_free in any case. O(n * depth of nesting) for what structured programs become.
bool dc__graph_build(dc_code_graph *graph, const dc_code_instruction *code, uint32_t n);

// The same where the blocks are known, of one instruction each, of which only the counts matter.
// Edges go from block from[k] to to[k], which is n for the exit.
bool dc__graph_of_blocks(dc_code_graph *graph, const dc_code_instruction *code, uint32_t n,
                         const uint32_t *from, const uint32_t *to, uint32_t n_edges);

void dc__graph_free(dc_code_graph *graph);

// The block that a block's last instruction calls, or NONE; and whether it calls what a register
// names.
uint32_t dc__graph_callee(const dc_code_graph *graph, uint32_t block);
bool dc__graph_calls_any(const dc_code_graph *graph, uint32_t block);

// A part of dc__graph_build (calls.c): calls, functions, and each one's caller, of several the one
// whose call most warps execute. False: out of memory. O(functions * calls).
bool dc__graph_find_calls(dc_code_graph *graph);

// Whether a block (or the exit) is in a loop; in NONE is everything.
bool dc__graph_in_loop(const dc_code_graph *graph, uint32_t block, uint32_t loop);

#endif
