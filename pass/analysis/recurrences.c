// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What iterations of a loop hand on to the next: the longest chain of instructions each of which
// needs the one before, from iteration to iteration, and the reads of memory that the next one has
// to wait for, since they decide where it reads or whether there is one. Compilers do several
// iterations at once, but neither of these.
//
// Such a chain is what each iteration adds to the longest path through the loop, once it has been
// round often enough for the path to keep to one cycle: the greatest mean of a cycle, as value
// iteration finds it. Inner loops aren't looked into.
#include "analysis/analysis.h"

#include <stdlib.h>

enum {
  PASSES = 8, // of which the second half counts
  READS = 64  // of a loop that are told apart
};

// The longest path up to a value.
typedef struct path {
  uint32_t weight, instructions;
} path;

typedef struct recurrences {
  const ssa_function *f;
  path *paths, *half; // half: after so many of the passes
  uint64_t *reads;    // of each value: those of its loop that it depends on
  uint32_t *numbers;  // of each value: of its loop's reads, from 1; 0: none
} recurrences;

static uint32_t loop_of(const ssa_function *f, uint32_t value) {
  uint32_t block = f->values[value].block;
  return block == DC_NONE ? DC_NONE : f->blocks[block].loop;
}

// About as many instructions as a read of memory takes.
static uint32_t weight_of(const ssa_value *v) {
  enum { SHARED = 5, MEMORY = 60 };
  bool shared = v->mix == DC_MIX_SHARED + 1 || v->mix == DC_MIX_CONSTANT + 1;
  return v->machine + (!dcp_is_read(v) ? 0u : shared ? SHARED : MEMORY);
}

// A phi of a header has what the pass before left.
static void visit(recurrences *r, uint32_t value) {
  const ssa_function *f = r->f;
  const ssa_value *v = &f->values[value];
  uint32_t loop = f->blocks[v->block].loop, number = r->numbers[value];
  path longest = {0, 0};
  uint64_t reads = 0;
  for (uint32_t k = v->first_operand; k < v->first_operand + v->n_operands; ++k) {
    uint32_t operand = f->operands[k];
    if (loop_of(f, operand) != loop)
      continue;
    if (r->paths[operand].weight > longest.weight)
      longest = r->paths[operand];
    reads |= r->reads[operand];
  }
  longest.weight += weight_of(v);
  longest.instructions += v->machine;
  r->paths[value] = longest;
  r->reads[value] = reads | (number ? UINT64_C(1) << (number - 1) : 0);
}

static void pass(recurrences *r) {
  const ssa_function *f = r->f;
  for (uint32_t k = 0; k < f->n_in_order; ++k) {
    const ssa_block *block = &f->blocks[f->in_order[k]];
    for (uint32_t n = 0; block->loop != DC_NONE && n < block->n_values; ++n)
      visit(r, f->block_values[block->first_value + n]);
  }
}

// What an iteration adds to the longest path, of all that is handed on.
static uint16_t carried_by(const recurrences *r, uint32_t loop) {
  const ssa_function *f = r->f;
  const ssa_block *header = &f->blocks[f->loops[loop].header];
  uint32_t most = 0, instructions = 0;
  for (uint32_t n = 0; n < header->n_values; ++n) {
    uint32_t value = f->block_values[header->first_value + n];
    if (f->values[value].op != SSA_PHI)
      continue;
    uint32_t more = r->paths[value].weight - r->half[value].weight;
    if (more > most) {
      most = more;
      instructions = r->paths[value].instructions - r->half[value].instructions;
    }
  }
  enum { COUNTED = PASSES / 2 };
  uint32_t mean = (instructions + COUNTED / 2) / COUNTED;
  return mean < UINT16_MAX ? (uint16_t)mean : UINT16_MAX;
}

// The loop's reads that decide whether it goes on.
static uint64_t deciding(const recurrences *r, uint32_t loop) {
  const ssa_function *f = r->f;
  const ssa_loop *of = &f->loops[loop];
  uint64_t reads = 0;
  for (uint32_t k = 0; k < of->n_blocks; ++k) {
    const ssa_block *block = &f->blocks[f->loop_blocks[of->first_block + k]];
    if (block->loop != loop || block->condition == DC_NONE || loop_of(f, block->condition) != loop)
      continue;
    for (uint32_t n = 0; n < block->n_successors; ++n) {
      uint32_t to = f->blocks[f->edges[block->first_successor + n]].loop;
      if (to == DC_NONE || !ssa_loop_contains(f, loop, to))
        reads |= r->reads[block->condition];
    }
  }
  return reads;
}

// What a read's address depends on, of its loop's reads: its own number, if the one of an earlier
// iteration is among them.
static uint64_t before(const recurrences *r, uint32_t value) {
  const ssa_value *v = &r->f->values[value];
  uint64_t reads = 0;
  for (uint32_t k = v->first_operand; k < v->first_operand + v->n_operands; ++k)
    if (loop_of(r->f, r->f->operands[k]) == loop_of(r->f, value))
      reads |= r->reads[r->f->operands[k]];
  return reads;
}

static void number_reads(recurrences *r, uint32_t *count) {
  const ssa_function *f = r->f;
  for (uint32_t value = 0; value < f->n_values; ++value) {
    uint32_t loop = loop_of(f, value);
    if (loop != DC_NONE && dcp_is_read(&f->values[value]) && count[loop] < READS)
      r->numbers[value] = ++count[loop];
  }
}

static void note(const recurrences *r, dcp_analysis *analysis, uint64_t *decide,
                 uint32_t first_loop, uint32_t first_access) {
  const ssa_function *f = r->f;
  dc_kernel *kernel = analysis->kernel;
  for (uint32_t loop = 0; loop < f->n_loops; ++loop) {
    kernel->loops[first_loop + loop].carried = carried_by(r, loop);
    decide[loop] = deciding(r, loop);
  }
  for (uint32_t k = 0, at = first_access; k < f->n_accesses && at < kernel->n_accesses; ++k) {
    ssa_access joined;
    uint32_t value = f->accesses[k].value, loop = loop_of(f, value), number = r->numbers[value];
    if (!dcp_expected_access(analysis, &k, &joined))
      continue;
    uint64_t own = number ? UINT64_C(1) << (number - 1) : 0;
    kernel->accesses[at++].carried = own && ((before(r, value) | decide[loop]) & own);
  }
}

bool dcp_note_recurrences(dcp_analysis *analysis, uint32_t first_loop, uint32_t first_access) {
  const ssa_function *f = analysis->function;
  size_t n = (size_t)f->n_values + 1, loops = (size_t)f->n_loops + 1;
  recurrences r = {.f = f,
                   .paths = calloc(n, sizeof *r.paths),
                   .half = calloc(n, sizeof *r.half),
                   .reads = calloc(n, sizeof *r.reads),
                   .numbers = calloc(n, sizeof *r.numbers)};
  uint32_t *count = calloc(loops, sizeof *count);
  uint64_t *decide = calloc(loops, sizeof *decide);
  bool done = r.paths && r.half && r.reads && r.numbers && count && decide;
  if (done) {
    number_reads(&r, count);
    for (unsigned k = 0; k < PASSES; ++k) {
      pass(&r);
      for (uint32_t value = 0; k + 1 == PASSES / 2 && value < f->n_values; ++value)
        r.half[value] = r.paths[value];
    }
    note(&r, analysis, decide, first_loop, first_access);
  }
  free(r.paths);
  free(r.half);
  free(r.reads);
  free(r.numbers);
  free(count);
  free(decide);
  return done;
}
