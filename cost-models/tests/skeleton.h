// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small kernel skeletons for tests, made of loops in loops: every loop is a header block, what is
// in it, and a latch (the same block for an innermost loop) that exits. Blocks form a chain, so
// each one's post-dominator is the next.
#ifndef DIVCOST_TESTS_SKELETON_H
#define DIVCOST_TESTS_SKELETON_H

#include "divcost/kernel.h"

#include "support.h"

typedef struct builder {
  dc_kernel kernel;
  uint32_t loop, current; // where the next block goes, and the block that leads there
} builder;

static inline void add_edge(dc_kernel *kernel, uint32_t from, uint32_t to) {
  uint32_t index = dc_kernel_add_successor(kernel, from);
  kernel->successors[index] = to;
}

static inline uint32_t add_block(builder *b, unsigned fp32) {
  uint32_t index = dc_kernel_add_block(&b->kernel);
  dc_block *block = &b->kernel.blocks[index];
  block->loop = b->loop;
  block->branch = DC_NONE;
  block->post_dominator = DC_NONE;
  block->mix[DC_MIX_FP32] = (uint32_t)fp32;
  if (index > 0) {
    b->kernel.blocks[index - 1].post_dominator = index;
    add_edge(&b->kernel, b->current, index);
  }
  b->current = index;
  return index;
}

static inline builder begin_kernel(unsigned x, unsigned y, unsigned z, unsigned fp32) {
  builder b = {.loop = DC_NONE, .current = DC_NONE};
  uint32_t launch = dc_kernel_add_launch(&b.kernel);
  b.kernel.launches[launch] = (dc_launch){{x, y, z}, {0, 0, 0}, DC_BLOCK_OPTION, DC_NONE, 0, false};
  b.kernel.location = DC_NONE;
  add_block(&b, fp32);
  return b;
}

static inline uint32_t begin_loop(builder *b, dc_expr trips, dc_uniformity level,
                                  dc_class loop_class, unsigned fp32) {
  uint32_t index = dc_kernel_add_loop(&b->kernel), parent = b->loop;
  b->loop = index;
  uint32_t header = add_block(b, fp32);
  b->kernel.loops[index] =
      (dc_loop){.header = header,
                .parent = parent,
                .depth = parent == DC_NONE ? 1 : b->kernel.loops[parent].depth + 1,
                .location = DC_NONE,
                .loop_class = (uint8_t)loop_class,
                .level = (uint8_t)level,
                .trips = trips,
                .id = index + 1};
  return index;
}

// Ends the innermost open loop: the current block exits, to a new block.
static inline void end_loop(builder *b, unsigned after_fp32) {
  dc_kernel *kernel = &b->kernel;
  uint32_t loop = b->loop, latch = b->current, branch = dc_kernel_add_branch(kernel);
  kernel->branches[branch] = (dc_branch){.block = latch,
                                         .condition = DC_NO_EXPR,
                                         .level = kernel->loops[loop].level,
                                         .exits = loop,
                                         .location = DC_NONE};
  kernel->blocks[latch].branch = branch;
  kernel->loops[loop].first_exit = dc_kernel_add_exit(kernel);
  kernel->loops[loop].n_exits = 1;
  kernel->exits[kernel->loops[loop].first_exit] =
      (dc_exit){latch, DC_NONE, kernel->loops[loop].level, DC_NO_EXPR};
  add_edge(kernel, latch, kernel->loops[loop].header);
  b->loop = kernel->loops[loop].parent;
  add_block(b, after_fp32);
}

static inline dc_expr thread(builder *b) {
  return dc_expr_leaf(&b->kernel.pool, DC_OP_TID, 32, DC_DIVERGENT, 0);
}
static inline dc_expr block_index(builder *b) {
  return dc_expr_leaf(&b->kernel.pool, DC_OP_CTAID, 32, DC_BLOCK_UNIFORM, 0);
}
static inline dc_expr number(builder *b, int64_t i) {
  return dc_expr_constant(&b->kernel.pool, 32, i);
}
static inline dc_expr induction(builder *b, uint32_t loop) {
  return dc_expr_leaf(&b->kernel.pool, DC_OP_IV, 32, DC_UNIFORM, loop);
}
static inline dc_expr apply(builder *b, dc_expr_op op, dc_expr x, dc_expr y) {
  return dc_expr_binary(&b->kernel.pool, op, x, y);
}
static inline dc_expr parameter(builder *b, bool known, int64_t value) {
  uint32_t index = dc_kernel_add_param(&b->kernel);
  b->kernel.params[index] = (dc_param){.known = known, .value = value};
  return dc_expr_leaf(&b->kernel.pool, DC_OP_PARAM, 32, DC_UNIFORM, index);
}

static inline void set_distribution(builder *b, uint32_t loop, const char *text) {
  b->kernel.loops[loop].distribution = dc_kernel_add_text(&b->kernel, text);
  b->kernel.loops[loop].trips_from = DC_FROM_ANNOTATED;
}

#endif
