// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a kernel skeleton to a program: the order of the blocks, where regions are opened and
// closed, and what an edge does to the loops. The immediate post-dominators are the kernel's.
#include "divcost/program.h"

#include "kernel/predication.h"

#include <stdlib.h>
#include <string.h>

typedef struct layout {
  const dc_kernel *kernel;
  dc_program *program;
  uint32_t *order; // reachable blocks, in reverse postorder, then with loops side by side
  uint32_t n;
  uint32_t *next, *first, *last; // lists of what is directly in a loop (the last: in no loop)
  uint32_t *branch_opens;        // of each block: the block at which its region ends, or DC_NONE
  uint32_t *loop_opens;          // of each loop
  bool *ends;                    // of each block: a region ends here
  bool *placed;                  // of each loop: it is in a list
} layout;

// ---- order --------------------------------------------------------------------------------------

static bool find_postorder(layout *l) {
  const dc_kernel *kernel = l->kernel;
  uint32_t n = kernel->n_blocks, height = 0, at_end = n;
  uint32_t *stack = malloc(n * sizeof *stack), *at = calloc(n, sizeof *at);
  bool *met = calloc(n, sizeof *met), done = stack && at && met;
  if (done) {
    met[0] = true;
    stack[height++] = 0;
  }
  while (height) {
    uint32_t block = stack[height - 1];
    const dc_block *data = &kernel->blocks[block];
    if (at[block] == data->n_successors) {
      l->order[--at_end] = block;
      --height;
      continue;
    }
    uint32_t to = kernel->successors[data->first_successor + at[block]++];
    if (!met[to]) {
      met[to] = true;
      stack[height++] = to;
    }
  }
  free(stack);
  free(at);
  free(met);
  l->n = n - at_end;
  memmove(l->order, l->order + at_end, l->n * sizeof *l->order);
  return done;
}

// Items of the lists: blocks, and n_blocks + loop.
static void append(layout *l, uint32_t loop, uint32_t item) {
  uint32_t list = loop == DC_NONE ? l->kernel->n_loops : loop;
  if (l->first[list] == DC_NONE)
    l->first[list] = item;
  else
    l->next[l->last[list]] = item;
  l->last[list] = item;
  l->next[item] = DC_NONE;
}

// Puts the blocks of a loop side by side, where the first of them stands: a topological order
// stays one.
static void group_loops(layout *l) {
  const dc_kernel *kernel = l->kernel;
  memset(l->first, 0xff, (kernel->n_loops + 1u) * sizeof *l->first);
  for (uint32_t k = 0; k < l->n; ++k) {
    uint32_t block = l->order[k], loop = kernel->blocks[block].loop;
    append(l, loop, block);
    for (; loop != DC_NONE && !l->placed[loop]; loop = kernel->loops[loop].parent) {
      l->placed[loop] = true;
      append(l, kernel->loops[loop].parent, kernel->n_blocks + loop);
    }
  }
  // Lists within lists, one after the other; `last` now says where to go on after a loop.
  uint32_t item = l->first[kernel->n_loops], context = DC_NONE, n = 0;
  while (item != DC_NONE || context != DC_NONE) {
    if (item == DC_NONE) {
      item = l->last[context];
      context = kernel->loops[context].parent;
    } else if (item >= kernel->n_blocks) {
      context = item - kernel->n_blocks;
      l->last[context] = l->next[item];
      item = l->first[context];
    } else {
      l->order[n++] = item;
      item = l->next[item];
    }
  }
}

// ---- regions ------------------------------------------------------------------------------------

static bool holds(const dc_kernel *kernel, uint32_t outer, uint32_t inner) {
  while (inner != DC_NONE && inner != outer)
    inner = kernel->loops[inner].parent;
  return inner == outer;
}

static void place_regions(layout *l) {
  const dc_kernel *kernel = l->kernel;
  memset(l->branch_opens, 0xff, kernel->n_blocks * sizeof *l->branch_opens);
  memset(l->loop_opens, 0xff, kernel->n_loops * sizeof *l->loop_opens);
  for (uint32_t k = 0; k < l->n; ++k) {
    const dc_block *block = &kernel->blocks[l->order[k]];
    uint32_t end = block->post_dominator, outermost = DC_NONE;
    if (block->branch == DC_NONE || block->n_successors < 2 || end == DC_NONE ||
        kernel->branches[block->branch].level < DC_DIVERGENT || dc__is_predicated(kernel, block) ||
        dc__has_bare_return(kernel, block))
      continue;
    for (uint32_t loop = block->loop; loop != DC_NONE; loop = kernel->loops[loop].parent)
      if (!holds(kernel, loop, kernel->blocks[end].loop))
        outermost = loop;
    l->ends[end] = true;
    if (outermost == DC_NONE)
      l->branch_opens[l->order[k]] = end;
    else
      l->loop_opens[outermost] = end;
  }
}

// ---- code ---------------------------------------------------------------------------------------

static void emit(dc_program *program, dc_opcode opcode, uint32_t region, uint32_t block,
                 uint32_t loop) {
  program->code[program->length++] = (dc_instruction){.opcode = (uint8_t)opcode,
                                                      .guard = DC_GUARD_NONE,
                                                      .mix = DC_MIX_CONTROL,
                                                      .placed = opcode != DC_OPCODE_BLOCK,
                                                      .region = region,
                                                      .block = block,
                                                      .loop = loop};
}

static void emit_blocks(layout *l) {
  const dc_kernel *kernel = l->kernel;
  dc_program *program = l->program;
  memset(program->block_pc, 0xff, kernel->n_blocks * sizeof *program->block_pc);
  for (uint32_t k = 0; k < l->n; ++k) {
    uint32_t block = l->order[k], loop = kernel->blocks[block].loop;
    program->block_pc[block] = program->length;
    if (l->ends[block])
      emit(program, DC_OPCODE_CLOSE, block, block, DC_NONE);
    if (loop != DC_NONE && kernel->loops[loop].header == block && l->loop_opens[loop] != DC_NONE)
      emit(program, DC_OPCODE_OPEN, l->loop_opens[loop], block, loop);
    if (l->branch_opens[block] != DC_NONE)
      emit(program, DC_OPCODE_OPEN, l->branch_opens[block], block, DC_NONE);
    emit(program, DC_OPCODE_BLOCK, block, block, DC_NONE);
    program->code[program->length - 1].predicated =
        dc__is_predicated(kernel, &kernel->blocks[block]);
  }
  for (uint32_t pc = 0; pc < program->length; ++pc) // the lanes of a region meet after its end
    if (program->code[pc].opcode == DC_OPCODE_OPEN || program->code[pc].opcode == DC_OPCODE_CLOSE)
      program->code[pc].target = program->block_pc[program->code[pc].region] + 1;
  for (uint32_t k = l->n; k-- > 0;) {
    uint32_t pc = program->block_pc[l->order[k]];
    uint32_t end = k + 1 < l->n ? program->block_pc[l->order[k + 1]] : program->length;
    for (uint32_t loop = kernel->blocks[l->order[k]].loop; loop != DC_NONE;
         loop = kernel->loops[loop].parent) {
      uint32_t head = program->block_pc[kernel->loops[loop].header];
      if (head <= pc && program->skip[head] == 0)
        program->skip[head] = end;
    }
  }
}

static void describe_edges(const dc_kernel *kernel, dc_program *program) {
  for (uint32_t block = 0; block < kernel->n_blocks; ++block) {
    const dc_block *data = &kernel->blocks[block];
    for (uint32_t k = 0; k < data->n_successors; ++k) {
      uint32_t to = kernel->successors[data->first_successor + k];
      uint32_t inner = kernel->blocks[to].loop, around = inner;
      while (around != DC_NONE && !holds(kernel, around, data->loop))
        around = kernel->loops[around].parent;
      bool back = around != DC_NONE && kernel->loops[around].header == to;
      program->edges[data->first_successor + k] =
          (dc_program_edge){.target = program->block_pc[to],
                            .back = back ? around : DC_NONE,
                            .entered = inner == around ? DC_NONE : inner,
                            .around = around,
                            .leaves = around != data->loop};
    }
  }
}

static bool allocate(layout *l) {
  size_t blocks = l->kernel->n_blocks, loops = l->kernel->n_loops + 1u;
  dc_program *program = l->program;
  program->code = calloc(4 * blocks, sizeof *program->code);
  program->skip = calloc(4 * blocks, sizeof *program->skip);
  program->edges = calloc(l->kernel->n_successors + 1u, sizeof *program->edges);
  program->block_pc = calloc(blocks, sizeof *program->block_pc);
  l->order = calloc(blocks, sizeof *l->order);
  l->next = calloc(blocks + loops, sizeof *l->next);
  l->first = calloc(loops, sizeof *l->first);
  l->last = calloc(loops, sizeof *l->last);
  l->branch_opens = calloc(blocks, sizeof *l->branch_opens);
  l->loop_opens = calloc(loops, sizeof *l->loop_opens);
  l->ends = calloc(blocks, sizeof *l->ends);
  l->placed = calloc(loops, sizeof *l->placed);
  return program->code && program->skip && program->edges && program->block_pc && l->order &&
         l->next && l->first && l->last && l->branch_opens && l->loop_opens && l->ends && l->placed;
}

dc_status dc_program_from_kernel(const dc_kernel *kernel, dc_program *program, dc_error *error) {
  layout l = {.kernel = kernel, .program = program};
  *program = (dc_program){.kernel = kernel};
  if (kernel->n_blocks == 0)
    return dc_fail(error, DC_ERROR_ARGUMENT, "the kernel was not analysed: %s",
                   dc_kernel_text(kernel, kernel->not_analysed));
  bool done = allocate(&l) && find_postorder(&l);
  if (done) {
    group_loops(&l);
    place_regions(&l);
    emit_blocks(&l);
    describe_edges(kernel, program);
  }
  free(l.order);
  free(l.next);
  free(l.first);
  free(l.last);
  free(l.branch_opens);
  free(l.loop_opens);
  free(l.ends);
  free(l.placed);
  if (done)
    return DC_OK;
  dc_program_free(program);
  return dc_fail(error, DC_ERROR_MEMORY, "out of memory for a program of %u blocks",
                 (unsigned)kernel->n_blocks);
}
