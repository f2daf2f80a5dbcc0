// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernel skeletons of structured code, for tests of the emulator: conditionals, loops whose header
// tests, and jumps out of them, in any nesting. finish() finds the post-dominators.
//
//     code c = begin_code(32);
//     uint32_t loop = open_loop(&c, trips);
//     jump_if(&c, condition, c.leave);        // break
//     close_loop(&c);
//     finish(&c);
#ifndef DIVCOST_TESTS_STRUCTURED_H
#define DIVCOST_TESTS_STRUCTURED_H

#include "emulation.h"

#include "divcost/estimate.h"

#define NEST 16

typedef struct code {
  dc_kernel kernel;
  uint32_t at;                       // the block that code is added to
  uint32_t loop;                     // the innermost open one, or DC_NONE
  uint32_t leave[NEST], again[NEST]; // of each open loop: where break and continue go
  uint32_t end;                      // the one block without successors
  unsigned depth;
} code;

static inline uint32_t new_block(code *c) {
  uint32_t block = dc_kernel_add_block(&c->kernel);
  c->kernel.blocks[block].loop = c->loop;
  c->kernel.blocks[block].branch = DC_NONE;
  c->kernel.blocks[block].post_dominator = DC_NONE;
  c->kernel.blocks[block].mix[DC_MIX_INTEGER] = 1;
  return block;
}

static inline void add_edge_to(code *c, uint32_t from, uint32_t to) {
  uint32_t edge = dc_kernel_add_successor(&c->kernel, from);
  c->kernel.successors[edge] = to;
}

static inline code begin_code(uint32_t threads) {
  code c = {.loop = DC_NONE};
  uint32_t launch = dc_kernel_add_launch(&c.kernel);
  c.kernel.launches[launch] =
      (dc_launch){{threads, 1, 1}, {1, 1, 1}, DC_BLOCK_OPTION, DC_NONE, 0, false};
  c.kernel.location = DC_NONE;
  c.at = new_block(&c);
  c.end = new_block(&c);
  return c;
}

// Goes on in a new block.
static inline void fall_into(code *c, uint32_t block) {
  add_edge_to(c, c->at, block);
  c->at = block;
}

// A branch at the end of the current block; a condition of DC_NO_EXPR is drawn.
static inline void branch_to(code *c, dc_expr condition, uint32_t first, uint32_t second) {
  uint32_t branch = dc_kernel_add_branch(&c->kernel);
  c->kernel.branches[branch] = (dc_branch){.block = c->at,
                                           .condition = condition,
                                           .level = DC_DIVERGENT,
                                           .exits = DC_NONE,
                                           .location = DC_NONE};
  c->kernel.blocks[c->at].branch = branch;
  add_edge_to(c, c->at, first);
  add_edge_to(c, c->at, second);
}

// if (condition) goto target; and on.
static inline void jump_if(code *c, dc_expr condition, uint32_t target) {
  uint32_t next = new_block(c);
  branch_to(c, condition, target, next);
  c->at = next;
}

static inline uint32_t open_loop(code *c, dc_expr trips) {
  uint32_t loop = dc_kernel_add_loop(&c->kernel), outer = c->loop, after = new_block(c);
  c->loop = loop;
  uint32_t header = new_block(c);
  c->kernel.loops[loop] = (dc_loop){.header = header,
                                    .parent = outer,
                                    .depth = c->depth + 1,
                                    .location = DC_NONE,
                                    .loop_class = DC_CLASS_DATA_DEPENDENT,
                                    .level = DC_DIVERGENT,
                                    .trips = trips,
                                    .id = loop + 1};
  c->leave[c->depth] = after;
  c->again[c->depth++] = header;
  fall_into(c, header);
  uint32_t body = new_block(c);
  branch_to(c, DC_NO_EXPR, body, after);
  c->kernel.branches[c->kernel.n_branches - 1].exits = loop;
  c->at = body;
  return loop;
}

static inline void close_loop(code *c) {
  --c->depth;
  add_edge_to(c, c->at, c->again[c->depth]);
  c->loop = c->kernel.loops[c->loop].parent;
  c->at = c->leave[c->depth];
}

static inline bool is_inside(const dc_kernel *kernel, uint32_t inner, uint32_t outer) {
  while (inner != DC_NONE && inner != outer)
    inner = kernel->loops[inner].parent;
  return inner == outer;
}

// Every edge that leaves a loop is an exit of it; that of its header has the loop's trip count.
static inline void add_exits(dc_kernel *kernel) {
  for (uint32_t loop = 0; loop < kernel->n_loops; ++loop) {
    kernel->loops[loop].first_exit = kernel->n_exits;
    for (uint32_t block = 0; block < kernel->n_blocks; ++block) {
      const dc_block *data = &kernel->blocks[block];
      for (uint32_t k = 0; k < data->n_successors && is_inside(kernel, data->loop, loop); ++k) {
        uint32_t to = kernel->successors[data->first_successor + k];
        if (is_inside(kernel, kernel->blocks[to].loop, loop))
          continue;
        bool header = block == kernel->loops[loop].header;
        uint32_t exit = dc_kernel_add_exit(kernel);
        kernel->exits[exit] = (dc_exit){block, DC_NONE, DC_DIVERGENT,
                                        header ? kernel->loops[loop].trips : DC_NO_EXPR};
        ++kernel->loops[loop].n_exits;
        if (data->branch != DC_NONE)
          kernel->branches[data->branch].exits = loop;
      }
    }
  }
}

// Post-dominators by their definition: sets of blocks on all paths to the end.
static inline void find_post_dominators(dc_kernel *kernel, uint32_t end) {
  uint32_t n = kernel->n_blocks;
  bool *on = malloc((size_t)n * n), changed = true; // on[b * n + p]: p post-dominates b
  memset(on, 1, (size_t)n * n);
  for (uint32_t p = 0; p < n; ++p)
    on[(size_t)end * n + p] = p == end;
  while (changed) {
    changed = false;
    for (uint32_t b = 0; b < n; ++b)
      for (uint32_t p = 0; p < n && b != end; ++p) {
        bool all = true;
        for (uint32_t k = 0; k < kernel->blocks[b].n_successors; ++k)
          all &= on[(size_t)kernel->successors[kernel->blocks[b].first_successor + k] * n + p];
        all |= p == b;
        changed |= on[(size_t)b * n + p] != all;
        on[(size_t)b * n + p] = all;
      }
  }
  // The immediate one is post-dominated by all the others.
  for (uint32_t b = 0; b < n; ++b)
    for (uint32_t p = 0; p < n; ++p) {
      bool immediate = p != b && on[(size_t)b * n + p];
      for (uint32_t q = 0; q < n && immediate; ++q)
        immediate = q == b || !on[(size_t)b * n + q] || on[(size_t)p * n + q];
      if (immediate)
        kernel->blocks[b].post_dominator = p;
    }
  free(on);
}

static inline void finish(code *c) {
  dc_error error = {0};
  add_edge_to(c, c->at, c->end);
  add_exits(&c->kernel);
  find_post_dominators(&c->kernel, c->end);
  if (dc_kernel_validate(&c->kernel, &error) != DC_OK)
    fail_msg("%s", error.text);
}

// ---- expressions --------------------------------------------------------------------------------

static inline dc_expr tid(code *c) {
  return dc_expr_leaf(&c->kernel.pool, DC_OP_TID, 32, DC_DIVERGENT, 0);
}
static inline dc_expr value(code *c, int64_t i) { return dc_expr_constant(&c->kernel.pool, 32, i); }
static inline dc_expr iteration(code *c, uint32_t loop) {
  return dc_expr_leaf(&c->kernel.pool, DC_OP_IV, 32, DC_UNIFORM, loop);
}
static inline dc_expr op(code *c, dc_expr_op operation, dc_expr x, dc_expr y) {
  return dc_expr_binary(&c->kernel.pool, operation, x, y);
}

// ---- running ------------------------------------------------------------------------------------

static inline emulated emulate_code(code *c, dc_rules rules, unsigned lanes) {
  emulated e = {.arch = arch_named(rules == DC_RULES_BARRIERS ? "sm_90" : "sm_35"),
                .options = {.lanes = lanes}};
  e.arch.rules = rules;
  if (dc_program_from_kernel(&c->kernel, &e.program, &e.error) != DC_OK)
    fail_msg("%s", e.error.text);
  return e;
}

static inline dc_estimate estimate_code(code *c) {
  dc_arch arch = arch_named("sm_90");
  dc_estimate estimate;
  dc_error error = {0};
  if (dc_estimate_kernel(&c->kernel, &arch, &c->kernel.launches[0], NULL, &estimate, &error) !=
      DC_OK)
    fail_msg("%s", error.text);
  return estimate;
}

static inline void release_estimate(code *c, dc_estimate *e) {
  dc_estimate_free(e);
  dc_kernel_free(&c->kernel);
}

// What a block did.
static inline dc_emulated block_figures(const emulated *e, uint32_t block) {
  uint32_t pc = e->program.block_pc[block];
  while (e->program.code[pc].opcode != DC_OPCODE_BLOCK)
    ++pc;
  return dc_emulator_at(e->emulator, pc);
}

#endif
